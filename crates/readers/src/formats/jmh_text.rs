//! What JMH prints: below a head that names the benchmark, a line for each iteration of each fork; at the end, a table with
//! a mean for each benchmark. Of the table is read what no iteration states. Of an output without both, such as its last
//! lines in a log, are read the blocks that begin with `Result "NAME":`.

use super::jmh::{KEYS, METRICS, MODE};
use super::prelude::*;
use super::{jmh_units, student};
use crate::text::fields;

pub static FORMAT: Format = Format {
    name: "jmh-text",
    sign: "a line with `# JMH version:` or `# Benchmark mode:`, a line `Result \"NAME\":`, or a table with `Mode`, `Cnt`, \
           `Score` and `Units`",
    harness: "JMH",
    values: Values::Averages,
    keys: &[KEYS],
    metrics: METRICS,
    parts: names::method,
    words: &["# JMH ", "# Benchmark mode: ", "Score", "Result \""],
    fits: |head| {
        let is_head = |line: &[u8]| {
            ["# JMH version: ", "# JMH 1.", "# Benchmark mode: "]
                .iter()
                .any(|word| line.starts_with(word.as_bytes()))
        };
        let is_text = |line: &[u8]| {
            let has = |word: &str| fields(line).any(|field| field == word.as_bytes());
            let is_block = || std::str::from_utf8(line).is_ok_and(|line| block(line).is_some());
            is_head(line)
                || is_block()
                || columns_begin(line) && ["Mode", "Score", "Units"].iter().all(|word| has(word))
        };
        No::unless(head.lines().any(is_text), "it has no such line")
    },
    read: Read::Bytes(|sheet, bytes| {
        // On a console without Unicode the sign ± is a byte that is no text.
        let text = lossless(bytes);
        let mut reader = Reader::default();
        for (line, text) in lines::numbered(text.as_bytes()) {
            reader.line(sheet, text, line);
        }
        reader.settle(sheet);
    }),
    own_labels: &[
        "JMH ",
        "VM ",
        "Blackhole",
        "Warmup",
        "Measurement",
        "Timeout",
        "Threads",
        "Benchmark",
        "Parameters",
        "Run ",
        "Fork",
        "Detecting",
        "Preparing",
    ],
    printed_by: &["java"],
    ..Format::REPORT
};

/// Whether the header of a table begins so, or below the beginning of a comment. People leave its first word out.
fn columns_begin(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|byte| b"*/ ".contains(byte)).count();
    ["Benchmark ", "(", "Mode "].iter().any(|begin| line[marks..].starts_with(begin.as_bytes()))
}

/// The modes with their names in the head.
const MODES: [(&str, &str); 4] = [
    ("thrpt", "Throughput"),
    ("avgt", "Average time"),
    ("sample", "Sampling time"),
    ("ss", "Single shot invocation time"),
];

/// The keys of a head, in the order that JMH's JSON has.
const HEAD: [&str; 9] = [
    "threads",
    "jmhVersion",
    "jvm",
    "jdkVersion",
    "vmName",
    "vmVersion",
    MODE.name,
    "jvmArgs",
    "measurementBatchSize",
];

const HINT: &str =
    "JMH prints three decimals: measure with a smaller unit (-tu ns), or write JSON (-rf json)";

/// A score as it is printed.
#[derive(Clone, Copy)]
enum Score {
    Exact(f64),
    /// `≈ 10⁻³`: only the order of magnitude is known.
    Near,
}

/// What stands for `≈`, also on consoles without Unicode.
const NEAR: [&str; 4] = ["≈", "?", "Γëê", "â‰ˆ"];

/// A score from its words: `7.334`, `7,334` where the language of the machine writes so, `≈ 0`, `≈ 10⁻³`. Digits are never
/// grouped.
fn score(words: &[&str]) -> Option<Score> {
    match words {
        [near, "0"] if NEAR.contains(near) => Some(Score::Exact(0.0)),
        [near, _] if NEAR.contains(near) => Some(Score::Near),
        [digits] => decimal(digits).map(Score::Exact),
        _ => None,
    }
}

fn decimal(digits: &str) -> Option<f64> {
    number(digits.replacen(',', ".", 1))
}

