//! Parameters of benchmarks as configuration keys: their values are different work.

use super::json::{Value, plain};
use crate::context::Context;
use crate::sheet::Sheet;
use crate::word_list::words;

/// The keys of formats that are no settings, and those over whose values runs are pooled, in their order. A test compares
/// them with the keys of all formats.
const TAKEN: [&str; 67] = words!(
    "OsVersion alpha_share arch architecture artMainlineVersion artifact aslr_enabled attempt backends boot \
     build.device build.fingerprint build.model build.sdk client_id commit cores cpu cpuCoreCount cpuLocked \
     cpuMaxFreqHz cpu_scaling_enabled date device dirty exit_code goarch goos gpu_info host hostname hosts \
     iteration k6 kernel kernel.version libc machine machineArchitecture memory microcode note num_cpus \
     operatingSystem order os outcome phase_tokens pid platform ram rep repeat repetition revision round run \
     run_id seed sustainedPerformanceModeEnabled testid thread time timestamp trial validity virtualisation"
);

/// The key of a parameter. If a format's key of another meaning has its name, it is called `param.NAME`: the runs of a
/// parameter `time` must not be pooled.
pub(crate) fn key(name: &str) -> String {
    if TAKEN.binary_search(&name).is_ok() { format!("param.{name}") } else { name.to_owned() }
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
    for (name, value) in parameters.iter() {
        add(sheet, context, name, plain(value));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::TAKEN;
    use crate::formats::FORMATS;
    use crate::formats::format::{Key, Pooling, Role};

    #[test]
    fn the_taken_keys_are_those_of_all_formats() {
        let mut keys: BTreeMap<&str, &Key> = BTreeMap::new();
        for key in FORMATS.iter().flat_map(|format| format.keys()) {
            keys.entry(key.name).or_insert(key);
        }
        keys.retain(|_, key| key.role != Role::Setting || key.pooling == Pooling::Always);
        assert_eq!(keys.into_keys().collect::<Vec<_>>(), TAKEN);
    }
}
