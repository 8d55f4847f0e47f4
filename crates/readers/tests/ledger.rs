//! Ledger replays: both forms, every era, and malformed input.

use std::path::{Path, PathBuf};

use statera_readers::source::Content;
use statera_readers::{Code, Limits, Observations, Options, Source, detection};

fn read(format: &str, file: &str, text: &str) -> Observations {
    let content = Content::from_bytes(text.as_bytes()).unwrap();
    let detected = detection::detect(&content.head, Path::new("")).unwrap();
    assert_eq!(detected.name, format);
    let sheets = detected.sheets(file, Path::new(file), &content, &Options::default()).unwrap();
    let source = Source { name: file.into(), argument: 0, format: detected.name, values: 0 };
    Observations::join(vec![(source, sheets)], &Limits::default()).unwrap()
}

fn values(all: &Observations, metric: &str) -> Vec<(String, f64)> {
    (0..all.len())
        .filter(|&row| all.metrics[all.metric[row] as usize].name == metric)
        .map(|row| (all.blocks.get(all.block[row]).to_owned(), all.value[row]))
        .collect()
}

fn problems(all: &Observations) -> Vec<(u32, Code)> {
    all.problems.iter().map(|problem| (problem.line, problem.code)).collect()
}

fn blocks(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|(slot, value)| ((*slot).to_owned(), *value)).collect()
}

const FIRST: &str = "slot\tslotGap\ttotalTime\tmut\tgc\tmajGcCount\tmut_forecast\tmut_headerTick\tmut_headerApply\tmut_blockTick\tmut_blockApply\t...era-specific stats\n";

#[test]
fn twelve_names_stand_over_thirteen_or_fourteen_columns() {
    let text = format!(
        "{FIRST}5\t2\t900\t800\t100\t1\t70\t1\t300\t400\t29\t1\t325\t0\r\n9\t4\t123457\t123457\t0\t0\t1\t1\t1\t1\t1\t2\t99\n"
    );
    let all = read("ledger-ops", "ledger-ops-cost-abc-haskell96-from-3-nr-blocks-2.csv", &text);
    assert_eq!(problems(&all), []);
    assert_eq!(values(&all, "totalTime"), blocks(&[("5", 900e-6), ("9", 123_457e-6)]));
    assert_eq!(values(&all, "mut_blockApply"), blocks(&[("5", 29e-6), ("9", 1e-6)]));
    assert_eq!(values(&all, "majGcCount"), blocks(&[("5", 1.0), ("9", 0.0)]));
    assert_eq!(all.len(), 22);
    assert!(all.process.iter().all(|&process| process == 0));
    assert_eq!(all.benchmarks.iter().collect::<Vec<_>>(), ["ledger-ops"]);
    let context = all.contexts.to_context(all.context[0] as usize);
    let pairs: Vec<_> = context.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(pairs, ["revision=abc", "compiler=haskell96", "from-slot=3", "nr-blocks=2"]);
    let primary: Vec<_> = all.metrics.iter().filter(|m| m.primary).map(|m| m.name.as_str()).collect();
    assert_eq!(primary, ["totalTime", "mut", "gc", "mut_headerApply", "mut_blockTick", "mut_blockApply"]);
    assert!(all.metrics.iter().all(|metric| metric.name != "majGcCount" || !metric.may_be_exact));
}

#[test]
fn later_eras_are_read_by_the_names_of_their_columns() {
    let text = "slot\tslotGap\ttotalTime\tmut\tgc\ttableReadTime\tmut_tableRead\tmajGcCount\tminGcCount\tallocatedBytes\tmut_forecast\tmut_headerTick\tmut_headerApply\tmut_blockTick\tmut_blockApply\tblockBytes\tebBytes\tebTxsBytes\tebNumTxs\tebReadTime\tmut_ebRead\t...era-specific stats\n\
        7\t1\t10\t9\t1\t3\t2\t0\t4\t1024\t1\t1\t1\t1\t5\t600\t8\t9\t10\t11\t12\t1\t2\t3\n";
    let all = read("ledger-ops", "x.csv", text);
    assert_eq!(problems(&all), []);
    for (metric, value) in [
        ("tableReadTime", 3e-6),
        ("mut_tableRead", 2e-6),
        ("minGcCount", 4.0),
        ("allocatedBytes", 1024.0),
        ("ebReadTime", 11e-6),
        ("mut_ebRead", 12e-6),
    ] {
        assert_eq!(values(&all, metric), blocks(&[("7", value)]), "{metric}");
        assert!(all.metrics.iter().any(|m| m.name == metric && !m.primary));
    }
    for work in ["slotGap", "blockBytes", "ebBytes", "ebTxsBytes", "ebNumTxs"] {
        assert_eq!(values(&all, work), [], "{work} describes the block");
    }
    assert!(all.contexts.to_context(all.context[0] as usize).is_empty());
}

