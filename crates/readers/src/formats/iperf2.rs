//! iperf 2's CSV (`-y C`), which has no header: the bandwidth of each interval and connection.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "iperf2",
    sign: "lines such as `20260501120000,10.0.0.1,40878,10.0.0.2,5001,3,0.0-1.0,1844838460,14758707680`",
    harness: "iperf",
    export: "iperf -c HOST -i 1 -y C > FILE",
    processes: Processes::Stated,
    keys: &[&[
        Key::date("start of the run"),
        Key::work("connections", "number of connections at a time"),
        Key::work("duration", "seconds that the test takes"),
    ]],
    metrics: &[
        Meaning::of("transfer", "bytes per second in an interval, all connections together"),
        Meaning::of("jitter", "variation of the time that packets take"),
        Meaning::of("lost", "share of the packets that are lost"),
    ],
    fits: |head| head.has_line(|line| Row::of(line, 0).is_some()),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// What iperf 2 prints for people.
pub static TEXT: Format = Format {
    name: "iperf2-text",
    sign: "a line `Client connecting to HOST, TCP port 5001` or `Server listening on TCP port 5001`",
    harness: "iperf",
    export: "iperf -c HOST -i 1",
    processes: Processes::Stated,
    keys: &[&[
        Key::work("connections", "number of connections at a time"),
        Key::work("duration", "seconds that the test takes"),
    ]],
    metrics: FORMAT.metrics,
    words: &["Client connecting to ", "Server listening on ", "bits/sec", "Bytes/sec"],
    fits: |head| No::unless(is_printed(head), "it has no such line"),
    read: Read::Bytes(read_text),
    printed_by: &["iperf"],
    ..Format::PLAIN
};

/// Whether iperf 2 printed it, which names the protocol beside the port. Where that is cut off, its times tell: iperf 3 has
/// hundredths of a second.
pub(super) fn is_printed(head: &Head<'_>) -> bool {
    let lines = || head.lines().filter_map(|line| std::str::from_utf8(line).ok());
    let has_tenths = |line: &str| {
        let places = |row: &Row<'_>| row.time.rsplit('.').next().map_or(0, str::len);
        Row::of_text(line, 0).is_some_and(|row| places(&row) == 1)
    };
    lines().any(|line| begins(line).is_some()) || lines().any(has_tenths)
}

/// The protocol in the line with which a run begins.
fn begins(line: &str) -> Option<&'static str> {
    let is_first = line.starts_with("Client connecting to ") || line.starts_with("Server listening on ");
    ["TCP", "UDP"].into_iter().find(|protocol| is_first && line.contains(&format!("{protocol} port ")))
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut run, mut process, mut protocol, mut is_below_header) = (Run::default(), 0, "", false);
    for (line, text) in lines::numbered(bytes) {
        is_below_header |= text.starts_with("[ ID] Interval");
        let row = Row::of_text(text, line);
        let is_again = row.as_ref().is_some_and(|row| run.ends_before(row, is_below_header));
        let begun = begins(text);
        if (begun.is_some() || is_again) && !run.rows.is_empty() {
            settle(sheet, &std::mem::take(&mut run).rows, process, protocol);
            process += 1;
        }
        protocol = begun.unwrap_or(protocol);
        if let Some(row) = row {
            is_below_header = false;
            run.add(row);
        }
    }
    settle(sheet, &run.rows, process, protocol);
}

/// A line of the CSV.
struct Row<'a> {
    time: &'a str,
    /// The ports of both sides, in order; a report of the server has them the other way round.
    ports: [&'a str; 2],
    id: &'a str,
    start: f64,
    end: f64,
    bits: f64,
    /// Jitter in milliseconds, lost packets, all packets and the share that was lost.
    packets: Option<[f64; 4]>,
    line: u32,
    /// Whether it has the whole test, below its intervals.
    is_total: bool,
}

/// The number of the line for all connections together.
const SUM: &str = "-1";

