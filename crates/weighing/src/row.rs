//! The row of a comparison: a benchmark and metric of a contender against a baseline.

use statera_kernels::{Interval, MeanOf, Method};

use crate::codes::coded;
use crate::verdict::Verdict;

coded! {
    /// The design of the data, which determines the test.
    pub enum Design {
        /// The same blocks under both variants.
        Paired = "paired",
        /// Independent samples.
        Independent = "independent",
        /// Several values per process or run; the process is the unit.
        Nested = "nested",
        /// One value per side.
        Suite = "suite",
        /// One summary per side: a mean with the standard deviation and the number of its samples.
        Summary = "summary",
        /// Values that depend on previous values, in long batches.
        Series = "series",
        /// Deterministic values.
        Exact = "exact",
        /// One side has no value.
        OneSided = "one-sided",
    }
}

coded! {
    /// The scale of the test, the effect and the interval.
    pub enum Scale {
        /// Logarithms: changes are ratios.
        Ratio = "ratio",
        /// Differences in the metric's unit.
        Difference = "difference",
    }
}

impl Scale {
    /// Converts a shift between samples to a change as users read it: relative on the ratio scale.
    #[must_use]
    pub fn change(self, shift: f64) -> f64 {
        match self {
            Self::Ratio => shift.exp_m1(),
            Self::Difference => shift,
        }
    }

    /// Converts a change to a shift between samples: a difference of logarithms on the ratio scale.
    #[must_use]
    pub fn shift(self, change: f64) -> f64 {
        match self {
            Self::Ratio => change.ln_1p(),
            Self::Difference => change,
        }
    }
}

coded! {
    /// Why a row is inconclusive, or a one-sided row is no loss of the whole benchmark.
    pub enum Reason {
        /// So few runs that even the clearest outcome has p > alpha.
        TooFewRuns = "too-few",
        /// The interval contains zero: noise hides any change.
        Noise = "noise",
        /// Significant by itself, but not after the correction for multiple comparisons.
        NotAmongSoMany = "not-among-so-many",
        /// Significant by itself, but the whole suite moved, no more than its machine may have; apart from that the row shows
        /// no change.
        MovesWithAll = "moves-with-all",
        /// A build changed its level between its runs, so that no typical value stands for it.
        LevelChanged = "level-changed",
        /// Significant by its runs, but two sessions of one build may differ as much.
        WithinSessions = "within-sessions",
        /// Ties: significant, but the interval contains zero.
        Ties = "ties",
        /// Within the margin, but one process per side cannot show equivalence.
        OneProcess = "one-process",
        /// Within the margin, but at a confidence level below the one requested.
        LowLevel = "low-level",
        /// Within the margin, but by a parametric test of few units, which could not show slow runs.
        FewRuns = "few-runs",
        /// Within the margin, but the contender has more slow runs, too few to decide.
        TailUndecided = "tail-undecided",
        /// Fewer than two blocks have a partner on the other side.
        TooFewPairs = "too-few-pairs",
        /// A series of fewer than 20 values.
        TooFewValues = "too-few-values",
        /// Neighbouring values depend on each other so much that their effective sample size is too small.
        TooDependent = "too-dependent",
        /// The values differ between the sides but do not vary on either, so there is no p-value.
        NoSpread = "no-spread",
        /// The statistic cannot be computed from these values.
        NotComputable = "not-computable",
        /// Missing or new at this level only: the side has the benchmark and metric at another level.
        AtLevel = "at-level",
    }
}

