//! Finds where the value of a parameter stands in names: `sort -j1 file1` and `sort -j2 file1` are `sort -j{threads}
//! file1`, because only there the names differ as the values do.

use std::collections::{HashMap, HashSet};

/// Names with more places of a value are tried with one place and with all.
const PLACES: usize = 6;

/// A name that is a command.
pub(crate) struct Command {
    /// The number of the values of its other parameters.
    pub(crate) work: usize,
    pub(crate) name: String,
    /// The value of the parameter.
    pub(crate) value: String,
}

/// For each command, the name with `{key}` in place of the value, if a command of the same work with another value leads
/// to it. Of several such names, that counts to which some command leads alone: `f 1 1` is `f {n} 1` beside `f 2 1`.
pub(crate) fn shared(commands: &[Command], key: &str) -> Vec<Option<String>> {
    let mut values: HashMap<(usize, String), (&str, bool)> = HashMap::new();
    for Command { work, name, value } in commands {
        for template in candidates(name, value, key) {
            let seen = values.entry((*work, template)).or_insert((value, false));
            seen.1 |= seen.0 != value;
        }
    }
    let choices = commands.iter().map(|Command { work, name, value }| {
        let all = candidates(name, value, key).into_iter().map(|template| (*work, template));
        all.filter(|template| values.get(template).is_some_and(|seen| seen.1)).collect()
    });
    let choices: Vec<Vec<(usize, String)>> = choices.collect();
    let alone = choices.iter().filter(|choice| choice.len() == 1).flatten();
    let sure: HashSet<&(usize, String)> = alone.collect();
    let chosen = |choice: &Vec<(usize, String)>| {
        let found = choice.iter().find(|template| sure.contains(template)).or(choice.first());
        found.map(|(_, template)| template.clone())
    };
    choices.iter().map(chosen).collect()
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

    fn found(commands: &[(usize, &str, &str)]) -> Vec<Option<String>> {
        let command = |&(work, name, value): &(usize, &str, &str)| Command {
            work,
            name: name.to_owned(),
            value: value.to_owned(),
        };
        shared(&commands.iter().map(command).collect::<Vec<_>>(), "n")
    }

    #[test]
    fn only_the_places_where_names_differ_are_general() {
        let named = [
            (0, "sort -j1 file1", "1"),
            (0, "sort -j2 file1", "2"),
            (0, "sort -j10 file1", "10"),
            (0, "lone 3", "3"),
        ];
        let general = Some("sort -j{n} file1".to_owned());
        assert_eq!(found(&named), [general.clone(), general.clone(), general, None]);
        assert_eq!(found(&[(0, "a 1 1", "1"), (0, "a 2 2", "2")])[0].as_deref(), Some("a {n} {n}"));
    }

    #[test]
    fn commands_with_other_work_are_not_compared() {
        let one = [(1, "sort -j1 f1", "1"), (1, "sort -j2 f1", "2"), (1, "sort -j4 f1", "4")];
        let two = [(2, "sort -j1 f2", "1"), (2, "sort -j2 f2", "2"), (2, "sort -j4 f2", "4")];
        let all = found(&[one, two].concat());
        assert!(all[..3].iter().all(|name| name.as_deref() == Some("sort -j{n} f1")), "{all:?}");
        assert!(all[3..].iter().all(|name| name.as_deref() == Some("sort -j{n} f2")), "{all:?}");
    }

    #[test]
    fn of_several_names_that_counts_to_which_a_command_leads_alone() {
        let all = found(&[(0, "f 1 1", "1"), (0, "f 2 1", "2"), (0, "f 1 2", "1"), (0, "f 2 2", "2")]);
        let all: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
        assert_eq!(all, ["f {n} 1", "f {n} 1", "f {n} 2", "f {n} 2"]);
    }

    #[test]
    fn a_value_that_stands_everywhere_is_no_trap() {
        let long = "1".repeat(100_000);
        assert_eq!(found(&[(0, &long, "1"), (0, "", "")]), [None, None]);
    }
}
