//! Why reading failed.

use std::io;

use crate::limits;

/// Why reading failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// An argument names nothing that exists.
    Missing {
        /// The argument.
        name: String,
        /// The reason.
        why: String,
    },
    /// A named file could not be opened, or matches no format.
    Unusable {
        /// The file.
        name: String,
        /// The reason.
        why: String,
    },
    /// A limit was exceeded.
    TooMuch {
        /// The file or the argument; empty if the limit holds for all files together.
        name: String,
        /// What exceeded the limit, the limit, and how to raise it.
        why: String,
    },
    /// No format has this name.
    NoSuchFormat(String),
}

impl Failure {
    /// Converts an error that reports an exceeded limit.
    pub(crate) fn of_limit(name: &str, error: &io::Error) -> Option<Self> {
        let exceeded = limits::exceeded(error)?;
        let name = if exceeded.together { String::new() } else { name.to_owned() };
        Some(Self::TooMuch { name, why: exceeded.to_string() })
    }
}
