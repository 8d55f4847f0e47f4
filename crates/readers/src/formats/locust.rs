//! Locust: the statistics of `--csv`, one row a request, and of `--json`, with a histogram of the response times.

use super::format::Companion;
use super::prelude::*;

/// The file `PREFIX_stats.csv`.
pub static STATS: Format = Format {
    name: "locust-csv",
    sign: "a header `Type,Name,Request Count,Failure Count,…`",
    harness: "Locust",
    export: "locust --csv PREFIX",
    files: &["*_stats.csv"],
    metrics: &[
        Meaning::of("throughput", "requests per second over the run"),
        Meaning::of("errors", "failed requests"),
        Meaning::of("latency-mean", "response time, the mean"),
        Meaning::of("latency-p50", "response time, the median"),
        Meaning::of("latency-p99", "response time that 99 of 100 requests do not exceed"),
        Meaning::of("latency-min", "shortest response time"),
        Meaning::of("latency-max", "longest response time"),
    ],
    companions: &[Companion {
        files: "PREFIX_stats_history.csv, PREFIX_failures.csv, PREFIX_exceptions.csv beside PREFIX_stats.csv",
        what: "Locust's history of a run, or a list of its failures",
        is: is_companion,
    }],
    fits: |head| head.header_begins(&["Type", "Name", "Request Count", "Failure Count"]),
    read: Read::Sheet(|sheet, content| {
        csv_rows::each(&content.all()?, 1, sheet, row)?;
        load_metrics::choose(sheet);
        Ok(())
    }),
    ..Format::SUMMARY
};

/// The file `PREFIX_stats_history.csv`.
pub static HISTORY: Format = Format {
    name: "locust-history",
    sign: "a header `Timestamp,User Count,Type,Name,Requests/s,…`",
    harness: "Locust",
    values: Values::refused(
        "Locust's history of a run, whose rows are averages over windows that overlap",
        "read PREFIX_stats.csv, or the output of `locust --json`",
    ),
    fits: |head| head.header_begins(&["Timestamp", "User Count", "Type", "Name", "Requests/s"]),
    ..Format::PLAIN
};

/// The files `PREFIX_requests.csv`, `PREFIX_stats.csv` and `PREFIX_distribution.csv` of versions before 1.0.
pub static OLD: Format = Format {
    name: "locust-old",
    sign: "a header `Method,Name,# requests,…`, `Type,Name,# requests,…` or `Name,# requests,50%,…`",
    harness: "Locust",
    values: Values::refused(
        "a table of Locust before version 1.0, with whole milliseconds and the percentiles in a file of their own",
        "locust --csv PREFIX of version 1.0 or later",
    ),
    fits: |head| {
        let headers: [&[&str]; 3] = [
            &["Method", "Name", "# requests"],
            &["Type", "Name", "# requests"],
            &["Name", "# requests", "50%"],
        ];
        let found = headers.into_iter().any(|columns| head.header_begins(columns).is_ok());
        No::unless(found, "its first line is none of these headers")
    },
    ..Format::PLAIN
};

pub static JSON: Format = Format {
    name: "locust",
    sign: "a list of objects with `method`, `num_requests` and `response_times`",
    harness: "Locust",
    export: "locust --headless --json",
    metrics: &[
        Meaning::of("latency", "response time of a request"),
        Meaning::of("throughput", "requests per second over the run"),
        Meaning::of("errors", "failed requests"),
    ],
    fits: |head| head.has_all(&["[].method", "[].num_requests", "[].response_times"]),
    read: Read::Sheet(read_json),
    ..Format::JSON
};

fn is_companion(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ends = ["_stats_history.csv", "_failures.csv", "_exceptions.csv"];
    let prefix = ends.iter().find_map(|end| name.strip_suffix(end));
    prefix.is_some_and(|prefix| path.with_file_name(format!("{prefix}_stats.csv")).is_file())
}

const MILLISECONDS: f64 = 1e3;

/// The name of the row that sums up all others.
const SUM: &str = "Aggregated";

/// The columns that are times, in milliseconds. The other ones are percentages such as `99.9%`.
const TIMES: [(&str, &str); 3] = [
    ("Average Response Time", "latency-mean"),
    ("Min Response Time", "latency-min"),
    ("Max Response Time", "latency-max"),
];

