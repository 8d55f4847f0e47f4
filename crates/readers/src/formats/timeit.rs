//! What Python's `timeit` prints, of `CPython` and of `PyPy`, and `IPython`'s `%timeit`. None names a benchmark.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "timeit",
    sign: "lines such as `50 loops, best of 5: 324 usec per loop` or `102 μs ± 4 μs per loop (mean ± std. dev. of 7 runs, …)`",
    harness: "timeit",
    export: "python -m timeit -v",
    values: Values::Averages,
    printed_by: &["python", "python3"],
    metrics: &[
        Meaning::of(
            "time",
            "time of one loop, the mean over a run of many loops; of %timeit and without -v of PyPy, the mean over the runs",
        ),
        Meaning::of("best", "time of one loop in the fastest run"),
    ],
    words: &[" per loop"],
    fits: |head| head.has_line(|line| named_summary(line).is_some()),
    read: Read::Bytes(read),
    processes: Processes::Stated,
    ..Format::PLAIN
};

/// What the line at the end of a measurement says.
enum Summary<'a> {
    /// `50 loops, best of 5: 324 usec per loop`: loops, runs, time.
    Best(f64, f64, &'a str),
    /// `1000 loops, average of 3: 24.5 +- 0.1 usec per loop (using standard deviation)`, as `PyPy` prints it: loops, runs,
    /// mean, deviation. The mean can lack the unit.
    Average(f64, f64, &'a str, &'a str),
    /// `102 μs ± 4 μs per loop (mean ± std. dev. of 7 runs, 100 loops each)`: runs, mean, deviation.
    Mean(f64, &'a str, &'a str),
}

/// The summary in `<TimeitResult : SUMMARY>`.
fn of_object(line: &str) -> Option<&str> {
    line.trim().strip_prefix("<TimeitResult : ")?.strip_suffix('>')
}

/// What a script prints before a summary: `parse` of `parse: 50 loops, best of 5: 324 usec per loop`.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let before = line.split_once(", best of ").or_else(|| line.split_once(", average of "));
    let before = before.or_else(|| parted(line)).map_or("", |(before, _)| before);
    let (label, _) = before.rsplit_once([':', '='])?;
    let rest = line[label.len() + 1..].trim_start();
    let label = label.trim().trim_matches(['"', '`', '\'']);
    (!label.is_empty() && label.split_whitespace().count() <= MOST_WORDS).then_some((label, rest))
}

/// More words are a sentence.
const MOST_WORDS: usize = 8;

/// What a line says, and the name before it.
fn named_summary(line: &str) -> Option<(Option<&str>, Summary<'_>)> {
    let complete = |line| summary(line).filter(Summary::is_complete);
    let of_label = || labelled(line).and_then(|(label, rest)| Some((Some(label), complete(rest)?)));
    let alone = |found| (None, found);
    complete(line).map(alone).or_else(of_label).or_else(|| summary(line).map(alone))
}

impl Summary<'_> {
    /// Whether its times can be read.
    fn is_complete(&self) -> bool {
        match self {
            Self::Best(_, _, time) => seconds(time).is_some(),
            Self::Average(.., deviation) => seconds(deviation).is_some(),
            Self::Mean(_, mean, deviation) => seconds(mean).is_some() && seconds(deviation).is_some(),
        }
    }
}

fn summary(line: &str) -> Option<Summary<'_>> {
    let (before, rest) = of_object(line).unwrap_or(line.trim()).split_once(" per loop")?;
    if let Some((loops, best)) = before.split_once(", best of ") {
        let (runs, time) = best.split_once(": ")?;
        return Some(Summary::Best(count(loops.split(' ').next()?)?, count(runs)?, time));
    }
    if let Some((loops, average)) = before.split_once(", average of ") {
        let (runs, times) = average.split_once(": ")?;
        let (mean, deviation) = parted(times)?;
        return Some(Summary::Average(count(loops.split(' ').next()?)?, count(runs)?, mean, deviation));
    }
    let (mean, deviation) = parted(before)?;
    let runs = rest.split_once(" of ")?.1.split(' ').next()?;
    Some(Summary::Mean(count(runs)?, mean, deviation))
}

