//! cryptsetup benchmark: the speeds of key derivations and ciphers, without access to a disk.

use super::prelude::*;
use crate::text::decimal;

/// What cryptsetup benchmark prints, once or several times.
pub static FORMAT: Format = Format {
    name: "cryptsetup-benchmark",
    sign: "lines such as `PBKDF2-sha256 1234567 iterations per second`, or a header with `Algorithm`, `Key` and `Encryption`",
    harness: "cryptsetup",
    export: "cryptsetup benchmark",
    printed_by: &["cryptsetup"],
    metrics: &[
        Meaning::of("rate", "iterations of a key derivation per second"),
        Meaning::of("encryption", "bytes encrypted per second"),
        Meaning::of("decryption", "bytes decrypted per second"),
    ],
    words: &["iterations per second", "Algorithm | "],
    fits: |head| head.has_line(|line| derivation(line).is_some() || columns(line).is_some()),
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

/// The name and the speed of `PBKDF2-sha256 125547 iterations per second for 256-bit key`.
fn derivation(line: &str) -> Option<[&str; 2]> {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    let [name, speed, "iterations", "per", "second"] = words[..] else { return None };
    name.starts_with("PBKDF2-").then_some([name, speed])
}

/// The metrics of the columns behind the algorithm and the key: `#  Algorithm | Key | Encryption | Decryption`.
fn columns(line: &str) -> Option<Vec<&'static str>> {
    let cells: Vec<&str> = line.trim_start_matches(['#', ' ']).split('|').map(str::trim).collect();
    let ["Algorithm", "Key", ref directions @ ..] = cells[..] else { return None };
    let metric = |cell: &&str| match *cell {
        "Encryption" => Some("encryption"),
        "Decryption" => Some("decryption"),
        _ => None,
    };
    directions.iter().map(metric).collect::<Option<Vec<_>>>().filter(|metrics| !metrics.is_empty())
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut metrics, mut seen, mut process) = (Vec::new(), HashSet::new(), 0);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (benchmark, speeds) = if let Some([name, speed]) = derivation(text) {
            (name.to_owned(), vec![("rate", decimal(speed))])
        } else if let Some(found) = columns(text) {
            metrics = found;
            continue;
        } else if let [name, "N/A"] = words[..] {
            sheet.failed(line, name, "");
            continue;
        } else if let [name, "iterations,", _, "memory,", ..] | [name, _, "iterations,", _, "memory,", ..] =
            words[..]
        {
            // cryptsetup looks for the cost that takes a given time.
            sheet.dropped(usize::from(name.starts_with("argon2")));
            continue;
        } else if let [name, key, ref cells @ ..] = words[..]
            && key.strip_suffix('b').is_some_and(|bits| bits.parse::<u32>().is_ok())
            && !metrics.is_empty()
        {
            let benchmark = format!("{name} {key}");
            if cells.contains(&"N/A") {
                sheet.failed(line, benchmark, "");
                continue;
            }
            let pairs = cells.chunks(2).map(|pair| {
                let [digits, unit] = pair else { return None };
                Some(known(unit)?.scale.apply(decimal(digits)?))
            });
            let speeds: Vec<_> = metrics.iter().copied().zip(pairs).collect();
            if speeds.len() != metrics.len() || cells.len() != 2 * metrics.len() {
                sheet.no_row(line, text);
                continue;
            }
            (benchmark, speeds)
        } else {
            // The rows of another program's table stand below a header of another kind.
            if text.contains('|') {
                metrics.clear();
            }
            continue;
        };
        for (name, speed) in speeds {
            let Some(value) = speed else {
                sheet.no_row(line, text);
                continue;
            };
            if !seen.insert((benchmark.clone(), name)) {
                // Another run repeats the first benchmark.
                seen = HashSet::from([(benchmark.clone(), name)]);
                process += 1;
            }
            let unit = if name == "rate" { "1/s" } else { "B/s" };
            let metric = sheet.metric(name, || Metric::new(name, unit, Quantity::Throughput));
            let (process, aggregate) = (Some(process), Some(Aggregate::default()));
            let row = Measurement { benchmark: &benchmark, metric, line, process, aggregate, ..ROW };
            sheet.push(Measurement { value, ..row });
        }
    }
}
