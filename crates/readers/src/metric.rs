//! What is measured: its name, its unit, which way is better.

/// Which way a quantity improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Better {
    /// Smaller is better: times, sizes, counts of work.
    Lower,
    /// Larger is better: throughput.
    Higher,
}

/// The dimension of a unit; decides scaling for display, default margins and which values can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Seconds, per anything.
    Time,
    /// Bytes, per anything but time.
    Bytes,
    /// Something counted: allocations, instructions, collections.
    Count,
    /// Anything per second.
    Throughput,
    /// A quantity that nothing is known about.
    Other,
}

/// A metric as the observations carry it. Values are in the base unit: seconds, bytes, one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Metric {
    /// The name by which it is selected and shown.
    pub name: String,
    /// The base unit: `s`, `B`, `B/s`, `1` …
    pub unit: String,
    /// The dimension.
    pub quantity: Quantity,
    /// Which way is better; `None` where nobody knows.
    pub better: Option<Better>,
    /// The file says that its values are exact.
    pub assumed_exact: bool,
    /// May be exact (a deterministic count) when the data agrees; peak memory never.
    pub may_be_exact: bool,
    /// Compared unless the user selects otherwise.
    pub primary: bool,
}

impl Metric {
    /// A metric in base units; direction and exactness follow from the quantity.
    #[must_use]
    pub fn new(name: &str, unit: &str, quantity: Quantity) -> Self {
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            quantity,
            better: match quantity {
                Quantity::Throughput => Some(Better::Higher),
                Quantity::Other => None,
                _ => Some(Better::Lower),
            },
            assumed_exact: false,
            may_be_exact: matches!(quantity, Quantity::Count | Quantity::Bytes),
            primary: true,
        }
    }

    /// The same metric, read and kept but compared only on request.
    #[must_use]
    pub fn secondary(mut self) -> Self {
        self.primary = false;
        self
    }

    /// The same metric, never taken for exact (peak memory, sampled counters).
    #[must_use]
    pub fn never_exact(mut self) -> Self {
        self.may_be_exact = false;
        self
    }

    /// Whether a negative value can be true.
    #[must_use]
    pub fn may_be_negative(&self) -> bool {
        self.quantity == Quantity::Other
    }
}
