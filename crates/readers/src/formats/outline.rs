//! The keys at the beginning of JSON text. Detection scans a file once for all formats; the text may be cut anywhere,
//! and values may follow each other without an array.

/// Deeper values have no node of their own.
const DEEPEST: usize = 8;
/// The number of brackets that may be open at once.
const OPEN: usize = 128;
/// The number of keys of a node that are kept.
const KEYS: usize = 256;
/// The number of values that are examined.
const DOCUMENTS: usize = 20;
/// The number of bytes of a text that is kept.
const TEXT: usize = 80;

/// What a value is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// Null, a truth value, or nothing because the text ends.
    #[default]
    Other,
    /// An object.
    Object,
    /// A list.
    List,
    /// A text.
    Text,
    /// A number.
    Number,
}

/// A value with the keys below it. The elements of a list share one node, which has the keys of all of them.
#[derive(Debug, Default)]
pub struct Node {
    /// What it is; of several elements, what the first one is.
    pub kind: Kind,
    /// The beginning of a text as the file has it, with escapes; empty for other values.
    pub text: Box<str>,
    keys: Vec<(Box<str>, Node)>,
    element: Option<Box<Node>>,
}

impl Node {
    /// The value of a key of an object.
    #[must_use]
    pub fn child(&self, key: &str) -> Option<&Self> {
        self.keys.iter().find(|(known, _)| **known == *key).map(|(_, node)| node)
    }

    /// The keys of an object with their values, in the order of the file.
    pub fn children(&self) -> impl Iterator<Item = (&str, &Self)> {
        self.keys.iter().map(|(key, node)| (&**key, node))
    }

    /// The elements of a list.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        self.element.as_deref()
    }

    /// The value at a path such as `results[].times`, `[].benchmark` or `*.latency.value`: keys with a dot between them,
    /// `[]` for the elements of a list, `*` for any key. Use [`Node::child`] for a key that contains one of these.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<&Self> {
        if path.is_empty() {
            return Some(self);
        }
        if let Some(rest) = path.strip_prefix("[]") {
            return self.element()?.at(rest.strip_prefix('.').unwrap_or(rest));
        }
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (key, rest) = path.split_at(end);
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        if key == "*" {
            return self.children().find_map(|(_, node)| node.at(rest));
        }
        self.child(key)?.at(rest)
    }

    fn key(&mut self, key: &[u8]) -> Option<&mut Self> {
        let at = self.keys.iter().position(|(known, _)| known.as_bytes() == key);
        if at.is_none() {
            if self.keys.len() == KEYS {
                return None;
            }
            self.keys.push((String::from_utf8_lossy(key).into(), Self::default()));
        }
        let at = at.unwrap_or(self.keys.len() - 1);
        Some(&mut self.keys[at].1)
    }
}

/// Returns the first values of JSON text; none if it does not begin with an object or a list.
#[must_use]
pub fn outline(text: &[u8]) -> Vec<Node> {
    let mut scan = Scan { text, at: 0 };
    let mut documents = Vec::new();
    scan.blanks();
    if !matches!(scan.peek(), Some(b'{' | b'[')) {
        return documents;
    }
    while documents.len() < DOCUMENTS {
        let mut node = Node::default();
        let whole = scan.value(Some(&mut node), 0);
        documents.push(node);
        if whole.is_none() {
            scan.line();
        }
        scan.blanks();
        // One broken line must not hide the records after it.
        while scan.peek().is_some_and(|byte| byte != b'{') {
            scan.line();
            scan.blanks();
        }
        if scan.peek().is_none() {
            break;
        }
    }
    documents
}

