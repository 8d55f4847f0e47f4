//! The beginning of a file as detection sees it, and the answer of a format.

use std::cell::OnceCell;
use std::fmt;

use hashbrown::HashMap;

use super::lines::without_echo;
use super::outline::{Node, outline};
use crate::encoding::MARK;

/// How many lines that look alike are shown to formats. Some sixty of them ask every line of a text; a large file has
/// thousands of lines that differ in a name and in numbers.
const ALIKE: usize = 64;

/// The beginning of a file, at most 256 KiB. Its lines are found and its JSON is scanned once, when the first format asks.
#[derive(Debug)]
pub struct Head<'a> {
    bytes: &'a [u8],
    lines: OnceCell<Vec<&'a [u8]>>,
    json: OnceCell<Vec<Node>>,
}

impl<'a> Head<'a> {
    /// Takes the first bytes of a file.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        Self { bytes, lines: OnceCell::new(), json: OnceCell::new() }
    }

    /// The bytes, without a byte order mark.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The lines, without blanks at their ends; of lines that look alike, the first 64. The last one may be cut.
    pub fn lines(&self) -> impl Iterator<Item = &'a [u8]> + use<'a, '_> {
        self.lines.get_or_init(|| lines(self.bytes)).iter().copied()
    }

    /// Whether one of the lines that are UTF-8 fits.
    ///
    /// # Errors
    /// If none does.
    pub fn has_line(&self, fits: impl Fn(&str) -> bool) -> Fit {
        let fits = |line: &[u8]| std::str::from_utf8(line).is_ok_and(&fits);
        No::unless(self.lines().any(fits), "it has no such line")
    }

    /// Whether each of these stands at the beginning of a line.
    ///
    /// # Errors
    /// If one does not.
    pub fn has_beginnings(&self, all: &[&str]) -> Fit {
        No::unless(all.iter().all(|begin| self.begins_line(begin)), "it has no such lines")
    }

    /// Whether a line begins so.
    #[must_use]
    pub fn begins_line(&self, begin: &str) -> bool {
        self.lines().any(|line| line.starts_with(begin.as_bytes()))
    }

    /// The first line with content, without blanks at its ends.
    #[must_use]
    pub fn first_line(&self) -> &'a [u8] {
        all_lines(self.bytes).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// The first line with content that is no comment, without blanks at its ends: scripts write comments above a CSV file.
    /// That of JSON, which can be as long as the file, is no header.
    #[must_use]
    pub fn header_line(&self) -> &'a [u8] {
        if matches!(self.bytes.trim_ascii_start(), [b'{' | b'[', ..]) {
            return b"";
        }
        all_lines(self.bytes).find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default()
    }

    /// The cells of the header of a CSV file. Some versions and tools write each of them in quotes.
    pub fn header(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let cells = self.header_line().split(|&byte| byte == b',');
        cells.map(|cell| cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell))
    }

    /// Whether the header begins with these columns.
    ///
    /// # Errors
    /// If it does not.
    pub fn header_begins(&self, columns: &[&str]) -> Fit {
        let begins = columns.iter().map(|column| column.as_bytes()).eq(self.header().take(columns.len()));
        No::unless(begins, "its first line is not that header")
    }

    /// The JSON values with which the text begins, at most 20; empty if it begins with neither an object nor a list.
    pub fn documents(&self) -> &[Node] {
        self.json.get_or_init(|| outline(self.bytes))
    }

    /// The first JSON value.
    ///
    /// # Errors
    /// [`No::NotJson`].
    pub fn json(&self) -> Result<&Node, No> {
        self.documents().first().ok_or(No::NotJson)
    }

    /// Whether the first JSON value has all these paths ([`Node::at`]).
    ///
    /// # Errors
    /// The first path that it has not.
    pub fn has_all(&self, paths: &[&'static str]) -> Fit {
        let root = self.json()?;
        paths.iter().find(|path| root.at(path).is_none()).map_or(Ok(()), |path| Err(No::Lacks(path)))
    }

    /// Whether the first JSON value has all paths of one of these lists.
    ///
    /// # Errors
    /// The first path of the first list that it has not.
    pub fn has_all_of(&self, lists: &[&[&'static str]]) -> Fit {
        let holds = |paths: &&[&'static str]| self.has_all(paths).is_ok();
        if lists.iter().any(holds) { Ok(()) } else { self.has_all(lists.first().unwrap_or(&&[][..])) }
    }

    /// Whether the text has these words.
    #[must_use]
    pub fn has(&self, words: &str) -> bool {
        memchr::memmem::find(self.bytes, words.as_bytes()).is_some()
    }

    /// Whether the text is XML with elements that begin so.
    ///
    /// # Errors
    /// If it is not.
    pub fn is_xml_with(&self, elements: &[&str]) -> Fit {
        No::unless(self.first_line().starts_with(b"<"), "it is no XML")?;
        No::unless(elements.iter().all(|begin| self.has(begin)), "it has no such element")
    }

    /// Whether the header has these columns.
    ///
    /// # Errors
    /// If it has not.
    pub fn header_has(&self, columns: &[&str]) -> Fit {
        let has = |column: &&str| self.header().any(|cell| cell == column.as_bytes());
        No::unless(columns.iter().all(has), "its first line is not that header")
    }

    /// Why the first JSON value has not all these paths ([`Node::at`]); `None` if it has.
    #[must_use]
    pub fn lacks(&self, paths: &[String]) -> Option<String> {
        let Some(root) = self.documents().first() else { return Some(No::NotJson.to_string()) };
        paths.iter().find(|path| root.at(path).is_none()).map(|path| format!("it has no `{path}`"))
    }

    /// Whether the first JSON value has none of these paths.
    ///
    /// # Errors
    /// The first path that it has.
    pub fn has_none(&self, paths: &[&'static str]) -> Fit {
        let root = self.json()?;
        paths.iter().find(|path| root.at(path).is_some()).map_or(Ok(()), |path| Err(No::Has(path)))
    }

    /// Whether one of the first JSON values has all these paths: for one object a line.
    ///
    /// # Errors
    /// The first path that the first value has not.
    pub fn record_has_all(&self, paths: &[&'static str]) -> Fit {
        let holds = |node: &Node| paths.iter().all(|path| node.at(path).is_some());
        if self.documents().iter().any(holds) { Ok(()) } else { self.has_all(paths) }
    }
}

/// The lines of a text, without blanks at their ends and without the echo of an interruption.
fn all_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    let line = move |end| &text[std::mem::replace(&mut start, end + 1)..end];
    ends.map(line).map(|line| without_echo(line).trim_ascii())
}

/// The same; of lines that look alike, the first [`ALIKE`].
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let is_new = |line: &&[u8]| {
        let count = seen.entry(shape(line)).or_default();
        *count += 1;
        *count <= ALIKE
    };
    all_lines(text).filter(is_new).collect()
}

/// What two lines share that differ in words, numbers and the width of blanks alone: a hash of the other bytes, and of
/// where such runs stand (FNV-1a).
fn shape(line: &[u8]) -> u64 {
    let (mut hash, mut last) = (0xcbf2_9ce4_8422_2325_u64, 0);
    for &byte in line {
        let kind = KINDS[usize::from(byte)];
        if kind != last || !matches!(kind, b'0' | b'a' | b' ') {
            hash = (hash ^ u64::from(kind)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        last = kind;
    }
    hash
}

/// What each byte is in the shape of a line: that of a number, of a word, of a gap, or itself.
const KINDS: [u8; 256] = {
    let (mut kinds, mut at) = ([0; 256], 0);
    while at < kinds.len() {
        kinds[at] = match at as u8 {
            b'0'..=b'9' => b'0',
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => b'a',
            b' ' | b'\t' => b' ',
            other => other,
        };
        at += 1;
    }
    kinds
};

/// Whether a file has a format, and why not.
pub type Fit = Result<(), No>;

/// Why a file does not have a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum No {
    /// It does not begin with a JSON object or list.
    NotJson,
    /// It lacks this path of keys.
    Lacks(&'static str),
    /// It has this path, which the format never has.
    Has(&'static str),
    /// A short sentence about the file, such as `it has no header`.
    Because(&'static str),
    /// The reason that a plug-in gives.
    Said(String),
    /// A plug-in failed: which one, and how.
    Failed(String),
}

impl No {
    /// Fits if the condition holds; otherwise the sentence says why not.
    ///
    /// # Errors
    /// [`No::Because`].
    pub fn unless(holds: bool, why_not: &'static str) -> Fit {
        if holds { Ok(()) } else { Err(Self::Because(why_not)) }
    }
}

impl fmt::Display for No {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => formatter.write_str("it is no JSON object or list"),
            Self::Lacks(path) => write!(formatter, "it has no `{path}`"),
            Self::Has(path) => write!(formatter, "it has `{path}`"),
            Self::Because(why) => formatter.write_str(why),
            Self::Said(why) | Self::Failed(why) => formatter.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_lines_that_look_alike_the_first_are_shown() {
        let result = |n: usize| format!("Benchmark{}-8 \t {n}  {}.5 ns/op\n", ["A", "Bcd"][n % 2], 7 * n);
        let text: String =
            (0..500).map(result).chain(["Requests/sec: 12\n".to_owned(), result(500)]).collect();
        let head = Head::new(text.as_bytes());
        let shown: Vec<&[u8]> = head.lines().collect();
        assert_eq!(shown.len(), ALIKE + 2, "64 results, another line, and the end");
        assert_eq!(
            shown[..ALIKE].join(&b'\n'),
            text.lines().take(ALIKE).collect::<Vec<_>>().join("\n").as_bytes()
        );
        assert_eq!(shown[ALIKE], b"Requests/sec: 12");
        for (a, b) in [("a 1", "a: 1"), ("a-1", "a 1"), ("1.5", "15"), ("", "a"), ("((", "(")] {
            assert_ne!(shape(a.as_bytes()), shape(b.as_bytes()), "{a} {b}");
        }
        assert_eq!(shape("Ünï 1  x".as_bytes()), shape(b"ab 22\ty_z"));
    }

    #[test]
    fn lines_have_no_blanks_at_their_ends() {
        for (text, expected) in [
            ("", &[""][..]),
            ("\n", &["", ""]),
            (" a b \r\n\n\tc", &["a b", "", "c"]),
            ("\u{FEFF}a\n", &["a", ""]),
            ("^C  a\n \u{3}^Cb", &["a", "b"]),
        ] {
            let head = Head::new(text.as_bytes());
            let expected: Vec<&[u8]> = expected.iter().map(|line| line.as_bytes()).collect();
            assert_eq!(head.lines().collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(head.lines().collect::<Vec<_>>(), expected, "{text:?}, again");
        }
    }
}
