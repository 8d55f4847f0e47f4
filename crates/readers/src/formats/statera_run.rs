//! The journal of a run of `statera run`: one record a line, in a folder with a manifest and the raw outputs.

use super::prelude::*;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::json::{Parser, record, stop_at_limit};
use super::outcomes::{self, FAILED};
use crate::caught;
use crate::context::Contexts;
use crate::limits::{self, Budget, within};
use crate::sheet::NONE;
use crate::text::{self};
use rayon::prelude::*;

pub static FORMAT: Format = Format {
    name: "statera-run",
    sign: "records, one a line, of which the first has the `kind` `session`",
    harness: "statera run",
    export: "statera run",
    files: &["journal.ndjson"],
    processes: Processes::Stated,
    block: Some("round"),
    variants: Some("variant"),
    keys: &[KEYS, SOURCES, FACTS],
    metrics: METRICS,
    fits: |head| {
        let first = head.json()?;
        if first.child("kind").is_none_or(|kind| &*kind.text != "session") {
            return Err(No::Because("its first record has not the `kind` `session`"));
        }
        head.has_all(&["boot", "process"])
    },
    read: Read::Sheets(read),
    ..Format::PLAIN
};

const KEYS: &[Key] = &[
    Key::setting("variant", "variant, the name of its combination of factors"),
    Key::of_run("round", Role::Run, "which round of runs it was"),
    Key::of_run("order", Role::Run, "place in the round among the invocations of the benchmark").detail(),
    Key::setting("program", "benchmark of the plan, of a value that its output states").detail(),
    Key::of_run(
        "alpha_share",
        Role::Outcome,
        "share of alpha of the look at which the benchmark left the rounds",
    )
    .detail(),
    Key::of_run("hosts", Role::Run, "the hosts on which a run took place, if there are several").detail(),
    Key::date("when the run began"),
];

const METRICS: &[Meaning] = &[
    Meaning::of("time", "elapsed time of the command"),
    Meaning::of("cpu", "processor time of the command and its children"),
    Meaning::of("user", "processor time in the program"),
    Meaning::of("system", "processor time in the system for the program"),
    Meaning::of("memory", "largest resident memory of the command and all that it started, together"),
    Meaning::of("minor-faults", "page faults that needed no disk"),
    Meaning::of("major-faults", "page faults that waited for a disk"),
    Meaning::of("voluntary-switches", "times that the command waited"),
    Meaning::of("involuntary-switches", "times that the command was interrupted"),
    FAILED,
];

/// The name of the journal in the folder of a run.
pub(crate) const JOURNAL: &str = "journal.ndjson";

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
    let mut journal = Journal::new(manifest, outputs.options, name);
    let bytes = content.all()?;
    journal.lines(&bytes, content.budget.limits.line);
    let invocations = std::mem::take(&mut journal.invocations);
    let failures = std::mem::take(&mut journal.failures);
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
        samples.served(invocation);
        match output {
            None => samples.timed(invocation),
            Some(Ok(sheets)) => samples.printed(invocation, sheets),
            Some(Err(why)) => samples.without_output(invocation, &why),
        }
    }
    for count in &journal.counts {
        samples.counted(count);
    }
    samples.failed(&invocations, &failures);
    Ok(samples.sheets())
}

/// The records of a journal, by what becomes of them.
struct Journal<'a> {
    manifest: &'a Manifest,
    options: &'a Options,
    /// Takes the problems.
    sheet: Sheet,
    invocations: Vec<Invocation<'a>>,
    /// Those that gave no sample.
    failures: Vec<Invocation<'a>>,
    counts: Vec<Invocation<'a>>,
    looks: Looks,
    /// What each host of `--on` said of itself last.
    hosts: HashMap<String, Arc<Context>>,
    /// The hosts that take part no more: the line of the record, and what it says.
    lost: BTreeMap<String, (u32, String)>,
    /// The rounds, on each host.
    rounds: HashSet<(Option<String>, i64)>,
    marked: HashSet<(Option<String>, i64)>,
    marks: BTreeMap<String, u64>,
    outlived: Outlived,
}

/// The processes that commands left behind.
#[derive(Default)]
struct Outlived {
    /// Invocations that gave a sample, and those of them that left something behind.
    invocations: u64,
    concerned: u64,
    /// The fewest and the most that such an invocation left.
    fewest: i64,
    most: i64,
}

impl<'a> Journal<'a> {
    fn new(manifest: &'a Manifest, options: &'a Options, name: &str) -> Self {
        Self {
            manifest,
            options,
            sheet: Sheet::new(name),
            invocations: Vec::new(),
            failures: Vec::new(),
            counts: Vec::new(),
            looks: Looks::default(),
            hosts: HashMap::new(),
            lost: BTreeMap::new(),
            rounds: HashSet::new(),
            marked: HashSet::new(),
            marks: BTreeMap::new(),
            outlived: Outlived::default(),
        }
    }

