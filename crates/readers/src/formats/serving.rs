//! What load generators of servers of language models share: a run is an object with summaries of times and, if asked for,
//! with the times of each request.

use super::labelled::{Part, Report};
use super::load_metrics::tail;
use super::load_run::Figure;
use super::prelude::*;

/// The fields of results that are no summaries of times, with the names of their metrics.
const FIGURES: [(&str, &str); 22] = [
    ("request_throughput", "throughput"),
    ("request_goodput", "throughput-good"),
    // Versions of vLLM until 2025 write the colon.
    ("request_goodput:", "throughput-good"),
    ("input_throughput", "throughput-input"),
    ("output_throughput", "throughput-output"),
    ("total_token_throughput", "throughput-tokens"),
    ("total_throughput", "throughput-tokens"),
    ("input_sequence_throughput", "throughput-sequences"),
    ("max_output_tokens_per_s", "throughput-peak"),
    ("diffusion_committed_throughput", "throughput-committed"),
    ("duration", "duration"),
    ("failed", "errors"),
    ("probe_failed", "errors-probe"),
    ("concurrency", "concurrency"),
    ("max_concurrent_requests", "concurrency-max"),
    ("accept_length", "accept-length"),
    ("spec_decode_acceptance_length", "accept-length"),
    ("spec_decode_acceptance_rate", "accept-rate"),
    ("rtfx", "real-time-speed"),
    ("completed", "completed"),
    ("total_input_tokens", "tokens-input"),
    ("total_output_tokens", "tokens-output"),
];

/// The lists of the times of each request, in seconds, with their metrics.
const SAMPLES: [(&str, &str); 3] = [("latencies", "latency"), ("ttfts", "ttft"), ("itls", "itl")];

/// The families of times of which a median and a tail are compared, beside the latency.
const COMPARED: [&str; 2] = ["ttft", "tpot"];

/// The benchmark: the files name no other.
const BENCHMARK: &str = "requests";

/// The report that the load generators of vLLM and `SGLang` print.
pub(super) static PRINTED: Report = Report {
    benchmark: BENCHMARK,
    parts: &[Part::run(&["Serving Benchmark Result"], LINES)],
    finish: choose,
    ..Report::PLAIN
};

/// The same of which people kept only the times of tokens.
pub(super) static PRINTED_TIMES: Report =
    Report { parts: &[Part::run(&["Time to First Token"], LINES)], ..PRINTED };

const LINES: &[&str] = &[
    "Successful requests: <count>",
    "Failed requests: <errors 1>",
    "Benchmark duration (s): <duration s>",
    "Request throughput (req/s): <throughput 1>",
    "Request goodput (req/s): <throughput-good 1>",
    "Input token throughput (tok/s): <throughput-input 1>",
    "Output token throughput (tok/s): <throughput-output 1>",
    "Peak output token throughput (tok/s): <throughput-peak 1>",
    "Total token throughput (tok/s): <throughput-tokens 1>",
    "Total Token throughput (tok/s): <throughput-tokens 1>",
    "Mean E2E* (ms): <latency-mean ms>",
    "Median E2E* (ms): <latency-p50 ms>",
    "Mean TTFT (ms): <ttft-mean ms>",
    "Median TTFT (ms): <ttft-p50 ms>",
    "P<label> TTFT (ms): <ttft-p* ms>",
    "Mean TPOT (ms): <tpot-mean ms>",
    "Median TPOT (ms): <tpot-p50 ms>",
    "P<label> TPOT (ms): <tpot-p* ms>",
    "Mean ITL (ms): <itl-mean ms>",
    "Median ITL (ms): <itl-p50 ms>",
    "P<label> ITL (ms): <itl-p* ms>",
    "P<label> E2E* (ms): <latency-p* ms>",
];

/// How the runs of a program are described.
pub(super) struct Program {
    /// The fields that are configuration keys, also if they are numbers.
    pub(super) keys: &'static [&'static str],
    /// Adds keys from fields that hold others.
    pub(super) more: fn(&Document<'_>, &mut Run, &mut Sheet) -> io::Result<()>,
}

/// Reads the runs of a file, one after another.
pub(super) fn read(sheet: &mut Sheet, content: &Content, program: &Program) -> io::Result<()> {
    let bytes = content.all()?;
    let mut run = Run::default();
    for document in documents(&bytes, content, sheet)? {
        one(&document, sheet, &mut run, program)?;
        sheet.count(&content.budget)?;
    }
    choose(sheet);
    Ok(())
}

