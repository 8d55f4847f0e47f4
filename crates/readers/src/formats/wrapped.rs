//! Results that a script wrapped in an object of its own: `{"host": "ci-7", "results": [ … ]}`. They are read as if they
//! stood alone if exactly one part of the object has a format, and the rest of it says something about the run at most.

use super::prelude::*;
use crate::detection;
use crate::source::HEAD;

/// What was found in a wrapper.
pub(crate) struct Inside {
    /// The format of the part.
    pub(crate) format: &'static Format,
    /// The part, on the lines that it has in the file.
    pub(crate) content: Content,
    /// What the wrapper says of the run.
    pub(crate) keys: Context,
    /// The line of a block beside it whose records are no JSON.
    pub(crate) unread: Option<u32>,
}

/// The part of a file that has a format, if the file is a wrapper. `is_named` says that no folder led to the file.
pub(crate) fn inside(content: &Content, is_named: bool) -> io::Result<Option<Inside>> {
    if !matches!(Head::new(&content.head).documents(), [only] if only.children().next().is_some()) {
        // Of a folder, a document quotes results that lie beside it.
        return if is_named { fenced(content) } else { Ok(None) };
    }
    let (bytes, mut sheet) = (content.all()?, Sheet::default());
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(None) };
    let (mut found, mut keys) = (None, Context::new());
    for (key, part) in document.entries() {
        let format = if matches!(part.bytes.first(), Some(b'{' | b'[')) { format_of(part) } else { Ok(None) };
        match format {
            Ok(Some(format)) if found.is_none() => found = Some((format, part)),
            Ok(None) if said(key, &part.value(&mut sheet)?, &mut keys) => {}
            // There are other results, or nobody knows what it is.
            _ => return Ok(None),
        }
    }
    let unread = None;
    Ok(found.map(|(format, part)| Inside {
        format,
        content: content.part(part.bytes, part.line),
        keys,
        unread,
    }))
}

/// The only table or export that a document quotes in a block between lines of three backticks.
fn fenced(content: &Content) -> io::Result<Option<Inside>> {
    if memchr::memmem::find(&content.head, FENCE).is_none() {
        return Ok(None);
    }
    let (bytes, mut start, mut block, mut found) = (content.all()?, 0, None, None);
    let mut unread = None;
    for (line, end) in (1..).zip(memchr::memchr_iter(b'\n', &bytes).chain([bytes.len()])) {
        let begin = std::mem::replace(&mut start, end + 1);
        if !bytes[begin..end].trim_ascii_start().starts_with(FENCE) {
            continue;
        }
        let Some((first, line)) = block.replace((end + 1, line + 1)) else { continue };
        block = None;
        let inner = &bytes[first..begin];
        let fitting = detection::fitting(&Head::new(&inner[..inner.len().min(HEAD)]));
        let is_meant = |format: &&Format| format.has_results() && !GUESSED.contains(&format.name);
        if let [format] = fitting[..]
            && is_meant(&format)
            && found.replace((format, inner, line)).is_some()
        {
            return Ok(None);
        }
        if fitting.is_empty() && has_records(inner) {
            unread = unread.or(Some(line));
        }
    }
    Ok(found.map(|(format, inner, line): (&Format, _, _)| Inside {
        format,
        content: content.part(inner, line),
        keys: Context::new(),
        unread: unread.filter(|_| format.name == "ndjson"),
    }))
}

/// Whether each line stands in braces and has a number, as a record does that a language prints in its own way.
fn has_records(block: &[u8]) -> bool {
    let mut lines =
        block.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && lines
            .all(|line| line.starts_with(b"{") && line.ends_with(b"}") && line.iter().any(u8::is_ascii_digit))
}

const FENCE: &[u8] = b"```";

/// Formats of which the code in a document can have the shape.
const GUESSED: [&str; 2] = ["lines", "numbers"];

/// The format of a part. An error if it has several.
fn format_of(part: Span<'_>) -> Result<Option<&'static Format>, ()> {
    let fitting = detection::fitting(&Head::new(&part.bytes[..part.bytes.len().min(HEAD)]));
    match fitting[..] {
        [] => Ok(None),
        [format] if format.has_results() && !format.is_plain_table() => Ok(Some(format)),
        _ => Err(()),
    }
}

/// Takes what an entry says of the run. False if it is more than a value, or an object or a list of values.
fn said(key: &str, value: &Value<'_>, keys: &mut Context) -> bool {
    let mut add = |key: String, value: &Value<'_>| {
        if value.is_simple() {
            keys.push((key, plain(value)));
        }
        value.object().is_none() && value.list().is_none()
    };
    match value {
        Value::Object(inner) => Object::iter(inner).all(|(name, value)| add(format!("{key}.{name}"), value)),
        Value::List(list) if list.iter().all(|value| value.object().is_none() && value.list().is_none()) => {
            keys.push((key.to_owned(), value.to_string()));
            true
        }
        value => add(key.to_owned(), value),
    }
}
