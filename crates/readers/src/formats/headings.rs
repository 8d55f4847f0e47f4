//! The headings above results. Where an output names neither its suite nor its target, they tell results of one name apart.
//!
//! [`tell_apart`] does it for every format of which scripts collect several runs in one file (`Format::printed_by`): a
//! loop prints `=== small ===`, `size=4k` or the command before each run. What all runs have is of the program itself. What
//! only some have is work of its own: runs of different work are never repetitions of one.

use super::{lines, parameters};
use crate::context::Context;
use crate::problem::Code;
use crate::sheet::Sheet;
use crate::source::Content;
use crate::text::excerpt;
use crate::word_list::words;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

/// The key of a result whose name others have that stand below another heading.
pub(super) const HEADING: &str = "heading";

/// How deep a heading is, and its text.
pub(super) type Heading<'a> = (usize, &'a str);

/// The depths below those of Markdown and of titles: a comment in a fenced block, and a line that ends in a colon.
const COMMENT: usize = 8;
const COLON: usize = 9;
/// The depth of a line that says the same as others but for a word: one that ends in a colon stands above several of them.
const VARIANT: usize = 10;

/// What stands for headings that are nothing but a word and the number of a repetition.
pub(super) const REPETITION: &str = "run";

/// A heading of Markdown: `## text`.
pub(super) fn markdown(line: &str) -> Option<Heading<'_>> {
    let line = line.trim();
    let text = line.trim_start_matches('#');
    let depth = line.len() - text.len();
    if !(1..TITLE).contains(&depth) || !text.starts_with(char::is_whitespace) {
        return None;
    }
    // `## text ##` has signs at its end, `## C#` has not.
    let open = text.trim_end_matches('#');
    let text = if open.ends_with(char::is_whitespace) { open } else { text };
    Some((depth, named(text)?))
}

/// The text between two or more equal signs at each end.
pub(super) fn title(line: &str) -> Option<&str> {
    let sign = line.chars().next().filter(|&sign| "=-*~#_".contains(sign))?;
    let open = line.trim_start_matches(sign);
    let text = open.trim_end_matches(sign);
    (line.len() - open.len() >= 2 && open.len() - text.len() >= 2).then_some(text)
}

/// The text between signs, if some stand around it.
fn without_signs(text: &str) -> &str {
    title(text.trim()).unwrap_or(text)
}

/// The text of a heading without the marker of a list, a quotation or a comment, and its colon; `None` if it has no words.
pub(super) fn named(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches([':', '：']).trim_end();
    let open = text.trim_start_matches(['-', '*', '+', '/', '>', '»', '›', '•', '→', '▶']);
    let text = if open.starts_with(char::is_whitespace) { open.trim_start() } else { text };
    let code = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    let text = code.filter(|text| !text.contains('`')).unwrap_or(text);
    text.contains(char::is_alphanumeric).then(|| text.trim())
}

/// The text of a heading without the word and the number of a repetition: `encode` of `encode, run 2`, and none of `Run 2`.
pub(super) fn repeated(text: &str) -> &str {
    const WORDS: [&str; 12] =
        words!("run round try attempt iteration repetition pass trial sample repeat rep loop");
    let is_digit = |sign: char| sign.is_ascii_digit();
    let is_between = |sign: char| sign.is_whitespace() || ",.;:-–—_#/|([".contains(sign);
    let text_of = |text: &str| text.trim_end_matches(is_between).len();
    let mut rest = text.trim_end_matches([')', ']']);
    // `run 2 of 5`, `run 2/5`
    let numbered = rest.trim_end_matches(is_digit);
    let total = numbered.trim_end();
    let shorter = total.strip_suffix('/').or_else(|| total.strip_suffix(" of")).map(str::trim_end);
    if let Some(shorter) = shorter.filter(|shorter| numbered != rest && shorter.ends_with(is_digit)) {
        rest = shorter;
    }
    let before = rest.trim_end_matches(is_digit);
    if before == rest {
        return text;
    }
    let before = &before[..text_of(before)];
    for word in WORDS {
        let at = before.len().wrapping_sub(word.len());
        let (Some(begin), Some(end)) = (before.get(..at), before.get(at..)) else { continue };
        if end.eq_ignore_ascii_case(word) && !begin.ends_with(char::is_alphanumeric) {
            return &begin[..text_of(begin)];
        }
    }
    text
}

/// The sign of a line that begins or ends a fenced block, and whether the line has nothing else.
fn fence(line: &str) -> Option<(char, bool)> {
    let line = line.trim();
    let sign =
        ['`', '~'].into_iter().find(|&sign| line.chars().take_while(|next| *next == sign).count() >= 3)?;
    let rest = line.trim_start_matches(sign);
    // Longer ones are the rules of a program.
    (line.len() - rest.len() <= 10 && !rest.contains(['`', '~'])).then_some((sign, rest.is_empty()))
}

/// The headings of an output.
#[derive(Default)]
struct Outline<'a> {
    /// The distinct texts of the headings above a place, from the outermost on. The first is that of no heading.
    paths: Vec<Vec<&'a str>>,
    /// The lines from which on other headings are the last ones, and their place among the paths.
    changes: Vec<(u32, usize)>,
}

