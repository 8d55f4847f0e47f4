//! Tables that are drawn for people: Markdown, what the shells of databases print, lines of boxes, LaTeX, and columns between
//! blanks. Line by line they become tables whose columns are separated by tabs, so that results keep their lines.

use crate::formats::format::{OWN_PROGRAM, PLAIN_TABLE};
use crate::formats::page::{between_any_bars, between_blanks};
use crate::formats::prelude::*;
use std::ops::Range;

use super::cells::is_number;
use super::keys::KEYS;
use super::text;

/// The entry of drawn tables in the registry.
pub static FORMAT: Format = Format {
    name: NAME,
    sign: "a table of Markdown, LaTeX, bars, boxes or blanks with columns such as `benchmark` and `time (ms)`",
    harness: PLAIN_TABLE,
    files: &["*.md", "*.tex", "*.txt"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    printed_by: OWN_PROGRAM,
    parts: names::of_table,
    fits: |head| {
        let drawn = Drawn::of(head.bytes()).ok_or(No::Because("it has no such table"))?;
        text::fits(&Head::new(&drawn.text), b'\t')
    },
    read: Read::Sheets(|name, _path, content, options| read(name, content, options)),
    ..Format::PLAIN
};

/// The name of the format.
pub(super) const NAME: &str = "drawn";

/// The number of lines in which a table begins.
const LOOKED_AT: usize = 40;

fn read(name: &str, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = content.all()?;
    let Some(drawn) = Drawn::of(&bytes) else { return Err(io::Error::other("has no drawn table")) };
    let mut sheets = text::read(name, &content.part(&drawn.text, 1), options, b'\t')?;
    if let (Some(line), Some(sheet)) = (drawn.again, sheets.first_mut()) {
        let what = "rows of this table stand above it, too, with the same values; they are read once";
        sheet.problem(Code::Assumed, line, what, "write each table into a file if they are repetitions");
    }
    if let (Some(line), Some(sheet)) = (drawn.other, sheets.first_mut()) {
        let what = "a table with other columns begins here; it is not read";
        sheet.malformed(line, what, "write each table into a file of its own");
    }
    Ok(sheets)
}

/// A drawn table as text.
pub(super) struct Drawn {
    /// The header and the rows, separated by tabs. It has the lines of the drawing: those that are no rows are empty.
    pub(super) text: Vec<u8>,
    /// The line of the header.
    header: u32,
    /// The line of the header of another table, whose columns have other names. It is left out, and what follows.
    other: Option<u32>,
    /// The line of the first row that a table above has, too, as comments show what is notable before all.
    again: Option<u32>,
}

impl Drawn {
    /// The table in a text; `None` if no table is drawn in its first lines.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let as_text = |line| str::from_utf8(line).unwrap_or("");
        let written = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let written: Vec<&str> = written.take(LOOKED_AT).map(as_text).collect();
        if written.iter().take(2).any(|line| line.contains('\t') || line.trim_start().starts_with('{')) {
            return None;
        }
        let drawing = Drawing::of(&written)?;
        let lines: Vec<&str> = bytes.split(|&byte| byte == b'\n').map(as_text).collect();
        let drawn = Self::table(bytes.len(), drawing, &lines, 0)?;
        // What stands above the results, such as the parts of the machine, has no column of numbers.
        let mut next = drawn.other;
        while let Some(line) = next.filter(|_| !text::has_numbers(&drawn.text)) {
            let found = Self::table(bytes.len(), drawing, &lines, line as usize - 1)?;
            if text::has_numbers(&found.text) {
                return Some(Self { other: drawn.other.map(|_| drawn.header), ..found });
            }
            next = found.other;
        }
        Some(drawn)
    }

    /// The first table from a line on.
    fn table(size: usize, drawing: Drawing, lines: &[&str], from: usize) -> Option<Self> {
        let (mut text, mut header, mut other) = (Vec::with_capacity(size), None::<Vec<String>>, None);
        let mut first = 0;
        let (mut is_below_row, mut rows, mut tables) = (false, Vec::new(), Vec::new());
        let mut above: Vec<String> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                text.push(b'\n');
            }
            let cells = drawing.cells(line);
            if at < from || other.is_some() || cells.is_empty() {
                is_below_row &= is_rule(line);
                continue;
            }
            let is_header = drawing.is_header(&cells, header.is_none(), is_below_row, lines.get(at + 1));
            is_below_row = true;
            let is_row = header.is_some();
            match &header {
                None if is_header => {
                    (header, first) = (Some(cells.clone()), u32::try_from(at + 1).unwrap_or_default());
                }
                Some(known) if is_header && *known == cells => {
                    tables.push(rows.len());
                    continue;
                }
                Some(_) if is_header => other = u32::try_from(at + 1).ok(),
                None => continue,
                Some(_) => {}
            }
            if other.is_none() {
                let mut cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
                repeat_above(&mut cells, &above);
                let from = text.len();
                text.extend_from_slice(cells.join("\t").as_bytes());
                rows.push(from..text.len());
                above = if is_row { cells } else { Vec::new() };
            }
        }
        header.filter(|header| header.len() > 1)?;
        let again = rows_again(&text, rows.get(1..).unwrap_or_default(), &tables);
        let line = |row: &Range<usize>| memchr::memchr_iter(b'\n', &text[..row.start]).count() as u32 + 1;
        let first_again = again.first().map(line);
        let mut from = 0;
        let mut once = Vec::with_capacity(text.len());
        for row in &again {
            once.extend_from_slice(&text[from..row.start]);
            from = row.end;
        }
        once.extend_from_slice(&text[from..]);
        Some(Self { text: once, header: first, other, again: first_again })
    }
}

