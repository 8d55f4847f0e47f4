//! The journal of a run of `statera run`: one record a line, in a folder with a manifest and the raw outputs.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Fit, Head, No};
use super::json::{Object, Value, record};
use super::statera_run_looks::Looks;
use super::statera_run_manifest::{FACTS, Manifest, SOURCES, whole};
use super::statera_run_outputs::Outputs;
use super::statera_run_samples::{Invocation, Samples};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, PlugIns, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "statera-run",
    sign: "records, one a line, of which the first has the `kind` `session`",
    harness: "statera run",
    export: "statera run",
    files: &["journal.ndjson"],
    values: Values::Samples,
    processes: Processes::Stated,
    block: Some("round"),
    variants: Some("variant"),
    keys: &[KEYS, SOURCES, FACTS],
    metrics: METRICS,
    fits,
    read,
    ..Format::PLAIN
};

const KEYS: &[Key] = &[
    Key::new("variant", Role::Setting, "variant, the name of its combination of factors"),
    Key::of_run("round", Role::Run, "which round of runs it was"),
    Key::of_run("order", Role::Run, "place in the round among the invocations of the benchmark").detail(),
    Key::new("program", Role::Setting, "benchmark of the plan, of a value that its output states").detail(),
    Key::of_run(
        "alpha_share",
        Role::Outcome,
        "share of alpha of the look at which the benchmark left the rounds",
    )
    .detail(),
    Key::of_run("date", Role::Date, "when the run began"),
];

const METRICS: &[Meaning] = &[
    Meaning::of("time", "elapsed time of the command"),
    Meaning::of("cpu", "processor time of the command and its children"),
    Meaning::of("user", "processor time in the program"),
    Meaning::of("system", "processor time in the system for the program"),
    Meaning::of("memory", "largest resident memory of one process"),
    Meaning::of("minor-faults", "page faults that needed no disk"),
    Meaning::of("major-faults", "page faults that waited for a disk"),
    Meaning::of("voluntary-switches", "times that the command waited"),
    Meaning::of("involuntary-switches", "times that the command was interrupted"),
];

/// The name of the journal in the folder of a run.
pub(crate) const NAME: &str = "journal.ndjson";

fn fits(head: &Head<'_>) -> Fit {
    let first = head.json()?;
    if first.child("kind").is_none_or(|kind| &*kind.text != "session") {
        return Err(No::Because("its first record has not the `kind` `session`"));
    }
    head.has_all(&["boot", "process"])
}

fn read(name: &str, path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let manifest = Manifest::read(folder, &content.budget)?;
    read_run(name, &manifest, content, &Outputs::new(folder, &content.budget, options))
}

/// Reads a journal whose manifest is known.
///
/// # Errors
/// Any error of the operating system; if a limit is exceeded.
fn read_run(
    name: &str,
    manifest: &Manifest,
    content: &Content,
    outputs: &Outputs<'_>,
) -> io::Result<Vec<Sheet>> {
    let mut journal = Journal::new(manifest, outputs.plug_ins(), name);
    let bytes = content.all()?;
    journal.lines(&bytes, content.budget.limits.line);
    let invocations = std::mem::take(&mut journal.invocations);
    let read: io::Result<Vec<_>> = invocations
        .par_iter()
        .map(|invocation| match (invocation.format, &invocation.output) {
            (Some(format), Some(output)) => outputs.read(output, format).map(Some),
            (Some(_), None) => Ok(Some(Err("the record names no output".to_owned()))),
            (None, _) => Ok(None),
        })
        .collect();
    let mut samples = Samples::new(manifest, &journal.looks, journal.sheet);
    for (invocation, output) in invocations.iter().zip(read?) {
        match output {
            None => samples.timed(invocation),
            Some(Ok(sheets)) => samples.printed(invocation, sheets),
            Some(Err(why)) => samples.without_output(invocation, &why),
        }
    }
    for count in &journal.counts {
        samples.counted(count);
    }
    Ok(samples.sheets())
}

/// The records of a journal, by what becomes of them.
struct Journal<'a> {
    manifest: &'a Manifest,
    plug_ins: &'a PlugIns,
    /// Takes the problems.
    sheet: Sheet,
    invocations: Vec<Invocation<'a>>,
    counts: Vec<Invocation<'a>>,
    looks: Looks,
    rounds: HashSet<i64>,
    marked: HashSet<i64>,
    marks: BTreeMap<String, u64>,
}

impl<'a> Journal<'a> {
    fn new(manifest: &'a Manifest, plug_ins: &'a PlugIns, name: &str) -> Self {
        Self {
            manifest,
            plug_ins,
            sheet: Sheet::new(name),
            invocations: Vec::new(),
            counts: Vec::new(),
            looks: Looks::default(),
            rounds: HashSet::new(),
            marked: HashSet::new(),
            marks: BTreeMap::new(),
        }
    }

