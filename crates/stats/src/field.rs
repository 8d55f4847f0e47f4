//! The fields of a row of results.

use std::borrow::Cow;

/// The meaning of a field's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number; NaN is missing.
    Number,
    /// An integer; NaN is missing.
    Count,
    /// 1 is true, 0 is false, NaN is missing.
    Flag,
    /// The index of a word; NaN is missing.
    Word(&'static [&'static str]),
    /// A bit set of [`crate::Warning`]s.
    Warnings,
}

/// A field: its name and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name of the column.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: Kind,
}

/// Creates a field of numbers.
pub const fn number(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Number }
}

/// Creates a field of integers.
pub const fn count(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Count }
}

/// Creates a field of truth values.
pub const fn flag(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Flag }
}

/// Creates a field of words.
pub const fn word(name: &'static str, words: &'static [&'static str]) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Word(words) }
}

/// The field of warnings, the last of every row.
pub const WARNINGS: Field = Field { name: Cow::Borrowed("warnings"), kind: Kind::Warnings };
