//! nanobench's JSON template.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("nanobench-json", "bench.json", bytes));
