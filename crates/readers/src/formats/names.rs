//! Parts of benchmark names as configuration keys: what harnesses write into a name, such as `/size=64`.
//!
//! Names are taken apart only if a user asks for a key that no configuration states. By default a name stays as the
//! harness wrote it.

use std::ops::Range;

/// A part of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What leaves the name if the key is used: the part with a separator. Empty if nothing stands for it.
    pub range: Range<usize>,
}

impl Part {
    /// A part of the name.
    pub(super) fn new(key: impl Into<String>, value: impl Into<String>, range: Range<usize>) -> Self {
        Self { key: key.into(), value: value.into(), range }
    }
}

/// The parts of a name that a harness wrote for a benchmark of this configuration.
pub type Parts = fn(name: &str, keys: &[(&str, &str)]) -> Vec<Part>;

/// A segment of a path.
pub(super) struct Segment<'a> {
    pub(super) text: &'a str,
    /// The segment with the separator before it; the first one has that after it.
    pub(super) range: Range<usize>,
}

/// The segments of a path.
pub(super) fn segments<'a>(name: &'a str, separator: &str) -> Vec<Segment<'a>> {
    let mut start = 0;
    let mut found: Vec<Segment<'a>> = Vec::new();
    for text in name.split(separator) {
        let end = start + text.len();
        found.push(Segment { text, range: start.saturating_sub(separator.len())..end });
        start = end + separator.len();
    }
    let several = found.len() > 1;
    if let Some(first) = found.first_mut().filter(|_| several) {
        first.range.end += separator.len();
    }
    found
}

/// A segment `key=value`, or with another sign between.
pub(super) fn pair<'a>(segment: &Segment<'a>, sign: char) -> Option<(&'a str, &'a str)> {
    let (key, value) = segment.text.split_once(sign)?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let starts = key.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    (starts && key.chars().all(is_word) && !value.is_empty() && !value.starts_with(sign))
        .then_some((key, value))
}

/// The segments of a path by number (`name.1` is the first), and those that name their key: `size=64` or `size:64`.
pub(super) fn path(name: &str, separator: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, segment) in (1..).zip(segments(name, separator)) {
        if let Some((key, value)) = pair(&segment, '=').or_else(|| pair(&segment, ':')) {
            parts.push(Part::new(key, value, segment.range.clone()));
        }
        if !segment.text.is_empty() {
            parts.push(Part::new(format!("name.{number}"), segment.text, segment.range));
        }
    }
    parts
}

/// Parts of names in tables of users, which can hold the results of any harness: a path, and a number after a dash.
pub(super) fn of_table(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    let (stem, number) = numbered(name);
    let mut parts = path(stem, "/");
    parts.extend(number.map(|number| Part::new(PROCESSORS, number, stem.len()..name.len())));
    parts
}

/// Go's number of processors, a number after the last dash; Go writes none for one processor.
pub(super) fn of_go(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    let (stem, number) = numbered(name);
    let mut parts = path(stem, "/");
    parts.push(Part::new(PROCESSORS, number.unwrap_or("1"), stem.len()..name.len()));
    parts
}

/// The key of the number of processors that Go adds to a name.
const PROCESSORS: &str = "gomaxprocs";

fn numbered(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('-') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (stem, Some(number))
        }
        _ => (name, None),
    }
}

/// The method of a dotted name and the class before it.
pub(super) fn method(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    let mut parts = path(name, ".");
    if let Some((class, method)) = name.rsplit_once('.') {
        parts.push(Part::new("class", class, 0..class.len() + 1));
        parts.push(Part::new("method", method, class.len()..name.len()));
    }
    parts
}

/// The key of a name that is a command.
pub const COMMAND: &str = "command";

/// The whole name, which is a command.
pub(super) fn command(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    vec![Part::new(COMMAND, name, 0..name.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[Part], name: &str) -> Vec<(String, String, String)> {
        let without = |part: &Part| format!("{}{}", &name[..part.range.start], &name[part.range.end..]);
        parts.iter().map(|part| (part.key.clone(), part.value.clone(), without(part))).collect()
    }

    fn found(parts: &[Part], name: &str, key: &str) -> Option<(String, String)> {
        shown(parts, name).into_iter().find(|part| part.0 == key).map(|part| (part.1, part.2))
    }

    #[test]
    fn a_part_leaves_the_name_with_its_separator() {
        let name = "Encode/poly=IEEE/size=64-8";
        let parts = of_go(name, &[]);
        let expected = [
            ("poly", "IEEE", "Encode/size=64-8"),
            ("size", "64", "Encode/poly=IEEE-8"),
            ("gomaxprocs", "8", "Encode/poly=IEEE/size=64"),
            ("name.1", "Encode", "poly=IEEE/size=64-8"),
            ("name.3", "size=64", "Encode/poly=IEEE-8"),
        ];
        for (key, value, rest) in expected {
            assert_eq!(found(&parts, name, key), Some((value.to_owned(), rest.to_owned())), "{key}");
        }
        assert_eq!(found(&of_go("Encode", &[]), "Encode", "gomaxprocs"), Some(("1".into(), "Encode".into())));
        assert_eq!(found(&of_table("Encode", &[]), "Encode", "gomaxprocs"), None);
    }

    #[test]
    fn only_a_word_is_a_key() {
        for name in ["a/std::vector<int>/b", "a/=1", "a/x=", "a/(x=1)", "a/http://x"] {
            assert!(path(name, "/").iter().all(|part| part.key.starts_with("name.")), "{name}");
        }
        for name in ["", "/", "//", "=", "a//b", "é/ü=ß", "-1", "-"] {
            for part in of_go(name, &[]).into_iter().chain(of_table(name, &[])).chain(method(name, &[])) {
                assert!(name.get(part.range.clone()).is_some(), "{name} {part:?}");
            }
        }
    }

    #[test]
    fn a_dotted_name_has_a_class_and_a_method() {
        let name = "org.sample.Codec.encode";
        assert_eq!(
            found(&method(name, &[]), name, "method"),
            Some(("encode".to_owned(), "org.sample.Codec".to_owned()))
        );
    }
}
