//! XML of harnesses. Entities that a document declares are not expanded: they could make a small file endless.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::problem::Code;
use crate::sheet::Sheet;

/// Goes through the events of a document, with their lines; records a problem if it is cut or broken. A document that
/// declares entities is refused.
pub(super) fn each(bytes: &[u8], sheet: &mut Sheet, mut take: impl FnMut(&mut Sheet, &Event<'_>, u32)) {
    let mut reader = Reader::from_reader(bytes);
    let (mut line, mut counted, mut depth) = (1u32, 0, 0usize);
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(bytes.len()).min(bytes.len());
        let event = reader.read_event();
        line = line.saturating_add(memchr::memchr_iter(b'\n', &bytes[counted..start]).count() as u32);
        counted = start;
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                let hint = "was the file cut or edited?";
                return sheet.problem(
                    Code::MalformedRecord,
                    line,
                    format!("not well-formed XML: {error}"),
                    hint,
                );
            }
        };
        match &event {
            Event::Eof if depth > 0 => {
                let what = "the document ends before its elements do";
                return sheet.problem(Code::Truncated, line, what, "copy the file again or repeat the run");
            }
            Event::Eof => return,
            Event::DocType(_) => {
                let hint = "no harness writes one; is the file from somebody else?";
                return sheet.problem(Code::MalformedRecord, line, "the document has a DOCTYPE", hint);
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        take(sheet, &event, line);
    }
}

/// The value of an attribute.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let text = &attribute.value;
    Some(quick_xml::escape::unescape(text).map_or_else(|_| text.to_string(), std::borrow::Cow::into_owned))
}
