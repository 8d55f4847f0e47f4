//! mitata's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("mitata", "x.json", bytes));
