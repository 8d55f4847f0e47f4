//! Changes of level in a history: a series with a value for each measurement of each commit, oldest first.
//!
//! One forward pass decides at each commit from what was known then, so that what is told never depends on how often
//! somebody looked: the alarms of a history analysed once are those of a team that analysed it at every commit.
//! Afterwards the points are estimated again with hindsight. Noise may have outliers, two levels, cycles and neighbours
//! that depend on each other: the variance of means of k values is measured for every k, not derived from one value.
//!
//! Parts: [`noise`], [`evidence`], [`forward`], [`hindsight`]. `docs/stats/change_points.md` states rule and calibration.

use crate::quantile::{mean, median, median_of, power_of_two_near, quantile_of};

/// The constants of the detector. Their defaults are in the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detector {
    /// Number of values from which the noise is estimated.
    pub memory: usize,
    /// The longest stretch of values that is compared; a power of two.
    pub longest: usize,
    /// Number of values at which it looks at the noise first; before, nothing is told.
    pub first_look: usize,
    /// By this factor the number of values grows until it looks at the noise again.
    pub look_growth: f64,
    /// The threshold is `per_log` × ln(max(n, `least_length`)) + `base`, in units of ν ln(1 + z²/ν).
    pub per_log: f64,
    /// Shorter series have the threshold of this length.
    pub least_length: usize,
    /// The part of the threshold that does not grow.
    pub base: f64,
    /// The longest stretch is this share of the values known.
    pub reach: f64,
    /// Number of values in the memory for each degree of freedom ν of the noise.
    pub values_a_degree: f64,
    /// Half-width of the interval of a size, in standard errors.
    pub size_errors: f64,
    /// p of a point whose strength is 0: the chance that a series without change shows any point in its life.
    pub level: f64,
}

impl Detector {
    fn threshold(&self, t: usize) -> f64 {
        self.per_log * (t.max(self.least_length) as f64).ln() + self.base
    }

    fn reach(&self, t: usize) -> usize {
        ((self.reach * t as f64 + ROUNDING) as usize).min(self.longest).max(LEAST_WINDOW)
    }
}

/// The shortest stretch that can raise an alarm.
const LEAST_WINDOW: usize = 3;
/// Products such as 1.1 × 10 must not fall below the whole number that they are.
const ROUNDING: f64 = 1e-12;
/// Evidence is greater only beyond this factor: of equal evidence the first counts, whatever the rounding of its sums.
const EQUAL: f64 = 1.0 + 1e-9;

/// A change that was told when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alarm {
    /// Position of the first value after the change, as estimated then.
    pub place: usize,
    /// Position of the value that raised it.
    pub raised: usize,
    /// Whether it was dropped with hindsight.
    pub withdrawn: bool,
}

/// A change of level with hindsight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position of the first value after the change.
    pub place: usize,
    /// The first place that cannot be excluded.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// The size of the change, in the unit of the values (logarithms: of a ratio).
    pub size: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// By how much the evidence exceeds the threshold; the threshold is 0.
    pub strength: f64,
    /// The chance of anything as strong in the whole life of a series without change; calibrated at the detector's level.
    pub p: f64,
    /// Position of the value that raised its alarm.
    pub raised: usize,
    /// Whether it undoes the point before it.
    pub returns: bool,
}

/// One or two values outside everything before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spike {
    /// Position of its first value.
    pub place: usize,
    /// Number of its values.
    pub values: usize,
}

/// What a series shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// What was told, in this order.
    pub alarms: Vec<Alarm>,
    /// The changes with hindsight, in order.
    pub points: Vec<Point>,
    /// Values that stood outside and whose successors came back.
    pub spikes: Vec<Spike>,
    /// The newest values stand outside everything before them and are too few for an alarm.
    pub suspect: Option<Spike>,
    /// Whether sizes and noise are those of logarithms, because all values are positive.
    pub ratio: bool,
    /// Standard deviation of a single value around its level at the end, in the unit of the values; NaN if nothing is known.
    pub noise: f64,
}

/// Finds the changes of level of a history: as ratios if all values are positive, otherwise as differences.
///
/// Arguments as in [`change_points`].
#[must_use]
pub fn history(values: &[f64], places: Option<&[bool]>, detector: &Detector) -> Changes {
    continued(values, places, detector, None).0
}

/// The same for values of which the first were taken before: what was known then spares their way. Returns also what is
/// known now.
///
/// What was known of other values, or by other constants, makes the answer wrong: the caller compares them.
#[must_use]
pub fn continued(
    values: &[f64],
    places: Option<&[bool]>,
    detector: &Detector,
    before: Option<&Taken>,
) -> (Changes, Taken) {
    if values.iter().any(|&value| value.is_nan() || value <= 0.0) {
        return passed(values, false, places, detector, before);
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    passed(&logarithms, true, places, detector, before)
}

/// Finds the changes of level of finite values, oldest first.
///
/// A change begins at a place only: `places` states for each value whether it may (the first measurement of a commit); all
/// may without it. Fewer values than the first look, and values that are all equal, show no change.
///
/// Ratios are found in the logarithms of values. Sizes and noise are in the unit of what is given.
///
/// # Panics
/// Never; `places` of another length count as absent.
#[must_use]
pub fn change_points(values: &[f64], places: Option<&[bool]>, detector: &Detector) -> Changes {
    passed(values, false, places, detector, None).0
}

fn passed(
    values: &[f64],
    ratio: bool,
    places: Option<&[bool]>,
    detector: &Detector,
    before: Option<&Taken>,
) -> (Changes, Taken) {
    let Some(&first) = values.first() else {
        return (Changes { ratio, noise: f64::NAN, ..Changes::default() }, Taken::default());
    };
    // Level and unit do not matter; sums of small numbers keep their digits, and squares stay in the range of floats.
    let most = values.iter().fold(0.0_f64, |most, value| most.max((value / 2.0 - first / 2.0).abs()));
    let unit = if most > 0.0 { power_of_two_near(most) } else { 1.0 };
    let plain: Vec<f64> = values.iter().map(|value| value / unit - first / unit).collect();
    let all;
    let places = match places {
        Some(places) if places.len() == values.len() => places,
        _ => {
            all = vec![true; values.len()];
            &all
        }
    };
    let before = before.filter(|of| of.ratio == ratio && of.unit.to_bits() == unit.to_bits());
    let mut pass = Forward::new(&plain, places, detector);
    let known = before.map_or(0, |before| pass.resume(before));
    for newest in known..plain.len() {
        pass.arrive(newest);
    }
    let mut changes = points(&plain, places, detector, &pass.alarms);
    for point in &mut changes.points {
        for number in [&mut point.size, &mut point.low, &mut point.high] {
            *number *= unit;
        }
    }
    changes.spikes = pass.outside.spikes();
    changes.suspect = pass.outside.suspect();
    changes.noise = pass.noise.as_ref().map_or(f64::NAN, |noise| noise.variance(1).sqrt() * unit);
    changes.ratio = ratio;
    (changes, pass.taken(ratio, unit))
}

// Sums over stretches of a series, and the best split of one.

/// Values and their running sums.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sums {
    /// The values.
    pub(crate) values: Vec<f64>,
    /// `sums[i]` is the sum of the first i values.
    sums: Vec<f64>,
}