impl<'a> Row<'a> {
    fn of(text: &'a str, line: u32) -> Option<Self> {
        if !text.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let cells: Vec<&str> = text.split(',').collect();
        let [time, _, from, _, to, id, interval, bytes, bits, ref rest @ ..] = cells[..] else { return None };
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // Enhanced reports have the zone and a fraction of a second.
        let is_time = time.len() >= 14 && time.get(..14).is_some_and(is_digits);
        let id_digits = id.strip_prefix('-').unwrap_or(id);
        let (start, end) = interval.split_once('-')?;
        if !is_time || ![from, to, id_digits, bytes].into_iter().all(is_digits) {
            return None;
        }
        let value = |digits: &str| number(digits).filter(|value| value.is_finite());
        let packets = match rest {
            [] => None,
            [jitter, lost, all, share, _] => {
                Some([value(jitter)?, value(lost)?, value(all)?, value(share).unwrap_or(f64::NAN)])
            }
            _ => return None,
        };
        let ports = if from <= to { [from, to] } else { [to, from] };
        let (start, end, bits) = (value(start)?, value(end)?, value(bits)?);
        Some(Self { time, ports, id, start, end, bits, packets, line, is_total: false })
    }

    /// A line such as `[  3]  0.0- 1.0 sec  113 MBytes  945 Mbits/sec`, which has no time of its own: `time` is its end.
    fn of_text(text: &'a str, line: u32) -> Option<Self> {
        let (id, rest) = text.strip_prefix('[')?.split_once(']')?;
        let (interval, rest) = rest.split_once(" sec ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [_, _, rate, unit, ref rest @ ..] = words[..] else { return None };
        let (prefix, factor) = match unit.strip_suffix("bits/sec") {
            Some(prefix) => (prefix, 1e3_f64),
            None => (unit.strip_suffix("Bytes/sec")?, 1024.0),
        };
        let power = ["", "K", "M", "G", "T"].iter().position(|known| *known == prefix)?;
        let per_unit = factor.powi(power as i32) * if factor > 1000.0 { 8.0 } else { 1.0 };
        let value = |digits: &str| number(digits.trim()).filter(|value| value.is_finite());
        // `0.405 ms 0/77630 (0%)`
        let packets = match rest {
            [jitter, "ms", counts @ ..] => {
                let counts = counts.concat();
                let (lost, all) =
                    counts.split_once('(').map_or(&*counts, |(before, _)| before).split_once('/')?;
                let (lost, all) = (value(lost)?, value(all)?);
                Some([value(jitter)?, lost, all, 100.0 * lost / all])
            }
            _ => None,
        };
        let (start, time) = interval.split_once('-')?;
        let id = if id.trim() == "SUM" { SUM } else { id.trim() };
        let (start, end, bits) = (value(start)?, value(time)?, value(rate)? * per_unit);
        Some(Self { time, ports: [""; 2], id, start, end, bits, packets, line, is_total: false })
    }

    /// The time in words of a calendar; `None` if iperf did not know it.
    fn date(&self) -> Option<String> {
        let part = |from: usize, to: usize| self.time.get(from..to);
        let day = format!("{}-{}-{}", part(0, 4)?, part(4, 6)?, part(6, 8)?);
        let time = format!("{}:{}:{}", part(8, 10)?, part(10, 12)?, part(12, 14)?);
        (!day.starts_with("1970")).then(|| format!("{day} {time}"))
    }

    /// The seconds of its time of day; `None` if iperf did not know the time.
    fn seconds(&self) -> Option<f64> {
        let part = |at: usize| number(self.time.get(at..at + 2)?);
        (!self.time.starts_with("1970")).then_some(part(8)? * 3600.0 + part(10)? * 60.0 + part(12)?)
    }
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut run, mut process) = (Run::default(), 0);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let Some(row) = Row::of(text, line) else {
            if text.split(',').count() > 6 {
                sheet.no_row(line, text);
            }
            continue;
        };
        if run.is_before(&row) {
            settle(sheet, &std::mem::take(&mut run).rows, process, "");
            process += 1;
        }
        run.add(row);
    }
    settle(sheet, &run.rows, process, "");
}

/// A run as far as it is read.
#[derive(Default)]
struct Run<'a> {
    rows: Vec<Row<'a>>,
    /// The ports of each connection.
    ports: HashMap<&'a str, [&'a str; 2]>,
    /// The time of the first line of each end of an interval that begins at 0, in whole seconds.
    began: HashMap<u64, Option<f64>>,
}

