//! The results of tests of .NET, `dotnet test --logger trx`: the duration of each test that passed.

use super::prelude::*;
use super::records::{As, At, Field, Outcome, Place, Records};
use super::{junit, xml};

pub static FORMAT: Format = Format {
    name: "trx",
    sign: "XML with `<TestRun` of `microsoft.com/schemas/VisualStudio/TeamTest`",
    harness: "TRX",
    export: "dotnet test --logger trx",
    files: &["*.trx", "*.xml"],
    keys: &[&[Key::date("start of the run"), Key::environment("hostname", "name of the machine")]],
    metrics: &[Meaning::of("time", "time of one test that passed")],
    parts: names::method,
    words: &["<TestRun"],
    fits: |head| head.is_xml_with(&["<TestRun", "microsoft.com/schemas/VisualStudio/TeamTest"]),
    read: Read::Sheet(|sheet, content| {
        for document in xml::documents(&content.all()?, sheet) {
            sheet.next_run();
            let classes = classes(&document);
            RECORDS.document(sheet, &document, &|place| benchmark(place, &classes));
        }
        Ok(())
    }),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const RECORDS: Records = Records {
    at: &[
        "TestRun[].Results[].UnitTestResult[]",
        // The rows of a test with data.
        "TestRun[].Results[].UnitTestResult[].InnerResults[].UnitTestResult[]",
    ],
    outcome: |place| {
        let skipped = ["NotExecuted", "NotRunnable", "Pending"];
        Outcome::of_word(place.text("@outcome"), &["Passed", "PassedButRunAborted"], &skipped)
    },
    keys: &[At("date", "/TestRun.Times.@start", As::Text), At("hostname", "@computerName", As::Text)],
    fields: &[Field::of("time", "@duration", "s").zero_is_none().parse(seconds)],
    ..Records::PLAIN
};

/// The class of each test, by the test's id.
fn classes<'v>(document: &'v Value<'v>) -> HashMap<&'v str, &'v str> {
    let elements = |value: &'v Value<'v>, name: &str| value.elements(name);
    let runs = elements(document, "TestRun").iter();
    let tests =
        runs.flat_map(|run| elements(run, "TestDefinitions")).flat_map(|all| elements(all, "UnitTest"));
    let class = |test: &'v Value<'v>| {
        let method = elements(test, "TestMethod").first()?;
        Some((test.get("@id")?.text()?, method.get("@className")?.text()?))
    };
    tests.filter_map(class).collect()
}

/// The name of a test, below its class if the name does not begin with it. Older files write the assembly behind the class.
fn benchmark(place: &Place<'_>, classes: &HashMap<&str, &str>) -> Option<String> {
    let name = place.text("@testName")?;
    let class = place.text("@testId").and_then(|id| classes.get(id)).copied().unwrap_or_default();
    let class = class.split(',').next().unwrap_or_default();
    let has_class = name.strip_prefix(class).is_some_and(|rest| rest.starts_with('.'));
    Some(if has_class { name.to_owned() } else { junit::joined(class, name) })
}

/// The seconds of a duration such as `00:00:01.2345678`, which has days before a point if there are any.
fn seconds(text: &str) -> Option<f64> {
    let mut parts = text.split(':').rev();
    let (seconds, minutes) = (number(parts.next()?)?, number(parts.next()?)?);
    let hours = parts.next().filter(|_| parts.next().is_none())?;
    let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
    let (days, hours) = (number(days)?, number(hours)?);
    let whole = (days * 24.0 + hours) * 3600.0 + minutes * 60.0;
    // Without whole minutes nothing is added, which could round.
    Some(if whole == 0.0 { seconds } else { whole + seconds })
}
