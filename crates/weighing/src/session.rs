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
    let mut found: Vec<(usize, f64)> = Vec::new();
    for (i, (row, job)) in rows.iter_mut().zip(jobs).enumerate() {
        if is_concerned(row, observations) && has_two_sessions(cells, job) {
            row.session = policy.session;
            found.push((i, widen(row, error, &policy.at(row.share))));
        }
    }
    let p: Vec<f64> = found.iter().map(|(_, p)| *p).collect();
    for ((i, _), corrected) in found.iter().zip(kernels::adjust(&p, kernels::Correction::BenjaminiHochberg)) {
        if corrected > alpha && rows[*i].p_corrected.is_some_and(|p| p <= alpha) {
            rows[*i].reason = Some(Reason::WithinSessions);
        }
    }
}

fn is_concerned(row: &Row, observations: &Observations) -> bool {
    let quantity = observations.metrics[row.metric as usize].quantity;
    row.p.is_some()
        && row.scale == Scale::Ratio
        && matches!(row.design, Design::Independent | Design::Nested)
        && matches!(quantity, Quantity::Time | Quantity::Throughput)
        && !row.warns(Warning::OneProcess)
}

fn has_two_sessions(cells: &Cells, job: &Job) -> bool {
    let [old, new] = [job.baseline, job.contender].map(|variant| cells.of(variant).source(job.cell));
    old.is_some() && new.is_some() && old != new
}

/// Adds the error of two sessions to that of a row: to its interval and to what it could have shown. Returns the p-value of
/// no change with this error; that of the row remains what its runs show.
fn widen(row: &mut Row, error: f64, policy: &Policy) -> f64 {
    let on = f64::ln_1p;
    let (change, low, high) = (on(row.change), on(row.change_low), on(row.change_high));
    let level = 0.5 * (1.0 - row.change_level);
    let df = (2.0 * row.units_a_side() - 2.0).max(1.0);
    let allowed = -norm_quantile(level) * error;
    row.change_low = (change - (change - low).hypot(allowed)).exp_m1();
    row.change_high = (change + (high - change).hypot(allowed)).exp_m1();
    (row.change_low_open, row.change_high_open) = (false, false);
    let own = 0.5 * (high - low) / -t_quantile(level, df);
    let both = own.hypot(error);
    // The allowance is known, so that it brings no loss of degrees of freedom (Satterthwaite).
    let df = df * (both / own).powi(4).min(1e6);
    let p = row.spent(2.0 * t_sf(change.abs() / both, df));
    let k = norm_quantile(policy.power) - norm_quantile(0.5 * policy.alpha);
    row.detectable = on(row.detectable).hypot(k * error).exp_m1();
    // The runs needed remain: they hold for builds that alternate, where no session stands between them.
    p
}
