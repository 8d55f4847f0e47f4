//! The summary of a cluster's run that `statera cluster analyse` writes: a mean for each metric. A file is a run, and a run
//! is the unit of repetition, so that several runs of a build are several values.

use std::io;

use super::format::{Format, Key, Processes, Role};
use super::json::{Document, Object, Value, push_scaled, stated};
use super::tracked;
use crate::metric::{Better, Metric};
use crate::problem::Code;
use crate::sheet::{Measurement, Sheet};
use crate::source::Content;
use crate::text::excerpt;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "cluster-summary",
    sign: "an object with `manifest`, `metrics`, `observations` and `timing`",
    harness: "statera cluster",
    export: "statera cluster analyse RUN -o OUT, which writes OUT/summary.json",
    files: &["summary.json"],
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_run("run", Role::Run, "name of the run"),
        Key::of_run("date", Role::Date, "date of the analysis that the run states"),
        Key::new("identifier", Role::Setting, "version of the node that the run states"),
        Key::of_work("profile", Role::Setting, "profile of the workload"),
        Key::of_work("era", Role::Setting, "era of the chain"),
        Key::of_work("machines", Role::Setting, "number of hosts"),
    ]],
    fits: |head| head.has_all(&["manifest", "metrics", "observations", "timing"]),
    read: |name, _, content, _| read(name, content),
    ..Format::PLAIN
};

/// What all values are of.
const BENCHMARK: &str = "cluster";

/// What the manifest of a run states of it.
const FACTS: [(&str, &str); 5] = [
    ("analysisDate", "date"),
    ("identifier", "identifier"),
    ("profile", "profile"),
    ("era", "era"),
    ("machines", "machines"),
];

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    let mut context = stated(&document.value("manifest", &mut sheet)?, &FACTS);
    if let Some(run) = document.value("run", &mut sheet)?.text() {
        context.push(("run".to_owned(), run.to_owned()));
    }
    sheet.set_context(&context);
    let metrics = document.value("metrics", &mut sheet)?;
    for (metric, described) in metrics.object().into_iter().flat_map(Object::iter) {
        push(&mut sheet, metric, described);
    }
    Ok(vec![sheet])
}

/// Adds the mean of a metric; one without samples has none.
fn push(sheet: &mut Sheet, name: &str, described: &Value<'_>) {
    let line = described.object().map_or(0, |one| one.line);
    let text = |key| described.get(key).and_then(Value::text);
    let (Some(unit), Some(mean)) = (text("unit"), described.get("mean")) else {
        let what = format!("{} lacks `unit` or `mean`", excerpt(name.as_bytes()));
        return sheet.problem(Code::MalformedRecord, line, what, "analyse the run again");
    };
    if matches!(mean, Value::Null) {
        return;
    }
    // `#` is a number, and `/` a ratio.
    let (known, scale) =
        tracked::metric(name, &if unit == "/" { "1".to_owned() } else { unit.replace('#', "1") });
    let better = text("better").and_then(|word| Better::of_word(word.as_bytes()));
    let metric = sheet.metric(name, || Metric { better, ..known });
    push_scaled(
        sheet,
        Measurement { benchmark: BENCHMARK, metric, line, process: Some(0), ..Measurement::default() },
        mean,
        scale,
    );
}
