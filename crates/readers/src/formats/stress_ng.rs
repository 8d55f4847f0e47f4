//! stress-ng: the metrics of each stressor, as it prints them.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "stress-ng",
    sign: "a line with `stressor`, `bogo ops`, `real time` and `usr time`",
    harness: "stress-ng",
    export: "stress-ng --metrics-brief",
    own_labels: &["stress-ng: "],
    printed_by: &["stress-ng"],
    keys: &[&[Key::work("instances", "number of instances of the stressor")]],
    metrics: METRICS,
    words: &["bogo ops"],
    fits: |head| {
        head.has_line(is_header)?;
        // Both are of one run, and the YAML has more digits.
        No::unless(head.has_beginnings(&OF_YAML).is_err(), "it has YAML too")
    },
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "bogus operations per second of elapsed time"),
    Meaning::of("throughput-cpu", "bogus operations per second of processor time"),
    Meaning::of("bogo-ops", "bogus operations of the run"),
    Meaning::of("time", "elapsed time of the stressor"),
    Meaning::of("user", "processor time in the program"),
    Meaning::of("system", "processor time in the system for the program"),
    Meaning::of("memory", "largest resident memory of a process"),
    Meaning::of("cpu", "share of a processor that an instance takes"),
];

/// The columns of the table, which are those of the YAML: `--metrics-brief` prints the first six, and `--metrics` of earlier
/// versions seven.
const COLUMNS: [&str; 8] = words!(
    "bogo-ops wall-clock-time user-time system-time bogo-ops-per-second-real-time \
     bogo-ops-per-second-usr-sys-time cpu-usage-per-instance max-rss"
);

/// The metric of a field, and the scale to its base unit. A field that only one stressor has keeps its name.
fn described(field: &str) -> (Metric, Scale) {
    let one = Scale::Times(1.0);
    let time = |name| (Metric::new(name, "s", Quantity::Time).secondary(), one);
    let rate = |name| Metric::new(name, "1/s", Quantity::Throughput);
    match field {
        "bogo-ops-per-second-real-time" => (rate("throughput"), one),
        "bogo-ops-per-second-usr-sys-time" => (rate("throughput-cpu").secondary(), one),
        "bogo-ops" => {
            let count = Metric::new(field, "1", Quantity::Count).never_exact().secondary();
            (Metric { better: Some(Better::Higher), ..count }, one)
        }
        "wall-clock-time" => time("time"),
        "user-time" => time("user"),
        "system-time" => time("system"),
        "max-rss" => {
            (Metric::new("memory", "B", Quantity::Bytes).never_exact().secondary(), Scale::Times(1024.0))
        }
        "cpu-usage-per-instance" => (Metric::new("cpu", "%", Quantity::Other).secondary(), one),
        other => own(other),
    }
}

/// What the names of durations begin with.
const DURATIONS: [(&str, f64); 3] = [("nanosecs-", 1e9), ("microsecs-", 1e6), ("millisecs-", 1e3)];

/// What stressors count per second beside the words of [`units`], where more is better: it is the work that they do. What
/// also happens on its own, such as faults and context switches, is not among them.
const DONE: [&str; 11] =
    words!("changes comparisons encrypts forks gotos megapixels opcodes primes remaps searches signals");

/// What may stand behind the things that are counted: `messages sent per sec`, `MB recv'd per sec`. The first word names
/// them.
const HOW: [&str; 6] = ["compressed", "exercised", "received", "recvd", "sent", "written"];

/// The name of a field without the hyphens of blanks at its ends, which are padding, and of the sign of a share.
fn trimmed(field: &str) -> &str {
    field.trim_matches('-')
}

