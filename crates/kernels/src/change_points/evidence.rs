//! The evidence of a step at a place: how far the means before and after it are apart, in their standard error.

use super::noise::Noise;
use super::stretch::Sums;

/// Up to so many values after a step, each counts as far from the level before as it is, up to the clip.
const SHORT: usize = 10;
/// Steps beyond so many squared standard errors are looked at more closely.
const CLEARLY: f64 = 9.0;
/// Number of values on either side from which the variance around a step is taken, and the weight of the usual one.
const AROUND: usize = 30;
const USUAL: f64 = 3.0;
/// The power of the surplus of the local variance by which a noisy week weighs less.
const NOISY: f64 = 1.5;
/// With fewer values on a side nobody can tell a step from a slope.
const LEAST_SLOPE: usize = 12;
/// A step explains so many times what a slope explains.
const STEEPER: f64 = 1.2;
/// The shortest level with which a step is compared.
const LEAST_LEVEL: usize = 8;

/// A series at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The values.
    pub values: &'a [f64],
    /// The values drawn in.
    pub drawn: &'a Sums,
    /// The noise.
    pub noise: &'a Noise,
    /// Places at which a change may begin.
    pub places: &'a [bool],
}

impl Moment<'_> {
    /// The squared step at `place` between `before` and `after` values, in squared standard errors.
    pub fn evidence(&self, place: usize, before: usize, after: usize) -> f64 {
        let (drawn, noise) = (self.drawn, self.noise);
        let level = drawn.mean(place - before, place);
        let step = if after <= SHORT {
            let far = |value: &f64| (value - level).clamp(-noise.clip, noise.clip);
            self.values[place..place + after].iter().map(far).sum::<f64>() / after as f64
        } else {
            drawn.mean(place, place + after) - level
        };
        let mut variance = noise.of_mean(after) + noise.of_mean(before);
        if step * step > CLEARLY * variance {
            let (k, m) = (after.min(AROUND), before.min(AROUND));
            let around = drawn.squares(place, place + k) + drawn.squares(place - m, place);
            let surplus = (USUAL * noise.local + around) / (1 + k + m) as f64 / noise.local;
            if surplus > 1.0 {
                variance *= surplus.powf(NOISY);
            }
        }
        step * step / variance
    }

    /// Whether the values change at once: a slope is not a step.
    pub fn is_abrupt(&self, place: usize, before: usize, after: usize) -> bool {
        if before.min(after) < LEAST_SLOPE {
            return true;
        }
        let (m, k) = (before as f64, after as f64);
        let step = self.drawn.mean(place, place + after) - self.drawn.mean(place - before, place);
        let by_step = step * step * m * k / (m + k);
        let (from, to) = (place - before, place + after);
        let (mean, middle) = (self.drawn.mean(from, to), (m + k - 1.0) / 2.0);
        let part = &self.drawn.values[from..to];
        let product: f64 =
            part.iter().enumerate().map(|(i, value)| (i as f64 - middle) * (value - mean)).sum();
        let n = m + k;
        let by_slope = product * product / (n * (n * n - 1.0) / 12.0);
        by_step >= STEEPER * by_slope
    }

    /// The number of values before a step that make its level, of `since` values since the last point: all in reach, or the
    /// half, quarter, … of them whose mean varies least.
    pub fn level_length(&self, since: usize, after: usize, reach: usize, longest: usize) -> usize {
        let most = if self.noise.flat { longest.min(reach + reach * 3 / 4) } else { reach };
        let all = since.min(most);
        let (mut best, mut length) = (all, all / 2);
        while length >= after.max(LEAST_LEVEL) {
            if self.noise.of_mean(length) < self.noise.of_mean(best) {
                best = length;
            }
            length /= 2;
        }
        best
    }

    /// By how much values stand above or below everything before: in the direction of the first, the least of them.
    fn beyond(&self, place: usize, count: usize, begin: usize) -> f64 {
        let before = &self.values[begin.max(place.saturating_sub(super::forward::SEEN))..place];
        let after = &self.values[place..place + count];
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least(after) - most(before)).max(least(before) - most(after))
    }

    /// Whether `count` values from a place on stand clear of all values since `begin`, of which there are enough.
    pub fn is_clear(&self, place: usize, count: usize, begin: usize) -> bool {
        place >= begin + super::forward::LEAST_SEEN
            && self.places[place]
            && self.beyond(place, count, begin) > 2.0 * self.noise.variance(LEAST_LEVEL).sqrt()
    }
}
