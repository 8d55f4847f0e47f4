//! Writes observations to files that other tools read, and that the table readers read back.

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::arrow::{Batches, VariantOf};
use crate::guard::{self, guarded};
use crate::observations::Observations;
use crate::treacherous::json_safe;

/// The format of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated, quoted where needed; an empty cell is a missing value. No cell can be run as a formula
    /// by a spreadsheet.
    Csv,
    /// The same, with every text unchanged.
    RawCsv,
    /// One JSON object per line.
    Ndjson,
    /// Parquet, compressed with Zstandard.
    Parquet,
}

impl Kind {
    /// The kind that a word names.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "csv" => Self::Csv,
            "raw-csv" => Self::RawCsv,
            "ndjson" => Self::Ndjson,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }
}

/// Writes into a file that is there already; whoever made it puts it in its place when it is whole.
///
/// # Errors
/// Any error of the operating system.
pub fn write(
    observations: &Observations,
    variant_of: &VariantOf<'_, '_>,
    path: &Path,
    kind: Kind,
) -> io::Result<()> {
    let file = OpenOptions::new().write(true).truncate(true).open(path)?;
    write_to(observations, variant_of, BufWriter::with_capacity(256 << 10, file), kind)
}

/// Writes to any target that takes bytes.
///
/// # Errors
/// Any error of the target.
pub fn write_to(
    observations: &Observations,
    variant_of: &VariantOf<'_, '_>,
    mut target: impl Write + Send,
    kind: Kind,
) -> io::Result<()> {
    let batches = Batches::new(observations, variant_of);
    match kind {
        Kind::Csv => csv(batches, &mut target, true)?,
        Kind::RawCsv => csv(batches, &mut target, false)?,
        Kind::Ndjson => ndjson(batches, &mut target)?,
        Kind::Parquet => parquet(batches, &mut target)?,
    }
    target.flush()
}

/// A cell in the form that the text formats write.
enum Cell<'a> {
    Null,
    Text(&'a str),
    Whole(u32),
    Float(f64),
}

fn cell(array: &dyn Array, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Null;
    }
    match array.data_type() {
        DataType::Float64 => Cell::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::UInt32 => Cell::Whole(array.as_primitive::<UInt32Type>().value(row)),
        _ => {
            let dictionary = array.as_dictionary::<UInt32Type>();
            let key = dictionary.keys().value(row) as usize;
            Cell::Text(dictionary.values().as_string::<i32>().value(key))
        }
    }
}

/// The shortest text that reads back to the same number.
fn float(text: &mut Vec<u8>, value: f64) -> io::Result<()> {
    text.clear();
    write!(text, "{value:?}")
}

/// Writes a table. If a cell had to be guarded, an extra column says so, which makes the reader undo it.
fn csv(batches: Batches<'_>, target: &mut impl Write, guard: bool) -> io::Result<()> {
    let guard = guard && batches.texts().any(|text| matches!(guarded(text), Cow::Owned(_)));
    let mut writer = csv::WriterBuilder::new().buffer_capacity(64 << 10).from_writer(target);
    for field in batches.schema().fields() {
        writer.write_field(guard::cell(field.name(), !guard).as_bytes())?;
    }
    writer.write_record(guard.then_some(guard::COLUMN))?;
    let mut text = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            for column in batch.columns() {
                match cell(column, row) {
                    Cell::Null => writer.write_field("")?,
                    Cell::Text(name) => writer.write_field(guard::cell(name, !guard).as_bytes())?,
                    Cell::Whole(number) => {
                        text.clear();
                        write!(text, "{number}")?;
                        writer.write_field(&text)?;
                    }
                    Cell::Float(value) => {
                        float(&mut text, value)?;
                        writer.write_field(&text)?;
                    }
                }
            }
            writer.write_record(guard.then_some(guard::MARK))?;
        }
    }
    writer.flush()
}

fn ndjson(batches: Batches<'_>, target: &mut impl Write) -> io::Result<()> {
    let keys: Vec<String> = batches
        .schema()
        .fields()
        .iter()
        .map(|field| Ok(format!("{}:", json_safe(&serde_json::to_string(field.name())?))))
        .collect::<io::Result<_>>()?;
    let (mut line, mut text) = (Vec::new(), Vec::new());
    for batch in batches {
        for row in 0..batch.num_rows() {
            line.clear();
            object(&mut line, &mut text, &keys, &batch, row)?;
            target.write_all(&line)?;
        }
    }
    Ok(())
}

fn object(
    line: &mut Vec<u8>,
    text: &mut Vec<u8>,
    keys: &[String],
    batch: &RecordBatch,
    row: usize,
) -> io::Result<()> {
    for (nth, (key, column)) in keys.iter().zip(batch.columns()).enumerate() {
        line.push(if nth == 0 { b'{' } else { b',' });
        line.extend_from_slice(key.as_bytes());
        match cell(column, row) {
            // Every line has every key, because some tools take the columns from the first line alone.
            Cell::Null => line.extend_from_slice(b"null"),
            Cell::Text(name) => json_text(line, name)?,
            Cell::Whole(number) => write!(line, "{number}")?,
            Cell::Float(value) => {
                float(text, value)?;
                line.extend_from_slice(text);
            }
        }
    }
    line.extend_from_slice(b"}\n");
    Ok(())
}

/// Writes a text; the common case needs no escapes.
fn json_text(line: &mut Vec<u8>, text: &str) -> io::Result<()> {
    if text.bytes().all(|byte| byte < 0x7F) {
        return Ok(serde_json::to_writer(line, text)?);
    }
    line.extend_from_slice(json_safe(&serde_json::to_string(text)?).as_bytes());
    Ok(())
}

fn parquet(batches: Batches<'_>, target: &mut (impl Write + Send)) -> io::Result<()> {
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer =
        ArrowWriter::try_new(target, batches.schema(), Some(properties)).map_err(without_wrapping)?;
    for batch in batches {
        writer.write(&batch).map_err(without_wrapping)?;
    }
    writer.close().map_err(without_wrapping)?;
    Ok(())
}

/// The underlying error of the operating system, if there is one: its number distinguishes a full disk from
/// other failures.
fn without_wrapping(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => {
            inner.downcast::<io::Error>().map_or_else(io::Error::other, |io| *io)
        }
        other => io::Error::other(other),
    }
}