/// A position in the text. Functions return `None` where the text ends or is no JSON.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Goes to the beginning of the next line.
    fn line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    fn value(&mut self, node: Option<&mut Node>, depth: usize) -> Option<()> {
        let node = node.filter(|_| depth <= DEEPEST);
        self.blanks();
        match self.peek()? {
            b'{' if depth < OPEN => self.object(node, depth),
            b'[' if depth < OPEN => self.list(node, depth),
            b'"' => {
                let text = self.string();
                if let Some(node) = node.filter(|node| node.kind == Kind::Other) {
                    let shown = text.unwrap_or_default();
                    node.kind = Kind::Text;
                    node.text = String::from_utf8_lossy(&shown[..shown.len().min(TEXT)]).into();
                }
                text.map(|_| ())
            }
            first => {
                let start = self.at;
                while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') = self.peek() {
                    self.at += 1;
                }
                if let Some(node) = node.filter(|node| node.kind == Kind::Other)
                    && (first == b'-' || first.is_ascii_digit())
                {
                    node.kind = Kind::Number;
                }
                (self.at > start).then_some(())
            }
        }
    }

    fn object(&mut self, mut node: Option<&mut Node>, depth: usize) -> Option<()> {
        self.at += 1;
        if let Some(node) = node.as_deref_mut().filter(|node| node.kind == Kind::Other) {
            node.kind = Kind::Object;
        }
        loop {
            self.blanks();
            match self.peek()? {
                b'}' => break,
                b',' => self.at += 1,
                b'"' => {
                    let key = self.string()?;
                    self.blanks();
                    (self.peek()? == b':').then(|| self.at += 1)?;
                    let child = node.as_deref_mut().and_then(|node| node.key(key));
                    self.value(child, depth + 1)?;
                }
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    fn list(&mut self, mut node: Option<&mut Node>, depth: usize) -> Option<()> {
        self.at += 1;
        if let Some(node) = node.as_deref_mut().filter(|node| node.kind == Kind::Other) {
            node.kind = Kind::List;
        }
        loop {
            self.blanks();
            match self.peek()? {
                b']' => break,
                b',' => self.at += 1,
                _ => {
                    let child = node.as_deref_mut().map(|node| &mut **node.element.get_or_insert_default());
                    self.value(child, depth + 1)?;
                }
            }
        }
        self.at += 1;
        Some(())
    }

    /// The bytes between two quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        self.at += 1;
        let start = self.at;
        loop {
            let found = memchr::memchr2(b'"', b'\\', self.text.get(self.at..)?)?;
            self.at += found + 1;
            if self.text[self.at - 1] == b'"' {
                return Some(&self.text[start..self.at - 1]);
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_keys() {
        let text =
            r#"{"results": [{"command": "a\"b", "n": 1}, {"times": [1.5, NaN]}], "x": {"y": {"v": null}}}"#;
        let root = &outline(text.as_bytes())[0];
        for path in ["results", "results[].command", "results[].times[]", "x.y.v", "x.*.v", "*.y.v"] {
            assert!(root.at(path).is_some(), "{path}");
        }
        for path in ["result", "results.command", "times", "x.y.w", "results[].command[]", "[]"] {
            assert!(root.at(path).is_none(), "{path}");
        }
        assert_eq!(&*root.at("results[].command").unwrap().text, r#"a\"b"#);
        let kind = |path: &str| root.at(path).unwrap().kind;
        let kinds = [kind("results"), kind("results[]"), kind("results[].n"), kind("x.y.v")];
        assert_eq!(kinds, [Kind::List, Kind::Object, Kind::Number, Kind::Other]);
    }

    #[test]
    fn text_that_is_cut_shows_what_comes_before() {
        let whole = r#"[{"a": {"b": "text"}, "c": [1, 2]}] {"d": 1}"#;
        for end in 0..whole.len() {
            let found = outline(&whole.as_bytes()[..end]);
            assert_eq!(!found.is_empty(), end > 0, "{end}");
        }
        let both = outline(whole.as_bytes());
        assert!(
            both[0].at("[].a.b").is_some() && both[0].at("[].c[]").is_some() && both[1].at("d").is_some()
        );
        assert!(outline(b"[INFO] started\n")[0].element().is_some_and(|node| node.children().count() == 0));
        assert_eq!(outline(b"goos: linux").len() + outline(b"\"text\"").len() + outline(b"").len(), 0);
    }

    #[test]
    fn hostile_text_ends_the_scan() {
        let brackets = "[".repeat(1 << 20);
        assert_eq!(outline(brackets.as_bytes()).len(), 1);
        let keys = (0..100_000).map(|i| format!("\"{i}\":1,")).collect::<Vec<_>>().concat();
        assert_eq!(outline(format!("{{{keys}").as_bytes())[0].children().count(), KEYS);
        assert_eq!(outline("{}\n".repeat(1000).as_bytes()).len(), DOCUMENTS);
        let records = outline(b"{\"a\": 1}\n{\"b\" 2}\nnoise\n{\"c\": 3}\n");
        assert!(records.iter().any(|record| record.at("c").is_some()));
    }
}
