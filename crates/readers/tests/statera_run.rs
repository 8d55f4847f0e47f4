//! Journals of runs, with their manifest and raw outputs in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use statera_readers::detection::{by_name, detect};
use statera_readers::source::Content;
use statera_readers::{Code, Observations, Options, Sheet, read};

use crate::corpus::fuzz;

const MANIFEST: &str = r#"{"statera": "run/1", "id": "00000001000000000000000000000000",
 "created": "2026-11-22T10:00:00+00:00", "host": {"host": "bench1", "cores": 8, "cpu": null},
 "plan": {"variants": [{"name": "old", "levels": [["rev", "v1"]]}, {"name": "new", "levels": [["rev", "v2"]]}],
  "benchmarks": ["work", "suite"],
  "cells": [{"benchmark": 0, "variant": 0, "format": null}, {"benchmark": 1, "variant": 1, "format": "go"}],
  "rounds": {"number": 3, "shares": []}},
 "sources": [{"variant": "new", "revision": "abc", "dirty": true}]}"#;

const SESSION: &str = r#"{"kind":"session","started":"2026-11-22","boot":"b","process":1}"#;

const INVOCATION: &str = r#"{"kind":"invocation","number":1,"round":1,"order":2,"benchmark":"work","variant":"old","time":1.5,"user":1.0,"system":0.25,"memory":4096,"exit":0}"#;

