//! Which program printed a line, where several readers find results in it: `Requests/sec:` is one of hey and of wrk.

use std::collections::{HashMap, HashSet};

use crate::sheet::Sheet;

/// A line, and the programs whose readers find results in it.
type Claim = (u32, Vec<usize>);

/// Leaves each line to the one of these programs between whose other results it stands. Returns the first line that could be
/// of several.
pub(crate) fn settle(programs: &mut [Vec<Sheet>]) -> Option<u32> {
    let claims = claims(programs);
    let above = neighbours(claims.iter());
    let below = neighbours(claims.iter().rev());
    let is_between = |(line, owner): &(&u32, &usize)| below.get(line) == Some(owner);
    // A program of which every line could be another's has no place of which this can be said.
    let alone: HashSet<usize> = claims.iter().filter(|(_, of)| of.len() == 1).map(|(_, of)| of[0]).collect();
    let shared: HashSet<usize> = claims.iter().flat_map(|(_, of)| of.iter().copied()).collect();
    let is_known = shared.is_subset(&alone);
    let owners: HashMap<u32, usize> =
        above.iter().filter(|_| is_known).filter(is_between).map(|(line, owner)| (*line, *owner)).collect();
    let is_open = |(line, of): &&Claim| of.len() > 1 && !owners.contains_key(line);
    let open = claims.iter().find(is_open).map(|(line, _)| *line);
    if owners.is_empty() {
        return open;
    }
    for (program, sheets) in programs.iter_mut().enumerate() {
        let mut above = 0;
        for sheet in sheets {
            sheet.keep_lines(|line| owners.get(&(above + line)).is_none_or(|owner| *owner == program));
            above += sheet.lines;
        }
    }
    open
}

/// The lines with results in their order.
fn claims(programs: &[Vec<Sheet>]) -> Vec<Claim> {
    let mut found = Vec::new();
    for (program, sheets) in programs.iter().enumerate() {
        let mut above = 0;
        for sheet in sheets {
            found.extend(sheet.line.iter().map(|line| (above + line, program)));
            above += sheet.lines;
        }
    }
    found.sort_unstable();
    found.dedup();
    let same = found.chunk_by(|(one, _), (other, _)| one == other);
    same.map(|lines| (lines[0].0, lines.iter().map(|(_, program)| *program).collect())).collect()
}

/// Of each line of several programs the one of them that alone has the nearest line before it.
fn neighbours<'a>(claims: impl Iterator<Item = &'a Claim>) -> HashMap<u32, usize> {
    let (mut last, mut found) = (HashMap::<usize, usize>::new(), HashMap::new());
    for (at, (line, of)) in claims.enumerate() {
        if let [program] = of[..] {
            last.insert(program, at);
        } else if let Some((_, program)) =
            of.iter().filter_map(|program| Some((last.get(program)?, *program))).max()
        {
            found.insert(*line, program);
        }
    }
    found
}
