//! Sandmark's perfstat files: a line about the host, then the human-readable output of `perf stat -o`, once per
//! program. The file does not contain the benchmark's name; it is rebuilt from the command the way Sandmark
//! builds it.

use super::json::record;
use super::prelude::*;
use super::sandmark_layout::{KEYS, context_of_host, context_of_path, is_host};
use crate::text::fields;

pub static FORMAT: Format = Format {
    name: "sandmark-perfstat",
    sign: "a line with `hostname`, then ` Performance counter stats for '…':`",
    harness: "Sandmark",
    export: "perf stat",
    files: &["*.perfstat.summary.bench"],
    processes: Processes::OneAValue,
    keys: &[KEYS],
    metrics: &[
        Meaning::of("time elapsed", "elapsed time of the program"),
        Meaning::of("instructions", "instructions of the program"),
        Meaning::of("user", "processor time in the program"),
        Meaning::of("sys", "processor time in the system for the program"),
        Meaning::of("page-faults", "page faults of the program"),
        Meaning::of("cycles", "processor cycles of the program"),
    ],
    fits: |head| {
        // Without the line about the host it could be any tool's perf output.
        No::unless(is_host(head.first_line()), "its first line does not describe a host")?;
        let opens = head.lines().any(|line| line.starts_with(OPENING));
        No::unless(opens, "it has no line ` Performance counter stats for '…':`")
    },
    read: Read::InPlace(read),
    ..Format::PLAIN
};

const OPENING: &[u8] = b"Performance counter stats for ";

/// What one `perf stat` has printed so far.
#[derive(Default)]
struct Block {
    name: String,
    line: u32,
    elapsed: bool,
}

fn read(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    let layout = context_of_path(path);
    sheet.set_context(&layout);
    let mut block = None;
    for line in content.all()?.split_inclusive(|&byte| byte == b'\n') {
        sheet.lines = sheet.lines.saturating_add(1);
        let unfinished = !line.ends_with(b"\n");
        let line = line.trim_ascii();
        if line.len() as u64 > content.budget.limits.line {
            let at = sheet.lines;
            sheet.too_long(at, line);
        } else if let Some(rest) = line.strip_prefix(OPENING) {
            close(sheet, block.take());
            block = Some(Block { name: benchmark(rest), line: sheet.lines, elapsed: false });
        } else if line.starts_with(b"#") {
            // `# started on …`, or a metric's comment on a line of its own.
            if line.starts_with(b"# started on ") {
                close(sheet, block.take());
            }
        } else if is_host(line) {
            close(sheet, block.take());
            let at = sheet.lines;
            let host = record(line, at, sheet).ok().flatten().map(|host| context_of_host(&host));
            let context: Context = layout.iter().cloned().chain(host.into_iter().flatten()).collect();
            sheet.set_context(&context);
        } else if !line.is_empty() && !is_note(line) {
            value(sheet, block.as_mut(), line, unfinished);
        }
    }
    close(sheet, block);
    Ok(())
}

/// Whether a line is advice that perf prints below a table.
fn is_note(line: &[u8]) -> bool {
    [&b"Some events weren't counted"[..], b"echo ", b"perf stat ", b"The events in group"]
        .iter()
        .any(|note| line.starts_with(note))
}

/// perf always prints the elapsed time; a block without it was cut.
fn close(sheet: &mut Sheet, block: Option<Block>) {
    if let Some(block) = block.filter(|block| !block.elapsed) {
        sheet.cut(block.line, block.name);
    }
}

