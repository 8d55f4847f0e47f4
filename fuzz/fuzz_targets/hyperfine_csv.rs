//! hyperfine's CSV.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("hyperfine-csv", "x.csv", bytes));
