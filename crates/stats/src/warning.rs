//! What a row says beside its numbers: codes, one bit each.

/// A remark on the result of one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// A sample has no values.
    Empty,
    /// So few values give no answer.
    TooFew,
    /// The procedure does not take so many values.
    TooMany,
    /// All values are equal.
    Constant,
    /// A value is not positive.
    NotPositive,
    /// The interval attains less than the level asked for.
    BelowLevel,
    /// So few values have no interval at this level.
    NoInterval,
    /// No outcome of samples of these sizes could be significant.
    CannotReject,
    /// 0 lies inside the interval although the test rejects it: ties.
    Ties,
    /// Differences of 0 were left out.
    Zeros,
    /// The approximation behind p is coarse for samples this small.
    Coarse,
    /// The samples do not overlap.
    NoOverlap,
    /// Neither sample varies.
    NoSpread,
    /// p is the end of a table: it is at most that.
    TableEnd,
    /// The interval is not defined for these values.
    Undefined,
    /// Some levels have too few values beyond them.
    Unsupported,
    /// Resamples of so few values lack the tails: the interval holds less often than it says.
    ShortTails,
    /// The interval of so few values would hold less often than it says, and is withheld.
    Withheld,
}

impl Warning {
    /// All, in the order of their bits.
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

    /// The code.
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

/// Several warnings, as they stand in a row of numbers.
#[derive(Debug, Default, Clone, Copy)]
pub struct Warnings(u32);

impl Warnings {
    /// Adds a warning where it holds.
    #[must_use]
    pub fn with(self, warning: Warning, holds: bool) -> Self {
        Self(self.0 | u32::from(holds) << warning as u32)
    }

    /// As a number of a row.
    #[must_use]
    pub fn number(self) -> f64 {
        f64::from(self.0)
    }

    /// The codes of a number of a row.
    pub fn codes(number: f64) -> impl Iterator<Item = &'static str> {
        let bits = number as u32;
        Warning::ALL.into_iter().filter(move |warning| bits >> *warning as u32 & 1 == 1).map(Warning::code)
    }
}
