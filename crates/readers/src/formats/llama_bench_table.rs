//! llama-bench of llama.cpp, as CSV or as the table that it prints: the mean rate of each test.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::csv_rows::{self, Row};
use super::format::{Format, Processes, Values};
use super::head::No;
use super::lines;
use super::llama_bench::{Drafts, KEYS, METRICS, OF_RUN, Tests, key_of, mean};
use super::llama_bench_work::{Test, is_rate_of};
use crate::context::Context;
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The export as CSV.
pub static CSV: Format = Format {
    name: "llama-bench-csv",
    sign: "a header with `build_commit`, `n_prompt`, `n_gen`, `avg_ts` and `stddev_ts`",
    harness: "llama-bench",
    export: "llama-bench -o csv > FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[OF_RUN, KEYS],
    metrics: METRICS,
    fits: |head| {
        let has = |column: &str| head.header().any(|cell| cell == column.as_bytes());
        let columns = ["build_commit", "n_prompt", "n_gen", "avg_ts", "stddev_ts"];
        No::unless(columns.into_iter().all(has), "it has no such header")
    },
    read: read_csv,
    ..Format::PLAIN
};

/// The table in Markdown, which it prints by default.
pub static MARKDOWN: Format = Format {
    name: "llama-bench-md",
    sign: "a line `| model | size | params | backend | … | test | t/s |`",
    harness: "llama-bench",
    export: "llama-bench -o md > FILE",
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| {
        let is_header =
            |line: &[u8]| std::str::from_utf8(line).is_ok_and(|line| is_header(&cells(unquoted(line))));
        No::unless(head.lines().any(is_header), "it has no such line")
    },
    read: read_markdown,
    ..Format::PLAIN
};

/// The statements of SQL.
pub static SQL: Format = Format {
    name: "llama-bench-sql",
    sign: "a line `CREATE TABLE IF NOT EXISTS llama_bench (` or `INSERT INTO llama_bench (…`",
    harness: "llama-bench",
    values: Values::Refused {
        why: "the statements of llama-bench -o sql",
        export: "llama-bench -o json > FILE",
    },
    fits: |head| {
        let begins = |line: &[u8]| {
            line.starts_with(b"CREATE TABLE IF NOT EXISTS llama_bench (")
                || line.starts_with(b"INSERT INTO llama_bench (")
        };
        No::unless(head.lines().any(begins), "it has no such line")
    },
    ..Format::PLAIN
};

fn read_csv(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let (mut tests, mut run) = (Tests::default(), 0);
    csv_rows::each(&content.all()?, 1, &mut sheet, |sheet, row| {
        if row.run > run {
            run = row.run;
            tests.next_run();
        }
        test(sheet, &mut tests, row);
    })?;
    Ok(vec![sheet])
}

/// Reads the row of a test.
fn test(sheet: &mut Sheet, tests: &mut Tests, row: &Row<'_>) {
    let tokens = |column: &str| row.text(column).and_then(|cell| cell.parse().ok());
    let (Some(prompt), Some(generated)) = (tokens("n_prompt"), tokens("n_gen")) else {
        let what = "a test without `n_prompt` and `n_gen`";
        return sheet.problem(Code::MalformedRecord, row.line, what, "was the file cut or edited?");
    };
    let depth = tokens("n_depth").unwrap_or(0);
    let decimal = |column: &str| row.cell(column).and_then(number);
    let counts = Test { prompt, generated, depth, is_behind_prompt: false }.as_timed(|tokens| {
        let rate = decimal("avg_ts");
        rate.is_none_or(|rate| is_rate_of(tokens, rate, decimal("avg_ns"), decimal("stddev_ns")))
    });
    let (test, name) = counts.labelled(row.text("test").as_deref());
    let stated = row.cells().filter_map(|(column, cell)| {
        Some((key_of(column)?.to_owned(), crate::text::lossless(cell).into_owned()))
    });
    let context: Context = stated.collect();
    let Some(value) = row.number(sheet, "avg_ts") else {
        if row.cell("avg_ts").is_none() {
            let what = format!("{} has no `avg_ts`", excerpt(name.as_bytes()));
            sheet.problem(Code::NoSamples, row.line, what, "was the file cut or edited?");
        }
        return;
    };
    let aggregate = Some(mean(row.number(sheet, "stddev_ts")));
    let made = tests.row(sheet, &name, &context, row.line);
    sheet.push(Measurement { value, aggregate, ..made });
    Drafts::of(test, |column| row.text(column).map(Cow::into_owned)).push(sheet, made);
}

/// The line without what marks it as a quotation.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' '])
}

