//! Finds the files that an argument names. One file can have many names: links, `./a` and `a`, a folder and a
//! file in it.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::formats::statera_run;
use crate::limits::{self, Limits, within};
use crate::natural;
use crate::problem::Code;
use crate::sheet::Sheet;
use crate::text::excerpt;

/// Hidden names that are kept for a message.
const KEPT_HIDDEN: usize = 100;

/// Identifies a file independently of its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Standard input.
    Input,
    /// The device and the inode number.
    #[cfg(unix)]
    Number(u64, u64),
    /// The path with all links resolved; also used for a file that cannot be examined.
    Path(PathBuf),
}

impl Identity {
    /// Identifies what a path names, following links.
    #[cfg(unix)]
    fn of(_path: &Path, about: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self::Number(about.dev(), about.ino())
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _about: &Metadata) -> Self {
        Self::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }
}

/// A file to be read.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its path, as the argument leads to it.
    pub path: PathBuf,
    /// Its identity, independent of its name.
    pub identity: Identity,
    /// The argument names it directly: if it cannot be used, the command stops.
    pub outright: bool,
    /// It can be read a second time.
    pub is_file: bool,
}

/// The files of an argument, and the problems met on the way to them.
#[derive(Debug)]
pub struct Expansion {
    /// Sorted by path, numbers by their value.
    pub files: Vec<Found>,
    /// Holds problems only: folders met twice, and entries that are not files.
    pub said: Sheet,
}

/// Lists the files that an argument names: the file itself, everything below a folder, or the matches of a
/// pattern. Hidden files are skipped unless the pattern writes their dot.
///
/// # Errors
/// If there is no such file, if the pattern is invalid or matches nothing, and if there are too many files.
pub fn expand(argument: &Path, limits: &Limits) -> io::Result<Expansion> {
    let mut search = Search::new(limits);
    if argument == Path::new("-") {
        search.files.push(outright(argument, Identity::Input, false));
        return Ok(search.end());
    }
    if let Ok(about) = fs::metadata(argument) {
        if about.is_dir() {
            search.folder(argument, &about)?;
            search.follow_links()?;
            search.ensure_some()?;
        } else {
            search.files.push(outright(argument, Identity::of(argument, &about), about.is_file()));
        }
        return Ok(search.end());
    }
    search.pattern(argument)?;
    Ok(search.end())
}

fn outright(path: &Path, identity: Identity, is_file: bool) -> Found {
    Found { path: path.to_owned(), identity, outright: true, is_file }
}

/// Whether the pattern writes a dot for each hidden part of a match. `.*` matches neither `.` nor `..`. The
/// equivalent option of `glob` also drops what the pattern writes, and fails on names that are not UTF-8.
fn is_in_sight(path: &Path, pattern: &Path) -> bool {
    let hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    let fits = |(part, wanted): (Component<'_>, Component<'_>)| {
        part == wanted || (matches!(part, Component::Normal(_)) && (!hidden(part) || hidden(wanted)))
    };
    path.components().count() == pattern.components().count()
        && path.components().zip(pattern.components()).all(fits)
}

/// Whether a folder holds a run: its journal is one source, which names the other files.
fn is_run(folder: &Path) -> bool {
    let manifest = folder.join(statera_run::MANIFEST);
    // Opening a pipe could block forever.
    fs::metadata(&manifest).is_ok_and(|about| about.is_file()) && statera_run::begins(&manifest)
}

/// Whether a file lies in the folder of a run, beside its journal.
fn is_read_with_its_run(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name != statera_run::JOURNAL) && path.parent().is_some_and(is_run)
}

/// A walk through folders. It visits the entries of folders before the targets of links, so that a file gets
/// its own name where it has one. No folder is entered twice.
struct Search<'a> {
    limits: &'a Limits,
    files: Vec<Found>,
    /// Collects problems: the first ones in full, the others as counts.
    said: Sheet,
    entered: HashSet<Identity>,
    folders: Vec<PathBuf>,
    links: Vec<PathBuf>,
    /// Names of hidden files and folders that were left out, for a message.
    hidden: Vec<OsString>,
    looked_at: u64,
}

