//! How often change points and a warm-up are detected: in series without any, and in series with one. Prints the
//! lines that contain the words of its arguments.

use std::f64::consts::PI;

use statera_kernels::{pelt, warm_up};

const SIZES: [usize; 9] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const NOISES: [&str; 11] = [
    "normal",
    "lognormal",
    "bimodal",
    "2 % spikes",
    "t(2)",
    "coarse clock",
    "rare ticks",
    "AR(1) 0.3",
    "AR(1) 0.5",
    "AR(1) 0.7",
    "AR(1) 0.9",
];
/// Steps in standard deviations, and the fraction of the series before them.
const STEPS: [(f64, f64); 5] = [(1.0, 0.5), (2.0, 0.5), (1.0, 0.1), (3.0, 0.1), (10.0, 0.1)];

/// The noise around steps.
const STEPPED: [&str; 2] = ["normal", "AR(1) 0.5"];

/// `SplitMix64` (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (2.0 * PI * self.unit()).cos()
    }

    fn value(&mut self, noise: &str) -> f64 {
        let normal = self.normal();
        match noise {
            "lognormal" => normal.exp(),
            "bimodal" => normal + if self.unit() < 0.7 { 0.0 } else { 6.0 },
            "2 % spikes" => normal + if self.unit() < 0.02 { 30.0 } else { 0.0 },
            "t(2)" => normal / (-self.unit().ln()).sqrt(),
            "coarse clock" => normal.round(),
            "rare ticks" => f64::from(u8::from(self.unit() < 0.05)),
            _ => normal,
        }
    }

    fn series(&mut self, noise: &str, n: usize) -> Vec<f64> {
        let keep: f64 = noise.strip_prefix("AR(1) ").map_or(0.0, |keep| keep.parse().expect("a number"));
        let mut before = self.value(noise);
        let fresh = (1.0 - keep * keep).sqrt();
        let next = |_| {
            before = keep * before + fresh * self.value(noise);
            100.0 + before
        };
        (0..n).map(next).collect()
    }
}

fn line(name: &str, shares: impl Fn(usize) -> f64) {
    if !std::env::args().skip(1).all(|word| name.contains(&word)) {
        return;
    }
    print!("{name:32}");
    for n in SIZES {
        print!("{:8.3}", shares(n));
    }
    println!();
}

/// The fraction of series for which `seen` holds.
fn share(n: usize, most: usize, seen: impl Fn(&mut Random) -> bool) -> f64 {
    let series = (100_000 / n).clamp(200, most);
    let mut random = Random(n as u64);
    (0..series).filter(|_| seen(&mut random)).count() as f64 / series as f64
}

fn main() {
    line("number of values", |n| n as f64);
    for noise in NOISES {
        line(noise, |n| share(n, 4000, |random| !pelt(&random.series(noise, n), None, 2).is_empty()));
    }
    for noise in NOISES {
        let seen = |n| share(n, 4000, |random| warm_up(&random.series(noise, n)).is_some());
        line(&format!("warm-up, {noise}"), seen);
    }
    for ((size, before), noise) in STEPS.into_iter().flat_map(|step| STEPPED.map(|noise| (step, noise))) {
        let found = |random: &mut Random, n: usize| {
            let mut values = random.series(noise, n);
            let step = (n as f64 * before) as usize;
            values[..step].iter_mut().for_each(|v| *v += size);
            pelt(&values, None, 2).iter().any(|at| at.abs_diff(step) <= 3)
        };
        line(&format!("step of {size} sd at {before}, {noise}"), |n| {
            share(n, 1000, |random| found(random, n))
        });
    }
}
