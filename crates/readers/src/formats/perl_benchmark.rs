//! What Perl's Benchmark prints: the time that the processor took for the iterations of each piece of code, and their rate.

use super::console::{Console, Line, Means, What};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "perl-benchmark",
    sign: "lines such as `NAME:  4 wallclock secs ( 4.08 usr +  0.01 sys =  4.09 CPU)`",
    harness: "Benchmark (Perl)",
    export: "standard output of timethese",
    metrics: &[
        Meaning::of("rate", "iterations per second of the processor's time"),
        Meaning::of("cpu", "time of the processor for all iterations"),
    ],
    words: &[" wallclock secs ("],
    fits: |head| {
        No::unless(CONSOLE.lines.iter().any(|line| console::has(head, line.0).is_ok()), "it has no such line")
    },
    read: Read::Console(&CONSOLE),
    printed_by: &["perl"],
    own_labels: &["Benchmark: ", "Rate "],
    ..Format::SUMMARY
};

/// A number of two digits before the point stands directly behind the bracket.
const CONSOLE: Console = Console {
    lines: &[
        Line("{}: {#} wallclock secs ({#} usr + {#} sys = {#} CPU) @ {#}/s {}", RATE),
        Line("{}: {#} wallclock secs ( {#} usr + {#} sys = {#} CPU) @ {#}/s {}", RATE),
        Line("{}: {#} wallclock secs ({#} usr + {#} sys = {#} CPU)", CPU),
        Line("{}: {#} wallclock secs ( {#} usr + {#} sys = {#} CPU)", CPU),
    ],
    ..Console::PLAIN
};

const RATE: Means = Means::Value(Some(0), 5, What::of("rate", "iter/s").summary());
const CPU: Means = Means::Value(Some(0), 4, What::of("cpu", "s").summary());
