//! Counts what became of the lines: each line is counted once, and a few examples of unused lines are kept for
//! display.

use std::collections::BTreeMap;

use crate::plan::Plan;

/// Number of examples of a class kept per host.
const EXAMPLES: usize = 20;
/// Maximum length of an example.
const EXCERPT: usize = 240;
/// The zeros of a time in whole seconds, in ns.
const ZEROS: usize = 9;
/// One line in so many may have a finer time than the others.
const FINER: u64 = 100;
/// The least number of times from which a resolution is told.
const LEAST: u64 = 20;
/// Maximum number of distinct names counted among lines that the mapping does not know.
const NAMES: usize = 1_000;

/// Why a line was not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unused {
    /// The unfinished last line of a file.
    Cut,
    /// Begins like an object but is not JSON.
    Broken,
    /// Text, or JSON that is not an object.
    Noise,
    /// An object that is not a log object.
    Other,
    /// An event that lacks a field, or that the mapping skips.
    Skipped,
}

impl Unused {
    /// The name of the class in output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Broken => "broken",
            Self::Noise => "noise",
            Self::Other => "other",
            Self::Skipped => "skipped",
        }
    }
}

/// One of the first lines of its class.
#[derive(Clone, Debug)]
pub struct Example {
    /// Number of the file.
    pub file: u32,
    /// Line in the file, counted from 1.
    pub line: u64,
    /// The beginning of the line; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// The number of reasons why an object is not a log object, which `others` counts.
const REASONS: usize = 4;
/// The index of the last reason.
pub(crate) const TOO_LONG: usize = 3;

/// The reasons why an object is not a log object, in words.
#[must_use]
pub fn others(plan: &Plan) -> [String; REASONS] {
    let too_long = format!("longer than {} MiB ([line] longest of the mapping)", plan.longest >> 20);
    ["no usable time".into(), "no usable name".into(), "no data".into(), too_long]
}

/// The counts of a piece or of a host. They add up: lines = cut + broken + noise + other + emitted; emitted =
/// unmapped + analysed + skipped.
#[derive(Debug, Default)]
pub struct Counts {
    /// Bytes of text.
    pub bytes: u64,
    /// Lines that are not blank.
    pub lines: u64,
    /// By class: cut, broken, noise.
    pub cut: u64,
    /// See `cut`.
    pub broken: u64,
    /// See `cut`.
    pub noise: u64,
    /// By reason, in the order of `others`.
    pub others: [u64; REASONS],
    /// Log objects.
    pub emitted: u64,
    /// Smallest and largest time of the log objects.
    pub times: Option<(i64, i64)>,
    /// Log objects by the zeros at the end of their time in ns, nine at most.
    pub zeros: [u64; ZEROS + 1],
    /// Analysed lines by event.
    pub analysed: Vec<u64>,
    /// Skipped lines by event and reason.
    pub skipped: Vec<Vec<u64>>,
    /// Log objects that the mapping does not name, by name; "" counts those beyond the first thousand names.
    pub unmapped: BTreeMap<String, u64>,
    /// The first unused lines of each class.
    pub examples: BTreeMap<Unused, Vec<Example>>,
}

impl Counts {
    /// Counts of zero.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            analysed: vec![0; plan.events.len()],
            skipped: plan.events.iter().map(|event| vec![0; event.reasons.len()]).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn unused(&mut self, why: Unused, line: u64, text: &[u8]) {
        let examples = self.examples.entry(why).or_default();
        if examples.len() < EXAMPLES {
            let text = String::from_utf8_lossy(&text[..text.len().min(EXCERPT)]).into_owned();
            examples.push(Example { file: 0, line, text });
        }
    }

    pub(crate) fn seen_at(&mut self, at: i64) {
        self.emitted += 1;
        let (mut rest, mut zeros) = (at, 0);
        while zeros < ZEROS && rest % 10 == 0 {
            rest /= 10;
            zeros += 1;
        }
        self.zeros[zeros] += 1;
        self.times = Some(self.times.map_or((at, at), |(first, last)| (first.min(at), last.max(at))));
    }

    /// The resolution of the times, in ns: the largest power of ten, up to a second, of which they are multiples. `None`
    /// for a few times, which may be round by chance.
    #[must_use]
    pub fn resolution(&self) -> Option<u64> {
        let all: u64 = self.zeros.iter().sum();
        let mut finer = 0;
        let place = self.zeros.iter().take_while(|count| {
            finer += **count;
            finer * FINER <= all
        });
        let place = place.count().min(ZEROS);
        (all >= LEAST).then(|| 10_u64.pow(place as u32))
    }

    /// Adds the counts of the next piece; `before` lines of its file precede it.
    pub(crate) fn add(&mut self, piece: &Self, file: u32, before: u64) {
        self.bytes += piece.bytes;
        self.lines += piece.lines;
        self.cut += piece.cut;
        self.broken += piece.broken;
        self.noise += piece.noise;
        self.emitted += piece.emitted;
        add(&mut self.others, &piece.others);
        add(&mut self.zeros, &piece.zeros);
        add(&mut self.analysed, &piece.analysed);
        for (sums, counts) in self.skipped.iter_mut().zip(&piece.skipped) {
            add(sums, counts);
        }
        if let Some((first, last)) = piece.times {
            self.times =
                Some(self.times.map_or((first, last), |times| (times.0.min(first), times.1.max(last))));
        }
        for (name, count) in &piece.unmapped {
            let known = self.unmapped.len() < NAMES || self.unmapped.contains_key(name);
            *self.unmapped.entry(if known { name.clone() } else { String::new() }).or_default() += count;
        }
        for (why, examples) in &piece.examples {
            let kept = self.examples.entry(*why).or_default();
            let room = EXAMPLES.saturating_sub(kept.len());
            let placed = |example: &Example| Example { file, line: example.line + before, ..example.clone() };
            kept.extend(examples.iter().take(room).map(placed));
        }
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}