    fn lines(&mut self, bytes: &'a [u8], longest: u64) {
        // The process may be writing the last line right now, or was killed while it wrote it.
        let whole = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        for (number, line) in (1..).zip(bytes[..whole].split(|&byte| byte == b'\n')) {
            if line.len() as u64 > longest {
                self.sheet.too_long(number, line);
            } else if !line.is_empty() {
                self.line(line, number);
            }
        }
        for (line, what) in std::mem::take(&mut self.lost).into_values() {
            self.sheet.problem(Code::HostLost, line, what, "");
        }
        self.say_marks();
        self.say_outlived();
    }

    fn line(&mut self, line: &'a [u8], number: u32) {
        let known = match record(line, number, &mut self.sheet) {
            Ok(Some(object)) => self.record(object, number),
            Ok(None) | Err(_) => None,
        };
        if known.is_none() {
            self.sheet.no_row(number, line);
        }
    }

    /// Takes a record; `None` if it is damaged. A record of another kind, from a later version, is nothing.
    fn record(&mut self, object: Box<Object<'a>>, line: u32) -> Option<()> {
        match object.text_of("kind")? {
            "invocation" if object.get("warmup") == Some(&Value::Bool(true)) => {}
            "invocation" => {
                let invocation = Invocation::of(object, line)?;
                self.outlived.take(&invocation);
                self.planned(invocation, |journal, invocation| journal.invocations.push(invocation));
            }
            "count" => {
                let count = Invocation::of_count(object, line)?;
                self.planned(count, |journal, count| journal.counts.push(count));
            }
            "failure" => {
                self.failure(&object, line)?;
                // In the warm-up nothing is measured.
                if let Some(failure) = Invocation::of(object, line).filter(|failed| failed.round > Some(0)) {
                    self.planned(failure, |journal, failure| journal.failures.push(failure));
                }
            }
            "round" => self.round(&object)?,
            "host" => self.host(&Value::Object(object))?,
            "lost" => self.lost(&object, line)?,
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
                excerpt(benchmark),
                excerpt(variant)
            );
            let hint = "do journal and manifest belong to the same run?";
            return self.sheet.problem(Code::Contradiction, invocation.line, what, hint);
        }
        match self.manifest.format(benchmark, variant, self.options) {
            Ok(format) => invocation.format = format,
            Err(name) => {
                let what = format!("the format `{}` cannot be read", excerpt(name));
                let hint = "this version of statera does not know it";
                return self.sheet.problem(Code::UnknownFormat, invocation.line, what, hint);
            }
        }
        invocation.facts = invocation.host.as_ref().and_then(|host| self.hosts.get(host)).cloned();
        take(self, invocation);
    }

    /// Takes what a host says of itself. It is called as the user did, whatever it calls itself.
    fn host(&mut self, record: &Value<'_>) -> Option<()> {
        let name = record.get("host").and_then(word)?;
        let mut own = vec![("host".to_owned(), name.clone())];
        extend(&mut own, &facts_of(record.get("facts")?));
        self.lost.remove(&name);
        self.hosts.insert(name, Arc::new(own));
        Some(())
    }

    fn lost(&mut self, object: &Object<'_>, line: u32) -> Option<()> {
        let text = |key| object.text_of(key).map(excerpt);
        let (host, message) = (text("host")?, text("message").unwrap_or_default());
        let what = match whole(object.get("round")?)? {
            0 => format!("the host {host} could not be used: {message}"),
            round => format!("the host {host} was lost in round {round}: {message}"),
        };
        self.lost.insert(object.get("host").and_then(word)?, (line, what));
        Some(())
    }

    fn failure(&mut self, object: &Object<'_>, line: u32) -> Option<()> {
        let text = |key| object.text_of(key).map(excerpt);
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
        let round = (object.get("host").and_then(word), whole(object.get("round")?)?);
        self.rounds.insert(round.clone());
        for mark in object.get("marks")?.list()?.iter().filter_map(Value::text) {
            self.marked.insert(round.clone());
            *self.marks.entry(excerpt(mark)).or_insert(0) += 1;
        }
        Some(())
    }

    fn build(&mut self, object: &Object<'_>, line: u32) -> Option<()> {
        if object.get("ok")? == &Value::Bool(false) {
            let message = object.text_of("message").unwrap_or_default();
            let what = format!("a build failed: {}", excerpt(message));
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
        let what = format!("{marked} of {rounds} rounds {were} disturbed: {}", text::listed(&marks));
        self.sheet.problem(Code::RoundsMarked, 0, what, "");
    }

    fn say_outlived(&mut self) {
        let Outlived { invocations, concerned, fewest, most } = self.outlived;
        if concerned == 0 {
            return;
        }
        let processes = match (fewest, most) {
            (1, 1) => "1 process".to_owned(),
            (least, most) if least == most => format!("{most} processes"),
            (least, most) => format!("{least} to {most} processes"),
        };
        let how_often = if concerned == invocations {
            "the command".to_owned()
        } else {
            format!("the command in {concerned} of {invocations} invocations")
        };
        let whose = if most == 1 { "its" } else { "their" };
        let what = format!("{processes} outlived {how_often}: {whose} cpu is not counted");
        self.sheet.problem(Code::Outlived, 0, what, "");
    }
}

