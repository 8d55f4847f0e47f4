//! A mapping that reads a table which asks a question: it is tried before it is proposed.

use super::amounts::{amount, are_spreads, base_of, base_of_most, digits, has_several, times};
use super::cells::{is_date, is_missing, is_number, spaced};
use super::columns::Plan;
use super::durations::seconds;
use super::failures::{are_outcomes, is_outcome};
use super::headers::Header;
use super::keys::{BENCHMARK, is_key, numbers_runs};
use super::kinds::kinds;
use super::likeness::{self, is_mark, is_since_1970};
use super::mapping::{are_ratios, benchmark_at, is_of_build, numbers_rows};
use super::name_words::{self, Holds};
use super::preview::Preview;
use super::question::{NO_CELLS, SHOWN, is_empty, others, quoted};
use super::repetitions::{REPETITION, is_worded, matching, patterns};
use super::words::DERIVED;
use crate::formats::prelude::*;
use crate::formats::units::{is_known, meaning};

/// The line of a message that begins with this has the options that read the table.
const READS_WITH: &str = "It reads with:";

/// The lines of a question that list its columns begin with these.
const LISTS: [&str; 2] = ["The columns: ", "The other columns: "];

/// Words of headers that name benchmarks.
const NAMES: [&str; 22] = [
    "algorithm",
    "algo",
    "application",
    "case",
    "function",
    "func",
    "job",
    "kernel",
    "method",
    "op",
    "operation",
    "problem",
    "program",
    "query",
    "routine",
    "scenario",
    "script",
    "task",
    "testcase",
    "title",
    "workload",
    "what",
];

/// Words of cells that name the two builds of a comparison.
const VARIANTS: [&str; 19] = [
    "after",
    "base",
    "baseline",
    "before",
    "branch",
    "candidate",
    "contender",
    "control",
    "current",
    "head",
    "main",
    "master",
    "new",
    "old",
    "patched",
    "pr",
    "previous",
    "trunk",
    "unpatched",
];

/// Words before the number of a version.
const VERSIONS: [&str; 6] = ["build", "release", "rev", "ver", "version", "v"];

/// So many different whole numbers are at most levels of a setting.
const LEVELS: usize = 8;

/// A role with the column that has it.
type Word = (String, String);

/// The roles of all columns. An error is a question, with the options that answer it wholly, if some do.
pub(super) fn plan(header: &[String], options: &Options, preview: &dyn Preview) -> Result<Plan, String> {
    Plan::new(header, options, preview).map_err(|question| with_proposal(question, header, options, preview))
}

/// A question, with the options that answer it wholly, if some do.
fn with_proposal(question: String, header: &[String], options: &Options, preview: &dyn Preview) -> String {
    let Some(words) = proposal(header, options, preview) else { return question };
    let option = |(role, name): &Word| format!(" --column {role}={}", quoted(name));
    let (first, rest) = question.split_once('\n').map_or((&*question, ""), |(first, rest)| (first, rest));
    let all: String = words.iter().map(option).collect();
    let columns: String =
        (0..header.len()).take(30).map(|at| described(header, at, &words, preview)).collect();
    // The list below has all columns.
    let lines: Vec<&str> =
        rest.lines().filter(|line| !LISTS.iter().any(|list| line.starts_with(list))).collect();
    let rest = if lines.is_empty() { String::new() } else { format!("\nOtherwise:\n{}", lines.join("\n")) };
    format!("{first}\n{READS_WITH}{all}\nEach column by this:{columns}{rest}")
}

