//! `perf stat`: its output with `-x` and with `-j`, and what it prints for people. Several runs (`-r`) give means.

use super::json::{broken_line, record};
use super::prelude::*;
use super::sandmark_layout::is_host;
use super::sandmark_perfstat::grouped;
use crate::text::decimal;

/// What perf prints for people.
pub static HUMAN: Format = Format {
    name: "perf-stat",
    sign: "a line ` Performance counter stats for '…'`, or without one lines such as `1,234 cycles # 2.1 GHz`",
    harness: "perf stat",
    export: "perf stat -o FILE",
    own_labels: &["Performance counter stats", "started on ", "# Table of individual"],
    printed_by: &["perf"],
    metrics: METRICS,
    words: &[OPENING, " # "],
    fits: |head| {
        No::unless(!head.lines().any(is_host), "its line about the host makes it a file of Sandmark")?;
        let is_headless = || {
            let lines = head.lines().filter_map(|line| std::str::from_utf8(line).ok());
            lines.filter(|line| is_commented(line)).count() > 1 && !head.lines().any(is_header_of_intervals)
        };
        No::unless(head.begins_line(OPENING) || is_headless(), "it has no such line")
    },
    read: Read::Bytes(|sheet, bytes| {
        let has_heading = lines::numbered(bytes).any(|(_, text)| text.trim_start().starts_with(OPENING));
        if has_heading { read(sheet, bytes) } else { read_headless(sheet, bytes) }
    }),
    ..Format::PLAIN
};

/// The fields of `perf stat -x`.
pub static FIELDS: Format = Format {
    name: "perf-stat-csv",
    sign: "lines such as `0.95,msec,task-clock,952771,100.00,…`, without a header",
    harness: "perf stat",
    export: "perf stat -x, -o FILE",
    own_labels: &["started on "],
    printed_by: &["perf"],
    metrics: METRICS,
    fits: fits_fields,
    read: Read::Bytes(read_fields),
    ..Format::PLAIN
};

/// The records of `perf stat -j`.
pub static JSON: Format = Format {
    name: "perf-stat-json",
    sign: "lines with `counter-value` and `event`",
    harness: "perf stat",
    export: "perf stat -j -o FILE",
    printed_by: &["perf"],
    metrics: METRICS,
    words: &["\"counter-value\""],
    fits: fits_json,
    read: Read::Bytes(read_json),
    ..Format::PLAIN
};

/// What perf writes with `-I`, for people and with `-x`.
pub static INTERVALS: Format = Format {
    name: "perf-stat-intervals",
    sign: "a line `#  time  counts unit events` or `#  time  insn per cycle …`, or lines such as `1.000195688,0.73,msec,task-clock,727028,100.00` and \
           `CPU0,0.73,msec,task-clock,727028,100.00`",
    harness: "perf stat -I, -A or --per-core",
    values: Values::refused(
        "counts of intervals of one run (-I) or of parts of the machine (-A, --per-core)",
        "perf stat -r 20 --table -o FILE, or once for each run perf stat -o FILE",
    ),
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
    is_time && !rest[0].is_ascii_alphanumeric() && is_counter(&rest[1..])
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
        && (is_counter(after) || after_number.is_some_and(is_counter))
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

const METRICS: &[Meaning] = &[
    Meaning::of("task-clock", "processor time of the command"),
    Meaning::of("insn per cycle", "instructions in a cycle of the processor"),
];

const OPENING: &str = "Performance counter stats for ";

/// The benchmark of a file that does not state its command.
pub(super) const COMMAND: &str = "command";

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
        sheet.push(Measurement { benchmark, metric, value, line, aggregate, ..ROW });
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
            let known = meaning(other);
            (Metric::new(event, &known.base, known.quantity).never_exact(), known.scale)
        }
    };
    let primary = matches!(base(event), "time elapsed" | "task-clock" | "instructions");
    (Metric { primary, ..metric }, scale)
}