/// `'taskset --cpu-list 5 ./x.exe a b.c':` becomes `x.a_b_c`: Sandmark joins the program's name and the
/// parameters, with blanks and periods turned into underscores; without parameters the trailing period stays.
/// Benchmarks that Sandmark's configuration renames cannot be recognised here.
fn benchmark(quoted: &[u8]) -> String {
    let start = memchr::memchr(b'\'', quoted).map_or(0, |at| at + 1);
    let end = memchr::memrchr(b'\'', quoted).filter(|&end| end >= start).unwrap_or(quoted.len());
    let command = lossless(&quoted[start..end]);
    let words: Vec<&str> = command.split_ascii_whitespace().collect();
    let mut words = &words[..];
    loop {
        words = match words {
            ["taskset", rest @ ..] => unwrap(rest, &["-c", "--cpu-list"]),
            ["chrt", rest @ ..] => unwrap(rest, &[]),
            _ => break,
        };
    }
    let Some((program, parameters)) = words.split_first() else { return command.into_owned() };
    let program = program.rsplit('/').next().unwrap_or(program);
    let program = program.strip_suffix(".exe").unwrap_or(program);
    format!("{program}.{}", parameters.join("_").replace('.', "_"))
}

/// Skips a wrapper's options and the one argument (a mask, a list, a priority) after them.
fn unwrap<'a>(words: &'a [&'a str], valued: &[&str]) -> &'a [&'a str] {
    let mut words = words;
    while let [option, rest @ ..] = words
        && option.starts_with('-')
    {
        words = rest;
        // `--cpu-list=5` includes its value; `--cpu-list 5` is followed by it.
        if valued.iter().any(|name| option.strip_prefix(name).is_some_and(|value| value.starts_with('='))) {
            return words;
        }
    }
    words.get(1..).unwrap_or(&[])
}

fn value(sheet: &mut Sheet, block: Option<&mut Block>, line: &[u8], unfinished: bool) {
    let at = sheet.lines;
    let code = if unfinished { Code::Truncated } else { Code::MalformedRecord };
    let Some(block) = block else {
        return sheet.problem(code, at, format!("`{}` belongs to no command", excerpt(line)), HINT);
    };
    let shown = excerpt(&block.name);
    // Whatever follows `#` or `(` is derived from the counters, or says how long they ran.
    let words: Vec<&[u8]> =
        fields(line).take_while(|word| !word.starts_with(b"#") && !word.starts_with(b"(")).collect();
    let (written, unit, event) = match words[..] {
        [b"<not", why, .., event] => {
            let why = lossless(why.strip_suffix(b">").unwrap_or(why)).into_owned();
            let what = format!("{} of {shown} was not {why}", lossless(event));
            let hint =
                "the machine or the kernel does not provide this counter. Leave it out of the comparison";
            return sheet.problem(Code::MalformedNumber, at, what, hint);
        }
        // With -r, a spread stands between the number and `seconds`.
        [written, b"seconds", ref rest @ ..] | [written, b"+-", _, b"seconds", ref rest @ ..] => {
            (written, &b"seconds"[..], rest.join(&b' '))
        }
        [written, unit, event] => (written, unit, event.to_vec()),
        [written, event] => (written, &b""[..], event.to_vec()),
        _ => {
            return sheet.problem(code, at, format!("`{}` is not a counter of {shown}", excerpt(line)), HINT);
        }
    };
    let event = lossless(&event);
    let (metric, divisor) = describe(&event, unit);
    if unfinished && !KNOWN.contains(&metric.name.as_str()) {
        return sheet.cut(at, line);
    }
    let digits = grouped(&lossless(written), unit == b"seconds");
    let Some(number) = digits.and_then(|digits| sheet.number(digits.as_bytes(), at)) else {
        return sheet.no_number(at, &*event, &block.name, written);
    };
    block.elapsed |= metric.name == "time elapsed";
    let name = metric.name.clone();
    let metric = sheet.metric(&name, || metric);
    sheet.push(Measurement { benchmark: &block.name, metric, value: number / divisor, line: at, ..ROW });
}

const HINT: &str = "perf stat prints: 1,234,567  instructions";

const KNOWN: [&str; 11] = [
    "time elapsed",
    "user",
    "sys",
    "task-clock",
    "context-switches",
    "cpu-migrations",
    "page-faults",
    "cycles",
    "instructions",
    "branches",
    "branch-misses",
];

/// The metric of an event, and the divisor of its values.
fn describe(event: &str, unit: &[u8]) -> (Metric, f64) {
    let (metric, divisor) = match unit {
        b"seconds" => (Metric::new(event, "s", Quantity::Time), 1.0),
        b"msec" => (Metric::new(event, "s", Quantity::Time), 1e3),
        b"ns" => (Metric::new(event, "s", Quantity::Time), 1e9),
        b"" => (Metric::new(event, "1", Quantity::Count).never_exact(), 1.0),
        other => (Metric::new(event, &lossless(other), Quantity::Other), 1.0),
    };
    // `instructions:u` counts only those in user mode.
    let primary = event == "time elapsed" || event.split(':').next() == Some("instructions");
    (Metric { primary, ..metric }, divisor)
}

/// The digits of a number with locale-dependent grouping: 1,234,567, 1.234.567, 12,34,567, 1'234.50.
///
/// perf groups counts and times in milliseconds, always with three digits in the last group, and prints two
/// decimals or none; it never groups seconds. So three digits after the last mark are a group and two are
/// decimals, except in seconds, where all are decimals.
pub(super) fn grouped(text: &str, seconds: bool) -> Option<String> {
    const MARKS: [char; 6] = [',', '.', '\'', '’', '\u{A0}', '\u{202F}'];
    let parts: Vec<&str> = text.split(MARKS).collect();
    let (last, groups) = parts.split_last()?;
    let has_decimals = !groups.is_empty() && (seconds || last.len() == 2);
    let whole = if has_decimals { groups } else { &parts[..] };
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let sound = parts.iter().all(digits)
        && whole[1..].iter().all(|group| matches!(group.len(), 2 | 3))
        && (whole.len() == 1 || whole[whole.len() - 1].len() == 3 && !seconds);
    let decimals = if has_decimals { format!(".{last}") } else { String::new() };
    sound.then(|| whole.concat() + &decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_as_locales_do() {
        let value = |text: &str, seconds| grouped(text, seconds)?.parse::<f64>().ok();
        for (text, want) in [
            ("5,88,09,68,361", Some(5_880_968_361.0)),
            ("5.880.968.361", Some(5_880_968_361.0)),
            ("5'880'968'361", Some(5_880_968_361.0)),
            ("5\u{202F}880\u{202F}968", Some(5_880_968.0)),
            ("5880968361", Some(5_880_968_361.0)),
            ("2,62,988", Some(262_988.0)),
            ("4,053.54", Some(4053.54)),
            ("4.053,54", Some(4053.54)),
            ("1,234.00", Some(1234.0)),
            ("0.50", Some(0.5)),
            ("1,2345", None),
            ("1,,234", None),
            (",234", None),
            ("12a", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(value(text, false), want, "{text}");
        }
        assert_eq!(value("3.674", true), Some(3.674));
        assert_eq!(value("0,119935000", true), Some(0.119_935));
        assert_eq!(value("1,003.674", true), None);
    }

    #[test]
    fn names_are_rebuilt_as_sandmark_builds_them() {
        for (quoted, name) in [
            ("'taskset --cpu-list 5 ./owl_gc.exe':", "owl_gc."),
            ("'taskset --cpu-list 5 ./mergesort.exe 67108864' (3 runs):", "mergesort.67108864"),
            ("'taskset -c 5 ./zdd.exe words.txt':", "zdd.words_txt"),
            ("'taskset --cpu-list 2-13,16-27 chrt -r 1 ./grid.exe 20  1024':", "grid.20_1024"),
            ("'taskset --cpu-list=5 chrt -f 1 dir/tool -v a/b.c':", "tool.-v_a/b_c"),
            ("'taskset 0x3 echo 'it's'':", "echo.'it's'"),
            ("'taskset':", "taskset"),
            ("'':", ""),
            ("'", ""),
        ] {
            assert_eq!(benchmark(quoted.as_bytes()), name, "{quoted}");
        }
    }
}
