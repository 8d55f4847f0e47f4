//! What could not be read: a value, not an exception.

/// Why something was left out. The text of each code is the name that users meet and can look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A line or record breaks its format's grammar.
    MalformedRecord,
    /// A number is missing or is not a number.
    MalformedNumber,
    /// A value is NaN or infinite.
    NotFinite,
    /// A value is negative where the quantity cannot be.
    Negative,
    /// The file ends in the middle of a line, a record or a compressed stream.
    Truncated,
    /// A line is longer than any result can be.
    LineTooLong,
    /// Two statements about the same thing contradict each other.
    Contradiction,
    /// The file holds no bytes, or nothing but white space.
    EmptyFile,
    /// No known harness writes what the file holds.
    UnknownFormat,
    /// The file is of a known kind but holds no result.
    NoResults,
    /// The file could not be opened or read.
    UnreadableFile,
    /// A key stands twice in one object; the first one stands.
    DuplicateKey,
    /// A file that accompanies results and has none of its own.
    Companion,
    /// A whole number has more digits than a double can hold.
    Rounded,
    /// A file was named twice, or under two names; it counts once.
    SameFile,
    /// One file belongs to two variants.
    SharedFile,
    /// A pipe, a socket or a device among the files of a folder.
    NotAFile,
}

impl Code {
    /// Every code, in the order of the catalogue.
    pub const ALL: [Self; 17] = [
        Self::MalformedRecord,
        Self::MalformedNumber,
        Self::NotFinite,
        Self::Negative,
        Self::Truncated,
        Self::LineTooLong,
        Self::Contradiction,
        Self::EmptyFile,
        Self::UnknownFormat,
        Self::NoResults,
        Self::UnreadableFile,
        Self::DuplicateKey,
        Self::Companion,
        Self::Rounded,
        Self::SameFile,
        Self::SharedFile,
        Self::NotAFile,
    ];

    /// The name that is printed and that `statera explain` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MalformedRecord => "malformed-record",
            Self::MalformedNumber => "malformed-number",
            Self::NotFinite => "not-finite",
            Self::Negative => "negative",
            Self::Truncated => "truncated",
            Self::LineTooLong => "line-too-long",
            Self::Contradiction => "contradiction",
            Self::EmptyFile => "empty-file",
            Self::UnknownFormat => "unknown-format",
            Self::NoResults => "no-results",
            Self::UnreadableFile => "unreadable-file",
            Self::DuplicateKey => "duplicate-key",
            Self::Companion => "companion-file",
            Self::Rounded => "rounded-number",
            Self::SameFile => "same-file",
            Self::SharedFile => "shared-file",
            Self::NotAFile => "not-a-file",
        }
    }

    /// Whether something that could have been a result was left out.
    #[must_use]
    pub fn loses_data(self) -> bool {
        self != Self::Companion && !self.is_remark()
    }

    /// Whether nothing was left out, but whoever reads the result must know it.
    #[must_use]
    pub fn is_remark(self) -> bool {
        matches!(self, Self::Rounded | Self::SameFile | Self::SharedFile | Self::NotAFile)
    }
}

/// One thing that was left out, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub code: Code,
    /// The file's name as the user would write it.
    pub source: String,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub line: u32,
    /// What is wrong, in words.
    pub what: String,
    /// How to mend it; may be empty.
    pub hint: &'static str,
}
