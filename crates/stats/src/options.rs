//! The options of a procedure.

use std::collections::HashMap;

/// A value of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// An integer that need not be representable as a float.
    Whole(u64),
    /// A word.
    Word(String),
    /// Several numbers.
    Numbers(Vec<f64>),
    /// A truth value.
    Flag(bool),
}

/// Options by name. There are no defaults here: callers state every one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options(HashMap<String, Setting>);

impl Options {
    /// Creates options from names and values.
    #[must_use]
    pub fn new(settings: impl IntoIterator<Item = (String, Setting)>) -> Self {
        Self(settings.into_iter().collect())
    }

    /// Returns a confidence level, or `None` if it is absent: then nothing that needs a level is computed.
    pub(crate) fn confidence(&self) -> Result<Option<f64>, String> {
        let Some(level) = self.optional("confidence") else {
            return Ok(None);
        };
        if level > 0.0 && level < 1.0 {
            return Ok(Some(level));
        }
        Err(format!("confidence must lie between 0 and 1, but is {level}. Write 0.95 for 95 %"))
    }

    /// Returns a required confidence level.
    pub(crate) fn level(&self) -> Result<f64, String> {
        self.confidence()?.ok_or_else(|| "confidence must be a number between 0 and 1".to_owned())
    }

    /// Returns a number, if it is present.
    fn optional(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            Setting::Number(number) => Some(*number),
            Setting::Whole(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// Returns a required number.
    pub(crate) fn number(&self, name: &str) -> Result<f64, String> {
        self.optional(name).ok_or_else(|| format!("{name} must be a number"))
    }

    /// Returns an integer of at least `least`, if it is present.
    pub(crate) fn optional_whole(&self, name: &str, least: u64) -> Result<Option<u64>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Setting::Whole(number)) if *number >= least => Ok(Some(*number)),
            Some(_) => Err(format!("{name} must be a whole number of at least {least}")),
        }
    }

    /// Returns a required integer of at least `least`.
    pub(crate) fn whole(&self, name: &str, least: u64) -> Result<u64, String> {
        self.optional_whole(name, least)?
            .ok_or_else(|| format!("{name} must be a whole number of at least {least}"))
    }

    /// Returns a truth value; false if absent.
    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Setting::Flag(true)))
    }

    /// Returns the index of a word among the allowed ones.
    pub(crate) fn word(&self, name: &str, words: &[&str]) -> Result<usize, String> {
        let found = match self.0.get(name) {
            Some(Setting::Word(word)) => words.iter().position(|known| known == word),
            _ => None,
        };
        found.ok_or_else(|| format!("{name} must be one of {}", words.join(", ")))
    }

    /// Returns levels of quantiles between 0 and 1; with `ends`, 0 and 1 are allowed.
    pub(crate) fn levels(&self, name: &str, ends: bool) -> Result<Vec<f64>, String> {
        let levels = match self.0.get(name) {
            Some(Setting::Numbers(levels)) if !levels.is_empty() => levels.clone(),
            _ => return Err(format!("{name} must be a list of numbers between 0 and 1")),
        };
        let inside = |p: f64| if ends { (0.0..=1.0).contains(&p) } else { p > 0.0 && p < 1.0 };
        match levels.iter().find(|&&p| !inside(p)) {
            None => Ok(levels),
            Some(level) => Err(format!("{name} must lie between 0 and 1, but one is {level}")),
        }
    }
}
