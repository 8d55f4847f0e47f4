//! Logs of a cluster's hosts.
#![no_main]

#[path = "../src/logs.rs"]
mod logs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| logs::read_log(bytes));
