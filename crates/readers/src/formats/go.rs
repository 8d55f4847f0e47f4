//! The Go benchmark format (`go test -bench`, design 14313): configuration lines, `Unit` lines,
//! result lines; everything else in the stream belongs to the test log.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::go_lines::parse;
use super::go_printed::Behind;
use super::go_settings::{Piece, settle};
use super::go_words::integer;
use super::head::{Fit, Head, No};
use super::names;
use crate::source::Content;
use crate::text::fields;
use crate::{Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "go",
    sign: "lines such as `BenchmarkName-8  100  123 ns/op`, `goos:` or `pkg:`",
    harness: "Go",
    export: "go test -bench",
    files: &[],
    values: Values::Averages,
    processes: Processes::Unknown,
    states_direction: true,
    keys: &[&[
        Key::of_work("goos", Role::Environment, "operating system for which the program was built"),
        Key::of_work("goarch", Role::Environment, "architecture for which the program was built"),
        Key::of_work("pkg", Role::Setting, "package of the benchmark"),
        Key::new("cpu", Role::Environment, "processor"),
    ]],
    metrics: &[
        Meaning::of("sec/op", "time of one operation, the mean over the iterations of a run"),
        Meaning::of("B/op", "bytes allocated by one operation"),
        Meaning::of("allocs/op", "allocations by one operation"),
        Meaning::of("B/s", "bytes processed a second"),
    ],
    parts: names::of_go,
    fits,
    read,
    ..Format::PLAIN
};

/// Pieces of this size are parsed in parallel; each is read where it is parsed, so that it stays in the cache.
const PIECE: usize = 2 << 20;

