//! dd: the time that it took to copy its bytes.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{decimal, excerpt};
use crate::{Code, Options, Sheet};

/// What dd prints on standard error, once or several times.
pub static FORMAT: Format = Format {
    name: "dd",
    sign: "lines such as `104857600 bytes (105 MB, 100 MiB) copied, 0.0260497 s, 4.0 GB/s` below `100+0 records out`",
    harness: "dd",
    export: "dd if=… of=… 2>> FILE",
    values: Values::Samples,
    processes: Processes::OneAValue,
    keys: &[&[Key::of_work("size", Role::Setting, "bytes of a block, where all blocks are whole")]],
    metrics: &[Meaning::of("time", "elapsed time of the copy")],
    fits: |head| {
        let text = |line| std::str::from_utf8(line).unwrap_or("");
        let mut pairs = head.lines().map(text).zip(head.lines().skip(1).map(text));
        let any = pairs.any(|(records, line)| records_out(records).is_some() && copy(line).is_some());
        No::unless(any, "it has no such lines")
    },
    read,
    ..Format::PLAIN
};

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
        rest.split_once(" secs (")?.0
    } else {
        // BusyBox and old versions write the word.
        let copied = rest.split_once("copied, ")?.1;
        copied.split_once(" s, ").or_else(|| copied.split_once(" seconds, "))?.0
    };
    bytes.bytes().all(|byte| byte.is_ascii_digit()).then_some((bytes, seconds))
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut end = None;
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        // With status=progress the same line also shows how far it is.
        if let Some((bytes, digits)) = copy(text)
            && let Some(records) = end
        {
            sheet.set_context(&Vec::from_iter(block(bytes, records)));
            push(&mut sheet, bytes, digits, line);
        }
        end = records_out(text);
    }
    Ok(vec![sheet])
}

/// The size of a block.
fn block(bytes: &str, (whole, part): (&str, &str)) -> Option<(String, String)> {
    let (bytes, whole): (u64, u64) = (bytes.parse().ok()?, whole.parse().ok()?);
    let is_exact = whole > 0 && bytes.is_multiple_of(whole) && part.bytes().all(|digit| digit == b'0');
    is_exact.then(|| ("size".to_owned(), (bytes / whole).to_string()))
}

fn push(sheet: &mut Sheet, bytes: &str, digits: &str, line: u32) {
    let Some(value) = decimal(digits.trim()) else {
        let what = format!("the time is `{}`, not a number", excerpt(digits.as_bytes()));
        return sheet.problem(Code::MalformedNumber, line, what, "was the file cut or edited?");
    };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let benchmark = &*format!("copy of {bytes} bytes");
    sheet.push(Measurement { benchmark, metric, value, line, ..Measurement::default() });
}