    fn lines(&mut self, bytes: &'a [u8], longest: u64) {
        // The process may be writing the last line right now, or was killed while it wrote it.
        let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        for (number, line) in (1..).zip(bytes[..whole].split(|&byte| byte == b'\n')) {
            if line.len() as u64 > longest {
                let what = format!("a line of {} bytes", line.len());
                self.sheet.problem(
                    Code::LineTooLong,
                    number,
                    what,
                    "no record is that long; is the file damaged?",
                );
            } else if !line.is_empty() {
                self.line(line, number);
            }
        }
        self.say_marks();
    }

    fn line(&mut self, line: &'a [u8], number: u32) {
        let known = match record(line, number, &mut self.sheet) {
            Ok(Some(object)) => self.record(object, number),
            Ok(None) | Err(_) => None,
        };
        if known.is_none() {
            let what = format!("`{}` is not a record of a journal", excerpt(line));
            let hint = "restore the file from a copy; the other records were read";
            self.sheet.problem(Code::MalformedRecord, number, what, hint);
        }
    }

    /// Takes a record; `None` if it is damaged. A record of another kind, from a later version, is nothing.
    fn record(&mut self, object: Box<Object<'a>>, line: u32) -> Option<()> {
        match object.get("kind").and_then(Value::text)? {
            "invocation" if object.get("warmup") == Some(&Value::Bool(true)) => {}
            "invocation" => {
                let invocation = Invocation::of(object, line)?;
                self.planned(invocation, |journal, invocation| journal.invocations.push(invocation));
            }
            "count" => {
                let count = Invocation::of_count(object, line)?;
                self.planned(count, |journal, count| journal.counts.push(count));
            }
            "failure" => self.failure(&object, line)?,
            "round" => self.round(&object)?,
            "build" => self.build(&object, line)?,
            "look" => self.looks.take(&Value::Object(object))?,
            "end" => self.looks.ended = true,
            _ => {}
        }
        Some(())
    }

    /// Passes on an invocation of a benchmark and a variant of the plan, whose format can be read.
    fn planned(&mut self, mut invocation: Invocation<'a>, take: impl FnOnce(&mut Self, Invocation<'a>)) {
        let (benchmark, variant) = (&invocation.benchmark, &invocation.variant);
        if !self.manifest.has_benchmark(benchmark) || self.manifest.variant(variant).is_none() {
            let what = format!(
                "`{}` of `{}` is not in the plan of the manifest",
                excerpt(benchmark.as_bytes()),
                excerpt(variant.as_bytes())
            );
            let hint = "do journal and manifest belong to the same run?";
            return self.sheet.problem(Code::Contradiction, invocation.line, what, hint);
        }
        match self.manifest.format(benchmark, variant, self.plug_ins) {
            Ok(format) => invocation.format = format,
            Err(name) => {
                let what = format!("the format `{}` cannot be read", excerpt(name.as_bytes()));
                let hint = "this version of statera does not know it";
                return self.sheet.problem(Code::UnknownFormat, invocation.line, what, hint);
            }
        }
        take(self, invocation);
    }

    fn failure(&mut self, object: &Object<'_>, line: u32) -> Option<()> {
        let text = |key| object.get(key).and_then(Value::text).map(|text| excerpt(text.as_bytes()));
        let at = match whole(object.get("round")?)? {
            0 => "in the warm-up".to_owned(),
            round => format!("in round {round}"),
        };
        let (benchmark, variant) = (text("benchmark")?, text("variant")?);
        let (reason, message) = (text("reason")?, text("message").unwrap_or_default());
        let what = format!("`{benchmark}` of `{variant}` failed {at} ({reason}): {message}");
        self.sheet.problem(Code::FailedInvocation, line, what, "");
        Some(())
    }

    fn round(&mut self, object: &Object<'_>) -> Option<()> {
        let round = whole(object.get("round")?)?;
        self.rounds.insert(round);
        for mark in object.get("marks")?.list()?.iter().filter_map(Value::text) {
            self.marked.insert(round);
            *self.marks.entry(excerpt(mark.as_bytes())).or_insert(0) += 1;
        }
        Some(())
    }

    fn build(&mut self, object: &Object<'_>, line: u32) -> Option<()> {
        if object.get("ok")? == &Value::Bool(false) {
            let message = object.get("message").and_then(Value::text).unwrap_or_default();
            let what = format!("a build failed: {}", excerpt(message.as_bytes()));
            self.sheet.problem(Code::FailedBuild, line, what, "its variants were not measured");
        }
        Some(())
    }

    fn say_marks(&mut self) {
        if self.marked.is_empty() {
            return;
        }
        let mut marks: Vec<(&String, &u64)> = self.marks.iter().collect();
        marks.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let marks: Vec<String> = marks.into_iter().map(|(mark, count)| format!("{mark} ({count})")).collect();
        let (marked, rounds) = (self.marked.len(), self.rounds.len());
        let were = if marked == 1 { "was" } else { "were" };
        let what = format!("{marked} of {rounds} rounds {were} disturbed: {}", crate::text::listed(&marks));
        self.sheet.problem(Code::RoundsMarked, 0, what, "");
    }
}
