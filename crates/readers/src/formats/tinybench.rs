//! tinybench's tasks as JSON, and vitest's benchmarks, which tinybench measures. Times are milliseconds. tinybench
//! sorts its samples.

use super::prelude::*;
use std::ops::Range;

use super::json::has_key;

/// The tasks of a program that writes them itself.
pub static TASKS: Format = Format {
    name: "tinybench",
    sign: "a list of objects with `name` and with `result` that holds `latency`, or with `name` and with `latency` that holds `df`",
    harness: "tinybench",
    export: "JSON.stringify(bench.tasks.map(t => ({name: t.name, result: t.result}))) with retainSamples: true",
    keys: &[&[
        Key::setting("runtime", "runtime of the benchmarks: node, bun or deno"),
        Key::setting("runtime_version", "version of the runtime"),
    ]],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["[].name"])?;
        // What `map(t => ({name: t.name, ...t.result}))` writes.
        if [SPREAD, OLD_SPREAD].iter().any(|paths| head.has_all(paths).is_ok()) {
            return Ok(());
        }
        head.has_all(&["[].result"])?;
        any(head, &["[].result.latency", "[].result.samples", "[].result.state"])
    },
    read: Read::Elements(read_tasks),
    ..Format::JSON
};

/// What a list of results has. All of it precedes the samples, which can be many.
const SPREAD: &[&str] = &["[].latency.critical", "[].latency.df"];
/// The same before version 3.
const OLD_SPREAD: &[&str] = &["[].totalTime", "[].hz", "[].period", "[].samples"];

/// Whether the file has the results of tinybench without the names of their tasks: `bench.results`, or the rows of
/// `bench.table()`, whose numbers are texts.
pub(super) fn is_without_tasks(head: &Head<'_>) -> Fit {
    let is_table = || {
        head.has_all(&["[].Task name", "[].Samples"])
            .or_else(|_| head.has_all(&["[].Task Name", "[].Samples"]))
    };
    head.has_none(&["[].name"]).and_then(|()| head.has_all(SPREAD)).or_else(|_| is_table())
}

/// The report of vitest.
pub static VITEST: Format = Format {
    name: "vitest",
    sign: "an object with `files` that hold `groups` of `benchmarks`, or with `testResults` that hold `tasks` of `benchmarks`",
    harness: "vitest",
    export: "vitest bench --run --reporter=json --outputFile=FILE with benchmark.retainSamples; before version 5 vitest bench \
             --outputJson FILE with benchmark.includeSamples",
    keys: &[&[Key::work(PROJECT, "number of the project, where several run a file"), KEY]],
    metrics: METRICS,
    fits: |head| {
        let is_report = head.json()?.child("testResults").is_some();
        head.has_all(&[if is_report { VITEST_TASKS } else { "files[].groups[].benchmarks" }])
    },
    read: Read::Document(read_vitest),
    ..Format::JSON
};

const PROJECT: &str = "project";

const METRICS: &[Meaning] =
    &[Meaning::of("time", "time of one call; without samples, the mean over the calls")];

fn any(head: &Head<'_>, paths: &[&'static str]) -> Fit {
    let found = head.json()?;
    let has = paths.iter().any(|path| found.at(path).is_some());
    if has { Ok(()) } else { Err(No::Lacks(paths[0])) }
}

fn read_tasks(sheet: &mut Sheet, task: &Value<'_>, line: u32) {
    let Some(name) = sheet.need(task.text_of("name"), line, "name") else {
        return;
    };
    let result = task.get("result").unwrap_or(task);
    sheet.set_context(&stated(result, &[("runtime", "runtime"), ("runtimeVersion", "runtime_version")]));
    // Before version 3 the samples were in the result itself.
    benchmark(sheet, name, result.get("latency").unwrap_or(result), line);
}

fn read_vitest(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    if document.get("testResults").is_some() {
        read(document, sheet)?;
        return Ok(());
    }
    let mut files = Vec::new();
    document.each("files", sheet, |sheet, file, line| {
        let (start, path) = (sheet.len(), file.text_of("filepath").unwrap_or_default());
        let mut id = None;
        for group in file.elements("groups") {
            let path = group.text_of("fullName").unwrap_or_default();
            for entry in group.elements("benchmarks") {
                let line = entry.object().map_or(line, |entry| entry.line_of("name"));
                id = id.or_else(|| Some(file_id(entry.get("id")?.text()?).to_owned()));
                let Some(name) = sheet.need(entry.text_of("name"), line, "name") else {
                    continue;
                };
                let name = if path.is_empty() { name.to_owned() } else { format!("{path} > {name}") };
                benchmark(sheet, &name, entry, line);
            }
        }
        // A file without an id is no other entry's.
        let id = id.unwrap_or_else(|| format!("#{:09}", files.len()));
        files.push(Entry { path: path.to_owned(), id, rows: start..sheet.len() });
    })?;
    name_projects(sheet, &files);
    Ok(())
}

