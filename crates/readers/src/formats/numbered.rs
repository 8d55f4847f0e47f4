//! Different names for equal ones in one run: nothing says what differs between them, so each is work of its own.

use std::collections::HashMap;

/// The names of a run so far, with the number that each had last.
#[derive(Debug, Default)]
pub(super) struct Numbered(HashMap<String, u32>);

impl Numbered {
    /// Returns the name, which ends in ` #2`, ` #3` and so on if it comes again.
    pub(super) fn name(&mut self, name: String) -> String {
        let Some(last) = self.0.get(&name).copied() else {
            self.0.insert(name.clone(), 1);
            return name;
        };
        // A benchmark can have such a name of its own.
        let free = (last.saturating_add(1)..u32::MAX)
            .map(|number| (number, format!("{name} #{number}")))
            .find(|(_, numbered)| !self.0.contains_key(numbered));
        let Some((number, numbered)) = free else { return name };
        self.0.insert(name, number);
        self.0.insert(numbered.clone(), 1);
        numbered
    }

    /// The same for the names of one file among several.
    pub(super) fn name_in(&mut self, file: &str, name: String) -> String {
        if file.is_empty() {
            return self.name(name);
        }
        let numbered = self.name(format!("{file}\0{name}"));
        numbered.get(file.len() + 1..).map_or(name, str::to_owned)
    }

    /// Begins another run.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_comes_again_has_a_number() {
        let mut names = Numbered::default();
        let found = ["a", "a #2", "a", "a", "a #2", "b"].map(|name| names.name(name.to_owned()));
        assert_eq!(found, ["a", "a #2", "a #3", "a #4", "a #2 #2", "b"]);
        names.clear();
        assert_eq!(names.name("a".to_owned()), "a");
    }
}
