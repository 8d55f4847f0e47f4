//! Catch2's XML.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_as("catch2", "x.xml", bytes));
