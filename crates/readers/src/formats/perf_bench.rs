//! perf bench: the time or the speed of each of its benchmarks.

use super::prelude::*;
use crate::text::decimal;

/// What perf bench prints, once or several times.
pub static FORMAT: Format = Format {
    name: "perf-bench",
    sign: "a line such as `# Running 'sched/messaging' benchmark:`",
    harness: "perf bench",
    export: "perf bench COLLECTION BENCHMARK",
    values: Values::Averages,
    printed_by: &["perf"],
    keys: &[KEYS],
    metrics: &[
        Meaning::of("time", "elapsed time of all work, of one run, or the mean over its repetitions"),
        Meaning::of("time-per-operation", "mean time of one operation"),
        Meaning::of("throughput", "bytes per second"),
        Meaning::of("cycles-per-byte", "processor cycles per byte"),
        Meaning::of("rate", "operations per second, the mean over the threads"),
    ],
    words: &["# Running "],
    fits: |head| head.has_line(|line| title(line).is_some()),
    read: Read::Bytes(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The benchmark of `# Running 'sched/messaging' benchmark:`, or of `# Running sched/messaging benchmark...`.
fn title(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("# Running ")?;
    let named = rest.strip_prefix('\'').and_then(|rest| rest.strip_suffix("' benchmark:"));
    named.or_else(|| rest.strip_suffix(" benchmark..."))
}

/// A number of a line, and what it means.
struct Value<'a> {
    metric: &'static str,
    digits: &'a str,
    scale: Scale,
    aggregate: Option<Aggregate>,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut report = Report { sheet: std::mem::take(sheet), ..Report::default() };
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        report.line(text, line);
    }
    report.end();
    *sheet = report.sheet;
}

#[derive(Default)]
struct Report {
    sheet: Sheet,
    /// The benchmark whose numbers follow.
    benchmark: String,
    /// What it is asked to do.
    work: Context,
    /// The seconds for which the benchmark counts its operations.
    seconds: Option<f64>,
    /// How often each benchmark ran.
    runs: HashMap<String, u32>,
    /// The line of a title below which nothing was read yet.
    unread: Option<u32>,
    /// The total time, until a more exact time of one operation follows.
    total: Option<(String, u32)>,
    /// Whether the repetitions of the benchmark are there, so that their mean is not needed.
    is_repeated: bool,
}

impl Report {
    fn line(&mut self, text: &str, line: u32) {
        if let Some(found) = title(text) {
            self.end();
            self.unread = Some(line);
            found.clone_into(&mut self.benchmark);
            *self.runs.entry(found.to_owned()).or_insert(0) += 1;
            self.is_repeated = false;
            self.work.clear();
            self.seconds = None;
        } else if let Some(rest) = text.strip_prefix("# function '") {
            let own = self.benchmark.split('#').next().unwrap_or_default().to_owned();
            self.benchmark = format!("{own}#{}", rest.split('\'').next().unwrap_or(rest));
        } else if let Some((function, _)) =
            text.strip_prefix("Routine ").and_then(|rest| rest.split_once(" ("))
        {
            // As older versions name a function.
            let own = self.benchmark.split('#').next().unwrap_or_default();
            self.benchmark = format!("{own}#{function}");
        } else if let Some(digits) = total(text) {
            self.flush();
            self.total = Some((digits.to_owned(), line));
        } else if let Some(value) = repetition(text) {
            self.is_repeated = true;
            self.push("", &value, line);
        } else if let Some((part, value)) =
            mean(text).filter(|(part, _)| !part.is_empty() || !self.is_repeated)
        {
            self.push(part, &value, line);
        } else if let Some((part, value)) = speed(text) {
            self.total = None;
            self.push(part, &value, line);
        } else if let Some((part, digits)) = counted(text) {
            // Without the seconds the count means nothing, and the benchmark has no result.
            let Some(seconds) = self.seconds else { return };
            let aggregate = Some(Aggregate::default());
            self.push(part, &Value { metric: "rate", digits, scale: Scale::Over(seconds), aggregate }, line);
        } else {
            self.seconds = seconds(text).or(self.seconds);
            for (key, value) in stated(text) {
                context::state(&mut self.work, key, &value);
            }
        }
    }

