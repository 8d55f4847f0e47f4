//! A mapping of the logs of any system: which lines there are, and what of them is measured.
//!
//! The text form is JSON, as Python has checked it. It is compiled into numbers of fields, so that a line costs no look-up
//! of a name.

use std::collections::HashMap;

use serde::Deserialize;
use statera_readers::measured::Unit as Measured;
use statera_readers::{Better, Metric, Quantity};

use crate::conditions::{All, Any, ConditionText};
use crate::fields::{Fields, OWN};
use crate::forms::{Lines, LinesText};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    lines: Vec<LinesText>,
    samples: Vec<SampleText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleText {
    name: String,
    metric: Option<String>,
    #[serde(default, rename = "where")]
    filter: HashMap<String, ConditionText>,
    #[serde(default)]
    value: Vec<String>,
    minus: Option<String>,
    unit: Option<String>,
    /// Seconds.
    per: Option<f64>,
    #[serde(default)]
    failed: HashMap<String, ConditionText>,
    #[serde(default)]
    keys: Vec<KeyText>,
    better: Option<String>,
    from: Option<HashMap<String, ConditionText>>,
    to: Option<HashMap<String, ConditionText>>,
    #[serde(default)]
    join: Vec<String>,
    #[serde(default)]
    hosts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    name: String,
    field: String,
    #[serde(default)]
    replace: Vec<(String, String)>,
}

/// A key of a sample.
#[derive(Debug)]
pub(crate) struct Key {
    pub name: String,
    pub field: u16,
    pub replace: Vec<(regex::Regex, String)>,
}

/// What a sample measures.
#[derive(Debug)]
pub(crate) enum Measure {
    /// A value of a line; the first of these fields that is there, less another.
    Value(Vec<u16>, Option<u16>),
    /// Lines in each interval of so many seconds, or the sum of a field of them.
    Rate(f64, Vec<u16>),
    /// The time from one event of a key to another.
    Between { from: All, to: All, join: Vec<u16>, hosts: Vec<Across> },
}

/// Which hosts' times count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Across {
    /// Each host's.
    Each,
    /// That of the first host.
    First,
    /// That after which so many per cent of the hosts have it.
    PerCent(u32),
}

/// A sample: what is measured, of which lines, told apart by what.
#[derive(Debug)]
pub(crate) struct Sample {
    pub name: String,
    pub filter: All,
    pub measure: Measure,
    pub unit: Option<Measured>,
    pub failed: Option<Any>,
    pub keys: Vec<Key>,
    pub metric: String,
    better: Direction,
}

/// Which direction of a sample's values is better.
#[derive(Debug, Clone, Copy)]
enum Direction {
    /// The unit tells.
    OfUnit,
    /// The mapping states it; `None` for none.
    Stated(Option<Better>),
}

impl Sample {
    /// Whether lines without a time cannot belong to it.
    pub fn needs_times(&self) -> bool {
        !matches!(self.measure, Measure::Value(..))
    }

    /// The metric of values of this base unit and quantity.
    pub fn described(&self, suffix: &str, base: &str, quantity: Quantity) -> Metric {
        let name = format!("{}{suffix}", self.metric);
        let metric = Metric::new(&name, base, quantity).never_exact();
        match self.better {
            Direction::Stated(better) => Metric { better, ..metric },
            // More requests a second can be more load.
            Direction::OfUnit if matches!(self.measure, Measure::Rate(..)) => {
                Metric { better: None, ..metric }
            }
            Direction::OfUnit => metric,
        }
    }
}

/// A compiled mapping.
#[derive(Debug)]
pub struct Mapping {
    pub(crate) fields: Fields,
    pub(crate) lines: Vec<Lines>,
    pub(crate) samples: Vec<Sample>,
}

