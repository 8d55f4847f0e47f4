//! k6's CSV output: a row for each point. It does not say what a metric of the script is.

use super::prelude::*;
use foldhash::fast::FixedState;

use super::k6::{self, Intake, Tags, built_in, settle};
use super::timestamps::{instant, unix};

pub static FORMAT: Format = Format {
    name: "k6-csv",
    sign: "a header `metric_name,timestamp,metric_value,…`",
    harness: "k6",
    export: "k6 run --out csv=FILE",
    keys: &[k6::KEYS],
    metrics: k6::METRICS,
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read: Read::Sheets(|name, _, content, _| read(name, content)),
    ..Format::CSV
};

const HEADER: &[u8] = b"metric_name,timestamp,metric_value,";
const OWN: &str = "the CSV does not define the metrics of a script; k6 run --out json=FILE does";

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut points = Points { intake: Intake::new(name), known: HashMap::default(), run: 0 };
    points.intake.define("");
    // The rows are read under a sheet of their own, because the points keep theirs.
    let mut faults = Sheet::new(name);
    csv_rows::each(&content.all()?, 1, &mut faults, |sheet, row| points.row(sheet, row))?;
    points.intake.sheet.take_problems(&mut faults);
    settle(vec![points.intake], content)
}

struct Points {
    intake: Intake,
    /// The tags by the cells that have them.
    known: HashMap<Vec<u8>, Tags, FixedState>,
    run: u32,
}

impl Points {
    fn row(&mut self, sheet: &mut Sheet, row: &Row<'_>) {
        if row.run > self.run {
            self.run = row.run;
            self.intake.define("");
        }
        let Some(name) = sheet.need(row.text("metric_name"), row.line, "metric") else { return };
        let Some(definition) = built_in(&name) else {
            return self.intake.undefined(&name, row.line, OWN);
        };
        let Some(value) = row.number(sheet, "metric_value") else { return };
        let time = row.cell("timestamp").and_then(|cell| unix(cell).or_else(|| instant(cell)));
        let (slot, tags) = (self.intake.slot(&name, definition), self.tags(row));
        self.intake.point(slot, tags, value, time, row.line);
    }

    fn tags(&mut self, row: &Row<'_>) -> Tags {
        let cells = || row.cells().filter(|(column, _)| !FIELDS.contains(column));
        let mut key = Vec::with_capacity(256);
        for (column, cell) in cells() {
            // A length before each text distinguishes `a`,`bc` from `ab`,`c`.
            for text in [column.as_bytes(), cell] {
                key.extend_from_slice(&(text.len() as u32).to_le_bytes());
                key.extend_from_slice(text);
            }
        }
        if let Some(tags) = self.known.get(&key) {
            return *tags;
        }
        let texts: Vec<(&str, String)> =
            cells().map(|(column, cell)| (column, lossless(cell).into_owned())).collect();
        let mut tags = Vec::new();
        for (column, text) in &texts {
            if *column == "extra_tags" {
                tags.extend(text.split('&').filter_map(|pair| pair.split_once('=')));
            } else {
                tags.push((*column, text.as_str()));
            }
        }
        let tags = self.intake.tags(&tags);
        self.known.insert(key, tags);
        tags
    }
}

/// The columns that are no tags.
const FIELDS: [&str; 4] = ["metric_name", "timestamp", "metric_value", "metadata"];
