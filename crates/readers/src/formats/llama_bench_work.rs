//! What a test of llama-bench does: its tokens, its name, and which of them its time is for.

use super::json::{Value, plain};

/// What a test does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Test {
    pub(super) prompt: u64,
    pub(super) generated: u64,
    pub(super) depth: u64,
    /// Whether only the generation behind the prompt is timed, as a fork does with `-gp`.
    pub(super) is_behind_prompt: bool,
}

impl Test {
    /// Reads its name: `pp512`, `tg128 @ d4096`, `pp 512` of earlier versions, or `tg128@pp512` of a fork.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (work, depth) = name.split_once(" @ d").unwrap_or((name, "0"));
        let mut test = Self { depth: depth.parse().ok()?, ..Self::default() };
        let behind =
            work.split_once('@').filter(|(part, prompt)| part.starts_with("tg") && prompt.starts_with("pp"));
        test.is_behind_prompt = behind.is_some();
        let parts = behind.map_or_else(|| work.split('+').collect(), |(part, prompt)| vec![part, prompt]);
        for part in parts {
            let count =
                |label: &str| part.strip_prefix(label).and_then(|count| count.trim_start().parse().ok());
            match (count("pp"), count("tg")) {
                (Some(prompt), None) => test.prompt = prompt,
                (None, Some(generated)) => test.generated = generated,
                _ => return None,
            }
        }
        Some(test)
    }

    /// Its name, as the table has it: `pp512`, `tg128 @ d4096`, `pp512+tg128` or `tg128@pp512`.
    pub(super) fn name(self) -> String {
        let Self { prompt, generated, depth, is_behind_prompt } = self;
        let work = match (prompt, generated) {
            _ if is_behind_prompt => format!("tg{generated}@pp{prompt}"),
            (_, 0) => format!("pp{prompt}"),
            (0, _) => format!("tg{generated}"),
            _ => format!("pp{prompt}+tg{generated}"),
        };
        if depth == 0 { work } else { format!("{work} @ d{depth}") }
    }

    /// The test and its name by the label that a fork adds to the counts. A label of another kind is the name.
    pub(super) fn labelled(self, label: Option<&str>) -> (Self, String) {
        let Some(label) = label.filter(|label| !label.is_empty()) else { return (self, self.name()) };
        let found = Self::named(label)
            .filter(|found| (found.prompt, found.generated) == (self.prompt, self.generated));
        found.map_or_else(
            || (self, label.to_owned()),
            |found| {
                let test = Self { is_behind_prompt: found.is_behind_prompt, ..self };
                (test, test.name())
            },
        )
    }

    /// The tokens that its time is for.
    pub(super) fn tokens(self) -> f64 {
        let prompt = if self.is_behind_prompt { 0 } else { self.prompt };
        prompt.saturating_add(self.generated) as f64
    }

    /// The test whose time fits. A fork without labels (`-gp`) states the tokens of the prompt also where it times only the
    /// generated ones, and its rate tells so.
    pub(super) fn as_timed(self, fits: impl Fn(f64) -> bool) -> Self {
        let behind = Self { is_behind_prompt: true, ..self };
        let has_both = self.prompt > 0 && self.generated > 0;
        if has_both && !fits(self.tokens()) && fits(behind.tokens()) { behind } else { self }
    }
}

/// Whether so many tokens in each of these times have this mean rate, but for rounding. Times that are not all readable
/// have no mean that could differ.
pub(super) fn are_of(times: &[Value<'_>], tokens: f64, mean: f64) -> bool {
    let seconds = |time: &Value<'_>| crate::text::number(plain(time).as_bytes()).map(|time| time / 1e9);
    let rates = times.iter().map(|time| seconds(time).filter(|time| *time > 0.0).map(|time| tokens / time));
    let sum: Option<f64> = rates.sum();
    sum.is_none_or(|sum| (sum / times.len() as f64 - mean).abs() <= 1e-4 * mean.abs() + 2e-6)
}

/// Whether so many tokens in this mean time have this mean rate, if the time is known. The mean of rates is larger than the
/// rate of the mean time, by the square of the relative deviation.
pub(super) fn is_rate_of(tokens: f64, rate: f64, time: Option<f64>, deviation: Option<f64>) -> bool {
    time.is_none_or(|time| {
        let spread = deviation.unwrap_or(0.0) / time;
        (rate * time / 1e9 - tokens).abs() <= (1e-4 + 2.0 * spread * spread) * tokens
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_named_as_in_the_table() {
        for (prompt, generated, depth, is_behind_prompt, name) in [
            (512, 0, 0, false, "pp512"),
            (0, 128, 0, false, "tg128"),
            (512, 128, 0, false, "pp512+tg128"),
            (0, 128, 4096, false, "tg128 @ d4096"),
            (512, 128, 0, true, "tg128@pp512"),
        ] {
            let test = Test { prompt, generated, depth, is_behind_prompt };
            assert_eq!(test.name(), name);
            assert_eq!(Test::named(name), Some(test));
        }
        assert_eq!(Test::named("pp 512"), Test::named("pp512"));
        for name in ["", "512", "pp", "tg128 @ dx", "pp512+xx1", "tg128@", "pp512@tg128", "tg128@pp512+tg1"] {
            assert_eq!(Test::named(name), None, "{name}");
        }
    }

    #[test]
    fn a_label_says_which_tokens_are_timed() {
        let counts = Test { prompt: 512, generated: 64, ..Test::default() };
        for (label, tokens, name) in [
            (None, 576.0, "pp512+tg64"),
            (Some(""), 576.0, "pp512+tg64"),
            (Some("pp512+tg64"), 576.0, "pp512+tg64"),
            (Some("tg64@pp512"), 64.0, "tg64@pp512"),
            (Some("tg64"), 576.0, "tg64"),
            (Some("unknown"), 576.0, "unknown"),
        ] {
            let (test, found) = counts.labelled(label);
            assert_eq!((test.tokens(), found.as_str()), (tokens, name));
        }
    }

    #[test]
    fn a_rate_tells_which_tokens_are_timed() {
        let both = Test { prompt: 512, generated: 64, ..Test::default() };
        for (rate, time, deviation, is_behind_prompt) in [
            (128.0, Some(0.5e9), Some(0.0), true),
            (1152.0, Some(0.5e9), None, false),
            (130.0, Some(0.5e9), Some(0.05e9), true),
            (130.0, Some(0.5e9), None, false),
            (128.0, Some(0.0), Some(0.0), false),
            (128.0, None, None, false),
        ] {
            let test = both.as_timed(|tokens| is_rate_of(tokens, rate, time, deviation));
            assert_eq!(test.is_behind_prompt, is_behind_prompt, "{rate}");
        }
        assert_eq!(Test { prompt: 0, ..both }.as_timed(|_| false), Test { prompt: 0, ..both });
    }
}
