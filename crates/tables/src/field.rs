//! The fields of rows. Each field is defined once, with its name, kind, unit, meaning and value; columns, CSV, JSON,
//! Python's dictionaries and the documentation are made from this definition.

use std::borrow::Cow;
use std::fmt;

use statera_readers::{Metric, Observations};

/// The names that the numbers in rows refer to.
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

/// The kind of a field's values.
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

/// How a field's value is read from a row. A writer looks at the kind once a column, or once a cell, and nothing is
/// allocated for a value that the row or the names already hold.
#[derive(Debug)]
pub enum Of<R: 'static> {
    /// A text.
    Text(for<'a> fn(&R, &Names<'a>) -> Cow<'a, str>),
    /// A code.
    Code(fn(&R) -> Option<&'static str>),
    /// Codes, as bits.
    Codes(fn(&R) -> u32),
    /// A number; NaN and infinity mean that the row has none.
    Number(fn(&R) -> f64),
    /// A count.
    Count(fn(&R) -> Option<u32>),
    /// Yes or no.
    Flag(fn(&R) -> bool),
}

/// A field's value in one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// The row has none.
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
    Codes(Codes),
}

/// Some of the codes of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes {
    bits: u32,
    all: &'static [&'static str],
}

impl Codes {
    /// The codes, in the order of the field's list.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.all
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.bits & (1 << place) != 0)
            .map(|(_, &code)| code)
    }
}

impl fmt::Display for Codes {
    /// Writes the codes, separated by blanks.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().enumerate().try_for_each(|(place, code)| {
            to.write_str(if place > 0 { " " } else { "" })?;
            to.write_str(code)
        })
    }
}

/// A field of the rows of type `R`.
#[derive(Debug)]
pub struct Field<R: 'static> {
    /// Its name, the same in every output.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether a row may lack it.
    pub optional: bool,
    /// The unit of its numbers, in words; empty if they have none.
    pub unit: &'static str,
    /// Its meaning, in a sentence.
    pub meaning: &'static str,
    /// How its value is read from a row.
    pub of: Of<R>,
}

impl<R> Field<R> {
    /// A text that every row has.
    pub const fn text(
        name: &'static str,
        meaning: &'static str,
        of: for<'a> fn(&R, &Names<'a>) -> Cow<'a, str>,
    ) -> Self {
        Self { name, kind: Kind::Text, optional: false, unit: "", meaning, of: Of::Text(of) }
    }

    /// A code that every row has.
    pub const fn code(
        name: &'static str,
        codes: &'static [&'static str],
        meaning: &'static str,
        of: fn(&R) -> Option<&'static str>,
    ) -> Self {
        Self { name, kind: Kind::Code(codes), optional: false, unit: "", meaning, of: Of::Code(of) }
    }

    /// Some of the codes; a row has the code at place i of `codes` if bit i is set.
    pub const fn codes(
        name: &'static str,
        codes: &'static [&'static str],
        meaning: &'static str,
        of: fn(&R) -> u32,
    ) -> Self {
        Self { name, kind: Kind::Codes(codes), optional: false, unit: "", meaning, of: Of::Codes(of) }
    }

    /// A number that a row may lack.
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        of: fn(&R) -> f64,
    ) -> Self {
        Self { name, kind: Kind::Number, optional: true, unit, meaning, of: Of::Number(of) }
    }

    /// A count that every row has.
    pub const fn count(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        of: fn(&R) -> Option<u32>,
    ) -> Self {
        Self { name, kind: Kind::Count, optional: false, unit, meaning, of: Of::Count(of) }
    }

    /// Yes or no.
    pub const fn flag(name: &'static str, meaning: &'static str, of: fn(&R) -> bool) -> Self {
        Self { name, kind: Kind::Flag, optional: false, unit: "", meaning, of: Of::Flag(of) }
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

    pub(crate) fn codes_of(&self, bits: u32) -> Codes {
        Codes { bits, all: self.kind.codes() }
    }

    /// Its value in a row.
    #[must_use]
    pub fn value<'a>(&self, row: &R, names: &Names<'a>) -> Value<'a> {
        match self.of {
            Of::Text(of) => Value::Text(of(row, names)),
            Of::Code(of) => of(row).map_or(Value::Absent, |code| Value::Text(code.into())),
            Of::Codes(of) => Value::Codes(self.codes_of(of(row))),
            Of::Number(of) => {
                Some(of(row)).filter(|number| number.is_finite()).map_or(Value::Absent, Value::Number)
            }
            Of::Count(of) => of(row).map_or(Value::Absent, Value::Count),
            Of::Flag(of) => Value::Flag(of(row)),
        }
    }
}
