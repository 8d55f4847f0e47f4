//! The column of a table that names the configuration keys of a row whose values are different work: an export writes
//! it, because a key such as `size` has no role of its own.

use std::borrow::Cow;

/// The name of the column.
pub const COLUMN: &str = "statera.work";

/// Writes keys with blanks between them.
#[must_use]
pub fn joined<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    keys.map(escaped).collect::<Vec<_>>().join(" ")
}

/// The keys of a cell.
pub fn split(cell: &str) -> impl Iterator<Item = String> {
    cell.split(' ').filter(|key| !key.is_empty()).map(restored)
}

/// A key without blanks: `%20` stands for a blank, and `%25` for the sign itself.
fn escaped(key: &str) -> Cow<'_, str> {
    if key.contains([' ', '%']) { key.replace('%', "%25").replace(' ', "%20").into() } else { key.into() }
}

fn restored(key: &str) -> String {
    key.replace("%20", " ").replace("%25", "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_comes_back() {
        let keys = ["size", "a b", "%20", "%", "µ", "x%2520y"];
        assert_eq!(split(&joined(keys.into_iter())).collect::<Vec<_>>(), keys);
        assert_eq!(split("").count(), 0);
    }
}
