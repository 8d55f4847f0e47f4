//! Files that say the same as another file, value by value: `latest.json` beside the run that it was copied from, or a
//! file to which more was appended. As runs of their own they would count one measurement twice.

use std::collections::HashMap;

use crate::columns::IN_MEMORY;
use crate::observations::Observations;

/// Measured values have so many digits together in files that are called copies. Two runs agree in a few digits, of a
/// coarse timer for instance, by chance.
const DIGITS: usize = 20;

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
    /// appended; and the measured values have too many digits for a coincidence. Numbers that may be exact, such as
    /// counts of allocations, agree in every run and say nothing.
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
                Some((original, _)) if self.is_evidence(file.first, file.count) => {
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

    fn is_evidence(&self, first: usize, count: usize) -> bool {
        let mut digits = 0;
        (first..first + count).any(|row| {
            let metric = &self.metrics[self.metric[row] as usize];
            if !metric.may_be_exact && !metric.assumed_exact {
                let text = format!("{:e}", self.value[row]);
                let (mantissa, _) = text.split_once('e').unwrap_or((&text, ""));
                digits += mantissa.bytes().filter(u8::is_ascii_digit).count();
            }
            digits >= DIGITS
        })
    }
}
