//! The results of `SGLang`'s `bench_serving`, which began as a copy of vLLM's: an object a line, each a run.

use super::prelude::*;
use super::serving::{PRINTED, Program, read};
use super::vllm_serving::{is_heading, is_of_sglang};

pub static FORMAT: Format = Format {
    name: "sglang-serving",
    sign: "an object a line with `dataset_name`, `random_range_ratio`, `completed` and `request_throughput`, without `model_id`",
    harness: "SGLang",
    export: "python -m sglang.bench_serving --output-file FILE --output-details",
    files: &["*.jsonl", "*.json", "*.ndjson"],
    keys: &[&[
        Key::setting("tag", "tag that the user gives the run"),
        Key::setting("backend", "kind of the server, as the load generator addresses it"),
        Key::setting("model_path", "model of the server"),
        Key::setting("version", "version of the server"),
        Key::work("dataset_name", "where the prompts are from"),
        Key::work("request_rate", "requests per second that are asked for, or `inf`"),
        Key::work("max_concurrency", "most requests at a time"),
        Key::work("sharegpt_output_len", "tokens to generate for a prompt of ShareGPT"),
        Key::work("random_input_len", "tokens of a random prompt"),
        Key::work("random_output_len", "tokens to generate for a random prompt"),
        Key::work("random_range_ratio", "least share of these lengths"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("throughput-input", "tokens of prompts a second"),
        Meaning::of("throughput-output", "generated tokens a second"),
        Meaning::of("throughput-tokens", "tokens a second, of prompts and generated ones together"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("ttft", "time to the first token"),
        Meaning::of("ttft-p50", "median time to the first token"),
        Meaning::of("ttft-p99", "99th percentile of the time to the first token"),
        Meaning::of("tpot-p50", "median of the times of a token after the first, each the mean of a request"),
        Meaning::of("itl", "time between two tokens"),
        Meaning::of("itl-p50", "median time between two tokens"),
        Meaning::of("itl-max", "longest time between two tokens"),
        Meaning::of("duration", "time of the run"),
        Meaning::of("errors", "requests that failed, where the file has the times of each"),
        Meaning::of("accept-length", "tokens of a step of speculative decoding"),
        Meaning::of("concurrency", "requests at a time, the mean as measured"),
        Meaning::of("concurrency-max", "most requests at a time, as measured"),
        Meaning::of("completed", "requests that succeeded"),
        Meaning::of("tokens-input", "tokens of the prompts of these"),
        Meaning::of("tokens-output", "tokens that they generated"),
    ],
    fits: |head| {
        head.record_has_all(&["dataset_name", "random_range_ratio", "completed", "request_throughput"])?;
        head.has_none(&["model_id"])
    },
    read: Read::Sheet(|sheet, content| read(sheet, content, &PROGRAM)),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const PROGRAM: Program = Program {
    keys: &[
        "request_rate",
        "max_concurrency",
        "sharegpt_output_len",
        "random_input_len",
        "random_output_len",
        "random_range_ratio",
    ],
    more: server,
};

/// What is asked for of the server. Its other settings are many, and one is a secret.
fn server(document: &Document<'_>, run: &mut Run, sheet: &mut Sheet) -> io::Result<()> {
    let server = document.value("server_info", sheet)?;
    for (key, value) in stated(&server, &[("model_path", "model_path"), ("version", "version")]) {
        run.state(&key, &value);
    }
    Ok(())
}

pub static TEXT: Format = Format {
    name: "sglang-serving-text",
    sign: "a line `==== Serving Benchmark Result ====`, and `Max request concurrency:`",
    harness: "SGLang",
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("throughput-output", "generated tokens a second"),
        Meaning::of("throughput-input", "tokens of prompts a second"),
        Meaning::of("duration", "time of the run"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
    ],
    words: &[" Serving Benchmark Result "],
    fits: |head| {
        let is_printed = head.lines().any(is_heading) && head.lines().any(is_of_sglang);
        No::unless(is_printed, "it has no such lines")
    },
    read: Read::Report(&PRINTED),
    ..Format::REPORT
};
