//! Plain tables: numbers the processes of a file that was read in pieces.

use std::collections::{HashMap, HashSet};

use super::rows::Intake;
use crate::pool::Pool;
use crate::sheet::{NONE, Sheet};

/// The first byte of the key of a process, and of a file that counts as one.
pub(super) const PROCESS: u8 = b'p';
pub(super) const FILE: u8 = b'f';

/// Numbers the processes of all pieces of one file within the file. A file counts as a process only if its
/// variant has several files.
pub(super) fn settle(pieces: Vec<Intake>) -> Vec<Sheet> {
    let mut files: HashMap<Vec<u8>, HashSet<Vec<u8>>> = HashMap::new();
    for name in pieces.iter().flat_map(|piece| piece.processes.iter()) {
        let (variant, file) = variant_and_file(name);
        files.entry(variant.to_vec()).or_default().insert(file.to_vec());
    }
    let counts =
        |name: &str| name.as_bytes().first() == Some(&PROCESS) || files[variant_and_file(name).0].len() > 1;
    let mut all = Pool::default();
    let mut sheets = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let number = |name: &str, all: &mut Pool| if counts(name) { all.intern(name) } else { NONE };
        let numbers: Vec<u32> = piece.processes.iter().map(|name| number(name, &mut all)).collect();
        let mut sheet = piece.sheet;
        for process in &mut sheet.process {
            *process = numbers.get(*process as usize).copied().unwrap_or(NONE);
        }
        if sheet.process.iter().all(|&process| process == NONE) {
            sheet.process.clear();
        }
        sheets.push(sheet);
    }
    sheets
}

fn variant_and_file(name: &str) -> (&[u8], &[u8]) {
    let mut parts = name.as_bytes()[1..].splitn(3, |&byte| byte == 0);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
