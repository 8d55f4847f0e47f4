//! llama-bench of llama.cpp, as JSON: a list of objects, or an object a line, each with the samples of a test.

use super::json::{broken, stop_at_limit};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "llama-bench",
    sign: "a list of objects, or an object a line, with `build_commit`, `n_prompt`, `n_gen` and `avg_ts`",
    harness: "llama-bench",
    export: "llama-bench -o json > FILE",
    files: &["*.json", "*.jsonl", "*.ndjson"],
    keys: &[OF_RUN, KEYS],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["[].build_commit", "[].n_prompt", "[].n_gen", "[].avg_ts"]).or_else(|no| {
            head.record_has_all(&["build_commit", "n_prompt", "n_gen", "avg_ts"]).map_err(|_| no)
        })
    },
    read: Read::Sheet(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "tokens per second, of the prompt and generated ones together"),
    Meaning::of("accept-rate", "share of the drafted tokens that were accepted, with speculative decoding"),
    Meaning::of("mean-accept", "accepted tokens of a draft, with speculative decoding"),
];

/// The keys of all its exports, which have the names of the fields, except what other formats name, too.
pub(super) const KEYS: &[Key] = &[
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::environment("backends", "backends that compute"),
    Key::setting("model_type", "architecture, size and quantization of the model"),
    Key::work("n_prompt", "tokens of the prompt").detail(),
    Key::work("n_gen", "generated tokens").detail(),
    Key::work("n_depth", "tokens of the context before the test").detail(),
    Key::setting("n_gpu_layers", "layers that the accelerator computes; -1 for all or as it fits"),
    Key::setting("n_batch", "tokens of a batch"),
    Key::setting("n_ubatch", "tokens that are computed at once"),
    Key::setting("n_threads", "threads of the processor"),
    Key::setting("type_k", "type of the keys in the cache"),
    Key::setting("type_v", "type of the values in the cache"),
    Key::setting("flash_attn", "whether attention is computed in pieces"),
    Key::setting("split_mode", "how accelerators share the model"),
    Key::setting("tensor_split", "shares of the accelerators").detail(),
    Key::setting("n_cpu_moe", "layers whose experts the processor computes").detail(),
    Key::setting("main_gpu", "number of the main accelerator").detail(),
    Key::setting("devices", "devices that were asked for").detail(),
    Key::setting("no_kv_offload", "whether the cache stays in main memory").detail(),
    Key::setting("tensor_buft_overrides", "tensors with a memory of their own").detail(),
    Key::setting("use_mmap", "whether the model is mapped into memory").detail(),
    Key::setting("load_mode", "how the model is loaded").detail(),
    Key::setting("embeddings", "whether embeddings are computed").detail(),
    Key::setting("no_op_offload", "whether operations stay on the processor").detail(),
    Key::setting("no_host", "whether memory of the host is passed over").detail(),
    Key::setting("cpu_mask", "processors of the threads").detail(),
    Key::setting("cpu_strict", "whether each thread has its processor").detail(),
    Key::setting("poll", "how long threads poll for work").detail(),
];

/// The keys that its table does not have.
pub(super) const OF_RUN: &[Key] = &[
    Key::date("start of the test"),
    Key::environment("cpu", "model of the processor"),
    Key::environment("gpu_info", "models of the accelerators"),
    Key::setting("model_filename", "file of the model").detail(),
];

/// The results of a test, and what follows from the model and the commit.
const NO_KEYS: [&str; 20] = words!(
    "accept_rate avg_ns avg_ts build_number commit cpu date mean_accept model_n_params model_size n_accepted \
     n_draft_total n_drafts params size stddev_ns stddev_ts t/s target_ppl_of_output test"
);

/// The key of a field; `None` for a field that is a result, or that follows from others. Each version has settings of its
/// own, which keep their names: tests that differ in one are not the same.
pub(super) fn key_of(field: &str) -> Option<&str> {
    match field {
        "build_commit" => Some("commit"),
        "test_time" => Some("date"),
        "cpu_info" => Some("cpu"),
        other => Some(other).filter(|other| !NO_KEYS.contains(other)),
    }
}

/// What speculative decoding says of its drafts, in fields of a fork: each field with its metric and unit.
const OF_DRAFTS: [(&str, &str, &str); 2] =
    [("accept_rate", "accept-rate", ""), ("mean_accept", "mean-accept", "tokens/draft")];