    /// Ends a benchmark.
    fn end(&mut self) {
        self.flush();
        if let Some(line) = self.unread.take() {
            let what = format!("{} prints nothing that statera reads", excerpt(&self.benchmark));
            let hint = "statera reads `Total time`, means, and times or bytes of an operation. Leave the benchmark out";
            self.sheet.malformed(line, what, hint);
        }
    }

    fn flush(&mut self) {
        if let Some((digits, line)) = self.total.take() {
            let value = Value { metric: "time", digits: &digits, scale: Scale::Times(1.0), aggregate: None };
            self.push("", &value, line);
        }
    }

    fn push(&mut self, part: &str, found: &Value<'_>, line: u32) {
        let own = self.benchmark.split('#').next().unwrap_or_default();
        let Some(runs) = self.runs.get(own) else { return };
        self.unread = None;
        let process = Some(runs - 1);
        let mut benchmark = self.benchmark.replace('#', "/");
        if !part.is_empty() {
            benchmark = format!("{benchmark}/{part}");
        }
        let needed = decimal(found.digits);
        let Some(value) = self.sheet.need_number(needed, line, found.metric, &benchmark, found.digits) else {
            return;
        };
        let (name, value, aggregate) = (found.metric, found.scale.apply(value), found.aggregate);
        let metric = self.sheet.metric(name, || match name {
            "throughput" => Metric::new(name, "B/s", Quantity::Throughput),
            "rate" => Metric::new(name, "1/s", Quantity::Throughput),
            "cycles-per-byte" => {
                Metric { better: Some(Better::Lower), ..Metric::new(name, "cycles/B", Quantity::Other) }
            }
            _ => Metric::new(name, "s", Quantity::Time),
        });
        self.sheet.set_context(&self.work);
        let benchmark = &*benchmark;
        self.sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
    }
}

/// The seconds of `     Total time: 0.119 [sec]`.
fn total(text: &str) -> Option<&str> {
    Some(text.trim().strip_prefix("Total time:")?.strip_suffix("[sec]")?.trim())
}

/// Reads `[Run 1]: Wokeup 4 of 4 threads in 0.2370 ms`.
fn repetition(text: &str) -> Option<Value<'_>> {
    let (_, rest) = text.strip_prefix("[Run ")?.split_once("]: ")?;
    threads(rest).map(|value| Value { aggregate: None, ..value })
}

/// The time of `Wokeup 4 of 4 threads in 0.2370 ms` or of `Avg per-thread latency (waking 1/4 threads) in 0.0610 ms`, which
/// may be a mean.
fn threads(text: &str) -> Option<Value<'_>> {
    let (what, rest) = text.split_once(" threads in ").or_else(|| text.split_once(" threads) in "))?;
    let (digits, _) = rest.split_once(" ms")?;
    let aggregate = Some(Aggregate::default());
    let value = Value { metric: "time", digits, scale: Scale::Over(1e3), aggregate };
    what.starts_with(char::is_uppercase).then_some(value)
}

/// Reads a mean over threads or repetitions, and the part of the benchmark that it is about. Its error is not read: it is
/// not that of one sample.
fn mean(text: &str) -> Option<(&str, Value<'_>)> {
    let aggregate = Some(Aggregate::default());
    let averaged = text.strip_prefix("Averaged ").and_then(|rest| rest.split_once(" operations/sec"));
    if let Some((digits, _)) = averaged {
        return Some(("", Value { metric: "rate", digits, scale: Scale::Times(1.0), aggregate }));
    }
    let took = text.trim().strip_prefix("Average ").and_then(|rest| rest.split_once(" took:"));
    if let Some((part, rest)) = took {
        // The times of several parts stand in a column.
        let (digits, rest) = rest.trim_start().split_once(' ')?;
        let unit = meaning(rest.split(' ').next().unwrap_or(rest));
        let value = Value { metric: "time", digits, scale: unit.scale, aggregate };
        return (unit.quantity == Quantity::Time).then_some((part, value));
    }
    threads(text).map(|value| ("", value))
}

