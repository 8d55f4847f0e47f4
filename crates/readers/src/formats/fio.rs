//! fio's JSON: for each job and direction the rate, the bandwidth and the latencies with their percentiles.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "fio",
    sign: "an object with `fio version` and `jobs`, after lines of text or not",
    harness: "fio",
    export: "fio --output-format=json --output=FILE",
    keys: &[KEYS, WORK],
    metrics: &[
        Meaning::of("throughput", "operations per second"),
        Meaning::of("transfer", "bytes per second"),
        Meaning::of("latency-mean", "time of an operation, the mean"),
        Meaning::of("latency-min", "time of the fastest operation"),
        Meaning::of("latency-max", "time of the slowest operation"),
        Meaning::of("clat-mean", "time from the issue of an operation to its end, the mean"),
        Meaning::of("clat-p50", "time from the issue of an operation to its end, the median"),
        Meaning::of("clat-p99", "time from the issue to the end that 99 of 100 operations do not exceed"),
    ],
    words: &["\"fio version\""],
    fits: |head| {
        let at = start(head.bytes()).ok_or(No::Lacks("fio version"))?;
        let head = Head::new(&head.bytes()[at..]);
        head.has_all(&["fio version", "jobs"])
            .or_else(|no| if head.has_all(&["fio version", CLIENTS]).is_ok() { Ok(()) } else { Err(no) })
    },
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let reports = all(&bytes, content.budget.limits.values);
        let Some(span) = of_run(&reports, sheet)? else { return Ok(()) };
        let Some(document) = span.document(sheet)? else { return Ok(()) };
        let run = Run::of(&document, sheet)?;
        let jobs = if document.get(CLIENTS).is_some() { CLIENTS } else { "jobs" };
        document.each(jobs, sheet, |sheet, job, line| run.job(sheet, job, line))?;
        choose(sheet);
        Ok(())
    }),
    ..Format::JSON_SUMMARY
};

/// The number of keys that are no options of a job.
const OF_RUN: usize = 3;

const KEYS: &[Key] = &[
    Key::of_run("date", Role::Date, "end of the run"),
    Key::new("version", Role::Setting, "version of the harness"),
    Key::new("hostname", Role::Environment, "name of the machine that did the job, of `fio --client`"),
    Key::new("ioengine", Role::Setting, "how the job issues its operations"),
    Key::new("filename", Role::Setting, "file or device"),
    Key::of_work("rw", Role::Setting, "pattern of the operations"),
    Key::of_work("bs", Role::Setting, "size of an operation"),
    Key::of_work("iodepth", Role::Setting, "number of operations at a time"),
    Key::of_work("numjobs", Role::Setting, "number of processes that do the job"),
    Key::of_work("size", Role::Setting, "size of the file"),
    Key::of_work("direct", Role::Setting, "whether the cache of the system is left out"),
    Key::of_work("rwmixread", Role::Setting, "share of reads in per cent"),
    Key::of_work("rate", Role::Setting, "bandwidth that the job must not exceed"),
    Key::of_work("rate_iops", Role::Setting, "operations per second that the job must not exceed"),
];

/// The jobs of `fio --client`, each with the host on which it ran.
const CLIENTS: &str = "client_stats";

/// `mixed` has all of them together, where asked for.
pub(super) const DIRECTIONS: [&str; 5] = ["read", "write", "trim", "sync", "mixed"];

/// Decides which summaries are compared by default. A sync has no time from its issue on, so that the choice for syncs
/// says nothing of the other operations.
pub(super) fn choose(sheet: &mut Sheet) {
    for of_syncs in [false, true] {
        let is_sync = |benchmark: u32| sheet.benchmarks.get(benchmark).ends_with(" sync");
        let rows = sheet.benchmark.iter().zip(&sheet.metric);
        let chosen: BTreeSet<u32> = rows
            .filter(|(benchmark, _)| is_sync(**benchmark) == of_syncs)
            .map(|(_, metric)| *metric)
            .collect();
        let names: Vec<String> =
            chosen.iter().map(|metric| sheet.metrics[*metric as usize].name.clone()).collect();
        load_metrics::choose_among(sheet, &names.iter().map(|name| &**name).collect::<Vec<_>>());
    }
}