/// A metric of one stressor. Its name says whether it is a time, or what is counted per second: of some things more is
/// better. stress-ng's MB are 1,048,576 bytes.
fn own(field: &str) -> (Metric, Scale) {
    // `% compression ratio` loses its sign, and the blank behind it stays as a hyphen.
    let is_share = field.starts_with('-');
    let field = trimmed(field);
    if is_share {
        return (Metric::new(field, "%", Quantity::Other).secondary(), Scale::Times(1.0));
    }
    if let Some((_, parts)) = DURATIONS.iter().find(|(unit, _)| field.starts_with(unit)) {
        return (Metric::new(field, "s", Quantity::Time).secondary(), Scale::Over(*parts));
    }
    let counted = field.match_indices("-per-sec").map(|(at, _)| field.split_at(at)).find(|(_, rest)| {
        let rest = &rest["-per-sec".len()..];
        rest.is_empty() || rest.starts_with('-') || rest == "ond" || rest.starts_with("ond-")
    });
    let first = field.split('-').next().unwrap_or(field);
    let counted = counted.map(|(before, _)| before.rsplit('-').next().unwrap_or(before));
    let counted = counted.map(|word| if HOW.contains(&word) { first } else { word });
    // `MB/sec read rate` and `float64add Mfp-ops/sec` have no sign in their names.
    let has = |word: &str| field.split('-').any(|found| found == word);
    if counted == Some("mb") || has("mbsec") {
        let rate = Metric::new(field, "B/s", Quantity::Throughput);
        return (rate.secondary(), Scale::Times(1_048_576.0));
    }
    if counted == Some("mfpops") || has("mfpopssec") {
        return (Metric::new(field, "1/s", Quantity::Throughput).secondary(), Scale::Times(1e6));
    }
    let millions = if matches!(first, "million" | "megapixels") { 1e6 } else { 1.0 };
    let known = meaning(&counted.map_or_else(String::new, |counted| format!("{counted}/s")));
    match (known.quantity, known.scale) {
        (Quantity::Throughput, Scale::Times(times)) => {
            (Metric::new(field, &known.base, known.quantity).secondary(), Scale::Times(times * millions))
        }
        _ if counted.is_some_and(|counted| DONE.contains(&counted)) => {
            (Metric::new(field, "1/s", Quantity::Throughput).secondary(), Scale::Times(millions))
        }
        (quantity, scale) => (Metric::new(field, &known.base, quantity).secondary(), scale),
    }
}

/// The names of the metrics of a stressor that it alone has. stress-ng cuts them in its YAML, so that two can be equal: a
/// later one gets a number, `mb-per-sec-… #2`.
#[derive(Default)]
pub(super) struct Names(HashMap<String, Numbered>);

impl Names {
    /// The name of the next metric of a stressor, from that of its field.
    pub(super) fn next(&mut self, stressor: &str, field: &str) -> String {
        self.0.entry(stressor.to_owned()).or_default().name(trimmed(field).to_owned())
    }
}

/// Adds a field of a stressor under the name of [`Names`], which may have a number behind it.
pub(super) fn push(
    sheet: &mut Sheet,
    stressor: &str,
    process: u32,
    (field, name): (&str, &str),
    digits: &str,
    line: u32,
) {
    let Some(value) = sheet.number(digits.as_bytes(), line) else {
        return sheet.no_number(line, name, stressor, digits);
    };
    let (mut made, scale) = described(field);
    if name != trimmed(field) {
        name.clone_into(&mut made.name);
    }
    let metric = sheet.metric(&made.name.clone(), || made);
    let (process, aggregate) = (Some(process), Some(Aggregate::default()));
    let row = Measurement { benchmark: stressor, metric, line, process, aggregate, ..ROW };
    sheet.push(Measurement { value: scale.apply(value), ..row });
}

fn is_header(line: &str) -> bool {
    let mut rest = line;
    ["stressor", "bogo ops", "real time", "usr time", "sys time"].iter().all(|word| {
        let found = rest.split_once(word).map(|(_, after)| after);
        rest = found.unwrap_or_default();
        found.is_some()
    })
}

