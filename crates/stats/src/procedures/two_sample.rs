//! Comparisons of two samples: Mann-Whitney, Hodges-Lehmann, Welch, Brunner-Munzel.

use statera_kernels::{self as kernels, Comparison, Method, Test, alpha};

use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, flag, number, word};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// The names of the methods.
pub(super) const METHODS: &[&str] = &["exact", "normal", "t", "permutation"];

const SHIFT: [Field; 7] = [
    number("estimate"),
    number("low"),
    number("high"),
    number("level"),
    flag("low_open"),
    flag("high_open"),
    word("method", METHODS),
];
const TEST: [Field; 4] = [number("superiority"), number("statistic"), number("p"), number("least_p")];

/// The fields of the sample sizes.
pub(super) fn sizes(samples: usize) -> Vec<Field> {
    if samples == 1 { vec![count("n")] } else { vec![count("n_x"), count("n_y")] }
}

/// The fields of a comparison, with or without its test.
pub(super) fn fields(samples: usize, tested: bool) -> Vec<Field> {
    let test = if tested { &TEST[..] } else { &[] };
    SHIFT.iter().chain(test).cloned().chain(sizes(samples)).chain([WARNINGS]).collect()
}

pub(super) fn method(method: Method) -> f64 {
    match method {
        Method::Exact => 0.0,
        Method::Normal => 1.0,
        Method::T => 2.0,
        Method::Prediction => 3.0,
    }
}

/// The result of comparing one group.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Nothing,
    Test(Test),
    Whole(Comparison),
}

/// Fills a row of [`fields`].
pub(super) fn fill(
    row: &mut [f64],
    tested: bool,
    found: Found,
    samples: &[&[f64]],
    confidence: Option<f64>,
    warnings: Warnings,
) {
    let (test, shift, superiority) = match found {
        Found::Nothing => (None, None, f64::NAN),
        Found::Test(test) => (Some(test), None, f64::NAN),
        Found::Whole(whole) => (Some(whole.test), Some(whole.shift), whole.superiority),
    };
    if let Some(shift) = shift {
        let interval = shift.interval;
        let flags = [shift.low_open, shift.high_open].map(|open| f64::from(u8::from(open)));
        let numbers = [shift.estimate, interval.low, interval.high, interval.level, flags[0], flags[1]];
        row[..6].copy_from_slice(&numbers);
    }
    let mut at = SHIFT.len();
    row[6] = test.map_or(f64::NAN, |test| method(test.method));
    if tested {
        let numbers = test.map_or([f64::NAN; 3], |test| [test.statistic, test.p, test.least_p]);
        row[at] = superiority;
        row[at + 1..at + 4].copy_from_slice(&numbers);
        at += TEST.len();
    }
    for sample in samples {
        row[at] = sample.len() as f64;
        at += 1;
    }
    row[at] = remarks(warnings, found, samples, confidence).number();
}

fn remarks(warnings: Warnings, found: Found, samples: &[&[f64]], confidence: Option<f64>) -> Warnings {
    let warnings = warnings.with(Warning::Empty, samples.iter().any(|sample| sample.is_empty()));
    let Some(confidence) = confidence else {
        return warnings;
    };
    let limit = alpha(confidence);
    let warnings = match found {
        Found::Test(test) | Found::Whole(Comparison { test, .. }) => {
            warnings.with(Warning::CannotReject, test.method == Method::Exact && test.least_p > limit)
        }
        Found::Nothing => warnings,
    };
    let Found::Whole(Comparison { test, shift, .. }) = found else {
        return warnings;
    };
    let inside = shift.interval.low < 0.0 && 0.0 < shift.interval.high;
    warnings
        .with(Warning::BelowLevel, shift.interval.level < confidence - 1e-9)
        .with(Warning::Ties, test.p <= limit && inside)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    MannWhitney,
    HodgesLehmann,
    Welch,
}

struct Compared {
    kind: Kind,
    confidence: Option<f64>,
}

/// Options: `confidence`; without it, only the test.
pub(super) fn mann_whitney(options: &Options) -> Made {
    Ok(Box::new(Compared { kind: Kind::MannWhitney, confidence: options.confidence()? }))
}

