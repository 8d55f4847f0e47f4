//! Contents that no harness writes but people name: what they are, and what to do with them.

/// A content that is recognised by its first bytes.
#[derive(Debug)]
pub struct Foreign {
    /// What it is, for a sentence that begins with "is".
    pub what: &'static str,
    /// What makes it readable.
    pub hint: &'static str,
    /// Whether people keep such files beside results, and none holds results.
    pub is_beside: bool,
    /// Where it has which bytes; the case of letters does not matter.
    signs: &'static [(usize, &'static [u8])],
}

const BINARY: Foreign = Foreign {
    what: "binary",
    hint: "Name the file that the harness wrote as text, JSON or CSV",
    is_beside: false,
    signs: &[],
};

const FOREIGN: [Foreign; 14] = [
    Foreign {
        what: "a Git LFS pointer in place of the file",
        hint: "Fetch the file with `git lfs pull`",
        is_beside: false,
        signs: &[(0, b"version https://git-lfs.github.com/spec/")],
    },
    Foreign {
        what: "an archive of tar",
        hint: "Unpack it with `tar -xf` and name the folder",
        is_beside: false,
        signs: &[(257, b"ustar")],
    },
    Foreign {
        what: "a web page",
        hint: "Name the file that the harness wrote; a site that stores files shows their own content as \"raw\"",
        is_beside: false,
        signs: &[(0, b"<!doctype html"), (0, b"<html")],
    },
    Foreign {
        what: "a table of HTML",
        hint: "Write it as CSV: `python3 -c \"import pandas; pandas.read_html('FILE')[0].to_csv('FILE.csv', index=False)\"`",
        is_beside: false,
        signs: &[(0, b"<table")],
    },
    Foreign {
        what: "YAML",
        hint: "Write it as JSON: `python3 -c \"import json, yaml; print(json.dumps(yaml.safe_load(open('FILE'))))\" > FILE.json`",
        is_beside: false,
        signs: &[
            (0, b"- name: "),
            (0, b"- benchmark: "),
            (0, b"results:\n"),
            (0, b"benchmarks:\n"),
            (0, b"%YAML"),
        ],
    },
    Foreign {
        what: "a PDF",
        hint: "Name the file that the harness wrote as text, JSON or CSV",
        is_beside: true,
        signs: &[(0, b"%PDF-")],
    },
    Foreign {
        what: "a picture",
        hint: "Name the file that the harness wrote as text, JSON or CSV",
        is_beside: true,
        signs: &[(0, b"\x89PNG\r\n"), (0, b"GIF8"), (0, b"\xFF\xD8\xFF"), (0, b"<svg")],
    },
    Foreign {
        what: "an SQLite database",
        hint: "Write the table as CSV with `sqlite3 -csv -header FILE 'select * from TABLE'`",
        is_beside: false,
        signs: &[(0, b"SQLite format 3\0")],
    },
    Foreign {
        what: "an HDF5 file",
        hint: "Write the table as CSV or Parquet",
        is_beside: false,
        signs: &[(0, b"\x89HDF\r\n")],
    },
    Foreign {
        what: "an array of NumPy",
        hint: "Write it as text with `numpy.savetxt`, or give the array to `statera.compare`",
        is_beside: false,
        signs: &[(0, b"\x93NUMPY")],
    },
    Foreign {
        what: "a pickle of Python",
        hint: "Write the data as JSON or CSV: loading a pickle can run any program",
        is_beside: false,
        signs: &[(0, b"\x80\x03"), (0, b"\x80\x04\x95"), (0, b"\x80\x05\x95")],
    },
    Foreign {
        what: "data of R",
        hint: "Write the table with `write.csv(table, FILE, row.names = FALSE)`",
        is_beside: false,
        signs: &[(0, b"RDX2\n"), (0, b"RDX3\n"), (0, b"X\n\0\0\0")],
    },
    Foreign {
        what: "a recording of perf",
        hint: "Compare what `perf script -i FILE` prints, or results of `perf stat -r 10 -o FILE COMMAND`",
        is_beside: true,
        signs: &[(0, b"PERFILE2")],
    },
    Foreign {
        what: "a program",
        hint: "Run it, or let `statera run` run it, and name its results",
        is_beside: true,
        signs: &[(0, b"\x7FELF"), (0, b"\xCF\xFA\xED\xFE")],
    },
];

/// Says what a content of no format is, if its first bytes say so.
#[must_use]
pub fn foreign(head: &[u8]) -> Option<&'static Foreign> {
    let head = head.trim_ascii_start();
    let begins = |&(at, sign): &(usize, &[u8])| {
        head.get(at..at + sign.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(sign))
    };
    let known = FOREIGN.iter().find(|foreign| foreign.signs.iter().any(begins));
    known.or_else(|| memchr::memchr(0, head).map(|_| &BINARY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_say_what_a_content_is() {
        let what = |head: &[u8]| foreign(head).map(|foreign| foreign.what);
        for foreign in &FOREIGN {
            for &(at, sign) in foreign.signs {
                let content = [&vec![b'x'; at][..], sign, b" and more"].concat();
                assert_eq!(what(&content), Some(foreign.what), "{sign:?}");
            }
        }
        assert_eq!(what(b"\n <!DOCTYPE HTML>\n"), Some("a web page"));
        assert_eq!(what(b"words\0"), Some("binary"));
        assert_eq!(what(b"version 3\n"), None);
        assert_eq!(what(b""), None);
    }
}