impl Outlived {
    fn take(&mut self, invocation: &Invocation<'_>) {
        self.invocations += 1;
        let count = invocation.fields.get("left_over").and_then(whole).filter(|&count| count > 0);
        let Some(count) = count else { return };
        self.fewest = if self.concerned == 0 { count } else { self.fewest.min(count) };
        self.most = self.most.max(count);
        self.concerned += 1;
    }
}

// The manifest of a run: the variants with their factors, the formats of outputs, and the facts about the
// machine.

/// The name of the file in the folder of a run.
pub(crate) const MANIFEST: &str = "manifest.json";

/// What begins the value of the first key; the number of the version follows.
const KIND: &str = "run/";
const VERSION: &str = "run/1";

/// Whether a file begins like the manifest of a run, of any version.
pub(crate) fn begins(path: &Path) -> bool {
    const HEAD: u64 = 64;
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    head.retain(|byte| !byte.is_ascii_whitespace());
    read.is_ok() && head.starts_with(br#"{"statera":"run/"#)
}

/// The facts about the machine that are configuration keys.
const FACTS: &[Key] = &[
    Key::environment("host", "name of the machine"),
    Key::environment("kernel", "version of the kernel").detail(),
    Key::environment("cpu", "processor"),
    Key::environment("microcode", "version of the processor's microcode").detail(),
    Key::environment("cores", "cores of the machine"),
    Key::environment("memory", "memory of the machine").detail(),
    Key::environment("architecture", "architecture of the machine").detail(),
    Key::environment("os", "operating system").detail(),
    Key::environment("virtualisation", "kind of virtual machine or container").detail(),
    Key::environment("libc", "version of the C library").detail(),
    Key::of_run("boot", Role::Run, "which start of the machine it was").detail(),
];

/// What the manifest says about the sources of a variant.
const SOURCES: &[Key] = &[
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::of_run("dirty", Role::Commit, "`true` if the sources differed from the commit"),
];

/// What values need to know of a manifest.
#[derive(Debug, Default)]
struct Manifest {
    /// The variants, the baseline first, each with its factors and the facts about its sources.
    variants: Vec<Variant>,
    /// The format of what a benchmark of a variant prints; a benchmark without one is timed.
    formats: HashMap<(String, String), String>,
    /// The names of the benchmarks.
    benchmarks: Vec<String>,
    /// The share of alpha of each planned look; empty if nothing is examined before the end.
    shares: Vec<f64>,
    /// When the run began, and on which machine.
    facts: Context,
    /// The hosts of `--on`, if there are several.
    hosts: Option<String>,
    /// Distinguishes the rounds of this run from those of others.
    id: String,
}

#[derive(Debug)]
struct Variant {
    name: String,
    factors: Context,
    sources: Context,
}

impl Manifest {
    /// Reads the manifest in a folder.
    ///
    /// # Errors
    /// If it cannot be read, if it is not one, and if a later version of statera wrote it.
    fn read(folder: &Path, budget: &Arc<Budget>) -> io::Result<Self> {
        let path = folder.join(MANIFEST);
        if !path.is_file() {
            return Err(io::Error::other(format!(
                "there is no {MANIFEST} beside it, which names what was measured"
            )));
        }
        Self::parse(&Content::open(&path, budget)?)
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// As in [`Manifest::read`].
    fn parse(content: &Content) -> io::Result<Self> {
        let bytes = content.all()?;
        let broken = |what: &str| io::Error::other(format!("{MANIFEST} beside it: {what}"));
        let mut ignored = Sheet::default();
        let document = Parser::new(&bytes, 1, content.budget.limits.values, &mut ignored).only();
        if let Err(fault) = &document {
            stop_at_limit(fault, content)?;
        }
        let document = document.map_err(|fault| broken(&format!("line {}: {}", fault.line, fault.what)))?;
        match document.text_of("statera") {
            Some(VERSION) => {}
            Some(version) if version.starts_with(KIND) => {
                let what = format!("a later version of statera wrote it ({version}). Install that version");
                return Err(broken(&what));
            }
            _ => return Err(broken("it is not the manifest of a run")),
        }
        let plan = document.get("plan").ok_or_else(|| broken("it has no plan"))?;
        let mut manifest = Self {
            variants: plan.elements("variants").iter().filter_map(variant).collect(),
            benchmarks: plan.elements("benchmarks").iter().filter_map(word).collect(),
            shares: plan.get("rounds").map_or_else(Vec::new, shares),
            facts: facts(&document),
            hosts: Some(plan.elements("hosts")).filter(|hosts| hosts.len() > 1).map(|hosts| {
                let names: Vec<_> = hosts.iter().filter_map(word).collect();
                names.join(", ")
            }),
            id: document.text_of("id").unwrap_or_default().chars().take(8).collect(),
            ..Self::default()
        };
        if manifest.variants.is_empty() || manifest.benchmarks.is_empty() {
            return Err(broken("its plan has no variants or no benchmarks"));
        }
        manifest.take_formats(plan.elements("cells"));
        manifest.take_sources(document.elements("sources"));
        Ok(manifest)
    }

    /// Whether the plan has a benchmark of this name.
    fn has_benchmark(&self, name: &str) -> bool {
        self.benchmarks.iter().any(|known| known == name)
    }

    /// The variant with this name.
    fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The format of what a benchmark prints; `None` if the command itself is timed.
    ///
    /// # Errors
    /// The name of a format that cannot be read.
    fn format(
        &self,
        benchmark: &str,
        variant: &str,
        options: &Options,
    ) -> Result<Option<&'static Format>, &str> {
        let Some(name) = self.formats.get(&(benchmark.to_owned(), variant.to_owned())) else {
            return Ok(None);
        };
        match options.named(name) {
            // A run within a run would be read without end.
            Some(format) if format.has_results() && format.name != FORMAT.name => Ok(Some(format)),
            _ => Err(name),
        }
    }

    fn take_formats(&mut self, cells: &[Value<'_>]) {
        for cell in cells {
            let number = |key| cell.get(key).and_then(whole).and_then(|number| usize::try_from(number).ok());
            let benchmark = number("benchmark").and_then(|number| self.benchmarks.get(number));
            let variant = number("variant").and_then(|number| self.variants.get(number));
            if let (Some(benchmark), Some(variant), Some(format)) =
                (benchmark, variant, cell.text_of("format"))
            {
                self.formats.insert((benchmark.clone(), variant.name.clone()), format.to_owned());
            }
        }
    }

    fn take_sources(&mut self, sources: &[Value<'_>]) {
        for source in sources {
            let named = source.text_of("variant");
            for variant in self.variants.iter_mut().filter(|variant| Some(&*variant.name) == named) {
                let commit =
                    source.get("revision").and_then(scalar).map(|commit| ("commit".to_owned(), commit));
                let dirty = source.get("dirty") == Some(&Value::Bool(true));
                let dirty = dirty.then(|| ("dirty".to_owned(), "true".to_owned()));
                variant.sources = commit.into_iter().chain(dirty).collect();
            }
        }
    }
}

fn variant(value: &Value) -> Option<Variant> {
    let pair = |level: &Value| match level.list()? {
        [factor, level] => Some((word(factor)?, word(level)?)),
        _ => None,
    };
    let factors = value.elements("levels").iter().filter_map(pair).collect();
    Some(Variant { name: word(value.get("name")?)?, factors, sources: Context::new() })
}

/// A text of the plan; one that is not Unicode stands as `{"bytes": hexadecimal digits}`.
fn word(value: &Value) -> Option<String> {
    let Some(digits) = value.get("bytes") else { return value.text().map(str::to_owned) };
    let digits = digits.text()?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    Some(lossless(&bytes?).into_owned())
}

fn shares(rounds: &Value) -> Vec<f64> {
    rounds.elements("shares").iter().filter_map(number).collect()
}

fn facts(document: &Value) -> Context {
    let created = document.get("created").and_then(scalar).map(|date| ("date".to_owned(), date));
    created.into_iter().chain(document.get("host").map(facts_of).unwrap_or_default()).collect()
}

/// The facts about a machine that are keys.
fn facts_of(stated: &Value) -> Context {
    let fact = |key: &Key| Some((key.name.to_owned(), scalar(stated.get(key.name)?)?));
    FACTS.iter().filter_map(fact).collect()
}

/// A text, a number or a truth value as text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::List(_) | Value::Object(_) => None,
        other => Some(plain(other)),
    }
}

/// A whole number.
fn whole(value: &Value) -> Option<i64> {
    if let Value::Whole(whole) = value { Some(*whole) } else { None }
}

/// A number.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Float(float) => Some(*float),
        _ => None,
    }
}

