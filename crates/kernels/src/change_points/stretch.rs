//! Sums over stretches of a series, and the best split of one.

/// Values and their running sums.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// The values.
    pub values: Vec<f64>,
    /// `sums[i]` is the sum of the first i values.
    sums: Vec<f64>,
}

impl Sums {
    pub fn new() -> Self {
        Self { values: Vec::new(), sums: vec![0.0] }
    }

    /// Replaces the values from a position on.
    pub fn replace(&mut self, from: usize, values: impl Iterator<Item = f64>) {
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
    pub fn sum(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }

    /// The mean of a stretch that is not empty.
    pub fn mean(&self, from: usize, to: usize) -> f64 {
        self.sum(from, to) / (to - from) as f64
    }

    /// The sum of squared deviations from the mean of a stretch.
    pub fn squares(&self, from: usize, to: usize) -> f64 {
        let mean = self.mean(from, to);
        self.values[from..to].iter().map(|value| (value - mean) * (value - mean)).sum()
    }

    /// The place in `first..=last` that splits `[begin, end)` best, with windows of at most `longest` values: the largest
    /// squared difference of means over its variance; of equal ones the first. `None` if there is no place.
    pub fn best_split(
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
            if gain > best.0 * super::EQUAL {
                best = (gain, Some(place));
            }
        }
        best.1
    }
}
