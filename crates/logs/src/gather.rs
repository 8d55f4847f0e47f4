//! Reads the logs of runs by a mapping into values: one run after the other, its files and their pieces at once.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use statera_readers::limits::{Limits, within};
use statera_readers::measured::Unit;
use statera_readers::{Better, Code, Columns, Estimand, Metric, Observations, Problem, Quantity};

use crate::account::{Account, MOST, Why};
use crate::input::Input;
use crate::mapping::{Across, Mapping, Measure};
use crate::piece::{Piece, Spare};
use crate::pieces::{Found, Mark, Row, Traced, read};

/// The logs of a run.
#[derive(Debug, Clone)]
pub struct Run {
    /// What the user calls it.
    pub name: String,
    /// The number of the argument that names it.
    pub argument: usize,
    /// Its hosts, each with its files: the path, and the name that messages have.
    pub hosts: Vec<(String, Vec<(PathBuf, String)>)>,
}

/// One of the largest values of a sample.
#[derive(Debug, Clone)]
pub struct Large {
    /// The number of the sample.
    pub sample: u16,
    /// The value.
    pub value: f64,
    /// Its base unit.
    pub unit: String,
    /// What tells it apart: its keys, or the key that its events share.
    pub of: String,
    /// The name of the file, and the line.
    pub place: (String, u64),
}

/// What was read of all runs.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The values, and what was left out.
    pub observations: Observations,
    /// What became of the lines, for each run.
    pub accounts: Vec<Account>,
    /// The largest values of each sample, for each run.
    pub large: Vec<Vec<Large>>,
}

/// Reads runs.
///
/// # Errors
/// If a limit is exceeded.
pub fn gather(mapping: &Mapping, runs: &[Run], limits: &Limits) -> io::Result<Gathered> {
    let mut gathering = Gathering::new(mapping, limits);
    for (number, run) in runs.iter().enumerate() {
        gathering.run(number as u32, run)?;
    }
    let Gathering { columns, mut made, .. } = gathering;
    let mut observations = Observations::of_columns(columns, limits)?;
    for (run, account) in runs.iter().zip(&made.accounts) {
        for (problem, count) in problems(account, run, mapping) {
            *observations.counts.entry(problem.code).or_insert(0) += count;
            observations.problems.push(problem);
        }
    }
    made.observations = observations;
    Ok(made)
}

struct Gathering<'a> {
    mapping: &'a Mapping,
    limits: &'a Limits,
    columns: Columns,
    made: Gathered,
    metrics: HashMap<(u16, String, String), u32>,
}

/// What is being put together of one run.
#[derive(Default)]
struct OfRun {
    rows: Vec<Row>,
    marks: Vec<Mark>,
    joins: HashMap<Vec<u8>, u32>,
    join_names: Vec<String>,
    contexts: HashMap<(u16, Vec<Option<String>>), u32>,
    /// The sample and the values of the keys of each configuration.
    context_keys: Vec<(u16, Vec<Option<String>>)>,
    units: Vec<Unit>,
    times: Option<(i64, i64)>,
    large: Vec<Large>,
    account: Account,
    /// The hosts of which a record was read: a description beside the logs is no host.
    hosts: HashSet<u32>,
}

impl<'a> Gathering<'a> {
    fn new(mapping: &'a Mapping, limits: &'a Limits) -> Self {
        let benchmarks = mapping.samples.iter().map(|sample| sample.name.clone()).collect();
        let columns = Columns { benchmarks, ..Columns::default() };
        Self { mapping, limits, columns, made: Gathered::default(), metrics: HashMap::new() }
    }

