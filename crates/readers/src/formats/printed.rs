//! Tables that harnesses print for people: recognized, and answered with the option that exports what can be read.

use super::format::{Format, Values};
use super::head::{Fit, Head, No};
use super::tinybench;
use crate::text::number;

/// Describes a table that a harness prints.
const fn printed(
    name: &'static str,
    harness: &'static str,
    sign: &'static str,
    why: &'static str,
    export: &'static str,
    fits: fn(&Head<'_>) -> Fit,
) -> Format {
    Format { name, harness, sign, values: Values::Refused { why, export }, fits, ..Format::PLAIN }
}

/// Deno's table. Mitata's older table has the same header.
pub static DENO: Format = printed(
    "deno-text",
    "deno bench",
    "a header with `time/iter (avg)`, or `time (avg)` below `runtime: deno`",
    "the table that deno bench prints",
    "deno bench --json > FILE",
    |head| any(head, |line| line.contains("time/iter (avg)") || is_older(line) && of_deno(head)),
);

/// Mitata's table.
pub static MITATA: Format = printed(
    "mitata-text",
    "mitata",
    "a header with `avg (min … max)` and `p75`, or `|              avg |` and `p75`",
    "the table that mitata prints",
    "run({ format: 'json' }) of mitata 1",
    |head| {
        any(head, |line| {
            line.contains("avg (min … max) p75 / p99")
                || has_words(line, &["|", "avg", "|", "min", "|", "p75", "|", "p99", "|", "max", "|"])
                || is_older(line) && !of_deno(head)
        })
    },
);

/// The header of mitata before version 1, and of deno bench before version 2.
fn is_older(line: &str) -> bool {
    line.contains("time (avg)") && line.contains("(min … max)") && line.contains("p75")
}

fn of_deno(head: &Head<'_>) -> bool {
    head.lines().any(|line| line.starts_with(b"runtime: deno"))
}

/// The table that `console.table(bench.table())` prints, and JSON without the names of the tasks or with texts for numbers.
pub static TINYBENCH: Format = printed(
    "tinybench-text",
    "tinybench",
    "a table with `Task name` and `Latency avg (ns)`, or `Task Name` and `ops/sec`; or a list of objects with `latency` \
     that holds `df` and without `name`, or with `Task name` and `Samples`",
    "the results of tinybench without the names of their tasks, or its table",
    "JSON.stringify(bench.tasks.map(t => ({name: t.name, result: t.result}))) with retainSamples: true",
    |head| {
        any(head, |line| {
            line.contains('│')
                && (line.contains("│ Task name │") && line.contains("Latency a")
                    || line.contains("│ Task Name │") && line.contains("│ ops/sec")
                    || line.contains("│ Task name ") && line.contains("Throughput a"))
        })
        .or_else(|_| tinybench::is_without_tasks(head))
    },
);

/// The report that vitest prints, and a result that a benchmark stores with `writeResult`. This does not say of which
/// benchmark it is.
pub static VITEST: Format = printed(
    "vitest-text",
    "vitest",
    "a header `name hz min max mean p75 p99 p995 p999 rme samples`, or an object with `latency`, `throughput`, `period` and \
     `totalTime`",
    "the report that vitest bench prints, or a result of writeResult without the name of its benchmark",
    tinybench::VITEST.export,
    |head| {
        let header = ["name", "hz", "min", "max", "mean", "p75", "p99", "p995", "p999", "rme", "samples"];
        any(head, |line| has_words(line, &header)).or_else(|_| {
            head.has_all(&["latency.samplesCount", "throughput.samplesCount", "period", "totalTime"])?;
            // Those are in the results of tinybench.
            head.has_none(&["runtime", "state"])
        })
    },
);

/// The table that pytest-benchmark prints, and its CSV. This has the summaries of any number of runs and does not say which
/// row is of which run.
pub static PYTEST: Format = printed(
    "pytest-benchmark-text",
    "pytest-benchmark",
    "a header that begins with `Name (time in ms)`, or a CSV header `name,…` with `outliers` and other columns of that table",
    "the table that pytest-benchmark prints, or the CSV of its summaries",
    "pytest --benchmark-json=FILE",
    |head| any(head, |line| line.starts_with("Name (time in ")).or_else(|_| is_csv_of_pytest(head)),
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

/// What pyperf prints of a file.
pub static PYPERF: Format = printed(
    "pyperf-text",
    "pyperf",
    "a line with `Mean +- std dev: ` or `Median +- MAD: `, a comparison with `x faster` or `x slower`, or a histogram with \
     lines such as `502 ns: 2 ###`",
    "what pyperf prints of its results",
    "python -m pyperf timeit -o FILE; `pyperf show` and `compare_to` print such a file",
    |head| {
        let is_table = any(head, |line| line.starts_with("| Benchmark ")).is_ok();
        let is_verdict = |line: &str| line.contains("x slower") || line.contains("x faster");
        any(head, |line| {
            line.contains("Mean +- std dev: ")
                || line.starts_with("Median +- MAD: ")
                || is_verdict(line) && (is_table || line.starts_with("- ") && line.contains(" +- "))
                || line.starts_with("Benchmark hidden because not significant (")
                || is_bar(line)
        })
    },
);

/// Whether a line is a bar of a histogram: `502 ns: 2 ####`, `556 ns: 0 |`.
fn is_bar(line: &str) -> bool {
    let Some((value, bar)) = line.split_once(": ") else { return false };
    let (value, bar): (Vec<&str>, Vec<&str>) = (value.split(' ').collect(), bar.split_whitespace().collect());
    let is_time =
        matches!(value[..], [time, "ns" | "us" | "ms" | "sec"] if number(time.as_bytes()).is_some());
    is_time
        && matches!(bar[..], [count, bar] if count.parse::<u64>().is_ok() && bar.bytes().all(|sign| b"#|".contains(&sign)))
}

/// What Julia prints of a benchmark.
pub static BENCHMARKTOOLS: Format = printed(
    "benchmarktools-text",
    "BenchmarkTools.jl",
    "a line that begins with `BenchmarkTools.Trial:`, or lines such as `1.250 μs (3 allocations: 128 bytes)`",
    "what Julia prints of a benchmark",
    "BenchmarkTools.save(FILE, results) with results = @benchmark … or run(suite)",
    |head| {
        any(head, |line| {
            line.contains("BenchmarkTools.Trial:") && !line.starts_with(['{', '[']) || is_btime(line)
        })
    },
);

/// Whether a line is what `@btime` and `@time` print: `1.250 μs (3 allocations: 128 bytes)`.
fn is_btime(line: &str) -> bool {
    let Some((time, rest)) = line.strip_suffix(')').and_then(|line| line.split_once(" (")) else {
        return false;
    };
    let time: Vec<&str> = time.split(' ').collect();
    let units = ["ns", "\u{B5}s", "\u{3BC}s", "ms", "s", "seconds"];
    let is_time =
        matches!(time[..], [time, unit] if number(time.as_bytes()).is_some() && units.contains(&unit));
    is_time && (rest.contains(" allocations: ") || rest.starts_with("1 allocation: "))
}

/// What asv prints while it runs.
pub static ASV: Format = printed(
    "asv-text",
    "asv",
    "lines such as `[50.00%] ··· NAME  14.4±0μs`",
    "what asv prints while it runs",
    "asv run --record-samples, which writes the folder results",
    |head| any(head, |line| line.starts_with('[') && line.contains("%] ··· ")),
);

/// What criterion prints in Haskell.
pub static HASKELL_CRITERION: Format = printed(
    "haskell-criterion-text",
    "criterion for Haskell",
    "lines such as `0.831 R²   (0.729 R² .. 0.902 R²)` below `benchmarking NAME`",
    "what criterion prints",
    "--json FILE",
    |head| {
        any(head, |line| line.contains(" R²   (") && line.contains(" R² .. "))?;
        any(head, |line| line.starts_with("benchmarking "))
    },
);

/// The table that Benchee prints.
pub static BENCHEE: Format = printed(
    "benchee-text",
    "Benchee",
    "a header `Name ips average deviation median 99th %`",
    "the table that Benchee prints",
    "the formatter {Benchee.Formatters.JSON, file: FILE} of the package benchee_json",
    |head| {
        let header = ["Name", "ips", "average", "deviation", "median", "99th", "%"];
        any(head, |line| has_words(line, &header))
    },
);

/// What R's package `bench` prints.
pub static R_BENCH: Format = printed(
    "r-bench-text",
    "bench (R)",
    "a line that begins with `<bch:expr>`, below `expression`",
    "the table that R's bench::mark prints",
    "write.csv(data.frame(benchmark = rep(as.character(r$expression), lengths(r$time)), value = unlist(r$time), \
     unit = 's'), FILE)",
    |head| any(head, |line| line.starts_with("<bch:expr>")),
);

/// What libtest writes with `--format json`.
pub static LIBTEST: Format = printed(
    "libtest-json",
    "libtest",
    "lines with `\"type\": \"bench\"` and `median`",
    "the JSON of libtest, whose form may still change",
    "cargo bench, without --format json",
    |head| {
        any(head, |line| {
            line.starts_with('{') && line.contains("\"type\": \"bench\"") && line.contains("\"median\"")
        })
    },
);

/// What `PHPBench` prints.
pub static PHPBENCH: Format = printed(
    "phpbench-text",
    "PHPBench",
    "a line such as `Subjects: 2, Assertions: 0, …`, or a table with `revs` and `subject` or `iter`",
    "what PHPBench prints for people, with rounded times",
    "phpbench run --dump-file=FILE",
    |head| {
        any(head, |line| {
            let has = |word| line.split('|').any(|cell| cell.trim() == word);
            line.starts_with("Subjects: ") && line.contains(", Assertions: ")
                || has("revs") && (has("subject") || has("iter"))
        })
    },
);

/// The table that poop prints; it has no export.
pub static POOP: Format = printed(
    "poop-text",
    "poop",
    "a header `measurement mean ± σ min … max outliers delta`",
    "the table that poop prints, with three digits",
    "hyperfine --export-json FILE COMMAND, or for counters perf stat -r 20 -o FILE COMMAND",
    |head| {
        let header = ["measurement", "mean", "±", "σ", "min", "…", "max", "outliers"];
        any(head, |line| has_words(line.trim_end_matches("delta"), &header))
    },
);

/// What Gatling prints at the end of a run.
pub static GATLING: Format = printed(
    "gatling-text",
    "Gatling",
    "a line with `---- Global Information ---` and a line with `> request count`",
    "what Gatling prints, with whole milliseconds of all requests together",
    "read js/stats.js of the report, or before version 3.13 its simulation.log",
    |head| {
        any(head, |line| line.contains("---- Global Information ---"))?;
        // The second is the word of versions before 2.
        any(head, |line| line.contains("> request count ") || line.contains("> numberOfRequests "))
    },
);

/// What `JMeter` prints during a run, under a name that can be configured.
pub static JMETER: Format = printed(
    "jmeter-text",
    "JMeter",
    "lines such as `summary = 5000 in 00:00:50 = 100.0/s Avg: 5 Min: 1 Max: 50 Err: 0 (0.00%)`",
    "what JMeter prints, with whole milliseconds of all samples together",
    "jmeter -n -t PLAN -l FILE",
    |head| {
        let words = [" in ", "/s Avg: ", " Min: ", " Max: ", " Err: "];
        any(head, |line| words.iter().all(|word| line.contains(word)))
    },
);

/// Whether a line fits.
fn any(head: &Head<'_>, fits: impl Fn(&str) -> bool) -> Fit {
    let fits = |line: &[u8]| std::str::from_utf8(line).is_ok_and(&fits);
    No::unless(head.lines().any(fits), "it has no such line")
}

/// Whether a line ends in these words.
fn has_words(line: &str, words: &[&str]) -> bool {
    let mut found = line.split_whitespace().rev();
    words.iter().rev().all(|word| found.next() == Some(word))
}