/// The digits of each of [`OF_DRAFTS`] of a test, which are 0 where nothing was drafted.
struct Drafts {
    digits: [Option<String>; 2],
    is_drafted: bool,
}

impl Drafts {
    /// Takes them from the fields of a test. Only what is generated is drafted.
    pub(super) fn of(test: Test, field: impl Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, value: &str| field(name).is_some_and(|text| text == value);
        let is_drafted = test.generated > 0 && !is("spec", "none") && !is("n_drafts", "0");
        Self {
            digits: OF_DRAFTS.map(|(name, ..)| field(name).filter(|digits| !digits.is_empty())),
            is_drafted,
        }
    }

    /// Adds them to the row of their test.
    pub(super) fn push(self, sheet: &mut Sheet, row: Measurement<'_>) {
        for ((field, name, unit), digits) in OF_DRAFTS.into_iter().zip(self.digits) {
            let Some(digits) = digits else { continue };
            if !self.is_drafted {
                sheet.dropped(1);
                continue;
            }
            let Some(value) = sheet.number(digits.as_bytes(), row.line) else {
                sheet.no_number(row.line, field, "", digits);
                continue;
            };
            let metric = sheet.metric(name, || {
                let metric = Metric::new(name, unit, Quantity::Other).secondary();
                Metric { better: Some(Better::Higher), ..metric }
            });
            sheet.push(Measurement { metric, value, aggregate: Some(Aggregate::default()), ..row });
        }
    }
}

/// Adds the values of tests. A file that several runs appended to has the tests of each: what comes again is of the next.
#[derive(Default)]
pub(super) struct Tests {
    seen: HashSet<(String, Context)>,
    process: u32,
}

impl Tests {
    /// The row of a test, without its value.
    pub(super) fn row<'a>(
        &mut self,
        sheet: &mut Sheet,
        name: &'a str,
        context: &Context,
        line: u32,
    ) -> Measurement<'a> {
        let is_fixed = |(key, _): &&(String, String)| key != "date" && key != "commit";
        let identity = (name.to_owned(), context.iter().filter(is_fixed).cloned().collect());
        if !self.seen.insert(identity.clone()) {
            self.next_run();
            self.seen.insert(identity);
        }
        sheet.set_context(context);
        let metric = sheet.metric("throughput", || Metric::new("throughput", "1/s", Quantity::Throughput));
        Measurement { benchmark: name, metric, line, process: Some(self.process), ..ROW }
    }

    /// The results of another run follow.
    pub(super) fn next_run(&mut self) {
        if !self.seen.is_empty() {
            self.seen.clear();
            self.process += 1;
        }
    }
}

/// The mean over the repetitions of a test. One repetition has a deviation of 0, which says nothing.
pub(super) fn mean(deviation: Option<f64>) -> Aggregate {
    Aggregate { count: None, deviation: deviation.filter(|deviation| *deviation > 0.0) }
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut tests = Tests::default();
    let mut parser = Span::new(&bytes, 1, content.budget.limits.values).parser(sheet);
    loop {
        // A run that ends early leaves its list open: what is complete of it is read.
        let found = if parser.is_at_list() {
            parser.elements(|parser| {
                let (line, value) = parser.value_with_line()?;
                test(parser.sheet(), &mut tests, &value, line);
                Ok(())
            })
        } else {
            match parser.next() {
                Some((line, value)) => value.map(|value| test(parser.sheet(), &mut tests, &value, line)),
                None => break,
            }
        };
        if let Err(fault) = found {
            stop_at_limit(&fault, content)?;
            broken(parser.sheet(), &fault);
            break;
        }
    }
    sheet.count(&content.budget)
}