    fn run(&mut self, number: u32, run: &Run) -> io::Result<()> {
        let mut of_run = OfRun { account: self.account(), ..OfRun::default() };
        let mut files = Vec::new();
        for (host, (name, of_host)) in run.hosts.iter().enumerate() {
            for (path, shown) in of_host {
                files.push((files.len() as u32, host as u32, name.as_str(), path, shown.as_str()));
                of_run.account.files.push(shown.clone());
            }
        }
        let spare = self.limits.values.saturating_sub(self.columns.value.len() as u64);
        for some in files.chunks(rayon::current_num_threads().max(1) * 4) {
            let read: Vec<_> = some.par_iter().map(|&file| self.file(file)).collect();
            for ((_, host, .., shown), read) in some.iter().zip(read) {
                let (found, trouble) = read;
                if found.iter().any(|one| one.account.kinds.iter().any(|records| *records > 0)) {
                    of_run.hosts.insert(*host);
                }
                of_run.account.troubles.extend(trouble.map(|why| ((*shown).to_owned(), why)));
                for one in found {
                    of_run.add(one, self.mapping);
                }
                let values = (of_run.rows.len() + of_run.marks.len()) as u64;
                within(values, spare, "values", "the logs hold too many values")?;
                let contexts = of_run.context_keys.len() as u64;
                within(
                    contexts,
                    self.limits.contexts,
                    "contexts",
                    "the keys of the samples have too many values",
                )?;
            }
        }
        self.columns.sources.push((run.name.clone(), run.argument));
        self.finish(number, of_run);
        Ok(())
    }

    fn account(&self) -> Account {
        let samples = self.mapping.samples.len();
        Account {
            kinds: vec![0; self.mapping.lines.len()],
            taken: vec![0; samples],
            unusable: vec![0; samples],
            negative: vec![0; samples],
            unmatched: vec![(0, 0); samples],
            repeated: vec![0; samples],
            ..Account::default()
        }
    }