// The share of alpha of each benchmark of a run that was examined while it went on.

/// The looks at the data, in order.
#[derive(Debug, Default)]
struct Looks {
    /// The last look at each benchmark.
    last: HashMap<String, Last>,
    /// Nothing follows: no benchmark goes on.
    ended: bool,
}

#[derive(Debug)]
struct Last {
    look: usize,
    share: f64,
    goes_on: bool,
}

impl Looks {
    /// Takes the record of a look; `None` if it is damaged.
    fn take(&mut self, record: &Value) -> Option<()> {
        let look = usize::try_from(whole(record.get("look")?)?).ok()?;
        let share = number(record.get("share")?).filter(|share| *share > 0.0 && *share <= 1.0)?;
        let undecided: Vec<&str> = record.elements("undecided").iter().filter_map(Value::text).collect();
        for benchmark in record.elements("benchmarks").iter().filter_map(Value::text) {
            let last = Last { look, share, goes_on: undecided.contains(&benchmark) };
            self.last.insert(benchmark.to_owned(), last);
        }
        Some(())
    }

    /// The share of alpha that the values of a benchmark may spend: that of the look at which it left the rounds, or of
    /// the next one while it goes on. `None` if the plan has no looks.
    fn share(&self, benchmark: &str, planned: &[f64]) -> Option<f64> {
        match self.last.get(benchmark) {
            None => planned.first().copied(),
            Some(last) if last.goes_on && !self.ended => {
                Some(planned.get(last.look).copied().unwrap_or(last.share))
            }
            Some(last) => Some(last.share),
        }
    }
}

