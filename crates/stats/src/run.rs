//! Runs a procedure over groups, one block at a time.

use std::convert::Infallible;

use crate::block::{Block, Sample};
use crate::columns::Columns;
use crate::procedure::Procedure;

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
