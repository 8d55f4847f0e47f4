//! mitata's JSON.

use std::path::Path;

use statera_readers::detection::{by_name, detect};

use crate::support::{rows, sheet};

#[test]
fn the_result_of_run_is_known_although_its_benchmarks_follow_many_samples_of_an_empty_loop() {
    let samples = vec!["0.25"; 100_000].join(",");
    let run = r#"{"name": "add", "args": {}, "stats": {"kind": "fn", "samples": [1, 2], "avg": 1.5}}"#;
    let text = format!(
        r#"{{"layout": [{{"name": null}}], "context": {{"runtime": "node", "noop": {{"fn": {{"samples": [{samples}]}}}}}},
        "benchmarks": [{{"alias": "add", "group": 0, "runs": [{run}]}}]}}"#
    );
    assert_eq!(detect(text.as_bytes(), Path::new("f")).unwrap().name, "mitata");
    assert_eq!(detect(&text.as_bytes()[..1 << 18], Path::new("f")).unwrap().name, "mitata");
    assert_eq!(rows(&sheet(by_name("mitata").unwrap(), text.as_bytes())).len(), 2);
}