impl<'a> Run<'a> {
    /// Whether a line is of a later run: connections have new ports, and those of one run begin at once.
    fn is_before(&self, row: &Row<'_>) -> bool {
        if let Some(ports) = self.ports.get(row.id) {
            return row.id != SUM && *ports != row.ports;
        }
        let began = self.began.get(&(row.end.round() as u64)).copied().flatten();
        let apart = began.and_then(|began| Some(row.seconds()? - began));
        row.start == 0.0 && apart.is_some_and(|apart| apart.abs() > 5.0)
    }

    /// Whether a printed line is of a later run: its connection has ended before, or begins again below another header.
    fn ends_before(&self, row: &Row<'_>, is_below_header: bool) -> bool {
        let is_same =
            |known: &Row<'_>| known.id == row.id && (known.start, known.end) == (row.start, row.end);
        let is_over = |known: &Row<'_>| known.id == row.id && known.is_total;
        let again = |known| {
            is_same(known) || row.start == 0.0 && (is_over(known) || is_below_header && known.id == row.id)
        };
        // The server of a test of UDP reports what the client has said before.
        row.packets.is_none() && self.rows.iter().any(again)
    }

    fn add(&mut self, mut row: Row<'a>) {
        row.is_total = row.start == 0.0 && self.ports.contains_key(row.id);
        self.ports.entry(row.id).or_insert(row.ports);
        if row.start == 0.0 {
            self.began.entry(row.end.round() as u64).or_insert_with(|| row.seconds());
        }
        self.rows.push(row);
    }
}

/// Adds the values of a run, of this protocol where it is stated.
fn settle(sheet: &mut Sheet, run: &[Row<'_>], process: u32, protocol: &str) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let mut ids: Vec<&str> = run.iter().map(|row| row.id).filter(|id| *id != SUM).collect();
    ids.sort_unstable();
    ids.dedup();
    let date = first.date().map(|date| ("date".to_owned(), date));
    let work = [("connections", ids.len().to_string()), ("duration", format!("{}", last.end.round()))];
    let work = work.into_iter().map(|(key, value)| (key.to_owned(), value));
    sheet.set_context(&date.into_iter().chain(work).collect::<Vec<_>>());
    let benchmark =
        if protocol == "UDP" || run.iter().any(|row| row.packets.is_some()) { "UDP" } else { "TCP" };
    let mut intervals: Vec<Vec<&Row<'_>>> = Vec::new();
    for row in run.iter().filter(|row| !row.is_total) {
        match intervals.iter_mut().rev().take(2).find(|rows| rows[0].start == row.start) {
            Some(rows) => rows.push(row),
            None => intervals.push(vec![row]),
        }
    }
    let length = first.end - first.start;
    let is_single = intervals.len() > 1 || run.iter().any(|row| row.is_total);
    for rows in &intervals {
        let sum = rows.iter().find(|row| row.id == SUM);
        let is_whole = sum.is_some() || rows.len() == ids.len();
        // What is left at the end of a test has a rate of its own.
        if !is_whole || rows[0].end - rows[0].start < length / 2.0 {
            sheet.dropped(rows.len());
            continue;
        }
        let bits = sum.map_or_else(|| rows.iter().map(|row| row.bits).sum(), |sum| sum.bits);
        let metric = Metric::new("transfer", "B/s", Quantity::Throughput);
        push(sheet, benchmark, metric, bits / 8.0, rows[0].line, process, is_single);
    }
    let reports = run.iter().filter(|row| row.is_total || !is_single);
    for row in reports {
        // A sender does not learn of packets that arrive; it counts -1.
        let Some([jitter, _, _, share]) = row.packets.filter(|[_, _, all, _]| *all > 0.0) else { continue };
        let lost = Metric { better: Some(Better::Lower), ..Metric::new("lost", "%", Quantity::Other) };
        push(sheet, benchmark, lost, share, row.line, process, true);
        let metric = Metric::new("jitter", "s", Quantity::Time);
        push(sheet, benchmark, metric, jitter / 1e3, row.line, process, false);
    }
}

fn push(
    sheet: &mut Sheet,
    benchmark: &str,
    made: Metric,
    value: f64,
    line: u32,
    process: u32,
    is_single: bool,
) {
    let metric = sheet.metric(&made.name.clone(), || made);
    let (process, aggregate) = (Some(process), (!is_single).then(Aggregate::default));
    sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
}
