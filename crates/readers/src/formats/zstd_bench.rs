//! zstd -b: the speeds and the size of each file and level.

use super::prelude::*;

/// What zstd -b prints, once or several times.
pub static FORMAT: Format = Format {
    name: "zstd-bench",
    sign: "lines such as ` 3#FILE : 976136 -> 388997 (x2.509), 122.6 MB/s, 530.0 MB/s`, or, with -q, `-3  388997 (2.509) \
           121.70 MB/s  530.0 MB/s  FILE`",
    harness: "zstd",
    export: "zstd -q -b3 FILE",
    values: Values::Averages,
    printed_by: &["zstd"],
    metrics: &[
        Meaning::of("compression", "bytes compressed per second, the fastest of several repetitions"),
        Meaning::of("decompression", "bytes decompressed per second, the fastest of several repetitions"),
        Meaning::of("compressed-size", "bytes of the compressed file"),
    ],
    words: &["MB/s"],
    fits: |head| head.has_line(|line| result(line).is_some()),
    read: Read::Sheet(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// What a line says of a file at a level.
#[derive(Debug, PartialEq)]
struct Found<'a> {
    name: &'a str,
    level: &'a str,
    size: &'a str,
    /// The speeds in MB/s, of 1,000,000 bytes.
    speeds: [&'a str; 2],
}

/// Reads a line. On a terminal each part that follows a carriage return replaces the one before.
fn result(line: &str) -> Option<Found<'_>> {
    let parts = || line.rsplit('\r').map(str::trim_end);
    let complete = parts().find_map(progress);
    let level = parts().find_map(|part| part.trim_start().split_once('#').map(|(level, _)| level));
    match (complete, level.filter(|level| is_level(level))) {
        (Some(found), Some(level)) => Some(Found { level, ..found }),
        (None, None) => quiet(line),
        _ => None,
    }
}

fn is_level(text: &str) -> bool {
    text.parse::<i32>().is_ok()
}

/// Reads ` |-FILE : 976136 -> 388997 (x2.509), 122.6 MB/s, 530.0 MB/s`, or the same with ` 3#` in front.
fn progress(part: &str) -> Option<Found<'_>> {
    let (before, after) = part.split_once(" -> ")?;
    let (head, source) = before.rsplit_once(':')?;
    source.trim().parse::<u64>().ok()?;
    let name = head.trim_start().split_once('#').filter(|(level, _)| is_level(level)).map(|(_, name)| name);
    // Before it is complete, a turning bar and a hyphen stand in place of the level.
    let name = name.or_else(|| head.get(2..)?.strip_prefix('-'))?.trim();
    let (size, rest) = after.trim_start().split_once(" (")?;
    let (_, speeds) = rest.split_once("),")?;
    let (one, other) = speeds.split_once(',')?;
    Some(Found { name, level: "", size: size.trim(), speeds: [megabytes(one)?, megabytes(other)?] })
}

fn megabytes(text: &str) -> Option<&str> {
    text.trim().strip_suffix("MB/s").map(str::trim_end).filter(|digits| !digits.is_empty())
}

/// Reads `-3       388997 (2.509) 121.70 MB/s  530.0 MB/s  FILE`.
fn quiet(line: &str) -> Option<Found<'_>> {
    let (level, rest) = line.strip_prefix('-')?.split_once(' ')?;
    let (size, rest) = rest.trim_start().split_once(" (")?;
    let (_, rest) = rest.split_once(')')?;
    let (one, rest) = rest.split_once("MB/s")?;
    let (other, name) = rest.split_once("MB/s")?;
    let is_size = size.parse::<u64>().is_ok();
    (is_level(level) && is_size).then(|| Found {
        name: name.trim(),
        level,
        size,
        speeds: [one.trim(), other.trim()],
    })
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut seen = HashMap::<String, u32>::new();
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        let Some(found) = result(text) else {
            if text.contains("MB/s") {
                sheet.no_row(line, text);
            }
            continue;
        };
        let benchmark = format!("{}/level {}", found.name, found.level);
        let process = seen.entry(benchmark.clone()).and_modify(|runs| *runs += 1).or_insert(0);
        push(sheet, &benchmark, &found, *process, line);
    }
    Ok(())
}

fn push(sheet: &mut Sheet, benchmark: &str, found: &Found<'_>, process: u32, line: u32) {
    let speed = |name| Metric::new(name, "B/s", Quantity::Throughput);
    let values = [
        (speed("compression"), found.speeds[0], 1e6, Some(Aggregate::default())),
        (speed("decompression"), found.speeds[1], 1e6, Some(Aggregate::default())),
        (Metric::new("compressed-size", "B", Quantity::Bytes), found.size, 1.0, None),
    ];
    for (made, digits, factor, aggregate) in values {
        let Some(value) = number(digits) else {
            sheet.unreadable(line, digits);
            continue;
        };
        if value == 0.0 {
            // `zstd -b -d` does not compress.
            sheet.dropped(1);
            continue;
        }
        let metric = sheet.metric(&made.name.clone(), || made);
        let (process, value) = (Some(process), value * factor);
        sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
    }
}
