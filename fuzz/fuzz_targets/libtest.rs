//! What libtest prints.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("libtest", "x.txt", bytes));
