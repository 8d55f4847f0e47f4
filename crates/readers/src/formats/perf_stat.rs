//! `perf stat`: its output with `-x` and with `-j`, and what it prints for people. Several runs (`-r`) give means.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::{Fit, Head, No};
use super::json::{Value, broken, number_of, plain, record};
use super::sandmark_layout::is_host;
use super::table_units::{self, Scale};
use super::{lines, perf_stat_text};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{decimal, excerpt};
use crate::{Code, Options, Sheet};

/// What perf prints for people.
pub static HUMAN: Format = Format {
    name: "perf-stat",
    sign: "a line ` Performance counter stats for '…'`",
    harness: "perf stat",
    export: "perf stat -o FILE",
    values: Values::Samples,
    processes: Processes::Unknown,
    metrics: METRICS,
    fits: |head| {
        No::unless(!head.lines().any(is_host), "its line about the host makes it a file of Sandmark")?;
        No::unless(head.lines().any(|line| line.starts_with(OPENING)), "it has no such line")
    },
    read: perf_stat_text::read,
    ..Format::PLAIN
};

/// The fields of `perf stat -x`.
pub static FIELDS: Format = Format {
    name: "perf-stat-csv",
    sign: "lines such as `0.95,msec,task-clock,952771,100.00,…`, without a header",
    harness: "perf stat",
    export: "perf stat -x, -o FILE",
    values: Values::Samples,
    processes: Processes::Unknown,
    metrics: METRICS,
    fits: |head| No::unless(head.lines().any(|line| row(line).is_some()), "it has no such line"),
    read: read_fields,
    ..Format::PLAIN
};

/// The records of `perf stat -j`.
pub static JSON: Format = Format {
    name: "perf-stat-json",
    sign: "lines with `counter-value` and `event`",
    harness: "perf stat",
    export: "perf stat -j -o FILE",
    values: Values::Samples,
    processes: Processes::Unknown,
    metrics: METRICS,
    fits: fits_json,
    read: read_json,
    ..Format::PLAIN
};

/// What perf writes with `-I`, for people and with `-x`.
pub static INTERVALS: Format = Format {
    name: "perf-stat-intervals",
    sign: "a line `#  time  counts unit events` or `#  time  insn per cycle …`, or lines such as `1.000195688,0.73,msec,task-clock,727028,100.00` and \
           `CPU0,0.73,msec,task-clock,727028,100.00`",
    harness: "perf stat -I, -A or --per-core",
    values: Values::Refused {
        why: "counts of intervals of one run (-I) or of parts of the machine (-A, --per-core)",
        export: "perf stat -r 20 --table -o FILE, or once for each run perf stat -o FILE",
    },
    fits: |head| {
        let is_partial = |line: &[u8]| is_header_of_intervals(line) || is_interval(line) || is_of_part(line);
        No::unless(head.lines().any(is_partial), "it has no such line")
    },
    ..Format::PLAIN
};

/// Whether a line is the header of the counts of intervals, or of `--metric-only`, whose columns are metrics.
fn is_header_of_intervals(line: &[u8]) -> bool {
    line.strip_prefix(b"#           time").is_some_and(|rest| matches!(rest, [] | [b' ', ..]))
        || crate::text::fields(line).eq(["#", "time", "counts", "unit", "events"].map(str::as_bytes))
}

/// Whether a line has the time of an interval, with nine decimals, before the fields of a counter.
fn is_interval(line: &[u8]) -> bool {
    let Some(point) = memchr::memchr2(b'.', b',', line).filter(|point| line.len() > point + 10) else {
        return false;
    };
    let (time, rest) = line.split_at(point + 10);
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    let is_time = point > 0 && digits(&time[..point]) && digits(&time[point + 1..]);
    is_time && !rest[0].is_ascii_alphanumeric() && row(&rest[1..]).is_some()
}