impl<'a> Outline<'a> {
    /// `heading` gets the places of lines.
    fn of(lines: &[(u32, &'a str)], heading: impl Fn(usize) -> Option<Heading<'a>>) -> Self {
        let mut outline = Self { paths: vec![Vec::new()], ..Self::default() };
        let mut places = HashMap::from([(Vec::new(), 0)]);
        let (mut open, mut block) = (Vec::<Heading<'a>>::new(), None);
        // The command line above, if nothing stands below it.
        let mut command = None;
        for (at, &(line, text)) in lines.iter().enumerate() {
            if let Some((sign, is_bare)) = fence(text) {
                // The headings in a block end with it, except for a command at its end: its output is in the next block.
                match block.take() {
                    Some((begin, around)) if begin == sign && is_bare => {
                        open = around;
                        open.retain(|(depth, _)| command.is_none() || *depth < COMMAND);
                        open.extend(command.take());
                    }
                    Some(same) => block = Some(same),
                    None => block = Some((sign, open.clone())),
                }
            } else if let Some((depth, text)) = heading(at) {
                let depth = if block.is_some() && depth < TITLE { COMMENT } else { depth };
                open.retain(|(outer, _)| *outer < depth);
                let text = if depth == COMMAND { text } else { repeated(text) };
                open.push((depth, text));
                command = Some((depth, text)).filter(|_| depth == COMMAND);
            } else {
                command = command.filter(|_| text.is_empty());
                continue;
            }
            let texts = open.iter().map(|(_, text)| *text);
            let mut path: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
            if path.is_empty() && !open.is_empty() {
                path.push(REPETITION);
            }
            let place = *places.entry(path).or_insert_with_key(|path| {
                outline.paths.push(path.clone());
                outline.paths.len() - 1
            });
            outline.changes.push((line, place));
        }
        outline
    }

    /// The place of the headings above a line.
    fn above(&self, line: u32) -> usize {
        let after = self.changes.partition_point(|(begin, _)| *begin <= line);
        after.checked_sub(1).map_or(0, |last| self.changes[last].1)
    }

    /// What tells these headings apart: their texts without the first and the last ones that all share.
    fn differences(&self, places: &BTreeSet<usize>) -> Vec<(usize, String)> {
        let headed = || places.iter().filter(|place| **place > 0).map(|place| (*place, &*self.paths[*place]));
        let Some((_, first)) = headed().next() else { return Vec::new() };
        let begin = (0..first.len())
            .take_while(|&at| headed().all(|(_, path)| path.get(at) == first.get(at)))
            .count();
        let rest = |path: &'_ [&'a str]| path[begin..].to_vec();
        let first = rest(first);
        let end = (0..first.len())
            .take_while(|&at| {
                headed().all(|(_, path)| path[begin..].iter().nth_back(at) == first.iter().nth_back(at))
            })
            .count();
        headed().map(|(place, path)| (place, path[begin..path.len() - end].join(" / "))).collect()
    }
}

/// Gives the results of runs that equal each other in name and settings a key with what stands above each run and not above
/// all: a title, a command line that starts one of these programs, a line such as `size=4k`, `cached:` or `Test 1: read`. `own` are the beginnings of
/// labels that the program prints itself.
pub(super) fn tell_apart(
    sheets: &mut [Sheet],
    content: &Content,
    programs: &[&str],
    own: &[&str],
) -> io::Result<()> {
    let kept = kept(sheets);
    let bytes = if kept.is_none() { content.all()? } else { Cow::default() };
    let lines: Vec<(u32, &str)> = kept.as_ref().map_or_else(
        || lines_of(&bytes),
        |kept| kept.iter().map(|(line, text)| (*line, text.as_str())).collect(),
    );
    let framed = framed(&lines);
    let label = |&(line, text): &(u32, _)| {
        let in_frame = || Some((TITLE, named(without_signs(text))?)).filter(|_| framed.contains(&line));
        let between = || Some((COLON, beside(text)?));
        markdown(text).or_else(in_frame).or_else(|| above_run(text, programs)).or_else(between)
    };
    let variants = variants(&lines);
    let label = |line: &(u32, _)| {
        label(line).or_else(|| Some((VARIANT, named(line.1)?)).filter(|_| variants.contains(&line.0)))
    };
    let mut labels: Vec<Option<Heading<'_>>> = lines.iter().map(label).collect();
    let has_labels = programs.iter().any(|program| WITH_LABELS.contains(program));
    if has_labels && labels.iter().flatten().count() < 2 {
        if lines.iter().any(|(_, text)| is_said(text)) {
            say_between(sheets, &lines, own, &[]);
        }
        return Ok(());
    }
    let results = Results::of(sheets);
    // What the program prints tells nothing of where a run begins.
    let is_label = |((_, text), label): &(&(u32, &str), &Option<Heading<'_>>)| {
        (label.is_some() || is_said(text)) && !is_own(text.trim(), own)
    };
    let said: Vec<u32> = lines.iter().zip(&labels).filter(is_label).map(|(line, _)| line.0).collect();
    let runs = Runs::of(&results, &said);
    if runs.0.len() < 2 {
        return Ok(());
    }
    let below = below_each(&lines, &runs);
    for label in &mut labels {
        *label = label.filter(|(_, text)| !settings(text).iter().any(|(name, _)| below.contains(name)));
    }
    let marked: HashSet<u32> =
        lines.iter().zip(&labels).filter(|(_, label)| label.is_some()).map(|(line, _)| line.0).collect();
    for (&(line, _), label) in lines.iter().zip(&mut labels) {
        *label = label.take_if(|label| ![COLON, VARIANT].contains(&label.0) || runs.are_beside(line));
    }
    let mut above = HashMap::<&str, BTreeSet<usize>>::new();
    for (&(line, _), label) in lines.iter().zip(&labels) {
        if let (Some((_, text)), Some(run)) = (label, runs.after(line)) {
            above.entry(text).or_default().insert(run);
        }
    }
    for (&(_, line), label) in lines.iter().zip(&mut labels) {
        let is_of_all =
            |(_, text): &Heading<'_>| above.get(text).is_none_or(|runs_of| runs_of.len() == runs.0.len());
        let is_printed = |text| is_own(text, own) || is_own(line.trim(), own);
        *label = label.take_if(|label| !is_of_all(label) && !is_printed(label.1));
    }
    distinguish_below(sheets, &results, &Outline::of(&lines, |at| labels[at]));
    if !has_labels {
        let results = Results::of(sheets);
        distinguish_below(sheets, &results, &unmarked(&lines, &marked, own, &Runs::of(&results, &said)));
    }
    say_between(sheets, &lines, own, &said);
    Ok(())
}

/// The names of settings that stand once below each run, and not above the first: a script says there what came out, such
/// as the size of a file.
fn below_each<'a>(lines: &[(u32, &'a str)], runs: &Runs) -> HashSet<&'a str> {
    let mut places = HashMap::<&str, Vec<usize>>::new();
    for &(line, text) in lines {
        for (name, _) in settings(text.trim()) {
            places.entry(name).or_default().push(runs.after(line).unwrap_or(runs.0.len()));
        }
    }
    places
        .into_iter()
        .filter(|(_, places)| places.iter().copied().eq(1..=runs.0.len()))
        .map(|(name, _)| name)
        .collect()
}