/// A mean and its deviation.
fn parted(text: &str) -> Option<(&str, &str)> {
    text.split_once(" ± ").or_else(|| text.split_once(" +- "))
}

/// Whether a line states the time of a loop, as the summaries of all versions do: `3 usec per loop`. Other text can be about
/// loops, too.
fn states_time(line: &str) -> bool {
    let before = line.split_once(" per loop").map(|(before, _)| before.trim_end());
    let unit =
        before.and_then(|before| before.rsplit(|c: char| c.is_whitespace() || c.is_ascii_digit()).next());
    unit.is_some_and(|unit| unit == "d" || time_scale(unit).is_some())
}

/// A whole number; `IPython` groups its digits by commas.
fn count(text: &str) -> Option<f64> {
    number(text.replace(',', "")).filter(|count| *count >= 1.0)
}

/// The seconds of a text such as `324 usec` or `1h 2min 3s`.
fn seconds(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    loop {
        let (digits, after) = rest.split_at(rest.find(|c: char| c.is_alphabetic() && c != 'e')?);
        let (unit, after) = after.split_at(after.find(char::is_whitespace).unwrap_or(after.len()));
        let value = number(digits.trim())?;
        sum += if unit == "d" { value * 86_400.0 } else { time_scale(unit)?.apply(value) };
        rest = after.trim_start();
        if rest.is_empty() {
            return Some(sum);
        }
    }
}

fn time_scale(unit: &str) -> Option<Scale> {
    let meaning = meaning(unit);
    (is_known(unit) && meaning.quantity == Quantity::Time).then_some(meaning.scale)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    // With `-o`, IPython shows what it printed again as a result.
    let printed: HashSet<&str> = lines.iter().map(|(_, text)| text.trim()).collect();
    let is_shown = |text: &str| of_object(text).is_some_and(|text| printed.contains(&text));
    lines.retain(|(_, text)| !is_shown(text));
    let several = lines.iter().filter(|(_, text)| named_summary(text).is_some()).count() > 1;
    let (mut raw, mut measured) = (None, 0);
    let (mut above, mut cell, mut in_cell) = (None, Vec::new(), false);
    let mut cells = HashSet::new();
    for (line, text) in lines {
        let text = text.trim_start().trim_start_matches('#').trim();
        in_cell &= !text.is_empty() && !text.starts_with("```");
        if text.is_empty() {
            continue;
        }
        let statement = std::mem::replace(&mut above, timed(text));
        let begins_cell = entered(text).starts_with("%%timeit");
        if begins_cell || above.is_some() {
            cell.clear();
            in_cell = begins_cell;
        } else if in_cell && named_summary(text).is_none() {
            cell.extend(Some(entered(text)).filter(|code| !code.is_empty()));
        }
        if let Some(times) = text.strip_prefix("raw times: ") {
            without_loops(sheet, raw.replace((line, times)));
        } else if let Some((label, found)) = named_summary(text) {
            // Without a statement nothing says whether two measurements are of the same one.
            measured += 1;
            let number = || if several { format!("timeit {measured}") } else { "timeit".to_owned() };
            // The first statements of a cell that is timed as a whole, `%%timeit`, which others can have, too.
            let of_cell = Some(std::mem::take(&mut cell).join(" ")).filter(|code| !code.is_empty());
            let of_cell = of_cell.filter(|code| cells.insert(code.clone()));
            let named = label.or(statement).map(str::to_owned).or(of_cell);
            let benchmark = named.unwrap_or_else(number);
            let process = Some(measured - 1);
            let row = Measurement { benchmark: &benchmark, line, process, ..ROW };
            take(sheet, row, &found, raw.take());
        } else if states_time(text) {
            // The raw times above it are not those of the next summary.
            raw = None;
            sheet.no_row(line, text);
        }
    }
    without_loops(sheet, raw);
}