/// Finds the runs of a file, which are objects. Where each has a line, a broken one does not hide those after it.
fn documents<'a>(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Vec<Document<'a>>> {
    let numbered = || (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let lines = || numbered().map(|(at, line)| (at, line.trim_ascii())).filter(|(_, line)| !line.is_empty());
    let is_record = |line: &[u8]| line.starts_with(b"{");
    let mut beginning = lines().map(|(_, line)| line);
    let (first, second) = (beginning.next().unwrap_or_default(), beginning.next());
    if !is_record(first) || !(first.ends_with(b"}") || second.is_some_and(is_record)) {
        return Document::all(bytes, content, sheet);
    }
    let most = content.budget.limits.values;
    lines().filter_map(|(at, line)| Span::new(line, at, most).document(sheet).transpose()).collect()
}

/// A field of a run that holds no others.
struct Field<'a> {
    name: &'a str,
    value: Value<'a>,
    line: u32,
}

/// Reads a run.
fn one(document: &Document<'_>, sheet: &mut Sheet, run: &mut Run, program: &Program) -> io::Result<()> {
    let mut fields = Vec::new();
    for (name, span) in document.entries() {
        if !holds_others(span) {
            fields.push(Field { name, value: span.value(sheet)?, line: span.line });
        } else if is_result(name) {
            let head = String::from_utf8_lossy(&span.bytes[..span.bytes.len().min(80)]);
            sheet.no_number(span.line, name, "", &*head);
        }
    }
    let line = fields.first().map_or(1, |field| field.line);
    let find = |name: &str| fields.iter().find(|field| field.name == name);
    let (Some(stated), true) = (find("completed"), document.get("request_throughput").is_some()) else {
        sheet.lacks(line, "a run", "number `completed` and `request_throughput`");
        return Ok(());
    };
    let completed = number_of(sheet, &stated.value, stated.line).filter(|completed| *completed >= 0.0);
    let Some(completed) = completed else {
        sheet.no_number(stated.line, "completed", "", plain(&stated.value));
        return Ok(());
    };
    for field in &fields {
        // The first name of a key that later versions give another.
        let is_repeated = field.name == "endpoint_type" && find("backend").is_some();
        let is_text = matches!(field.value, Value::Text(_) | Value::Bool(_));
        let is_key = program.keys.contains(&field.name) || (is_text && !is_result(field.name));
        let value = plain(&field.value);
        if is_key && !is_repeated && field.value.is_simple() && !value.is_empty() {
            let value = if value == "Infinity" { "inf".to_owned() } else { value };
            run.context.push((field.name.to_owned(), value));
        }
    }
    (program.more)(document, run, sheet)?;
    sheet.set_context(&run.context);
    let good = succeeded(document, completed, sheet)?;
    if let Some(good) = good.as_ref().filter(|_| find("failed").is_none()) {
        run.add(BENCHMARK, "errors", good.iter().filter(|good| !**good).count() as f64, line);
    }
    if completed > 0.0 {
        let sampled = samples(document, good.as_deref().unwrap_or_default(), run.process, sheet)?;
        summaries(&fields, completed, &sampled, run, sheet);
        figures(&fields, run, sheet);
    } else {
        sheet.unanswered(line);
        let failed: Vec<Field<'_>> = fields.into_iter().filter(|field| field.name == "failed").collect();
        figures(&failed, run, sheet);
    }
    run.end(sheet);
    Ok(())
}

/// Whether a field is a result.
fn is_result(field: &str) -> bool {
    FIGURES.iter().any(|(name, _)| *name == field) || summary(field).is_some()
}

/// Whether a value is a list or an object.
fn holds_others(span: Span<'_>) -> bool {
    span.is_list() || span.bytes.starts_with(b"{")
}