coded! {
    /// A warning about a row.
    pub enum Warning {
        /// All values of a side come from one process.
        OneProcess = "one-process",
        /// Blocks without a partner were dropped.
        PairsDropped = "pairs-dropped",
        /// Outliers by the double MAD rule.
        Outliers = "outliers",
        /// Values rise or fall over the run order.
        Drift = "drift",
        /// Neighbouring values are correlated in this row.
        Autocorrelation = "autocorrelation",
        /// So few distinct values, in steps not small beside the margin, that the timer or the printed digits must be
        /// rounded.
        FewDistinct = "few-distinct",
        /// The k-th values of both sides move together: pairing by order would help.
        OrderCorrelation = "order-correlation",
        /// The medians' ratio lies outside the interval.
        MediansDisagree = "medians-disagree",
        /// Stated as exact, but the values vary.
        ExactVaries = "exact-varies",
        /// Zero or negative values: differences instead of ratios.
        NoRatio = "no-ratio",
        /// Too few units for ranks: a parametric test.
        Parametric = "parametric",
        /// A block occurs several times on a side; its median was used.
        BlocksRepeated = "blocks-repeated",
        /// The interval's confidence level is below the one requested.
        LowLevel = "low-level",
        /// A number overflows.
        BeyondRange = "beyond-range",
        /// A side has several modes.
        SeveralModes = "several-modes",
        /// A side begins slowly and settles.
        WarmUp = "warm-up",
        /// A build changed its level between its runs.
        LevelChanged = "level-changed",
        /// Compared by mean, standard deviation and number of samples; the samples are unknown.
        FromSummary = "from-summary",
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
    /// The interval's lower end; NaN if there are too few values for one.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The attained confidence level; NaN if there is no interval.
    pub level: f64,
}

impl Centre {
    /// The centre of no values.
    pub const NONE: Self = Self { value: f64::NAN, low: f64::NAN, high: f64::NAN, level: f64::NAN };

    /// A mean with its t interval.
    pub(crate) fn of_mean(mean: &MeanOf, confidence: f64) -> Self {
        let Interval { low, high, level } = mean.interval(confidence);
        Self { value: mean.mean, low, high, level }
    }
}

/// The spread of the units that a test compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The standard deviation of a unit, or of the difference of a pair, on the scale of the test; NaN without a test.
    pub sd: f64,
    /// Number of units on each side; for a series of batches.
    pub units: (u32, u32),
    /// By how much wider these units make the interval than so many independent ones, because they leave few degrees of
    /// freedom.
    pub few: f64,
}

impl Noise {
    /// The noise without a test.
    pub const NONE: Self = Self { sd: f64::NAN, units: (0, 0), few: 1.0 };
}

/// One side of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// The variant's number.
    pub variant: u32,
    /// Number of values read.
    pub values: u32,
    /// Number of units tested: values, processes or pairs.
    pub units: u32,
    /// The centre of the units.
    pub centre: Centre,
}

/// The change of the mean with its interval: relative on the ratio scale, otherwise in the unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanChange {
    /// The change.
    pub change: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The shift of an outer quantile with its bootstrap band: relative on the ratio scale, otherwise in the unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailShift {
    /// The level of the quantile.
    pub level: f64,
    /// The shift.
    pub change: f64,
    /// The band's lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
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
    /// The share of alpha that its tests may spend: 1 unless it was looked at several times. All its p-values are divided
    /// by it, and its intervals are at level 1 − alpha × share.
    pub share: f64,
    /// The design of the data.
    pub design: Design,
    /// The scale.
    pub scale: Scale,
    /// The baseline.
    pub baseline: Side,
    /// The contender.
    pub contender: Side,
    /// The typical change (Hodges-Lehmann); NaN if there is none.
    pub change: f64,
    /// The interval's lower end; NaN if there is none.
    pub change_low: f64,
    /// The upper end.
    pub change_high: f64,
    /// The interval's attained confidence level.
    pub change_level: f64,
    /// Whether the lower end is zero and excluded, because the test rejects it.
    pub change_low_open: bool,
    /// Whether the upper end is zero and excluded, because the test rejects it.
    pub change_high_open: bool,
    /// P(contender > baseline) + P(tie) / 2.
    pub superiority: f64,
    /// The test's statistic.
    pub statistic: f64,
    /// The test's p-value; `None` if there is no test.
    pub p: Option<f64>,
    /// The corrected p-value.
    pub p_corrected: Option<f64>,
    /// The corrected p-value apart from what all rows have in common, or that of the common change if it is smaller;
    /// `None` where nothing is common.
    pub p_apart: Option<f64>,
    /// The smallest p-value that this number of units can give.
    pub least_p: f64,
    /// The standard deviation of a session that interval and verdict allow for; otherwise 0.
    pub session: f64,
    /// How many independent units per side the units are worth, if neighbours depend on each other.
    pub effective_units: f64,
    /// The method by which p was computed.
    pub method: Option<Method>,
    /// The conclusion.
    pub verdict: Verdict,
    /// The reason why its typical value has no clear change.
    pub reason: Option<Reason>,
    /// The spread from which `detectable` and the numbers of runs are forecast.
    pub noise: Noise,
    /// The smallest change that these runs could have detected, relative or in the unit; NaN if unknown, or if the test
    /// of so few runs cannot call any change.
    pub detectable: f64,
    /// The number of runs per side that would find a change of the margin; NaN if unknown.
    pub runs_needed: f64,
    /// The slow units of both sides; `None` if the design does not allow the question or there are too few units.
    pub tail: Option<Tail>,
    /// The spreads of both sides; `None` also if their difference cannot matter.
    pub spread: Option<Spread>,
    /// The change of level within one of the builds.
    pub level_change: Option<LevelChange>,
    /// The change of the mean, if it was requested and where tail or spread speak.
    pub mean: Option<MeanChange>,
    /// The shift of the outermost quantile that the runs support, where tail or spread speak.
    pub tail_shift: Option<TailShift>,
    /// The lower end of the range of this number, which the uncertainty of the spread leaves.
    pub runs_needed_low: f64,
    /// Its upper end.
    pub runs_needed_high: f64,
    /// Number of blocks that were dropped because only one side has them.
    pub pairs_dropped: u32,
    /// Bits of [`Warning`].
    pub warnings: u32,
}

