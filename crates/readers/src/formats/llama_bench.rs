//! llama-bench of llama.cpp, as JSON: a list of objects, or an object a line, each with the samples of a test.

use std::collections::HashSet;
use std::io;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::json::{Object, Span, Value, broken, number_of, plain, stop_at_limit};
use super::llama_bench_work::{Test, are_of, is_rate_of};
use crate::context::Context;
use crate::metric::{Better, Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::{Code, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "llama-bench",
    sign: "a list of objects, or an object a line, with `build_commit`, `n_prompt`, `n_gen` and `avg_ts`",
    harness: "llama-bench",
    export: "llama-bench -o json > FILE",
    files: &["*.json", "*.jsonl", "*.ndjson"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[OF_RUN, KEYS],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["[].build_commit", "[].n_prompt", "[].n_gen", "[].avg_ts"]).or_else(|no| {
            head.record_has_all(&["build_commit", "n_prompt", "n_gen", "avg_ts"]).map_err(|_| no)
        })
    },
    read: |name, _, content, _| read(name, content),
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
    Key::new("backends", Role::Environment, "backends that compute"),
    Key::new("model_type", Role::Setting, "architecture, size and quantization of the model"),
    Key::of_work("n_prompt", Role::Setting, "tokens of the prompt").detail(),
    Key::of_work("n_gen", Role::Setting, "generated tokens").detail(),
    Key::of_work("n_depth", Role::Setting, "tokens of the context before the test").detail(),
    Key::new("n_gpu_layers", Role::Setting, "layers that the accelerator computes; -1 for all or as it fits"),
    Key::new("n_batch", Role::Setting, "tokens of a batch"),
    Key::new("n_ubatch", Role::Setting, "tokens that are computed at once"),
    Key::new("n_threads", Role::Setting, "threads of the processor"),
    Key::new("type_k", Role::Setting, "type of the keys in the cache"),
    Key::new("type_v", Role::Setting, "type of the values in the cache"),
    Key::new("flash_attn", Role::Setting, "whether attention is computed in pieces"),
    Key::new("split_mode", Role::Setting, "how accelerators share the model"),
    Key::new("tensor_split", Role::Setting, "shares of the accelerators").detail(),
    Key::new("n_cpu_moe", Role::Setting, "layers whose experts the processor computes").detail(),
    Key::new("main_gpu", Role::Setting, "number of the main accelerator").detail(),
    Key::new("devices", Role::Setting, "devices that were asked for").detail(),
    Key::new("no_kv_offload", Role::Setting, "whether the cache stays in main memory").detail(),
    Key::new("tensor_buft_overrides", Role::Setting, "tensors with a memory of their own").detail(),
    Key::new("use_mmap", Role::Setting, "whether the model is mapped into memory").detail(),
    Key::new("load_mode", Role::Setting, "how the model is loaded").detail(),
    Key::new("embeddings", Role::Setting, "whether embeddings are computed").detail(),
    Key::new("no_op_offload", Role::Setting, "whether operations stay on the processor").detail(),
    Key::new("no_host", Role::Setting, "whether memory of the host is passed over").detail(),
    Key::new("cpu_mask", Role::Setting, "processors of the threads").detail(),
    Key::new("cpu_strict", Role::Setting, "whether each thread has its processor").detail(),
    Key::new("poll", Role::Setting, "how long threads poll for work").detail(),
];

/// The keys that its table does not have.
pub(super) const OF_RUN: &[Key] = &[
    Key::of_run("date", Role::Date, "start of the test"),
    Key::new("cpu", Role::Environment, "model of the processor"),
    Key::new("gpu_info", Role::Environment, "models of the accelerators"),
    Key::new("model_filename", Role::Setting, "file of the model").detail(),
];

/// The results of a test, and what follows from the model and the commit.
const NO_KEYS: [&str; 20] = [
    "accept_rate",
    "avg_ns",
    "avg_ts",
    "build_number",
    "commit",
    "cpu",
    "date",
    "mean_accept",
    "model_n_params",
    "model_size",
    "n_accepted",
    "n_draft_total",
    "n_drafts",
    "params",
    "size",
    "stddev_ns",
    "stddev_ts",
    "t/s",
    "target_ppl_of_output",
    "test",
];

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
pub(super) struct Drafts {
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
                super::load_run::unreadable(sheet, &format!("{field}: {digits}"), row.line);
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
        Measurement { benchmark: name, metric, line, process: Some(self.process), ..Measurement::default() }
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

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut tests = Tests::default();
    let mut parser = Span::new(&bytes, 1, content.budget.limits.values).parser(&mut sheet);
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
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}

/// Reads the object of a test.
fn test(sheet: &mut Sheet, tests: &mut Tests, entry: &Value<'_>, line: u32) {
    let line = entry.object().map_or(line, |object| object.line);
    let tokens = |field: &str| match entry.get(field) {
        Some(Value::Whole(count)) => u64::try_from(*count).ok(),
        _ => None,
    };
    let (Some(prompt), Some(generated)) = (tokens("n_prompt"), tokens("n_gen")) else {
        let what = "a test without `n_prompt` and `n_gen`";
        return sheet.problem(Code::MalformedRecord, line, what, "was the file cut or edited?");
    };
    let list = |field: &str| entry.get(field).and_then(Value::list).filter(|list| !list.is_empty());
    let decimal =
        |field: &str| entry.get(field).and_then(|value| crate::text::number(plain(value).as_bytes()));
    let (stated, times) = (decimal("avg_ts"), list("samples_ns"));
    let counts = Test { prompt, generated, depth: tokens("n_depth").unwrap_or(0), is_behind_prompt: false };
    let counts = counts.as_timed(|tokens| match (times, stated) {
        (_, None) => true,
        (Some(times), Some(mean)) => are_of(times, tokens, mean),
        (None, Some(mean)) => is_rate_of(tokens, mean, decimal("avg_ns"), decimal("stddev_ns")),
    });
    let (test, name) = counts.labelled(entry.get("test").and_then(Value::text));
    let simple = |value: &Value<'_>| match value {
        Value::Bool(holds) => u8::from(*holds).to_string(),
        other => plain(other),
    };
    let fields = entry.object().into_iter().flat_map(Object::iter);
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
                _ => super::load_run::unreadable(sheet, &format!("samples_ns: {time}"), line),
            }
        }
    } else if let Some(rates) = list("samples_ts") {
        for rate in rates {
            super::json::push_value(sheet, row, rate, 1.0);
        }
    } else if let Some(rate) = entry.get("avg_ts") {
        let deviation = entry.get("stddev_ts").and_then(|value| number_of(sheet, value, line));
        super::json::push_value(sheet, Measurement { aggregate: Some(mean(deviation)), ..row }, rate, 1.0);
    } else {
        let what = format!("{name} has no `samples_ns` and no `avg_ts`");
        sheet.problem(Code::NoSamples, line, what, "was the file cut or edited?");
    }
    Drafts::of(test, |field| entry.get(field).filter(|value| value.is_simple()).map(plain)).push(sheet, row);
}