/// What follows `stress-ng: metrc: [123]`, and that number of the run.
fn message(text: &str) -> (&str, &str) {
    let after = text.split_once("stress-ng: ").and_then(|(_, rest)| rest.split_once('['));
    after.and_then(|(_, rest)| rest.split_once(']')).unwrap_or(("", text))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut in_table, mut in_others, mut process) = (false, false, None::<u32>);
    let (mut instances, mut is_over, mut names) = (HashMap::new(), false, Names::default());
    // The stressor of the last row.
    let mut above = "";
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let (_, rest) = message(text);
        let rest = rest.trim();
        if let Some(stressors) = rest.strip_prefix("dispatching hogs: ") {
            // With --sequential each stressor has a line of its own.
            if std::mem::take(&mut is_over) {
                instances.clear();
            }
            let each = stressors.split(", ").filter_map(|stressor| stressor.split_once(' '));
            instances.extend(each.map(|(count, name)| (name, count)));
        } else if is_header(rest) {
            is_over = true;
            names = Names::default();
            process = Some(process.map_or(0, |process| process + 1));
            (in_table, in_others) = (true, false);
        } else if rest == "miscellaneous metrics:" {
            (in_table, in_others) = (false, true);
        } else if in_others {
            of_stressor(sheet, rest, &instances);
            in_others = other(sheet, &mut names, rest, process.unwrap_or(0), line);
        } else if is_of_row(rest, above) {
            of_stressor(sheet, rest, &instances);
            other(sheet, &mut names, rest, process.unwrap_or(0), line);
        } else if let Some(process) = process.filter(|_| !rest.starts_with('(')) {
            of_stressor(sheet, rest, &instances);
            in_table = row(sheet, rest, process, line, in_table);
            above = rest.split_whitespace().next().filter(|_| in_table).unwrap_or_default();
        }
    }
}

/// Whether a line has a metric that the stressor of the row above it alone has: 0.15 prints them below the row.
fn is_of_row(text: &str, stressor: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let is_number = |word: &str| number(word).is_some();
    matches!(words[..], [name, value, next] if name == stressor && is_number(value) && !is_number(next))
}

/// States how many instances of the stressor of a row there are, where the output says it.
fn of_stressor(sheet: &mut Sheet, text: &str, instances: &HashMap<&str, &str>) {
    let stressor = text.split_ascii_whitespace().next().unwrap_or_default();
    let count = instances.get(stressor).map(|count| ("instances".to_owned(), (*count).to_owned()));
    sheet.set_context(&Vec::from_iter(count));
}

/// Reads `cpu   440  2.02  0.25  0.00  217.73  1713.36`; says whether it is such a row. Other lines may stand among the rows;
/// one with more numbers than words that directly follows a row or the header is a damaged row.
fn row(sheet: &mut Sheet, text: &str, process: u32, line: u32, follows: bool) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((stressor, cells)) = words.split_first() else { return false };
    let sound = (6..=8).contains(&cells.len()) && cells.iter().all(|text| number(text).is_some());
    if !sound {
        let numbers = cells.iter().filter(|text| number(text).is_some()).count();
        if follows && 2 * numbers > cells.len() && !stressor.ends_with(':') {
            sheet.no_row(line, text);
            return true;
        }
        return false;
    }
    for (field, cell) in COLUMNS.iter().zip(cells) {
        push(sheet, stressor, process, (field, field), cell, line);
    }
    true
}

/// The most characters of a name in the YAML.
const LONGEST: usize = 39;

/// The name of a metric as the YAML writes it: small letters, digits, and a hyphen for each blank.
fn field(words: &str) -> String {
    // How it is computed from the instances is no part of the name; 0.15 misspells `geometric`.
    let is_mean =
        |text: &str| text.ends_with(" mean") || (text.contains(" mean of ") && text.contains(" instance"));
    let name = words.trim_end().strip_suffix(')').and_then(|inner| inner.rsplit_once(" ("));
    let name = name.filter(|(_, mean)| is_mean(mean)).map_or(words, |(name, _)| name);
    let letters = name.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter => letter.is_ascii_alphanumeric().then(|| letter.to_ascii_lowercase()),
    });
    letters.take(LONGEST).collect()
}