impl Row {
    /// Whether the row has a warning.
    #[must_use]
    pub fn warns(&self, warning: Warning) -> bool {
        self.warnings & warning.bit() != 0
    }

    /// Whether nobody knows how the typical value changed, also where tail or spread did.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.verdict == Verdict::Inconclusive || self.verdict.is_of_tail() && self.reason.is_some()
    }

    /// Whether the row is undecided and its interval includes no change, so that not even the direction is known. That two
    /// sessions may differ as much is no doubt about what the runs show.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.verdict == Verdict::Inconclusive
            && self.reason != Some(Reason::WithinSessions)
            && self.change_low < 0.0
            && self.change_high > 0.0
    }

    /// Adds a warning.
    pub fn warn(&mut self, warning: Warning) {
        self.warnings |= warning.bit();
    }

    /// Returns what rows whose variances are shrunk together share: group, metric and scale.
    pub(crate) fn pool(&self) -> (u32, u32, Scale) {
        (self.group, self.metric, self.scale)
    }

    /// Returns the number of units per side as if both sides had the same.
    #[must_use]
    pub fn units_a_side(&self) -> f64 {
        2.0 / (1.0 / f64::from(self.baseline.units) + 1.0 / f64::from(self.contender.units))
    }

    /// Whether a number of the row overflows.
    pub(crate) fn is_beyond_range(&self) -> bool {
        let ends = [self.change, self.change_low, self.change_high, self.detectable];
        let tested = [Design::Paired, Design::Independent, Design::Nested, Design::Summary, Design::Series];
        let lost = self.p.is_none() && tested.contains(&self.design);
        ends.iter().any(|number| number.is_infinite()) || lost && !self.centres_change().is_finite()
    }

    /// Returns the ratio of the two centres minus one; on the difference scale their difference.
    #[must_use]
    pub fn centres_change(&self) -> f64 {
        match self.scale {
            Scale::Ratio => self.contender.centre.value / self.baseline.centre.value - 1.0,
            Scale::Difference => self.contender.centre.value - self.baseline.centre.value,
        }
    }
}

/// The units of a build that lie on another level than the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChange {
    /// Whether they are of the contender; of pairs, the differences count as the contender's.
    pub contender: bool,
    /// The first of them, from 1.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// Their median against that of the other units: relative on the ratio scale, otherwise in the unit. Where the build
    /// does not return, the later units against the earlier ones.
    pub change: f64,
    /// The p-value if the order of the units says nothing, corrected for every place and length.
    pub p: f64,
}

/// The spreads of both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The scaled median absolute deviations of the baseline and of the contender: relative, or in the unit.
    pub sizes: [f64; 2],
    /// The two-sided p-value of their difference.
    pub p: f64,
    /// The p-value corrected over the spreads of all rows.
    pub p_corrected: f64,
    /// Whether a spread exceeds the margin.
    pub matters: bool,
}

/// The slow units of both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// Slow units of the baseline and of the contender; of pairs those in which that side is slow. Where
    /// [`Tail::of_values`] is set, slow values.
    pub slow: [u32; 2],
    /// Of how many units, or values.
    pub of: [u32; 2],
    /// Whether the values of runs are slow, and not runs as a whole; bursts are the runs that have any then.
    pub of_values: bool,
    /// The stretches of consecutive slow units of both sides, in the order of measurement.
    pub bursts: [u32; 2],
    /// The two-sided p-value of their difference.
    pub p: f64,
    /// The smallest p-value that any split of as many slow units could give.
    pub least_p: f64,
    /// The p-value corrected over the tails of all rows.
    pub p_corrected: f64,
    /// Whether the contender's slow runs are too frequent to call the row equivalent, whatever p is.
    pub objects: bool,
}
