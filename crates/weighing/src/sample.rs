//! The sample of a row as its test takes it: the design, the units and their scale.

use statera_kernels as kernels;
use statera_kernels::MeanOf;

use crate::blocks::Measured;
use crate::policy::{Policy, ScaleChoice};
use crate::row::{Centre, Design, Reason, Scale, Warning};
use crate::units::{Kept, Units};

/// The sample of a row. A thread reuses it for row after row.
#[derive(Debug)]
pub struct Sample {
    /// The design of the data.
    pub design: Design,
    /// The scale of `baseline`, `contender` and `differences`.
    pub scale: Scale,
    /// The baseline's units (logarithms on the ratio scale).
    pub baseline: Units,
    /// The contender's units.
    pub contender: Units,
    /// Contender minus baseline per block; empty unless paired.
    pub differences: Units,
    /// Number of values read on each side.
    pub values: (usize, usize),
    /// The centres of the units, in the base unit.
    pub centres: (Centre, Centre),
    /// Number of blocks that only one side has.
    pub pairs_dropped: usize,
    /// Bits of [`Warning`].
    pub warnings: u32,
    /// Whether the units of a side may be consecutive values of one process, and not one of each.
    pub is_series: bool,
    /// Whether the metric is a mean: the centre is the mean of the samples, and the units are means.
    pub of_means: bool,
    /// For means: the number of units on each side as users count them; for a series its values, not its batches.
    pub counts: (usize, usize),
    /// For means of runs: the standard error that each run's own samples give its mean; 0 where they show none. For medians
    /// of few runs: how far rounding may have moved them.
    pub errors: [Vec<f64>; 2],
    /// The values of each run, in the base unit, where the units are the medians of runs; otherwise empty.
    pub within: [Vec<Vec<f64>>; 2],
    /// For means: why there is no test.
    pub reason: Option<Reason>,
    /// For summaries: the means with their errors, on the scale of the test.
    pub means: Option<[MeanOf; 2]>,
}

/// So many runs a side are few: ranks may not attain alpha.
const FEW: usize = 8;

impl Default for Sample {
    fn default() -> Self {
        Self {
            design: Design::OneSided,
            scale: Scale::Ratio,
            baseline: Units::default(),
            contender: Units::default(),
            differences: Units::default(),
            values: (0, 0),
            centres: (Centre::NONE, Centre::NONE),
            pairs_dropped: 0,
            warnings: 0,
            is_series: false,
            of_means: false,
            counts: (0, 0),
            errors: [Vec::new(), Vec::new()],
            within: [Vec::new(), Vec::new()],
            reason: None,
            means: None,
        }
    }
}

impl Sample {
    /// Forgets the previous row.
    pub fn reset(&mut self, baseline: usize, contender: usize) {
        (self.design, self.values) = (Design::OneSided, (baseline, contender));
        (self.pairs_dropped, self.warnings) = (0, 0);
        (self.is_series, self.of_means, self.reason, self.means) = (false, false, None, None);
        self.differences.set([]);
        self.errors.iter_mut().for_each(Vec::clear);
        self.within.iter_mut().for_each(Vec::clear);
    }

    /// Takes values as units.
    pub fn take(&mut self, baseline: &[f64], contender: &[f64], policy: &Policy) {
        self.baseline.set(baseline.iter().copied());
        self.contender.set(contender.iter().copied());
        let confidence = policy.confidence();
        self.centres = (self.baseline.centre(confidence), self.contender.centre(confidence));
        let positive = baseline.iter().chain(contender).all(|&value| value > 0.0);
        self.choose_scale(positive, policy);
        if self.scale == Scale::Ratio {
            self.baseline.take_logs();
            self.contender.take_logs();
        }
    }

    /// Takes pairs as units.
    pub fn pair(&mut self, baseline: &[f64], contender: &[f64], policy: &Policy) {
        self.take(baseline, contender, policy);
        let (baseline, contender) = (&self.baseline.measured, &self.contender.measured);
        let mut differences: Vec<f64> =
            baseline.iter().zip(contender).map(|(baseline, contender)| contender - baseline).collect();
        settle(&mut differences, baseline, contender, self.scale);
        self.differences.set(differences);
    }

