//! Builds that were measured one after the other, each in one session: an error that their runs do not show.
//!
//! The runs of a session share the state of the machine (clock, memory layout, neighbours), so that two sessions of one
//! build differ by more than their runs do. If each build has one session, nothing in the data tells by how much. An
//! allowance stands for it, a standard deviation of a session, and enters the error of a change in quadrature.

use statera_kernels as kernels;
use statera_kernels::special::{norm_quantile, t_quantile, t_sf};
use statera_readers::{Observations, Quantity};

use crate::grouping::{Cells, Job};
use crate::policy::Policy;
use crate::row::{Design, Reason, Row, Scale, Warning};

/// Widens the rows of times and rates whose builds have one file each, and not the same.
pub fn allow(observations: &Observations, cells: &Cells, jobs: &[Job], policy: &Policy, rows: &mut [Row]) {
    if policy.session <= 0.0 {
        return;
    }
    let error = std::f64::consts::SQRT_2 * policy.session.ln_1p();
    let alpha = kernels::alpha(policy.confidence());
    let (mut found, mut p) = (Vec::new(), Vec::new());
    let mut quantile = Quantile::default();
    let detectable = (norm_quantile(policy.power) - norm_quantile(0.5 * policy.alpha)) * error;
    for (i, (row, job)) in rows.iter_mut().zip(jobs).enumerate() {
        if is_concerned(row, observations) && has_two_sessions(cells, job) {
            row.session = policy.session;
            // Rows that are not certain without the error are not with it.
            let certain = row.p_corrected.is_some_and(|p| p <= alpha);
            p.push(if certain { p_value(row, error) } else { 1.0 });
            widen(row, error, detectable, &mut quantile);
            found.push((i, certain));
        }
    }
    let corrected = kernels::adjust(&p, kernels::Correction::BenjaminiHochberg);
    for (&(i, certain), corrected) in found.iter().zip(corrected) {
        if certain && corrected > alpha {
            rows[i].reason = Some(Reason::WithinSessions);
        }
    }
}

fn is_concerned(row: &Row, observations: &Observations) -> bool {
    let quantity = observations.metrics[row.metric as usize].quantity;
    let is_known = [row.change, row.change_low, row.change_high].iter().all(|end| end.is_finite());
    row.p.is_some()
        && is_known
        && row.scale == Scale::Ratio
        && matches!(row.design, Design::Independent | Design::Nested)
        && matches!(quantity, Quantity::Time | Quantity::Throughput)
        && !row.warns(Warning::OneProcess)
}

fn has_two_sessions(cells: &Cells, job: &Job) -> bool {
    let [old, new] = [job.baseline, job.contender].map(|variant| cells.of(variant).source(job.cell));
    old.is_some() && new.is_some() && old != new
}

/// The p-value of no change where sessions differ; that of the row remains what its runs show.
fn p_value(row: &Row, error: f64) -> f64 {
    let level = 0.5 * (1.0 - row.change_level);
    let df = (2.0 * row.units_a_side() - 2.0).max(1.0);
    let own = 0.5 * (row.change_high.ln_1p() - row.change_low.ln_1p()) / -t_quantile(level, df);
    let both = own.hypot(error);
    // The allowance is known, so that it brings no loss of degrees of freedom (Satterthwaite).
    let df = df * (both / own).powi(4).min(1e6);
    row.spent(2.0 * t_sf(row.change.ln_1p().abs() / both, df))
}

/// Adds the error of two sessions to the interval of a row and to what it could have shown. The runs needed remain: they
/// hold for builds that alternate, where no session stands between them.
fn widen(row: &mut Row, error: f64, detectable: f64, quantile: &mut Quantile) {
    let (change, low, high) = (row.change.ln_1p(), row.change_low.ln_1p(), row.change_high.ln_1p());
    let allowed = -quantile.of(0.5 * (1.0 - row.change_level)) * error;
    row.change_low = (change - (change - low).hypot(allowed)).exp_m1();
    row.change_high = (change + (high - change).hypot(allowed)).exp_m1();
    (row.change_low_open, row.change_high_open) = (false, false);
    row.detectable = row.detectable.ln_1p().hypot(detectable).exp_m1();
}

/// The normal quantile; rows with the same numbers of units ask for the same one.
#[derive(Default)]
struct Quantile(Option<(f64, f64)>);

impl Quantile {
    fn of(&mut self, level: f64) -> f64 {
        match self.0 {
            Some((known, quantile)) if known.to_bits() == level.to_bits() => quantile,
            _ => {
                let quantile = norm_quantile(level);
                self.0 = Some((level, quantile));
                quantile
            }
        }
    }
}
