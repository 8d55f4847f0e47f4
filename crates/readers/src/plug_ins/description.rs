//! The description of a format by a plug-in, in words, and what is wrong with it.

use super::PlugIn;
use crate::Role;
use crate::formats::{self, Format, Key, Meaning, Pooling, Processes, Values};
use crate::text::listed;

/// What a plug-in says of its format.
#[derive(Debug, Default)]
pub struct Description {
    /// The name that `--format` takes.
    pub name: String,
    /// What the plug-in looks for, in words.
    pub sign: String,
    /// The program that writes such files.
    pub harness: String,
    /// The command or option that makes it write them.
    pub export: String,
    /// The names that such files have.
    pub files: Vec<String>,
    /// The word for what a value is ([`Values::word`]).
    pub values: String,
    /// What a file is that has no samples, for `refused`.
    pub refused: String,
    /// The word for what is known about processes ([`Processes::word`]).
    pub processes: String,
    /// The word for blocks, if there are any.
    pub block: Option<String>,
    /// The key that names the variants of a file.
    pub variants: Option<String>,
    /// Whether a file can state the better direction of a metric.
    pub states_direction: bool,
    /// The configuration keys.
    pub keys: Vec<DescribedKey>,
    /// The names of metrics and their meanings.
    pub metrics: Vec<(String, String)>,
}

/// A configuration key, in words.
#[derive(Debug)]
pub struct DescribedKey {
    /// Its name.
    pub name: String,
    /// The word for what it describes ([`Role::word`]).
    pub role: String,
    /// The word for whether its values are pooled ([`Pooling::word`]).
    pub pooling: String,
    /// Its meaning.
    pub meaning: String,
    /// Whether the head of a table leaves it out.
    pub detail: bool,
}

const PROCESSES: [Processes; 4] =
    [Processes::Unknown, Processes::OneAValue, Processes::OneAFile, Processes::Stated];
const POOLING: [Pooling; 3] = [Pooling::Always, Pooling::Unshared, Pooling::Never];
const ROLES: [Role; 6] =
    [Role::Setting, Role::Environment, Role::Commit, Role::Date, Role::Run, Role::Outcome];

impl Description {
    /// Makes the format. It stays in memory for the life of the program, like the formats of this crate: describe each
    /// format once.
    ///
    /// # Errors
    /// What is wrong with the description.
    pub fn format(self, plug_in: PlugIn) -> Result<&'static Format, String> {
        self.check()?;
        let values = self.values()?;
        let processes = chosen("processes", &self.processes, PROCESSES, Processes::word)?;
        let keys = self.keys.into_iter().map(DescribedKey::key).collect::<Result<Vec<_>, _>>()?;
        let meanings = self.metrics.into_iter().map(|(name, means)| Meaning::of(kept(name), kept(means)));
        let files: Vec<&'static str> = self.files.into_iter().map(kept).collect();
        Ok(Box::leak(Box::new(Format {
            name: kept(self.name),
            sign: kept(self.sign),
            harness: kept(self.harness),
            export: kept(self.export),
            files: files.leak(),
            values,
            processes,
            block: self.block.map(kept),
            variants: self.variants.map(kept),
            states_direction: self.states_direction,
            keys: vec![&*keys.leak()].leak(),
            metrics: meanings.collect::<Vec<_>>().leak(),
            plug_in: Some(Box::leak(Box::new(plug_in))),
            ..Format::PLAIN
        })))
    }

    fn check(&self) -> Result<(), String> {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_of_word) {
            return Err(format!("name is `{}`; a name has letters, digits, `.`, `-` and `_`", self.name));
        }
        if formats::by_name(&self.name).is_ok() {
            return Err(format!("`{}` is the name of a format of statera; take another", self.name));
        }
        match [("sign", &self.sign), ("harness", &self.harness)].iter().find(|(_, text)| text.is_empty()) {
            Some((field, _)) => Err(format!("{field} is empty")),
            None => Ok(()),
        }
    }

    fn values(&self) -> Result<Values, String> {
        if self.values == "refused" {
            return Ok(Values::Refused {
                why: kept(self.refused.clone()),
                export: kept(self.export.clone()),
            });
        }
        let values = [Values::Samples, Values::Averages, Values::Aggregates];
        chosen("values", &self.values, values, Values::word)
    }
}

impl DescribedKey {
    /// The key. What it describes is the same in all formats.
    fn key(self) -> Result<Key, String> {
        let field = format!("key {}: role", self.name);
        let role = chosen(&field, &self.role, ROLES, Role::word)?;
        let field = format!("key {}: pooling", self.name);
        let pooling = chosen(&field, &self.pooling, POOLING, Pooling::word)?;
        let known =
            formats::FORMATS.iter().flat_map(|format| format.keys()).find(|key| key.name == self.name);
        if let Some(known) = known.filter(|known| (known.role, known.pooling) != (role, pooling)) {
            return Err(format!(
                "key {}: other formats have it with role `{}` and pooling `{}`; use these, or another name",
                self.name,
                known.role.word(),
                known.pooling.word()
            ));
        }
        Ok(Key { name: kept(self.name), role, pooling, meaning: kept(self.meaning), detail: self.detail })
    }
}

/// The choice that a word names.
fn chosen<T: Copy, const N: usize>(
    field: &str,
    word: &str,
    choices: [T; N],
    word_of: fn(T) -> &'static str,
) -> Result<T, String> {
    let words: Vec<&str> = choices.iter().map(|choice| word_of(*choice)).collect();
    choices
        .into_iter()
        .find(|choice| word_of(*choice) == word)
        .ok_or_else(|| format!("{field} is `{word}`; it is one of {}", listed(&words)))
}

fn kept(text: String) -> &'static str {
    text.leak()
}
