//! Krun's results: the times of all iterations of each execution of a benchmark in a virtual machine.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "krun",
    sign: "an object with `wallclock_times`",
    harness: "Krun",
    export: "bunzip2 CONFIGURATION_results.json.bz2",
    files: &["*_results.json"],
    processes: Processes::Stated,
    keys: &[&[
        Key::setting("vm", "virtual machine that runs the benchmark"),
        Key::setting("variant", "variant of the benchmark"),
    ]],
    metrics: &[Meaning::of("time", "wall-clock time of one iteration in a process")],
    fits: |head| head.has_all(&["wallclock_times"]),
    read: Read::Document(read),
    ..Format::PLAIN
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let Some(times) = document.get("wallclock_times") else {
        sheet.lacks(0, "the file", "object `wallclock_times`");
        return Ok(());
    };
    let Some(times) = times.document(sheet)? else { return Ok(()) };
    let mut process = 0;
    for (key, span) in times.entries() {
        let executions = span.value(sheet)?;
        for execution in executions.list().unwrap_or(&[]) {
            iterations(sheet, key, execution, span.line, process);
            process += 1;
        }
    }
    count_cores(document, sheet)?;
    Ok(())
}

/// Reads the iterations of one execution. A key is `BENCHMARK:VM:VARIANT`.
fn iterations(sheet: &mut Sheet, key: &str, execution: &Value<'_>, line: u32, process: u32) {
    let mut parts = key.rsplitn(3, ':');
    let (Some(variant), Some(vm), Some(benchmark)) = (parts.next(), parts.next(), parts.next()) else {
        return sheet.lacks(line, key, "names of a benchmark, a machine and a variant");
    };
    let times = execution.list().unwrap_or(&[]);
    if times.is_empty() {
        return sheet.lacks(line, key, "times of an execution");
    }
    sheet.set_context(&[("vm".to_owned(), vm.to_owned()), ("variant".to_owned(), variant.to_owned())]);
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark, metric, line, process: Some(process), ..ROW };
    for time in times {
        push_value(sheet, row, time, 1.0);
    }
}

/// Counts the values of single cores. Krun does not say on which core the program ran.
fn count_cores(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<()> {
    for name in ["core_cycle_counts", "aperf_counts", "mperf_counts"] {
        let Some(counts) = document.get(name).map(|span| span.document(sheet)).transpose()?.flatten() else {
            continue;
        };
        for (_, span) in counts.entries() {
            let counts = span.value(sheet)?;
            sheet.dropped(numbers(&counts));
        }
    }
    Ok(())
}

/// The number of the values in nested lists.
fn numbers(value: &Value<'_>) -> usize {
    value.list().map_or(1, |list| list.iter().map(numbers).sum())
}
