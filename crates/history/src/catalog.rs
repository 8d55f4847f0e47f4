//! All series of all jobs, without their values.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array, DictionaryArray, RecordBatch};
use rayon::prelude::*;
use statera_readers::Better;
use statera_readers::pool::Pool;

use crate::file::{Most, open};
use crate::read_before::{self, After, Before};
use crate::summary::Summary;
use crate::table::{COUNT, JOB, NUMBERS, TEXTS};

/// The most rows for which room is made before they are read: a damaged file may state any number.
const ROOM: usize = 1 << 16;
/// How many files stand in memory at a time, next to what was taken from the ones before.
const FILES: usize = 256;

/// A series: what identifies it, and how its values are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the metric.
    pub metric: String,
    /// Base unit.
    pub unit: String,
    /// The word of its quantity.
    pub quantity: String,
    /// The word of the direction that is better.
    pub better: Option<String>,
    /// The traits of its metric, as words.
    pub traits: Option<String>,
    /// Keys and values, as a JSON object.
    pub factors: String,
}

/// What a job knows of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Number of the job.
    pub job: u32,
    /// Its values.
    pub summary: Summary,
}

/// A file that is not an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Number of the file.
    pub file: usize,
    /// The reason.
    pub why: String,
}

/// All series, with an entry for each job that has values of it.
#[derive(Debug, Default, Clone)]
pub struct Catalog {
    /// The series, in the order of their first appearance.
    pub series: Vec<Series>,
    /// For each file the JSON list of its jobs; empty where the file was refused.
    pub jobs: Vec<String>,
    /// The entries of each series, in ascending order of the jobs.
    pub entries: Vec<Vec<Entry>>,
    /// What could not be read.
    pub refused: Vec<Refused>,
    /// How many jobs there are.
    pub count: u32,
    /// What renamings left out, as jobs with the numbers of series: values under an old name in jobs that have the new
    /// one, too.
    pub doubled: HashSet<(u32, usize)>,
    known: Pool,
    /// For each series the one that has its entries: another one if its benchmark was renamed, or its values are judged
    /// otherwise in other jobs.
    held_by: Vec<usize>,
}

/// The rows of a file: the keys of their series one after another, and for each row the end of its key.
struct Content {
    jobs: String,
    count: u32,
    keys: String,
    rows: Vec<(usize, Entry)>,
}

impl Content {
    fn keyed(&self) -> impl Iterator<Item = (&str, Entry)> {
        let begins = std::iter::once(0).chain(self.rows.iter().map(|&(end, _)| end));
        begins.zip(&self.rows).map(|(begin, &(end, entry))| (&self.keys[begin..end], entry))
    }
}

/// An upload that was read now, or before.
enum Read<'a> {
    Now(Result<Content, String>),
    Before(read_before::Content<'a>),
}

/// Appends an upload to those that are read before the next time.
fn keep(after: &mut After, path: &Path, content: &Content, keys: &mut Pool) {
    let rows = content.keyed().map(|(key, entry)| (keys.intern(key), entry.job, entry.summary));
    after.add(path, &content.jobs, content.count, rows);
}

impl Catalog {
    /// Reads uploads. Jobs are numbered in the order of the files, and of the list of each.
    #[must_use]
    pub fn read(paths: &[PathBuf], most: Most) -> Self {
        let mut made = Self::default();
        for (number, together) in paths.chunks(FILES).enumerate() {
            let read: Vec<_> = match together {
                // Another thread would take longer to wake than one upload takes to read.
                [path] => vec![content(path, most)],
                _ => together.par_iter().map(|path| content(path, most)).collect(),
            };
            for (at, content) in read.into_iter().enumerate() {
                made.take(number * FILES + at, content);
            }
        }
        made.unite();
        made
    }

    /// The same, with what a file beside the uploads knows of them, which this `version` wrote. Returns also what this file
    /// should be now, if so much is new that writing it is worth the time.
    #[must_use]
    pub fn read_again(
        paths: &[PathBuf],
        most: Most,
        beside: &Path,
        version: &str,
    ) -> (Self, Option<Vec<u8>>) {
        let mut before = Before::open(beside, version, most);
        let mut after = before.is_stale(paths).then(|| before.after());
        let mut keys = Pool::default();
        let mut numbers: Vec<Option<usize>> = Vec::new();
        for key in &before.keys {
            keys.intern(key);
        }
        let mut made = Self::default();
        let share = before.rows_a_series();
        let mut room = Vec::new();
        for (number, together) in paths.chunks(FILES).enumerate() {
            let held = before.bytes(together, &mut room);
            let known = |(path, place): (&PathBuf, &Option<Range<usize>>)| {
                place
                    .as_ref()
                    .and_then(|place| before.content(path, &room[place.clone()]))
                    .map_or_else(|| Read::Now(content(path, most)), Read::Before)
            };
            let read: Vec<_> = together.par_iter().zip(&held).map(known).collect();
            for (at, (path, read)) in together.iter().zip(read).enumerate() {
                match read {
                    Read::Before(content) => {
                        if let Some(after) = &mut after {
                            after.add(path, content.jobs, content.count, content.rows());
                        }
                        made.take_again(&content, &keys, &mut numbers, share);
                    }
                    Read::Now(content) => {
                        if let (Some(after), Ok(content)) = (&mut after, &content) {
                            keep(after, path, content, &mut keys);
                        }
                        made.take(number * FILES + at, content);
                    }
                }
            }
        }
        made.unite();
        (made, after.map(|after| after.ended(keys.iter())))
    }