impl Sums {
    pub(crate) fn new() -> Self {
        Self { values: Vec::new(), sums: vec![0.0] }
    }

    /// Replaces the values from a position on.
    pub(crate) fn replace(&mut self, from: usize, values: impl Iterator<Item = f64>) {
        self.values.truncate(from);
        self.sums.truncate(from + 1);
        let mut sum = self.sums[from];
        for value in values {
            sum += value;
            self.values.push(value);
            self.sums.push(sum);
        }
    }

    /// The sum over a stretch.
    pub(crate) fn sum(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }

    /// The mean of a stretch that is not empty.
    pub(crate) fn mean(&self, from: usize, to: usize) -> f64 {
        self.sum(from, to) / (to - from) as f64
    }

    /// The sum of squared deviations from the mean of a stretch.
    pub(crate) fn squares(&self, from: usize, to: usize) -> f64 {
        let mean = self.mean(from, to);
        self.values[from..to].iter().map(|value| (value - mean) * (value - mean)).sum()
    }

    /// The place in `first..=last` that splits `[begin, end)` best, with windows of at most `longest` values: the largest
    /// squared difference of means over its variance; of equal ones the first. `None` if there is no place.
    fn best_split(
        &self,
        (begin, end): (usize, usize),
        (first, last): (usize, usize),
        longest: usize,
        places: &[bool],
    ) -> Option<usize> {
        let mut best = (0.0, None);
        let range = first.max(begin + 1)..=last.min(end - 1);
        for place in range.filter(|&place| places[place]) {
            let (after, before) = ((end - place).min(longest), (place - begin).min(longest));
            let step = self.mean(place, place + after) - self.mean(place - before, place);
            let gain = step * step / (1.0 / after as f64 + 1.0 / before as f64);
            if gain > best.0 * EQUAL {
                best = (gain, Some(place));
            }
        }
        best.1
    }
}

// The noise of a series at a moment: where single values are drawn in, and how much means of k values vary.

/// Number of values on either side of a running median.
const ASIDE: usize = 5;
/// 90 % quantile of the absolute difference of two standard normal values.
const DIFFERENCE: f64 = 2.326_174_307_353_347;
/// 75 % quantile of the standard normal distribution: the median of its absolute values.
const MIDDLE: f64 = 0.674_489_750_196_081_7;
/// Values further from the running median than so many noises are counted as far.
const FAR: f64 = 4.0;
/// Values are drawn in to so many noises from the running median …
const DRAWN_IN: f64 = 2.5;
/// … and to so many more if values are hardly ever far,
const QUIET: f64 = 0.75;
/// which is fewer than this share of them.
const OFTEN_FAR: f64 = 0.01;
/// Largest dependence of neighbours.
const MOST_DEPENDENCE: f64 = 0.9;
/// A level that ended unnoticed is looked for where so many values are known since the last point.
const LEAST_SINCE: usize = 10;
/// Means of b values are measured where the memory has so many times b values.
const MEASURED: usize = 5;
/// Limits of the power by which the variance of sums grows beyond what was measured.
const GROWTH: (f64, f64) = (0.5, 2.0);
/// The variance of means counts as that of an autoregression up to this factor.
const FLAT: f64 = 1.25;
/// Length of the windows of the local variance.
const LOCAL: usize = 30;

/// The noise.
#[derive(Debug, Clone)]
pub(crate) struct Noise {
    /// Values are drawn in to this distance from the running median.
    clip: f64,
    /// The usual local variance.
    local: f64,
    /// Whether the variance of means is explained by the dependence of neighbours.
    flat: bool,
    /// Number of values in the memory.
    memory: usize,
    /// Position of the memory's first value.
    pub(crate) begin: usize,
    /// `variances[k]`: the variance of one value that counts where means of k values are compared, up to the longest window.
    variances: Vec<f64>,
}

impl Noise {
    /// The variance of one value that counts where means of `count` values are compared.
    pub(crate) fn variance(&self, count: usize) -> f64 {
        self.variances[count.min(self.variances.len() - 1)]
    }

    /// The variance of one value as far as values of the memory show it, in means of at most `LEAST_LEVEL` values. What is
    /// not measured is taken to grow, which would hide any change of a young series.
    fn seen(&self) -> f64 {
        let most = LEAST_LEVEL.min(self.memory / MEASURED).max(1);
        self.variance(1 << most.ilog2())
    }

    /// The variance of a mean of `count` values.
    fn of_mean(&self, count: usize) -> f64 {
        self.variance(count) / count as f64
    }
}

/// The median of the values around a position.
fn running_median(values: &[f64], at: usize) -> f64 {
    let mut around = [0.0; 2 * ASIDE + 1];
    let part = &values[at.saturating_sub(ASIDE)..=at + ASIDE];
    let around = &mut around[..part.len()];
    around.copy_from_slice(part);
    around.sort_unstable_by(f64::total_cmp);
    let middle = around.len() / 2;
    if around.len().is_multiple_of(2) { around[middle - 1].midpoint(around[middle]) } else { around[middle] }
}

/// What the noise is estimated from: a series up to its newest value.
#[derive(Debug, Clone, Copy)]
struct Known<'a> {
    /// The values, up to the newest.
    pub(crate) values: &'a [f64],
    /// Their running medians; the last five have the last one that is known.
    pub(crate) medians: &'a [f64],
    /// Places at which a change may begin.
    pub(crate) places: &'a [bool],
    /// The points so far, ascending.
    pub(crate) points: &'a [usize],
}

