//! dd: the time that it took to copy its bytes.

use super::prelude::*;
use crate::text::decimal;

/// What dd prints on standard error, once or several times.
pub static FORMAT: Format = Format {
    name: "dd",
    sign: "lines such as `104857600 bytes (105 MB, 100 MiB) copied, 0.0260497 s, 4.0 GB/s` below `100+0 records out`",
    harness: "dd",
    export: "dd if=… of=… 2>> FILE",
    processes: Processes::OneAValue,
    printed_by: &["dd"],
    keys: &[&[Key::work("size", "bytes of a block, where all blocks are whole")]],
    metrics: &[Meaning::of("time", "elapsed time of the copy")],
    words: &[" records out"],
    fits: |head| No::unless(is_copy(head), "it has no such lines"),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// What dd prints in another language than English.
pub static FOREIGN: Format = Format {
    name: "dd-foreign",
    sign: "two lines with `N+N` above `268435456 octets (268 MB, 256 MiB) copiés, 0,201 s, 1,3 GB/s`, in another language \
           than English",
    harness: "dd",
    values: Values::refused(
        "what dd prints in another language than English",
        "LC_ALL=C dd if=… of=… 2>> FILE",
    ),
    words: &["B/s"],
    fits: |head| {
        let lines: Vec<&str> = texts(head).collect();
        let is_foreign =
            |three: &[&str]| has_records(three[0]) && has_records(three[1]) && is_foreign_copy(three[2]);
        No::unless(!is_copy(head) && lines.windows(3).any(is_foreign), "it has no such lines")
    },
    ..Format::PLAIN
};

/// The lines that are text, without those of what dd cut.
fn texts<'a>(head: &Head<'a>) -> impl Iterator<Item = &'a str> {
    head.lines().map(|line| std::str::from_utf8(line).unwrap_or("")).filter(|line| !is_of_cut(line))
}

/// Whether a line says how many records dd cut, in any language: `1 truncated record`. It stands between the records and the
/// bytes.
fn is_of_cut(line: &str) -> bool {
    let line = line.rsplit('\r').next().unwrap_or(line);
    let rest = line.trim_start_matches(|first: char| first.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(' ') && !rest.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether there is a line with bytes and a time below one with the records.
fn is_copy(head: &Head<'_>) -> bool {
    let mut pairs = texts(head).zip(texts(head).skip(1));
    pairs.any(|(records, line)| records_out(records).is_some() && copy(line).is_some())
}

/// Whether a line has a number of whole and of other records: `256+0`.
fn has_records(line: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = line.as_bytes();
    line.len() < 200
        && line.match_indices('+').any(|(at, _)| is_digit(bytes[..at].last()) && is_digit(bytes.get(at + 1)))
}

/// Whether a line has bytes, a time and a rate, in some language but not as in English.
fn is_foreign_copy(line: &str) -> bool {
    let line = line.rsplit('\r').next().unwrap_or(line);
    let rest = line.trim_start_matches(|first: char| first.is_ascii_digit());
    let has_time = [" s, ", " s，"].iter().any(|seconds| rest.contains(seconds));
    rest.len() < line.len() && has_time && rest.ends_with("B/s") && copy(line).is_none()
}

/// The numbers of whole and of other records of `100+0 records out`.
fn records_out(line: &str) -> Option<(&str, &str)> {
    let records = line.rsplit('\r').next().and_then(|line| line.strip_suffix(" records out"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    records?.split_once('+').filter(|(whole, part)| digits(whole) && digits(part))
}

/// The bytes and the seconds of `104857600 bytes (105 MB, 100 MiB) copied, 0.0260497 s, 4.0 GB/s`, or of
/// `104857600 bytes transferred in 0.026050 secs (4025297505 bytes/sec)` of BSD and macOS.
fn copy(line: &str) -> Option<(&str, &str)> {
    let (bytes, rest) = line.split_once(" bytes ").or_else(|| line.split_once(" byte "))?;
    let seconds = if let Some(rest) = rest.strip_prefix("transferred in ") {
        rest.split_once(" secs (").or_else(|| rest.split_once(" seconds ("))?.0
    } else {
        // BusyBox and old versions write the word.
        let copied = rest.split_once("copied, ")?.1;
        copied.split_once(" s, ").or_else(|| copied.split_once(" seconds, "))?.0
    };
    bytes.bytes().all(|byte| byte.is_ascii_digit()).then_some((bytes, seconds))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut end = None;
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        // With status=progress the same line also shows how far it is.
        if let Some((bytes, digits)) = copy(text)
            && let Some(records) = end
        {
            sheet.set_context(&Vec::from_iter(block(bytes, records)));
            push(sheet, bytes, digits, line);
        }
        if !is_of_cut(text) {
            end = records_out(text);
        }
    }
}

/// The size of a block.
fn block(bytes: &str, (whole, part): (&str, &str)) -> Option<(String, String)> {
    let (bytes, whole): (u64, u64) = (bytes.parse().ok()?, whole.parse().ok()?);
    let is_exact = whole > 0 && bytes.is_multiple_of(whole) && part.bytes().all(|digit| digit == b'0');
    is_exact.then(|| ("size".to_owned(), (bytes / whole).to_string()))
}

fn push(sheet: &mut Sheet, bytes: &str, digits: &str, line: u32) {
    let Some(value) = sheet.need_number(decimal(digits.trim()), line, "the time", "", digits) else { return };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let benchmark = &*format!("copy of {bytes} bytes");
    sheet.push(Measurement { benchmark, metric, value, line, ..ROW });
}
