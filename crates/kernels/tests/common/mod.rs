//! Shared by the tests: a small generator, definitions, and the reader of reference cases.

pub mod shape;

use serde_json::Value;

/// A linear congruential generator shared with the generators of the reference cases:
/// x ← (1103515245 x + 12345) mod 2³¹.
pub struct Lcg(pub u64);

impl Lcg {
    pub fn next(&mut self) -> u64 {
        self.0 = (1_103_515_245 * self.0 + 12_345) % (1 << 31);
        self.0 >> 8
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// `n` integers in `low..low + span`, times `scale`.
    pub fn sample(&mut self, n: usize, low: i64, span: u64, scale: f64) -> Vec<f64> {
        (0..n).map(|_| (low + self.below(span) as i64) as f64 * scale).collect()
    }
}

/// All subsets of k out of n as bit masks.
pub fn subsets(n: usize, k: u32) -> impl Iterator<Item = u32> {
    (0..1_u32 << n).filter(move |mask| mask.count_ones() == k)
}

/// Doubled midranks by counting.
pub fn doubled_ranks(values: &[f64]) -> Vec<i64> {
    let rank = |v: &f64| {
        let below = values.iter().filter(|w| *w < v).count();
        let equal = values.iter().filter(|w| *w == v).count();
        (2 * below + equal + 1) as i64
    };
    values.iter().map(rank).collect()
}

/// The exact two-sided Mann-Whitney p by enumeration of all arrangements of the pooled sample.
pub fn mann_whitney_by_definition(x: &[f64], y: &[f64]) -> f64 {
    let pooled: Vec<f64> = x.iter().chain(y).copied().collect();
    let ranks = doubled_ranks(&pooled);
    let mean = (y.len() * (pooled.len() + 1)) as i64;
    let seen: i64 = ranks[x.len()..].iter().sum();
    let (mut hits, mut all) = (0_u32, 0_u32);
    for mask in subsets(pooled.len(), y.len() as u32) {
        let sum: i64 = (0..pooled.len()).filter(|i| mask >> i & 1 == 1).map(|i| ranks[i]).sum();
        all += 1;
        hits += u32::from((sum - mean).abs() >= (seen - mean).abs());
    }
    f64::from(hits) / f64::from(all)
}

/// The exact two-sided signed-rank p by enumeration of all signs; zeros dropped or ranked (Pratt).
pub fn signed_rank_by_definition(d: &[f64], pratt: bool) -> f64 {
    let kept: Vec<f64> = d.iter().copied().filter(|&v| pratt || v != 0.0).collect();
    let size: Vec<f64> = kept.iter().map(|v| v.abs()).collect();
    let all = doubled_ranks(&size);
    let ranks: Vec<i64> = all.iter().zip(&kept).filter(|(_, v)| **v != 0.0).map(|(&r, _)| r).collect();
    let signs: Vec<bool> = kept.iter().filter(|v| **v != 0.0).map(|v| *v > 0.0).collect();
    let total: i64 = ranks.iter().sum();
    let away = |sum: i64| (2 * sum - total).abs();
    let seen = away(ranks.iter().zip(&signs).filter(|(_, s)| **s).map(|(&r, _)| r).sum());
    let masks = 0..1_u32 << ranks.len();
    let hits = masks
        .clone()
        .filter(|mask| away((0..ranks.len()).filter(|i| mask >> i & 1 == 1).map(|i| ranks[i]).sum()) >= seen);
    hits.count() as f64 / masks.len() as f64
}

/// Reads `tests/reference/<name>.json` and returns its cases.
pub fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    file["cases"].as_array().expect("cases").clone()
}

/// A number of a case; NaN and the infinities are written as strings.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number"),
        other => other.as_f64().expect("a number"),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("numbers").iter().map(number).collect()
}

/// A sample: a list of numbers, or a recipe {seed, n, low, span, scale} for [`Lcg::sample`].
pub fn sample(value: &Value) -> Vec<f64> {
    if value.is_array() {
        return numbers(value);
    }
    let whole = |name: &str| value[name].as_i64().expect("a whole number");
    Lcg(whole("seed") as u64).sample(
        whole("n") as usize,
        whole("low"),
        whole("span") as u64,
        number(&value["scale"]),
    )
}

/// Asserts agreement to `tolerance`, relative; below 1e-300 absolutely.
#[track_caller]
pub fn agree(ours: f64, theirs: f64, tolerance: f64, case: &dyn std::fmt::Debug) {
    let same = ours == theirs || (ours.is_nan() && theirs.is_nan());
    let near = (ours - theirs).abs() <= tolerance * theirs.abs().max(1e-300);
    assert!(same || near, "{ours:e} is not {theirs:e}: {case:?}");
}
