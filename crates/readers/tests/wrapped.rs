//! Outputs in logs and quotations: the same results as without what stands before each line.

use std::path::Path;

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;

use crate::support::{problems, rows, sheet, stored};

/// Outputs of formats of text, and a table with a record a line.
const OUTPUTS: [(&str, &str); 6] = [
    ("libtest", "libtest/traps/two-packages-with-one-source.txt"),
    ("criterion-text", "criterion-text/traps/two-packages-with-one-source.txt"),
    ("divan", "divan/traps/two-packages-with-one-source.txt"),
    ("wrk", "wrk/real/new.txt"),
    ("go", "go/real/sort.txt"),
    ("ndjson", "ndjson/traps/nested.ndjson"),
];

const BEFORE: [&str; 11] = [
    "> ",
    "bench-1  | ",
    "bench_1 | ",
    "2026-05-01T12:00:00.000000000Z stdout F ",
    "[2026-05-01 12:00:00] ",
    "[INFO] ",
    "// ",
    " * ",
    "May 01 12:00:00 host bench[123]: ",
    "[2026-05-01T12:00:00.000Z] ",
    "\u{1b}[36mbench-1  | \u{1b}[0m",
];

#[test]
fn results_in_a_log_are_those_of_the_output() {
    for (name, place) in OUTPUTS {
        let (format, text) = (by_name(name).unwrap(), String::from_utf8(stored(place)).unwrap());
        let plain = sheet(format, text.as_bytes());
        assert!(!plain.is_empty(), "{place}");
        for before in BEFORE {
            let logged: String = text.split_inclusive('\n').flat_map(|line| [before, line]).collect();
            let content = Content::from_bytes(logged.as_bytes()).unwrap();
            assert_eq!(detect(&content.head, Path::new("f")).unwrap().name, name, "{before}");
            let read = sheet(format, logged.as_bytes());
            assert_eq!((rows(&read), problems(&read)), (rows(&plain), problems(&plain)), "{place}: {before}");
        }
        let recorded = format!("Script started on 2026-05-01 12:00:00+00:00 [COLUMNS=\"80\"]\n{text}");
        let content = Content::from_bytes(recorded.as_bytes()).unwrap();
        assert_eq!(detect(&content.head, Path::new("f")).unwrap().name, name);
        assert_eq!(sheet(format, recorded.as_bytes()).value, plain.value, "{place}");
    }
}
