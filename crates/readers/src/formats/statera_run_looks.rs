//! The share of alpha of each benchmark of a run that was examined while it went on.

use std::collections::HashMap;

use super::json::Value;
use super::statera_run_manifest::{list, number, whole};

/// The looks at the data, in order.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// The last look at each benchmark.
    last: HashMap<String, Last>,
    /// Nothing follows: no benchmark goes on.
    pub(super) ended: bool,
}

#[derive(Debug)]
struct Last {
    look: usize,
    share: f64,
    goes_on: bool,
}

impl Looks {
    /// Takes the record of a look; `None` if it is damaged.
    pub(super) fn take(&mut self, record: &Value) -> Option<()> {
        let look = usize::try_from(whole(record.get("look")?)?).ok()?;
        let share = number(record.get("share")?).filter(|share| *share > 0.0 && *share <= 1.0)?;
        let undecided: Vec<&str> = list(record, "undecided").iter().filter_map(Value::text).collect();
        for benchmark in list(record, "benchmarks").iter().filter_map(Value::text) {
            let last = Last { look, share, goes_on: undecided.contains(&benchmark) };
            self.last.insert(benchmark.to_owned(), last);
        }
        Some(())
    }

    /// The share of alpha that the values of a benchmark may spend: that of the look at which it left the rounds, or of
    /// the next one while it goes on. `None` if the plan has no looks.
    pub(super) fn share(&self, benchmark: &str, planned: &[f64]) -> Option<f64> {
        match self.last.get(benchmark) {
            None => planned.first().copied(),
            Some(last) if last.goes_on && !self.ended => {
                Some(planned.get(last.look).copied().unwrap_or(last.share))
            }
            Some(last) => Some(last.share),
        }
    }
}
