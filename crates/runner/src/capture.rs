//! What a command prints, from a pipe into a file, up to a number of bytes.

use std::fs::File;
use std::io::{Error, ErrorKind, PipeReader, Read, Write, pipe};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};

use crate::lookup::{no_pipe, sentence};
use crate::outcome::Failure;
use crate::request::{Request, latin};
use crate::sys;

/// So much can wait in a pipe before the command must wait; any user may have it.
const PIPE: i32 = 1 << 20;
/// The size of a piece; this process stays small, as its size is the least memory that a command can show.
const PIECE: usize = 1 << 16;

/// A pipe and the file that takes what comes out of it.
pub struct Capture {
    pipe: Option<PipeReader>,
    file: File,
    path: String,
    cap: u64,
    piece: Box<[u8]>,
    /// Bytes that came.
    pub bytes: u64,
}

impl Capture {
    /// Write the file anew, and make a pipe to it; its other end is for the command.
    pub fn into(path: &Path, cap: u64) -> Result<(Self, OwnedFd), Failure> {
        let path_shown = latin(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
        let failed = |error| unwritten(&path_shown, &error);
        let file = no_pipe(path).and_then(|()| File::create(path)).map_err(failed)?;
        let (reader, writer) = pipe().map_err(failed)?;
        sys::widen(&writer, PIPE);
        sys::never_block(&reader).map_err(failed)?;
        Ok((
            Self { pipe: Some(reader), file, path: path_shown, cap, piece: vec![0; PIECE].into(), bytes: 0 },
            writer.into(),
        ))
    }

    /// What to wait for; -1 if the command closed its end.
    pub fn descriptor(&self) -> RawFd {
        self.pipe.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Take one piece, if there is one. True if there may be more at once.
    pub fn take(&mut self) -> Result<bool, Failure> {
        let Some(pipe) = &mut self.pipe else { return Ok(false) };
        match pipe.read(&mut self.piece) {
            Ok(0) => self.pipe = None,
            Ok(count) => return self.keep(count).map(|()| true),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(true),
            Err(error) => return Err(unwritten(&self.path, &error)),
        }
        Ok(false)
    }

    /// Take all that is there. Nothing of the command lives any more, so that the pipe ends, or somebody else holds it.
    pub fn drain(&mut self) -> Result<(), Failure> {
        while self.take()? {}
        Ok(())
    }

    /// Whether bytes were dropped.
    pub fn cut(&self) -> bool {
        self.bytes > self.cap
    }

    fn keep(&mut self, count: usize) -> Result<(), Failure> {
        let room = self.cap.saturating_sub(self.bytes).min(count as u64) as usize;
        self.bytes += count as u64;
        if let Err(error) = self.file.write_all(&self.piece[..room]) {
            return Err(unwritten(&self.path, &error));
        }
        let more =
            || Failure::new("output-limit", format!("it printed more than {} bytes and was ended", self.cap));
        if self.cut() { Err(more()) } else { Ok(()) }
    }
}

/// Write a file anew, for several processes that append to it.
fn appended(path: &Path) -> Result<OwnedFd, Failure> {
    let shown = latin(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    let opened =
        no_pipe(path).and_then(|()| File::create(path)).and_then(|_| File::options().append(true).open(path));
    opened.map(OwnedFd::from).map_err(|error| unwritten(&shown, &error))
}

/// A full disk is not a fault of the command.
fn unwritten(path: &str, error: &Error) -> Failure {
    let full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    let kind = if full { "disk-full" } else { "starter" };
    Failure::new(kind, format!("{path} cannot be written: {}", sentence(error)))
}

/// What a command prints on its standard output and its standard error, as far as it is kept. If both go to one file,
/// they share a pipe.
pub struct Captures {
    pub output: Option<Capture>,
    pub errors: Option<Capture>,
}

impl Captures {
    /// Files and pipes for what is asked; and the ends of the pipes, or the files, that the command gets.
    pub fn of(request: &Request) -> Result<(Self, [Option<OwnedFd>; 2]), Failure> {
        let shared = request.output.is_some() && request.output == request.errors;
        if request.writes_itself() {
            let open = |path: Option<&PathBuf>| path.map(|path| appended(path)).transpose();
            let files = [open(request.output.as_ref())?, open(request.errors.as_ref().filter(|_| !shared))?];
            return Ok((Self { output: None, errors: None }, files));
        }
        let make =
            |path: Option<&PathBuf>| path.map(|path| Capture::into(path, request.captured)).transpose();
        let (output, one) = make(request.output.as_ref())?.unzip();
        let (errors, other) = make(request.errors.as_ref().filter(|_| !shared))?.unzip();
        Ok((Self { output, errors }, [one, other]))
    }

    /// Both, where they exist.
    pub fn each(&mut self) -> impl Iterator<Item = &mut Capture> {
        self.output.iter_mut().chain(&mut self.errors)
    }
}