struct Run {
    shared: Context,
    /// The options that all jobs have.
    options: Context,
    /// Whether the names of latencies have no unit, which is then the microsecond.
    is_old: bool,
}

/// The options among these fields that become keys. What is 0 is not asked for, but for a share.
fn options(fields: &Value<'_>) -> Context {
    let known = KEYS.iter().skip(OF_RUN).chain(WORK).map(|key| (key.name, key.name));
    let found = stated(fields, &known.collect::<Vec<_>>()).into_iter();
    found.filter(|(key, value)| value != "0" || key.starts_with("rwmix")).collect()
}

impl Run {
    fn of(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<Self> {
        let text = |value: &Value<'_>| value.text().unwrap_or_default().trim().to_owned();
        let version = text(&document.value("fio version", sheet)?);
        let date = text(&document.value("time", sheet)?);
        let is_old = version.starts_with("fio-2.");
        let known = [("version", version), ("date", date)].into_iter().filter(|(_, value)| !value.is_empty());
        let shared = known.map(|(key, value)| (key.to_owned(), value)).collect();
        let options = options(&document.value("global options", sheet)?);
        Ok(Self { shared, options, is_old })
    }

    fn job(&self, sheet: &mut Sheet, job: &Value<'_>, line: u32) {
        let Some(name) = sheet.need(job.text_of("jobname"), line, "name") else {
            return;
        };
        let error = job.get("error").filter(|error| !error.is_zero());
        if let Some(error) = error {
            return sheet.failed(line, name, format!("error {error}"));
        }
        let mut own = job.get("job options").map(options).unwrap_or_default();
        own.extend(stated(job, &[("hostname", "hostname")]));
        let general = self.options.iter().filter(|(key, _)| !own.iter().any(|(known, _)| known == key));
        sheet.set_context(&self.shared.iter().chain(general).chain(&own).cloned().collect::<Vec<_>>());
        for direction in DIRECTIONS {
            let object = job.object_of(direction);
            if let Some(object) = object.filter(|object| has_operations(object)) {
                self.direction(sheet, &format!("{name} {direction}"), object);
            }
        }
    }

    fn direction(&self, sheet: &mut Sheet, benchmark: &str, object: &Object<'_>) {
        let row = Measurement { benchmark, process: Some(0), ..ROW };
        // Version 2 has the bandwidth in KiB/s only.
        let bandwidth =
            if object.has("bw_bytes") { ("bw_bytes", "transfer", 1.0) } else { ("bw", "transfer", 1024.0) };
        for (key, name, factor) in [("iops", "throughput", 1.0), bandwidth] {
            let line = object.line_of(key);
            if let Some(value) = object.get(key).and_then(|value| number_of(sheet, value, line)) {
                let row = Measurement { line, aggregate: Some(Aggregate::default()), ..row };
                load_metrics::push(sheet, row, name, value * factor);
            }
        }
        let operations = object.get("total_ios");
        for (kind, metric) in [("lat", "latency"), ("clat", "clat"), ("slat", "slat")] {
            let old = object.get(kind).filter(|_| self.is_old).map(|found| (found, Scale::Over(1e6)));
            let new = object.get(&format!("{kind}_ns")).map(|found| (found, Scale::Over(1e9)));
            let Some((found, scale)) = new.or(old) else { continue };
            if let Some(times) = found.object() {
                latencies(sheet, row, metric, times, operations, scale);
            }
        }
    }
}

/// Whether there were operations in this direction. Version 2 states their bytes only.
fn has_operations(object: &Object<'_>) -> bool {
    let stated = object.get("total_ios").or_else(|| object.get("io_bytes"));
    stated.is_some_and(|count| !count.is_zero())
}

/// Reads the mean, the extremes and the percentiles of a latency.
fn latencies(
    sheet: &mut Sheet,
    row: Measurement<'_>,
    metric: &str,
    times: &Object<'_>,
    operations: Option<&Value<'_>>,
    scale: Scale,
) {
    let at = |sheet: &mut Sheet, key: &str| number_of(sheet, times.get(key)?, times.line_of(key));
    let count = at(sheet, "N").or_else(|| operations.and_then(|count| number_of(sheet, count, row.line)));
    // fio does not measure every latency.
    if count == Some(0.0) || at(sheet, "max").is_none_or(|most| most == 0.0) {
        return;
    }
    let spread = at(sheet, "stddev").map(|time| scale.apply(time));
    for key in ["mean", "min", "max"] {
        let Some(time) = at(sheet, key) else { continue };
        let aggregate = Some(Aggregate { count, deviation: spread.filter(|_| key == "mean") });
        let row = Measurement { line: times.line_of(key), aggregate, ..row };
        load_metrics::push(sheet, row, &format!("{metric}-{key}"), scale.apply(time));
    }
    let percentiles = times.object_of("percentile");
    for (found, (key, value)) in
        percentiles.into_iter().flat_map(|found| found.iter().map(move |entry| (found, entry)))
    {
        let line = found.line_of(key);
        // Version 2 fills the list with them.
        if key == "0.00" && value.is_zero() {
            sheet.dropped(1);
            continue;
        }
        let Some((name, time)) = percentile(metric, key).zip(number_of(sheet, value, line)) else {
            sheet.no_number(line, "the percentile", "", key);
            continue;
        };
        let row = Measurement { line, aggregate: Some(Aggregate { count, deviation: None }), ..row };
        load_metrics::push(sheet, row, &name, scale.apply(time));
    }
}

// The JSON reports of a file of fio: one, after or before text for people, or with `--status-interval` many,
// each on all operations of the run until then.

/// Where the JSON begins, after what fio says on standard output, or after its report for people.
pub(super) fn start(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, b"\"fio version\"")?;
    let whole = bytes.trim_ascii_start();
    if whole.starts_with(b"{") {
        Some(bytes.len() - whole.len())
    } else {
        Some(memchr::memmem::find(bytes, b"\n{")? + 1)
    }
}