    /// Reads a file: the pieces that are there are read at once.
    fn file(
        &self,
        (number, host, name, path, shown): (u32, u32, &str, &PathBuf, &str),
    ) -> (Vec<Found>, Option<String>) {
        let longest = usize::try_from(self.limits.line).unwrap_or(usize::MAX).min(LONGEST);
        let mut input = match Input::open(path, longest) {
            Ok(input) => input,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let (mut found, mut before) = (Vec::new(), 0);
        let mut headers = None;
        loop {
            let width = rayon::current_num_threads().max(1);
            let pieces: Vec<Piece> = std::iter::from_fn(|| self.next(&mut input)).take(width).collect();
            let Some(first) = pieces.first() else { break };
            let headers = &*headers.get_or_insert_with(|| headers_of(self.mapping, first.text()));
            let starts: Vec<u64> = pieces
                .iter()
                .map(|piece| {
                    let start = before;
                    before += memchr::memchr_iter(b'\n', piece.text()).count() as u64;
                    start
                })
                .collect();
            let place = |at: usize| crate::pieces::Of {
                file: number,
                host,
                names: [name, shown],
                before: starts[at],
            };
            let read: Vec<Found> = pieces
                .par_iter()
                .enumerate()
                .map(|(at, piece)| read(self.mapping, piece, &place(at), headers, None))
                .collect();
            found.extend(read);
        }
        (found, input.trouble)
    }

    /// The next piece: records of CSV that go on in the next one are joined, and so is a file that is one text.
    fn next(&self, input: &mut Input) -> Option<Piece> {
        let piece = input.next(Spare::default())?;
        let is_whole = self.mapping.lines.iter().any(|lines| lines.whole);
        let is_csv = self.mapping.lines.iter().any(crate::forms::Lines::is_csv);
        let mut is_open = is_csv && is_odd(piece.text());
        let most = if is_whole { JOINED } else { LONGEST_RECORD };
        if piece.is_too_long() || !(is_whole || is_open) {
            return Some(piece);
        }
        let mut text = piece.text().to_vec();
        while text.len() < most && (is_whole || is_open) {
            let Some(next) = input.next(Spare::default()) else { break };
            is_open ^= is_odd(next.text());
            text.extend_from_slice(next.text());
        }
        Some(Piece::new(text))
    }

    /// Puts the values of a run into the columns.
    fn finish(&mut self, run: u32, mut of_run: OfRun) {
        self.count_nothing(&mut of_run);
        let hosts = of_run.hosts.len();
        for (sample, keys) in &of_run.context_keys {
            let names = self.mapping.samples[usize::from(*sample)].keys.iter().map(|key| &key.name);
            let pairs = names.zip(keys).filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
            self.columns.contexts.push((run, pairs.collect()));
        }
        let base = (self.columns.contexts.len() - of_run.context_keys.len()) as u32;
        // In the order of time, as far as lines have one; of equal times in the order of the files.
        if !of_run.rows.is_sorted_by_key(|row| row.at) {
            of_run.rows.sort_by_key(|row| row.at);
        }
        self.single(run, base, &of_run);
        self.rates(run, base, &mut of_run);
        self.between(run, base, &mut of_run, hosts);
        of_run
            .large
            .sort_by(|one, other| one.sample.cmp(&other.sample).then(other.value.total_cmp(&one.value)));
        self.made.large.push(of_run.large);
        self.made.accounts.push(of_run.account);
    }

    /// A rate without keys is zero where nothing was counted, so that what never happens in one build is compared.
    fn count_nothing(&self, of_run: &mut OfRun) {
        for (number, sample) in self.mapping.samples.iter().enumerate() {
            let key = (number as u16, Vec::new());
            let is_counted = matches!(&sample.measure, Measure::Rate(_, fields) if fields.is_empty());
            if is_counted && sample.keys.is_empty() && !of_run.contexts.contains_key(&key) {
                of_run.contexts.insert(key.clone(), of_run.context_keys.len() as u32);
                of_run.context_keys.push(key);
            }
        }
    }

    fn single(&mut self, run: u32, base: u32, of_run: &OfRun) {
        // The metric of a row, and that of failures, by what they depend on.
        let mut metrics: HashMap<(u16, u16, bool), (u32, Option<u32>)> = HashMap::new();
        let mut last = None;
        for row in &of_run.rows {
            if !matches!(self.mapping.samples[usize::from(row.sample)].measure, Measure::Value(..)) {
                continue;
            }
            let key = (row.sample, row.unit, row.failed);
            let (metric, failed) = match last {
                Some((known, metrics)) if known == key => metrics,
                _ => *metrics.entry(key).or_insert_with(|| self.metrics_of(key, &of_run.units)),
            };
            last = Some((key, (metric, failed)));
            self.push(run, base + row.context, row.sample, metric, row.value);
            if let Some(failed) = failed {
                self.push(run, base + row.context, row.sample, failed, f64::from(u8::from(row.failed)));
            }
        }
    }

    fn metrics_of(&mut self, (sample, unit, failed): (u16, u16, bool), units: &[Unit]) -> (u32, Option<u32>) {
        let unit = &units[usize::from(unit)];
        let suffix = if failed { "-failed" } else { "" };
        let metric = self.metric(sample, suffix, unit.base(), unit.quantity());
        let has_failures = self.mapping.samples[usize::from(sample)].failed.is_some();
        (metric, has_failures.then(|| self.failed(sample)))
    }

    /// Lines in each whole interval between the first time of the run and the last, or the sum of a field of them.
    fn rates(&mut self, run: u32, base: u32, of_run: &mut OfRun) {
        let Some((first, last)) = of_run.times else { return };
        for (number, sample) in self.mapping.samples.iter().enumerate() {
            let Measure::Rate(per, fields) = &sample.measure else { continue };
            let length = (per * 1e9) as i64;
            let intervals = usize::try_from((i128::from(last) - i128::from(first)) / i128::from(length));
            let Some(intervals) = intervals.ok().filter(|intervals| *intervals <= MOST_INTERVALS) else {
                of_run.account.endless.push(number as u16);
                continue;
            };
            if intervals == 0 {
                of_run.account.short.push(number as u16);
                continue;
            }
            let mut sums: HashMap<u32, Vec<f64>> = HashMap::new();
            if let Some(context) = of_run.contexts.get(&(number as u16, Vec::new())) {
                sums.insert(*context, vec![0.0; intervals]);
            }
            let mut unit = None;
            for row in of_run.rows.iter().filter(|row| usize::from(row.sample) == number) {
                let place = usize::try_from(row.at.saturating_sub(first) / length).unwrap_or(usize::MAX);
                let of = sums.entry(row.context).or_insert_with(|| vec![0.0; intervals]);
                if let Some(sum) = of.get_mut(place) {
                    *sum += row.value;
                }
                unit = Some(row.unit);
            }
            let unit = unit.filter(|_| !fields.is_empty()).map(|unit| &of_run.units[usize::from(unit)]);
            let (name, quantity) = match unit {
                Some(unit) if !matches!(unit.base(), "" | "1") => {
                    let is_bytes = unit.quantity() == Quantity::Bytes;
                    let quantity = if is_bytes { Quantity::Throughput } else { Quantity::Other };
                    (format!("{}/s", unit.base()), quantity)
                }
                _ => ("1/s".to_owned(), Quantity::Throughput),
            };
            let metric = self.metric(number as u16, "", &name, quantity);
            let mut contexts: Vec<_> = sums.into_iter().collect();
            contexts.sort_by_key(|(context, _)| *context);
            for (context, sums) in contexts {
                for sum in sums {
                    self.push(run, base + context, number as u16, metric, sum / per);
                }
            }
        }
    }

    /// The time from the earliest first event of a key, on any host, to the earliest second one on each host.
    fn between(&mut self, run: u32, base: u32, of_run: &mut OfRun, hosts: usize) {
        for (number, sample) in self.mapping.samples.iter().enumerate() {
            let Measure::Between { hosts: across, .. } = &sample.measure else { continue };
            let matched = matched(number as u16, &of_run.marks);
            of_run.account.unmatched[number] = (matched.never_ended, matched.never_began);
            of_run.account.repeated[number] = matched.repeated;
            for (begin, mut ends) in matched.pairs {
                ends.sort_by_key(|mark| (mark.at, mark.host));
                for wanted in across {
                    let (suffix, chosen): (String, Vec<&Mark>) = match wanted {
                        Across::Each => (String::new(), ends.clone()),
                        Across::First => {
                            (", first host".to_owned(), ends.first().copied().into_iter().collect())
                        }
                        Across::PerCent(share) => {
                            let place = (*share as usize * hosts).div_ceil(100);
                            (
                                format!(", {share} % of hosts"),
                                ends.get(place - 1).copied().into_iter().collect(),
                            )
                        }
                    };
                    let metric = self.metric(number as u16, &suffix, "s", Quantity::Time);
                    for end in chosen {
                        if end.at < begin.at {
                            of_run.account.negative[number] += 1;
                            continue;
                        }
                        let seconds = (i128::from(end.at) - i128::from(begin.at)) as f64 / 1e9;
                        self.push(run, base + begin.context, number as u16, metric, seconds);
                        let place = (of_run.account.files[end.file as usize].clone(), end.line);
                        let of = of_run.join_names[end.join as usize].clone();
                        keep_large(
                            &mut of_run.large,
                            Large { sample: number as u16, value: seconds, unit: "s".to_owned(), of, place },
                        );
                    }
                }
            }
        }
    }

    fn metric(&mut self, sample: u16, suffix: &str, base: &str, quantity: Quantity) -> u32 {
        if let Some(number) = self.metrics.get(&(sample, suffix.to_owned(), base.to_owned())) {
            return *number;
        }
        let described = self.mapping.samples[usize::from(sample)].described(suffix, base, quantity);
        let described = if suffix == "-failed" { described.secondary() } else { described };
        self.adopt((sample, suffix.to_owned(), base.to_owned()), described)
    }

    /// The share of failures is a metric of its own, without which nobody would see that most of the work failed.
    fn failed(&mut self, sample: u16) -> u32 {
        let key = (sample, "failed".to_owned(), "failed".to_owned());
        if let Some(number) = self.metrics.get(&key) {
            return *number;
        }
        let described = Metric {
            better: Some(Better::Lower),
            estimand: Estimand::Mean,
            primary: false,
            ..Metric::new("failed", "1", Quantity::Count).never_exact().of_validity()
        };
        self.adopt(key, described)
    }

    fn adopt(&mut self, key: (u16, String, String), described: Metric) -> u32 {
        let metrics = &mut self.columns.metrics;
        let known = metrics.iter().position(|metric| *metric == described);
        let number = known.unwrap_or_else(|| {
            metrics.push(described);
            metrics.len() - 1
        }) as u32;
        self.metrics.insert(key, number);
        number
    }

    fn push(&mut self, run: u32, context: u32, sample: u16, metric: u32, value: f64) {
        let columns = &mut self.columns;
        columns.benchmark.push(sample.into());
        columns.metric.push(metric);
        columns.context.push(context);
        columns.value.push(value);
        columns.process.push(run);
    }
}

/// One wrong time must not fill the memory with intervals.
const MOST_INTERVALS: usize = 1_000_000;
/// The longest line, and the most bytes that are joined into one text.
const LONGEST: usize = 256 << 20;
const JOINED: usize = 1 << 30;
/// A quote that nothing closes must not make a text of the rest of a file.
const LONGEST_RECORD: usize = 16 << 20;

/// Whether a text has an odd number of quotes, and so ends within some if it begins outside of them.
fn is_odd(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}

fn headers_of(mapping: &Mapping, text: &[u8]) -> Vec<Vec<Option<u16>>> {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let header = |lines: &crate::forms::Lines| {
        if lines.has_header() { lines.header(&text[..end]) } else { Vec::new() }
    };
    mapping.lines.iter().map(header).collect()
}

/// The events of the keys of a sample.
struct Matched<'a> {
    /// The earliest first event of each key, with the earliest second event of the key on each host.
    pairs: Vec<(&'a Mark, Vec<&'a Mark>)>,
    /// The numbers of keys.
    never_ended: u64,
    never_began: u64,
    /// The number of events that are not the earliest of their key.
    repeated: u64,
}

