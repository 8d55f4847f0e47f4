//! The resources of a command as GNU time prints them with `-v`.

use super::hyperfine::EXIT_CODE;
use super::outcomes::{FAILED, push_failed};
use super::prelude::*;
use super::shell_time::{clock, time};

/// What `time -v` prints, once or several times.
pub static FORMAT: Format = Format {
    name: "gnu-time",
    sign: "lines with `Command being timed:` and `Elapsed (wall clock) time (h:mm:ss or m:ss):`",
    harness: "GNU time",
    export: "/usr/bin/time -v -a -o FILE COMMAND",
    processes: Processes::OneAValue,
    own_labels: &["Command"],
    printed_by: &["time"],
    keys: &[&[EXIT_CODE]],
    metrics: &[
        Meaning::of("time", "elapsed time of a run, in hundredths of a second"),
        Meaning::of("user", "processor time of a run in the program"),
        Meaning::of("system", "processor time of a run in the system for the program"),
        Meaning::of("memory", "largest resident memory of a run"),
        Meaning::of("page-faults-major", "page faults that read from a disk"),
        Meaning::of("page-faults-minor", "page faults that do not"),
        Meaning::of("switches-voluntary", "times that the command waited"),
        Meaning::of("switches-involuntary", "times that the system took the processor away"),
        FAILED,
    ],
    words: &[ELAPSED],
    fits: |head| head.has_beginnings(&[COMMAND, ELAPSED]),
    read: Read::Bytes(|sheet, bytes| {
        let all: Vec<(u32, &str)> = lines::numbered(bytes).collect();
        let runs = runs(&all);
        let succeeded: HashSet<&str> =
            runs.iter().filter(|run| !run.has_failed()).map(|run| run.command).collect();
        for run in &runs {
            write(sheet, run, succeeded.contains(run.command));
        }
        sheet.set_context(&[]);
        let mut ended: HashMap<&str, (u32, Vec<bool>)> = HashMap::new();
        for run in runs.iter().filter(|run| !run.exit.is_empty()) {
            ended.entry(run.command).or_insert((run.line, Vec::new())).1.push(run.has_failed());
        }
        // What a signal always ended has no value that it could be about.
        let measured: HashSet<&str> =
            runs.iter().filter(|run| run.signal.is_none()).map(|run| run.command).collect();
        let mut ended: Vec<_> = ended.into_iter().filter(|(command, _)| measured.contains(command)).collect();
        ended.sort_by_key(|(_, (line, _))| *line);
        for (command, (line, failed)) in ended {
            push_failed(sheet, Measurement { benchmark: command, line, ..ROW }, &failed);
        }
    }),
    ..Format::PLAIN
};

const COMMAND: &str = "Command being timed:";
const ELAPSED: &str = "Elapsed (wall clock) time (h:mm:ss or m:ss):";

/// The labels of GNU time with their metrics; elapsed time has a form of its own.
const FIELDS: [(&str, &str); 7] = [
    ("User time (seconds):", "user"),
    ("System time (seconds):", "system"),
    ("Maximum resident set size (kbytes):", "memory"),
    ("Major (requiring I/O) page faults:", "page-faults-major"),
    ("Minor (reclaiming a frame) page faults:", "page-faults-minor"),
    ("Voluntary context switches:", "switches-voluntary"),
    ("Involuntary context switches:", "switches-involuntary"),
];

/// What GNU time says of a run.
struct Run<'a> {
    line: u32,
    /// The blanks before each line of the report.
    indent: &'a str,
    command: &'a str,
    /// The signal that ended it.
    signal: Option<&'a str>,
    exit: &'a str,
    fields: Vec<(u32, &'a str)>,
}

impl Run<'_> {
    fn has_failed(&self) -> bool {
        self.signal.is_some() || self.exit != "0"
    }
}

/// The runs of a file, which may have lines of the commands between them.
fn runs<'a>(all: &[(u32, &'a str)]) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    let mut signal = None;
    for &(line, text) in all {
        let trimmed = text.trim_start();
        if let Some(command) = trimmed.strip_prefix(COMMAND) {
            let command = command.trim();
            let command =
                command.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(command);
            let indent = &text[..text.len() - trimmed.len()];
            runs.push(Run { line, indent, command, signal: signal.take(), exit: "", fields: Vec::new() });
        } else if let Some(number) = text.strip_prefix("Command terminated by signal ") {
            signal = Some(number);
        } else if let Some(run) = runs
            .last_mut()
            .filter(|run| run.exit.is_empty() && (text.starts_with(run.indent) || text.starts_with('\t')))
        {
            match trimmed.strip_prefix("Exit status:") {
                Some(exit) => run.exit = exit.trim(),
                None => run.fields.push((line, trimmed)),
            }
        }
    }
    runs
}

/// Adds the values of a run. A run that failed counts only if the command always fails.
fn write(sheet: &mut Sheet, run: &Run<'_>, others_succeeded: bool) {
    let shown = excerpt(run.command);
    let refused = match run.signal {
        _ if run.exit.is_empty() => {
            Some((Code::Truncated, format!("the report of `{shown}` has no exit status")))
        }
        Some(signal) => Some((Code::MalformedRecord, format!("signal {} ended `{shown}`", excerpt(signal)))),
        None if run.has_failed() && others_succeeded => Some((
            Code::MalformedRecord,
            format!("a run of `{shown}` ended with exit code {}", excerpt(run.exit)),
        )),
        None => None,
    };
    if let Some((code, what)) = refused {
        return sheet.problem(code, run.line, what, "find out why, and repeat the run");
    }
    let code = (run.exit != "0").then(|| ("exit_code".to_owned(), run.exit.to_owned()));
    sheet.set_context(&code.into_iter().collect::<Vec<_>>());
    for &(line, text) in &run.fields {
        let found = FIELDS.iter().find_map(|(label, name)| Some((*name, text.strip_prefix(label)?.trim())));
        let (name, value, digits) = match (text.strip_prefix(ELAPSED), found) {
            (Some(rest), _) => ("time", clock(rest.trim()), rest),
            (None, Some((name, digits))) => (name, number(digits), digits),
            (None, None) => continue,
        };
        let Some(value) = value else {
            let what = format!("{name} of `{shown}` is `{}`, not a number", excerpt(digits));
            sheet.problem(Code::MalformedNumber, line, what, "was the file cut or edited?");
            continue;
        };
        let (metric, factor) = described(sheet, name);
        let row = Measurement { benchmark: run.command, metric, line, ..ROW };
        sheet.push(Measurement { value: value * factor, ..row });
    }
}

/// A metric and the factor to its base unit. `kbytes` are 1024 bytes.
fn described(sheet: &mut Sheet, name: &str) -> (u32, f64) {
    match name {
        "time" | "user" | "system" => (time(sheet, name), 1.0),
        "memory" => {
            let memory = || Metric::new(name, "B", Quantity::Bytes).never_exact().secondary();
            (sheet.metric(name, memory), 1024.0)
        }
        _ => (sheet.metric(name, || Metric::new(name, "1", Quantity::Count).never_exact().secondary()), 1.0),
    }
}
