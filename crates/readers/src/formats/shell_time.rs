//! The times of a command as shells, `time -p` and GNU time print them.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::{Head, No};
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry. Nothing else may be in the file.
pub static FORMAT: Format = Format {
    name: "shell-time",
    sign: "only lines such as `real 0m1.234s` (or `real 1.23`), `user …` and `sys …`, or `0.01user 0.00system 0:01.23elapsed`",
    harness: "time",
    export: "{ time COMMAND; } 2>> FILE, or time -p",
    values: Values::Samples,
    processes: Processes::OneAValue,
    metrics: &[
        Meaning::of("time", "elapsed time of a run"),
        Meaning::of("user", "processor time of a run in the program"),
        Meaning::of("system", "processor time of a run in the system for the program"),
    ],
    fits: |head| No::unless(is_shell(head), "it has other lines"),
    read,
    ..Format::PLAIN
};

/// The metric of a time; elapsed time is compared by default.
pub(super) fn time(sheet: &mut Sheet, name: &str) -> u32 {
    sheet.metric(name, || Metric { primary: name == "time", ..Metric::new(name, "s", Quantity::Time) })
}

/// The seconds of `0:01.23` (minutes, seconds) or `1:02:03` (hours, minutes, seconds).
pub(super) fn clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let sound = |part: &&str| part.starts_with(|first: char| first.is_ascii_digit());
    if !matches!(parts.len(), 2 | 3) || !parts.iter().all(sound) {
        return None;
    }
    parts.iter().try_fold(0.0, |sum, part| Some(sum * 60.0 + number(part.as_bytes())?))
}

/// The metrics and seconds of a line; `None` if it is none. zsh prints all times and the command on one line.
fn shell(line: &str) -> Option<(&str, Vec<(&'static str, f64)>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [label, duration] = words[..] {
        let name = match label {
            "real" => "time",
            "user" => "user",
            "sys" => "system",
            _ => return None,
        };
        return Some(("command", vec![(name, minutes(duration)?)]));
    }
    zsh(line).or_else(|| Some(("command", gnu(line)?)))
}

/// `0m1.234s` of bash and ksh, with a comma in some languages; `1.23` of POSIX.
fn minutes(text: &str) -> Option<f64> {
    let plain = |text: &str| {
        let text = text.replace(',', ".");
        let sound = text.starts_with(|first: char| first.is_ascii_digit());
        number(text.as_bytes()).filter(|_| sound)
    };
    match text.strip_suffix('s') {
        Some(rest) => {
            let (minutes, seconds) = rest.split_once('m')?;
            Some(plain(minutes)? * 60.0 + plain(seconds)?)
        }
        None => plain(text),
    }
}

/// `sleep 1  0.00s user 0.00s system 0% cpu 1.002 total` of zsh.
fn zsh(line: &str) -> Option<(&str, Vec<(&'static str, f64)>)> {
    let rest = line.strip_suffix(" total")?;
    let (rest, total) = rest.rsplit_once("% cpu ")?;
    let (rest, _percent) = rest.rsplit_once("s system ")?;
    let (rest, system) = rest.rsplit_once("s user ")?;
    let (command, user) = rest.rsplit_once(' ')?;
    let seconds = |text: &str| number(text.trim().as_bytes());
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
    let seconds = |text: &str| number(text.as_bytes());
    Some(vec![("user", seconds(user)?), ("system", seconds(system)?), ("time", clock(elapsed)?)])
}

/// A number of seconds, or minutes and seconds from a minute on.
fn clock_or(text: &str) -> Option<f64> {
    if text.contains(':') { clock(text) } else { number(text.as_bytes()) }
}

fn is_shell(head: &Head<'_>) -> bool {
    let end = memchr::memrchr(b'\n', head.bytes()).unwrap_or(0);
    let mut count = 0;
    let all = head.bytes()[..end]
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    let fits = all
        .inspect(|_| count += 1)
        .all(|line| std::str::from_utf8(line).is_ok_and(|line| shell(line).is_some()));
    fits && count > 0
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        let Some((benchmark, times)) = shell(text.trim()) else {
            if !text.is_empty() {
                let what = format!("`{}` is not a time", excerpt(text.as_bytes()));
                sheet.problem(Code::MalformedRecord, line, what, "let the command write to another file");
            }
            continue;
        };
        for (name, value) in times {
            let metric = time(&mut sheet, name);
            sheet.push(Measurement { benchmark, metric, value, line, ..Measurement::default() });
        }
    }
    Ok(vec![sheet])
}