impl<'a> Search<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            files: Vec::new(),
            said: Sheet::default(),
            entered: HashSet::new(),
            folders: Vec::new(),
            links: Vec::new(),
            hidden: Vec::new(),
            looked_at: 0,
        }
    }

    fn end(mut self) -> Expansion {
        self.files.sort_by(|a, b| natural::compare(&a.path, &b.path));
        Expansion { files: self.files, said: self.said }
    }

    fn pattern(&mut self, argument: &Path) -> io::Result<()> {
        if !argument.to_string_lossy().contains(['*', '?', '[']) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file or folder"));
        }
        let no_text = "a pattern must be text in UTF-8. Name the file itself or its folder";
        let pattern = argument.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, no_text))?;
        let no_pattern =
            |error: glob::PatternError| io::Error::other(format!("is not a valid pattern: {}", error.msg));
        if pattern.contains("**") {
            self.everywhere(pattern, &glob::Pattern::new(pattern).map_err(no_pattern)?)?;
        } else {
            let found = glob::glob(pattern).map_err(no_pattern)?.flatten();
            for path in found.filter(|path| is_in_sight(path, argument)) {
                self.count()?;
                if is_read_with_its_run(&path) {
                    continue;
                }
                match fs::metadata(&path) {
                    Ok(about) if about.is_dir() => self.folder(&path, &about)?,
                    _ => self.file(path),
                }
            }
        }
        self.follow_links()?;
        if self.files.is_empty() && self.said.problems.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the pattern matches no file"));
        }
        Ok(())
    }

    /// Fails if a folder has no files, and names what is hidden: some harnesses keep their results in a hidden folder.
    fn ensure_some(&self) -> io::Result<()> {
        if !self.files.is_empty() || !self.said.problems.is_empty() {
            return Ok(());
        }
        let mut hidden: Vec<String> =
            self.hidden.iter().map(|name| excerpt(name.as_encoded_bytes())).collect();
        hidden.sort_unstable();
        let shown = hidden.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if hidden.len() > 3 { ", …" } else { "" };
        let what = match &*hidden {
            [] => "the folder has no files".to_owned(),
            _ => format!("the folder has only hidden entries, which must be named: {shown}{more}"),
        };
        Err(io::Error::new(io::ErrorKind::NotFound, what))
    }

    /// Matches a pattern with `**` against everything below its fixed beginning: a walk enters no folder twice,
    /// however many links lead to it.
    fn everywhere(&mut self, text: &str, pattern: &glob::Pattern) -> io::Result<()> {
        let fixed = text.split(['*', '?', '[']).next().unwrap_or_default();
        let base = Path::new(
            fixed.rsplit_once('/').map_or("", |(base, _)| if base.is_empty() { "/" } else { base }),
        );
        let start = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let Ok(about) = fs::metadata(start) else { return Ok(()) };
        self.folder(start, &about)?;
        self.follow_links()?;
        let fits = |path: &Path| path.ancestors().any(|path| pattern.matches_path(path));
        if start != base {
            for found in &mut self.files {
                found.path = found.path.strip_prefix(start).unwrap_or(&found.path).to_owned();
            }
        }
        self.files.retain(|found| fits(&found.path));
        Ok(())
    }

    /// Takes the entries of a folder and of the folders below it once; links are kept for later.
    fn folder(&mut self, folder: &Path, about: &Metadata) -> io::Result<()> {
        if !self.entered.insert(Identity::of(folder, about)) {
            return Ok(());
        }
        // If the named folder cannot be listed, the whole argument fails; if a folder below it cannot, only its
        // files are missing.
        self.list(folder)?;
        while let Some(folder) = self.folders.pop() {
            let Ok(about) = fs::metadata(&folder) else { continue };
            if self.entered.insert(Identity::of(&folder, &about)) {
                let listed = self.list(&folder);
                self.tolerate(listed, &folder)?;
            }
        }
        Ok(())
    }

    /// Records an error as a problem, unless it reports an exceeded limit.
    fn tolerate(&mut self, listed: io::Result<()>, folder: &Path) -> io::Result<()> {
        match listed {
            Err(error) if limits::exceeded(&error).is_none() => {
                self.said.say(Code::UnreadableFile, folder, error.to_string(), "");
                Ok(())
            }
            other => other,
        }
    }

    fn list(&mut self, folder: &Path) -> io::Result<()> {
        if is_run(folder) {
            self.count()?;
            self.file(folder.join(statera_run::JOURNAL));
            return Ok(());
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                if self.hidden.len() < KEPT_HIDDEN {
                    self.hidden.push(entry.file_name());
                }
                continue;
            }
            self.count()?;
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() => self.links.push(entry.path()),
                Ok(kind) if kind.is_dir() => self.folders.push(entry.path()),
                _ => self.file(entry.path()),
            }
        }
        Ok(())
    }

    /// Follows the links, and the links found behind them.
    fn follow_links(&mut self) -> io::Result<()> {
        while !self.links.is_empty() {
            let mut links = std::mem::take(&mut self.links);
            links.sort();
            for link in links {
                match fs::metadata(&link) {
                    Ok(about) if about.is_dir() && self.entered.contains(&Identity::of(&link, &about)) => {
                        let what = "links to a folder that is read under another name; it counts once";
                        self.said.say(Code::SameFile, &link, what, "");
                    }
                    Ok(about) if about.is_dir() => {
                        let listed = self.folder(&link, &about);
                        self.tolerate(listed, &link)?;
                    }
                    _ => self.file(link),
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf) {
        let (identity, is_file) = match fs::metadata(&path) {
            Ok(about) if about.is_file() => (Identity::of(&path, &about), true),
            Ok(_) => {
                // Opening one could block forever.
                let what = "is a pipe, a socket or a device, not a regular file; it was skipped";
                return self.said.say(Code::NotAFile, &path, what, "name it directly to read it");
            }
            // The reason is reported when the file is opened.
            Err(_) => (Identity::Path(path.clone()), true),
        };
        self.files.push(Found { path, identity, outright: false, is_file });
    }

    fn count(&mut self) -> io::Result<()> {
        self.looked_at += 1;
        within(self.looked_at, self.limits.files, "files", "there are too many files and folders")
    }
}
