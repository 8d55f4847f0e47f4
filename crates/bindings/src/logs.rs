//! Reading the logs of a cluster.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_logs::{Account, Counts, Job, Mapping, Outcome, Plan, Run, Traced};
use statera_readers::limits::exceeded;

use crate::failures::{Failure, numbered};
use crate::interruption::{BEAT, interruptible};
use crate::observations::{Limits, Observations};

/// Parses a log time; returns nanoseconds since the Unix epoch, or None if the text is not a time.
#[pyfunction]
pub fn log_time(text: &str) -> Option<i64> {
    statera_logs::time::parse(text.as_bytes())
}

/// Parses a time of a log in any of the known forms; `year` stands in where it has none. Returns nanoseconds since the
/// Unix epoch, or None.
#[pyfunction]
#[pyo3(signature = (text, year))]
pub fn log_moment(text: &str, year: Option<i64>) -> Option<i64> {
    statera_logs::time::parse_any(text.as_bytes(), year)
}

/// Returns the digest of a file's bytes, by which it is recognised.
///
/// Raises `OSError` if the file cannot be read or is not a regular file.
#[pyfunction]
pub fn log_digest(py: Python<'_>, path: PathBuf) -> PyResult<u64> {
    py.detach(|| statera_logs::digest(&path)).map_err(numbered)
}

/// Reads hosts (name, files, an empty directory for the tables) by a mapping in JSON. `finished` is called with the
/// number of each host and the counts of its lines as soon as its tables are complete.
///
/// Raises `ValueError` for an invalid mapping, `OSError` if tables cannot be written, and what `finished` raises.
#[pyfunction]
pub fn read_logs(
    py: Python<'_>,
    plan: &str,
    hosts: Vec<(String, Vec<PathBuf>, PathBuf)>,
    finished: Py<PyAny>,
) -> PyResult<()> {
    let plan = Plan::new(plan).map_err(PyValueError::new_err)?;
    let jobs: Vec<_> =
        hosts.into_iter().map(|(host, files, directory)| Job { host, files, directory }).collect();
    let (stop, refused) = (AtomicBool::new(false), Mutex::new(None));
    let tell = |number: usize, outcome: &Outcome| {
        Python::attach(|py| {
            let told = outcome_dict(py, &plan, outcome).and_then(|dict| finished.call1(py, (number, dict)));
            told.map(drop).map_err(|error| {
                refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                io::Error::other("refused")
            })
        })
    };
    let read = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let (plan, jobs, stop, tell) = (&plan, &jobs, &stop, &tell);
            let reading = scope.spawn(move || {
                // Dropped at the end, also after an error.
                let _done = done;
                statera_logs::read_hosts(plan, jobs, stop, tell)
            });
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                #[allow(
                    clippy::redundant_closure_for_method_calls,
                    reason = "the method is not general enough"
                )]
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(signal);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            reading.join().unwrap_or_else(|_| Err(io::Error::other("the reader broke down")))
        })
    });
    match refused.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => read.map_err(numbered),
    }
}

fn outcome_dict<'py>(py: Python<'py>, plan: &Plan, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let counts = &outcome.counts;
    let dict = PyDict::new(py);
    let (analysed, skipped) =
        (counts.analysed.iter().sum::<u64>(), counts.skipped.iter().flatten().sum::<u64>());
    for (key, value) in [
        ("lines", counts.lines),
        ("noise", counts.noise),
        ("broken", counts.broken),
        ("cut", counts.cut),
        ("other", counts.others.iter().sum()),
        ("emitted", counts.emitted),
        ("mapped", analysed + skipped),
        ("analysed", analysed),
        ("skipped", skipped),
        ("bytes", counts.bytes),
    ] {
        dict.set_item(key, value)?;
    }
    dict.set_item("resolution", counts.resolution())?;
    dict.set_item("first", counts.times.map(|times| times.0))?;
    dict.set_item("last", counts.times.map(|times| times.1))?;
    let others = statera_logs::others(plan);
    dict.set_item("others", used(others.iter().map(String::as_str).zip(counts.others)))?;
    let names = plan.events.iter().map(|event| event.name.as_str());
    dict.set_item("events", used(names.zip(counts.analysed.iter().copied())))?;
    dict.set_item("skips", skips(plan, counts))?;
    dict.set_item("unmapped", counts.unmapped.iter().collect::<Vec<_>>())?;
    let examples = counts.examples.iter().flat_map(|(why, examples)| {
        examples.iter().map(|example| (why.word(), example.file, example.line, example.text.as_str()))
    });
    dict.set_item("examples", examples.collect::<Vec<_>>())?;
    dict.set_item("troubles", &outcome.troubles)?;
    dict.set_item("digests", &outcome.digests)?;
    Ok(dict)
}

