//! One row of a comparison: a benchmark, a metric, a contender against the baseline.

use statera_kernels::Method;

/// What the data is, which decides the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// The same blocks under both variants.
    Paired,
    /// Independent samples.
    Independent,
    /// Several values a process or run; the process is the unit.
    Nested,
    /// One value a side.
    Suite,
    /// Deterministic values.
    Exact,
    /// One side has no value.
    OneSided,
}

/// The scale on which test, effect and interval work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Logarithms: changes are ratios.
    Ratio,
    /// Differences in the metric's unit.
    Difference,
}

/// What is concluded of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Real, beyond the margin, in the good direction.
    Better,
    /// Real, beyond the margin, in the bad direction.
    Worse,
    /// Real, beyond the margin; the metric has no direction.
    Changed,
    /// The whole interval lies within the margin.
    Equivalent,
    /// The data does not decide.
    Inconclusive,
    /// One value a side: shown, not judged.
    Descriptive,
    /// Only the baseline has it.
    Missing,
    /// Only the contender has it.
    New,
}

/// Why a row is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is not.
    None,
    /// Even the clearest outcome of so few runs has p > alpha.
    TooFewRuns,
    /// The interval holds zero: noise hides what change there may be.
    Noise,
    /// Significant alone, but not among so many rows.
    NotAmongSoMany,
    /// Ties: significant, yet the interval holds zero inside.
    Ties,
    /// Within the margin, but one process a side cannot show equivalence.
    OneProcess,
    /// Within the margin, but at a level below the one asked for.
    LowLevel,
    /// The statistic cannot be computed from these values.
    NotComputable,
}

/// What rides on a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Warning {
    /// All values of a side come from one process.
    OneProcess = 0,
    /// Blocks without a partner were dropped.
    PairsDropped = 1,
    /// Values far outside (double MAD).
    Outliers = 2,
    /// Values rise or fall over the run order.
    Drift = 3,
    /// Neighbouring values resemble each other.
    Autocorrelation = 4,
    /// So few distinct values that the timer or the printing rounds.
    FewDistinct = 5,
    /// The k-th values of both sides move together: pairing by order would help.
    OrderCorrelation = 6,
    /// The medians' ratio has the other sign or lies outside the interval.
    MediansDisagree = 7,
    /// Stated as exact, but the values vary.
    ExactVaries = 8,
    /// Zero or negative values: differences instead of ratios.
    NoRatio = 9,
    /// Two or three processes a side: a parametric test on their values.
    FewProcesses = 10,
    /// A block occurs several times on a side; its median was taken.
    BlocksRepeated = 11,
    /// The interval's level is below the one asked for.
    LowLevel = 12,
    /// A number lies beyond what can be computed.
    BeyondRange = 13,
}

impl Warning {
    /// Every warning, in the order of their bits.
    pub const ALL: [Self; 14] = [
        Self::OneProcess,
        Self::PairsDropped,
        Self::Outliers,
        Self::Drift,
        Self::Autocorrelation,
        Self::FewDistinct,
        Self::OrderCorrelation,
        Self::MediansDisagree,
        Self::ExactVaries,
        Self::NoRatio,
        Self::FewProcesses,
        Self::BlocksRepeated,
        Self::LowLevel,
        Self::BeyondRange,
    ];

    /// The name that users meet and can look up.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneProcess => "one-process",
            Self::PairsDropped => "pairs-dropped",
            Self::Outliers => "outliers",
            Self::Drift => "drift",
            Self::Autocorrelation => "autocorrelation",
            Self::FewDistinct => "few-distinct",
            Self::OrderCorrelation => "order-correlation",
            Self::MediansDisagree => "medians-disagree",
            Self::ExactVaries => "exact-varies",
            Self::NoRatio => "no-ratio",
            Self::FewProcesses => "few-processes",
            Self::BlocksRepeated => "blocks-repeated",
            Self::LowLevel => "low-level",
            Self::BeyondRange => "beyond-range",
        }
    }

    /// Its bit in [`Row::warnings`].
    #[must_use]
    pub fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// A median with its order-statistic interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre {
    /// The median, in the base unit.
    pub value: f64,
    /// The interval's lower end; NaN where so few values give none.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The attained level; NaN where there is no interval.
    pub level: f64,
}

impl Centre {
    /// No values, no centre.
    pub const NONE: Self = Self { value: f64::NAN, low: f64::NAN, high: f64::NAN, level: f64::NAN };
}

/// One side of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Values read.
    pub values: u32,
    /// Units tested: values, processes or pairs.
    pub units: u32,
    /// The centre of the units.
    pub centre: Centre,
}

/// A benchmark and metric of a contender against the baseline. Changes are relative (−0.5 is half)
/// on the ratio scale and in the metric's unit on the difference scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The baseline's number.
    pub base: u32,
    /// The contender's number.
    pub contender: u32,
    /// What the data is.
    pub design: Design,
    /// The scale.
    pub scale: Scale,
    /// The baseline.
    pub old: Side,
    /// The contender.
    pub new: Side,
    /// The typical change (Hodges-Lehmann); NaN where there is none.
    pub change: f64,
    /// The interval's lower end; NaN where there is none.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The interval's attained level.
    pub level: f64,
    /// Zero is the lower end but rejected.
    pub low_open: bool,
    /// Zero is the upper end but rejected.
    pub high_open: bool,
    /// P(new > old) + P(tie) / 2.
    pub superiority: f64,
    /// The test's statistic.
    pub statistic: f64,
    /// The test's p-value; `None` where there is no test.
    pub p: Option<f64>,
    /// The corrected p-value.
    pub p_corrected: Option<f64>,
    /// The least p-value that so many units could give.
    pub least_p: f64,
    /// How p was computed.
    pub method: Option<Method>,
    /// What is concluded.
    pub verdict: Verdict,
    /// Why, where it is inconclusive.
    pub reason: Reason,
    /// The smallest change that these runs could have shown, relative or in the unit; NaN where unknown.
    pub detectable: f64,
    /// The runs a side needed to decide at the margin; NaN where unknown.
    pub runs_needed: f64,
    /// Pairs without a partner that were dropped.
    pub pairs_dropped: u32,
    /// Bits of [`Warning`].
    pub warnings: u32,
}

impl Row {
    /// Whether a warning rides on the row.
    #[must_use]
    pub fn warns(&self, warning: Warning) -> bool {
        self.warnings & warning.bit() != 0
    }

    /// Notes a warning.
    pub fn warn(&mut self, warning: Warning) {
        self.warnings |= warning.bit();
    }

    /// Whether a number that the row states lies beyond the numbers that can be computed with.
    pub(crate) fn is_beyond_range(&self) -> bool {
        let ends = [self.change, self.low, self.high, self.detectable];
        let lost =
            self.p.is_none() && matches!(self.design, Design::Paired | Design::Independent | Design::Nested);
        ends.iter().any(|number| number.is_infinite()) || lost && !self.centres_change().is_finite()
    }

    /// The ratio of the two centres, minus one; on the difference scale their difference.
    #[must_use]
    pub fn centres_change(&self) -> f64 {
        match self.scale {
            Scale::Ratio => self.new.centre.value / self.old.centre.value - 1.0,
            Scale::Difference => self.new.centre.value - self.old.centre.value,
        }
    }
}
