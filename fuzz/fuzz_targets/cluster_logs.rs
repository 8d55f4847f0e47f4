//! Logs of a cluster's hosts.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| statera_fuzz::read_log(bytes));
