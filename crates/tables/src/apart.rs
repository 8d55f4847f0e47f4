//! Short forms of several names that stay apart: what all of them share is left out first, and no two become alike.

use std::collections::{HashMap, HashSet};

use unicode_width::UnicodeWidthChar;

use crate::names::{shortened, width};

/// A word of a name ends with one of these.
const SEPARATORS: &str = "/\\ .:|·,;=_-()[]{}";
const CUT: char = '…';

/// The least part of all names whose words are left out.
const USUAL: f64 = 0.5;

/// Of the words that names share, so many are tried for what room is left.
const MOST_TRIED: usize = 40;

/// A cut moves to the end of a word if that keeps so large a part of what stays.
const KEPT: f64 = 0.7;

/// Shortens different names to `most` columns; forms of names differ, too.
///
/// If most names are too long, the words that all of these share are left out, but as many of them stay as fit, those
/// beside a difference first. What is still too long loses its middle, between words if it can.
#[must_use]
pub fn apart(names: &[&str], most: usize) -> Vec<String> {
    let long: Vec<&str> = names.iter().copied().filter(|name| width(name) > most).collect();
    if long.is_empty() {
        return names.iter().map(|&name| name.to_owned()).collect();
    }
    // Among names of other kinds, the words that a few share tell what these are.
    let usual = long.len() as f64 >= USUAL * names.len() as f64;
    let forms = unlike(&long, most, usual);
    let mut taken: HashSet<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut number = 0;
    let mut form = |name: &str| {
        let Some(found) = forms.get(name) else { return name.to_owned() };
        let mut form = found.clone();
        while !taken.insert(form.clone()) {
            number += 1;
            let mark = format!("#{number} ");
            form = format!("{mark}{}", shortened(name, most.saturating_sub(mark.len()).max(1)));
        }
        form
    };
    names.iter().map(|&name| form(name)).collect()
}

/// Gives each name a form; those whose forms would be alike are shortened again, by what only they share.
fn unlike<'a>(names: &[&'a str], most: usize, usual: bool) -> HashMap<&'a str, String> {
    let mut forms: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    if usual {
        forms = without_shared(names, most, words);
    }
    if usual && forms.iter().any(|form| width(form) > most) {
        forms = without_shared(names, most, |name| words(name).into_iter().flat_map(humps).collect());
    }
    for form in &mut forms {
        *form = middle(form, most);
    }
    let mut alike: HashMap<&str, Vec<&'a str>> = HashMap::new();
    for (name, form) in names.iter().zip(&forms) {
        alike.entry(form).or_default().push(name);
    }
    let again: Vec<_> = alike.into_values().filter(|group| group.len() > 1).collect();
    let mut found: HashMap<&'a str, String> = names.iter().copied().zip(forms).collect();
    for group in again {
        found.extend(if group.len() < names.len() || !usual {
            unlike(&group, most, true)
        } else {
            around(&group, most)
        });
    }
    found
}

/// A part of a name: its text, its width, and its place among the parts that all names share.
type Part<'a> = (&'a str, usize, Option<usize>);

