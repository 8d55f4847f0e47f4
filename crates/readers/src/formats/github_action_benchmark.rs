//! github-action-benchmark: the JSON of a custom benchmark, and `data.js`, in which the action keeps the results of all
//! commits.

use super::json::push_scaled;
use super::prelude::*;

/// The input of the action for tools of the user.
pub static CUSTOM: Format = Format {
    name: "github-action-benchmark",
    sign: "a list of objects with `name`, `unit` and `value`",
    harness: "github-action-benchmark",
    export: "the file that output-file-path names, for customSmallerIsBetter or customBiggerIsBetter",
    metrics: METRICS,
    fits: |head| head.has_all(&["[].name", "[].unit", "[].value"]),
    read: Read::Elements(|sheet, entry, line| result(sheet, entry, None, line, None, 0)),
    ..Format::JSON_SUMMARY
};

/// The history that the action keeps.
pub static DATA: Format = Format {
    name: "github-action-benchmark-data",
    sign: "`window.BENCHMARK_DATA = ` before an object, or an object with `lastUpdate` and `entries`",
    harness: "github-action-benchmark",
    export: "data.js of the branch gh-pages, or the file that external-data-json-path names",
    files: &["data.js", "*.json"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[&[
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::date("time at which the action stored the results, in UTC"),
        Key::work("suite", "name of the suite"),
        Key::work("procs", "GOMAXPROCS, where a run has one benchmark with several"),
    ]],
    metrics: METRICS,
    fits: fits_data,
    read: Read::Sheet(read_data),
    values: Values::Aggregates,
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("time", "value with a unit of time"),
    Meaning::of("bytes", "value with a unit of size"),
    Meaning::of("throughput", "value with a unit of work per time"),
    Meaning::of("transfer", "value with a unit of size per time"),
    Meaning::of("value", "value without a unit"),
];

const VARIABLE: &[u8] = b"window.BENCHMARK_DATA";

/// The object that the script assigns, with the number of its first line.
fn assigned(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let rest = bytes.trim_ascii_start().strip_prefix(VARIABLE)?.trim_ascii_start().strip_prefix(b"=")?;
    let rest = rest.trim_ascii_start();
    let before = &bytes[..bytes.len() - rest.len()];
    let rest = rest.trim_ascii_end();
    let rest = rest.strip_suffix(b";").unwrap_or(rest);
    Some((1 + memchr::memchr_iter(b'\n', before).count() as u32, rest))
}

fn fits_data(head: &Head<'_>) -> Fit {
    if assigned(head.bytes()).is_some() {
        return Ok(());
    }
    head.json().map_err(|_| No::Because("it does not begin so"))?;
    head.has_all(&["lastUpdate", "entries.*[].benches"])
}

fn read_data(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (line, object) = assigned(&bytes).unwrap_or((1, &bytes));
    let all = Span::new(object, line, content.budget.limits.values);
    let Some(document) = all.document(sheet)? else { return Ok(()) };
    let Some(entries) = document.get("entries") else {
        sheet.lacks(line, "the file", "object `entries`");
        return Ok(());
    };
    let Some(suites) = entries.document(sheet)? else { return Ok(()) };
    let mut run = 0;
    for (suite, entries) in suites.entries() {
        entries.each(sheet, |sheet, entry, line| {
            stored(sheet, suite, entry, line, run);
            run += 1;
        })?;
    }
    Ok(())
}

/// Reads the results of one run of the action.
fn stored(sheet: &mut Sheet, suite: &str, entry: &Value<'_>, line: u32, run: u32) {
    let mut context: Context = vec![("suite".to_owned(), suite.to_owned())];
    let commit = entry.get("commit").and_then(|commit| commit.get("id")).filter(|id| id.is_simple());
    context.extend(commit.map(|id| ("commit".to_owned(), plain(id))));
    let date = entry.get("date").and_then(|date| number_of(sheet, date, line));
    let date = date.and_then(|milliseconds| timestamps::moment(milliseconds / 1e3));
    context.extend(date.map(|date| ("date".to_owned(), date)));
    sheet.set_context(&context);
    let stated = match entry.text_of("tool") {
        Some("customBiggerIsBetter") => Some(Better::Higher),
        Some("customSmallerIsBetter") => Some(Better::Lower),
        // The other tools write several units, of which the action itself assumes one direction.
        _ => None,
    };
    let Some(benches) = sheet.need(entry.list_of("benches"), line, "list `benches`") else {
        return;
    };
    // For Go the action writes the metrics of a line as `NAME - UNIT`, beside a result with the whole line as its unit.
    let names: HashSet<&str> = benches.iter().filter_map(name_of).collect();
    let is_of_go = entry.text_of("tool") == Some("go");
    let several = if is_of_go { of_several_processors(benches) } else { HashSet::new() };
    for bench in benches {
        let line = bench.object().map_or(line, |bench| bench.line);
        let (name, unit) = (name_of(bench).unwrap_or_default(), unit_of(bench));
        let whole = unit.split_once('\t').map(|(first, _)| format!("{name} - {}", first.trim()));
        if whole.is_some_and(|whole| names.contains(&*whole)) {
            sheet.dropped(1);
            continue;
        }
        let bare = name.strip_suffix(unit).and_then(|name| name.strip_suffix(" - ")).filter(|_| is_of_go);
        let procs = several.contains(name).then(|| ("procs".to_owned(), processors(bench).to_owned()));
        let of_bench: Context = context.iter().cloned().chain(procs).collect();
        sheet.set_context(&of_bench);
        result(sheet, bench, bare, line, stated, run);
    }
}

/// The names that differ in their number of processors alone, which the action cuts off. It is no key of the others: a
/// history would break when its machine changes.
fn of_several_processors<'v>(benches: &'v [Value<'_>]) -> HashSet<&'v str> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    let named = benches.iter().filter_map(|bench| Some((name_of(bench)?, processors(bench))));
    named
        .filter(|(name, processors)| first.entry(name).or_insert(processors) != processors)
        .map(|(name, _)| name)
        .collect()
}

/// The number of processors of a benchmark of Go; the action writes none where it is one.
fn processors<'v>(bench: &'v Value<'_>) -> &'v str {
    let extra = bench.text_of("extra").unwrap_or_default();
    extra.lines().find_map(|line| line.strip_suffix(" procs")).unwrap_or("1")
}

fn name_of<'v>(entry: &'v Value<'_>) -> Option<&'v str> {
    entry.text_of("name")
}

fn unit_of<'v>(entry: &'v Value<'_>) -> &'v str {
    entry.text_of("unit").unwrap_or_default().trim()
}

/// Reads a result, whose benchmark can have another name than it states.
fn result(
    sheet: &mut Sheet,
    entry: &Value<'_>,
    name: Option<&str>,
    line: u32,
    stated: Option<Better>,
    run: u32,
) {
    let needed = name.or_else(|| name_of(entry)).zip(entry.get("value"));
    let Some((name, value)) = sheet.need_of(needed, line, "a result", "name or value") else { return };
    // Earlier versions of the action put the other metrics of a line of Go behind the unit.
    let unit = unit_of(entry).split('\t').next().unwrap_or_default().trim();
    let (metric, scale) = tracked::described(unit, stated);
    let metric = sheet.metric(&metric.name.clone(), || metric);
    let row = Measurement { benchmark: name, metric, line, process: Some(run), ..ROW };
    push_scaled(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, value, scale);
}
