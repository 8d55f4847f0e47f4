//! What a table's columns of numbers hold, and the questions about a table that cannot be read without the user: its
//! columns with their first values, and the words of the mapping that answer.

use super::amounts::{are_spreads, has_several};
use super::columns::{Plan, Preview};
use super::headers::{Header, Holds, Subject};
use super::mapping::is_date;
use super::proposal::{READS_WITH, has_numbers};
use super::repetitions::{REPETITION, patterns};
use super::words::AMBIGUOUS;
use crate::formats::prelude::*;

/// Names of columns that stand beside the time `user`.
const USED: [&str; 5] = ["real", "elapsed", "wall", "sys", "system"];

/// How many columns a message shows.
const SHOWN: usize = 12;

/// What each of these columns holds. Words such as `stddev` and `count` speak of a row's summary only if it has one.
pub(super) fn kinds(
    columns: &[usize],
    headers: &[Header],
    has_values: bool,
    preview: &dyn Preview,
) -> Vec<Holds> {
    let holds = |column: &usize| headers[*column].holds;
    let is_summary = |column: &&usize| matches!(holds(column), Holds::Mean | Holds::Summary);
    let first = columns.iter().find(is_summary).copied();
    let is_bare_count =
        |column: &&usize| holds(column) == Holds::Count && headers[**column].subject.is_empty();
    let counted = columns.iter().filter(is_bare_count).count();
    let means = subjects(columns, headers, |holds| holds == Holds::Mean);
    let summaries = subjects(columns, headers, |holds| matches!(holds, Holds::Mean | Holds::Summary));
    let is_timed = columns.iter().any(|&column| headers[column].is_time());
    let is_any_bare =
        |words: &[&str]| columns.iter().any(|&column| words.iter().any(|word| headers[column].is_bare(word)));
    let has_other_results = |column: usize| {
        let others = columns.iter().filter(|&&other| other != column);
        has_values
            || others.map(holds).any(|kind| matches!(kind, Holds::Results | Holds::Mean | Holds::Summary))
    };
    // Sizes of which none is known to be measured do not make each other settings.
    let has_measured = |column: usize| {
        let is_measured = |other: &&usize| match holds(other) {
            Holds::Results => !headers[**other].is_unmeasured_size(),
            kind => matches!(kind, Holds::Mean | Holds::Summary),
        };
        has_values || columns.iter().filter(|&&other| other != column).any(|other| is_measured(&other))
    };
    let is_beside_rate = |column: usize| {
        let others = columns.iter().filter(|&&other| other != column);
        others.copied().any(|other| headers[other].is_rate() && holds(&other) != Holds::Unknown)
    };
    // Somebody chose 30 s, and measured 29.87 s.
    let is_chosen = |column: usize| {
        let is_whole = |cell: &String| number(cell.trim()).is_some_and(|value| value.fract() == 0.0);
        headers[column].is_chosen_duration(is_beside_rate(column))
            && preview.first(column).iter().all(is_whole)
    };
    // Of a `pass_memory` that is 0 or 1 the name speaks of a result, and the cells of a switch.
    let is_flag = |column: usize| {
        // Cells are dear where the file states the types of columns.
        if headers[column].has_unit() || headers[column].subject.len() < 2 || preview.has_types() {
            return false;
        }
        let cells = preview.sample(column);
        let has = |digit: &str| cells.iter().any(|cell| cell.trim() == digit);
        has("0") && has("1") && cells.iter().all(|cell| matches!(cell.trim(), "0" | "1"))
    };
    let is_only_summary = |column: usize| {
        let same = |other: &&usize| headers[**other].subject() == headers[column].subject();
        columns.iter().filter(is_summary).filter(same).count() == 1
    };
    let has_mean = |column: usize| {
        let same = |other: &&usize| headers[**other].unit == headers[column].unit;
        columns.iter().filter(same).any(|other| holds(other) == Holds::Mean)
    };
    // A deviation without a unit beside means of several.
    let is_of_several = |column: usize| {
        let Subject { words, unit } = headers[column].subject();
        let means = means.iter().filter(|mean| mean.words == words && !mean.unit.is_empty());
        unit.is_empty() && means.count() > 1
    };
    let is_beside = |column: usize| {
        let same = |other: &&usize| headers[**other].unit == headers[column].unit;
        let is_used = |other: &usize| headers[*other].subject.iter().any(|word| USED.contains(&&**word));
        columns.iter().filter(same).any(is_used)
    };
    let counts_nothing = |column: usize| {
        let is_of_all = headers[column].subject.is_empty();
        (is_of_all && (first.is_none() || counted > 1))
            || (!is_of_all && !headers[column].is_spread_of_one(&summaries))
    };
    let kind = |&column: &usize| match holds(&column) {
        // Nobody sets a number with its spread.
        Holds::Settings if !preview.has_types() && are_spreads(&preview.sample(column)) => Holds::Results,
        Holds::Results if headers[column].is_size_of_work() && has_other_results(column) => Holds::Unknown,
        Holds::Results if headers[column].is_unmeasured_size() && has_measured(column) => Holds::Unknown,
        Holds::Results if has_other_results(column) && is_chosen(column) => Holds::Unknown,
        Holds::Summary if headers[column].is_bound() && is_only_summary(column) => Holds::Unknown,
        Holds::Results if headers[column].is_bound_of_interval() && has_mean(column) => Holds::Spread,
        Holds::Unknown if headers[column].is_user_time() && is_beside(column) => Holds::Results,
        // The time of a process in its own code, or the number of users.
        Holds::Settings if headers[column].is_bare("user") && is_any_bare(&USED) => Holds::Unknown,
        Holds::Summary if headers[column].is_peak() && is_only_summary(column) => Holds::Results,
        // Beside values, or beside another time, it can also be the time at which they were measured.
        Holds::Results if (has_values || is_timed) && headers[column].is_bare("time") => Holds::Unknown,
        Holds::Results if is_ambiguous(&headers[column]) && has_other_results(column) => Holds::Unknown,
        Holds::Results if is_flag(column) && has_other_results(column) => Holds::Unknown,
        // Before a summary it can also be the size of the work.
        Holds::Settings if headers[column].is_bare("n") && counted == 0 && first.is_some() => {
            if first < Some(column) { Holds::Count } else { Holds::Unknown }
        }
        Holds::Deviation if !headers[column].is_spread_of_one(&means) || is_of_several(column) => {
            Holds::Unknown
        }
        Holds::Spread if !headers[column].is_spread_of_one(&summaries) => Holds::Unknown,
        Holds::Count if counts_nothing(column) => Holds::Unknown,
        // Beside a summary it can also be the number of samples.
        Holds::Settings if headers[column].counts_repeats() && first.is_some() => Holds::Unknown,
        known => known,
    };
    columns.iter().map(kind).collect()
}

