//! Folded stacks: `frame;frame;frame count`, as the scripts of flame graphs exchange them.

use std::io;

use super::tree::{Profile, Tree, numbered, odd};
use crate::formats::folded::parts;

pub(super) fn read(bytes: &[u8]) -> io::Result<Profile> {
    let (mut tree, mut strange, mut whole) = (Tree::default(), (0, 0), true);
    for (number, line) in numbered(bytes) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((stack, count)) = parts(&line) else {
            odd(&mut strange, number);
            continue;
        };
        whole &= count.fract() == 0.0;
        tree.stack(stack.split(';').filter(|name| !name.is_empty()), count.round() as u64)?;
    }
    if !whole {
        return Err(io::Error::other("its stacks have fractions, which are no counts"));
    }
    Ok(Profile { kind: "folded", odd: strange, ..tree.profile() })
}