/// A score with its unit, of one iteration: `7.334 ops/us`, `0.854 ±(99.9%) 1.988 us/op` of several threads.
fn measured(text: &str) -> Option<(Score, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (unit, words) = words.split_last()?;
    let words = match words {
        [words @ .., level, _] if level.ends_with("(99.9%)") || level.ends_with("(99,9%)") => words,
        words => words,
    };
    Some((score(words)?, unit))
}

/// A value of a section. The name of its metric is empty for the score of the benchmark.
struct Value {
    metric: String,
    unit: String,
    score: Score,
    line: u32,
    process: Option<u32>,
}

/// A benchmark with its parameters.
#[derive(Default)]
struct Section {
    benchmark: String,
    head: Vec<(&'static str, String)>,
    /// As they are printed: `n = 16, s = a`.
    parameters: String,
    line: u32,
    values: Vec<Value>,
    /// The metrics of which the text has a score for each iteration.
    metrics: HashSet<String>,
    failed: bool,
}

impl Section {
    fn mode(&self) -> &str {
        self.head.iter().find(|(key, _)| *key == MODE.name).map_or("", |(_, mode)| mode)
    }

    fn context(&self, sheet: &mut Sheet) -> Context {
        let stated = |key: &&'static str| self.head.iter().find(|(known, _)| known == key);
        let stated = HEAD.iter().filter_map(stated).filter(|(_, value)| !value.is_empty());
        let mut context: Context = stated.map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        for (key, value) in pairs(&self.parameters) {
            parameters::add(sheet, &mut context, key, value.to_owned());
        }
        context
    }
}

/// A block that begins with `Result "NAME":`. The modes of a time are not told apart in it.
struct Block<'t> {
    benchmark: &'t str,
    metric: Cow<'t, str>,
    head: Vec<(&'static str, String)>,
    line: u32,
    count: Option<f64>,
    found: Option<(Score, &'t str)>,
    deviation: Option<f64>,
    /// The percentiles in mode sample, with their lines.
    percentiles: Vec<(String, (Score, &'t str), u32)>,
}

/// The name and the figure of `p(99.9000) =  21.3 us/op`.
fn percentile(text: &str) -> Option<(String, (Score, &str))> {
    let (level, figure) = text.strip_prefix("p(")?.split_once(") =")?;
    let share = decimal(level)? / 100.0;
    let name = format!("{share:.6}");
    let digits = name.trim_end_matches('0').len().max("0.00".len());
    Some((format!("p{}", &name[..digits]), measured(figure)?))
}

/// The benchmark and the metric of a block by its first line.
fn block(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("Result \"").or_else(|| text.strip_prefix("Secondary result \""))?;
    let name = rest.strip_suffix("\":").filter(|name| !name.is_empty() && !name.contains(['"', ' ']))?;
    Some(name.split_once(':').unwrap_or((name, "")))
}

impl<'t> Block<'t> {
    /// Reads a line; false if none of the block can have it.
    fn takes(&mut self, text: &'t str, line: u32) -> bool {
        let text = text.trim();
        self.percentiles.extend(percentile(text).map(|(name, found)| (name, found, line)));
        if let Some(count) = text.strip_prefix("N = ") {
            self.count = decimal(count);
        } else if let Some((_, deviation)) = text.split_once("stdev = ").filter(|_| text.starts_with('(')) {
            self.deviation = decimal(deviation);
        } else if self.found.is_none() && !text.is_empty() {
            let figure = text.strip_prefix("mean =").unwrap_or(text).trim_start();
            let figure = figure.rsplit_once(" [").map_or(figure, |(figure, _)| figure);
            self.found = measured(figure);
            return self.found.is_some();
        }
        true
    }

    fn mode(&self) -> &str {
        let stated = self.head.iter().find(|(key, _)| *key == MODE.name).map(|(_, mode)| mode.as_str());
        let of_unit = |unit: &str| if unit.starts_with("ops/") { "thrpt" } else { "avgt" };
        stated.unwrap_or_else(|| match self.found {
            _ if self.count.is_some() => "sample",
            found => found.map_or("", |(_, unit)| of_unit(unit)),
        })
    }
}

/// What a benchmark and its rows of the table share. The table shortens packages.
fn key(benchmark: &str, mode: &str, parameters: &str) -> String {
    let own: Vec<&str> = benchmark.rsplitn(3, '.').take(2).collect();
    format!("{}\0{mode}\0{parameters}", own.join("\0"))
}

/// The parameters in `n = 16, s = a, b`: a part without a name belongs to the value before it.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || "_$".contains(sign))
    };
    let named = |part: &str| part.split_once(" = ").is_some_and(|(name, _)| is_name(name));
    let mut starts = vec![0];
    starts.extend(text.match_indices(", ").map(|(at, _)| at + 2).filter(|&at| named(&text[at..])));
    let ends = starts[1..].iter().map(|start| start - 2).chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| text[start..end].split_once(" = ")).collect()
}

/// The header of a table: the names of the parameters, and the place at which the column of each ends.
type Columns = Vec<(String, usize)>;

fn columns(text: &str) -> Option<Columns> {
    // Below the beginning of a comment: `* Benchmark`, above rows without it.
    let bare = text.trim_start_matches(['*', '/', ' ']);
    if !columns_begin(bare.as_bytes()) {
        return None;
    }
    let rest = bare.strip_prefix("Benchmark ").unwrap_or(bare);
    let (before, after) = rest.split_once(" Mode ").or_else(|| Some(("", rest.strip_prefix("Mode ")?)))?;
    let is_table = ["Score", "Units"].iter().all(|word| after.split_whitespace().any(|found| found == *word));
    let mut found = Columns::new();
    let mut end = text.chars().count() - rest.chars().count();
    for part in before.split_inclusive(')') {
        end += part.chars().count();
        if let Some(name) = part.trim().strip_prefix('(').and_then(|name| name.strip_suffix(')')) {
            found.push((name.to_owned(), end));
        }
    }
    is_table.then_some(found)
}

/// A row of the table.
struct Row<'t> {
    benchmark: &'t str,
    metric: Cow<'t, str>,
    mode: &'static str,
    parameters: String,
    unit: &'t str,
    score: Score,
    count: Option<f64>,
    error: Option<f64>,
    line: u32,
}

