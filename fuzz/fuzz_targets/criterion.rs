//! Criterion.rs's samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("criterion", "sample.json", bytes));