/// Whether a column is called as settings are, too.
fn is_ambiguous(header: &Header) -> bool {
    AMBIGUOUS.iter().any(|word| header.is_bare(word))
}

/// What columns of a kind are about.
fn subjects<'a>(columns: &[usize], headers: &'a [Header], kind: fn(Holds) -> bool) -> HashSet<Subject<'a>> {
    let found = columns.iter().map(|&column| &headers[column]).filter(|header| kind(header.holds));
    found.flat_map(|header| [header.subject(), Subject { unit: "", ..header.subject() }]).collect()
}

/// Asks what columns of numbers are.
pub(super) fn unclear(
    header: &[String],
    columns: &[usize],
    may_be_variants: bool,
    preview: &dyn Preview,
) -> String {
    let count = columns.len();
    let (subject, each) =
        if count == 1 { ("a column of numbers", "it is") } else { ("columns of numbers", "each is") };
    let asked = |&column: &usize| {
        let name = quoted(&header[column]);
        let count = if Header::of(&header[column]).counts_repeats() {
            format!("--column count={name} (the number of samples), ")
        } else {
            String::new()
        };
        format!(
            "\n  {}: {count}--column metric={name} (a result), --column setting={name} (it was varied) or --column ignore={name}",
            shown(&header[column], &preview.first(column))
        )
    };
    let lines: String = columns.iter().take(SHOWN).map(asked).collect();
    let variants = if may_be_variants && (2..=SHOWN).contains(&count) {
        let each = columns.iter().map(|&column| format!(" --column variant={}", quoted(&header[column])));
        format!("\n  or, if each is a variant:{}", each.collect::<String>())
    } else {
        String::new()
    };
    let patterns = patterns(header, columns);
    let repetitions = if (1..=SHOWN).contains(&patterns.len()) {
        let each = patterns.iter().map(|pattern| format!(" --column {REPETITION}={}", quoted(pattern)));
        format!("\n  or, if the numbers count repetitions:{}", each.collect::<String>())
    } else {
        String::new()
    };
    let more = if count > SHOWN { format!("\n  and {} more", count - SHOWN) } else { String::new() };
    format!(
        "has {subject} that can be results or settings. Say what {each}:{lines}{more}{variants}{repetitions}{}",
        others(header, columns, preview)
    )
}

