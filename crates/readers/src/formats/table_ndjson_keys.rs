//! The keys of a table as newline-delimited JSON, with the first cells of each.

use std::collections::HashMap;
use std::io;

use foldhash::fast::FixedState;

use super::json::{Object, Value};
use super::table_cells::{is_missing, is_number};
use super::table_columns::{BENCHMARK, Preview};
use super::table_headers::{Header, Holds};
use crate::limits::{Limits, within};
use crate::text::excerpt;

/// How many cells of a key are looked at.
const SAMPLE: usize = 20;

/// A cell for messages, and what it is.
type Seen = (String, Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// A number in quotes: of a result it is one, of anything else it is a text.
    Quoted,
    Other,
}

/// The keys in the order in which they occur.
#[derive(Debug, Default)]
pub(super) struct Columns {
    places: HashMap<String, usize, FixedState>,
    keys: Vec<(String, Vec<Seen>)>,
}

impl Columns {
    /// Adds the keys and cells of a row.
    pub(super) fn add(&mut self, row: &Object<'_>) {
        for (key, value) in row.iter() {
            let cells = self.cells(key);
            if cells.len() < SAMPLE {
                cells.extend(seen(value));
            }
        }
    }

    /// Adds those of the rows that follow.
    pub(super) fn append(&mut self, later: Self) {
        for (key, cells) in later.keys {
            let known = self.cells(&key);
            let missing = SAMPLE.saturating_sub(known.len());
            known.extend(cells.into_iter().take(missing));
        }
    }

    fn cells(&mut self, key: &str) -> &mut Vec<Seen> {
        let place = self.places.get(key).copied().unwrap_or_else(|| {
            self.places.insert(key.to_owned(), self.keys.len());
            self.keys.push((key.to_owned(), Vec::new()));
            self.keys.len() - 1
        });
        &mut self.keys[place].1
    }

    /// The same with the benchmark's key first.
    pub(super) fn in_order(mut self) -> Self {
        if let Some(&at) = BENCHMARK.iter().find_map(|name| self.places.get(*name)) {
            self.keys[..=at].rotate_right(1);
            self.places = self.keys.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        }
        self
    }

    /// Whether there is this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.places.contains_key(key)
    }

    /// The keys.
    pub(super) fn names(&self) -> Vec<String> {
        self.keys.iter().map(|(key, _)| key.clone()).collect()
    }

    /// Fails if there are more keys than the limits allow.
    pub(super) fn check(&self, limits: &Limits) -> io::Result<()> {
        let count = self.keys.len() as u64;
        let are_few = count <= limits.keys.saturating_add(limits.metrics);
        within(if are_few { 0 } else { count }, limits.keys, "keys", "the table has too many keys")
    }
}

impl Preview for Columns {
    fn is_numeric(&self, column: usize) -> bool {
        let cells = &self.keys[column].1;
        let are_quoted = cells.iter().any(|(_, kind)| *kind == Kind::Quoted);
        !cells.is_empty()
            && cells.iter().all(|(_, kind)| *kind != Kind::Other)
            && (!are_quoted || Header::of(&self.keys[column].0).holds != Holds::Unknown)
    }

    fn first(&self, column: usize) -> Vec<String> {
        self.keys[column].1.iter().take(3).map(|(text, _)| text.clone()).collect()
    }
}

fn seen(value: &Value<'_>) -> Option<Seen> {
    match value {
        Value::Null => None,
        Value::Text(text) if is_missing(text.trim().as_bytes()) => None,
        Value::Text(text) => {
            let kind = if is_number(text.trim().as_bytes()) { Kind::Quoted } else { Kind::Other };
            Some((excerpt(text.as_bytes()), kind))
        }
        Value::Whole(_) | Value::Float(_) | Value::Digits(_) => Some((value.to_string(), Kind::Number)),
        Value::Bool(_) | Value::List(_) | Value::Object(_) => {
            Some((excerpt(value.to_string().as_bytes()), Kind::Other))
        }
    }
}