/// Says of results that still equal each other in name and settings which text stands between them.
fn say_between(sheets: &mut [Sheet], lines: &[(u32, &str)], own: &[&str], labels: &[u32]) {
    let runs = Runs::of(&Results::of(sheets), labels);
    let mut times = HashMap::<String, usize>::new();
    if !(2..=MOST_VARIANTS).contains(&runs.0.len()) {
        return;
    }
    // Of `read, run 1` and `read, run 2` each says the same, but `// 64` and `// 128` are nothing but numbers.
    let said = |text: &str| {
        let text = repeated(named(text).unwrap_or_default());
        if is_number(text) { text.to_owned() } else { shape(text) }
    };
    for (_, text) in lines {
        *times.entry(said(text)).or_default() += 1;
    }
    let is_between = |&&(line, text): &&(u32, &str)| {
        runs.are_beside(line)
            && runs.after(line).is_some_and(|run| run > 0)
            && is_said(text)
            && !is_own(text.trim(), own)
            && named(text).is_some_and(|text| !repeated(text).is_empty() && !is_own(text, own))
            && times[&said(text)] < 2.max(runs.0.len() - 1)
    };
    if let (Some((line, text)), Some(sheet)) = (lines.iter().find(is_between), sheets.first_mut()) {
        let what =
            format!("`{}` stands between results of one name, which count as repetitions", excerpt(text));
        let hint = "if their work differs, write a title such as `== after ==` above each run";
        sheet.problem(Code::Assumed, *line, what, hint);
    }
}

/// Says of results that equal each other in name, and of which nothing is known but the name, that they count as repetitions.
pub(super) fn say_untold(sheets: &mut [Sheet], harness: &str) {
    let is_said = sheets.iter().any(|sheet| sheet.counts.contains_key(&Code::Assumed));
    let mut rows: Vec<&Found> = Vec::new();
    let results = Results::of(sheets);
    rows.extend(&results.0);
    rows.sort_by_key(|row| row.line);
    let mut known = HashMap::new();
    let again = rows.iter().find(|row| *known.entry((row.work, row.metric)).or_insert(row.line) != row.line);
    let Some(line) = again.map(|row| row.line).filter(|_| !is_said) else { return };
    let is_told =
        |sheet: &Sheet| sheet.context.iter().any(|&of| sheet.contexts.get(of as usize).next().is_some());
    if let Some(sheet) = sheets.first_mut().filter(|sheet| !is_told(sheet)) {
        let what = format!("{harness} does not print its settings: results of one name count as repetitions");
        let hint = "if their settings differ, write a title such as `== 100 connections ==` above each run";
        sheet.problem(Code::Assumed, line, what, hint);
    }
}

/// Whether a person wrote a line: a heading, a comment, a sentence, or `And after:`.
fn is_said(text: &str) -> bool {
    markdown(text).is_some()
        || text.trim_start().starts_with("//")
        || is_sentence(text, FEWEST_WORDS)
        || text.trim_end().ends_with([':', '：']) && is_sentence(text, 1)
}

/// Whether a line is what a person says of a run: several words, nothing measured, no warning of a program.
fn is_sentence(text: &str, fewest: usize) -> bool {
    // `5.2. After the change` has the number of a list.
    let line = text.trim();
    let text = line.trim_start_matches(|sign: char| sign.is_ascii_digit() || ".)".contains(sign)).trim();
    let words = || text.split_whitespace();
    let is_spaced = line.len() == text.len() && text.matches("  ").count() > 1;
    let is_row = is_spaced || text.contains('\t') || text.starts_with('|');
    let is_warning =
        ["warn", "error", "exit", "fail"].iter().any(|word| text.to_ascii_lowercase().contains(word));
    let are_letters =
        words().filter(|word| word.chars().all(|sign| sign.is_alphabetic() || ",.:;'()".contains(sign)));
    // A program begins its messages with the time, or writes them as an object.
    let begins = text.starts_with(char::is_alphabetic);
    begins && are_letters.count() >= fewest && !is_row && !is_warning && !words().any(is_measured)
}

/// Fewer words are rather those of a program.
const FEWEST_WORDS: usize = 4;

/// Programs with lines of their own for labels (`key: value`), whose benchmarks print what they like.
const WITH_LABELS: [&str; 1] = ["go"];