/// Reads the object of a test.
fn test(sheet: &mut Sheet, tests: &mut Tests, entry: &Value<'_>, line: u32) {
    let line = entry.object().map_or(line, |object| object.line);
    let tokens = |field: &str| match entry.get(field) {
        Some(Value::Whole(count)) => u64::try_from(*count).ok(),
        _ => None,
    };
    let needed = tokens("n_prompt").zip(tokens("n_gen"));
    let Some((prompt, generated)) = sheet.need(needed, line, "`n_prompt` and `n_gen`") else { return };
    let list = |field: &str| entry.list_of(field).filter(|list| !list.is_empty());
    let decimal = |field: &str| entry.get(field).and_then(|value| number(plain(value)));
    let (stated, times) = (decimal("avg_ts"), list("samples_ns"));
    let counts = Test { prompt, generated, depth: tokens("n_depth").unwrap_or(0), is_behind_prompt: false };
    let counts = counts.as_timed(|tokens| match (times, stated) {
        (_, None) => true,
        (Some(times), Some(mean)) => are_of(times, tokens, mean),
        (None, Some(mean)) => is_rate_of(tokens, mean, decimal("avg_ns"), decimal("stddev_ns")),
    });
    let (test, name) = counts.labelled(entry.text_of("test"));
    let simple = |value: &Value<'_>| match value {
        Value::Bool(holds) => u8::from(*holds).to_string(),
        other => plain(other),
    };
    let fields = entry.iter();
    let settings = fields.filter(|(_, value)| value.is_simple()).filter_map(|(field, value)| {
        let value = simple(value);
        (!value.is_empty()).then_some((key_of(field)?.to_owned(), value))
    });
    let context: Context = settings.collect();
    let row = tests.row(sheet, &name, &context, line);
    let times = times.filter(|_| test.tokens() > 0.0);
    // The times are whole nanoseconds; the rates that follow from them have six digits. A version can time a part of the
    // tokens that it states, and its own rates tell so.
    if let Some(times) = times.filter(|times| stated.is_none_or(|mean| are_of(times, test.tokens(), mean))) {
        for time in times {
            match number_of(sheet, time, line) {
                Some(time) if time > 0.0 => {
                    sheet.push(Measurement { value: test.tokens() / (time / 1e9), ..row });
                }
                _ => sheet.no_number(line, "samples_ns", "", plain(time)),
            }
        }
    } else if let Some(rates) = list("samples_ts") {
        for rate in rates {
            push_value(sheet, row, rate, 1.0);
        }
    } else if let Some(rate) = entry.get("avg_ts") {
        let deviation = entry.get("stddev_ts").and_then(|value| number_of(sheet, value, line));
        push_value(sheet, Measurement { aggregate: Some(mean(deviation)), ..row }, rate, 1.0);
    } else {
        let what = format!("{name} has no `samples_ns` and no `avg_ts`");
        sheet.problem(Code::NoSamples, line, what, "was the file cut or edited?");
    }
    Drafts::of(test, |field| entry.get(field).filter(|value| value.is_simple()).map(plain)).push(sheet, row);
}

// llama-bench of llama.cpp, as CSV or as the table that it prints: the mean rate of each test.

/// The export as CSV.
pub static CSV: Format = Format {
    name: "llama-bench-csv",
    sign: "a header with `build_commit`, `n_prompt`, `n_gen`, `avg_ts` and `stddev_ts`",
    harness: "llama-bench",
    export: "llama-bench -o csv > FILE",
    files: &["*.csv"],
    keys: &[OF_RUN, KEYS],
    metrics: METRICS,
    fits: |head| head.header_has(&["build_commit", "n_prompt", "n_gen", "avg_ts", "stddev_ts"]),
    read: Read::Sheet(|sheet, content| {
        let (mut tests, mut run) = (Tests::default(), 0);
        csv_rows::each(&content.all()?, 1, sheet, |sheet, row| {
            if row.run > run {
                run = row.run;
                tests.next_run();
            }
            take_row(sheet, &mut tests, row);
        })
    }),
    ..Format::SUMMARY
};

/// The table in Markdown, which it prints by default.
pub static MARKDOWN: Format = Format {
    name: "llama-bench-md",
    sign: "a line `| model | size | params | backend | … | test | t/s |`",
    harness: "llama-bench",
    export: "llama-bench -o md > FILE",
    printed_by: &["llama-bench"],
    keys: &[KEYS],
    metrics: METRICS,
    words: &["t/s"],
    fits: |head| head.has_line(|line| is_header(&cells(unquoted(line)))),
    read: Read::Bytes(read_markdown),
    ..Format::SUMMARY
};

/// The statements of SQL.
pub static SQL: Format = Format {
    name: "llama-bench-sql",
    sign: "a line `CREATE TABLE IF NOT EXISTS llama_bench (` or `INSERT INTO llama_bench (…`",
    harness: "llama-bench",
    values: Values::refused("the statements of llama-bench -o sql", "llama-bench -o json > FILE"),
    words: &["llama_bench ("],
    fits: |head| {
        let statements = ["CREATE TABLE IF NOT EXISTS llama_bench (", "INSERT INTO llama_bench ("];
        head.has_line(|line| statements.iter().any(|begin| line.starts_with(begin)))
    },
    ..Format::PLAIN
};

