//! What Criterion.rs prints.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("criterion-text", "x.txt", bytes));
