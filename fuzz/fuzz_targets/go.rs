//! The Go benchmark format.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("go", "file.txt", bytes));