impl Known<'_> {
    /// Value `i` drawn in to `clip` from its running median.
    pub(crate) fn drawn_in(&self, i: usize, clip: f64) -> f64 {
        self.medians[i] + (self.values[i] - self.medians[i]).clamp(-clip, clip)
    }

    /// Estimates the noise, and draws the values of the memory in anew. `None` if they are all equal.
    pub(crate) fn noise(&self, detector: &Detector, drawn: &mut Sums) -> Option<Noise> {
        let t = self.values.len();
        let n = t.min(detector.memory);
        let begin = t - n;
        let own = &self.values[begin..];
        let spread = spread(own)?;
        let settled = &self.values[begin..t - ASIDE];
        let far = settled.iter().zip(&self.medians[begin..]).filter(|(x, c)| (*x - *c).abs() > FAR * spread);
        let far = (far.count() + 1) as f64 / (settled.len() + 1) as f64;
        let clip = spread * (DRAWN_IN + QUIET * (1.0 - far / OFTEN_FAR).max(0.0));
        drawn.replace(begin, (begin..t).map(|i| self.drawn_in(i, clip)));
        let rest = self.rest(drawn, begin);
        let near = lagged(&rest, 1);
        // Differences of equal values without their levels are 0 up to rounding.
        let (single, ratio) = if near <= ROUNDING * spread {
            (spread * spread, 1.0)
        } else {
            ((near / DIFFERENCE).powi(2), (lagged(&rest, 2) / near).powi(2))
        };
        let dependence = (ratio - 1.0 + 0.5 / (n as f64).sqrt()).clamp(0.0, MOST_DEPENDENCE);
        let (factors, flat) = factors(&rest, single, dependence, detector.longest);
        let variances = between_powers(&factors).into_iter().map(|factor| single * factor).collect();
        Some(Noise { clip, local: local_variance(&rest, single), flat, memory: n, begin, variances })
    }

    /// The values of the memory without their levels: a step that is not told yet must not pass for noise.
    fn rest(&self, drawn: &Sums, begin: usize) -> Vec<f64> {
        let t = self.values.len();
        let mut cuts = vec![begin];
        cuts.extend(self.points.iter().copied().filter(|&point| begin < point && point < t));
        let last = cuts[cuts.len() - 1];
        if t - last >= LEAST_SINCE {
            cuts.extend(drawn.best_split((last, t), (last + 2, t - 2), t, self.places));
        }
        cuts.push(t);
        let mut rest = Vec::with_capacity(t - begin);
        for pair in cuts.windows(2) {
            let level = drawn.mean(pair[0], pair[1]);
            rest.extend(drawn.values[pair[0]..pair[1]].iter().map(|value| value - level));
        }
        rest
    }
}

/// The standard deviation of a value, from differences of neighbours; `None` if all values are equal.
fn spread(values: &[f64]) -> Option<f64> {
    let robust = lagged(values, 1) / DIFFERENCE;
    if robust > 0.0 {
        return Some(robust);
    }
    // With a coarse clock nine in ten differences can be 0.
    let squares: f64 = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let spread = (squares / (values.len() - 1) as f64 / 2.0).sqrt();
    (spread > 0.0).then_some(spread)
}

/// The 90 % quantile of absolute differences of values `lag` apart.
fn lagged(values: &[f64], lag: usize) -> f64 {
    quantile_of(values.iter().zip(&values[lag..]).map(|(a, b)| (b - a).abs()), 0.9)
}

/// By how much means of `count` values of an autoregression vary more than those of independent values.
fn autoregressive(dependence: f64, count: usize) -> f64 {
    if dependence == 0.0 {
        return 1.0;
    }
    let (phi, k) = (dependence, count as f64);
    let left = 1.0 - phi;
    ((1.0 + phi) / left - 2.0 * phi * (1.0 - phi.powf(k)) / (k * left * left)) / left
}

/// The factors of the variance at powers of two, and whether dependence explains them.
fn factors(rest: &[f64], single: f64, dependence: f64, longest: usize) -> (Vec<f64>, bool) {
    let mut sums = Sums::new();
    sums.replace(0, rest.iter().copied());
    let (mut found, mut count) = (vec![1.0], 2);
    while count <= longest && MEASURED * count <= rest.len() {
        let steps = (0..=rest.len() - 2 * count)
            .map(|i| (sums.sum(i + count, i + 2 * count) - sums.sum(i, i + count)).abs());
        let size = quantile_of(steps, 0.5) / MIDDLE / count as f64;
        let measured = size * size * count as f64 / (2.0 * single);
        found.push(measured.max(autoregressive(dependence, count)).max(1.0));
        count *= 2;
    }
    let (last, at) = (found[found.len() - 1], count / 2);
    let before = found.len().checked_sub(2).map_or(last, |place| found[place]);
    let power = (last / before).log2().clamp(GROWTH.0, GROWTH.1);
    while count <= longest {
        let grown = last * (count as f64 / at as f64).powf(power);
        found.push(grown.max(autoregressive(dependence, count)));
        count *= 2;
    }
    (found, last <= FLAT * autoregressive(dependence, at).max(1.0))
}

/// The factors of all numbers, from those of powers of two by straight lines.
fn between_powers(factors: &[f64]) -> Vec<f64> {
    let mut all = vec![factors[0], factors[0]];
    for (power, pair) in factors.windows(2).enumerate() {
        let count = 1 << power;
        let slope = (pair[1] - pair[0]) / f64::from(count);
        all.extend((1..count).map(|i| pair[0] + slope * f64::from(i)));
        all.push(pair[1]);
    }
    all
}

/// The mean variance of short windows.
fn local_variance(rest: &[f64], single: f64) -> f64 {
    let length = LOCAL.min(rest.len());
    let (mut sum, mut windows, mut from) = (0.0, 0.0, 0);
    while from + length <= rest.len() {
        let part = &rest[from..from + length];
        let mean = part.iter().sum::<f64>() / length as f64;
        sum += part.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (length - 1) as f64;
        windows += 1.0;
        from += length / 2;
    }
    (sum / windows).max(single / 10.0)
}

