//! Parquet files. Their decoder panics on some damaged ones, which the reader turns into an error. The fuzzer
//! stops at the message of any panic, so that hook is removed; a panic that escapes still stops it.
#![no_main]

use std::sync::Once;

static QUIET: Once = Once::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    statera_fuzz::read_as("parquet", "t.parquet", bytes);
});
