//! The report of tests that vitest writes from version 5 on. Each test has the benchmarks that it ran.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use super::format::{Key, Role};
use super::json::{Document, Span, Value, has_key};
use super::tinybench::{VITEST, benchmark};
use crate::text::excerpt;
use crate::{Code, Sheet};

/// Where the measurements of a benchmark are.
pub(super) const TASKS: &str = "testResults[].assertionResults[].benchmarks[].tasks";

const FILE: &str = "bench_file";

/// The key of benchmarks of one name in several files.
pub(super) const KEY: Key =
    Key::of_work(FILE, Role::Setting, "file of the benchmark, where several files have one of its name");

/// An entry of `testResults`: what a project ran in a file.
struct File<'a> {
    path: String,
    line: u32,
    status: String,
    message: String,
    tests: Option<Span<'a>>,
}

impl<'a> File<'a> {
    fn of(entry: Span<'a>, sheet: &mut Sheet) -> io::Result<Option<Self>> {
        let Some(fields) = entry.document(sheet)? else { return Ok(None) };
        let mut text =
            |key| Ok::<_, io::Error>(fields.value(key, sheet)?.text().unwrap_or_default().to_owned());
        let (path, status, message) = (text("name")?, text("status")?, text("message")?);
        let tests = fields.get("assertionResults").filter(|tests| tests.is_list());
        Ok(Some(Self { path, line: entry.line, status, message, tests }))
    }

    /// Whether a test of it ran a benchmark.
    fn has_benchmarks(&self) -> bool {
        self.tests.is_some_and(|tests| has_key(tests.bytes, "tasks"))
    }

    fn read(&self, sheet: &mut Sheet) -> io::Result<()> {
        let mut says_why = false;
        if let Some(tests) = self.tests {
            tests.each(sheet, |sheet, test, line| says_why |= !read_test(sheet, test, line))?;
        }
        if self.status == "failed" && !says_why {
            let mut what = format!("the file {} failed", excerpt(self.path.as_bytes()));
            if !self.message.is_empty() {
                what = format!("{what}: {}", excerpt(self.message.as_bytes()));
            }
            sheet.problem(Code::MalformedRecord, self.line, what, "repair the file of the benchmarks");
        }
        Ok(())
    }
}

/// Reads the report.
pub(super) fn read(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<()> {
    let Some(list) = document.get("testResults").filter(|list| list.is_list()) else {
        sheet.problem(Code::MalformedRecord, 0, "there is no list `testResults`", VITEST.export);
        return Ok(());
    };
    let mut files = Vec::new();
    for entry in list.spans(sheet)? {
        files.extend(File::of(entry, sheet)?);
    }
    let mut projects = HashMap::<&str, u32>::new();
    for file in files.iter().filter(|file| file.has_benchmarks()) {
        *projects.entry(&file.path).or_default() += 1;
    }
    let mut rows = Vec::new();
    for file in &files {
        if file.has_benchmarks() && projects.get(&*file.path).is_some_and(|count| *count > 1) {
            // Their order is another one in each report.
            let what =
                format!("several projects ran {}, which have no names here", excerpt(file.path.as_bytes()));
            sheet.problem(Code::MalformedRecord, file.line, what, "run each by itself with --project NAME");
            continue;
        }
        let start = sheet.len();
        file.read(sheet)?;
        rows.push((&*file.path, start..sheet.len()));
    }
    name_files(sheet, &rows);
    Ok(())
}

/// Reads the benchmarks of a test. Returns whether the test did not fail.
fn read_test(sheet: &mut Sheet, test: &Value<'_>, line: u32) -> bool {
    let text = |key: &str| test.get(key).and_then(Value::text).unwrap_or_default();
    let status = text("status");
    let has_passed = !matches!(status, "failed" | "pending");
    if !has_passed {
        let ending = if status == "failed" { "failed" } else { "did not end" };
        let what = format!("the test {} {ending}", excerpt(text("fullName").as_bytes()));
        let line = test.object().map_or(line, |test| test.line_of("status"));
        sheet.problem(
            Code::MalformedRecord,
            line,
            what,
            "what it had measured before is read; repair the test",
        );
    }
    for group in test.get("benchmarks").and_then(Value::list).unwrap_or(&[]) {
        let path = group.get("name").and_then(Value::text).unwrap_or_default();
        for task in group.get("tasks").and_then(Value::list).unwrap_or(&[]) {
            read_task(sheet, path, task, line);
        }
    }
    has_passed
}

fn read_task(sheet: &mut Sheet, path: &str, task: &Value<'_>, line: u32) {
    // It was measured in an earlier run and stored in a file.
    if matches!(task.get("fromStore"), Some(Value::Bool(true))) {
        return sheet.dropped(1);
    }
    let line = task.object().map_or(line, |task| task.line_of("name"));
    let Some(name) = task.get("name").and_then(Value::text) else {
        return sheet.problem(Code::MalformedRecord, line, "a benchmark without a name", VITEST.export);
    };
    let name = if path.is_empty() { name.to_owned() } else { format!("{path} > {name}") };
    benchmark(sheet, &name, task.get("latency").unwrap_or(&Value::Null), line);
}

/// Gives benchmarks of one name in several files a key with the path of the file below the folder that these share.
fn name_files(sheet: &mut Sheet, files: &[(&str, Range<usize>)]) {
    // The file of each benchmark; `None` if it is in several.
    let mut owners = HashMap::<u32, Option<usize>>::new();
    for (place, (_, rows)) in files.iter().enumerate() {
        for id in &sheet.benchmark[rows.clone()] {
            let owner = owners.entry(*id).or_insert(Some(place));
            *owner = owner.filter(|owner| *owner == place);
        }
    }
    let is_shared = |id: &u32| owners.get(id).is_some_and(Option::is_none);
    let shared: Vec<_> =
        files.iter().filter(|(_, rows)| sheet.benchmark[rows.clone()].iter().any(is_shared)).collect();
    let folder = common_folder(shared.iter().map(|(path, _)| *path));
    for (path, rows) in shared {
        let context = sheet.contexts.intern(&[(FILE.to_owned(), path[folder..].to_owned())]);
        for row in rows.clone().filter(|row| is_shared(&sheet.benchmark[*row])) {
            sheet.context[row] = context;
        }
    }
}

/// The length of the folder, with its last slash, that all paths share.
fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> usize {
    let first = paths.next().unwrap_or_default().as_bytes();
    let shared = paths.fold(first, |shared, path| {
        let same = shared.iter().zip(path.as_bytes()).take_while(|(a, b)| a == b).count();
        &shared[..same]
    });
    shared.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_share_a_folder() {
        for (paths, folder) in [
            (&["/w/a/x.ts", "/w/b/x.ts"][..], "/w/"),
            (&["/w/a/x.ts", "/w/ab/x.ts"], "/w/"),
            (&["C:/w/ä.ts", "C:/w/ö.ts"], "C:/w/"),
            (&["a.ts", "b.ts"], ""),
            (&["/w/a.ts", ""], ""),
            (&[], ""),
        ] {
            assert_eq!(common_folder(paths.iter().copied()), folder.len(), "{paths:?}");
        }
    }
}
