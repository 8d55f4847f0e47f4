//! Coverage of bootstrap intervals and bands on simulated noise: `cargo run --release -p statera-kernels
//! --example coverage_resampling [samples [resamples]]`.
//!
//! The nominal level is 95 %. With 1,000 samples, the simulation itself is accurate to about 1.4 %.

use rayon::prelude::*;
use statera_kernels::special::{norm_cdf, norm_quantile, t_quantile};
use statera_kernels::{BootMethod, BootStatistic, bootstrap, bootstrap_difference, shift_function};

const SIZES: [usize; 8] = [8, 10, 15, 20, 30, 40, 60, 100];
const LEVELS: [f64; 13] = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// `SplitMix64` (Steele, Lea & Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 + f64::EPSILON
    }
}

#[derive(Debug, Clone, Copy)]
enum Noise {
    Normal,
    Lognormal,
    Bimodal,
    StudentT3,
}

impl Noise {
    const ALL: [Self; 4] = [Self::Normal, Self::Lognormal, Self::Bimodal, Self::StudentT3];

    fn quantile(self, p: f64) -> f64 {
        match self {
            Self::Normal => norm_quantile(p),
            Self::Lognormal => (0.5 * norm_quantile(p)).exp(),
            Self::Bimodal => {
                let below = |x: f64| 0.5 * norm_cdf(x) + 0.5 * norm_cdf(x - 6.0);
                let halve = |(low, high): (f64, f64)| {
                    let middle = f64::midpoint(low, high);
                    if below(middle) < p { (middle, high) } else { (low, middle) }
                };
                (0..60).fold((-10.0, 16.0), |ends, _| halve(ends)).0
            }
            Self::StudentT3 => t_quantile(p, 3.0),
        }
    }

    fn mean(self) -> f64 {
        match self {
            Self::Normal | Self::StudentT3 => 0.0,
            Self::Lognormal => 0.125_f64.exp(),
            Self::Bimodal => 3.0,
        }
    }

    fn sample(self, numbers: &mut Numbers, n: usize) -> Vec<f64> {
        let draw = |numbers: &mut Numbers| match self {
            Self::Bimodal => {
                let shift = if numbers.uniform() < 0.5 { 6.0 } else { 0.0 };
                norm_quantile(numbers.uniform()) + shift
            }
            _ => self.quantile(numbers.uniform()),
        };
        (0..n).map(|_| draw(numbers)).collect()
    }
}

/// Percentage of samples for which `holds`.
fn coverage(samples: u64, holds: impl Fn(&mut Numbers) -> bool + Sync) -> String {
    let held = (0..samples)
        .into_par_iter()
        .filter(|&i| holds(&mut Numbers(i.wrapping_mul(0xA5A5_1234_5678_9ABD))))
        .count();
    format!("{:6.1}", 100.0 * held as f64 / samples as f64)
}

fn line(name: &str, cells: impl Iterator<Item = String>) {
    println!("{name:52}{}", cells.collect::<String>());
}

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let samples = words.next().unwrap_or(1000);
    let resamples = words.next().unwrap_or(999) as usize;
    line("values per sample", SIZES.iter().map(|n| format!("{n:6}")));
    for noise in Noise::ALL {
        bands(noise, samples, resamples);
    }
    for noise in Noise::ALL {
        intervals(noise, samples, resamples);
    }
}

/// Simultaneous coverage of the bands of a shift function, at the levels that have a band.
fn bands(noise: Noise, samples: u64, resamples: usize) {
    let holds = |x: &[f64], y: &[f64], paired: bool, spread: f64| {
        let points = shift_function(x, y, paired, false, &LEVELS, 0.95, resamples, 1).expect("points");
        points.iter().filter(|point| point.supported).all(|point| {
            let truth = (spread - 1.0) * noise.quantile(point.level);
            (point.low..=point.high).contains(&truth)
        })
    };
    for spread in [1.0, 2.0] {
        line(
            &format!("{noise:?}: shift function, spread {spread}"),
            SIZES.iter().map(|&n| {
                coverage(samples, |numbers| {
                    let (x, y) = (noise.sample(numbers, n), noise.sample(numbers, n));
                    holds(&x, &y.iter().map(|v| v * spread).collect::<Vec<_>>(), false, spread)
                })
            }),
        );
    }
    line(
        &format!("{noise:?}: shift function, paired, correlation 0.7"),
        SIZES.iter().map(|&n| {
            coverage(samples, |numbers| {
                let mut normal = || norm_quantile(numbers.uniform());
                let pairs: Vec<(f64, f64)> = (0..n).map(|_| (normal(), normal())).collect();
                let of = |z: f64| noise.quantile(norm_cdf(z));
                let x: Vec<f64> = pairs.iter().map(|(a, _)| of(*a)).collect();
                let y: Vec<f64> = pairs.iter().map(|(a, b)| of(0.7 * a + 0.51_f64.sqrt() * b)).collect();
                holds(&x, &y, true, 1.0)
            })
        }),
    );
}

/// Coverage of intervals for one sample and for a difference of two.
fn intervals(noise: Noise, samples: u64, resamples: usize) {
    for (statistic, truth) in
        [(BootStatistic::Mean, noise.mean()), (BootStatistic::Median, noise.quantile(0.5))]
    {
        for method in [BootMethod::Percentile, BootMethod::Bca] {
            line(
                &format!("{noise:?}: {statistic:?}, {method:?}"),
                SIZES.iter().map(|&n| {
                    coverage(samples, |numbers| {
                        let x = noise.sample(numbers, n);
                        let found =
                            bootstrap(&x, statistic, method, 0.95, resamples, 1).expect("an interval");
                        (found.low..=found.high).contains(&truth)
                    })
                }),
            );
            line(
                &format!("{noise:?}: difference of {statistic:?}, {method:?}"),
                SIZES.iter().map(|&n| {
                    coverage(samples, |numbers| {
                        let (x, y) = (noise.sample(numbers, n), noise.sample(numbers, n));
                        let found = bootstrap_difference(&x, &y, statistic, method, 0.95, resamples, 1);
                        let found = found.expect("an interval");
                        (found.low..=found.high).contains(&0.0)
                    })
                }),
            );
        }
    }
}
