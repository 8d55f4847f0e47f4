//! The description of a format: everything that is known about it, in one value. What its reader is given beside the
//! file are the options: with them come the other formats, of which the outputs of a run can be.

use super::console::Console;
use super::csv_rows::{self, Row};
use super::head::{Fit, Head, No};
use super::json::{Document, Span, Value};
use super::labelled::Report;
use super::names::Parts;
use super::page::{self, Print};
use super::{console, labelled};
use super::{headings, names};
use crate::limits::Limits;
use crate::sheet::Sheet;
use crate::source::Content;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A format that can be read. Detection, error messages, pairing, reports and the documentation use this description.
pub struct Format {
    /// The name that `--format` takes.
    pub name: &'static str,
    /// What detection looks for, in words; users read it if no format fits.
    pub sign: &'static str,
    /// The program that writes such files.
    pub harness: &'static str,
    /// The command or the option that makes it write them; empty if none is needed.
    pub export: &'static str,
    /// The names that such files have; empty for any name. Detection does not use them.
    pub files: &'static [&'static str],
    /// What a value is: a sample or an average.
    pub values: Values,
    /// What is known about the processes that measured the values.
    pub processes: Processes,
    /// The programs that print it, if lines between several runs in a file can say what tells these apart: titles, and
    /// command lines of these programs (`headings.rs`); [`OWN_PROGRAM`] where each user has one of their own. Empty for a file
    /// that no text is put between.
    pub printed_by: &'static [&'static str],
    /// How labels begin that the program prints itself, and not in each run; with `*` before it what stands anywhere in one.
    pub own_labels: &'static [&'static str],
    /// Whether the program prints none of its settings, such as the number of connections: then nothing tells whether results
    /// of one name are of the same work.
    pub hides_settings: bool,
    /// The format's word for the blocks that pair values; `None` if it has no blocks.
    pub block: Option<&'static str>,
    /// The configuration key that names the variants of a file, in their order; `None` if a file has one variant.
    pub variants: Option<&'static str>,
    /// Whether a file can state the better direction of a metric.
    pub states_direction: bool,
    /// The lists of configuration keys that the reader sets, beside those that users define. Formats share lists.
    pub keys: &'static [&'static [Key]],
    /// The meanings of the metrics that the harness names.
    pub metrics: &'static [Meaning],
    /// Files without results beside those of this format, which their place and name show.
    pub companions: &'static [Companion],
    /// What reads the format, if a plug-in describes it; `fits` and `read` are not called then.
    pub plug_in: Option<&'static dyn Reader>,
    /// The parts of a benchmark's name that can be used as keys.
    pub parts: Parts,
    /// Words of which the beginning of a file with this format has at least one; none if `fits` asks for little. Detection
    /// looks for those of all formats at once, and asks only the formats that are possible then.
    pub words: &'static [&'static str],
    /// Whether the beginning of a file has this format, and why not.
    pub fits: fn(&Head<'_>) -> Fit,
    /// Reads a file.
    pub(crate) read: Read,
}

