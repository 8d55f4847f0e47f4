//! One row of a comparison: a benchmark, a metric, a contender against the baseline.

use statera_kernels::Method;

use crate::codes::coded;

coded! {
    /// What the data is, which decides the test.
    pub enum Design {
        /// The same blocks under both variants.
        Paired = "paired",
        /// Independent samples.
        Independent = "independent",
        /// Several values a process or run; the process is the unit.
        Nested = "nested",
        /// One value a side.
        Suite = "suite",
        /// Values that depend on those before them, in long batches.
        Series = "series",
        /// Deterministic values.
        Exact = "exact",
        /// One side has no value.
        OneSided = "one-sided",
    }
}

coded! {
    /// The scale on which test, effect and interval work.
    pub enum Scale {
        /// Logarithms: changes are ratios.
        Ratio = "ratio",
        /// Differences in the metric's unit.
        Difference = "difference",
    }
}

coded! {
    /// What is concluded of a row.
    pub enum Verdict {
        /// Real, beyond the margin, in the good direction.
        Better = "better",
        /// Real, beyond the margin, in the bad direction.
        Worse = "worse",
        /// Real, beyond the margin; the metric has no direction.
        Changed = "changed",
        /// The whole interval lies within the margin.
        Equivalent = "equivalent",
        /// The data does not decide.
        Inconclusive = "inconclusive",
        /// One value a side: shown, not judged.
        Descriptive = "one-value",
        /// Only the baseline has it.
        Missing = "missing",
        /// Only the contender has it.
        New = "new",
    }
}

coded! {
    /// Why a row is inconclusive.
    pub enum Reason {
        /// Even the clearest outcome of so few runs has p > alpha.
        TooFewRuns = "too-few",
        /// The interval holds zero: noise hides what change there may be.
        Noise = "noise",
        /// Significant alone, but not among so many rows.
        NotAmongSoMany = "not-among-so-many",
        /// Ties: significant, yet the interval holds zero inside.
        Ties = "ties",
        /// Within the margin, but one process a side cannot show equivalence.
        OneProcess = "one-process",
        /// Within the margin, but at a level below the one asked for.
        LowLevel = "low-level",
        /// Fewer than two blocks have a partner on the other side.
        TooFewPairs = "too-few-pairs",
        /// A series of fewer than 20 values.
        TooFewValues = "too-few-values",
        /// A series that is worth fewer than 20 independent values.
        TooDependent = "too-dependent",
        /// The values differ between the sides and vary on neither: no p-value follows.
        NoSpread = "no-spread",
        /// The statistic cannot be computed from these values.
        NotComputable = "not-computable",
    }
}

coded! {
    /// What rides on a row.
    pub enum Warning {
        /// All values of a side come from one process.
        OneProcess = "one-process",
        /// Blocks without a partner were dropped.
        PairsDropped = "pairs-dropped",
        /// Values far outside (double MAD).
        Outliers = "outliers",
        /// Values rise or fall over the run order.
        Drift = "drift",
        /// Neighbouring values resemble each other.
        Autocorrelation = "autocorrelation",
        /// So few distinct values that the timer or the printing rounds.
        FewDistinct = "few-distinct",
        /// The k-th values of both sides move together: pairing by order would help.
        OrderCorrelation = "order-correlation",
        /// The medians' ratio has the other sign or lies outside the interval.
        MediansDisagree = "medians-disagree",
        /// Stated as exact, but the values vary.
        ExactVaries = "exact-varies",
        /// Zero or negative values: differences instead of ratios.
        NoRatio = "no-ratio",
        /// Two or three processes a side: a parametric test on their values.
        FewProcesses = "few-processes",
        /// A block occurs several times on a side; its median was taken.
        BlocksRepeated = "blocks-repeated",
        /// The interval's level is below the one asked for.
        LowLevel = "low-level",
        /// A number lies beyond what can be computed.
        BeyondRange = "beyond-range",
    }
}

impl Warning {
    /// Its bit in [`Row::warnings`].
    #[must_use]
    pub const fn bit(self) -> u32 {
        1 << self as u32
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
    /// The variant's number.
    pub variant: u32,
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
    /// What the data is.
    pub design: Design,
    /// The scale.
    pub scale: Scale,
    /// The baseline.
    pub baseline: Side,
    /// The contender.
    pub contender: Side,
    /// The typical change (Hodges-Lehmann); NaN where there is none.
    pub change: f64,
    /// The interval's lower end; NaN where there is none.
    pub change_low: f64,
    /// The upper end.
    pub change_high: f64,
    /// The interval's attained level.
    pub change_level: f64,
    /// Zero is the lower end but rejected.
    pub change_low_open: bool,
    /// Zero is the upper end but rejected.
    pub change_high_open: bool,
    /// P(contender > baseline) + P(tie) / 2.
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
    pub reason: Option<Reason>,
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
        let ends = [self.change, self.change_low, self.change_high, self.detectable];
        let tested = [Design::Paired, Design::Independent, Design::Nested, Design::Series];
        let lost = self.p.is_none() && tested.contains(&self.design);
        ends.iter().any(|number| number.is_infinite()) || lost && !self.centres_change().is_finite()
    }

    /// The ratio of the two centres, minus one; on the difference scale their difference.
    #[must_use]
    pub fn centres_change(&self) -> f64 {
        match self.scale {
            Scale::Ratio => self.contender.centre.value / self.baseline.centre.value - 1.0,
            Scale::Difference => self.contender.centre.value - self.baseline.centre.value,
        }
    }
}
