//! hackbench: the time of each run.

use super::prelude::*;

/// What hackbench prints, once or several times.
pub static FORMAT: Format = Format {
    name: "hackbench",
    sign: "lines such as `Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)` and `Time: \
           0.056`",
    harness: "hackbench",
    export: "standard output",
    processes: Processes::OneAValue,
    own_labels: &["Running in "],
    printed_by: &["hackbench"],
    keys: &[&[
        Key::work("mode", "`process` or `threaded`"),
        Key::work("groups", "number of groups of senders and receivers"),
        Key::work("file_descriptors", "number of file descriptors of a group"),
        Key::work("messages", "number of messages of a sender"),
        Key::work("size", "bytes of a message"),
    ]],
    metrics: &[Meaning::of("time", "time until all messages have arrived, in milliseconds")],
    words: &["Running with ", "Running in "],
    fits: |head| {
        head.has_line(|line| run(line).is_some())?;
        head.has_line(|line| line.starts_with(TIME))
    },
    read: Read::Bytes(read),
    ..Format::PLAIN
};

const TIME: &str = "Time: ";

type Keys = Vec<(String, String)>;

fn keys<const N: usize>(pairs: [(&str, &str); N]) -> Keys {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Reads `Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)`, and of versions before 1
/// `Running with 10*40 (== 400) tasks.`
fn run(line: &str) -> Option<Keys> {
    if let Some((groups, rest)) = line.strip_prefix("Running with ").and_then(|rest| rest.split_once('*')) {
        let (files, _) = rest.split_once(" (== ")?;
        return Some(keys([("groups", groups), ("file_descriptors", files)]));
    }
    let (mode, rest) = line.strip_prefix("Running in ")?.split_once(" mode with ")?;
    let (groups, rest) = rest.split_once(" groups using ")?;
    let (files, _) = rest.split_once(" file descriptors each ")?;
    Some(keys([("mode", mode), ("groups", groups), ("file_descriptors", files)]))
}

/// Reads `Each sender will pass 100 messages of 100 bytes`.
fn messages(line: &str) -> Option<Keys> {
    let (count, rest) = line.strip_prefix("Each sender will pass ")?.split_once(" messages of ")?;
    Some(keys([("messages", count), ("size", rest.strip_suffix(" bytes")?)]))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut known = Keys::new();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some(found) = run(text) {
            known = found;
        } else if let Some(found) = messages(text) {
            known.retain(|(key, _)| !["messages", "size"].contains(&&**key));
            known.extend(found);
        } else if let Some(digits) = text.strip_prefix(TIME) {
            sheet.set_context(&known);
            push(sheet, digits, line);
        }
    }
}

fn push(sheet: &mut Sheet, digits: &str, line: u32) {
    let Some(value) = sheet.need_number(number(digits.trim()), line, "the time", "", digits) else { return };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    sheet.push(Measurement { benchmark: "hackbench", metric, value, line, ..ROW });
}
