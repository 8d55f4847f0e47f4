//! XML of harnesses. Entities that a document declares are not expanded: they could make a small file endless.

use super::prelude::*;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::json::{DEEPEST, Entry};

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
                return sheet.malformed(line, format!("not well-formed XML: {error}"), hint);
            }
        };
        match &event {
            Event::Eof if depth > 0 => {
                return sheet.cut(line, "the document");
            }
            Event::Eof => return,
            Event::DocType(_) => {
                let hint = "no harness writes one; is the file from somebody else?";
                return sheet.malformed(line, "the document has a DOCTYPE", hint);
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
    Some(unescaped(&attribute.value))
}

/// The text of an attribute, whose entities are replaced where they are known.
fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// The complete documents of a file as values: an object for each element, with its attributes under names such as `@time`
/// and its elements in a list under their name. The text between the tags is left out.
pub(super) fn documents(bytes: &[u8], sheet: &mut Sheet) -> Vec<Value<'static>> {
    let (mut open, mut done, mut depth): (Vec<Element>, Vec<Value<'static>>, usize) = Default::default();
    each(bytes, sheet, |sheet, event, line| match event {
        Event::Start(tag) if depth < DEEPEST => {
            depth += 1;
            open.push(Element::of(tag, line));
        }
        Event::Start(_) => {
            depth += 1;
            if depth == DEEPEST + 1 {
                sheet.malformed(line, "elements are nested too deep", "");
            }
        }
        Event::Empty(tag) => Element::of(tag, line).close(&mut open, &mut done),
        Event::End(_) => {
            depth = depth.saturating_sub(1);
            if depth < DEEPEST
                && let Some(element) = open.pop()
            {
                element.close(&mut open, &mut done);
            }
        }
        _ => {}
    });
    done
}

/// An element whose end was not seen yet.
struct Element {
    name: String,
    line: u32,
    attributes: Vec<Entry<'static>>,
    /// The elements in it, by name.
    inner: Vec<(String, Vec<Value<'static>>)>,
}

impl Element {
    fn of(tag: &BytesStart<'_>, line: u32) -> Self {
        let mut attributes: Vec<Entry<'static>> = Vec::new();
        for attribute in tag.attributes().flatten() {
            let key = format!("@{}", attribute.key.as_ref());
            if attributes.iter().all(|known| known.key != key) {
                let value = Value::Text(Cow::Owned(unescaped(&attribute.value)));
                attributes.push(Entry { key: Cow::Owned(key), line, value });
            }
        }
        Self { name: tag.name().as_ref().to_owned(), line, attributes, inner: Vec::new() }
    }

    /// Adds it to the element around it, or to the documents.
    fn close(self, open: &mut [Self], done: &mut Vec<Value<'static>>) {
        let Self { name, line, attributes: mut entries, inner } = self;
        let lists = inner.into_iter().map(|(name, elements)| Entry {
            key: Cow::Owned(name),
            line,
            value: Value::List(elements.into()),
        });
        entries.extend(lists);
        let value = Value::Object(Box::new(Object::new(line, entries, |_| ())));
        if let Some(around) = open.last_mut() {
            return around.add(name, value);
        }
        // The document itself is under the name of its element.
        let entry = Entry { key: Cow::Owned(name), line, value: Value::List([value].into()) };
        done.push(Value::Object(Box::new(Object::new(line, vec![entry], |_| ()))));
    }

    fn add(&mut self, name: String, value: Value<'static>) {
        match self.inner.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.push(value),
            None => self.inner.push((name, vec![value])),
        }
    }
}