/// An entry of `files`: what a project measured in a file.
struct Entry {
    path: String,
    /// What the ids of its benchmarks begin with.
    id: String,
    rows: Range<usize>,
}

/// What the id of a benchmark has of its file: vitest adds the places of the group and of the benchmark to a hash of the
/// path and of the name of the project.
fn file_id(id: &str) -> &str {
    id.find('_').map_or(id, |end| &id[..end])
}

/// Numbers the projects of each file that several ran. The report does not name them; their ids are the same in each report
/// of a program, but not their order.
fn name_projects(sheet: &mut Sheet, files: &[Entry]) {
    let mut projects: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for entry in files.iter().filter(|entry| !entry.path.is_empty()) {
        projects.entry(&entry.path).or_default().insert(&entry.id);
    }
    // The place of each id, found once for all entries of a file.
    let places: HashMap<(&str, &str), usize> = projects
        .iter()
        .filter(|(_, ids)| ids.len() > 1)
        .flat_map(|(path, ids)| (1..).zip(ids).map(|(place, id)| ((*path, *id), place)))
        .collect();
    for entry in files {
        let Some(place) = places.get(&(entry.path.as_str(), entry.id.as_str())) else { continue };
        let context = sheet.contexts.intern(&[(PROJECT.to_owned(), place.to_string())]);
        sheet.context[entry.rows.clone()].fill(context);
    }
}

/// Reads the samples or, without them, the mean with its deviation.
pub(super) fn benchmark(sheet: &mut Sheet, name: &str, result: &Value<'_>, line: u32) {
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark: name, metric, line, process: Some(0), ..ROW };
    let samples = result.elements("samples");
    for place in scattered::places(samples.len()) {
        push_value(sheet, row, &samples[place], 1e3);
    }
    if !samples.is_empty() {
        return;
    }
    let mut number = |key: &str| result.get(key).and_then(|value| number_of(sheet, value, line));
    let Some(mean) = number("mean") else {
        return sheet.failed(line, name, "");
    };
    // The degrees of freedom are one less than the samples.
    let count =
        number("sampleCount").or_else(|| number("samplesCount")).or_else(|| number("df").map(|df| df + 1.0));
    let deviation = number("sd").map(|deviation| deviation / 1e3);
    sheet.push(Measurement { value: mean / 1e3, aggregate: Some(Aggregate { count, deviation }), ..row });
}

// The report of tests that vitest writes from version 5 on. Each test has the benchmarks that it ran.

/// Where the measurements of a benchmark are.
pub(super) const VITEST_TASKS: &str = "testResults[].assertionResults[].benchmarks[].tasks";

const FILE: &str = "bench_file";

/// The key of benchmarks of one name in several files.
pub(super) const KEY: Key =
    Key::work(FILE, "file of the benchmark, where several files have one of its name");

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
            sheet.failed(self.line, &self.path, &self.message);
        }
        Ok(())
    }
}

/// Reads the report.
pub(super) fn read(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<()> {
    let Some(list) = document.get("testResults").filter(|list| list.is_list()) else {
        sheet.lacks(0, "the file", "list `testResults`");
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
            let what = format!("several projects ran {}, which have no names here", excerpt(&file.path));
            sheet.malformed(file.line, what, "run each by itself with --project NAME");
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
    let text = |key: &str| test.text_of(key).unwrap_or_default();
    let status = text("status");
    let has_passed = !matches!(status, "failed" | "pending");
    if !has_passed {
        let ending = if status == "failed" { "failed" } else { "did not end" };
        let what = format!("the test {} {ending}", excerpt(text("fullName")));
        let line = test.object().map_or(line, |test| test.line_of("status"));
        sheet.malformed(line, what, "what it had measured before is read. Repair the test");
    }
    for group in test.elements("benchmarks") {
        let path = group.text_of("name").unwrap_or_default();
        for task in group.elements("tasks") {
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
    let Some(name) = sheet.need(task.text_of("name"), line, "name") else {
        return;
    };
    let name = if path.is_empty() { name.to_owned() } else { format!("{path} > {name}") };
    benchmark(sheet, &name, task.get("latency").unwrap_or(&Value::Null), line);
}

/// Gives benchmarks of one name in several files a key with the path of the file below the folder that these share.
pub(super) fn name_files(sheet: &mut Sheet, files: &[(&str, Range<usize>)]) {
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
