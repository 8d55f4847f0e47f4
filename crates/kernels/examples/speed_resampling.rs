//! Times the resampling kernels: `cargo run --release -p statera-kernels --example speed_resampling`.
//!
//! `RAYON_NUM_THREADS` sets the number of threads.

use std::hint::black_box;
use std::time::Instant;

use statera_kernels::{
    BootMethod, BootPlan, BootStatistic, MaxTRow, Relabeling, bootstrap_batch, bootstrap_difference_batch,
    westfall_young,
};

/// A linear congruential generator (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    /// Sums of three uniform numbers.
    fn bells(&mut self, count: usize) -> Vec<f64> {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count).map(|_| uniform() + uniform() + uniform()).collect()
    }
}

/// Prints the time per call in the fastest of several, divided by `parts`.
fn time<T>(name: &str, parts: usize, mut work: impl FnMut() -> T) {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:60} {:12.2} us", best * 1e6 / parts as f64);
}

fn main() {
    let mut numbers = Numbers(1);
    let values: Vec<Vec<f64>> = (0..1000).map(|_| numbers.bells(20)).collect();
    let rows: Vec<MaxTRow> = values.iter().map(|values| MaxTRow { values, pool: 0 }).collect();
    for design in [Relabeling::TwoSample { m: 10, n: 10 }, Relabeling::Signs { n: 20 }] {
        time(&format!("maxT of 1,000 rows, 10,000 relabelings, {design:?}"), 1, || {
            westfall_young(&rows, design, 10_000, 1)
        });
    }
    let groups = 2000;
    let (x, y) = (numbers.bells(20 * groups), numbers.bells(20 * groups));
    let offsets: Vec<usize> = (0..=groups).map(|i| 20 * i).collect();
    for statistic in [BootStatistic::Mean, BootStatistic::Median, BootStatistic::TrimmedMean(0.1)] {
        let plan =
            BootPlan { statistic, method: BootMethod::Bca, confidence: 0.95, resamples: 9999, seed: 1 };
        let groups = if matches!(statistic, BootStatistic::TrimmedMean(_)) { 20 } else { groups };
        let offsets = &offsets[..=groups];
        time(&format!("BCa of {statistic:?}, 20 values, a group"), groups, || {
            bootstrap_batch(&x, offsets, &plan)
        });
        time(&format!("BCa of difference of {statistic:?}, 20 + 20 values, a group"), groups, || {
            bootstrap_difference_batch(&x, offsets, &y, offsets, &plan)
        });
    }
}
