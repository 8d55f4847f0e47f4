//! Plain tables: the sheets of a file that was read in pieces, and what only all of its rows tell.

use super::columns::Plan;
use super::rows::{Intake, PROCESS};
use super::runs::Seen;
use crate::formats::prelude::*;
use crate::pool::Pool;
use crate::sheet::NONE;

/// The sheets of a file that was read in pieces. A column that should number runs and has only words, of which there are
/// several, says what was varied; one in which words of a warm-up were read beside numbers is a problem.
pub(super) fn finish(pieces: Vec<Intake>, plan: &Plan) -> Vec<Sheet> {
    let seen: Vec<Seen> = (0..plan.runs.len())
        .map(|nth| {
            pieces.iter().filter_map(|piece| piece.seen.get(nth)).fold(Seen::default(), |mut all, seen| {
                all.append(seen);
                all
            })
        })
        .collect();
    let mut sheets = settle(pieces);
    if let (Some(name), Some(sheet)) = (&plan.assumed, sheets.first_mut()) {
        let name = excerpt(name);
        let what = format!("the column `{name}` names the benchmarks: it is the only one of texts");
        sheet.problem(Code::Assumed, 0, what, "--column setting=COLUMN says that it was varied instead");
    }
    if let Some(sheet) = sheets.first_mut() {
        say_derived(sheet);
    }
    for (run, seen) in plan.runs.iter().zip(seen) {
        if !seen.has_marks && seen.words.len() > 1 {
            for sheet in &mut sheets {
                sheet.parameters.insert(run.key.clone());
            }
        }
        let warm = seen.warm.filter(|_| seen.has_marks && !run.is_said);
        if let (Some(cell), Some(sheet)) = (warm, sheets.first_mut()) {
            let what = format!(
                "`{}` among the numbers of the column `{}` was read as a run like the others",
                excerpt(cell),
                excerpt(&run.name)
            );
            sheet.problem(Code::Contradiction, 0, what, "leave the rows of a warm-up out of the table");
        }
    }
    sheets
}

/// The names of rows that people compute from those above them, with what they compute.
const DERIVED_ROWS: [(&str, Derived); 8] = [
    ("average", Derived::Mean),
    ("avg", Derived::Mean),
    ("mean", Derived::Mean),
    ("geomean", Derived::Geometric),
    ("geometric mean", Derived::Geometric),
    ("gmean", Derived::Geometric),
    ("sum", Derived::Sum),
    ("total", Derived::Sum),
];

#[derive(Clone, Copy, PartialEq)]
enum Derived {
    Mean,
    Geometric,
    Sum,
}

impl Derived {
    fn of(self, values: &[f64]) -> f64 {
        let count = values.len() as f64;
        match self {
            Self::Mean => values.iter().sum::<f64>() / count,
            Self::Geometric => (values.iter().map(|value| value.ln()).sum::<f64>() / count).exp(),
            Self::Sum => values.iter().sum(),
        }
    }
}

/// Says of a row that is the mean or the sum of those above it, to the digits that people write, that it is no result of its
/// own.
fn say_derived(sheet: &mut Sheet) {
    let known: Vec<(u32, Derived)> = (0..sheet.benchmarks.len() as u32)
        .filter_map(|at| {
            let name = sheet.benchmarks.get(at).trim().to_lowercase();
            Some((at, DERIVED_ROWS.iter().find(|(word, _)| *word == name)?.1))
        })
        .collect();
    for (benchmark, derived) in known {
        let Some(row) = sheet.benchmark.iter().position(|&at| at == benchmark) else { continue };
        let is_above =
            |at: &usize| sheet.metric[*at] == sheet.metric[row] && sheet.context[*at] == sheet.context[row];
        let above: Vec<f64> = (0..row).filter(is_above).map(|at| sheet.value[at]).collect();
        if above.len() < 2 || (derived.of(&above) / sheet.value[row] - 1.0).abs() > 0.005 {
            continue;
        }
        let name = excerpt(sheet.benchmarks.get(benchmark));
        let what =
            format!("the row `{name}` follows from the rows above it; it is compared like a benchmark");
        sheet.problem(
            Code::Assumed,
            sheet.line[row],
            what,
            "delete the row, because its change is counted twice",
        );
    }
}

/// Numbers the processes of all pieces of one file within the file. A file counts as a process only if its
/// variant has several files.
fn settle(pieces: Vec<Intake>) -> Vec<Sheet> {
    let mut files: HashMap<Vec<u8>, HashSet<Vec<u8>>> = HashMap::new();
    for name in pieces.iter().flat_map(|piece| piece.processes.iter()) {
        let (variant, file) = variant_and_file(name);
        files.entry(variant.to_vec()).or_default().insert(file.to_vec());
    }
    let counts =
        |name: &str| name.as_bytes().first() == Some(&PROCESS) || files[variant_and_file(name).0].len() > 1;
    let mut all = Pool::default();
    let mut sheets = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let number = |name: &str, all: &mut Pool| if counts(name) { all.intern(name) } else { NONE };
        let numbers: Vec<u32> = piece.processes.iter().map(|name| number(name, &mut all)).collect();
        let mut sheet = piece.sheet;
        for process in &mut sheet.process {
            *process = numbers.get(*process as usize).copied().unwrap_or(NONE);
        }
        if sheet.process.iter().all(|&process| process == NONE) {
            sheet.process.clear();
        }
        sheets.push(sheet);
    }
    sheets
}

fn variant_and_file(name: &str) -> (&[u8], &[u8]) {
    let mut parts = name.as_bytes()[1..].splitn(3, |&byte| byte == 0);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
