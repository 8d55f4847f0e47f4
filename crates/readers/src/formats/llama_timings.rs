//! The times of the phases of a run that the programs of llama.cpp print when it ends.

use super::prelude::*;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "llama-timings",
    sign: "lines such as `eval time = 1234.56 ms / 100 runs ( 12.35 ms per token, 81.00 tokens per second)`",
    harness: "llama.cpp",
    export: "standard error of llama-cli and llama-server",
    values: Values::Averages,
    processes: Processes::Unknown,
    own_labels: &[
        "main: ",
        "llama_",
        "ggml_",
        "common_",
        "system_info: ",
        "generate: ",
        "build: ",
        "srv ",
        "slot ",
    ],
    printed_by: &["llama-cli", "llama-server", "llama-completion", "llama-simple", "llama-embedding", "main"],
    keys: &[&[
        Key::work(PROMPT, "tokens of the prompt"),
        // How many a model generates until it ends differs from run to run.
        Key::of_run(TOKENS, Role::Outcome, "number of tokens of a phase other than that of the prompt"),
    ]],
    metrics: &[
        Meaning::of("throughput", "tokens per second"),
        Meaning::of("time", "elapsed time of the phase"),
        Meaning::of("time-per-token", "elapsed time of the phase for a token, the mean over its tokens"),
    ],
    words: &["eval time"],
    fits: |head| {
        head.has_line(|line| {
            phase(line).is_some_and(|(name, figures)| name.ends_with("eval") && figures.contains(" ms per "))
        })
    },
    read: Read::Bytes(read),
    ..Format::REPORT
};

const PROMPT: &str = "n_prompt";
const TOKENS: &str = "phase_tokens";

/// The name of the phase in a line, and the figures behind it. A program or a log can write its name or the time before it.
fn phase(line: &str) -> Option<(&'static str, &str)> {
    // The server of 2023 calls it `generation eval`; what `sampling` is called was `sample` until 2024.
    const PHASES: [(&str, &str); 8] = [
        ("load", "load"),
        ("sample", "sample"),
        ("sampling", "sample"),
        ("samplers", "samplers"),
        ("prompt eval", "prompt eval"),
        ("eval", "eval"),
        ("generation eval", "eval"),
        ("total", "total"),
    ];
    let (before, figures) = line.split_once('=')?;
    let before = before.trim_end().strip_suffix(" time")?;
    let name = before.rsplit([':', '|']).next()?.trim();
    let is_of_whisper = before.contains("whisper_");
    let (_, name) = PHASES.iter().find(|(printed, _)| *printed == name && !is_of_whisper)?;
    Some((name, figures))
}

/// What a line says of a phase.
struct Figures<'a> {
    seconds: f64,
    tokens: Option<&'a str>,
    seconds_per_token: Option<f64>,
    tokens_per_second: Option<f64>,
}

/// Reads `1234.56 ms / 100 runs 12.35 ms per token 81.00 tokens per second`, of which the phase may state only the first.
fn figures<'a>(words: &[&'a str]) -> Option<Figures<'a>> {
    let [time, "ms", rest @ ..] = words else { return None };
    let milliseconds = |digits: &str| number(digits).map(|time| time / 1e3);
    let seconds = milliseconds(time)?;
    let mut found = Figures { seconds, tokens: None, seconds_per_token: None, tokens_per_second: None };
    // The rate of a phase that did not take place is `inf`.
    if seconds == 0.0 || rest.is_empty() {
        return Some(found);
    }
    let ["/", count, "tokens" | "runs", rest @ ..] = rest else { return None };
    let tokens = number(count)?;
    found.tokens = Some(count);
    match rest {
        [] => {}
        // Until April 2023 there was no rate.
        [each, "ms", "per", "token" | "run"] => {
            found.seconds_per_token = Some(milliseconds(each)?);
            found.tokens_per_second = Some(tokens / seconds);
        }
        [each, "ms", "per", "token", rate, "tokens", "per", "second"] => {
            found.seconds_per_token = Some(milliseconds(each)?);
            found.tokens_per_second = Some(number(rate)?);
        }
        _ => return None,
    }
    Some(found)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    for (line, text) in lines::numbered(bytes) {
        let Some((benchmark, rest)) = phase(text) else { continue };
        let rest = rest.replace(['(', ')', ','], " ");
        let Some(found) = figures(&rest.split_whitespace().collect::<Vec<_>>()) else {
            sheet.unreadable(line, text);
            continue;
        };
        if found.seconds == 0.0 {
            sheet.dropped(1);
            continue;
        }
        let key = if benchmark == "prompt eval" { PROMPT } else { TOKENS };
        let context: Context =
            found.tokens.iter().map(|count| (key.to_owned(), (*count).to_owned())).collect();
        sheet.set_context(&context);
        for (name, unit, quantity, value) in [
            ("throughput", "1/s", Quantity::Throughput, found.tokens_per_second),
            ("time", "s", Quantity::Time, Some(found.seconds)),
            ("time-per-token", "s", Quantity::Time, found.seconds_per_token),
        ] {
            let primary = name == "throughput";
            match value {
                // Two decimals of a millisecond do not show less.
                Some(0.0) => sheet.dropped(1),
                Some(value) => {
                    let metric =
                        sheet.metric(name, || Metric { primary, ..Metric::new(name, unit, quantity) });
                    sheet.push(Measurement { benchmark, metric, value, line, ..ROW });
                }
                None => {}
            }
        }
    }
}