impl Row<'_> {
    fn key(&self) -> String {
        key(self.benchmark, self.mode, &self.parameters)
    }
}

/// The last mode in a row, and its place.
fn mode_in(text: &str) -> Option<(usize, &'static str)> {
    MODES.iter().filter_map(|&(mode, _)| Some((text.rfind(&format!(" {mode} "))?, mode))).max()
}

fn row<'t>(columns: &Columns, text: &'t str, line: u32) -> Option<Row<'t>> {
    let (at, mode) = mode_in(text)?;
    let (before, after) = (&text[..at], &text[at + mode.len() + 2..]);
    // In comments people indent rows deeper than the header.
    let name = before.split_whitespace().next().unwrap_or_default();
    let (benchmark, metric) = name.split_once(':').unwrap_or((name, ""));
    let cells: Vec<char> = before.chars().collect();
    let mut start = before.chars().take_while(|sign| *sign == ' ').count() + name.chars().count();
    let mut parameters = Vec::new();
    for (parameter, end) in columns {
        let cell: String = cells.get(start..(*end).min(cells.len()))?.iter().collect();
        start = *end;
        // Of another benchmark's parameter.
        if cell.trim() != "N/A" {
            parameters.push(format!("{parameter} = {}", cell.trim()));
        }
    }
    // Behind a row people write what they think of it: `19.4 ± 0.1  ns/op  <--- now`.
    let is_remark = |word: &&str| ["<", "←", "//", "(", "--"].iter().any(|sign| word.starts_with(sign));
    let words: Vec<&str> = after.split_whitespace().take_while(|word| !is_remark(word)).collect();
    let (unit, words) = words.split_last()?;
    let counted = words.len() > 1 && !NEAR.contains(&words[0]);
    let count = counted.then(|| decimal(words[0])).flatten();
    let words = &words[usize::from(counted)..];
    let near = usize::from(words.first().is_some_and(|word| NEAR.contains(word)));
    let (words, error) = words.split_at_checked(1 + near)?;
    Some(Row {
        benchmark,
        metric: jmh_units::name(benchmark, metric),
        mode,
        parameters: parameters.join(", "),
        unit,
        score: score(words)?,
        count,
        error: error.last().and_then(|digits| decimal(digits)),
        line,
    })
}

