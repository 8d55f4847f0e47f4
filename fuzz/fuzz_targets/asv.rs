//! asv's results.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("asv", "x.json", bytes));
