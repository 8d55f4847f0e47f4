//! hyperfine's JSON export.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("hyperfine", "export.json", bytes));
