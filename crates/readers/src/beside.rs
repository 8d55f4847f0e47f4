//! Files that people keep beside results and that hold none: documents, programs, pictures, settings. Their names tell.

use std::path::Path;

/// Texts about a folder, which often quote results. No program writes results under these names.
const ABOUT: [&str; 7] = ["authors", "changelog", "commands", "contributing", "license", "notes", "readme"];
const RECIPES: [&str; 4] = ["containerfile", "dockerfile", "makefile", "rakefile"];
const DOCUMENTS: [&str; 9] = ["adoc", "htm", "html", "ipynb", "md", "org", "pdf", "rst", "tex"];
const PICTURES: [&str; 7] = ["gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];
const PROGRAMS: [&str; 43] = [
    "R", "bash", "bat", "c", "cc", "cjs", "cmake", "cmd", "cpp", "cs", "css", "diff", "fish", "fs", "go",
    "h", "hpp", "hs", "java", "jl", "js", "kt", "lua", "m", "mjs", "mk", "ml", "patch", "php", "pl", "ps1",
    "py", "r", "rb", "rs", "scala", "sh", "sql", "swift", "ts", "tsx", "zig", "zsh",
];
const SETTINGS: [&str; 9] = ["cfg", "conf", "ini", "lock", "mod", "sum", "toml", "yaml", "yml"];
/// Settings in JSON, as most results are.
const SETTINGS_IN_JSON: [&str; 4] = ["asv.conf.json", "package-lock.json", "package.json", "tsconfig.json"];
/// What Spark and Arrow write beside the parts of a table.
const OF_TABLES: [&str; 3] = ["_SUCCESS", "_common_metadata", "_metadata"];

/// What a file is that only its name can tell: its content may look like results.
pub(crate) fn by_name(path: &Path) -> Option<&'static str> {
    let (name, stem, end) = parts(path)?;
    let is_text = end.is_empty() || end == "txt" || DOCUMENTS.contains(&end);
    let is_about = is_text && ABOUT.contains(&stem.to_ascii_lowercase().as_str());
    let is_settings = SETTINGS_IN_JSON.contains(&name);
    let kinds = [
        (is_about, "a document"),
        (is_settings, "settings of a program"),
        (OF_TABLES.contains(&name), "about the parts of a table"),
    ];
    kinds.into_iter().find(|(is_kind, _)| *is_kind).map(|(_, what)| what)
}

/// What a file is by the ending of its name, if no reader finds results in it.
pub(crate) fn by_ending(path: &Path) -> Option<&'static str> {
    let (_, stem, end) = parts(path)?;
    if end.is_empty() {
        return RECIPES.contains(&stem.to_ascii_lowercase().as_str()).then_some("a program");
    }
    let kinds = [
        (&DOCUMENTS[..], "a document"),
        (&PICTURES, "a picture"),
        (&PROGRAMS, "a program"),
        (&SETTINGS, "settings of a program"),
    ];
    kinds.into_iter().find(|(ends, _)| ends.contains(&end)).map(|(_, what)| what)
}

/// A file's name, and the name before and after its last dot.
fn parts(path: &Path) -> Option<(&str, &str, &str)> {
    let name = path.file_name()?.to_str()?;
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    Some((name, stem, end))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{by_ending, by_name};

    #[test]
    fn names_and_endings_of_documents_programs_and_pictures_are_known() {
        for name in ["README.md", "LICENSE", "d/readme.txt", "asv.conf.json", "notes.org", "t/_SUCCESS"] {
            assert!(by_name(Path::new(name)).is_some(), "{name}");
        }
        for name in ["a.md", "Makefile", "d/index.html", "run.sh", "fib.R", "x.svg", "pyproject.toml"] {
            assert!(by_ending(Path::new(name)).is_some(), "{name}");
            assert!(by_name(Path::new(name)).is_none(), "{name}");
        }
    }

    #[test]
    fn names_of_results_are_not() {
        for name in [
            "a.json",
            "a.txt",
            "a.log",
            "a.csv",
            "md",
            "bench",
            "a.conf.json",
            "a.xml",
            "a.md.gz",
            "",
            "notes.csv",
        ] {
            assert!(by_name(Path::new(name)).or_else(|| by_ending(Path::new(name))).is_none(), "{name}");
        }
    }
}
