//! db-analyser's ledger-operations benchmark in its JSON form (an out-file that ends in `.json`):
//! objects one behind the other, without array and without line ends. The first describes the run.

use std::io;
use std::path::Path;

use serde_json::{Deserializer, Map, Value};

use super::Format;
use super::ledger_fields::{Field, Replay, context_of, field};
use crate::sheet::Context;
use crate::source::Content;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ledger-ops-json",
    sign: "a db-analyser ledger replay in JSON: an object with `ledgerApplicationMode`, then one a block",
    has_results: true,
    fits,
    read,
};

/// Keys of the first object that no other tool's objects have.
const METADATA: [&str; 4] = ["ledgerApplicationMode", "gitRevison", "rtsGCMaxStkSize", "rtsGCMaxHeapSize"];

fn is_metadata(object: &Map<String, Value>) -> bool {
    METADATA.iter().any(|key| object.contains_key(*key))
}

fn is_block(object: &Map<String, Value>) -> bool {
    ["slot", "totalTime", "mut", "gc"].iter().all(|key| object.contains_key(*key))
}

fn fits(head: &[u8]) -> bool {
    if head.trim_ascii_start().first() != Some(&b'{') {
        return false;
    }
    let first = Deserializer::from_slice(head).into_iter::<Value>().next();
    matches!(first, Some(Ok(Value::Object(object))) if is_metadata(&object) || is_block(&object))
}

fn read(name: &str, path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let all = content.all()?;
    let mut context = context_of(path);
    let mut replay = Replay::new(name, context.clone());
    let mut objects = Deserializer::from_slice(&all).into_iter::<Value>();
    let (mut line, mut counted, mut nth, mut unknown) = (1u32, 0usize, 0usize, Vec::new());
    loop {
        let start = objects.byte_offset();
        let Some(object) = objects.next() else { break };
        nth += 1;
        let begin = start + all[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        line = line.saturating_add(memchr::memchr_iter(b'\n', &all[counted..begin]).count() as u32);
        counted = begin;
        match object {
            Ok(Value::Object(object)) if is_metadata(&object) => {
                metadata(&mut replay.sheet, &mut context, object, line);
            }
            Ok(Value::Object(object)) if object.contains_key("slot") => {
                block(&mut replay, &object, line, &mut unknown);
            }
            Ok(_) => {
                let what = format!("value {nth} of the file is neither metadata nor a block");
                replay.sheet.problem(Code::MalformedRecord, line, what, "an object with a `slot` is a block");
            }
            Err(error) => {
                let code = if error.is_eof() { Code::Truncated } else { Code::MalformedRecord };
                let what = format!("object {nth} of the file cannot be read: {error}");
                replay.sheet.problem(code, line, what, "what stands before it was read; copy the file again");
                break;
            }
        }
    }
    Ok(vec![replay.sheet])
}

/// Puts the run's description in force. The file knows its revision better than its name does.
fn metadata(sheet: &mut Sheet, context: &mut Context, object: Map<String, Value>, line: u32) {
    for (key, value) in object {
        // The tool spells it so.
        let key = if key == "gitRevison" { "revision".to_owned() } else { key };
        let value = match value {
            Value::Null => continue,
            Value::String(text) => text,
            other => other.to_string(),
        };
        match context.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) if *known == value => {}
            Some((_, known)) => {
                let what = format!("the file states {key} {value}, its name or an earlier statement {known}");
                let hint = "the last statement in the file stands; was the file renamed, or were two joined?";
                sheet.problem(Code::Contradiction, line, what, hint);
                *known = value;
            }
            None => context.push((key, value)),
        }
    }
    sheet.set_context(context.clone());
}

fn block(replay: &mut Replay, object: &Map<String, Value>, line: u32, unknown: &mut Vec<String>) {
    let slot = object["slot"].to_string();
    let Some(slot) = replay.admit(slot.as_bytes(), line) else { return };
    for (name, value) in object {
        match field(name) {
            Some(known @ (Field::Time(_) | Field::Collections | Field::Allocated)) => {
                replay.add(name, known, &slot, value.to_string().as_bytes(), line);
            }
            Some(_) => {}
            None if unknown.contains(name) || unknown.len() > 100 => {}
            None => {
                let what = format!("the field `{}` is unknown", crate::text::excerpt(name.as_bytes()));
                let hint = "its values are left out; a newer db-analyser may need a newer statera";
                replay.sheet.problem(Code::MalformedRecord, line, what, hint);
                unknown.push(name.clone());
            }
        }
    }
    // A row without its total is no row of this benchmark.
    if !object.contains_key("totalTime") {
        let what = format!("the block of slot {slot} has no totalTime");
        replay.sheet.problem(Code::MalformedRecord, line, what, "was the file edited?");
    }
}