    /// Takes one value per run as units.
    pub fn nest(&mut self, units: [&[f64]; 2], policy: &Policy) {
        self.design = Design::Nested;
        self.take(units[0], units[1], policy);
    }

    /// Takes the medians of runs as units, and keeps their values.
    pub fn nest_runs(&mut self, runs: [Vec<Vec<f64>>; 2], policy: &Policy) {
        let medians =
            |side: &Vec<Vec<f64>>| -> Vec<f64> { side.iter().map(|run| kernels::median(run)).collect() };
        let [baseline, contender] = [&runs[0], &runs[1]].map(medians);
        self.nest([&baseline, &contender], policy);
        self.within = runs;
    }

    /// Notes how far rounding may have moved the medians of few runs: by half a step of the grid on which all values lie.
    /// Medians of values that a coarse clock rounds are equal although what was measured is not, and their spread says
    /// nothing; ranks, which decide where runs are many, need no spread.
    pub fn note_rounding(&mut self, values: [&[f64]; 2]) {
        // Of values that never vary nobody knows how much they could.
        let vary = |values: &[f64]| values.iter().any(|&value| value != values[0]);
        if self.baseline.len().min(self.contender.len()) > FEW || !values.iter().any(|side| vary(side)) {
            return;
        }
        let step = kernels::timer_resolution(&values.concat()).unwrap_or(0.0);
        let ratio = self.scale == Scale::Ratio;
        for (errors, units) in self.errors.iter_mut().zip([&self.baseline, &self.contender]) {
            errors
                .extend(units.measured.iter().map(|unit| step / 2.0 / if ratio { unit.exp() } else { 1.0 }));
        }
    }

    /// Returns the blocks that both sides have, in the baseline's order, with their values on each side. The value of a
    /// block that a side has several times is the median.
    pub fn match_blocks(
        &mut self,
        baseline: &[Measured],
        contender: &[Measured],
    ) -> (Vec<u32>, Vec<f64>, Vec<f64>) {
        use std::collections::HashMap;
        let gather = |side: &[Measured]| {
            let mut blocks: HashMap<u32, Vec<f64>> = HashMap::with_capacity(side.len());
            for value in side {
                blocks.entry(value.block).or_default().push(value.value);
            }
            blocks
        };
        let (blocks_baseline, blocks_contender) = (gather(baseline), gather(contender));
        if blocks_baseline.values().chain(blocks_contender.values()).any(|values| values.len() > 1) {
            self.warnings |= Warning::BlocksRepeated.bit();
        }
        let mut seen = std::collections::HashSet::with_capacity(baseline.len());
        let order = baseline.iter().map(|value| value.block);
        let shared: Vec<u32> =
            order.filter(|&block| seen.insert(block) && blocks_contender.contains_key(&block)).collect();
        let medians = |side: &HashMap<u32, Vec<f64>>| -> Vec<f64> {
            shared.iter().map(|block| kernels::median(&side[block])).collect()
        };
        self.pairs_dropped = blocks_baseline.len() + blocks_contender.len() - 2 * shared.len();
        if self.pairs_dropped > 0 {
            self.warnings |= Warning::PairsDropped.bit();
        }
        let (baseline, contender) = (medians(&blocks_baseline), medians(&blocks_contender));
        (shared, baseline, contender)
    }

    /// Makes one value per side a summary of samples, if both files state mean, deviation and number of samples.
    pub fn summarise(&mut self, baseline: &Measured, contender: &Measured, policy: &Policy) {
        let of = |side: &Measured| {
            let known = side.deviation.is_finite();
            known.then(|| MeanOf::summary(side.value, side.deviation, side.weight)).flatten()
        };
        let Some(means) = of(baseline).zip(of(contender)).map(<[MeanOf; 2]>::from) else { return };
        self.design = Design::Summary;
        // Nothing shows that several processes made the samples.
        self.warnings |= Warning::FromSummary.bit() | Warning::OneProcess.bit();
        self.counts = (baseline.weight as usize, contender.weight as usize);
        self.centres = means.map(|mean| Centre::of_mean(&mean, policy.confidence())).into();
        self.means = Some(if self.scale == Scale::Ratio { means.map(MeanOf::log) } else { means });
    }

