//! Derives the verdict of a row from its numbers. Only this module calls a row better or worse.

use statera_kernels as kernels;
use statera_kernels::special::{t_quantile, t_sf};
use statera_readers::Better;

use crate::assignment::{Assignment, MetricRule};
use crate::margin::Margin;
use crate::policy::Policy;
use crate::row::Tail;
use crate::row::{Design, Reason, Row, Warning};
use crate::verdict::Verdict;

/// Judges a row whose p-value was corrected.
pub fn judge(row: &mut Row, assignment: &Assignment, policy: &Policy) {
    let Some(rule) = assignment.rule(row.metric, row.benchmark) else { return };
    (row.verdict, row.reason) = match row.design {
        Design::OneSided if row.contender.values == 0 => (Verdict::Missing, None),
        Design::OneSided => (Verdict::New, None),
        Design::Suite => (Verdict::Descriptive, None),
        Design::Exact => (exact(row, &rule), None),
        Design::Paired | Design::Independent | Design::Nested | Design::Summary | Design::Series => {
            tested(row, &rule, policy)
        }
    };
    // One process a side does not show how processes of one build differ, so its change may not be that of the build. The
    // t-test of few units gives more false alarms than alpha if their noise is not normal (docs/calibration.md).
    if (row.warns(Warning::OneProcess) || row.warns(Warning::Parametric)) && row.verdict.is_change() {
        row.verdict = Verdict::Differs;
    }
}

fn exact(row: &Row, rule: &MetricRule) -> Verdict {
    if within(row.change, row.change, rule.margin_exact.ends(row)) {
        Verdict::Equivalent
    } else {
        direction(row.change, rule.better)
    }
}

/// The verdict of a tested row: the typical value decides better and worse; if it does not, tail and spread may object.
fn tested(row: &Row, rule: &MetricRule, policy: &Policy) -> (Verdict, Option<Reason>) {
    let (verdict, reason) = typical(row, rule, policy);
    let equivalent = verdict == Verdict::Equivalent;
    if !equivalent && verdict != Verdict::Inconclusive {
        return (verdict, reason);
    }
    let alpha = kernels::alpha(policy.confidence());
    if let Some(tail) = row.tail.filter(|tail| tail.p_corrected <= alpha) {
        return (tail_verdict(&tail, rule.better), reason);
    }
    let wider = row.spread.is_some_and(|spread| spread.p_corrected <= alpha && spread.matters);
    // By itself the tail would be significant, or the contender has visibly more slow runs.
    let objects = |tail: &Tail| tail.objects || tail.p <= alpha && rule.better.is_some() && more_slow(tail);
    match row.tail {
        _ if wider => (Verdict::ShapeChanged, reason),
        Some(tail) if equivalent && objects(&tail) => (Verdict::Inconclusive, Some(Reason::TailUndecided)),
        _ => (verdict, reason),
    }
}

fn tail_verdict(tail: &Tail, better: Option<Better>) -> Verdict {
    match better {
        None => Verdict::ShapeChanged,
        Some(_) if more_slow(tail) => Verdict::TailWorse,
        Some(_) => Verdict::TailBetter,
    }
}

fn more_slow(tail: &Tail) -> bool {
    let ([old, new], [of_old, of_new]) = (tail.slow, tail.of);
    u64::from(new) * u64::from(of_old) > u64::from(old) * u64::from(of_new)
}

fn typical(row: &Row, rule: &MetricRule, policy: &Policy) -> (Verdict, Option<Reason>) {
    let (Some(p), Some(corrected)) = (row.p, row.p_corrected) else {
        return (Verdict::Inconclusive, row.reason.or(Some(Reason::NotComputable)));
    };
    if within(row.change_low, row.change_high, rule.margin.ends(row)) {
        return if row.warns(Warning::OneProcess) {
            (Verdict::Inconclusive, Some(Reason::OneProcess))
        } else if row.warns(Warning::LowLevel) {
            (Verdict::Inconclusive, Some(Reason::LowLevel))
        } else if row.warns(Warning::Parametric) {
            (Verdict::Inconclusive, Some(Reason::FewRuns))
        } else {
            (Verdict::Equivalent, None)
        };
    }
    let zero_inside = row.change_low < 0.0 && row.change_high > 0.0
        || (row.change_low == 0.0 && !row.change_low_open && row.change_high >= 0.0)
        || (row.change_high == 0.0 && !row.change_high_open && row.change_low <= 0.0);
    // 1 − confidence can be smaller than alpha by a rounding, and an exact p can equal alpha.
    let alpha = kernels::alpha(policy.confidence());
    // With ties the typical change can be 0 at an open end; then the side on which the interval lies decides.
    let side = row.change_low + row.change_high;
    let significant = corrected <= alpha && !zero_inside && side != 0.0;
    let within_sessions =
        row.session > 0.0 && (p <= alpha && zero_inside || row.reason == Some(Reason::WithinSessions));
    let with_all = row.p_apart.is_some_and(|apart| apart > alpha);
    if significant && !with_all && !within_sessions {
        return (direction(side, rule.better), None);
    }
    let reason = if within_sessions {
        Reason::WithinSessions
    } else if row.least_p > alpha && row.effective_units.is_finite() {
        Reason::TooDependent
    } else if row.least_p > alpha {
        Reason::TooFewRuns
    } else if p > alpha {
        Reason::Noise
    } else if zero_inside || side == 0.0 {
        Reason::Ties
    } else if significant {
        Reason::MovesWithAll
    } else {
        Reason::NotAmongSoMany
    };
    (Verdict::Inconclusive, Some(reason))
}

