//! vitest's benchmarks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("vitest", "x.json", bytes));
