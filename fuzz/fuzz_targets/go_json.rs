//! The records of go test -json.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("go-json", "x.json", bytes));