/// Adds a figure that perf derives from a counter: `insn per cycle`, or a share in per cent such as that `of all branches`.
/// Rates a second are not read: counters and times have them.
fn derived(sheet: &mut Sheet, counter: &Counter<'_>, value: f64, name: &str) {
    let is_share = name.starts_with("of ") || name.ends_with(" cycles idle");
    if !value.is_finite() || !is_share && !name.contains(" per ") {
        return;
    }
    let event = base(counter.event);
    let name = if name.starts_with("of ") { format!("{event} {name}") } else { name.to_owned() };
    let is_cost = ["miss", "idle", "stalled"].iter().any(|word| name.contains(word));
    let better = if is_cost { Some(Better::Lower) } else { None };
    let better = if name == "insn per cycle" { Some(Better::Higher) } else { better };
    // A processor with two kinds of cores has one of each.
    let cores = event.split('/').next().filter(|cores| cores.starts_with("cpu_") && event.contains('/'));
    let name = cores.filter(|_| !is_share).map_or_else(|| name.clone(), |cores| format!("{cores} {name}"));
    let metric = sheet.metric(&name, || Metric {
        better,
        ..Metric::new(&name, "", Quantity::Other).secondary().never_exact()
    });
    let value = if is_share { value / 100.0 } else { value };
    let aggregate = counter.aggregate.map(|aggregate| Aggregate { deviation: None, ..aggregate });
    let row = Measurement { benchmark: counter.benchmark, metric, value, aggregate, ..ROW };
    sheet.push(Measurement { line: counter.line, ..row });
}

/// Records a counter that perf could not count.
pub(super) fn uncounted(sheet: &mut Sheet, event: &str, why: &str, line: u32) {
    let why = why.trim_start_matches('<').trim_end_matches('>');
    let what = format!("{} was {why}", excerpt(event));
    let hint = "the machine or the kernel does not provide this counter. Leave it out of the comparison";
    sheet.problem(Code::MalformedNumber, line, what, hint);
}

// With -x.

/// The fields of a line, behind which stand the time that the counter counted and its share in per cent.
struct Row<'a> {
    value: &'a str,
    unit: &'a str,
    event: &'a str,
    /// Whether there is a spread, as with -r.
    spread: bool,
    /// What stands between the fields.
    separator: char,
    /// The figure that perf derives from the counter, and what it is.
    derived: Option<(f64, &'a str)>,
}

/// The fields of a line with any separator; `None` if it has no counter of a whole run.
fn row(line: &[u8]) -> Option<Row<'_>> {
    let text = std::str::from_utf8(line).ok()?;
    let is_separator = |mark: &char| text.matches(*mark).count() >= 4;
    [',', ';', '\t', '|', ':', ' '].into_iter().filter(is_separator).find_map(|mark| fields(text, mark))
}

/// The same with a known separator. In some languages the decimal mark is a comma.
fn fields(text: &str, separator: char) -> Option<Row<'_>> {
    let mut cells = text.splitn(3, separator);
    let (value, unit, rest) = (cells.next()?.trim(), cells.next()?.trim(), cells.next()?);
    let (event, rest) = rest.split_at(end_of_event(rest, separator));
    let event = event.trim();
    let after: Vec<&str> = rest.split(separator).skip(1).map(str::trim).collect();
    let spread = after.first()?.ends_with('%');
    let time = after.get(usize::from(spread))?;
    let share = decimal(after.get(1 + usize::from(spread))?)?;
    // The terse report of fio has many more.
    let sound = after.len() < 17
        && (is_uncounted(value) || decimal(value).is_some())
        && event.starts_with(|first: char| first.is_ascii_alphabetic())
        && decimal(time).is_some()
        && (0.0..=100.0).contains(&share);
    let at = 2 + usize::from(spread);
    let derived = after.get(at).and_then(|digits| decimal(digits)).zip(after.get(at + 1).copied());
    sound.then_some(Row { value, unit, event, spread, separator, derived })
}

