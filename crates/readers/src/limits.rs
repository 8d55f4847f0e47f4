//! Limits on how much may be read. Real results stay far below them; files that were made to exhaust a machine,
//! or that grew by mistake, are refused with the name of the setting.

use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, io};

/// The limits. The default is unlimited; the caller supplies the program's own values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files and folders that are examined.
    pub files: u64,
    /// Bytes of all files together, after decompression.
    pub bytes: u64,
    /// Maximum ratio of the decompressed size to the compressed size of a file.
    pub expansion: u64,
    /// Bytes of a line, or of a row of a table.
    pub line: u64,
    /// Values of all files together; also the parts of one JSON document and the rows of Parquet files.
    pub values: u64,
    /// Distinct configuration keys.
    pub keys: u64,
    /// Distinct configurations.
    pub contexts: u64,
    /// Configuration keys that results take over from preceding lines, added up over all configurations.
    pub inherited: u64,
    /// Distinct metrics.
    pub metrics: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        files: u64::MAX,
        bytes: u64::MAX,
        expansion: u64::MAX,
        line: u64::MAX,
        values: u64::MAX,
        keys: u64::MAX,
        contexts: u64::MAX,
        inherited: u64::MAX,
        metrics: u64::MAX,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}

/// An exceeded limit. It travels as an [`io::Error`] through everything that reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeded {
    /// What exceeded the limit, as a sentence without its end.
    pub what: &'static str,
    /// The setting.
    pub setting: &'static str,
    /// Its value.
    pub limit: u64,
    /// The limit holds for all files together: which file exceeds it depends on chance.
    pub together: bool,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, setting, limit, .. } = self;
        write!(
            formatter,
            "{what}: the limit is {setting}={limit}. If this is intended, raise it with --limit {setting}=N or \
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

/// Returns the exceeded limit that an error reports, if any.
#[must_use]
pub fn exceeded(error: &io::Error) -> Option<&Exceeded> {
    error.get_ref()?.downcast_ref()
}

/// Fails if a count exceeds its limit.
///
/// # Errors
/// [`Exceeded`].
pub fn within(count: u64, limit: u64, setting: &'static str, what: &'static str) -> io::Result<()> {
    if count > limit { Err(Exceeded { what, setting, limit, together: false }.into()) } else { Ok(()) }
}

/// The same for a limit on all files together.
fn together(count: u64, limit: u64, setting: &'static str, what: &'static str) -> io::Result<()> {
    if count > limit { Err(Exceeded { what, setting, limit, together: true }.into()) } else { Ok(()) }
}

/// A compressed file may always expand to this size: small results compress well.
pub const GROWS_FREELY: u64 = 32 << 20;

/// What all files together have used of the limits so far; files are read in parallel.
#[derive(Debug, Default)]
pub struct Budget {
    /// The settings.
    pub limits: Limits,
    bytes: AtomicU64,
    values: AtomicU64,
}

impl Budget {
    /// An unused budget.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Counts bytes.
    ///
    /// # Errors
    /// If all files together hold too many.
    pub fn take_bytes(&self, count: u64) -> io::Result<()> {
        let used = self.bytes.fetch_add(count, Ordering::Relaxed).saturating_add(count);
        together(used, self.limits.bytes, "bytes", "the files hold too many bytes after decompression")
    }

    /// Counts values.
    ///
    /// # Errors
    /// If all files together hold too many.
    pub fn take_values(&self, count: u64) -> io::Result<()> {
        let used = self.values.fetch_add(count, Ordering::Relaxed).saturating_add(count);
        together(used, self.limits.values, "values", "the files hold too many values")
    }

    /// Checks that a file of `compressed` bytes may expand to `decompressed` bytes.
    ///
    /// # Errors
    /// If the ratio exceeds the limit.
    pub fn check_expansion(&self, decompressed: u64, compressed: u64) -> io::Result<()> {
        if decompressed <= GROWS_FREELY.saturating_add(compressed.saturating_mul(self.limits.expansion)) {
            return Ok(());
        }
        let what = "the compressed file expands to more than 32 MiB and to too many times its size";
        Err(Exceeded { what, setting: "expansion", limit: self.limits.expansion, together: false }.into())
    }
}
