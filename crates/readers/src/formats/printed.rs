//! What harnesses print for people, in tables: the figures are read as summaries, with the digits that are printed. What
//! cannot be read is recognized, and answered with the option that exports what can be.

use super::format::OWN_PROGRAM;
use super::mitata::RUNTIME;
use super::page::{self, Column, Page, Print, between_bars, between_blanks, binary};
use super::prelude::*;
use super::{deno, tinybench};

/// Describes what a harness prints and cannot be read.
pub(super) const fn refused(
    name: &'static str,
    harness: &'static str,
    sign: &'static str,
    why: &'static str,
    export: &'static str,
    words: &'static [&'static str],
    fits: fn(&Head<'_>) -> Fit,
) -> Format {
    Format { name, harness, sign, values: Values::refused(why, export), words, fits, ..Format::PLAIN }
}

/// What formats share whose figures are summaries that a harness prints.
pub(super) const SUMMARIES: Format =
    Format { processes: Processes::Unknown, printed_by: OWN_PROGRAM, ..Format::REPORT };

/// Reads `cpu: AMD EPYC` and `runtime: node 20.20.2 (x64-linux)`, in Deno's later versions with a bar and without the colon.
fn machine(page: &mut Page<'_>, text: &str) -> bool {
    let Some((key, value)) = text.split_once(": ").or_else(|| text.split_once(" | ")) else { return false };
    match key.trim().to_lowercase().as_str() {
        "cpu" => state(page, "cpu", value),
        "runtime" => {
            let (program, arch) = value.split_once(" (").unwrap_or((value, ""));
            let (name, version) = program.split_once(' ').unwrap_or((program, ""));
            state(page, "runtime", &name.to_lowercase());
            state(page, "runtime_version", version.trim_start_matches('v'));
            state(page, "arch", arch.trim_end_matches(')'));
        }
        _ => return false,
    }
    true
}

/// States a key of what follows; without a value it is unknown.
pub(super) fn state(page: &mut Page<'_>, key: &str, value: &str) {
    page.context.retain(|(known, _)| known != key);
    if !matches!(value.trim(), "" | "unknown") {
        page.context.push((key.to_owned(), value.trim().to_owned()));
    }
}

