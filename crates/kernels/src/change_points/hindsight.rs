//! The points with hindsight: which alarms still hold once more is known, and their places and sizes.

use crate::quantile::{median, median_of};

use super::evidence::Moment;
use super::forward::CLEAR;
use super::noise::{ASIDE, Known, Noise, running_median};
use super::stretch::Sums;
use super::{Alarm, Changes, Detector, Point};

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
}

/// The whole series with its running medians; those of the last values as at the end.
struct Series<'a> {
    values: &'a [f64],
    places: &'a [bool],
    medians: Vec<f64>,
    detector: &'a Detector,
}

/// Returns alarms and points.
pub fn points(values: &[f64], places: &[bool], detector: &Detector, alarms: &[Alarm]) -> Changes {
    let settled = values.len().saturating_sub(ASIDE);
    let medians = (0..settled).map(|at| running_median(values, at)).collect();
    let series = Series { values, places, medians, detector };
    let mut kept: Vec<Alarm> = alarms.to_vec();
    kept.sort_unstable_by_key(|alarm| alarm.place);
    let judged = loop {
        let judged = series.judge(&kept);
        let strength = |number: &usize| judged[*number].as_ref().map_or(f64::NEG_INFINITY, |of| of.strength);
        match (0..judged.len()).min_by(|a, b| strength(a).total_cmp(&strength(b))) {
            Some(weakest) if strength(&weakest) < 0.0 => drop(kept.remove(weakest)),
            _ => break judged,
        }
    };
    let mut points: Vec<Point> = Vec::with_capacity(kept.len());
    for (number, judged) in judged.iter().flatten().enumerate() {
        // Behind the point before where it stands now, so that two points never meet or pass each other.
        let begin = points.last().map_or(0, |before| before.place);
        let (_, end) = series.neighbours(&kept, number);
        let mut point = series.placed(kept[number], judged, begin, end);
        point.returns = points.last().is_some_and(|before| undoes(&point, before));
        points.push(point);
    }
    let withdrawn = |alarm: &Alarm| !kept.iter().any(|other| other.raised == alarm.raised);
    let alarms = alarms.iter().map(|alarm| Alarm { withdrawn: withdrawn(alarm), ..*alarm }).collect();
    Changes { alarms, points, ..Changes::default() }
}

impl Series<'_> {
    /// The points before and after a point, or the ends.
    fn neighbours(&self, kept: &[Alarm], number: usize) -> (usize, usize) {
        let before = number.checked_sub(1).map_or(0, |place| kept[place].place);
        (before, kept.get(number + 1).map_or(self.values.len(), |alarm| alarm.place))
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
        let mut medians = self.medians[..t - ASIDE].to_vec();
        medians.resize(t, self.medians[t - ASIDE - 1]);
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
        if strength < 0.0 && place + CLEAR <= t && moment.is_clear(place, CLEAR, begin) {
            strength = 0.0;
        }
        Some(Judged { strength, noise, drawn })
    }

    /// Estimates place and size of a point between its neighbours.
    fn placed(&self, alarm: Alarm, judged: &Judged, begin: usize, end: usize) -> Point {
        let Judged { strength, noise, drawn } = judged;
        let known = end.min(drawn.values.len());
        let range = ((begin + 1).max(alarm.place.saturating_sub(NEAR)), (end - 1).min(alarm.place + NEAR));
        let place = drawn.best_split((begin, known), range, WINDOW, self.places).unwrap_or(alarm.place);
        let (before, after) = ((place - begin).min(WINDOW), (end - place).min(WINDOW));
        let (old, new) = (&self.values[place - before..place], &self.values[place..place + after]);
        let (first, last) = self.interval(place, (before, after), noise);
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
