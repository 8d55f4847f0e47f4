//! db-analyser's ledger-operations benchmark in its default form: a header line, then one row per block,
//! separated by tabs whatever the ending of the file.

use super::ledger_fields::{BLOCK, Field, KEYS, MEANINGS, Replay, context_of, field};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "ledger-ops",
    sign: "a header `slot<tab>slotGap<tab>totalTime<tab>mut<tab>gc`",
    harness: "db-analyser",
    export: "db-analyser --benchmark-ledger-ops --out-file FILE.csv",
    files: &["ledger-ops-cost-*.csv"],
    block: BLOCK,
    keys: &[KEYS],
    metrics: MEANINGS,
    fits: |head| {
        let rest = head.bytes().strip_prefix(HEADER);
        let begins = rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
        No::unless(begins, "its first line is not that header")
    },
    read: Read::Sheets(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const HEADER: &[u8] = b"slot\tslotGap\ttotalTime\tmut\tgc";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

fn read(name: &str, path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let all = content.all()?;
    let text = all.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&all);
    let ended = text.ends_with(b"\n");
    let mut lines = text.split(|&byte| byte == b'\n').enumerate().peekable();
    let header: Vec<String> = lines
        .next()
        .map(|(_, line)| cells(line).map(|cell| lossless(cell.trim_ascii()).into_owned()).collect())
        .unwrap_or_default();
    let mut replay = Replay::new(name, &context_of(path));
    let Some(places) = Places::of(&header, &mut replay.sheet) else {
        return Err(io::Error::other("has no column `slot` in its header line"));
    };
    while let Some((index, line)) = lines.next() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        row(&mut replay, &places, &header, line, number, lines.peek().is_none() && !ended);
    }
    Ok(vec![replay.sheet])
}

fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.strip_suffix(b"\r").unwrap_or(line).split(|&byte| byte == b'\t')
}

/// Where the columns lie.
struct Places {
    slot: usize,
    fields: Vec<Option<Field>>,
    /// The name of the header that stands for several columns.
    era: Option<usize>,
}

impl Places {
    fn of(header: &[String], sheet: &mut Sheet) -> Option<Self> {
        let mut fields: Vec<Option<Field>> = Vec::with_capacity(header.len());
        let mut names = HashSet::new();
        for name in header {
            let known = field(name).filter(|_| names.insert(name));
            if known.is_none() {
                let what = format!("the column `{}` is unknown or occurs twice", excerpt(name));
                let hint = "its values are left out; a newer db-analyser may need a newer statera";
                sheet.malformed(1, what, hint);
            }
            fields.push(known);
        }
        let position = |wanted: Field| fields.iter().position(|&known| known == Some(wanted));
        Some(Self { slot: position(Field::Slot)?, era: position(Field::EraStatistics), fields })
    }

    /// The name of the column of a cell: cells after the statistics are shifted by the additional columns.
    fn cell(&self, name: usize, extra: usize) -> usize {
        if self.era.is_some_and(|era| name > era) { name + extra } else { name }
    }
}

fn row(replay: &mut Replay, places: &Places, header: &[String], line: &[u8], number: u32, unfinished: bool) {
    let cells: Vec<&[u8]> = cells(line).collect();
    let names = header.len();
    // The statistics take two columns before the Alonzo era and three since.
    let wanted = if places.era.is_some() { names + 1..=names + 2 } else { names..=names };
    if !wanted.contains(&cells.len()) {
        let code = if unfinished { Code::Truncated } else { Code::MalformedRecord };
        let (least, most) = (wanted.start(), wanted.end());
        let what = format!("{} columns, but the header requires {least} to {most}", cells.len());
        return replay.sheet.problem(code, number, what, "was the file cut? Copy it again");
    }
    let extra = cells.len() - names;
    let Some(slot) = replay.admit(cells[places.cell(places.slot, extra)].trim_ascii(), number) else {
        return;
    };
    for (index, known) in places.fields.iter().enumerate() {
        if let Some(known) = *known {
            replay.add(&header[index], known, &slot, cells[places.cell(index, extra)], number);
        }
    }
    // The statistics begin with the number of transactions.
    if let Some(&transactions) = places.era.and_then(|era| cells.get(era)) {
        for (index, name) in header.iter().enumerate() {
            replay.add_share(name, &slot, cells[places.cell(index, extra)], transactions, number);
        }
    }
}