/// What stands above every run, has no mark of a heading, and is not of the program itself: `small`, `[small]`, `>>> small`,
/// `4 threads`. The program prints a line of one shape in each run, and the same text, or measured numbers. A script prints
/// other words, or another number in the first line of a run. Where such lines do not stand above each run, or
/// above equally many runs each, none is a label: some runs print errors.
fn unmarked<'a>(lines: &[(u32, &'a str)], marked: &HashSet<u32>, own: &[&str], runs: &Runs) -> Outline<'a> {
    let mut outline = Outline { paths: vec![Vec::new()], changes: Vec::new() };
    if !(2..=MOST_VARIANTS).contains(&runs.0.len()) {
        return outline;
    }
    let shapes: Vec<String> = lines.iter().map(|(_, text)| shape(text)).collect();
    let mut times = HashMap::<&str, usize>::new();
    for shape in &shapes {
        *times.entry(shape).or_default() += 1;
    }
    let first =
        lines.iter().position(|(_, text)| !text.trim().is_empty()).filter(|&at| counts(lines, &shapes, at));
    let is_label = |at: usize| {
        let (line, text) = lines[at];
        let is_counted = || first.is_some_and(|first| shapes[at] == shapes[first]);
        !marked.contains(&line)
            && !is_own(text.trim(), own)
            && is_free(named(text).unwrap_or_default(), own)
            && (is_counted() || (shapes[at] != "#" && times[&*shapes[at]] < runs.0.len()))
    };
    let mut above = vec![Vec::new(); runs.0.len()];
    for (at, &(line, text)) in lines.iter().enumerate() {
        if let Some(run) = runs.after(line).filter(|_| runs.are_beside(line) && is_label(at)) {
            above[run].push((line, repeated(named(text).unwrap_or(text))));
        }
    }
    // One label can stand above as many runs as each of the others: those of a program that repeats its work.
    let labelled: Vec<usize> = (0..above.len()).filter(|&run| !above[run].is_empty()).collect();
    let each = above.len() / labelled.len().max(1);
    if labelled.len() > 1 && labelled.iter().enumerate().all(|(nth, &run)| run == nth * each) {
        for labels in above.into_iter().filter(|labels| !labels.is_empty()) {
            outline.changes.push((labels[0].0, outline.paths.len()));
            let nearest = labels.len().saturating_sub(MOST_LINES);
            outline.paths.push(labels[nearest..].iter().map(|(_, text)| *text).collect());
        }
    }
    outline
}

/// Whether a line is one that a person can have written to name work: few words, no row of a table, nothing measured.
fn is_free(text: &str, own: &[&str]) -> bool {
    let is_short = text.split_whitespace().count() <= MOST_WORDS && text.contains(char::is_alphanumeric);
    is_short
        && !is_row(text)
        && !is_own(text, own)
        && !repeated(text).is_empty()
        && !text.split_whitespace().any(is_measured)
}

/// Whether the lines of the shape of this one have other numbers, which somebody chose, and are no mere count of the runs.
fn counts(lines: &[(u32, &str)], shapes: &[String], at: usize) -> bool {
    let alike = lines.iter().zip(shapes).filter(|(_, shape)| **shape == shapes[at]);
    let texts: Vec<&str> = alike.map(|((_, text), _)| text.trim()).collect();
    let is_count = texts.iter().zip(1..).all(|(text, nth)| text.parse() == Ok(nth));
    let is_chosen = || !texts.iter().flat_map(|text| text.split_whitespace()).any(is_measured);
    texts.iter().any(|text| *text != texts[0]) && !is_count && is_chosen()
}

/// Whether a word is a number that nobody chose.
fn is_measured(word: &str) -> bool {
    let number = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
    number
        .parse::<f64>()
        .is_ok_and(|value| number.contains('.') || value >= 1000.0 && !is_word(number) || !value.is_finite())
}

