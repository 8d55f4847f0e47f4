//! What `statera cluster` writes of runs: the summary of one run, and the comparison of several. Each has a mean of a run
//! for each metric. A run is the unit of repetition, so that several runs of a build are several values.

use super::json::push_scaled;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "cluster-summary",
    sign: "an object with `manifest`, `metrics`, `observations` and `timing`",
    harness: "statera cluster",
    export: "statera cluster analyse RUN -o OUT, which writes OUT/summary.json",
    files: &["summary.json"],
    keys: &[&[Key::setting("identifier", "version of the node that the run states")], OF_RUN],
    fits: |head| head.has_all(&["manifest", "metrics", "observations", "timing"]),
    read: Read::Document(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The comparison's entry in the registry.
pub static COMPARISON: Format = Format {
    name: "cluster-comparison",
    sign: "an object with `baseline`, `numberOfRuns` and `runNames`",
    export: "statera cluster compare RUN... -f json",
    files: &["comparison.json"],
    processes: Processes::Stated,
    variants: Some("variant"),
    keys: &[&[Key::setting("variant", "label of the runs of a build")], OF_RUN],
    fits: |head| head.has_all(&["baseline", "numberOfRuns", "runNames"]),
    read: Read::Document(read_comparison),
    ..FORMAT
};

const OF_RUN: &[Key] = &[
    Key::of_run("run", Role::Run, "name of the run"),
    Key::date("date of the analysis that the run states"),
    Key::work("profile", "profile of the workload"),
    Key::work("era", "era of the chain"),
    Key::work("machines", "number of hosts"),
];

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

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let mut context = stated(&document.value("manifest", sheet)?, &FACTS);
    if let Some(run) = document.value("run", sheet)?.text() {
        context.push(("run".to_owned(), run.to_owned()));
    }
    sheet.set_context(&context);
    let metrics = document.value("metrics", sheet)?;
    for (metric, described) in metrics.iter() {
        push(sheet, metric, described, described.get("mean"));
    }
    Ok(())
}

/// Reads run by run, so that each has what its manifest states. What has one label is one build, whatever version its runs
/// state.
fn read_comparison(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let [manifests, names, metrics, baseline, others] =
        ["manifests", "runNames", "metrics", "baseline", "runs"].map(|key| document.value(key, sheet));
    let (manifests, names, metrics, baseline, others) = (manifests?, names?, metrics?, baseline?, others?);
    let labels = std::iter::once(&baseline).chain(others.list().unwrap_or_default());
    for variant in labels.filter_map(Value::text) {
        let needed = manifests.list_of(variant);
        let Some(of_runs) = sheet.need_of(needed, 1, variant, "list in `manifests`") else { continue };
        for (number, manifest) in of_runs.iter().enumerate() {
            let mut context = stated(manifest, &FACTS);
            context.retain(|(key, _)| key != "identifier");
            context.push(("variant".to_owned(), variant.to_owned()));
            if let Some(run) = of(&names, variant, number).and_then(Value::text) {
                context.push(("run".to_owned(), run.to_owned()));
            }
            sheet.set_context(&context);
            for (metric, described) in metrics.iter() {
                let mean = described.get("values").and_then(|values| of(values, variant, number));
                push(sheet, metric, described, mean);
            }
            sheet.next_run();
        }
    }
    Ok(())
}

/// The value of a run in the lists of all variants.
fn of<'a, 'v>(lists: &'v Value<'a>, variant: &str, number: usize) -> Option<&'v Value<'a>> {
    lists.get(variant)?.list()?.get(number)
}

/// Adds the mean of a metric; one without samples has none.
fn push(sheet: &mut Sheet, name: &str, described: &Value<'_>, mean: Option<&Value<'_>>) {
    let line = described.object().map_or(0, |one| one.line);
    let text = |key| described.text_of(key);
    let Some((unit, mean)) = sheet.need_of(text("unit").zip(mean), line, name, "`unit` or `mean`") else {
        return;
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
        Measurement { benchmark: BENCHMARK, metric, line, process: Some(0), ..ROW },
        mean,
        scale,
    );
}
