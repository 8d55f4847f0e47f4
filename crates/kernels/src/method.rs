//! How a p-value was obtained.

/// The null distribution behind a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Exact permutation distribution, conditional on the ties.
    Exact,
    /// Normal approximation with tie and continuity correction.
    Normal,
    /// Student's t (parametric).
    T,
    /// Student's t of a single value against the spread of several (parametric).
    Prediction,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Normal, Self::T, Self::Prediction];

    /// Whether it assumes a distribution of the values, so that relabeling them does not replace it.
    #[must_use]
    pub const fn is_parametric(self) -> bool {
        matches!(self, Self::T | Self::Prediction)
    }

    /// The code that stands in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Normal => "normal",
            Self::T => "t",
            Self::Prediction => "prediction",
        }
    }
}
