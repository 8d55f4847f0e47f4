//! Warnings of a row: codes, one bit each.

/// A warning about the result of one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// A sample is empty.
    Empty,
    /// There are too few values for a result.
    TooFew,
    /// There are more values than the procedure accepts.
    TooMany,
    /// All values are equal.
    Constant,
    /// A value is not positive.
    NotPositive,
    /// The interval attains less than the requested level.
    BelowLevel,
    /// There are too few values for an interval at this level.
    NoInterval,
    /// Samples of these sizes cannot give a significant result.
    CannotReject,
    /// 0 lies inside the interval although the test rejects it, because of ties.
    Ties,
    /// Differences of 0 were left out.
    Zeros,
    /// The approximation of p is coarse for samples this small.
    Coarse,
    /// The samples do not overlap.
    NoOverlap,
    /// Neither sample varies.
    NoSpread,
    /// p is the end of a table: the true p is at most this.
    TableEnd,
    /// The interval is not defined for these values.
    Undefined,
    /// Some levels have too few values beyond them.
    Unsupported,
    /// Resamples of so few values lack the tails: the interval covers less often than its level.
    ShortTails,
    /// The interval of so few values would cover less often than its level, and is withheld.
    Withheld,
}

impl Warning {
    /// All warnings, in the order of their bits.
    pub const ALL: [Self; 18] = [
        Self::Empty,
        Self::TooFew,
        Self::TooMany,
        Self::Constant,
        Self::NotPositive,
        Self::BelowLevel,
        Self::NoInterval,
        Self::CannotReject,
        Self::Ties,
        Self::Zeros,
        Self::Coarse,
        Self::NoOverlap,
        Self::NoSpread,
        Self::TableEnd,
        Self::Undefined,
        Self::Unsupported,
        Self::ShortTails,
        Self::Withheld,
    ];

    /// The code in output.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooFew => "too-few",
            Self::TooMany => "too-many",
            Self::Constant => "constant",
            Self::NotPositive => "not-positive",
            Self::BelowLevel => "below-level",
            Self::NoInterval => "no-interval",
            Self::CannotReject => "cannot-reject",
            Self::Ties => "ties",
            Self::Zeros => "zeros",
            Self::Coarse => "coarse",
            Self::NoOverlap => "no-overlap",
            Self::NoSpread => "no-spread",
            Self::TableEnd => "table-end",
            Self::Undefined => "undefined",
            Self::Unsupported => "unsupported",
            Self::ShortTails => "short-tails",
            Self::Withheld => "withheld",
        }
    }
}

/// A set of warnings.
#[derive(Debug, Default, Clone, Copy)]
pub struct Warnings(u32);

impl Warnings {
    /// Adds a warning if it holds.
    #[must_use]
    pub fn with(self, warning: Warning, holds: bool) -> Self {
        Self(self.0 | u32::from(holds) << warning as u32)
    }

    /// The set as a number of a row.
    #[must_use]
    pub fn number(self) -> f64 {
        f64::from(self.0)
    }

    /// The codes in a number of a row.
    pub fn codes(number: f64) -> impl Iterator<Item = &'static str> {
        let bits = number as u32;
        Warning::ALL.into_iter().filter(move |warning| bits >> *warning as u32 & 1 == 1).map(Warning::code)
    }
}