/// Reads the kind and the number of operations of `Averaged 53952 ADD operations (+- 10.20%)`, the mean over the threads.
fn counted(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = text.strip_prefix("Averaged ")?.split_once(' ')?;
    let (part, _) = rest.split_once(" operations (")?;
    Some((part, digits))
}

/// Reads `       2.437600 usecs/op` and `      22.710756 GB/sec`, in older versions also `  3.250000 GB/Sec (with
/// prefault)`. What is more than another benchmark, `1.520 usecs/op to baseline`, follows from the two. The prefixes of
/// bytes are powers of 1,024, but of numa, as in `2.030 GB/sec total speed`, of 1,000. Of several threads `2.250000
/// GB/sec/thread` is a mean.
fn speed(text: &str) -> Option<(&str, Value<'_>)> {
    let (digits, rest) = text.trim().split_once(' ')?;
    let (rest, _) = rest.split_once('\t').unwrap_or((rest, ""));
    let (unit, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let of_thread = unit.strip_suffix("/thread");
    let is_of_numa = matches!(rest.trim_end(), "speed" | "total speed");
    let part = if of_thread.is_some() { "thread" } else { rest.strip_prefix('(').unwrap_or_default() };
    let unit = of_thread.unwrap_or(unit).replace("/Sec", "/sec").replace("/Byte", "/byte");
    // perf prints a letter of its own format: `512.250000d KB/sec`.
    let digits = digits.strip_suffix('d').filter(|_| unit == "KB/sec").unwrap_or(digits);
    let (metric, scale) = match &*unit {
        "usecs/op" => ("time-per-operation", Scale::Over(1e6)),
        "nsecs/op" => ("time-per-operation", Scale::Over(1e9)),
        "bytes/sec" | "B/sec" => ("throughput", Scale::Times(1.0)),
        "KB/sec" => ("throughput", Scale::Times(1024.0)),
        "MB/sec" => ("throughput", Scale::Times(1024.0 * 1024.0)),
        "GB/sec" if is_of_numa => ("throughput", Scale::Times(1e9)),
        "GB/sec" => ("throughput", Scale::Times(1024.0 * 1024.0 * 1024.0)),
        "cycles/byte" => ("cycles-per-byte", Scale::Times(1.0)),
        _ => return None,
    };
    let aggregate = of_thread.map(|_| Aggregate::default());
    Some((part.trim_end_matches(')'), Value { metric, digits, scale, aggregate }))
}

// What perf bench says of the work of a benchmark, above its numbers.

pub(super) const KEYS: &[Key] = &[
    Key::work("mode", "`process` or `threaded`"),
    Key::work("groups", "number of groups of senders and receivers"),
    Key::work("processes", "number of processes"),
    Key::work("threads", "number of threads"),
    Key::work("size", "bytes to copy or to set"),
    Key::work("futexes", "number of futexes of a thread"),
    Key::work("sharing", "whether futexes are `private` or `shared`"),
    Key::work("at_a_time", "number of threads that are woken or requeued at a time"),
    Key::work("file_descriptors", "number of file descriptors"),
    Key::work("events", "number of events"),
    Key::work("breakpoints", "number of breakpoints"),
    Key::work("parallelism", "number of threads that create others"),
    Key::work("passive_threads", "number of threads that wait"),
    Key::work("active_threads", "number of threads that run"),
    Key::work("waking_threads", "number of threads that wake others"),
    Key::work("pi", "`yes` if the target of a requeue inherits priorities"),
    Key::work("oneshot", "`yes` if epoll disables a file descriptor after each event"),
    Key::work("bits", "number of bits to search"),
    Key::work("set_bits", "number of bits that are set"),
];

/// The keys, by the word behind their number.
const WORDS: [(&str, &str); 12] = [
    ("groups", "groups"),
    ("processes", "processes"),
    ("threads", "threads"),
    ("futexes", "futexes"),
    ("at", "at_a_time"),
    ("file-descriptors", "file_descriptors"),
    ("fds", "file_descriptors"),
    ("events", "events"),
    ("breakpoints", "breakpoints"),
    ("parallelism", "parallelism"),
    ("passive", "passive_threads"),
    ("active", "active_threads"),
];

fn key(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, key)| *key)
}

