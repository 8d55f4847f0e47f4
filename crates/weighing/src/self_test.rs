//! Compares a build with itself: how often the current policy reports a change, and how large it seems.
//!
//! Values or runs are dealt to two sides in stretches of neighbours. A test that wrongly assumes independent neighbours
//! then raises the false alarms that it would raise between two builds measured one after the other. Dealing single
//! values would hide that, because a rank test holds its level on values that are exchanged at random.

mod rates;
mod splits;

use statera_kernels::{Relabeling, Relabelings};
use statera_readers::Observations;

use crate::assignment::{Assignment, Pairing};
use crate::draw::PairingFault;
use crate::grouping::group_keeping;
use crate::policy::Policy;
use crate::row::Row;
use rates::Tally;
use splits::{Deck, copied, deal};

pub use rates::{Margins, MetricRate, Rate, RowRate};

/// The minimum number of stretches to split.
const LEAST_STRETCHES: usize = 4;
/// With fewer processes in all, no margin is advised: the spread between processes is part of what a margin must cover.
const LEAST_PROCESSES: u32 = 4;

/// What was dealt to the two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dealt {
    /// Whether processes or runs were dealt, and not values.
    pub runs: bool,
    /// Into how many stretches of neighbours they were cut; fewer than 4 are too few to be split.
    pub stretches: u32,
    /// How many runs or values a stretch has, for most benchmarks.
    pub length: f64,
    /// How many processes or runs all results have, for most benchmarks; a result that does not state them counts as one.
    pub processes: u32,
}

impl Dealt {
    /// Whether the processes are enough for the advice of a margin.
    #[must_use]
    pub fn advises(&self) -> bool {
        self.processes >= LEAST_PROCESSES
    }
}

/// Two results compared as they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct AsMeasured {
    /// The first result's variant.
    pub baseline: u32,
    /// The second's.
    pub contender: u32,
    /// Rows that could be called changed.
    pub rows: u32,
    /// Rows with p at most alpha, before correction.
    pub significant: u32,
    /// Those that report a change, as they were weighed.
    pub called: Vec<Row>,
}

/// What the splits showed.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfTest {
    /// What was dealt.
    pub dealt: Dealt,
    /// Number of splits used; 0 if there is too little data to split.
    pub splits: u32,
    /// Whether these are all splits.
    pub all: bool,
    /// Splits in which any row was called changed.
    pub suite: Rate,
    /// One a group, metric and benchmark.
    pub rows: Vec<RowRate>,
    /// One a group and metric.
    pub metrics: Vec<MetricRate>,
    /// Pairs of results as they were measured, where there are several.
    pub measured: Vec<AsMeasured>,
}

/// Whether a verdict is a false alarm if nothing changed.
fn called(row: &Row) -> bool {
    row.verdict.is_change()
}

/// Weighs a build against itself in at most `splits` ways; all variants are results of this build.
///
/// # Errors
/// If the data do not allow the pairing that was requested.
pub fn self_test(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    splits: usize,
) -> Result<SelfTest, PairingFault> {
    let several = assignment.files_are_runs.contains(&true);
    // As in a comparison, one result of several runs makes a single file of another one run.
    let assignment =
        &Assignment { files_are_runs: vec![several; assignment.files_are_runs.len()], ..assignment.clone() };
    let cells = group_keeping(observations, assignment, true);
    let deck = Deck::new(observations, assignment, &cells);
    let dealt = Dealt {
        runs: deck.runs,
        stretches: deck.stretches as u32,
        length: deck.length,
        processes: deck.processes as u32,
    };
    let (mut tally, mut pairs) = (Tally::default(), Tally::default());
    let measured = as_measured(observations, assignment, policy, splits, &mut pairs)?;
    let sides = Relabeling::TwoSample { m: deck.stretches / 2, n: deck.stretches.div_ceil(2) };
    let enough = deck.stretches >= LEAST_STRETCHES;
    let Some(relabelings) = enough.then(|| Relabelings::new(sides, splits, policy.seed)).flatten() else {
        return Ok(tally.finish(policy, dealt, true, measured, &pairs));
    };
    let (mut copy, both) = (copied(observations), assignment_of_two(assignment, &deck));
    let mut fault = None;
    relabelings.each(0..relabelings.looked_at, |selected| {
        if fault.is_some() {
            return;
        }
        deal(&mut copy, observations, &deck, selected);
        match crate::weigh(&copy, &both, policy) {
            Ok(weighing) => tally.take(&weighing, policy),
            Err(found) => fault = Some(found),
        }
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(tally.finish(policy, dealt, relabelings.exact, measured, &pairs)),
    }
}

/// The assignment of the copy: every context twice, once a side.
fn assignment_of_two(assignment: &Assignment, deck: &Deck) -> Assignment {
    let side = |side: u32| assignment.variant_of_context.iter().map(move |variant| variant.map(|_| side));
    let twice = |list: &[u32]| list.iter().chain(list).copied().collect();
    Assignment {
        variant_of_context: side(0).chain(side(1)).collect(),
        group_of_context: twice(&assignment.group_of_context),
        block_of_context: assignment
            .block_of_context
            .as_ref()
            .map(|blocks| blocks.iter().chain(blocks).copied().collect()),
        share_of_context: [&assignment.share_of_context[..]; 2].concat(),
        stratum_of_context: twice(&assignment.stratum_of_context),
        variants: 2,
        pairs: vec![(0, 1)],
        factorial: false,
        pairing: if deck.rounds { Pairing::Unpaired } else { assignment.pairing },
        files_are_runs: vec![assignment.files_are_runs.contains(&true); 2],
        ..assignment.clone()
    }
}

/// Every pair of results as it was measured, at most `most` of them; `tally` notes each like a split.
fn as_measured(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    most: usize,
    tally: &mut Tally,
) -> Result<Vec<AsMeasured>, PairingFault> {
    let pairs = (0..assignment.variants)
        .flat_map(|baseline| (baseline + 1..assignment.variants).map(move |other| (baseline, other)));
    let mut one = |(baseline, contender): (u32, u32)| {
        let of = |variant: Option<u32>| match variant {
            Some(own) if own == baseline => Some(0),
            Some(own) if own == contender => Some(1),
            _ => None,
        };
        let pair = Assignment {
            variant_of_context: assignment.variant_of_context.iter().map(|&variant| of(variant)).collect(),
            variants: 2,
            pairs: vec![(0, 1)],
            factorial: false,
            files_are_runs: vec![assignment.files_are_runs.contains(&true); 2],
            ..assignment.clone()
        };
        let weighing = crate::weigh(observations, &pair, policy)?;
        tally.take(&weighing, policy);
        let rows = weighing.rows;
        Ok(AsMeasured {
            baseline,
            contender,
            rows: rows.iter().filter(|row| row.p.is_some() || called(row)).count() as u32,
            significant: rows.iter().filter(|row| rates::significant(row, policy)).count() as u32,
            called: rows.into_iter().filter(called).collect(),
        })
    };
    pairs.take(most).map(&mut one).collect()
}
