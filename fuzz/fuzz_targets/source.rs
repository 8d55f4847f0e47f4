//! Decompression, transcoding, splitting into pieces of lines, and detection.
#![no_main]

use std::path::Path;

use statera_readers::detection;
use statera_readers::source::Content;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(content) = Content::from_bytes(bytes) else { return };
    let _ = detection::detect(&content.head, Path::new(""));
    let all = content.all().expect("it is in memory");
    assert_eq!(all.len(), content.len());
    for size in [1, 7, 64, 4096] {
        if all.len() / size > 10_000 {
            continue;
        }
        let mut joined = Vec::with_capacity(all.len());
        for start in (0..all.len()).step_by(size) {
            let end = (start + size).min(all.len());
            joined.extend_from_slice(content.lines_in(start, end, &mut Vec::new()).expect("it is in memory"));
        }
        assert!(joined == *all, "pieces of {size} do not make the whole");
    }
});
