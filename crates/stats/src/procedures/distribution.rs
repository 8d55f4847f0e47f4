//! The shape of a sample: dip test, number of modes, moments, bandwidth.

use statera_kernels as kernels;

use super::two_sample::constant;
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number, word};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// The smallest p in the table of the dip test.
const END: f64 = 1e-4;
const RULES: &[&str] = &["nrd0", "sj"];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Dip,
    Modes,
    Moments,
    /// The index of the rule.
    Bandwidth(usize),
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn dip(_: &Options) -> Made {
    Ok(Box::new(Shape::Dip))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn modes(_: &Options) -> Made {
    Ok(Box::new(Shape::Modes))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn moments(_: &Options) -> Made {
    Ok(Box::new(Shape::Moments))
}

/// Options: `rule`, nrd0 or sj.
pub(super) fn bandwidth(options: &Options) -> Made {
    Ok(Box::new(Shape::Bandwidth(options.word("rule", RULES)?)))
}

impl Shape {
    fn numbers(self, values: &[f64], row: &mut [f64]) {
        match self {
            Self::Dip => {
                let found = kernels::dip(values);
                row.copy_from_slice(&found.map_or([f64::NAN; 2], |found| [found.dip, found.p]));
            }
            Self::Modes => row[0] = kernels::modes(values) as f64,
            Self::Moments => row.copy_from_slice(&[
                kernels::mean(values),
                kernels::sd(values),
                kernels::coefficient_of_variation(values),
                kernels::skewness(values),
                kernels::excess_kurtosis(values),
            ]),
            Self::Bandwidth(0) => row.copy_from_slice(&[kernels::bandwidth_nrd0(values), 0.0]),
            Self::Bandwidth(_) => {
                row.copy_from_slice(&[kernels::bandwidth_sj(values).unwrap_or(f64::NAN), 1.0]);
            }
        }
    }
}

impl Procedure for Shape {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let mut fields = match self {
            Self::Dip => vec![number("statistic"), number("p")],
            Self::Modes => vec![count("estimate")],
            Self::Moments => {
                ["mean", "sd", "coefficient_of_variation", "skewness", "excess_kurtosis"].map(number).into()
            }
            Self::Bandwidth(_) => vec![number("estimate"), word("method", RULES)],
        };
        fields.extend([count("n"), WARNINGS]);
        fields
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = self.fields(1).len();
        block.each(rows, width, |samples, row, (): &mut ()| {
            let values = samples[0];
            let n = values.len();
            self.numbers(values, &mut row[..width - 2]);
            let lost = matches!(self, Self::Bandwidth(_)) && row[0].is_nan();
            let few = (*self == Self::Moments || lost) && n == 1;
            let warnings = Warnings::default()
                .with(Warning::Empty, n == 0)
                .with(Warning::TooFew, few)
                .with(Warning::TableEnd, *self == Self::Dip && row[1] <= END)
                .with(Warning::Undefined, lost && n > 1)
                .with(Warning::Constant, constant(samples));
            row[width - 2..].copy_from_slice(&[n as f64, warnings.number()]);
        });
    }
}
