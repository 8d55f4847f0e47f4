//! Expands all arguments into files and makes sure that each file counts once within a variant.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files::{self, Found, Identity};
use crate::formats::format::Options;
use crate::problem::Code;
use crate::sheet::Sheet;
use crate::{limits, text};

/// The files of all arguments with the numbers of their arguments, and the problems of files that occur twice.
pub(crate) fn collect(
    arguments: &[PathBuf],
    options: &Options,
) -> Result<(Vec<(usize, Found)>, Sheet), Failure> {
    let mut collection = Collection::default();
    for (index, argument) in arguments.iter().enumerate() {
        let variant = options.variants.get(index).copied().unwrap_or(0);
        let failure = |error: io::Error| missing(argument, &error);
        let mut expansion = files::expand(argument, &options.limits).map_err(failure)?;
        collection.said.take_problems(&mut expansion.said);
        for found in expansion.files {
            collection.take(index, variant, found)?;
        }
        let count = collection.files.len() as u64;
        limits::within(count, options.limits.files, "files", "there are too many files").map_err(failure)?;
    }
    Ok((collection.files, collection.said))
}

/// The name of a file in messages.
pub(crate) fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { text::name_of(path) }
}

fn missing(argument: &Path, error: &io::Error) -> Failure {
    let name = text::name_of(argument);
    Failure::of_limit(&name, error).unwrap_or_else(|| Failure::Missing { name, why: error.to_string() })
}

#[derive(Default)]
struct Collection {
    files: Vec<(usize, Found)>,
    said: Sheet,
    known: HashMap<Identity, Known>,
}

/// A file that was found before.
struct Known {
    first: PathBuf,
    variants: HashSet<usize>,
}

impl Collection {
    fn take(&mut self, argument: usize, variant: usize, found: Found) -> Result<(), Failure> {
        let new = || Known { first: found.path.clone(), variants: HashSet::new() };
        let known = self.known.entry(found.identity.clone()).or_insert_with(new);
        if known.variants.contains(&variant) {
            let what = format!("is the same file as {}; it counts once", shown(&known.first));
            self.said.say(Code::SameFile, &found.path, what, "");
            return Ok(());
        }
        if !known.variants.is_empty() {
            if !found.is_file {
                return Err(only_once(&found.path));
            }
            let what =
                format!("is the same file as {}, which belongs to another variant", shown(&known.first));
            self.said.say(Code::SharedFile, &found.path, what, "");
        }
        known.variants.insert(variant);
        self.files.push((argument, found));
        Ok(())
    }
}

fn only_once(path: &Path) -> Failure {
    let why = "can be read only once, but two variants name it. Write it to a file first";
    Failure::Unusable { name: shown(path), why: why.to_owned() }
}
