//! hyperfine's JSON export.

use std::path::{Path, PathBuf};

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Options, Sheet};

fn sheet(text: &[u8]) -> Sheet {
    let content = Content::from_bytes(text).unwrap();
    by_name("hyperfine")
        .unwrap()
        .sheets("f", Path::new("f"), &content, &Options::default())
        .unwrap()
        .remove(0)
}

/// One result per line, from the third line on.
fn results(results: &[&str]) -> Sheet {
    let text = format!("{{\n\"results\": [\n{}\n]}}", results.join(",\n"));
    sheet(text.as_bytes())
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

#[test]
fn each_run_is_a_value() {
    let text = r#"{"results": [
        {
            "command": "seq 10", "mean": 1.5, "stddev": null, "user": 0.5, "system": 0.25,
            "times": [1.0, 2.0], "memory_usage_byte": [4096, 8192], "exit_codes": [0, 0],
            "parameters": {"n": "10", "k": 3}
        },
        {"mean": 7, "times": [7],
         "command": "seq 20"}
    ]}"#;
    assert_eq!(detect(text.as_bytes(), Path::new("")).unwrap().name, "hyperfine");
    let sheet = sheet(text.as_bytes());
    let want = [
        ("seq 10", "time", 1.0, 3),
        ("seq 10", "memory", 4096.0, 3),
        ("seq 10", "time", 2.0, 3),
        ("seq 10", "memory", 8192.0, 3),
        ("seq 10", "user (mean)", 0.5, 3),
        ("seq 10", "system (mean)", 0.25, 3),
        ("seq 20", "time", 7.0, 8),
    ];
    assert_eq!(rows(&sheet), want);
    assert_eq!(context(&sheet, 0), [("k", "3"), ("n", "10")]);
    assert_eq!(context(&sheet, 6), []);
    assert!(sheet.process.is_empty() && sheet.problems.is_empty());
    let primary: Vec<&str> = sheet.metrics.iter().filter(|m| m.primary).map(|m| &*m.name).collect();
    assert_eq!(primary, ["time"]);
    let memory = &sheet.metrics[1];
    assert_eq!((&*memory.unit, memory.may_be_exact), ("B", false));
}

#[test]
fn a_command_that_always_fails_alike_is_kept_and_marked() {
    let sheet = results(&[
        r#"{"command": "false", "times": [1, 2], "exit_codes": [3, 3]}"#,
        r#"{"command": "crash", "times": [1], "exit_codes": [null]}"#,
    ]);
    // That they failed is told of each run, before its time.
    assert_eq!(sheet.value, [1.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
    assert_eq!(context(&sheet, 0), [("exit_code", "3")]);
    assert_eq!(context(&sheet, 4), [("exit_code", "signal")]);
    assert!(sheet.metrics[sheet.metric[0] as usize].fails(1.0));
}

#[test]
fn runs_that_fail_now_and_then_are_left_out_with_the_means_over_them() {
    let sheet = results(&[
        r#"{"command": "a", "user": 9, "times": [1, 2, 4], "memory_usage_byte": [10, 20, 40], "exit_codes": [0, 3, 0]}"#,
    ]);
    assert_eq!(sheet.value, [0.0, 1.0, 0.0, 1.0, 10.0, 4.0, 40.0]);
    assert_eq!(sheet.metrics[sheet.metric[0] as usize].name, "failed");
    assert_eq!(problems(&sheet), [(3, Code::MalformedRecord)]);
    assert_eq!(sheet.problems[0].what, "run 2 of `a` ended with exit code 3");
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_read() {
    let sheet = results(&[
        r#"{"times": [1]}"#,
        r#"{"command": "a", "mean": 1}"#,
        r#"{"command": "b", "times": [1], "exit_codes": [0, 0]}"#,
        r#"{"command": "c", "times": ["x", null, -1, NaN, -Infinity, 1]}"#,
        "[]",
        r#"{"command": "d \"command\": NaN", "times": [5], "user": null}"#,
    ]);
    assert_eq!(
        problems(&sheet),
        [
            (3, Code::MalformedRecord),
            (4, Code::MalformedRecord),
            (5, Code::Contradiction),
            (6, Code::MalformedNumber),
            (6, Code::MalformedNumber),
            (6, Code::Negative),
            (6, Code::NotFinite),
            (6, Code::NotFinite),
            (7, Code::MalformedRecord),
        ]
    );
    assert_eq!(sheet.value, [1.0, 5.0]);
    assert_eq!(rows(&sheet)[1].0, "d \"command\": NaN");
}

#[test]
fn a_file_that_is_cut_or_no_json_is_a_problem() {
    let whole = "{\n\"results\": [\n{\"command\": \"a\",\n\"mean\": 1,\n\"times\": [1, 2]}\n]}";
    for end in 1..whole.len() {
        let sheet = sheet(&whole.as_bytes()[..end]);
        let line = whole[..end].split('\n').count() as u32;
        let code = sheet.problems[0].code;
        // The parser counts a final line end with the line that it ends.
        assert!(sheet.problems[0].line.abs_diff(line) <= 1 && code == Code::Truncated, "{end}: {code:?}");
        assert!(sheet.is_empty());
    }
    assert_eq!(problems(&sheet(b"{}")), [(0, Code::MalformedRecord)]);
    assert_eq!(problems(&sheet(b"{\"results\": []} x")), [(1, Code::BrokenFile)]);
    let appended = b"{\"results\": [{\"command\": \"a\", \"times\": [1]}]}\n{\"results\": [{\"command\": \"a\", \"times\": [2]}]}";
    assert_eq!((sheet(appended).value, problems(&sheet(appended))), (vec![1.0, 2.0], vec![]));
    assert_eq!(problems(&sheet("{\"a\":".repeat(500_000).as_bytes())), [(1, Code::BrokenFile)]);
    assert!(sheet(b"{\"results\": []}").is_empty());
}

#[test]
fn bytes_that_are_no_text_stay_visible() {
    let sheet = sheet(b"{\"results\": [{\"command\": \"a\xFF\\\\\", \"times\": [1]}]}");
    assert_eq!(rows(&sheet)[0].0, "a\\xFF\\");
}

#[test]
fn the_parameter_of_old_versions_has_no_name() {
    let sheet = results(&[r#"{"command": "a", "times": [1], "parameter": "7"}"#]);
    assert_eq!(context(&sheet, 0), [("parameter", "7")]);
}

#[test]
fn real_files_give_their_figures() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hyperfine");
    let real = |file: &str| {
        std::fs::read(folder.join(file)).ok().map(|bytes| {
            assert_eq!(detect(&bytes, Path::new("")).unwrap().name, "hyperfine");
            sheet(&bytes)
        })
    };
    let Some(new) = real("seq-1.20.0.json") else {
        println!("skipped: no {}", folder.display());
        return;
    };
    // Two commands of 15 runs with time and memory, and two means each.
    assert_eq!((new.len(), new.problems.len()), (2 * (15 * 2 + 2), 0));
    assert_eq!(rows(&new)[0], ("seq 10000", "time", 0.000_810_489_000_000_000_1, 4));
    assert_eq!(context(&new, 0), [("n", "10000")]);
    let old = real("seq-1.15.0.json").unwrap();
    assert_eq!((old.len(), old.metrics.len()), (2 * (15 + 2), 3));
    let failing = real("nonzero-exit.json").unwrap();
    assert_eq!(context(&failing, 0), [("exit_code", "3")]);
    assert_eq!((failing.len(), failing.problems.len()), (5 * 3 + 2, 0));
}
