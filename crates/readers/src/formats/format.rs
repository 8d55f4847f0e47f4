//! What a format is: everything that is known of it, in one value.

use std::io;
use std::path::Path;

use crate::source::Content;
use crate::{Options, Sheet};

/// One format that can be read. Detection, refusals, pairing, reports and the documentation take from here what they
/// say of it.
pub struct Format {
    /// The name that `--format` takes.
    pub name: &'static str,
    /// What detection looks for, as the user reads it when nothing fits.
    pub sign: &'static str,
    /// Who writes such files.
    pub harness: &'static str,
    /// The command or the option by which it writes them; empty where it needs none.
    pub export: &'static str,
    /// The names that such files have; detection looks at none of them. Empty: any.
    pub files: &'static [&'static str],
    /// What a value is.
    pub values: Values,
    /// What is known of the processes that measured the values.
    pub processes: Processes,
    /// What the format calls the blocks that pair values; `None` where it has none.
    pub block: Option<&'static str>,
    /// Whether a file can state which way a metric is better.
    pub states_direction: bool,
    /// The configuration keys that the reader gives, beyond those that users make up; formats share lists.
    pub keys: &'static [&'static [Key]],
    /// What metrics mean that the harness names.
    pub metrics: &'static [Meaning],
    /// Whether the beginning of a file is of this format.
    pub fits: fn(&[u8]) -> bool,
    /// Reads a file: its name for messages, its path for what the folders say, its content.
    pub read: Read,
}

/// How a format is read.
pub type Read = fn(&str, &Path, &Content, &Options) -> io::Result<Vec<Sheet>>;

impl Format {
    /// Whether files of this kind carry results (a run's configuration file does not).
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.values != Values::Absent
    }

    /// Who writes such files, and how.
    #[must_use]
    pub fn written_by(&self) -> String {
        match self {
            Self { export, harness, .. } if export.starts_with(harness) => (*export).to_owned(),
            Self { export: "", harness, .. } => (*harness).to_owned(),
            Self { export, harness, .. } => format!("{harness} ({export})"),
        }
    }

    /// The configuration keys that the reader gives.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().copied().flatten()
    }

    /// Whether its configuration says something of this kind.
    #[must_use]
    pub fn carries(&self, role: Role) -> bool {
        self.keys().any(|key| key.role == role)
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// What a value of a format is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// One measurement: a time is how long it took.
    Samples,
    /// An average over iterations: a time does not say how long it took to measure.
    Averages,
    /// There are none: the file goes with others.
    Absent,
}

impl Values {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Averages => "averages",
            Self::Absent => "none",
        }
    }
}

/// What a format tells of the processes that measured its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// Nothing: values may share a process or not.
    Unknown,
    /// Each value has a process of its own.
    OneAValue,
    /// All values of a file come from one process.
    OneAFile,
    /// The file can state it for each value.
    Stated,
}

impl Processes {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::OneAValue => "one a value",
            Self::OneAFile => "one a file",
            Self::Stated => "stated",
        }
    }
}

/// A configuration key that a format gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name among the configuration.
    pub name: &'static str,
    /// What it says.
    pub role: Role,
    /// Whether values under several of its values are pooled.
    pub pooling: Pooling,
    /// What it means.
    pub meaning: &'static str,
}

impl Key {
    /// A key over which values are pooled where the variants share none of its values.
    #[must_use]
    pub const fn new(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Unshared, meaning }
    }

    /// A key that tells one run from another.
    #[must_use]
    pub const fn of_run(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Always, meaning }
    }

    /// A key whose values are different work.
    #[must_use]
    pub const fn of_work(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Never, meaning }
    }
}

/// Whether values under several values of a key are pooled where nothing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Yes: it tells one run from another, and runs are what is sampled.
    Always,
    /// Where the variants share none of its values; else each value is compared separately.
    Unshared,
    /// No: its values are different work.
    Never,
}

impl Pooling {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Unshared => "unshared",
            Self::Never => "never",
        }
    }
}

/// What a configuration key says of the values under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What was measured, or how.
    Setting,
    /// The machine or the system it was measured on.
    Environment,
    /// The commit of the program.
    Commit,
    /// When it was measured.
    Date,
    /// Which run it was.
    Run,
    /// What came of the run beside its values, or a remark on it.
    Outcome,
}

impl Role {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Setting => "setting",
            Self::Environment => "environment",
            Self::Commit => "commit",
            Self::Date => "date",
            Self::Run => "run",
            Self::Outcome => "outcome",
        }
    }
}

/// What a metric means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The metric's name as it is read.
    pub metric: &'static str,
    /// What it means.
    pub means: &'static str,
}

impl Meaning {
    /// What a metric of this name means.
    #[must_use]
    pub const fn of(metric: &'static str, means: &'static str) -> Self {
        Self { metric, means }
    }
}
