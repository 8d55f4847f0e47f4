//! Time per call of the kernels on one core: `cargo run --release -p statera-kernels --example speed`.

use std::hint::black_box;
use std::time::Instant;

use statera_kernels::{
    RowSample, Zeros, mann_whitney, median, median_interval, one_sample, run_by_run, signed_rank, two_sample,
};

/// A linear congruential generator (Knuth's MMIX constants); integers below `span`.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, span: u64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % span) as f64
    }

    /// Many samples of n values from `low` to below `low + span`.
    fn samples(&mut self, n: usize, low: f64, span: u64) -> Vec<Vec<f64>> {
        (0..1000).map(|_| (0..n).map(|_| low + self.below(span)).collect()).collect()
    }
}

/// Prints the time per call in the fastest of ten series, each call with another sample: the machine may be
/// shared.
fn time<T>(name: &str, calls: usize, mut work: impl FnMut(usize) -> T) {
    let series = calls.div_ceil(10);
    let mut best = f64::INFINITY;
    for _ in 0..11 {
        let start = Instant::now();
        for i in 0..series {
            black_box(work(i));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / series as f64);
    }
    println!("{name:44} {best:12.0} ns");
}

fn main() {
    let mut numbers = Numbers(1);
    let fine = 1 << 30;
    for n in [5, 20, 49] {
        for (name, span) in [("untied", fine), ("some ties", 100), ("many ties", 8)] {
            let (x, y) = (numbers.samples(n, 0.0, span), numbers.samples(n, span as f64 * 0.2, span));
            let row = |i: usize| (&x[i % 1000][..], &y[i % 1000][..]);
            let calls = if n == 49 { 2000 } else { 10_000 };
            time(&format!("mann_whitney {n}+{n} {name}"), calls, |i| mann_whitney(row(i).0, row(i).1));
            time(&format!("two_sample {n}+{n} {name}"), calls, |i| two_sample(row(i).0, row(i).1, 0.95));
            time(&format!("signed_rank {n} {name}"), calls, |i| signed_rank(&x[i % 1000], Zeros::Drop));
            let d: Vec<Vec<f64>> =
                x.iter().map(|x| x.iter().map(|v| v - span as f64 * 0.4).collect()).collect();
            time(&format!("one_sample {n} {name}"), calls, |i| one_sample(&d[i % 1000], 0.95));
        }
    }
    let d = numbers.samples(122, -4e8, fine);
    time("one_sample 122", 2000, |i| one_sample(&d[i % 1000], 0.95));
    let (x, y) = (numbers.samples(1000, 0.0, fine), numbers.samples(1000, 1e7, fine));
    time("two_sample 1000+1000", 100, |i| two_sample(&x[i], &y[i], 0.95));
    time("one_sample 1000", 100, |i| one_sample(&x[i], 0.95));
    let small = numbers.samples(20, 0.0, fine);
    time("median 20", 100_000, |i| median(&small[i % 1000]));
    time("median_interval 20", 100_000, |i| median_interval(&small[i % 1000], 0.95));
    suite(&mut numbers);
}

fn suite(numbers: &mut Numbers) {
    for n in [20, 21, 100] {
        let (x, y) = (numbers.samples(n, 0.0, 1000), numbers.samples(n, 0.0, 1000));
        let rows: Vec<RowSample> = x
            .iter()
            .zip(&y)
            .map(|(baseline, contender)| RowSample::Independent { baseline, contender })
            .collect();
        time(&format!("suite of 1000 rows {n}+{n}"), 5, |_| run_by_run(&rows, 0.95));
    }
}
