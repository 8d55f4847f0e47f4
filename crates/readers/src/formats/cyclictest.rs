//! cyclictest: the latencies of its threads.

use super::prelude::*;
use std::iter::Peekable;
use std::str::SplitWhitespace;

use super::repeats::Repeats;

/// The file of `--json`.
pub static JSON: Format = Format {
    name: "cyclictest",
    sign: "an object with `num_threads`, `resolution_in_ns` and `thread`, of a command with `cyclictest`",
    harness: "cyclictest",
    export: "cyclictest --json=FILE",
    keys: &[
        &[
            Key::date("start of the run"),
            Key::setting("version", "version of the harness"),
            Key::environment("kernel", "version of the kernel"),
            Key::environment("machine", "name of the machine"),
        ],
        KEYS,
    ],
    metrics: &[
        Meaning::of("latency-mean", "mean time from the planned to the actual wake-up"),
        Meaning::of("latency-max", "longest such time"),
        Meaning::of("latency-min", "shortest such time"),
    ],
    fits: |head| {
        head.has_all(&["num_threads", "resolution_in_ns", "thread", "sysinfo"])?;
        No::unless(head.has("cyclictest"), "its command is not cyclictest")
    },
    read: Read::Document(read),
    ..Format::JSON_SUMMARY
};

pub static TEXT: Format = Format {
    name: "cyclictest-text",
    sign: "lines such as `T: 0 ( 1234) P:80 I:1000 C:  1000 Min:  5 Act:  8 Avg:  9 Max:  41`",
    harness: "cyclictest",
    export: "cyclictest -q",
    keys: &[&[
        Key::work("interval", "microseconds from one wake-up to the next, where they are not 1000"),
        Key::work("priority", "priority of the thread"),
    ]],
    metrics: JSON.metrics,
    words: &[" Act:"],
    fits: |head| console::has(head, THREAD),
    read: Read::Sheet(read_text),
    printed_by: &["cyclictest"],
    ..Format::REPORT
};

const THREAD: &str = "T:{} ({}) P:{} I:{} C:{} Min:{} Act:{} Avg:{} Max:{}";

/// The histogram that it prints with `-h`.
pub static HISTOGRAM: Format = Format {
    name: "cyclictest-histogram",
    sign: "a line `# Min Latencies: 00005`",
    harness: "cyclictest",
    values: Values::refused(
        "a histogram of cyclictest, without its unit: microseconds, or nanoseconds with -N",
        "cyclictest -q --json=FILE",
    ),
    words: &["# Min Latencies: "],
    fits: |head| head.has_line(|line| line.starts_with("# Min Latencies: ")),
    ..Format::PLAIN
};

