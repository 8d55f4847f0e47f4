//! JMH's JSON.

use std::path::Path;

use statera_readers::Code;
use statera_readers::detection::{by_name, detect};

use crate::support::{context, metrics, problems, rows, sheet, stored};

#[test]
fn every_mode_has_its_unit_and_direction_and_forks_are_processes() {
    let bytes = stored("jmh/real/modes.json");
    assert_eq!(detect(&bytes, Path::new("f")).unwrap().name, "jmh");
    let sheet = sheet(by_name("jmh").unwrap(), &bytes);
    assert_eq!(problems(&sheet), []);
    let known: Vec<_> = metrics(&sheet).into_iter().filter(|metric| !metric.0.starts_with('p')).collect();
    assert_eq!(
        known,
        [
            ("thrpt", "1/s", "higher", true),
            ("gc.alloc.rate", "B/s", "", false),
            ("gc.alloc.rate.norm", "B", "lower", false),
            ("gc.count", "1", "lower", false),
            ("avgt", "s", "lower", true),
            ("ss", "s", "lower", true),
        ]
    );
    let shown = rows(&sheet);
    let of =
        |metric: &str| shown.iter().filter(|row| row.contains(&format!(" {metric} "))).collect::<Vec<_>>();
    // Two levels of n, two forks of three iterations.
    assert_eq!((of("thrpt").len(), of("avgt").len(), of("ss").len()), (12, 12, 12));
    assert!(of("thrpt")[0].starts_with("2 0 org.sample.Sums.sum thrpt "));
    assert!(of("thrpt").iter().all(|row| row.contains("00.") || row.contains('e')), "{:?}", of("thrpt"));
    assert_eq!(sheet.process.iter().max(), Some(&11));
    assert!(
        context(&sheet, 0).contains(&("n", "16")) && context(&sheet, 0).contains(&("jdkVersion", "17.0.15"))
    );
}

#[test]
fn sample_mode_has_every_operation_and_percentiles_of_iterations() {
    let sheet = sheet(by_name("jmh").unwrap(), &stored("jmh/real/sample.json"));
    assert_eq!(problems(&sheet), []);
    assert_eq!(metrics(&sheet)[0], ("sample", "s", "lower", true));
    assert!(
        metrics(&sheet)[1..]
            .iter()
            .all(|metric| metric.0.starts_with('p') && *metric == (metric.0, "s", "lower", false))
    );
    assert_eq!(sheet.process.iter().max(), Some(&1));
    assert_eq!(context(&sheet, 0)[0], ("threads", "1"));
    assert!(
        context(&sheet, 0).contains(&("n", "4096")) && context(&sheet, 0).contains(&("jvmArgs", "-Xint"))
    );
}

#[test]
fn a_histogram_gives_every_sample() {
    let text = r#"[{"benchmark": "b", "mode": "sample", "threads": 4, "primaryMetric": {"scoreUnit": "ms/op",
        "rawDataHistogram": [[[[1.0, 3], [2.5, 1]], [[4.0, 2]]], [[[8.0, 1]]]]}, "secondaryMetrics": {
        "·cpi": {"scoreUnit": "clks/insn", "rawData": [["NaN", 2.0]]}}}]"#;
    let sheet = sheet(by_name("jmh").unwrap(), text.as_bytes());
    let mut times: Vec<(u32, f64)> =
        sheet.process.iter().copied().zip(sheet.value.iter().copied()).take(7).collect();
    times.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(times, [(0, 0.001), (0, 0.001), (0, 0.001), (0, 0.0025), (0, 0.004), (0, 0.004), (1, 0.008)]);
    assert_eq!(rows(&sheet)[7], "1 0 b cpi 2.0 clks/insn");
    assert_eq!(context(&sheet, 0), [("threads", "4"), ("benchmarkMode", "sample")]);
    assert!(sheet.problems.is_empty());
}

#[test]
fn units_of_long_times_and_of_operations_are_converted() {
    let read = |unit: &str| {
        let text = format!(
            r#"[{{"benchmark": "b", "mode": "m", "primaryMetric": {{"scoreUnit": "{unit}", "rawData": [[120.0]]}}}}]"#
        );
        sheet(by_name("jmh").unwrap(), text.as_bytes())
    };
    for (unit, value) in [("ops/min", 2.0), ("ops/ms", 120_000.0), ("min/op", 7200.0), ("ns/op", 1.2e-7)] {
        assert_eq!(read(unit).value, [value], "{unit}");
    }
    assert_eq!(
        problems(&read("parsecs/op")),
        [(1, Code::MalformedRecord, "m of b has no known unit or no raw data")]
    );
}

#[test]
fn what_is_broken_is_named_and_huge_histograms_are_refused() {
    let text = r#"[
        {"mode": "avgt"},
        {"benchmark": "a", "mode": "avgt", "primaryMetric": {"score": 1, "scoreUnit": "s/op"}},
        {"benchmark": "b", "mode": "avgt", "primaryMetric": {"scoreUnit": "s/op", "rawData": [["NaN", "x", 1], 3]}},
        {"benchmark": "c", "mode": "sample", "primaryMetric": {"scoreUnit": "s/op", "rawDataHistogram": [[[[1, 99999999999]]]]}},
        {"benchmark": "d", "mode": "sample", "primaryMetric": {"scoreUnit": "s/op", "rawDataHistogram": [[[[1]]]]}}
    ]"#;
    let sheet = sheet(by_name("jmh").unwrap(), text.as_bytes());
    assert_eq!(rows(&sheet), ["4 0 b avgt 1.0 s"]);
    let codes: Vec<_> = sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect();
    assert_eq!(
        codes,
        [
            (2, Code::MalformedRecord),
            (3, Code::MalformedRecord),
            (4, Code::NotFinite),
            (4, Code::MalformedNumber),
            (5, Code::MalformedRecord),
            (6, Code::MalformedRecord),
        ]
    );
}
