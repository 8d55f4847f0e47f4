//! Time per group of the rank tests of several samples: `cargo run --release -p statera-kernels --example speed_ranks`.

use std::hint::black_box;
use std::time::Instant;

use statera_kernels::{brunner_munzel, friedman, kruskal_wallis, quade};

const GROUPS: usize = 10_000;
const LENGTH: usize = 60;

/// Integers below `span` from a linear congruential generator (Knuth's MMIX constants).
fn numbers(count: usize, span: u64) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % span) as f64
    };
    (0..count).map(|_| next()).collect()
}

/// Prints the time per group in the fastest of forty runs over all groups: the machine may be shared.
fn time<T>(name: &str, mut work: impl FnMut() -> T) {
    let mut best = f64::INFINITY;
    for _ in 0..40 {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed().as_nanos() as f64 / GROUPS as f64);
    }
    println!("{name:48} {best:8.0} ns");
}

fn main() {
    for (ties, span) in [("untied", 1 << 30), ("some ties", 100), ("many ties", 8)] {
        let values = numbers(GROUPS * LENGTH, span);
        let each = |test: &dyn Fn(&[f64]) -> f64| values.chunks(LENGTH).map(test).sum::<f64>();

        time(&format!("kruskal_wallis 3 x 20 {ties}"), || {
            each(&|t| kruskal_wallis(&[&t[..20], &t[20..40], &t[40..]]).map_or(0.0, |r| r.p))
        });
        time(&format!("friedman 20 x 3 {ties}"), || each(&|t| friedman(t, 3).map_or(0.0, |r| r.p)));
        time(&format!("quade 20 x 3 {ties}"), || each(&|t| quade(t, 3).map_or(0.0, |r| r.p)));
        time(&format!("brunner_munzel 20 + 20 {ties}"), || {
            each(&|t| brunner_munzel(&t[..20], &t[20..40], 0.95).map_or(0.0, |r| r.p))
        });
    }
}
