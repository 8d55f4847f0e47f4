//! Names that resemble a text which no name has: for messages.

/// A name is compared by so many characters at most.
const LONGEST: usize = 200;

/// Returns the names of which some part is nearest to the text by its edit distance, at most so many, the nearest and
/// shortest first.
#[must_use]
pub fn nearest<'a>(wanted: &str, names: &'a [String], most: usize) -> Vec<&'a String> {
    let wanted = letters(wanted);
    let mut found: Vec<(usize, usize, &String)> = names
        .iter()
        .map(|name| {
            let own = letters(name);
            (distance(&wanted, &own), own.len().abs_diff(wanted.len()), name)
        })
        .collect();
    found.sort_by_key(|&(far, longer, _)| (far, longer));
    found.into_iter().take(most).map(|(_, _, name)| name).collect()
}

fn letters(text: &str) -> Vec<char> {
    text.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}

/// The least number of letters to insert, remove, replace or exchange with their neighbour that makes the text a part of
/// the name (Sellers 1980, with the exchanges of Damerau 1964).
fn distance(wanted: &[char], name: &[char]) -> usize {
    let mut column: Vec<usize> = (0..=wanted.len()).collect();
    let (mut last, mut own) = (column.clone(), column.clone());
    let mut least = wanted.len();
    for (place, letter) in name.iter().enumerate() {
        // A part may begin anywhere.
        own[0] = 0;
        for at in 1..=wanted.len() {
            let replaced = column[at - 1] + usize::from(wanted[at - 1] != *letter);
            own[at] = replaced.min(column[at] + 1).min(own[at - 1] + 1);
            if at > 1 && place > 0 && wanted[at - 1] == name[place - 1] && wanted[at - 2] == *letter {
                own[at] = own[at].min(last[at - 2] + 1);
            }
        }
        least = least.min(own[wanted.len()]);
        // The oldest column is written over.
        core::mem::swap(&mut last, &mut column);
        core::mem::swap(&mut column, &mut own);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_part_counts() {
        let names = ["Suite/Decode/64", "Suite/Encode/64", "Parse", "Encode"].map(str::to_owned);
        assert_eq!(nearest("encoed", &names, 2), ["Encode", "Suite/Encode/64"]);
        assert_eq!(nearest("Prase", &names, 1), ["Parse"]);
        assert_eq!(nearest("", &names, 9).len(), 4);
    }

    #[test]
    fn distances_are_those_of_parts() {
        let distance = |a: &str, b: &str| distance(&letters(a), &letters(b));
        assert_eq!((distance("abc", "xxabcxx"), distance("abc", "xaxcx"), distance("abc", "")), (0, 1, 3));
        assert_eq!((distance("acb", "xabcx"), distance("ba", "ab"), distance("alhpa", "alpha")), (1, 1, 1));
    }
}
