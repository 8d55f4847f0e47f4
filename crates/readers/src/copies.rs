//! Files that say the same as another file, value by value: `latest.json` beside the run that it was copied from, or a
//! file to which more was appended. As runs of their own they would count one measurement twice.

use std::collections::{BTreeMap, HashMap};

use crate::columns::IN_MEMORY;
use crate::observations::Observations;

/// One comparison in ten to this power calls two measurements copies that agree by chance.
const COINCIDENCE: f64 = 3.0;
/// So many digits of a value may be equal in every run of a steady machine.
const STEADY: usize = 3;
/// So many of the digits after them say something: those of a quotient are many, however coarse its timer.
const VARYING: usize = 4;

/// A benchmark, a metric and a group.
type Cell = (u32, u32, u32);

/// The values of a file: its number, the row of the first one, and how many there are.
#[derive(Clone, Copy)]
struct File {
    number: u32,
    first: usize,
    count: usize,
}

impl Observations {
    /// The files that repeat another one, with the number of that one: all values, names, units and configurations are
    /// equal to those of the other file, or to those that it begins or ends with, as a file does to which results were
    /// appended; and the measured values have too many digits for a coincidence.
    #[must_use]
    pub fn copies(&self) -> Vec<(u32, u32)> {
        let (mut files, mut first) = (Vec::new(), 0);
        for (number, source) in self.sources.iter().enumerate() {
            // Whoever hands over columns knows what they are. One value has too few digits.
            if source.format != IN_MEMORY && source.values > 1 {
                files.push(File { number: number as u32, first, count: source.values });
            }
            first += source.values;
        }
        // The longest first, for they may hold the others; of equal ones the first.
        files.sort_by_key(|file| std::cmp::Reverse(file.count));
        let pairs = (files.len() * files.len().saturating_sub(1)) as f64 / 2.0;
        let ends = |file: File| [file.first, file.first + file.count - 2];
        let mut known: HashMap<[u64; 2], Vec<File>> = HashMap::new();
        let mut copies = Vec::new();
        for file in files {
            let [begin, end] = ends(file).map(|row| self.bits(row));
            let beginning = known.get(&begin).into_iter().flatten().map(|other| (other, other.first));
            let ending = known
                .get(&end)
                .into_iter()
                .flatten()
                .map(|other| (other, other.first + other.count - file.count));
            let equal = beginning.chain(ending).find(|(_, row)| self.is_equal(file.first, *row, file.count));
            match equal {
                Some((original, _)) if self.is_evidence(file.first, file.count, pairs) => {
                    copies.push((file.number, original.number));
                }
                Some(_) => {}
                None => {
                    known.entry(begin).or_default().push(file);
                    if end != begin {
                        known.entry(end).or_default().push(file);
                    }
                }
            }
        }
        copies.sort_unstable();
        copies
    }

    /// Two values that follow each other, as a key.
    fn bits(&self, row: usize) -> [u64; 2] {
        [self.value[row].to_bits(), self.value[row + 1].to_bits()]
    }

    /// Whether the values from two positions on are equal, with all that is said of them.
    fn is_equal(&self, one: usize, other: usize, count: usize) -> bool {
        let same = |column: &[u32]| {
            column.is_empty() || column.get(one..one + count) == column.get(other..other + count)
        };
        let rows = || (one..one + count).zip(other..other + count);
        let weight = |row: usize| self.weight.get(row).map(|weight| weight.to_bits());
        same(&self.benchmark)
            && same(&self.metric)
            && same(&self.block)
            && rows()
                .all(|(a, b)| self.value[a].to_bits() == self.value[b].to_bits() && weight(a) == weight(b))
            && self.have_equal_contexts(rows())
    }

    fn have_equal_contexts(&self, rows: impl Iterator<Item = (usize, usize)>) -> bool {
        // Neighbours mostly share their configuration.
        let mut last = None;
        for pair in rows.map(|(a, b)| (self.context[a], self.context[b])) {
            if last != Some(pair)
                && !self.contexts.get(pair.0 as usize).eq(self.contexts.get(pair.1 as usize))
            {
                return false;
            }
            last = Some(pair);
        }
        true
    }

