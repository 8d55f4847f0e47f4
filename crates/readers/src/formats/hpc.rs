//! The last lines of benchmarks of clusters: HPCG, and the molecular dynamics of GROMACS.

use super::console::{self, Console, Line, Means, What};
use super::format::{Format, Meaning, OWN_PROGRAM, Read};
use crate::metric::Better;

/// The file that HPCG writes.
pub static HPCG: Format = Format {
    name: "hpcg",
    sign: "a line `Final Summary::HPCG result is VALID with a GFLOP/s rating of=12.3`",
    harness: "HPCG",
    export: "its file HPCG-Benchmark_VERSION_DATE.txt",
    files: &["HPCG*.txt"],
    metrics: &[Meaning::of("throughput", "operations with numbers of floating point per second")],
    words: &["Final Summary::HPCG"],
    fits: |head| console::has(head, RATING),
    read: Read::Console(&HPCG_CONSOLE),
    printed_by: OWN_PROGRAM,
    ..Format::SUMMARY
};

const RATING: &str = "Final Summary::HPCG result is VALID with a GFLOP/s rating of={#}";

const HPCG_CONSOLE: Console = Console {
    lines: &[
        Line(
            "GFLOP/s Summary::Raw {}={#}",
            Means::Value(Some(0), 1, What::of("throughput", "GFLOP/s").summary()),
        ),
        Line(RATING, Means::Called("rating", 0, What::of("throughput", "GFLOP/s").summary())),
        Line("Final Summary::HPCG result is INVALID{}", Means::Failed(0)),
    ],
    ..Console::PLAIN
};

/// The end of the log of `gmx mdrun`.
pub static GROMACS: Format = Format {
    name: "gromacs",
    sign: "a line `(ns/day)    (hour/ns)` and below it `Performance:  47.886  0.501`",
    harness: "GROMACS",
    export: "the log of gmx mdrun",
    metrics: &[
        Meaning::of("performance", "simulated nanoseconds per day"),
        Meaning::of("time", "time of the run"),
    ],
    words: &["(ns/day)"],
    fits: |head| {
        head.has_line(|line| line.contains("(ns/day)"))?;
        console::has(head, "Performance: {#} {#}")
    },
    read: Read::Console(&GROMACS_CONSOLE),
    printed_by: &["gmx", "mdrun"],
    ..Format::REPORT
};

const GROMACS_CONSOLE: Console = Console {
    lines: &[
        Line("Time: {#} {#} {#}", Means::Called("mdrun", 1, What::of("time", "s").summary().secondary())),
        Line(
            "Performance: {#} {#}",
            Means::Called("mdrun", 0, What::of("performance", "ns/day").summary().better(Better::Higher)),
        ),
    ],
    ..Console::PLAIN
};
