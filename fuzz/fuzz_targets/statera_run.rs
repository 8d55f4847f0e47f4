//! Runs of statera: manifest, journal and an output.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_run(bytes));