/// Where the event at the beginning of a text ends. One such as `cpu/event=0x3c,umask=0x1/u` has separators between its
/// slashes.
fn end_of_event(text: &str, separator: char) -> usize {
    let next = |from: usize| text[from..].find(separator).map_or(text.len(), |at| from + at);
    let first = next(0);
    let is_open = text[..first].matches('/').count() == 1;
    let closing = text[first..].find('/').filter(|_| is_open);
    closing.map_or(first, |at| next(first + at))
}

/// Whether a value says that perf could not count: `<not counted>`, `<not supported>`.
fn is_uncounted(value: &str) -> bool {
    value.starts_with("<not ")
}

/// Whether a line has no counter, but another metric that perf derives from that of the line before: its value, unit and
/// event are empty.
fn is_derived(line: &str, separator: Option<char>) -> bool {
    separator.is_some_and(|separator| line.chars().take_while(|&mark| mark == separator).count() >= 3)
}

/// Whether most counters are known events or have the units of events, and no header stands above them: the rows of other
/// tables can have a number, two words and two more numbers, too.
fn fits_fields(head: &Head<'_>) -> Fit {
    let separators = |line: &[u8], mark: char| line.iter().filter(|&&byte| char::from(byte) == mark).count();
    let (mut rows, mut known, mut may_be_header) = (0_usize, 0_usize, None);
    for line in head.lines().filter(|line| !line.starts_with(b"#")) {
        // A number, or why there is none.
        let has_value =
            line.trim_ascii_start().first().is_some_and(|first| first.is_ascii_digit() || *first == b'<');
        let Some(row) = Some(line).filter(|_| has_value).and_then(row) else {
            may_be_header = may_be_header.or_else(|| Some(line).filter(|_| rows == 0));
            continue;
        };
        let is_header = |line: &[u8]| separators(line, row.separator) >= 4;
        if rows == 0 && row.separator != ' ' && may_be_header.is_some_and(is_header) {
            return Err(No::Because("it has a header"));
        }
        rows += 1;
        known += usize::from(is_counter(line));
    }
    No::unless(rows > 0, "it has no such line")?;
    No::unless(2 * known >= rows, "most of its lines name no event of perf")
}

/// Whether a line has the fields of a counter that is known to be one.
fn is_counter(line: &[u8]) -> bool {
    row(line).is_some_and(|row| is_uncounted(row.value) || is_event(row.event, row.unit))
}

/// Whether perf has such an event or counts it in this unit.
fn is_event(event: &str, unit: &str) -> bool {
    const EVENTS: [&str; 24] = words!(
        "alignment-faults branch-misses branches bus-cycles cache-misses cache-references context-switches \
         cpu-cycles cpu-migrations cs cycles emulation-faults faults instructions major-faults migrations \
         minor-faults mem-loads mem-stores page-faults ref-cycles slots stalled-cycles-backend \
         stalled-cycles-frontend"
    );
    const UNITS: [&str; 4] = ["msec", "Joules", "MiB", "ns"];
    const CACHES: [&str; 7] = ["L1-", "LLC-", "dTLB-", "iTLB-", "branch-", "node-", "topdown-"];
    let event = base(event);
    let is_raw = event
        .strip_prefix('r')
        .is_some_and(|code| code.len() >= 3 && code.bytes().all(|byte| byte.is_ascii_hexdigit()));
    UNITS.contains(&unit)
        || unit.is_empty()
            && (is_clock(event)
                || is_raw
                || EVENTS.contains(&event)
                || event.contains('/')
                || CACHES.iter().any(|cache| event.starts_with(cache)))
}

