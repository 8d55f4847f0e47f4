//! nanobench's CSV template.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("nanobench-csv", "bench.csv", bytes));
