//! Simulates the table of `crates/kernels/src/dip_table.rs` and prints it: `cargo run --release -p
//! statera-kernels --example dip_table > dip_table.rs`, then `rustfmt dip_table.rs`. Seeds are fixed, so every
//! machine prints the same table. It takes about half an hour of processor time.

use rayon::prelude::*;
use statera_kernels::dip;

const SIZES: [usize; 21] =
    [4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 20_000, 50_000];
const LEVELS: [f64; 22] = [
    1.0, 0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005,
    0.002, 0.001, 0.0001,
];

/// `SplitMix64` (Steele, Lea & Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A sorted uniform sample, up to a factor: sums of exponential numbers.
    fn ascending(&mut self, sample: &mut [f64]) {
        let mut sum = 0.0;
        for v in sample {
            sum -= (((self.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64).ln();
            *v = sum;
        }
    }
}

/// A million samples, fewer of large ones, so that a p of 0.05 is accurate to 0.0007 or better.
fn replicates(n: usize) -> u64 {
    match n {
        ..=1000 => 1_000_000,
        1001..=20_000 => 200_000,
        _ => 100_000,
    }
}

/// √n times the dip of many samples, descending.
fn simulated(n: usize) -> Vec<f64> {
    let root = (n as f64).sqrt();
    let mut found: Vec<f64> = (0..replicates(n))
        .into_par_iter()
        .map_init(
            || vec![0.0; n],
            |sample, i| {
                let mut numbers = Numbers((n as u64) << 32 | i);
                numbers.0 = numbers.bits();
                numbers.ascending(sample);
                root * dip(sample).map_or(f64::NAN, |d| d.dip)
            },
        )
        .collect();
    found.par_sort_unstable_by(|a, b| b.total_cmp(a));
    found
}

fn main() {
    println!(
        "//! Quantiles of √n times the dip of uniform samples, simulated by `bench/dip_table.rs`: a million samples per"
    );
    println!("//! size, 200,000 above 1,000 values, 100,000 of the largest.\n");
    println!(
        "/// Sample sizes, one per row.\npub(crate) const SIZES: [usize; {}] = {SIZES:?};\n",
        SIZES.len()
    );
    println!("/// Probabilities of a dip at least as large, one per column.");
    println!("pub(crate) const LEVELS: [f64; {}] = {LEVELS:?};\n", LEVELS.len());
    println!("/// The quantiles.");
    println!("#[rustfmt::skip]");
    println!("pub(crate) const QUANTILES: [[f64; {}]; {}] = [", LEVELS.len(), SIZES.len());
    for n in SIZES {
        let found = simulated(n);
        let at = |level: f64| found[(level * found.len() as f64).round() as usize - 1];
        let row: Vec<String> = LEVELS.iter().map(|&level| format!("{:.5}", at(level))).collect();
        println!("    [{},\n     {}],", row[..11].join(", "), row[11..].join(", "));
    }
    println!("];");
}