    /// Takes what was read before; `numbers` has the series that are known by their numbers among `keys`, and a new one
    /// gets room for its share of the entries.
    fn take_again(
        &mut self,
        content: &read_before::Content<'_>,
        keys: &Pool,
        numbers: &mut Vec<Option<usize>>,
        share: usize,
    ) {
        numbers.resize(keys.len(), None);
        for (key, job, summary) in content.rows() {
            let series = *numbers[key as usize].get_or_insert_with(|| {
                let series = self.number(keys.get(key));
                self.entries[series].reserve(share);
                series
            });
            self.entries[series].push(Entry { job: self.count + job, summary });
        }
        self.jobs.push(content.jobs.to_owned());
        self.count += content.count;
    }

    fn take(&mut self, file: usize, content: Result<Content, String>) {
        let content = match content {
            Ok(content) => content,
            Err(why) => {
                self.refused.push(Refused { file, why });
                self.jobs.push(String::new());
                return;
            }
        };
        for (key, entry) in content.keyed() {
            let series = self.number(key);
            self.entries[series].push(Entry { job: self.count + entry.job, ..entry });
        }
        self.jobs.push(content.jobs);
        self.count += content.count;
    }

    /// The number of the series of a key; a new one gets the next.
    fn number(&mut self, key: &str) -> usize {
        let series = self.known.intern(key) as usize;
        if series == self.series.len() {
            self.append(restored(key));
        }
        series
    }

    fn append(&mut self, series: Series) {
        self.held_by.push(self.series.len());
        self.series.push(series);
        self.entries.push(Vec::new());
    }

    /// Counts the values of each series of a benchmark for the same series under another name of the benchmark; of a job
    /// that has values under both, those under the other name count.
    pub fn rename(&mut self, from: &str, to: &str) {
        for number in 0..self.series.len() {
            if self.series[number].benchmark != from || self.held_by[number] != number {
                continue;
            }
            let renamed = Series { benchmark: to.to_owned(), ..self.series[number].clone() };
            let key = renamed.key();
            let target = self.known.intern(&key) as usize;
            if target == self.series.len() {
                self.append(renamed);
            }
            let known = self.jobs_of(target);
            let (doubled, moved): (Vec<_>, Vec<_>) = std::mem::take(&mut self.entries[number])
                .into_iter()
                .partition(|entry| known.contains(&entry.job));
            self.doubled.extend(doubled.iter().map(|entry| (entry.job, number)));
            self.hold(number, target, moved);
        }
        self.unite();
    }

    /// Makes one series of those that only differ in how their values are judged: that follows from the values (failures
    /// are compared as soon as there is one), and from the version that read them. Values that a job has of several stay
    /// apart.
    fn unite(&mut self) {
        let mut alike: HashMap<[&str; 4], Vec<usize>> = HashMap::with_capacity(self.series.len());
        for (number, series) in self.series.iter().enumerate() {
            if !self.entries[number].is_empty() {
                alike.entry(series.identity()).or_default().push(number);
            }
        }
        let mut several: Vec<Vec<usize>> = alike.into_values().filter(|alike| alike.len() > 1).collect();
        several.sort_unstable();
        for alike in several {
            let told = |number: usize| {
                let series = &self.series[number];
                let fails = series.counts_failures() && !series.has("secondary");
                (fails, self.entries[number].len(), std::cmp::Reverse(series.key()))
            };
            let Some(target) = alike.iter().copied().max_by_key(|&number| told(number)) else { continue };
            for number in alike {
                let known = self.jobs_of(target);
                if number != target && !self.entries[number].iter().any(|entry| known.contains(&entry.job)) {
                    let moved = std::mem::take(&mut self.entries[number]);
                    self.hold(number, target, moved);
                }
            }
        }
    }

    fn jobs_of(&self, series: usize) -> HashSet<u32> {
        self.entries[series].iter().map(|entry| entry.job).collect()
    }

