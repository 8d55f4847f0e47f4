//! Reads the results of benchmark harnesses: bytes in, columns and problems out.
//!
//! Each format has one file under [`formats`]. Every reader fills a [`Sheet`], and [`read`] joins the sheets of
//! all files into [`Observations`]. Nothing here compares anything.
//!
//! Large files are read in pieces. The reader divides a large Go or CSV file into pieces of 2 MiB and parses each
//! piece as it reads it, so that memory never holds the whole file or all of its lines. Afterwards it applies the
//! configuration lines, piece after piece (`formats/go.rs`).
//!
//! A run's folder is one source (`files.rs`): its journal names the outputs, so that they are not read again as loose
//! files, and gives their values the round, process and variant of their invocation.
//!
//! One run counts once. Of several exports of a run in a folder the one with most about it is read (`exports.rs`). A
//! file with the same values as another one is a copy (`copies.rs`), and leaves its variant where both have the same
//! factors (`pairing/arrange.py`): only the arrangement knows these. Files whose names say that they hold no results
//! accompany the others (`beside.rs`).
//!
//! The content decides the format, and the file name never does. Each format states how to recognize its files, and
//! why a file is not one (`formats/head.rs`). JSON is scanned once for all formats (`formats/outline.rs`). Statera
//! refuses a file that matches several formats or none, and names the nearest ones with their reasons
//! (`detection.rs`), or what the file is in place of results, such as a web page (`formats/foreign.rs`).
//! Tables that no harness is known to write are described by their headers and cells (`formats/tables/`).
//!
//! A summary is not a sample. A mean, a percentile or a throughput without its samples keeps their number and, of a
//! mean, their deviation (`sheet.rs`, `Aggregate`). One mean a side is a design of its own (`weighing/sample.rs`).
//!
//! All input has a budget (`limits.rs`). Python has the defaults, and all files share one budget. Contexts are shared
//! and not copied (`context.rs`), so that memory is at most proportional to the bytes read.

mod additions;
mod arguments;
pub mod arrow;
mod beside;
pub mod caught;
mod claims;
pub mod columns;
mod commented;
pub mod context;
mod copies;
mod damage;
pub mod detection;
mod encoding;
pub mod export;
mod exports;
pub mod failure;
pub mod files;
pub mod formats;
pub mod guard;
pub mod limits;
pub mod measured;
pub mod metric;
mod natural;
pub mod nearest;
pub mod observations;
mod partitions;
pub mod plug_ins;
pub mod pool;
mod possible;
pub mod problem;
pub mod profiles;
mod reading;
pub mod renaming;
pub mod sheet;
pub mod source;
mod splitting;
mod templates;
pub mod text;
pub mod treacherous;
mod word_list;
pub mod work;

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

pub use columns::Columns;
pub use failure::Failure;
use files::Found;
pub use formats::{FORMATS, Format, Options, PlugIns, Role};
use limits::Budget;
pub use limits::Limits;
pub use metric::{Better, Estimand, Metric, Quantity};
pub use observations::{Observations, Source};
pub use problem::{Code, Problem};
use reading::Reading;
pub use sheet::{Aggregate, Measurement, NONE, ROW, Sheet};

/// Reads all arguments: files, folders, patterns or `-`.
///
/// # Errors
/// If an argument names nothing, if a file named directly cannot be used, if the requested format does not
/// exist, or if a limit is exceeded. A file that only lies in a folder and cannot be used is a [`Problem`].
pub fn read(arguments: &[PathBuf], options: &Options) -> Result<Observations, Failure> {
    let named = |name: &str| options.named(name).ok_or_else(|| Failure::NoSuchFormat(name.to_owned()));
    let forced = options.format.as_deref().map(named).transpose()?;
    let (files, mut said) = arguments::collect(arguments, options)?;
    let reading = Reading { forced, options, budget: Arc::new(Budget::new(options.limits)) };
    let one = |(argument, found): &(usize, Found)| {
        let (source, mut sheets) = reading.read(*argument, found)?;
        partitions::state(&mut sheets, &partitions::keys(&arguments[*argument], &found.path));
        Ok((source, sheets))
    };
    let mut read = files.par_iter().map(one).collect::<Result<Vec<_>, Failure>>()?;
    exports::set_aside(&files, &mut read);
    let joined = Observations::join(read, &options.limits);
    let mut joined = joined.map_err(|error| {
        let unusable = || Failure::Unusable { name: String::new(), why: error.to_string() };
        Failure::of_limit("", &error).unwrap_or_else(unusable)
    })?;
    joined.say(&mut said);
    Ok(joined)
}