// What the commands of a run printed or left behind, read in the format that the plan names.

/// Reads the outputs of one run.
struct Outputs<'a> {
    folder: &'a Path,
    budget: &'a Arc<Budget>,
    options: &'a Options,
    /// How many files were opened so far.
    opened: AtomicU64,
}

impl<'a> Outputs<'a> {
    fn new(folder: &'a Path, budget: &'a Arc<Budget>, options: &'a Options) -> Self {
        Self { folder, budget, options, opened: AtomicU64::new(0) }
    }

    /// The sheets of a file, or of all files of a folder that have the format. The inner error says why there are none.
    ///
    /// # Errors
    /// If a limit is exceeded.
    fn read(&self, name: &str, format: &Format) -> io::Result<Result<Vec<Sheet>, String>> {
        match self.sheets(name, format) {
            Ok(sheets) => Ok(Ok(sheets)),
            Err(error) if limits::exceeded(&error).is_some() => Err(error),
            Err(error) => Ok(Err(format!("{}: {error}", excerpt(name)))),
        }
    }

    fn sheets(&self, name: &str, format: &Format) -> io::Result<Vec<Sheet>> {
        let path = self.path(name)?;
        let about = fs::metadata(&path)?;
        if about.is_file() {
            return self.file(&path, format, true);
        }
        if !about.is_dir() {
            return Err(io::Error::other("is a pipe, a socket or a device"));
        }
        let mut files = self.files_below(&path)?;
        // Criterion.rs copies the samples of a run for the next one.
        files.retain(|file| !format.companions.iter().any(|companion| (companion.is)(file)));
        let read: io::Result<Vec<_>> = files.iter().map(|file| self.file(file, format, false)).collect();
        Ok(read?.into_iter().flatten().collect())
    }

