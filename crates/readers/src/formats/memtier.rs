//! What `memtier_benchmark` prints, and the JSON of `--json-out-file`.

use super::prelude::*;

/// The tables that it prints.
pub static TEXT: Format = Format {
    name: "memtier",
    sign: "a header with `Type`, `Ops/sec`, `Hits/sec`, `Misses/sec` and `KB/sec`",
    harness: "memtier_benchmark",
    printed_by: &["memtier_benchmark"],
    own_labels: &["RUN #"],
    keys: &[KEYS],
    metrics: METRICS,
    words: &["KB/sec"],
    fits: |head| head.has_line(|line| !columns(line).is_empty()),
    read: Read::Bytes(read_text),
    ..Format::REPORT
};

/// Its JSON.
pub static JSON: Format = Format {
    name: "memtier-json",
    sign: "an object with `configuration`, `run information` and `ALL STATS`",
    harness: "memtier_benchmark",
    export: "memtier_benchmark --json-out-file=FILE",
    processes: Processes::Stated,
    keys: &[KEYS, WORK],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["run information"])?;
        let root = head.json()?;
        let is_table = |(name, _): (&str, _)| name == "ALL STATS" || name.starts_with(AVERAGES);
        No::unless(root.children().any(is_table), "it has no `ALL STATS`")
    },
    read: Read::Document(read_json),
    files: &["*.json"],
    values: Values::Aggregates,
    ..Format::PLAIN
};

const KEYS: &[Key] = &[
    Key::work("threads", "number of threads of the load generator"),
    Key::work("connections", "connections of each thread"),
    Key::work("requests", "requests of each client"),
    Key::work("duration", "how long the run lasts"),
];

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "operations per second"),
    Meaning::of("throughput-hits", "reads per second that found a value"),
    Meaning::of("misses", "reads per second that found no value"),
    Meaning::of("transfer", "bytes sent and received per second"),
    Meaning::of("latency-mean", "time of an operation, the mean over the run"),
    Meaning::of("latency-p50", "time of an operation, the median"),
    Meaning::of("latency-p99", "time of an operation, the 99th percentile"),
    Meaning::of("latency-p99.9", "time of an operation, the 99.9th percentile"),
];

/// The mean of several runs, where `--run-count` asks for them; the tables above it are those of the best and the worst of
/// the same runs or, with `--print-all-runs`, of all.
const AVERAGES: &str = "AGGREGATED AVERAGE RESULTS";
/// What the title of a table of `--print-all-runs` begins with.
const ONE_RUN: &str = "RUN #";

/// The columns of the table that begins with this line: their names, with blanks.
fn columns(line: &str) -> Vec<String> {
    if !line.starts_with("Type ") || !line.contains(" Ops/sec ") || !line.trim_end().ends_with("KB/sec") {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match names.last_mut() {
            // `Avg. Latency` and `p50 Latency` are one name, as the first word has no meaning alone.
            Some(last) if word == "Latency" && (last == "Avg." || last.starts_with('p')) => {
                last.push_str(" Latency");
            }
            _ => names.push(word.to_owned()),
        }
    }
    names
}

/// The metric of a column or a key: name, base unit and factor.
fn metric(column: &str) -> Option<(String, &'static str, f64)> {
    let of = |name: &str, unit, factor| Some((name.to_owned(), unit, factor));
    match column {
        "Ops/sec" => of("throughput", "1/s", 1.0),
        "Hits/sec" => of("throughput-hits", "1/s", 1.0),
        "Misses/sec" => of("misses", "misses/s", 1.0),
        "KB/sec" => of("transfer", "B/s", 1024.0),
        mean if is_mean(mean) => of("latency-mean", "s", 1e-3),
        "Min Latency" => of("latency-min", "s", 1e-3),
        "Max Latency" => of("latency-max", "s", 1e-3),
        "Connection Errors" => of("errors", "1", 1.0),
        _ => {
            let rank = column.strip_prefix('p')?.trim_end_matches(" Latency");
            of(&percentile("latency", rank)?, "s", 1e-3)
        }
    }
}

/// Whether a column or a key has the mean time of an operation.
fn is_mean(column: &str) -> bool {
    matches!(column, "Latency" | "Avg. Latency" | "Average Latency")
}

/// Whether a column or a key has a time.
fn is_time(column: &str) -> bool {
    metric(column).is_some_and(|(_, unit, _)| unit == "s")
}