// The evidence of a step at a place: how far the means before and after it are apart, in their standard
// error.

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
struct Moment<'a> {
    /// The values.
    pub(crate) values: &'a [f64],
    /// The values drawn in.
    pub(crate) drawn: &'a Sums,
    /// The noise.
    pub(crate) noise: &'a Noise,
    /// Places at which a change may begin.
    pub(crate) places: &'a [bool],
}

impl Moment<'_> {
    /// The squared step at `place` between `before` and `after` values, in squared standard errors.
    pub(crate) fn evidence(&self, place: usize, before: usize, after: usize) -> f64 {
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
    fn is_abrupt(&self, place: usize, before: usize, after: usize) -> bool {
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
    fn level_length(&self, since: usize, after: usize, reach: usize, longest: usize) -> usize {
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

    /// The values since `begin` that count as everything before a place.
    fn before(&self, place: usize, begin: usize) -> &[f64] {
        &self.values[begin.max(place.saturating_sub(SEEN))..place]
    }

    /// The standard deviation of a value, beyond which others are clear. A step that has just begun is part of the noise at
    /// the last look, and of a young series it is much of it: the fewer values the series has, the more that of both sides
    /// around their own means counts. Few values before that happen to lie close together do not decide it alone.
    fn of_value(&self, place: usize, count: usize, begin: usize) -> f64 {
        let seen = self.noise.seen().sqrt();
        // A single value is a suspect only; it widens the estimate little.
        if place >= SEEN || count < CLEAR {
            return seen;
        }
        let young = 1.0 - place.saturating_sub(CERTAIN) as f64 / (SEEN - CERTAIN) as f64;
        let (before, after) = (&self.values[begin..place], &self.values[place..place + count]);
        let around = |side: &[f64]| {
            let mean = mean(side);
            side.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
        };
        let own = ((around(before) + around(after)) / (before.len() + count - 2) as f64).sqrt();
        // Equal values are those of a coarse clock or of a counter: they say nothing of how far the next one may be.
        if own > ROUNDING * seen { seen + young * (own - seen) } else { seen }
    }

    /// The place of the change that the newest values of `t` tell, if enough of them stand clear of all since `begin`.
    fn told(&self, t: usize, begin: usize) -> Option<usize> {
        let after = CLEAR..=MOST_CLEAR.min(t.saturating_sub(begin + LEAST_SEEN));
        after
            .map(|count| t - count)
            .find(|&place| place + clear(place - begin) == t && self.is_told(place, t, begin))
    }

    /// Whether the values from a place on, of `t`, are enough, and stand clear of all since `begin`.
    fn is_told(&self, place: usize, t: usize, begin: usize) -> bool {
        let count = clear(place - begin);
        t >= begin + CERTAIN && place + count <= t && self.is_clear(place, count, begin)
    }

    /// Whether the level of the values from a place to `end` is still clear of all since `begin`: what came back is none.
    fn lasts(&self, place: usize, end: usize, begin: usize) -> bool {
        let level = median(&self.values[place..end]);
        beyond(self.before(place, begin), &[level]) > GAP * self.of_value(place, clear(place - begin), begin)
    }

    /// Whether a value after some that stood clear is nearer to the level before them.
    fn came_back(&self, clear: Spike, value: usize, begin: usize) -> bool {
        let far = |level: f64| (self.values[value] - level).abs();
        far(median(self.before(clear.place, begin))) < far(median(&self.values[clear.place..value]))
    }

    /// Whether `count` values from a place on stand clear of all values since `begin`, of which there are enough.
    fn is_clear(&self, place: usize, count: usize, begin: usize) -> bool {
        let least = if count < CLEAR { LEAST_SEEN_OF_SUSPECTS } else { LEAST_SEEN };
        if place < begin + least || !self.places[place] {
            return false;
        }
        let (before, after) = (self.before(place, begin), &self.values[place..place + count]);
        let gap = beyond(before, after);
        // Most values are within those before: their noise need not be known.
        if gap <= 0.0 {
            return false;
        }
        let value = self.of_value(place, count, begin);
        // The ends of two ranges are two values; their means know more of noise that wanders.
        gap > GAP * value && (count < CLEAR || (mean(after) - mean(before)).abs() > APART * value)
    }
}

/// By how much values stand above or below all before: the least of them.
fn beyond(before: &[f64], after: &[f64]) -> f64 {
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (least(after) - most(before)).max(least(before) - most(after))
}

/// How many values it takes to see that a level moves without a step. With fewer, half of a cycle or a few neighbours that
/// depend on each other pass for it.
const LEAST_CLIMB: usize = 28;
/// The first and the last of them are so many standard deviations of a value apart, next to their noise.
const MOVED: f64 = 4.0;

/// Whether a level moves in one direction without a step: each quarter of the values is beyond those before, as far as two
/// beside each other can be told apart, and most of the last quarter is clear of most of the first.
fn climbs(values: &[f64]) -> bool {
    let (n, quarter) = (values.len(), values.len() / 4);
    if n < LEAST_CLIMB {
        return false;
    }
    let last = &values[n - quarter..];
    let parts =
        [&values[..quarter], &values[quarter..2 * quarter], &values[n - 2 * quarter..n - quarter], last];
    let [first, second, third, fourth] = parts.map(median);
    let moves = |from: f64, to: f64| (to - from) * (fourth - first) > 0.0;
    moves(first, third) && moves(second, third) && moves(third, fourth) && is_beyond_first(values, last)
}

/// Whether most of some values are clear of most of the first quarter of a stretch, by its noise: that of neighbours, or that
/// around a climb where values wander. What moves slowly is none.
fn is_beyond_first(stretch: &[f64], values: &[f64]) -> bool {
    let first = &stretch[..stretch.len() / 4];
    let ends = |of: &[f64]| [0.1, 0.9].map(|level| quantile_of(of.iter().copied(), level));
    let ([low, high], [least, most]) = (ends(first), ends(values));
    let noise = |of_neighbours: f64| of_neighbours.max(around_climb(stretch, stretch.len() / 8));
    spread(stretch).is_some_and(|found| (least - high).max(low - most) > MOVED * noise(found))
}

/// The deviation of values from the middle of those that stand `lag` before and after them, as if all were independent: it
/// is large where they wander, and small where they climb evenly.
fn around_climb(values: &[f64], lag: usize) -> f64 {
    let bends = values
        .iter()
        .zip(&values[lag..])
        .zip(&values[2 * lag..])
        .map(|((a, b), c)| (b - (a + c) / 2.0).abs());
    quantile_of(bends, 0.5) / MIDDLE / 1.5_f64.sqrt()
}

/// How many values must stand clear of so many before. By chance, `k` values of one distribution are all above `n` before
/// them once in C(n + k, k) times: 455 for three after twelve. Below twelve it is once in 1,000 times at most, since each
/// number of values before is one more look.
fn clear(before: usize) -> usize {
    match before {
        CERTAIN.. => CLEAR,
        10.. => 4,
        8.. => 5,
        7 => 6,
        6 => 7,
        _ => MOST_CLEAR,
    }
}

// The forward pass: at each value, whether a change is told.

/// So many values that stand clear of everything before are an alarm, of twelve values before; fewer are suspect.
const CLEAR: usize = 3;
const MOST_CLEAR: usize = 8;
/// Everything before: so many values, and at least so many; fewer make a value suspect, which tells nobody but whoever
/// asks whether to measure again.
const SEEN: usize = 256;
const LEAST_SEEN: usize = 5;
/// So many values are needed in all.
const CERTAIN: usize = 12;
/// Values are clear of those before if their ranges are so many standard deviations of a value apart, and their means so
/// many: a step of 15 % at 2 % noise is seven. Noise whose neighbours depend on each other reaches the first by chance.
const GAP: f64 = 2.0;
const APART: f64 = 4.75;
const LEAST_SEEN_OF_SUSPECTS: usize = 2;
/// Longer windows grow by this factor.
const WINDOW_GROWTH: f64 = 1.1;
/// Levels before a window that looks back are as long as for a window of so many values.
const BACK: usize = 8;

/// The pass, value after value.
struct Forward<'a> {
    values: &'a [f64],
    places: &'a [bool],
    detector: &'a Detector,
    medians: Vec<f64>,
    drawn: Sums,
    points: Vec<usize>,
    next_look: usize,
    /// What was told.
    alarms: Vec<Alarm>,
    /// The noise at the last look.
    pub(crate) noise: Option<Noise>,
    /// Values outside everything before them.
    pub(crate) outside: Outside,
}

/// What a pass knows after some values: with it, and these values, it goes on where it stood.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// Number of the values.
    pub count: usize,
    ratio: bool,
    unit: f64,
    next_look: usize,
    alarms: Vec<Alarm>,
    outside: Outside,
    noise: Option<Noise>,
    drawn: Vec<f64>,
}

