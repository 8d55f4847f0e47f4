//! The kinds of noise with the pairing under which they are weighed.

use statera_weighing::Pairing;

use crate::comparison::{Asked, DEFAULT};
use crate::noise::Noise;

/// Runs a side.
pub const SIZES: [usize; 7] = [3, 5, 6, 8, 10, 20, 50];
/// Benchmarks of a suite.
pub const SUITE: usize = 50;
/// Standard deviation of the logarithms where nothing has changed: so wide that the margin hides nothing.
pub const SD: f64 = 0.1;
/// The baseline's time, in seconds.
pub const CENTRE: f64 = 1e-3;

/// A kind of noise and a pairing.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub noise: Noise,
    pub by_order: bool,
}

impl Setting {
    pub const ALL: [Self; 11] = [
        Self::unpaired(Noise::Normal),
        Self::unpaired(Noise::Lognormal),
        Self::unpaired(Noise::Bimodal),
        Self::unpaired(Noise::HeavyTailed),
        Self::unpaired(Noise::Quantised),
        Self::paired(Noise::Quantised),
        Self::paired(Noise::Rounds),
        Self::unpaired(Noise::Rounds),
        Self::paired(Noise::Runs),
        Self::unpaired(Noise::Runs),
        Self::unpaired(Noise::Autocorrelated(5)),
    ];

    pub const fn unpaired(noise: Noise) -> Self {
        Self { noise, by_order: false }
    }

    pub const fn paired(noise: Noise) -> Self {
        Self { noise, by_order: true }
    }

    pub fn name(self) -> String {
        let pairing = if self.by_order { ", paired by order" } else { "" };
        format!("{}{pairing}", self.noise.name())
    }

    pub fn asked(self) -> Asked {
        Asked { pairing: if self.by_order { Pairing::Order } else { Pairing::Auto }, ..DEFAULT }
    }

    /// Whether intervals of continuous, independent values are promised their level.
    pub fn is_continuous(self) -> bool {
        !matches!(self.noise, Noise::Quantised | Noise::Autocorrelated(_))
    }
}
