//! The results of `vllm bench serve`, formerly `benchmark_serving.py`: an object a run.

use super::prelude::*;
use super::serving::{PRINTED, PRINTED_TIMES, Program, read};

pub static FORMAT: Format = Format {
    name: "vllm-serving",
    sign: "an object with `model_id`, `num_prompts`, `completed` and `request_throughput`",
    harness: "vLLM",
    export: "vllm bench serve --save-result --save-detailed",
    files: &["*.json", "*.jsonl"],
    keys: &[&[
        Key::date("end of the run, in local time as vLLM writes it"),
        Key::setting("backend", "kind of the server, as the load generator addresses it"),
        Key::setting("label", "label that the user gives the run; otherwise the `backend`"),
        Key::setting("model_id", "name of the model"),
        Key::setting("tokenizer_id", "name of what counts the tokens").detail(),
        Key::work("num_prompts", "number of requests"),
        Key::work("request_rate", "requests per second that are asked for, or `inf`"),
        Key::work("burstiness", "how requests cluster: 1 is a Poisson process, less is bursts"),
        Key::work("max_concurrency", "most requests at a time"),
        Key::work("ramp_up_strategy", "how the rate grows").detail(),
        Key::work("ramp_up_start_rps", "rate at the beginning").detail(),
        Key::work("ramp_up_end_rps", "rate at the end").detail(),
        Key::work("best_of", "answers to a prompt, of which the best is chosen").detail(),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("throughput-good", "requests a second that met the objectives of --goodput"),
        Meaning::of("throughput-output", "generated tokens a second"),
        Meaning::of("throughput-tokens", "tokens a second, of prompts and generated ones together"),
        Meaning::of("throughput-peak", "generated tokens of the best second"),
        Meaning::of("latency", "time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("ttft", "time to the first token"),
        Meaning::of("ttft-p50", "median time to the first token"),
        Meaning::of("ttft-p99", "99th percentile of the time to the first token"),
        Meaning::of("tpot-mean", "mean of the times of a token after the first, each the mean of a request"),
        Meaning::of("tpot-p50", "median of these"),
        Meaning::of("itl", "time between two tokens"),
        Meaning::of("itl-p50", "median time between two tokens"),
        Meaning::of("duration", "time of the run"),
        Meaning::of("errors", "requests that failed"),
        Meaning::of("accept-length", "tokens of a step of speculative decoding"),
        Meaning::of("accept-rate", "share of the drafted tokens that were accepted"),
        Meaning::of("concurrency-max", "most requests at a time, as measured"),
        Meaning::of("real-time-speed", "seconds of sound that are transcribed a second"),
        Meaning::of("completed", "requests that succeeded"),
        Meaning::of("tokens-input", "tokens of the prompts of these"),
        Meaning::of("tokens-output", "tokens that they generated"),
    ],
    fits: |head| head.record_has_all(&["model_id", "num_prompts", "completed", "request_throughput"]),
    read: Read::Sheet(|sheet, content| read(sheet, content, &PROGRAM)),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const PROGRAM: Program = Program {
    keys: &[
        "num_prompts",
        "request_rate",
        "burstiness",
        "max_concurrency",
        "ramp_up_start_rps",
        "ramp_up_end_rps",
        "best_of",
    ],
    more: |_, _, _| Ok(()),
};

/// The titles of the parts of a report, which stand above no run.
pub(super) const SECTIONS: [&str; 7] = [
    "Serving Benchmark Result",
    "Time to First Token",
    "Time per Output Token",
    "Inter-token Latency",
    "Inter-Token Latency",
    "End-to-end Latency",
    "End-to-End Latency",
];

/// What it prints. That of `SGLang` is `sglang-serving-text`.
pub static TEXT: Format = Format {
    name: "vllm-serving-text",
    sign: "a line `==== Serving Benchmark Result ====`, or without such a report a line `---- Time to First Token ----` above \
           `Mean TTFT (ms):`; without `Max request concurrency:`",
    harness: "vLLM",
    own_labels: &SECTIONS,
    printed_by: &["vllm"],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("throughput-output", "generated tokens a second"),
        Meaning::of("duration", "time of the run"),
        Meaning::of("ttft-p50", "median time to the first token"),
        Meaning::of("ttft-p99", "99th percentile of the time to the first token"),
        Meaning::of("errors", "requests that failed"),
    ],
    words: &[" Serving Benchmark Result ", "Time to First Token"],
    fits: |head| {
        let is_printed = head.lines().any(is_heading) || is_of_times(head);
        No::unless(is_printed, "it has no such line")?;
        No::unless(!head.lines().any(is_of_sglang), "it is of SGLang")
    },
    read: Read::Bytes(|sheet, bytes| {
        let has_heading = lines::numbered(bytes).any(|(_, line)| is_heading(line.as_bytes()));
        labelled::read(sheet, bytes, if has_heading { &PRINTED } else { &PRINTED_TIMES });
    }),
    ..Format::REPORT
};

/// Whether people kept the parts with the times, and nothing above them.
fn is_of_times(head: &Head<'_>) -> bool {
    labelled::has_lines(head, &["Time to First Token", "Mean TTFT (ms): *", "Mean TPOT (ms): *"]).is_ok()
        && !head
            .lines()
            .any(|line| line.starts_with(b"Successful requests:") || line.starts_with(b"Request throughput"))
}

/// Whether a line is the heading of a report.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let inner = line.strip_prefix(b"=").and_then(|line| line.strip_suffix(b"="));
    let inner = inner.and_then(|line| std::str::from_utf8(line).ok());
    inner.is_some_and(|line| line.trim_matches('=') == " Serving Benchmark Result ")
}

/// Whether a line is in the report of `SGLang` only.
pub(super) fn is_of_sglang(line: &[u8]) -> bool {
    line.starts_with(b"Max request concurrency:")
}