/// A folder that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, manifest: &str, lines: &[&str]) -> Self {
        let path = std::env::temp_dir().join(format!("statera-run-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("raw")).unwrap();
        fs::write(path.join("manifest.json"), manifest).unwrap();
        fs::write(path.join("journal.ndjson"), lines.join("\n") + "\n").unwrap();
        Self(path)
    }

    fn read(&self) -> Observations {
        read(std::slice::from_ref(&self.0), &Options::default()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn problems(all: &Observations) -> Vec<(Code, u32)> {
    all.problems.iter().map(|problem| (problem.code, problem.line)).collect()
}

fn context(all: &Observations, row: usize) -> Vec<(&str, &str)> {
    all.contexts.get(all.context[row] as usize).collect()
}

#[test]
fn an_invocation_gives_a_value_of_each_metric() {
    let folder = Folder::new("metrics", MANIFEST, &[SESSION, INVOCATION]);
    let all = folder.read();
    let rows: Vec<_> =
        (0..all.len()).map(|row| (&*all.metrics[all.metric[row] as usize].name, all.value[row])).collect();
    assert_eq!(rows, [("time", 1.5), ("cpu", 1.25), ("user", 1.0), ("system", 0.25), ("memory", 4096.0)]);
    let expected = [
        ("variant", "old"),
        ("rev", "v1"),
        ("round", "1"),
        ("order", "2"),
        ("date", "2026-11-22T10:00:00+00:00"),
        ("host", "bench1"),
        ("cores", "8"),
    ];
    assert_eq!(context(&all, 0), expected);
    assert!(all.line.iter().all(|&line| line == 2));
    assert!(all.process.iter().all(|&process| process == 0));
    assert_eq!(all.blocks.iter().collect::<Vec<_>>(), ["1 of 00000001"]);
    assert!(problems(&all).is_empty());
}

#[test]
fn the_variants_stand_in_the_order_of_the_plan() {
    let new = INVOCATION.replace("old", "new");
    let folder = Folder::new("order", MANIFEST, &[SESSION, &new, INVOCATION]);
    let all = folder.read();
    let variant = |number| all.contexts.get(number).find(|(key, _)| *key == "variant").map(|(_, name)| name);
    let names: Vec<&str> = (0..all.contexts.len()).filter_map(variant).collect();
    assert_eq!(names[..2], ["old", "new"]);
    assert_eq!(
        context(&all, 0)[..5],
        [("variant", "new"), ("rev", "v2"), ("round", "1"), ("order", "2"), ("commit", "abc")]
    );
}

#[test]
fn a_journal_is_recognised_by_its_first_record() {
    assert_eq!(
        detect(format!("{SESSION}\n{INVOCATION}\n").as_bytes(), Path::new("")).unwrap().name,
        "statera-run"
    );
    assert_eq!(detect(format!("{SESSION}\n").as_bytes(), Path::new("")).unwrap().name, "statera-run");
    assert!(detect(format!("{INVOCATION}\n").as_bytes(), Path::new("")).is_err());
}

#[test]
fn a_journal_without_its_manifest_cannot_be_read() {
    let content = Content::from_bytes(SESSION.as_bytes()).unwrap();
    let read =
        by_name("statera-run").unwrap().sheets("j", Path::new("nowhere/j"), &content, &Options::default());
    assert!(read.unwrap_err().to_string().contains("no manifest.json beside it"));
}

#[test]
fn wherever_the_journal_is_cut_whole_records_are_read_and_nothing_is_said() {
    let folder = Folder::new("cut", MANIFEST, &[SESSION, INVOCATION, &INVOCATION.replace("old", "new")]);
    let journal = folder.0.join("journal.ndjson");
    let whole = fs::read(&journal).unwrap();
    for cut in SESSION.len() + 1..=whole.len() {
        fs::write(&journal, &whole[..cut]).unwrap();
        let all = folder.read();
        let records = whole[..cut].split(|&byte| byte == b'\n').count() - 2;
        assert_eq!(all.len(), 5 * records, "cut at {cut}");
        // Without a record it is a file without results.
        assert!(
            problems(&all).iter().all(|(code, _)| *code == Code::NoResults && records == 0),
            "cut at {cut}"
        );
    }
}

#[test]
fn what_failed_is_a_problem_and_what_warmed_up_is_not() {
    let failure = r#"{"kind":"failure","number":3,"round":2,"order":1,"benchmark":"work","variant":"new","reason":"exit","message":"exit code 3"}"#;
    let warm_up = INVOCATION.replace("\"exit\":0", "\"exit\":0,\"warmup\":true");
    let build = r#"{"kind":"build","key":"k","ok":false,"cached":false,"seconds":1,"message":"cc: no","artefacts":{}}"#;
    let folder = Folder::new("failed", MANIFEST, &[SESSION, &warm_up, build, INVOCATION, failure]);
    let all = folder.read();
    // What never gave a sample has no value.
    assert_eq!(all.len(), 5);
    assert_eq!(problems(&all), [(Code::FailedBuild, 3), (Code::FailedInvocation, 5)]);
    assert_eq!(all.problems[1].what, "`work` of `new` failed in round 2 (exit): exit code 3");
    // Which runs failed is told where one gave a sample, also of those that may fail.
    let accepted = INVOCATION.replace("\"exit\":0", "\"exit\":3");
    let records = [SESSION, INVOCATION, &accepted, &failure.replace("new", "old")];
    let all = Folder::new("accepted", MANIFEST, &records).read();
    assert_eq!(all.value[10..], [0.0, 1.0, 1.0]);
    assert_eq!(all.metrics[all.metric[10] as usize].name, "failed");
    assert!(Code::FailedInvocation.loses_data() && Code::FailedInvocation.is_remark());
}

#[test]
fn an_output_is_read_in_the_format_of_its_cell() {
    let line = INVOCATION.replace("work", "suite").replace("old", "new");
    let line = line.replace("\"exit\":0", "\"exit\":0,\"output\":\"raw/000001.txt\"");
    let folder = Folder::new("output", MANIFEST, &[SESSION, &line]);
    fs::write(folder.0.join("raw/000001.txt"), "goos: linux\nBenchmarkX 10 5 ns/op\n").unwrap();
    let all = folder.read();
    assert_eq!((all.len(), all.value[0], all.line[0], all.process[0]), (1, 5e-9, 2, 0));
    let context = context(&all, 0);
    assert!(context.contains(&("program", "suite")) && context.contains(&("goos", "linux")));
}

#[test]
fn every_kept_run_is_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/statera_run");
    let mut inputs = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        fuzz::read_run(&fs::read(entry.unwrap().path()).unwrap());
        inputs += 1;
    }
    assert!(inputs > 3);
}

#[test]
fn a_sheet_of_a_journal_holds_no_lines_of_outputs() {
    // Problems of an output name its own lines, so that no sheet may shift those of the next.
    let folder = Folder::new("lines", MANIFEST, &[SESSION, INVOCATION]);
    let content = Content::from_bytes(&fs::read(folder.0.join("journal.ndjson")).unwrap()).unwrap();
    let path = folder.0.join("journal.ndjson");
    let sheets: Vec<Sheet> =
        by_name("statera-run").unwrap().sheets("j", &path, &content, &Options::default()).unwrap();
    assert!(sheets.iter().all(|sheet| sheet.lines == 0));
}

#[test]
fn each_host_has_rounds_and_facts_of_its_own_and_a_lost_one_is_told_until_it_is_back() {
    let manifest = MANIFEST.replace(r#""rounds": {"#, r#""hosts": ["a", "b"], "rounds": {"#);
    let on = |host: &str| INVOCATION.replacen('{', &format!(r#"{{"host":"{host}","#), 1);
    let known = |host: &str| {
        format!(r#"{{"kind":"host","host":"{host}","facts":{{"host":"n","cpu":"cpu of {host}"}}}}"#)
    };
    let lost = r#"{"kind":"lost","host":"b","round":2,"message":"gone"}"#;
    let mut lines = vec![SESSION.to_owned(), known("a"), known("b"), on("a"), on("b"), lost.to_owned()];
    let read = |name: &str, lines: &[String]| {
        Folder::new(name, &manifest, &lines.iter().map(String::as_str).collect::<Vec<_>>()).read()
    };
    let all = read("lost", &lines);
    assert_eq!(problems(&all), [(Code::HostLost, 6)]);
    assert_eq!(all.problems[0].what, "the host b was lost in round 2: gone");
    let blocks: std::collections::HashSet<u32> = all.block.iter().copied().collect();
    assert_eq!(blocks.len(), 2);
    let (first, last) = (context(&all, 0), context(&all, all.len() - 1));
    assert!(
        first.contains(&("host", "a"))
            && first.contains(&("cpu", "cpu of a"))
            && first.contains(&("hosts", "a, b"))
    );
    assert!(last.contains(&("host", "b")) && last.contains(&("cpu", "cpu of b")));
    // Cores are those of the machine that started the run.
    assert!(first.iter().all(|(key, _)| *key != "cores"));
    lines.push(known("b"));
    assert_eq!(problems(&read("back", &lines)), []);
}
