//! Files that say the same as another file, value by value: `latest.json` beside the run that it was copied from. As runs
//! of their own they would count one measurement twice.

use std::collections::HashMap;

use crate::columns::IN_MEMORY;
use crate::observations::Observations;

/// Measured values have so many digits together in files that are called copies. Two runs agree in a few digits, of a
/// coarse timer for instance, by chance.
const DIGITS: usize = 20;

impl Observations {
    /// The files that repeat an earlier one, with the number of that one: all values, names, units and configurations are
    /// equal, and the measured values have too many digits for a coincidence. Numbers that may be exact, such as counts of
    /// allocations, agree in every run and say nothing.
    #[must_use]
    pub fn copies(&self) -> Vec<(u32, u32)> {
        let mut known: HashMap<(u64, u64, usize), Vec<(u32, usize)>> = HashMap::new();
        let (mut copies, mut begin) = (Vec::new(), 0);
        for (number, source) in self.sources.iter().enumerate() {
            let (number, first) = (number as u32, begin);
            begin += source.values;
            // Whoever hands over columns knows what they are.
            if source.format == IN_MEMORY {
                continue;
            }
            if let Some(values) = self.value.get(first..begin).filter(|values| !values.is_empty()) {
                let key = (values[0].to_bits(), values[values.len() - 1].to_bits(), values.len());
                let same = known.entry(key).or_default();
                let equal = same.iter().find(|(_, other)| self.is_equal(first, *other, source.values));
                if let Some(&(original, _)) = equal {
                    copies.extend(self.is_evidence(first, source.values).then_some((number, original)));
                } else {
                    same.push((number, first));
                }
            }
        }
        copies
    }

    /// Whether the values from two positions on are those of equal files.
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