/// Whether a line has a part of the machine, and with --per-core the number of its processors, before the fields of a
/// counter.
fn is_of_part(line: &[u8]) -> bool {
    let Some(end) = line.iter().position(|byte| matches!(byte, b',' | b';' | b'\t' | b'|' | b':')) else {
        return false;
    };
    let is_mark = |byte: &u8| *byte == line[end];
    let after = &line[end + 1..];
    let after_number = after.iter().position(is_mark).map(|mark| &after[mark + 1..]);
    std::str::from_utf8(&line[..end]).is_ok_and(is_part)
        && (row(after).is_some() || after_number.is_some_and(|fields| row(fields).is_some()))
}

/// Whether a word names a processor, as `CPU0` does, a core, a die, a socket or a node, as `S0-D0-C0` and `N1` do, or a
/// thread, as `make-4711` does.
pub(super) fn is_part(word: &str) -> bool {
    let ends_in_digit = |word: &str| word.ends_with(|last: char| last.is_ascii_digit());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_place =
        |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase()) && ends_in_digit(part);
    word.split('-').all(is_place) || word.rsplit_once('-').is_some_and(|(_, thread)| is_number(thread))
}

const METRICS: &[Meaning] = &[Meaning::of("task-clock", "processor time of the command")];

const OPENING: &[u8] = b"Performance counter stats for ";

/// The benchmark of a file that does not state its command.
const COMMAND: &str = "command";

/// A counter as perf states it.
pub(super) struct Counter<'a> {
    pub(super) benchmark: &'a str,
    pub(super) event: &'a str,
    pub(super) unit: &'a str,
    pub(super) value: f64,
    pub(super) aggregate: Option<Aggregate>,
    pub(super) line: u32,
}

impl Counter<'_> {
    pub(super) fn push(&self, sheet: &mut Sheet) {
        let (metric, scale) = described(self.event, self.unit);
        let metric = sheet.metric(self.event, || metric);
        let aggregate = self.aggregate.map(|aggregate| Aggregate {
            deviation: aggregate.deviation.map(|deviation| scale.apply(deviation)),
            ..aggregate
        });
        let (benchmark, line, value) = (self.benchmark, self.line, scale.apply(self.value));
        sheet.push(Measurement { benchmark, metric, value, line, aggregate, ..Measurement::default() });
    }
}

/// The event without its modifiers.
fn base(event: &str) -> &str {
    event.split(':').next().unwrap_or(event)
}

/// Whether an event is a time, also where no unit says so.
fn is_clock(event: &str) -> bool {
    ["task-clock", "cpu-clock", "duration_time", "user_time", "system_time"].contains(&base(event))
}

/// The unit of a number. A clock without a unit counts nanoseconds, but has decimals where it counts milliseconds.
pub(super) fn unit_of<'a>(event: &str, unit: &'a str, digits: &str) -> &'a str {
    let has_decimals = digits.rsplit_once(['.', ',']).is_some_and(|(_, decimals)| decimals.len() != 3);
    if unit.is_empty() && has_decimals && is_clock(event) { "msec" } else { unit }
}

/// The metric of an event and the scale of its values.
fn described(event: &str, unit: &str) -> (Metric, Scale) {
    let (metric, scale) = match unit {
        "msec" => (Metric::new(event, "s", Quantity::Time), Scale::Over(1e3)),
        "seconds" => (Metric::new(event, "s", Quantity::Time), Scale::Times(1.0)),
        "ns" | "nsec" => (Metric::new(event, "s", Quantity::Time), Scale::Over(1e9)),
        "" if is_clock(event) => (Metric::new(event, "s", Quantity::Time), Scale::Over(1e9)),
        "" => (Metric::new(event, "1", Quantity::Count).never_exact(), Scale::Times(1.0)),
        other => {
            let known = table_units::meaning(other);
            (Metric::new(event, &known.base, known.quantity).never_exact(), known.scale)
        }
    };
    let primary = matches!(base(event), "time elapsed" | "task-clock" | "instructions");
    (Metric { primary, ..metric }, scale)
}

/// Records a counter that perf could not count.
pub(super) fn uncounted(sheet: &mut Sheet, event: &str, why: &str, line: u32) {
    let why = why.trim_start_matches('<').trim_end_matches('>');
    let what = format!("{} was {why}", excerpt(event.as_bytes()));
    let hint = "the machine or the kernel does not provide this counter; leave it out of the comparison";
    sheet.problem(Code::MalformedNumber, line, what, hint);
}