fn direction(change: f64, better: Option<Better>) -> Verdict {
    match (better, change > 0.0) {
        (None, _) => Verdict::Changed,
        (Some(Better::Lower), true) | (Some(Better::Higher), false) => Verdict::Worse,
        (Some(_), _) => Verdict::Better,
    }
}

/// The direction that is better, if a change is one for the worse.
pub(crate) fn toward(change: f64) -> Better {
    if change > 0.0 { Better::Lower } else { Better::Higher }
}

fn within(low: f64, high: f64, margin: (f64, f64)) -> bool {
    low >= margin.0 && high <= margin.1
}

impl Row {
    /// Whether the row is worse, or differs in the bad direction; with a margin, whether its whole interval lies beyond it.
    /// Where only the tail is worse, it is the whole interval of the mean, or the whole band of the tail's quantile.
    #[must_use]
    pub fn worse_beyond(&self, margin: Option<f64>, better: Option<Better>) -> bool {
        let whole = if self.design == Design::Exact {
            (self.change, self.change)
        } else {
            (self.change_low, self.change_high)
        };
        match self.verdict {
            Verdict::Invalid => true,
            Verdict::Worse | Verdict::Differs => self.is_beyond(whole, margin, better),
            Verdict::TailWorse => {
                margin.is_none()
                    || self.mean.is_some_and(|mean| self.is_beyond((mean.low, mean.high), margin, better))
                    || self
                        .tail_shift
                        .is_some_and(|shift| self.is_beyond((shift.low, shift.high), margin, better))
            }
            _ => false,
        }
    }

    /// Whether the row changed, for the worse or the better; with a margin, whether its whole interval lies beyond it, or
    /// that of the mean or of the tail where only the tail changed.
    #[must_use]
    pub fn changed_beyond(&self, margin: Option<f64>) -> bool {
        let beyond = |(low, high)| self.is_beyond((low, high), margin, Some(toward(low + high)));
        match self.verdict {
            Verdict::Invalid => true,
            _ if !self.verdict.is_change() => false,
            _ if margin.is_none() => true,
            _ if self.verdict.is_of_tail() => {
                self.mean.is_some_and(|mean| beyond((mean.low, mean.high)))
                    || self.tail_shift.is_some_and(|shift| beyond((shift.low, shift.high)))
            }
            _ if self.design == Design::Exact => beyond((self.change, self.change)),
            _ => beyond((self.change_low, self.change_high)),
        }
    }

    /// The p-value of the hypothesis that the row is worse by no more than the margin: two-sided, by the t-distribution
    /// whose interval is that of the row. NaN without a test.
    #[must_use]
    pub(crate) fn p_beyond(&self, margin: f64, better: Option<Better>) -> f64 {
        if self.p.is_none() {
            return f64::NAN;
        }
        let on = |change| self.scale.shift(change);
        let (low, high) = Margin::from(margin).ends(self);
        let beyond = if better == Some(Better::Higher) {
            on(low) - on(self.change)
        } else {
            on(self.change) - on(high)
        };
        let df = (2.0 * self.units_a_side() - 2.0).max(1.0);
        let [down, up] = [on(self.change) - on(self.change_low), on(self.change_high) - on(self.change)];
        // An end that was kept from reaching no change tells nothing of the error.
        let half = if self.change_low == 0.0 && self.change_low_open {
            up
        } else if self.change_high == 0.0 && self.change_high_open {
            down
        } else {
            f64::midpoint(down, up)
        };
        let error = half / -t_quantile(0.5 * (1.0 - self.change_level), df);
        (2.0 * t_sf(beyond / error, df)).min(1.0)
    }

    /// Whether the row is undecided although its whole interval lies beyond the margin: among so many rows it is not
    /// certain.
    #[must_use]
    pub fn beyond_and_uncertain(&self, margin: Margin) -> bool {
        let (low, high) = margin.ends(self);
        self.verdict == Verdict::Inconclusive
            && self.reason == Some(Reason::NotAmongSoMany)
            && (self.change_low > high || self.change_high < low)
    }

    /// Whether an interval lies in the bad direction; with a margin, the whole of it beyond the margin.
    fn is_beyond(&self, (from, to): (f64, f64), margin: Option<f64>, better: Option<Better>) -> bool {
        if direction(from + to, better) != Verdict::Worse {
            return false;
        }
        margin.is_none_or(|margin| {
            let (low, high) = Margin::from(margin).ends(self);
            if from + to > 0.0 { from > high } else { to < low }
        })
    }
}
