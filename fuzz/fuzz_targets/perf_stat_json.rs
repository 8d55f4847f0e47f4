//! perf stat -j.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("perf-stat-json", "x.json", bytes));
