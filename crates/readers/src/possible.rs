//! The formats that the words of a text leave possible: one pass over it looks for the words of all formats.

use std::sync::OnceLock;

use crate::formats::FORMATS;
use crate::formats::format::Format;
use crate::formats::head::Head;

/// The formats without words, and those with a word that the text has, in their order.
pub(crate) fn possible(head: &Head<'_>) -> Vec<&'static Format> {
    let mut has: Vec<bool> = FORMATS.iter().map(|format| format.words.is_empty()).collect();
    let (words, text) = (words(), head.bytes());
    for (at, pair) in text.windows(2).enumerate() {
        let list = words.by_pair[place(pair)];
        if list > 0 {
            for word in &words.lists[usize::from(list)] {
                let is_here =
                    || at.checked_sub(word.before).is_some_and(|at| text[at..].starts_with(word.text));
                has[word.format] = has[word.format] || is_here();
            }
        }
    }
    FORMATS.iter().copied().zip(has).filter(|&(_, has)| has).map(|(format, _)| format).collect()
}

/// The words of all formats. Each is looked for where its rarest pair of bytes stands.
struct Words {
    /// For each pair of bytes a list of words; the first list is empty.
    by_pair: Vec<u8>,
    lists: Vec<Vec<Word>>,
}

struct Word {
    text: &'static [u8],
    /// How many bytes stand before its rarest pair.
    before: usize,
    /// The place of the format that has it.
    format: usize,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let (mut by_pair, mut lists) = (vec![0; 1 << 16], Vec::new());
        lists.resize_with(1 << 8, Vec::new);
        let mut last = 0;
        for (format, text) in (0..)
            .zip(FORMATS)
            .flat_map(|(at, format)| format.words.iter().map(move |word| (at, word.as_bytes())))
        {
            let pairs = text.windows(2).enumerate();
            let Some((before, pair)) =
                pairs.min_by_key(|(_, pair)| pair.iter().copied().map(commonness).sum::<u8>())
            else {
                continue;
            };
            let list = &mut by_pair[place(pair)];
            if *list == 0 {
                // With many pairs a list has the words of several.
                last = last % u8::MAX + 1;
                *list = last;
            }
            lists[usize::from(*list)].push(Word { text, before, format });
        }
        Words { by_pair, lists }
    })
}

fn place(pair: &[u8]) -> usize {
    usize::from(pair[0]) << 8 | usize::from(pair[1])
}

/// How common a byte is in results.
fn commonness(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b'0'..=b'9' | b' ' => 4,
        b'"' | b',' | b':' | b'.' | b'\t' | b'\n' => 3,
        b'-' | b'_' | b'/' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_possible_where_one_of_its_words_stands() {
        let is_possible = |format: &Format, text: &[u8]| {
            possible(&Head::new(text)).iter().any(|one| one.name == format.name)
        };
        for format in FORMATS {
            assert!(format.words.iter().all(|word| word.len() > 1), "{format:?}");
            assert_eq!(is_possible(format, b"0"), format.words.is_empty(), "{format:?}");
            for word in format.words {
                let around = [&b"x"[..], word.as_bytes(), b"x"].concat();
                assert!(
                    is_possible(format, word.as_bytes()) && is_possible(format, &around),
                    "{format:?} {word}"
                );
            }
        }
    }
}