/// The rows of later tables that an earlier one has, too, where one of both shows more: all after what is notable.
/// Repetitions of a measurement would differ in some, and tables of the same names can be of two builds. `tables`: how many
/// rows stand above each, the header being one.
fn rows_again(text: &[u8], rows: &[Range<usize>], tables: &[usize]) -> Vec<Range<usize>> {
    let name = |row: &[u8]| row.iter().position(|&byte| byte == b'\t').unwrap_or(row.len());
    let (mut known, mut named) = (HashSet::new(), HashSet::new());
    let (mut again, mut from) = (Vec::new(), 0);
    for to in tables.iter().map(|above| above.saturating_sub(1)).chain([rows.len()]) {
        let table = || rows[from..to].iter().map(|range| (range, &text[range.clone()]));
        let of_known: Vec<_> = table().filter(|(_, row)| named.contains(&row[..name(row)])).collect();
        let shows_more = of_known.len() < named.len().max(to - from);
        if shows_more && of_known.len() > 1 && of_known.iter().all(|(_, row)| known.contains(row)) {
            again.extend(of_known.into_iter().map(|(range, _)| range.clone()));
        }
        known.extend(table().map(|(_, row)| row));
        named.extend(table().map(|(_, row)| &row[..name(row)]));
        from = to;
    }
    again
}

/// People write a name once above the rows that share it. Where a text follows the empty cells at the beginning of a row,
/// they say the same as those above; a number there can be the mean of all rows.
fn repeat_above(cells: &mut [String], above: &[String]) {
    let Some(first) = cells.iter().position(|cell| !cell.is_empty()) else { return };
    let is_text = cells[first].starts_with(char::is_alphabetic);
    let has_more = cells[first + 1..].iter().any(|cell| !cell.is_empty());
    if is_text && has_more && cells.len() == above.len() {
        cells[..first].clone_from_slice(&above[..first]);
    }
}

/// A cell as a table separated by tabs has it.
fn quoted(cell: &str) -> String {
    if cell.contains('"') { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.replace('\t', " ") }
}

/// How a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drawing {
    /// Bars between the cells, and a rule below the header.
    Bars,
    /// `a & b \\`
    Latex,
    /// One word a column.
    Words,
    /// Two blanks or more between the columns.
    Blanks,
    /// The same below a header that has no cell for the number before each row, as data frames print themselves.
    Numbered,
}

impl Drawing {
    /// Of the first lines of a text that are not blank.
    fn of(lines: &[&str]) -> Option<Self> {
        let is_header =
            |two: &[&str]| Self::Bars.is_header(&Self::Bars.cells(two[0]), true, false, two.get(1));
        if lines.windows(2).any(is_header) {
            return Some(Self::Bars);
        }
        if lines.iter().filter(|line| !Self::Latex.cells(line).is_empty()).count() > 1 {
            return Some(Self::Latex);
        }
        [Self::Blanks, Self::Words, Self::Numbered].into_iter().find(|drawing| drawing.are_columns(lines))
    }

