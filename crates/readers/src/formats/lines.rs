//! Lines of text formats.

use crate::{Code, Sheet};

/// The complete lines. A last line without its end may have been cut, even within a number: it is left out and is a
/// problem.
pub(super) fn whole<'a>(bytes: &'a [u8], sheet: &mut Sheet) -> &'a [u8] {
    whole_from(bytes, 1, sheet)
}

/// The same for bytes that begin on this line.
pub(super) fn whole_from<'a>(bytes: &'a [u8], first: u32, sheet: &mut Sheet) -> &'a [u8] {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    if !bytes[end..].trim_ascii().is_empty() {
        let line = first.saturating_add(memchr::memchr_iter(b'\n', bytes).count() as u32);
        sheet.problem(
            Code::Truncated,
            line,
            "the last line has no end",
            "copy the file again or repeat the run",
        );
    }
    &bytes[..end]
}

/// The complete lines with their numbers, without blanks at their ends.
pub(super) fn numbered<'a>(bytes: &'a [u8], sheet: &mut Sheet) -> impl Iterator<Item = (u32, &'a str)> {
    let lines = whole(bytes, sheet).split(|&byte| byte == b'\n');
    // Harnesses write UTF-8; a line that is not is no result.
    (1..).zip(lines).filter_map(|(number, line)| Some((number, std::str::from_utf8(line).ok()?.trim_end())))
}
