//! Reads the logs of a cluster's hosts: bytes in, columns of events and counts of lines out.
//!
//! Which line is which event is said by a mapping (`Plan`). A host's files are read in pieces of whole lines; a piece
//! is scanned (`json`), its lines are put into classes and events (`piece`), and its columns are appended to the
//! host's Parquet files (`sink`). Pieces may be read by any number of threads; they are cut and put together in the
//! same way, so that the result is always the same.

mod columns;
mod counts;
mod digest;
mod document;
mod extract;
mod host;
mod hosts;
mod input;
mod json;
mod paths;
mod piece;
mod plan;
mod shapes;
mod sink;
pub mod time;
mod values;

pub use columns::{Column, Events};
pub use counts::{Counts, Example, Unused, others};
pub use digest::digest;
pub use host::{Job, Outcome};
pub use hosts::read_hosts;
pub use input::{Input, PIECE};
pub use piece::{Piece, Read, Spare, read};
pub use plan::{Event, FIXED, Plan, Type};
