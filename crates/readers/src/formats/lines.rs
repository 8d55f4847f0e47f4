//! Lines of text formats.

use crate::{Code, Sheet};

/// The complete lines. A last line without its end may have been cut, even within a number: it is left out and is a
/// problem.
pub(super) fn whole<'a>(bytes: &'a [u8], sheet: &mut Sheet) -> &'a [u8] {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    if !bytes[end..].trim_ascii().is_empty() {
        let line = memchr::memchr_iter(b'\n', bytes).count() as u32 + 1;
        sheet.problem(
            Code::Truncated,
            line,
            "the last line has no end",
            "copy the file again or repeat the run",
        );
    }
    &bytes[..end]
}
