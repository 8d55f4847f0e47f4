//! Relabelings of runs: all of them if they are few, otherwise seeded draws; each is computed from its number.
//!
//! A relabeling is the list of selected runs: those of the smaller group, or those whose sign is flipped.
//! Number 0 is the observed one.

use core::ops::Range;

use crate::random::{Stream, below};

/// What may be exchanged under the null hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relabeling {
    /// Runs of two groups: any m of the m + n are equally likely to be the baseline's.
    TwoSample {
        /// Runs of the baseline.
        m: usize,
        /// Runs of the contender.
        n: usize,
    },
    /// Signs of n differences.
    Signs {
        /// Number of differences.
        n: usize,
    },
}

/// The relabelings of one design that are used.
#[derive(Debug, Clone, Copy)]
pub struct Relabelings {
    relabeling: Relabeling,
    seed: u64,
    /// Number of relabelings used, including the observed one.
    pub looked_at: usize,
    /// Number of relabelings represented: if groups have equal sizes, or signs are flipped, each also
    /// represents its mirror.
    pub stand_for: u64,
    /// Whether these are all.
    pub exact: bool,
}

impl Relabelings {
    /// All relabelings if, without mirrors, there are at most `samples`; otherwise `samples` of them. `None` if
    /// there are none.
    #[must_use]
    pub fn new(relabeling: Relabeling, samples: usize, seed: u64) -> Option<Self> {
        let (own, mirrored) = match relabeling {
            Relabeling::TwoSample { m, n } if m == n => (choose(2 * m - 1, m - 1), true),
            Relabeling::TwoSample { m, n } => (choose(m + n, m.min(n)), false),
            Relabeling::Signs { n } => (1_u64.checked_shl(n as u32 - 1).unwrap_or(u64::MAX), true),
        };
        if own <= samples as u64 {
            let stand_for = if mirrored { 2 * own } else { own };
            return Some(Self { relabeling, seed, looked_at: own as usize, stand_for, exact: true });
        }
        (samples > 0).then_some(Self {
            relabeling,
            seed,
            looked_at: samples,
            stand_for: samples as u64,
            exact: false,
        })
    }

    /// The smallest p-value that these relabelings can give.
    pub(crate) fn least_p(&self) -> f64 {
        1.0 / self.looked_at as f64
    }

    /// Calls `work` with the selected runs, ascending, of each relabeling in a range of numbers.
    pub fn each(&self, numbers: Range<usize>, mut work: impl FnMut(&[usize])) {
        let mut selected = Vec::new();
        let mut runs = Vec::new();
        for number in numbers.clone() {
            match self.relabeling {
                Relabeling::Signs { n } => self.flipped(n, number, &mut selected),
                Relabeling::TwoSample { m, n } if !self.exact => {
                    self.drawn(m + n, m.min(n), number, &mut runs, &mut selected);
                }
                Relabeling::TwoSample { m, n } if number == numbers.start => {
                    unrank(m + n, m.min(n), number as u64, &mut selected);
                }
                Relabeling::TwoSample { m, n } => next_subset(m + n, &mut selected),
            }
            work(&selected);
        }
    }

    /// Signs that are flipped; if all relabelings are used, the last sign never is: flipping all gives the
    /// mirror.
    fn flipped(&self, n: usize, number: usize, selected: &mut Vec<usize>) {
        selected.clear();
        if self.exact {
            selected.extend((0..n.min(64)).filter(|&i| number >> i & 1 == 1));
        } else if number > 0 {
            let stream = Stream::new(self.seed, number as u64, 5);
            selected.extend((0..n).filter(|&i| stream.bits(i as u64 / 64) >> (i % 64) & 1 == 1));
        }
    }

    /// Draws `size` of `all` runs (a truncated Fisher-Yates shuffle).
    fn drawn(
        &self,
        all: usize,
        size: usize,
        number: usize,
        runs: &mut Vec<usize>,
        selected: &mut Vec<usize>,
    ) {
        selected.clear();
        if number == 0 {
            selected.extend(0..size);
            return;
        }
        runs.clear();
        runs.extend(0..all);
        let stream = Stream::new(self.seed, number as u64, 4);
        for i in 0..size {
            runs.swap(i, i + below(stream.bits(i as u64), all - i));
        }
        // In ascending order, so that the same runs give the same sum to the last digit.
        if all <= u64::BITS as usize {
            selected.reserve(size);
            let mut set = runs[..size].iter().fold(0_u64, |set, &run| set | 1 << run);
            while set != 0 {
                selected.push(set.trailing_zeros() as usize);
                set &= set - 1;
            }
        } else {
            selected.extend_from_slice(&runs[..size]);
            selected.sort_unstable();
        }
    }
}

