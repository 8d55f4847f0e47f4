//! Diagnostics of the order and the digits of the values: autocorrelation, drift, outliers, resolution,
//! warm-up.

use statera_kernels::special::norm_sf;
use statera_kernels::{self as kernels, Ranking};

use super::two_sample::constant;
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// Fewer values reveal nothing about their order.
const LEAST: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    Autocorrelation,
    Drift,
    Outliers,
    Resolution,
    WarmUp,
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn autocorrelation(_: &Options) -> Made {
    Ok(Box::new(Order::Autocorrelation))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn drift(_: &Options) -> Made {
    Ok(Box::new(Order::Drift))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn outliers(_: &Options) -> Made {
    Ok(Box::new(Order::Outliers))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn timer_resolution(_: &Options) -> Made {
    Ok(Box::new(Order::Resolution))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn warm_up(_: &Options) -> Made {
    Ok(Box::new(Order::WarmUp))
}

impl Order {
    fn numbers(self, values: &[f64], row: &mut [f64], room: &mut [Ranking; 2]) {
        match self {
            Self::Autocorrelation => {
                if let Some(found) = kernels::autocorrelation(values) {
                    let p = (2.0 * norm_sf(found.z.abs())).min(1.0);
                    row.copy_from_slice(&[found.lag_one, found.z, p]);
                }
            }
            Self::Drift => {
                let [ranking, trend] = room;
                ranking.fill(values);
                let order: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
                trend.fill(&order);
                let rho = ranking.order_correlation(trend).map_or(f64::NAN, |found| found.rho);
                row.copy_from_slice(&[rho, ranking.drift().unwrap_or(f64::NAN)]);
            }
            Self::Outliers => row[0] = kernels::outliers(values) as f64,
            Self::Resolution => row[0] = kernels::timer_resolution(values).unwrap_or(f64::NAN),
            Self::WarmUp => {
                row[0] = 0.0;
                if let Some(found) = kernels::warm_up(values) {
                    let levels = [found.level_before, found.level_after, found.relative];
                    row[0] = found.end as f64;
                    row[1..].copy_from_slice(&levels);
                }
            }
        }
    }
}

impl Procedure for Order {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let mut fields = match self {
            Self::Autocorrelation => ["estimate", "statistic", "p"].map(number).into(),
            Self::Drift => ["estimate", "p"].map(number).into(),
            Self::Outliers => vec![count("estimate")],
            Self::Resolution => vec![number("estimate")],
            Self::WarmUp => {
                let levels = ["level_before", "level_after", "relative"].map(number);
                [count("estimate")].into_iter().chain(levels).collect()
            }
        };
        fields.extend([count("n"), WARNINGS]);
        fields
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = self.fields(1).len();
        block.each(rows, width, |samples, row, room: &mut [Ranking; 2]| {
            let values = samples[0];
            let n = values.len();
            if n > 0 {
                self.numbers(values, &mut row[..width - 2], room);
            }
            let ordered = matches!(self, Self::Autocorrelation | Self::Drift);
            let warnings = Warnings::default()
                .with(Warning::Empty, n == 0)
                .with(Warning::TooFew, ordered && n > 0 && n < LEAST)
                .with(Warning::Undefined, *self == Self::Resolution && n > 0 && row[0].is_nan())
                .with(Warning::Constant, constant(samples));
            row[width - 2..].copy_from_slice(&[n as f64, warnings.number()]);
        });
    }
}
