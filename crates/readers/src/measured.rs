//! Numbers with units, for readers outside of this crate: what a unit means is said in one table.

use crate::formats::durations::{go_seconds, with_unit};
use crate::formats::units::{self, Meaning};
use crate::metric::Quantity;
use crate::text::number;

/// A unit, and what its values become in base units.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit(Meaning);

impl Unit {
    /// The unit of this name. An unknown one keeps its name, and its values are of an unknown quantity.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(units::meaning(name))
    }

    /// A value in the base unit.
    #[must_use]
    pub fn apply(&self, value: f64) -> f64 {
        self.0.scale.apply(value)
    }

    /// The base unit: `s` for `ms`.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.0.base
    }

    /// What it measures.
    #[must_use]
    pub fn quantity(&self) -> Quantity {
        self.0.quantity
    }
}

/// A number without a unit, as `text::number` reads it, if it is finite.
#[must_use]
pub fn bare(text: &[u8]) -> Option<f64> {
    number(text).filter(|value| value.is_finite())
}

/// A number with its unit, in the base unit: `12.3ms`, `1.2 GB/s`, and durations of Go such as `1m2.5s`. The unit that
/// is returned is the base unit.
#[must_use]
pub fn amount(text: &str) -> Option<(f64, Unit)> {
    if let Some((value, name)) = with_unit(text).filter(|(value, name)| value.is_finite() && !name.is_empty())
        && units::is_known(name)
    {
        let unit = Unit::named(name);
        return Some((unit.apply(value), Unit::named(unit.base())));
    }
    go_seconds(text).map(|seconds| (seconds, Unit::named("s")))
}