/// Reads the row of a test.
fn take_row(sheet: &mut Sheet, tests: &mut Tests, row: &Row<'_>) {
    let tokens = |column: &str| row.text(column).and_then(|cell| cell.parse().ok());
    let needed = tokens("n_prompt").zip(tokens("n_gen"));
    let Some((prompt, generated)) = sheet.need(needed, row.line, "`n_prompt` and `n_gen`") else { return };
    let depth = tokens("n_depth").unwrap_or(0);
    let decimal = |column: &str| row.cell(column).and_then(number);
    let counts = Test { prompt, generated, depth, is_behind_prompt: false }.as_timed(|tokens| {
        let rate = decimal("avg_ts");
        rate.is_none_or(|rate| is_rate_of(tokens, rate, decimal("avg_ns"), decimal("stddev_ns")))
    });
    let (test, name) = counts.labelled(row.text("test").as_deref());
    let stated = row
        .cells()
        .filter_map(|(column, cell)| Some((key_of(column)?.to_owned(), lossless(cell).into_owned())));
    let context: Context = stated.collect();
    let Some(value) = row.number(sheet, "avg_ts") else {
        if row.cell("avg_ts").is_none() {
            let what = format!("{} has no `avg_ts`", excerpt(name));
            sheet.problem(Code::NoSamples, row.line, what, "was the file cut or edited?");
        }
        return;
    };
    let aggregate = Some(mean(row.number(sheet, "stddev_ts")));
    let made = tests.row(sheet, &name, &context, row.line);
    sheet.push(Measurement { value, aggregate, ..made });
    Drafts::of(test, |column| row.text(column).map(Cow::into_owned)).push(sheet, made);
}

/// The line without what marks it as a quotation.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' '])
}

/// The cells of a line of a table; none of another line.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inner.map_or(Vec::new(), |inner| inner.split('|').map(str::trim).collect())
}

fn is_header(cells: &[&str]) -> bool {
    cells.first() == Some(&"model") && cells.ends_with(&["test", "t/s"])
}

/// The field of a column, which has a shorter name.
fn field_of(column: &str) -> &str {
    match column {
        "model" => "model_type",
        "backend" => "backends",
        "ngl" => "n_gpu_layers",
        "threads" => "n_threads",
        "sm" => "split_mode",
        "nkvo" => "no_kv_offload",
        "fa" => "flash_attn",
        "lm" => "load_mode",
        "mmap" => "use_mmap",
        "embd" => "embeddings",
        "nopo" => "no_op_offload",
        "noh" => "no_host",
        "dev" => "devices",
        "ts" => "tensor_split",
        "ot" => "tensor_buft_overrides",
        "nd" => "n_draft",
        "acc%" => "accept_rate",
        "ma" => "mean_accept",
        "ppl_out" => "target_ppl_of_output",
        other => other,
    }
}

/// A row of a table, which waits for the commit below the table.
struct Waiting {
    name: String,
    context: Context,
    rate: f64,
    deviation: Option<f64>,
    drafts: Drafts,
    line: u32,
}

fn read_markdown(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut tests, mut waiting) = (Tests::default(), Vec::new());
    let mut header: Vec<&str> = Vec::new();
    // Whether an empty line stands between the last row and this one.
    let (mut in_table, mut is_apart) = (false, false);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let text = unquoted(text);
        let cells = cells(text);
        if is_header(&cells) {
            settle(sheet, &mut tests, &mut waiting, None);
            tests.next_run();
            (header, in_table, is_apart) = (cells, true, false);
        } else if let Some(build) = text.strip_prefix("build: ") {
            settle(sheet, &mut tests, &mut waiting, build.split(' ').next());
            in_table = false;
        } else if text.is_empty() {
            is_apart = true;
        } else if !in_table || cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            // With the messages of a backend among its lines the table goes on.
        } else if let Some(found) = row(&header, &cells, line) {
            waiting.push(found);
            is_apart = false;
        } else if is_apart {
            // Another table follows.
            in_table = false;
        } else {
            sheet.no_row(line, text);
        }
    }
    settle(sheet, &mut tests, &mut waiting, None);
}

