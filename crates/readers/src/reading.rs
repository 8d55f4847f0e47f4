//! Reads one file. A fault of the file becomes a problem, or stops the command if the file was named directly.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::arguments::shown;
use crate::context::Context;
use crate::detection::{self, Undetected};
use crate::failure::Failure;
use crate::files::Found;
use crate::formats::foreign::foreign;
use crate::formats::format::{Format, OF_PROFILES, Options, Values};
use crate::formats::head::Head;
use crate::formats::tables::drawn;
use crate::formats::tables::{table_kind, table_question};
use crate::formats::wrapped::{self, Inside};
use crate::limits::Budget;
use crate::observations::Source;
use crate::problem::Code;
use crate::sheet::Sheet;
use crate::source::Content;
use crate::{beside, caught, claims, commented};

/// What all files have in common.
pub(crate) struct Reading<'a> {
    /// The requested format.
    pub(crate) forced: Option<&'static Format>,
    pub(crate) options: &'a Options,
    pub(crate) budget: Arc<Budget>,
}

impl Reading<'_> {
    /// The source and the sheets of a file.
    pub(crate) fn read(&self, argument: usize, found: &Found) -> Result<(Source, Vec<Sheet>), Failure> {
        let file = File { all: self, name: shown(&found.path), found };
        let mut source = Source { name: file.name.clone(), argument, format: "", values: 0 };
        let sheets = file.read(&mut source)?;
        Ok((source, sheets))
    }
}

struct File<'a> {
    all: &'a Reading<'a>,
    name: String,
    found: &'a Found,
}

