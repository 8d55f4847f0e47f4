//! Folders that state a key: `threads=8/part-0.parquet` below the folder or pattern that was named. Spark, pandas,
//! `DuckDB` and Polars divide tables in this way (Hive's layout) and leave the column out of the files.

use std::path::{Component, Path};

use crate::context::Context;
use crate::sheet::Sheet;

/// What stands for no value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// The keys that the folders of a file state. Folders that the argument itself names tell nothing: they are variants.
pub(crate) fn keys(argument: &Path, file: &Path) -> Context {
    let mut named = folders(argument);
    let folder = file.parent().unwrap_or(file);
    let mut found = Context::new();
    for part in folders(folder).filter(|part| named.next() != Some(*part)) {
        let Some((key, value)) = part.as_os_str().to_str().and_then(stated) else { continue };
        if found.iter().all(|(known, _)| *known != key) {
            found.push((key, value));
        }
    }
    found
}

/// States the keys in all configurations that do not state them.
pub(crate) fn state(sheets: &mut [Sheet], keys: &Context) {
    for sheet in sheets.iter_mut().filter(|_| !keys.is_empty()) {
        sheet.contexts.state(keys);
    }
}

/// The parts of a path: `./a` is `a`.
fn folders(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components().filter(|part| *part != Component::CurDir)
}

/// The key and the value of a folder such as `threads=8`.
fn stated(name: &str) -> Option<(String, String)> {
    let (key, value) = name.split_once('=')?;
    let is_name = |key: &str| {
        key.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
            && key.chars().all(|sign| sign.is_alphanumeric() || "_-.".contains(sign))
    };
    let (key, value) = (decoded(key), decoded(value));
    (is_name(&key) && !value.is_empty() && value != NO_VALUE).then_some((key, value))
}

/// The text with a sign in place of `%` and the two digits of its code; unchanged if that gives no text.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let code = others.get(..2).filter(|_| first == b'%').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
            u8::from_str_radix(digits, 16).ok()
        });
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &others[2..] } else { others };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(argument: &str, file: &str) -> Vec<String> {
        let keys = keys(Path::new(argument), Path::new(file));
        keys.into_iter().map(|(key, value)| format!("{key}: {value}")).collect()
    }

    #[test]
    fn folders_below_what_was_named_state_keys() {
        for (argument, file, expected) in [
            ("old", "old/threads=8/host=a/x.csv", &["threads: 8", "host: a"][..]),
            ("./old", "old/size=1%2F2/x.csv", &["size: 1/2"]),
            ("old/threads=*/x.csv", "old/threads=8/x.csv", &["threads: 8"]),
            ("old/**/x.csv", "old/a/threads=8/b/x.csv", &["threads: 8"]),
            ("old/threads=8", "old/threads=8/size=2/x.csv", &["size: 2"]),
            ("old/threads=8/x.csv", "old/threads=8/x.csv", &[]),
            ("old", "old/threads=8/threads=9/x.csv", &["threads: 8"]),
            ("old", "old/key=__HIVE_DEFAULT_PARTITION__/-O=2/=3/a=/b/x=1", &[]),
            ("old", "old/level=a=b/x.csv", &["level: a=b"]),
            ("-", "-", &[]),
        ] {
            assert_eq!(found(argument, file), expected, "{argument} {file}");
        }
    }
}
