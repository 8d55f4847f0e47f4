//! Simulated noise: standardised (mean 0, standard deviation 1), on the scale of logarithms.

use statera_kernels::special::{norm_cdf, norm_quantile};

/// Standard deviation on the logarithm of [`Noise::Lognormal`]; its skewness is 1.75.
const SKEW: f64 = 0.5;
/// The upper mode of [`Noise::Bimodal`]: how many standard deviations up, and which share of the values.
const MODE: (f64, f64) = (5.0, 0.3);

/// Random numbers by `SplitMix64` (Steele, Lea & Flood 2014).
#[derive(Debug, Clone)]
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a repetition of an experiment.
    pub fn new(experiment: u64, repetition: u64) -> Self {
        let mut numbers = Self(experiment);
        let start = numbers.bits() ^ repetition.wrapping_mul(0xD134_2543_DE82_EF95);
        Self(start)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// A standard normal number.
    pub fn normal(&mut self) -> f64 {
        norm_quantile(self.uniform())
    }
}

/// What disturbs the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// Normal.
    Normal,
    /// Skewed to the right: most values near the least, some far above.
    Lognormal,
    /// Two modes.
    Bimodal,
    /// Student's t with 3 degrees of freedom.
    HeavyTailed,
    /// Normal with a spike in one value of twenty, exponential with a mean of eight standard deviations.
    Spiky,
    /// AR(1): each value correlates with the one before by so many tenths.
    Autocorrelated(u8),
    /// The same for every second benchmark; the others are independent.
    HalfAutocorrelated(u8),
    /// Normal, read off a timer that steps by one standard deviation.
    Quantised,
    /// Half of the variance is of the round, in which every variant and benchmark was measured once.
    Rounds,
    /// Half of the variance is of the run of one variant, and slows all its benchmarks.
    Runs,
}

impl Noise {
    /// Its name in the tables.
    pub fn name(self) -> String {
        let plain = match self {
            Self::Normal => "normal",
            Self::Lognormal => "lognormal",
            Self::Bimodal => "bimodal",
            Self::HeavyTailed => "heavy-tailed",
            Self::Spiky => "spiky",
            Self::Autocorrelated(tenths) => return format!("AR(1) 0.{tenths}"),
            Self::HalfAutocorrelated(tenths) => return format!("AR(1) 0.{tenths} in half of the benchmarks"),
            Self::Quantised => "quantised timer",
            Self::Rounds => "rounds in common",
            Self::Runs => "runs in common",
        };
        plain.to_owned()
    }

    /// One value of those kinds of noise whose values have nothing in common.
    pub fn value(self, numbers: &mut Numbers) -> f64 {
        let z = numbers.normal();
        match self {
            Self::Lognormal => {
                let square = SKEW * SKEW;
                ((SKEW * z).exp() - (square / 2.0).exp()) / (square.exp() * square.exp_m1()).sqrt()
            }
            Self::Bimodal => {
                let (up, share) = MODE;
                let mode = if numbers.uniform() < share { up } else { 0.0 };
                (z + mode - up * share) / bimodal_sd()
            }
            Self::Spiky if numbers.uniform() < 0.05 => z - 8.0 * numbers.uniform().ln(),
            Self::HeavyTailed => {
                let squares: f64 = (0..3).map(|_| numbers.normal().powi(2)).sum();
                z / squares.sqrt()
            }
            _ => z,
        }
    }

    /// The median of such values.
    pub fn median(self) -> f64 {
        let middle = |below: &dyn Fn(f64) -> f64| {
            let halve = |(low, high): (f64, f64)| {
                let at = f64::midpoint(low, high);
                if below(at) < 0.5 { (at, high) } else { (low, at) }
            };
            (0..60).fold((-10.0, 10.0), |ends, _| halve(ends)).0
        };
        match self {
            Self::Lognormal => {
                let square = SKEW * SKEW;
                (1.0 - (square / 2.0).exp()) / (square.exp() * square.exp_m1()).sqrt()
            }
            Self::Bimodal => {
                let (up, share) = MODE;
                let below = |x: f64| (1.0 - share) * norm_cdf(x) + share * norm_cdf(x - up);
                (middle(&below) - up * share) / bimodal_sd()
            }
            _ => 0.0,
        }
    }

    /// The noise of all variants, benchmarks and runs: `drawn[variant][benchmark][run]`.
    pub fn draw(
        self,
        numbers: &mut Numbers,
        variants: usize,
        benchmarks: usize,
        runs: usize,
    ) -> Vec<Vec<Vec<f64>>> {
        let half = 0.5_f64.sqrt();
        let rounds: Vec<f64> = (0..runs).map(|_| half * numbers.normal()).collect();
        let mut one = |_| {
            let own: Vec<f64> = (0..runs).map(|_| half * numbers.normal()).collect();
            let shared = match self {
                Self::Rounds => &rounds,
                _ => &own,
            };
            (0..benchmarks).map(|at| self.of_benchmark(at).series(numbers, shared)).collect()
        };
        (0..variants).map(&mut one).collect()
    }

    /// The noise of a benchmark of the suite.
    fn of_benchmark(self, at: usize) -> Self {
        match self {
            Self::HalfAutocorrelated(tenths) if at.is_multiple_of(2) => Self::Autocorrelated(tenths),
            Self::HalfAutocorrelated(_) => Self::Normal,
            _ => self,
        }
    }

    /// The noise of one benchmark, run after run, of which `shared` is what it has in common with others.
    fn series(self, numbers: &mut Numbers, shared: &[f64]) -> Vec<f64> {
        let half = 0.5_f64.sqrt();
        let mut before = numbers.normal();
        let mut next = |shared: &f64| match self {
            Self::Autocorrelated(tenths) => {
                let rho = f64::from(tenths) / 10.0;
                before = rho * before + (1.0 - rho * rho).sqrt() * numbers.normal();
                before
            }
            Self::Rounds | Self::Runs => shared + half * numbers.normal(),
            _ => self.value(numbers),
        };
        shared.iter().map(&mut next).collect()
    }

    /// Times about `centre` whose logarithms have this noise, times `sd`, and as the timer shows them.
    pub fn times(self, drawn: &[f64], centre: f64, sd: f64) -> Vec<f64> {
        let step = centre * sd;
        let shown = |time: f64| if self == Self::Quantised { (time / step).round() * step } else { time };
        drawn.iter().map(|e| shown(centre * (sd * e).exp())).collect()
    }
}

fn bimodal_sd() -> f64 {
    let (up, share) = MODE;
    (1.0 + up * up * share * (1.0 - share)).sqrt()
}