/// A line without its numbers and dates.
fn shape(text: &str) -> String {
    const NAMES: [&str; 19] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Mon", "Tue",
        "Wed", "Thu", "Fri", "Sat", "Sun",
    ];
    let words = text.split_whitespace().map(|word| {
        if NAMES.contains(&word.trim_end_matches(',')) {
            return "#".to_owned();
        }
        let mut shape = String::with_capacity(word.len());
        for sign in word.chars() {
            match sign {
                '0'..='9' if shape.ends_with('#') => {}
                '0'..='9' => shape.push('#'),
                _ => shape.push(sign),
            }
        }
        shape
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The lines that are no results, with their numbers in the file, if the reader kept them.
fn kept(sheets: &mut [Sheet]) -> Option<Vec<(u32, String)>> {
    let (mut kept, mut above) = (Vec::new(), 0);
    for sheet in sheets {
        kept.extend(sheet.beside.take()?.into_iter().map(|(line, text)| (above + line, text)));
        above += sheet.lines;
    }
    Some(kept)
}

/// The lines with their numbers, without those that name a benchmark, which are no labels. Of blank lines below each other
/// the first says as much as all: millions of them must not take memory.
fn lines_of(bytes: &[u8]) -> Vec<(u32, &str)> {
    let (mut found, mut start, mut number) = (Vec::new(), 0, 0);
    let mut was_blank = false;
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        number += 1;
        let line = &bytes[start..end];
        start = end + 1;
        if std::mem::replace(&mut was_blank, line.is_empty()) && line.is_empty() {
            continue;
        }
        found.extend(text_of(line).filter(|_| !line.starts_with(b"Benchmark")).map(|text| (number, text)));
    }
    found
}

/// The text of a line in which a heading can stand.
pub(super) fn text_of(line: &[u8]) -> Option<&str> {
    std::str::from_utf8(lines::without_echo(line)).ok().map(str::trim_end)
}

/// A result of a file.
struct Found {
    /// Its line in the file; pieces of a large file count their own.
    line: u32,
    /// What was measured: the number of a benchmark with its configuration, among all pieces.
    work: u32,
    metric: u32,
    process: Option<u32>,
}

/// The results of a file in the order of the rows of its pieces.
struct Results(Vec<Found>);

impl Results {
    fn of(sheets: &[Sheet]) -> Self {
        let (mut found, mut above) = (Vec::new(), 0);
        let (mut works, mut metrics) =
            (HashMap::<(String, Context), u32>::new(), HashMap::<&str, u32>::new());
        for sheet in sheets {
            let (mut known_works, mut known_metrics) = (HashMap::new(), HashMap::new());
            for row in 0..sheet.len() {
                let (benchmark, context, metric) =
                    (sheet.benchmark[row], sheet.context[row], sheet.metric[row]);
                let work = *known_works.entry((benchmark, context)).or_insert_with(|| {
                    let name = sheet.benchmarks.get(benchmark).to_owned();
                    let next = works.len() as u32;
                    *works.entry((name, sheet.contexts.to_context(context as usize))).or_insert(next)
                });
                let metric = *known_metrics.entry(metric).or_insert_with(|| {
                    let next = metrics.len() as u32;
                    *metrics.entry(&*sheet.metrics[metric as usize].name).or_insert(next)
                });
                let process = sheet.process.get(row).copied();
                found.push(Found { line: above + sheet.line[row], work, metric, process });
            }
            above += sheet.lines;
        }
        Self(found)
    }
}

/// The first and the last line of the results of each run. A run ends where one of its results, or one that the first run
/// had before its last one, comes again in another process, or above what no run had, if a person wrote something there.
struct Runs(Vec<(u32, u32)>);

impl Runs {
    /// `said` are the lines that a person wrote, in their order.
    fn of(results: &Results, said: &[u32]) -> Self {
        let mut rows: Vec<&Found> = results.0.iter().collect();
        rows.sort_by_key(|row| row.line);
        let (mut runs, mut known) = (Vec::<(u32, u32)>::new(), HashSet::new());
        // In which order results came first, and the last ones that no run had.
        let (mut places, mut last, mut firsts) = (HashMap::new(), 0, Vec::new());
        let mut process = None;
        let is_said_between = |above: u32, below: u32| {
            said.get(said.partition_point(|line| *line <= above)).is_some_and(|line| *line < below)
        };
        for &&Found { line, work, metric, process: of, .. } in &rows {
            let next = places.len();
            let place = *places.entry((work, metric)).or_insert(next);
            let is_next = known.insert((work, metric)) && place >= last;
            let is_same = of.is_some() && process == Some(of);
            process = Some(of);
            match runs.last_mut() {
                Some(run) if is_next || is_same || run.0 == line => run.1 = line,
                ended => {
                    known = HashSet::from([(work, metric)]);
                    let mut begin = line;
                    let is_of_next = |&&(first, _): &&(u32, _)| {
                        let is_near = !is_said_between(first, begin);
                        begin = if is_near { first } else { begin };
                        is_near
                    };
                    let of_next = firsts.iter().rev().take_while(is_of_next).count();
                    if let (Some(above), Some(run)) = (firsts.len().checked_sub(of_next + 1), ended) {
                        run.1 = firsts[above].0;
                        known.extend(firsts[above + 1..].iter().map(|(_, result)| *result));
                        runs.push((firsts.get(above + 1).map_or(line, |(first, _)| *first), line));
                    } else {
                        runs.push((line, line));
                    }
                    firsts.clear();
                }
            }
            if place == next {
                firsts.push((line, (work, metric)));
            } else {
                firsts.clear();
            }
            last = place;
        }
        Self(runs)
    }

    /// The number of the run whose results end on this line or below.
    fn after(&self, line: u32) -> Option<usize> {
        Some(self.0.partition_point(|run| run.1 < line)).filter(|&run| run < self.0.len())
    }

    /// Whether a line is above the results of a run, and not between those of one.
    fn are_beside(&self, line: u32) -> bool {
        self.after(line).is_some_and(|run| line < self.0[run].0)
    }
}

/// The text of a line that a script can print above a run: `size=4k`, `cached:`, `Test 1: random read`.
fn beside(line: &str) -> Option<&str> {
    let line = line.trim();
    let is_setting = || !settings(line).is_empty();
    let is_numbered = || {
        let (name, text) = line.split_once(": ")?;
        let (word, number) = name.split_once(' ')?;
        let is_number = number.trim_start_matches('#').bytes().all(|byte| byte.is_ascii_digit());
        let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_number && is_word && text.contains(char::is_alphabetic)).then_some(())
    };
    let has_colon = || line.strip_suffix([':', '：']).and_then(named);
    if let Some(version) = version(line) {
        return Some(version);
    }
    if is_setting() || is_numbered().is_some() { Some(line) } else { has_colon() }
}

/// A line that names the runtime or the compiler of the run below it: `Python 3.12`, `// Node 8.7`, `go version go1.22.1`. Its
/// number looks like a measured one.
fn version(line: &str) -> Option<&str> {
    const NAMES: [&str; 37] = [
        "bun", "chrome", "chromium", "clang", "clang++", "cpython", "deno", "dotnet", "elixir", "erlang",
        "firefox", "g++", "gcc", "ghc", "go", "golang", "graalvm", "java", "jdk", "julia", "kotlin", "linux",
        "lua", "luajit", "node", "node.js", "nodejs", "ocaml", "openjdk", "perl", "php", "pypy", "python",
        "ruby", "rust", "rustc", "swift",
    ];
    let text = line.trim_start_matches(['/', '#', '*', '-', '>', '[', '(']).trim_start();
    let text = text.trim_end_matches([':', ']', ')']);
    let mut words = text.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("version"));
    let name = words.next()?.trim_end_matches(':').to_ascii_lowercase();
    let number = words.next()?.trim_start_matches(|sign: char| sign.is_ascii_alphabetic() || sign == '(');
    let is_name = NAMES.contains(&&*name);
    (is_name && number.starts_with(|first: char| first.is_ascii_digit()) && words.count() < MOST_WORDS)
        .then_some(text)
}

/// The most letters of a value behind ` = `; a checksum has more.
const LONGEST_VALUE: usize = 8;
/// The most words of a line that a script prints above a run; longer ones are sentences.
const MOST_WORDS: usize = 8;
/// The most lines of a label; those nearest to the run.
const MOST_LINES: usize = 4;
/// Of so many lines or more nobody wrote each; a log did.
const MOST_VARIANTS: usize = 1000;

