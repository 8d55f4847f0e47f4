//! Writes events to Parquet files, one per table, as they come or folded.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::UInt16Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray, UInt16Array,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::columns::{Column, Events, Place};
use crate::fold::Folded;
use crate::plan::{Plan, Table, Type};

/// Number of rows of a row group: a reader loads one at a time, and a writer holds one.
const ROWS: usize = 1 << 18;

/// The files of a host.
pub struct Sink {
    files: Vec<Output>,
    events: Arc<StringArray>,
    host: Arc<StringArray>,
}

/// What becomes of the events of a table.
enum Output {
    /// They are written as they come.
    Rows { writer: Box<Writer>, schema: Arc<Schema>, kinds: Vec<Type> },
    /// They are folded, and written at the end.
    Folded(Box<Folded>, PathBuf),
}

type Writer = ArrowWriter<BufWriter<File>>;

impl Sink {
    /// Creates the files of a host in a directory.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn create(directory: &Path, plan: &Plan, host: &str) -> io::Result<Self> {
        let host = Arc::new(StringArray::from_iter_values([host]));
        let output = |(number, table): (usize, &Table)| {
            let path = directory.join(format!("{}.parquet", table.name));
            if let Some(folded) = Folded::new(plan, number, &host) {
                return Ok(Output::Folded(Box::new(folded), path));
            }
            let schema = Arc::new(schema(table));
            let kinds = table.columns.iter().map(|column| column.1).collect();
            Ok(Output::Rows { writer: Box::new(writer(&path, &schema)?), schema, kinds })
        };
        let files = plan.tables.iter().enumerate().map(output).collect::<io::Result<_>>()?;
        let names = plan.events.iter().map(|event| event.name.as_str());
        Ok(Self { files, events: Arc::new(StringArray::from_iter_values(names)), host })
    }

    /// Appends the events of a piece.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn write(&mut self, tables: &mut [Events], place: Place) -> io::Result<()> {
        for (output, events) in self.files.iter_mut().zip(tables) {
            match output {
                _ if events.at.is_empty() => {}
                Output::Folded(folded, _) => folded.add(events, place),
                Output::Rows { writer, schema, kinds } => {
                    let names = (&self.host, &self.events);
                    let batch = batch(schema, kinds, names, events, place).map_err(io::Error::other)?;
                    writer.write(&batch).map_err(failure)?;
                }
            }
        }
        Ok(())
    }

    /// Completes the files.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn finish(self) -> io::Result<()> {
        for output in self.files {
            let writer = match output {
                Output::Rows { writer, .. } => *writer,
                Output::Folded(folded, path) => {
                    let batch = folded.finish().map_err(io::Error::other)?;
                    let mut writer = writer(&path, &batch.schema())?;
                    writer.write(&batch).map_err(failure)?;
                    writer
                }
            };
            let file = writer.into_inner().map_err(failure)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        }
        Ok(())
    }
}

fn writer(path: &Path, schema: &Arc<Schema>) -> io::Result<Writer> {
    let file = BufWriter::with_capacity(256 << 10, File::create(path)?);
    ArrowWriter::try_new(file, Arc::clone(schema), Some(properties(schema)?)).map_err(failure)
}

fn batch(
    schema: &Arc<Schema>,
    kinds: &[Type],
    (host, names): (&Arc<StringArray>, &Arc<StringArray>),
    events: &mut Events,
    place: Place,
) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let rows = events.at.len();
    let lines = |before: u64| -> Int64Array {
        events.line.iter().map(|line| (before + u64::from(*line)) as i64).collect::<Vec<_>>().into()
    };
    let mut columns: Vec<ArrayRef> = vec![
        named(vec![0; rows], host)?,
        named(std::mem::take(&mut events.event), names)?,
        Arc::new(Int64Array::from(std::mem::take(&mut events.at))),
        Arc::new(Int32Array::from(vec![place.file as i32; rows])),
        Arc::new(lines(place.before_in_file)),
        Arc::new(lines(place.before_in_host)),
    ];
    columns.extend(kinds.iter().zip(&mut events.columns).map(|(kind, column)| array(*kind, column, rows)));
    RecordBatch::try_new(Arc::clone(schema), columns)
}

/// A column of names from a list.
fn named(keys: Vec<u16>, names: &Arc<StringArray>) -> Result<ArrayRef, arrow_schema::ArrowError> {
    let names: ArrayRef = Arc::clone(names) as ArrayRef;
    Ok(Arc::new(DictionaryArray::<UInt16Type>::try_new(UInt16Array::from(keys), names)?))
}

fn array(kind: Type, column: &mut Column, rows: usize) -> ArrayRef {
    let valid = column.valid(rows);
    match kind {
        Type::Natural | Type::Integer => Arc::new(Int64Array::new(column.take_integers(rows).into(), valid)),
        Type::Number => Arc::new(Float64Array::new(column.take_numbers(rows).into(), valid)),
        Type::Text | Type::Hash => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(column.offsets(rows)));
            Arc::new(StringArray::new(offsets, Buffer::from_vec(std::mem::take(&mut column.text)), valid))
        }
    }
}

fn schema(table: &Table) -> Schema {
    let name = DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
    let mut fields = vec![
        Field::new("host", name.clone(), false),
        Field::new("event", name, false),
        Field::new("at", DataType::Int64, false),
        Field::new("file", DataType::Int32, false),
        Field::new("line", DataType::Int64, false),
        Field::new("seq", DataType::Int64, false),
    ];
    fields.extend(table.columns.iter().map(|(name, kind)| {
        let kind = match kind {
            Type::Natural | Type::Integer => DataType::Int64,
            Type::Number => DataType::Float64,
            Type::Text | Type::Hash => DataType::Utf8,
        };
        Field::new(name, kind, true)
    }));
    Schema::new(fields)
}

fn properties(schema: &Schema) -> io::Result<WriterProperties> {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).map_err(failure)?);
    let mut properties = WriterProperties::builder()
        .set_compression(zstd)
        .set_max_row_group_row_count(Some(ROWS))
        .set_statistics_enabled(EnabledStatistics::None);
    // Integers here increase steadily or vary a little: their differences are small, and hardly shrink further
    // once packed. A dictionary or compression would only cost time.
    let integers = schema.fields().iter().filter(|field| field.data_type().is_integer());
    for field in integers {
        let path = ColumnPath::from(field.name().to_owned());
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_compression(path.clone(), Compression::UNCOMPRESSED)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    Ok(properties.build())
}

/// The underlying error of the operating system, if there is one: a full disk must be distinguished from other
/// failures.
fn failure(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}
