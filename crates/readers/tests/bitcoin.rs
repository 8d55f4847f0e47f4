//! The tables of `bench_bitcoin` through their history.

use std::path::{Path, PathBuf};

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Options, Sheet};

fn sheet(text: &[u8]) -> Sheet {
    let content = Content::from_bytes(text).unwrap();
    assert_eq!(detect(&content.head, Path::new("")).unwrap().name, "bench_bitcoin");
    let mut sheets =
        by_name("bench_bitcoin").unwrap().sheets("f", Path::new("f"), &content, &Options::default()).unwrap();
    sheets.remove(0)
}

/// Name, metric, value, line.
fn rows(sheet: &Sheet) -> Vec<(String, String, f64, u32)> {
    (0..sheet.len())
        .map(|i| {
            let name = sheet.benchmarks.get(sheet.benchmark[i]).to_owned();
            (name, sheet.metrics[sheet.metric[i] as usize].name.clone(), sheet.value[i], sheet.line[i])
        })
        .collect()
}

fn values(sheet: &Sheet, metric: &str) -> Vec<(String, f64)> {
    rows(sheet).into_iter().filter(|row| row.1 == metric).map(|row| (row.0, row.2)).collect()
}

fn problems(sheet: &Sheet) -> Vec<(u32, Code)> {
    sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect()
}

const HEADER: &str = "# Benchmark, evals, iterations, total, min, max, median\n";

#[test]
fn the_table_of_today_has_a_median_and_an_average_that_follows() {
    let sheet = sheet(format!("{HEADER}Hash, 4, 2.5, 20, 1.5, 3, 2\r\n").as_bytes());
    let row = |metric: &str, value| ("Hash".to_owned(), metric.to_owned(), value, 2);
    assert_eq!(rows(&sheet), [row("median", 2.0), row("min", 1.5), row("max", 3.0), row("average", 2.0)]);
    let primary: Vec<bool> = sheet.metrics.iter().map(|metric| metric.primary).collect();
    assert_eq!(primary, [true, false, false, false]);
    assert!(sheet.metrics.iter().all(|metric| metric.unit == "s"));
    assert!(sheet.process.is_empty() && sheet.problems.is_empty());
}

#[test]
fn the_tables_of_2015_are_read_by_their_average() {
    let plain = sheet(b"Benchmark,count,min,max,average\nSleep,10,0.1,0.3,0.2\n");
    assert_eq!(values(&plain, "average"), [("Sleep".to_owned(), 0.2)]);
    assert!(plain.metrics[0].primary && plain.metrics[0].name == "average");
    let cycles = sheet(
        b"#Benchmark,count,min,max,average,min_cycles,max_cycles,average_cycles\nTrig,8,1,3,2,1000,3000,2000\n",
    );
    assert_eq!(cycles.value, [2.0, 1.0, 3.0, 2000.0, 1000.0, 3000.0]);
    assert!(!cycles.metrics[3].primary && !cycles.metrics[3].may_be_exact);
    assert_eq!(cycles.metrics[3].unit, "cycles");
    let hash = sheet(b"#Benchmark,count,min,max,average\nA,1,1,1,1\nA,1,2,2,2\n");
    assert_eq!(values(&hash, "average"), [("A".to_owned(), 1.0), ("A".to_owned(), 2.0)]);
}

#[test]
fn runs_joined_in_one_file_are_several_runs() {
    let sheet = sheet(format!("{HEADER}A, 1, 1, 2, 2, 2, 2\n{HEADER}A, 1, 1, 3, 3, 3, 3\n").as_bytes());
    assert_eq!(values(&sheet, "median"), [("A".to_owned(), 2.0), ("A".to_owned(), 3.0)]);
}

#[test]
fn names_may_hold_commas_blanks_and_bytes_that_are_no_text() {
    let mut text = HEADER.as_bytes().to_vec();
    text.extend_from_slice(b"a, b<int, 3>, 1, 1, 2, 2, 2, 2\nx\xFF, 1, 1, 2, 2, 2, 2\n");
    let names: Vec<String> = values(&sheet(&text), "median").into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["a, b<int, 3>", "x\\xFF"]);
}

#[test]
fn tables_of_other_quantities_are_passed_over() {
    let text = format!(
        "WARNING: This is a debug build\n{HEADER}WARNING: slow\nA, 1, 1, 2, 2, 2, 2\n\n--- Supplemental data for benchmark category \"X\" ---\n# ID, a, b, c, d, e, f\nB, 1, 1, 2, 2, 2, 2\n"
    );
    let sheet = sheet(text.as_bytes());
    assert_eq!(values(&sheet, "median").len(), 1);
    assert!(sheet.problems.is_empty());
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_read() {
    let text = format!(
        "{HEADER}A, 1, 1\nB, 1, 1, 2, x, 2, 2\nC, 1, 1, 2, 2, 2, nan\nD, 1, 1, 2, -2, 2, 2\nE, 0, 1, 0, 0, 0, 0\n, 1, 1, 2, 2, 2, 2\nG, 1, 1, 2, 2, 2, 2\n"
    );
    let sheet = sheet(text.as_bytes());
    assert_eq!(
        problems(&sheet),
        [
            (2, Code::MalformedRecord),
            (3, Code::MalformedNumber),
            (4, Code::NotFinite),
            (5, Code::Negative),
            (6, Code::MalformedRecord),
            (7, Code::MalformedRecord)
        ]
    );
    assert_eq!(values(&sheet, "median"), [("D".to_owned(), 2.0), ("G".to_owned(), 2.0)]);
}

#[test]
fn a_last_line_without_its_end_is_taken_when_it_is_whole() {
    let whole = format!("{HEADER}A, 1, 1, 2e-05, 1e-05, 3e-05, 2e-05");
    assert_eq!(sheet(whole.as_bytes()).len(), 4);
    for cut in 1..whole.len() - HEADER.len() {
        let sheet = sheet(&whole.as_bytes()[..whole.len() - cut]);
        assert_eq!((sheet.len(), problems(&sheet)), (0, vec![(2, Code::Truncated)]), "{cut} bytes cut");
    }
}

#[test]
fn a_header_alone_has_no_result() {
    assert!(sheet(HEADER.as_bytes()).is_empty());
}

#[test]
fn real_files_give_their_figures() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bench_bitcoin");
    let real = |file: &str| std::fs::read(folder.join(file)).ok().map(|bytes| sheet(&bytes));
    let Some(node) = real("bchn-doc-sample.txt") else {
        println!("skipped: no {}", folder.display());
        return;
    };
    assert_eq!(node.len(), 31 * 4);
    assert_eq!(values(&node, "median")[0], ("Base58CheckEncode".to_owned(), 3.29183e-06));
    assert_eq!(values(&node, "average")[0].1, 5.28577 / 1_600_000.0);
    let old = real("doc-sample-1cb9ec52.txt").unwrap();
    assert_eq!(values(&old, "average").iter().filter(|row| row.0 == "RollingBloom-refresh").count(), 4);
    assert_eq!(real("xt-2015-style.txt").unwrap().value[0], 0.100443);
    let core = real("core-pr18011-legacy.csv").unwrap();
    assert_eq!(values(&core, "median")[1], ("Base58CheckEncode".to_owned(), 2.07709090909091e-06));
    let generated = real("nanobench-generated/legacy.run10.csv").unwrap();
    assert_eq!(generated.len(), 3 * 4);
    for sheet in [node, old, core, generated] {
        assert!(sheet.problems.is_empty(), "{:?}", sheet.problems);
    }
}