/// The numbers of the lines that say the same as others but for one or two words, such as `cache on` and `cache off`, or for
/// round numbers, such as `Testing 64 rows` and `Testing 128 rows`: a script printed them. Other numbers are measured, and so
/// are those behind a colon.
fn variants(lines: &[(u32, &str)]) -> HashSet<u32> {
    let mut alike = HashMap::<Vec<&str>, HashMap<&str, Vec<u32>>>::new();
    for &(line, text) in lines {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_figure = text.contains(':') && text.contains(|sign: char| sign.is_ascii_digit());
        if is_figure || !(2..=MOST_WORDS).contains(&words.len()) || !words.iter().all(|word| is_word(word)) {
            continue;
        }
        for at in 0..words.len() {
            let mut others = words.clone();
            others[at] = "";
            alike.entry(others).or_default().entry(words[at]).or_default().push(line);
        }
        if alike.len() > MOST_VARIANTS * MOST_WORDS {
            return HashSet::new();
        }
    }
    alike
        .into_values()
        .filter(|variants| variants.len() > 1)
        .flat_map(HashMap::into_values)
        .flatten()
        .collect()
}

/// Whether a word is one of a text, or a number that nobody measured: a power of two, or a round one, also such as `4k`.
fn is_word(word: &str) -> bool {
    let digits = word.trim_end_matches([',', ':', '.', ')', 'k', 'K', 'M', 'B']).trim_start_matches('(');
    if !word.contains(|sign: char| sign.is_ascii_digit()) {
        return word.contains(char::is_alphabetic);
    }
    digits.parse::<u64>().is_ok_and(|number| number > 7 && (number.is_power_of_two() || number % 100 == 0))
}

/// The settings of a line that is nothing but words such as `size=4k`.
fn settings(line: &str) -> Vec<(&str, &str)> {
    let is_name = |name: &str| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|sign| sign.is_alphanumeric() || "_-.".contains(sign))
    };
    let setting = |word| {
        let (name, value) = str::split_once(word, '=')?;
        (is_name(name) && !value.is_empty()).then(|| (name, value.trim_matches(['"', '\''])))
    };
    let pairs: Vec<_> = line.split_whitespace().map(setting).collect::<Option<_>>().unwrap_or_default();
    // `threads: 4`, `cache = on`
    let is_short = |value: &str| value.len() <= LONGEST_VALUE && value.chars().all(char::is_alphanumeric);
    let stated = || {
        let of_colon = line.split_once(": ").filter(|(_, value)| is_number(value.trim()));
        let pair = of_colon.or_else(|| line.split_once(" = ").filter(|(_, value)| is_short(value.trim())));
        pair.filter(|(name, _)| is_name(name))
    };
    if pairs.is_empty() {
        stated().map(|(name, value)| (name, value.trim())).into_iter().collect()
    } else {
        pairs
    }
}

/// Whether a text is a whole number, also such as `4k`.
fn is_number(text: &str) -> bool {
    let digits = text.trim_end_matches(['k', 'K', 'M', 'G', 'B', 'i']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a program wrote the label itself (`Format::own_labels`).
fn is_own(text: &str, own: &[&str]) -> bool {
    own.iter().any(|known| match known.strip_prefix('*') {
        Some(part) => text.contains(part),
        None => text.starts_with(known),
    })
}

/// Gives results of one name that stand below different headings a key with what tells the headings apart. Headings that
/// differ only in the number of a run are one.
fn distinguish_below(sheets: &mut [Sheet], results: &Results, outline: &Outline<'_>) {
    let places: Vec<usize> = results.0.iter().map(|row| outline.above(row.line)).collect();
    // Results of different work, such as another number of connections, are apart without a heading.
    let mut works = HashMap::<u32, BTreeSet<usize>>::new();
    for (row, &place) in results.0.iter().zip(&places) {
        works.entry(row.work).or_default().insert(place);
    }
    let mut texts = HashMap::new();
    for (work, places) in works {
        // One heading and none do not say that there is other work below the heading.
        if places.iter().filter(|place| **place > 0).count() > 1 {
            texts.extend(outline.differences(&places).into_iter().map(|(place, text)| ((work, place), text)));
        }
    }
    let mut found = results.0.iter().zip(places);
    for sheet in sheets {
        for (row, (result, place)) in found.by_ref().take(sheet.len()).enumerate() {
            let Some(text) = texts.get(&(result.work, place)).filter(|text| !text.is_empty()) else {
                continue;
            };
            let mut context = sheet.contexts.to_context(sheet.context[row] as usize);
            label(sheet, &mut context, text);
            sheet.context[row] = sheet.contexts.intern(&context);
        }
    }
}

/// Adds what tells results apart to their configuration: settings by their names, another text as the heading.
fn label(sheet: &mut Sheet, context: &mut Context, text: &str) {
    let settings = settings(text);
    let is_free = |name: &str| context.iter().all(|(known, _)| *known != parameters::key(name));
    if settings.is_empty() || !settings.iter().all(|(name, _)| is_free(name)) {
        match context.iter_mut().find(|(name, _)| name == HEADING) {
            Some((_, outer)) => *outer = format!("{outer} / {text}"),
            None => context.push((HEADING.to_owned(), text.to_owned())),
        }
        return;
    }
    for (name, value) in settings {
        parameters::add(sheet, context, name, value.to_owned());
    }
}

// The headings that scripts and terminals leave above what load generators print: command lines, and titles
// between two lines of signs.

/// The depths of a title between signs, and of a command line: it is the nearest to the results.
pub(super) const TITLE: usize = 7;
pub(super) const COMMAND: usize = 11;

/// The title in a line, or the command line that starts one of these programs.
fn above_run<'a>(line: &'a str, programs: &[&str]) -> Option<Heading<'a>> {
    let of_title = || Some((TITLE, named(title(line.trim())?)?));
    of_title().or_else(|| Some((COMMAND, command(line, programs)?)))
}