fn fits(head: &Head<'_>) -> Fit {
    let holds = head.bytes().split(|&byte| byte == b'\n').any(|line| {
        let mut fields = fields(line);
        match fields.next() {
            Some(b"goos:" | b"goarch:" | b"pkg:") => line.first().is_some_and(u8::is_ascii_lowercase),
            Some(b"Unit") => fields.nth(1).is_some_and(|pair| pair.contains(&b'=')),
            Some(name) => {
                line.starts_with(b"Benchmark")
                    && name.len() > b"Benchmark".len()
                    && !name.contains(&b',')
                    // Julia's text; a function of Go has no point in its name.
                    && !name.starts_with(b"BenchmarkTools.")
                    && fields.next().is_none_or(|count| integer(count).is_some())
            }
            None => false,
        }
    });
    No::unless(holds, "it has no such line")?;
    No::unless(!super::benchstat::is_table(head), "it is a table of benchstat")
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces: io::Result<Vec<Piece>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let end = (start + PIECE).min(length);
            let lines = content.lines_in(start, end, buffer)?;
            let behind = Behind { content, from: end };
            let mut piece = parse(name, lines, content.budget.limits.line, &behind)?;
            piece.sheet.count(&content.budget)?;
            Ok(piece)
        })
        .collect();
    settle(pieces?, &content.budget.limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use crate::metric::{Better, Quantity};

    fn sheets(text: &str) -> Vec<Sheet> {
        read("file", Path::new("file"), &Content::from_bytes(text.as_bytes()).unwrap(), &Options::default())
            .unwrap()
    }

    fn rows(text: &str) -> Vec<(String, String, f64)> {
        let mut rows = Vec::new();
        for sheet in sheets(text) {
            for i in 0..sheet.len() {
                let name = sheet.benchmarks.get(sheet.benchmark[i]).to_owned();
                rows.push((name, sheet.metrics[sheet.metric[i] as usize].name.clone(), sheet.value[i]));
            }
        }
        rows
    }

    #[test]
    fn other_units_of_time_and_size_keep_their_names() {
        let text = "BenchmarkA 9 7 ns/op 5 ms/op 3 us/op 2 s/op 4 KB/op 6 MiB/op 8 p99-ms/req 1 KB/s 2 KB";
        let sheet = &sheets(&format!("{text}\n"))[0];
        let found: Vec<_> = (0..sheet.len())
            .map(|at| {
                let metric = &sheet.metrics[sheet.metric[at] as usize];
                (metric.name.as_str(), metric.unit.as_str(), metric.quantity, metric.better, sheet.value[at])
            })
            .collect();
        let lower = Some(Better::Lower);
        let expected = [
            ("sec/op", "s", Quantity::Time, lower, 7e-9),
            ("ms/op", "s", Quantity::Time, lower, 5e-3),
            ("us/op", "s", Quantity::Time, lower, 3e-6),
            ("s/op", "s", Quantity::Time, lower, 2.0),
            ("KB/op", "B", Quantity::Bytes, lower, 4e3),
            ("MiB/op", "B", Quantity::Bytes, lower, 6.0 * 1024.0 * 1024.0),
            ("p99-ms/req", "s", Quantity::Time, lower, 8e-3),
            ("KB/s", "", Quantity::Other, Some(Better::Higher), 1.0),
            ("KB", "B", Quantity::Bytes, lower, 2e3),
        ];
        assert_eq!(found, expected);
        // A line without its end is complete if its last unit is known.
        assert_eq!(rows("BenchmarkA 9 5 ms/op").len(), 1);
        assert_eq!(rows("BenchmarkA 9 5 widgets").len(), 0);
    }

    #[test]
    fn a_result_line_gives_a_value_a_unit() {
        let got = rows("BenchmarkA/b=1-8 \t 100 1234.5 ns/op  12 B/op 3 allocs/op 5 p99-ns/op 2.5 MB/s\r\n");
        let want =
            [("sec/op", 1234.5e-9), ("B/op", 12.0), ("allocs/op", 3.0), ("p99-sec/op", 5e-9), ("B/s", 2.5e6)];
        assert_eq!(got, want.map(|(unit, value)| ("A/b=1-8".to_owned(), unit.to_owned(), value)));
    }

    #[test]
    fn configuration_is_set_changed_and_deleted() {
        let sheets = sheets(
            "goos: linux\nBenchmarkA 1 1 ns/op\ngoos: plan9\nnote:  x y \nBenchmarkA 1 1 ns/op\ngoos:\nnot:config\nKey: no\nBenchmarkA 1 1 ns/op\n",
        );
        let contexts: Vec<_> =
            sheets[0].context.iter().map(|&id| sheets[0].contexts.to_context(id as usize)).collect();
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(
            contexts,
            [
                vec![pair("goos", "linux")],
                vec![pair("goos", "plan9"), pair("note", "x y")],
                vec![pair("note", "x y")]
            ]
        );
    }

    #[test]
    fn what_is_broken_is_named_and_the_rest_is_read() {
        let sheets = sheets(
            "BenchmarkA x 1 ns/op\nBenchmarkB 1\nBenchmarkC 1 z ns/op\nBenchmarkD 1 5\nBenchmarkE 1 NaN ns/op 7 B/op\nBenchmarkF 1 -3 ns/op\nBenchmarkName\nPASS\nBenchmarkG 1 1e3 ns/op\n",
        );
        let sheet = &sheets[0];
        let lines: Vec<(u32, Code)> = sheet.problems.iter().map(|p| (p.line, p.code)).collect();
        let malformed = Code::MalformedRecord;
        assert_eq!(
            lines,
            [
                (1, malformed),
                (2, malformed),
                (3, Code::MalformedNumber),
                (4, malformed),
                (5, Code::NotFinite),
                (6, Code::Negative)
            ]
        );
        assert_eq!(sheet.value, [7.0, 1e3 / 1e9]);
    }

    #[test]
    fn a_line_cut_in_its_unit_is_not_a_new_unit() {
        let whole = "BenchmarkA 1 5 ns/op 6 widgets/op\nBenchmarkA 1 5 ns/op 6 widg";
        let sheets = sheets(whole);
        assert_eq!(sheets[0].problems[0].code, Code::Truncated);
        assert_eq!(sheets[0].len(), 2);
    }

    #[test]
    fn a_result_is_found_behind_the_end_of_a_piece() {
        let log = "opening the ledger 7 times\n";
        // The border of the first piece is within the log, within the result, and between them.
        for rows in
            [(PIECE - 60) / log.len(), PIECE / log.len() - 1, PIECE / log.len(), 3 * PIECE / log.len()]
        {
            for padding in 0..=log.len() {
                let text = format!(
                    "goos: {}\nBenchmarkPrints-2 \t{}      50\t      12.5 ns/op\nBenchmarkNext-2 \t      50\t 7 ns/op\n",
                    "x".repeat(padding),
                    log.repeat(rows)
                );
                let expected = [("Prints-2", 12.5e-9), ("Next-2", 7e-9)];
                let found = rows_of(&text);
                assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)), "{rows} {padding}");
                if rows > 2 * PIECE / log.len() {
                    break;
                }
            }
        }
    }

    fn rows_of(text: &str) -> Vec<(String, f64)> {
        let found = sheets(text);
        assert!(found.iter().all(|sheet| sheet.problems.is_empty()));
        rows(text).into_iter().map(|(name, _, value)| (name, value)).collect()
    }

    #[test]
    fn what_a_benchmark_prints_is_no_result() {
        let text = "BenchmarkCounts-2 \t50 10 done\n      50\t      12.5 ns/op\nBenchmarkOwn-2 \t      50\t 7.000 forks/op\nBenchmarkDots-2 \t...      50\t       8 ns/op\nBenchmarkFails-2 \tabout to fail\n--- FAIL: BenchmarkFails-2\nBenchmarkLost-2 \tpanic: closed\n...BenchmarkLate-2 \t      50\t 9 ns/op\nBenchmarking the store\n";
        let sheet = &sheets(text)[0];
        let names: Vec<_> = sheet.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!((names, &sheet.value[..]), (vec!["sec/op", "forks/op"], &[12.5e-9, 7.0, 8e-9][..]));
        assert_eq!(sheet.line, [2, 3, 4]);
        let lines: Vec<u32> = sheet.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [6, 7, 8]);
    }

    #[test]
    fn large_files_read_the_same_in_pieces() {
        let mut text = String::from("goos: linux\n");
        let mut i = 0;
        while text.len() < 3 * PIECE {
            use std::fmt::Write as _;
            let _ = writeln!(text, "BenchmarkName{}-8 \t 100 \t {}.5 ns/op \t 16 B/op", i % 1000, i);
            i += 1;
        }
        text.push_str("goos: plan9\nBenchmarkLast 1 1 ns/op\nBenchmarkBad 1\n");
        let sheets = sheets(&text);
        assert!(sheets.len() > 2);
        assert_eq!(sheets.iter().map(Sheet::len).sum::<usize>(), 2 * i + 1);
        let last = sheets.last().unwrap();
        assert_eq!(last.contexts.to_context(*last.context.last().unwrap() as usize)[0].1, "plan9");
        let lines: u32 = sheets.iter().map(|sheet| sheet.lines).sum();
        assert_eq!(lines as usize, i + 4);
    }
}
