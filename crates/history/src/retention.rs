//! Which values are retired, so that only their summary is kept.

use crate::catalog::Catalog;
use crate::detection::Found;

const BITS: usize = 64;

/// For each job the series whose values are retired.
#[derive(Debug, Default)]
pub struct Retention {
    /// A bit for each series; empty where no value of the job is retired.
    retired: Vec<Vec<u64>>,
}

impl Retention {
    /// Retires what no line needs any longer: values that are neither among the last `samples` of their series nor within
    /// `around` of the commits at which one of its changes may begin. What stands on no line is not retired.
    #[must_use]
    pub fn new(catalog: &Catalog, found: &[&Found], samples: usize, around: usize) -> Self {
        let words = catalog.series.len().div_ceil(BITS);
        let mut retired = vec![Vec::new(); catalog.count as usize];
        for of_series in found {
            let old = of_series.jobs.len().saturating_sub(samples);
            let mut kept = vec![false; old];
            for point in &of_series.changes.points {
                let end = point.last.saturating_add(around).min(old);
                let begin = point.first.saturating_sub(around).min(end);
                kept[begin..end].fill(true);
            }
            for (&job, _) in of_series.jobs.iter().zip(kept).filter(|(_, kept)| !kept) {
                let Some(bits) = retired.get_mut(job as usize) else { continue };
                bits.resize(words, 0);
                bits[of_series.series / BITS] |= 1 << (of_series.series % BITS);
            }
        }
        Self { retired }
    }

    /// Whether the values of a series are retired in a job of the catalog.
    #[must_use]
    pub fn retires(&self, job: usize, series: usize) -> bool {
        let bits = self.retired.get(job).and_then(|bits| bits.get(series / BITS));
        bits.is_some_and(|bits| bits >> (series % BITS) & 1 == 1)
    }
}