/// Leaves out parts that all names share, as few as are needed.
fn without_shared(names: &[&str], most: usize, split: impl Fn(&str) -> Vec<&str>) -> Vec<String> {
    let parts: Vec<Vec<&str>> = names.iter().map(|name| split(name)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in parts.iter().flat_map(|parts| parts.iter().copied().collect::<HashSet<_>>()) {
        *counts.entry(part).or_default() += 1;
    }
    // A name that stands alone shares nothing.
    let shared: HashMap<&str, usize> = parts[0]
        .iter()
        .filter(|part| names.len() > 1 && counts[**part] == names.len())
        .enumerate()
        .map(|(place, part)| (*part, place))
        .collect();
    let parts: Vec<Vec<Part>> = parts
        .into_iter()
        .map(|parts| parts.into_iter().map(|part| (part, width(part), shared.get(part).copied())).collect())
        .collect();
    let mut kept = vec![false; parts[0].len()];
    let fitting = |kept: &[bool]| parts.iter().filter(|parts| needed(parts, kept) <= most).count();
    let least = fitting(&kept);
    for (place, next) in beside_differences(&parts[0]).into_iter().take(MOST_TRIED) {
        if next.is_none_or(|next| kept[next]) {
            kept[place] = true;
            kept[place] = fitting(&kept) == least;
        }
    }
    parts.iter().map(|parts| written(parts, &kept)).collect()
}

/// The places of the shared parts, each with that of the next part towards a difference, if that is shared, too: those
/// beside a part that differs first, and of these the one before it.
fn beside_differences(parts: &[Part]) -> Vec<(usize, Option<usize>)> {
    let differing: Vec<usize> = (0..parts.len()).filter(|&at| parts[at].2.is_none()).collect();
    let mut found = Vec::new();
    for (at, (_, _, shared)) in parts.iter().enumerate() {
        let far = |other: usize| if at < other { 2 * (other - at) - 1 } else { 2 * (at - other) };
        let nearest = differing.iter().copied().min_by_key(|&other| far(other));
        if let (Some(place), Some(nearest)) = (shared, nearest) {
            let next = if at < nearest { at + 1 } else { at - 1 };
            found.push((far(nearest), parts.len() - at, (*place, parts[next].2)));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, places)| places).collect()
}

/// The width of a name without the shared parts that are not kept; a sign stands for each run of them.
fn needed(parts: &[Part], kept: &[bool]) -> usize {
    let mut cut = false;
    let mut sum = 0;
    for (_, width, shared) in parts {
        let stays = shared.is_none_or(|place| kept[place]);
        sum += if stays { *width } else { usize::from(!cut) };
        cut = !stays;
    }
    sum
}

fn written(parts: &[Part], kept: &[bool]) -> String {
    let mut text = String::new();
    for run in parts.chunk_by(|a, b| is_cut(a, kept) == is_cut(b, kept)) {
        let wide: usize = run.iter().map(|part| part.1).sum();
        if is_cut(&run[0], kept) && wide > 1 {
            text.push(CUT);
        } else {
            text.extend(run.iter().map(|part| part.0));
        }
    }
    text
}

fn is_cut(part: &Part, kept: &[bool]) -> bool {
    part.2.is_some_and(|place| !kept[place])
}

/// The words of a name, each with the separators behind it.
fn words(name: &str) -> Vec<&str> {
    split_where(name, |before, after| SEPARATORS.contains(before) && !SEPARATORS.contains(after))
}

/// The parts of a word that begin with a capital letter.
fn humps(word: &str) -> Vec<&str> {
    split_where(word, is_hump)
}

fn is_hump(before: char, after: char) -> bool {
    before.is_lowercase() && after.is_uppercase()
}

fn split_where(text: &str, ends: impl Fn(char, char) -> bool) -> Vec<&str> {
    let pairs = text.char_indices().zip(text.char_indices().skip(1));
    let stops = pairs.filter(|((_, before), (_, after))| ends(*before, *after)).map(|(_, (at, _))| at);
    let mut found = Vec::new();
    let mut start = 0;
    for stop in stops.chain([text.len()]) {
        found.push(&text[start..stop]);
        start = stop;
    }
    found
}

/// Leaves out the middle of a text, between words if that keeps most of what fits.
fn middle(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let room = most.saturating_sub(1);
    let head = whole_words(letters.iter().copied(), room.div_ceil(2), |before, after| {
        SEPARATORS.contains(before) || is_hump(before, after)
    });
    let tail =
        whole_words(letters.iter().rev().copied(), room - columns(&letters[..head]), |before, after| {
            SEPARATORS.contains(after) || is_hump(after, before)
        });
    let head: String = letters[..head].iter().collect();
    let tail: String = letters[letters.len() - tail..].iter().collect();
    format!("{}{CUT}{}", head.trim_end_matches(CUT), tail.trim_start_matches(CUT))
}

/// The number of letters that fit, up to the last end of a word among them if that is not far from the last.
fn whole_words(letters: impl Iterator<Item = char>, room: usize, ends: impl Fn(char, char) -> bool) -> usize {
    let mut used = 0;
    let mut fitting = Vec::new();
    let mut stop = 0;
    for letter in letters {
        if fitting.last().is_some_and(|&last| ends(last, letter)) && used as f64 >= KEPT * room as f64 {
            stop = fitting.len();
        }
        used += letter.width().unwrap_or(0);
        if used > room {
            break;
        }
        fitting.push(letter);
    }
    if stop > 0 { stop } else { fitting.len() }
}

fn columns(letters: &[char]) -> usize {
    letters.iter().map(|letter| letter.width().unwrap_or(0)).sum()
}

/// Shortens names whose words do not tell them apart to the part between their common ends.
fn around<'a>(names: &[&'a str], most: usize) -> HashMap<&'a str, String> {
    let letters: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let first = &letters[0];
    let same = |other: &Vec<char>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    let same_end =
        |other: &Vec<char>| first.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let begin = letters.iter().map(same).min().unwrap_or(0);
    let end = letters.iter().map(same_end).min().unwrap_or(0);
    let form = |name: &Vec<char>| {
        let start = begin.saturating_sub(1);
        let stop = name.len().saturating_sub(end).max(begin);
        let more = most.saturating_sub(2 + stop - start);
        let inner: String = name[start..(stop + more).min(name.len())].iter().collect();
        shortened(&format!("{CUT}{inner}"), most).into_owned()
    };
    names.iter().copied().zip(letters.iter().map(form)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_go_first_and_those_beside_a_difference_last() {
        let name = |way: &str, size: &str| {
            format!("{way}.LeveledCompactionBenchmark.compactOverlappingRuns/size={size}/threads=8,direct")
        };
        let whole = [name("columnar", "huge"), name("columnar", "large"), name("batch", "huge")];
        let names: Vec<&str> = whole.iter().map(String::as_str).collect();
        assert_eq!(
            apart(&names, 24),
            ["columnar.…size=huge/…", "columnar.…size=large/…", "batch.…size=huge/…"]
        );
        assert_eq!(apart(&names, 20), ["columnar.…huge/…", "columnar.…large/…", "batch.…huge/…"]);
        assert_eq!(apart(&names, 200), names);
    }

    #[test]
    fn among_names_of_other_kinds_a_few_keep_what_they_share() {
        let names = ["Div-2", "NewFromString/exponent-2", "NewFromString/short-2", "Cmp-2", "Mul-2"];
        assert_eq!(apart(&names, 17), ["Div-2", "NewFrom…xponent-2", "NewFrom…short-2", "Cmp-2", "Mul-2"]);
    }

    #[test]
    fn parts_of_words_are_shared_too() {
        let names = ["pkg1/BenchHash/case13", "pkg2/BenchParse/case7", "pkg2/BenchParse/case8"];
        assert_eq!(apart(&names, 18), ["pkg1/…Hash/case13", "pkg2/…Parse/case7", "pkg2/…Parse/case8"]);
    }

    #[test]
    fn a_cut_is_between_words_if_one_ends_near() {
        assert_eq!(
            apart(&["encode.LargeTablesWithNulls/codec=zstd/direct"], 24),
            ["encode.Large…zstd/direct"]
        );
        assert_eq!(apart(&["abcdefghijklmnopqrstuvwxyz"], 11), ["abcde…vwxyz"]);
    }

    #[test]
    fn names_that_no_word_tells_apart_keep_what_differs() {
        let names = [format!("{0}x{0}", "a".repeat(60)), format!("{0}y{0}", "a".repeat(60))];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let forms = apart(&names, 20);
        assert!(forms[0].contains('x') && forms[1].contains('y'), "{forms:?}");
        assert!(forms.iter().all(|form| width(form) <= 20), "{forms:?}");
    }

    #[test]
    fn forms_never_meet_each_other_or_another_name() {
        let names = ["a a a b", "a a b a", "a b a a", "b a a a", "a…", "#1 …"];
        for most in 4..7 {
            let forms = apart(&names, most);
            assert_eq!(forms.iter().collect::<HashSet<_>>().len(), names.len(), "{forms:?}");
            assert!(forms.iter().all(|form| width(form) <= most), "{forms:?}");
        }
    }
}
