//! The table for terminals: aligned columns, coloured by verdict; columns that do not fit are dropped or shortened.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;
use statera_weighing::Row;

use crate::cells::{self, COLUMNS, Column};
use crate::comma::ROWS;
use crate::subject::Subject;
use crate::{apart, names};

/// The look of the table.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Width of the terminal in columns; `None` for no limit.
    pub width: Option<usize>,
    /// Whether verdicts are coloured.
    pub colour: bool,
    /// The beginning that names lack, because a heading above the table states it.
    pub prefix: &'a str,
}

/// The minimum width of the name column; other columns are dropped first.
const LEAST_NAME: usize = 16;

/// In so many columns the forms of most names differ; a longer name takes no column of numbers away to have more.
const SHORT_NAME: usize = 24;

/// In so many columns they still differ. An interval is worth more than the rest of a name, which another width shows.
const LEAST_BESIDE_INTERVAL: usize = 18;

/// On a narrow terminal the heading of a side is no wider than its cells, or than this.
const LEAST_LABEL: usize = 10;

/// Up to this width a name stays whole, and columns that few readers need are dropped first.
const WHOLE_NAME: usize = 40;

/// The columns to drop on a narrow terminal, in this order; of the verdict only the reason is dropped. The half-widths of
/// the centres go before any of them.
const GIVEN_UP: [Column; 7] = [
    Column::P,
    Column::N,
    Column::Verdict,
    Column::Mean,
    Column::Interval,
    Column::Baseline,
    Column::Contender,
];

/// The cells of some rows: one text, and the end of each cell in it.
#[derive(Default)]
struct Block {
    text: String,
    ends: Vec<u32>,
    widths: [usize; COLUMNS.len()],
    /// Whether a column has a cell other than a dash.
    speaks: [bool; COLUMNS.len()],
    /// The width of the widest verdict without its reason.
    short_verdict: usize,
}

impl Block {
    fn fill(rows: &[u32], subject: &Subject<'_>, prefix: &str, half_widths: bool) -> Self {
        let mut block = Self::default();
        for &index in rows {
            let row = &subject.weighing.rows[index as usize];
            block.short_verdict = block.short_verdict.max(names::width(&short_verdict(row, subject)));
            for (i, column) in COLUMNS.into_iter().enumerate() {
                let start = block.text.len();
                let metric = subject.names.metric(row.metric);
                match column {
                    Column::Benchmark => cells::benchmark(&mut block.text, row, subject, prefix),
                    Column::Baseline if !half_widths => {
                        cells::middle(&mut block.text, &row.baseline.centre, row, metric);
                    }
                    Column::Contender if !half_widths => {
                        cells::middle(&mut block.text, &row.contender.centre, row, metric);
                    }
                    _ => cells::write(&mut block.text, column, row, subject),
                }
                block.widths[i] = block.widths[i].max(names::width(&block.text[start..]));
                block.speaks[i] |= &block.text[start..] != "-";
                block.ends.push(block.text.len() as u32);
            }
        }
        block
    }

    fn cell(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.text[start..self.ends[number] as usize]
    }
}

/// Writes the rows as a table with a heading.
#[must_use]
pub fn aligned(subject: &Subject<'_>, look: Look<'_>) -> String {
    let whole = Table::new(subject, look.prefix, true);
    let table = match look.width {
        None => whole,
        Some(most) if whole.needed(&whole.speaking, WHOLE_NAME) <= most => whole.fit(most),
        Some(most) => Table::new(subject, look.prefix, false).fit(most),
    };
    table.text(subject, look)
}

/// The cells of all rows, and how they are laid out.
struct Table<'a> {
    pieces: Vec<&'a [u32]>,
    blocks: Vec<Block>,
    headings: [String; COLUMNS.len()],
    widths: [usize; COLUMNS.len()],
    /// The columns in which a cell says something.
    speaking: Vec<usize>,
}