/// Deno's table.
pub static DENO: Format = Format {
    name: "deno-text",
    printed_by: &["deno"],
    harness: "deno bench",
    sign: "a header with `time/iter (avg)`, or `time (avg)` below `runtime: deno`",
    keys: &[&deno::OF_BENCHMARK, &RUNTIME],
    metrics: &[
        Meaning::of("mean", "time of one iteration, the mean over the samples"),
        Meaning::of("p75", "time of one iteration that 75 % of the samples do not exceed"),
        Meaning::of("p99", "time of one iteration that 99 % of the samples do not exceed"),
        Meaning::of("p99.5", "time of one iteration that 99.5 % of the samples do not exceed"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
        Meaning::of("slowest", "time of one iteration in the slowest sample"),
    ],
    words: &["time/iter (avg)", "time (avg)"],
    fits: |head| head.has_line(|line| line.contains("time/iter (avg)") || is_older(line) && of_deno(head)),
    read: Read::Page(&Print {
        columns: &[
            ("benchmark", Column::Name),
            ("time/iter (avg)", Column::Mean("mean", "")),
            ("(min … max)", Column::Range("fastest", "slowest")),
            ("p75", Column::Figure("p75", "")),
            ("p99", Column::Figure("p99", "")),
            ("p995", Column::Figure("p99.5", "")),
        ],
        cells: between_bars,
        is_interrupted: true,
        line: |page, text| {
            if machine(page, text) || older_row(page, text, ["mean", "fastest", "slowest"]) {
                return;
            }
            if let Some(path) = text.strip_prefix("file://") {
                state(page, "group", "");
                state(page, "origin", path.rsplit('/').next().unwrap_or(path));
            } else if let Some(group) = text.strip_prefix("group ") {
                state(page, "group", group);
            }
        },
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

/// A row of deno bench before version 2 and of mitata before version 1:
/// `parse   56.87 µs/iter  (47.92 µs … 76.36 µs)  57.86 µs  62.89 µs  75 µs`; Deno has the iterations a second before the
/// range.
fn older_row(page: &mut Page<'_>, text: &str, [mean, least, most]: [&str; 3]) -> bool {
    let parts = || {
        let (before, rest) = text.split_once(" (")?;
        let (range, after) = rest.split_once(')')?;
        let mut words: Vec<&str> = before.split_whitespace().collect();
        let is_rate = words.last()?.ends_with(|sign: char| sign.is_ascii_digit());
        words.truncate(words.len() - usize::from(is_rate));
        let unit = words.last()?.trim_end_matches("/iter");
        let digits = words.get(words.len().checked_sub(2)?)?;
        let name = before[..before.rfind(&format!("{digits} {unit}"))?].trim();
        let after: Vec<&str> = after.split_whitespace().collect();
        (range.contains(" … ") && after.len() == 6 && !name.is_empty())
            .then(|| (name.to_owned(), format!("{digits} {unit}"), range.to_owned(), after))
    };
    let Some((name, time, range, after)) = parts() else { return false };
    page.begin(&name);
    page.mean(mean, &time, None);
    page.range([least, most], &range);
    for (level, time) in ["p75", "p99", "p99.5"].into_iter().zip(after.chunks(2)) {
        page.figure(level, &time.join(" "));
    }
    page.ends();
    true
}

/// Mitata's table.
pub static MITATA: Format = Format {
    name: "mitata-text",
    harness: "mitata",
    sign: "a header with `avg (min … max)` and `p75`, or `|              avg |` and `p75`",
    keys: &[&RUNTIME],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean"),
        Meaning::of("min", "time of one iteration in the fastest sample"),
        Meaning::of("max", "time of one iteration in the slowest sample"),
        Meaning::of("p75", "time of one iteration that 75 % of the samples do not exceed"),
        Meaning::of("p99", "time of one iteration that 99 % of the samples do not exceed"),
    ],
    words: &["p75"],
    fits: |head| {
        head.has_line(|line| {
            // The sign between the percentiles came later.
            line.contains("avg (min … max) p75 / p99")
                || line.contains("avg (min … max) p75   p99")
                || has_words(line, &["|", "avg", "|", "min", "|", "p75", "|", "p99", "|", "max", "|"])
                || is_older(line) && !of_deno(head)
        })
    },
    read: Read::Page(&Print {
        columns: &[
            ("avg", Column::Mean("time", "")),
            ("min", Column::Figure("min", "")),
            ("p75", Column::Figure("p75", "")),
            ("p99", Column::Figure("p99", "")),
            ("max", Column::Figure("max", "")),
        ],
        // The first head is that of the group.
        other: |_| Some(Column::Name),
        cells: between_bars,
        line: |page, text| {
            if machine(page, text) || older_row(page, text, ["time", "min", "max"]) {
                return;
            }
            let group = |text: &str| text.strip_prefix("• ").map(|group| format!("{} > ", group.trim()));
            if text.contains("avg (min … max)") {
                // Another run begins, outside of the groups of the one before.
                page.ends();
                page.prefix.clear();
            } else if text.starts_with('|') {
                // Below it, the header of the table of a group or of none.
                page.prefix = group(between_bars(text).first().unwrap_or(&"")).unwrap_or_default();
            } else if let Some(prefix) = group(text) {
                page.ends();
                page.prefix = prefix;
            } else if let Some((before, after)) = text.split_once("/iter") {
                mitata_row(page, before, after);
            } else if let Some((range, after)) =
                text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'))
            {
                // The line below it has the bytes on the heap.
                if page.has_figures() && known(range.split_whitespace().last().unwrap_or_default()).is_some()
                {
                    page.range(["min", "max"], range);
                    page.figure("p99", &first_words(after));
                    page.ends();
                }
            } else if let Some((name, why)) = text.split_once(" error: ") {
                page.fails(name.trim(), why);
            }
        },
        ..Print::PLAIN
    }),
    printed_by: &["node", "bun", "deno"],
    ..SUMMARIES
};

/// `parse   56.87 µs/iter  57.86 µs  █ █`, of which the line below has the range and the 99th percentile.
fn mitata_row(page: &mut Page<'_>, before: &str, after: &str) {
    let mut words = before.split_whitespace().rev();
    let (Some(unit), Some(digits)) = (words.next(), words.next()) else { return };
    let time = format!("{digits} {unit}");
    let Some(at) = before.rfind(&time) else { return };
    page.begin(&before[..at]);
    page.mean("time", &time, None);
    if known(first_words(after).split(' ').nth(1).unwrap_or_default()).is_some() {
        page.figure("p75", &first_words(after));
    }
}

/// The first two words: a number and its unit.
fn first_words(text: &str) -> String {
    text.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// The header of mitata before version 1, and of deno bench before version 2.
fn is_older(line: &str) -> bool {
    line.contains("time (avg)") && line.contains("(min … max)") && line.contains("p75")
}

fn of_deno(head: &Head<'_>) -> bool {
    head.begins_line("runtime: deno")
}

/// The table that `console.table(bench.table())` prints.
pub static TINYBENCH: Format = Format {
    name: "tinybench-text",
    harness: "tinybench",
    sign: "a table with `Task name` and `Latency avg (ns)`, or `Task Name` and `ops/sec`",
    metrics: &[
        Meaning::of("time", "time of one call, the mean over the calls"),
        Meaning::of("median", "time of one call, the median"),
        Meaning::of("throughput", "calls per second, the mean over the rates of the calls"),
    ],
    words: &["│ Task "],
    fits: |head| {
        head.has_line(|line| {
            line.contains('│')
                && (line.contains("│ Task name │") && line.contains("Latency a")
                    || line.contains("│ Task Name ") && line.contains("│ ops/sec")
                    || line.contains("│ Task name ") && line.contains("Throughput a"))
        })
    },
    read: Read::Page(&Print {
        columns: &[
            ("task name", Column::Name),
            ("latency avg", Column::Mean("time", "ns")),
            ("latency average", Column::Mean("time", "ns")),
            ("average time", Column::Mean("time", "ns")),
            ("latency med", Column::Figure("median", "ns")),
            ("latency median", Column::Figure("median", "ns")),
            ("throughput avg", Column::Figure("throughput", "ops/s")),
            ("throughput average", Column::Figure("throughput", "ops/s")),
            ("samples", Column::Count),
            ("error", Column::Failure),
        ],
        cells: between_bars,
        ..Print::PLAIN
    }),
    printed_by: &["node", "bun", "deno"],
    ..SUMMARIES
};

/// Results of tinybench as JSON without the names of the tasks.
pub static TINYBENCH_RESULTS: Format = refused(
    "tinybench-results",
    "tinybench",
    "a list of objects with `latency` that holds `df` and without `name`, or with `Task name` and `Samples`",
    "the results of tinybench without the names of their tasks, or the rows of its table as JSON",
    tinybench::TASKS.export,
    &[],
    tinybench::is_without_tasks,
);

/// The report that vitest prints.
pub static VITEST: Format = Format {
    name: "vitest-text",
    harness: "vitest",
    sign: "a header `name hz min max mean p75 p99 p995 p999 rme samples`",
    keys: &[&[tinybench::KEY]],
    metrics: &[
        Meaning::of("time", "time of one call, the mean over the calls"),
        Meaning::of("min", "time of the fastest call"),
        Meaning::of("max", "time of the slowest call"),
        Meaning::of("p75", "time that 75 % of the calls do not exceed"),
        Meaning::of("p99", "time that 99 % of the calls do not exceed"),
        Meaning::of("p99.5", "time that 99.5 % of the calls do not exceed"),
        Meaning::of("p99.9", "time that 99.9 % of the calls do not exceed"),
    ],
    words: &["p995"],
    fits: |head| {
        let header = ["name", "hz", "min", "max", "mean", "p75", "p99", "p995", "p999", "rme", "samples"];
        head.has_line(|line| has_words(line, &header))
    },
    read: Read::Bytes(|sheet, bytes| {
        let kept = page::read(sheet, bytes, &VITEST_PRINT);
        let files = kept.iter().filter(|(kind, _)| *kind == FILE);
        let files: Vec<(usize, &str)> = files
            .filter_map(|(_, file)| Some((file.split_once('\0')?.0.parse().ok()?, file.split_once('\0')?.1)))
            .collect();
        let ends = files.iter().skip(1).map(|(start, _)| *start).chain([sheet.len()]);
        let rows: Vec<_> = files.iter().zip(ends).map(|((start, path), end)| (*path, *start..end)).collect();
        tinybench::name_files(sheet, &rows);
    }),
    printed_by: &["vitest"],
    ..SUMMARIES
};

static VITEST_PRINT: Print = Print {
    columns: &[
        ("name", Column::Name),
        ("mean", Column::Mean("time", "ms")),
        ("min", Column::Figure("min", "ms")),
        ("max", Column::Figure("max", "ms")),
        ("p75", Column::Figure("p75", "ms")),
        ("p99", Column::Figure("p99", "ms")),
        ("p995", Column::Figure("p99.5", "ms")),
        ("p999", Column::Figure("p99.9", "ms")),
        ("samples", Column::Count),
    ],
    cells: |line| between_blanks(line.trim_start().trim_start_matches("· ")),
    line: vitest_line,
    ..Print::PLAIN
};

/// Reads the names of the groups above a table, which are indented by their depth. From version 5 on the outermost is the
/// file, which is no part of the names.
fn vitest_line(page: &mut Page<'_>, text: &str) {
    let open = text.trim_start();
    let Some(rest) = ["✓ ", "❯ ", "× "].iter().find_map(|sign| open.strip_prefix(sign)) else { return };
    let level = (text.len() - open.len()) / 2;
    let is_time = |word: &str| word.strip_suffix("ms").is_some_and(is_whole);
    let rest = rest.rsplit_once(' ').filter(|(_, last)| is_time(last)).map_or(rest, |(rest, _)| rest);
    let counted = rest
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .filter(|(_, count)| count.starts_with(|sign: char| sign.is_ascii_digit()));
    let name = counted.map_or(rest, |(name, _)| name);
    page.ends();
    if open.starts_with('×') || counted.is_some_and(|(_, count)| count == "0 test") {
        page.fails(name, "it failed");
    }
    if level == 0 {
        page.kept.retain(|(kind, _)| *kind == FILE);
        page.prefix.clear();
        if let Some((path, _)) = counted.filter(|(_, count)| count.contains("test")) {
            let path = path.rsplit_once("| ").map_or(path, |(_, path)| path);
            page.kept.push((FILE, format!("{}\0{path}", page.sheet.len())));
            return;
        }
    }
    // The names of the groups around it.
    page.kept.retain(|(kind, _)| *kind == FILE || *kind < level);
    page.kept.push((level, name.to_owned()));
    let path = page.kept.iter().filter(|(kind, _)| *kind != FILE);
    page.prefix = path.flat_map(|(_, name)| [name, " > "]).collect();
}

/// The kind of what is kept of a file: the number of values before it, and its path.
const FILE: usize = usize::MAX;

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A result that a benchmark stores with `writeResult`. This does not say of which benchmark it is.
pub static VITEST_STORED: Format = refused(
    "vitest-stored",
    "vitest",
    "an object with `latency`, `throughput`, `period` and `totalTime`",
    "a result of writeResult without the name of its benchmark",
    tinybench::VITEST.export,
    &[],
    |head| {
        head.has_all(&["latency.samplesCount", "throughput.samplesCount", "period", "totalTime"])?;
        // Those are in the results of tinybench.
        head.has_none(&["runtime", "state"])
    },
);

/// The table that pytest-benchmark prints.
pub static PYTEST: Format = Format {
    name: "pytest-benchmark-text",
    harness: "pytest-benchmark",
    sign: "a header that begins with `Name (time in ms)`",
    keys: &[&[Key::setting("group", "group of the benchmark")]],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over all"),
        Meaning::of("median", "time of one iteration, the median over the rounds"),
        Meaning::of("min", "time of one iteration in the fastest round"),
        Meaning::of("max", "time of one iteration in the slowest round"),
    ],
    parts: |name, _| names::path(name, "::"),
    words: &["Name (time in "],
    fits: |head| head.has_line(|line| line.starts_with("Name (time in ")),
    read: Read::Page(&Print {
        columns: &[
            ("name", Column::Name),
            ("mean", Column::Mean("time", "")),
            ("median", Column::Figure("median", "")),
            ("min", Column::Figure("min", "")),
            ("max", Column::Figure("max", "")),
            ("stddev", Column::Deviation),
            ("rounds", Column::Count),
        ],
        cells: between_blanks,
        line: |page, text| {
            let title = text.trim_matches('-').trim();
            let Some(title) = title.strip_prefix("benchmark").filter(|_| text.starts_with("---")) else {
                return;
            };
            let group = title.rsplit_once(": ").map_or("", |(group, _)| group).trim();
            state(page, "group", group.trim_matches('\''));
        },
        ..Print::PLAIN
    }),
    printed_by: &["pytest"],
    ..SUMMARIES
};

/// The CSV that pytest-benchmark writes of its summaries. It has any number of runs and does not say which row is of which.
pub static PYTEST_CSV: Format = refused(
    "pytest-benchmark-csv",
    "pytest-benchmark",
    "a CSV header `name,…` with `outliers` and other columns of the table",
    "the CSV of pytest-benchmark, which does not say which row is of which run",
    "pytest --benchmark-json=FILE",
    &[],
    is_csv_of_pytest,
);

/// Whether the file is what `pytest-benchmark compare --csv` writes: parameters and the columns that the user chose.
fn is_csv_of_pytest(head: &Head<'_>) -> Fit {
    let known = ["min", "max", "mean", "stddev", "median", "iqr", "outliers", "ops", "rounds", "iterations"];
    let is_known =
        |cell: &[u8]| known.iter().any(|name| name.as_bytes() == cell) || cell.starts_with(b"param:");
    let mut cells = head.header();
    let is =
        cells.next() == Some(b"name") && cells.all(is_known) && head.header().any(|cell| cell == b"outliers");
    No::unless(is, "it has no such header")
}

/// The table that Benchee prints.
pub static BENCHEE: Format = Format {
    name: "benchee-text",
    harness: "Benchee",
    sign: "a header `Name ips average deviation median 99th %`",
    keys: &[&[Key::work("input", "name of the benchmark's input")]],
    metrics: &[
        Meaning::of("time", "time of one call, the mean over the calls"),
        Meaning::of("median", "time of one call, the median"),
        Meaning::of("p99", "time that 99 % of the calls do not exceed"),
        Meaning::of("p95", "time that 95 % of the calls do not exceed, in old versions"),
        Meaning::of("memory", "bytes that one call allocates, the same in each call"),
    ],
    own_labels: &["##### With input", "Memory usage statistics", "Reduction count statistics"],
    words: &["99th", "95th"],
    fits: |head| {
        let header = |level| ["Name", "ips", "average", "deviation", "median", level, "%"];
        head.has_line(|line| has_words(line, &header("99th")) || has_words(line, &header("95th")))
    },
    read: Read::Page(&Print {
        columns: &[
            ("name", Column::Name),
            ("average", Column::Mean("time", "")),
            ("deviation", Column::Relative),
            ("median", Column::Figure("median", "")),
            ("99th %", Column::Figure("p99", "")),
            // Before version 0.10.
            ("95th %", Column::Figure("p95", "")),
            ("memory usage", Column::Figure("memory", "")),
        ],
        cells: benchee_cells,
        unit: binary,
        line: |page, text| {
            if let Some(input) = text.strip_prefix("##### With input ") {
                state(page, "input", input.trim_end_matches('#'));
            }
        },
        ..Print::PLAIN
    }),
    printed_by: &["mix"],
    ..SUMMARIES
};

/// The cells of a line of Benchee. A deviation that fills its column has one blank before it: `584.94 ns ±15061.47%`.
fn benchee_cells(line: &str) -> Vec<&str> {
    let cells = between_blanks(line).into_iter();
    let parts = cells.map(|cell| {
        cell.split_once(" ±")
            .filter(|(_, share)| share.ends_with('%'))
            .map_or((cell, None), |(mean, share)| {
                (mean, cell.get(cell.len() - share.len() - '±'.len_utf8()..))
            })
    });
    parts.flat_map(|(cell, share)| [Some(cell), share]).flatten().collect()
}

/// What R's package `bench` prints.
pub static R_BENCH: Format = Format {
    name: "r-bench-text",
    harness: "bench (R)",
    sign: "a line that begins with `<bch:expr>`, below `expression`",
    metrics: &[
        Meaning::of("median", "time of one iteration, the median"),
        Meaning::of("min", "time of the fastest iteration"),
        Meaning::of("memory", "bytes that one iteration allocates"),
    ],
    words: &["<bch:expr>"],
    fits: |head| head.has_line(|line| line.starts_with("<bch:expr>")),
    read: Read::Page(&Print {
        columns: &[
            ("expression", Column::Name),
            ("median", Column::Figure("median", "")),
            ("min", Column::Figure("min", "")),
            ("mem_alloc", Column::Figure("memory", "")),
            ("n_itr", Column::Count),
        ],
        other: |_| Some(Column::Parameter),
        cells: r_cells,
        is_first_wide: true,
        unit: binary,
        ..Print::PLAIN
    }),
    printed_by: &["Rscript"],
    ..SUMMARIES
};

/// The words of a line of a tibble: a row begins with its number, and its first cell can have blanks.
fn r_cells(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    match rest {
        _ if *first == "expression" => words,
        _ if is_whole(first) => rest.to_vec(),
        // The types of the columns.
        _ => Vec::new(),
    }
}

/// The table that zBench prints.
pub static ZBENCH: Format = Format {
    name: "zbench-text",
    harness: "zBench",
    sign: "a header `benchmark  runs  total time  time/run (avg ± σ)  (min ... max)  p75 …`",
    keys: &[&[Key::setting("group", "group of the benchmark")]],
    metrics: &[
        Meaning::of("time", "time of one run, the mean over the runs"),
        Meaning::of("min", "time of the fastest run"),
        Meaning::of("max", "time of the slowest run"),
        Meaning::of("p75", "time that 75 % of the runs do not exceed"),
        Meaning::of("p99", "time that 99 % of the runs do not exceed"),
        Meaning::of("p99.5", "time that 99.5 % of the runs do not exceed"),
    ],
    words: &["time/run (avg ± σ)"],
    fits: |head| head.has_line(|line| line.contains("time/run (avg ± σ)") && line.contains("(min ... max)")),
    read: Read::Page(&Print {
        columns: &[
            ("benchmark", Column::Name),
            ("runs", Column::Count),
            ("time/run (avg ± σ)", Column::Mean("time", "")),
            ("(min ... max)", Column::Range("min", "max")),
            ("p75", Column::Figure("p75", "")),
            ("p99", Column::Figure("p99", "")),
            ("p995", Column::Figure("p99.5", "")),
        ],
        // In a comment a rule is a line like others.
        is_interrupted: true,
        // A name as long as its column stands before the runs with one blank.
        cells: |line| {
            let mut cells = between_blanks(line.trim_start_matches(['/', '#', ' ']));
            let first = cells.first().and_then(|first| first.rsplit_once(' '));
            if let Some((name, runs)) = first.filter(|(_, runs)| is_whole(runs) && cells.len() == 7) {
                cells.splice(..1, [name.trim(), runs]);
            }
            cells
        },
        line: |page, text| {
            if let [title] = between_bars(text)[..]
                && !title.starts_with("--")
            {
                state(page, "group", title);
            }
        },
        ..Print::PLAIN
    }),
    printed_by: &["zig"],
    ..SUMMARIES
};

/// The table that HPL prints.
pub static HPL: Format = Format {
    name: "hpl-text",
    harness: "HPL",
    sign: "a header `T/V  N  NB  P  Q  Time  Gflops`",
    metrics: &[
        Meaning::of("throughput", "floating-point operations a second"),
        Meaning::of("time", "time of the solution"),
    ],
    words: &["T/V"],
    fits: |head| head.has_line(|line| hpl_cells(line)[..] == ["T/V", "N", "NB", "P", "Q", "Time", "Gflops"]),
    read: Read::Page(&Print {
        columns: &[
            ("t/v", Column::Name),
            ("gflops", Column::Figure("throughput", "GFLOPS")),
            ("time", Column::Figure("time", "s")),
        ],
        other: |_| Some(Column::Parameter),
        cells: hpl_cells,
        ..Print::PLAIN
    }),
    printed_by: &["mpirun", "mpiexec", "srun", "xhpl"],
    ..SUMMARIES
};

/// The words of a line. On accelerators the rate of one follows in brackets.
fn hpl_cells(line: &str) -> Vec<&str> {
    let cells: Vec<&str> = line.split_once(" (").map_or(line, |(line, _)| line).split_whitespace().collect();
    if cells.len() == 7 { cells } else { Vec::new() }
}

/// What ministat prints of its files.
pub static MINISTAT: Format = Format {
    name: "ministat-text",
    harness: "ministat",
    sign: "a header `N  Min  Max  Median  Avg  Stddev`",
    variants: Some("dataset"),
    keys: &[&[Key::setting("dataset", "file of the numbers, or what is written above the table")]],
    metrics: &[
        Meaning::of("mean", "mean of the numbers of a file"),
        Meaning::of("median", "median of the numbers"),
        Meaning::of("min", "least of the numbers"),
        Meaning::of("max", "largest of the numbers"),
    ],
    words: &["Stddev"],
    fits: |head| {
        head.has_line(|line| has_words(line, &MINISTAT_HEADER) && line.trim_start().starts_with("N "))
    },
    read: Read::Page(&Print {
        unit: |unit| unit.is_empty().then(|| meaning("")),
        line: |page, text| {
            let sign = |word: &str| word.len() == 1 && "x+*%#@O".contains(word);
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                [mark, count, min, max, median, mean, deviation]
                    if sign(mark)
                        && [count, min, max, median, mean].iter().all(|text| number(text).is_some()) =>
                {
                    let at = "x+*%#@O".find(mark).unwrap_or_default();
                    let named =
                        page.kept.iter().find(|(known, _)| *known == at).map(|(_, name)| name.clone());
                    page.begin("numbers");
                    state(page, "dataset", &named.unwrap_or_else(|| mark.to_owned()));
                    page.count = number(count);
                    page.mean("mean", mean, Some(deviation));
                    page.figure("median", median);
                    page.figure("min", min);
                    page.figure("max", max);
                    page.ends();
                }
                [mark, ref name @ ..] if sign(mark) && !name.is_empty() => {
                    let at = "x+*%#@O".find(mark).unwrap_or_default();
                    if at == 0 {
                        page.kept.clear();
                    }
                    page.kept.push((at, name.join(" ")));
                }
                _ => {}
            }
        },
        ..Print::PLAIN
    }),
    printed_by: &["ministat"],
    ..SUMMARIES
};

const MINISTAT_HEADER: [&str; 6] = ["N", "Min", "Max", "Median", "Avg", "Stddev"];

pub static PHPBENCH: Format = Format {
    name: "phpbench-text",
    harness: "PHPBench",
    sign: "a line such as `Subjects: 2, Assertions: 0, …`, or a table with `revs` and `subject`",
    keys: &[&[Key::work("parameter-set", "name of the set of parameters")]],
    metrics: &[
        Meaning::of("time", "time of one revolution, the mean over the iterations"),
        Meaning::of("mode", "time of one revolution, the mode of the iterations"),
        Meaning::of("mem-peak", "largest memory of an iteration"),
    ],
    words: &["subject", "Subjects: "],
    fits: |head| {
        head.has_line(|line| {
            let has = |word| line.split('|').any(|cell| cell.trim() == word);
            line.starts_with("Subjects: ") && line.contains(", Assertions: ") || has("revs") && has("subject")
        })
    },
    read: Read::Page(&Print {
        columns: &[
            ("benchmark", Column::Name),
            ("subject", Column::Name),
            ("set", Column::Key("parameter-set")),
            ("its", Column::Count),
            ("mean", Column::Mean("time", "")),
            ("time_avg", Column::Mean("time", "")),
            ("mode", Column::Figure("mode", "")),
            ("rstdev", Column::Relative),
            ("mem_peak", Column::Figure("mem-peak", "")),
        ],
        cells: between_bars,
        join: "::",
        unit: |unit| {
            known(match unit {
                "b" => "B",
                "kb" => "kB",
                "mb" => "MB",
                "gb" => "GB",
                other => other,
            })
        },
        line: |page, text| {
            if let Some(class) = text.strip_prefix('\\').filter(|class| !class.contains(' ')) {
                page.prefix = format!("{class}::");
            } else if text.starts_with("Subjects: ") {
                // Tables below it name the class.
                page.prefix.clear();
            } else if let Some((before, figures)) = text.split_once(" - Mo") {
                // `benchShort..........I4 - Mo1.204μs (±2.10%)`: the number of the last iteration, and their mode.
                let (name, last) = before.rsplit_once('I').unwrap_or((before, ""));
                // `R1` before it: how often outliers made it repeat an iteration.
                let retried = name.trim_end().rsplit_once('R').filter(|(dots, _)| dots.ends_with('.'));
                let name = retried.map_or(name, |(dots, _)| dots);
                page.begin(name.trim_end_matches(|sign: char| sign == '.' || sign.is_whitespace()));
                page.count = number(last).map(|last| last + 1.0);
                page.mean("mode", figures, None);
                page.ends();
            }
        },
        ..Print::PLAIN
    }),
    printed_by: &["phpbench"],
    ..SUMMARIES
};

/// A table of the iterations of `PHPBench`.
pub static PHPBENCH_ITERATIONS: Format = refused(
    "phpbench-iterations",
    "PHPBench",
    "a table with `iter` and `revs` and without `subject`",
    "the table of the iterations of PHPBench, which does not name their subject",
    "phpbench run --dump-file=FILE",
    &["revs"],
    |head| {
        head.has_line(|line| {
            let has = |word| line.split('|').any(|cell| cell.trim() == word);
            has("revs") && has("iter") && !has("subject")
        })
    },
);

/// What `JMeter` prints during a run, under a name that can be configured.
pub static JMETER: Format = refused(
    "jmeter-text",
    "JMeter",
    "lines such as `summary = 5000 in 00:00:50 = 100.0/s Avg: 5 Min: 1 Max: 50 Err: 0 (0.00%)`",
    "what JMeter prints, with whole milliseconds of all samples together",
    "jmeter -n -t PLAN -l FILE",
    &["/s Avg: "],
    |head| {
        let words = [" in ", "/s Avg: ", " Min: ", " Max: ", " Err: "];
        head.has_line(|line| words.iter().all(|word| line.contains(word)))
    },
);

/// What libtest writes with `--format json`.
pub static LIBTEST: Format = refused(
    "libtest-json",
    "libtest",
    "lines with `\"type\": \"bench\"` and `median`",
    "the JSON of libtest, whose form may still change",
    "cargo bench, without --format json",
    &["\"bench\""],
    |head| {
        head.has_line(|line| {
            line.starts_with('{') && line.contains("\"type\": \"bench\"") && line.contains("\"median\"")
        })
    },
);

/// Whether a line ends in these words.
pub(super) fn has_words(line: &str, words: &[&str]) -> bool {
    let mut found = line.split_whitespace().rev();
    words.iter().rev().all(|word| found.next() == Some(word))
}
