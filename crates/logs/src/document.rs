//! The text form of a mapping.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::time::Unit;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    pub line: LineText,
    pub tables: Vec<(String, Vec<(String, String)>)>,
    pub events: Vec<EventText>,
    /// The tables that have one row for each value of a key, by name.
    #[serde(default)]
    pub folds: BTreeMap<String, FoldText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FoldText {
    /// A column of the table, or `at`, the time.
    pub key: String,
    /// The events whose different times are counted.
    #[serde(default)]
    pub times: Vec<String>,
    /// Rows have the integers of the row before, too; the key is `at`.
    #[serde(default)]
    pub before: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineText {
    pub time: String,
    /// Times are numbers, in this unit since the Unix epoch; if absent, times are texts.
    pub unit: Option<Unit>,
    pub name: String,
    pub data: Option<String>,
    pub inner: Option<String>,
    pub kind: Option<String>,
    #[serde(default)]
    pub strip: String,
    /// MiB.
    pub longest: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventText {
    pub event: String,
    pub table: Option<String>,
    #[serde(default)]
    pub names: Vec<String>,
    #[serde(default)]
    pub kinds: Vec<String>,
    #[serde(default)]
    pub required: Vec<String>,
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<SourceText>>,
    #[serde(default)]
    pub absent: BTreeMap<String, i64>,
    #[serde(default)]
    pub skip: Vec<SkipText>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum SourceText {
    Path(String),
    Difference { path: String, minus: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkipText {
    pub field: String,
    pub is: Rule,
}

/// A condition under which a line of an event is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// A field is true.
    True,
    /// A field is false.
    False,
    /// A field is present.
    Present,
}

impl Rule {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Present => "present",
        }
    }
}
