//! Finds where the value of a parameter stands in names: `sort -j1 file1` and `sort -j2 file1` are `sort -j{threads}
//! file1`, because only there the names differ as the values do.

use std::collections::HashMap;

/// Names with more places of a value are tried with one place and with all.
const PLACES: usize = 6;

/// For each name and its value, the name with `{key}` in place of the value. A name that no other value leads to stays:
/// None.
pub(crate) fn shared<'a>(
    named: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    key: &str,
) -> Vec<Option<String>> {
    let mut values: HashMap<String, (&str, bool)> = HashMap::new();
    for (name, value) in named.clone() {
        for template in candidates(name, value, key) {
            let seen = values.entry(template).or_insert((value, false));
            seen.1 |= seen.0 != value;
        }
    }
    let is_shared = |template: &String| values.get(template).is_some_and(|seen| seen.1);
    named.map(|(name, value)| candidates(name, value, key).into_iter().find(is_shared)).collect()
}

/// The name with the value replaced at all its places, then at fewer of them.
fn candidates(name: &str, value: &str, key: &str) -> Vec<String> {
    if value.is_empty() {
        return Vec::new();
    }
    let places: Vec<usize> = name.match_indices(value).map(|(at, _)| at).collect();
    let with = |chosen: &dyn Fn(usize) -> bool| {
        let (mut text, mut end) = (String::new(), 0);
        for (_, &at) in places.iter().enumerate().filter(|(number, _)| chosen(*number)) {
            text.push_str(&name[end..at]);
            text.push('{');
            text.push_str(key);
            text.push('}');
            end = at + value.len();
        }
        text + &name[end..]
    };
    let count = places.len();
    match count {
        0 => Vec::new(),
        1..=PLACES => {
            let mut sets: Vec<u32> = (1..1 << count).collect();
            sets.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
            sets.into_iter().map(|set| with(&|number| set >> number & 1 == 1)).collect()
        }
        // Names are from strangers: a value may stand in them a million times.
        _ => std::iter::once(with(&|_| true))
            .chain((0..PLACES).map(|only| with(&|number| number == only)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_places_where_names_differ_are_general() {
        let named =
            [("sort -j1 file1", "1"), ("sort -j2 file1", "2"), ("sort -j10 file1", "10"), ("lone 3", "3")];
        let found = shared(named.into_iter(), "threads");
        let general = Some("sort -j{threads} file1".to_owned());
        assert_eq!(found, [general.clone(), general.clone(), general, None]);
        let twice = [("a 1 1", "1"), ("a 2 2", "2")];
        assert_eq!(shared(twice.into_iter(), "n")[0].as_deref(), Some("a {n} {n}"));
    }

    #[test]
    fn a_value_that_stands_everywhere_is_no_trap() {
        let long = "1".repeat(100_000);
        assert_eq!(shared([(long.as_str(), "1"), ("", "")].into_iter(), "n"), [None, None]);
    }
}