/// Which of the requests succeeded, by the lists of the run. `None` if it has no lists, or if they do not say so: those of
/// versions that leave the errors out have a time of 0 for a request that failed.
fn succeeded(document: &Document<'_>, completed: f64, sheet: &mut Sheet) -> io::Result<Option<Vec<bool>>> {
    let mut good: Option<Vec<bool>> = None;
    let mut line = 0;
    for field in ["errors", "latencies", "ttfts"] {
        let Some(list) = document.get(field).filter(|list| list.is_list()) else { continue };
        let mut these = Vec::new();
        list.each(sheet, |_, value, _| {
            these.push(match value {
                Value::Text(error) => error.is_empty(),
                value => field == "errors" || is_positive(value),
            });
        })?;
        line = list.line;
        // Without a stream there is no first token.
        if field == "ttfts" && !these.contains(&true) {
            continue;
        }
        match &mut good {
            None => good = Some(these),
            Some(good) if good.len() == these.len() => {
                good.iter_mut().zip(these).for_each(|(good, this)| *good &= this);
            }
            Some(good) => good.clear(),
        }
    }
    let count = |good: &Vec<bool>| good.iter().filter(|good| **good).count() as f64;
    if good.as_ref().is_some_and(|good| count(good) != completed) {
        let what = "the lists of times do not say which requests succeeded: the summaries are read";
        sheet.problem(Code::Contradiction, line, what, "");
        return Ok(None);
    }
    Ok(good)
}

/// Whether a value is a number above 0.
fn is_positive(value: &Value<'_>) -> bool {
    match value {
        Value::Whole(whole) => *whole > 0,
        Value::Float(float) => *float > 0.0,
        _ => false,
    }
}

/// Adds the times of the requests that succeeded, and returns the metrics that have some.
fn samples(
    document: &Document<'_>,
    good: &[bool],
    process: u32,
    sheet: &mut Sheet,
) -> io::Result<Vec<&'static str>> {
    let mut sampled = Vec::new();
    for (field, metric) in SAMPLES {
        let Some(list) = document.get(field).filter(|list| list.is_list() && !good.is_empty()) else {
            continue;
        };
        let (mut number, before) = (0, sheet.len());
        list.each(sheet, |sheet, value, line| {
            let is_good = good.get(number) == Some(&true);
            number += 1;
            // The gaps between the tokens of a request are a list.
            for time in value.list().unwrap_or(std::slice::from_ref(value)) {
                if !is_good || (metric == "ttft" && time.is_zero()) {
                    sheet.dropped(1);
                    continue;
                }
                if let Some(time) = named_number(sheet, field, time, line) {
                    let row = Measurement { benchmark: BENCHMARK, line, process: Some(process), ..ROW };
                    load_metrics::push(sheet, row, metric, time);
                }
            }
        })?;
        if sheet.len() > before {
            sampled.push(metric);
        }
    }
    Ok(sampled)
}

/// What a field summarises: `mean` and `ttft` of `mean_ttft_ms`.
fn summary(field: &str) -> Option<(&str, String)> {
    let stem = field.strip_suffix("_ms")?;
    let (prefix, stem) = stem.strip_prefix("probe_").map_or(("", stem), |stem| ("probe-", stem));
    let (statistic, family) = stem.split_once('_')?;
    let is_known = matches!(statistic, "mean" | "median" | "min" | "max" | "std")
        || statistic.strip_prefix('p').is_some_and(|level| percentile("", level).is_some());
    let family = match family {
        "e2el" | "e2e_latency" => "latency",
        "e2el_including_client_queue" => "latency-with-queue",
        other => &other.replace('_', "-"),
    };
    let is_named = family.starts_with(|first: char| first.is_ascii_alphanumeric());
    (is_known && is_named).then(|| (statistic, format!("{prefix}{family}")))
}