fn matched(sample: u16, marks: &[Mark]) -> Matched<'_> {
    let mut begins: HashMap<u32, &Mark> = HashMap::new();
    let mut ends: HashMap<u32, HashMap<u32, &Mark>> = HashMap::new();
    let mut events = 0;
    for mark in marks.iter().filter(|mark| mark.sample == sample) {
        let known = if mark.begins {
            begins.entry(mark.join).or_insert(mark)
        } else {
            ends.entry(mark.join).or_default().entry(mark.host).or_insert(mark)
        };
        if mark.at < known.at {
            *known = mark;
        }
        events += 1;
    }
    let counted = begins.len() + ends.values().map(HashMap::len).sum::<usize>();
    let never_began = ends.keys().filter(|key| !begins.contains_key(key)).count() as u64;
    let mut never_ended = 0;
    let mut pairs: Vec<(&Mark, Vec<&Mark>)> = Vec::new();
    for (key, begin) in begins {
        match ends.remove(&key) {
            Some(of_hosts) => pairs.push((begin, of_hosts.into_values().collect())),
            None => never_ended += 1,
        }
    }
    pairs.sort_by_key(|(begin, _)| (begin.at, begin.join));
    Matched { pairs, never_ended, never_began, repeated: events - counted as u64 }
}

/// Keeps a value if it is among the largest of its sample.
pub(crate) fn keep_large(large: &mut Vec<Large>, one: Large) {
    let of_sample = large.iter().enumerate().filter(|(_, other)| other.sample == one.sample);
    let (count, least) = of_sample.fold((0, None::<(usize, f64)>), |(count, least), (place, other)| {
        let least = least.filter(|(_, value)| *value <= other.value).unwrap_or((place, other.value));
        (count + 1, Some(least))
    });
    match least {
        Some((place, value)) if count >= MOST => {
            if one.value > value {
                large[place] = one;
            }
        }
        _ => large.push(one),
    }
}

