//! Reads a piece of a log by a mapping: each line to its kind, each record to the samples that it belongs to.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use statera_readers::Quantity;
use statera_readers::measured::{self, Unit};

use crate::account::{Account, LeftLine, MOST, Why};
use crate::fields::OWN;
use crate::forms::{At, Scratch, Values, record_end};
use crate::mapping::{Key, Mapping, Measure, Sample};
use crate::piece::Piece;
use crate::time;

/// A value of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Nanoseconds since 1970; the least number for a line without a time.
    pub at: i64,
    pub value: f64,
    pub context: u32,
    pub sample: u16,
    /// The number of its base unit.
    pub unit: u16,
    pub failed: bool,
}

/// An event of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub at: i64,
    pub line: u64,
    pub join: u32,
    pub context: u32,
    pub host: u32,
    pub file: u32,
    pub sample: u16,
    pub begins: bool,
}

/// One of the largest values of a piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LargeRow {
    pub sample: u16,
    pub unit: u16,
    pub value: f64,
    pub context: u32,
    pub file: u32,
    pub line: u64,
}

/// What a piece holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub rows: Vec<Row>,
    pub marks: Vec<Mark>,
    pub contexts: Vec<(u16, Vec<Option<String>>)>,
    pub joins: Vec<Vec<u8>>,
    pub units: Vec<Unit>,
    pub large: Vec<LargeRow>,
    pub times: Option<(i64, i64)>,
    pub account: Account,
}

/// Where a piece stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Of<'a> {
    pub file: u32,
    pub host: u32,
    /// The names of the host and of the file.
    pub names: [&'a str; 2],
    /// The number of lines before it.
    pub before: u64,
}

/// What became of a record in a sample.
#[derive(Debug, Clone, Default)]
pub struct Became {
    /// Its value and the base unit of it, if it has one.
    pub value: Option<(f64, String)>,
    /// What else there is to say.
    pub words: &'static str,
}

/// What a record became.
#[derive(Debug, Clone, Default)]
pub struct Traced {
    /// The line, counted from 1.
    pub line: u64,
    /// The beginning of its text.
    pub text: String,
    /// The name of its kind; empty for none.
    pub kind: String,
    /// Its time in nanoseconds since 1970.
    pub at: Option<i64>,
    /// Whether lines of its kind have a time.
    pub is_timed: bool,
    /// Its fields that the mapping asks for.
    pub fields: Vec<(String, String)>,
    /// The name of each sample that it belongs to, and what became of it there.
    pub samples: Vec<(String, Became)>,
}

/// Reads a piece. With `trace`, what each line became is appended to it.
pub(crate) fn read(
    mapping: &Mapping,
    piece: &Piece,
    of: &Of<'_>,
    headers: &[Vec<Option<u16>>],
    trace: Option<&mut Vec<Traced>>,
) -> Found {
    let samples = mapping.samples.len();
    let account = Account {
        kinds: vec![0; mapping.lines.len()],
        taken: vec![0; samples],
        unusable: vec![0; samples],
        ..Account::default()
    };
    let own = |sample: &Sample| {
        sample.unit.as_ref().map_or_else(|| Unit::named(""), |unit| Unit::named(unit.base()))
    };
    let units = mapping.samples.iter().map(own).collect();
    let mut reader = Reader {
        mapping,
        of,
        found: Found { units, account, ..Found::default() },
        contexts: HashMap::default(),
        joins: HashMap::default(),
        key: Vec::new(),
        trace,
        line: 0,
    };
    reader.all(piece, headers);
    reader.found
}

/// The numbers of texts.
type Numbers = HashMap<Vec<u8>, u32, FixedState>;

struct Reader<'a> {
    mapping: &'a Mapping,
    of: &'a Of<'a>,
    found: Found,
    /// Configurations and keys by what they are written as.
    contexts: Numbers,
    joins: Numbers,
    key: Vec<u8>,
    trace: Option<&'a mut Vec<Traced>>,
    line: u64,
}

/// How much of a line is shown.
const SHOWN: usize = 300;
/// Stands between the values of keys; no log writes it.
const BETWEEN: u8 = 0x1f;

