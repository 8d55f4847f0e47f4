//! Profiles of one run of a program: where it spent its time or its instructions.
//!
//! Every kind of file becomes the same [`Profile`], a tree of frames in which each has its own cost (`tree.rs`).
//! `folded.rs`, `perf_script.rs` and `callgrind.rs` read one kind each. A profile is no sample: nothing here is judged.

mod callgrind;
mod folded;
mod perf_script;
mod tree;

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::formats::Head;
use crate::limits::Budget;
use crate::source::Content;
use crate::{Limits, formats};
pub use tree::{Cost, Frame, NONE, Profile};

const MOST: u64 = 1 << 53;

type Reader = fn(&[u8]) -> io::Result<Profile>;

/// Reads a profile; `None` if the file is not one.
///
/// Without the name of a format the content decides.
///
/// # Errors
/// Any error of the operating system, content that exceeds a limit, or a profile that cannot be read.
pub fn read(path: &Path, format: Option<&str>, limits: Limits) -> io::Result<Option<Profile>> {
    let content = Content::open(path, &Arc::new(Budget::new(limits)))?;
    let head = Head::new(&content.head);
    let fits =
        |each: &formats::Format| format.map_or_else(|| each.fit(&head).is_ok(), |name| name == each.name);
    let kinds: [(&formats::Format, Reader); 3] = [
        (&formats::callgrind::FORMAT, callgrind::read),
        (&formats::perf_script::FORMAT, perf_script::read),
        (&formats::folded::FORMAT, folded::read),
    ];
    let Some((_, read)) = kinds.iter().find(|(format, _)| fits(format)) else { return Ok(None) };
    let profile = read(&content.all()?)?;
    match profile.whole() {
        0 => return Err(io::Error::other("the profile is empty: it has no costs")),
        // Numbers of this size are no counts of one run, and lose digits on their way.
        MOST.. => return Err(io::Error::other("the costs of the profile are impossibly large")),
        _ => {}
    }
    if let Some(why) = &content.cut {
        return Err(io::Error::other(why.clone()));
    }
    Ok(Some(profile))
}