/// A line without the prompt of Python, `IPython` or Sage.
fn entered(line: &str) -> &str {
    let numbered = line.strip_prefix("In [").and_then(|rest| rest.split_once("]: ")).map(|(_, rest)| rest);
    let after = |prompt: &&str| line.strip_prefix(*prompt);
    numbered.or_else(|| [">>> ", ">> ", "...:", "sage: "].iter().find_map(after)).unwrap_or(line).trim()
}

/// The statement of a line that times it: `In [3]: %timeit f(x)`, `sage: timeit('f(x)')`.
fn timed(line: &str) -> Option<&str> {
    let line = entered(line);
    let called = || line.strip_prefix("timeit(")?.strip_suffix(')').map(|of| of.trim_matches(['\'', '"']));
    let statement = line.strip_prefix("%timeit ").or_else(|| line.strip_prefix("timeit ")).or_else(called)?;
    let statement = statement.split(" # ").next().unwrap_or(statement).trim();
    (!statement.is_empty()).then_some(statement)
}

/// Records raw times without a summary below them that states the number of loops.
fn without_loops(sheet: &mut Sheet, raw: Option<(u32, &str)>) {
    if let Some((line, times)) = raw {
        sheet.lacks(line, times, "summary");
    }
}

/// The raw times of runs. Up to Python 3.5, and in `PyPy`, they are seconds without a unit, separated by blanks.
fn raw_times(times: &str) -> Vec<String> {
    if has_unit(times) {
        times.split(", ").map(str::to_owned).collect()
    } else {
        times.split_whitespace().map(|time| format!("{time} s")).collect()
    }
}

/// Whether a text has a unit, not only numbers such as `1.2e-06`.
fn has_unit(time: &str) -> bool {
    time.contains(|c: char| c.is_alphabetic() && c != 'e')
}

/// Takes the times of the runs or, without them, their summary.
fn take(sheet: &mut Sheet, row: Measurement<'_>, found: &Summary<'_>, raw: Option<(u32, &str)>) {
    if let (Summary::Best(loops, runs, _) | Summary::Average(loops, runs, ..), Some((line, times))) =
        (found, raw)
    {
        let times = raw_times(times);
        if (times.len() as f64 - runs).abs() < 0.5 {
            for time in times {
                push(sheet, Measurement { line, ..row }, "time", &time, *loops);
            }
            return;
        }
    }
    without_loops(sheet, raw);
    // The deviation of one run says nothing.
    let spread = |runs: f64, deviation: &str| seconds(deviation).filter(|_| runs > 1.0);
    let (name, time, runs, deviation) = match *found {
        Summary::Best(_, runs, time) => ("best", time.to_owned(), runs, None),
        Summary::Average(_, runs, mean, deviation) => {
            let unit = deviation.split_once(' ').map_or("", |(_, unit)| unit);
            let mean = if has_unit(mean) { mean.to_owned() } else { format!("{mean} {unit}") };
            ("time", mean, runs, spread(runs, deviation))
        }
        Summary::Mean(runs, mean, deviation) => ("time", mean.to_owned(), runs, spread(runs, deviation)),
    };
    let aggregate = Some(Aggregate { count: Some(runs), deviation });
    push(sheet, Measurement { aggregate, ..row }, name, &time, 1.0);
}

fn push(sheet: &mut Sheet, row: Measurement<'_>, name: &str, time: &str, loops: f64) {
    let Some(value) = seconds(time) else {
        return sheet.unreadable(row.line, time);
    };
    let metric = sheet.metric(name, || Metric::new(name, "s", Quantity::Time));
    sheet.push(Measurement { metric, value: value / loops, ..row });
}
