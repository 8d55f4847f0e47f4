//! The rows as comma-separated values: every number in full, one line a row.

use std::fmt::Write as _;

use statera_readers::{Observations, guard};
use statera_weighing::{Reason, Row};

use crate::Subject;
use crate::cells;

/// The header line.
pub const HEADER: &str = "group,benchmark,metric,unit,baseline,contender,design,scale,old_n,new_n,old_values,new_values,\
old_centre,old_low,old_high,new_centre,new_low,new_high,change,change_low,change_high,level,superiority,\
p,p_corrected,least_p,method,verdict,reason,detectable,runs_needed,pairs_dropped,warnings,statistic,low_open,high_open\n";

/// The rows with their header. A name that a spreadsheet would take for a formula is guarded, unless texts
/// are wanted `raw`.
#[must_use]
pub fn comma_separated(subject: &Subject<'_>, raw: bool) -> String {
    let mut text = String::from(HEADER);
    for &index in subject.shown {
        line(&mut text, &subject.weighing.rows[index as usize], subject, raw);
    }
    text
}

fn line(to: &mut String, row: &Row, subject: &Subject<'_>, raw: bool) {
    let observations: &Observations = subject.observations;
    let metric = &observations.metrics[row.metric as usize];
    let label = |labels: &[String], index: u32| labels.get(index as usize).cloned().unwrap_or_default();
    for text in [
        &label(subject.groups, row.group),
        observations.benchmarks.get(row.benchmark),
        &metric.name,
        &metric.unit,
        &label(subject.labels, row.base),
        &label(subject.labels, row.contender),
        cells::design(row.design),
        cells::scale(row.scale),
    ] {
        cell(to, text, raw);
        to.push(',');
    }
    let _ = write!(to, "{},{},{},{}", row.old.units, row.new.units, row.old.values, row.new.values);
    let (old, new) = (row.old.centre, row.new.centre);
    for number in [
        old.value,
        old.low,
        old.high,
        new.value,
        new.low,
        new.high,
        row.change,
        row.low,
        row.high,
        row.level,
        row.superiority,
        row.p.unwrap_or(f64::NAN),
        row.p_corrected.unwrap_or(f64::NAN),
        row.least_p,
    ] {
        to.push(',');
        if number.is_finite() {
            let _ = write!(to, "{number}");
        }
    }
    let method = row.method.map_or(String::new(), |method| format!("{method:?}").to_lowercase());
    let reason = if row.reason == Reason::None { "" } else { cells::reason(row.reason) };
    let _ = write!(to, ",{method},{},{reason}", cells::word(row.verdict));
    for number in [row.detectable, row.runs_needed] {
        to.push(',');
        if number.is_finite() {
            let _ = write!(to, "{number}");
        }
    }
    let _ = write!(to, ",{},{},", row.pairs_dropped, crate::json::warnings(row).join(" "));
    if row.statistic.is_finite() {
        let _ = write!(to, "{}", row.statistic);
    }
    let _ = writeln!(to, ",{},{}", row.low_open, row.high_open);
}

/// A text as a cell, in quotation marks where it needs them.
pub(crate) fn cell(to: &mut String, text: &str, raw: bool) {
    let text = guard::cell(text, raw);
    if text.contains([',', '"', '\n', '\r']) {
        to.push('"');
        to.push_str(&text.replace('"', "\"\""));
        to.push('"');
    } else {
        to.push_str(&text);
    }
}
