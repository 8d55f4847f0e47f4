//! Tables with one JSON object per line.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    statera_fuzz::read_as("ndjson", "t.ndjson", bytes);
    statera_fuzz::read_mapped("ndjson", "t.ndjson", bytes);
    statera_fuzz::round_trip("ndjson", bytes);
});