/// Options: `confidence`.
pub(super) fn hodges_lehmann(options: &Options) -> Made {
    Ok(Box::new(Compared { kind: Kind::HodgesLehmann, confidence: Some(options.level()?) }))
}

/// Options: `confidence`.
pub(super) fn welch(options: &Options) -> Made {
    Ok(Box::new(Compared { kind: Kind::Welch, confidence: Some(options.level()?) }))
}

impl Compared {
    fn find(&self, samples: &[&[f64]]) -> Option<Found> {
        match (self.kind, samples, self.confidence) {
            (Kind::MannWhitney, [x, y], None) => kernels::mann_whitney(x, y).map(Found::Test),
            (Kind::Welch, [x, y], Some(level)) => kernels::welch(x, y, level).map(Found::Whole),
            (_, [d], Some(level)) => kernels::one_sample(d, level).map(Found::Whole),
            (_, [x, y], Some(level)) => kernels::two_sample(x, y, level).map(Found::Whole),
            _ => None,
        }
    }
}

impl Procedure for Compared {
    fn takes(&self) -> Takes {
        if self.kind == Kind::HodgesLehmann { Takes::OneOrTwo } else { Takes::Two }
    }

    fn fields(&self, samples: usize) -> Vec<Field> {
        fields(samples, self.kind != Kind::HodgesLehmann)
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let tested = self.kind != Kind::HodgesLehmann;
        let width = self.fields(block.samples.len()).len();
        block.each(rows, width, |samples, row, (): &mut ()| {
            let found = self.find(samples).unwrap_or(Found::Nothing);
            let few = self.kind == Kind::Welch && samples.iter().any(|sample| sample.len() == 1);
            let empty = samples.iter().any(|sample| sample.is_empty());
            let lost = matches!(found, Found::Nothing) && !few && !empty;
            let warnings = Warnings::default()
                .with(Warning::TooFew, few)
                .with(Warning::NoSpread, lost && self.kind == Kind::Welch)
                .with(Warning::Constant, constant(samples));
            fill(row, tested, found, samples, self.confidence, warnings);
        });
    }
}

/// Whether there are several values and all of them are equal.
pub(super) fn constant(samples: &[&[f64]]) -> bool {
    let mut values = samples.iter().copied().flatten();
    let pair = values.next().zip(values.next());
    pair.is_some_and(|(first, second)| first == second && values.all(|value| value == first))
}

struct BrunnerMunzel {
    confidence: f64,
}

/// Sample size below which the t approximation rejects somewhat too often.
const FEW: usize = 10;

/// Options: `confidence`.
pub(super) fn brunner_munzel(options: &Options) -> Made {
    Ok(Box::new(BrunnerMunzel { confidence: options.level()? }))
}

impl Procedure for BrunnerMunzel {
    fn takes(&self) -> Takes {
        Takes::Two
    }

    fn fields(&self, samples: usize) -> Vec<Field> {
        let ends = [number("estimate"), number("low"), number("high"), number("level")];
        let test = [word("method", METHODS), number("statistic"), number("df"), number("p")];
        ends.into_iter().chain(test).chain(sizes(samples)).chain([WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = self.fields(block.samples.len()).len();
        block.each(rows, width, |samples, row, (): &mut ()| {
            let &[x, y] = samples else { return };
            let least = x.len().min(y.len());
            let found = kernels::brunner_munzel(x, y, self.confidence);
            let apart = found.is_some_and(|found| found.statistic.is_infinite());
            if let Some(found) = found {
                let level = if found.low.is_nan() { f64::NAN } else { self.confidence };
                let by = if found.df.is_nan() { 3.0 } else { 2.0 };
                let numbers =
                    [found.superiority, found.low, found.high, level, by, found.statistic, found.df, found.p];
                row[..8].copy_from_slice(&numbers);
            }
            let warnings = Warnings::default()
                .with(Warning::Empty, least == 0)
                .with(Warning::TooFew, least == 1)
                .with(Warning::NoOverlap, apart)
                .with(Warning::Coarse, (2..FEW).contains(&least) && !apart)
                .with(Warning::Constant, constant(samples));
            row[8..].copy_from_slice(&[x.len() as f64, y.len() as f64, warnings.number()]);
        });
    }
}
