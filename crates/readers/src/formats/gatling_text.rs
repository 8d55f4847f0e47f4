//! What Gatling prints at the end of a run: figures of all requests together, of those that succeeded and of those that
//! failed.

use super::gatling;
use super::load_run::Figure;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "gatling-text",
    harness: "Gatling",
    sign: "a line with `---- Global Information ---` and a line with `> request count`",
    printed_by: &["gatling", "gatling.sh"],
    metrics: gatling::STATS.metrics,
    words: &[BEGIN],
    fits: |head| {
        head.has_line(|line| line.contains(BEGIN))?;
        // The second is the word of versions before 2.
        head.has_line(|line| line.contains("> request count ") || line.contains("> numberOfRequests "))
    },
    read: Read::Bytes(read),
    ..Format::REPORT
};

const BEGIN: &str = "---- Global Information ---";

/// The name that the report gives to all requests.
const ALL: &str = "All Requests";

/// What a line states, by its label in small letters and without blanks; before version 2 it was written so.
const LABELS: [(&str, &str); 11] = [
    ("requestcount", "count"),
    ("numberofrequests", "count"),
    ("minresponsetime", "min"),
    ("maxresponsetime", "max"),
    ("meanresponsetime", "mean"),
    ("stddeviation", "deviation"),
    ("responsetimestddeviation", "deviation"),
    ("meanrequests/sec", "throughput"),
    ("meanthroughput", "throughput"),
    ("meannumberofrequestspersecond", "throughput"),
    ("responsetime", "percentile"),
];

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let (mut run, mut found) = (Run::default(), None);
    for &(line, text) in &lines {
        let text = text.trim();
        if text.contains(BEGIN) {
            found = Some(Found::default());
        } else if let Some(row) = text.strip_prefix("> ").filter(|_| found.is_some()) {
            let found = found.get_or_insert_default();
            if found.line(row, line).is_none() {
                sheet.unreadable(line, text);
            }
        } else if let Some(found) = found.take() {
            found.ends(&mut run);
            run.end(sheet);
        }
    }
    if let Some(found) = found {
        found.ends(&mut run);
        run.end(sheet);
    }
}

/// The figures of a run: what they are, their line, and the values of all requests, of those that succeeded and of those
/// that failed.
#[derive(Default)]
struct Found(Vec<(&'static str, u32, [Option<f64>; 3])>);

impl Found {
    /// Takes `mean response time   37 (OK=38   KO=21  )` or `mean response time (ms)  |  37 |  38 |  21`; `None` if it has
    /// no such numbers.
    fn line(&mut self, row: &str, line: u32) -> Option<()> {
        let (label, values) = if let Some((label, values)) = row.split_once('|') {
            (label, values.split('|').map(str::trim).collect::<Vec<_>>())
        } else {
            let (total, parts) = row.split_once("(OK=")?;
            let (ok, failed) = parts.trim_end_matches(')').split_once("KO=")?;
            let (label, total) = total.trim_end().rsplit_once(' ')?;
            (label, vec![total, ok.trim(), failed.trim()])
        };
        let label = label.split(" (").next().unwrap_or(label);
        let label: String = label.to_lowercase().split_whitespace().collect();
        let is_of = |known: &str| known == label || known == "responsetime" && label.ends_with("percentile");
        let Some((_, what)) = LABELS.iter().find(|(known, _)| is_of(known)) else { return Some(()) };
        let [total, ok, failed] = values[..] else { return None };
        // Of no request there are no times.
        let value = |text: &str| if text == "-" { Some(None) } else { grouped(text).map(Some) };
        self.0.push((what, line, [value(total)?, value(ok)?, value(failed)?]));
        Some(())
    }

    fn of(&self, what: &str) -> [Option<f64>; 3] {
        self.0.iter().find(|found| found.0 == what).map_or([None; 3], |found| found.2)
    }

    /// Adds the figures under the names that the statistics of the report have.
    fn ends(self, run: &mut Run) {
        let (counts, deviations) = (self.of("count"), self.of("deviation"));
        let mut percentiles = 0;
        for &(what, line, values) in &self.0 {
            let mut push = |name: String, value: Option<f64>, aggregate: Aggregate| {
                if let Some(value) = value {
                    run.figures.push(Figure { benchmark: ALL.to_owned(), name, value, line, aggregate });
                }
            };
            match what {
                "count" => push("errors".to_owned(), values[2], Aggregate::default()),
                "throughput" => push(what.to_owned(), values[0], Aggregate::default()),
                "deviation" => {}
                _ => {
                    percentiles += u32::from(what == "percentile");
                    let name =
                        if what == "percentile" { format!("{what}{percentiles}") } else { what.to_owned() };
                    for (at, stem) in [(1, "latency"), (2, "latency-failed")] {
                        // A time of 0 is one of no request, or shorter than the milliseconds that are printed.
                        let value = values[at].filter(|&value| value > 0.0 && counts[at] != Some(0.0));
                        let deviation =
                            deviations[at].filter(|_| what == "mean").map(|deviation| deviation / 1e3);
                        let aggregate = Aggregate { count: counts[at], deviation };
                        push(format!("{stem}-{name}"), value.map(|value| value / 1e3), aggregate);
                    }
                }
            }
        }
    }
}
