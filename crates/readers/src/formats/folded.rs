//! Folded stacks of a profile, which only a comparison of profiles reads (`profiles/folded.rs`).

use super::format::{Format, OF_PROFILES, Values};
use super::head::No;

pub static FORMAT: Format = Format {
    name: "folded",
    sign: "lines `frame;frame;frame count`",
    harness: "a profiler",
    values: Values::refused("a profile of one run as folded stacks", OF_PROFILES),
    fits: |head| {
        let mut lines = 0;
        let mut deep = false;
        // The beginning of a large file ends within a line.
        let cut = head.bytes().rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
        for line in head.lines().filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#")) {
            if lines > 0 && line.trim_ascii() == cut {
                continue;
            }
            let line = std::str::from_utf8(line).ok().and_then(parts);
            let Some((stack, _)) = line else { return No::unless(false, "a line is not frames and a count") };
            lines += 1;
            deep |= stack.contains(';');
            // Cells of a table have blanks after their separators, or no names.
            let is_name = |frame: &str| {
                frame.trim() == frame && frame.contains(|letter: char| !letter.is_ascii_digit())
            };
            No::unless(stack.split(';').all(is_name), "a frame is no name")?;
        }
        No::unless(lines > 0 && deep, "it has no stacks of several frames")
    },
    ..Format::PLAIN
};

/// The stack and the count of a line; a name may contain blanks.
pub(crate) fn parts(line: &str) -> Option<(&str, f64)> {
    let (stack, count) = line.trim_end().rsplit_once([' ', '\t'])?;
    let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let count: f64 = is_number.then(|| count.parse().ok()).flatten()?;
    (!stack.trim().is_empty()).then_some((stack.trim_end(), count))
}
