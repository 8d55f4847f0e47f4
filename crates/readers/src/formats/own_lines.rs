//! Lines that people print: `Encode: 123.4 ms`, `parse 12.1ms`, `Simple syscall: 0.13 microseconds`. Each is a result of the
//! benchmark that it names; a line of the same name is another sample, unless something between them says what differs.

use super::format::{OWN_PROGRAM, PLAIN_TABLE};
use super::headings;
use super::prelude::*;
use super::tables::{drawn, text};

pub static FORMAT: Format = Format {
    name: "lines",
    sign: "lines such as `Encode: 123.4 ms`",
    harness: PLAIN_TABLE,
    fits: |head| {
        let lines = || head.lines().filter(|line| !line.is_empty());
        let found = lines().filter(|line| std::str::from_utf8(line).is_ok_and(|line| result(line).is_some()));
        let found = found.count();
        let is_found = found > 1 && found * MOST >= lines().count();
        No::unless(is_found, "it has no such lines, or few among others")?;
        let is_table = [&text::CSV, &text::TSV, &drawn::FORMAT].iter().any(|table| table.fit(head).is_ok());
        No::unless(!is_table, "it is a table")
    },
    read: Read::Bytes(read),
    printed_by: OWN_PROGRAM,
    ..Format::PLAIN
};

/// At least one line of so many is a result: a log of something else states times, too.
const MOST: usize = 3;
/// Longer names are sentences.
const LONGEST: usize = 6;

/// What people compute from the lines above.
const DERIVED: [&str; 6] = ["total", "sum", "average", "avg", "mean", "geomean"];
/// And beside the runs of one benchmark.
const EXTREMES: [&str; 5] = ["min", "max", "minimum", "maximum", "median"];
/// How the names of lines end that say how far others vary.
const SPREADS: [&str; 8] = [
    "stddev",
    "std dev",
    "std. dev",
    "std-deviation",
    "stdev",
    "standard deviation",
    "deviation",
    "variance",
];

/// The name, the number and the unit of a line; a time, a rate or a number of bytes.
fn result(line: &str) -> Option<(&str, f64, units::Meaning)> {
    let line = line.trim().trim_start_matches(['-', '*', '•']).trim_start();
    let is_of_unit = |sign: char| sign.is_alphabetic() || matches!(sign, '/' | '%');
    let before = line.trim_end_matches(is_of_unit);
    let (digits, unit) = (before.trim_end(), &line[before.len()..]);
    let name = digits.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let value = number(&digits.as_bytes()[name.len()..])?;
    let is_apart = name.ends_with([' ', ':', '=']) && !line.contains('\t');
    let name = name.trim_end().trim_end_matches([':', '=']).trim_end();
    let is_name = name.starts_with(char::is_alphabetic) && name.split_whitespace().count() <= LONGEST;
    // A name that ends in a number or a mark has another form: `1.2 ± 0.3 ms`, `took 3, 4 ms`.
    let is_whole = name.ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, ')' | ']' | '\''));
    let meaning = is_known(unit).then(|| meaning(unit))?;
    let is_result = matches!(meaning.quantity, Quantity::Time | Quantity::Throughput | Quantity::Bytes);
    (is_apart && is_name && is_whole && is_result).then_some((name, value, meaning))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut derived = Vec::new();
    let is_run = |name: &str| headings::repeated(name).is_empty();
    let mut names = lines::numbered(bytes).filter_map(|(_, text)| Some(result(text)?.0));
    let has_runs = names.any(is_run);
    for (line, text) in lines::numbered(bytes) {
        let Some((benchmark, value, meaning)) = result(text) else { continue };
        let benchmark = if is_run(benchmark) { headings::REPETITION } else { benchmark };
        let lower = benchmark.to_lowercase();
        let is_derived = DERIVED.contains(&&*lower)
            || has_runs && EXTREMES.contains(&&*lower)
            || SPREADS.iter().any(|ending| lower.ends_with(ending));
        if is_derived {
            derived.push((line, benchmark));
            continue;
        }
        let metric = match meaning.quantity {
            Quantity::Time => "time",
            Quantity::Bytes => "size",
            _ => "throughput",
        };
        let metric = sheet.metric_of(Metric::new(metric, &meaning.base, meaning.quantity));
        let row = Measurement { benchmark, metric, line, ..ROW };
        sheet.push(Measurement { value: meaning.scale.apply(value), ..row });
    }
    for (line, name) in derived {
        let what = format!("`{}` can be computed from the other lines; it is left out", excerpt(name));
        sheet.malformed(line, what, "give it another name if it is a result of its own");
    }
    if !sheet.is_empty() {
        let what = "each line with a name, a number and a unit is read as a result of that name";
        sheet.problem(Code::Assumed, 0, what, "remove the lines that are none");
    }
}

#[cfg(test)]
mod tests {
    use super::result;

    #[test]
    fn a_result_has_a_name_a_number_and_a_unit() {
        for (line, expected) in [
            ("Encode: 123.4 ms", Some(("Encode", 123.4))),
            ("parse 12.1ms", Some(("parse", 12.1))),
            ("- fork+exit = 250.9 microseconds", Some(("fork+exit", 250.9))),
            ("Select on 100 fd's: 78.8 us", Some(("Select on 100 fd's", 78.8))),
            ("copy: 3.5 GB/s", Some(("copy", 3.5))),
            ("mean 1.2 ± 0.3 ms", None),
            ("parse12.1ms", None),
            ("threads: 4", None),
            ("12.1 ms", None),
            ("it took so long that nobody would wait 3 s", None),
        ] {
            let found = result(line).map(|(name, value, _)| (name, value));
            assert_eq!(found, expected, "{line}");
        }
    }
}
