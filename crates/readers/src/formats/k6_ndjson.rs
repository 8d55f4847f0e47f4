//! k6's JSON output: a line for each metric and for each point.

use super::prelude::*;
use foldhash::fast::FixedState;

use super::json::{number_at, record};
use super::k6::{self, Contains, Definition, Intake, Kind, Slot, Tags, built_in, settle};

pub static FORMAT: Format = Format {
    name: "k6",
    sign: "lines with `type` that is Metric or Point, `metric` and `data`",
    harness: "k6",
    export: "k6 run --out json=FILE",
    files: &["*.json", "*.ndjson"],
    keys: &[k6::KEYS],
    metrics: k6::METRICS,
    fits: |head| {
        let is_metric = head.record_has_all(&["type", "metric", "data.type", "data.contains"]).is_ok();
        if is_metric { Ok(()) } else { head.record_has_all(&["type", "metric", "data.value", "data.time"]) }
    },
    read: Read::Sheets(|name, _, content, _| read(name, content)),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The most sets of tags that are remembered. Tags that differ from request to request would fill the memory.
const REMEMBERED: usize = 4096;

type Definitions = HashMap<String, Definition>;

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    // A script's metric can first occur anywhere, and the points after it can be in another piece.
    let found = lines::pieces(content, |text| Ok(definitions(text)))?;
    let definitions: Definitions = found.into_iter().flatten().collect();
    let limit = content.budget.limits.line;
    let pieces = lines::pieces(content, |text| {
        let mut piece = Piece::new(name, &definitions);
        piece.lines(text, limit);
        piece.intake.sheet.count(&content.budget)?;
        Ok(piece.intake)
    })?;
    settle(pieces, content)
}

/// The metrics that a piece defines.
fn definitions(text: &[u8]) -> Vec<(String, Definition)> {
    let places = memchr::memmem::find_iter(text, b"\"Metric\"");
    let parsed = places.filter_map(|at| {
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
        let object = record(text[start..end].trim_ascii(), 0, &mut Sheet::default()).ok()??;
        let (data, word) = (object.get("data")?, object.get("type")?.text()?);
        let text = |key: &str| data.text_of(key);
        let (kind, contains) = (Kind::of_word(text("type")?)?, Contains::of_word(text("contains")?)?);
        let name = object.text_of("metric").or_else(|| text("name"))?;
        (word == "Metric").then(|| (name.to_owned(), Definition::new(name, kind, contains)))
    });
    parsed.collect()
}

struct Piece<'a> {
    intake: Intake,
    definitions: &'a Definitions,
    /// The metrics by their names in the file, without escapes.
    slots: HashMap<Vec<u8>, Slot, FixedState>,
    /// The tags by all that follows the value in a line.
    tags: HashMap<Vec<u8>, Tags, FixedState>,
    /// The tags of the preceding line: all points of a request have the same, even if no other request has them.
    latest: Option<(Vec<u8>, Tags)>,
}

/// A point in the order of keys in which k6 writes it, without escapes in the name.
struct Plain<'a> {
    metric: &'a [u8],
    time: i64,
    digits: &'a [u8],
    /// All that follows the value.
    rest: &'a [u8],
}

impl<'a> Plain<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let (metric, line) = quoted(line.strip_prefix(br#"{"metric":""#)?)?;
        let (time, line) = quoted(line.strip_prefix(br#","type":"Point","data":{"time":""#)?)?;
        let line = line.strip_prefix(br#","value":"#)?;
        let (length, _) = number_at(line)?;
        let (digits, rest) = line.split_at(length);
        Some(Self { metric, time: timestamps::instant(time)?, digits, rest })
    }
}

fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr2(b'"', b'\\', text)?;
    (text[end] == b'"').then(|| (&text[..end], &text[end + 1..]))
}

impl<'a> Piece<'a> {
    fn new(name: &str, definitions: &'a Definitions) -> Self {
        let intake = Intake::new(name);
        Self { intake, definitions, slots: HashMap::default(), tags: HashMap::default(), latest: None }
    }

    fn lines(&mut self, text: &[u8], limit: u64) {
        let mut rest = text;
        while !rest.is_empty() {
            self.intake.sheet.lines = self.intake.sheet.lines.saturating_add(1);
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest[..end].trim_ascii();
            rest = rest.get(end + 1..).unwrap_or_default();
            if line.len() as u64 > limit {
                self.intake.sheet.too_long(self.intake.sheet.lines, line);
            } else if !line.is_empty() {
                self.line(line);
            }
        }
    }

    fn line(&mut self, line: &[u8]) {
        let number = self.intake.sheet.lines;
        let plain = Plain::of(line);
        if let Some(plain) = &plain
            && let Some(&slot) = self.slots.get(plain.metric)
            && let Some(tags) = self.known(plain.rest)
            && let Some(value) = self.intake.sheet.number(plain.digits, number)
        {
            return self.intake.point(slot, tags, value, Some(plain.time), number);
        }
        match record(line, number, &mut self.intake.sheet) {
            Ok(Some(object)) => {
                let read = self.object(&object, number);
                if let (Some(plain), Some((slot, tags))) = (plain, read) {
                    self.remember(&plain, slot, tags);
                }
            }
            Ok(None) => self.broken(line, "it is a value of another kind"),
            Err(fault) => self.broken(line, fault.what),
        }
    }

    fn broken(&mut self, line: &[u8], why: &str) {
        self.intake.sheet.no_object(self.intake.sheet.lines, line, why);
    }

