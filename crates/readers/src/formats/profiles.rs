//! Profiles and traces, which say where a program spends its time and not how long its runs take.

use super::outline::Node;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "profile",
    sign: "an object with the `$schema` of speedscope, or with `traceEvents`",
    harness: "a profiler",
    values: Values::refused(
        "a profile or a trace of one run",
        "the harness of the benchmark, or statera run COMMAND",
    ),
    fits: |head| {
        let root = head.json()?;
        let is_speedscope =
            root.child("$schema").is_some_and(|schema: &Node| schema.text.contains("speedscope"));
        No::unless(is_speedscope || root.child("traceEvents").is_some(), "it has neither")
    },
    ..Format::PLAIN
};
