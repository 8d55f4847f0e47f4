//! Plans of `PostgreSQL` with the times of their execution, as JSON: a list for each execution.

use super::prelude::*;
use std::fmt::Write as _;

use super::sql_timings::is_psql;

pub static FORMAT: Format = Format {
    name: "postgres-explain",
    sign: "lists of an object with `Plan`, `Planning Time` and `Execution Time`",
    harness: "PostgreSQL",
    export: "psql -XAtq -c 'EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) …'",
    metrics: &[
        Meaning::of("execution-time", "time of the execution of a statement"),
        Meaning::of("planning-time", "time to plan the statement"),
    ],
    fits,
    read: Read::Sheet(read),
    ..Format::PLAIN
};

/// The times of a document, in milliseconds; before version 9.4 the total was called the runtime.
const TIMES: [(&str, &str, bool); 3] = [
    ("Execution Time", "execution-time", true),
    ("Total Runtime", "execution-time", true),
    ("Planning Time", "planning-time", false),
];

/// Plans as text, and JSON in the frame of psql.
pub static TEXT: Format = Format {
    name: "postgres-explain-text",
    sign: "a line with `QUERY PLAN`, or `Execution Time: 1.234 ms` or `Total runtime: 1.234 ms` below `(cost=`",
    harness: "PostgreSQL",
    values: Values::refused(
        "a plan of PostgreSQL as text, or in the frame of psql",
        "psql -XAtq -c 'EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) …'",
    ),
    words: &["QUERY PLAN", "(cost="],
    fits: |head| {
        let is_frame = head.first_line() == b"QUERY PLAN";
        // Before version 9.4 the total was called the runtime.
        let is_plan = head.has("(cost=") && (head.has("Execution Time: ") || head.has("Total runtime: "));
        No::unless(is_frame || is_plan, "it has no such line")?;
        // The times of a session are results, whatever its statements print.
        No::unless(!head.lines().any(is_psql), "it has times of psql")
    },
    ..Format::PLAIN
};

/// Client libraries wrap the list into rows, of a list or one a line, with the name of the column.
fn fits(head: &Head<'_>) -> Fit {
    head.has_all(&["[].QUERY PLAN[].Plan.Node Type"])
        .or_else(|_| head.has_all(&["QUERY PLAN[].Plan.Node Type"]))
        .or_else(|_| head.has_all(&["[].Plan.Node Type"]))
}

/// The statements of a list, of the rows of a list, or of a row.
fn statements<'a, 'b>(value: &'a Value<'b>) -> impl Iterator<Item = &'a Value<'b>> {
    let rows = value.list().unwrap_or(std::slice::from_ref(value));
    rows.iter().flat_map(|row| row.list_of("QUERY PLAN").unwrap_or(std::slice::from_ref(row)))
}

/// A statement that was executed once.
struct Execution {
    id: Option<String>,
    shape: String,
    times: Vec<(&'static str, bool, f64)>,
    line: u32,
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut executions = Vec::new();
    Span::new(&bytes, 1, content.budget.limits.values).each_value(sheet, |sheet, value, line| {
        executions.extend(statements(value).filter_map(|one| execution(sheet, one, line)));
    })?;
    settle(sheet, &executions);
    Ok(())
}

fn execution(sheet: &mut Sheet, statement: &Value<'_>, line: u32) -> Option<Execution> {
    let line = statement.object().map_or(line, |object| object.line);
    let mut times = Vec::new();
    for (key, metric, primary) in TIMES {
        let Some(value) = statement.get(key) else { continue };
        match number_of(sheet, value, line) {
            Some(value) => times.push((metric, primary, value / 1e3)),
            None => sheet.unreadable(line, key),
        }
    }
    let Some(plan) = statement.get("Plan").filter(|_| times.iter().any(|(_, primary, _)| *primary)) else {
        let what = "a plan without `Execution Time`";
        sheet.problem(Code::NoSamples, line, what, "EXPLAIN executes the statement with ANALYZE only");
        return None;
    };
    let mut shape = String::new();
    describe(plan, &mut shape);
    Some(Execution { id: statement.get("Query Identifier").map(plain), shape, times, line })
}

/// The nodes of a plan and what they work on.
fn describe(plan: &Value<'_>, shape: &mut String) {
    let text = |key: &str| plan.text_of(key).unwrap_or_default();
    let _ = write!(shape, "({} {} {}", text("Node Type"), text("Relation Name"), text("Index Name"));
    for child in plan.elements("Plans") {
        describe(child, shape);
    }
    shape.push(')');
}

/// Without an identifier, several executions are those of one statement only if their plans agree.
fn settle(sheet: &mut Sheet, executions: &[Execution]) {
    let unnamed: Vec<&Execution> = executions.iter().filter(|one| one.id.is_none()).collect();
    if let Some(other) = unnamed.iter().find(|one| one.shape != unnamed[0].shape) {
        let what = "the plans differ, and no `Query Identifier` says whether they are of one statement";
        let hint = "EXPLAIN (ANALYZE, VERBOSE) with compute_query_id = on, or one statement a file";
        return sheet.malformed(other.line, what, hint);
    }
    for execution in executions {
        let name = execution.id.as_ref().map_or("statement".to_owned(), |id| format!("statement {id}"));
        for (metric, primary, value) in &execution.times {
            let metric = sheet
                .metric(metric, || Metric { primary: *primary, ..Metric::new(metric, "s", Quantity::Time) });
            let line = execution.line;
            sheet.push(Measurement { benchmark: &name, metric, value: *value, line, ..ROW });
        }
    }
}
