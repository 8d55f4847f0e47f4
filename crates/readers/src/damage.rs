//! What readers say of malformed input: each kind of it has one wording, one code and one advice.

use crate::problem::Code;
use crate::sheet::Sheet;
use crate::text::excerpt;

const CUT: &str = "was the file cut or edited?";
const OTHER: &str = "was the file cut or edited, or does another version write it?";

impl Sheet {
    /// A number that cannot be read: its name, of what it is (empty if nothing is known), and what
    /// stands in its place (empty for nothing).
    pub(crate) fn no_number(
        &mut self,
        line: u32,
        name: impl AsRef<[u8]>,
        of: impl AsRef<[u8]>,
        shown: impl AsRef<[u8]>,
    ) {
        let (name, of, shown) = (named(name), excerpt(of), excerpt(shown));
        let of = if of.is_empty() { of } else { format!(" of {of}") };
        let shown = if shown.is_empty() { shown } else { format!(": `{shown}`") };
        self.problem(Code::MalformedNumber, line, format!("{name}{of} has no readable number{shown}"), CUT);
    }

    /// What was found, or else the problem that there is [`Self::no_number`].
    pub(crate) fn need_number<T>(
        &mut self,
        found: Option<T>,
        line: u32,
        name: impl AsRef<[u8]>,
        of: impl AsRef<[u8]>,
        shown: impl AsRef<[u8]>,
    ) -> Option<T> {
        if found.is_none() {
            self.no_number(line, name, of, shown);
        }
        found
    }

    /// A line or a cell with a number that cannot be read.
    pub(crate) fn unreadable(&mut self, line: u32, text: impl AsRef<[u8]>) {
        self.no_number(line, "the line", "", text);
    }

    /// A record or a file without something that it must have.
    pub(crate) fn lacks(&mut self, line: u32, what: impl AsRef<[u8]>, field: &str) {
        self.malformed(line, format!("{} has no {field}", named(what)), OTHER);
    }

    /// What was found in a record, or else the problem that it lacks it.
    pub(crate) fn need<T>(&mut self, found: Option<T>, line: u32, field: &str) -> Option<T> {
        self.need_of(found, line, "the record", field)
    }

    /// The same of something with a name.
    pub(crate) fn need_of<T>(
        &mut self,
        found: Option<T>,
        line: u32,
        what: impl AsRef<[u8]>,
        field: &str,
    ) -> Option<T> {
        if found.is_none() {
            self.lacks(line, what, field);
        }
        found
    }

    /// A benchmark whose numbers are not those of its work, and why, if that is known.
    pub(crate) fn failed(&mut self, line: u32, benchmark: impl AsRef<[u8]>, why: impl AsRef<[u8]>) {
        self.no_result(Code::MalformedRecord, line, benchmark, why);
    }

    /// The same with another code, such as that of a benchmark that was skipped.
    pub(crate) fn no_result(
        &mut self,
        code: Code,
        line: u32,
        benchmark: impl AsRef<[u8]>,
        why: impl AsRef<[u8]>,
    ) {
        let (benchmark, why) = (named(benchmark), excerpt(why));
        let why = if why.is_empty() { why } else { format!(": {why}") };
        let hint = "the numbers of what failed are left out. Mend it and run it again";
        self.problem(code, line, format!("{benchmark} has no result{why}"), hint);
    }

    /// A line that stands among results and is none.
    pub(crate) fn no_row(&mut self, line: u32, text: impl AsRef<[u8]>) {
        self.malformed(line, format!("`{}` is no row of results", excerpt(text)), CUT);
    }

    /// A line that should be a JSON object, and why it is none.
    pub(crate) fn no_object(&mut self, line: u32, text: &[u8], why: &str) {
        self.malformed(line, format!("`{}` is no JSON object: {why}", excerpt(text)), CUT);
    }

    /// A row with another number of cells than the header above it.
    pub(crate) fn wrong_width(&mut self, line: u32, cells: usize, columns: usize) {
        self.malformed(line, format!("a row of {cells} cells under a header of {columns}"), CUT);
    }

    /// A value in a unit that is not known.
    pub(crate) fn unknown_unit(&mut self, line: u32, what: impl AsRef<[u8]>, unit: impl AsRef<[u8]>) {
        self.malformed(line, format!("{} has the unknown unit `{}`", named(what), excerpt(unit)), OTHER);
    }

    /// A part of a file that ends too early.
    pub(crate) fn cut(&mut self, line: u32, what: impl AsRef<[u8]>) {
        let hint = "was the run ended early, or the file cut? Copy the file again or repeat the run";
        self.problem(Code::Truncated, line, format!("{} has no end", named(what)), hint);
    }

    /// A run without responses, whose times are of no request.
    pub(crate) fn unanswered(&mut self, line: u32) {
        self.problem(Code::NoResults, line, "no request got a response", "does the server run?");
    }

    /// A line that is longer than any result.
    pub(crate) fn too_long(&mut self, line: u32, text: &[u8]) {
        let what = format!("a line of {} bytes", text.len());
        self.problem(Code::LineTooLong, line, what, "no harness writes such a line; is the file damaged?");
    }
}

/// A name in a message; an empty one is quoted.
fn named(name: impl AsRef<[u8]>) -> String {
    let shown = excerpt(name);
    if shown.is_empty() { "``".to_owned() } else { shown }
}