/// A line with a column, its role and its first cells.
fn described(header: &[String], at: usize, words: &[Word], preview: &dyn Preview) -> String {
    let names_it = |(role, name): &&Word| {
        *name == header[at]
            || role == REPETITION && matching(header, name).is_ok_and(|columns| columns.contains(&at))
    };
    let said = words.iter().find(names_it).map(|(role, _)| role.as_str());
    let known = || match Header::of(&header[at]).holds {
        _ if numbers_rows(header, at, preview) => "row number",
        _ if numbers_runs(&header[at]) => "run number",
        _ if header[at].is_empty() || benchmark_at(&header[at..=at], |_| true).is_some() => "benchmark",
        Holds::Results | Holds::Mean | Holds::Summary if preview.is_numeric(at) => "metric",
        Holds::Deviation | Holds::Spread if preview.is_numeric(at) => "spread",
        Holds::Count if preview.is_numeric(at) => "count",
        _ => "setting",
    };
    let cells: Vec<String> = preview.first(at).iter().map(excerpt).collect();
    format!("\n  {}: {} ({})", excerpt(&header[at]), said.unwrap_or_else(known), cells.join(", "))
}

/// What a table that no format fits asks of the user: what its columns ask, or whether it is a table at all.
pub(super) fn of_plan(kind: &str, header: &[String], options: &Options, preview: &dyn Preview) -> String {
    if is_empty(header, preview) {
        return NO_CELLS.to_owned();
    }
    match plan(header, options, preview) {
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

/// The words of a mapping that, added to those of the options, give every column a role.
fn proposal(header: &[String], options: &Options, preview: &dyn Preview) -> Option<Vec<Word>> {
    let said = |at: &usize| options.columns.iter().any(|(_, name)| *name == header[*at]);
    let free: Vec<usize> = (0..header.len())
        .filter(|at| {
            !said(at)
                && !numbers_rows(header, *at, preview)
                && !BENCHMARK[..3].iter().any(|name| name.eq_ignore_ascii_case(header[*at].trim()))
                && header.iter().position(|name| *name == header[*at]) == Some(*at)
        })
        .collect();
    let names = names(header, &free, options, preview);
    let numbers: Vec<usize> = free.iter().copied().filter(|&at| preview.is_numeric(at)).collect();
    let word = |role: &str, at: usize| (role.to_owned(), header[at].clone());
    let headers = Header::all(header);
    let kinds = kinds(&numbers, &headers, false, preview);
    let unclear: Vec<usize> = numbers
        .iter()
        .zip(&kinds)
        .filter(|(_, holds)| **holds == Holds::Unknown)
        .map(|(&at, _)| at)
        .collect();
    let has_results =
        kinds.iter().any(|holds| matches!(holds, Holds::Results | Holds::Mean | Holds::Summary));
    let mut roles: Vec<(usize, &'static str)> =
        unclear.iter().map(|&at| (at, role(&headers[at], at, preview))).collect();
    let texts: Vec<usize> = (0..header.len())
        .filter(|&at| {
            !preview.is_numeric(at)
                && !names.iter().any(|(role, name)| role == "ignore" && *name == header[at])
        })
        .collect();
    let known: Vec<(usize, Holds)> = numbers.iter().copied().zip(kinds.iter().copied()).collect();
    likeness::correct(&mut roles, &texts, header, &headers, &known, preview);
    if !has_results && roles.iter().all(|(_, role)| *role != "metric") {
        // Something was measured: what has decimals, or else what stands last.
        roles.iter_mut().last().into_iter().for_each(|last| last.1 = "metric");
    }
    let all = |role: &'static str| unclear.iter().map(|&at| word(role, at)).collect::<Vec<_>>();
    let judged: Vec<Word> = roles.iter().map(|&(at, role)| word(role, at)).collect();
    let mut ways = vec![judged, all("metric"), Vec::new()];
    // Names with a number each, and nothing else, are of works and not of builds: `{"parse": 12.1, "print": 3.4}`.
    let is_map = names.is_empty() && unclear.iter().all(|&at| preview.sample(at).len() == 1);
    // Two columns or more that are called as builds are the variants, and not what stands beside them.
    let is_build = |at: &usize| VARIANTS.contains(&&*header[*at].trim().to_lowercase());
    let builds: Vec<usize> = unclear.iter().copied().filter(is_build).collect();
    // What numbers the rows is of no build.
    let is_numbering =
        |(at, role): &&(usize, &str)| *role == "ignore" || likeness::is_numbering(&header[*at]);
    let measured = || roles.iter().filter(|found| !is_numbering(found)).map(|(at, _)| *at).collect();
    let (columns, beside) = if builds.len() > 1 { (builds, true) } else { (measured(), false) };
    if !has_results && !is_map && columns.len() > 1 && are_variants(header, &columns, preview) {
        let role_of = |&(at, role): &(usize, &'static str)| match role {
            _ if columns.contains(&at) => word("variant", at),
            "metric" if beside && at < columns[0] => word("setting", at),
            _ => word(role, at),
        };
        ways.insert(0, roles.iter().map(role_of).collect());
    }
    let is_read = |words: &Vec<Word>| {
        let columns = options.columns.iter().chain(words).cloned().collect();
        Plan::new(header, &Options { columns, ..options.clone() }, preview)
            .is_ok_and(|plan| plan.values.iter().all(|value| has_numbers(value.column, &value.unit, preview)))
    };
    // The number of a version is none of a repetition.
    let is_version = |pattern: &String| {
        // Data frames number columns without a name from 0 on.
        let is_unnamed = pattern == "*" && header.iter().any(|name| name == "0");
        let before = pattern.split('*').next().unwrap_or_default().trim_end_matches(['_', ' ', '-', '.']);
        is_unnamed || VERSIONS.iter().any(|word| before.eq_ignore_ascii_case(word))
    };
    // Sizes and times are no repetitions of each other.
    let are_alike = |pattern: &String| {
        let cells: Vec<Vec<String>> =
            matching(header, pattern).unwrap_or_default().into_iter().map(|at| preview.sample(at)).collect();
        let is_whole = |cell: &String| cell.trim().parse::<i64>().is_ok();
        let any =
            |is: &dyn Fn(&String) -> bool| cells.iter().any(|cells| cells.len() > 1 && cells.iter().all(is));
        !(any(&is_whole) && any(&|cell| !is_whole(cell)))
    };
    let can_repeat = |at: &usize| unclear.contains(at) || is_worded(&header[*at]);
    let repeated: Vec<usize> = numbers.iter().copied().filter(can_repeat).collect();
    let patterns: Vec<String> = patterns(header, &repeated)
        .into_iter()
        .filter(|pattern| !is_version(pattern) && are_alike(pattern))
        .collect();
    if !patterns.is_empty() && !has_results {
        let is_beside = |&&(at, _): &&(usize, _)| {
            !patterns.iter().any(|pattern| matching(header, pattern).is_ok_and(|found| found.contains(&at)))
        };
        // What was repeated is what was measured, and nothing beside it.
        let beside = roles.iter().filter(is_beside);
        let beside = beside.map(|&(at, role)| word(if role == "metric" { "setting" } else { role }, at));
        let repetitions = patterns.iter().map(|pattern| (REPETITION.to_owned(), pattern.clone()));
        ways.insert(0, repetitions.chain(beside).collect());
    }
    // Where nothing else reads the table, a column of results in an unknown notation is named, and left out. One with
    // numbers among other cells is damaged.
    let is_unread = |at: &&usize| {
        let has_number = || preview.sample(**at).iter().any(|cell| number(cell.trim()).is_some());
        matches!(headers[**at].holds, Holds::Results | Holds::Mean | Holds::Summary)
            && !has_numbers(**at, &headers[**at].unit, preview)
            && !has_number()
    };
    let unread: Vec<Word> = free.iter().filter(is_unread).map(|&at| word("ignore", at)).collect();
    if !unread.is_empty() {
        ways.extend(ways.iter().map(|way| [&way[..], &unread[..]].concat()).collect::<Vec<_>>());
    }
    let builds: Vec<Word> = names.iter().filter(|(role, _)| role != "benchmark").cloned().collect();
    let with_names = ways.iter().flat_map(|way| [[&names[..], way].concat(), [&builds[..], way].concat()]);
    with_names.filter(|words| !words.is_empty()).find(is_read)
}

/// The columns of texts that name the benchmarks and the builds.
fn names(header: &[String], free: &[usize], options: &Options, preview: &dyn Preview) -> Vec<Word> {
    let has = |role: &str| options.columns.iter().any(|(known, _)| known == role);
    let mut texts: Vec<usize> = free
        .iter()
        .copied()
        .filter(|&at| !preview.is_numeric(at) && !preview.first(at).is_empty() && !header[at].is_empty())
        .collect();
    let mut words = Vec::new();
    // `45/200` and `25-30` were measured, and nothing reads them.
    let are_several = |at: usize| {
        preview.sample(at).iter().all(|cell| has_several(cell) && !cell.contains(char::is_alphabetic))
    };
    let are_builds = |at: usize| {
        is_of_build(&header[at])
            || preview.sample(at).iter().all(|cell| VARIANTS.contains(&&*cell.trim().to_lowercase()))
    };
    let is_named = |role: &str| header.iter().any(|name| name.trim().eq_ignore_ascii_case(role));
    if !has("variant")
        && !is_named("variant")
        && let Some(at) = texts.iter().copied().find(|&at| are_builds(at))
    {
        words.push(("variant".to_owned(), header[at].clone()));
        texts.retain(|&text| text != at);
    }
    if !has("benchmark") && benchmark_at(header, |_| true).is_none() {
        let is_name = |at: &&usize| {
            let words = name_words::words(&header[**at]);
            words.iter().any(|word| NAMES.contains(&&**word) || word == "name")
        };
        let is_key =
            |at: &usize| is_key(&header[*at]) || preview.sample(*at).iter().all(|cell| is_date(cell));
        let is_outcome =
            |at: &usize| is_outcome(&header[*at]) || !is_name(&at) && are_outcomes(&preview.sample(*at));
        texts.retain(|at| !is_key(at));
        let (outcomes, others): (Vec<usize>, Vec<usize>) = texts.iter().partition(|at| is_outcome(at));
        texts = others;
        let is_name_of =
            |at: &&usize| !are_ratios(**at, preview) && !is_derived_text(&header[**at]) && !are_several(**at);
        let is_setting = |at: &&usize| Header::of(&header[**at]).holds == Holds::Settings;
        let named = || texts.iter().filter(is_name_of);
        let chosen = named().find(is_name).or_else(|| named().find(|at| !is_setting(at))).or(named().next());
        let outcome = |at: usize| {
            let role = if is_derived_text(&header[at]) { "ignore" } else { "setting" };
            (role.to_owned(), header[at].clone())
        };
        match chosen {
            Some(&at) => {
                words.push(("benchmark".to_owned(), header[at].clone()));
                // The file that each run wrote would keep the runs apart.
                let is_path = |cell: &String| cell.contains(['/', '\\']);
                let is_of_run = |at: &&usize| {
                    let mut cells = preview.sample(**at);
                    let (are_paths, count) = (cells.iter().all(is_path), cells.len());
                    cells.sort_unstable();
                    cells.dedup();
                    are_paths && cells.len() == count && header.iter().any(|name| numbers_runs(name))
                };
                let written = texts.iter().filter(|other| **other != at).filter(is_of_run);
                words.extend(written.map(|&at| ("ignore".to_owned(), header[at].clone())));
            }
            // What failed is kept apart from what did not.
            None => words.extend(outcomes.iter().map(|&at| outcome(at))),
        }
    }
    words.reverse();
    let is_derived =
        |at: &&usize| is_derived_text(&header[**at]) || are_ratios(**at, preview) || are_several(**at);
    words.extend(texts.iter().filter(is_derived).map(|&at| ("ignore".to_owned(), header[at].clone())));
    words
}

/// Whether the texts of a column follow from two results: `winner`.
fn is_derived_text(header: &str) -> bool {
    Header::of(header).subject.iter().any(|word| DERIVED.contains(&&**word) || word == "winner")
}

/// The role of a column of numbers of which the header says nothing: what has decimals was measured, and few whole numbers
/// that come again were varied. A count of the rows is neither.
fn role(header: &Header, at: usize, preview: &dyn Preview) -> &'static str {
    let is_derived = header.subject.iter().any(|word| DERIVED.contains(&&**word));
    let is_beside = matches!(header.holds, Holds::Deviation | Holds::Spread | Holds::Count);
    // Nothing reads `24%`.
    if !has_numbers(at, &header.unit, preview) {
        return "ignore";
    }
    let cells = preview.sample(at);
    let is_flag = |cell: &String| matches!(cell.trim(), "0" | "1");
    if header.counts_failures() && !(cells.iter().all(is_flag) && cells.iter().any(|cell| cell.trim() == "1"))
    {
        return "metric";
    }
    let is_of_test = matches!(&*name_words::words(&header.name).concat(), "p" | "pval" | "pvalue");
    if is_beside || is_derived || is_of_test || is_mark(header) || header.counts_repeats() {
        return "ignore";
    }
    if cells.iter().all(is_flag) {
        return "setting";
    }
    let numbers: Vec<Option<f64>> = cells.iter().map(|cell| number(cell.trim())).collect();
    if numbers.iter().all(|number| number.is_some_and(is_since_1970)) {
        return "ignore";
    }
    let comes_again = |cell: &String| cells.iter().filter(|other| *other == cell).count() > 1;
    let has_decimals = cells.iter().any(|cell| cell.contains('.')) && !cells.iter().all(comes_again);
    if has_decimals || numbers.iter().any(|number| number.is_none_or(|number| number.fract() != 0.0)) {
        return "metric";
    }
    let counts = |two: &[Option<f64>]| two[0].map(|one| one + 1.0) == two[1];
    let restarts = |two: &[Option<f64>]| matches!(two[1], Some(0.0 | 1.0));
    let begins = matches!(numbers.first(), Some(Some(0.0 | 1.0)));
    if begins && numbers.len() > 1 && numbers.windows(2).all(|two| counts(two) || restarts(two)) {
        return "ignore";
    }
    let mut levels = numbers.clone();
    levels.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    levels.dedup();
    if levels.len() <= LEVELS && levels.len() < numbers.len().max(2) { "setting" } else { "metric" }
}

/// Whether columns can hold the same of several builds: words without a unit or a number, and values of one size.
fn are_variants(header: &[String], columns: &[usize], preview: &dyn Preview) -> bool {
    let is_word = |&at: &usize| {
        !Header::of(&header[at]).has_unit() && !header[at].bytes().any(|byte| byte.is_ascii_digit())
    };
    let bases: HashSet<Option<String>> = columns.iter().map(|&at| base_of(&preview.sample(at))).collect();
    let value = |cell: &String| number(cell.trim()).or_else(|| Some(amount(cell)?.value));
    let largest = |&at: &usize| preview.sample(at).iter().filter_map(value).fold(0.0, f64::max);
    let sizes: Vec<f64> = columns.iter().map(largest).collect();
    let (least, most) =
        sizes.iter().fold((f64::MAX, 0.0), |(least, most), &size| (size.min(least), size.max(most)));
    columns.iter().all(is_word) && bases.len() == 1 && least > 0.0 && most / least < 20.0
}

/// Whether the first cells of a column can be read as values of this unit.
fn has_numbers(column: usize, unit: &str, preview: &dyn Preview) -> bool {
    let unit = Some(meaning(unit)).filter(|_| is_known(unit));
    let is_multiple = |cell: &str| unit.as_ref().is_some_and(|unit| times(cell, unit).is_some());
    let is_value = |cell: &String| {
        is_missing(cell.trim().as_bytes()) || is_number(cell.trim().as_bytes()) || is_multiple(cell)
    };
    // One whose unit or notation is unknown is reported, but reads nothing alone.
    let is_bare = |cell: &String| {
        let cell = cell.trim();
        digits(cell) == cell
            || number(cell.as_bytes()).is_some()
            || spaced(cell.as_bytes()).is_some()
            || seconds(cell).is_some()
            || is_multiple(cell)
            || is_missing(cell.as_bytes())
    };
    let cells = preview.sample(column);
    let are_numbers = cells.iter().all(is_value) && (cells.is_empty() || cells.iter().any(is_bare));
    let is_of_unit = |base: String| unit.as_ref().is_none_or(|unit| unit.base == base);
    are_numbers || base_of_most(&cells).is_some_and(|(base, _)| is_of_unit(base)) || are_spreads(&cells)
}
