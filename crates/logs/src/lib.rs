//! Reads the logs of a cluster's hosts: bytes in, columns of events and counts of lines out.
//!
//! A mapping (`Plan`) determines which line is which event. A host's files are read in pieces of whole lines; a
//! piece is scanned (`json`), its lines are assigned to classes and events (`piece`), and its columns are
//! appended to the host's Parquet files (`sink`), or folded first (`fold`). Any number of threads may read the pieces; they are always
//! cut and joined in the same way, so the result does not depend on it.

mod account;
mod columns;
mod conditions;
mod counts;
mod document;
mod fields;
mod fold;
mod forms;
mod gather;
mod host;
mod input;
mod json;
mod mapping;
mod paths;
mod piece;
mod pieces;
mod plan;
mod shapes;
mod sink;
mod summary;
pub mod time;
mod values;

pub use account::{Account, LeftLine, Why};
pub use columns::{Column, Events};
pub use counts::{Counts, Example, Unused, others};
pub use gather::{Gathered, Large, Run, gather, trace};
pub use host::read_hosts;
pub use host::{Job, Outcome};
pub use input::digest;
pub use input::{Input, PIECE};
pub use mapping::Mapping;
pub use piece::{Piece, Read, Spare, read};
pub use pieces::{Became, Traced};
pub use plan::{Event, FIXED, Plan, Type};
pub use summary::{Summary, summaries};
