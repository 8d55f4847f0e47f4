//! asv's results: a file for each commit and environment, `results/MACHINE/COMMIT-ENVIRONMENT.json`. Units and the names
//! of parameters are in `results/benchmarks.json`.

use super::prelude::*;
use std::fs::File;
use std::io::Read as _;

use super::format::Companion;

pub static FORMAT: Format = Format {
    name: "asv",
    sign: "an object with `commit_hash`, `results` and with `result_columns` or, in earlier versions, `requirements`",
    harness: "asv",
    export: "asv run --record-samples",
    files: &["*.json"],
    values: Values::Averages,
    keys: &[&[
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::date("date of the commit, in UTC"),
        Key::setting("env_name", "environment of asv"),
        Key::setting("python", "version of Python, or the program"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("arch", "architecture of the machine"),
        Key::environment("cpu", "model of the processor"),
        Key::environment("num_cpus", "number of processors"),
        Key::environment("os", "operating system with its version"),
        Key::environment("ram", "memory of the machine"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one call, the mean over the calls of a sample"),
        Meaning::of("memory", "size of an object, or largest memory of a process"),
        Meaning::of("value", "value that a benchmark tracks"),
    ],
    companions: &[Companion {
        files: "results/benchmarks.json, results/MACHINE/machine.json",
        what: "asv's description of its benchmarks or of a machine",
        is: is_companion,
    }],
    fits: |head| {
        let keys = |third| ["commit_hash", third, "results"];
        head.has_all_of(&[&keys("result_columns"), &keys("requirements")])
    },
    read: Read::InPlace(read),
    ..Format::PLAIN
};

/// The website that asv makes of its results.
pub static PUBLISHED: Format = Format {
    name: "asv-published",
    sign: "an object with `graph_param_list` and `revision_to_hash`",
    harness: "asv",
    values: Values::refused(
        "the index of the graphs that asv publishes",
        "asv run --record-samples, and name the folder of results",
    ),
    fits: |head| head.has_all(&["graph_param_list", "revision_to_hash"]),
    ..Format::PLAIN
};

/// `machine.json` is beside the results, `benchmarks.json` above the machines' folders.
fn is_companion(path: &Path) -> bool {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("machine.json") => path.with_file_name("../benchmarks.json").is_file(),
        Some("benchmarks.json") => {
            let folders = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
            folders.into_iter().flatten().flatten().any(|entry| entry.path().join("machine.json").is_file())
        }
        _ => false,
    }
}

const FIELDS: [(&str, &str); 4] =
    [("commit_hash", "commit"), ("date", "date"), ("env_name", "env_name"), ("python", "python")];
const MACHINE: [(&str, &str); 6] = [
    ("machine", "hostname"),
    ("arch", "arch"),
    ("cpu", "cpu"),
    ("num_cpu", "num_cpus"),
    ("os", "os"),
    ("ram", "ram"),
];

fn read(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, sheet)? else { return Ok(()) };
    let mut context = Context::new();
    for (field, key) in FIELDS {
        let value = document.value(field, sheet)?;
        if value.is_simple() {
            let value = plain(&value);
            let value = if key == "date" { timestamps::of_unix(&value, 1e3) } else { value };
            context.push((key.to_owned(), value));
        }
    }
    context.extend(stated(&document.value("params", sheet)?, &MACHINE));
    let columns = document.value("result_columns", sheet)?;
    let columns: Vec<String> = columns.list().unwrap_or(&[]).iter().map(plain).collect();
    let mut described = Vec::new();
    let about = about(path, &mut described);
    let Some(results) = document.get("results") else {
        sheet.lacks(0, "the file", "object `results`");
        return Ok(());
    };
    let Some(results) = results.document(sheet)? else { return Ok(()) };
    for (name, span) in results.entries() {
        let row = span.value(sheet)?;
        let cells = row.list().unwrap_or(&[]);
        // Before version 2 of the layout a result was an object or, without parameters, its value.
        let column = |name: &str| match columns.iter().position(|known| known == name) {
            Some(place) => cells.get(place),
            None => row.get(name),
        };
        let alone = column("result").or(columns.is_empty().then_some(&row));
        let value = match alone {
            Some(alone) if alone.is_simple() && *alone != Value::Null => Some(std::slice::from_ref(alone)),
            list => list.and_then(Value::list),
        };
        let result = Result { name, about: about.get(name), line: span.line, context: &context };
        result.read(sheet, value, column("params"), column("samples"));
    }
    Ok(())
}

const HINT: &str = "is it a file of asv's folder of results?";

/// The descriptions of the benchmarks, from the file above the folder of the machine.
fn about<'a>(path: &Path, bytes: &'a mut Vec<u8>) -> Value<'a> {
    let place = path.parent().map(|folder| folder.join("../benchmarks.json"));
    let Some(place) = place.filter(|place| place.is_file()) else { return Value::Null };
    if File::open(place).and_then(|file| file.take(64 << 20).read_to_end(bytes)).is_err() {
        return Value::Null;
    }
    Span::new(bytes, 1, 10_000_000).value(&mut Sheet::default()).unwrap_or(Value::Null)
}

