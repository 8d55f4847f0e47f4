//! Time of the resampling kernels: `cargo run --release -p statera-kernels --example speed_resampling`.

use statera_kernels::{MaxTRow, Relabeling, westfall_young};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let values: Vec<Vec<f64>> =
        (0..1000).map(|_| (0..20).map(|_| uniform() + uniform() + uniform()).collect()).collect();
    let rows: Vec<MaxTRow> = values.iter().map(|values| MaxTRow { values, pool: 0 }).collect();
    for r in [Relabeling::TwoSample { m: 10, n: 10 }, Relabeling::Signs { n: 20 }] {
        for _ in 0..5 {
            let start = Instant::now();
            black_box(westfall_young(&rows, r, 10_000, 1));
            println!("{r:?} {:.3}", start.elapsed().as_secs_f64());
        }
    }
}