fn read_fields(sheet: &mut Sheet, bytes: &[u8]) {
    let mut separator = None;
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if text.trim().is_empty() || text.starts_with('#') || is_derived(text, separator) {
            continue;
        }
        let Some(row) = row(text.trim().as_bytes()) else {
            let what = format!("`{}` is not a counter of a whole run", excerpt(text));
            let hint = "statera does not read -I, -A and --per-core; a line reads: 0.95,msec,task-clock,952771,100.00";
            sheet.malformed(line, what, hint);
            continue;
        };
        separator = Some(row.separator);
        let (event, unit) = (row.event, unit_of(row.event, row.unit, row.value));
        let Some(value) = decimal(row.value) else {
            uncounted(sheet, event, row.value, line);
            continue;
        };
        // The number of runs is not in the file.
        let aggregate = row.spread.then(Aggregate::default);
        let counter = Counter { benchmark: COMMAND, event, unit, value, aggregate, line };
        counter.push(sheet);
        if let Some((value, name)) = row.derived {
            derived(sheet, &counter, value, name);
        }
    }
}

// With -j.

fn fits_json(head: &Head<'_>) -> Fit {
    let has = |line: &[u8], word: &str| memchr::memmem::find(line, word.as_bytes()).is_some();
    let is_record =
        |line: &[u8]| line.starts_with(b"{") && has(line, "\"counter-value\"") && has(line, "\"event\"");
    No::unless(head.lines().any(is_record), "it has no such line")
}

fn read_json(sheet: &mut Sheet, bytes: &[u8]) {
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if !text.starts_with(b"{") {
            continue;
        }
        match record(text, line, sheet) {
            Ok(Some(fields)) => counter(sheet, &Value::Object(fields), line),
            Ok(None) => {}
            Err(fault) => {
                let pointed = with_points(text);
                match record(&pointed, line, sheet) {
                    Ok(Some(fields)) => counter(sheet, &Value::Object(fields), line),
                    _ => broken_line(sheet, &fault),
                }
            }
        }
    }
}

/// A record whose numbers have decimal points. In some languages perf writes `"pcnt-running" : 100,00`, which is no JSON; a
/// blank stands behind the commas between its fields.
fn with_points(record: &[u8]) -> Vec<u8> {
    let mut pointed = record.to_vec();
    let (mut quoted, mut escaped) = (false, false);
    for (at, &byte) in record.iter().enumerate() {
        quoted ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        let is_digit = |at: usize| record.get(at).is_some_and(u8::is_ascii_digit);
        if byte == b',' && !quoted && at > 0 && is_digit(at - 1) && is_digit(at + 1) {
            pointed[at] = b'.';
        }
    }
    pointed
}

fn counter(sheet: &mut Sheet, fields: &Value<'_>, line: u32) {
    const PARTIAL: [&str; 8] = ["interval", "cpu", "core", "die", "socket", "node", "thread", "cgroup"];
    let text = |key: &str| fields.text_of(key).unwrap_or_default();
    let Some(value) = fields.get("counter-value") else {
        // A derived metric has a line of its own.
        return;
    };
    if let Some(part) = PARTIAL.iter().find(|key| fields.get(key).is_some()) {
        let what = format!("{} of one {part}", excerpt(text("event")));
        return sheet.malformed(line, what, "statera does not read -I, -A and --per-core");
    }
    let written = plain(value);
    if is_uncounted(&written) {
        return uncounted(sheet, text("event"), &written, line);
    }
    // A text can have a decimal comma.
    let Some(parsed) = number_of(sheet, value, line).or_else(|| decimal(value.text()?.trim())) else {
        return sheet.no_number(line, text("event"), "", written);
    };
    let aggregate = fields.get("variance").map(|_| Aggregate::default());
    let (event, unit) = (text("event"), text("unit"));
    let counter = Counter { benchmark: COMMAND, event, unit, value: parsed, aggregate, line };
    counter.push(sheet);
    let value = fields.get("metric-value").and_then(|value| number_of(sheet, value, line));
    if let Some((value, name)) = value.zip(fields.text_of("metric-unit")) {
        derived(sheet, &counter, value, name.trim());
    }
}

// What `perf stat` prints for people. Of several runs (`-r`) only `--table` prints the time of each.

