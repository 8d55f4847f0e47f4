//! What is asked: a line of JSON, with the fields of `Invocation` in `src/statera/experiment/launcher.py`.
//!
//! A text stands for bytes: each of its characters, U+0000 to U+00FF, is one byte. So arguments, variables and paths
//! that are not UTF-8 pass, and ASCII stays as it is.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::outcome::Failure;

/// A command to start.
#[derive(Debug)]
pub struct Request {
    /// The program first.
    pub arguments: Vec<CString>,
    /// `NAME=value` each.
    pub environment: Vec<CString>,
    pub directory: PathBuf,
    pub input: Option<PathBuf>,
    pub output: Option<PathBuf>,
    pub errors: Option<PathBuf>,
    /// Bytes of output, and of errors, that are kept.
    pub captured: u64,
    pub timeout: Option<Duration>,
    pub cpus: Vec<usize>,
    pub nice: Option<i32>,
    pub aslr: bool,
    pub memory: Option<u64>,
    pub counters: Vec<String>,
    /// The time of the monotonic clock at which it starts; at once if none or in the past.
    pub at: Option<Duration>,
    /// What it leaves behind runs on until this process ends, or another command does.
    pub keep: bool,
    /// How it is stopped, if it is a service, which does not end by itself.
    pub stop: Option<Stop>,
}

/// How a service is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    pub signal: i32,
    /// So long after the signal it is killed.
    pub patience: Duration,
}

impl Request {
    /// Whether its streams are files of its own: no pipe of this process ends with it, or costs it time.
    pub fn writes_itself(&self) -> bool {
        self.keep || self.stop.is_some()
    }

    /// Read a line; the error says what is wrong with it.
    pub fn read(line: &[u8]) -> Result<Self, Failure> {
        let all: Value = serde_json::from_slice(line).map_err(|error| malformed(&error.to_string()))?;
        let request = Self {
            arguments: list(&all["arguments"]).map(text).collect::<Result<_, _>>()?,
            environment: list(&all["environment"]).map(variable).collect::<Result<_, _>>()?,
            directory: path(&all["directory"])?.ok_or_else(|| malformed("no directory"))?,
            input: path(&all["input"])?,
            output: path(&all["output"])?,
            errors: path(&all["errors"])?,
            captured: all["captured"].as_u64().ok_or_else(|| malformed("no number of bytes to keep"))?,
            timeout: duration(&all["timeout"]),
            cpus: list(&all["cpus"]).filter_map(Value::as_u64).map(|cpu| cpu as usize).collect(),
            nice: all["nice"].as_i64().map(|nice| nice as i32),
            aslr: all["aslr"].as_bool().unwrap_or(true),
            memory: all["memory"].as_u64(),
            counters: list(&all["counters"]).filter_map(Value::as_str).map(str::to_owned).collect(),
            at: duration(&all["at"]),
            keep: all["keep"].as_bool().unwrap_or(false),
            stop: stop(&all["stop"]),
        };
        if request.arguments.is_empty() { Err(malformed("no program")) } else { Ok(request) }
    }
}

fn malformed(what: &str) -> Failure {
    Failure::new("starter", format!("statera-runner does not understand the request: {what}"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn stop(value: &Value) -> Option<Stop> {
    Some(Stop { signal: value[0].as_i64()? as i32, patience: duration(&value[1])? })
}

fn duration(value: &Value) -> Option<Duration> {
    Duration::try_from_secs_f64(value.as_f64()?).ok()
}

fn bytes(value: &Value) -> Result<Vec<u8>, Failure> {
    let text = value.as_str().ok_or_else(|| malformed("a text is missing"))?;
    text.chars().map(|each| u8::try_from(each).map_err(|_| malformed("a character is not a byte"))).collect()
}

fn text(value: &Value) -> Result<CString, Failure> {
    closed(bytes(value)?)
}

fn closed(bytes: Vec<u8>) -> Result<CString, Failure> {
    CString::new(bytes)
        .map_err(|_| Failure::new("cannot-start", "an argument or a variable contains a zero byte"))
}

fn variable(pair: &Value) -> Result<CString, Failure> {
    closed([bytes(&pair[0])?, bytes(&pair[1])?].join(&b'='))
}

fn path(value: &Value) -> Result<Option<PathBuf>, Failure> {
    if value.is_null() {
        return Ok(None);
    }
    Ok(Some(Path::new(OsStr::from_bytes(&bytes(value)?)).to_owned()))
}

/// Bytes as a text of the same kind.
pub fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}