/// What a line can belong to, outside of a table.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    Iteration,
    Block,
}

#[derive(Default)]
struct Reader<'t> {
    head: Vec<(&'static str, String)>,
    /// The benchmarks since the last table.
    sections: Vec<Section>,
    table: Option<Columns>,
    /// The columns of the last table: below a remark of a person its rows go on.
    last: Option<Columns>,
    rows: Vec<Row<'t>>,
    /// The blocks since the last table of which the text has no iterations.
    blocks: Vec<Block<'t>>,
    /// The number of forks so far.
    forks: u32,
    is_warm_up: bool,
    /// Whether an iteration waits for its score: the benchmark printed something between.
    waits: bool,
    /// What the lines belong to.
    within: Within,
}

impl<'t> Reader<'t> {
    fn line(&mut self, sheet: &mut Sheet, text: &'t str, line: u32) {
        if let Some(columns) = columns(text) {
            (self.table, self.last) = (Some(columns.clone()), Some(columns));
            return;
        }
        let goes_on = |columns: &&Columns| row(columns, text, line).is_some_and(|row| row.unit.contains('/'));
        if self.table.is_none() && self.within != Within::Iteration {
            self.table = self.last.as_ref().filter(goes_on).cloned();
        }
        if self.table.is_some() && self.of_table(sheet, text, line) {
            return;
        }
        if let Some((benchmark, metric)) = block(text) {
            self.ends_waiting(sheet, line);
            self.begins(benchmark, metric, line);
            return;
        }
        if self.within == Within::Block {
            let takes = |block: &mut Block<'t>| !text.starts_with(['#', 'I']) && block.takes(text, line);
            if self.blocks.last_mut().is_some_and(takes) {
                return;
            }
            self.within = Within::Nothing;
        }
        if let Some(text) = text.strip_prefix("# ") {
            self.ends_waiting(sheet, line);
            self.within = Within::Nothing;
            // A warm-up can fail, too.
            if text.contains("<failure>") {
                self.fails();
            }
            self.of_head(text, line);
        } else if let Some(rest) = iteration(text) {
            self.ends_waiting(sheet, line);
            (self.waits, self.within) = (!self.takes("", rest, line), Within::Iteration);
        } else if text.contains("<failure>") || text.contains("<forked VM failed") {
            self.fails();
        } else if self.waits {
            self.waits = !self.takes("", text, line);
        } else if text.is_empty() {
            self.within = Within::Nothing;
        } else if let Some((name, value)) =
            text.rsplit_once(": ").filter(|_| self.within == Within::Iteration && text.starts_with(' '))
        {
            self.takes(name.trim().trim_end_matches(':'), value, line);
        }
    }

    /// Begins a block, unless the iterations above it say more.
    fn begins(&mut self, benchmark: &'t str, metric: &'t str, line: u32) {
        let metric = jmh_units::name(benchmark, metric);
        let is_known = self.sections.last().is_some_and(|section| is_same(&section.benchmark, benchmark));
        self.within = if is_known { Within::Nothing } else { Within::Block };
        if !is_known {
            let head = if self.sections.is_empty() { self.head.clone() } else { Vec::new() };
            let (count, found, deviation, percentiles) = (None, None, None, Vec::new());
            self.blocks.push(Block { benchmark, metric, head, line, count, found, deviation, percentiles });
        }
    }

    /// An iteration that still waits has no score.
    fn ends_waiting(&mut self, sheet: &mut Sheet, line: u32) {
        if let Some(section) = self.sections.last().filter(|_| std::mem::take(&mut self.waits)) {
            sheet.lacks(line, &section.benchmark, "score of an iteration");
        }
    }