/// Reads the last line of each thread: during a run cyclictest prints it again and again. It does not state its unit: a
/// nanosecond with `-N`, else a microsecond. Without the command the numbers are in neither.
fn read_text(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let lines: Vec<(u32, &str)> = lines::numbered(&bytes).collect();
    let is_command = |line: &&str| {
        line.split_whitespace().any(|word| word.starts_with('-')) && line.contains("cyclictest ")
    };
    let is_nano = |line: &str| line.split_whitespace().any(|word| matches!(word, "-N" | "--nsecs"));
    let commands: Vec<&str> = lines.iter().map(|(_, line)| *line).filter(is_command).collect();
    let divisor = match commands.iter().filter(|line| is_nano(line)).count() {
        0 if !commands.is_empty() => Some(1e6),
        nano if nano > 0 && nano == commands.len() => Some(1e9),
        _ => None,
    };
    let threads: Vec<_> =
        lines.iter().filter_map(|&(line, text)| Some((line, console::scan(text, THREAD)?))).collect();
    // A line is out of date where the next one of its thread has more cycles.
    let mut later = HashMap::new();
    let mut is_old: Vec<bool> = Vec::with_capacity(threads.len());
    for (_, parts) in threads.iter().rev() {
        let count = number(parts[4]).unwrap_or_default();
        is_old.push(later.insert((parts[0], parts[1]), count).is_some_and(|next| next > count));
    }
    is_old.reverse();
    let mut known = Repeats::default();
    for ((line, parts), is_old) in threads.iter().zip(is_old) {
        if is_old {
            sheet.dropped(1);
            continue;
        }
        if known.begins(parts[0]) {
            sheet.next_run();
        }
        let keys = [("priority", parts[2]), ("interval", parts[3])];
        let keys = keys.into_iter().filter(|key| *key != ("interval", "1000"));
        sheet.set_context(&keys.map(|(key, value)| (key.to_owned(), value.to_owned())).collect::<Vec<_>>());
        for (at, name) in [(7, "latency-mean"), (8, "latency-max"), (5, "latency-min")] {
            let Some(value) = number(parts[at]) else {
                sheet.unreadable(*line, parts[at]);
                continue;
            };
            let metric = sheet.metric(name, || match divisor {
                Some(_) => latency(name),
                None => Metric { unit: String::new(), quantity: Quantity::Other, ..latency(name) },
            });
            let aggregate = Aggregate { count: number(parts[4]), deviation: None };
            let benchmark = &*format!("thread {}", parts[0]);
            let row = Measurement { benchmark, metric, line: *line, process: Some(0), ..ROW };
            sheet.push(Measurement {
                value: value / divisor.unwrap_or(1.0),
                aggregate: Some(aggregate),
                ..row
            });
        }
    }
    Ok(())
}

/// A latency of a thread.
fn latency(name: &str) -> Metric {
    let made = Metric::new(name, "s", Quantity::Time);
    if name == "latency-min" { made.secondary() } else { made }
}

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let system = document.value("sysinfo", sheet)?;
    let mut keys = Vec::new();
    for (key, field) in
        [("date", "start_time"), ("version", "rt_test_version:"), ("version", "rt_test_version")]
    {
        let stated = document.value(field, sheet)?;
        keys.extend(stated.text().map(|text| (key.to_owned(), text.to_owned())));
    }
    for (key, field) in [("kernel", "release"), ("machine", "nodename")] {
        let stated = system.text_of(field);
        keys.extend(stated.map(|text| (key.to_owned(), text.to_owned())));
    }
    let threads = document.value("num_threads", sheet)?;
    keys.extend(threads.is_simple().then(|| ("threads".to_owned(), plain(&threads))));
    for field in ["cmdline:", "cmdline"] {
        let command = document.value(field, sheet)?;
        keys.extend(command.text().map(stated).into_iter().flatten());
    }
    sheet.set_context(&keys);
    let resolution = document.value("resolution_in_ns", sheet)?;
    let divisor = match number_of(sheet, &resolution, 1) {
        Some(0.0) => 1e6,
        Some(1.0) => 1e9,
        _ => {
            let what = "`resolution_in_ns` is neither 0 nor 1, so that the unit is unknown";
            sheet.malformed(1, what, "repeat the run");
            return Ok(());
        }
    };
    let threads = document.value("thread", sheet)?;
    for (number, thread) in threads.iter() {
        one(sheet, number, thread, divisor);
    }
    Ok(())
}

/// Adds the latencies of a thread.
fn one(sheet: &mut Sheet, number: &str, thread: &Value<'_>, divisor: f64) {
    let Some(object) = thread.object() else { return };
    let cycles = thread.get("cycles").and_then(|cycles| number_of(sheet, cycles, object.line_of("cycles")));
    if cycles == Some(0.0) {
        return sheet.dropped(1);
    }
    let benchmark = &*format!("thread {number}");
    for (field, name) in [("avg", "latency-mean"), ("max", "latency-max"), ("min", "latency-min")] {
        let line = object.line_of(field);
        let metric = sheet.metric(name, || latency(name));
        let aggregate = Some(Aggregate { count: cycles, deviation: None });
        let process = Some(0);
        let row = Measurement { benchmark, metric, line, process, aggregate, ..ROW };
        push_value(sheet, row, thread.get(field).unwrap_or(&Value::Null), divisor);
    }
}