impl OfRun {
    fn add(&mut self, mut found: Found, mapping: &Mapping) {
        let contexts: Vec<u32> = found
            .contexts
            .drain(..)
            .map(|key| {
                let next = self.context_keys.len() as u32;
                let known = *self.contexts.entry(key.clone()).or_insert(next);
                if known == next {
                    self.context_keys.push(key);
                }
                known
            })
            .collect();
        let joins: Vec<u32> = found
            .joins
            .drain(..)
            .map(|key| {
                let next = self.join_names.len() as u32;
                let name = || String::from_utf8_lossy(&key).replace('\u{1f}', ", ");
                if !self.joins.contains_key(&key) {
                    self.join_names.push(name());
                }
                *self.joins.entry(key).or_insert(next)
            })
            .collect();
        let units: Vec<u16> = found
            .units
            .drain(..)
            .map(|unit| {
                let known = self.units.iter().position(|known| *known == unit);
                let number = known.unwrap_or_else(|| {
                    self.units.push(unit);
                    self.units.len() - 1
                });
                number as u16
            })
            .collect();
        let place = |row: Row| Row {
            context: contexts[row.context as usize],
            unit: units[usize::from(row.unit)],
            ..row
        };
        self.rows.extend(found.rows.into_iter().map(place));
        self.marks.extend(found.marks.into_iter().map(|mark| Mark {
            context: contexts[mark.context as usize],
            join: joins[mark.join as usize],
            ..mark
        }));
        for large in found.large {
            let keys = &self.context_keys[contexts[large.context as usize] as usize].1;
            let names = mapping.samples[usize::from(large.sample)].keys.iter().map(|key| &key.name);
            let pairs =
                names.zip(keys).filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?)));
            let of = pairs.collect::<Vec<_>>().join(" ");
            let place = (self.account.files[large.file as usize].clone(), large.line);
            let unit = self.units[usize::from(units[usize::from(large.unit)])].base().to_owned();
            keep_large(&mut self.large, Large { sample: large.sample, value: large.value, unit, of, place });
        }
        self.times = match (self.times, found.times) {
            (Some((first, last)), Some((begin, end))) => Some((first.min(begin), last.max(end))),
            (one, other) => one.or(other),
        };
        self.account.add(found.account);
    }
}