    fn of_head(&mut self, text: &str, line: u32) {
        let Some((key, value)) = text.split_once(": ") else {
            if let Some(version) = text.strip_prefix("JMH ") {
                self.state("jmhVersion", version.split(' ').next().unwrap_or_default());
            }
            return;
        };
        match key {
            "JMH version" => self.state("jmhVersion", value),
            "VM version" => {
                let parts: Vec<&str> = value.splitn(3, ", ").collect();
                self.state("jdkVersion", parts[0].trim_start_matches("JDK "));
                self.state("vmName", if parts.len() > 2 { parts[1] } else { "" });
                self.state(
                    "vmVersion",
                    parts[1..].last().copied().unwrap_or_default().trim_start_matches("VM "),
                );
            }
            "VM invoker" => self.state("jvm", value),
            "VM options" => self.state("jvmArgs", if value == "<none>" { "" } else { value }),
            "Measurement" => {
                let calls = value.strip_suffix(" calls per op").and_then(|value| value.rsplit(' ').next());
                self.state("measurementBatchSize", calls.unwrap_or_default());
            }
            "Threads" => self.state("threads", value.split(' ').next().unwrap_or_default()),
            "Benchmark mode" => {
                let mode = MODES.iter().find(|(_, long)| value.split(',').next() == Some(long));
                self.state(MODE.name, mode.map_or(value, |(mode, _)| mode));
            }
            "Benchmark" => {
                let head = self.head.clone();
                self.sections.push(Section { benchmark: value.to_owned(), head, line, ..Section::default() });
            }
            "Parameters" => {
                let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
                if let (Some(section), Some(inner)) = (self.sections.last_mut(), inner) {
                    inner.clone_into(&mut section.parameters);
                }
            }
            "Fork" | "Warmup Fork" => {
                self.is_warm_up = key != "Fork";
                self.forks += u32::from(!self.is_warm_up);
            }
            _ => {}
        }
    }

    fn state(&mut self, key: &'static str, value: &str) {
        self.head.retain(|(known, _)| *known != key);
        self.head.push((key, value.to_owned()));
    }

    fn fails(&mut self) {
        self.waits = false;
        if let Some(section) = self.sections.last_mut() {
            section.failed = true;
        }
    }

    /// Takes the score of an iteration, or another metric of it; false if the text is none.
    fn takes(&mut self, name: &str, text: &str, line: u32) -> bool {
        let process = self.forks.checked_sub(1);
        let Some(section) = self.sections.last_mut() else { return true };
        let mode = section.mode().to_owned();
        let metric = jmh_units::name(&section.benchmark, name).into_owned();
        let is_score =
            |(_, (_, unit)): &(_, (_, &str))| !name.is_empty() || jmh_units::primary(&mode, unit).is_some();
        let of_text = || Some(vec![(metric, measured(text)?)]).filter(|found| found.iter().all(is_score));
        let Some(found) = samples(text).filter(|_| name.is_empty()).or_else(of_text) else {
            section.failed |= text.contains("<failure>");
            return section.failed;
        };
        // The mean of an iteration in sample mode is none of its samples.
        let is_mean = |metric: &str| metric.is_empty() && mode == "sample";
        for (metric, (score, unit)) in found {
            if !is_mean(&metric) && !self.is_warm_up {
                section.metrics.insert(metric.clone());
                section.values.push(Value { metric, unit: unit.to_owned(), score, line, process });
            }
        }
        true
    }

    /// Takes a row of the table. The table ends, and the line is not of it, where there is no mode.
    fn of_table(&mut self, sheet: &mut Sheet, text: &'t str, line: u32) -> bool {
        // Between its rows people leave lines empty.
        if text.is_empty() {
            return true;
        }
        if text.starts_with('#') || mode_in(text).is_none() {
            self.settle(sheet);
            return false;
        }
        if let Some(row) = self.table.as_ref().and_then(|columns| row(columns, text, line)) {
            self.rows.push(row);
        } else {
            sheet.no_row(line, text);
        }
        true
    }