    fn choose_scale(&mut self, positive: bool, policy: &Policy) {
        self.scale =
            if positive && policy.scale == ScaleChoice::Auto { Scale::Ratio } else { Scale::Difference };
        if !positive && policy.scale == ScaleChoice::Auto {
            self.warnings |= Warning::NoRatio.bit();
        }
    }

    /// Returns what the summary needs.
    pub fn keep(&self) -> Kept {
        if self.design == Design::Paired {
            Kept::pairs(&self.differences)
        } else {
            Kept::sides(&self.baseline, &self.contender, &self.errors)
        }
    }
}

// Differences that are equal in the file stay equal.
//
// Turning microseconds to seconds, taking logarithms and subtracting round; differences that tie in the file
// would then differ in their last bits, zeros would not be zeros, and the exact null distribution, which is
// conditional on ties, would be another one in another unit.

/// The maximum number of roundings of a difference: two conversions, two logarithms, one subtraction.
const ROUNDINGS: f64 = 6.0;

/// Makes differences equal that differ in size only by rounding; `baseline` and `contender` are the values on the scale
/// on which they were subtracted.
pub fn settle(differences: &mut [f64], baseline: &[f64], contender: &[f64], scale: Scale) {
    let resolution = |i: usize| {
        let size = baseline[i].abs().max(contender[i].abs());
        // The logarithm of a value that is off by one part in 2^53 is off by as much, whatever its size.
        let size = if scale == Scale::Ratio { size + 1.0 } else { size };
        ROUNDINGS * f64::EPSILON * size
    };
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_unstable_by(|&a, &b| differences[a].abs().total_cmp(&differences[b].abs()));
    let mut first = 0.0;
    for i in order {
        let size = differences[i].abs();
        if size - first > resolution(i) {
            first = size;
        }
        differences[i] = first.copysign(differences[i]);
        if first == 0.0 {
            differences[i] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_tie_in_microseconds_tie_in_seconds() {
        let baseline: Vec<f64> = [1000.0, 1014.0, 1029.0, 977.0].map(|us| us / 1e6).to_vec();
        let contender: Vec<f64> = [1004.0, 1010.0, 1033.0, 977.0].map(|us| us / 1e6).to_vec();
        let mut differences: Vec<f64> =
            baseline.iter().zip(&contender).map(|(baseline, contender)| contender - baseline).collect();
        settle(&mut differences, &baseline, &contender, Scale::Difference);
        assert_eq!(differences[0], differences[2]);
        assert_eq!(differences[0], -differences[1]);
        assert_eq!(differences[3], 0.0);
    }

    #[test]
    fn ratios_that_tie_tie_as_logarithms() {
        let baseline: Vec<f64> = [1.0, 3.0, 7e-6, 6.0, 5.0f64].map(f64::ln).to_vec();
        let contender: Vec<f64> = [2.0, 6.0, 14e-6, 3.0, 5.0f64].map(f64::ln).to_vec();
        let mut differences: Vec<f64> =
            baseline.iter().zip(&contender).map(|(baseline, contender)| contender - baseline).collect();
        settle(&mut differences, &baseline, &contender, Scale::Ratio);
        assert!(differences[..3].iter().all(|&difference| difference == differences[0]));
        assert_eq!(differences[3], -differences[0]);
        assert_eq!(differences[4], 0.0);
    }

    #[test]
    fn differences_that_differ_stay_apart() {
        let (baseline, contender) = ([1.0, 1.0, 1.0], [1.5, 1.500_000_000_001, 2.0]);
        let mut differences = [0.5, 0.500_000_000_001, 1.0];
        settle(&mut differences, &baseline, &contender, Scale::Difference);
        assert_eq!(differences, [0.5, 0.500_000_000_001, 1.0]);
    }
}
