//! Tables that harnesses print for people: recognized, and answered with the option that exports what can be read.

use super::format::{Format, Values};
use super::head::{Fit, Head, No};
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
    "a header with `avg (min … max)` and `p75`, or `|              avg |` and `p75`, or JSON with `p999` in `stats`",
    "the table that mitata prints, or the JSON of its versions before 1",
    "run({ format: 'json' }) of mitata 1",
    |head| {
        head.has_all(&["benchmarks[].stats.p999", "benchmarks[].warmup"]).or_else(|_| {
            any(head, |line| {
                line.contains("avg (min … max) p75 / p99")
                    || has_words(line, &["|", "avg", "|", "min", "|", "p75", "|", "p99", "|", "max", "|"])
                    || is_older(line) && !of_deno(head)
            })
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

/// The table that `console.table(bench.table())` prints.
pub static TINYBENCH: Format = printed(
    "tinybench-text",
    "tinybench",
    "a table with `Task name` and `Latency avg (ns)`, or `Task Name` and `ops/sec`",
    "the table of tinybench",
    "JSON.stringify(bench.tasks.map(t => ({name: t.name, result: t.result}))) with retainSamples: true",
    |head| {
        any(head, |line| {
            line.contains('│')
                && (line.contains("│ Task name │") && line.contains("Latency a")
                    || line.contains("│ Task Name │") && line.contains("│ ops/sec")
                    || line.contains("│ Task name ") && line.contains("Throughput a"))
        })
    },
);

/// The report that vitest prints.
pub static VITEST: Format = printed(
    "vitest-text",
    "vitest",
    "a header `name hz min max mean p75 p99 p995 p999 rme samples`",
    "the report that vitest bench prints",
    "vitest bench --outputJson FILE with includeSamples",
    |head| {
        let header = ["name", "hz", "min", "max", "mean", "p75", "p99", "p995", "p999", "rme", "samples"];
        any(head, |line| has_words(line, &header))
    },
);

/// The table that pytest-benchmark prints.
pub static PYTEST: Format = printed(
    "pytest-benchmark-text",
    "pytest-benchmark",
    "a header that begins with `Name (time in ms)`",
    "the table that pytest-benchmark prints",
    "pytest --benchmark-json=FILE",
    |head| any(head, |line| line.starts_with("Name (time in ")),
);

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