/// Reads a row of a table: its last cells are `pp512` and `7340.20 ± 23.45`.
fn row(header: &[&str], cells: &[&str], line: u32) -> Option<Waiting> {
    let [.., test, rate] = cells else { return None };
    let (rate, deviation) = rate.split_once('±')?;
    let (test, rate) = (Test::named(test)?, number(rate.trim())?);
    let deviation = Some(number(deviation.trim())?);
    let stated = header.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
    let stated =
        stated.filter_map(|(column, cell)| Some((key_of(field_of(column))?.to_owned(), (*cell).to_owned())));
    let cell_of = |field: &str| header.iter().zip(cells).find(|(column, _)| field_of(column) == field);
    let drafts = Drafts::of(test, |field| cell_of(field).map(|(_, cell)| (*cell).to_owned()));
    let counts = [("n_prompt", test.prompt), ("n_gen", test.generated), ("n_depth", test.depth)];
    let counts = counts.into_iter().map(|(key, count)| (key.to_owned(), count.to_string()));
    let context = stated.chain(counts).collect();
    (header.len() == cells.len()).then(|| Waiting {
        name: test.name(),
        context,
        rate,
        deviation,
        drafts,
        line,
    })
}

/// Adds the rows of a table, of this commit where it is known.
fn settle(sheet: &mut Sheet, tests: &mut Tests, waiting: &mut Vec<Waiting>, commit: Option<&str>) {
    for Waiting { name, mut context, rate, deviation, drafts, line } in waiting.drain(..) {
        context.extend(commit.map(|commit| ("commit".to_owned(), commit.to_owned())));
        let made = tests.row(sheet, &name, &context, line);
        sheet.push(Measurement { value: rate, aggregate: Some(mean(deviation)), ..made });
        drafts.push(sheet, made);
    }
}

// What a test of llama-bench does: its tokens, its name, and which of them its time is for.

/// What a test does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Test {
    pub(super) prompt: u64,
    pub(super) generated: u64,
    pub(super) depth: u64,
    /// Whether only the generation behind the prompt is timed, as a fork does with `-gp`.
    is_behind_prompt: bool,
}

impl Test {
    /// Reads its name: `pp512`, `tg128 @ d4096`, `pp 512` of earlier versions, or `tg128@pp512` of a fork.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (work, depth) = name.split_once(" @ d").unwrap_or((name, "0"));
        let mut test = Self { depth: depth.parse().ok()?, ..Self::default() };
        let behind =
            work.split_once('@').filter(|(part, prompt)| part.starts_with("tg") && prompt.starts_with("pp"));
        test.is_behind_prompt = behind.is_some();
        let parts = behind.map_or_else(|| work.split('+').collect(), |(part, prompt)| vec![part, prompt]);
        for part in parts {
            let count =
                |label: &str| part.strip_prefix(label).and_then(|count| count.trim_start().parse().ok());
            match (count("pp"), count("tg")) {
                (Some(prompt), None) => test.prompt = prompt,
                (None, Some(generated)) => test.generated = generated,
                _ => return None,
            }
        }
        Some(test)
    }

    /// Its name, as the table has it: `pp512`, `tg128 @ d4096`, `pp512+tg128` or `tg128@pp512`.
    pub(super) fn name(self) -> String {
        let Self { prompt, generated, depth, is_behind_prompt } = self;
        let work = match (prompt, generated) {
            _ if is_behind_prompt => format!("tg{generated}@pp{prompt}"),
            (_, 0) => format!("pp{prompt}"),
            (0, _) => format!("tg{generated}"),
            _ => format!("pp{prompt}+tg{generated}"),
        };
        if depth == 0 { work } else { format!("{work} @ d{depth}") }
    }

    /// The test and its name by the label that a fork adds to the counts. A label of another kind is the name.
    pub(super) fn labelled(self, label: Option<&str>) -> (Self, String) {
        let Some(label) = label.filter(|label| !label.is_empty()) else { return (self, self.name()) };
        let found = Self::named(label)
            .filter(|found| (found.prompt, found.generated) == (self.prompt, self.generated));
        found.map_or_else(
            || (self, label.to_owned()),
            |found| {
                let test = Self { is_behind_prompt: found.is_behind_prompt, ..self };
                (test, test.name())
            },
        )
    }

    /// The tokens that its time is for.
    pub(super) fn tokens(self) -> f64 {
        let prompt = if self.is_behind_prompt { 0 } else { self.prompt };
        prompt.saturating_add(self.generated) as f64
    }

    /// The test whose time fits. A fork without labels (`-gp`) states the tokens of the prompt also where it times only the
    /// generated ones, and its rate tells so.
    fn as_timed(self, fits: impl Fn(f64) -> bool) -> Self {
        let behind = Self { is_behind_prompt: true, ..self };
        let has_both = self.prompt > 0 && self.generated > 0;
        if has_both && !fits(self.tokens()) && fits(behind.tokens()) { behind } else { self }
    }
}

