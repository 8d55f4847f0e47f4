//! The Renaissance suite: the time of each repetition of a benchmark, in its JSON, its CSV and on its console.

use super::console::{Console, Line, Means, What};
use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Records};

/// Its JSON.
pub static JSON: Format = Format {
    name: "renaissance",
    sign: "an object with `format_version` and with `data` that holds `results` with `duration_ns`",
    export: "java -jar renaissance.jar --json FILE BENCHMARK",
    files: &["*.json"],
    keys: &[&[
        Key::date("start of the virtual machine"),
        Key::setting("version", "version of the suite"),
        Key::setting("vmName", "name of the virtual machine"),
        Key::setting("vmVersion", "version of the virtual machine"),
        Key::environment("arch", "architecture of the machine"),
    ]],
    fits: |head| head.has_all(&["format_version", "data.*.results[].duration_ns"]),
    read: Read::Sheet(|sheet, content| {
        let records = Records {
            at: &["data.*.results[]"],
            name: |place| Some(place.key(1)?.to_owned()),
            outcome: |place| match place.text("^termination") {
                Some("failure") => Outcome::Failed("the benchmark failed".to_owned()),
                _ => Outcome::Passed,
            },
            keys: &[
                At("date", "/environment.vm.start_iso", As::Text),
                At("version", "/suite.version", As::Text),
                At("vmName", "/environment.vm.name", As::Text),
                At("vmVersion", "/environment.vm.version", As::Text),
                At("arch", "/environment.os.arch", As::Text),
            ],
            ..REPETITIONS
        };
        records::read_json(sheet, content, &[records])
    }),
    ..PLAIN
};

/// Its CSV.
pub static CSV: Format = Format {
    name: "renaissance-csv",
    sign: "a CSV header `benchmark,…` with `duration_ns` and `vm_start_unix_ms`",
    export: "java -jar renaissance.jar --csv FILE BENCHMARK",
    files: &["*.csv"],
    keys: &[&[Key::date("start of the virtual machine")]],
    fits: |head| {
        let has = |column: &[u8]| head.header().any(|cell| cell == column);
        let is = has(b"duration_ns") && (has(b"vm_start_unix_ms") || has(b"uptime_ns"));
        No::unless(is && head.header().next() == Some(b"benchmark"), "its first line is not that header")
    },
    read: Read::Sheet(|sheet, content| {
        let records = Records {
            name: |place| Some(place.text("benchmark")?.to_owned()),
            keys: &[At("date", "vm_start_unix_ms", As::Milliseconds)],
            ..REPETITIONS
        };
        records::read_csv(sheet, content, &records)
    }),
    ..PLAIN
};

pub static TEXT: Format = Format {
    name: "renaissance-text",
    sign: "lines such as `====== NAME (GROUP) [CONFIGURATION], iteration 0 completed (123.456 ms) ======`",
    export: "standard output",
    words: &["], iteration", "), iteration"],
    fits: |head| console::has(head, COMPLETED).or_else(|_| console::has(head, COMPLETED_PLAIN)),
    read: Read::Bytes(|sheet, bytes| {
        const TIME: What = What::of("time", "ms");
        let console = Console {
            lines: &[
                Line("====== {w} ({}), iteration 0 started ======", Means::First(0)),
                Line("====== {w} ({}) [{}], iteration 0 started ======", Means::First(0)),
                Line(COMPLETED, Means::Value(Some(0), 4, TIME)),
                Line(COMPLETED_PLAIN, Means::Value(Some(0), 3, TIME)),
                Line("====== {} completed {}", Means::Unreadable),
            ],
            ..Console::PLAIN
        };
        console::read(sheet, bytes, &console);
    }),
    own_labels: &["*, iteration "],
    printed_by: &["java"],
    ..PLAIN
};

const COMPLETED: &str = "====== {w} ({}) [{}], iteration {#} completed ({#} ms) ======";

/// Before version 0.11 there were no configurations.
const COMPLETED_PLAIN: &str = "====== {w} ({}), iteration {#} completed ({#} ms) ======";

const PLAIN: Format = Format {
    harness: "Renaissance",
    processes: Processes::OneAFile,
    metrics: &[Meaning::of("time", "time of one repetition, the first ones among them")],
    ..Format::PLAIN
};

const REPETITIONS: Records =
    Records { repeats: |_| true, fields: &[Field::of("time", "duration_ns", "ns")], ..Records::PLAIN };
