//! Fields of rows: each stands once with its name, kind, unit, meaning and value; columns, CSV, JSON, Python and the
//! documentation come from it.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::json;
use statera_readers::{Metric, Observations};

use crate::comma;

/// What numbers in rows stand for.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Benchmarks and metrics.
    pub observations: &'a Observations,
    /// The variants' labels.
    pub labels: &'a [String],
    /// The groups' labels.
    pub groups: &'a [String],
}

impl<'a> Names<'a> {
    /// A metric by its number.
    #[must_use]
    pub fn metric(&self, number: u32) -> &'a Metric {
        &self.observations.metrics[number as usize]
    }

    /// A benchmark's name by its number.
    #[must_use]
    pub fn benchmark(&self, number: u32) -> &'a str {
        self.observations.benchmarks.get(number)
    }

    /// A variant's label by its number.
    #[must_use]
    pub fn label(&self, number: u32) -> &'a str {
        self.labels.get(number as usize).map_or("", String::as_str)
    }

    /// A group's label by its number.
    #[must_use]
    pub fn group(&self, number: u32) -> &'a str {
        self.groups.get(number as usize).map_or("", String::as_str)
    }
}

/// What values a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// One of these codes.
    Code(&'static [&'static str]),
    /// Some of these codes.
    Codes(&'static [&'static str]),
    /// A number.
    Number,
    /// A count.
    Count,
    /// Yes or no.
    Flag,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Code(_) => "code",
            Self::Codes(_) => "codes",
            Self::Number => "number",
            Self::Count => "count",
            Self::Flag => "flag",
        }
    }

    /// The codes that may occur.
    #[must_use]
    pub fn codes(self) -> &'static [&'static str] {
        match self {
            Self::Code(codes) | Self::Codes(codes) => codes,
            _ => &[],
        }
    }
}

/// What a field holds of one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// There is none.
    Absent,
    /// Text, or a code.
    Text(Cow<'a, str>),
    /// A finite number.
    Number(f64),
    /// A count.
    Count(u32),
    /// Yes or no.
    Flag(bool),
    /// Codes.
    Codes(Vec<&'static str>),
}

impl<'a> Value<'a> {
    /// A text as it stands elsewhere.
    #[must_use]
    pub fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// A number; NaN and infinity stand for none.
    #[must_use]
    pub fn number(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Absent }
    }

    /// A value that may be absent.
    #[must_use]
    pub fn known<T>(value: Option<T>, of: impl Fn(T) -> Self) -> Self {
        value.map_or(Self::Absent, of)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Self::Absent => serde_json::Value::Null,
            Self::Text(text) => json!(text),
            Self::Number(number) => json!(number),
            Self::Count(count) => json!(count),
            Self::Flag(flag) => json!(flag),
            Self::Codes(codes) => json!(codes),
        }
    }

    pub(crate) fn comma(&self, to: &mut String, raw: bool) {
        let _ = match self {
            Self::Absent => Ok(()),
            Self::Text(text) => {
                comma::cell(to, text, raw);
                Ok(())
            }
            Self::Number(number) => write!(to, "{number}"),
            Self::Count(count) => write!(to, "{count}"),
            Self::Flag(flag) => write!(to, "{flag}"),
            Self::Codes(codes) => write!(to, "{}", codes.join(" ")),
        };
    }
}

/// A field of the rows of type `R`.
#[derive(Debug)]
pub struct Field<R: 'static> {
    /// Its name, the same everywhere.
    pub name: &'static str,
    /// What values it holds.
    pub kind: Kind,
    /// Whether a row may lack it.
    pub optional: bool,
    /// The unit of its numbers, in words; empty where they have none.
    pub unit: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Its value for a row.
    pub of: Of<R>,
}

impl<R> Field<R> {
    /// A text that every row has.
    pub const fn text(name: &'static str, meaning: &'static str, of: Of<R>) -> Self {
        Self { name, kind: Kind::Text, optional: false, unit: "", meaning, of }
    }

    /// A code that every row has.
    pub const fn code(
        name: &'static str,
        codes: &'static [&'static str],
        meaning: &'static str,
        of: Of<R>,
    ) -> Self {
        Self { name, kind: Kind::Code(codes), optional: false, unit: "", meaning, of }
    }

    /// Codes.
    pub const fn codes(
        name: &'static str,
        codes: &'static [&'static str],
        meaning: &'static str,
        of: Of<R>,
    ) -> Self {
        Self { name, kind: Kind::Codes(codes), optional: false, unit: "", meaning, of }
    }

    /// A number that a row may lack.
    pub const fn number(name: &'static str, unit: &'static str, meaning: &'static str, of: Of<R>) -> Self {
        Self { name, kind: Kind::Number, optional: true, unit, meaning, of }
    }

    /// A count that every row has.
    pub const fn count(name: &'static str, unit: &'static str, meaning: &'static str, of: Of<R>) -> Self {
        Self { name, kind: Kind::Count, optional: false, unit, meaning, of }
    }

    /// Yes or no.
    pub const fn flag(name: &'static str, meaning: &'static str, of: Of<R>) -> Self {
        Self { name, kind: Kind::Flag, optional: false, unit: "", meaning, of }
    }

    /// The same field, which a row may lack.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// The same field, which every row has.
    #[must_use]
    pub const fn always(self) -> Self {
        Self { optional: false, ..self }
    }
}

/// The value of a field for a row.
pub type Of<R> = for<'a> fn(&R, &Names<'a>) -> Value<'a>;