// With -x.

/// The fields of a line: value, unit, event, with -r the spread, the time that it counted, and its share in per cent.
fn row(line: &[u8]) -> Option<(Vec<&str>, bool)> {
    let text = std::str::from_utf8(line).ok()?;
    let is_separator = |mark: &char| text.matches(*mark).count() >= 4;
    [',', ';', '\t', '|', ':', ' '].into_iter().filter(is_separator).find_map(|mark| fields(text, mark))
}

/// The same with a known separator. In some languages the decimal mark is a comma.
fn fields(text: &str, separator: char) -> Option<(Vec<&str>, bool)> {
    let cells: Vec<&str> = text.split(separator).map(str::trim).collect();
    let is_value = |cell: &str| cell.starts_with("<not ") || decimal(cell).is_some();
    let is_event = cells.get(2)?.starts_with(|first: char| first.is_ascii_alphabetic());
    let spread = cells.get(3)?.ends_with('%');
    let after = &cells[3 + usize::from(spread)..];
    let share = decimal(after.get(1)?)?;
    // The terse report of fio has many more.
    let sound = cells.len() < 20
        && is_value(cells[0])
        && is_event
        && decimal(after[0]).is_some()
        && (0.0..=100.0).contains(&share);
    sound.then_some((cells, spread))
}

fn read_fields(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let Some((cells, spread)) = row(text.trim().as_bytes()) else {
            let what = format!("`{}` is not a counter of a whole run", excerpt(text.as_bytes()));
            let hint = "statera does not read -I, -A and --per-core; a line reads: 0.95,msec,task-clock,952771,100.00";
            sheet.problem(Code::MalformedRecord, line, what, hint);
            continue;
        };
        let (event, unit) = (cells[2], unit_of(cells[2], cells[1], cells[0]));
        let Some(value) = decimal(cells[0]) else {
            uncounted(&mut sheet, event, cells[0], line);
            continue;
        };
        // The number of runs is not in the file.
        let aggregate = spread.then(Aggregate::default);
        Counter { benchmark: COMMAND, event, unit, value, aggregate, line }.push(&mut sheet);
    }
    Ok(vec![sheet])
}

// With -j.

fn fits_json(head: &Head<'_>) -> Fit {
    let has = |line: &[u8], word: &str| memchr::memmem::find(line, word.as_bytes()).is_some();
    let is_record =
        |line: &[u8]| line.starts_with(b"{") && has(line, "\"counter-value\"") && has(line, "\"event\"");
    No::unless(head.lines().any(is_record), "it has no such line")
}

fn read_json(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    for (line, text) in (1..).zip(lines::whole(&bytes, &mut sheet).split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if !text.starts_with(b"{") {
            continue;
        }
        match record(text, line, &mut sheet) {
            Ok(Some(fields)) => counter(&mut sheet, &Value::Object(fields), line),
            Ok(None) => {}
            Err(fault) => broken(&mut sheet, &fault),
        }
    }
    Ok(vec![sheet])
}

fn counter(sheet: &mut Sheet, fields: &Value<'_>, line: u32) {
    const PARTIAL: [&str; 8] = ["interval", "cpu", "core", "die", "socket", "node", "thread", "cgroup"];
    let text = |key: &str| fields.get(key).and_then(Value::text).unwrap_or_default();
    let Some(value) = fields.get("counter-value") else {
        // A derived metric has a line of its own.
        return;
    };
    if let Some(part) = PARTIAL.iter().find(|key| fields.get(key).is_some()) {
        let what = format!("{} of one {part}", excerpt(text("event").as_bytes()));
        return sheet.problem(
            Code::MalformedRecord,
            line,
            what,
            "statera does not read -I, -A and --per-core",
        );
    }
    let Some(parsed) = number_of(sheet, value, line) else {
        return uncounted(sheet, text("event"), &plain(value), line);
    };
    let aggregate = fields.get("variance").map(|_| Aggregate::default());
    Counter { benchmark: COMMAND, event: text("event"), unit: text("unit"), value: parsed, aggregate, line }
        .push(sheet);
}
