//! Tests of paired differences: signed-rank and sign test.

use statera_kernels::{self as kernels, Comparison, Interval, Shift, Zeros};

use super::two_sample::{Found, constant, fields, fill};
use crate::block::{Block, sorted};
use crate::options::Options;
use crate::procedure::Field;
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// The differences of a group: the only sample, or the second minus the first.
pub(super) fn differences<'a>(samples: &[&'a [f64]], room: &'a mut Vec<f64>) -> &'a [f64] {
    match samples {
        [d] => d,
        [x, y] => {
            room.clear();
            room.extend(x.iter().zip(*y).map(|(x, y)| y - x));
            room
        }
        _ => &[],
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    SignedRank(Zeros),
    Sign,
}

struct Paired {
    kind: Kind,
    confidence: Option<f64>,
}

/// Options: `zeros` (drop or pratt), `confidence`; without a confidence level, only the test.
pub(super) fn signed_rank(options: &Options) -> Made {
    let zeros = [Zeros::Drop, Zeros::Pratt][options.word("zeros", &["drop", "pratt"])?];
    Ok(Box::new(Paired { kind: Kind::SignedRank(zeros), confidence: options.confidence()? }))
}

/// Options: `confidence`; without it, only the test.
pub(super) fn sign_test(options: &Options) -> Made {
    Ok(Box::new(Paired { kind: Kind::Sign, confidence: options.confidence()? }))
}

impl Paired {
    fn find(&self, d: &[f64]) -> Option<Found> {
        match (self.kind, self.confidence) {
            (Kind::SignedRank(zeros), None) => kernels::signed_rank(d, zeros).map(Found::Test),
            (Kind::SignedRank(zeros), Some(level)) => {
                let mut whole = kernels::one_sample(d, level)?;
                if zeros == Zeros::Pratt && d.contains(&0.0) {
                    // The interval inverts the test without zeros, and would disagree with this p.
                    whole.test = kernels::signed_rank(d, zeros)?;
                    let shift = &mut whole.shift.interval;
                    (shift.low, shift.high, shift.level) = (f64::NAN, f64::NAN, f64::NAN);
                }
                Some(Found::Whole(whole))
            }
            (Kind::Sign, None) => kernels::sign_test(d).map(Found::Test),
            (Kind::Sign, Some(level)) => signs(d, level).map(Found::Whole),
        }
    }
}

/// The sign test, with the median and its interval by order statistics; the interval contains 0 exactly if the
/// test does not reject 0.
fn signs(d: &[f64], confidence: f64) -> Option<Comparison> {
    let test = kernels::sign_test(d)?;
    let ascending = sorted(d);
    let none = Interval { low: f64::NAN, high: f64::NAN, level: f64::NAN };
    let interval = kernels::median_interval(&ascending, confidence).unwrap_or(none);
    let zeros = d.iter().filter(|&&v| v == 0.0).count() as f64;
    Some(Comparison {
        test,
        shift: Shift { estimate: kernels::median(d), interval, low_open: false, high_open: false },
        superiority: (test.statistic + 0.5 * zeros) / d.len() as f64,
    })
}

impl Procedure for Paired {
    fn takes(&self) -> Takes {
        Takes::Pairs
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        fields(1, true)
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = self.fields(1).len();
        block.each(rows, width, |samples, row, room: &mut Vec<f64>| {
            let d = differences(samples, room);
            let found = self.find(d).unwrap_or(Found::Nothing);
            let dropped = self.kind != Kind::SignedRank(Zeros::Pratt) && d.contains(&0.0);
            let interval = matches!(found, Found::Whole(whole) if !whole.shift.interval.low.is_nan());
            let warnings = Warnings::default()
                .with(Warning::Zeros, dropped)
                .with(Warning::NoInterval, self.confidence.is_some() && !d.is_empty() && !interval)
                .with(Warning::Constant, constant(&[d]));
            fill(row, true, found, &[d], self.confidence, warnings);
        });
    }
}
