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
}