    /// Adds the values of the benchmarks since the last table, and those of the table that they lack.
    fn settle(&mut self, sheet: &mut Sheet) {
        self.ends_waiting(sheet, 0);
        self.table = None;
        let (sections, rows) = (std::mem::take(&mut self.sections), std::mem::take(&mut self.rows));
        if self.within == Within::Block {
            self.within = Within::Nothing;
        }
        push_blocks(sheet, std::mem::take(&mut self.blocks), &rows);
        let means = rows.iter().filter(|row| row.metric.is_empty());
        let means: HashSet<String> = means.map(Row::key).collect();
        let mut known: HashMap<String, &Section> = HashMap::new();
        let mut stated = HashSet::new();
        for section in &sections {
            let key = key(&section.benchmark, section.mode(), &section.parameters);
            push_section(sheet, section, means.contains(&key));
            let metrics = section.metrics.iter().filter(|_| !section.failed);
            stated.extend(metrics.map(|metric| (key.clone(), &**metric)));
            known.insert(key, section);
        }
        for row in &rows {
            let key = row.key();
            let section = known.get(&key).copied();
            if !stated.contains(&(key, &*row.metric)) {
                push_row(sheet, row, section);
            }
        }
    }
}

/// The text behind `Iteration   1: `.
fn iteration(text: &str) -> Option<&str> {
    let (number, rest) = text.strip_prefix("Iteration ")?.split_once(':')?;
    number.trim().bytes().all(|byte| byte.is_ascii_digit()).then(|| rest.trim())
}

/// The percentiles of an iteration as JMH printed them before version 1.13, without its mean:
/// `n = 9, mean = 21 us/op, p{0.00, 0.50} = 20, 21 us/op`.
fn samples(text: &str) -> Option<Vec<(String, (Score, &str))>> {
    let (levels, values) = text.strip_prefix("n = ")?.split_once(", p{")?.1.split_once("} = ")?;
    let (values, unit) = values.rsplit_once(' ')?;
    let named = |(level, value): (&str, &str)| Some((format!("p{level}"), (score(&[value])?, unit)));
    levels.split(", ").zip(values.split(", ")).map(named).collect()
}

/// Adds the values of a benchmark. The table may have its mean.
fn push_section(sheet: &mut Sheet, section: &Section, has_row: bool) {
    let shown = excerpt(&section.benchmark);
    if section.failed {
        return sheet.failed(section.line, &section.benchmark, "");
    }
    if !section.metrics.contains("") && !has_row {
        let what = format!("{shown} has neither iterations with a score nor a row in a table");
        sheet.problem(
            Code::Truncated,
            section.line,
            what,
            "was the output cut? in mode sample only the table has the mean",
        );
    }
    let context = section.context(sheet);
    sheet.set_context(&context);
    for value in &section.values {
        let row =
            Measurement { benchmark: &section.benchmark, line: value.line, process: value.process, ..ROW };
        push(sheet, row, section.mode(), (&value.metric, &value.unit), value.score);
    }
}

/// Adds a mean of the table. It has the whole name and the configuration of the benchmark if the text above names it.
fn push_row(sheet: &mut Sheet, row: &Row<'_>, section: Option<&Section>) {
    let alone = Section {
        benchmark: row.benchmark.to_owned(),
        head: vec![(MODE.name, row.mode.to_owned())],
        parameters: row.parameters.clone(),
        ..Section::default()
    };
    let section = section.unwrap_or(&alone);
    let context = section.context(sheet);
    sheet.set_context(&context);
    let count = row.count.filter(|&count| count > 1.0);
    let aggregate = Aggregate {
        count,
        deviation: row.error.zip(count).and_then(|(error, count)| deviation(error, count)),
    };
    let measurement =
        Measurement { benchmark: &section.benchmark, line: row.line, aggregate: Some(aggregate), ..ROW };
    push(sheet, measurement, row.mode, (&row.metric, row.unit), row.score);
}

/// The name of a benchmark without those of its class and package.
fn method(benchmark: &str) -> &str {
    benchmark.rsplit('.').next().unwrap_or(benchmark)
}

/// The same with the class.
fn within_class(benchmark: &str) -> &str {
    let start = benchmark.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at + 1);
    &benchmark[start..]
}

/// Whether two names are of one benchmark: tables shorten packages, and the blocks of early versions have the method alone.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    ends(one, other) || ends(other, one)
}

