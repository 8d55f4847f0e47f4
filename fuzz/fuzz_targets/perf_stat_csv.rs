//! perf stat -x.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("perf-stat-csv", "x.csv", bytes));