    /// The cells of a row; none of another line.
    fn cells(self, line: &str) -> Vec<String> {
        let line = line.trim_end_matches('\r');
        let cells: Vec<&str> = match self {
            _ if is_rule(line) => Vec::new(),
            Self::Bars => between_any_bars(line),
            Self::Latex => line
                .trim()
                .split_once(r"\\")
                .filter(|(row, _)| row.contains('&'))
                .map(|(row, _)| row.split(" & ").map(str::trim).collect())
                .unwrap_or_default(),
            Self::Words => line.trim_start_matches("# ").split_whitespace().collect(),
            Self::Blanks => between_blanks(line),
            Self::Numbered => {
                let cells = between_blanks(line);
                let is_row = cells.first().is_some_and(|cell| cell.parse::<u32>().is_ok());
                if is_row { cells } else { [&[""], &cells[..]].concat() }
            }
        };
        cells.into_iter().map(|cell| plain(cell).to_owned()).collect()
    }

    /// Whether the cells of a row are the names of columns. `is_below_row`: the line above that is no rule is a row.
    fn is_header(self, cells: &[String], is_first: bool, is_below_row: bool, below: Option<&&str>) -> bool {
        match self {
            // Below the last row of a box is a rule, too, and below each row of a grid.
            Self::Bars => {
                let below = below.filter(|below| is_rule(below));
                cells.len() > 1 && below.is_some_and(|below| !is_below_row || below.contains('|'))
            }
            Self::Latex => !cells.iter().any(|text| number(text).is_some()),
            Self::Words | Self::Blanks | Self::Numbered => is_first,
        }
    }

    /// Whether a header and the first rows have the same number of cells, and each row a number.
    fn are_columns(self, lines: &[&str]) -> bool {
        let has_number = |cells: &[String]| cells.iter().any(|text| number(text).is_some());
        let is_free = |line: &&&str| {
            !(line.contains(['\t', ',', ';', '=', '|']) || self == Self::Words && line.contains(':'))
        };
        let rows: Vec<Vec<String>> = lines
            .iter()
            .filter(|line| !is_rule(line))
            .take(4)
            .take_while(is_free)
            .map(|line| self.cells(line))
            .collect();
        let [header, rows @ ..] = &*rows else { return false };
        // The number of a row is none of its results.
        let results = |row: &Vec<String>| row[usize::from(self == Self::Numbered)..].to_vec();
        let has_amount = |row: &Vec<String>| results(row).iter().any(|cell| is_number(cell.as_bytes()));
        let is_row = |row: &Vec<String>| {
            row.len() == header.len() && has_amount(row) && (self != Self::Words || has_number(row))
        };
        // A blank can be part of a name: `time (ms)`.
        let are_names =
            header.len() > 1 && !has_number(header) && !header.iter().any(|cell| cell.starts_with('('));
        rows.len() > 1 && are_names && rows.iter().all(is_row)
    }
}

/// A cell without the signs that draw it bold or as code.
fn plain(cell: &str) -> &str {
    let cell = cell.trim();
    let around = |cell: &'_ str, sign: &str| -> Option<(usize, usize)> {
        let inner = cell.strip_prefix(sign)?.strip_suffix(sign)?;
        (!inner.is_empty() && !inner.contains(sign)).then_some((sign.len(), cell.len() - sign.len()))
    };
    let macros = [r"\textbf{", r"\textit{", r"\texttt{", r"\emph{"].iter();
    let mut of_latex = macros
        .filter(|begin| cell.starts_with(**begin) && cell.find('}') == Some(cell.len() - 1))
        .map(|begin| (begin.len(), cell.len() - 1));
    ["**", "`", "__"]
        .iter()
        .find_map(|sign| around(cell, sign))
        .or_else(|| of_latex.next())
        .map_or_else(|| without_remark(cell), |(from, to)| plain(&cell[from..to]))
}

