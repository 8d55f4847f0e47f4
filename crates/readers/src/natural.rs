//! The order of files in which `run-2` stands before `run-10`: that of their measurement, where names count runs.

use std::cmp::Ordering;
use std::path::Path;

/// Compares two paths; runs of digits by their number. Paths that differ only in leading zeros are compared as they are.
pub(crate) fn compare(one: &Path, other: &Path) -> Ordering {
    let folders = |path: &Path| path.components().count();
    let parts = one.components().zip(other.components());
    let by_parts = parts
        .map(|(a, b)| texts(a.as_os_str().as_encoded_bytes(), b.as_os_str().as_encoded_bytes()))
        .find(|order| order.is_ne());
    by_parts.unwrap_or_else(|| folders(one).cmp(&folders(other))).then_with(|| one.cmp(other))
}

fn texts(mut one: &[u8], mut other: &[u8]) -> Ordering {
    loop {
        let order = match (one.first(), other.first()) {
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (a, b) = (number(&mut one), number(&mut other));
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            (Some(a), Some(b)) => {
                (one, other) = (&one[1..], &other[1..]);
                a.cmp(b)
            }
            (a, b) => return a.is_some().cmp(&b.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes the digits with which a text begins, and returns them without leading zeros.
fn number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    &digits[digits.iter().position(|&byte| byte != b'0').unwrap_or(digits.len())..]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::compare;

    #[test]
    fn numbers_are_compared_by_their_value() {
        let sorted = ["1.2.0", "1.2.1", "1.10.1", "a", "a/b", "a-1/z", "a-2", "a-02", "a-10", "a-10b", "b"];
        let mut paths: Vec<&Path> = sorted.iter().rev().map(Path::new).collect();
        paths.sort_by(|a, b| compare(a, b));
        assert_eq!(
            paths,
            ["1.2.0", "1.2.1", "1.10.1", "a", "a/b", "a-1/z", "a-02", "a-2", "a-10", "a-10b", "b"]
                .map(Path::new)
        );
        let long = "9".repeat(400);
        assert!(compare(Path::new(&long), Path::new("10")).is_gt());
    }
}
