//! Procedures by name: takes the samples of one group or of many, returns named columns of numbers.
//!
//! One group and a million groups are computed by the same code ([`run()`]), so their results cannot differ.
//! Groups are processed on all cores, one block of groups at a time: apart from the values and the columns of
//! the result, no memory grows with the number of groups.
//!
//! A single call and a batch of a million groups use the same code (`run.rs`): a single call is a batch of one group,
//! so that `statera.stats.batch` and a call cannot differ.

mod block;
mod grouping;
mod options;
mod procedure;
mod procedures;
mod run;
mod warning;

pub use block::{Block, Sample};
pub use grouping::{Grouped, Roles, group};
pub use options::{Options, Setting};
pub use procedure::{Field, Kind};
pub use procedure::{Procedure, Takes};
pub use procedures::{NAMES, procedure};
pub use run::{Column, Columns};
pub use run::{run, run_samples};
pub use warning::Warning;
