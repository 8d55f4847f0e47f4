//! Tells what one side lacks at one level from what it lacks altogether.

use std::collections::HashSet;

use crate::assignment::Assignment;
use crate::grouping::Cells;
use crate::row::{Design, Reason, Row};

/// Gives a reason to the rows whose empty side has the same benchmark and metric in another group.
pub fn mark(rows: &mut [Row], cells: &Cells, assignment: &Assignment) {
    let lacking = |row: &Row| {
        let side = if row.contender.values == 0 { &row.contender } else { &row.baseline };
        (row.design == Design::OneSided).then_some((row.metric, row.benchmark, side.variant))
    };
    let wanted: HashSet<_> = rows.iter().filter_map(lacking).collect();
    if assignment.groups < 2 || wanted.is_empty() {
        return;
    }
    let held = cells.keys().iter().enumerate().flat_map(|(cell, &(_, metric, benchmark))| {
        let own = (0..assignment.variants).filter(move |&side| !cells.of(side).values(cell).is_empty());
        own.map(move |side| (metric, benchmark, side))
    });
    let elsewhere: HashSet<_> = held.filter(|key| wanted.contains(key)).collect();
    for row in rows {
        if row.verdict.is_one_sided() && lacking(row).is_some_and(|key| elsewhere.contains(&key)) {
            row.reason = Some(Reason::AtLevel);
        }
    }
}
