//! Which file a program's name means, before the clock starts.

use std::ffi::{CStr, CString, OsStr};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::outcome::Failure;
use crate::request::latin;
use crate::sys;

/// Find a program as a shell would: a name with a slash is a path, any other is looked up in `PATH`.
pub fn program(name: &CStr, environment: &[CString]) -> Result<CString, Failure> {
    if name.to_bytes().contains(&b'/') {
        return usable(name).map(|()| name.to_owned());
    }
    let shown = latin(name.to_bytes());
    let Some(path) = environment.iter().find_map(|each| each.to_bytes().strip_prefix(b"PATH=")) else {
        return Err(Failure::new(
            "not-found",
            format!("{shown} is not found: there is no PATH in its environment"),
        ));
    };
    let mut refused = None;
    for folder in path.split(|&byte| byte == b':').filter(|_| !name.is_empty()) {
        let place = Path::new(OsStr::from_bytes(if folder.is_empty() { b"." } else { folder }));
        let Ok(file) =
            CString::new(place.join(OsStr::from_bytes(name.to_bytes())).into_os_string().as_bytes())
        else {
            continue;
        };
        match usable(&file) {
            Ok(()) => return Ok(file),
            Err(failure) if failure.kind == "not-permitted" => refused = refused.or(Some(failure)),
            Err(_) => {}
        }
    }
    let missing = || Failure::new("not-found", format!("{shown} is not found in the PATH {}", latin(path)));
    Err(refused.unwrap_or_else(missing))
}

fn usable(file: &CStr) -> Result<(), Failure> {
    let shown = latin(file.to_bytes());
    match sys::executable(file) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(Failure::new("not-found", format!("{shown} does not exist")))
        }
        Err(error) => {
            let hint = format!("{shown} is not executable ({}); chmod +x may help", sentence(&error));
            Err(Failure::new("not-permitted", hint))
        }
        Ok(()) if Path::new(OsStr::from_bytes(file.to_bytes())).is_dir() => {
            Err(Failure::new("not-permitted", format!("{shown} is a directory, not a program")))
        }
        Ok(()) => Ok(()),
    }
}

/// A named pipe would make this process wait for its other end, whatever becomes of statera meanwhile.
pub fn no_pipe(path: &Path) -> std::io::Result<()> {
    let pipe = path.metadata().is_ok_and(|about| about.file_type().is_fifo());
    if pipe { Err(std::io::Error::other("it is a named pipe. Use a file")) } else { Ok(()) }
}

/// An error of the system in its own words, without its number.
pub fn sentence(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
