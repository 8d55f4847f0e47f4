//! Lists of words, written as texts.

/// The words of a text, as an array.
macro_rules! words {
    ($text:literal) => {{
        const WORDS: [&str; $crate::word_list::count($text)] = $crate::word_list::split($text);
        WORDS
    }};
}
pub(crate) use words;

/// The number of words of a text.
pub(crate) const fn count(text: &str) -> usize {
    let (bytes, mut at, mut words) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        if bytes[at] != b' ' && (at == 0 || bytes[at - 1] == b' ') {
            words += 1;
        }
        at += 1;
    }
    words
}

/// The words of a text that has so many.
pub(crate) const fn split<const N: usize>(text: &'static str) -> [&'static str; N] {
    let (mut words, mut nth, mut rest) = ([""; N], 0, text.trim_ascii_start());
    while nth < N {
        let mut end = 0;
        while end < rest.len() && rest.as_bytes()[end] != b' ' {
            end += 1;
        }
        let (word, behind) = rest.split_at(end);
        (words[nth], rest) = (word, behind.trim_ascii_start());
        nth += 1;
    }
    words
}
