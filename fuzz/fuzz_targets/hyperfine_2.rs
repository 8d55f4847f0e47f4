//! hyperfine's JSON from version 2 on.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("hyperfine-2", "x.json", bytes));
