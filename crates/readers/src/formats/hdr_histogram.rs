//! Histograms of `HdrHistogram` in version 2 of their encoding: counts of ranges of values, compressed.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// The first bytes of a compressed and of a plain histogram of integers.
const COMPRESSED: u32 = 0x1C84_9314;
const PLAIN: u32 = 0x1C84_9313;

/// The most bytes of a decompressed histogram: 5 digits of all values of 64 bits take less.
const LARGEST: u64 = 64 << 20;

/// A histogram: how often each range of values was recorded, in the order of the values.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Histogram {
    ranges: Vec<Range>,
    /// The number of values.
    pub(super) total: u64,
    /// How many bytes it had after decompression.
    pub(super) bytes: u64,
}

/// A range of values that count as equal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    lowest: u64,
    size: u64,
    count: u64,
}

impl Histogram {
    /// Decodes a histogram; otherwise says why not.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut parts = Parts(bytes);
        match parts.word()? {
            PLAIN => return Self::plain(bytes),
            COMPRESSED => {}
            word if word >> 8 == 0x001C_8493 => return Err("it is of an older encoding than version 2"),
            _ => return Err("it is not a compressed histogram of integers"),
        }
        let length = parts.word()? as usize;
        let stream = parts.0.get(..length).ok_or(CUT)?;
        let mut inflated = Vec::new();
        let read = ZlibDecoder::new(stream).take(LARGEST).read_to_end(&mut inflated);
        read.map_err(|_| "its compressed bytes are damaged")?;
        if inflated.len() as u64 == LARGEST {
            return Err("it is larger than any histogram");
        }
        Self::plain(&inflated)
    }

    fn plain(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut parts = Parts(bytes);
        if parts.word()? != PLAIN {
            return Err("it is not a histogram of integers of version 2");
        }
        let (length, offset, digits) = (parts.word()? as usize, parts.word()?, parts.word()?);
        let (lowest, _highest, _ratio) = (parts.long()?, parts.long()?, parts.long()?);
        if offset != 0 || digits > 5 || lowest == 0 || lowest > 1 << 62 {
            return Err("its head is not one of a histogram of integers");
        }
        let counts = Parts(parts.0.get(..length).ok_or(CUT)?);
        let shape = Shape::new(digits, lowest);
        Ok(Self { bytes: bytes.len() as u64, ..shape.ranges(counts)? })
    }

    /// The value that this share of the values does not exceed.
    pub(super) fn percentile(&self, percent: f64) -> u64 {
        // As the library does it: 99 % of 100 values are 99, not 100.
        let wanted = (percent.next_down() * self.total as f64 / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.ranges.iter().find(|range| {
            seen += range.count;
            seen >= wanted
        });
        found.or(self.ranges.last()).map_or(0, Range::highest)
    }

    /// The largest value.
    pub(super) fn max(&self) -> u64 {
        self.ranges.last().map_or(0, |range| if range.lowest == 0 { 0 } else { range.highest() })
    }

    /// The mean, for which the values of a range count as its middle.
    pub(super) fn mean(&self) -> f64 {
        let sum: f64 = self.ranges.iter().map(|range| range.middle() as f64 * range.count as f64).sum();
        sum / self.total as f64
    }
}

impl Range {
    fn highest(&self) -> u64 {
        self.lowest + (self.size - 1)
    }

    fn middle(&self) -> u64 {
        self.lowest + self.size / 2
    }
}

/// How ranges follow from digits and the lowest value: as many ranges of one size as the digits need, then half as many
/// for each further power of two.
struct Shape {
    half: u32,
    unit: u32,
}

impl Shape {
    fn new(digits: u32, lowest: u64) -> Self {
        let resolved = 2 * 10_u64.pow(digits);
        Self { half: resolved.next_power_of_two().ilog2().max(1) - 1, unit: lowest.ilog2() }
    }

    fn ranges(&self, mut counts: Parts<'_>) -> Result<Histogram, &'static str> {
        let (mut index, mut found) = (0_u64, Histogram::default());
        while !counts.0.is_empty() {
            let count = counts.signed()?;
            if count < 0 {
                index = index.saturating_add(count.unsigned_abs());
                continue;
            }
            if count > 0 {
                let (lowest, size) = self.range(index).ok_or("it counts values that no histogram has")?;
                let count = count.unsigned_abs();
                found.total = found.total.checked_add(count).ok_or("its counts are too large")?;
                found.ranges.push(Range { lowest, size, count });
            }
            index = index.saturating_add(1);
        }
        Ok(found)
    }

    /// The lowest value of a range and its size.
    fn range(&self, index: u64) -> Option<(u64, u64)> {
        let bucket = index >> self.half;
        let within = index & ((1 << self.half) - 1);
        let (shift, steps) = if bucket == 0 { (0, within) } else { (bucket - 1, within + (1 << self.half)) };
        let shift = u32::try_from(shift).ok()?.checked_add(self.unit)?;
        // The highest value of the range has to be one of 63 bits.
        (steps.checked_ilog2().unwrap_or(0) + shift < 63).then(|| (steps << shift, 1 << shift))
    }
}

const CUT: &str = "it ends too early";

/// The rest of the bytes.
struct Parts<'a>(&'a [u8]);

impl Parts<'_> {
    fn word(&mut self) -> Result<u32, &'static str> {
        let (first, rest) = self.0.split_first_chunk().ok_or(CUT)?;
        self.0 = rest;
        Ok(u32::from_be_bytes(*first))
    }

    fn long(&mut self) -> Result<u64, &'static str> {
        Ok(u64::from(self.word()?) << 32 | u64::from(self.word()?))
    }

    /// An integer in groups of 7 bits, the lowest first; the ninth byte has 8. The lowest bit is the sign.
    fn signed(&mut self) -> Result<i64, &'static str> {
        let mut value = 0_u64;
        for at in 0..9 {
            let (&byte, rest) = self.0.split_first().ok_or(CUT)?;
            self.0 = rest;
            let bits = if at == 8 { byte } else { byte & 0x7F };
            value |= u64::from(bits) << (7 * at);
            if byte < 0x80 {
                break;
            }
        }
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}
