//! Configuration lines in Go's format: a line changes one key, for all results below it.

use std::collections::HashMap;
use std::io;

use crate::Sheet;
use crate::context::Contexts;
use crate::limits::{Limits, within};

/// A change of the configuration, at the row where it takes effect.
pub(super) enum Setting {
    Set(String, String),
    Delete(String),
}

pub(super) struct Piece {
    pub(super) sheet: Sheet,
    pub(super) settings: Vec<(usize, Setting)>,
}

/// Sets the configuration of every row, piece after piece.
pub(super) fn settle(pieces: Vec<Piece>, limits: &Limits) -> io::Result<Vec<Sheet>> {
    let mut current = Current::default();
    let mut inherited = 0;
    let mut sheets = Vec::with_capacity(pieces.len());
    for Piece { mut sheet, settings } in pieces {
        let rows = sheet.len();
        let mut context = Vec::with_capacity(rows);
        let mut pairs = current.numbered(&mut sheet.contexts);
        for (row, setting) in settings {
            // A configuration is stored only if it has results, not for each line of a heading.
            if row > context.len() {
                context.resize(row, number(&mut sheet, &pairs, &mut inherited, limits)?);
            }
            current.apply(setting, &mut pairs, &mut sheet.contexts);
            within(pairs.len() as u64, limits.keys, "keys", "the results state too many configuration keys")?;
        }
        context.resize(rows, number(&mut sheet, &pairs, &mut inherited, limits)?);
        sheet.context = context;
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// Returns the number of a configuration. The keys that a new one inherits from the lines above are counted and
/// limited: a line changes one key, and a file of many keys and many changes would grow with their product.
fn number(sheet: &mut Sheet, pairs: &[(u32, u32)], inherited: &mut u64, limits: &Limits) -> io::Result<u32> {
    let known = sheet.contexts.len();
    let id = sheet.contexts.intern_pairs(pairs);
    if sheet.contexts.len() > known {
        *inherited += pairs.len() as u64;
        let what = "the results take over too many configuration keys from lines above";
        within(*inherited, limits.inherited, "inherited", what)?;
    }
    Ok(id)
}

/// The current configuration. It keeps its texts, because their numbers are valid within one piece only.
#[derive(Default)]
struct Current {
    texts: Vec<(String, String)>,
    places: HashMap<String, usize>,
}

impl Current {
    fn numbered(&self, contexts: &mut Contexts) -> Vec<(u32, u32)> {
        self.texts.iter().map(|(key, value)| (contexts.text(key), contexts.text(value))).collect()
    }

    fn apply(&mut self, setting: Setting, pairs: &mut Vec<(u32, u32)>, contexts: &mut Contexts) {
        match setting {
            Setting::Delete(key) => {
                let Some(place) = self.places.remove(&key) else { return };
                self.texts.remove(place);
                pairs.remove(place);
                self.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
            }
            Setting::Set(key, value) => {
                let pair = (contexts.text(&key), contexts.text(&value));
                if let Some(&place) = self.places.get(&key) {
                    (self.texts[place].1, pairs[place]) = (value, pair);
                } else {
                    self.places.insert(key.clone(), self.texts.len());
                    self.texts.push((key, value));
                    pairs.push(pair);
                }
            }
        }
    }
}
