//! Plain tables as a JSON list of objects, whose keys are the columns: data frames and databases write them so.

use crate::formats::prelude::*;
use std::sync::Arc;

use super::columns::Plan;
use super::ndjson::Piece;
use super::ndjson_keys::{Columns, say_left_out};
use super::rows::Intake;
use super::runs::finish;
use crate::encoding::MARK;
use crate::formats::json::Parser;

/// The number of rows that detection looks at.
const SAMPLE: usize = 20;

fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// Whether a text begins as a list.
pub(super) fn is_list(bytes: &[u8]) -> bool {
    text(bytes).trim_ascii_start().starts_with(b"[")
}

/// The keys of the first rows; none if an element is not an object.
pub(super) fn beginning(head: &[u8]) -> Columns {
    let mut ignored = Sheet::default();
    let (mut columns, mut rows, mut other) = (Columns::default(), 0, false);
    // The beginning of a file is no complete list: what fails after some rows does not matter.
    let _ = Parser::new(text(head), 1, u64::MAX, &mut ignored).elements(|parser| {
        let value = parser.value()?;
        other |= value.object().is_none();
        rows += 1;
        value.object().into_iter().for_each(|row| columns.add(row));
        if rows < SAMPLE && !other { Ok(()) } else { Err(parser.end()) }
    });
    if other { Columns::default() } else { columns.in_order() }
}

/// Reads all rows.
pub(super) fn read(name: &str, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = content.all()?;
    let all = Span::new(text(&bytes), 1, content.budget.limits.values);
    let mut columns = Columns::default();
    all.each(&mut Sheet::default(), |_, row, _| row.object().into_iter().for_each(|row| columns.add(row)))?;
    let columns = columns.in_order();
    columns.check(&content.budget.limits)?;
    let keys = columns.names();
    let mut plan = Plan::new(&keys, options, &columns).map_err(io::Error::other)?;
    let left_out = columns.leave_out(&mut plan, options);
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let places = keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let mut piece = Piece::new(Intake::new(name, &plan), &places, content.budget.limits.line);
    let mut faults = Sheet::new(name);
    all.each(&mut faults, |faults, row, line| {
        if let Some(object) = row.object() {
            return piece.object(object, line);
        }
        let what = format!("`{}` is not a JSON object", excerpt(row.to_string()));
        faults.malformed(line, what, "each element of the list is a row");
    })?;
    let mut intake = piece.intake;
    intake.sheet.problems.append(&mut faults.problems);
    say_left_out(&left_out, &mut intake.sheet);
    intake.sheet.count(&content.budget)?;
    Ok(finish(vec![intake], &plan))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> (Vec<f64>, Vec<String>) {
        let content = Content::from_bytes(text.as_bytes()).unwrap();
        let sheet = read("t", &content, &Options::default()).unwrap().remove(0);
        (sheet.value, sheet.problems.into_iter().map(|problem| problem.what).collect())
    }

    #[test]
    fn a_list_is_read_like_its_rows_one_a_line() {
        let text = "[\n {\"benchmark\": \"a\", \"ms\": 1500},\n {\"ms\": 500, \"benchmark\": \"b\", \"l\": [1]}\n]\n";
        assert_eq!(
            values(text),
            (vec![1.5, 0.5], vec!["the key `l` holds lists or objects; it is left out".into()])
        );
        assert!(is_list(text.as_bytes()) && !beginning(text.as_bytes()).names().is_empty());
        assert!(beginning(b"[1, {\"benchmark\": \"a\"}]").names().is_empty());
    }

    #[test]
    fn what_is_no_row_and_a_list_that_was_cut_are_problems() {
        let (read, problems) =
            values("[{\"benchmark\": \"a\", \"ms\": 1000}, 7, {\"benchmark\": \"a\", \"ms\": 2");
        assert_eq!((read, problems.len()), (vec![1.0], 2), "{problems:?}");
    }
}
