//! What harnesses print for people, benchmark after benchmark: the figures are read as summaries, with the digits that are
//! printed.

use super::page::{Column, Page, Print, between_bars, binary};
use super::prelude::*;
use super::printed::{SUMMARIES, has_words, refused};
use crate::text::PLUS_MINUS;

/// What hyperfine writes for people: its standard output, and its tables for Markdown, Org and `AsciiDoc`.
pub static HYPERFINE: Format = Format {
    name: "hyperfine-text",
    printed_by: &["hyperfine"],
    harness: "hyperfine",
    sign: "a line with `Time (mean ± σ):` or `Time (abs ≡):`, or a table with the columns `Command` and `Mean [ms]`",
    metrics: &[
        Meaning::of("time", "elapsed time of a run of the command, the mean over its runs"),
        Meaning::of("user (mean)", "mean processor time in the program"),
        Meaning::of("system (mean)", "mean processor time in the system for the program"),
    ],
    parts: names::command,
    words: &["Time (mean ± σ):", "Time (abs ≡):", " Mean ["],
    fits: |head| {
        let is_time = |line: &str| {
            ["Time (mean ± σ):", "Time (abs ≡):"].iter().any(|word| unlisted(line).starts_with(word))
                && !line.contains('┊')
        };
        // Markdown and Org have the header on one line, AsciiDoc has a line for each column.
        let is_table =
            |line: &str| line.starts_with('|') && line.contains(" Mean [") && line.contains("| Command ");
        let of_asciidoc = head.first_line().starts_with(b"[cols=")
            && head.lines().any(|line| line.starts_with(b"| Mean ["));
        if of_asciidoc { Ok(()) } else { head.has_line(|line| is_time(line) || is_table(line)) }
    },
    read: Read::Page(&Print {
        columns: &[("command", Column::Name), ("mean", Column::Mean("time", ""))],
        cells: between_bars,
        line: hyperfine_line,
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

/// A line without the mark of a list of Markdown, in which people write what is printed.
fn unlisted(text: &str) -> &str {
    text.strip_prefix("* ").or_else(|| text.strip_prefix("- ")).unwrap_or(text)
}

fn hyperfine_line(page: &mut Page<'_>, text: &str) {
    let text = unlisted(text.trim_start());
    if text.starts_with('|') {
        return asciidoc(page, text);
    }
    let title = text.strip_prefix("Benchmark ").and_then(|rest| rest.split_once(": "));
    if let Some((_, command)) =
        title.filter(|(number, _)| number.trim_start_matches('#').parse::<u32>().is_ok())
    {
        page.begin(command);
    } else if let Some((head, times)) = text.split_once("):").filter(|_| text.starts_with("Time ")) {
        let (times, others) = times.split_once('[').unwrap_or((times, ""));
        // Markdown escapes the bracket.
        let times = times.trim_end_matches('\\');
        let parts = PLUS_MINUS.iter().find_map(|sign| times.split_once(sign));
        let (mean, deviation) = parts.map_or((times, None), |(mean, deviation)| (mean, Some(deviation)));
        // Of a single run there is no deviation.
        page.mean("time", mean, deviation.filter(|_| head.contains("mean")));
        for part in others.trim_end_matches(['\\', ']']).split(", ") {
            match part.split_once(": ") {
                Some(("User", time)) => page.figure("user (mean)", time),
                Some(("System", time)) => page.figure("system (mean)", time),
                _ => {}
            }
        }
    } else if text.starts_with("Range ") {
        let text = text.trim_end_matches(')');
        page.count = text.strip_suffix(" runs").and_then(|text| grouped(text.rsplit([' ', '(']).next()?));
    } else if text.contains("Ignoring non-zero exit code") {
        let name = page.name.clone();
        page.fails(&name, "some of its runs ended with an exit code other than 0");
    } else if text == "Summary" {
        page.ends();
    }
}

/// Reads a cell of a table for `AsciiDoc`, which has a line for each.
fn asciidoc(page: &mut Page<'_>, text: &str) {
    let cell = text.trim_start_matches('|').trim();
    match cell {
        "===" => page.kept.clear(),
        _ if text.contains(" | ") => {}
        "Command" => page.kept = vec![(0, cell.to_owned())],
        _ if page.kept.is_empty() => {}
        _ => {
            page.kept.push((page.kept.len(), cell.to_owned()));
            let heads =
                page.kept.iter().position(|(_, cell)| cell.starts_with("Relative")).map_or(0, |at| at + 1);
            if heads > 0 && page.kept.len() == 2 * heads {
                let row = |cells: &[(usize, String)]| {
                    let cells: Vec<&str> = cells.iter().map(|(_, cell)| &**cell).collect();
                    format!("| {} |", cells.join(" | "))
                };
                let lines: Vec<String> = page.kept.chunks(heads).map(row).collect();
                page.kept.truncate(heads);
                let kept = std::mem::take(&mut page.kept);
                let line = page.line;
                for text in &lines {
                    page.take(line, text);
                }
                page.kept = kept;
            }
        }
    }
}

/// What Catch2 prints for people.
pub static CATCH2: Format = Format {
    name: "catch2-text",
    harness: "Catch2",
    sign: "a line with `benchmark name`, `samples`, `iterations`, and `estimated` or `est run time`",
    metrics: &[Meaning::of("time", "time of one iteration, the mean over the samples")],
    parts: |name, _| names::path(name, " / "),
    words: &["benchmark name"],
    fits: |head| {
        // Version 3 names the last column otherwise.
        head.has_line(|line| {
            line.starts_with("benchmark name")
                && (line.ends_with("estimated") || line.ends_with("est run time"))
        })
    },
    read: Read::Page(&CATCH2_PRINT),
    ..SUMMARIES
};

static CATCH2_PRINT: Print = Print { line: catch2_line, ..Print::PLAIN };

/// The kinds of what is kept: the names of the test case and its sections between two dashed lines, and the parts of the
/// name of a benchmark, which can take several lines.
const PATH: usize = 0;
const NAME: usize = 1;

fn catch2_line(page: &mut Page<'_>, text: &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_rule = text.len() > 20 && text.bytes().all(|byte| byte == b'-');
    if is_rule {
        // Below the first dashed line are the names, below the second the place in the source.
        let path: Vec<&str> =
            page.kept.iter().filter(|(kind, _)| *kind == NAME).map(|(_, part)| &**part).collect();
        let is_path = !path.is_empty() && path[0] != "benchmark name";
        if is_path {
            page.prefix = path.into_iter().flat_map(|part| [part, " / "]).collect();
        }
        page.kept.clear();
        page.ends();
        if !is_path && !page.prefix.is_empty() {
            page.kept.push((PATH, String::new()));
        }
        return;
    }
    match words[..] {
        [] => page.kept.retain(|(kind, _)| *kind == PATH),
        ["benchmark", "name", ..] => page.kept = vec![(NAME, "benchmark name".to_owned())],
        [.., samples, _, _, unit] if is_count(samples) && known(unit).is_some() && words.len() > 3 => {
            let last = words[..words.len() - 4].join(" ");
            let parts = page.kept.iter().filter(|(kind, _)| *kind == NAME).map(|(_, part)| part.clone());
            let name: Vec<String> = parts.chain([last]).filter(|part| !part.is_empty()).collect();
            page.kept.clear();
            page.begin(&name.join(" "));
            page.count = number(samples);
        }
        [mean, unit, _, _, _, _] if known(unit).is_some() => {
            let figure = format!("{mean} {unit}");
            if page.has_figures() { page.deviation(&figure) } else { page.mean("time", &figure, None) }
        }
        _ if text.starts_with("...") || text.starts_with("===") => page.kept.clear(),
        _ if page.kept.first().is_some_and(|(_, part)| part == "benchmark name") => {}
        _ => page.kept.push((NAME, words.join(" "))),
    }
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What criterion prints in Haskell.
pub static HASKELL_CRITERION: Format = Format {
    name: "haskell-criterion-text",
    harness: "criterion for Haskell",
    sign: "lines such as `0.831 R²   (0.729 R² .. 0.902 R²)` below `benchmarking NAME`",
    metrics: &[Meaning::of("time", "time of one iteration, the mean over the measurements")],
    words: &[" R² .. "],
    fits: |head| {
        head.has_line(|line| line.contains(" R²   (") && line.contains(" R² .. "))?;
        head.has_line(|line| line.trim_start().starts_with("benchmarking"))
    },
    read: Read::Page(&Print {
        line: |page, text| {
            // People write what is printed into lists, and into comments.
            let text = text.trim_start();
            if let Some(name) = text.strip_prefix("benchmarking ") {
                page.begin(
                    name.split_once(" ... took ").map_or(name, |(name, _)| name).trim_end_matches("..."),
                );
            } else if text == "benchmarking..." {
                // A benchmark without a name: scripts print it above.
                let above = page.kept.pop().map_or("benchmark".to_owned(), |(_, above)| above);
                page.begin(above.trim_start_matches(['>', '#', ' ']));
            } else if let Some(mean) = text.strip_prefix("mean  ") {
                page.mean("time", mean, None);
            } else if let Some(deviation) = text.strip_prefix("std dev  ") {
                page.deviation(deviation);
                page.ends();
            } else if !text.is_empty() {
                page.kept = vec![(0, text.to_owned())];
            }
        },
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

/// What Julia prints of a benchmark.
pub static BENCHMARKTOOLS: Format = Format {
    name: "benchmarktools-text",
    harness: "BenchmarkTools.jl",
    sign: "a line that begins with `BenchmarkTools.Trial:`, or lines such as `1.250 μs (3 allocations: 128 bytes)`",
    metrics: &[
        Meaning::of("time", "time of one evaluation, the mean over the samples; of @time, of the only run"),
        Meaning::of("median", "time of one evaluation, the median over the samples"),
        Meaning::of("best", "time of one evaluation in the fastest sample (@btime)"),
        Meaning::of("memory", "bytes that one evaluation allocates"),
        Meaning::of("allocs", "allocations of one evaluation"),
    ],
    words: &["BenchmarkTools.Trial:", "allocation"],
    fits: |head| {
        head.has_line(|line| {
            line.contains("BenchmarkTools.Trial:") && !line.starts_with(['{', '[']) || btime(line).is_some()
        })
    },
    read: Read::Page(&Print {
        unit: |unit| match unit {
            "allocation" | "allocations" => Some(meaning("count")),
            other => binary(other),
        },
        line: julia_line,
        ..Print::PLAIN
    }),
    printed_by: &["julia"],
    ..SUMMARIES
};

/// The time in what `@btime` and `@time` print, and what was allocated: `1.250 μs (3 allocations: 128 bytes)`.
fn btime(line: &str) -> Option<(&str, &str)> {
    let (time, rest) = line.trim().strip_suffix(')')?.split_once(" (")?;
    let words: Vec<&str> = time.split(' ').collect();
    let units = ["ns", "\u{B5}s", "\u{3BC}s", "ms", "s", "seconds"];
    let is_time = matches!(words[..], [time, unit] if number(time).is_some() && units.contains(&unit));
    (is_time && (rest.contains(" allocations: ") || rest.starts_with("1 allocation: ")))
        .then_some((time, rest))
}

fn julia_line(page: &mut Page<'_>, text: &str) {
    // Results stand in comments below the code.
    let text = text.trim_start().trim_start_matches('#').trim_start();
    let macros = ["@benchmark ", "@btime ", "@time ", "@benchmark(", "@btime("];
    if text.contains("BenchmarkTools.Trial:") {
        let name = if page.kept.is_empty() { unnamed(page) } else { page.kept.remove(0).1 };
        page.begin(&name);
        let samples = text.split_once("Trial: ").and_then(|(_, rest)| rest.split_once(" sample"));
        page.count = samples.and_then(|(samples, _)| grouped(samples));
    } else if let Some((time, rest)) = btime(text) {
        // `@time` writes the unit as a word and runs once.
        let metric = if time.ends_with("seconds") { "time" } else { "best" };
        let name = if page.kept.is_empty() { unnamed(page) } else { page.kept.remove(0).1 };
        page.begin(&name);
        page.mean(metric, time, None);
        let rest = rest.split(',').next().unwrap_or(rest);
        if let Some((allocations, bytes)) = rest.split_once(": ") {
            page.figure("allocs", allocations);
            page.figure("memory", bytes);
        }
        page.ends();
    } else if let Some(expression) = macros.iter().find_map(|name| text.split_once(name)) {
        page.kept = vec![(0, expression.1.trim().to_owned())];
    } else if let Some((head, value)) = text.split_once(": ") {
        match head.split_whitespace().collect::<Vec<_>>()[..] {
            ["Time", "(mean", "±", "σ)"] => {
                let value = value.split('┊').next().unwrap_or(value);
                let (mean, deviation) = value.split_once('±').unwrap_or((value, ""));
                page.mean("time", mean, Some(deviation).filter(|deviation| !deviation.is_empty()));
            }
            ["Time", "(median)"] => page.figure("median", value.split('┊').next().unwrap_or(value)),
            ["mean", "time"] => page.mean("time", value, None),
            ["median", "time"] => page.figure("median", value),
            ["samples"] => page.count = grouped(value.trim()),
            ["memory", "estimate"] => page.figure("memory", value),
            ["allocs", "estimate"] => page.figure("allocs", &format!("{value} allocations")),
            ["Memory", "estimate"] => {
                let (memory, rest) = value.split_once(',').unwrap_or((value, ""));
                page.figure("memory", memory);
                if let Some((_, allocations)) = rest.split_once(": ") {
                    page.figure("allocs", &format!("{} allocations", allocations.trim_end_matches('.')));
                }
            }
            _ => {}
        }
    } else if let Some(time) = text.strip_prefix("Single result which took ") {
        page.mean("time", time, None);
    }
}

/// The name of a benchmark that the output does not name.
fn unnamed(page: &mut Page<'_>) -> String {
    page.nameless += 1;
    if page.nameless == 1 { "benchmark".to_owned() } else { format!("benchmark {}", page.nameless) }
}

/// The table that poop prints.
pub static POOP: Format = Format {
    name: "poop-text",
    printed_by: &["poop"],
    harness: "poop",
    sign: "a header `measurement mean ± σ min … max outliers delta`",
    metrics: &[
        Meaning::of("wall_time", "elapsed time of a run of the command, the mean over its runs"),
        Meaning::of("peak_rss", "largest resident memory of a run, the mean over its runs"),
        Meaning::of("cpu_cycles", "cycles of the processor in a run, the mean over its runs"),
    ],
    parts: names::command,
    words: &["measurement"],
    fits: |head| {
        let header = ["measurement", "mean", "±", "σ", "min", "…", "max", "outliers"];
        head.has_line(|line| has_words(line.trim_end_matches("delta"), &header))
    },
    read: Read::Page(&Print {
        unit: |unit| {
            let counted = |factor| units::Meaning { scale: Scale::Times(factor), ..meaning("count") };
            match unit {
                "" => Some(counted(1.0)),
                "K" => Some(counted(1e3)),
                "M" => Some(counted(1e6)),
                "G" => Some(counted(1e9)),
                "T" => Some(counted(1e12)),
                other => known(other),
            }
        },
        line: |page, text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            if let Some((runs, command)) =
                text.strip_prefix("Benchmark ").and_then(|rest| rest.split_once("): "))
            {
                page.begin(command);
                let runs = runs.split_once(" (").and_then(|(_, runs)| grouped(runs.strip_suffix(" runs")?));
                page.kept = vec![(runs.unwrap_or_default() as usize, command.to_owned())];
            } else if let ([metric, mean, "±", deviation, ..], Some((runs, _))) =
                (&words[..], page.kept.first())
                && *metric != "measurement"
            {
                page.count = Some(*runs as f64);
                page.mean_of(metric, mean, Some(deviation), *metric == "wall_time");
            }
        },
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

/// What pyperf prints of one file.
pub static PYPERF: Format = Format {
    name: "pyperf-text",
    printed_by: &["pyperf"],
    harness: "pyperf",
    sign: "a line with `Mean +- std dev: ` that is no comparison",
    metrics: &[
        Meaning::of("time", "time of one loop, the mean over the values"),
        Meaning::of("median", "time of one loop, the median over the values"),
    ],
    words: &[MEAN],
    fits: |head| {
        head.has_line(|line| line.contains(MEAN) && !line.contains(" -> "))?;
        let is_compared = head.has_line(is_comparison).is_ok();
        No::unless(!is_compared, "it compares files")
    },
    read: Read::Page(&Print {
        line: |page, text| {
            let parts = |figures: &str| {
                figures.split_once(" +- ").map(|(one, other)| (one.to_owned(), other.to_owned()))
            };
            if let Some((name, (mean, deviation))) =
                text.split_once(MEAN).and_then(|(name, rest)| Some((name, parts(rest)?)))
            {
                let median =
                    page.kept.iter().position(|(kind, _)| *kind == MEDIAN).map(|at| page.kept.remove(at).1);
                let title = page.kept.iter().find(|(kind, _)| *kind == TITLE).map(|(_, title)| title.clone());
                let count =
                    page.kept.iter().position(|(kind, _)| *kind == VALUES).map(|at| page.kept.remove(at).1);
                let name = name.trim().trim_end_matches(':');
                page.begin(if name.is_empty() { title.as_deref().unwrap_or("benchmark") } else { name });
                page.count = count.and_then(|count| grouped(&count));
                page.mean("time", &mean, Some(&deviation));
                if let Some(median) = median {
                    page.figure("median", &median);
                }
                page.ends();
            } else if let Some(values) = text.strip_prefix("Total number of values: ") {
                page.kept.push((VALUES, values.to_owned()));
            } else if let Some((median, _)) = text.strip_prefix("Median +- MAD: ").and_then(parts) {
                page.kept.push((MEDIAN, median));
            } else if !text.is_empty() && text.bytes().all(|byte| byte == b'=') {
                // The line above is the name of the benchmarks of a file with several.
                page.kept.retain(|(kind, _)| *kind != TITLE);
                if let Some(at) = page.kept.iter().position(|(kind, _)| *kind == ABOVE) {
                    page.kept[at].0 = TITLE;
                }
            } else {
                page.kept.retain(|(kind, _)| *kind != ABOVE);
                page.kept.push((ABOVE, text.to_owned()));
            }
        },
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

const MEAN: &str = "Mean +- std dev: ";

/// The kinds of what is kept of a file of pyperf: the line above, the title of a benchmark, its median, its number of values.
const ABOVE: usize = 0;
const TITLE: usize = 1;
const MEDIAN: usize = 2;
const VALUES: usize = 3;

/// Whether a line compares two files.
fn is_comparison(line: &str) -> bool {
    let is_verdict = line.contains("x slower") || line.contains("x faster");
    line.contains(MEAN) && line.contains(" -> ")
        || is_verdict && line.starts_with("- ") && line.contains(" +- ")
}

/// What pyperf prints of a comparison, or of the values as a histogram.
pub static PYPERF_COMPARISON: Format = refused(
    "pyperf-comparison",
    "pyperf",
    "a comparison with `x faster` or `x slower`, or a histogram with lines such as `502 ns: 2 ###`",
    "a comparison of pyperf, or the bars of a histogram",
    "python -m pyperf timeit -o FILE; `pyperf show` and `compare_to` print such a file",
    &[MEAN, "x slower", "x faster", "Benchmark hidden because", "ns: ", "us: ", "ms: ", "sec: "],
    |head| {
        let is_table = head.has_line(|line| line.starts_with("| Benchmark ")).is_ok();
        // `1.20 sec: 1.20x slower`
        let is_verdict = |cell: &str| {
            cell.split_once(": ")
                .is_some_and(|(_, ratio)| ratio.contains("x slower") || ratio.contains("x faster"))
        };
        No::unless((PYPERF.fits)(head).is_err(), "it has means")?;
        head.has_line(|line| {
            is_comparison(line)
                || is_table && line.split('|').any(is_verdict)
                || line.starts_with("Benchmark hidden because not significant (")
                || is_bar(line)
        })
    },
);

/// Whether a line is a bar of a histogram: `502 ns: 2 ####`, `556 ns: 0 |`.
fn is_bar(line: &str) -> bool {
    let Some((value, bar)) = line.split_once(": ") else { return false };
    let (value, bar): (Vec<&str>, Vec<&str>) = (value.split(' ').collect(), bar.split_whitespace().collect());
    let is_time = matches!(value[..], [time, "ns" | "us" | "ms" | "sec"] if number(time).is_some());
    is_time
        && matches!(bar[..], [count, bar] if count.parse::<u64>().is_ok() && bar.bytes().all(|sign| b"#|".contains(&sign)))
}
