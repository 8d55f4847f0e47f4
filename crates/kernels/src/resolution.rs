//! The step of the clock or counter behind measured values: the grid on which all of them lie.

/// Relative rounding error of a value after reading a decimal and changing its unit.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Probability that values without a grid appear to lie on one.
const COINCIDENCE: f64 = 1e-3;

/// The largest step of which every value is an integer multiple, within rounding, in the unit of the data.
///
/// The unit does not matter: values of a clock that ticks in nanoseconds give 1e-9 when they are read in
/// seconds. `None` for fewer than two distinct values other than 0, and if no step is coarser than the digits
/// of the values could show by chance. It cannot tell whether the clock ticks at this step or the harness
/// rounded its output, nor whether the true step is a fraction of this one, which a few distinct values may all
/// have missed. It finds no step if values are means over iterations, or if an overhead that is not a multiple
/// itself was subtracted.
#[must_use]
pub fn timer_resolution(values: &[f64]) -> Option<f64> {
    let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).filter(|&v| v > 0.0 && v.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup();
    let (&smallest, &largest) = (sizes.first()?, sizes.last()?);
    if sizes.len() < 2 {
        return None;
    }
    // Smallest distances first: fewer multiples mean less rounding error in the remainder.
    let mut spans: Vec<f64> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spans.push(smallest);
    spans.sort_unstable_by(f64::total_cmp);
    let longest = [largest - smallest, largest];
    let blur = 0.5 * ROUNDING * largest;
    let mut lengths = spans.into_iter().chain(longest).filter(|&span| span > blur);
    let first = Length { size: lengths.next()?, error: blur };
    let step = lengths.try_fold(first, |step, size| common(Length { size, error: blur }, step))?.size;
    (distinguishable(step, largest, sizes.len()) && sizes.iter().all(|&v| fits(v, step))).then_some(step)
}

/// A length and its maximum rounding error.
#[derive(Debug, Clone, Copy)]
struct Length {
    size: f64,
    error: f64,
}

/// The common step of a length and a step, by Euclid's algorithm; `None` if it is lost in rounding.
fn common(length: Length, step: Length) -> Option<Length> {
    let (mut a, mut b) = (length, step);
    while b.size > 0.0 {
        let times = (a.size / b.size).round();
        let rest = Length { size: (a.size - times * b.size).abs(), error: a.error + times * b.error };
        if rest.error > 0.25 * b.size {
            return None;
        }
        let nothing = rest.size <= rest.error;
        (a, b) = (b, if nothing { Length { size: 0.0, ..rest } } else { rest });
    }
    // A long multiple determines the step better than the remainder of the algorithm.
    let times = (length.size / a.size).round().max(1.0);
    Some(Length { size: length.size / times, error: length.error / times })
}

fn fits(value: f64, step: f64) -> bool {
    (value - (value / step).round() * step).abs() <= ROUNDING * value
}

/// Whether `distinct` values without a grid would lie on one as coarse as this only with a small probability.
///
/// Each value but one, which may determine the step, is near a multiple by chance with probability 2 · blur /
/// step; and any of the largest / step coarser grids could have fitted.
fn distinguishable(step: f64, largest: f64, distinct: usize) -> bool {
    let multiples = largest / step;
    let hit = (2.0 * ROUNDING * multiples).ln();
    multiples.ln() + hit * (distinct - 1) as f64 <= COINCIDENCE.ln()
}
