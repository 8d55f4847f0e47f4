//! Histories: the results of each job in a file of its own, and the changes of level of every series over all jobs.
//!
//! A job is one execution of benchmarks for one commit on one machine. Its upload is a Parquet file with a row for each
//! series ([`table`]): the values, and their summary, so that looking for changes reads no values. What a job is, which
//! jobs form a line, and what is told of a change is decided by the caller.

mod catalog;
mod columns;
mod detection;
mod export;
mod file;
mod found;
mod found_before;
mod kept;
mod merge;
mod read_before;
mod samples;
mod summary;
mod table;
mod upload;

pub use catalog::{Catalog, Entry, Numbers, Refused, Series};
pub use columns::step;
pub use detection::{Line, Step, detect, detect_again};
pub use export::{Column, Export};
pub use file::{Most, jobs};
pub use found::Found;
pub use merge::Retention;
pub use merge::{Part, Retiring, merge};
pub use samples::{Chosen, samples};
pub use summary::Summary;
pub use upload::write;