    /// Gives entries of a series to another one, which has all that it had from now on.
    fn hold(&mut self, series: usize, target: usize, moved: Vec<Entry>) {
        let held = &mut self.entries[target];
        held.extend(moved);
        held.sort_by_key(|entry| entry.job);
        for by in &mut self.held_by {
            if *by == series {
                *by = target;
            }
        }
    }

    /// The series that values count for, by the number of their job and the number of their series in the files; None if
    /// they are left out.
    #[must_use]
    pub fn counted(&self, job: u32, series: usize) -> Option<&Series> {
        let held_by = *self.held_by.get(series)?;
        (!self.doubled.contains(&(job, series))).then(|| &self.series[held_by])
    }

    /// The series that has the entries of another one: itself, unless the benchmark was renamed, or its values are judged
    /// otherwise in other jobs.
    #[must_use]
    pub fn held_by(&self, series: usize) -> usize {
        self.held_by.get(series).copied().unwrap_or(series)
    }

    /// The numbers of the series.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        Numbers { known: self.known.clone(), key: String::new() }
    }

    /// Takes jobs whose summaries stand elsewhere than in files, each with its JSON list.
    #[must_use]
    pub fn of_rows<R: IntoIterator<Item = (Series, Summary)>>(
        jobs: impl IntoIterator<Item = (String, R)>,
    ) -> Self {
        let mut made = Self::default();
        for (job, rows) in jobs {
            made.add(job, rows);
        }
        made.unite();
        made
    }

    fn add(&mut self, jobs: String, rows: impl IntoIterator<Item = (Series, Summary)>) {
        let mut keys = String::new();
        let mut taken = Vec::new();
        for (series, summary) in rows {
            for text in series.texts() {
                append(&mut keys, text);
            }
            taken.push((keys.len(), Entry { job: 0, summary }));
        }
        self.take(0, Ok(Content { jobs, count: 1, keys, rows: taken }));
    }

    /// For each series the entries that count: what files state, and that nothing failed in jobs that measured the benchmark
    /// and state no failures, since harnesses print no zeros.
    pub(crate) fn counting(&self) -> Vec<Cow<'_, [Entry]>> {
        let mut counting: Vec<Cow<'_, [Entry]>> =
            self.entries.iter().map(|own| Cow::Borrowed(&**own)).collect();
        let mut beside: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, series) in self.series.iter().enumerate() {
            if series.counts_failures() && series.is_lower_better() && !self.entries[number].is_empty() {
                beside.entry(&series.benchmark).or_default().push(number);
            }
        }
        if beside.is_empty() {
            return counting;
        }
        let mut measured: HashMap<usize, HashSet<u32>> = HashMap::new();
        for (number, series) in self.series.iter().enumerate().filter(|(_, series)| !series.counts_failures())
        {
            for &failures in beside.get(&*series.benchmark).into_iter().flatten() {
                if is_part(&series.factors, &self.series[failures].factors) {
                    let jobs = self.entries[number].iter().map(|entry| entry.job);
                    measured.entry(failures).or_default().extend(jobs);
                }
            }
        }
        for (failures, mut jobs) in measured {
            for entry in &self.entries[failures] {
                jobs.remove(&entry.job);
            }
            let none = Summary { n: 1, median: 0.0, mad: 0.0, least: 0.0, largest: 0.0 };
            let whole = counting[failures].to_mut();
            whole.extend(jobs.into_iter().map(|job| Entry { job, summary: none }));
            whole.sort_unstable_by_key(|entry| entry.job);
        }
        counting
    }
}

/// The numbers of series by their texts, as files have them.
#[derive(Debug)]
pub struct Numbers {
    known: Pool,
    key: String,
}

impl Numbers {
    /// The number of a series; one that the catalog does not have gets a higher number.
    pub fn of(&mut self, texts: [Option<&str>; 7]) -> usize {
        self.key.clear();
        for text in texts {
            append(&mut self.key, text);
        }
        self.known.intern(&self.key) as usize
    }
}

impl Series {
    /// What makes values those of one series; the other texts say how they are judged.
    fn identity(&self) -> [&str; 4] {
        [&self.benchmark, &self.metric, &self.unit, &self.factors]
    }

    /// Whether its metric has a trait.
    fn has(&self, word: &str) -> bool {
        self.traits.as_deref().unwrap_or_default().split(' ').any(|has| has == word)
    }

    /// Whether it counts what failed, or states how much succeeded.
    pub(crate) fn counts_failures(&self) -> bool {
        self.has("validity")
    }

    fn is_lower_better(&self) -> bool {
        self.better.as_deref() == Some(Better::Lower.word())
    }

    /// A text that no other series has.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        self.texts().into_iter().for_each(|text| append(&mut key, text));
        key
    }

    pub(crate) fn texts(&self) -> [Option<&str>; 7] {
        [
            Some(&self.benchmark),
            Some(&self.metric),
            Some(&self.unit),
            Some(&self.quantity),
            self.better.as_deref(),
            self.traits.as_deref(),
            Some(&self.factors),
        ]
    }
}

