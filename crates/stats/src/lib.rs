//! Procedures by name: the samples of one group or of many in, named columns of numbers out.
//!
//! What is computed for one group and what is computed for a million comes by the same way ([`run()`]), so that they
//! cannot differ. Groups are worked through on all cores, a block of groups at a time: beside the values and the columns
//! of the result nothing grows with their number.

mod block;
mod columns;
mod field;
mod grouping;
mod numbers;
mod options;
mod procedure;
mod procedures;
mod run;
mod warning;

pub use block::{Block, Sample};
pub use columns::{Column, Columns};
pub use field::{Field, Kind};
pub use grouping::{Grouped, Roles, group};
pub use options::{Options, Setting};
pub use procedure::{Procedure, Takes};
pub use procedures::{NAMES, procedure};
pub use run::{run, run_samples};
pub use warning::Warning;