/// Adds the means of blocks that the table lacks.
fn push_blocks(sheet: &mut Sheet, mut blocks: Vec<Block<'_>>, rows: &[Row<'_>]) {
    let of_table: HashSet<&str> =
        rows.iter().flat_map(|row| [within_class(row.benchmark), method(row.benchmark)]).collect();
    blocks.retain(|block| !of_table.contains(within_class(block.benchmark)));
    let mut known = HashSet::new();
    let again = blocks.iter().find(|block| !known.insert((block.benchmark, block.metric.clone())));
    if let Some(block) = again {
        let shown = excerpt(block.benchmark);
        let what = format!(
            "results of {shown} stand below each other without their parameters, and count as repetitions"
        );
        sheet.problem(Code::Assumed, block.line, what, "keep the lines that begin with `# Parameters:`");
    }
    let is_guessed = |block: &&Block<'_>| {
        block.head.iter().all(|(key, _)| *key != MODE.name)
            && block.metric.is_empty()
            && block.mode() == "avgt"
    };
    if let Some(block) = blocks.iter().find(is_guessed) {
        let what = format!("the mode of {} is not printed; it is read as avgt", excerpt(block.benchmark));
        sheet.problem(Code::Assumed, block.line, what, "keep the lines that begin with `# Benchmark mode:`");
    }
    let mut modes = HashMap::new();
    for block in &blocks {
        let Some((score, unit)) = block.found else {
            sheet.lacks(block.line, block.benchmark, "score");
            continue;
        };
        let mode = if block.metric.is_empty() {
            block.mode()
        } else {
            modes.get(block.benchmark).copied().unwrap_or("")
        };
        modes.insert(block.benchmark, mode);
        let mut head = block.head.clone();
        if !mode.is_empty() && head.iter().all(|(key, _)| *key != MODE.name) {
            head.push((MODE.name, mode.to_owned()));
        }
        let section = Section { benchmark: block.benchmark.to_owned(), head, ..Section::default() };
        let context = section.context(sheet);
        sheet.set_context(&context);
        let aggregate = Some(Aggregate { count: block.count, deviation: block.deviation });
        let row = Measurement { benchmark: block.benchmark, line: block.line, aggregate, ..ROW };
        push(sheet, row, mode, (&block.metric, unit), score);
        let aggregate = Some(Aggregate { count: block.count, deviation: None });
        for (name, (score, unit), line) in &block.percentiles {
            push(sheet, Measurement { line: *line, aggregate, ..row }, mode, (name, unit), *score);
        }
    }
}

/// The deviation in the unit of the score. JMH prints 0.001 for an error that is smaller.
fn deviation(error: f64, count: f64) -> Option<f64> {
    student::deviation(error, count).filter(|_| error > 0.001)
}

fn push(sheet: &mut Sheet, row: Measurement<'_>, mode: &str, (metric, unit): (&str, &str), score: Score) {
    let known =
        if metric.is_empty() { jmh_units::primary(mode, unit) } else { jmh_units::secondary(metric, unit) };
    let shown = excerpt(row.benchmark);
    let Some(known) = known else {
        return sheet.unknown_unit(row.line, row.benchmark, unit);
    };
    // A time of 0 is shorter than the digits can show.
    let is_time = known.metric.quantity == Quantity::Time;
    let value = match score {
        Score::Exact(value) if !value.is_nan() && (value != 0.0 || !known.metric.primary && !is_time) => {
            value
        }
        // A profiler reports what it could not measure as NaN.
        _ if !known.metric.primary => return sheet.dropped(1),
        _ => {
            let what =
                format!("a score of {shown} is too small for its three decimals of {unit}, or no number");
            return sheet.problem(Code::MalformedNumber, row.line, what, HINT);
        }
    };
    let metric = sheet.metric_of(known.metric);
    let deviation = |aggregate: Aggregate| aggregate.deviation.map(|deviation| known.scale.apply(deviation));
    let aggregate = row.aggregate.map(|aggregate| Aggregate { deviation: deviation(aggregate), ..aggregate });
    sheet.push(Measurement { metric, value: known.scale.apply(value), aggregate, ..row });
}