/// A role, and what it says of a column.
pub(super) type Answer = (&'static str, &'static str);

/// Asks which of several roles a column has, whose name tells one and whose cells can be something else.
pub(super) fn of_role(
    header: &[String],
    column: usize,
    what: &str,
    answers: &[Answer],
    preview: &dyn Preview,
) -> String {
    let name = quoted(&header[column]);
    let answer = |(role, meaning): &Answer| {
        let meaning = if meaning.is_empty() { String::new() } else { format!(" ({meaning})") };
        format!("--column {role}={name}{meaning}")
    };
    let all: Vec<String> = answers.iter().map(answer).collect();
    let (last, before) = all.split_last().map_or(("", &[][..]), |(last, before)| (&**last, before));
    format!(
        "has a column {what}. Say what it is:\n  {}: {} or {last}{}",
        shown(&header[column], &preview.first(column)),
        before.join(", "),
        others(header, &[column], preview)
    )
}

/// What a table asks that says nothing of its columns.
pub(super) const MAPPING: &str =
    "needs a mapping of its columns, for instance --column benchmark=NAME --column value=COLUMN";

/// What a table that no format fits asks of the user: what its columns ask, or whether it is a table at all.
pub(super) fn of_plan(kind: &str, header: &[String], options: &Options, preview: &dyn Preview) -> String {
    if is_empty(header, preview) {
        return NO_CELLS.to_owned();
    }
    match Plan::new(header, options, preview) {
        Err(question) => question,
        Ok(plan) if !plan.values.iter().any(|value| has_numbers(value.column, &value.unit, preview)) => {
            let cells = plan.values.iter().filter_map(|value| preview.first(value.column).into_iter().next());
            let cells: Vec<String> = cells.take(SHOWN).collect();
            format!(
                "has results in a notation that is not read: {}. Write the number alone, and its unit into the header: \
                 time (ms)",
                excerpt(cells.join(", ").as_bytes())
            )
        }
        Ok(plan) => {
            let results: Vec<&str> = plan.values.iter().map(|value| &*header[value.column]).collect();
            let named =
                plan.benchmark.map(|column| format!("--column benchmark={}", quoted(&header[column])));
            format!(
                "does not say that its numbers are results\n{READS_WITH} {}\nif its results are {}{}{}",
                named.unwrap_or_else(|| format!("--format {kind}")),
                excerpt(results.join(", ")),
                if plan.benchmark.is_none() { " of one benchmark" } else { "" },
                others(header, &[], preview)
            )
        }
    }
}