// The work of cyclictest, from its command line.

pub(super) const KEYS: &[Key] = &[
    Key::work("threads", "number of threads"),
    Key::work("interval", "microseconds from one wake-up to the next, where they are not 1000"),
    Key::work("distance", "microseconds by which the interval of a thread is longer"),
    Key::work("priority", "priority of the first thread"),
    Key::work("policy", "policy of the scheduler"),
    Key::work("affinity", "processors of the threads; `all` without a list"),
    Key::work("clock", "clock that is read"),
    Key::work("mlockall", "whether the memory is locked"),
    Key::work("relative", "whether timers are relative"),
    Key::work("system", "whether another timer of the system is used"),
];

/// The options that are keys: letter, name, key.
const OPTIONS: [(char, &str, &str); 10] = [
    ('i', "interval", "interval"),
    ('d', "distance", "distance"),
    ('p', "priority", "priority"),
    ('y', "policy", "policy"),
    ('a', "affinity", "affinity"),
    ('S', "smp", "affinity"),
    ('c', "clock", "clock"),
    ('m', "mlockall", "mlockall"),
    ('r', "relative", "relative"),
    ('s', "system", "system"),
];

/// The letters of all options with a value, and of those whose value may be left out.
const VALUED: &str = "bcdDFhHilopy";
const OPTIONAL: &str = "aAt";

/// The keys that a command line states.
pub(super) fn stated(command: &str) -> Context {
    let mut words = command.split_whitespace().peekable();
    let mut found = Context::new();
    while let Some(word) = words.next() {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').unwrap_or((long, ""));
            // A name may be shortened.
            let known = OPTIONS.iter().find(|(_, known, _)| name.len() > 2 && known.starts_with(name));
            if let Some((letter, ..)) = known {
                state(&mut found, *letter, value, &mut words);
            }
        } else if let Some(short) = word.strip_prefix('-') {
            for (at, letter) in short.char_indices() {
                let has_value = VALUED.contains(letter) || OPTIONAL.contains(letter);
                let value = if has_value { &short[at + letter.len_utf8()..] } else { "" };
                state(&mut found, letter, value, &mut words);
                if has_value {
                    break;
                }
            }
        }
    }
    // What is the default is as if it were not stated.
    found.retain(|(key, value)| (&**key, &**value) != ("interval", "1000") && value != "0");
    found
}

/// States an option, whose value may be the next word.
fn state(found: &mut Context, letter: char, value: &str, words: &mut Peekable<SplitWhitespace<'_>>) {
    let has_value = VALUED.contains(letter) || OPTIONAL.contains(letter);
    let next = words.next_if(|next| has_value && value.is_empty() && !next.starts_with('-'));
    let value = next.unwrap_or(value);
    let Some((.., key)) = OPTIONS.iter().find(|(known, ..)| *known == letter) else { return };
    let value = match (value, *key) {
        ("", "affinity") => "all",
        ("", _) => "yes",
        _ => value,
    };
    context::state(found, key, value);
}

#[cfg(test)]
mod tests {
    use super::stated;

    #[test]
    fn options_have_their_values() {
        for (command, keys) in [
            ("cyclictest -l 500 -i 200 -q --json=x.json", "interval=200"),
            ("cyclictest -qmp80 -i1000 -t 2 -a 0-1 -D 10", "mlockall=yes priority=80 affinity=0-1"),
            (
                "cyclictest --prio=80 --mlockall --interval 250 -S",
                "priority=80 mlockall=yes interval=250 affinity=all",
            ),
            ("cyclictest -t -a -h 100 -p 0", "affinity=all"),
            ("cyclictest -i", "interval=yes"),
            ("", ""),
        ] {
            let pairs: Vec<String> =
                stated(command).iter().map(|(key, value)| format!("{key}={value}")).collect();
            assert_eq!(pairs.join(" "), keys, "{command}");
        }
    }
}
