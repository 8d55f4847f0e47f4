//! `go test -json`: the output of `go test` in records, which may hold a part of a line.

use super::go;
use super::go_units::METRICS;
use super::json::{broken_line, record};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "go-json",
    sign: "lines with `Time`, `Action` and `Package`",
    harness: "Go",
    export: "go test -bench . -json",
    values: Values::Averages,
    states_direction: true,
    keys: go::FORMAT.keys,
    metrics: METRICS,
    parts: names::of_go,
    // test2json names a package only if it is told one.
    fits: |head| {
        head.record_has_all(&["Action", "Package"]).or_else(|_| head.record_has_all(&["Action", "Output"]))
    },
    read: Read::Sheets(read),
    ..Format::PLAIN
};

/// The output of a package with the line of the file from which each of its lines came.
#[derive(Default)]
struct Output {
    text: Vec<u8>,
    lines: Vec<u32>,
}

fn read(name: &str, path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    // Packages are tested at the same time.
    let mut packages: BTreeMap<String, Output> = BTreeMap::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if !text.starts_with(b"{") {
            continue;
        }
        match record(text, line, &mut sheet) {
            Ok(Some(fields)) if fields.text_of("Action") == Some("output") => {
                let package = fields.text_of("Package").unwrap_or_default();
                let output = fields.text_of("Output").unwrap_or_default();
                let known = packages.entry(package.to_owned()).or_default();
                known.text.extend_from_slice(output.as_bytes());
                known.lines.resize(memchr::memchr_iter(b'\n', &known.text).count(), line);
            }
            Ok(_) => {}
            Err(fault) => broken_line(&mut sheet, &fault),
        }
    }
    let mut all = vec![sheet];
    for output in packages.into_values() {
        all.extend(output.read(name, path, content, options)?);
    }
    Ok(all)
}

impl Output {
    /// Reads the output as Go's format, with the lines of the records.
    fn read(
        mut self,
        name: &str,
        path: &Path,
        content: &Content,
        options: &Options,
    ) -> io::Result<Vec<Sheet>> {
        self.text.push(b'\n');
        let text = Content::limited(&self.text, content.budget.limits)?;
        let mut sheets = go::FORMAT.read.sheets(name, path, &text, options)?;
        let mut base = 0usize;
        for sheet in &mut sheets {
            let place = |line: u32| self.lines.get(base + (line as usize).saturating_sub(1)).copied();
            let last = self.lines.last().copied().unwrap_or(0);
            sheet.line.iter_mut().for_each(|line| *line = place(*line).unwrap_or(last));
            for problem in &mut sheet.problems {
                problem.line = place(problem.line).unwrap_or(last);
            }
            for statement in &mut sheet.statements {
                statement.line = place(statement.line).unwrap_or(last);
            }
            base += sheet.lines as usize;
            // The lines are those of the file already.
            sheet.lines = 0;
        }
        Ok(sheets)
    }
}