/// n over k, saturating at the largest integer.
fn choose(n: usize, k: usize) -> u64 {
    let mut product = 1_u128;
    for i in 1..=k.min(n - k) {
        product = product * (n - i + 1) as u128 / i as u128;
        if product > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    product as u64
}

/// Subset `number` of `size` out of `all`, in lexicographic order; 0 is the first `size`.
fn unrank(all: usize, size: usize, mut number: u64, selected: &mut Vec<usize>) {
    selected.clear();
    for item in 0..all {
        let wanted = size - selected.len();
        if wanted == 0 {
            break;
        }
        let with = choose(all - item - 1, wanted - 1);
        if number < with {
            selected.push(item);
        } else {
            number -= with;
        }
    }
}

/// The next subset in that order.
fn next_subset(all: usize, selected: &mut [usize]) {
    let size = selected.len();
    let Some(at) = (0..size).rev().find(|&i| selected[i] < all - size + i) else {
        return;
    };
    let first = selected[at] + 1;
    for (step, item) in selected[at..].iter_mut().enumerate() {
        *item = first + step;
    }
}

#[cfg(test)]
mod tests {
    use super::{Relabeling, Relabelings};

    fn all(relabeling: Relabeling, samples: usize, seed: u64) -> (Relabelings, Vec<Vec<usize>>) {
        let set = Relabelings::new(relabeling, samples, seed).expect("relabelings");
        let mut found = Vec::new();
        for start in (0..set.looked_at).step_by(7) {
            set.each(start..(start + 7).min(set.looked_at), |selected| found.push(selected.to_vec()));
        }
        (set, found)
    }

    #[test]
    fn drawn_runs_ascend_on_both_sides_of_64() {
        for (m, n) in [(30, 34), (31, 33), (32, 33), (30, 40)] {
            let (set, found) = all(Relabeling::TwoSample { m, n }, 200, 3);
            assert!(!set.exact && found.len() == 200);
            let ascends = |runs: &[usize]| runs.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(
                found
                    .iter()
                    .all(|runs| ascends(runs) && runs.len() == m.min(n) && runs[runs.len() - 1] < m + n)
            );
            // The last run is selected as often as the first.
            let often = |run| found.iter().filter(|runs| runs.contains(&run)).count();
            assert!(often(m + n - 1) > 50 && often(0) > 50, "{m} {n}");
        }
    }

    #[test]
    fn all_are_there_once() {
        for (m, n, own, stand_for) in
            [(3, 3, 10, 20), (2, 4, 15, 15), (5, 2, 21, 21), (1, 3, 4, 4), (4, 4, 35, 70)]
        {
            let (set, mut found) = all(Relabeling::TwoSample { m, n }, own, 0);
            assert!(set.exact && found.len() == own && set.stand_for == stand_for);
            assert_eq!(found[0], (0..m.min(n)).collect::<Vec<_>>());
            found.sort();
            found.dedup();
            assert_eq!(found.len(), own);
            assert!(found.iter().all(|s| s.is_sorted() && s.len() == m.min(n) && s[s.len() - 1] < m + n));
            assert!(m != n || found.iter().all(|s| s[0] == 0));
        }
        let (set, mut found) = all(Relabeling::Signs { n: 6 }, 32, 0);
        assert!(set.exact && set.stand_for == 64 && found[0].is_empty());
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 32);
        assert!(found.iter().all(|s| !s.contains(&5)));
    }

    #[test]
    fn draws_are_even() {
        for relabeling in [Relabeling::TwoSample { m: 10, n: 12 }, Relabeling::Signs { n: 70 }] {
            let (set, found) = all(relabeling, 20_000, 3);
            assert!(!set.exact && set.stand_for == 20_000);
            let (runs, share, observed) = match relabeling {
                Relabeling::TwoSample { m, n } => (m + n, m as f64 / (m + n) as f64, m),
                Relabeling::Signs { n } => (n, 0.5, 0),
            };
            assert_eq!(found[0], (0..observed).collect::<Vec<_>>());
            let mut counts = vec![0_u32; runs];
            found.iter().flatten().for_each(|&run| counts[run] += 1);
            for count in counts {
                assert!((f64::from(count) / 20_000.0 - share).abs() < 0.015, "{count}");
            }
        }
    }
}
