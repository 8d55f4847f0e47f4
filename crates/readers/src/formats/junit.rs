//! The XML of `JUnit`, which most test runners write: the time of each test that passed.

use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Place, Records};

pub static FORMAT: Format = Format {
    name: "junit",
    sign: "XML with `<testcase` in `<testsuite`",
    harness: "JUnit XML",
    export: "pytest --junitxml=FILE, ctest --output-junit FILE, gotestsum --junitfile FILE, …",
    files: &["*.xml"],
    keys: &[&[Key::date("start of the suite"), Key::environment("hostname", "name of the machine")]],
    metrics: &[Meaning::of("time", "time of one test that passed")],
    parts: names::method,
    words: &["<testcase"],
    fits: |head| head.is_xml_with(&["<testsuite", "<testcase"]),
    read: Read::Sheet(|sheet, content| records::read_xml(sheet, content, &RECORDS)),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// A suite can be the document, stand in `testsuites`, and hold suites.
const RECORDS: Records = Records {
    at: &["testsuite[]+.testcase[]", "testsuites[].testsuite[]+.testcase[]"],
    name: |place| Some(joined(place.text("@classname").unwrap_or_default(), place.text("@name")?)),
    // `go test -count` executes a test several times; other runners give such names to different tests.
    repeats: |place| place.text("^properties.property.@name") == Some("go.version"),
    outcome,
    keys: &[At("date", "^@timestamp", As::Text), At("hostname", "^@hostname", As::Text)],
    fields: &[Field::of("time", "@time", "s").zero_is_none().parse(seconds)],
    ..Records::PLAIN
};

/// The name of a test below its class. Some runners write the same for both.
pub(super) fn joined(class: &str, name: &str) -> String {
    if class.is_empty() || class == name { name.to_owned() } else { format!("{class}.{name}") }
}

/// A test failed or was skipped if it has an element that says so; ctest says it with `status` as well.
fn outcome(place: &Place<'_>) -> Outcome {
    let has = |name: &str| place.find(name).is_some();
    match ["failure", "error", "rerunFailure", "rerunError"].into_iter().find(|name| has(name)) {
        Some(name) => Outcome::Failed(format!("it has `<{name}`")),
        None if has("skipped") || has("disabled") => Outcome::Skipped,
        None if matches!(place.text("@status"), Some("notrun" | "disabled")) => Outcome::Skipped,
        None if place.text("@status") == Some("fail") => Outcome::Failed("its status is `fail`".to_owned()),
        None => Outcome::Passed,
    }
}

/// The seconds of a test. Surefire groups digits as in English, other runners may write a decimal comma: a number that can
/// be both is none.
fn seconds(text: &str) -> Option<f64> {
    let is_clear = text.contains('.') && !text.starts_with("0,");
    number(text).or_else(|| grouped(text).filter(|_| is_clear))
}
