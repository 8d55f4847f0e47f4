//! swift-benchmark: the table that it prints.

use super::page::Print;
use super::prelude::*;
use super::printed::SUMMARIES;

/// Its table.
pub static FORMAT: Format = Format {
    name: "swift-benchmark-text",
    harness: "swift-benchmark",
    sign: "a header `name time std iterations`",
    metrics: &[Meaning::of("time", "time of one iteration, the median")],
    words: &["iterations"],
    fits: |head| head.has_line(|line| line.split_whitespace().eq(["name", "time", "std", "iterations"])),
    read: Read::Page(&Print {
        line: |page, text| {
            // `parse, one level   49.0 ns   ± 21.5 %   1000000`; early versions print no `%`.
            let Some((before, after)) = text.split_once(" ± ") else { return };
            let mut words = before.split_whitespace().rev();
            let (Some(unit), Some(digits)) = (words.next(), words.next()) else { return };
            let time = format!("{digits} {unit}");
            let name = before.trim_end().strip_suffix(&*time).filter(|name| !name.trim().is_empty());
            let Some(name) = name.filter(|_| known(unit).is_some()) else { return page.unreadable(text) };
            page.begin(name);
            page.mean("time", &time, None);
            page.count = after.split_whitespace().next_back().and_then(number);
            page.ends();
        },
        ..Print::PLAIN
    }),
    printed_by: &["swift"],
    ..SUMMARIES
};
