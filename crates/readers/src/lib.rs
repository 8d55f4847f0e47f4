//! Reads the results of benchmark harnesses: bytes in, columns and problems out.
//!
//! One file a format under [`formats`]; every reader fills a [`Sheet`], and [`read`] joins the sheets
//! of all files into [`Observations`]. Nothing here compares anything.

mod arguments;
pub mod arrow;
pub mod caught;
pub mod context;
pub mod export;
pub mod files;
pub mod formats;
pub mod guard;
pub mod limits;
pub mod metric;
pub mod observations;
pub mod pool;
pub mod problem;
mod reading;
pub mod sheet;
pub mod source;
pub mod text;
pub mod treacherous;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

pub use formats::{FORMATS, Format};
use limits::Budget;
pub use limits::Limits;
pub use metric::{Better, Metric, Quantity};
pub use observations::{Observations, Source};
pub use problem::{Code, Problem};
use reading::Reading;
pub use sheet::{NONE, Row, Sheet};

/// How to read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The name of the format to read every file as; detection by content where absent.
    pub format: Option<String>,
    /// For plain tables: which column plays which role, as `role=column`.
    pub columns: Vec<(String, String)>,
    /// For each argument the number of its variant: within one, a file counts once. One variant where empty.
    pub variants: Vec<usize>,
    /// How much may be read.
    pub limits: Limits,
}

/// Why nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// An argument names nothing that exists.
    Missing {
        /// The argument.
        name: String,
        /// The reason.
        why: String,
    },
    /// A file that was named could not be opened, or no format fits it.
    Unusable {
        /// The file.
        name: String,
        /// The reason.
        why: String,
    },
    /// There is more of something than a limit allows.
    TooMuch {
        /// The file, or the argument; empty where all files together are meant.
        name: String,
        /// What, how much of it may be, and how to allow more.
        why: String,
    },
    /// There is no format of this name.
    NoSuchFormat(String),
}

impl Failure {
    /// The failure that an error means, where it says that a limit was exceeded.
    fn of_limit(name: &str, error: &io::Error) -> Option<Self> {
        let exceeded = limits::exceeded(error)?;
        let name = if exceeded.together { String::new() } else { name.to_owned() };
        Some(Self::TooMuch { name, why: exceeded.to_string() })
    }
}

/// Reads all arguments: files, folders, patterns or `-`.
///
/// # Errors
/// When an argument names nothing, when a file named outright cannot be used, when the format asked for does
/// not exist, or when a limit is exceeded. A file that merely lies in a folder and cannot be used is a [`Problem`].
pub fn read(arguments: &[PathBuf], options: &Options) -> Result<Observations, Failure> {
    let forced = options.format.as_deref().map(formats::by_name).transpose()?;
    let (files, mut said) = arguments::collect(arguments, options)?;
    let reading = Reading { forced, options, budget: Arc::new(Budget::new(options.limits)) };
    let read: Result<Vec<_>, Failure> =
        files.par_iter().map(|(argument, found)| reading.read(*argument, found)).collect();
    let joined = Observations::join(read?, &options.limits);
    let mut joined = joined.map_err(|error| {
        let unusable = || Failure::Unusable { name: String::new(), why: error.to_string() };
        Failure::of_limit("", &error).unwrap_or_else(unusable)
    })?;
    joined.say(&mut said);
    Ok(joined)
}