impl Reader<'_> {
    fn all(&mut self, piece: &Piece, headers: &[Vec<Option<u16>>]) {
        let (buffer, text) = (piece.buffer(), piece.text());
        let mut scratch: Vec<Scratch> = self.mapping.lines.iter().map(crate::forms::Lines::scratch).collect();
        let mut values = Values::new(self.mapping.fields.names.len());
        let has_csv = self.mapping.lines.iter().any(crate::forms::Lines::is_csv);
        let is_whole = self.mapping.lines.iter().any(|lines| lines.whole);
        let skips_header =
            self.of.before == 0 && self.mapping.lines.iter().any(crate::forms::Lines::has_header);
        self.found.account.bytes = text.len() as u64;
        if piece.is_too_long() {
            self.too_long(text);
            return;
        }
        let mut at = 0;
        while at < text.len() {
            let line_feed = || memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
            let mut feed = if is_whole {
                text.len()
            } else if has_csv {
                record_end(text, at)
            } else {
                line_feed()
            };
            self.line += 1;
            if !text[at..feed].trim_ascii().is_empty() && (at > 0 || !skips_header) {
                let end = |feed: usize| at + text[at..feed].trim_ascii_end().len();
                self.found.account.lines += 1;
                if !self.one(buffer, (at, end(feed)), headers, &mut scratch, &mut values) {
                    if has_csv && !is_whole {
                        // A quote that nothing closes must not take the lines behind it along.
                        feed = line_feed();
                    }
                    self.other(&text[at..end(feed)]);
                }
            }
            self.line += if has_csv { memchr::memchr_iter(b'\n', &text[at..feed]).count() as u64 } else { 0 };
            at = feed + 1;
        }
    }

    fn too_long(&mut self, text: &[u8]) {
        self.line += 1;
        self.found.account.lines += 1;
        self.found.account.long += 1;
        self.example(Why::Long, text);
        self.left(text);
    }

    fn other(&mut self, text: &[u8]) {
        self.found.account.other += 1;
        self.example(Why::Other, text);
        self.left(text);
    }

    /// Tells of a line that is not used.
    fn left(&mut self, text: &[u8]) {
        let line = self.of.before + self.line;
        if let Some(trace) = &mut self.trace {
            trace.push(Traced { line, text: shown(text), ..Traced::default() });
        }
    }

    /// Reads a line; returns whether it is of a kind that the mapping names.
    fn one(
        &mut self,
        buffer: &[u8],
        (start, end): (usize, usize),
        headers: &[Vec<Option<u16>>],
        scratch: &mut [Scratch],
        values: &mut Values,
    ) -> bool {
        let mapping = self.mapping;
        for (kind, lines) in mapping.lines.iter().enumerate() {
            let header: &[Option<u16>] = headers.get(kind).map_or(&[], Vec::as_slice);
            let mut each = |values: &Values, at: At| {
                self.found.account.kinds[kind] += 1;
                self.record(kind, buffer, values, at, &buffer[start..end]);
            };
            if lines.read(buffer, (start, end), header, &mut scratch[kind], values, &mut each) {
                return true;
            }
        }
        false
    }

    fn example(&mut self, why: Why, text: &[u8]) {
        if self.found.account.wants(why) {
            let line = self.of.before + self.line;
            self.found.account.keep(LeftLine { why, file: self.of.file, line, text: shown(text) });
        }
    }

    fn record(&mut self, kind: usize, buffer: &[u8], values: &Values, at: At, text: &[u8]) {
        let mapping = self.mapping;
        let names = [self.of.names[0], self.of.names[1], mapping.lines[kind].name.as_str()];
        let value = |field: u16| match names.get(usize::from(field)) {
            Some(own) => Some(own.as_bytes()),
            None => values.get(field, buffer),
        };
        let time = match at {
            At::Time(time) => time,
            At::None => i64::MIN,
            At::Unusable => {
                self.found.account.timeless += 1;
                self.example(Why::Timeless, text);
                i64::MIN
            }
        };
        let mut traced = self.trace.is_some().then(Vec::new);
        if at != At::Unusable {
            if at != At::None {
                let times = self.found.times.get_or_insert((time, time));
                *times = (times.0.min(time), times.1.max(time));
            }
            let mut is_used = false;
            for (number, sample) in mapping.samples.iter().enumerate() {
                let Some(became) = self.sample(number as u16, sample, time, &value, text) else { continue };
                is_used = true;
                if let Some(traced) = &mut traced {
                    traced.push((sample.name.clone(), became));
                }
            }
            if !is_used {
                self.found.account.unused += 1;
                self.example(Why::Unused, text);
            }
        }
        let (Some(samples), Some(trace)) = (traced, &mut self.trace) else { return };
        let fields = mapping.fields.names.iter().enumerate().skip(OWN.len());
        let fields = fields.filter_map(|(field, name)| {
            Some((name.clone(), String::from_utf8_lossy(value(field as u16)?).into_owned()))
        });
        trace.push(Traced {
            line: self.of.before + self.line,
            text: shown(text),
            kind: mapping.lines[kind].name.clone(),
            at: if let At::Time(time) = at { Some(time) } else { None },
            is_timed: at != At::None,
            fields: fields.collect(),
            samples,
        });
    }

    /// Takes what a record is to a sample; `None` if it does not belong to it.
    fn sample<'v>(
        &mut self,
        number: u16,
        sample: &Sample,
        at: i64,
        value: &impl Fn(u16) -> Option<&'v [u8]>,
        text: &[u8],
    ) -> Option<Became> {
        if at == i64::MIN && sample.needs_times() || !sample.filter.hold(value) {
            return None;
        }
        let taken = match &sample.measure {
            Measure::Between { from, to, join, .. } => {
                let (begins, ends) = (from.hold(value), to.hold(value));
                if !begins && !ends {
                    return None;
                }
                self.event(number, sample, (begins, ends), join, at, value)
            }
            Measure::Rate(_, fields) if fields.is_empty() => Some((1.0, number)),
            Measure::Rate(_, fields) => self.measured(number, sample, fields, None, value),
            Measure::Value(fields, minus) => self.measured(number, sample, fields, *minus, value),
        };
        let Some((amount, unit)) = taken else {
            self.found.account.unusable[usize::from(number)] += 1;
            self.example(Why::Unusable(number), text);
            return Some(Became { value: None, words: "no usable value" });
        };
        self.found.account.taken[usize::from(number)] += 1;
        if matches!(sample.measure, Measure::Between { .. }) {
            let is_begin = self.found.marks.last().is_some_and(|mark| mark.begins);
            return Some(Became { value: None, words: if is_begin { "from" } else { "to" } });
        }
        let context = self.context(number, &sample.keys, value);
        let failed = sample.failed.as_ref().is_some_and(|failed| failed.holds(value));
        self.found.rows.push(Row { at, value: amount, context, sample: number, unit, failed });
        if matches!(sample.measure, Measure::Value(..)) {
            self.large(number, unit, amount, context);
        }
        if self.trace.is_none() {
            return Some(Became::default());
        }
        let unit = self.found.units[usize::from(unit)].base().to_owned();
        Some(Became { value: Some((amount, unit)), words: if failed { "failed" } else { "" } })
    }

    fn large(&mut self, sample: u16, unit: u16, value: f64, context: u32) {
        let large = &mut self.found.large;
        let of_sample = || large.iter().enumerate().filter(|(_, known)| known.sample == sample);
        let line = self.of.before + self.line;
        let one = LargeRow { sample, unit, value, context, file: self.of.file, line };
        if of_sample().count() < MOST {
            large.push(one);
            return;
        }
        let least = of_sample().min_by(|(_, one), (_, other)| one.value.total_cmp(&other.value));
        if let Some(place) = least.filter(|(_, known)| known.value < value).map(|(place, _)| place) {
            large[place] = one;
        }
    }

    /// Records an event of a key; `None` if the record lacks a part of the key or a time.
    fn event<'v>(
        &mut self,
        number: u16,
        sample: &Sample,
        (begins, ends): (bool, bool),
        join: &[u16],
        at: i64,
        value: &impl Fn(u16) -> Option<&'v [u8]>,
    ) -> Option<(f64, u16)> {
        self.key.clear();
        for field in join {
            if !self.key.is_empty() {
                self.key.push(BETWEEN);
            }
            self.key.extend_from_slice(value(*field)?);
        }
        let key = interned(&mut self.joins, &self.key, || self.found.joins.push(self.key.clone()));
        let context = self.context(number, &sample.keys, value);
        let line = self.of.before + self.line;
        let (host, file) = (self.of.host, self.of.file);
        for begins in [begins.then_some(true), ends.then_some(false)].into_iter().flatten() {
            self.found.marks.push(Mark { at, line, join: key, context, host, file, sample: number, begins });
        }
        Some((0.0, number))
    }

    /// The value of a record, and the number of its base unit.
    fn measured<'v>(
        &mut self,
        number: u16,
        sample: &Sample,
        fields: &[u16],
        minus: Option<u16>,
        value: &impl Fn(u16) -> Option<&'v [u8]>,
    ) -> Option<(f64, u16)> {
        let text = fields.iter().find_map(|field| value(*field))?;
        if let Some(field) = minus {
            let (amount, unit) = difference(text, value(field)?, sample.unit.as_ref())?;
            return Some((amount, self.unit(number, unit)));
        }
        let text = text.trim_ascii();
        let own = sample.unit.as_ref();
        let (amount, unit) = if let Some(amount) = measured::bare(text) {
            (own.map_or(amount, |unit| unit.apply(amount)), number)
        } else {
            let (amount, unit) = measured::amount(std::str::from_utf8(text).ok()?)?;
            (amount, self.unit(number, unit))
        };
        let quantity = self.found.units[usize::from(unit)].quantity();
        let is_possible = amount >= 0.0 || !matches!(quantity, Quantity::Time | Quantity::Bytes);
        is_possible.then_some((amount, unit))
    }

    fn unit(&mut self, number: u16, unit: Unit) -> u16 {
        let units = &mut self.found.units;
        if units[usize::from(number)] == unit {
            return number;
        }
        let known = units.iter().position(|known| *known == unit);
        known.unwrap_or_else(|| {
            units.push(unit);
            units.len() - 1
        }) as u16
    }

    /// The number of the configuration of a record.
    fn context<'v>(&mut self, number: u16, keys: &[Key], value: &impl Fn(u16) -> Option<&'v [u8]>) -> u32 {
        self.key.clear();
        self.key.extend_from_slice(&number.to_le_bytes());
        for key in keys {
            self.key.push(BETWEEN);
            match value(key.field) {
                Some(text) => self.key.extend_from_slice(text),
                None => self.key.push(0),
            }
        }
        let contexts = &mut self.found.contexts;
        interned(&mut self.contexts, &self.key, || {
            contexts.push((number, keys.iter().map(|key| Some(named(key, value(key.field)?))).collect()));
        })
    }
}

