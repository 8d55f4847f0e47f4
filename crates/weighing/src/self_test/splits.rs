//! Cutting results into stretches, and dealing the stretches to two sides.

use statera_readers::{NONE, Observations};

use crate::assignment::Assignment;
use crate::blocks::{Measured, are_rounds, count_runs, measured};
use crate::grouping::Cells;

/// Results are cut into at most so many stretches in all: ten have 126 splits.
const MOST_STRETCHES: usize = 10;
/// A stretch of values has at least so many: dealt one by one, neighbours would be torn apart.
const LEAST_VALUES: usize = 2;

/// Every observation with its stretch.
pub struct Deck {
    /// Whether processes or runs are dealt.
    pub runs: bool,
    /// Whether these are rounds, which a split separates, so that they pair nothing.
    pub rounds: bool,
    /// How many stretches there are.
    pub stretches: usize,
    /// Runs or values in one, for most benchmarks.
    pub length: f64,
    /// How many processes or runs all results have, for most benchmarks; a result that does not state them counts as one.
    pub processes: usize,
    /// The stretch of each observation, or [`NONE`] where it takes no part.
    stretch: Vec<u32>,
}

/// A cell's observations of one variant, each with the number of its run or value, from 0 in the order of measurement.
struct Hand {
    cell: usize,
    variant: u32,
    rows: Vec<u32>,
    places: Vec<usize>,
    units: usize,
    runs: bool,
    rounds: bool,
}

impl Deck {
    /// Cuts each result into as many stretches. The k-th runs of all benchmarks go together.
    pub fn new(observations: &Observations, assignment: &Assignment, cells: &Cells) -> Self {
        let pairs = (0..cells.keys().len()).flat_map(|cell| (0..assignment.variants).map(move |v| (cell, v)));
        let hands: Vec<Hand> = pairs
            .map(|(cell, variant)| hand(observations, assignment, cells, cell, variant))
            .filter(|hand| hand.units > 0)
            .collect();
        let size = typical(hands.iter().map(|hand| hand.units).collect());
        let runs = hands.iter().filter(|hand| hand.runs).count() * 2 > hands.len();
        let rounds = hands.iter().any(|hand| hand.rounds);
        let each = stretches(assignment.variants as usize, size, if runs { 1 } else { LEAST_VALUES });
        let mut stretch = vec![NONE; observations.len()];
        for hand in &hands {
            for (&row, &place) in hand.rows.iter().zip(&hand.places) {
                stretch[row as usize] = hand.variant * each as u32 + (place * each / hand.units) as u32;
            }
        }
        let length = size as f64 / each as f64;
        let processes = typical(processes(&hands, cells.keys().len()));
        Self { runs, rounds, stretches: each * assignment.variants as usize, length, processes, stretch }
    }
}

/// The number of processes or runs of each cell over all results.
fn processes(hands: &[Hand], cells: usize) -> Vec<usize> {
    let mut counts = vec![0; cells];
    for hand in hands {
        counts[hand.cell] += if hand.runs { hand.units } else { 1 };
    }
    counts
}

/// The size of which, or above, half of all units are: benchmarks with few of them do not decide for the others.
fn typical(mut sizes: Vec<usize>) -> usize {
    sizes.sort_unstable();
    let half = sizes.iter().sum::<usize>().div_ceil(2);
    let mut sum = 0;
    let reaches = |&size: &usize| {
        sum += size;
        sum >= half
    };
    sizes.iter().copied().find(reaches).unwrap_or(0)
}

/// Stretches a result, so that there are few in all, no one is too short, and their number is even if it can be.
fn stretches(results: usize, units: usize, least: usize) -> usize {
    let most = (units / least).min(MOST_STRETCHES / results.max(1)).max(1);
    if results * most % 2 == 1 && most > 1 { most - 1 } else { most }
}

fn hand(
    observations: &Observations,
    assignment: &Assignment,
    cells: &Cells,
    cell: usize,
    variant: u32,
) -> Hand {
    let rows = cells.of(variant).rows(cell).to_vec();
    let measured = measured(observations, assignment, cells, (variant, &[variant]), cell);
    if count_runs(&measured).is_none() {
        let units = rows.len();
        return Hand { cell, variant, rows, places: (0..units).collect(), units, runs: false, rounds: false };
    }
    let (places, units) = run_numbers(&measured);
    Hand { cell, variant, rows, places, units, runs: true, rounds: are_rounds(&measured) }
}

/// The number of each value's run, from 0 in the order in which the runs appear.
fn run_numbers(measured: &[Measured]) -> (Vec<usize>, usize) {
    let mut numbers = std::collections::HashMap::new();
    let mut places = Vec::with_capacity(measured.len());
    for value in measured {
        let next = numbers.len();
        places.push(*numbers.entry((value.stratum, value.run)).or_insert(next));
    }
    (places, numbers.len())
}

/// A copy in which every context stands twice, once for each side.
pub fn copied(observations: &Observations) -> Observations {
    let mut copy = observations.clone();
    copy.contexts.double();
    copy.context_source.extend_from_within(..);
    copy
}

/// Gives the observations of the selected stretches to the first side, and the others to the second.
pub fn deal(copy: &mut Observations, observations: &Observations, deck: &Deck, selected: &[usize]) {
    let contexts = observations.contexts.len() as u32;
    let mut first = vec![false; deck.stretches];
    for &stretch in selected {
        first[stretch] = true;
    }
    let given = copy.context.iter_mut().zip(&observations.context).zip(&deck.stretch);
    for ((context, &own), &stretch) in given {
        let second = stretch != NONE && !first[stretch as usize];
        *context = if second { own + contexts } else { own };
    }
}

#[cfg(test)]
mod tests {
    use super::{stretches, typical};

    #[test]
    fn results_are_cut_into_few_even_stretches() {
        let cut = |results, units, least| stretches(results, units, least);
        assert_eq!(
            [cut(1, 20, 2), cut(2, 20, 2), cut(1, 10, 2), cut(1, 8, 2), cut(1, 3, 2)],
            [10, 5, 4, 4, 1]
        );
        assert_eq!([cut(1, 4, 1), cut(2, 4, 1), cut(3, 9, 1), cut(20, 1, 1), cut(1, 0, 1)], [4, 4, 2, 1, 1]);
        assert_eq!(cut(0, 5, 1), 5);
    }

    #[test]
    fn benchmarks_with_few_units_do_not_decide_for_the_others() {
        assert_eq!(typical(vec![2, 13, 2, 13, 2]), 13);
        assert_eq!(typical(vec![20, 20, 20]), 20);
        assert_eq!(typical(vec![1, 2, 3]), 2);
        assert_eq!(typical(vec![1, 2, 2, 3]), 2);
        assert_eq!(typical(Vec::new()), 0);
    }
}
