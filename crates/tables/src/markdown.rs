//! The table for pull requests. Names stand in code spans, where neither Markdown, HTML nor mentions work.

use crate::cells::{self, COLUMNS, Column};
use crate::{Subject, names};

/// A name as a code span that is safe within a table.
#[must_use]
pub fn code(name: &str) -> String {
    let text = names::printable(name);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    // A table's cells end at a pipe even within code; the backslash is taken away again there.
    format!("{fence}{blank}{}{blank}{fence}", text.replace('|', "\\|"))
}

/// The rows as a Markdown table with its heading.
#[must_use]
pub fn table(subject: &Subject<'_>) -> String {
    let first = subject.shown.first().map(|&index| &subject.weighing.rows[index as usize]);
    let mut text = String::from("|");
    for column in COLUMNS {
        let heading = column.heading(subject, first);
        let heading = if matches!(column, Column::Benchmark | Column::Old | Column::New) {
            code(&heading)
        } else {
            heading
        };
        text.push(' ');
        text.push_str(&heading);
        text.push_str(" |");
    }
    text.push_str("\n|");
    for column in COLUMNS {
        text.push_str(if column.left() { " :-- |" } else { " --: |" });
    }
    text.push('\n');
    let mut cell = String::new();
    for &index in subject.shown {
        let row = &subject.weighing.rows[index as usize];
        text.push('|');
        for column in COLUMNS {
            cell.clear();
            cells::write(&mut cell, column, row, subject);
            text.push(' ');
            match column {
                Column::Benchmark => text.push_str(&code(&cell)),
                Column::Verdict if cell.starts_with("worse") => {
                    text.push_str("**");
                    text.push_str(&cell);
                    text.push_str("**");
                }
                _ => text.push_str(&cell.replace('|', "\\|").replace('<', "&lt;").replace('~', "≈")),
            }
            text.push_str(" |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_code_span() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("x\n<script>"), "`x\\n<script>`");
    }
}
