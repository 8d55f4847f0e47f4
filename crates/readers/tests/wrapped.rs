//! Outputs in logs and quotations: the same results as without what stands before each line.

use std::collections::HashSet;
use std::path::Path;

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;

use crate::support::{context, printed, problems, rows, sheet, stored};

/// Outputs of formats of text, and a table with a record a line.
const OUTPUTS: [(&str, &str); 6] = [
    ("libtest", "libtest/traps/two-packages-with-one-source.txt"),
    ("criterion-text", "criterion-text/traps/two-packages-with-one-source.txt"),
    ("divan", "divan/traps/two-packages-with-one-source.txt"),
    ("wrk", "wrk/real/new.txt"),
    ("go", "go/real/sort.txt"),
    ("ndjson", "ndjson/traps/nested.ndjson"),
];

const BEFORE: [&str; 15] = [
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
    "2026-05-01 12:00:00 ",
    "May 01 12:00:00 ",
    "00:00:05 ",
    "[pod/bench-7f9c/main] ",
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

/// The values of a sheet without their lines, which change where lines stand above.
fn values(sheet: &statera_readers::Sheet) -> Vec<String> {
    rows(sheet).iter().map(|row| row.split_once(' ').unwrap().1.to_owned()).collect()
}

#[test]
fn every_printed_output_reads_alike_in_every_log() {
    let mut wrong = Vec::new();
    for (format, place, text) in printed() {
        let text = text.trim_end_matches('\n').to_owned() + "\n";
        let ended = format!("{text}end of\nthe log\n");
        let lined = |text: &str, before: &str, end: &str| {
            text.lines().flat_map(|line| [before, line, end, "\n"]).collect::<String>().into_bytes()
        };
        let two_bytes = text.encode_utf16().flat_map(u16::to_le_bytes);
        // What is wrapped, how, and the bytes.
        let mut wrapped: Vec<(&str, String, Vec<u8>)> = vec![
            (&text, "blank lines".to_owned(), format!("\n\n{text}\n\n").into_bytes()),
            (&text, "a mark".to_owned(), format!("\u{FEFF}{text}").into_bytes()),
            (&text, "returns".to_owned(), lined(&text, "", "\r")),
            (&text, "UTF-16".to_owned(), [0xFF, 0xFE].into_iter().chain(two_bytes).collect()),
        ];
        for before in BEFORE.iter().filter(|before| !["> ", "// ", " * ", "[INFO] "].contains(before)) {
            wrapped.push((&text, format!("{before:?}"), lined(&text, before, "")));
            // A text of several lines has the beginning only before the first one.
            let log = String::from_utf8(lined(&ended, before, "")).unwrap();
            let (first, last) = log.trim_end().rsplit_once(before).unwrap();
            wrapped.push((
                &ended,
                format!("{before:?} and a line without"),
                format!("{first}{last}\n").into_bytes(),
            ));
        }
        for (text, how, bytes) in wrapped {
            let content = Content::from_bytes(&bytes).unwrap();
            let found = |bytes: &[u8]| detect(bytes, Path::new("f")).map(|found| found.name);
            if found(text.as_bytes()) != Ok(format.name) {
                continue;
            }
            if found(&content.head) != Ok(format.name) {
                wrong.push(format!("{place} in {how}: {:?}", found(&content.head)));
            } else if values(&sheet(format, &bytes)) != values(&sheet(format, text.as_bytes())) {
                wrong.push(format!("{place} in {how}: other values"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What scripts print above runs of different work. Go has `key: value`, and its benchmarks print what they like.
const DIFFERENT: [(&str, &str); 13] = [
    ("=== one ===", "=== two ==="),
    ("# one", "# two"),
    ("one:", "two:"),
    ("size=4k", "size=16k"),
    ("threads: 4", "threads: 8"),
    ("4 threads", "3 threads"),
    ("Test 1: one", "Test 2: two"),
    ("one", "two"),
    ("[one]", "[two]"),
    (">>> one", ">>> two"),
    ("+ echo one\none", "+ echo two\ntwo"),
    ("2026-11-01 10:00:00 one", "2026-11-01 10:05:00 two"),
    ("On branch main", "On branch feature-x"),
];

/// What stands above runs of the same work.
const ALIKE: [(&str, &str); 3] = [("Run 1", "Run 2"), ("same", "same"), ("1", "2")];

#[test]
fn runs_below_different_labels_are_never_one() {
    let mut wrong = Vec::new();
    for (format, place, text) in printed() {
        let once = sheet(format, text.as_bytes()).len();
        let commented = sheet(format, format!("one\n{text}").as_bytes()).len();
        if commented != once {
            // The program writes nothing else into its output, and its reader takes no other lines.
            continue;
        }
        let identities = |one: &str, other: &str| {
            let read = sheet(format, format!("{one}\n{text}\n{other}\n{text}\n").as_bytes());
            let identity = |row: usize| (read.benchmark[row], read.metric[row], context(&read, row));
            let half = read.len() / 2;
            let halves: [HashSet<_>; 2] =
                [(0..half).map(identity).collect(), (half..read.len()).map(identity).collect()];
            (read.len(), halves[0].is_disjoint(&halves[1]), halves[0] == halves[1])
        };
        let (_, _, are_repetitions) = identities("", "");
        for (one, other) in DIFFERENT {
            let (count, are_apart, _) = identities(one, other);
            if count != 2 * once {
                wrong.push(format!("{place} below {one:?}: {count} values of {}", 2 * once));
            } else if !are_apart && format.name != "go" {
                wrong.push(format!("{place} below {one:?} and {other:?}: one benchmark"));
            }
        }
        // What stands above the times of a shell is the name of the benchmark.
        for (one, other) in ALIKE.iter().filter(|_| are_repetitions && format.name != "shell-time") {
            if !identities(one, other).2 {
                wrong.push(format!("{place} below {one:?} and {other:?}: two benchmarks"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
