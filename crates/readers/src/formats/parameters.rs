//! Parameters of benchmarks as configuration keys: their values are different work.

use super::json::{Value, plain};
use super::{FORMATS, Pooling, Role};
use crate::Sheet;
use crate::context::Context;

/// The key of a parameter. If a format's key of another meaning has its name, it is called `param.NAME`: the runs of a
/// parameter `time` must not be pooled.
pub(crate) fn key(name: &str) -> String {
    let known = FORMATS.iter().flat_map(|format| format.keys()).find(|key| key.name == name);
    let taken = known.is_some_and(|key| key.role != Role::Setting || key.pooling == Pooling::Always);
    if taken { format!("param.{name}") } else { name.to_owned() }
}

/// A configuration with more keys is searched only so far: a file of a stranger may have millions.
const SEARCHED: usize = 1000;

/// Adds a parameter to a configuration. If this states its key already, such as the harness's own `threads`, the
/// parameter is called `param.NAME`.
pub(crate) fn add(sheet: &mut Sheet, context: &mut Context, name: &str, value: String) {
    let mut key = key(name);
    while context.iter().take(SEARCHED).any(|(known, _)| *known == key) {
        key.insert_str(0, "param.");
    }
    if !sheet.parameters.contains(&key) {
        sheet.parameters.insert(key.clone());
    }
    context.push((key, value));
}

/// Adds the entries of an object of parameters to a configuration.
pub(super) fn add_all(sheet: &mut Sheet, context: &mut Context, parameters: &Value<'_>) {
    for (name, value) in parameters.object().into_iter().flat_map(super::json::Object::iter) {
        add(sheet, context, name, plain(value));
    }
}