impl Taken {
    /// Appends it to bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        put(to, self.count);
        put(to, usize::from(self.ratio));
        to.extend(self.unit.to_le_bytes());
        put(to, self.next_look);
        put_all(to, &self.alarms, |to, alarm| {
            put(to, alarm.place);
            put(to, alarm.raised);
        });
        put_all(to, &self.outside.found, put_spike);
        put_all(to, self.outside.open.as_slice(), put_spike);
        put_all(to, self.noise.as_slice(), |to, noise| {
            put_numbers(to, &[noise.clip, noise.local]);
            put(to, usize::from(noise.flat));
            put(to, noise.memory);
            put(to, noise.begin);
            put_numbers(to, &noise.variances);
        });
        put_numbers(to, &self.drawn);
    }

    /// Takes it from the beginning of bytes; `None` if they are too few.
    pub fn read(from: &mut &[u8]) -> Option<Self> {
        let count = take(from)?;
        let ratio = take(from)? != 0;
        let unit = f64::from_bits(take(from)? as u64);
        let next_look = take(from)?;
        let alarms =
            take_all(from, |from| Some(Alarm { place: take(from)?, raised: take(from)?, withdrawn: false }))?;
        let found = take_all(from, take_spike)?;
        let open = take_all(from, take_spike)?.pop();
        let noise = take_all(from, |from| {
            let [clip, local] = take_numbers(from)?.try_into().ok()?;
            let flat = take(from)? != 0;
            let (memory, begin) = (take(from)?, take(from)?);
            Some(Noise { clip, local, flat, memory, begin, variances: take_numbers(from)? })
        })?
        .pop();
        let drawn = take_numbers(from)?;
        let outside = Outside { found, open };
        Some(Self { count, ratio, unit, next_look, alarms, outside, noise, drawn })
    }
}

impl Changes {
    /// Appends them to bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        put_all(to, &self.alarms, |to, alarm| {
            put(to, alarm.place);
            put(to, alarm.raised);
            put(to, usize::from(alarm.withdrawn));
        });
        put_all(to, &self.points, |to, point| {
            for number in [point.place, point.first, point.last, point.raised, usize::from(point.returns)] {
                put(to, number);
            }
            put_numbers(to, &[point.size, point.low, point.high, point.strength, point.p]);
        });
        put_all(to, &self.spikes, put_spike);
        put_all(to, self.suspect.as_slice(), put_spike);
        put(to, usize::from(self.ratio));
        to.extend(self.noise.to_le_bytes());
    }

    /// Takes them from the beginning of bytes; `None` if they are too few.
    pub fn read(from: &mut &[u8]) -> Option<Self> {
        let alarms = take_all(from, |from| {
            Some(Alarm { place: take(from)?, raised: take(from)?, withdrawn: take(from)? != 0 })
        })?;
        let points = take_all(from, |from| {
            let (place, first, last) = (take(from)?, take(from)?, take(from)?);
            let (raised, returns) = (take(from)?, take(from)? != 0);
            let [size, low, high, strength, p] = take_numbers(from)?.try_into().ok()?;
            Some(Point { place, first, last, size, low, high, strength, p, raised, returns })
        })?;
        let spikes = take_all(from, take_spike)?;
        let suspect = take_all(from, take_spike)?.pop();
        let ratio = take(from)? != 0;
        let noise = f64::from_bits(take(from)? as u64);
        Some(Self { alarms, points, spikes, suspect, ratio, noise })
    }
}

// Numbers as bytes: eight of each, the least first; lists begin with their length.

fn put(to: &mut Vec<u8>, number: usize) {
    to.extend((number as u64).to_le_bytes());
}

fn put_all<T>(to: &mut Vec<u8>, all: &[T], each: impl Fn(&mut Vec<u8>, &T)) {
    put(to, all.len());
    for one in all {
        each(to, one);
    }
}

