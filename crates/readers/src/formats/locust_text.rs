//! What Locust prints: a table of the requests, and below it one of the percentiles of their times. While it runs, it prints
//! the first of them again and again: the last one counts.

use super::load_run::Figure;
use super::locust;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "locust-text",
    sign: "a line with `Type`, `Name`, `# reqs` and `# fails`; in old versions without `Type`",
    harness: "Locust",
    export: "standard error",
    printed_by: &["locust"],
    metrics: locust::STATS.metrics,
    words: &["failures/s", "# reqs "],
    fits: |head| head.has_line(|line| matches!(Table::of(line), Some(Table::Requests | Table::Old))),
    read: Read::Bytes(read),
    ..Format::REPORT
};

#[derive(Clone, PartialEq)]
enum Table {
    Requests,
    /// The same before version 1.0.
    Old,
    /// The levels in per cent.
    Percentiles(Vec<String>),
    /// The same before version 1.0, which has the number of requests before the times.
    OldPercentiles(Vec<String>),
}

impl Table {
    /// The table that begins with a header.
    fn of(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let levels = |levels: &[&str]| {
            let levels = levels.iter().map(|level| Some(level.strip_suffix('%')?.to_owned()));
            levels.collect::<Option<Vec<String>>>().filter(|levels| !levels.is_empty())
        };
        match words[..] {
            [
                "Type",
                "Name",
                "#",
                "reqs",
                "#",
                "fails",
                "|",
                "Avg",
                "Min",
                "Max",
                "Med" | "Median",
                "|",
                "req/s",
                "failures/s",
            ] => Some(Self::Requests),
            ["Name", "#", "reqs", "#", "fails", "Avg", "Min", "Max", "|", "Median", "req/s"] => {
                Some(Self::Old)
            }
            ["Type", "Name", ref shares @ .., "#", "reqs"] => levels(shares).map(Self::Percentiles),
            ["Name", "#", "reqs", ref shares @ ..] => levels(shares).map(Self::OldPercentiles),
            _ => None,
        }
    }
}

/// The figures of a request: their metrics, values and lines.
#[derive(Default)]
struct Request {
    count: Option<f64>,
    figures: Vec<(String, f64, u32)>,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let (mut table, mut run, mut requests) = (None, Run::default(), Requests::default());
    for &(line, text) in &lines {
        if text.contains("Starting Locust ") {
            requests.end(&mut run, sheet);
        }
        if let Some(found) = Table::of(text) {
            table = Some(found);
        } else if text.is_empty() {
            table = None;
        } else if let Some(table) = &table
            && !text.starts_with("---")
            && requests.row(table, text, line).is_none()
        {
            sheet.unreadable(line, text);
        }
    }
    requests.end(&mut run, sheet);
}

/// The requests of a run, in their order.
#[derive(Default)]
struct Requests {
    order: Vec<String>,
    found: HashMap<String, Request>,
}

impl Requests {
    fn row(&mut self, table: &Table, text: &str, line: u32) -> Option<()> {
        match table {
            Table::Requests | Table::Old => {
                let parts: Vec<&str> = text.split('|').collect();
                let (first, times, rate) = match parts[..] {
                    // Before version 1.0 the rate is that of the last seconds only.
                    [.., _, last] if *table == Table::Old => {
                        let (first, times) = text[..text.len() - last.len() - 1].rsplit_once(')')?;
                        let median = last.split_whitespace().next()?;
                        (first, times.split_whitespace().chain([median]).collect::<Vec<_>>(), None)
                    }
                    [total] if *table == Table::Old && total.trim_start().starts_with("Total ") => {
                        return Some(());
                    }
                    [.., first, times, rates] => {
                        let end = first.as_ptr().addr() - text.as_ptr().addr() + first.len();
                        let rate = grouped(rates.split_whitespace().next()?)?;
                        (&text[..end], times.split_whitespace().collect(), Some(rate))
                    }
                    _ => return None,
                };
                let (name, [count, failed]) = last(first)?;
                let Some(name) = named(name) else { return Some(()) };
                let times: Vec<f64> = times.into_iter().map(grouped).collect::<Option<_>>()?;
                let mut request = Request { count: grouped(count), figures: Vec::new() };
                request.figures.extend(rate.map(|rate| ("throughput".to_owned(), rate, line)));
                request.figures.push(("errors".to_owned(), grouped(failed.split('(').next()?)?, line));
                let names = ["latency-mean", "latency-min", "latency-max", "latency-p50"];
                request.add(names.iter().map(|name| (*name).to_owned()).zip(times), line);
                if self.found.insert(name.clone(), request).is_none() {
                    self.order.push(name);
                }
            }
            Table::Percentiles(levels) | Table::OldPercentiles(levels) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let at = words.len().checked_sub(levels.len() + 1)?;
                let is_old = matches!(table, Table::OldPercentiles(_));
                let end = words[at].as_ptr().addr() - text.as_ptr().addr();
                let times = if is_old { &words[at + 1..] } else { &words[at..words.len() - 1] };
                let Some(name) = named(text[..end].trim_end()) else { return Some(()) };
                let times: Vec<f64> = times.iter().map(|time| grouped(time)).collect::<Option<_>>()?;
                // The longest time and the median have columns of their own.
                let levels = levels.iter().zip(times).filter(|(level, _)| !matches!(&***level, "50" | "100"));
                let figures: Vec<(String, f64)> =
                    levels.filter_map(|(level, time)| Some((percentile("latency", level)?, time))).collect();
                self.found.get_mut(&name)?.add(figures.into_iter(), line);
            }
        }
        Some(())
    }

    fn end(&mut self, run: &mut Run, sheet: &mut Sheet) {
        for benchmark in std::mem::take(&mut self.order) {
            let request = self.found.remove(&benchmark).unwrap_or_default();
            for (name, value, line) in request.figures {
                let count = request.count.filter(|_| name.starts_with("latency"));
                let aggregate = Aggregate { count, deviation: None };
                run.figures.push(Figure { benchmark: benchmark.clone(), name, value, line, aggregate });
            }
        }
        if !run.figures.is_empty() {
            run.end(sheet);
        }
    }
}

impl Request {
    /// Adds times in milliseconds; 0 is less than they can show, or of a request that was never made.
    fn add(&mut self, times: impl Iterator<Item = (String, f64)>, line: u32) {
        let has_some = self.count != Some(0.0);
        let known = times.filter(|(_, time)| has_some && *time > 0.0);
        self.figures.extend(known.map(|(name, time)| (name, time / 1e3, line)));
    }
}

/// The last two words, and what stands before them.
fn last(text: &str) -> Option<(&str, [&str; 2])> {
    let (rest, second) = text.trim_end().rsplit_once(' ')?;
    let (rest, first) = rest.trim_end().rsplit_once(' ')?;
    Some((rest.trim_end(), [first, second]))
}

/// The name of a request with its method, which begins the line; `None` of all requests together.
fn named(text: &str) -> Option<String> {
    // Older versions begin every line with a blank.
    let of_all = ("", text.trim_start());
    let (kind, name) = text.trim_start().split_once(' ').unwrap_or((text, ""));
    let is_kind = !text.starts_with(' ') || kind.bytes().all(|byte| byte.is_ascii_uppercase());
    let (kind, name) = if is_kind { (kind, name) } else { of_all };
    let name = name.trim();
    let is_of_all = kind.is_empty() && matches!(name.split_whitespace().last(), Some("Aggregated" | "Total"));
    (!is_of_all).then(|| locust::named(kind, name))
}
