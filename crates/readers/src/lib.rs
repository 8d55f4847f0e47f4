//! Reads the results of benchmark harnesses: bytes in, columns and problems out.
//!
//! One file a format under [`formats`]; every reader fills a [`Sheet`], and [`read`] joins the sheets
//! of all files into [`Observations`]. Nothing here compares anything.

pub mod arrow;
pub mod export;
pub mod formats;
pub mod guard;
pub mod metric;
pub mod observations;
pub mod pool;
pub mod problem;
pub mod sheet;
pub mod source;
pub mod text;
pub mod treacherous;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use formats::{FORMATS, Format};
pub use metric::{Better, Metric, Quantity};
pub use observations::{Observations, Source};
pub use problem::{Code, Problem};
pub use sheet::{NONE, Row, Sheet};

/// How to read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The name of the format to read every file as; detection by content where absent.
    pub format: Option<String>,
    /// For plain tables: which column plays which role, as `role=column`.
    pub columns: Vec<(String, String)>,
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
    /// There is no format of this name.
    NoSuchFormat(String),
}

/// Reads all arguments: files, folders, patterns or `-`.
///
/// # Errors
/// When an argument names nothing, when a file named outright cannot be used, or when the format asked
/// for does not exist. A file that merely lies in a folder and cannot be used is a [`Problem`].
pub fn read(arguments: &[PathBuf], options: &Options) -> Result<Observations, Failure> {
    let forced = options.format.as_deref().map(formats::by_name).transpose()?;
    let mut files: Vec<(usize, PathBuf, bool)> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let found = source::expand(argument)
            .map_err(|error| Failure::Missing { name: text::name_of(argument), why: error.to_string() })?;
        let outright = found.len() == 1 && found[0] == *argument;
        files.extend(found.into_iter().map(|path| (index, path, outright)));
    }
    let read: Result<Vec<_>, Failure> = files
        .par_iter()
        .map(|(argument, path, outright)| read_file(*argument, path, *outright, forced, options))
        .collect();
    Ok(Observations::join(read?))
}

/// What to say to a table whose columns have other names.
fn hint_of_table(content: &source::Content) -> String {
    formats::table_kind(&content.head).map_or_else(String::new, |kind| {
        format!(".\nIt looks like a table ({kind}): say what its columns are, for instance --column benchmark=NAME --column value=COLUMN")
    })
}

fn read_file(
    argument: usize,
    path: &Path,
    outright: bool,
    forced: Option<&'static Format>,
    options: &Options,
) -> Result<(Source, Vec<Sheet>), Failure> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { text::name_of(path) };
    let mut source = Source { name: name.clone(), argument, format: "", values: 0 };
    let unusable = |code: Code, why: String, hint: &'static str| {
        if outright && code != Code::EmptyFile {
            let why = if hint.is_empty() { why } else { format!("{why}; {hint}") };
            return Err(Failure::Unusable { name: name.clone(), why });
        }
        let mut sheet = Sheet::new(&name);
        sheet.problem(code, 0, why, hint);
        Ok(vec![sheet])
    };
    if formats::is_log(path) && !(outright && forced.is_some()) {
        let mut sheet = Sheet::new(&name);
        sheet.problem(Code::Companion, 0, "Sandmark's log of a run: no results in it", "");
        return Ok((source, vec![sheet]));
    }
    let content = match source::Content::open(path) {
        Ok(content) => content,
        Err(error) => return Ok((source, unusable(Code::UnreadableFile, error.to_string(), "")?)),
    };
    if content.head.trim_ascii().is_empty() && content.len() == content.head.len() {
        let what = content
            .cut
            .clone()
            .map_or("the file is empty".to_owned(), |why| format!("nothing could be decompressed: {why}"));
        return Ok((
            source,
            unusable(Code::EmptyFile, what, "run the harness again and look at its exit status")?,
        ));
    }
    // Who maps columns means a table, whatever harness might write one of the same look.
    let table = || match formats::table_kind(&content.head) {
        Some(kind) if !options.columns.is_empty() => formats::by_name(kind).ok(),
        _ => None,
    };
    let format = match forced.or_else(table).map_or_else(|| formats::detect(&content.head), Ok) {
        Ok(format) => format,
        Err(why) if outright => return Err(Failure::Unusable { name, why: why + &hint_of_table(&content) }),
        Err(_) => {
            let what = "the content is of no known format".to_owned();
            return Ok((
                source,
                unusable(Code::UnknownFormat, what, "move it elsewhere, or name the format with --format")?,
            ));
        }
    };
    source.format = format.name;
    let mut sheets = match (format.read)(&name, path, &content, options) {
        Ok(sheets) => sheets,
        Err(error) => return Ok((source, unusable(Code::UnreadableFile, error.to_string(), "")?)),
    };
    if let Some(why) = &content.cut {
        let mut sheet = Sheet::new(&name);
        sheet.problem(
            Code::Truncated,
            0,
            format!("the compressed file is cut short or damaged: {why}"),
            "what came before the damage was read; copy or compress the file again",
        );
        sheets.push(sheet);
    }
    if format.has_results && sheets.iter().all(|sheet| sheet.is_empty() && sheet.counts.is_empty()) {
        let mut sheet = Sheet::new(&name);
        sheet.problem(
            Code::NoResults,
            0,
            format!("a {} file without any result", format.name),
            "did the run match any benchmark, and did it end well?",
        );
        sheets.push(sheet);
    }
    Ok((source, sheets))
}
