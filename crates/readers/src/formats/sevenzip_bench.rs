//! 7z b: the speeds of compression and decompression, by the size of the dictionary.

use super::prelude::*;

/// What 7z b prints, once or several times.
pub static FORMAT: Format = Format {
    name: "7z-bench",
    sign: "lines such as `Compressing  |  Decompressing` and `Dict  Speed Usage  R/U Rating  |  Speed Usage  R/U Rating`",
    harness: "7-Zip",
    export: "7z b",
    printed_by: &["7z", "7za", "7zz", "7zr"],
    keys: &[&[Key::setting("version", "version of 7-Zip"), Key::work("threads", "number of threads")]],
    metrics: &[
        Meaning::of(
            "compression",
            "bytes compressed per second, with the dictionary of the name (2 to this power)",
        ),
        Meaning::of("decompression", "bytes decompressed per second"),
    ],
    words: &["Rating"],
    fits: |head| head.has_line(is_header),
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

/// The tables of one method and of all, whose rows are other work than a dictionary's.
pub static METHODS: Format = Format {
    name: "7z-bench-methods",
    sign: "a line with `Method`, `Speed`, `Usage`, `R/U`, `Rating`, `E/U` and `Effec`, or the lines `Usage  BW | Usage  BW` and \
           `Size  %  MB/s | …`",
    harness: "7-Zip",
    values: Values::refused("speeds of single methods (7z b -mm=…)", FORMAT.export),
    words: &["Effec", "MB/s"],
    fits: |head| {
        let all = ["Method", "Speed", "Usage", "R/U", "Rating", "E/U", "Effec"].map(str::as_bytes);
        let one = ["Size", "%", "MB/s"].map(str::as_bytes);
        let of_one = |line: &[u8]| crate::text::fields(line).take(one.len()).eq(one);
        let usage = |line: &[u8]| crate::text::fields(line).take(2).eq([&b"Usage"[..], b"BW"]);
        let is_all = |line: &[u8]| crate::text::fields(line).eq(all);
        let is_one = || head.lines().any(usage) && head.lines().any(of_one);
        No::unless(head.lines().any(is_all) || is_one(), "it has no such lines")
    },
    ..Format::PLAIN
};

fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Before version 15 `Dict` stands on the line above.
    let words = words.strip_prefix(&["Dict"]).unwrap_or(&words);
    words == ["Speed", "Usage", "R/U", "Rating", "|", "Speed", "Usage", "R/U", "Rating"]
}

/// The version of `7-Zip (z) 26.02 (x64) : Copyright (c) …`, of `7-Zip [64] 16.02 : Copyright (c) …`, or of `7-Zip [64] 9.20
/// Copyright (c) …`.
fn version(line: &str) -> Option<&str> {
    let (before, _) = line.strip_prefix("7-Zip ")?.split_once(" Copyright")?;
    before.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut known: Vec<(String, String)> = Vec::new();
    let (mut in_table, mut process) = (false, None::<u32>);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some(version) = version(text) {
            known = vec![("version".to_owned(), version.to_owned())];
        } else if let Some((_, threads)) = text.split_once("# Benchmark threads:") {
            known.push(("threads".to_owned(), threads.trim().to_owned()));
        } else if is_header(text) {
            (in_table, process) = (true, Some(process.map_or(0, |process| process + 1)));
            sheet.set_context(&known);
        } else if text.starts_with("-----") {
            in_table = false;
        } else if in_table && text.contains(':') {
            row(sheet, text, process.unwrap_or(0), line);
        }
    }
}

/// Reads `22:       6943    99   6821   6755  |      44955    97   3974   3838`. The speeds are in KiB/s.
fn row(sheet: &mut Sheet, text: &str, process: u32, line: u32) {
    let found = text.split_once(':').and_then(|(size, rest)| {
        let (one, other) = rest.split_once('|')?;
        let speed = |half: &str| {
            let cells: Vec<Option<f64>> = half.split_whitespace().map(number).collect();
            cells[..]
                .first()
                .copied()
                .flatten()
                .filter(|_| cells.len() == 4 && cells.iter().all(Option::is_some))
        };
        Some((size.trim().parse::<u32>().ok()?, [speed(one)?, speed(other)?]))
    });
    let Some((size, speeds)) = found else {
        return sheet.lacks(line, "a row", "eight numbers");
    };
    let benchmark = &*format!("dictionary {size}");
    for (name, speed) in ["compression", "decompression"].into_iter().zip(speeds) {
        let metric = sheet.metric(name, || Metric::new(name, "B/s", Quantity::Throughput));
        let (process, aggregate, value) = (Some(process), Some(Aggregate::default()), speed * 1024.0);
        sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
    }
}
