//! The fields of a row of results.

use std::borrow::Cow;

/// What the number of a field stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number; NaN is none.
    Number,
    /// A whole number; NaN is none.
    Count,
    /// 1 is true, 0 false, NaN none.
    Flag,
    /// The index of a word; NaN is none.
    Word(&'static [&'static str]),
    /// The bits of [`crate::Warning`]s.
    Warnings,
}

/// A field: its name and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name of the column.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: Kind,
}

/// A field of numbers.
pub const fn number(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Number }
}

/// A field of whole numbers.
pub const fn count(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Count }
}

/// A field of yes and no.
pub const fn flag(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Flag }
}

/// A field of words.
pub const fn word(name: &'static str, words: &'static [&'static str]) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Word(words) }
}

/// The field of warnings, the last of every row.
pub const WARNINGS: Field = Field { name: Cow::Borrowed("warnings"), kind: Kind::Warnings };
