//! Runs a procedure over groups, one block at a time.

use std::convert::Infallible;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};

use crate::block::{Block, Sample};
use crate::procedure::Procedure;
use crate::procedure::{Field, Kind};
use crate::warning::Warnings;

/// Number of groups per block: the rows fit a cache, and there is work for many cores.
const BLOCK: usize = 1 << 13;

/// Returns the results of all groups of samples in memory.
#[must_use]
pub fn run_samples(procedure: &dyn Procedure, samples: &[Sample<'_>], groups: usize) -> Columns {
    let found = run(procedure, samples.len(), groups, |start, end, work| {
        let part = samples.iter().map(|sample| Sample { offsets: &sample.offsets[start..=end], ..*sample });
        let samples: Vec<Sample<'_>> = part.collect();
        work(&Block { samples: &samples, groups: end - start });
        Ok::<(), Infallible>(())
    });
    found.unwrap_or_else(|never| match never {})
}

/// Returns the results of all groups. `load` receives the first group and the end of a range, and passes the
/// groups on as a block.
///
/// # Errors
/// Any error of `load`.
pub fn run<E>(
    procedure: &dyn Procedure,
    samples: usize,
    groups: usize,
    mut load: impl FnMut(usize, usize, &mut (dyn FnMut(&Block<'_>) + Send)) -> Result<(), E>,
) -> Result<Columns, E> {
    let fields = procedure.fields(samples);
    let width = fields.len();
    let mut columns = Columns::new(fields, groups);
    let mut rows = Vec::new();
    for start in (0..groups).step_by(BLOCK) {
        let end = (start + BLOCK).min(groups);
        rows.clear();
        rows.resize((end - start) * width, f64::NAN);
        load(start, end, &mut |block| procedure.fill(block, &mut rows))?;
        columns.append(&rows);
    }
    Ok(columns)
}

// Columns of results.

/// One column of results.
#[derive(Debug, Clone)]
pub struct Column {
    /// What it holds.
    pub field: Field,
    /// One number per group, encoded according to the field's kind.
    pub numbers: Vec<f64>,
}

/// Columns of results, one row per group.
#[derive(Debug, Clone)]
pub struct Columns {
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// Number of groups.
    pub groups: usize,
}

impl Columns {
    /// Creates columns without rows, with capacity for this many groups.
    pub(crate) fn new(fields: Vec<Field>, groups: usize) -> Self {
        let column = |field| Column { field, numbers: Vec::with_capacity(groups) };
        Self { columns: fields.into_iter().map(column).collect(), groups: 0 }
    }

    /// Appends rows that are stored one after the other.
    pub(crate) fn append(&mut self, rows: &[f64]) {
        let width = self.columns.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.numbers.extend(rows.iter().skip(at).step_by(width));
        }
        self.groups += rows.len() / width;
    }

    /// The column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field.name == name)
    }
}

impl Column {
    /// The codes of the warnings of a group, if the column holds warnings.
    #[must_use]
    pub fn codes(&self, group: usize) -> Vec<&'static str> {
        self.numbers.get(group).map_or_else(Vec::new, |&bits| Warnings::codes(bits).collect())
    }

    /// The word of a group, if the column holds words.
    #[must_use]
    pub fn word(&self, group: usize) -> Option<&'static str> {
        let number = self.numbers.get(group).copied().filter(|number| !number.is_nan())?;
        match self.field.kind {
            Kind::Word(words) => words.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Converts the column to Arrow; missing values are null.
    #[must_use]
    pub fn array(&self) -> ArrayRef {
        let present = || self.numbers.iter().map(|&number| Some(number).filter(|number| !number.is_nan()));
        match self.field.kind {
            Kind::Number => Arc::new(present().collect::<Float64Array>()),
            Kind::Count => Arc::new(present().map(|n| n.map(|n| n as i64)).collect::<Int64Array>()),
            Kind::Flag => Arc::new(present().map(|n| n.map(|n| n != 0.0)).collect::<BooleanArray>()),
            Kind::Word(words) => Arc::new(
                present().map(|n| n.and_then(|n| words.get(n as usize).copied())).collect::<StringArray>(),
            ),
            Kind::Warnings => Arc::new(StringArray::from_iter_values(
                self.numbers.iter().map(|&bits| Warnings::codes(bits).collect::<Vec<_>>().join(" ")),
            )),
        }
    }
}
