//! mitata's JSON: `benchmarks[].runs[].stats.samples`, nanoseconds, sorted and without the extremes. Before version 1 there
//! are no samples but `benchmarks[].stats.avg`.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "mitata",
    sign: "an object with `layout` and with `benchmarks` that hold `alias` and `runs`, or with `benchmarks` that hold `warmup` \
           and `baseline`",
    harness: "mitata",
    export: "run({ format: 'json' })",
    values: Values::Averages,
    keys: &[&RUNTIME],
    metrics: &[Meaning::of(
        "time",
        "time of one iteration, the mean over a batch; mitata leaves out the two shortest and the two longest samples; before \
         version 1 the mean over all iterations",
    )],
    fits: |head| {
        // What `run` returns has the benchmarks last, after the many samples of an empty loop.
        let is_cut = head.has_all(&["layout", "context.noop"]).is_ok();
        let is_old = head.has_all(&OLD).is_ok();
        if is_cut || is_old { Ok(()) } else { head.has_all(&["benchmarks[].alias", "benchmarks[].runs"]) }
    },
    read: Read::Document(read),
    ..Format::JSON
};

/// What only versions before 1 write.
const OLD: [&str; 3] = ["benchmarks[].name", "benchmarks[].warmup", "benchmarks[].baseline"];

/// What the runtimes of JavaScript say of themselves.
pub(super) const RUNTIME: [Key; 4] = [
    Key::setting("runtime", "runtime of the benchmarks: node, bun or deno"),
    Key::setting("runtime_version", "version of the runtime"),
    Key::environment("arch", "architecture of the machine"),
    Key::environment("cpu", "model of the processor"),
];

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    if document.get("layout").is_none() && document.get("context").is_none() {
        read_old(document, sheet)?;
        return Ok(());
    }
    // The context comes last, and has samples of an empty loop, which are many.
    let mut shared = Vec::new();
    let about = document.get("context").map(|context| context.document(sheet)).transpose()?.flatten();
    if let Some(context) = about {
        for (field, key) in [("runtime", "runtime"), ("version", "runtime_version"), ("arch", "arch")] {
            let value = context.value(field, sheet)?;
            shared.extend(value.text().map(|text| (key.to_owned(), text.to_owned())));
        }
        shared.extend(stated(&context.value("cpu", sheet)?, &[("name", "cpu")]));
    }
    let groups = groups(&document.value("layout", sheet)?);
    document.each("benchmarks", sheet, |sheet, entry, line| {
        let Some(alias) = sheet.need(entry.text_of("alias"), line, "alias") else {
            return;
        };
        let group = entry.get("group").and_then(|group| groups.get(group.to_string().parse::<usize>().ok()?));
        let name = group.and_then(Option::as_ref).map(|group| format!("{group} > {alias}"));
        for run in entry.elements("runs") {
            let line = run.object().map_or(line, |run| run.line);
            let mut context = shared.clone();
            if let Some(values) = run.get("args") {
                parameters::add_all(sheet, &mut context, values);
            }
            sheet.set_context(&context);
            benchmark(sheet, name.as_deref().unwrap_or(alias), run, line);
        }
    })?;
    Ok(())
}

/// Reads the JSON of versions before 1.
fn read_old(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<()> {
    let runtime = document.value("runtime", sheet)?;
    let mut shared: Context =
        runtime.text().into_iter().flat_map(runtime_of).filter(|(_, value)| is_known(value)).collect();
    let cpu = document.value("cpu", sheet)?;
    shared.extend(cpu.text().filter(|cpu| is_known(cpu)).map(|cpu| ("cpu".to_owned(), cpu.to_owned())));
    sheet.set_context(&shared);
    document.each("benchmarks", sheet, |sheet, entry, line| {
        let text = |key: &str| entry.text_of(key);
        let Some(name) = sheet.need(text("name"), line, "name") else { return };
        match text("group") {
            Some(group) => benchmark(sheet, &format!("{group} > {name}"), entry, line),
            None => benchmark(sheet, name, entry, line),
        }
    })
}

/// Whether mitata knew it: in a browser it knows nothing of the machine.
fn is_known(value: &str) -> bool {
    !matches!(value, "" | "unknown")
}

/// The keys of `node v20.20.2 (x64-linux)`. Version 1 writes the number of the version alone.
fn runtime_of(text: &str) -> [(String, String); 3] {
    let (rest, arch) = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")).unwrap_or((text, ""));
    let (runtime, version) = rest.split_once(' ').unwrap_or((rest, ""));
    [("runtime", runtime), ("runtime_version", version.strip_prefix('v').unwrap_or(version)), ("arch", arch)]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
}

/// The names of the groups, by their numbers.
fn groups(layout: &Value<'_>) -> Vec<Option<String>> {
    let groups = layout.list().unwrap_or(&[]).iter();
    groups.map(|group| group.text_of("name").map(str::to_owned)).collect()
}

/// The first line of what an error says. Something other than an error can be thrown, too.
fn message<'e>(error: &'e Value<'_>) -> Option<&'e str> {
    let text = error.text().or_else(|| error.get("message")?.text())?;
    text.lines().next().filter(|line| !line.is_empty())
}

/// Reads the samples of a run or, without them, the mean.
fn benchmark(sheet: &mut Sheet, benchmark: &str, run: &Value<'_>, line: u32) {
    let stats = run.get("stats").unwrap_or(&Value::Null);
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
    let samples = stats.elements("samples");
    for place in scattered::places(samples.len()) {
        push_value(sheet, row, &samples[place], 1e9);
    }
    match stats.get("avg") {
        _ if !samples.is_empty() => {}
        Some(mean) => {
            push_value(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, mean, 1e9);
        }
        None => {
            sheet.failed(line, benchmark, run.get("error").and_then(message).unwrap_or_default());
        }
    }
}
