//! What the values of one run are like: counts, means and quantiles of each metric of each configuration.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;
use statera_readers::Observations;

/// The values of a metric of a configuration.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The number of the benchmark.
    pub benchmark: u32,
    /// The number of the metric.
    pub metric: u32,
    /// The number of the configuration.
    pub context: u32,
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their quantiles at the levels that were asked for.
    pub quantiles: Vec<f64>,
    /// The largest.
    pub most: f64,
}

/// Summarises observations: quantiles at `levels` by linear interpolation (Hyndman and Fan 1996, type 7).
#[must_use]
pub fn summaries(observations: &Observations, levels: &[f64]) -> Vec<Summary> {
    let mut groups: HashMap<(u32, u32, u32), Vec<f64>, FixedState> = HashMap::default();
    for row in 0..observations.len() {
        let key = (observations.benchmark[row], observations.metric[row], observations.context[row]);
        groups.entry(key).or_default().push(observations.value[row]);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(key, _)| *key);
    groups
        .into_par_iter()
        .map(|((benchmark, metric, context), mut values)| {
            values.sort_unstable_by(f64::total_cmp);
            let (count, sum) = (values.len(), values.iter().sum::<f64>());
            let quantiles = levels.iter().map(|level| quantile(&values, *level)).collect();
            let most = values[count - 1];
            Summary { benchmark, metric, context, count, mean: sum / count as f64, quantiles, most }
        })
        .collect()
}

/// The quantile of sorted values.
fn quantile(values: &[f64], level: f64) -> f64 {
    let place = level * (values.len() - 1) as f64;
    let (below, part) = (values[place as usize], place.fract());
    let above = values[(place as usize + 1).min(values.len() - 1)];
    below + part * (above - below)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&values, 0.5).to_bits(), 3.0_f64.to_bits());
        assert_eq!(quantile(&values, 1.0).to_bits(), 8.0_f64.to_bits());
        assert_eq!(quantile(&[5.0], 0.99).to_bits(), 5.0_f64.to_bits());
    }
}