    /// The path of an output. A journal from a stranger may name any file of this machine.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        let outside = || io::Error::other("is outside of the folder of the run");
        if name.is_empty() || !Path::new(name).components().all(inside) {
            return Err(outside());
        }
        let path = self.folder.join(name);
        let real = fs::canonicalize(&path)?;
        if real.starts_with(fs::canonicalize(self.folder)?) { Ok(path) } else { Err(outside()) }
    }

    /// The regular files below a folder, in the order of their names. Hidden files and links are left out.
    fn files_below(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                self.count()?;
                match entry.file_type()? {
                    _ if entry.file_name().as_encoded_bytes().starts_with(b".") => {}
                    kind if kind.is_dir() => folders.push(entry.path()),
                    kind if kind.is_file() => files.push(entry.path()),
                    _ => {}
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// The sheets of a file. Of the files of a folder, those of other formats are left out.
    fn file(&self, path: &Path, format: &Format, alone: bool) -> io::Result<Vec<Sheet>> {
        self.count()?;
        let content = Content::open(path, self.budget)?;
        if !alone && !caught::caught(|| format.fit(&Head::new(&content.head)).is_ok()).unwrap_or(false) {
            return Ok(Vec::new());
        }
        let name = text::name_of(path);
        let read = caught::caught(|| format.sheets(&name, path, &content, self.options));
        let mut sheets = read.unwrap_or_else(|why| {
            Err(io::Error::other(format!("made the reader of {} fail ({why})", format.name)))
        })?;
        if let Some(why) = &content.cut {
            let mut sheet = Sheet::new(&name);
            sheet.problem(Code::Truncated, 0, why, "everything before was read");
            sheets.push(sheet);
        }
        Ok(sheets)
    }

    fn count(&self) -> io::Result<()> {
        let opened = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
        within(opened, self.options.limits.files, "files", "the run has too many outputs")
    }
}

// From the invocations of a run to values with their configuration.

/// The counts that every invocation records: metric, unit and field.
const COUNTS: [(&str, &str, Quantity, &str); 7] = [
    ("user", "s", Quantity::Time, "user"),
    ("system", "s", Quantity::Time, "system"),
    ("memory", "B", Quantity::Bytes, "memory"),
    ("minor-faults", "1", Quantity::Count, "minor_faults"),
    ("major-faults", "1", Quantity::Count, "major_faults"),
    ("voluntary-switches", "1", Quantity::Count, "voluntary_switches"),
    ("involuntary-switches", "1", Quantity::Count, "involuntary_switches"),
];

/// The count that is the peak memory of a control group, in bytes.
const PEAK: &str = "memory.peak";

/// What is measured of each service: field, unit and quantity.
const SERVED: [(&str, &str, Quantity); 3] =
    [("cpu", "s", Quantity::Time), ("memory", "B", Quantity::Bytes), ("exit", "1", Quantity::Count)];

/// An invocation that gave a sample, or the exact counts of one.
struct Invocation<'a> {
    line: u32,
    round: Option<i64>,
    order: Option<i64>,
    benchmark: String,
    variant: String,
    /// The host of `--on`, and what it says of itself.
    host: Option<String>,
    facts: Option<Arc<Context>>,
    output: Option<String>,
    /// The format of the output; `None` if the command itself is timed.
    format: Option<&'static Format>,
    fields: Box<Object<'a>>,
}

impl<'a> Invocation<'a> {
    /// The invocation of a record; `None` if the record is damaged.
    fn of(fields: Box<Object<'a>>, line: u32) -> Option<Self> {
        let (round, order) = (whole(fields.get("round")?)?, whole(fields.get("order")?)?);
        let invocation = Self::of_count(fields, line)?;
        Some(Self { round: Some(round), order: Some(order), ..invocation })
    }

    /// The same for exact counts, which belong to no round.
    fn of_count(fields: Box<Object<'a>>, line: u32) -> Option<Self> {
        let text = |key| fields.text_of(key).map(str::to_owned);
        let (benchmark, variant, output) = (text("benchmark")?, text("variant")?, text("output"));
        let host = fields.get("host").and_then(word);
        let (round, order, facts, format) = (None, None, None, None);
        Some(Self { line, round, order, benchmark, variant, host, facts, output, format, fields })
    }

    /// The name of the invocation in messages.
    fn named(&self) -> String {
        let (benchmark, variant) = (excerpt(&self.benchmark), excerpt(&self.variant));
        format!("`{benchmark}` of `{variant}` in round {}", self.round.unwrap_or_default())
    }
}

/// Collects values.
struct Samples<'a> {
    manifest: &'a Manifest,
    looks: &'a Looks,
    /// The values of timed commands, and all problems of the journal.
    timed: Sheet,
    printed: Vec<Sheet>,
    /// The number of the next process.
    process: u32,
    not_counted: HashSet<(String, String)>,
}

impl<'a> Samples<'a> {
    fn new(manifest: &'a Manifest, looks: &'a Looks, mut sheet: Sheet) -> Self {
        // The variants stand in the order of the plan, whichever was measured first.
        for variant in &manifest.variants {
            let mut context = vec![("variant".to_owned(), variant.name.clone())];
            extend(&mut context, &variant.factors);
            sheet.set_context(&context);
        }
        Self { manifest, looks, timed: sheet, printed: Vec::new(), process: 0, not_counted: HashSet::new() }
    }

    /// The sheets, the timed commands first.
    fn sheets(mut self) -> Vec<Sheet> {
        self.printed.insert(0, self.timed);
        self.printed
    }

    /// Adds what the services used that ran beside a command, in the process of its own values.
    fn served(&mut self, invocation: &Invocation<'_>) {
        let Some(services) = invocation.fields.object_of("services") else { return };
        let context = self.context(invocation);
        self.timed.set_context(&context);
        for (service, used) in services.iter() {
            for (field, unit, quantity) in SERVED {
                let name = format!("{service} {field}");
                let make = || {
                    let made = Metric::new(&name, unit, quantity).never_exact();
                    // Beside a command that is timed it is the cost of the same work. A load generator may run for a
                    // fixed time, in which a faster service does more.
                    if field == "cpu" && invocation.format.is_none() { made } else { made.secondary() }
                };
                if let Some(value) = used.get(field) {
                    self.push_value(invocation, make, &name, value);
                }
            }
        }
    }