fn used<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<(&'a str, u64)> {
    counts.filter(|count| count.1 > 0).collect()
}

fn skips<'a>(plan: &'a Plan, counts: &Counts) -> Vec<(&'a str, &'a str, u64)> {
    let by_event = plan.events.iter().zip(&counts.skipped);
    let reasons = by_event.flat_map(|(event, skipped)| {
        let reasons = event.reasons.iter().map(String::as_str).zip(skipped.iter().copied());
        reasons.map(|(reason, count)| (event.name.as_str(), reason, count))
    });
    reasons.filter(|skip| skip.2 > 0).collect()
}

/// A host and its files, each with its path and the name that messages have.
type Host = (String, Vec<(PathBuf, String)>);

/// What became of the lines of a run: `statera.reading.logs.Account`.
type Accounted<'py> = Bound<'py, PyDict>;

/// Reads the logs of runs (name, number of the argument, hosts) by a mapping in JSON. Returns the observations, and for
/// each run what became of its lines.
///
/// Raises `ValueError` for an invalid mapping, and `Failure` if a limit is exceeded.
#[pyfunction]
pub fn gather_logs<'py>(
    py: Python<'py>,
    mapping: &str,
    runs: Vec<(String, usize, Vec<Host>)>,
    limits: Limits,
) -> PyResult<(Observations, Vec<Accounted<'py>>)> {
    let mapping = Mapping::new(mapping).map_err(PyValueError::new_err)?;
    let runs: Vec<Run> =
        runs.into_iter().map(|(name, argument, hosts)| Run { name, argument, hosts }).collect();
    let limits = limits.into();
    let read = interruptible(py, move || statera_logs::gather(&mapping, &runs, &limits))?;
    let read = read.map_err(|error| match exceeded(&error) {
        Some(limit) => Failure::new_err(("too-much", String::new(), limit.to_string())),
        None => numbered(error),
    })?;
    let accounts = read.accounts.iter().zip(&read.large);
    let accounts =
        accounts.map(|(account, large)| account_dict(py, account, large)).collect::<PyResult<_>>()?;
    Ok((Observations { inner: read.observations }, accounts))
}

fn account_dict<'py>(
    py: Python<'py>,
    account: &Account,
    large: &[statera_logs::Large],
) -> PyResult<Accounted<'py>> {
    let dict = PyDict::new(py);
    for (key, value) in [
        ("lines", account.lines),
        ("other", account.other),
        ("long", account.long),
        ("timeless", account.timeless),
        ("unused", account.unused),
        ("bytes", account.bytes),
    ] {
        dict.set_item(key, value)?;
    }
    dict.set_item("kinds", &account.kinds)?;
    dict.set_item("taken", &account.taken)?;
    dict.set_item("unusable", &account.unusable)?;
    let large =
        large.iter().map(|one| (one.sample, one.value, &one.unit, &one.of, &one.place.0, one.place.1));
    dict.set_item("large", large.collect::<Vec<_>>())?;
    Ok(dict)
}

/// Reads the first lines of a file by a mapping in JSON, and returns what each became: `statera.reading.logs.Traced`.
///
/// Raises `ValueError` for an invalid mapping, and `OSError` if the file cannot be opened.
#[pyfunction]
pub fn trace_logs<'py>(
    py: Python<'py>,
    mapping: &str,
    path: PathBuf,
    host: &str,
    most: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mapping = Mapping::new(mapping).map_err(PyValueError::new_err)?;
    let traced = py.detach(|| statera_logs::trace(&mapping, &path, host, most)).map_err(numbered)?;
    traced.iter().map(|one| traced_dict(py, one)).collect()
}

fn traced_dict<'py>(py: Python<'py>, one: &Traced) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("line", one.line)?;
    dict.set_item("text", &one.text)?;
    dict.set_item("kind", &one.kind)?;
    dict.set_item("at", one.at)?;
    dict.set_item("is_timed", one.is_timed)?;
    dict.set_item("fields", &one.fields)?;
    let samples = one.samples.iter().map(|(name, became)| (name, &became.value, became.words));
    dict.set_item("samples", samples.collect::<Vec<_>>())?;
    Ok(dict)
}

/// A summary: numbers of benchmark, metric and configuration, count, mean, quantiles, largest value.
type Summarised = (u32, u32, u32, usize, f64, Vec<f64>, f64);

/// Summarises observations, with quantiles at `levels`.
#[pyfunction]
pub fn summarise_logs(py: Python<'_>, observations: &Observations, levels: Vec<f64>) -> Vec<Summarised> {
    let made = py.detach(|| statera_logs::summaries(&observations.inner, &levels));
    let one = |one: statera_logs::Summary| {
        (one.benchmark, one.metric, one.context, one.count, one.mean, one.quantiles, one.most)
    };
    made.into_iter().map(one).collect()
}
