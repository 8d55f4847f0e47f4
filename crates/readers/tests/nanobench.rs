//! nanobench's JSON and CSV templates.

use std::path::{Path, PathBuf};

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Options, Sheet};

fn read(format: &str, text: &str) -> Sheet {
    let content = Content::from_bytes(text.as_bytes()).unwrap();
    let format = by_name(format).unwrap();
    format.sheets("f", Path::new("f"), &content, &Options::default()).unwrap().remove(0)
}

fn rows(sheet: &Sheet) -> Vec<(&str, &str, f64, u32)> {
    (0..sheet.len())
        .map(|i| {
            let metric = &sheet.metrics[sheet.metric[i] as usize];
            (sheet.benchmarks.get(sheet.benchmark[i]), &*metric.name, sheet.value[i], sheet.line[i])
        })
        .collect()
}

fn problems(sheet: &Sheet) -> Vec<(u32, Code)> {
    sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect()
}

fn context(sheet: &Sheet, row: usize) -> Vec<(&str, &str)> {
    sheet.contexts.get(sheet.context[row] as usize).collect()
}

/// A document with one result per argument: title, unit and batch, then the epochs.
fn document(results: &[(&str, &str)]) -> String {
    let results: Vec<String> = results
        .iter()
        .map(|(head, epochs)| {
            format!("{{{head},\n\"median(elapsed)\": 1,\n\"measurements\": [\n{epochs}\n]}}")
        })
        .collect();
    format!("{{\n\"results\": [\n{}\n]}}\n", results.join(",\n"))
}

const PLAIN: &str = r#""title": "benchmark", "name": "A", "unit": "op", "batch": 1"#;

#[test]
fn each_epoch_is_a_value_of_one_process() {
    let epochs = "{\"elapsed\": 1.5, \"instructions\": 0, \"cpucycles\": 7},\n{\"elapsed\": 2.5, \"instructions\": 0, \"cpucycles\": 0}";
    let text = document(&[(PLAIN, epochs)]);
    assert_eq!(detect(text.as_bytes(), Path::new("")).unwrap().name, "nanobench-json");
    let sheet = read("nanobench-json", &text);
    // Instructions are 0 everywhere, so nobody counted them; cycles are 0 once, which is a value.
    let want = [
        ("A", "elapsed", 1.5, 6),
        ("A", "cpucycles", 7.0, 6),
        ("A", "elapsed", 2.5, 7),
        ("A", "cpucycles", 0.0, 7),
    ];
    assert_eq!(rows(&sheet), want);
    assert_eq!(sheet.process, [0; 4]);
    assert!(sheet.metrics[0].primary && !sheet.metrics[1].primary && !sheet.metrics[1].may_be_exact);
    assert_eq!(context(&sheet, 0), []);
}

