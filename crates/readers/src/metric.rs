//! Metrics: what is measured, in which unit, and which direction is better.

/// The direction in which a quantity improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Better {
    /// Smaller is better: times, sizes, counts of work.
    Lower,
    /// Larger is better: throughput.
    Higher,
}

impl Better {
    /// Each direction with its word.
    pub const WORDS: [(&str, Self); 2] = [("lower", Self::Lower), ("higher", Self::Higher)];

    /// The other direction.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Lower => Self::Higher,
            Self::Higher => Self::Lower,
        }
    }

    /// The word of tables and settings.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
        }
    }

    /// The direction that a word names.
    #[must_use]
    pub fn of_word(word: &[u8]) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| known.as_bytes() == word).map(|&(_, better)| better)
    }
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
    /// A quantity of unknown dimension.
    Other,
}

impl Quantity {
    /// Each quantity with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("time", Self::Time),
        ("bytes", Self::Bytes),
        ("count", Self::Count),
        ("throughput", Self::Throughput),
        ("other", Self::Other),
    ];

    /// Whether what is worse is slower: of times that are better the shorter they are, and of rates that are better the
    /// higher they are.
    #[must_use]
    pub fn is_speed(self, better: Option<Better>) -> bool {
        match self {
            Self::Time => better != Some(Better::Higher),
            Self::Throughput => better != Some(Better::Lower),
            Self::Bytes | Self::Count | Self::Other => false,
        }
    }

    /// The quantity that a word names.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, quantity)| quantity)
    }

    /// The word for it among the traits of a metric whose unit means another quantity.
    fn trait_word(self) -> &'static str {
        match self {
            Self::Time => "quantity-time",
            Self::Bytes => "quantity-bytes",
            Self::Count => "quantity-count",
            Self::Throughput => "quantity-throughput",
            Self::Other => "quantity-other",
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Throughput => "throughput",
            Self::Other => "other",
        }
    }
}

/// What of a metric's values is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Estimand {
    /// The typical value: medians are shown, ranks tested.
    Typical,
    /// The mean over all samples: what the metric is defined by.
    Mean,
}

/// What the values of a metric are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// They are results of the work.
    Result,
    /// They count what failed, or state the share of what succeeded or failed: without them nobody knows whether the other
    /// results are those of the work. They are compared as soon as one of them states a failure.
    Validity,
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
    /// The direction that is better; `None` where it is unknown.
    pub better: Option<Better>,
    /// The file states that the values are exact.
    pub assumed_exact: bool,
    /// The values may turn out to be exact (a deterministic count) if the data agree; never for peak memory.
    pub may_be_exact: bool,
    /// Compared by default.
    pub primary: bool,
    /// What of its values is compared.
    pub estimand: Estimand,
    /// What its values are for.
    pub role: Role,
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
            estimand: Estimand::Typical,
            role: Role::Result,
        }
    }

    /// The same metric, which states how much failed.
    #[must_use]
    pub fn of_validity(mut self) -> Self {
        self.role = Role::Validity;
        self
    }

    /// Whether a value states that something failed: a number of failures, or a share that lacks some successes.
    #[must_use]
    pub fn fails(&self, value: f64) -> bool {
        self.role == Role::Validity
            && if self.better == Some(Better::Higher) { value < 1.0 } else { value > 0.0 }
    }

    /// The same metric, compared only on request.
    #[must_use]
    pub fn secondary(mut self) -> Self {
        self.primary = false;
        self
    }

    /// The same metric, never treated as exact (peak memory, sampled counters).
    #[must_use]
    pub fn never_exact(mut self) -> Self {
        self.may_be_exact = false;
        self
    }

    /// What does not follow from name, unit and the quantity that readers take for `implied`, as words of tables; None if
    /// everything does. A direction has a column of its own; only that there is none needs a word.
    #[must_use]
    pub fn traits(&self, implied: Quantity) -> Option<String> {
        let plain = Self::new(&self.name, &self.unit, self.quantity);
        let directed = Self::new(&self.name, &self.unit, implied).better.is_some();
        let words = [
            (self.quantity != implied, self.quantity.trait_word()),
            (!self.primary, "secondary"),
            (plain.may_be_exact && !self.may_be_exact, "never-exact"),
            (self.assumed_exact, "exact"),
            (self.better.is_none() && directed, "undirected"),
            (self.estimand == Estimand::Mean, "mean"),
            (self.role == Role::Validity, "validity"),
        ];
        let told: Vec<&str> = words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// The metric with the traits that [`Metric::traits`] wrote.
    #[must_use]
    pub fn with_traits(mut self, traits: &[u8]) -> Self {
        let has = |word: &[u8]| crate::text::fields(traits).any(|found| found == word);
        let stated = Quantity::WORDS.into_iter().find(|(_, quantity)| has(quantity.trait_word().as_bytes()));
        if let Some((_, quantity)) = stated.filter(|&(_, quantity)| quantity != self.quantity) {
            let plain = Self::new(&self.name, &self.unit, quantity);
            self = Self { primary: self.primary, better: self.better, ..plain };
        }
        self.primary &= !has(b"secondary");
        self.may_be_exact &= !has(b"never-exact");
        self.assumed_exact |= has(b"exact");
        if has(b"undirected") {
            self.better = None;
        }
        if has(b"validity") {
            self.role = Role::Validity;
        }
        if has(b"mean") {
            self.estimand = Estimand::Mean;
        }
        self
    }

    /// Whether negative values are possible.
    #[must_use]
    pub fn may_be_negative(&self) -> bool {
        self.quantity == Quantity::Other
    }
}