/// The cells of a line of a table; none of another line.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inner.map_or(Vec::new(), |inner| inner.split('|').map(str::trim).collect())
}

fn is_header(cells: &[&str]) -> bool {
    cells.first() == Some(&"model") && cells.ends_with(&["test", "t/s"])
}

/// The field of a column, which has a shorter name.
fn field_of(column: &str) -> &str {
    match column {
        "model" => "model_type",
        "backend" => "backends",
        "ngl" => "n_gpu_layers",
        "threads" => "n_threads",
        "sm" => "split_mode",
        "nkvo" => "no_kv_offload",
        "fa" => "flash_attn",
        "lm" => "load_mode",
        "mmap" => "use_mmap",
        "embd" => "embeddings",
        "nopo" => "no_op_offload",
        "noh" => "no_host",
        "dev" => "devices",
        "ts" => "tensor_split",
        "ot" => "tensor_buft_overrides",
        "nd" => "n_draft",
        "acc%" => "accept_rate",
        "ma" => "mean_accept",
        "ppl_out" => "target_ppl_of_output",
        other => other,
    }
}

/// A row of a table, which waits for the commit below the table.
struct Waiting {
    name: String,
    context: Context,
    rate: f64,
    deviation: Option<f64>,
    drafts: Drafts,
    line: u32,
}

fn read_markdown(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut tests, mut waiting) = (Tests::default(), Vec::new());
    let mut header: Vec<&str> = Vec::new();
    // Whether an empty line stands between the last row and this one.
    let (mut in_table, mut is_apart) = (false, false);
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        let text = unquoted(text);
        let cells = cells(text);
        if is_header(&cells) {
            settle(&mut sheet, &mut tests, &mut waiting, None);
            tests.next_run();
            (header, in_table, is_apart) = (cells, true, false);
        } else if let Some(build) = text.strip_prefix("build: ") {
            settle(&mut sheet, &mut tests, &mut waiting, build.split(' ').next());
            in_table = false;
        } else if text.is_empty() {
            is_apart = true;
        } else if !in_table || cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            // With the messages of a backend among its lines the table goes on.
        } else if let Some(found) = row(&header, &cells, line) {
            waiting.push(found);
            is_apart = false;
        } else if is_apart {
            // Another table follows.
            in_table = false;
        } else {
            let what = format!("`{}` is not a row of the table", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "was the file cut or edited?");
        }
    }
    settle(&mut sheet, &mut tests, &mut waiting, None);
    Ok(vec![sheet])
}

/// Reads a row of a table: its last cells are `pp512` and `7340.20 ± 23.45`.
fn row(header: &[&str], cells: &[&str], line: u32) -> Option<Waiting> {
    let [.., test, rate] = cells else { return None };
    let (rate, deviation) = rate.split_once('±')?;
    let (test, rate) = (Test::named(test)?, number(rate.trim().as_bytes())?);
    let deviation = Some(number(deviation.trim().as_bytes())?);
    let stated = header.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
    let stated =
        stated.filter_map(|(column, cell)| Some((key_of(field_of(column))?.to_owned(), (*cell).to_owned())));
    let cell_of = |field: &str| header.iter().zip(cells).find(|(column, _)| field_of(column) == field);
    let drafts = Drafts::of(test, |field| cell_of(field).map(|(_, cell)| (*cell).to_owned()));
    let counts = [("n_prompt", test.prompt), ("n_gen", test.generated), ("n_depth", test.depth)];
    let counts = counts.into_iter().map(|(key, count)| (key.to_owned(), count.to_string()));
    let context = stated.chain(counts).collect();
    (header.len() == cells.len()).then(|| Waiting {
        name: test.name(),
        context,
        rate,
        deviation,
        drafts,
        line,
    })
}

/// Adds the rows of a table, of this commit where it is known.
fn settle(sheet: &mut Sheet, tests: &mut Tests, waiting: &mut Vec<Waiting>, commit: Option<&str>) {
    for Waiting { name, mut context, rate, deviation, drafts, line } in waiting.drain(..) {
        context.extend(commit.map(|commit| ("commit".to_owned(), commit.to_owned())));
        let made = tests.row(sheet, &name, &context, line);
        sheet.push(Measurement { value: rate, aggregate: Some(mean(deviation)), ..made });
        drafts.push(sheet, made);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_line_has_the_cells_of_the_line() {
        for line in ["| a | b |", "> | a | b |", ">> > | a | b |", "  | a | b |"] {
            assert_eq!(cells(unquoted(line)), ["a", "b"], "{line}");
        }
    }
}
