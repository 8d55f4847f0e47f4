//! pytest-benchmark's JSON.

use std::path::Path;

use statera_readers::Code;
use statera_readers::detection::{by_name, detect};

use crate::support::{context, metrics, problems, rows, sheet, stored};

#[test]
fn each_round_is_a_value_and_parameters_are_keys() {
    let bytes = stored("pytest-benchmark/real/full.json");
    assert_eq!(detect(&bytes, Path::new("f")).unwrap().name, "pytest-benchmark");
    let sheet = sheet(by_name("pytest-benchmark").unwrap(), &bytes);
    assert_eq!((sheet.len(), sheet.problems.len()), (15, 0));
    assert_eq!(metrics(&sheet), [("time", "s", "lower", true)]);
    let names: Vec<&str> = sheet.benchmarks.iter().collect();
    assert_eq!(names, ["test_b.py::test_sum", "test_b.py::test_join"]);
    assert!(context(&sheet, 0).contains(&("n", "10")) && context(&sheet, 5).contains(&("n", "100")));
    assert!(
        context(&sheet, 10).contains(&("group", "text")) && context(&sheet, 0).contains(&("cpu", "AMD EPYC"))
    );
    assert!(
        rows(&sheet).iter().all(|row| row.ends_with(" s") && (row.contains("e-7") || row.contains("e-6")))
    );
}

#[test]
fn a_file_without_rounds_has_the_mean_with_its_deviation() {
    let sheet = sheet(by_name("pytest-benchmark").unwrap(), &stored("pytest-benchmark/real/autosave.json"));
    assert_eq!((sheet.len(), problems(&sheet).len()), (3, 0));
    assert!(
        sheet.weight.iter().all(|&rounds| rounds > 1.0) && sheet.deviation.iter().all(|&width| width > 0.0)
    );
}

#[test]
fn parameters_that_are_no_simple_values_stay_in_the_name() {
    let text = r#"{"machine_info": {}, "benchmarks": [
        {"fullname": "t[a0]", "params": {"a": {"x": 1}}, "stats": {"data": [1]}},
        {"name": "u[1]", "params": {"time": 1}, "stats": {"data": [2, "x"]}},
        {"stats": {"data": [1]}},
        {"fullname": "a[0]/t.py::v[b[::]]", "name": "v[b[::]]", "params": {"b": "[::]"}, "stats": {"data": [3]}}
    ]}"#;
    let sheet = sheet(by_name("pytest-benchmark").unwrap(), text.as_bytes());
    assert_eq!(rows(&sheet), ["2 0 t[a0] time 1.0 s", "3 0 u time 2.0 s", "5 0 a[0]/t.py::v time 3.0 s"]);
    // `time` is a date in the tables of users: as a parameter it has another name.
    assert_eq!(context(&sheet, 1), [("param.time", "1")]);
    let codes: Vec<_> = sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect();
    assert_eq!(codes, [(3, Code::MalformedNumber), (4, Code::MalformedRecord)]);
}