/// The function that reads a format, which takes of a file what it needs.
pub(crate) enum Read {
    /// Fills the sheet of a file from its bytes.
    Bytes(fn(&mut Sheet, &[u8])),
    /// Fills the sheet of a file.
    Sheet(fn(&mut Sheet, &Content) -> io::Result<()>),
    /// Fills the sheet of a file that is one JSON object.
    Document(fn(&mut Sheet, &Document<'_>) -> io::Result<()>),
    /// Fills the sheet of a file that is JSON objects, each of another run.
    Documents(fn(&mut Sheet, &Document<'_>) -> io::Result<()>),
    /// Fills the sheet of a file that is a JSON list, by its elements with their lines.
    Elements(fn(&mut Sheet, &Value<'_>, u32)),
    /// Fills the sheet of a file about which its folders and what is beside it say something.
    InPlace(fn(&mut Sheet, &Path, &Content) -> io::Result<()>),
    /// Fills the sheet of a CSV file, row by row.
    Row(fn(&mut Sheet, &Row<'_>)),
    /// Reads what such a page declares.
    Page(&'static Print),
    /// Reads what such a report declares.
    Report(&'static Report),
    /// Reads what such an output declares.
    Console(&'static Console),
    /// Takes the name for messages, the path for what the folders state, and the content.
    Sheets(fn(&str, &Path, &Content, &Options) -> io::Result<Vec<Sheet>>),
}

impl Read {
    /// Reads a file.
    pub(crate) fn sheets(
        &self,
        name: &str,
        path: &Path,
        content: &Content,
        options: &Options,
    ) -> io::Result<Vec<Sheet>> {
        let mut sheet = Sheet::new(name);
        match self {
            Self::Bytes(read) => read(&mut sheet, &content.all()?),
            Self::Sheet(read) => read(&mut sheet, content)?,
            Self::Document(read) => {
                let bytes = content.all()?;
                if let Some(document) = Document::of(&bytes, content, &mut sheet)? {
                    read(&mut sheet, &document)?;
                }
            }
            Self::Documents(read) => {
                for document in Document::all(&content.all()?, content, &mut sheet)? {
                    sheet.next_run();
                    read(&mut sheet, &document)?;
                }
            }
            Self::Elements(read) => {
                Span::new(&content.all()?, 1, content.budget.limits.values).each(&mut sheet, read)?;
            }
            Self::InPlace(read) => read(&mut sheet, path, content)?,
            Self::Row(read) => csv_rows::each(&content.all()?, 1, &mut sheet, read)?,
            Self::Page(print) => drop(page::read(&mut sheet, &content.all()?, print)),
            Self::Report(report) => labelled::read(&mut sheet, &content.all()?, report),
            Self::Console(console) => console::read(&mut sheet, &content.all()?, console),
            Self::Sheets(read) => return read(name, path, content, options),
        }
        Ok(vec![sheet])
    }
}

/// What reads a format in place of functions of this crate.
pub trait Reader: Send + Sync {
    /// Whether the beginning of a file has the format.
    ///
    /// # Errors
    /// Why not.
    fn fit(&self, head: &Head<'_>) -> Fit;
    /// Reads a file of the format.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn sheets(&self, format: &Format, name: &str, path: &Path, content: &Content) -> io::Result<Vec<Sheet>>;
}

/// Options of reading.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the format in which to read every file; detected from the content if absent.
    pub format: Option<String>,
    /// The roles of columns in plain tables, as `role=column`.
    pub columns: Vec<(String, String)>,
    /// Keys by which the caller compares: a column of this name that can be a key is one.
    pub keys: Vec<String>,
    /// The number of the variant of each argument: a file counts once within a variant. If empty, there is one
    /// variant.
    pub variants: Vec<usize>,
    /// Limits on how much may be read.
    pub limits: Limits,
    /// The formats of this crate, in the order in which detection asks them.
    pub formats: &'static [&'static Format],
    /// The formats of plug-ins.
    pub plug_ins: PlugIns,
}

impl Options {
    /// The format with this name, of this crate or of a plug-in.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&'static Format> {
        let own = self.formats.iter().copied().find(|format| format.name == name);
        own.or_else(|| self.plug_ins.named(name))
    }
}

/// Finds the formats of plug-ins. Nothing is loaded before the first question.
pub trait Registry: Send + Sync {
    /// The format with this name, if a plug-in has it and can be loaded.
    fn named(&self, name: &str) -> Option<&'static Format>;
    /// All formats of plug-ins, and the plug-ins that cannot be loaded, with the reasons.
    fn all(&self) -> (Vec<&'static Format>, Vec<String>);
}

/// The plug-ins of the program that reads; none by default.
#[derive(Clone, Default)]
pub struct PlugIns(Option<Arc<dyn Registry>>);

impl PlugIns {
    /// Takes the formats of a registry.
    #[must_use]
    pub fn of(registry: Arc<dyn Registry>) -> Self {
        Self(Some(registry))
    }

    /// The format of a plug-in with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&'static Format> {
        self.0.as_ref().and_then(|registry| registry.named(name))
    }

    /// All formats of plug-ins, and why some cannot be loaded.
    #[must_use]
    pub fn all(&self) -> (Vec<&'static Format>, Vec<String>) {
        self.0.as_ref().map(|registry| registry.all()).unwrap_or_default()
    }
}

impl std::fmt::Debug for PlugIns {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_some() { "plug-ins" } else { "no plug-ins" })
    }
}

/// The key of a result whose name others have that stand below another heading.
const HEADINGS: &[Key] = &[Key::of_work(
    headings::HEADING,
    Role::Setting,
    "heading above the results, where results below other headings have the same name",
)];

/// The program of a harness that is linked into it: its name is that of no harness.
pub const OWN_PROGRAM: &[&str] = &[""];

/// What takes profiles, in place of an option that exports samples.
pub const OF_PROFILES: &str = "statera compare OLD NEW";

/// The harness of plain tables.
pub const PLAIN_TABLE: &str = "a table of your own";

impl Format {
    /// A description to which a format adds what it has: `Format { name: "…", ..Format::PLAIN }`.
    pub const PLAIN: Self = Self {
        name: "",
        sign: "",
        harness: "",
        export: "",
        files: &[],
        values: Values::Samples,
        processes: Processes::Unknown,
        printed_by: &[],
        own_labels: &[],
        hides_settings: false,
        block: None,
        variants: None,
        states_direction: false,
        keys: &[],
        metrics: &[],
        companions: &[],
        plug_in: None,
        parts: |name, _| names::path(name, "/"),
        words: &[],
        fits: |_| Err(No::Because("it is not described")),
        read: Read::Sheets(|_, _, _, _| Ok(Vec::new())),
    };

    /// The same for a report that a program prints.
    pub const REPORT: Self = Self {
        export: "standard output",
        values: Values::Aggregates,
        processes: Processes::Stated,
        printed_by: OWN_PROGRAM,
        ..Self::PLAIN
    };

    /// The same for a file of JSON that one process writes.
    pub const JSON: Self = Self { files: &["*.json"], processes: Processes::OneAFile, ..Self::PLAIN };

    /// The same for a file of CSV that one process writes.
    pub const CSV: Self = Self { files: &["*.csv"], ..Self::JSON };

    /// The same for summaries that one process writes.
    pub const SUMMARY: Self =
        Self { values: Values::Aggregates, processes: Processes::OneAFile, ..Self::PLAIN };

    /// The same for summaries in JSON that one process writes.
    pub const JSON_SUMMARY: Self = Self { files: &["*.json"], ..Self::SUMMARY };

    /// Whether files of this format have results that can be read.
    #[must_use]
    pub fn has_results(&self) -> bool {
        matches!(self.values, Values::Samples | Values::Averages | Values::Aggregates)
    }

    /// Whether the beginning of a file has this format.
    ///
    /// # Errors
    /// Why not.
    pub fn fit(&self, head: &Head<'_>) -> Fit {
        self.plug_in.map_or_else(|| (self.fits)(head), |plug_in| plug_in.fit(head))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn sheets(
        &self,
        name: &str,
        path: &Path,
        content: &Content,
        options: &Options,
    ) -> io::Result<Vec<Sheet>> {
        if let Some(plug_in) = self.plug_in {
            return plug_in.sheets(self, name, path, content);
        }
        let mut sheets = self.read.sheets(name, path, content, options)?;
        if !self.printed_by.is_empty() {
            headings::tell_apart(&mut sheets, content, self.printed_by, self.own_labels)?;
        }
        Ok(sheets)
    }

    /// Says of results that may be of different work that they count as repetitions.
    pub(crate) fn say_untold(&self, sheets: &mut [Sheet]) {
        if self.hides_settings {
            headings::say_untold(sheets, self.harness);
        }
    }

    /// Whether it is a table that no harness writes.
    #[must_use]
    pub fn is_plain_table(&self) -> bool {
        self.harness == PLAIN_TABLE
    }

    /// Returns the program that writes such files, with the command or option.
    #[must_use]
    pub fn written_by(&self) -> String {
        match self {
            Self { harness, values: Values::Refused { .. }, .. } => (*harness).to_owned(),
            Self { export, harness, .. } if export.starts_with(harness) => (*export).to_owned(),
            Self { export: "", harness, .. } => (*harness).to_owned(),
            Self { export, harness, .. } => format!("{harness} ({export})"),
        }
    }

    /// The command or option that makes the harness write a file that can be read; empty if none is needed.
    #[must_use]
    pub fn export(&self) -> &'static str {
        if let Values::Refused { export, .. } = self.values { export } else { self.export }
    }

    /// Lists the configuration keys that the reader sets.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        let headings = if self.printed_by.is_empty() { &[] } else { HEADINGS };
        self.keys.iter().copied().flatten().chain(headings)
    }

    /// Whether its configuration has a key with this role.
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
    /// One measurement: a time is the duration of the measurement.
    Samples,
    /// An average over iterations: a time is not the duration of the measurement.
    Averages,
    /// A summary of samples that the file does not have: a mean, a median, a percentile, a throughput.
    Aggregates,
    /// No values: the file accompanies others.
    Absent,
    /// The harness wrote the file, but not with the option that exports its samples. It is recognized and not read.
    Refused {
        /// What the file is: `the table that the harness prints`.
        why: &'static str,
        /// The command or option that exports samples: `harness --json FILE`.
        export: &'static str,
    },
}

impl Values {
    /// What is recognized and not read: what the file is, and what exports samples.
    pub(super) const fn refused(why: &'static str, export: &'static str) -> Self {
        Self::Refused { why, export }
    }

    /// Returns its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Averages => "averages",
            Self::Aggregates => "aggregates",
            Self::Absent => "none",
            Self::Refused { .. } => "refused",
        }
    }
}

/// A file without results beside those of a format: a log, a configuration, a picture.
#[derive(Debug, Clone, Copy)]
pub struct Companion {
    /// Its place and name, for users.
    pub files: &'static str,
    /// What it is: `Sandmark's log of a run`.
    pub what: &'static str,
    /// Whether a path is one. The file is not opened.
    pub is: fn(&Path) -> bool,
}

/// What a format states about the processes that measured its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// Nothing: values may share a process or not.
    Unknown,
    /// Each value has a process of its own.
    OneAValue,
    /// All values of a file come from one process, or of each run that was appended to it.
    OneAFile,
    /// The file can state it for each value.
    Stated,
}

impl Processes {
    /// Returns its word.
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

/// A configuration key of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name in the configuration.
    pub name: &'static str,
    /// What it describes.
    pub role: Role,
    /// Whether results with different values of this key are pooled.
    pub pooling: Pooling,
    /// Its meaning.
    pub meaning: &'static str,
    /// Whether the head of a table leaves it out, where all values share it.
    pub detail: bool,
}

impl Key {
    /// A key over which results are pooled if the variants have none of its values in common.
    #[must_use]
    pub const fn new(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Unshared, meaning, detail: false }
    }

    /// A key that distinguishes runs.
    #[must_use]
    pub const fn of_run(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Always, meaning, detail: false }
    }

    /// A key whose values mean different work.
    #[must_use]
    pub const fn of_work(name: &'static str, role: Role, meaning: &'static str) -> Self {
        Self { name, role, pooling: Pooling::Never, meaning, detail: false }
    }

    /// A setting over which results are pooled if the variants have none of its values in common.
    #[must_use]
    pub const fn setting(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, Role::Setting, meaning)
    }

