//! What all files of Sandmark share: the folders they lie in, the line about the host, one JSON record per
//! line; and the run configurations stored beside the results.

use super::format::Companion;
use super::json::{broken_line, has_key, record};
use super::prelude::*;

/// The run configuration's entry in the registry.
pub static CONFIG: Format = Format {
    name: "sandmark-config",
    sign: "an object with `wrappers` and `benchmarks`; it holds no results",
    harness: "Sandmark",
    export: "configuration of a run",
    files: &["run_config.json", "run_config_*.json"],
    values: Values::Absent,
    keys: &[],
    metrics: &[],
    fits: |head| head.has_all(&["wrappers", "benchmarks"]),
    read: Read::Bytes(|sheet, _| {
        sheet.problem(Code::Companion, 0, "a run's configuration; it holds no results", "");
    }),
    ..Format::PLAIN
};

/// The configuration keys of all files of Sandmark: what the path and the line about the host say.
pub(super) const KEYS: &[Key] = &[
    Key::work("kind", "kind of run: sequential, parallel, pausetimes or perfstat"),
    Key::environment("host", "folder of the machine"),
    Key::date("start of the run"),
    Key::of_run("commit", Role::Commit, "commit of Sandmark's run"),
    Key::setting("variant", "variant of the compiler"),
    Key::work("wrapper", "program that measured"),
    Key::environment("hostname", "name of the machine"),
    Key::environment("kernel", "operating system").detail(),
    Key::environment("kernel.version", "version of the kernel"),
    Key::environment("arch", "architecture of the machine"),
];

/// Sandmark's own log of a run. Its content is whatever make, opam and dune print, which tells nothing; for the commit it
/// may say `head`.
pub(super) const LOG: Companion = Companion {
    files: "<date>/<commit>/<variant>.<date>.<commit>.log",
    what: "Sandmark's log of a run",
    is: is_log,
};

fn is_log(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let [.., date, commit, file] = parts[..] else { return false };
    is_date(date) && uncompressed(file).ends_with(&format!(".{date}.{commit}.log"))
}

/// The name of a file without the ending of a compressed file.
fn uncompressed(file: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|end| file.strip_suffix(end)).unwrap_or(file)
}

/// The kinds of run, which name the outermost folder.
const KINDS: [&str; 6] =
    ["sequential", "parallel", "perfstat", "pausetimes", "pausetimes_seq", "pausetimes_par"];

/// Reads the configuration from the path:
/// `<kind>/<host>/<date>/<commit>/<variant>_<i>.<wrapper>.summary.bench`; 2021 has no host, and earlier years
/// have only `<variant>.<wrapper>.bench`. Other paths yield nothing.
pub(super) fn context_of_path(path: &Path) -> Context {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let mut context = Context::new();
    let mut add = |key: &str, value: &str| context.push((key.to_owned(), value.to_owned()));
    let Some((file, folders)) = parts.split_last() else { return context };
    let known = |kind: &&str| KINDS.contains(kind);
    if let [before @ .., date, commit] = folders
        && is_date(date)
        && is_commit(commit)
    {
        match before {
            [.., kind] if known(kind) => add("kind", kind),
            [.., kind, host] if known(kind) => {
                add("kind", kind);
                add("host", host);
            }
            _ => {}
        }
        add("date", date);
        add("commit", commit);
    }
    let Some(stem) = uncompressed(file).strip_suffix(".bench") else { return context };
    let (stem, numbered) = stem.strip_suffix(".summary").map_or((stem, false), |stem| (stem, true));
    let Some((variant, wrapper)) = stem.rsplit_once('.') else { return context };
    if variant.is_empty() || !wrapper.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return context;
    }
    // The iteration is not part of the configuration: files that differ only in it are repetitions.
    let variant = match variant.rsplit_once('_') {
        Some((variant, i)) if numbered && !i.is_empty() && i.bytes().all(|byte| byte.is_ascii_digit()) => {
            variant
        }
        _ => variant,
    };
    add("variant", variant);
    add("wrapper", wrapper);
    context
}

/// `YYYYMMDD_HHMMSS`
fn is_date(text: &str) -> bool {
    text.len() == 15
        && text.bytes().enumerate().all(|(i, byte)| if i == 8 { byte == b'_' } else { byte.is_ascii_digit() })
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The configuration in the line about the host. Its `version` is the kernel's.
pub(super) fn context_of_host(host: &Object<'_>) -> Context {
    [("hostname", "hostname"), ("kernel", "kernel"), ("version", "kernel.version"), ("arch", "arch")]
        .into_iter()
        .filter_map(|(field, key)| host.get(field).map(|value| (key.to_owned(), plain(value))))
        .collect()
}

/// Whether the file holds only the line about the host: a run without results.
pub(super) fn is_host_alone(head: &[u8]) -> bool {
    let head = head.trim_ascii();
    is_host(head) && !head.contains(&b'\n')
}

/// Whether a line describes the host.
pub(super) fn is_host(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{")
        && ["hostname", "kernel", "arch"].iter().all(|key| has_key(line, key))
        && !has_key(line, "name")
}

/// A record: its name, its fields, its line, and the current configuration.
pub(super) struct Record<'a> {
    pub(super) name: &'a str,
    pub(super) fields: &'a Object<'a>,
    pub(super) line: u32,
    pub(super) context: &'a Context,
}

/// Reads a file of one JSON object per line. A line that is not one is a problem; the others are still read.
pub(super) fn read_records(
    sheet: &mut Sheet,
    path: &Path,
    content: &Content,
    take: impl Fn(&mut Sheet, &Record<'_>),
) -> io::Result<()> {
    let layout = context_of_path(path);
    let mut context = layout.clone();
    for line in content.all()?.split(|&byte| byte == b'\n') {
        sheet.lines = sheet.lines.saturating_add(1);
        let (at, line) = (sheet.lines, line.trim_ascii());
        if line.is_empty() {
            continue;
        }
        if line.len() as u64 > content.budget.limits.line {
            sheet.too_long(at, line);
            continue;
        }
        let fields = match record(line, at, sheet) {
            Ok(Some(fields)) => fields,
            Ok(None) => {
                sheet.no_row(at, line);
                continue;
            }
            Err(fault) => {
                broken_line(sheet, &fault);
                continue;
            }
        };
        match fields.text_of("name") {
            Some(name) => take(sheet, &Record { name, fields: &fields, line: at, context: &context }),
            None if fields.has("hostname") => {
                context.clone_from(&layout);
                context.extend(context_of_host(&fields));
            }
            None => {
                sheet.no_row(at, line);
            }
        }
    }
    Ok(())
}
