//! The spread of two sides together, which outliers change no more than they change a rank test.

/// Values are pulled in to this many standard deviations from their side's median, if there are many values.
const CLIP: f64 = 4.0;
/// With few values the deviation from the median is uncertain: the limit is wider by this over the degrees of
/// freedom.
const WIDER: f64 = 5.0;
/// Standard deviation of normal data over the median of its absolute deviations.
const PER_DEVIATION: f64 = 1.482_602_218_505_602;
/// Standard deviation of normal data over the mean difference of its pairs: √π / 2.
const PER_PAIR: f64 = 0.886_226_925_452_758;

/// The standard deviation of normal data whose pairs would differ as much, in the unit of the data.
///
/// Gini's mean difference within the sides, with values far from their side's median pulled in: to 4 (1 + 5 / df)
/// scaled median absolute deviations, taken over all sides. The power of a rank test at any number of values follows
/// from it within a few points for normal, skewed, heavy-tailed and spiky data. `sides` are ascending; NaN if no side
/// has two values.
#[must_use]
pub fn pooled_spread(sides: &[&[f64]]) -> f64 {
    let reach = reach(sides);
    let (mut sum, mut pairs) = (0.0, 0.0);
    for side in sides.iter().filter(|side| !side.is_empty()) {
        let (n, centre) = (side.len() as f64, middle(side));
        // The k-th value is the larger of k pairs and the smaller of the others.
        let above = side
            .iter()
            .enumerate()
            .map(|(k, value)| (value - centre).clamp(-reach, reach) * (2.0 * k as f64 - n + 1.0));
        sum += above.sum::<f64>();
        pairs += n * (n - 1.0) / 2.0;
    }
    PER_PAIR * sum / pairs
}

/// The largest distance from the median that counts; infinite if more than half of all values equal it.
fn reach(sides: &[&[f64]]) -> f64 {
    let mut away: Vec<f64> = Vec::with_capacity(sides.iter().map(|side| side.len()).sum());
    for side in sides.iter().filter(|side| !side.is_empty()) {
        let centre = middle(side);
        away.extend(side.iter().map(|value| (value - centre).abs()));
    }
    let df = away.len() as f64 - sides.iter().filter(|side| !side.is_empty()).count() as f64;
    if df <= 0.0 || away.iter().any(|distance| distance.is_nan()) {
        return f64::INFINITY;
    }
    away.sort_unstable_by(f64::total_cmp);
    let deviation = PER_DEVIATION * middle(&away);
    if deviation > 0.0 { CLIP * (1.0 + WIDER / df) * deviation } else { f64::INFINITY }
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
}
