//! JSON of the test runners of JavaScript: the duration of each test that passed.

use super::prelude::*;
use super::records;
use super::records::{As, At, Field, Outcome, Place, Records};
use super::tinybench;

/// Mocha's JSON.
pub static MOCHA: Format = Format {
    name: "mocha",
    sign: "an object with `stats.passes` and with `tests` that hold `fullTitle` and `currentRetry`",
    harness: "Mocha",
    export: "mocha --reporter json --reporter-option output=FILE",
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| head.has_all(&["stats.passes", "tests[].fullTitle", "tests[].currentRetry"]),
    read: Read::Sheet(|sheet, content| {
        let records = Records {
            at: &["tests[]"],
            name: |place| Some(place.text("fullTitle")?.to_owned()),
            outcome: |place| match place.find("err").and_then(Value::object) {
                Some(error) if error.unordered().next().is_some() => failed("its `err` is not empty"),
                _ if place.find("duration").is_none() => Outcome::Skipped,
                _ => Outcome::Passed,
            },
            keys: &[At("date", "/stats.start", As::Text)],
            file: "file",
            fields: TIME,
            ..Records::PLAIN
        };
        records::read_json(sheet, content, &[records])
    }),
    ..Format::JSON
};

/// Jest's JSON, which vitest writes as well.
pub static JEST: Format = Format {
    name: "jest",
    sign: "an object with `numTotalTests` and with `testResults` that hold `assertionResults`",
    harness: "Jest",
    export: "jest --json --outputFile=FILE, vitest run --reporter=json --outputFile=FILE",
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["numTotalTests", "testResults[].assertionResults"])?;
        head.has_none(&[tinybench::VITEST_TASKS])
    },
    read: Read::Sheet(|sheet, content| {
        let records = Records {
            at: &["testResults[].assertionResults[]"],
            name: |place| Some(place.text("fullName")?.to_owned()),
            outcome: |place| {
                let skipped = ["pending", "skipped", "todo", "disabled"];
                Outcome::of_word(place.text("status"), &["passed"], &skipped)
            },
            keys: &[At("date", "/startTime", As::Milliseconds)],
            file: "^name",
            fields: TIME,
            ..Records::PLAIN
        };
        records::read_json(sheet, content, &[records])
    }),
    ..Format::JSON
};

/// Playwright's JSON. A repeated test is a sample more; a test that was retried has a result for each try.
pub static PLAYWRIGHT: Format = Format {
    name: "playwright",
    sign: "an object with `config` and with `suites` that hold `specs`",
    harness: "Playwright",
    export: "playwright test --reporter=json > FILE",
    keys: &[KEYS, &[Key::work("project", "project of Playwright, often a browser")]],
    metrics: METRICS,
    parts: |name, _| names::path(name, SEPARATOR),
    fits: |head| head.has_all(&["config.projects", "suites[].file", "suites[].specs"]),
    read: Read::Sheet(|sheet, content| {
        let records = Records {
            at: &["suites[]+.specs[].tests[].results[]"],
            name: titles,
            repeats: |_| true,
            outcome: |place| Outcome::of_word(place.text("status"), &["passed"], &["skipped"]),
            keys: &[
                At("date", "/stats.startTime", As::Text),
                At("project", "^projectName", As::Text),
                At("origin", "^file", As::Text),
            ],
            fields: TIME,
            ..Records::PLAIN
        };
        records::read_json(sheet, content, &[records])
    }),
    ..Format::JSON
};

const KEYS: &[Key] = &[
    Key::date("start of the run"),
    Key::setting("origin", "file of the benchmark, in the folder that all files share"),
];

const METRICS: &[Meaning] = &[Meaning::of("time", "time of one test that passed")];

/// Mocha and Jest round to milliseconds: 0 is less than half of one.
const TIME: &[Field] = &[Field::of("time", "duration", "ms").zero_is_none()];

/// What Playwright prints between the titles of suites and tests.
const SEPARATOR: &str = " › ";

fn failed(why: &str) -> Outcome {
    Outcome::Failed(why.to_owned())
}

/// The titles of the suites and of the test. The outermost suite is the file.
fn titles(place: &Place<'_>) -> Option<String> {
    let titled = place.above().filter_map(Value::object);
    let titles = titled.filter_map(|level| level.text_of("title")).skip(1);
    let titles: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
    (!titles.is_empty()).then(|| titles.join(SEPARATOR))
}
