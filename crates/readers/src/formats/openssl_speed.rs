//! openssl speed: the rates of its tables, and those of `-mr`.

use super::prelude::*;

/// What openssl speed prints, once or several times.
pub static FORMAT: Format = Format {
    name: "openssl-speed",
    sign: "a line `The 'numbers' are in 1000s of bytes per second processed.`, a header such as `type  16 bytes  64 bytes` or `sign  verify  sign/s \
           verify/s`, or lines such as `+F:6:sha256:121935896.77`",
    harness: "openssl speed",
    printed_by: &["openssl"],
    keys: &[&[
        Key::setting("version", "version of OpenSSL"),
        Key::work("processes", "number of processes, of -multi"),
    ]],
    metrics: &[
        Meaning::of("throughput", "bytes processed per second, in blocks of the size in the name"),
        Meaning::of("rate", "operations per second"),
    ],
    words: &["The 'numbers' are", " bytes", "/s", "+F"],
    fits: |head| {
        let is_sign = |line: &[u8]| {
            std::str::from_utf8(line).is_ok_and(|line| {
                line.starts_with("The 'numbers' are in 1000s of bytes per second processed")
                    || sizes(line).is_some_and(|sizes| sizes.len() > 1)
                    || operations(line).is_some_and(|names| names.len() > 1 || names == OP)
                    || ["", FORKED].iter().any(|before| {
                        line.strip_prefix(before).and_then(|line| line.strip_prefix("+F")).is_some_and(is_raw)
                    })
            })
        };
        No::unless(head.lines().any(is_sign), "it has no such line")
    },
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

/// What stands before the raw line of a process that `-multi` starts.
const FORKED: &str = "Got: ";

/// Whether `:6:sha256:12.5` or `2:2:2048:3.5:6.5` follows `+F`.
fn is_raw(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    text.starts_with(':') && text.matches(':').count() >= 3
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut table = Table { sheet: std::mem::take(sheet), ..Table::default() };
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        // People indent a table, and mark rows that they talk of.
        table.line(text.trim_start().trim_start_matches("> ").trim_start(), line);
    }
    *sheet = table.sheet;
}

#[derive(Default)]
struct Table {
    sheet: Sheet,
    /// The number of processes that -multi has started.
    children: u32,
    /// The sizes of the blocks, of the columns of a table of ciphers.
    sizes: Vec<String>,
    /// The operations of the columns of a table of keys.
    operations: Vec<String>,
    /// The benchmarks of this run of openssl; the next run repeats them.
    seen: HashSet<String>,
    process: u32,
}

impl Table {
    fn line(&mut self, text: &str, line: u32) {
        let version = text.strip_prefix("version: ").or_else(|| {
            let first = text.strip_prefix("OpenSSL ").or_else(|| text.strip_prefix("LibreSSL "));
            first.map(|rest| rest.split(' ').next().unwrap_or(rest))
        });
        if let Some(version) = version {
            self.next_run();
            self.state(Some(version.trim()));
            self.children = 0;
        } else if let Some(number) =
            text.strip_prefix("Forked child ").and_then(|number| number.parse::<u32>().ok())
        {
            self.children = number.saturating_add(1);
            self.state(None);
        } else if let Some(sizes) = sizes(text) {
            (self.sizes, self.operations) = (sizes, Vec::new());
        } else if let Some(names) = operations(text) {
            (self.sizes, self.operations) = (Vec::new(), names.into_iter().map(str::to_owned).collect());
        } else if let Some(raw) = text.strip_prefix("+F") {
            self.raw(raw, line);
        } else if let Some(sizes) = text.strip_prefix(FORKED).unwrap_or(text).strip_prefix("+H:") {
            let sizes = sizes.split(' ').next().unwrap_or(sizes);
            self.sizes = sizes.split(':').map(str::to_owned).collect();
        } else if !text.starts_with("Doing ") {
            self.row(text, line);
        }
    }

    /// Begins another run, if there are values of one.
    fn next_run(&mut self) {
        self.process += u32::from(!self.seen.is_empty());
        self.seen.clear();
    }

    /// Sets the configuration of a run.
    fn state(&mut self, version: Option<&str>) {
        let version = version.map(|version| ("version".to_owned(), version.to_owned()));
        let processes = (self.children > 0).then(|| ("processes".to_owned(), self.children.to_string()));
        self.sheet.set_context(&version.into_iter().chain(processes).collect::<Vec<_>>());
    }