/// The keys of a line such as `# 10 groups == 400 processes run`. How often the benchmark repeats its operation, and for
/// how long, is no work of its own.
pub(super) fn stated(text: &str) -> Vec<(&'static str, String)> {
    let text = text.trim();
    if let Some(size) = text.strip_prefix("# Copying ").and_then(|rest| rest.split(' ').next()) {
        return vec![("size", size.to_owned())];
    }
    // `Number of events:  1 (2 fds)` has its word before the number.
    if let Some((subject, rest)) = text.strip_prefix("Number of ").and_then(|rest| rest.split_once(':')) {
        let (digits, others) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let word = subject.rsplit(' ').next().unwrap_or(subject);
        return key(word).map(|key| (key, digits.to_owned())).into_iter().chain(counts(others)).collect();
    }
    if let Some(found) = bits(text) {
        return found;
    }
    let summary = || text.strip_prefix("Run summary [PID ")?.split_once("]: ").map(|(_, rest)| rest);
    text.strip_prefix("# ").or_else(summary).map(counts).unwrap_or_default()
}

/// The sizes in `100000 operations 2 bits set of 8 bits`.
fn bits(text: &str) -> Option<Vec<(&'static str, String)>> {
    let (set, rest) = text.split_once(" operations ")?.1.split_once(" bits set of ")?;
    let bits = rest.strip_suffix(" bits")?;
    Some(vec![("set_bits", set.to_owned()), ("bits", bits.to_owned())])
}

/// The seconds in `2 threads doing epoll_ctl ops 64 file-descriptors for 8 secs.`
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (_, rest) = text.strip_prefix("Run summary [PID ")?.split_once(" for ")?;
    number(rest.split_once(" secs")?.0).filter(|&seconds| seconds > 0.0)
}

/// The numbers with a known word behind them: `2 threads, each operating on 1024 [private] futexes for 1 secs.`
fn counts(text: &str) -> Vec<(&'static str, String)> {
    let (bracketed, words): (Vec<&str>, Vec<&str>) =
        text.split_ascii_whitespace().partition(|word| word.starts_with('['));
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let [digits, word] = [pair[0], pair[1]].map(|word| word.trim_matches(['(', ')', ',', '.']));
        if !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Some(key) = key(word)
        {
            // `blocking on 8 threads (at [private] futex 0x5581a0), 2 threads waking up 4 at a time`.
            let wakes = word == "threads" && words.get(at + 2) == Some(&"waking");
            let key = if wakes { "waking_threads" } else { key };
            found.push((key, digits.to_owned()));
        }
    }
    let sharing = bracketed.first().map(|word| ("sharing", word.trim_matches(['[', ']']).to_owned()));
    let modes = [("between two processes", "process"), ("between two threads", "threaded")];
    let mode = modes.iter().find(|(end, _)| text.ends_with(end));
    let traits = [(" to PI ", "pi"), ("(EPOLLONESHOT semantics)", "oneshot")];
    let stated = traits.iter().filter(|(words, _)| text.contains(words));
    found.extend(stated.map(|(_, key)| (*key, "yes".to_owned())));
    found.extend(sharing);
    found.extend(mode.map(|(_, mode)| ("mode", (*mode).to_owned())));
    found
}