/// Asks for the column of the benchmark's name.
pub(super) fn no_benchmark(header: &[String], preview: &dyn Preview) -> String {
    let numbers = header.iter().any(|name| number(name.trim()).is_some());
    let missing = if numbers { " (its first line has numbers: is the header missing?)" } else { "" };
    format!(
        "has no benchmark column (benchmark, name, bench or test). Choose one with --column benchmark=COLUMN{missing}{}",
        others(header, &[], preview)
    )
}

/// Refuses a number of samples of which no column is the summary.
pub(super) fn uncounted(name: &str) -> String {
    let name = quoted(name);
    format!(
        "has no summary whose samples `{name}` could count. Call the column of the means so in its header, such as \
         mean_ms, or give the other column another role: --column setting={name} or --column ignore={name}"
    )
}

/// Refuses a column whose cells have a unit of another dimension than its header.
pub(super) fn contradicted(name: &str, cells: &[String]) -> String {
    let (shown, cell) = (excerpt(name), cells.first().map(excerpt).unwrap_or_default());
    format!(
        "has a column `{shown}` whose cells have another unit than its header: {cell}. Correct the header, or leave the \
         column out with --column ignore={}",
        quoted(name)
    )
}

/// What a table with nothing but a header is told.
const NO_CELLS: &str = "has no cells below its header. Write the results there, or leave the file out";

/// Whether a table has nothing but a header.
fn is_empty(header: &[String], preview: &dyn Preview) -> bool {
    !preview.has_types() && (0..header.len()).all(|column| preview.first(column).is_empty())
}

/// Asks for the columns of values.
pub(super) fn no_values(header: &[String], preview: &dyn Preview) -> String {
    if is_empty(header, preview) {
        return NO_CELLS.to_owned();
    }
    let several = |column: usize| {
        let cells = preview.sample(column);
        let count = cells.iter().filter(|cell| has_several(cell)).count();
        cells.into_iter().find(|cell| has_several(cell)).filter(|cell| count > 1 && !is_date(cell))
    };
    if let Some(cell) = (1..header.len()).find_map(several) {
        return format!(
            "has several numbers in a cell: {}. Write a column for each of them, such as before_ms and after_ms",
            excerpt(cell)
        );
    }
    format!("has no column of values. Choose one with --column value=COLUMN{}", others(header, &[], preview))
}

/// The columns beside these, with their first values.
fn others(header: &[String], columns: &[usize], preview: &dyn Preview) -> String {
    let rest = (0..header.len()).filter(|column| !columns.contains(column));
    let known: Vec<String> =
        rest.take(SHOWN).map(|column| shown(&header[column], &preview.first(column))).collect();
    let title = if columns.is_empty() { "The columns" } else { "The other columns" };
    if known.is_empty() { String::new() } else { format!("\n{title}: {}", known.join(", ")) }
}

/// A column with its first values: `depth (1, 2, 3)`.
fn shown(name: &str, first: &[String]) -> String {
    let first: Vec<String> = first.iter().map(excerpt).collect();
    let values = if first.is_empty() { String::new() } else { format!(" ({})", first.join(", ")) };
    format!("{}{values}", excerpt(name))
}

/// A name as a word of a shell, shortened.
pub(super) fn quoted(name: &str) -> String {
    let shown = excerpt(name);
    let is_whole = shown.replace(r"\'", "'").replace("\\\"", "\"").replace(r"\\", r"\") == name;
    let name = if is_whole { name } else { &shown };
    let plain = |letter: char| letter.is_alphanumeric() || "_-./%+:@".contains(letter);
    if name.chars().all(plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_of_a_shell() {
        for (name, word) in [("depth", "depth"), ("a b", "'a b'"), ("it's (x)", r"'it'\''s (x)'")] {
            assert_eq!(quoted(name), word);
        }
    }
}