    /// Reads `sha256         1432230.05k`, or `rsa 2048 bits 0.000292s 0.000016s   3420.4  61374.0`.
    fn row(&mut self, text: &str, line: u32) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let columns = self.sizes.len();
        if let Some(at) = words.len().checked_sub(columns).filter(|&at| at > 0 && columns > 0)
            && are_speeds(&words[at..], text)
        {
            let name = words[..at].join(" ");
            for (size, cell) in self.sizes.clone().iter().zip(&words[at..]) {
                let (digits, factor) = cell.strip_suffix('k').map_or((*cell, 1.0), |digits| (digits, 1000.0));
                self.throughput(&name, size, digits, factor, line);
            }
            return;
        }
        let columns = self.operations.len();
        let Some(at) = words.len().checked_sub(2 * columns).filter(|&at| at > 0 && columns > 0) else {
            return;
        };
        let is_time = |word: &&str| word.strip_suffix('s').is_some_and(|text| number(text).is_some());
        if !words[at..at + columns].iter().all(is_time) {
            return;
        }
        let name = words[..at].join(" ");
        for (operation, cell) in self.operations.clone().iter().zip(&words[at + columns..]) {
            self.rate(&name, operation, cell, line);
        }
    }

    /// Reads what follows `+F`: `:6:sha256:121935896.77` of a cipher, `2:2:2048:3397.727273:61643.750000` of a key.
    fn raw(&mut self, text: &str, line: u32) {
        let fields: Vec<&str> = text.split(':').collect();
        let (name, names, cells) = match fields[..] {
            ["", _, name, ref cells @ ..] if cells.len() == self.sizes.len() => {
                for (size, cell) in self.sizes.clone().iter().zip(cells) {
                    self.throughput(name, size, cell, 1.0, line);
                }
                return;
            }
            ["2", _, bits, ref cells @ ..] => (format!("rsa {bits} bits"), RSA, cells),
            ["3", _, bits, ref cells @ ..] => (format!("dsa {bits} bits"), SIGN, cells),
            // Curves of the same size have different numbers.
            ["4", curve, bits, ref cells @ ..] => (format!("{bits} bits ecdsa (curve {curve})"), SIGN, cells),
            // The second rate is the inverse of the first.
            ["5", curve, bits, cell, _] => (format!("{bits} bits ecdh (curve {curve})"), OP, &[cell][..]),
            ["6", _, bits, curve, ref cells @ ..] => (format!("{bits} bits EdDSA ({curve})"), SIGN, cells),
            ["7", _, bits, curve, ref cells @ ..] => (format!("{bits} bits SM2 ({curve})"), SIGN, cells),
            ["8", _, bits, cell, _] => (format!("{bits} bits ffdh"), OP, &[cell][..]),
            _ => return self.sheet.no_row(line, text),
        };
        let numbers = cells.iter().filter_map(number);
        if numbers.clone().count() > 1 && numbers.fold(0.0, f64::max) < 1.0 {
            // Versions before 1.1 print times.
            return self.sheet.no_row(line, text);
        }
        for (operation, cell) in names.iter().zip(cells) {
            self.rate(&name, operation, cell, line);
        }
    }

    fn throughput(&mut self, name: &str, size: &str, digits: &str, factor: f64, line: u32) {
        let metric =
            self.sheet.metric("throughput", || Metric::new("throughput", "B/s", Quantity::Throughput));
        self.push(&format!("{name}/{size} bytes"), metric, digits, factor, line);
    }

    fn rate(&mut self, name: &str, operation: &str, digits: &str, line: u32) {
        let metric = self.sheet.metric("rate", || Metric::new("rate", "1/s", Quantity::Throughput));
        self.push(&format!("{name}/{operation}"), metric, digits, 1.0, line);
    }

    fn push(&mut self, benchmark: &str, metric: u32, digits: &str, factor: f64, line: u32) {
        let Some(value) = self.sheet.number(digits.as_bytes(), line) else {
            return self.sheet.no_number(line, "the speed", benchmark, digits);
        };
        // What was not measured is 0.
        if value == 0.0 {
            return self.sheet.dropped(1);
        }
        if self.seen.contains(benchmark) {
            self.next_run();
            // The version was stated for the run before.
            self.state(None);
        }
        self.seen.insert(benchmark.to_owned());
        let (process, aggregate) = (Some(self.process), Some(Aggregate::default()));
        let row = Measurement { benchmark, metric, line, process, aggregate, ..ROW };
        self.sheet.push(Measurement { value: value * factor, ..row });
    }
}

const RSA: &[&str] = &["sign", "verify", "encrypt", "decrypt"];
const SIGN: &[&str] = &["sign", "verify"];
const OP: &[&str] = &["op"];

/// Whether these are the cells of a row of ciphers, the last words of `text`: a speed has a `k`, but not up to 10,000
/// bytes per second. Other programs print numbers without a `k`, too (`real 1.23`): a row of nothing else has the
/// blanks of a column of eleven characters.
fn are_speeds(cells: &[&str], text: &str) -> bool {
    let thousands = |cell: &&str| cell.strip_suffix('k').map(number);
    let is_slow = |cell: &&str| {
        let decimals = cell.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
        decimals == 2 && number(cell).is_some_and(|speed| (0.0..=10_000.0).contains(&speed))
    };
    let is_column = || {
        let before = cells.last().and_then(|cell| text.trim_end().strip_suffix(cell));
        before.is_some_and(|before| before.ends_with("    ")) && cells.iter().all(is_slow)
    };
    cells.iter().all(|cell| thousands(cell).is_some() || is_slow(cell))
        && (cells.iter().any(|cell| thousands(cell).flatten().is_some()) || is_column())
}

/// The sizes in the header of a table of ciphers: `type   16 bytes     64 bytes`.
fn sizes(header: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = header.strip_prefix("type ")?.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [size, "bytes"] if size.parse::<u64>().is_ok() => Some((*size).to_owned()),
        _ => None,
    });
    pairs.collect::<Option<Vec<_>>>().filter(|sizes| !sizes.is_empty())
}

/// The operations in the header of a table of keys, `sign    verify    sign/s verify/s`: first those of the times, then as
/// many of the rates.
fn operations(header: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = header.split_whitespace().collect();
    let (times, rates) = words.split_at(words.len() / 2);
    let is_time = |word: &&str| word.bytes().all(|letter| letter.is_ascii_lowercase());
    let is_rate = |word: &&str| word.ends_with("/s");
    let fits = !times.is_empty()
        && times.len() == rates.len()
        && times.iter().all(is_time)
        && rates.iter().all(is_rate)
        && times.iter().zip(rates).all(|(time, rate)| rate.starts_with(&time[..time.len().min(2)]));
    fits.then(|| times.to_vec())
}