#[test]
fn columns_behind_the_statistics_are_found() {
    let text = "slot\tslotGap\ttotalTime\tmut\tgc\t...era-specific stats\tmut_blockApply\tnovelty\n1\t1\t3\t2\t1\t7\t8\t9\t55\t4\n2\t1\t3\t2\t1\t7\t8\t66\t4\n";
    let all = read("ledger-ops", "x.csv", text);
    assert_eq!(values(&all, "mut_blockApply"), blocks(&[("1", 55e-6), ("2", 66e-6)]));
    assert_eq!(problems(&all), [(1, Code::MalformedRecord)]);
    assert!(all.problems[0].what.contains("novelty"));
}

#[test]
fn broken_rows_are_named_by_line_and_the_rest_is_read() {
    let good = "\t2\t900\t800\t100\t1\t70\t1\t300\t400\t29\t1\t325\t0\n";
    let text = format!(
        "{FIRST}1{good}2\t2\t900\t800\n\n1{good}x{good}-3{good}4\t2\t9x0\t800\t-100\t1\t70\t1\t300\t400\tinf\t1\t325\t0\n9\t2\t900\t80"
    );
    let all = read("ledger-ops", "x.csv", &text);
    assert_eq!(
        problems(&all),
        [
            (3, Code::MalformedRecord),
            (5, Code::Contradiction),
            (6, Code::MalformedRecord),
            (7, Code::MalformedRecord),
            (8, Code::MalformedNumber),
            (8, Code::Negative),
            (8, Code::NotFinite),
            (9, Code::Truncated),
        ]
    );
    assert!(all.problems[1].what.contains("slot 1 "));
    assert_eq!(values(&all, "mut"), blocks(&[("1", 800e-6), ("4", 800e-6)]));
}

const METADATA: &str = r#"{"rtsGCMaxStkSize":838,"compilerVersion":"8.10","compilerName":"ghc","gitRevison":"abc","ledgerApplicationMode":"full-application","operatingSystem":null}"#;

fn object(slot: &str, time: &str) -> String {
    format!(
        r#"{{"slot":{slot},"slotGap":3,"totalTime":{time},"mut":7,"gc":1,"majGcCount":0,"blockByteSize":512,"blockStats":["1","325"]}}"#
    )
}

#[test]
fn json_objects_stand_one_behind_the_other() {
    let text = format!("{METADATA}{}{}\n\n{}", object("5", "8"), object("6", "9.5"), object("7", "10"));
    let all = read("ledger-ops-json", "ledger-ops-cost-abc-ghc-from-1-nr-blocks-9.json", &text);
    assert_eq!(problems(&all), []);
    assert_eq!(values(&all, "totalTime"), blocks(&[("5", 8e-6), ("6", 9.5e-6), ("7", 10e-6)]));
    assert_eq!((all.line[0], all.line[all.len() - 1]), (1, 3));
    let context = all.contexts.to_context(all.context[0] as usize);
    let get = |key: &str| context.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    assert_eq!(get("revision"), Some("abc"));
    assert_eq!(get("rtsGCMaxStkSize"), Some("838"));
    assert_eq!(get("nr-blocks"), Some("9"));
    assert_eq!(get("operatingSystem"), None);
}

#[test]
fn json_that_is_cut_or_odd_is_named() {
    let block = object("7", "10");
    let cut = format!("{METADATA}{}{}", object("5", "8"), &block[..40]);
    let all = read("ledger-ops-json", "x.json", &cut);
    assert_eq!(problems(&all), [(1, Code::Truncated)]);
    assert_eq!(values(&all, "totalTime").len(), 1);

    let odd = format!("{METADATA}\n{block}\n{block}\n[1]\n{}\n{{nonsense", object("\"8\"", "1"));
    let all = read("ledger-ops-json", "ledger-ops-cost-zzz-ghc-from-1-nr-blocks-9.json", &odd);
    let m = Code::MalformedRecord;
    assert_eq!(problems(&all), [(1, Code::Contradiction), (3, Code::Contradiction), (4, m), (5, m), (6, m)]);
    assert!(all.problems[0].what.contains("zzz"));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[test]
fn real_replays_give_the_published_medians() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/db-analyser");
    if !shared.is_dir() {
        println!("skipped: no {}", shared.display());
        return;
    }
    let baseline =
        "ledger-ops-cost-e3917f684e8b60e7bfc453d6d8114b800bdf167d-haskell810-from-63-nr-blocks-100000.csv";
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&shared).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let all = statera_readers::read(std::slice::from_ref(&file), &Options::default()).unwrap();
        assert_eq!(problems(&all), [], "{}", file.display());
        assert_eq!(all.sources[0].format, "ledger-ops");
        let name = file.file_name().unwrap().to_str().unwrap();
        let rows = if name.ends_with("nr-blocks-100.csv") { 100 } else { 122 };
        let total = values(&all, "totalTime");
        assert_eq!(total.len(), rows, "{name}");
        if name == baseline {
            let middle = median(total.into_iter().map(|(_, value)| value).collect());
            assert!((middle - 32200.5e-6).abs() < 1e-12, "{middle}");
        }
    }
}
