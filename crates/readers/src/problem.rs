//! Problems of input: what could not be read, as a value instead of an error.

/// Why something was left out. Users meet the name of each code in the output and can look it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A line or record violates its format's grammar.
    MalformedRecord,
    /// A number is missing or is not a number.
    MalformedNumber,
    /// A value is NaN or infinite.
    NotFinite,
    /// A value of a quantity that cannot be negative is negative.
    Negative,
    /// The file ends in the middle of a line, a record or a compressed stream.
    Truncated,
    /// The file breaks its format where nothing tells what follows, so that the rest was not read.
    BrokenFile,
    /// A line is longer than any result can be.
    LineTooLong,
    /// Two statements about the same thing contradict each other.
    Contradiction,
    /// The file is empty or holds only white space.
    EmptyFile,
    /// The content matches no known format.
    UnknownFormat,
    /// The format is known, but the file holds no results.
    NoResults,
    /// The harness is known, but the file has none of its samples: another export is needed.
    NoSamples,
    /// A value was left out because the harness writes it for "none".
    Placeholder,
    /// The file could not be opened or read.
    UnreadableFile,
    /// A key occurs twice in one object; the first one is used.
    DuplicateKey,
    /// A file that accompanies results and holds none itself.
    Companion,
    /// An integer has more digits than a double can hold.
    Rounded,
    /// A file was named twice, or under two names; it counts once.
    SameFile,
    /// A file belongs to two variants.
    SharedFile,
    /// A folder contains a pipe, a socket or a device.
    NotAFile,
    /// A command of a run failed, so that it has no values.
    FailedInvocation,
    /// A build of a run failed.
    FailedBuild,
    /// A host of a run could not be used, or was lost.
    HostLost,
    /// The machine disturbed rounds of a run, by its own account.
    RoundsMarked,
    /// Processes of a command outlived it, so that what they used is not in its values.
    Outlived,
    /// A counter was not available.
    NotCounted,
    /// The role of a column was taken from the rest of the table, where nothing else makes sense.
    Assumed,
    /// Lines of a log are of no kind that the mapping names.
    OtherLines,
    /// Keys of a log have one of two events.
    UnmatchedKeys,
    /// Keys of a log have an event several times.
    RepeatedKeys,
}

impl Code {
    /// Every code, in the order of the catalogue.
    pub const ALL: [Self; 30] = [
        Self::MalformedRecord,
        Self::MalformedNumber,
        Self::NotFinite,
        Self::Negative,
        Self::Truncated,
        Self::BrokenFile,
        Self::LineTooLong,
        Self::Contradiction,
        Self::EmptyFile,
        Self::UnknownFormat,
        Self::NoResults,
        Self::NoSamples,
        Self::Placeholder,
        Self::UnreadableFile,
        Self::DuplicateKey,
        Self::Companion,
        Self::Rounded,
        Self::SameFile,
        Self::SharedFile,
        Self::NotAFile,
        Self::FailedInvocation,
        Self::FailedBuild,
        Self::HostLost,
        Self::RoundsMarked,
        Self::Outlived,
        Self::NotCounted,
        Self::Assumed,
        Self::OtherLines,
        Self::UnmatchedKeys,
        Self::RepeatedKeys,
    ];

    /// The name that is printed and that `statera explain` accepts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MalformedRecord => "malformed-record",
            Self::MalformedNumber => "malformed-number",
            Self::NotFinite => "not-finite",
            Self::Negative => "negative",
            Self::Truncated => "truncated",
            Self::BrokenFile => "broken-file",
            Self::LineTooLong => "line-too-long",
            Self::Contradiction => "contradiction",
            Self::EmptyFile => "empty-file",
            Self::UnknownFormat => "unknown-format",
            Self::NoResults => "no-results",
            Self::NoSamples => "no-samples",
            Self::Placeholder => "placeholder",
            Self::UnreadableFile => "unreadable-file",
            Self::DuplicateKey => "duplicate-key",
            Self::Companion => "companion-file",
            Self::Rounded => "rounded-number",
            Self::SameFile => "same-file",
            Self::SharedFile => "shared-file",
            Self::NotAFile => "not-a-file",
            Self::FailedInvocation => "failed-invocation",
            Self::FailedBuild => "failed-build",
            Self::HostLost => "host-lost",
            Self::RoundsMarked => "rounds-marked",
            Self::Outlived => "processes-outlived",
            Self::NotCounted => "not-counted",
            Self::Assumed => "assumed-column",
            Self::OtherLines => "other-lines",
            Self::UnmatchedKeys => "unmatched-keys",
            Self::RepeatedKeys => "repeated-keys",
        }
    }

    /// Whether something that could have been a result was left out.
    #[must_use]
    pub fn loses_data(self) -> bool {
        self.has_failed() || (!matches!(self, Self::Companion | Self::Placeholder) && !self.is_remark())
    }

    /// Whether a whole file, or the rest of one, was left out.
    #[must_use]
    pub fn loses_file(self) -> bool {
        matches!(
            self,
            Self::Truncated
                | Self::BrokenFile
                | Self::EmptyFile
                | Self::UnknownFormat
                | Self::NoResults
                | Self::NoSamples
                | Self::UnreadableFile
        )
    }

    /// Whether the reader of the results must know of it: nothing was left out, or a measurement failed.
    #[must_use]
    pub fn is_remark(self) -> bool {
        self.has_failed()
            || matches!(
                self,
                Self::Rounded
                    | Self::SameFile
                    | Self::SharedFile
                    | Self::NotAFile
                    | Self::HostLost
                    | Self::RoundsMarked
                    | Self::Outlived
                    | Self::NotCounted
                    | Self::Assumed
                    | Self::OtherLines
                    | Self::UnmatchedKeys
                    | Self::RepeatedKeys
            )
    }

    /// Whether a measurement failed.
    fn has_failed(self) -> bool {
        matches!(self, Self::FailedInvocation | Self::FailedBuild)
    }
}

/// Something that was left out, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub code: Code,
    /// The name of the file as the user would write it.
    pub source: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// What is wrong.
    pub what: String,
    /// How to mend it; may be empty.
    pub hint: &'static str,
}