/// What was left out, each with how often.
fn problems(account: &Account, run: &Run, mapping: &Mapping) -> Vec<(Problem, u64)> {
    let mut found = Vec::new();
    let mut say = |code: Code, count: u64, why: Option<Why>, what: String| {
        if count == 0 {
            return;
        }
        let first = account.examples.iter().find(|line| Some(line.why) == why);
        let source = first.map_or_else(|| run.name.clone(), |line| account.files[line.file as usize].clone());
        let line = first.map_or(0, |line| u32::try_from(line.line).unwrap_or(0));
        found.push((Problem { code, source, line, what, hint: "" }, count));
    };
    let lines = |count: u64| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    for (file, why) in &account.troubles {
        say(Code::Truncated, 1, None, format!("{file} could not be read to its end: {why}"));
    }
    let what = format!("{} of no kind that the mapping names, this one first", lines(account.other));
    say(Code::OtherLines, account.other, Some(Why::Other), what);
    let what = format!(
        "{} longer than the limit, this one first. Raise it with --limit line=16MiB",
        lines(account.long)
    );
    say(Code::LineTooLong, account.long, Some(Why::Long), what);
    let what = format!("{} without a usable time, this one first", lines(account.timeless));
    say(Code::MalformedRecord, account.timeless, Some(Why::Timeless), what);
    for (number, sample) in mapping.samples.iter().enumerate() {
        let name = &sample.name;
        let count = account.unusable[number];
        let what = format!("{} of {name} without a usable value, this one first", lines(count));
        say(Code::MalformedNumber, count, Some(Why::Unusable(number as u16)), what);
        let count = account.negative[number];
        let what = format!("{count} times of {name} are below zero: the clocks of the hosts differ");
        say(Code::Negative, count, None, what);
        let is_endless = u64::from(account.endless.contains(&(number as u16)));
        let what =
            format!("the times span more than {MOST_INTERVALS} intervals of {name}: one must be wrong");
        say(Code::Contradiction, is_endless, None, what);
        let is_short = u64::from(account.short.contains(&(number as u16)));
        let what = format!("the times of the run span less than one interval of {name}");
        say(Code::NoResults, is_short, None, what);
        let (never_ended, never_began) = account.unmatched[number];
        let what = format!("{never_ended} keys of {name} never ended, {never_began} never began");
        say(Code::UnmatchedKeys, never_ended + never_began, None, what);
        let count = account.repeated[number];
        let what = format!("{count} events of {name} repeat one of their key, of which the earliest counts");
        say(Code::RepeatedKeys, count, None, what);
    }
    found
}

/// Reads the first lines of a file, and tells what each became.
///
/// # Errors
/// If the file cannot be opened.
pub fn trace(mapping: &Mapping, path: &Path, host: &str, most: usize) -> io::Result<Vec<Traced>> {
    let mut input = Input::open(path, LONGEST)?;
    let mut text = Vec::new();
    while let Some(piece) = input.next(Spare::default()) {
        text.extend_from_slice(piece.text());
        let enough = memchr::memchr_iter(b'\n', &text).nth(most.saturating_sub(1));
        if let Some(feed) = enough {
            text.truncate(feed + 1);
            break;
        }
    }
    let piece = Piece::new(text);
    let headers = headers_of(mapping, piece.text());
    let (mut traced, name) = (Vec::new(), path.to_string_lossy());
    let of = crate::pieces::Of { file: 0, host: 0, names: [host, &name], before: 0 };
    read(mapping, &piece, &of, &headers, Some(&mut traced));
    Ok(traced)
}
