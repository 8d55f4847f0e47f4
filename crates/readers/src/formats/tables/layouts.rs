//! Layouts of tables that were written for people, by their first lines.

use crate::text::number;

/// The number of lines that are looked at.
const LOOKED_AT: usize = 40;

/// Why a table of this layout was hardly meant to be read.
const ROUNDED: &str = "was written for people, perhaps with rounded numbers. Export it as CSV or JSON";

/// The layout of a text, and what to do instead.
pub(super) fn layout(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let lines: Vec<&[u8]> = lines.take(LOOKED_AT).collect();
    let has = |word: &[u8]| lines.iter().any(|line| memchr::memmem::find(line, word).is_some());
    let is_row = |line: &&[u8]| line.ends_with(br"\\") && line.contains(&b'&');
    if has(br"\begin{tabular") || has(br"\begin{array") || lines.iter().take(5).any(is_row) {
        return Some(("LaTeX", ROUNDED));
    }
    if has("\u{2502}".as_bytes()) && has("\u{2500}".as_bytes()) {
        return Some(("lines of boxes", ROUNDED));
    }
    let below = lines.windows(2).find(|two| has_bars(two[0]) && is_rule(two[1], b"|-:+ "));
    let rule = below.map(|two| two[1]);
    match rule {
        Some(rule) if rule.contains(&b'+') => Some((
            "of a database's shell",
            "was written for people. Export it as CSV, for instance with psql --csv, mysql --batch or sqlite3 -csv -header",
        )),
        Some(_) => Some(("Markdown", ROUNDED)),
        None if has_columns_between_blanks(&lines) => Some((
            "columns between blanks",
            "has no separator that tells columns from words. Write commas or tabs",
        )),
        None => None,
    }
}

/// Whether a header and the first rows have the same number of words, and each row a number.
fn has_columns_between_blanks(lines: &[&[u8]]) -> bool {
    let words = |line: &[u8]| -> Option<Vec<String>> {
        let text =
            std::str::from_utf8(line).ok().filter(|text| !text.contains(['\t', ',', ';', ':', '=', '|']))?;
        Some(text.trim_start_matches("# ").split_whitespace().map(str::to_owned).collect())
    };
    let has_number = |words: &[String]| words.iter().any(|word| number(word.as_bytes()).is_some());
    let rows: Option<Vec<Vec<String>>> = lines.iter().take(4).map(|line| words(line)).collect();
    let Some([header, rows @ ..]) = rows.as_deref() else { return false };
    let is_row = |row: &Vec<String>| row.len() == header.len() && has_number(row);
    rows.len() > 1 && header.len() > 1 && !has_number(header) && rows.iter().all(is_row)
}

fn has_bars(line: &[u8]) -> bool {
    line.contains(&b'|') && !is_rule(line, b"|-:+ ")
}

/// Whether a line has only these characters, and two strokes side by side.
fn is_rule(line: &[u8], of: &[u8]) -> bool {
    line.iter().all(|byte| of.contains(byte)) && line.windows(2).any(|two| two == b"--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_tell_the_layout() {
        for (text, kind) in [
            ("| a | ms |\n|---|---:|\n| x | 1 |\n", Some("Markdown")),
            ("# Results\n\nOf one run:\n\n a | ms \n--- | ---\n x | 1 \n", Some("Markdown")),
            (" a | ms \n---+----\n x | 1 \n(1 row)\n", Some("of a database's shell")),
            ("+---+----+\n| a | ms |\n+---+----+\n| x | 1 |\n", Some("of a database's shell")),
            ("a & ms \\\\\n\\hline\nx & 1 \\\\\n", Some("LaTeX")),
            ("\\begin{tabular}{lr}\na & ms \\\\\n", Some("LaTeX")),
            ("┌───┬────┐\n│ a │ ms │\n", Some("lines of boxes")),
            ("a,b | c\nx,1\n", None),
            ("a & b,ms\nx,1\n", None),
            ("name   time_ms\nparse  12.5\nparse  12.6\n", Some("columns between blanks")),
            ("# threads time_ms\n1 12.5\n2 12.6\n", Some("columns between blanks")),
            ("two words\nand more\nand more\n", None),
            ("one run\ntook 5\n", None),
            ("", None),
        ] {
            assert_eq!(layout(text.as_bytes()).map(|(kind, _)| kind), kind, "{text:?}");
        }
    }
}
