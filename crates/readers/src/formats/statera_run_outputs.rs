//! What the commands of a run printed or left behind, read in the format that the plan names.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::format::Format;
use super::head::Head;
use crate::limits::{self, Budget, within};
use crate::source::Content;
use crate::{Code, Options, PlugIns, Sheet, caught, text};

/// Reads the outputs of one run.
pub(super) struct Outputs<'a> {
    folder: &'a Path,
    budget: &'a Arc<Budget>,
    options: &'a Options,
    /// How many files were opened so far.
    opened: AtomicU64,
}

impl<'a> Outputs<'a> {
    pub(super) fn new(folder: &'a Path, budget: &'a Arc<Budget>, options: &'a Options) -> Self {
        Self { folder, budget, options, opened: AtomicU64::new(0) }
    }

    /// The formats of plug-ins.
    pub(super) fn plug_ins(&self) -> &PlugIns {
        &self.options.plug_ins
    }

    /// The sheets of a file, or of all files of a folder that have the format. The inner error says why there are none.
    ///
    /// # Errors
    /// If a limit is exceeded.
    pub(super) fn read(&self, name: &str, format: &Format) -> io::Result<Result<Vec<Sheet>, String>> {
        match self.sheets(name, format) {
            Ok(sheets) => Ok(Ok(sheets)),
            Err(error) if limits::exceeded(&error).is_some() => Err(error),
            Err(error) => Ok(Err(format!("{}: {error}", text::excerpt(name.as_bytes())))),
        }
    }

    fn sheets(&self, name: &str, format: &Format) -> io::Result<Vec<Sheet>> {
        let path = self.path(name)?;
        let about = fs::metadata(&path)?;
        if about.is_file() {
            return self.file(&path, format, true);
        }
        if !about.is_dir() {
            return Err(io::Error::other("is a pipe, a socket or a device"));
        }
        let files = self.files_below(&path)?;
        let read: io::Result<Vec<_>> = files.iter().map(|file| self.file(file, format, false)).collect();
        Ok(read?.into_iter().flatten().collect())
    }

    /// The path of an output. A journal from a stranger may name any file of this machine.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        let outside = || io::Error::other("is outside of the folder of the run");
        if name.is_empty() || !Path::new(name).components().all(inside) {
            return Err(outside());
        }
        let path = self.folder.join(name);
        let real = fs::canonicalize(&path)?;
        if real.starts_with(fs::canonicalize(self.folder)?) { Ok(path) } else { Err(outside()) }
    }

    /// The regular files below a folder, in the order of their names. Hidden files and links are left out.
    fn files_below(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                self.count()?;
                match entry.file_type()? {
                    _ if entry.file_name().as_encoded_bytes().starts_with(b".") => {}
                    kind if kind.is_dir() => folders.push(entry.path()),
                    kind if kind.is_file() => files.push(entry.path()),
                    _ => {}
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// The sheets of a file. Of the files of a folder, those of other formats are left out.
    fn file(&self, path: &Path, format: &Format, alone: bool) -> io::Result<Vec<Sheet>> {
        self.count()?;
        let content = Content::open(path, self.budget)?;
        if !alone && !caught::caught(|| format.fit(&Head::new(&content.head)).is_ok()).unwrap_or(false) {
            return Ok(Vec::new());
        }
        let name = text::name_of(path);
        let read = caught::caught(|| format.sheets(&name, path, &content, self.options));
        let mut sheets = read.unwrap_or_else(|why| {
            Err(io::Error::other(format!("made the reader of {} fail ({why})", format.name)))
        })?;
        if let Some(why) = &content.cut {
            let mut sheet = Sheet::new(&name);
            sheet.problem(Code::Truncated, 0, why, "everything before was read");
            sheets.push(sheet);
        }
        Ok(sheets)
    }

    fn count(&self) -> io::Result<()> {
        let opened = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
        within(opened, self.options.limits.files, "files", "the run has too many outputs")
    }
}