struct Result<'e, 'a> {
    name: &'e str,
    about: Option<&'e Value<'a>>,
    line: u32,
    context: &'e Context,
}

impl Result<'_, '_> {
    fn read(
        &self,
        sheet: &mut Sheet,
        result: Option<&[Value<'_>]>,
        params: Option<&Value<'_>>,
        samples: Option<&Value<'_>>,
    ) {
        let Some(results) = result else {
            return sheet.failed(self.line, self.name, "");
        };
        let levels: Vec<&[Value<'_>]> = params
            .and_then(Value::list)
            .unwrap_or(&[])
            .iter()
            .map(|levels| levels.list().unwrap_or(&[]))
            .collect();
        let combinations = levels.iter().try_fold(1usize, |all, levels| all.checked_mul(levels.len()));
        if combinations != Some(results.len()) {
            let what = format!("{} has another number of results than of parameters", excerpt(self.name));
            return sheet.problem(Code::Contradiction, self.line, what, HINT);
        }
        let metric = self.metric(sheet);
        for (place, result) in results.iter().enumerate() {
            self.set_context(sheet, &levels, place);
            let row = Measurement { benchmark: self.name, metric, line: self.line, ..ROW };
            let own = samples.and_then(Value::list).and_then(|all| all.get(place)).and_then(Value::list);
            for sample in own.unwrap_or(&[]) {
                push_value(sheet, row, sample, 1.0);
            }
            if own.is_some_and(|own| !own.is_empty()) {
                continue;
            }
            if result.text() == Some("NaN") {
                // The benchmark skips this combination.
                sheet.dropped(1);
            } else if *result == Value::Null {
                let what = format!("{} has no result for a combination of parameters", excerpt(self.name));
                sheet.malformed(self.line, what, "did the benchmark fail?");
            } else {
                push_value(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, result, 1.0);
            }
        }
    }

    /// Sets the configuration of the combination at a place: the last parameter varies fastest.
    fn set_context(&self, sheet: &mut Sheet, levels: &[&[Value<'_>]], mut place: usize) {
        let names =
            self.about.and_then(|about| about.get("param_names")).and_then(Value::list).unwrap_or(&[]);
        let mut own = Vec::new();
        for (number, levels) in levels.iter().enumerate().rev() {
            let name = names.get(number).map_or_else(|| format!("param{}", number + 1), plain);
            own.push((name, plain(&levels[place % levels.len()])));
            place /= levels.len();
        }
        let mut context = self.context.clone();
        for (name, value) in own.into_iter().rev() {
            parameters::add(sheet, &mut context, &name, value);
        }
        sheet.set_context(&context);
    }

    /// The metric by the unit; without a description by the beginning of the name.
    fn metric(&self, sheet: &mut Sheet) -> u32 {
        let function = self.name.rsplit('.').next().unwrap_or(self.name);
        let unit = self.about.and_then(|about| about.get("unit")).and_then(Value::text);
        let unit = unit.unwrap_or_else(|| match function.split('_').next() {
            Some("time" | "timeraw") => "seconds",
            Some("mem" | "peakmem") => "bytes",
            _ => "",
        });
        match unit {
            "seconds" => sheet.metric("time", || Metric::new("time", "s", Quantity::Time)),
            "bytes" => sheet.metric("memory", || Metric::new("memory", "B", Quantity::Bytes).never_exact()),
            // What a benchmark tracks can be anything; its unit is a word of the author.
            unit => {
                let name = if unit.is_empty() || unit == "unit" {
                    "value".to_owned()
                } else {
                    format!("value ({unit})")
                };
                sheet.metric(&name, || Metric::new(&name, "", Quantity::Other))
            }
        }
    }
}