/// Reads `matrix   288315.50 add matrix ops per sec (geometric mean of 1 instances)`.
fn other(sheet: &mut Sheet, names: &mut Names, text: &str, process: u32, line: u32) -> bool {
    let Some((stressor, rest)) = text.split_once(char::is_whitespace) else { return false };
    let Some((digits, words)) =
        rest.trim_start().split_once(' ').filter(|(digits, _)| number(digits).is_some())
    else {
        return false;
    };
    let field = field(words);
    let name = names.next(stressor, &field);
    push(sheet, stressor, process, (&field, &name), digits, line);
    true
}

// stress-ng's YAML: the metrics of each stressor, and the machine. It is read line by line, as stress-ng
// writes it.

pub static YAML: Format = Format {
    name: "stress-ng-yaml",
    sign: "a line `stress-ng-version:`, and `metrics:` with `- stressor:`",
    harness: "stress-ng",
    export: "stress-ng --metrics --yaml FILE",
    keys: &[&[
        Key::date("start of the run"),
        Key::setting("version", "version of the harness"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("kernel", "operating system"),
        Key::environment("kernel.version", "version of the kernel"),
        Key::environment("arch", "architecture of the machine"),
        Key::environment("num_cpus", "number of processors"),
    ]],
    metrics: METRICS,
    words: &["stress-ng-version:"],
    fits: |head| head.has_beginnings(&OF_YAML),
    read: Read::Bytes(|sheet, bytes| {
        let mut yaml = Yaml::default();
        for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
            yaml.line(sheet, text, line);
        }
        if !yaml.is_whole {
            sheet.cut(0, "the file");
        }
    }),
    own_labels: &["stress-ng: "],
    printed_by: &["stress-ng"],
    ..Format::SUMMARY
};

/// What the YAML has, alone or within what stress-ng prints.
const OF_YAML: [&str; 2] = ["stress-ng-version:", "- stressor:"];

/// The fields of `system-info` that become keys.
const SYSTEM: [(&str, &str); 6] = [
    ("stress-ng-version", "version"),
    ("hostname", "hostname"),
    ("sysname", "kernel"),
    ("release", "kernel.version"),
    ("machine", "arch"),
    ("cpus", "num_cpus"),
];

#[derive(Default)]
struct Yaml {
    section: String,
    context: Context,
    stressor: String,
    /// The metrics of the stressor that came.
    names: Names,
    /// The number of the document, from 1.
    documents: u32,
    /// Whether the document has its end.
    is_whole: bool,
}

impl Yaml {
    fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        if text == "---" {
            let documents = self.documents + 1;
            *self = Self { documents, ..Self::default() };
            return;
        }
        self.is_whole |= text == "...";
        let Some((key, value)) = text.split_once(':') else { return };
        let (key, value) = (key.trim_start(), value.trim().trim_matches('\''));
        if !text.starts_with(' ') {
            key.clone_into(&mut self.section);
            self.stressor.clear();
        } else if self.section == "system-info" {
            self.system(key, value);
        } else if self.section == "metrics" {
            self.metric(sheet, key, value, line);
        }
    }

    fn system(&mut self, key: &str, value: &str) {
        if let Some((_, known)) = SYSTEM.iter().find(|(field, _)| *field == key) {
            self.context.push(((*known).to_owned(), value.to_owned()));
        } else if key == "date-yyyy-mm-dd" {
            self.context.push(("date".to_owned(), value.replace(':', "-")));
        } else if key == "time-hh-mm-ss"
            && let Some((_, date)) = self.context.iter_mut().find(|(known, _)| known == "date")
        {
            *date = format!("{date} {value}");
        }
    }

    fn metric(&mut self, sheet: &mut Sheet, key: &str, value: &str, line: u32) {
        if key == "- stressor" {
            value.clone_into(&mut self.stressor);
            self.names = Names::default();
            sheet.set_context(&self.context);
        } else if !self.stressor.is_empty() {
            let name = self.names.next(&self.stressor, key);
            push(sheet, &self.stressor, self.documents.saturating_sub(1), (key, &name), value, line);
        }
    }
}
