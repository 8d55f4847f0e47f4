//! Words of a text.
use std::collections::HashMap;

/// Count how often each word occurs.
#[cfg(not(feature = "new"))]
pub fn count(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for word in text.split(' ') {
        match found.get_mut(word) {
            Some(times) => *times += 1,
            None => drop(found.insert(word.to_owned(), 1)),
        }
    }
    found
}

/// Count how often each word occurs.
#[cfg(feature = "new")]
pub fn count(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for word in text.split(' ') {
        *found.entry(word.to_owned()).or_insert(0) += 1;
    }
    found
}

/// Find the longest word.
pub fn longest(text: &str) -> &str {
    text.split(' ').max_by_key(|word| word.len()).unwrap_or("")
}
