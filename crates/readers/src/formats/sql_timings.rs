//! The times that the shells `psql` and `sqlite3` print below each statement.

use super::prelude::*;

/// psql with `\timing on`: `Time: 1205.691 ms (00:01.206)`.
pub static PSQL: Format = Format {
    name: "psql-timing",
    sign: "lines such as `Time: 47.306 ms`, with three decimals",
    harness: "psql",
    export: "psql with \\timing on",
    own_labels: &["LINE ", "ZEILE "],
    printed_by: &["psql"],
    keys: &[KEYS],
    metrics: &[Meaning::of("time", "elapsed time of a statement as the client sees it")],
    words: &[" ms", " мс", " ミリ秒", " მწმ"],
    fits: |head| No::unless(head.lines().any(is_psql), "it has no such line"),
    read: Read::Bytes(|sheet, bytes| {
        read(sheet, bytes, |text| Some(vec![("time", psql(text)?)]), is_error_of_psql);
    }),
    ..Format::PLAIN
};

/// sqlite3 with `.timer on`: `Run Time: real 0.047 user 0.006074 sys 0.003986`.
pub static SQLITE: Format = Format {
    name: "sqlite-timer",
    sign: "lines such as `Run Time: real 0.047 user 0.006074 sys 0.003986`, of DuckDB with `Run Time (s): `",
    harness: "sqlite3",
    export: "sqlite3 or duckdb with .timer on",
    own_labels: &["LINE "],
    printed_by: &["sqlite3"],
    keys: &[KEYS],
    metrics: &[
        Meaning::of("time", "elapsed time of a statement"),
        Meaning::of("user", "processor time of a statement in the program"),
        Meaning::of("system", "processor time of a statement in the system for the program"),
    ],
    words: &["Run Time"],
    fits: |head| head.has_line(|line| sqlite(line).is_some()),
    read: Read::Bytes(|sheet, bytes| read(sheet, bytes, sqlite, is_error_of_sqlite)),
    ..Format::PLAIN
};

const KEYS: &[Key] = &[Key::work("statement", "place of the statement in the session, from 1 on")];

/// How psql's line with a time begins, in its languages.
const WORDS_FOR_TIME: [&str; 15] = [
    "Time: ",
    "Čas: ",
    "Zeit: ",
    "Χρόνος: ",
    "Duración: ",
    "Temps : ",
    "Durée : ",
    "Tempo: ",
    "時間: ",
    "დრო: ",
    "작업시간: ",
    "Время: ",
    "Tid: ",
    "Час: ",
    "时间：",
];

/// The unit of that time.
const MILLISECONDS: [&str; 4] = ["ms", "мс", "ミリ秒", "მწმ"];

/// What the server calls messages of statements that fail, in its languages.
const SEVERITIES: [&str; 35] = words!(
    "ERROR FATAL PANIC FEHLER PANIK ERREUR ERRORE FATALE PANICO შეცდომა ფატალური პანიკა 오류 치명적오류 손상 ОШИБКА \
     ВАЖНО ПАНИКА FEL FATALT ПОМИЛКА ФАТАЛЬНО ПАНІКА 错误 致命错误 比致命错误还过分的错误 ERRO PÂNICO BŁĄD KATASTROFALNY \
     PANIKA HATA ÖLÜMCÜL CHYBA 錯誤"
);

/// Whether a line is one of psql with the time of a statement.
pub(super) fn is_psql(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| psql(line).is_some())
}

/// The seconds of psql's line, which has milliseconds with three decimals, and minutes again where it is long. The words
/// and the decimal point are those of the user's language.
fn psql(line: &str) -> Option<f64> {
    let after = WORDS_FOR_TIME.iter().find_map(|word| line.strip_prefix(word))?;
    let (digits, rest) = after.split_once(' ')?;
    let rest = MILLISECONDS.iter().find_map(|unit| rest.strip_prefix(unit))?;
    let (whole, decimals) = digits.split_once(['.', ','])?;
    let repeated = rest.trim_start().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let has_three = decimals.len() == 3 && decimals.bytes().all(|digit| digit.is_ascii_digit());
    let sound = has_three && (rest.is_empty() || repeated.is_some_and(|text| text.contains(':')));
    Some(number(format!("{whole}.{decimals}")).filter(|_| sound)? / 1e3)
}

/// Whether a line is an error message as psql shows it, which has the word for it in the server's language.
fn is_error_of_psql(line: &str) -> bool {
    let message = line.strip_prefix("psql:").map_or(line, |rest| rest.split_once(": ").unwrap_or_default().1);
    message.split_once(":  ").is_some_and(|(severity, _)| SEVERITIES.contains(&severity))
}

/// Whether a line is an error message of sqlite3, or of `DuckDB` with its kind: `Catalog Error: Table …`.
fn is_error_of_sqlite(line: &str) -> bool {
    const STARTS: [&str; 4] = ["Parse error", "Runtime error", "Error: ", "Error near line "];
    let is_kind = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let are_words = words.iter().all(|word| {
            !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_alphabetic() || letter == b'-')
        });
        are_words
            && (1..=5).contains(&words.len())
            && words[0].starts_with(|first: char| first.is_uppercase())
    };
    STARTS.iter().any(|start| line.starts_with(start))
        || line.split_once(':').and_then(|(before, _)| before.strip_suffix(" Error")).is_some_and(is_kind)
}

/// The three times of sqlite3's line, in seconds.
fn sqlite(line: &str) -> Option<Vec<(&'static str, f64)>> {
    let times = line.strip_prefix("Run Time: ").or_else(|| line.strip_prefix("Run Time (s): "))?;
    let words: Vec<&str> = times.split(' ').collect();
    let ["real", real, "user", user, "sys", system] = words[..] else { return None };
    let seconds = |digits: &str| number(digits);
    Some(vec![("time", seconds(real)?), ("user", seconds(user)?), ("system", seconds(system)?)])
}

fn read(
    sheet: &mut Sheet,
    bytes: &[u8],
    parse: impl Fn(&str) -> Option<Vec<(&'static str, f64)>>,
    is_error: impl Fn(&str) -> bool,
) {
    let (mut place, mut has_failed) = (0, false);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        has_failed |= is_error(text);
        let Some(times) = parse(text) else { continue };
        place += 1;
        if std::mem::take(&mut has_failed) {
            sheet.failed(line, format!("statement {place}"), "");
            continue;
        }
        sheet.set_context(&[("statement".to_owned(), place.to_string())]);
        for (metric, value) in times {
            let metric = sheet.metric(metric, || Metric {
                primary: metric == "time",
                ..Metric::new(metric, "s", Quantity::Time)
            });
            sheet.push(Measurement { benchmark: "statement", metric, value, line, ..ROW });
        }
    }
}
