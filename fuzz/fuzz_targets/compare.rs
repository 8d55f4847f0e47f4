//! The verb `compare` from bytes to its tables, for terminals, as Markdown, CSV and JSON.
#![no_main]

#[path = "../src/verbs.rs"]
mod verbs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| verbs::compare(bytes));
