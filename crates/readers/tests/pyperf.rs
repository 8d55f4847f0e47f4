//! pyperf's JSON.

use std::path::Path;

use statera_readers::Code;
use statera_readers::detection::{by_name, detect};

use crate::support::{context, metrics, problems, rows, sheet, stored};

#[test]
fn each_run_is_a_process_and_each_value_a_value() {
    let bytes = stored("pyperf/real/suite.json");
    assert_eq!(detect(&bytes, Path::new("f")).unwrap().name, "pyperf");
    let sheet = sheet(by_name("pyperf").unwrap(), &bytes);
    // Two benchmarks of three processes with four values and the memory each.
    assert_eq!((sheet.len(), sheet.problems.len()), (2 * 3 * (4 + 1), 0));
    let shown = rows(&sheet);
    assert_eq!(shown[0], "1 0 sum time 5.543535007745959e-7 s");
    assert_eq!(shown[4], "1 0 sum mem_max_rss 19730432.0 B");
    assert_eq!(shown[5], "1 1 sum time 5.49015498108929e-7 s");
    assert!(shown[15].starts_with("1 3 join time 3.9223"));
    assert_eq!(metrics(&sheet), [("time", "s", "lower", true), ("mem_max_rss", "B", "lower", false)]);
    let keys = context(&sheet, 0);
    assert!(keys.contains(&("cpu", "AMD EPYC")) && keys.contains(&("python_implementation", "cpython")));
    assert!(keys.contains(&("date", "2026-11-22 17:57:16.262143")));
}

#[test]
fn the_name_of_a_single_benchmark_is_in_the_metadata_of_the_file_and_calibration_has_no_values() {
    let sheet = sheet(by_name("pyperf").unwrap(), &stored("pyperf/real/one.json"));
    assert_eq!((sheet.len(), sheet.problems.len()), (3 * (4 + 1), 0));
    assert!(rows(&sheet)[0].starts_with("1 0 timeit time "));
    assert_eq!(sheet.process.iter().max(), Some(&2));
}

#[test]
fn units_other_than_seconds_are_kept() {
    let file = |unit: &str| {
        format!(
            r#"{{"benchmarks": [{{"runs": [{{"values": [5]}}], "metadata": {{"name": "a"}}}}], "metadata": {{"unit": "{unit}"}}}}"#
        )
    };
    let read = |unit: &str| sheet(by_name("pyperf").unwrap(), file(unit).as_bytes());
    assert_eq!(metrics(&read("byte")), [("memory", "B", "lower", true)]);
    assert_eq!(metrics(&read("integer")), [("value", "", "", true)]);
    let unknown = read("furlong");
    assert!(unknown.is_empty());
    assert_eq!(problems(&unknown), [(1, Code::MalformedRecord, "a has the unknown unit furlong")]);
}

#[test]
fn what_is_broken_is_named() {
    let read = |text: &str| sheet(by_name("pyperf").unwrap(), text.as_bytes());
    assert_eq!(read("{\"version\": \"1.0\"}").problems[0].code, Code::MalformedRecord);
    assert_eq!(
        read("{\"benchmarks\": [{\"runs\": [{\"values\": [1]}]}]}").problems[0].what,
        "a benchmark without a name"
    );
    assert_eq!(read("{\"benchmarks\": [{\"runs\": 7}]}").problems[0].what, "there is no list `runs`");
    let bytes = stored("pyperf/real/suite.json");
    for end in 1..bytes.len() - 1 {
        let cut = sheet(by_name("pyperf").unwrap(), &bytes[..end]);
        assert!(cut.is_empty() && cut.problems[0].code == Code::Truncated, "{end}");
    }
}
