//! Choices that are written as words. Each choice has a list of words; any other word is an error.

use std::fmt;

/// A choice that is written as a word.
pub trait Choice: Copy + 'static {
    /// The name of the choice, for messages.
    const WHAT: &'static str;
    /// Every word with its meaning.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the meaning of a word.
    ///
    /// # Errors
    /// If the word is not in the list.
    fn of(word: &str) -> Result<Self, UnknownWord> {
        let known = Self::WORDS.iter().find(|(known, _)| *known == word);
        known.map(|&(_, choice)| choice).ok_or_else(|| UnknownWord {
            what: Self::WHAT,
            word: word.to_owned(),
            known: Self::words(),
        })
    }

    /// Every word.
    #[must_use]
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|&(word, _)| word).collect()
    }
}

/// A word that is not in the list of its choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    what: &'static str,
    word: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} must be one of {}, not {:?}", self.what, self.known.join(", "), self.word)
    }
}

impl std::error::Error for UnknownWord {}

#[cfg(test)]
mod tests {
    use statera_kernels::Correction as Flat;
    use statera_readers::Better;

    use super::Choice;
    use crate::assignment::Pairing;
    use crate::policy::{Correction, PairedOmnibus, ScaleChoice};

    fn every_word_and_no_other<T: Choice + PartialEq + std::fmt::Debug>() {
        for &(word, choice) in T::WORDS {
            assert_eq!(T::of(word), Ok(choice));
        }
        for word in ["", "Auto", "auto ", "nonsense"] {
            let refused = T::of(word).unwrap_err().to_string();
            let known = T::words().join(", ");
            assert_eq!(refused, format!("{} must be one of {known}, not {word:?}", T::WHAT));
        }
    }

    #[test]
    fn a_word_that_names_no_choice_is_an_error() {
        every_word_and_no_other::<Better>();
        every_word_and_no_other::<Pairing>();
        every_word_and_no_other::<ScaleChoice>();
        every_word_and_no_other::<PairedOmnibus>();
        every_word_and_no_other::<Correction>();
        every_word_and_no_other::<Flat>();
    }

    #[test]
    fn every_flat_correction_corrects_a_comparison_too() {
        for &(word, flat) in Flat::WORDS {
            assert_eq!(Correction::of(word), Ok(Correction::Flat(flat)));
        }
    }
}