/// A cell without the sign of a footnote or a share in brackets behind its number: `0.68\*`, `257 (4.9 %)`.
fn without_remark(cell: &str) -> &str {
    let is_digit = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '.');
    let digits = cell.trim_start_matches(is_digit);
    let (digits, rest) = (&cell[..cell.len() - digits.len()], digits.trim());
    let is_footnote = || !rest.trim_start_matches('\\').contains(|sign| !matches!(sign, '*' | '†' | '‡'));
    let share = || {
        let share = rest.strip_prefix('(')?.strip_suffix(')')?.trim_matches('*').strip_suffix('%')?;
        number(share.trim())
    };
    if digits.is_empty() || !is_footnote() && share().is_none() { cell } else { digits }
}

/// Whether a line has nothing but the signs of a rule, and two strokes side by side.
fn is_rule(line: &str) -> bool {
    let is_sign = |sign: char| "|-:+= ".contains(sign) || ('\u{2500}'..='\u{257f}').contains(&sign);
    let line = line.trim();
    line.chars().all(is_sign) && ["--", "==", "──", "━━", "══"].iter().any(|two| line.contains(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_becomes_a_table_with_its_lines() {
        for (drawing, table) in [
            ("| a | ms |\n|---|---:|\n| x | 1 |\n", Some("a\tms\n\nx\t1\n")),
            ("# Results\n\nOf one run:\n\n a | ms \n--- | ---\n x | 1 \n", Some("\n\n\n\na\tms\n\nx\t1\n")),
            (" a | ms \n---+----\n x | 1 \n(1 row)\n", Some("a\tms\n\nx\t1\n\n")),
            ("+---+----+\n| a | ms |\n+---+----+\n| x | 1 |\n", Some("\na\tms\n\nx\t1\n")),
            ("┌───┬────┐\n│ a │ ms │\n├───┼────┤\n│ x │ 1  │\n└───┴────┘\n", Some("\na\tms\n\nx\t1\n\n")),
            (
                "+--+--+\n|a |ms|\n+==+==+\n|x |1 |\n+--+--+\n|y |2 |\n+--+--+\n",
                Some("\na\tms\n\nx\t1\n\ny\t2\n\n"),
            ),
            ("a & ms \\\\\n\\hline\nx & 1 \\\\\n", Some("a\tms\n\nx\t1\n")),
            ("\\begin{tabular}{lr}\na & ms \\\\ \\midrule\nx & 1 \\\\\n", Some("\na\tms\nx\t1\n")),
            ("name   time_ms\nparse  12.5\nparse  12.6\n", Some("name\ttime_ms\nparse\t12.5\nparse\t12.6\n")),
            (
                "name    time_ms\n------  -------\nto go   12.5\nto be   12.6\n",
                Some("name\ttime_ms\n\nto go\t12.5\nto be\t12.6\n"),
            ),
            ("# threads time_ms\n1 12.5\n2 12.6\n", Some("threads\ttime_ms\n1\t12.5\n2\t12.6\n")),
            (
                "the name   time (ms)\nto parse   12.5\nto parse   12.6\n",
                Some("the name\ttime (ms)\nto parse\t12.5\nto parse\t12.6\n"),
            ),
            (
                "| a | ms |\n|---|---|\n| x\\|y | **1** |\n\n| a | ms |\n|---|---|\n| `x` | 2 |\n",
                Some("a\tms\n\nx\\|y\t1\n\n\n\nx\t2\n"),
            ),
            (
                "| a | ms |\n|---|---|\n| x \"y\" | 1 |\n| b | s |\n|---|---|\n| x | 2 |\n",
                Some("a\tms\n\n\"x \"\"y\"\"\"\t1\n\n\n\n"),
            ),
            ("a,b | c\nx,1\n", None),
            ("a & b,ms\nx,1\n", None),
            ("two words\nand more\nand more\n", None),
            ("one run\ntook 5\n", None),
            ("", None),
        ] {
            let found = Drawn::of(drawing.as_bytes()).map(|drawn| String::from_utf8(drawn.text).unwrap());
            assert_eq!(found.as_deref(), table, "{drawing:?}");
        }
        assert_eq!(
            Drawn::of(b"| a | ms |\n|---|---|\n| x | 1 |\n| b | s |\n|---|---|\n").unwrap().other,
            Some(4)
        );
    }
}