    /// The pairs of variants of which the second has the values of the first, one by one, in all benchmarks that both
    /// have, and too many digits for a coincidence: a table with one measurement under two names, for instance.
    /// `variant_of` and `group_of` have an entry for each configuration.
    #[must_use]
    pub fn repeats(
        &self,
        variant_of: &[Option<u32>],
        group_of: &[u32],
        pairs: &[(u32, u32)],
    ) -> Vec<(u32, u32)> {
        let mut cells: HashMap<u32, BTreeMap<Cell, Vec<f64>>> = HashMap::new();
        for (row, &context) in self.context.iter().enumerate() {
            let Some(variant) = variant_of[context as usize] else { continue };
            if self.is_measured(row) {
                let cell = (self.benchmark[row], self.metric[row], group_of[context as usize]);
                cells.entry(variant).or_default().entry(cell).or_default().push(self.value[row]);
            }
        }
        let repeats = |&(baseline, contender): &(u32, u32)| {
            let (Some(old), Some(new)) = (cells.get(&baseline), cells.get(&contender)) else { return false };
            let both = || old.iter().filter_map(|(cell, values)| Some((cell.0, values, new.get(cell)?)));
            // What was measured once is not judged.
            both().all(|(_, old, new)| old == new)
                && evidence(both().filter(|each| each.1.len() > 1).map(|each| (each.0, each.1.as_slice())))
                    >= COINCIDENCE
        };
        pairs.iter().copied().filter(repeats).collect()
    }

    /// Whether equal values of a part say that they are copies, among so many pairs of files.
    fn is_evidence(&self, first: usize, count: usize, pairs: f64) -> bool {
        let mut cells: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        for row in (first..first + count).filter(|&row| self.is_measured(row)) {
            cells.entry((self.benchmark[row], self.metric[row])).or_default().push(self.value[row]);
        }
        evidence(cells.iter().map(|(cell, values)| (cell.0, values.as_slice())))
            >= COINCIDENCE + pairs.log10()
    }

    /// Whether a value varies from run to run. Numbers that may be exact, such as counts of allocations, agree in every
    /// run and say nothing.
    fn is_measured(&self, row: usize) -> bool {
        let metric = &self.metrics[self.metric[row] as usize];
        !metric.may_be_exact && !metric.assumed_exact
    }
}

/// The decimal logarithm of how unlikely it is that two measurements agree in all values, given those of each metric of
/// each benchmark. Metrics of a benchmark depend on each other, so that only the one counts that says most.
fn evidence<'a>(cells: impl Iterator<Item = (u32, &'a [f64])>) -> f64 {
    let mut of_benchmark: BTreeMap<u32, f64> = BTreeMap::new();
    for (benchmark, values) in cells {
        let most = of_benchmark.entry(benchmark).or_default();
        *most = most.max(evidence_of_cell(values));
    }
    of_benchmark.values().sum()
}

fn evidence_of_cell(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let times = sorted.chunk_by(|a, b| a == b).map(|equal| equal.len() as f64);
    // Two values of a coarse timer are equal as often as the values themselves tell.
    let equal: f64 = times.map(|times| (times / n).powi(2)).sum();
    let by_frequency = -n * equal.log10();
    let are_distinct = sorted.windows(2).all(|two| two[0] < two[1]);
    let by_digits =
        values.iter().map(|&value| digits(value).saturating_sub(STEADY).min(VARYING)).sum::<usize>();
    if are_distinct { by_frequency.max(by_digits as f64) } else { by_frequency }
}

/// The digits of a value, without zeros at its end and what a change of its unit rounded.
fn digits(value: f64) -> usize {
    let text = format!("{value:.11e}");
    let (mantissa, _) = text.split_once('e').unwrap_or((&text, ""));
    mantissa.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count()
}
