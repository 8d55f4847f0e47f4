//! Parquet files of uploads: writing them, and opening what strangers may have written.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use statera_readers::caught::caught;

use crate::table::{self, JOBS};

/// A file that is being written.
pub struct Writing(ArrowWriter<File>);

impl Writing {
    /// Opens a file that is there already; whoever made it puts it in its place when it is whole.
    pub fn open(path: &Path, jobs: &str) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).truncate(true).open(path)?;
        // Statistics of columns help to skip parts of large files; here they would be a third of each file.
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_created_by("statera".to_owned())
            .set_key_value_metadata(Some(vec![KeyValue::new(JOBS.to_owned(), jobs.to_owned())]))
            .build();
        let writer =
            ArrowWriter::try_new(file, table::schema(), Some(properties)).map_err(without_wrapping)?;
        Ok(Self(writer))
    }

    /// Appends rows.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.0.write(batch).map_err(without_wrapping)
    }

    /// Ends the file.
    pub fn close(self) -> io::Result<()> {
        self.0.close().map_err(without_wrapping)?;
        Ok(())
    }
}

/// The underlying error of the operating system, if there is one: its number tells a full disk from other failures.
pub fn without_wrapping(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => {
            inner.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
        }
        other => io::Error::other(other),
    }
}

/// A file that is being read.
pub struct Reading {
    /// The JSON list of the jobs.
    pub jobs: String,
    /// How many rows there are.
    pub rows: usize,
    reader: ParquetRecordBatchReader,
}

/// The most that a file may hold, because its length on disk says little about that.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Bytes of the columns after decompression.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
}

/// Opens an upload to read some columns of it.
///
/// # Errors
/// Why it is none.
pub fn open(path: &Path, columns: &[&str], most: Most) -> Result<Reading, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    // The decoders trust the lengths stated in a file and have panicked on damaged ones.
    caught(|| decode(file, columns, most)).unwrap_or_else(|_| Err("it is damaged".to_owned()))
}

/// Returns the JSON list of an upload's jobs.
///
/// # Errors
/// Why it is none.
pub fn jobs(path: &Path) -> Result<String, String> {
    let none = Most { bytes: u64::MAX, rows: u64::MAX };
    open(path, &[], none).map(|reading| reading.jobs)
}

fn decode(file: File, columns: &[&str], most: Most) -> Result<Reading, String> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
    let wanted = table::schema();
    for &name in columns {
        let expected = wanted.field_with_name(name).map_err(damaged)?;
        match builder.schema().field_with_name(name) {
            Ok(found) if found.data_type() == expected.data_type() => {}
            _ => {
                return Err(format!(
                    "it is not an upload of statera: its column {name} is missing or of another type"
                ));
            }
        }
    }
    let metadata = builder.metadata();
    let jobs = metadata
        .file_metadata()
        .key_value_metadata()
        .and_then(|pairs| pairs.iter().find(|pair| pair.key == JOBS).and_then(|pair| pair.value.clone()));
    let Some(jobs) = jobs else { return Err("it is not an upload of statera: it names no job".to_owned()) };
    let groups = metadata.row_groups();
    let bytes: u64 = groups
        .iter()
        .map(|group| u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX))
        .fold(0, u64::saturating_add);
    // A list is one row, and can hold any number of values.
    let cells = |group: &RowGroupMetaData| {
        let values = group.columns().iter().map(ColumnChunkMetaData::num_values).max();
        u64::try_from(values.unwrap_or(0).max(group.num_rows())).unwrap_or(u64::MAX)
    };
    let values: u64 = groups.iter().map(cells).fold(0, u64::saturating_add);
    let rows = groups.iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0)).sum();
    if bytes > most.bytes || values > most.rows {
        return Err(format!("it holds {values} values of {bytes} bytes, more than the limits allow"));
    }
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(65_536).build().map_err(damaged)?;
    Ok(Reading { jobs, rows, reader })
}

impl Reading {
    /// Hands every batch to `take`, which may refuse it.
    pub fn each(self, mut take: impl FnMut(&RecordBatch) -> Result<(), String>) -> Result<(), String> {
        let mut batches = self.reader;
        caught(move || {
            for batch in &mut batches {
                take(&batch.map_err(damaged)?)?;
            }
            Ok(())
        })
        .unwrap_or_else(|_| Err("it is damaged".to_owned()))
    }
}

fn damaged(error: impl std::fmt::Display) -> String {
    format!("it is damaged: {}", statera_readers::text::excerpt(error.to_string().as_bytes()))
}
