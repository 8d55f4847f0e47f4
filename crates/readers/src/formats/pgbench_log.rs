//! The log of pgbench with the time of each transaction: lines of bare numbers, which are recognized by what the
//! numbers have to satisfy.

use super::load_metrics::described;
use super::prelude::*;
use crate::text::fields;

pub static FORMAT: Format = Format {
    name: "pgbench-log",
    sign: "lines such as `0 199 2241 0 1175850568 995598`: client, transaction, µs, script, and the time of its end",
    harness: "pgbench",
    export: "pgbench --log",
    files: &["pgbench_log.*"],
    keys: &[&[Key::of_run("client_id", Role::Run, "client that ran the transaction")]],
    metrics: &[Meaning::of("latency", "time of one transaction")],
    fits: fits_log,
    read: Read::Sheet(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The number of lines that detection looks at.
const SAMPLE: usize = 200;
/// The years 2001 to 2100 in Unix time.
pub(super) const TIMES: std::ops::Range<u64> = 1_000_000_000..4_102_444_800;

/// Whether all complete lines at the beginning are like this.
pub(super) fn has_lines(head: &Head<'_>, is_one: impl Fn(&[u8]) -> bool) -> Fit {
    let end = memchr::memrchr(b'\n', head.bytes()).unwrap_or(0);
    let lines = head.bytes()[..end].split(|&byte| byte == b'\n');
    let mut lines = lines.filter(|line| !line.trim_ascii().is_empty()).take(SAMPLE).peekable();
    No::unless(end > 0 && lines.peek().is_some() && lines.all(is_one), "its lines are not such numbers")
}

/// The numbers of each client's transactions ascend. In the log of another run, which was appended, they begin anew.
fn fits_log(head: &Head<'_>) -> Fit {
    has_lines(head, |line| Transaction::of(line).is_some())?;
    let mut last: HashMap<u64, u64> = HashMap::new();
    let transactions = head.lines().take(SAMPLE).filter_map(Transaction::of);
    let mut ordered = transactions.map(|one| {
        let before = last.insert(one.client, one.number);
        one.number < 2 || before.is_none_or(|before| before < one.number)
    });
    No::unless(ordered.all(|holds| holds), "the numbers of a client's transactions do not ascend")
}

/// The whole number in a field.
pub(super) fn whole(field: &[u8]) -> Option<u64> {
    let digits = !field.is_empty() && field.len() < 19 && field.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(field).ok().filter(|_| digits)?.parse().ok()
}

/// A line of the log.
struct Transaction {
    client: u64,
    number: u64,
    /// In microseconds; `None` if it was skipped or failed.
    time: Option<u64>,
    script: u64,
    /// Seconds and microseconds of its end.
    end: (u64, u64),
}

/// What the log has instead of the time of a transaction that did not succeed.
const WITHOUT_TIME: [&[u8]; 5] = [b"skipped", b"failed", b"serialization", b"deadlock", b"other"];

impl Transaction {
    fn of(line: &[u8]) -> Option<Self> {
        let parts: Vec<&[u8]> = fields(line).collect();
        let [client, number, time, script, seconds, micros, rest @ ..] = &parts[..] else { return None };
        let rest_fits = rest.len() <= 2 && rest.iter().all(|field| whole(field).is_some());
        let end = (whole(seconds)?, whole(micros)?);
        let time = if WITHOUT_TIME.contains(time) { None } else { Some(whole(time)?) };
        let sound = rest_fits && TIMES.contains(&end.0) && end.1 < 1_000_000;
        let (client, number, script) = (whole(client)?, whole(number)?, whole(script)?);
        sound.then_some(Self { client, number, time, script, end })
    }
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut transactions = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        match Transaction::of(text) {
            Some(transaction) => transactions.push((line, transaction)),
            None if text.trim_ascii().is_empty() => {}
            None => not_such(sheet, text, line),
        }
    }
    // The logs of the threads of a run may have been joined.
    transactions.sort_by_key(|(_, one)| one.end);
    let metric = sheet.metric("latency", || described("latency"));
    let mut last = HashMap::new();
    for (line, Transaction { client, number, time, script, .. }) in transactions {
        if last.insert(client, number).is_some_and(|known| number <= known) {
            last = HashMap::from([(client, number)]);
            sheet.next_run();
        }
        let Some(time) = time else {
            sheet.dropped(1);
            continue;
        };
        sheet.set_context(&[("client_id".to_owned(), client.to_string())]);
        let (benchmark, value) = (format!("script {script}"), sheet.whole(i128::from(time), line) / 1e6);
        let row = Measurement { benchmark: &benchmark, metric, value, line, ..ROW };
        sheet.push(Measurement { process: Some(0), ..row });
    }
    sheet.count(&content.budget)
}

pub(super) fn not_such(sheet: &mut Sheet, text: &[u8], line: u32) {
    sheet.no_row(line, text);
}