/// Where the JSON ends: `--output-format=json,normal` has the report for people after it.
fn end(bytes: &[u8]) -> usize {
    let mut ends = memchr::memmem::find_iter(bytes, b"\n}").map(|at| at + 2);
    let ends_line = |end: &usize| matches!(bytes[*end..], [] | [b'\n', ..] | [b'\r', b'\n', ..]);
    ends.find(ends_line).unwrap_or(bytes.len())
}

/// The reports of a file.
pub(super) fn all(bytes: &[u8], parts: u64) -> Vec<Span<'_>> {
    let (mut reports, mut from, mut line) = (Vec::new(), 0, 1);
    let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u32;
    while let Some(before) = start(&bytes[from..]) {
        let at = from + before;
        let to = at + end(&bytes[at..]);
        line += lines(&bytes[from..at]);
        reports.push(Span::new(&bytes[at..to], line, parts));
        line += lines(&bytes[at..to]);
        from = to;
    }
    reports
}

/// The report on the whole run, which is the last one; `None`, with a problem, if the file has those of several runs.
pub(super) fn of_run<'a>(reports: &[Span<'a>], sheet: &mut Sheet) -> io::Result<Option<Span<'a>>> {
    let mut earlier: Option<State> = None;
    for report in reports.iter().filter(|_| reports.len() > 1) {
        let Some(state) = State::of(*report, sheet)? else { return Ok(None) };
        if earlier.is_some_and(|earlier| !state.continues(&earlier)) {
            let what = "the report that begins here is of another run, or of the time after --ramp_time";
            let hint =
                "write each run to a file of its own, and a run with --ramp_time without --status-interval";
            sheet.malformed(report.line, what, hint);
            return Ok(None);
        }
        earlier = Some(state);
    }
    Ok(reports.last().copied())
}

/// How far a run was when it was reported.
struct State {
    /// When, in milliseconds.
    time: f64,
    jobs: Vec<Job>,
}