impl Mapping {
    /// Compiles a mapping given as JSON text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut fields = Fields::default();
        for name in OWN {
            fields.number(name);
        }
        let made = document.samples.into_iter().map(|sample| compiled(sample, &mut fields));
        let samples = made.collect::<Result<Vec<_>, _>>()?;
        let lines = document.lines.iter().map(|lines| Lines::new(lines, &mut fields));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        let timed = samples.iter().find(|sample| sample.needs_times());
        if let (false, Some(sample)) = (lines.iter().any(Lines::has_time), timed) {
            let name = &sample.name;
            return Err(format!(
                "the sample {name:?} needs times, and no lines have one. Name their field of the time"
            ));
        }
        let made = Self { fields, lines, samples };
        match made.unknown_field() {
            Some(name) => Err(format!("no kind of lines has a field {name:?}")),
            None => Ok(made),
        }
    }

    /// Whether a field comes from some kind of lines: a misspelt one would never have a value.
    fn unknown_field(&self) -> Option<&str> {
        let known =
            |field: usize| field < OWN.len() || self.lines.iter().any(|lines| lines.can_have(field as u16));
        (0..self.fields.names.len())
            .find(|field| !known(*field))
            .map(|field| self.fields.names[field].as_str())
    }
}

fn compiled(text: SampleText, fields: &mut Fields) -> Result<Sample, String> {
    let name = text.name;
    let within = |error: String| format!("the sample {name:?}: {error}");
    let value: Vec<u16> = text.value.iter().map(|field| fields.number(field)).collect();
    let mut filter = All::new(text.filter, fields).map_err(within)?;
    let measure = match (text.from, text.to, text.per) {
        (Some(from), Some(to), None) if value.is_empty() => {
            let join = text.join.iter().map(|field| fields.number(field)).collect();
            let hosts = text.hosts.iter().map(|word| across(word)).collect::<Option<Vec<_>>>();
            let hosts =
                hosts.ok_or_else(|| within("hosts takes each, first and shares such as 50%".to_owned()))?;
            let hosts = if hosts.is_empty() { vec![Across::Each] } else { hosts };
            let (from, to) = (All::new(from, fields).map_err(within)?, All::new(to, fields).map_err(within)?);
            Measure::Between { from, to, join, hosts }
        }
        (None, None, Some(per)) => Measure::Rate(per, value),
        (None, None, None) if !value.is_empty() => {
            Measure::Value(value, text.minus.as_deref().map(|field| fields.number(field)))
        }
        _ => {
            let what = "say what is measured by one of: value; per, with or without value; from, to and join";
            return Err(within(what.to_owned()));
        }
    };
    filter.sort();
    let keys = text
        .keys
        .into_iter()
        .map(|key| compiled_key(key, fields))
        .collect::<Result<_, _>>()
        .map_err(within)?;
    let failed =
        (!text.failed.is_empty()).then(|| Any::new(text.failed, fields)).transpose().map_err(within)?;
    let stated = |word: &String| Direction::Stated(Better::of_word(word.as_bytes()));
    let better = text.better.as_ref().map_or(Direction::OfUnit, stated);
    let metric = text.metric.unwrap_or_else(|| match (&measure, text.value.first()) {
        (_, Some(field)) => field.clone(),
        (Measure::Rate(..), None) => "rate".to_owned(),
        _ => "time".to_owned(),
    });
    Ok(Sample {
        name,
        filter,
        measure,
        unit: text.unit.as_deref().map(Measured::named),
        failed,
        keys,
        metric,
        better,
    })
}

fn compiled_key(key: KeyText, fields: &mut Fields) -> Result<Key, String> {
    let replace = key.replace.into_iter().map(|(pattern, with)| Ok((unanchored(&pattern)?, with)));
    let replace = replace.collect::<Result<Vec<_>, String>>()?;
    Ok(Key { field: fields.number(&key.field), name: key.name, replace })
}

fn unanchored(pattern: &str) -> Result<regex::Regex, String> {
    regex::Regex::new(pattern).map_err(|error| format!("{pattern:?} is no regular expression: {error}"))
}

fn across(word: &str) -> Option<Across> {
    match word {
        "each" => Some(Across::Each),
        "first" => Some(Across::First),
        _ => {
            let share = word.strip_suffix('%')?.parse().ok()?;
            (1..=100).contains(&share).then_some(Across::PerCent(share))
        }
    }
}
