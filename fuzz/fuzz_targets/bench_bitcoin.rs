//! The tables of `bench_bitcoin`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("bench_bitcoin", "bench.csv", bytes));