    /// Adds the values of a command that was timed.
    fn timed(&mut self, invocation: &Invocation<'_>) {
        let context = self.context(invocation);
        self.timed.set_context(&context);
        self.push(invocation, "time", "s", Quantity::Time, "time");
        let seconds = |key| invocation.fields.get(key).and_then(number);
        if let (Some(user), Some(system)) = (seconds("user"), seconds("system")) {
            let cpu = Value::Float(user + system);
            self.push_value(invocation, || Metric::new("cpu", "s", Quantity::Time), "cpu", &cpu);
        }
        for (metric, unit, quantity, field) in COUNTS {
            self.push(invocation, metric, unit, quantity, field);
        }
        self.counters(invocation, |name| {
            let (unit, quantity) = if name == PEAK { ("B", Quantity::Bytes) } else { ("1", Quantity::Count) };
            Metric::new(name, unit, quantity).never_exact()
        });
        self.process += 1;
    }

    /// Adds exact counts, of which there is one for each benchmark of a variant.
    fn counted(&mut self, invocation: &Invocation<'_>) {
        let context = self.context(invocation);
        self.timed.set_context(&context);
        self.counters(invocation, |name| Metric {
            assumed_exact: true,
            ..Metric::new(name, "1", Quantity::Count)
        });
        self.process += 1;
    }

    /// Adds whether each run of a timed command failed, where one of its variant did. What never gave a sample was not
    /// measured.
    fn failed(&mut self, invocations: &[Invocation<'_>], failures: &[Invocation<'_>]) {
        let ended =
            invocations.iter().map(|run| (run, run.fields.get("exit").and_then(whole).unwrap_or(0) != 0));
        let mut runs: Vec<_> = ended.chain(failures.iter().map(|run| (run, true))).collect();
        runs.retain(|(run, _)| run.format.is_none());
        runs.sort_by_key(|(run, _)| run.line);
        let of = |run: &Invocation<'_>| (run.benchmark.clone(), run.variant.clone());
        let measured: HashSet<_> = invocations.iter().map(of).collect();
        let mut failing: HashSet<_> =
            runs.iter().filter(|(_, failed)| *failed).map(|(run, _)| of(run)).collect();
        failing.retain(|cell| measured.contains(cell));
        for (run, failed) in runs.into_iter().filter(|(run, _)| failing.contains(&of(run))) {
            let context = self.context(run);
            self.timed.set_context(&context);
            self.push_value(run, outcomes::metric, FAILED.metric, &Value::Whole(i64::from(failed)));
            self.process += 1;
        }
    }

    /// Adds the values that a command printed.
    fn printed(&mut self, invocation: &Invocation<'_>, sheets: Vec<Sheet>) {
        if sheets.iter().all(Sheet::is_empty) {
            let output = excerpt(invocation.output.as_deref().unwrap_or_default());
            let format = invocation.format.map_or("", |format| format.name);
            let what = format!("{} left no value of the format {format} in {output}", invocation.named());
            let hint = "look at the file: did the program print its results?";
            self.timed.problem(Code::NoResults, invocation.line, what, hint);
        }
        let own = self.context(invocation);
        let (mut file, mut lines, mut next) = (String::new(), 0, self.process);
        for mut sheet in sheets {
            place(&mut sheet, &own, invocation, &self.block(invocation), self.process, &mut next);
            // A large file comes in pieces, each of which counts its own lines.
            lines = if sheet.source == file { lines } else { 0 };
            lines = shift_lines(&mut sheet, lines);
            file.clone_from(&sheet.source);
            self.printed.push(sheet);
        }
        self.process = next.max(self.process.saturating_add(1));
    }

    /// Records that an output cannot be read.
    fn without_output(&mut self, invocation: &Invocation<'_>, why: &str) {
        let what = format!("the output of {} cannot be read: {why}", invocation.named());
        self.timed.problem(Code::UnreadableFile, invocation.line, what, "");
    }

    fn counters(&mut self, invocation: &Invocation<'_>, make: impl Fn(&str) -> Metric) {
        let Some(counters) = invocation.fields.object_of("counters") else { return };
        for (name, value) in counters.iter() {
            match value.text() {
                None => self.push_value(invocation, || make(name), name, value),
                Some(reason) if self.not_counted.insert((name.to_owned(), reason.to_owned())) => {
                    let what = format!("{} was not counted: {}", excerpt(name), excerpt(reason));
                    self.timed.problem(Code::NotCounted, 0, what, "");
                }
                Some(_) => {}
            }
        }
    }

    fn push(
        &mut self,
        invocation: &Invocation<'_>,
        metric: &str,
        unit: &str,
        quantity: Quantity,
        field: &str,
    ) {
        let make = || {
            let made = Metric::new(metric, unit, quantity).never_exact();
            if metric == "time" { made } else { made.secondary() }
        };
        if let Some(value) = invocation.fields.get(field) {
            self.push_value(invocation, make, metric, value);
        }
    }