fn add(run: &mut Run, kind: &str, column: &str, value: f64, line: u32) {
    if let Some((name, unit, factor)) = metric(column) {
        // Dividing rounds once.
        let value = if unit == "s" { value / 1e3 } else { value * factor };
        run.add(kind, &name, value, line);
    }
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let mut run = Run::default();
    let (mut table, mut kinds): (Vec<String>, Numbered) = <_>::default();
    let (mut skipped, mut all_runs) = (false, false);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            // The next title, or the line below it, ends a table without totals.
            ["Request", "Latency", "Distribution"] => table.clear(),
            [ruler] if ruler.starts_with("===") => table.clear(),
            ["BEST" | "WORST", "RUN", "RESULTS"] => skipped = true,
            ["RUN", _, "RESULTS"] => {
                run.end_within(sheet);
                (skipped, all_runs) = (false, true);
            }
            ["AGGREGATED", "AVERAGE", "RESULTS", ..] => skipped = all_runs,
            ["ALL", "STATS"] => skipped = false,
            [threads, "Threads"] => {
                // Another report begins.
                if !run.figures.is_empty() {
                    run.end(sheet);
                }
                all_runs = false;
                run.state("threads", threads);
            }
            [connections, "Connections", "per", "thread"] => run.state("connections", connections),
            [requests, "Requests", "per", "client" | "thread"] => run.state("requests", requests),
            [seconds, "Seconds"] => run.state("duration", &format!("{seconds} s")),
            ["Type", ..] => {
                (table, kinds) = (columns(text), Numbered::default());
                // People keep the table of each run alone.
                if !table.is_empty() && !skipped && !run.figures.is_empty() {
                    run.end_within(sheet);
                }
            }
            [kind, ref cells @ ..] if !table.is_empty() && !skipped && !text.starts_with("---") => {
                let kind = kinds.name(kind.to_owned());
                let read = row(sheet, &mut run, &table, &kind, cells, line);
                read.unwrap_or_else(|| sheet.unreadable(line, text));
                if text.starts_with("Totals ") {
                    drop_cut_mean(sheet, &mut run);
                    table.clear();
                }
            }
            _ => {}
        }
    }
    run.end(sheet);
}

/// Leaves out the mean over all types that old versions cut to whole milliseconds: no such mean is below that of each type.
fn drop_cut_mean(sheet: &mut Sheet, run: &mut Run) {
    let means = || run.figures.iter().enumerate().filter(|(_, figure)| figure.name == "latency-mean");
    let Some((place, total)) = means().find(|(_, figure)| figure.benchmark == "Totals") else { return };
    let is_whole = (total.value * 1e3).round() / 1e3 == total.value;
    let mut others = means().filter(|(at, _)| *at != place).peekable();
    if is_whole && others.peek().is_some() && others.all(|(_, figure)| figure.value > total.value) {
        run.figures.remove(place);
        sheet.dropped(1);
    }
}

/// A row with the cells of all columns but the first; a type without operations has no values, and one whose operations
/// have no mean has no times.
fn row(
    sheet: &mut Sheet,
    run: &mut Run,
    table: &[String],
    kind: &str,
    cells: &[&str],
    line: u32,
) -> Option<()> {
    let idle = cells.first().is_some_and(|rate| number(rate) == Some(0.0));
    let mut means = table[1..].iter().zip(cells).filter(|(column, _)| is_mean(column));
    let timeless = means.any(|(_, cell)| number(cell).is_some_and(f64::is_nan));
    for (column, cell) in table[1..].iter().zip(cells).filter(|(_, cell)| **cell != "---") {
        let value = number(cell)?;
        if idle || (timeless && is_time(column)) {
            sheet.dropped(1);
        } else {
            add(run, kind, column, value, line);
        }
    }
    (table.len() == cells.len() + 1).then_some(())
}