impl<'a> Table<'a> {
    /// Writes the cells; without half-widths, the heading of the change is short, too.
    fn new(subject: &Subject<'a>, prefix: &str, half_widths: bool) -> Self {
        let first = subject.shown.first().map(|&index| &subject.weighing.rows[index as usize]);
        let mut headings = COLUMNS.map(|column| match column {
            Column::Change if !half_widths => "change".to_owned(),
            _ => column.heading(subject, first),
        });
        let pieces: Vec<&[u32]> = subject.shown.chunks(ROWS).collect();
        let blocks: Vec<Block> =
            pieces.par_iter().map(|piece| Block::fill(piece, subject, prefix, half_widths)).collect();
        if !half_widths {
            shorten_sides(&mut headings, &blocks);
        }
        let mut widths = headings.each_ref().map(|heading| names::width(heading));
        for block in &blocks {
            for (width, own) in widths.iter_mut().zip(block.widths) {
                *width = (*width).max(own);
            }
        }
        let speaking = (0..COLUMNS.len()).filter(|&i| blocks.iter().any(|block| block.speaks[i])).collect();
        Self { pieces, blocks, headings, widths, speaking }
    }

    /// The least width of a line with these columns, of which `name` is the least width of the first.
    fn needed(&self, kept: &[usize], name: usize) -> usize {
        let least = |i: usize| if i == 0 { self.widths[0].min(name) } else { self.widths[i] };
        kept.iter().map(|&i| least(i)).sum::<usize>() + 2 * kept.len().saturating_sub(1)
    }

    /// Drops columns, then shortens names, until a line fits.
    fn fit(mut self, most: usize) -> Self {
        let mut kept = self.speaking.clone();
        for column in GIVEN_UP {
            let name = match column {
                Column::Interval => LEAST_NAME.max(self.widths[0] / 2).min(LEAST_BESIDE_INTERVAL),
                Column::Baseline | Column::Contender => LEAST_NAME.max(self.widths[0] / 2).min(SHORT_NAME),
                _ => WHOLE_NAME,
            };
            if self.needed(&kept, name) <= most {
                break;
            }
            if column == Column::Verdict {
                let short = self.blocks.iter().map(|block| block.short_verdict).max().unwrap_or(0);
                let last = &mut self.widths[COLUMNS.len() - 1];
                *last = (*last).min(short.max("verdict".len()));
            } else {
                kept.retain(|&i| COLUMNS[i] != column);
            }
        }
        let others: usize = kept.iter().skip(1).map(|&i| self.widths[i] + 2).sum();
        self.widths[0] = self.widths[0].min(most.saturating_sub(others).max(LEAST_NAME));
        self.speaking = kept;
        self
    }

    /// The cells of the first column.
    fn names(&self) -> impl Iterator<Item = &str> {
        let blocks = self.blocks.iter().zip(&self.pieces);
        blocks.flat_map(|(block, rows)| (0..rows.len()).map(|row| block.cell(row * COLUMNS.len())))
    }

    /// The forms of the names that the first column has no room for.
    fn short_names(&self) -> HashMap<String, String> {
        let room = self.widths[0];
        if self.names().all(|name| names::width(name) <= room) {
            return HashMap::new();
        }
        let whole: Vec<&str> = self.names().collect::<BTreeSet<_>>().into_iter().collect();
        let forms = apart::apart(&whole, room);
        let pairs = whole.into_iter().zip(forms).filter(|(name, form)| name != form);
        pairs.map(|(name, form)| (name.to_owned(), form)).collect()
    }

    /// The width of the first column, in which short forms may need less than the room.
    fn width_of_names(&self, short: &HashMap<String, String>) -> usize {
        if short.is_empty() {
            return self.widths[0];
        }
        let forms = self.names().map(|name| names::width(short.get(name).map_or(name, String::as_str)));
        forms.chain([names::width(&self.headings[0])]).max().unwrap_or(0).min(self.widths[0])
    }