    fn push_value(
        &mut self,
        invocation: &Invocation<'_>,
        make: impl FnOnce() -> Metric,
        name: &str,
        value: &Value<'_>,
    ) {
        let block = self.block(invocation);
        let metric = self.timed.metric(name, make);
        let row = Measurement {
            benchmark: &invocation.benchmark,
            metric,
            value: 0.0,
            line: invocation.line,
            block: invocation.round.is_some().then_some(&*block),
            process: Some(self.process),
            ..ROW
        };
        push_value(&mut self.timed, row, value, 1.0);
    }

    /// The pairing key of a round, which no round of another run or host has.
    fn block(&self, invocation: &Invocation<'_>) -> String {
        let (round, id) = (invocation.round.unwrap_or_default(), &self.manifest.id);
        match &invocation.host {
            Some(host) => format!("{round} on {host} of {id}"),
            None => format!("{round} of {id}"),
        }
    }

    fn context(&self, invocation: &Invocation<'_>) -> Context {
        let mut context = vec![("variant".to_owned(), invocation.variant.clone())];
        let variant = self.manifest.variant(&invocation.variant);
        extend(&mut context, variant.map_or(&[], |variant| &variant.factors));
        let mut own = Context::new();
        // The output has names of its own for what it measured.
        own.extend(invocation.format.map(|_| ("program".to_owned(), invocation.benchmark.clone())));
        for (key, value) in [("round", invocation.round), ("order", invocation.order)] {
            own.extend(value.map(|value| (key.to_owned(), value.to_string())));
        }
        let share = self.looks.share(&invocation.benchmark, &self.manifest.shares);
        own.extend(share.map(|share| ("alpha_share".to_owned(), share.to_string())));
        extend(&mut context, &own);
        extend(&mut context, variant.map_or(&[], |variant| &variant.sources));
        let facts = &self.manifest.facts;
        match (&invocation.host, &invocation.facts) {
            (None, _) => extend(&mut context, facts),
            // Of the machine that started the run only the date holds for the others.
            (Some(host), own) => {
                let date: Context = facts.iter().filter(|(key, _)| key == "date").cloned().collect();
                extend(&mut context, &date);
                extend(&mut context, &[("host".to_owned(), host.clone())]);
                let hosts = self.manifest.hosts.iter().map(|hosts| ("hosts".to_owned(), hosts.clone()));
                extend(&mut context, &hosts.collect::<Context>());
                extend(&mut context, own.as_deref().map_or(&[][..], |own| own));
            }
        }
        context
    }
}

/// Adds the keys that a configuration does not have yet.
fn extend(context: &mut Context, more: &[(String, String)]) {
    for (key, value) in more {
        if !context.iter().any(|(known, _)| known == key) {
            context.push((key.clone(), value.clone()));
        }
    }
}

/// Makes the lines of a sheet's problems those of the file, of which `before` come before; returns how many come before
/// the next piece.
fn shift_lines(sheet: &mut Sheet, before: u32) -> u32 {
    for problem in sheet.problems.iter_mut().filter(|problem| problem.line > 0) {
        problem.line = problem.line.saturating_add(before);
    }
    before.saturating_add(std::mem::take(&mut sheet.lines))
}

/// Gives the values of an output the configuration, the round and the process of their invocation.
fn place(
    sheet: &mut Sheet,
    own: &Context,
    invocation: &Invocation<'_>,
    block: &str,
    first_process: u32,
    next: &mut u32,
) {
    let mut contexts = Contexts::default();
    let numbers: Vec<u32> = (0..sheet.contexts.len())
        .map(|number| {
            // What the output states of the machine is nearer to the values than the manifest.
            let stated = sheet.contexts.to_context(number);
            let is_fact = |key: &str| FACTS.iter().any(|fact| fact.name == key);
            let yields = |key: &str| is_fact(key) && stated.iter().any(|(known, _)| known == key);
            let mut merged: Context = own.iter().filter(|(key, _)| !yields(key)).cloned().collect();
            extend(&mut merged, &stated);
            contexts.intern(&merged)
        })
        .collect();
    for context in &mut sheet.context {
        *context = numbers[*context as usize];
    }
    sheet.contexts = contexts;
    sheet.blocks = crate::pool::Pool::default();
    let block = sheet.blocks.intern(block);
    sheet.block = vec![block; sheet.len()];
    sheet.line.fill(invocation.line);
    sheet.process.resize(sheet.len(), NONE);
    for process in &mut sheet.process {
        *process = if *process == NONE { first_process } else { first_process.saturating_add(*process) };
        *next = (*next).max(process.saturating_add(1));
    }
}
