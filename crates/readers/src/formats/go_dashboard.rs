//! The data of Go's dashboard of performance: each benchmark's ratio to the same benchmark of a baseline, for each commit.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "go-dashboard",
    sign: "a list of objects with `Name`, `Unit` and `Values` that hold `CommitHash`, `Low`, `Center` and `High`",
    harness: "Go performance dashboard",
    export: "dashboard/data.json?benchmark=all",
    files: &["data.json", "*.json"],
    processes: Processes::Stated,
    keys: &[&[
        Key::date("date of the commit"),
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::work("baseline_commit", "commit that the values are relative to"),
        Key::setting("benchmarks_commit", "commit of the benchmarks"),
    ]],
    metrics: &[Meaning::of("sec/op, ratio", "time, divided by that of the baseline")],
    fits: |head| {
        head.has_all(&[
            "[].Name",
            "[].Unit",
            "[].Values[].CommitHash",
            "[].Values[].Center",
            "[].HigherIsBetter",
        ])
    },
    read: Read::Sheet(read),
    values: Values::Aggregates,
    ..Format::PLAIN
};

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut process = 0;
    Span::new(&bytes, 1, content.budget.limits.values).each(sheet, |sheet, series, line| {
        let text = |key| series.text_of(key);
        let values = series.list_of("Values");
        let (Some(benchmark), Some(unit), Some(values)) = (text("Name"), text("Unit"), values) else {
            return sheet.lacks(line, "a series", "name, unit or values");
        };
        let Some(Value::Bool(higher)) = series.get("HigherIsBetter") else {
            return sheet.lacks(line, "a series", "`HigherIsBetter`");
        };
        let name = format!("{unit}, ratio");
        let better = Some(if *higher { Better::Higher } else { Better::Lower });
        let metric = sheet
            .metric(&name, || Metric { better, ..Metric::new(&name, "", Quantity::Other).never_exact() });
        for value in values {
            let line = value.object().map_or(line, |value| value.line);
            let aggregate = Some(Aggregate::default());
            let row = Measurement { benchmark, metric, line, process: Some(process), aggregate, ..ROW };
            push(sheet, row, value);
            process += 1;
        }
    })
}

fn push(sheet: &mut Sheet, row: Measurement<'_>, value: &Value<'_>) {
    let Some(change) = value.get("Center").and_then(|center| number_of(sheet, center, row.line)) else {
        return sheet.lacks(row.line, "a value", "number `Center`");
    };
    sheet.set_context(&stated(
        value,
        &[
            ("CommitDate", "date"),
            ("CommitHash", "commit"),
            ("BaselineCommitHash", "baseline_commit"),
            ("BenchmarksCommitHash", "benchmarks_commit"),
        ],
    ));
    // The file holds the ratio less one. The interval around it is that of benchstat's medians; it gives no deviation.
    sheet.push(Measurement { value: 1.0 + change, ..row });
}
