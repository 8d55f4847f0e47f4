//! Runs that were appended without a mark: the next one repeats the names of the one before.

use std::collections::HashSet;

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