/// How far a job was.
struct Job {
    name: String,
    /// For how many milliseconds it had run.
    runtime: f64,
    /// All figures of its operations.
    figures: String,
}

impl State {
    fn of(report: Span<'_>, sheet: &mut Sheet) -> io::Result<Option<Self>> {
        let Some(document) = report.document(sheet)? else { return Ok(None) };
        let time = number(&document.value("timestamp_ms", sheet)?);
        let mut jobs = Vec::new();
        let list = if document.get("jobs").is_some() { "jobs" } else { "client_stats" };
        document.each(list, sheet, |_, job, _| jobs.push(Job::of(job)))?;
        Ok(Some(Self { time, jobs }))
    }

    /// Whether it is a later state of the same run. A single job shows it: if it did nothing more, or if it has run for
    /// longer than the time between the reports. All of another run lies between them.
    fn continues(&self, earlier: &Self) -> bool {
        let between = self.time - earlier.time;
        let names = |state: &Self| state.jobs.iter().map(|job| job.name.clone()).collect::<Vec<_>>();
        let mut known =
            self.jobs.iter().zip(&earlier.jobs).filter(|(_, before)| before.runtime > 0.0).peekable();
        names(self) == names(earlier)
            && (known.peek().is_none()
                || known.any(|(now, before)| now.figures == before.figures || between < now.runtime))
    }
}

impl Job {
    fn of(job: &Value<'_>) -> Self {
        let directions: Vec<&Value<'_>> =
            ["read", "write", "trim", "sync", "mixed"].iter().filter_map(|key| job.get(key)).collect();
        let runtimes = directions.iter().filter_map(|direction| direction.get("runtime")).map(number);
        Self {
            name: job.text_of("jobname").unwrap_or_default().to_owned(),
            runtime: runtimes.fold(0.0, f64::max),
            figures: directions.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A number of a report; not a number if it is missing, so that nothing can be told from it.
fn number(value: &Value<'_>) -> f64 {
    match value {
        Value::Whole(whole) => *whole as f64,
        Value::Float(float) => *float,
        _ => f64::NAN,
    }
}

// The options of fio that say what a job does, beside the most frequent ones.

pub(super) const WORK: &[Key] = &[
    Key::of_work("rwmixwrite", Role::Setting, "share of writes in per cent").detail(),
    Key::of_work("bsrange", Role::Setting, "sizes of an operation, from and to").detail(),
    Key::of_work("bssplit", Role::Setting, "sizes of operations with their shares").detail(),
    Key::of_work(
        "io_size",
        Role::Setting,
        "bytes that the job reads and writes, where it is not the size of the file",
    )
    .detail(),
    Key::of_work("fsync", Role::Setting, "operations until data are written to the device").detail(),
    Key::of_work("fdatasync", Role::Setting, "the same without data of the file system").detail(),
    Key::of_work("sync", Role::Setting, "whether each write goes to the device").detail(),
    Key::of_work("end_fsync", Role::Setting, "whether data are written to the device at the end").detail(),
    Key::of_work("thinktime", Role::Setting, "microseconds between operations").detail(),
    Key::of_work("thinktime_blocks", Role::Setting, "operations until such a pause").detail(),
    Key::of_work("random_distribution", Role::Setting, "how the places of random operations are spread")
        .detail(),
    Key::of_work("percentage_random", Role::Setting, "share of random operations in per cent").detail(),
    Key::of_work("iodepth_batch", Role::Setting, "number of operations that are issued at once").detail(),
    Key::of_work("nrfiles", Role::Setting, "number of files").detail(),
    Key::of_work("buffered", Role::Setting, "whether the cache of the system is used").detail(),
    Key::of_work("verify", Role::Setting, "how data that are read are verified").detail(),
    Key::of_work(
        "buffer_compress_percentage",
        Role::Setting,
        "share by which data can be compressed, in per cent",
    )
    .detail(),
    Key::of_work("zonemode", Role::Setting, "how the device is divided into zones").detail(),
];
