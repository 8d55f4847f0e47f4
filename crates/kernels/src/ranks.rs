//! Sorting and grouping for the rank tests.

use core::cmp::Ordering;

/// Maps a number to an integer of the same order; -0 and 0 are equal, NaN sorts to an end.
///
/// Integers sort several times faster than floats compared by `total_cmp`, and can be bisected.
pub(crate) fn key(value: f64) -> i64 {
    let bits = (value + 0.0).to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The number whose [`key`] this is.
pub(crate) fn value(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63) as u64 >> 1) as i64) as u64)
}

/// The distinct values of a sample in ascending order, each with its number of occurrences.
#[derive(Debug, Default, Clone)]
pub(crate) struct Distinct {
    /// Distinct values, ascending.
    pub values: Vec<f64>,
    /// Occurrences of each.
    pub sizes: Vec<u32>,
    /// All values in order, after [`Distinct::expand`].
    pub sorted: Vec<f64>,
    keys: Vec<i64>,
}

impl Distinct {
    /// Fills from a sample in any order.
    pub(crate) fn fill(&mut self, sample: &[f64]) {
        self.keys.clear();
        self.keys.extend(sample.iter().map(|&v| key(v)));
        self.keys.sort_unstable();
        self.values.clear();
        self.sizes.clear();
        let mut last = None;
        for &k in &self.keys {
            if last == Some(k) {
                if let Some(size) = self.sizes.last_mut() {
                    *size += 1;
                }
            } else {
                self.values.push(value(k));
                self.sizes.push(1);
                last = Some(k);
            }
        }
    }

    /// Writes all values, with repetition, to `sorted`.
    pub(crate) fn expand(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.keys.iter().map(|&k| value(k)));
    }

    /// Number of values with repetition.
    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    /// Whether any value occurs twice.
    pub(crate) fn tied(&self) -> bool {
        self.values.len() < self.keys.len()
    }
}

/// Two samples in one order: the sizes of the tie groups and the doubled number of pairs in which the second is
/// greater.
#[derive(Debug, Default, Clone)]
pub(crate) struct Arrangement {
    /// Sizes of the groups of equal values, ascending by value.
    pub sizes: Vec<u32>,
    /// 2·#{second > first} + #{second = first}.
    pub doubled: u64,
    /// Number of values.
    pub count: u64,
}

impl Arrangement {
    /// Whether any group has more than one member.
    pub(crate) fn tied(&self) -> bool {
        (self.sizes.len() as u64) < self.count
    }

    /// Σ t³ − t over the groups, the tie term of the normal approximations.
    pub(crate) fn tie_term(&self) -> f64 {
        tie_term(&self.sizes)
    }

    /// Merges two lists of (value, occurrences). `order` compares a value of the second list with one of the first;
    /// it must not decrease along the second list nor increase along the first.
    pub(crate) fn merge(
        &mut self,
        first: (&[f64], &[u32]),
        second: (&[f64], &[u32]),
        order: impl Fn(f64, f64) -> Ordering,
    ) {
        let ((x, x_sizes), (y, y_sizes)) = (first, second);
        self.sizes.clear();
        self.doubled = 0;
        let (mut i, mut j) = (0, 0);
        let mut below: u64 = 0;
        let mut seconds: u64 = 0;
        while i < x.len() && j < y.len() {
            match order(x[i], y[j]) {
                Ordering::Less => {
                    self.doubled += 2 * u64::from(y_sizes[j]) * below;
                    seconds += u64::from(y_sizes[j]);
                    self.sizes.push(y_sizes[j]);
                    j += 1;
                }
                Ordering::Greater => {
                    below += u64::from(x_sizes[i]);
                    self.sizes.push(x_sizes[i]);
                    i += 1;
                }
                Ordering::Equal => {
                    let (mut a, mut b) = (x_sizes[i], y_sizes[j]);
                    (i, j) = (i + 1, j + 1);
                    // Rounded differences can tie one value with several of the other list: these form one
                    // group.
                    loop {
                        if i < x.len() && order(x[i], y[j - 1]) == Ordering::Equal {
                            a += x_sizes[i];
                            i += 1;
                        } else if j < y.len() && order(x[i - 1], y[j]) == Ordering::Equal {
                            b += y_sizes[j];
                            j += 1;
                        } else {
                            break;
                        }
                    }
                    self.doubled += u64::from(b) * (2 * below + u64::from(a));
                    below += u64::from(a);
                    seconds += u64::from(b);
                    self.sizes.push(a + b);
                }
            }
        }
        self.sizes.extend_from_slice(&x_sizes[i..]);
        self.sizes.extend_from_slice(&y_sizes[j..]);
        below += x_sizes[i..].iter().map(|&s| u64::from(s)).sum::<u64>();
        let rest = y_sizes[j..].iter().map(|&s| u64::from(s)).sum::<u64>();
        self.doubled += 2 * rest * below;
        self.count = below + seconds + rest;
    }
}

/// Σ t³ − t over tie groups.
pub(crate) fn tie_term(sizes: &[u32]) -> f64 {
    sizes.iter().filter(|&&t| t > 1).map(|&t| f64::from(t)).map(|t| t * (t * t - 1.0)).sum()
}

/// Compares two numbers; NaN is greater than any number.
pub(crate) fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Greater)
}
