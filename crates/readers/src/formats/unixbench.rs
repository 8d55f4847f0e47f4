//! What `UnixBench` prints: the rate of each test, and the index of all of them.

use super::console::{Console, Line, Means, What};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "unixbench",
    sign: "lines such as `Execl Throughput  2345.6 lps   (30.0 s, 2 samples)`",
    harness: "UnixBench",
    export: "standard output of ./Run",
    keys: &[&[
        Key::date("start and end of the run"),
        Key::environment("num_cpus", "number of processors"),
        Key::work("copies", "number of copies of a test at once"),
    ]],
    metrics: &[
        Meaning::of("rate", "loops of the test per second"),
        Meaning::of("transfer", "bytes that are copied per second"),
        Meaning::of("speed", "millions of Whetstone instructions per second"),
        Meaning::of("index", "index of a test, or of all of a run, without a unit"),
    ],
    words: &["samples)"],
    fits: |head| {
        console::has(head, "{} {#} lps ({#} s, {#} samples)").or_else(|_| console::has(head, RESULT))
    },
    read: Read::Console(&CONSOLE),
    printed_by: &["Run"],
    ..Format::SUMMARY
};

/// The table of the indices, where the rates above it are left out.
pub static INDICES: Format = Format {
    name: "unixbench-index",
    sign: "a line `System Benchmarks Index Values  BASELINE  RESULT  INDEX`, and no rates with their samples",
    metrics: &[Meaning::of("index", "index of a test, or of all of a run, without a unit")],
    keys: &[],
    words: &["BASELINE"],
    fits: |head| {
        No::unless((FORMAT.fits)(head).is_err(), "it has rates with their samples")?;
        console::has(head, "System Benchmarks {} BASELINE {} INDEX")
    },
    read: Read::Console(&Console {
        lines: &[Line("{} {#} {#} {#}", Means::Value(Some(0), 3, INDEX)), SCORE, PARTIAL],
        ..Console::PLAIN
    }),
    ..FORMAT
};

const RESULT: &str = "{} {#} {w} ({#} s, {#} samples)";

/// The index of a single test is its rate in another unit.
const CONSOLE: Console = Console {
    lines: &[
        Line("BYTE UNIX Benchmarks {}", Means::Run),
        Line("Benchmark Run: {}", Means::Key("date", 0)),
        Line("{#} CPUs in system; running {#} parallel copies of tests", MACHINE),
        Line("{#} CPUs in system; running {#} parallel copy of tests", MACHINE),
        Line("{#} CPU in system; running {#} parallel copy of tests", MACHINE),
        Line("{#} CPU in system; running {#} parallel copies of tests", MACHINE),
        Line(RESULT, Means::InUnit(0, 1, 2, unit)),
        Line("{} ({} samples)", Means::Unreadable),
        SCORE,
        PARTIAL,
    ],
    ..Console::PLAIN
};

const SCORE: Line = Line("System Benchmarks Index Score {#}", Means::Called("all tests", 0, INDEX));
const PARTIAL: Line =
    Line("System Benchmarks Index Score (Partial Only) {#}", Means::Called("some tests", 0, INDEX));

const MACHINE: Means = Means::All(&[Means::Key("num_cpus", 0), Means::Key("copies", 1)]);

const INDEX: What = What::of("index", "").better(Better::Higher).summary();

fn unit(word: &str) -> Option<What> {
    let of = |metric, unit| Some(What::of(metric, unit).samples(4));
    match word {
        "lps" => of("rate", "iter/s"),
        "lpm" => of("rate", "iter/min"),
        // The programs divide the bytes by 1024.
        "KBps" => of("transfer", "KiB/s"),
        "MWIPS" => Some(What::of("speed", "MWIPS").samples(4).better(Better::Higher)),
        _ => None,
    }
}
