//! Runs that were appended without a mark: the next one repeats the names of the one before.

use crate::context::Context;
use crate::sheet::Sheet;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The names that the run had so far.
#[derive(Default)]
pub(super) struct Repeats(HashSet<String>);

impl Repeats {
    /// Adds a name; whether it begins another run.
    pub(super) fn begins(&mut self, name: &str) -> bool {
        let begins = !self.0.insert(name.to_owned());
        if begins {
            self.0 = HashSet::from([name.to_owned()]);
        }
        begins
    }
}

/// Adds settings to the configuration of the rows whose benchmark and metric others have with another value of the setting:
/// these are no repetitions. Each of the settings holds from its row on.
pub(super) fn state_differences(sheet: &mut Sheet, settings: &[(usize, Context)]) {
    let of_row = |row: usize| {
        let after = settings.partition_point(|(first, _)| *first <= row);
        after.checked_sub(1).map_or(&[][..], |at| &settings[at].1)
    };
    let identity = |sheet: &Sheet, row: usize| (sheet.benchmark[row], sheet.metric[row]);
    let mut values = HashMap::<_, HashMap<&str, BTreeSet<&str>>>::new();
    for row in 0..sheet.len() {
        let known = values.entry(identity(sheet, row)).or_default();
        for (key, value) in of_row(row) {
            known.entry(key).or_default().insert(value);
        }
    }
    for row in 0..sheet.len() {
        let known = &values[&identity(sheet, row)];
        let differing = of_row(row).iter().filter(|(key, _)| known[&**key].len() > 1);
        let mut context = sheet.contexts.to_context(sheet.context[row] as usize);
        let before = context.len();
        context.extend(differing.cloned());
        if context.len() > before {
            sheet.context[row] = sheet.contexts.intern(&context);
        }
    }
}
