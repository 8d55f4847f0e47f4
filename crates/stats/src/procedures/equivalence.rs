//! Equivalence within a margin by two one-sided tests.

use std::cmp::Ordering;

use statera_kernels::{self as kernels, Equivalence, alpha};

use super::paired::differences;
use super::two_sample::sizes;
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, flag, number, word};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

const METHODS: &[&str] = &["rank", "welch", "signed-rank", "t"];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    Rank,
    Welch,
    SignedRank,
    T,
}

struct Tost {
    test: Test,
    low: f64,
    high: f64,
    confidence: f64,
}

/// Options: `method` (rank and welch for two independent samples, signed-rank and t for pairs), `low`, `high`,
/// `confidence`.
pub(super) fn tost(options: &Options) -> Made {
    let tests = [Test::Rank, Test::Welch, Test::SignedRank, Test::T];
    let test = tests[options.word("method", METHODS)?];
    let (low, high) = (options.number("low")?, options.number("high")?);
    if low.partial_cmp(&high) != Some(Ordering::Less) {
        return Err(format!("the margin must reach from low up to high, but is {low} to {high}"));
    }
    let confidence = options.level()?;
    if confidence <= 0.5 {
        return Err(format!("confidence must be above 0.5, but is {confidence}"));
    }
    Ok(Box::new(Tost { test, low, high, confidence }))
}

impl Tost {
    fn find(&self, samples: &[&[f64]], d: &[f64]) -> (f64, Option<Equivalence>) {
        let (low, high, level) = (self.low, self.high, self.confidence);
        match (self.test, samples) {
            (Test::Rank, [x, y]) => {
                let shift = kernels::two_sample(x, y, level).map_or(f64::NAN, |c| c.shift.estimate);
                (shift, kernels::tost_rank(x, y, low, high, level))
            }
            (Test::Welch, [x, y]) => {
                (kernels::mean(y) - kernels::mean(x), kernels::tost_welch(x, y, low, high, level))
            }
            (Test::SignedRank, _) => {
                let shift = kernels::one_sample(d, level).map_or(f64::NAN, |c| c.shift.estimate);
                (shift, kernels::tost_signed_rank(d, low, high, level))
            }
            (Test::T, _) => (kernels::mean(d), kernels::tost_paired(d, low, high, level)),
            _ => (f64::NAN, None),
        }
    }

    fn paired(&self) -> bool {
        matches!(self.test, Test::SignedRank | Test::T)
    }
}

impl Procedure for Tost {
    fn takes(&self) -> Takes {
        if self.paired() { Takes::Pairs } else { Takes::Two }
    }

    fn fields(&self, samples: usize) -> Vec<Field> {
        let numbers = ["estimate", "low", "high", "level", "p", "p_low", "p_high"].map(number);
        let told = [flag("equivalent"), word("method", METHODS)];
        let sizes = sizes(if self.paired() { 1 } else { samples });
        numbers.into_iter().chain(told).chain(sizes).chain([WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = self.fields(block.samples.len()).len();
        let level = 1.0 - 2.0 * alpha(self.confidence);
        block.each(rows, width, |samples, row, room: &mut Vec<f64>| {
            let d = if self.paired() { differences(samples, room) } else { &[] };
            let (estimate, found) = self.find(samples, d);
            row[0] = estimate;
            if let Some(e) = found {
                let equivalent = f64::from(u8::from(e.equivalent));
                row[1..8].copy_from_slice(&[e.low, e.high, level, e.p, e.p_low, e.p_high, equivalent]);
            }
            row[8] = f64::from(self.test as u8);
            let least = if self.paired() {
                row[9] = d.len() as f64;
                d.len()
            } else {
                row[9] = samples[0].len() as f64;
                row[10] = samples[1].len() as f64;
                samples[0].len().min(samples[1].len())
            };
            let warnings = Warnings::default()
                .with(Warning::Empty, least == 0)
                .with(Warning::TooFew, least == 1 && found.is_none())
                .with(Warning::NoSpread, least > 1 && found.is_none());
            row[width - 1] = warnings.number();
        });
    }
}