/// A command line with an option or an address that starts one of these programs, without its prompt. Without a prompt the
/// program is its first word or the first one of a later command: other lines that name it are prose.
fn command<'a>(line: &'a str, programs: &[&str]) -> Option<&'a str> {
    const BEFORE_COMMANDS: [&str; 7] = ["|", "&&", ";", "time", "sudo", "exec", "env"];
    let line = line.trim().trim_matches('`').trim();
    let is_program = |word: &str| programs.contains(&word.rsplit(['/', '\\']).next().unwrap_or(word));
    let is_argument = |word: &str| {
        word.contains("://")
            || word.strip_prefix('-').is_some_and(|rest| rest.contains(char::is_alphanumeric))
    };
    let text = match after_prompt(line).filter(|_| !line.split_whitespace().next().is_some_and(is_program)) {
        Some(text) => text.split_whitespace().any(is_program).then_some(text)?,
        // A row of a table is no command.
        None if line.starts_with('|') => return None,
        None => {
            let before = std::iter::once(";").chain(line.split_whitespace());
            let mut words = line.split_whitespace().zip(before);
            words
                .any(|(word, before)| is_program(word) && BEFORE_COMMANDS.contains(&before))
                .then_some(line)?
        }
    };
    text.split_whitespace().any(is_argument).then_some(text)
}

/// What follows the prompt of a shell, which is among the first words: `$`, `~`, `user@host:~$`, `[root@host ~]#`, or the `+`
/// of `set -x`.
pub(super) fn after_prompt(line: &str) -> Option<&str> {
    let mut rest = line;
    for nth in 0..4 {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        rest = after.trim_start();
        let before = word.trim_end_matches(['$', '%', '#', '>', '❯', '➜', '+']);
        let is_prompt = if before.is_empty() {
            // Between words `>` is a redirection.
            nth == 0 || !word.contains(['>', '+'])
        } else if word == "~" {
            nth == 0
        } else {
            before != word && !word.ends_with('+') && before.contains(['@', ':', '~', ']', '\\'])
        };
        if is_prompt {
            return Some(rest);
        }
    }
    None
}

/// Whether a line is nothing but one of the signs with which scripts frame a title.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let Some(sign) = line.chars().next().filter(|sign| "-=*_#+".contains(*sign)) else { return false };
    line.chars().all(|other| other == sign) && line.chars().count() >= 3
}

/// The numbers of the lines that are titles between two lines of signs, or several above one. Below the title between them
/// one line more can stand there, such as the command.
pub(super) fn framed(lines: &[(u32, &str)]) -> HashSet<u32> {
    let (mut found, mut underlined) = (HashSet::new(), Vec::new());
    let mut rule: Option<usize> = None;
    for (at, (_, text)) in lines.iter().enumerate() {
        if !is_rule(text) {
            continue;
        }
        rule = match rule {
            Some(begin) if (2..=3).contains(&(at - begin)) && is_framed(lines[begin + 1].1) => {
                found.insert(lines[begin + 1].0);
                None
            }
            _ => {
                let above = |rows: usize| at.checked_sub(rows).map_or("", |above| lines[above].1);
                // A number is that of a run.
                let is_title = |text: &str| text.contains(char::is_alphabetic) && !is_row(text);
                // Markdown's other headings have a line of signs below them.
                if above(2).trim().is_empty() && text.starts_with(['=', '-']) && is_title(above(1)) {
                    underlined.push(lines[at - 1].0);
                }
                Some(at)
            }
        };
    }
    // Where only one has a line below it, the others have another form.
    found.extend(underlined.iter().filter(|_| underlined.len() > 1));
    found
}

/// Whether a line between two lines of signs can be a title, and is no row of a small table.
fn is_framed(text: &str) -> bool {
    named(text).is_some() && text.split_whitespace().filter(|word| is_measured(word)).count() < 2
}