fn put_numbers(to: &mut Vec<u8>, numbers: &[f64]) {
    put_all(to, numbers, |to, number| to.extend(number.to_le_bytes()));
}

fn put_spike(to: &mut Vec<u8>, spike: &Spike) {
    put(to, spike.place);
    put(to, spike.values);
}

fn take(from: &mut &[u8]) -> Option<usize> {
    let (number, rest) = from.split_first_chunk()?;
    *from = rest;
    usize::try_from(u64::from_le_bytes(*number)).ok()
}

fn take_all<T>(from: &mut &[u8], each: impl Fn(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    // What is stated may be damaged: room is made for what is there.
    let count = take(from).filter(|&count| count <= from.len())?;
    (0..count).map(|_| each(from)).collect()
}

fn take_numbers(from: &mut &[u8]) -> Option<Vec<f64>> {
    take_all(from, |from| Some(f64::from_bits(take(from)? as u64)))
}

fn take_spike(from: &mut &[u8]) -> Option<Spike> {
    Some(Spike { place: take(from)?, values: take(from)? })
}

/// The strongest step so far: its evidence, place and number of values after it.
type Step = (f64, usize, usize);

impl<'a> Forward<'a> {
    pub(crate) fn new(values: &'a [f64], places: &'a [bool], detector: &'a Detector) -> Self {
        Self {
            values,
            places,
            detector,
            medians: Vec::with_capacity(values.len()),
            drawn: Sums::new(),
            points: Vec::new(),
            // The noise needs a running median, and means of two values.
            next_look: detector.first_look.max(2 * ASIDE + 1),
            alarms: Vec::new(),
            noise: None,
            outside: Outside::default(),
        }
    }

    /// Goes on where a pass of the first values stood; returns how many these are, none if it cannot be one of them.
    fn resume(&mut self, before: &Taken) -> usize {
        let count = before.count;
        if count > self.values.len() || before.drawn.len() != count {
            return 0;
        }
        // Only the noise reads running medians, as far back as its memory.
        let begin = count.saturating_sub(self.detector.memory + ASIDE);
        self.medians.resize(begin, f64::NAN);
        let settled = count.saturating_sub(ASIDE);
        self.medians.extend((begin..settled.max(begin)).map(|at| running_median(self.values, at)));
        let last = if settled > 0 { self.medians[settled - 1] } else { f64::NAN };
        self.medians.resize(count, last);
        self.drawn.replace(0, before.drawn.iter().copied());
        self.points = before.alarms.iter().map(|alarm| alarm.place).collect();
        self.alarms.clone_from(&before.alarms);
        self.next_look = before.next_look;
        self.noise.clone_from(&before.noise);
        self.outside = before.outside.clone();
        count
    }

    /// What is known now.
    fn taken(self, ratio: bool, unit: f64) -> Taken {
        Taken {
            count: self.values.len(),
            ratio,
            unit,
            next_look: self.next_look,
            alarms: self.alarms,
            outside: self.outside,
            noise: self.noise,
            drawn: self.drawn.values,
        }
    }

    /// Takes the next value.
    fn arrive(&mut self, newest: usize) {
        let t = newest + 1;
        let from = self.learn(newest);
        match &self.noise {
            Some(noise) => {
                let known = known(self.values, &self.medians, self.places, &self.points, t);
                self.drawn.replace(from, (from..t).map(|i| known.drawn_in(i, noise.clip)));
            }
            None => self.drawn.replace(newest, core::iter::once(self.values[newest])),
        }
        let looked = t >= self.next_look;
        if looked {
            self.look(t);
        }
        let Some(noise) = &self.noise else { return };
        let moment = Moment { values: self.values, drawn: &self.drawn, noise, places: self.places };
        let begin = self.points.last().copied().unwrap_or(0);
        self.outside.arrive(&moment, newest, begin);
        if let Some(place) = self.alarm(&moment, t, begin, looked) {
            self.alarms.push(Alarm { place, raised: newest, withdrawn: false });
            self.points.push(place);
            self.next_look = t + 1;
            self.outside.settle(place);
        }
    }

    /// Takes the running median that the newest value completes; returns the first position whose median changed.
    fn learn(&mut self, newest: usize) -> usize {
        let Some(complete) = newest.checked_sub(ASIDE) else {
            self.medians.push(f64::NAN);
            return newest;
        };
        self.medians.push(f64::NAN);
        let median = running_median(self.values, complete);
        self.medians[complete..].fill(median);
        complete
    }

    fn look(&mut self, t: usize) {
        let known = known(self.values, &self.medians, self.places, &self.points, t);
        self.noise = known.noise(self.detector, &mut self.drawn);
        let grown = (self.detector.look_growth * t as f64 + ROUNDING) as usize;
        // Where all values are equal so far, the next one is looked at again.
        self.next_look = if self.noise.is_some() { grown.max(t + 1) } else { t + 1 };
    }

    /// The place of a change that is told now.
    fn alarm(&self, moment: &Moment<'_>, t: usize, begin: usize, looked: bool) -> Option<usize> {
        let detector = self.detector;
        let reach = detector.reach(t);
        let degrees = moment.noise.memory as f64 / detector.values_a_degree;
        let limit = degrees * (detector.threshold(t) / degrees).exp_m1();
        let mut best = (0.0, 0, 0);
        let mut after = LEAST_WINDOW;
        while after <= reach && t >= begin + LEAST_WINDOW + after {
            let place = t - after;
            if self.places[place] {
                let before = moment.level_length(place - begin, after, reach, detector.longest);
                stronger(&mut best, moment, (place, before, after), limit);
            }
            after = (after + 1).max((WINDOW_GROWTH * after as f64 + ROUNDING) as usize);
        }
        if best.0 > limit {
            let after = best.2;
            let first = (begin + 1).max(t.saturating_sub(2 * after)).max(t - reach);
            return self.split(begin, t, (first, t - 1 - after / 2), reach);
        }
        if let Some(place) = moment.told(t, begin) {
            return Some(place);
        }
        if looked {
            for place in begin + LEAST_WINDOW..(t + 1).saturating_sub(LEAST_WINDOW) {
                if self.places[place] {
                    let after = (t - place).min(reach);
                    let before = moment.level_length(place - begin, after.min(BACK), reach, detector.longest);
                    stronger(&mut best, moment, (place, before, after), limit);
                }
            }
            if best.0 > limit {
                let (_, place, after) = best;
                let first = (begin + 1).max(place.saturating_sub(after / 2));
                return self.split(begin, t, (first, (t - 2).min(place + after / 2)), reach);
            }
            let from = begin.max(t.saturating_sub(SEEN));
            if climbs(&self.values[from..t]) {
                let quarter = (t - from) / 4;
                return self.split(from, t, (from + quarter, t - quarter), t);
            }
        }
        None
    }

    fn split(&self, begin: usize, t: usize, range: (usize, usize), reach: usize) -> Option<usize> {
        self.drawn.best_split((begin, t), range, reach, self.places)
    }
}

/// Keeps a step if it is stronger than the best so far; one above the limit must be abrupt.
fn stronger(best: &mut Step, moment: &Moment<'_>, (place, before, after): (usize, usize, usize), limit: f64) {
    let found = moment.evidence(place, before, after);
    if found > best.0 * EQUAL && (found <= limit || moment.is_abrupt(place, before, after)) {
        *best = (found, place, after);
    }
}

/// What is known at the moment at which `t` values have arrived.
fn known<'a>(
    values: &'a [f64],
    medians: &'a [f64],
    places: &'a [bool],
    points: &'a [usize],
    t: usize,
) -> Known<'a> {
    Known { values: &values[..t], medians: &medians[..t], places, points }
}

