//! Conditions on the fields of a line.

use std::collections::HashMap;

use regex::bytes::Regex;
use serde::Deserialize;
use statera_readers::measured::bare;

use crate::fields::{Fields, expression};

/// A condition as it is written: one word, or several of which one must hold.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum ConditionText {
    One(String),
    Several(Vec<String>),
}

/// What one word asks of a field.
#[derive(Debug)]
enum Test {
    /// The field is there: `*`.
    Present,
    /// It is this text.
    Equal(Box<[u8]>),
    /// It matches: `/regex/`, or a pattern with `*`.
    Matches(Regex),
    /// It is a number that compares so: `>=500`.
    Compares(Order, f64),
    /// The rest does not hold: `!word`.
    Not(Box<Test>),
}

#[derive(Debug, Clone, Copy)]
enum Order {
    Less,
    AtMost,
    More,
    AtLeast,
}

const ORDERS: [(&str, Order); 4] =
    [("<=", Order::AtMost), (">=", Order::AtLeast), ("<", Order::Less), (">", Order::More)];

impl Test {
    fn new(word: &str) -> Result<Self, String> {
        if let Some(rest) = word.strip_prefix('!') {
            return Ok(Self::Not(Box::new(Self::new(rest)?)));
        }
        if word == "*" {
            return Ok(Self::Present);
        }
        if let Some(pattern) =
            word.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|it| !it.is_empty())
        {
            return Ok(Self::Matches(expression(pattern)?));
        }
        for (mark, order) in ORDERS {
            if let Some(limit) = word.strip_prefix(mark) {
                let limit =
                    limit.trim().parse().map_err(|_| format!("{word:?}: a number must follow {mark}"))?;
                return Ok(Self::Compares(order, limit));
            }
        }
        if word.contains('*') {
            let parts: Vec<String> = word.split('*').map(regex::escape).collect();
            return Ok(Self::Matches(expression(&format!("(?s)^{}$", parts.join(".*")))?));
        }
        Ok(Self::Equal(word.as_bytes().into()))
    }

    fn holds(&self, value: Option<&[u8]>) -> bool {
        match (self, value) {
            (Self::Not(test), value) => !test.holds(value),
            (_, None) => false,
            (Self::Present, Some(_)) => true,
            (Self::Equal(text), Some(value)) => **text == *value,
            (Self::Matches(pattern), Some(value)) => pattern.is_match(value),
            (Self::Compares(order, limit), Some(value)) => {
                bare(value.trim_ascii()).is_some_and(|number| match order {
                    Order::Less => number < *limit,
                    Order::AtMost => number <= *limit,
                    Order::More => number > *limit,
                    Order::AtLeast => number >= *limit,
                })
            }
        }
    }
}

/// The conditions of one field, of which one must hold.
#[derive(Debug)]
struct OfField {
    field: u16,
    /// One of these must hold; none for any value.
    wanted: Vec<Test>,
    /// All of these must hold.
    excluded: Vec<Test>,
}

impl OfField {
    fn holds<'a>(&self, value: &impl Fn(u16) -> Option<&'a [u8]>) -> bool {
        let value = value(self.field);
        self.excluded.iter().all(|test| test.holds(value))
            && (self.wanted.is_empty() || self.wanted.iter().any(|test| test.holds(value)))
    }
}

fn compiled(text: HashMap<String, ConditionText>, fields: &mut Fields) -> Result<Vec<OfField>, String> {
    let mut all: Vec<OfField> = Vec::new();
    for (field, condition) in text {
        let words = match condition {
            ConditionText::One(word) => vec![word],
            ConditionText::Several(words) => words,
        };
        let tests = words.iter().map(|word| Test::new(word)).collect::<Result<Vec<_>, _>>()?;
        let (excluded, wanted) = tests.into_iter().partition(|test| matches!(test, Test::Not(_)));
        all.push(OfField { field: fields.number(&field), wanted, excluded });
    }
    Ok(all)
}

/// Conditions on several fields, all of which must hold.
#[derive(Debug)]
pub(crate) struct All(Vec<OfField>);

impl All {
    pub fn new(text: HashMap<String, ConditionText>, fields: &mut Fields) -> Result<Self, String> {
        compiled(text, fields).map(Self)
    }

    /// Puts what costs least first.
    pub fn sort(&mut self) {
        let costs = |of: &OfField| of.wanted.iter().any(|test| matches!(test, Test::Matches(_)));
        self.0.sort_by_key(|of| (costs(of), of.field));
    }

    pub fn hold<'a>(&self, value: &impl Fn(u16) -> Option<&'a [u8]>) -> bool {
        self.0.iter().all(|of| of.holds(value))
    }
}

/// Conditions on several fields, one of which must hold.
#[derive(Debug)]
pub(crate) struct Any(Vec<OfField>);

impl Any {
    pub fn new(text: HashMap<String, ConditionText>, fields: &mut Fields) -> Result<Self, String> {
        compiled(text, fields).map(Self)
    }

    pub fn holds<'a>(&self, value: &impl Fn(u16) -> Option<&'a [u8]>) -> bool {
        self.0.iter().any(|of| of.holds(value))
    }
}
