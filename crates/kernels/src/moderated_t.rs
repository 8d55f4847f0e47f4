//! Moderated t (Smyth 2004): Student's t whose variance is shrunk towards that of many rows; parametric, for few values.

use crate::moderation::{Fit, Prior, prior_of_parts};
use crate::quantile::mean;
use crate::shift::Method;
use crate::shift::Test;
use crate::shift::{Comparison, Shift};
use crate::shift::{Interval, alpha};
use crate::special::{norm_quantile, norm_sf, t_quantile, t_sf};

/// Degrees of freedom above which t is normal to all digits that matter.
const NORMAL_FROM: f64 = 1e8;

/// The pooled variance of one or two samples and its degrees of freedom: around each side's own mean, or around the mean
/// of differences. `None` if no degree of freedom is left.
#[must_use]
pub fn variance_within(sides: &[&[f64]]) -> Option<(f64, f64)> {
    let df: usize = sides.iter().map(|side| side.len().saturating_sub(1)).sum();
    let squares: f64 = sides.iter().map(|side| around_mean(side)).sum();
    (df > 0 && squares.is_finite()).then(|| (squares / df as f64, df as f64))
}

fn around_mean(values: &[f64]) -> f64 {
    let Some(&first) = values.first() else { return 0.0 };
    let centre = values.iter().map(|v| v - first).sum::<f64>() / values.len() as f64;
    values.iter().map(|v| (v - first - centre).powi(2)).sum()
}

/// The prior of variances with different degrees of freedom, given as pairs of both.
#[must_use]
pub fn prior_of_mixed(variances: &[(f64, f64)]) -> Prior {
    let parts: Vec<(Fit, [f64; 1])> =
        variances.iter().map(|&(variance, df)| (Fit::new(df), [variance])).collect();
    prior_of_parts(parts.iter().map(|(fit, variance)| (fit, &variance[..])), &mut Vec::new())
}

/// Compares the mean of `y` with that of `x`, in the unit of the data (pass logarithms to compare ratios), with a variance
/// that both share and that is shrunk towards `prior`; with an empty `x`, tests that the differences `y` have mean 0.
/// The standard deviation is at least `least`: what is known of it beside the values, or 0.
///
/// `None` if no degree of freedom is left, and if neither the values nor the prior have a spread but the means differ.
/// The statistic is t, positive if y is larger.
#[must_use]
pub fn moderated_t(x: &[f64], y: &[f64], prior: Prior, least: f64, confidence: f64) -> Option<Comparison> {
    let paired = x.is_empty();
    let (variance, df) = variance_within(&[x, y])?;
    let sizes = if paired { 1.0 / y.len() as f64 } else { 1.0 / x.len() as f64 + 1.0 / y.len() as f64 };
    let estimate = if paired { mean(y) } else { mean(y) - mean(x) };
    let error = (prior.shrink(variance, df).max(least * least) * sizes).sqrt();
    if error == 0.0 && estimate != 0.0 {
        return None;
    }
    let df = df + prior.df;
    let t = if error == 0.0 { 0.0 } else { estimate / error };
    let (tail, quantile) = if df < NORMAL_FROM {
        (t_sf(t.abs(), df), -t_quantile(0.5 * alpha(confidence), df))
    } else {
        (norm_sf(t.abs()), -norm_quantile(0.5 * alpha(confidence)))
    };
    let half = error * quantile;
    let interval = Interval { low: estimate - half, high: estimate + half, level: confidence };
    Some(Comparison {
        test: Test { statistic: t, p: (2.0 * tail).min(1.0), method: Method::T, least_p: 0.0 },
        shift: Shift { estimate, interval, low_open: false, high_open: false },
        superiority: if paired { share_above(&[0.0], y) } else { share_above(x, y) },
    })
}

/// P(y > x) + P(tie) / 2 over all pairs.
fn share_above(x: &[f64], y: &[f64]) -> f64 {
    let one = |a: f64, b: f64| {
        if b > a {
            1.0
        } else if b == a {
            0.5
        } else {
            0.0
        }
    };
    let sum: f64 = x.iter().flat_map(|&a| y.iter().map(move |&b| one(a, b))).sum();
    sum / (x.len() * y.len()) as f64
}
