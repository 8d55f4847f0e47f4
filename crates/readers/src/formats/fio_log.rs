//! The logs of fio: a value for each operation or, with `log_avg_msec`, for each interval. A log does not say what its
//! values are; the name that fio gives to it does.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "fio-log",
    sign: "lines such as `12, 19499, 0, 4096, 0`: time, value, direction, size",
    harness: "fio",
    export: "fio --write_lat_log=PREFIX",
    files: &["*_lat*.log", "*_clat*.log", "*_slat*.log", "*_bw*.log", "*_iops*.log"],
    keys: &[&[Key::work("bs", "size of an operation"), Key::setting("job", "number of the job")]],
    metrics: &[
        Meaning::of("latency", "time of an operation"),
        Meaning::of("clat", "time from the issue of an operation to its end"),
        Meaning::of("slat", "time until an operation is issued"),
        Meaning::of("transfer", "bytes per second"),
        Meaning::of("throughput", "operations per second"),
    ],
    fits: |head| No::unless(is_log(head), "its lines are not of four to seven such numbers"),
    read: Read::InPlace(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

fn is_log(head: &Head<'_>) -> bool {
    // The last line may be cut.
    let whole = memchr::memrchr(b'\n', head.bytes()).map_or(&b""[..], |end| &head.bytes()[..end]);
    let mut lines = whole.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).take(50);
    !whole.is_empty()
        && lines.all(|line| std::str::from_utf8(line).is_ok_and(|line| Entry::of(line).is_some()))
}

/// A line of a log.
struct Entry<'a> {
    value: &'a str,
    direction: &'static str,
    size: &'a str,
    /// The fields after the size: the place in the file, if asked for, and in later versions the priority.
    rest: Vec<&'a str>,
}

impl<'a> Entry<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let fields: Vec<&str> = line.split(", ").collect();
        let is_number = |field: &&str| {
            let digits = field.strip_prefix("0x").unwrap_or(field);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let is_decimal = |field: &&str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        let sound = (4..=7).contains(&fields.len()) && fields[..4].iter().all(is_decimal);
        let direction = match *fields.get(2)? {
            "0" => "read",
            "1" => "write",
            "2" => "trim",
            _ => return None,
        };
        let made = || Self { value: fields[1], direction, size: fields[3], rest: fields[4..].to_vec() };
        (sound && fields.iter().skip(4).all(is_number)).then(made)
    }

    /// Whether a version wrote it that measures in nanoseconds: those before 3 never write the priority. A place in the
    /// file can be told from a priority only if it is 0.
    fn has_priority(&self) -> bool {
        match self.rest[..] {
            [] => false,
            [priority] => priority.starts_with("0x") || priority == "0",
            _ => true,
        }
    }
}

/// The metric that the name of a file states, its scale, and the number of the job: `x_clat.1.log`.
fn stated(path: &Path) -> Option<(&'static str, Scale, Option<&str>)> {
    let name = path.file_name()?.to_str()?;
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(name)
        .strip_suffix(".log")?;
    let (stem, job) = name
        .rsplit_once('.')
        .filter(|(_, job)| !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or((name, None), |(stem, job)| (stem, Some(job)));
    Some(match stem.rsplit_once('_').map_or(stem, |(_, kind)| kind) {
        "lat" => ("latency", Scale::Over(1e9), job),
        "clat" => ("clat", Scale::Over(1e9), job),
        "slat" => ("slat", Scale::Over(1e9), job),
        "bw" => ("transfer", Scale::Times(1024.0), job),
        "iops" => ("throughput", Scale::Times(1.0), job),
        _ => return None,
    })
}

fn read(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    let Some((metric, scale, job)) = stated(path) else {
        let what = "the name of the file does not say what its values are";
        let hint = "keep the name that fio gave to it, such as x_clat.1.log: lat, clat, slat, bw or iops";
        sheet.malformed(0, what, hint);
        return Ok(());
    };
    let bytes = content.all()?;
    let all: Vec<(u32, &str)> = lines::numbered(&bytes).filter(|(_, text)| !text.is_empty()).collect();
    if let Some((code, line, what, hint)) = doubt(metric, &all) {
        sheet.problem(code, line, what, hint);
        return Ok(());
    }
    for (line, text) in all {
        let Some(entry) = Entry::of(text) else {
            sheet.no_row(line, text);
            continue;
        };
        let job = job.map(|job| ("job".to_owned(), job.to_owned()));
        // An average has no size.
        let size = Some(("bs".to_owned(), entry.size.to_owned())).filter(|(_, size)| size != "0");
        sheet.set_context(&job.into_iter().chain(size).collect::<Vec<_>>());
        let row = Measurement { benchmark: entry.direction, line, process: Some(0), ..ROW };
        if let Some(value) = number(entry.value) {
            load_metrics::push(sheet, row, metric, scale.apply(value));
        }
    }
    Ok(())
}

/// Why nobody can know what the values of a log are, if so.
fn doubt(metric: &str, all: &[(u32, &str)]) -> Option<(Code, u32, &'static str, &'static str)> {
    let mut entries = all.iter().filter_map(|(line, text)| Some((*line, Entry::of(text)?)));
    let first = all.first()?.0;
    match metric {
        "transfer" => None,
        "throughput" => entries.all(|(_, entry)| entry.value == "1").then_some((
            Code::NoSamples,
            first,
            "the log has a 1 for each operation and no rates",
            "add --log_avg_msec=1000, which makes a rate of each second",
        )),
        _ => entries.find(|(_, entry)| !entry.has_priority()).map(|(line, _)| {
            let what = "the log does not say its unit: fio 2 writes microseconds, fio 3 nanoseconds";
            let hint = "use fio 3.17 or later, which adds the priority, or --output-format=json";
            (Code::MalformedRecord, line, what, hint)
        }),
    }
}