    /// The tags of a rest that was parsed before.
    fn known(&mut self, rest: &[u8]) -> Option<Tags> {
        if let Some((known, tags)) = &self.latest
            && known == rest
        {
            return Some(*tags);
        }
        let tags = *self.tags.get(rest)?;
        self.latest = Some((rest.to_vec(), tags));
        Some(tags)
    }

    fn remember(&mut self, plain: &Plain<'_>, slot: Slot, tags: Tags) {
        self.slots.insert(plain.metric.to_vec(), slot);
        self.latest = Some((plain.rest.to_vec(), tags));
        if self.tags.len() < REMEMBERED {
            self.tags.insert(plain.rest.to_vec(), tags);
        }
    }

    /// Reads a line of any order; returns what it has in common with other lines.
    fn object(&mut self, object: &Object<'_>, line: u32) -> Option<(Slot, Tags)> {
        let text = |key: &str| object.text_of(key);
        let (name, data) = (text("metric"), object.get("data").unwrap_or(&Value::Null));
        match (text("type"), name) {
            (Some("Metric"), _) => {
                let own = || data.text_of("name");
                self.intake.define(name.or_else(own).unwrap_or_default());
                return None;
            }
            (Some("Point"), Some(_)) => {}
            _ => {
                self.intake.sheet.lacks(line, "a line", "metric or point");
                return None;
            }
        }
        let name = name.unwrap_or_default();
        let Some(definition) = self.definitions.get(name).copied().or_else(|| built_in(name)) else {
            self.intake.undefined(name, line, "the file has lost the line that defines it. Repeat the run");
            return None;
        };
        let value = data.get("value");
        let Some(parsed) = value.and_then(|value| number_of(&mut self.intake.sheet, value, line)) else {
            self.intake.sheet.no_number(line, name, "", value.map(plain).unwrap_or_default());
            return None;
        };
        let texts: Vec<(String, String)> =
            data.entries("tags").map(|(key, value)| (key.to_owned(), plain(value))).collect();
        let tags: Vec<(&str, &str)> =
            texts.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let (slot, tags) = (self.intake.slot(name, definition), self.intake.tags(&tags));
        let time = data.text_of("time").and_then(|time| timestamps::instant(time.as_bytes()));
        self.intake.point(slot, tags, parsed, time, line);
        Some((slot, tags))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// Points of five seconds, a thousand a second, with a metric that is defined after them.
    fn text() -> String {
        let mut text = String::new();
        for at in 0..5000 {
            let time = format!("2024-01-01T00:00:0{}.{:03}Z", at / 1000, at % 1000);
            for (name, value) in [("own", at), ("http_reqs", 1)] {
                let tags = format!(r#"{{"scenario":"{}","filler":"{}"}}"#, at % 7, "x".repeat(500));
                let data = format!(r#"{{"time":"{time}","value":{value},"tags":{tags}}}"#);
                let _ = writeln!(text, r#"{{"metric":"{name}","type":"Point","data":{data}}}"#);
            }
        }
        text + r#"{"type":"Metric","data":{"type":"trend","contains":"time"},"metric":"own"}"# + "\n"
    }

    #[test]
    fn a_file_in_pieces_reads_as_one_of_one_piece() {
        let text = text();
        assert!(text.len() > 4 << 20);
        let content = Content::from_bytes(text.as_bytes()).unwrap();
        let sheets = read("x", &content).unwrap();
        assert!(sheets.len() > 2);
        let values = |name: &str| -> Vec<f64> {
            let of = |sheet: &Sheet| -> Vec<f64> {
                let found = sheet.metrics.iter().position(|metric| metric.name == name);
                let rows = sheet.metric.iter().zip(&sheet.value);
                rows.filter(|(metric, _)| Some(**metric as usize) == found).map(|(_, value)| *value).collect()
            };
            sheets.iter().flat_map(of).collect()
        };
        assert_eq!(values("own"), (0..5000).map(|at| f64::from(at) / 1e3).collect::<Vec<_>>());
        // Seven scenarios in the three seconds between the first and the last.
        assert_eq!(values("http_reqs").len(), 21);
        assert_eq!(values("http_reqs").iter().sum::<f64>(), 3000.0);
        assert_eq!(sheets.iter().map(|sheet| sheet.lines).sum::<u32>(), 10_001);
    }

    #[test]
    fn a_remembered_line_reads_as_a_new_one() {
        let line = |value: &str, time: &str| {
            format!(
                "{{\"metric\":\"http_req_waiting\",\"type\":\"Point\",\"data\":{{\"time\":\"{time}\",\"value\":{value},\"tags\":{{\"name\":\"a\"}}}}}}\n"
            )
        };
        let values = ["1", "0.5", "-0", "1e2", "01", "1.", "nul", "\"3\"", "9007199254740993", "1 "];
        for value in values {
            let text = line("1", "2024-01-01T00:00:00Z") + &line(value, "2024-01-01T00:00:01Z");
            let alone = line(value, "2024-01-01T00:00:01Z");
            let found = [text, alone].map(|text| {
                let content = Content::from_bytes(text.as_bytes()).unwrap();
                let sheets = read("x", &content).unwrap();
                let codes: Vec<Code> = sheets[0].problems.iter().map(|problem| problem.code).collect();
                (sheets[0].value.last().copied(), sheets[0].len(), codes)
            });
            assert_eq!(found[0].1, found[1].1 + 1, "{value}");
            assert_eq!(found[0].2, found[1].2, "{value}");
            assert!(found[1].1 == 0 || found[0].0 == found[1].0, "{value}");
        }
    }
}
