//! Profiles and traces, which say where a program spends its time and not how long its runs take.

use super::format::{Format, Values};
use super::head::{Fit, Head, No};
use super::outline::Node;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "profile",
    sign: "an object with the `$schema` of speedscope, or with `traceEvents`",
    harness: "a profiler",
    values: Values::Refused {
        why: "a profile or a trace of one run",
        export: "the harness of the benchmark, or statera run COMMAND",
    },
    fits,
    ..Format::PLAIN
};

fn fits(head: &Head<'_>) -> Fit {
    let root = head.json()?;
    let is_speedscope = root.child("$schema").is_some_and(|schema: &Node| schema.text.contains("speedscope"));
    No::unless(is_speedscope || root.child("traceEvents").is_some(), "it has neither")
}