/// Values outside everything before them, as long as they are too few for an alarm.
#[derive(Debug, Clone, Default)]
struct Outside {
    found: Vec<Spike>,
    open: Option<Spike>,
}

impl Outside {
    fn arrive(&mut self, moment: &Moment<'_>, newest: usize, begin: usize) {
        if let Some(open) = &mut self.open {
            // Together they stand outside on one side, or the earlier ones came back.
            if open.values + 1 < clear(open.place - begin)
                && moment.is_clear(open.place, open.values + 1, begin)
            {
                open.values += 1;
                return;
            }
            self.found.extend(self.open.take().filter(|&open| moment.came_back(open, newest, begin)));
        }
        if moment.is_clear(newest, 1, begin) {
            self.open = Some(Spike { place: newest, values: 1 });
        }
    }

    /// Forgets what an alarm at a place has made a level.
    fn settle(&mut self, place: usize) {
        self.found.retain(|spike| spike.place + spike.values <= place);
        self.open = None;
    }

    /// The values that came back.
    fn spikes(&self) -> Vec<Spike> {
        self.found.clone()
    }

    /// The newest values, if they stand outside.
    fn suspect(&self) -> Option<Spike> {
        self.open
    }
}

// The points with hindsight: which alarms still hold once more is known, and their places and sizes.

/// The place is looked for so far from the alarm's, with windows of this length.
const NEAR: usize = 10;
const WINDOW: usize = 64;
/// The shortest window, where there are more values.
const LEAST: usize = 4;
/// Twice the logarithm of the likelihood ratio up to which a place is not excluded.
const LIKELY: f64 = 6.0;

/// What is known of a point at the moment from which it is judged.
struct Judged {
    strength: f64,
    noise: Noise,
    drawn: Sums,
    /// The first place at which it may begin if it is no step, but a level that moved.
    slope: Option<usize>,
}

/// The whole series.
struct Series<'a> {
    values: &'a [f64],
    places: &'a [bool],
    detector: &'a Detector,
}

/// Returns alarms and points.
pub(crate) fn points(values: &[f64], places: &[bool], detector: &Detector, alarms: &[Alarm]) -> Changes {
    let series = Series { values, places, detector };
    let mut kept: Vec<Alarm> = alarms.to_vec();
    kept.sort_unstable_by_key(|alarm| alarm.place);
    let points = loop {
        let judged = series.judge(&kept);
        let strength = |number: &usize| judged[*number].as_ref().map_or(f64::NEG_INFINITY, |of| of.strength);
        match (0..judged.len()).min_by(|a, b| strength(a).total_cmp(&strength(b))) {
            Some(weakest) if strength(&weakest) < 0.0 => {
                kept.remove(weakest);
                continue;
            }
            _ => {}
        }
        let points = series.all_placed(&kept, &judged);
        // Of values most of which are equal, rare others come more or less often: the level is the same.
        match points.iter().position(|point| point.size == 0.0) {
            Some(none) => drop(kept.remove(none)),
            None => break points,
        }
    };
    let withdrawn = |alarm: &Alarm| !kept.iter().any(|other| other.raised == alarm.raised);
    let alarms = alarms.iter().map(|alarm| Alarm { withdrawn: withdrawn(alarm), ..*alarm }).collect();
    Changes { alarms, points, ..Changes::default() }
}

