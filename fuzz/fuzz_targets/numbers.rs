//! Bare numbers, one or two a line.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    statera_fuzz::read_as("numbers", "t.txt", bytes);
});
