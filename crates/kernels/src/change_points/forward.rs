//! The forward pass: at each value, whether a change is told.

use super::evidence::Moment;
use super::noise::{ASIDE, Known, Noise, running_median};
use super::stretch::Sums;
use super::{Alarm, Detector, EQUAL, LEAST_WINDOW, ROUNDING, Spike};

/// So many values that stand clear of everything before are an alarm; fewer are suspect.
pub const CLEAR: usize = 3;
/// Everything before: so many values, and at least so many.
pub const SEEN: usize = 256;
pub const LEAST_SEEN: usize = 30;
/// Longer windows grow by this factor.
const WINDOW_GROWTH: f64 = 1.1;
/// Levels before a window that looks back are as long as for a window of so many values.
const BACK: usize = 8;

/// The pass, value after value.
pub struct Forward<'a> {
    values: &'a [f64],
    places: &'a [bool],
    detector: &'a Detector,
    medians: Vec<f64>,
    drawn: Sums,
    points: Vec<usize>,
    next_look: usize,
    /// What was told.
    pub alarms: Vec<Alarm>,
    /// The noise at the last look.
    pub noise: Option<Noise>,
    /// Values outside everything before them.
    pub outside: Outside,
}

/// The strongest step so far: its evidence, place and number of values after it.
type Step = (f64, usize, usize);

impl<'a> Forward<'a> {
    pub fn new(values: &'a [f64], places: &'a [bool], detector: &'a Detector) -> Self {
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

    /// Takes the next value.
    pub fn arrive(&mut self, newest: usize) {
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
        if t >= CLEAR && moment.is_clear(t - CLEAR, CLEAR, begin) {
            return Some(t - CLEAR);
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
#[derive(Debug, Default)]
pub struct Outside {
    found: Vec<Spike>,
    open: Option<Spike>,
}

impl Outside {
    fn arrive(&mut self, moment: &Moment<'_>, newest: usize, begin: usize) {
        if let Some(open) = &mut self.open {
            // Together they stand outside on one side, or the earlier ones came back.
            if open.values + 1 < CLEAR && moment.is_clear(open.place, open.values + 1, begin) {
                open.values += 1;
                return;
            }
            self.found.extend(self.open.take());
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
    pub fn spikes(&self) -> Vec<Spike> {
        self.found.clone()
    }

    /// The newest values, if they stand outside.
    pub fn suspect(&self) -> Option<Spike> {
        self.open
    }
}