#[test]
fn time_is_per_iteration_whatever_the_batch_and_the_title_is_kept() {
    let head = r#""title": "hash", "name": "A", "unit": "byte", "batch": 200"#;
    let sheet =
        read("nanobench-json", &document(&[(head, "{\"elapsed\": 4e-9}"), (PLAIN, "{\"elapsed\": 5e-9}")]));
    assert_eq!(sheet.value, [4e-9, 5e-9]);
    assert_eq!(context(&sheet, 0), [("title", "hash"), ("unit", "byte"), ("batch", "200")]);
    assert_eq!(context(&sheet, 1), []);
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_read() {
    let sheet = read(
        "nanobench-json",
        &document(&[
            ("\"title\": \"no name\"", "{\"elapsed\": 1}"),
            (PLAIN, ""),
            (
                PLAIN,
                "{\"elapsed\": null},\n{\"elapsed\": -1},\n{\"elapsed\": NaN},\n{},\n3,\n{\"elapsed\": 8}",
            ),
        ]),
    );
    assert_eq!(
        problems(&sheet),
        [
            (3, Code::MalformedRecord),
            (8, Code::MalformedRecord),
            (16, Code::MalformedNumber),
            (17, Code::Negative),
            (18, Code::NotFinite),
            (19, Code::MalformedRecord),
            (13, Code::MalformedRecord),
        ]
    );
    assert_eq!(rows(&sheet), [("A", "elapsed", 8.0, 21)]);
}

#[test]
fn no_document_and_no_results_are_problems() {
    for (text, code, line) in [
        ("{}", Code::MalformedRecord, 0),
        ("[]", Code::BrokenFile, 1),
        ("{\"results\": 3}", Code::MalformedRecord, 0),
        ("{\"results\": [\n{\"name\": \"A\"", Code::Truncated, 2),
        ("{\"results\": [\n}", Code::BrokenFile, 2),
    ] {
        assert_eq!(problems(&read("nanobench-json", text)), [(line, code)], "{text}");
    }
    let deep = "[".repeat(1_000_000);
    assert_eq!(problems(&read("nanobench-json", &deep)), [(1, Code::BrokenFile)]);
}

const HEADER: &str =
    r#""title";"name";"unit";"batch";"elapsed";"error %";"instructions";"branches";"branch misses";"total""#;

#[test]
fn the_csv_template_gives_one_median_a_run() {
    let text = format!(
        "{HEADER}\n\"benchmark\";\"a;b\"c\";\"op\";1;5e-9;0.1;12;0;0;0.5\n\"t\";\"B\";\"byte\";200;6e-9;0.1;0;0;0;0.5"
    );
    assert_eq!(detect(text.as_bytes(), Path::new("")).unwrap().name, "nanobench-csv");
    let sheet = read("nanobench-csv", &text);
    let want = [
        ("a;b\"c", "median", 5e-9, 2),
        ("a;b\"c", "instructions", 12.0, 2),
        ("B", "median", 6e-9, 3),
        ("B", "instructions", 0.0, 3),
    ];
    assert_eq!(rows(&sheet), want);
    assert!(sheet.metrics[0].primary && !sheet.metrics[1].primary);
    assert_eq!(context(&sheet, 2), [("title", "t"), ("unit", "byte"), ("batch", "200")]);
    assert!(sheet.process.is_empty());
}

#[test]
fn csv_rows_that_are_cut_or_wrong_are_named() {
    let text = format!(
        "{HEADER}\n\"b\";\"A\";1;2\n\"b\";\"B\";\"op\";1;x;0;0;0;0;1\n\"b\";\"C\";\"op\";1;nan;0;0;0;0;1\n{HEADER}\n\"b\";\"D\";\"op\";1;2;0;0;0;0;1\n\"b\";\"E\";\"op\";1;2;0"
    );
    let sheet = read("nanobench-csv", &text);
    assert_eq!(
        problems(&sheet),
        [(2, Code::MalformedRecord), (7, Code::Truncated), (3, Code::MalformedNumber), (4, Code::NotFinite)]
    );
    assert_eq!(rows(&sheet), [("D", "median", 2.0, 6)]);
}

#[test]
fn real_files_give_their_figures() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/bench_bitcoin/nanobench-generated");
    let Ok(text) = std::fs::read_to_string(folder.join("bench.json")) else {
        println!("skipped: no {}", folder.display());
        return;
    };
    let sheet = read("nanobench-json", &text);
    assert_eq!((sheet.len(), sheet.metrics.len(), sheet.problems.len()), (33, 1, 0));
    assert_eq!(rows(&sheet)[0], ("RngNext", "elapsed", 4.79030034711101e-09, 31));
    for run in 1..=10 {
        let text = std::fs::read_to_string(folder.join(format!("bench.run{run}.json"))).unwrap();
        assert_eq!(detect(text.as_bytes(), Path::new("")).unwrap().name, "nanobench-json");
        assert_eq!(read("nanobench-json", &text).len(), 33);
    }
    let text = std::fs::read_to_string(folder.join("bench.nanobench.csv")).unwrap();
    assert_eq!(detect(text.as_bytes(), Path::new("")).unwrap().name, "nanobench-csv");
    let sheet = read("nanobench-csv", &text);
    assert_eq!(sheet.value, [4.81059869706979e-09, 9.93099460497488e-09, 7.28809405413085e-09]);
    assert_eq!(context(&sheet, 1), [("unit", "byte"), ("batch", "200")]);
}
