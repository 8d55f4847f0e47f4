//! JSON values, used by every reader of JSON. Numbers keep all their digits until they are used as a value, and
//! every key knows its line.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// A JSON value, whose texts are those of the file. It is kept small: a million values must not take a multiple of
/// their file's size.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Whole(i64),
    Float(f64),
    /// An integer with too many digits for any integer type.
    Digits(&'a str),
    Text(Cow<'a, str>),
    List(Box<[Value<'a>]>),
    Object(Box<Object<'a>>),
}

/// The keys of an object, each once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object<'a> {
    /// The line of the opening bracket.
    pub(super) line: u32,
    /// In the order of the file; sorted by key if there are more than [`FEW`].
    entries: Box<[Entry<'a>]>,
}

/// So many keys are found faster one after another than by halving, and need no order.
pub(super) const FEW: usize = 24;

/// A key with its line and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) line: u32,
    pub(super) value: Value<'a>,
}

impl<'a> Object<'a> {
    /// An object that begins on this line. `twice` is told of each further entry of a key, which is left out. The first
    /// [`FEW`] entries have different keys.
    pub(super) fn new(line: u32, mut entries: Vec<Entry<'a>>, mut twice: impl FnMut(&Entry<'a>)) -> Self {
        if entries.len() > FEW {
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            entries.dedup_by(|later, first| {
                let same = later.key == first.key;
                if same {
                    twice(later);
                }
                same
            });
        }
        Self { line, entries: entries.into() }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Whether the object has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// The line of a key, or of the object if the key is missing.
    pub(super) fn line_of(&self, key: &str) -> u32 {
        self.entry(key).map_or(self.line, |entry| entry.line)
    }

    /// Iterates over keys and values in the order of the keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value<'a>)> {
        let few = self.entries.len() <= FEW;
        let mut order: [u8; FEW] = std::array::from_fn(|at| at as u8);
        if few {
            let key = |at: u8| &*self.entries[usize::from(at)].key;
            order[..self.entries.len()].sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        }
        (0..self.entries.len()).map(move |nth| {
            let entry = &self.entries[if few { usize::from(order[nth]) } else { nth }];
            (&*entry.key, &entry.value)
        })
    }

    /// Iterates over keys and values in any order, which is faster.
    pub(super) fn unordered(&self) -> impl Iterator<Item = (&str, &Value<'a>)> {
        self.entries.iter().map(|entry| (&*entry.key, &entry.value))
    }

    fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        if self.entries.len() <= FEW {
            return self.entries.iter().find(|entry| *entry.key == *key);
        }
        let at = self.entries.binary_search_by(|entry| (*entry.key).cmp(key)).ok()?;
        Some(&self.entries[at])
    }
}

impl<'a> Value<'a> {
    pub(super) fn of_word(word: &'a str) -> Self {
        match word {
            "null" => Self::Null,
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            other => Self::Text(other.into()),
        }
    }

    /// The value of a key, if this is an object.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.object()?.get(key)
    }

    pub(super) fn object(&self) -> Option<&Object<'a>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// Whether it is a text, a number or a truth value.
    pub(super) fn is_simple(&self) -> bool {
        !matches!(self, Self::Null | Self::List(_) | Self::Object(_))
    }

    /// Whether it is the number 0.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Self::Whole(0)) || matches!(self, Self::Float(float) if *float == 0.0)
    }
}

impl fmt::Display for Value<'_> {
    /// Writes the value without blanks and with sorted keys, so that equal content gives equal text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(truth) => write!(formatter, "{truth}"),
            Self::Whole(whole) => write!(formatter, "{whole}"),
            Self::Float(float) => write!(formatter, "{float:?}"),
            Self::Digits(digits) => formatter.write_str(digits),
            Self::Text(text) => quote(formatter, text),
            Self::List(list) => {
                formatter.write_char('[')?;
                for (nth, value) in list.iter().enumerate() {
                    write!(formatter, "{}{value}", if nth == 0 { "" } else { "," })?;
                }
                formatter.write_char(']')
            }
            Self::Object(object) => {
                formatter.write_char('{')?;
                for (nth, (key, value)) in object.iter().enumerate() {
                    formatter.write_str(if nth == 0 { "" } else { "," })?;
                    quote(formatter, key)?;
                    write!(formatter, ":{value}")?;
                }
                formatter.write_char('}')
            }
        }
    }
}

fn quote(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    formatter.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}
