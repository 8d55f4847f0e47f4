//! Deno's JSON: `benches[].results[].ok`, the mean and some quantiles in nanoseconds. The samples are not in the file.

use super::mitata::RUNTIME;
use super::prelude::*;
use super::records::{self, As, At, Field, Outcome, Records};

pub static FORMAT: Format = Format {
    name: "deno",
    sign: "an object with `runtime` and with `benches` that hold `origin` and `results`",
    harness: "deno bench",
    export: "deno bench --json > FILE",
    keys: &[&OF_BENCHMARK, &RUNTIME],
    metrics: &[
        Meaning::of("mean", "time of one iteration, the mean over the samples"),
        Meaning::of("p75", "time of one iteration that 75 % of the samples do not exceed"),
        Meaning::of("p99", "time of one iteration that 99 % of the samples do not exceed"),
        Meaning::of("p99.5", "time of one iteration that 99.5 % of the samples do not exceed"),
        Meaning::of("p99.9", "time of one iteration that 99.9 % of the samples do not exceed"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
        Meaning::of("slowest", "time of one iteration in the slowest sample"),
    ],
    fits: |head| head.has_all(&["runtime", "benches[].origin", "benches[].results"]),
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[RESULTS])),
    ..Format::JSON_SUMMARY
};

/// Where a benchmark stands.
pub(super) const OF_BENCHMARK: [Key; 2] = [
    Key::setting("group", "group of the benchmark"),
    Key::setting("origin", "file of the benchmark, in the folder that all files share"),
];

const RESULTS: Records = Records {
    at: &["benches[].results[]"],
    name: |place| Some(place.text("^name")?.to_owned()),
    repeats: |_| true,
    outcome: |place| match place.find("ok").and_then(Value::object) {
        Some(_) => Outcome::Passed,
        None => Outcome::Failed(place.text("failed.message").unwrap_or_default().to_owned()),
    },
    keys: &[At("cpu", "/cpu", As::Text), At("group", "^group", As::Text)],
    file: "^origin",
    more: |_, place, context| context.extend(runtime(place.text("/runtime").unwrap_or_default())),
    // Without a value there were too few samples.
    fields: &[
        Field::of("mean", "ok.avg", "ns").summary("", "ok.n"),
        Field::of("p75", "ok.p75", "ns").summary("", "ok.n").secondary(),
        Field::of("p99", "ok.p99", "ns").summary("", "ok.n").secondary(),
        Field::of("p99.5", "ok.p995", "ns").summary("", "ok.n").secondary(),
        Field::of("p99.9", "ok.p999", "ns").summary("", "ok.n").secondary(),
        Field::of("fastest", "ok.min", "ns").summary("", "ok.n").secondary(),
        Field::of("slowest", "ok.max", "ns").summary("", "ok.n").secondary(),
    ],
    line: |place, _| place.line_of_key("name"),
    ..Records::PLAIN
};

/// The keys that a text such as `Deno/2.9.6 x86_64-unknown-linux-gnu` holds.
fn runtime(text: &str) -> Context {
    let (program, arch) = text.split_once(' ').unwrap_or((text, ""));
    let (name, version) = program.split_once('/').unwrap_or((program, ""));
    let name = name.to_lowercase();
    let keys = [("runtime", name.as_str()), ("runtime_version", version), ("arch", arch)];
    keys.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}
