//! Otava's JSON: a list of runs with their time, their metrics and their attributes.

use super::json::push_scaled;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "otava-json",
    sign: "a list of objects with `timestamp` and with `metrics` that hold `name` and `value`, or such objects with \
           `attributes` one after another",
    harness: "Otava",
    export: "the file of a test of type json",
    files: &["*.json", "*.ndjson"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KNOWN, REPOSITORY],
    fits: |head| {
        head.has_all(&["[].timestamp", "[].metrics[].name", "[].metrics[].value"]).or_else(|no| {
            head.record_has_all(&["timestamp", "attributes", "metrics[].name", "metrics[].value"])
                .map_err(|_| no)
        })
    },
    read: Read::Sheet(read),
    values: Values::Aggregates,
    ..Format::PLAIN
};

/// The benchmark: the name of a test is in Otava's configuration.
pub(super) const BENCHMARK: &str = "run";

/// What Otava knows of a run.
pub(super) const KEYS: &[&[Key]] = &[KNOWN];

const KNOWN: &[Key] = &[
    Key::date("time of the run, in UTC"),
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::setting("branch", "branch of the program"),
];

/// What a file for Nyrkiö has in addition.
const REPOSITORY: &[Key] = &[Key::setting("git_repo", "repository of the program")];

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut process, mut directions) = (0, Directions::new());
    let mut run = |sheet: &mut Sheet, run: &Value<'_>, line| {
        let context = configuration(sheet, run, line);
        sheet.set_context(&context);
        for metric in run.elements("metrics") {
            let line = metric.object().map_or(line, |metric| metric.line);
            push(sheet, &mut directions, metric, line, process);
        }
        process += 1;
    };
    // Clients send a list of runs, and scripts write one a line.
    for document in Span::all(&bytes, content, sheet)? {
        if document.is_list() {
            document.each(sheet, &mut run)?;
        } else {
            let value = document.value(sheet)?;
            run(sheet, &value, document.line);
        }
    }
    Ok(())
}

/// The time of the run and its attributes. Attributes that Otava does not know are different work.
fn configuration(sheet: &mut Sheet, run: &Value<'_>, line: u32) -> Context {
    let time = run.get("timestamp").and_then(|time| number_of(sheet, time, line));
    let date = time.and_then(timestamps::moment).map(|date| ("date".to_owned(), date));
    let mut context: Context = date.into_iter().collect();
    let attributes = run.get("attributes");
    let commit = attributes.and_then(|attributes| attributes.get("commit")).map(plain);
    for (name, value) in attributes.into_iter().flat_map(Value::iter) {
        match name {
            "git_commit" => match &commit {
                None => context.push(("commit".to_owned(), plain(value))),
                // One of them may be abbreviated.
                Some(commit) if plain(value).starts_with(commit) || commit.starts_with(&plain(value)) => {}
                Some(_) => {
                    let what = "`commit` and `git_commit` are two commits";
                    sheet.problem(Code::Contradiction, line, what, "`commit` is used");
                }
            },
            "commit" | "branch" | "version" | "git_repo" => context.push((name.to_owned(), plain(value))),
            _ => parameters::add(sheet, &mut context, name, plain(value)),
        }
    }
    context
}

/// The directions that the file states, by the number of the metric.
type Directions = HashMap<u32, Better>;

/// Adds a metric. A file for Nyrkiö states its unit and its direction; for Otava they are in its configuration, or in the
/// name.
fn push(sheet: &mut Sheet, directions: &mut Directions, entry: &Value<'_>, line: u32, process: u32) {
    let needed = entry.text_of("name").zip(entry.get("value"));
    let Some((name, value)) = sheet.need_of(needed, line, "a metric", "name or value") else { return };
    let (mut metric, mut scale) = tracked::named(name);
    if let Some(unit) = entry.text_of("unit") {
        let of_name = metric.better;
        (metric, scale) = tracked::metric(name, unit);
        metric.better = metric.better.or(of_name);
    }
    let metric = sheet.metric_of(metric);
    if let Some(direction) = entry.text_of("direction") {
        direct(sheet, directions, metric, direction, line);
    }
    let row = Measurement { benchmark: BENCHMARK, metric, line, process: Some(process), ..ROW };
    push_scaled(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, value, scale);
}

/// Takes over the direction that a file states for a metric.
fn direct(sheet: &mut Sheet, directions: &mut Directions, metric: u32, stated: &str, line: u32) {
    let better = stated.strip_suffix("_is_better").and_then(|word| Better::of_word(word.as_bytes()));
    let name = excerpt(&sheet.metrics[metric as usize].name);
    let Some(better) = better else {
        let what = format!("the direction of {name} is `{}`", excerpt(stated));
        let hint = "statera knows `higher_is_better` and `lower_is_better`";
        return sheet.malformed(line, what, hint);
    };
    if *directions.entry(metric).or_insert(better) != better {
        let what = format!("{name} has another direction than above");
        return sheet.problem(Code::Contradiction, line, what, "the first one is used");
    }
    sheet.metrics[metric as usize].better = Some(better);
}
