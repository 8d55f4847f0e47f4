//! Google Benchmark's CSV.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("google-benchmark-csv", "x.csv", bytes));
