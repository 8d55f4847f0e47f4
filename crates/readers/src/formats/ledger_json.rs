//! db-analyser's ledger-operations benchmark in its JSON form (an out-file that ends in `.json`): consecutive
//! objects without an enclosing array and without line ends. The first one describes the run.

use super::json::{Parser, stop_at_limit};
use super::ledger_fields::{BLOCK, Field, KEYS, MEANINGS, METADATA_KEYS, Replay, context_of, field};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "ledger-ops-json",
    sign: "an object with `ledgerApplicationMode`, then one a block",
    harness: "db-analyser",
    export: "db-analyser --benchmark-ledger-ops --out-file FILE.json",
    files: &["ledger-ops-cost-*.json"],
    block: BLOCK,
    keys: &[KEYS, METADATA_KEYS],
    metrics: MEANINGS,
    fits: |head| {
        let first = head.json()?;
        let is_metadata = METADATA.iter().any(|key| first.child(key).is_some());
        if is_metadata || OF_BLOCK.iter().all(|key| first.child(key).is_some()) {
            return Ok(());
        }
        Err(No::Lacks(METADATA[0]))
    },
    read: Read::Sheets(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// Keys of the first object that no other tool writes.
const METADATA: [&str; 4] = ["ledgerApplicationMode", "gitRevison", "rtsGCMaxStkSize", "rtsGCMaxHeapSize"];

/// Keys of the object of a block.
const OF_BLOCK: [&str; 4] = ["slot", "totalTime", "mut", "gc"];

fn is_metadata(object: &Object<'_>) -> bool {
    METADATA.iter().any(|key| object.has(key))
}

fn read(name: &str, path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let all = content.all()?;
    let mut context = context_of(path);
    let mut replay = Replay::new(name, &context);
    let (mut nth, mut unknown) = (0usize, Vec::new());
    let mut doubts = Sheet::new(name);
    let mut objects = Parser::new(&all, 1, content.budget.limits.values, &mut doubts);
    while let Some((line, object)) = objects.next() {
        nth += 1;
        replay.sheet.take_problems(objects.sheet());
        match object {
            Ok(Value::Object(object)) if is_metadata(&object) => {
                metadata(&mut replay.sheet, &mut context, &object, line);
            }
            Ok(Value::Object(object)) if object.has("slot") => {
                block(&mut replay, &object, line, &mut unknown);
            }
            Ok(_) => {
                let what = format!("value {nth} of the file is neither metadata nor a block");
                replay.sheet.malformed(line, what, "an object with a `slot` is a block");
            }
            Err(fault) => {
                stop_at_limit(&fault, content)?;
                let code = if fault.ends { Code::Truncated } else { Code::MalformedRecord };
                let what = format!("object {nth} of the file cannot be read: {}", fault.what);
                let hint = "everything before it was read. Copy the file again";
                replay.sheet.problem(code, fault.line, what, hint);
                break;
            }
        }
    }
    Ok(vec![replay.sheet])
}

/// Sets the run's description. The revision in the file takes precedence over the one in its name.
fn metadata(sheet: &mut Sheet, context: &mut Context, object: &Object<'_>, line: u32) {
    let mut places: HashMap<String, usize> =
        context.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
    for (key, value) in object.iter().filter(|(_, value)| **value != Value::Null) {
        // This is the tool's own spelling.
        let key = if key == "gitRevison" { "revision" } else { key };
        let value = plain(value);
        match places.get(key).and_then(|&place| context.get_mut(place)) {
            Some((_, known)) if *known == value => {}
            Some((_, known)) => {
                let what = format!(
                    "the file states {key} {value}, but its name or an earlier statement has {known}"
                );
                let hint =
                    "the last statement in the file is used; was the file renamed, or were two joined?";
                sheet.problem(Code::Contradiction, line, what, hint);
                *known = value;
            }
            None => {
                places.insert(key.to_owned(), context.len());
                context.push((key.to_owned(), value));
            }
        }
    }
    sheet.set_context(context);
}

fn block(replay: &mut Replay, object: &Object<'_>, line: u32, unknown: &mut Vec<String>) {
    let slot = object.get("slot").map(ToString::to_string).unwrap_or_default();
    let Some(slot) = replay.admit(slot.as_bytes(), line) else { return };
    for (name, value) in object.iter() {
        match field(name) {
            Some(known @ (Field::Time(_) | Field::Collections | Field::Allocated)) => {
                replay.add(name, known, &slot, value.to_string().as_bytes(), line);
            }
            Some(_) => {}
            None if unknown.iter().any(|known| known == name) || unknown.len() > 100 => {}
            None => {
                let what = format!("the field `{}` is unknown", excerpt(name));
                let hint = "its values are left out; a newer db-analyser may need a newer statera";
                replay.sheet.malformed(line, what, hint);
                unknown.push(name.to_owned());
            }
        }
    }
    let statistics = object.list_of("blockStats");
    if let Some(transactions) = statistics.and_then(|all| all.first()).and_then(Value::text) {
        for (name, value) in object.iter() {
            replay.add_share(name, &slot, value.to_string().as_bytes(), transactions.as_bytes(), line);
        }
    }
    // A row without its total is not a row of this benchmark.
    if !object.has("totalTime") {
        replay.sheet.lacks(line, format!("the block of slot {slot}"), "totalTime");
    }
}
