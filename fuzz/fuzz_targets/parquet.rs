//! Parquet files. Their decoder panics on some damaged ones, which the reader turns to an error; the
//! fuzzer ends at any panic's message unless that hook is taken out. One that gets through still ends it.
#![no_main]

use std::sync::Once;

static QUIET: Once = Once::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    statera_fuzz::read_as("parquet", "t.parquet", bytes);
});
