//! dd: the time that it took to copy its bytes.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
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
    metrics: &[Meaning::of("time", "elapsed time of the copy")],
    fits: |head| {
        let text = |line| std::str::from_utf8(line).unwrap_or("");
        let mut pairs = head.lines().map(text).zip(head.lines().skip(1).map(text));
        let any = pairs.any(|(records, line)| is_records_out(records) && copy(line).is_some());
        No::unless(any, "it has no such lines")
    },
    read,
    ..Format::PLAIN
};

/// Whether a line is `100+0 records out`.
fn is_records_out(line: &str) -> bool {
    let records = line.rsplit('\r').next().and_then(|line| line.strip_suffix(" records out"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    records
        .and_then(|records| records.split_once('+'))
        .is_some_and(|(whole, part)| digits(whole) && digits(part))
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
    let mut is_end = false;
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        // With status=progress the same line also shows how far it is.
        if let Some((bytes, digits)) = copy(text).filter(|_| is_end) {
            push(&mut sheet, bytes, digits, line);
        }
        is_end = is_records_out(text);
    }
    Ok(vec![sheet])
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
