//! The keys of a table as newline-delimited JSON, with the first cells of each.

use crate::formats::prelude::*;
use foldhash::fast::FixedState;

use super::cells::{is_missing, is_number, resembles_number};
use super::columns::Plan;
use super::headers::Header;
use super::mapping::benchmark_at;
use super::name_words::Holds;
use super::preview::Preview;
use crate::limits::{Limits, within};

/// How many cells of a key are looked at.
const SAMPLE: usize = 20;

/// A cell for messages, and what it is.
type Seen = (String, Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// A number in quotes: of a result it is one, of anything else it is a text.
    Quoted,
    /// A list or an object.
    Nested,
    /// A list or an object with results.
    Results,
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
        if let Some(at) = benchmark_at(&self.names(), |_| true) {
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

    /// Takes keys whose values are lists or objects from the configuration, unless their names or the user say that they
    /// were varied, and returns what it took: they are rather results, which differ between all rows.
    pub(super) fn leave_out(&self, plan: &mut Plan, options: &Options) -> Vec<String> {
        let is_said = |key: &String| {
            options.keys.contains(key) || options.columns.iter().any(|(_, column)| column == key)
        };
        let is_left_out = |column: usize| {
            let (key, cells) = &self.keys[column];
            let is_nested = cells.iter().any(|(_, kind)| matches!(kind, Kind::Nested | Kind::Results));
            let has_results = cells.iter().any(|(_, kind)| *kind == Kind::Results);
            let is_varied = (Header::of(key).holds == Holds::Settings && !has_results)
                || VARIED.contains(&&*key.to_lowercase());
            is_nested && !is_varied && !is_said(key)
        };
        let (left_out, kept) = plan.context.drain(..).partition(|(column, _)| is_left_out(*column));
        plan.context = kept;
        let left_out: Vec<(usize, String)> = left_out;
        left_out.into_iter().map(|(column, _)| self.keys[column].0.clone()).collect()
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
        let (key, cells) = &self.keys[column];
        let has = |one: Kind| cells.iter().any(|(_, kind)| *kind == one);
        let header = Header::of(key);
        let any = has(Kind::Number) || has(Kind::Quoted);
        let are_all = any && !has(Kind::Other) && (!has(Kind::Quoted) || header.holds != Holds::Unknown);
        let resembling = cells.iter().any(|(text, _)| resembles_number(text.trim().as_bytes()));
        let is_nested = has(Kind::Nested) || has(Kind::Results);
        !cells.is_empty() && !is_nested && (are_all || header.has_numbers(any, resembling))
    }

    fn first(&self, column: usize) -> Vec<String> {
        self.keys[column].1.iter().take(3).map(|(text, _)| text.clone()).collect()
    }

    fn sample(&self, column: usize) -> Vec<String> {
        self.keys[column].1.iter().map(|(text, _)| text.clone()).collect()
    }
}

/// Keys of lists and objects that say what was varied, beside the words of settings.
const VARIED: [&str; 18] = words!(
    "arg args argv config configuration env flags kwargs labels options opts param parameter parameters \
     params settings shape tags"
);

/// Reports the keys that are left out.
pub(super) fn say_left_out(keys: &[String], sheet: &mut Sheet) {
    for key in keys.iter().take(20) {
        let what = format!("the key `{}` holds lists or objects; it is left out", excerpt(key));
        let hint = "write each number as the value of a key, or say --column setting=KEY if it was varied";
        sheet.malformed(0, what, hint);
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
        Value::Bool(_) => Some((value.to_string(), Kind::Other)),
        Value::List(_) | Value::Object(_) => {
            let kind = if has_results(value) { Kind::Results } else { Kind::Nested };
            Some((excerpt(value.to_string()), kind))
        }
    }
}

/// Whether keys within a value speak of results, as those of what a `worker` or a `client` reports do.
fn has_results(value: &Value<'_>) -> bool {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::List(list) => rest.extend(list),
            Value::Object(object) => {
                let is_number = |value: &Value<'_>| matches!(value, Value::Whole(_) | Value::Float(_));
                if object.unordered().any(|(key, value)| is_number(value) && names_result(key)) {
                    return true;
                }
                rest.extend(object.unordered().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    false
}

/// Whether a key names a result. A unit alone or a statistic alone can describe what was varied: `bytes`, `max`.
fn names_result(key: &str) -> bool {
    let header = Header::of(key);
    match header.holds {
        Holds::Results => !is_known(key),
        Holds::Mean | Holds::Summary | Holds::Deviation => header.has_unit() || !header.subject.is_empty(),
        _ => false,
    }
}