fn read_json(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let information = document.value("run information", sheet)?;
    let keys = [
        ("Threads", "threads"),
        ("Connections per thread", "connections"),
        ("Requests per client", "requests"),
        ("Requests per thread", "requests"),
        ("Seconds", "duration"),
    ];
    let mut run = Run { context: stated(&information, &keys), ..Run::default() };
    run.context.extend(stated_work(&document.value("configuration", sheet)?));
    for (_, value) in run.context.iter_mut().filter(|(key, _)| key == "duration") {
        value.push_str(" s");
    }
    let tables = |title: &str| {
        let found = document.entries().filter(|(name, _)| name.starts_with(title));
        found.map(|(_, span)| span).collect::<Vec<_>>()
    };
    let wanted = [ONE_RUN, AVERAGES, "ALL STATS"].map(tables).into_iter().find(|found| !found.is_empty());
    let Some(wanted) = wanted else {
        sheet.lacks(0, "the file", "`ALL STATS`");
        return Ok(());
    };
    for table in wanted {
        let mut kinds = Numbered::default();
        for (kind, span) in table.repeated(sheet)? {
            let figures = span.value(sheet)?;
            if figures.get("Ops/sec").is_some() {
                let kind = kinds.name(kind.into_owned());
                type_of_operations(sheet, &mut run, &kind, &figures, span.line);
            }
        }
        drop_cut_mean(sheet, &mut run);
        run.end_within(sheet);
    }
    Ok(())
}

/// The figures of a type of operations. A type without operations has no values, and one whose operations have no mean has
/// no times.
fn type_of_operations(sheet: &mut Sheet, run: &mut Run, kind: &str, figures: &Value<'_>, line: u32) {
    let idle = figures.get("Ops/sec").is_some_and(Value::is_zero);
    let is_nan = |value: &Value<'_>| number(plain(value)).is_some_and(f64::is_nan);
    let timeless = figures.get("Count").is_some_and(Value::is_zero)
        || ["Average Latency", "Latency"].into_iter().filter_map(|key| figures.get(key)).any(is_nan);
    let percentiles = figures.object_of("Percentile Latencies");
    let own = figures.object().into_iter().chain(percentiles);
    for (key, value) in own.flat_map(Object::iter).filter(|(_, value)| value.is_simple()) {
        // `Latency` repeats `Average Latency`, where that exists.
        let repeated = key == "Latency" && figures.get("Average Latency").is_some();
        if metric(key).is_none() || repeated {
            continue;
        }
        match number_of(sheet, value, line) {
            _ if idle || (timeless && is_time(key)) => sheet.dropped(1),
            Some(value) => add(run, kind, key, value, line),
            None => sheet.unreadable(line, key),
        }
    }
}

// The work of `memtier_benchmark`, from the configuration in its JSON.

pub(super) const WORK: &[Key] = &[
    Key::work("protocol", "protocol of the requests"),
    Key::work("tls", "whether connections are encrypted").detail(),
    Key::work("rate", "requests per second of a connection that are asked for"),
    Key::work("ratio", "writes to reads"),
    Key::work("pipeline", "requests in flight on each connection"),
    Key::work("transaction", "whether commands are sent as a transaction").detail(),
    Key::work("data_size", "bytes of a value"),
    Key::work("data_offset", "place at which a part of a value is written or read").detail(),
    Key::work("random_data", "whether values are random").detail(),
    Key::work("data_size_range", "bytes of a value, from and to"),
    Key::work("data_size_list", "bytes of values with their weights"),
    Key::work("data_size_pattern", "how sizes are spread over a range").detail(),
    Key::work("data_import", "file of the values").detail(),
    Key::work("data_verify", "whether values that are read are verified").detail(),
    Key::work("expiry_range", "seconds until a value expires, from and to").detail(),
    Key::work("key_minimum", "smallest key"),
    Key::work("key_maximum", "largest key"),
    Key::work("key_pattern", "order of the keys of writes and reads"),
    Key::work("key_stddev", "deviation of keys from their median").detail(),
    Key::work("key_median", "median of the keys").detail(),
    Key::work("key_zipf_exp", "exponent of the distribution of keys").detail(),
    Key::work("reconnect_interval", "requests until a connection is opened anew").detail(),
    Key::work("multi_key_get", "keys of a read").detail(),
    Key::work("wait-ratio", "writes to commands that wait for replicas").detail(),
];

/// The keys that a configuration states. What is not asked for is 0, false or empty.
fn stated_work(configuration: &Value<'_>) -> Context {
    let field = |key: &'static str| if key == "rate" { "rate_limit" } else { key };
    let fields: Vec<_> = WORK.iter().map(|key| (field(key.name), key.name)).collect();
    let asked = |value: &str| !matches!(value, "false" | "(null)" | "0:0") && number(value) != Some(0.0);
    stated(configuration, &fields).into_iter().filter(|(_, value)| asked(value)).collect()
}