/// What perf prints of one command.
#[derive(Default)]
struct Block {
    /// The text of the heading as far as it is read.
    heading: String,
    /// The line of the heading.
    line: u32,
    command: String,
    runs: Option<f64>,
    table: Vec<(u32, f64)>,
    /// The counters so far, until one of them stands there again.
    events: HashSet<String>,
    /// The times below the elapsed time that are still to come.
    footer: Vec<&'static str>,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Where perf prints nothing: programs do, and a number there is no counter.
    Outside,
    /// Within a heading whose command has line breaks.
    Heading,
    /// Between a heading and the elapsed time.
    Counters,
    /// Within the times of each run.
    Table,
    /// Below the elapsed time.
    Footer,
}

pub(super) fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut block = Block::default();
    let mut place = Place::Outside;
    let mut lines = lines::numbered(bytes).collect::<Vec<_>>().into_iter().peekable();
    while let Some((line, text)) = lines.next() {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix(OPENING) {
            unfinished(sheet, &block, place);
            block = Block { heading: rest.to_owned(), line, ..Block::default() };
            // The quote before the command closes nothing.
            let is_whole = is_end_of_heading(rest.strip_prefix('\'').unwrap_or(rest));
            place = if is_whole { block.open() } else { Place::Heading };
        } else if place == Place::Heading {
            block.heading.push(' ');
            block.heading.push_str(text);
            // A line of a command can end so, too; below a heading perf leaves a line empty.
            let is_above_empty = lines.peek().is_none_or(|(_, next)| next.trim().is_empty());
            if is_above_empty && is_end_of_heading(text) {
                place = block.open();
            }
        } else {
            place = within(sheet, &mut block, place, text, line);
        }
    }
    unfinished(sheet, &block, place);
}

/// Reads counters above which people left out the heading. What stands between them tells them apart.
fn read_headless(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut block, mut is_open) = (Block::default(), false);
    for (line, text) in lines::numbered(bytes) {
        let text = text.trim();
        let is_number = text.starts_with(|first: char| first.is_ascii_digit()) || is_uncounted(text);
        if is_open && is_number || is_commented(text) || is_bare(text) {
            if block.command.is_empty() {
                block = Block { heading: COMMAND.to_owned(), line, ..Block::default() };
                block.open();
            }
            human(sheet, &mut block, text, line, false);
            is_open = true;
        } else {
            // Prose can begin with a number, too.
            is_open = false;
            if !text.is_empty() {
                block = Block::default();
            }
        }
    }
}

/// Whether a line has an event of perf with the figure that perf derives from it: `1,234  cycles  # 2.1 GHz`.
fn is_commented(text: &str) -> bool {
    let Some((before, comment)) = text.split_once(" # ") else { return false };
    let has_figure = comment_of(comment).is_some_and(|(_, name)| !name.is_empty());
    let mut words = before.split_ascii_whitespace();
    let is_counter = |value: &str, unit: &str, event: &str| {
        grouped(value, false).and_then(number).is_some() && is_event(event, unit)
    };
    has_figure
        && match [words.next(), words.next(), words.next(), words.next()] {
            [Some(value), Some(event), None, None] => is_counter(value, "", event),
            [Some(value), Some(unit), Some(event), None] => is_unit(unit) && is_counter(value, unit, event),
            _ => false,
        }
}

/// Whether a line has nothing but an event of perf, or a time of the command.
fn is_bare(text: &str) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        [value, event] => grouped(value, false).and_then(number).is_some() && is_event(event, ""),
        [value, "seconds", "time", "elapsed"] | [value, "seconds", "user" | "sys"] => number(value).is_some(),
        _ => false,
    }
}

