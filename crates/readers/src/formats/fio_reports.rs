//! The JSON reports of a file of fio: one, after or before text for people, or with `--status-interval` many, each on all
//! operations of the run until then.

use std::io;

use super::json::{Span, Value};
use crate::{Code, Sheet};

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
///
/// # Errors
/// If a report has more parts than the limits allow.
pub(super) fn of_run<'a>(reports: &[Span<'a>], sheet: &mut Sheet) -> io::Result<Option<Span<'a>>> {
    let mut earlier: Option<State> = None;
    for report in reports.iter().filter(|_| reports.len() > 1) {
        let Some(state) = State::of(*report, sheet)? else { return Ok(None) };
        if earlier.is_some_and(|earlier| !state.continues(&earlier)) {
            let what = "the report that begins here is of another run, or of the time after --ramp_time";
            let hint =
                "write each run to a file of its own, and a run with --ramp_time without --status-interval";
            sheet.problem(Code::MalformedRecord, report.line, what, hint);
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
            name: job.get("jobname").and_then(Value::text).unwrap_or_default().to_owned(),
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
