//! How much may be read. Results that a harness wrote come nowhere near these numbers; files that were made
//! to exhaust a machine, or that grew by mistake, are refused with the name of the setting.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The settings. Without any, everything is read: the program's own values are the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files and folders that are looked at.
    pub files: u64,
    /// Bytes of all files together, decompressed.
    pub bytes: u64,
    /// How many times its size a compressed file may grow to.
    pub expansion: u64,
    /// Bytes of a line, or of a row of a table.
    pub line: u64,
    /// Values of all files together; also the parts of one JSON document and the rows of Parquet files.
    pub values: u64,
    /// Distinct configuration keys.
    pub keys: u64,
    /// Distinct configurations.
    pub contexts: u64,
    /// Keys of all configurations together that results take over from lines above.
    pub inherited: u64,
    /// Distinct metrics.
    pub metrics: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let none = u64::MAX;
        Self {
            files: none,
            bytes: none,
            expansion: none,
            line: none,
            values: none,
            keys: none,
            contexts: none,
            inherited: none,
            metrics: none,
        }
    }
}

/// A limit that was exceeded. It travels as an [`io::Error`] through everything that reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeded {
    /// What there is too much of, in words that follow "more than N".
    pub what: &'static str,
    /// The setting.
    pub setting: &'static str,
    /// Its value.
    pub limit: u64,
    /// It is a limit of all files together: which of them exceeded it is chance.
    pub together: bool,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, setting, limit, .. } = self;
        write!(
            formatter,
            "{what}: the limit is {setting}={limit}; if this is intended, raise it with --limit {setting}=N or \
             in the table [limits] of the settings"
        )
    }
}

impl std::error::Error for Exceeded {}

impl From<Exceeded> for io::Error {
    fn from(passed: Exceeded) -> Self {
        Self::other(passed)
    }
}

/// The limit that an error reports, if it reports one.
#[must_use]
pub fn exceeded(error: &io::Error) -> Option<&Exceeded> {
    error.get_ref()?.downcast_ref()
}

/// Stops where there are more than a setting allows.
///
/// # Errors
/// [`Exceeded`].
pub fn within(count: u64, limit: u64, setting: &'static str, what: &'static str) -> io::Result<()> {
    if count > limit { Err(Exceeded { what, setting, limit, together: false }.into()) } else { Ok(()) }
}

/// The same for all files together.
fn together(count: u64, limit: u64, setting: &'static str, what: &'static str) -> io::Result<()> {
    if count > limit { Err(Exceeded { what, setting, limit, together: true }.into()) } else { Ok(()) }
}

/// A compressed file may always grow to this: small results compress well.
pub const GROWS_FREELY: u64 = 32 << 20;

/// What all files together have used of the limits so far; files are read side by side.
#[derive(Debug, Default)]
pub struct Budget {
    /// The settings.
    pub limits: Limits,
    bytes: AtomicU64,
    values: AtomicU64,
}

impl Budget {
    /// A budget of which nothing is used.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Counts bytes.
    ///
    /// # Errors
    /// When they are more than all files may hold.
    pub fn take_bytes(&self, count: u64) -> io::Result<()> {
        let used = self.bytes.fetch_add(count, Ordering::Relaxed).saturating_add(count);
        together(used, self.limits.bytes, "bytes", "the files hold too many bytes, decompressed")
    }

    /// Counts values.
    ///
    /// # Errors
    /// When they are more than all files may hold.
    pub fn take_values(&self, count: u64) -> io::Result<()> {
        let used = self.values.fetch_add(count, Ordering::Relaxed).saturating_add(count);
        together(used, self.limits.values, "values", "the files hold too many values")
    }

    /// Whether `decompressed` bytes may come from a file of `compressed` bytes.
    ///
    /// # Errors
    /// When they are too many.
    pub fn check_expansion(&self, decompressed: u64, compressed: u64) -> io::Result<()> {
        if decompressed <= GROWS_FREELY.saturating_add(compressed.saturating_mul(self.limits.expansion)) {
            return Ok(());
        }
        let what = "the compressed file grows to more than 32 MiB and too many times its size";
        Err(Exceeded { what, setting: "expansion", limit: self.limits.expansion, together: false }.into())
    }
}
