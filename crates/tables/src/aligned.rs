//! The table for terminals: aligned columns, coloured by verdict; columns that do not fit are dropped or shortened.

use rayon::prelude::*;
use statera_weighing::{Row, Verdict};

use crate::cells::{self, COLUMNS, Column};
use crate::pieces::ROWS;
use crate::{Subject, names};

/// The look of the table.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Width of the terminal in columns; `None` for no limit.
    pub width: Option<usize>,
    /// Whether verdicts are coloured.
    pub colour: bool,
}

/// The minimum width of the name column; other columns are dropped first.
const LEAST_NAME: usize = 16;

/// The columns to drop on a narrow terminal, in this order; of the verdict only the reason is dropped.
const GIVEN_UP: [Column; 7] = [
    Column::N,
    Column::P,
    Column::Verdict,
    Column::Baseline,
    Column::Contender,
    Column::Mean,
    Column::Interval,
];

/// The width of the longest verdict without its reason.
const ONE_WORD: usize = "shape changed".len();

/// The cells of some rows: one text, and the end of each cell in it.
#[derive(Default)]
struct Block {
    text: String,
    ends: Vec<u32>,
    widths: [usize; COLUMNS.len()],
    /// Whether a column has a cell other than a dash.
    speaks: [bool; COLUMNS.len()],
}

impl Block {
    fn fill(rows: &[u32], subject: &Subject<'_>) -> Self {
        let mut block = Self::default();
        for &index in rows {
            let row = &subject.weighing.rows[index as usize];
            for (i, column) in COLUMNS.into_iter().enumerate() {
                let start = block.text.len();
                cells::write(&mut block.text, column, row, subject);
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
pub fn aligned(subject: &Subject<'_>, look: Look) -> String {
    let first = subject.shown.first().map(|&index| &subject.weighing.rows[index as usize]);
    let headings = COLUMNS.map(|column| column.heading(subject, first));
    let pieces: Vec<&[u32]> = subject.shown.chunks(ROWS).collect();
    let blocks: Vec<Block> = pieces.par_iter().map(|piece| Block::fill(piece, subject)).collect();
    let mut widths = headings.each_ref().map(|heading| names::width(heading));
    for block in &blocks {
        for (width, own) in widths.iter_mut().zip(block.widths) {
            *width = (*width).max(own);
        }
    }
    let speaking = (0..COLUMNS.len()).filter(|&i| blocks.iter().any(|block| block.speaks[i])).collect();
    let kept = fit(&mut widths, look.width, speaking);
    let mut text = String::new();
    line(
        &mut text,
        &headings.each_ref().map(String::as_str),
        "verdict",
        &widths,
        &kept,
        look.colour.then_some("\x1b[1m"),
    );
    let written: Vec<String> = pieces
        .par_iter()
        .zip(&blocks)
        .map(|(piece, block)| lines(piece, block, subject, &widths, &kept, look))
        .collect();
    text.reserve(written.iter().map(String::len).sum());
    for piece in &written {
        text.push_str(piece);
    }
    text
}

/// Drops columns, then shortens names, until a line fits; returns the columns that remain.
fn fit(widths: &mut [usize; COLUMNS.len()], most: Option<usize>, mut kept: Vec<usize>) -> Vec<usize> {
    let Some(most) = most else { return kept };
    let needed = |kept: &[usize], widths: &[usize]| {
        let all: usize = kept
            .iter()
            .map(|&i| if i == 0 { widths[0].min(LEAST_NAME.max(widths[0] / 2)) } else { widths[i] })
            .sum();
        all + 2 * kept.len().saturating_sub(1)
    };
    for column in GIVEN_UP {
        if needed(&kept, &widths[..]) <= most {
            break;
        }
        if column == Column::Verdict {
            widths[COLUMNS.len() - 1] = widths[COLUMNS.len() - 1].min(ONE_WORD);
        } else {
            kept.retain(|&i| COLUMNS[i] != column);
        }
    }
    let others: usize = kept.iter().skip(1).map(|&i| widths[i] + 2).sum();
    widths[0] = widths[0].min(most.saturating_sub(others).max(LEAST_NAME));
    kept
}

fn lines(
    rows: &[u32],
    block: &Block,
    subject: &Subject<'_>,
    widths: &[usize; COLUMNS.len()],
    kept: &[usize],
    look: Look,
) -> String {
    let mut text = String::with_capacity(block.text.len() * 2);
    for (number, &index) in rows.iter().enumerate() {
        let cells: [&str; COLUMNS.len()] = std::array::from_fn(|i| block.cell(number * COLUMNS.len() + i));
        let row = &subject.weighing.rows[index as usize];
        let colour = look.colour.then(|| colour(row)).flatten();
        line(&mut text, &cells, &cells::words(row.verdict.code()), widths, kept, colour);
    }
    text
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

/// Fits a cell into its column; a verdict that is too long loses its reason and its footnotes.
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
    match row.verdict {
        Verdict::Worse | Verdict::TailWorse => Some("\x1b[31m"),
        Verdict::Better | Verdict::TailBetter => Some("\x1b[32m"),
        Verdict::Changed | Verdict::ShapeChanged => Some("\x1b[35m"),
        Verdict::Missing | Verdict::New => Some("\x1b[33m"),
        Verdict::Differs | Verdict::Inconclusive => Some("\x1b[2m"),
        Verdict::Equivalent | Verdict::Descriptive => None,
    }
}
