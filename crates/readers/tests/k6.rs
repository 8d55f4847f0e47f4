//! k6's summary.

use std::fmt::Write as _;
use std::path::Path;

use statera_readers::detection::{by_name, detect};

use crate::support::{problems, rows, sheet};

#[test]
fn a_summary_is_known_although_many_metrics_stand_before_its_groups() {
    let mut metrics = String::new();
    for number in 0..3000 {
        let values = r#"{"avg": 1.5, "max": 9.25, "med": 1.25, "min": 1.125, "p(90)": 3.5, "p(95)": 4.5}"#;
        let _ = write!(metrics, "\"http_req_duration{{name:GET /{number}}}\": {values},\n        ");
    }
    let text = format!(
        r#"{{"metrics": {{{metrics}"http_reqs": {{"count": 30, "rate": 2.5}}}},
        "root_group": {{"name": "", "path": "", "groups": {{}}, "checks": {{}}}}}}"#
    );
    assert!(text.len() > 1 << 18);
    assert_eq!(detect(&text.as_bytes()[..1 << 18], Path::new("f")).unwrap().name, "k6-summary");
    let sheet = sheet(by_name("k6-summary").unwrap(), text.as_bytes());
    assert_eq!(problems(&sheet), []);
    assert_eq!(rows(&sheet).last().unwrap(), "3001 0 requests http_reqs 2.5 1/s");
}

#[test]
fn metrics_of_other_programs_are_no_summary() {
    for metrics in [
        r#"{"latency": {"avg": 1, "med": 1}}"#,
        r#"{"iterations": {"values": [1, 2]}}"#,
        r#"{"iterations": {"count": 3}}"#,
        r#"[{"http_reqs": {"count": 3, "rate": 1}}]"#,
        "7",
    ] {
        let text = format!("{{\"metrics\": {metrics}}}\n");
        let found = detect(text.as_bytes(), Path::new("f")).map(|format| format.name);
        assert_ne!(found.as_deref(), Ok("k6-summary"), "{metrics}");
    }
}