impl File<'_> {
    fn read(&self, source: &mut Source) -> Result<Vec<Sheet>, Failure> {
        let companion = detection::companion(&self.found.path);
        // A file that is named is read if it can be.
        if let Some(companion) = companion.filter(|_| !self.found.outright) {
            return Ok(vec![self.companion(companion.what)]);
        }
        if let Some(what) = self.beside(beside::by_name) {
            return Ok(vec![self.companion(what)]);
        }
        let content = match Content::open(&self.found.path, &self.all.budget) {
            Ok(content) => content,
            Err(error) => return self.unreadable(&error),
        };
        if let Some(why) = emptiness(&content) {
            if let Some(what) = self.beside(beside::by_ending) {
                return Ok(vec![self.companion(what)]);
            }
            let hint = "run the harness again and look at its exit status";
            return Ok(vec![self.note(Code::EmptyFile, why, hint)]);
        }
        let content = self.uncommented(&content).unwrap_or(content);
        let mut unread = None;
        let (found, content, keys) = match self.format(&content) {
            Err(why) => match wrapped(&content, self.found.outright) {
                Ok(Some(inside)) => {
                    unread = inside.unread;
                    (Ok(inside.format), inside.content, inside.keys)
                }
                Ok(None) => (Err(why), content, Context::new()),
                Err(error) => return self.unreadable(&error),
            },
            found => (found, content, Context::new()),
        };
        let is_of_a_harness =
            self.all.forced.is_some() || found.as_ref().is_ok_and(|found| !found.is_plain_table());
        if let Some(companion) = companion.filter(|_| !is_of_a_harness) {
            return Ok(vec![self.companion(companion.what)]);
        }
        let format = match found {
            // Of a folder, what is written for people quotes results that lie beside it.
            Ok(format) if format.name == drawn::FORMAT.name && !self.found.outright => {
                let what = "a table that was drawn for people, which is read where the file itself is named";
                return Ok(vec![self.note(Code::Companion, what, "")]);
            }
            Ok(format) => format,
            Err(why) => {
                return match self.of_programs(&why.fitting, source, &content) {
                    Some(read) => read,
                    None => self.of_no_format(&why, &content),
                };
            }
        };
        source.format = format.name;
        if let Values::Refused { why, export } = format.values {
            return self.refused(why, export);
        }
        match self.values(format, &content) {
            Ok(mut sheets) => {
                format.say_untold(&mut sheets);
                for sheet in &mut sheets {
                    sheet.contexts.state(&keys);
                }
                if let (Some(line), Some(sheet)) = (unread, sheets.first_mut()) {
                    let hint = "write them as JSON to read them";
                    sheet.malformed(line, "a block of records that are no JSON is left out", hint);
                }
                sheets.extend(self.left_out(format, &content));
                Ok(self.with_doubts(sheets, format, &content))
            }
            Err(error) => self.unreadable(&error),
        }
    }

    /// The content without the marks of comments. In a folder, a source file with results of the past is none of the files
    /// to read, unless it already is one with the marks.
    fn uncommented(&self, content: &Content) -> Option<Content> {
        self.all.options.columns.is_empty().then_some(())?;
        let bare = caught::caught(|| commented::uncommented(content)).ok().flatten()?;
        let is_read = || self.format(content).is_ok_and(|format| !format.is_plain_table());
        (self.found.outright || is_read()).then_some(bare)
    }

    fn format(&self, content: &Content) -> Result<&'static Format, Undetected> {
        // A mapping of columns means a plain table, even if some harness writes a similar file.
        let table = || match table_kind(&content.head) {
            Some(kind) if !self.all.options.columns.is_empty() => detection::by_name(kind).ok(),
            _ => None,
        };
        let detect = || {
            let broken = |why| {
                let why = format!("the detection of the format failed on this content ({why})");
                Err(Undetected { why, failed: Vec::new(), fitting: Vec::new() })
            };
            let plug_ins = &self.all.options.plug_ins;
            let found = caught::caught(|| detection::detect_among(&content.head, &self.found.path, plug_ins));
            found.unwrap_or_else(broken)
        };
        self.all.forced.or_else(table).map_or_else(detect, Ok)
    }

    fn values(&self, format: &Format, content: &Content) -> io::Result<Vec<Sheet>> {
        // A bug in one reader must not stop a run that reads a hundred other files.
        let read = caught::caught(|| format.sheets(&self.name, &self.found.path, content, self.all.options));
        let mut sheets = read.unwrap_or_else(|why| {
            Err(io::Error::other(format!("made the reader of {} fail ({why})", format.name)))
        })?;
        sheets.iter_mut().try_for_each(|sheet| sheet.count(&self.all.budget))?;
        Ok(sheets)
    }

    /// Adds the problems of the file as a whole to what was read.
    fn with_doubts(&self, mut sheets: Vec<Sheet>, format: &Format, content: &Content) -> Vec<Sheet> {
        if let Some(why) = &content.cut {
            let hint = "everything before was read. Copy or compress the file again, or repeat the run";
            sheets.push(self.note(Code::Truncated, why, hint));
        }
        let is_silent = |sheet: &Sheet| sheet.counts.keys().all(|&code| code == Code::Placeholder);
        let is_bare = |sheet: &Sheet| sheet.is_empty() && is_silent(sheet);
        if format.has_results() && sheets.iter().all(is_bare) {
            // A document can quote the first line of a harness's output.
            if let Some(what) = self.beside(beside::by_ending) {
                sheets.push(self.companion(what));
                return sheets;
            }
            let what = format!("a file of {} without any result", format.name);
            let hint = "did the run match any benchmark, and did it succeed?";
            sheets.push(self.note(Code::NoResults, what, hint));
        }
        sheets
    }

    /// The results of several programs that a script collected in one file, told apart by a key; `None` if they are not such.
    fn of_programs(
        &self,
        formats: &[&'static Format],
        source: &mut Source,
        content: &Content,
    ) -> Option<Result<Vec<Sheet>, Failure>> {
        let is_printed = |format: &&Format| {
            !format.is_plain_table() && format.has_results() && !format.printed_by.is_empty()
        };
        let first = formats.first().filter(|_| formats.iter().all(is_printed))?;
        source.format = first.name;
        let mut programs = Vec::new();
        for format in formats {
            match self.values(format, content) {
                Ok(of_one) => programs.push(of_one),
                Err(error) => return Some(self.unreadable(&error)),
            }
        }
        let shared = claims::settle(&mut programs);
        for (format, sheets) in formats.iter().zip(&mut programs) {
            format.say_untold(sheets);
            let program = [("program".to_owned(), format.harness.to_owned())].to_vec();
            for sheet in sheets {
                sheet.contexts.state(&program);
            }
        }
        let mut sheets: Vec<Sheet> = programs.into_iter().flatten().collect();
        if let (Some(line), Some(sheet)) = (shared, sheets.first_mut()) {
            let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
            let what = format!(
                "the line fits several formats of this file ({}) and is read as each",
                names.join(", ")
            );
            sheet.problem(Code::Assumed, line, what, "write the output of each program to its own file");
        }
        Some(Ok(self.with_doubts(sheets, first, content)))
    }

    /// Says which other results a named format leaves out.
    fn left_out(&self, format: &'static Format, content: &Content) -> Option<Sheet> {
        let _ = self.all.forced.filter(|_| !format.is_plain_table())?;
        let others = detection::fitting(&Head::new(&content.head)).into_iter();
        let others = others
            .filter(|other| other.has_results() && !other.is_plain_table() && other.name != format.name);
        let others: Vec<&str> = others.map(|other| other.name).collect();
        let what = format!("--format {} leaves out the results of {}", format.name, others.join(", "));
        let hint = "without --format both are read";
        (!others.is_empty()).then(|| self.note(Code::MalformedRecord, what, hint))
    }

    fn unreadable(&self, error: &io::Error) -> Result<Vec<Sheet>, Failure> {
        match Failure::of_limit(&self.name, error) {
            Some(failure) => Err(failure),
            None if self.found.outright => Err(self.unusable(error.to_string())),
            None => Ok(vec![self.note(Code::UnreadableFile, error.to_string(), "")]),
        }
    }

    fn of_no_format(&self, why: &Undetected, content: &Content) -> Result<Vec<Sheet>, Failure> {
        let foreign = foreign(&content.head).filter(|_| why.failed.is_empty());
        if self.found.outright {
            if let Some(foreign) = foreign {
                return Err(self.unusable(format!("is {}. {}", foreign.what, foreign.hint)));
            }
            let question = table_question(&content.head, self.all.options).map(|(kind, asked)| {
                format!("looks like a table ({kind}) that {asked}\nIf it is no such table: ")
            });
            return Err(self.unusable(question.unwrap_or_default() + &why.to_string()));
        }
        if let Some(what) = self.beside(beside::by_ending).filter(|_| why.failed.is_empty()) {
            return Ok(vec![self.companion(what)]);
        }
        match foreign {
            Some(foreign) if foreign.is_beside => return Ok(vec![self.companion(foreign.what)]),
            Some(foreign) => {
                let what = format!("the content is {}", foreign.what);
                return Ok(vec![self.note(Code::UnknownFormat, what, foreign.hint)]);
            }
            None => {}
        }
        let hint = "move it elsewhere, or name the format with --format";
        let what =
            ["the content is of no known format"].into_iter().chain(why.failed.iter().map(String::as_str));
        Ok(vec![self.note(Code::UnknownFormat, what.collect::<Vec<_>>().join("; "), hint)])
    }

    /// What a file that a folder or a pattern led to is beside the results, if it holds none.
    fn beside(&self, what: fn(&Path) -> Option<&'static str>) -> Option<&'static str> {
        what(&self.found.path).filter(|_| !self.found.outright && self.all.forced.is_none())
    }

    fn companion(&self, what: &str) -> Sheet {
        self.note(Code::Companion, format!("{what}; it holds no results"), "")
    }

    /// The harness wrote the file, but without samples.
    fn refused(&self, why: &str, export: &str) -> Result<Vec<Sheet>, Failure> {
        let (advice, hint) = if export == OF_PROFILES {
            ("Compare it with a second one, both as files", "name two profiles")
        } else {
            ("Export them with", "run the harness again with this option")
        };
        let what = format!("is {why}, which has no samples. {advice}: {export}");
        if self.found.outright {
            return Err(self.unusable(what));
        }
        Ok(vec![self.note(Code::NoSamples, what, hint)])
    }

    fn unusable(&self, why: String) -> Failure {
        Failure::Unusable { name: self.name.clone(), why }
    }

    /// A sheet that holds only one problem of the whole file.
    fn note(&self, code: Code, what: impl Into<String>, hint: &'static str) -> Sheet {
        let mut sheet = Sheet::new(&self.name);
        sheet.problem(code, 0, what, hint);
        sheet
    }
}

/// What a script wrapped in an object of its own.
fn wrapped(content: &Content, is_named: bool) -> io::Result<Option<Inside>> {
    caught::caught(|| wrapped::inside(content, is_named)).unwrap_or(Ok(None))
}

/// Describes in what way a file is empty, if it is.
fn emptiness(content: &Content) -> Option<String> {
    if !content.head.trim_ascii().is_empty() || content.len() != content.head.len() {
        return None;
    }
    let cut = content.cut.as_ref().map(|why| format!("nothing could be read: {why}"));
    Some(cut.unwrap_or_else(|| "the file is empty".to_owned()))
}