impl Series<'_> {
    /// Estimates all points in their order.
    fn all_placed(&self, kept: &[Alarm], judged: &[Option<Judged>]) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::with_capacity(kept.len());
        for (number, judged) in judged.iter().flatten().enumerate() {
            // Behind the point before where it stands now, so that two points never meet or pass each other.
            let begin = points.last().map_or(0, |before| before.place);
            let (_, end) = self.neighbours(kept, number);
            let mut point = self.placed(kept[number], judged, begin, end);
            point.returns = points.last().is_some_and(|before| undoes(&point, before));
            points.push(point);
        }
        points
    }

    /// The points before and after a point, or the ends.
    fn neighbours(&self, kept: &[Alarm], number: usize) -> (usize, usize) {
        let before = number.checked_sub(1).map_or(0, |place| kept[place].place);
        (before, kept.get(number + 1).map_or(self.values.len(), |alarm| alarm.place))
    }

    /// The running medians of the first `t` values: of the last ones that which is known. Only the noise reads them, as far
    /// back as its memory.
    fn medians(&self, t: usize) -> Vec<f64> {
        let settled = t - ASIDE;
        let begin = settled.saturating_sub(self.detector.memory + 1);
        let mut medians = vec![f64::NAN; begin];
        medians.extend((begin..settled).map(|at| running_median(self.values, at)));
        medians.resize(t, medians[settled - 1]);
        medians
    }

    /// Judges every point; `None` where nothing varies.
    fn judge(&self, kept: &[Alarm]) -> Vec<Option<Judged>> {
        let places: Vec<usize> = kept.iter().map(|alarm| alarm.place).collect();
        (0..kept.len()).map(|number| self.judged(kept, &places, number)).collect()
    }

    /// Judges a point from half a memory after it.
    fn judged(&self, kept: &[Alarm], points: &[usize], number: usize) -> Option<Judged> {
        let (n, detector) = (self.values.len(), self.detector);
        let place = kept[number].place;
        let t = n.min((place + detector.memory / 2).max(detector.memory));
        let medians = self.medians(t);
        let known = Known { values: &self.values[..t], medians: &medians, places: self.places, points };
        let mut drawn = Sums::new();
        drawn.replace(0, known.values.iter().copied());
        let noise = known.noise(detector, &mut drawn)?;
        let (begin, end) = self.neighbours(kept, number);
        let reach = detector.reach(n);
        let after = (end - place).min(reach).min(t - place);
        let before = (place - begin).min(reach).min(place - noise.begin);
        let moment = Moment { values: known.values, drawn: &drawn, noise: &noise, places: self.places };
        let mut most = 0.0_f64;
        for k in halves(after) {
            for m in halves(before).filter(|&m| moment.is_abrupt(place, m, k)) {
                most = most.max(moment.evidence(place, m, k));
            }
        }
        let degrees = noise.memory as f64 / detector.values_a_degree;
        let mut strength = degrees * (most / degrees).ln_1p() - detector.threshold(n);
        let mut slope = None;
        if strength < 0.0 {
            let is_told = self.is_told_still(kept, number, (begin, end.min(t)));
            slope = if is_told { None } else { self.slope(kept[number], (begin, end.min(t))) };
            if is_told || slope.is_some() {
                strength = 0.0;
            }
        }
        Some(Judged { strength, noise, drawn, slope })
    }

    /// Whether values that stood clear when they raised an alarm have not come back: by the noise that was known then, since
    /// a level that goes on moving is no noise.
    fn is_told_still(&self, kept: &[Alarm], number: usize, (begin, end): (usize, usize)) -> bool {
        let alarm = kept[number];
        let t = alarm.raised + 1;
        let before = kept.iter().filter(|other| other.raised < alarm.raised && other.place < t);
        let points: Vec<usize> = before.map(|other| other.place).collect();
        let medians = self.medians(t);
        let known = known(self.values, &medians, self.places, &points, t);
        let mut drawn = Sums::new();
        drawn.replace(0, known.values.iter().copied());
        let Some(noise) = known.noise(self.detector, &mut drawn) else { return false };
        let moment = Moment { values: self.values, drawn: &drawn, noise: &noise, places: self.places };
        moment.is_told(alarm.place, t, begin) && moment.lasts(alarm.place, end, begin)
    }

    /// The first place at which a level may have begun to move: one that moved when it raised an alarm and has not come back,
    /// or one that was seen to move later.
    fn slope(&self, alarm: Alarm, (begin, end): (usize, usize)) -> Option<usize> {
        let stretch = |end: usize| (begin.max(end.saturating_sub(SEEN)), end);
        let level = median(&self.values[alarm.place..end]);
        [stretch(alarm.raised + 1), stretch(end)].into_iter().find_map(|(from, to)| {
            let seen = &self.values[from..to];
            (climbs(seen) && is_beyond_first(seen, &[level])).then(|| from + seen.len() / 4)
        })
    }

    /// Estimates place and size of a point between its neighbours.
    fn placed(&self, alarm: Alarm, judged: &Judged, begin: usize, end: usize) -> Point {
        let Judged { strength, noise, drawn, slope } = judged;
        let known = end.min(drawn.values.len());
        let range = (
            (begin + 1).max(alarm.place.saturating_sub(NEAR)),
            (end - 1).min(alarm.place + NEAR).min(alarm.raised),
        );
        let place = drawn.best_split((begin, known), range, WINDOW, self.places).unwrap_or(alarm.place);
        let (before, after) = ((place - begin).min(WINDOW), (end - place).min(WINDOW));
        let (old, new) = (&self.values[place - before..place], &self.values[place..place + after]);
        let (mut first, last) = self.interval(place, (before, after), noise);
        if let Some(from) = *slope {
            first = (from.max(begin + 1)..first).find(|&at| self.places[at]).unwrap_or(first);
        }
        let size = median_of(new.iter().flat_map(|b| old.iter().map(move |a| b - a)));
        let half = self.detector.size_errors * (noise.of_mean(before) + noise.of_mean(after)).sqrt();
        let p = (self.detector.level * (-strength / 2.0).exp()).min(1.0);
        let (low, high) = (size - half, size + half);
        Point {
            place,
            first,
            last,
            size,
            low,
            high,
            strength: *strength,
            p,
            raised: alarm.raised,
            returns: false,
        }
    }

    /// The hull of the places that are not much less likely than the best.
    fn interval(&self, place: usize, (before, after): (usize, usize), noise: &Noise) -> (usize, usize) {
        let (old, new) =
            (median(&self.values[place - before..place]), median(&self.values[place..place + after]));
        let (least, most) = (old.min(new) - noise.clip, old.max(new) + noise.clip);
        let limit = LIKELY * noise.variance(before.min(after));
        // By how much a value is nearer to the old level than to the new one.
        let nearer_old = |i: usize| {
            let value = self.values[i].clamp(least, most);
            (value - new).powi(2) - (value - old).powi(2)
        };
        let (mut first, mut last, mut sum) = (place, place, 0.0);
        for i in (place + 1 - before..place).rev() {
            sum += nearer_old(i);
            if sum <= limit && self.places[i] {
                first = i;
            }
        }
        sum = 0.0;
        for i in place + 1..place + after {
            sum -= nearer_old(i - 1);
            if sum <= limit && self.places[i] {
                last = i;
            }
        }
        (first, last)
    }
}

/// A length, its half, its quarter, … as long as they are no shorter than the least.
fn halves(length: usize) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(length), |&length| Some(length / 2).filter(|&half| half >= LEAST))
}

/// Whether a point takes back the one before it: sizes of opposite sign whose intervals of magnitude overlap.
fn undoes(point: &Point, before: &Point) -> bool {
    let magnitudes = |of: &Point| if of.size < 0.0 { (-of.high, -of.low) } else { (of.low, of.high) };
    let ((low, high), (low_before, high_before)) = (magnitudes(point), magnitudes(before));
    (point.size < 0.0) != (before.size < 0.0) && low <= high_before && low_before <= high
}
