//! What is known of a series in a job without its values.

use statera_kernels::quantile::{mad, median};
use statera_readers::NONE;

/// The summary of a job's values of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many values there are.
    pub n: u32,
    /// Their median; of values of several processes the median of the processes' medians.
    pub median: f64,
    /// The median of the distances from the median of all values.
    pub mad: f64,
    /// The least value.
    pub least: f64,
    /// The largest value.
    pub largest: f64,
}

impl Summary {
    /// Summarises values; `process` has the process of each, [`NONE`] where nobody knows, or is empty.
    #[must_use]
    pub fn of(values: &[f64], process: &[u32]) -> Self {
        let fold = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        Self {
            n: values.len() as u32,
            median: typical(values, process),
            mad: mad(values),
            least: fold(f64::min),
            largest: fold(f64::max),
        }
    }

    /// Whether all values are equal.
    #[must_use]
    pub fn is_one_value(&self) -> bool {
        self.least == self.largest
    }
}

fn typical(values: &[f64], process: &[u32]) -> f64 {
    let known = process.len() == values.len() && process.iter().all(|&process| process != NONE);
    if !known || process.windows(2).all(|pair| pair[0] == pair[1]) {
        return median(values);
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&at| process[at]);
    let of_processes: Vec<f64> = order
        .chunk_by(|&a, &b| process[a] == process[b])
        .map(|together| median(&together.iter().map(|&at| values[at]).collect::<Vec<_>>()))
        .collect();
    median(&of_processes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_count_once_each() {
        let values = [1.0, 1.0, 1.0, 5.0, 9.0];
        assert_eq!(Summary::of(&values, &[]).median, 1.0);
        // Medians 1, 5 and 9.
        assert_eq!(Summary::of(&values, &[7, 7, 7, 8, 9]).median, 5.0);
        assert_eq!(Summary::of(&values, &[7, 7, 7, 8, NONE]).median, 1.0);
        let all = Summary::of(&values, &[0; 5]);
        assert_eq!((all.n, all.mad, all.least, all.largest), (5, 0.0, 1.0, 9.0));
        assert!(!all.is_one_value() && Summary::of(&[2.0, 2.0], &[]).is_one_value());
    }
}