    fn text(mut self, subject: &Subject<'_>, look: Look<'_>) -> String {
        let mut text = String::new();
        let short = self.short_names();
        self.widths[0] = self.width_of_names(&short);
        let headings = self.headings.each_ref().map(String::as_str);
        line(&mut text, &headings, "verdict", &self.widths, &self.speaking, look.colour.then_some("\x1b[1m"));
        let written: Vec<String> = self
            .pieces
            .par_iter()
            .zip(&self.blocks)
            .map(|(piece, block)| self.lines(piece, block, subject, look, &short))
            .collect();
        text.reserve(written.iter().map(String::len).sum());
        for piece in &written {
            text.push_str(piece);
        }
        text
    }

    fn lines(
        &self,
        rows: &[u32],
        block: &Block,
        subject: &Subject<'_>,
        look: Look<'_>,
        short: &HashMap<String, String>,
    ) -> String {
        let mut text = String::with_capacity(block.text.len() * 2);
        for (number, &index) in rows.iter().enumerate() {
            let mut cells: [&str; COLUMNS.len()] =
                std::array::from_fn(|i| block.cell(number * COLUMNS.len() + i));
            cells[0] = short.get(cells[0]).map_or(cells[0], String::as_str);
            let row = &subject.weighing.rows[index as usize];
            let colour = look.colour.then(|| colour(row)).flatten();
            line(&mut text, &cells, &short_verdict(row, subject), &self.widths, &self.speaking, colour);
        }
        text
    }
}

/// Shortens the labels above the two sides so that they remain different.
fn shorten_sides(headings: &mut [String; COLUMNS.len()], blocks: &[Block]) {
    let sides =
        [Column::Baseline, Column::Contender].map(|side| COLUMNS.iter().position(|&each| each == side));
    let [Some(old), Some(new)] = sides else { return };
    let widest = |i: usize| blocks.iter().map(|block| block.widths[i]).max().unwrap_or(0);
    let short =
        apart::apart(&[&headings[old], &headings[new]], widest(old).max(widest(new)).max(LEAST_LABEL));
    if let [first, second] = short.as_slice() {
        headings[old].clone_from(first);
        headings[new].clone_from(second);
    }
}

fn line(
    text: &mut String,
    cells: &[&str; COLUMNS.len()],
    verdict: &str,
    widths: &[usize; COLUMNS.len()],
    kept: &[usize],
    colour: Option<&str>,
) {
    let start = text.len();
    if let Some(colour) = colour {
        text.push_str(colour);
    }
    for (place, &i) in kept.iter().enumerate() {
        if place > 0 {
            text.push_str("  ");
        }
        let cell = shown(COLUMNS[i], cells[i], verdict, widths[i]);
        let padding = widths[i] - names::width(&cell);
        if COLUMNS[i].left() {
            text.push_str(&cell);
            spaces(text, padding);
        } else {
            spaces(text, padding);
            text.push_str(&cell);
        }
    }
    let end = text.trim_end_matches(' ').len().max(start);
    text.truncate(end);
    if colour.is_some() {
        text.push_str("\x1b[0m");
    }
    text.push('\n');
}

fn short_verdict(row: &Row, subject: &Subject<'_>) -> String {
    let mut text = String::new();
    cells::short_verdict(&mut text, row, subject);
    text
}

/// Fits a cell into its column; a verdict that is too long loses its reason, but not its footnotes.
fn shown<'a>(column: Column, cell: &'a str, verdict: &'a str, room: usize) -> std::borrow::Cow<'a, str> {
    let fits = column != Column::Verdict || names::width(cell) <= room;
    names::shortened(if fits { cell } else { verdict }, room)
}

fn spaces(text: &mut String, count: usize) {
    const BLANK: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let now = left.min(BLANK.len());
        text.push_str(&BLANK[..now]);
        left -= now;
    }
}

fn colour(row: &Row) -> Option<&'static str> {
    let ansi = row.verdict.facts().ansi;
    (!ansi.is_empty()).then_some(ansi)
}