/// Whether the keys and values of a JSON object stand in another one.
fn is_part(factors: &str, of: &str) -> bool {
    if factors == of {
        return true;
    }
    let object = |text| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).ok();
    let (Some(factors), Some(of)) = (object(factors), object(of)) else { return false };
    factors.iter().all(|(key, value)| of.get(key) == Some(value))
}

fn content(path: &Path, most: Most) -> Result<Content, String> {
    let mut columns = vec![JOB, COUNT];
    columns.extend(TEXTS);
    columns.extend(NUMBERS);
    let reading = open(path, &columns, most)?;
    let jobs = reading.jobs.clone();
    let listed: Vec<serde_json::Value> = serde_json::from_str(&jobs)
        .map_err(|_| "it is not an upload of statera: its jobs are not a JSON list".to_owned())?;
    let count = u32::try_from(listed.len()).map_err(|error| error.to_string())?;
    let mut made =
        Content { jobs, count, keys: String::new(), rows: Vec::with_capacity(reading.rows.min(ROOM)) };
    reading.each(|batch| {
        let job = batch.column_by_name(JOB).ok_or("it has no jobs")?.as_primitive::<UInt32Type>();
        let (texts, summary) = (Texts::of(batch)?, summaries(batch)?);
        for row in 0..batch.num_rows() {
            if job.value(row) >= count {
                return Err(format!("row {row} belongs to a job that it does not name"));
            }
            for text in texts.row(row) {
                append(&mut made.keys, text);
            }
            made.rows.push((made.keys.len(), Entry { job: job.value(row), summary: summary(row) }));
        }
        Ok(())
    })?;
    Ok(made)
}

/// The columns of texts of a batch.
pub struct Texts<'a>([&'a DictionaryArray<UInt32Type>; 7]);

impl<'a> Texts<'a> {
    pub fn of(batch: &'a RecordBatch) -> Result<Self, String> {
        let mut found = Vec::with_capacity(TEXTS.len());
        for name in TEXTS {
            let column = batch.column_by_name(name).ok_or_else(|| format!("it has no column {name}"))?;
            found.push(column.as_dictionary::<UInt32Type>());
        }
        let texts = found.try_into().map_err(|_| "a column is missing".to_owned())?;
        Ok(Self(texts))
    }

    pub fn row(&self, row: usize) -> [Option<&'a str>; 7] {
        self.0.map(|column| {
            let key = column.keys();
            key.is_valid(row).then(|| column.values().as_string::<i32>().value(key.value(row) as usize))
        })
    }
}

/// The summary of each row of a batch.
pub fn summaries(batch: &RecordBatch) -> Result<impl Fn(usize) -> Summary, String> {
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| format!("it has no column {name}"));
    let count = column(COUNT)?.as_primitive::<UInt32Type>().clone();
    let mut numbers = Vec::with_capacity(NUMBERS.len());
    for name in NUMBERS {
        numbers.push(column(name)?.as_primitive::<Float64Type>().clone());
    }
    Ok(move |row: usize| Summary {
        n: count.value(row),
        median: numbers[0].value(row),
        mad: numbers[1].value(row),
        least: numbers[2].value(row),
        largest: numbers[3].value(row),
    })
}

/// Appends a text that can be told from its neighbours: its length, a colon and the text; a dash for none.
fn append(key: &mut String, text: Option<&str>) {
    match text {
        None => key.push('-'),
        Some(text) => {
            key.push_str(&text.len().to_string());
            key.push(':');
            key.push_str(text);
        }
    }
}

/// The series of a key.
fn restored(key: &str) -> Series {
    let mut rest = key;
    let mut next = || {
        if let Some(after) = rest.strip_prefix('-') {
            rest = after;
            return None;
        }
        let (length, after) = rest.split_once(':')?;
        let (text, after) = after.split_at(length.parse().ok()?);
        rest = after;
        Some(text.to_owned())
    };
    let [benchmark, metric, unit, quantity, better, traits, factors] = std::array::from_fn(|_| next());
    let stated = Option::unwrap_or_default;
    Series {
        benchmark: stated(benchmark),
        metric: stated(metric),
        unit: stated(unit),
        quantity: stated(quantity),
        better,
        traits,
        factors: stated(factors),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_comes_back_from_its_key() {
        let series = Series {
            benchmark: "3:a-\u{0}".to_owned(),
            metric: String::new(),
            unit: "µs".to_owned(),
            quantity: "time".to_owned(),
            better: None,
            traits: Some("exact".to_owned()),
            factors: r#"{"size": "64"}"#.to_owned(),
        };
        assert_eq!(restored(&series.key()), series);
    }
}
