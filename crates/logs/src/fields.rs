//! The fields that a mapping asks for, by number, and the expressions that it applies to them.

use std::collections::HashMap;

use regex::bytes::Regex;

/// The numbers of fields by name.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    numbers: HashMap<String, u16>,
    /// The names by number.
    pub names: Vec<String>,
}

impl Fields {
    /// The number of a field.
    pub fn number(&mut self, name: &str) -> u16 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u16;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}

/// Fields that every line has: its host, its file, and the name of its kind.
pub(crate) const OWN: [&str; 3] = ["host", "file", "lines"];

/// A regular expression on bytes.
pub(crate) fn expression(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| format!("{pattern:?} is no regular expression: {error}"))
}