/// Adds the summaries of times, in milliseconds, but those of which the run has the times themselves. A deviation is that
/// of the mean.
fn summaries(fields: &[Field<'_>], completed: f64, sampled: &[&str], run: &mut Run, sheet: &mut Sheet) {
    let named = fields.iter().filter_map(|field| Some((summary(field.name)?, field)));
    let known: HashMap<(&str, String), &Field<'_>> = named.collect();
    let of = |statistic: &'static str, family: &str| known.get(&(statistic, family.to_owned())).copied();
    for field in fields {
        let Some((statistic, family)) = summary(field.name) else { continue };
        let is_median_again = statistic == "p50" && of("median", &family).is_some();
        let is_absent = field.value == Value::Null;
        if is_absent || statistic == "std" || is_median_again || sampled.contains(&&*family) {
            continue;
        }
        // A program states 0 for times that it did not measure.
        if of("mean", &family).unwrap_or(field).value.is_zero() {
            sheet.dropped(1);
            continue;
        }
        let Some(value) = named_number(sheet, field.name, &field.value, field.line) else { continue };
        let name = match statistic {
            "median" => format!("{family}-p50"),
            "mean" | "min" | "max" => format!("{family}-{statistic}"),
            level => percentile(&family, &level[1..]).unwrap_or_else(|| format!("{family}-{level}")),
        };
        let deviation = of("std", &family).filter(|_| statistic == "mean");
        let deviation = deviation.and_then(|field| number_of(sheet, &field.value, field.line));
        // A request has one of these times, and several of others, or none.
        let is_of_request =
            matches!(&*family, "latency" | "latency-with-queue" | "client-queue-time" | "ttft");
        let count = Some(completed).filter(|_| is_of_request);
        // That of a single request is 0, which says nothing.
        let deviation = deviation.filter(|deviation| *deviation > 0.0).map(|deviation| deviation / 1e3);
        let aggregate = Aggregate { count, deviation };
        let (benchmark, line, value) = (BENCHMARK.to_owned(), field.line, value / 1e3);
        run.figures.push(Figure { benchmark, name, value, line, aggregate });
    }
}

/// Adds the other results.
fn figures(fields: &[Field<'_>], run: &mut Run, sheet: &mut Sheet) {
    for field in fields {
        let Some(&(_, name)) = FIGURES.iter().find(|(known, _)| *known == field.name) else { continue };
        // What nobody asked for is null.
        if field.value == Value::Null {
            continue;
        }
        // Nothing was generated, or there was no sound.
        let absent = ["throughput-output", "throughput-peak", "tokens-output", "real-time-speed"];
        if field.value.is_zero() && absent.contains(&name) {
            sheet.dropped(1);
            continue;
        }
        let Some(value) = named_number(sheet, field.name, &field.value, field.line) else { continue };
        sheet.metric(name, || described(name));
        let value = if name == "accept-rate" { value / 100.0 } else { value };
        run.add(BENCHMARK, name, value, field.line);
    }
}

/// The metric with this name.
fn described(name: &str) -> Metric {
    let other = |better| Metric { better, ..Metric::new(name, "", Quantity::Other) }.secondary();
    match name {
        "accept-length" | "accept-rate" | "real-time-speed" => other(Some(Better::Higher)),
        // How much was done follows from what was asked for.
        "completed" | "tokens-input" | "tokens-output" => {
            let count = Metric::new(name, "1", Quantity::Count).never_exact().secondary();
            Metric { better: None, ..count }
        }
        // How many requests ran at once is neither better nor worse.
        "concurrency" | "concurrency-max" => other(None),
        "throughput-output" => Metric { primary: true, ..load_metrics::described(name) },
        _ => load_metrics::described(name),
    }
}

/// Decides which times are compared by default, beside the latency: the times themselves, or else the median, or the mean,
/// and the tail.
fn choose(sheet: &mut Sheet) {
    for family in COMPARED {
        let of =
            |name: &str| name.strip_prefix(family).and_then(|rest| rest.strip_prefix('-')).map(str::to_owned);
        let level = |statistic: &str| number(statistic.strip_prefix('p')?);
        let found: Vec<(usize, String)> =
            (0..).zip(&sheet.metrics).filter_map(|(at, metric)| Some((at, of(&metric.name)?))).collect();
        let single = sheet.metrics.iter().position(|metric| metric.name == family);
        let named = |wanted: &str| found.iter().find(|(_, name)| name == wanted).map(|(at, _)| *at);
        let centre = named("p50").or_else(|| named("mean"));
        let tail = tail(found.iter().filter_map(|(at, name)| Some((level(name)?, *at))));
        let chosen = if single.is_some() { [single, None] } else { [centre, tail] };
        for at in chosen.into_iter().flatten() {
            sheet.metrics[at].primary = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_says_what_it_summarises() {
        for (field, wanted) in [
            ("mean_ttft_ms", Some(("mean", "ttft"))),
            ("p99.9_itl_ms", Some(("p99.9", "itl"))),
            ("median_e2el_ms", Some(("median", "latency"))),
            ("std_e2e_latency_ms", Some(("std", "latency"))),
            ("p99_e2el_including_client_queue_ms", Some(("p99", "latency-with-queue"))),
            ("mean_client_queue_time_ms", Some(("mean", "client-queue-time"))),
            ("probe_p99_e2el_ms", Some(("p99", "probe-latency"))),
            ("probe_ms", None),
            ("prompt_tokens_ms", None),
            ("p_x_ms", None),
            ("mean_ttft", None),
            ("mean__ms", None),
            ("mean__ttft_ms", None),
            ("probe_mean__ms", None),
            ("duration", None),
        ] {
            let found = summary(field);
            let found = found.as_ref().map(|(statistic, family)| (*statistic, &**family));
            assert_eq!(found, wanted, "{field}");
        }
    }
}