/// Reads a line that is no heading, and says where the next one stands.
fn within(sheet: &mut Sheet, block: &mut Block, place: Place, text: &str, line: u32) -> Place {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let is_elapsed = is_number && text.contains(" seconds time elapsed");
    match place {
        Place::Outside | Place::Footer if is_elapsed => {
            sheet.no_row(line, text);
            place
        }
        Place::Footer if is_number => {
            let time = text.split('(').next().unwrap_or(text).trim_end();
            if let Some(at) = block.footer.iter().position(|name| time.ends_with(name)) {
                block.footer.swap_remove(at);
                human(sheet, block, text, line, false);
            }
            place
        }
        Place::Counters | Place::Table if text.starts_with("# Table of individual measurements") => {
            Place::Table
        }
        Place::Counters | Place::Table if text.starts_with("# Final result") => Place::Counters,
        Place::Counters | Place::Table if !text.is_empty() && !text.starts_with('#') => {
            human(sheet, block, text, line, place == Place::Table && !is_elapsed);
            if is_elapsed { Place::Footer } else { place }
        }
        _ => place,
    }
}

/// Records a heading that ends nowhere: what stands below it could belong to its command.
fn unfinished(sheet: &mut Sheet, block: &Block, place: Place) {
    if place == Place::Heading {
        sheet.cut(block.line, format!("the heading of {}", block.heading));
    }
}

/// Whether the last line of a heading ends here: with `':` or `' (5 runs):`.
fn is_end_of_heading(text: &str) -> bool {
    let Some(text) = text.strip_suffix(':') else { return false };
    let before_runs = text.strip_suffix(" runs)").and_then(|text| text.rsplit_once(" ("));
    let is_number = |text: &str| number(text).is_some();
    before_runs.filter(|(_, runs)| is_number(runs)).map_or(text, |(before, _)| before).ends_with('\'')
}

impl Block {
    /// Takes the command and the number of runs from a heading such as `'seq 1000' (5 runs):`, or
    /// `process id '4711':`, whose quotes are kept: they enclose a part of the name.
    fn open(&mut self) -> Place {
        let heading = &*self.heading;
        let end =
            heading.rfind('\'').map_or(heading.len(), |end| end + usize::from(!heading.starts_with('\'')));
        let (command, after) = heading.split_at(end);
        let after = after.trim_start_matches('\'').trim();
        let runs = after.strip_prefix('(').and_then(|after| number(after.split(' ').next()?));
        let command = command.trim_start_matches('\'').trim();
        let command = if command.is_empty() { COMMAND } else { command }.to_owned();
        let footer = vec![" seconds user", " seconds sys"];
        *self = Self { command, runs, footer, line: self.line, ..Self::default() };
        Place::Counters
    }
}

