//! What `perf script` prints: a sample each, with the innermost frame first.

use std::collections::BTreeSet;
use std::io;

use super::tree::{Profile, Tree, numbered, odd};
use crate::formats::perf_script::{function, sample};

/// A sample whose frames are being read, the innermost first.
#[derive(Default)]
struct Open {
    stack: Vec<String>,
    is_counted: bool,
}

impl Open {
    fn end(&mut self, tree: &mut Tree) -> io::Result<()> {
        if self.is_counted {
            let none = ["[unknown]"];
            let (known, unknown) = (self.stack.iter().rev().map(String::as_str), none.into_iter());
            if self.stack.is_empty() { tree.stack(unknown, 1)? } else { tree.stack(known, 1)? }
        }
        *self = Self::default();
        Ok(())
    }
}

pub(super) fn read(bytes: &[u8]) -> io::Result<Profile> {
    let (mut tree, mut strange, mut open) = (Tree::default(), (0, 0), Open::default());
    let (mut event, mut others) = (None::<String>, BTreeSet::new());
    for (number, line) in numbered(bytes) {
        if line.trim().is_empty() {
            open.end(&mut tree)?;
        } else if line.starts_with('#') {
        } else if let Some(found) = sample(&line) {
            // Without stacks the first lines begin with blanks too, and the name of a program may look like an address.
            open.end(&mut tree)?;
            open.is_counted = *event.get_or_insert_with(|| found.event.to_owned()) == found.event;
            if !open.is_counted {
                others.insert(found.event.to_owned());
            }
            open.stack.extend(function(found.frame));
        } else if let Some(frame) = function(&line).filter(|_| line.starts_with([' ', '\t'])) {
            open.stack.push(frame);
        } else {
            odd(&mut strange, number);
        }
    }
    open.end(&mut tree)?;
    let (event, other_events) = (event.unwrap_or_default(), others.into_iter().collect());
    Ok(Profile { kind: "perf-script", event, odd: strange, other_events, ..tree.profile() })
}
