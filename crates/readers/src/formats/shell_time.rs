//! The times of a command as shells, `time -p` and GNU time print them.

use super::headings;
use super::prelude::*;
use crate::text::decimal;

/// The format's entry in the registry. Nothing else may be in the file.
pub static FORMAT: Format = Format {
    name: "shell-time",
    sign: "lines such as `real 0m1.234s` (or `real 1.23`), `user …` and `sys …` one below the other, or only lines such as `0.01user 0.00system 0:01.23elapsed`",
    harness: "time",
    export: "{ time COMMAND; } 2>> FILE, or time -p",
    processes: Processes::OneAValue,
    printed_by: &["time"],
    metrics: &[
        Meaning::of("time", "elapsed time of a run"),
        Meaning::of("user", "processor time of a run in the program"),
        Meaning::of("system", "processor time of a run in the system for the program"),
    ],
    fits: |head| No::unless(is_alone(head) || has_run(head), "it has no such lines one below the other"),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The metric of a time; elapsed time is compared by default.
pub(super) fn time(sheet: &mut Sheet, name: &str) -> u32 {
    sheet.metric(name, || Metric { primary: name == "time", ..Metric::new(name, "s", Quantity::Time) })
}

/// The seconds of `0:01.23` (minutes, seconds) or `1:02:03` (hours, minutes, seconds); of `busybox` `0m 1.23s`.
pub(super) fn clock(text: &str) -> Option<f64> {
    if text.ends_with('s') {
        return spelled(&text.replace(' ', ""));
    }
    let parts: Vec<&str> = text.split(':').collect();
    let sound = |part: &&str| part.starts_with(|first: char| first.is_ascii_digit());
    if !matches!(parts.len(), 2 | 3) || !parts.iter().all(sound) {
        return None;
    }
    parts.iter().try_fold(0.0, |sum, part| Some(sum * 60.0 + decimal(part)?))
}

/// The metrics and seconds of a line; `None` if it is none. zsh prints all times and the command on one line.
fn shell(line: &str) -> Option<(&str, Vec<(&'static str, f64)>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = match words.first() {
        Some(&"real") => "time",
        Some(&"user") => "user",
        Some(&"sys") => "system",
        _ => return zsh(line).or_else(|| Some((COMMAND, gnu(line).or_else(|| bsd(&words))?))),
    };
    Some((COMMAND, vec![(name, duration(&words[1..])?)]))
}

/// `0m1.234s` of bash and ksh, with a comma in some languages, and `0m 1.23s` of `busybox`; `1.23` of POSIX.
fn duration(words: &[&str]) -> Option<f64> {
    match words {
        [plain] if !plain.ends_with('s') => positive(plain),
        _ => spelled(&words.concat()),
    }
}

/// The seconds of `0m1.23s` or `1h02m03s`.
fn spelled(text: &str) -> Option<f64> {
    let (before, seconds) = text.strip_suffix('s')?.split_once('m')?;
    let (hours, minutes) = before.split_once('h').unwrap_or(("0", before));
    Some((positive(hours)? * 60.0 + positive(minutes)?) * 60.0 + positive(seconds)?)
}

/// The seconds of `1.23s` or `1d2h3m4.05s`, of which each part before the seconds can be missing.
fn lettered(text: &str) -> Option<f64> {
    let (mut sum, mut rest) = (0.0, text.strip_suffix('s')?);
    for (letter, seconds) in [('d', 86_400.0), ('h', 3600.0), ('m', 60.0)] {
        if let Some((number, after)) = rest.split_once(letter) {
            sum += positive(number)? * seconds;
            rest = after;
        }
    }
    Some(sum + positive(rest)?)
}

fn positive(text: &str) -> Option<f64> {
    decimal(text).filter(|_| text.starts_with(|first: char| first.is_ascii_digit()))
}

/// `sleep 1  0.00s user 0.00s system 0% cpu 1.002 total` of zsh.
fn zsh(line: &str) -> Option<(&str, Vec<(&'static str, f64)>)> {
    let rest = line.strip_suffix(" total")?;
    let (rest, total) = rest.rsplit_once("% cpu ")?;
    let (rest, _percent) = rest.rsplit_once("s system ")?;
    let (rest, system) = rest.rsplit_once("s user ")?;
    let (command, user) = rest.rsplit_once(' ')?;
    let seconds = |text: &str| decimal(text.trim());
    Some((
        command.trim(),
        vec![("user", seconds(user)?), ("system", seconds(system)?), ("time", clock_or(total.trim())?)],
    ))
}

/// `0.01user 0.00system 0:01.23elapsed 1%CPU (…)k` of GNU time. The numbers of the line below it are not read.
fn gnu(line: &str) -> Option<Vec<(&'static str, f64)>> {
    if line.contains("inputs+") && line.contains("minor)pagefaults ") && line.ends_with("swaps") {
        return Some(Vec::new());
    }
    let mut words = line.split(' ');
    let mut until = |end: &str| words.next()?.strip_suffix(end);
    let (user, system, elapsed) = (until("user")?, until("system")?, until("elapsed")?);
    until("%CPU")?;
    Some(vec![("user", decimal(user)?), ("system", decimal(system)?), ("time", clock(elapsed)?)])
}

/// `1.55 real         1.50 user         0.04 sys` of BSD and macOS, `1.55s real` of `time -h`, `0m01.55s real` and
/// `system` of mksh. The counts that `-l` adds below it are not read.
fn bsd(words: &[&str]) -> Option<Vec<(&'static str, f64)>> {
    if let [time, "real", user, "user", system, "sys" | "system"] = words {
        let of = |text: &str| if text.ends_with('s') { lettered(text) } else { decimal(text) };
        return Some(vec![("time", of(time)?), ("user", of(user)?), ("system", of(system)?)]);
    }
    let (count, label) = words.split_first()?;
    let is_count = count.bytes().all(|digit| digit.is_ascii_digit());
    (is_count && COUNTS.contains(&&*label.join(" "))).then(Vec::new)
}

/// What BSD and macOS count with `-l`.
const COUNTS: [&str; 17] = [
    "maximum resident set size",
    "average shared memory size",
    "average unshared data size",
    "average unshared stack size",
    "page reclaims",
    "page faults",
    "swaps",
    "block input operations",
    "block output operations",
    "messages sent",
    "messages received",
    "signals received",
    "voluntary context switches",
    "involuntary context switches",
    "instructions retired",
    "cycles elapsed",
    "peak memory footprint",
];

/// Whether GNU time says that the run above whose times it stands has failed.
fn is_failure(line: &str) -> bool {
    line.starts_with("Command exited with non-zero status ")
        || line.starts_with("Command terminated by signal ")
}

/// A number of seconds, or minutes and seconds from a minute on.
fn clock_or(text: &str) -> Option<f64> {
    if text.contains(':') { clock(text) } else { decimal(text) }
}

/// Whether the times of a run stand one below the other: `real`, `user` and `sys`. What was timed, and what it printed, stands
/// above.
fn has_run(head: &Head<'_>) -> bool {
    let name = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok()?;
        let is_of_bash = ["real", "user", "sys"].iter().any(|name| text.starts_with(name));
        shell(text).filter(|_| is_of_bash).and_then(|(_, times)| Some(times.first()?.0))
    };
    let mut last = [None; 3];
    let lines = head.bytes().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    memchr::memmem::find(head.bytes(), b"sys").is_some()
        && lines.filter(|line| !line.is_empty()).any(|line| {
            last = [last[1], last[2], name(line)];
            last == [Some("time"), Some("user"), Some("system")]
        })
}

/// Whether all lines are times.
pub(crate) fn is_alone(head: &Head<'_>) -> bool {
    let end = memchr::memrchr(b'\n', head.bytes()).unwrap_or(0);
    let mut count = 0;
    let all = head.bytes()[..end]
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    let fits = all
        .inspect(|_| count += 1)
        .all(|line| std::str::from_utf8(line).is_ok_and(|line| is_failure(line) || shell(line).is_some()));
    fits && count > 0
}

/// The benchmark of times that nothing names.
const COMMAND: &str = "command";

/// The command line behind `time`, which a prompt can precede: `$ time ./parse small`.
fn timed(line: &str) -> Option<&str> {
    let line = line.trim_matches('`').trim();
    let text = headings::after_prompt(line).unwrap_or(line);
    let command = text.strip_prefix("time ")?.trim_start();
    let command = command.strip_prefix("-p ").unwrap_or(command).trim();
    (!command.is_empty()).then_some(command)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut has_failed = false;
    // What was timed, where a command line above says it.
    let mut timing = COMMAND;
    let is_alone = is_alone(&Head::new(bytes));
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if is_failure(text) {
            has_failed = true;
            sheet.failed(line, timing, text);
            continue;
        }
        let text = text.trim();
        let Some((benchmark, times)) = shell(text) else {
            let is_time =
                || ["real", "user", "sys"].contains(&text.split_whitespace().next().unwrap_or_default());
            if let Some(command) = timed(text) {
                timing = command;
            } else if is_alone && !text.is_empty() || is_time() {
                sheet.no_row(line, text);
            }
            continue;
        };
        let benchmark = if benchmark == COMMAND { timing } else { benchmark };
        if has_failed {
            // The time of the system is the last of a run.
            has_failed = times.iter().all(|(name, _)| *name != "system");
            continue;
        }
        for (name, value) in times {
            let metric = time(sheet, name);
            sheet.push(Measurement { benchmark, metric, value, line, ..ROW });
        }
    }
}