/// Reads a counter, or in a table the time of a run.
fn human(sheet: &mut Sheet, block: &mut Block, text: &str, line: u32, in_table: bool) {
    let percent = text.rsplit_once("( +-").and_then(|(_, rest)| decimal(rest.split('%').next()?.trim()));
    let text = joined(text);
    // Before Linux 3.14 the share of the time stands in square brackets, also where it is all of it.
    let is_behind =
        |word: &&str| word.starts_with(['#', '(']) || word.starts_with('[') && word.ends_with("%]");
    let words: Vec<&str> = text.split_ascii_whitespace().take_while(|word| !is_behind(word)).collect();
    let digits = |word: &str, seconds| grouped(word, seconds).and_then(number);
    if in_table {
        let time = words.first().filter(|_| words.len() == 1).and_then(|word| digits(word, true));
        if time.is_none() {
            sheet.no_row(line, text);
        }
        block.table.extend(time.map(|time| (line, time)));
        return;
    }
    let of_part = match words[..] {
        [part, value, ..] if is_part(part) => value == "<not" || digits(value, true).is_some(),
        // Behind the event stands a group of processes, or one of several units of the hardware.
        [value, event, _] if event.starts_with(char::is_alphabetic) => {
            digits(value, false).is_some() && !is_unit(event)
        }
        [value, unit, _, _] => digits(value, false).is_some() && is_unit(unit),
        _ => false,
    };
    if of_part {
        let what = format!("`{}` is a counter of a part of the machine", excerpt(text));
        let hint = "statera does not read -A, --per-core, --per-thread, -G, --for-each-cgroup and --no-merge";
        return sheet.malformed(line, what, hint);
    }
    let (value, unit, event) = match words[..] {
        ["<not", why, .., event] => return uncounted(sheet, event, &format!("not {why}"), line),
        [value, "seconds", ref rest @ ..] | [value, "+-", _, "seconds", ref rest @ ..] => {
            (digits(value, true), "seconds", rest.join(" "))
        }
        [value, unit, event] => (digits(value, false), unit, event.to_owned()),
        [value, event] => match unit_of(event, "", value) {
            "" => (digits(value, false), "", event.to_owned()),
            unit => (decimal(value), unit, event.to_owned()),
        },
        _ => (None, "", String::new()),
    };
    // A line of --metric-only has numbers alone.
    let is_event = event.contains(char::is_alphabetic);
    let Some(value) = value.filter(|_| is_event) else {
        // Advice of perf below a table has no number at its beginning.
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            sheet.no_row(line, text);
        }
        return;
    };
    let aggregate = block.runs.filter(|&runs| runs > 1.0).map(|_| of_runs(value, percent, block.runs));
    let benchmark = &*block.command;
    if event == "time elapsed" && !block.table.is_empty() {
        for &(line, value) in &block.table {
            Counter { benchmark, event: &event, unit, value, aggregate: None, line }.push(sheet);
        }
    } else {
        if block.events.contains(&event) {
            let what = format!(
                "`{}` stands a second time below one heading: such counters count as a further run",
                excerpt(&event)
            );
            let hint = "write a line `Performance counter stats for 'COMMAND':` above each run";
            sheet.problem(Code::Assumed, line, what, hint);
            block.events.clear();
        }
        block.events.insert(event.clone());
        let benchmark = &*block.command;
        let counter = Counter { benchmark, event: &event, unit, value, aggregate, line };
        counter.push(sheet);
        if let Some((value, name)) = text.split_once('#').and_then(|(_, comment)| comment_of(comment)) {
            derived(sheet, &counter, value, &name);
        }
    }
}

/// The figure behind a counter: `1.02  insn per cycle   ( +-  0.02% )`, `2.35% of all branches   (83.43%)`. The share of the
/// time that the counter counted is no part of its name.
fn comment_of(comment: &str) -> Option<(f64, String)> {
    let comment = comment.split("( +-").next().unwrap_or(comment);
    let is_share =
        |word: &&str| word.starts_with(['(', '[']) && (word.ends_with("%)") || word.ends_with("%]"));
    let mut words = comment.split_ascii_whitespace().take_while(|word| !is_share(word));
    let digits = words.next()?;
    // `28.831 % of all cache refs`
    let words: Vec<&str> = words.skip_while(|word| *word == "%").collect();
    // Before Linux 4.6 it counts "insns".
    let name = words.join(" ").replace("insns per cycle", "insn per cycle");
    Some((decimal(digits.trim_end_matches('%'))?, name))
}

/// The line with other blanks where blanks group the digits of its number: `1 234 567      cycles`.
fn joined(text: &str) -> String {
    let end = text.find(|letter: char| letter != ' ' && !is_of_number(letter)).unwrap_or(text.len());
    let (number, rest) = text.split_at(text[..end].trim_end().len());
    let is_grouped = number.split(' ').skip(1).all(|group| group.len() >= 3);
    (if is_grouped { number.replace(' ', "\u{A0}") } else { number.to_owned() }) + rest
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '.' | ',' | '\'' | '’' | '\u{A0}' | '\u{202F}')
}

/// Whether a word between a number and its event is a unit.
fn is_unit(word: &str) -> bool {
    matches!(word, "Joules" | "Watts" | "Bytes" | "C" | "%")
        || !matches!(meaning(word).quantity, Quantity::Other | Quantity::Count)
}

/// The spread that perf states is the standard error of the mean, in per cent of it.
fn of_runs(value: f64, percent: Option<f64>, runs: Option<f64>) -> Aggregate {
    let deviation = percent.zip(runs).map(|(percent, runs)| percent / 100.0 * value.abs() * runs.sqrt());
    Aggregate { count: runs, deviation }
}