/// Whether so many tokens in each of these times have this mean rate, but for rounding. Times that are not all readable
/// have no mean that could differ.
fn are_of(times: &[Value<'_>], tokens: f64, mean: f64) -> bool {
    let seconds = |time: &Value<'_>| number(plain(time)).map(|time| time / 1e9);
    let rates = times.iter().map(|time| seconds(time).filter(|time| *time > 0.0).map(|time| tokens / time));
    let sum: Option<f64> = rates.sum();
    sum.is_none_or(|sum| (sum / times.len() as f64 - mean).abs() <= 1e-4 * mean.abs() + 2e-6)
}

/// Whether so many tokens in this mean time have this mean rate, if the time is known. The mean of rates is larger than the
/// rate of the mean time, by the square of the relative deviation.
fn is_rate_of(tokens: f64, rate: f64, time: Option<f64>, deviation: Option<f64>) -> bool {
    time.is_none_or(|time| {
        let spread = deviation.unwrap_or(0.0) / time;
        (rate * time / 1e9 - tokens).abs() <= (1e-4 + 2.0 * spread * spread) * tokens
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_line_has_the_cells_of_the_line() {
        for line in ["| a | b |", "> | a | b |", ">> > | a | b |", "  | a | b |"] {
            assert_eq!(cells(unquoted(line)), ["a", "b"], "{line}");
        }
    }

    #[test]
    fn a_test_is_named_as_in_the_table() {
        for (prompt, generated, depth, is_behind_prompt, name) in [
            (512, 0, 0, false, "pp512"),
            (0, 128, 0, false, "tg128"),
            (512, 128, 0, false, "pp512+tg128"),
            (0, 128, 4096, false, "tg128 @ d4096"),
            (512, 128, 0, true, "tg128@pp512"),
        ] {
            let test = Test { prompt, generated, depth, is_behind_prompt };
            assert_eq!(test.name(), name);
            assert_eq!(Test::named(name), Some(test));
        }
        assert_eq!(Test::named("pp 512"), Test::named("pp512"));
        for name in ["", "512", "pp", "tg128 @ dx", "pp512+xx1", "tg128@", "pp512@tg128", "tg128@pp512+tg1"] {
            assert_eq!(Test::named(name), None, "{name}");
        }
    }

    #[test]
    fn a_label_says_which_tokens_are_timed() {
        let counts = Test { prompt: 512, generated: 64, ..Test::default() };
        for (label, tokens, name) in [
            (None, 576.0, "pp512+tg64"),
            (Some(""), 576.0, "pp512+tg64"),
            (Some("pp512+tg64"), 576.0, "pp512+tg64"),
            (Some("tg64@pp512"), 64.0, "tg64@pp512"),
            (Some("tg64"), 576.0, "tg64"),
            (Some("unknown"), 576.0, "unknown"),
        ] {
            let (test, found) = counts.labelled(label);
            assert_eq!((test.tokens(), found.as_str()), (tokens, name));
        }
    }

    #[test]
    fn a_rate_tells_which_tokens_are_timed() {
        let both = Test { prompt: 512, generated: 64, ..Test::default() };
        for (rate, time, deviation, is_behind_prompt) in [
            (128.0, Some(0.5e9), Some(0.0), true),
            (1152.0, Some(0.5e9), None, false),
            (130.0, Some(0.5e9), Some(0.05e9), true),
            (130.0, Some(0.5e9), None, false),
            (128.0, Some(0.0), Some(0.0), false),
            (128.0, None, None, false),
        ] {
            let test = both.as_timed(|tokens| is_rate_of(tokens, rate, time, deviation));
            assert_eq!(test.is_behind_prompt, is_behind_prompt, "{rate}");
        }
        assert_eq!(Test { prompt: 0, ..both }.as_timed(|_| false), Test { prompt: 0, ..both });
    }
}