/// Reads the row of a request. The row of all requests together repeats them.
fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let Some(name) = sheet.need(row.text("Name"), row.line, "name") else { return };
    let kind = row.text("Type").unwrap_or_default();
    if matches!(&*kind, "" | "None") && name == SUM {
        return;
    }
    let benchmark = named(&kind, &name);
    let whole = Some(Aggregate::default());
    let values =
        Measurement { benchmark: &benchmark, line: row.line, process: Some(0), aggregate: whole, ..ROW };
    for (column, name) in [("Requests/s", "throughput"), ("Failure Count", "errors")] {
        if let Some(value) = row.number(sheet, column) {
            load_metrics::push(sheet, values, name, value);
        }
    }
    let count = row.number(sheet, "Request Count");
    let values = Measurement { aggregate: Some(Aggregate { count, deviation: None }), ..values };
    for (column, cell) in row.cells() {
        let Some(name) = time_of(column) else { continue };
        // A request that was never made has no times.
        if cell == b"N/A" || count == Some(0.0) {
            sheet.dropped(1);
            continue;
        }
        match row.number(sheet, column) {
            // A percentile below half a millisecond, or a request whose times were not taken.
            Some(0.0) => sheet.dropped(1),
            Some(time) => load_metrics::push(sheet, values, &name, time / MILLISECONDS),
            None => {}
        }
    }
}

/// The metric of a column of times.
fn time_of(column: &str) -> Option<String> {
    if let Some((_, name)) = TIMES.iter().find(|(known, _)| *known == column) {
        return Some((*name).to_owned());
    }
    // The longest time is a column of its own, which is not rounded; `50%` is the median.
    let share = column.strip_suffix('%').filter(|share| *share != "100")?;
    percentile("latency", share)
}

/// The name of a request, with its method where it has one.
pub(super) fn named(kind: &str, name: &str) -> String {
    if kind.is_empty() { name.to_owned() } else { format!("{kind} {name}") }
}

/// Histograms of a document have at most so many samples: a number of a few digits stands for them.
const MOST_SAMPLES: usize = 20_000_000;

fn read_json(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let limit = content.budget.limits.values;
    let document = Span::new(&bytes, 1, limit).value(sheet)?;
    let entries = document.list().unwrap_or_default();
    let mut at = |key: &str| -> Vec<f64> {
        let line = |entry: &Value<'_>| entry.object().map_or(0, |object| object.line_of(key));
        entries.iter().filter_map(|entry| number_of(sheet, entry.get(key)?, line(entry))).collect()
    };
    // Locust divides all numbers of requests by the duration of the whole run.
    let start = at("start_time").into_iter().fold(f64::INFINITY, f64::min);
    let end = at("last_request_timestamp").into_iter().fold(f64::NEG_INFINITY, f64::max);
    let most = MOST_SAMPLES.min(usize::try_from(limit).unwrap_or(usize::MAX));
    let mut run = Run { seconds: end - start, left: most };
    for entry in entries {
        run.request(sheet, entry);
    }
    Ok(())
}

/// What all requests of a document share.
struct Run {
    /// From the start to the last request.
    seconds: f64,
    /// How many samples of histograms may still be read.
    left: usize,
}

impl Run {
    fn request(&mut self, sheet: &mut Sheet, entry: &Value<'_>) {
        let text = |key: &str| entry.text_of(key);
        let Some((name, object)) = text("name").zip(entry.object()) else {
            return sheet.lacks(0, "a request", "name");
        };
        let benchmark = named(text("method").unwrap_or_default(), name);
        let row = Measurement { benchmark: &benchmark, process: Some(0), ..ROW };
        for (key, name, over) in
            [("num_requests", "throughput", self.seconds), ("num_failures", "errors", 1.0)]
        {
            let line = object.line_of(key);
            let value = entry.get(key).and_then(|value| number_of(sheet, value, line));
            if let Some(value) = value.filter(|_| over > 0.0) {
                let row = Measurement { line, aggregate: Some(Aggregate::default()), ..row };
                load_metrics::push(sheet, row, name, value / over);
            }
        }
        let row = Measurement { line: object.line_of("response_times"), ..row };
        self.histogram(sheet, row, entry);
    }

    /// Reads `{"48": 22, …}`: response times in milliseconds with their numbers. The order of the requests is lost.
    fn histogram(&mut self, sheet: &mut Sheet, row: Measurement<'_>, entry: &Value<'_>) {
        let mut times = Vec::new();
        let bins = entry.object_of("response_times");
        for (time, count) in bins.into_iter().flat_map(Object::iter) {
            let parsed = number(time).zip(match count {
                Value::Whole(count) => usize::try_from(*count).ok(),
                _ => None,
            });
            let Some((time, count)) = parsed else {
                return sheet.lacks(row.line, row.benchmark, "`\"time\": count` in a bin");
            };
            let Some(left) = self.left.checked_sub(count) else {
                let what = format!("{} has too many samples in its histogram", excerpt(row.benchmark));
                return sheet.malformed(row.line, what, "read the files of --csv instead");
            };
            self.left = left;
            times.extend(std::iter::repeat_n(time, count));
        }
        times.sort_by(f64::total_cmp);
        for place in scattered::places(times.len()) {
            load_metrics::push(sheet, row, "latency", times[place] / MILLISECONDS);
        }
    }
}