    /// A setting whose values mean different work.
    #[must_use]
    pub const fn work(name: &'static str, meaning: &'static str) -> Self {
        Self::of_work(name, Role::Setting, meaning)
    }

    /// What a file says of the machine.
    #[must_use]
    pub const fn environment(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, Role::Environment, meaning)
    }

    /// The date of a run.
    #[must_use]
    pub const fn date(meaning: &'static str) -> Self {
        Self::of_run("date", Role::Date, meaning)
    }

    /// The key as a detail: readers of a table seldom ask for it, and documents and reports have it.
    #[must_use]
    pub const fn detail(self) -> Self {
        Self { detail: true, ..self }
    }
}

/// Whether results with different values of a key are pooled by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Yes: the key distinguishes runs, and runs are the sample.
    Always,
    /// If the variants have none of its values in common; otherwise each value is compared separately.
    Unshared,
    /// No: its values mean different work.
    Never,
}

impl Pooling {
    /// Returns its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Unshared => "unshared",
            Self::Never => "never",
        }
    }
}

/// What a configuration key describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What was measured, or how it was measured.
    Setting,
    /// The machine or the system of the measurement.
    Environment,
    /// The commit of the program.
    Commit,
    /// The time of the measurement.
    Date,
    /// The run.
    Run,
    /// A result of the run beside its values, or a note about it.
    Outcome,
}

impl Role {
    /// Returns its word.
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

/// The meaning of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The metric's name as the reader sets it.
    pub metric: &'static str,
    /// Its meaning.
    pub means: &'static str,
}

impl Meaning {
    /// The meaning of the metric with this name.
    #[must_use]
    pub const fn of(metric: &'static str, means: &'static str) -> Self {
        Self { metric, means }
    }
}