/// The value of a key: what stands in the field, with its replacements.
fn named(key: &Key, text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    for (pattern, with) in &key.replace {
        text = pattern.replace_all(&text, with.as_str()).into_owned();
    }
    text
}

/// The number of a text; `new` is called for one that is new.
fn interned(known: &mut Numbers, text: &[u8], new: impl FnOnce()) -> u32 {
    if let Some(number) = known.get(text) {
        return *number;
    }
    let number = known.len() as u32;
    known.insert(text.to_vec(), number);
    new();
    number
}

/// The difference of two numbers in a unit, or of two times.
fn difference(text: &[u8], minus: &[u8], unit: Option<&Unit>) -> Option<(f64, Unit)> {
    let integer = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<i64>().ok();
    if let (Some(one), Some(other)) = (integer(text), integer(minus)) {
        // Nanoseconds since 1970 have more digits than a double.
        let amount = one.checked_sub(other)? as f64;
        return Some(match unit {
            Some(unit) => (unit.apply(amount), Unit::named(unit.base())),
            None => (amount, Unit::named("")),
        });
    }
    if let (Some(one), Some(other)) = (measured::bare(text), measured::bare(minus)) {
        let amount = one - other;
        return Some(
            unit.map_or((amount, Unit::named("")), |unit| (unit.apply(amount), Unit::named(unit.base()))),
        );
    }
    // The year does not matter for a difference, as long as it is the same.
    let time = |text: &[u8]| time::parse_any(text, Some(1972));
    let nanos = time(text)?.checked_sub(time(minus)?)?;
    Some((nanos as f64 / 1e9, Unit::named("s")))
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(SHOWN)]).into_owned()
}
