//! The prediction interval of a single new value (Hahn & Meeker 1991), by Student's t; parametric.

use crate::quantile::{mean, sd};
use crate::shift::Method;
use crate::shift::Test;
use crate::shift::{Comparison, Shift};
use crate::shift::{Interval, alpha};
use crate::special::{t_quantile, t_sf};

/// Compares the mean of `y` with that of `x`, of which one side has a single value and the other one several, in the
/// unit of the data. The several values show the spread of both sides: the error is s √(1 + 1 / k), with k − 1 degrees
/// of freedom. `least` is the least standard deviation that a value is known to have, of its own samples; 0 if none is.
///
/// `None` unless one side has one value and the other two or more, and if these do not vary but the means differ. Equal
/// means without spread give p = 1. The statistic is t, positive if y is larger.
#[must_use]
pub fn prediction(x: &[f64], y: &[f64], least: f64, confidence: f64) -> Option<Comparison> {
    let several = if x.len() == 1 { y } else { x };
    if x.len().min(y.len()) != 1 || several.len() < 2 {
        return None;
    }
    let (estimate, k) = (mean(y) - mean(x), several.len() as f64);
    let error = sd(several).max(least) * (1.0 + 1.0 / k).sqrt();
    if error == 0.0 && estimate != 0.0 {
        return None;
    }
    let (statistic, half) = if error == 0.0 {
        (0.0, 0.0)
    } else {
        (estimate / error, -error * t_quantile(0.5 * alpha(confidence), k - 1.0))
    };
    let p = (2.0 * t_sf(statistic.abs(), k - 1.0)).min(1.0);
    let interval = Interval { low: estimate - half, high: estimate + half, level: confidence };
    Some(Comparison {
        test: Test { statistic, p, method: Method::Prediction, least_p: 0.0 },
        shift: Shift { estimate, interval, low_open: false, high_open: false },
        superiority: f64::NAN,
    })
}

#[cfg(test)]
mod tests {
    use super::prediction;

    #[test]
    fn a_swap_mirrors() {
        let (old, new) = ([10.0, 11.0, 12.5], [14.0]);
        let (forth, back) =
            (prediction(&old, &new, 0.0, 0.9).unwrap(), prediction(&new, &old, 0.0, 0.9).unwrap());
        assert_eq!((forth.test.p, forth.test.statistic), (back.test.p, -back.test.statistic));
        assert_eq!(forth.shift.interval.low, -back.shift.interval.high);
    }

    #[test]
    fn what_has_no_prediction_gives_none() {
        assert!(prediction(&[1.0], &[2.0], 0.0, 0.95).is_none());
        assert!(prediction(&[1.0, 2.0], &[2.0, 3.0], 0.0, 0.95).is_none());
        assert!(prediction(&[1.0, 1.0], &[2.0], 0.0, 0.95).is_none());
        assert_eq!(prediction(&[1.0, 1.0], &[1.0], 0.0, 0.95).unwrap().test.p, 1.0);
    }
}