/// Whether a line is one of a table.
fn is_row(text: &str) -> bool {
    text.trim().contains("  ") || text.contains(['\t', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heading as programs print it: one of Markdown, a title such as `== text ==`, or a line that ends in a colon.
    fn printed(line: &str) -> Option<Heading<'_>> {
        let line = line.trim();
        let title = || Some((TITLE, named(title(line)?)?));
        let before_colon = || Some((COLON, named(line.strip_suffix(':')?)?));
        markdown(line).or_else(title).or_else(before_colon)
    }

    #[test]
    fn headings_are_those_of_markdown_and_printed_lines() {
        for (line, found) in [
            ("## Send http /a traffic", Some((2, "Send http /a traffic"))),
            ("  # Encode: ", Some((1, "Encode"))),
            ("### C# ###", Some((3, "C#"))),
            ("# C#", Some((1, "C#"))),
            ("== small ==", Some((TITLE, "small"))),
            ("____ Testing /small ____", Some((TITLE, "Testing /small"))),
            ("--- a -> b ---", Some((TITLE, "a -> b"))),
            ("* New pool:", Some((COLON, "New pool"))),
            ("// after tuning:", Some((COLON, "after tuning"))),
            ("›› `read`:", Some((COLON, "read"))),
            ("#[Mean    =        1.234, StdDeviation   =        0.567]", None),
            ("#!/bin/sh", None),
            ("####### seven", None),
            ("# ---", None),
            ("----------", None),
            (":", None),
            ("--- a/file", None),
            ("Fastest is alpha", None),
            ("", None),
        ] {
            assert_eq!(printed(line), found, "{line:?}");
        }
        assert_eq!((markdown("a:"), markdown("== a ==")), (None, None));
    }

    #[test]
    fn the_number_of_a_run_is_no_part_of_a_heading() {
        for (text, kept) in [
            ("Run 1", ""),
            ("RUN #12", ""),
            ("run2", ""),
            ("encode, run 2", "encode"),
            ("encode (attempt 3)", "encode"),
            ("Round 2 of 5", ""),
            ("iteration 2/5", ""),
            ("größer – Try 1", "größer"),
            ("Run A", "Run A"),
            ("size 64", "size 64"),
            ("Rerun 1", "Rerun 1"),
            ("1/2", "1/2"),
            ("7", "7"),
            ("ü1", "ü1"),
            ("", ""),
        ] {
            assert_eq!(repeated(text), kept, "{text:?}");
        }
    }

    /// The texts that tell the places of `*` apart.
    fn told_apart(text: &str) -> Vec<String> {
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        let found = |at: usize| printed(lines[at].1).or_else(|| above_run(lines[at].1, &["wrk"]));
        let outline = Outline::of(&lines, found);
        let places = lines.iter().filter(|(_, line)| *line == "*").map(|(line, _)| outline.above(*line));
        let places: Vec<usize> = places.collect();
        let texts: HashMap<usize, String> =
            outline.differences(&places.iter().copied().collect()).into_iter().collect();
        places.iter().map(|place| texts.get(place).cloned().unwrap_or_default()).collect()
    }

    #[test]
    fn headings_are_told_apart_by_what_they_do_not_share() {
        for (text, expected) in [
            ("# Title\n## a\n*\n## b\n*\n", &["a", "b"][..]),
            ("## a\n### Run 1\n*\n### Run 2\n*\n## b\n### Run 1\n*\n", &["a", "a", "b"]),
            ("a:\nResults:\n*\n", &[""]),
            ("## a\nResults:\n*\n## b\nResults:\n*\n", &["a", "b"]),
            ("## a\n### c\n*\n### d\n*\n## b\n### c\n*\n", &["a / c", "a / d", "b / c"]),
            ("## a\n```sh\n# go\n```\n*\n```\n# go\n*\n```\n*\n## b\n*\n", &["a", "a / go", "a", "b"]),
            ("*\n## a\n*\n## b\n*\n", &["", "a", "b"]),
            ("## Run 1\n*\n## Run 2\n*\n", &["", ""]),
            ("## Run 1\n*\n## Warm\n*\n", &["run", "Warm"]),
            ("## a\n*\n### Run 2\n*\n## b\n*\n", &["a", "a", "b"]),
            ("# Title\n*\n## b\n*\n", &["", "b"]),
            ("~~~ a ~~~\n*\n~~~ b ~~~\n*\n", &["a", "b"]),
            ("~~~\n```\n# a\n*\n~~~\n*\n", &["", ""]),
            ("# a\n$ wrk -c1\n*\n$ wrk -c2\n*\n# b\n*\n", &["a / wrk -c1", "a / wrk -c2", "b"]),
            ("```\n$ wrk -c1\n```\nIts output:\n```\n*\n```\n", &[""]),
            ("```\n$ wrk -c1\n```\n```\n*\n```\n`wrk -c2`\n```\n*\n```\n", &["wrk -c1", "wrk -c2"]),
        ] {
            assert_eq!(told_apart(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_that_differ_in_a_word_or_a_round_number_are_variants() {
        for (text, expected) in [
            ("cache on\n1.5\ncache off\n", &[1, 3][..]),
            ("Testing 64 rows\nTesting 128 rows\nTesting 128 rows now\n", &[1, 2]),
            ("with the cache: on\nwith the cache: off\n", &[1, 2]),
            ("rows: 100\nrows: 200\n", &[]),
            ("took 13 ms\ntook 14 ms\n", &[]),
            ("Run 1\nRun 2\n", &[]),
            ("cache on\ncache on\n", &[]),
            ("small\nlarge\n", &[]),
            ("a b c d e f g h i\na b c d e f g h j\n", &[]),
        ] {
            let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
            let mut found: Vec<u32> = variants(&lines).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn command_lines_start_a_program() {
        for (line, found) in [
            ("$ wrk -t2 http://h/", Some("wrk -t2 http://h/")),
            ("  me@box:~/x$ ./wrk -c 4 h", Some("./wrk -c 4 h")),
            ("[root@box ~]# wrk -c4 h", Some("wrk -c4 h")),
            ("me@mac dir % wrk -c4 h", Some("wrk -c4 h")),
            (r"PS C:\b> wrk -c4 h > a.txt", Some("wrk -c4 h > a.txt")),
            ("+ wrk -s a.lua http://h/", Some("wrk -s a.lua http://h/")),
            ("❯ echo \"GET http://h/\" | wrk attack", Some("echo \"GET http://h/\" | wrk attack")),
            ("echo http://h/ > t && wrk -f t", Some("echo http://h/ > t && wrk -f t")),
            ("`wrk -t2 http://h/`", Some("wrk -t2 http://h/")),
            ("wrk -t2 http://h/ > a.txt", Some("wrk -t2 http://h/ > a.txt")),
            ("$ wrk", None),
            ("wrk report", None),
            ("$ hey http://h/", None),
            ("We started wrk with -t2 for http://h/", None),
            ("| wrk | http://h/ |", None),
            ("Running 10s test @ http://h/", None),
            ("$", None),
            ("", None),
        ] {
            assert_eq!(command(line, &["wrk"]), found, "{line:?}");
        }
    }

    #[test]
    fn versions_of_a_runtime_are_labels() {
        for (line, found) in [
            ("Python 3.12", Some("Python 3.12")),
            ("// Node 8.7:", Some("Node 8.7")),
            ("go version go1.22.1 linux/amd64", Some("go version go1.22.1 linux/amd64")),
            ("[ruby 3.3]", Some("ruby 3.3")),
            ("Node.js: v18.2", Some("Node.js: v18.2")),
            ("Elapsed 3.12", None),
            ("go test", None),
            ("Java is fast", None),
            ("python", None),
            ("", None),
        ] {
            assert_eq!(version(line), found, "{line:?}");
        }
    }

    #[test]
    fn titles_stand_between_or_above_lines_of_signs() {
        for (text, expected) in [
            ("----\n a\n----\nb\n----\n", &[2][..]),
            ("====\na\n$ b\n====\n====\nc\n====\n", &[2, 6]),
            ("----\na\nb\nc\n----\nd\n-----\n", &[6]),
            ("----\n----\n\n----\n", &[]),
            ("--\na\n--\n", &[]),
            ("a\n----\n\nb\n====\nc\nd\ne\n---\n", &[1, 4]),
            ("a  b\n----\n", &[]),
        ] {
            let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
            let mut found: Vec<u32> = framed(&lines).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
