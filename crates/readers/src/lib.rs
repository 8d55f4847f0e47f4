//! Reads the results of benchmark harnesses: bytes in, columns and problems out.
//!
//! One file a format under [`formats`]; every reader fills a [`Sheet`], and [`read`] joins the sheets
//! of all files into [`Observations`]. Nothing here compares anything.

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
pub mod sheet;
pub mod source;
pub mod text;
pub mod treacherous;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use files::{Found, Identity};
pub use formats::{FORMATS, Format};
use limits::Budget;
pub use limits::Limits;
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
    /// The failure that an error means, where it says that a limit was passed.
    fn of_limit(name: &str, error: &io::Error) -> Option<Self> {
        let passed = limits::passed(error)?;
        let name = if passed.together { String::new() } else { name.to_owned() };
        Some(Self::TooMuch { name, why: passed.to_string() })
    }
}

/// Reads all arguments: files, folders, patterns or `-`.
///
/// # Errors
/// When an argument names nothing, when a file named outright cannot be used, when the format asked for does
/// not exist, or when a limit is passed. A file that merely lies in a folder and cannot be used is a [`Problem`].
pub fn read(arguments: &[PathBuf], options: &Options) -> Result<Observations, Failure> {
    let forced = options.format.as_deref().map(formats::by_name).transpose()?;
    let (files, mut said) = collect(arguments, options)?;
    let budget = Arc::new(Budget::new(options.limits));
    let read: Result<Vec<_>, Failure> = files
        .par_iter()
        .map(|(argument, found)| read_file(*argument, found, forced, options, &budget))
        .collect();
    let joined = Observations::join(read?, &options.limits);
    let mut joined = joined.map_err(|error| {
        let unusable = || Failure::Unusable { name: String::new(), why: error.to_string() };
        Failure::of_limit("", &error).unwrap_or_else(unusable)
    })?;
    joined.say(&mut said);
    Ok(joined)
}

/// The files of all arguments, each once within a variant; and what is to be said of those that came again.
fn collect(arguments: &[PathBuf], options: &Options) -> Result<(Vec<(usize, Found)>, Sheet), Failure> {
    let mut files: Vec<(usize, Found)> = Vec::new();
    let mut said = Sheet::default();
    let mut known: HashMap<Identity, (PathBuf, HashSet<usize>)> = HashMap::new();
    for (index, argument) in arguments.iter().enumerate() {
        let name = text::name_of(argument);
        let variant = options.variants.get(index).copied().unwrap_or(0);
        let mut expansion = files::expand(argument, &options.limits).map_err(|error| {
            let missing = || Failure::Missing { name: name.clone(), why: error.to_string() };
            Failure::of_limit(&name, &error).unwrap_or_else(missing)
        })?;
        said.take_problems(&mut expansion.said);
        for found in expansion.files {
            let (first, variants) =
                known.entry(found.identity.clone()).or_insert_with(|| (found.path.clone(), HashSet::new()));
            let again = variants.contains(&variant);
            if again {
                said.say(
                    Code::SameFile,
                    &found.path,
                    &format!("is the same file as {}; it counts once", shown(first)),
                );
                continue;
            }
            if !variants.is_empty() && !found.is_file {
                let why = "can be read only once, and two variants are to come from it; write it to a file"
                    .to_owned();
                return Err(Failure::Unusable { name: shown(&found.path), why });
            }
            if !variants.is_empty() {
                let what = format!("is the same file as {}, which belongs to another variant", shown(first));
                said.say(Code::SharedFile, &found.path, &what);
            }
            variants.insert(variant);
            files.push((index, found));
        }
        let files = files.len() as u64;
        limits::within(files, options.limits.files, "files", "there are too many files").map_err(
            |error| {
                Failure::of_limit(&name, &error).unwrap_or(Failure::Missing { name, why: error.to_string() })
            },
        )?;
    }
    Ok((files, said))
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { text::name_of(path) }
}

/// What to say to a table whose columns have other names.
fn hint_of_table(content: &source::Content) -> String {
    formats::table_kind(&content.head).map_or_else(String::new, |kind| {
        format!(".\nIt looks like a table ({kind}): say what its columns are, for instance --column benchmark=NAME --column value=COLUMN")
    })
}

fn read_file(
    argument: usize,
    found: &Found,
    forced: Option<&'static Format>,
    options: &Options,
    budget: &Arc<Budget>,
) -> Result<(Source, Vec<Sheet>), Failure> {
    let Found { path, outright, .. } = found;
    let (name, outright) = (shown(path), *outright);
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
    let unreadable = |error: io::Error| match Failure::of_limit(&name, &error) {
        Some(failure) => Err(failure),
        None => unusable(Code::UnreadableFile, error.to_string(), ""),
    };
    let content = match source::Content::open(path, budget) {
        Ok(content) => content,
        Err(error) => return Ok((source, unreadable(error)?)),
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
    let detect = || {
        let broken = |why| Err(format!("the content breaks the detection of formats ({why})"));
        caught::caught(|| formats::detect(&content.head)).unwrap_or_else(broken)
    };
    let format = match forced.or_else(table).map_or_else(detect, Ok) {
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
    // A fault of a reader must not take down the run that reads a hundred other files.
    let read = caught::caught(|| (format.read)(&name, path, &content, options))
        .unwrap_or_else(|why| Err(io::Error::other(format!("broke the reader of {} ({why})", format.name))));
    let counted = read.and_then(|mut sheets| {
        sheets.iter_mut().try_for_each(|sheet| sheet.count(budget))?;
        Ok(sheets)
    });
    let mut sheets = match counted {
        Ok(sheets) => sheets,
        Err(error) => return Ok((source, unreadable(error)?)),
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
