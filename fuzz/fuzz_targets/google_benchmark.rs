//! Google Benchmark's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("google-benchmark", "x.json", bytes));
