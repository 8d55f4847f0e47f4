//! Tables that others read: rows of texts and numbers → a Parquet file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::file::without_wrapping;

/// The values of a column, all of one kind; None where there is none.
#[derive(Debug, Clone)]
pub enum Column {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
}

impl Column {
    fn kind(&self) -> DataType {
        match self {
            Self::Text(_) => DataType::Utf8,
            Self::Whole(_) => DataType::Int64,
            Self::Number(_) => DataType::Float64,
        }
    }

    fn array(self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(StringArray::from(values)),
            Self::Whole(values) => Arc::new(Int64Array::from(values)),
            Self::Number(values) => Arc::new(Float64Array::from(values)),
        }
    }
}

/// A table that is being written. The same rows in the same pieces are the same bytes.
pub struct Export {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
}

impl Export {
    /// Opens a file that is there already; whoever made it puts it in its place when it is whole. The columns have names
    /// and kinds as the examples have.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn open(path: &Path, examples: Vec<(String, Column)>) -> io::Result<Self> {
        let fields: Vec<Field> =
            examples.into_iter().map(|(name, column)| Field::new(name, column.kind(), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by("statera".to_owned())
            .build();
        let file = OpenOptions::new().write(true).truncate(true).open(path)?;
        let writer =
            ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(without_wrapping)?;
        Ok(Self { writer, schema })
    }

    /// Appends rows, column by column.
    ///
    /// # Errors
    /// The columns are others than those of the table, or any error of the operating system.
    pub fn write(&mut self, columns: Vec<Column>) -> io::Result<()> {
        let arrays = columns.into_iter().map(Column::array).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(without_wrapping)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Any error of the operating system.
    pub fn close(self) -> io::Result<()> {
        self.writer.close().map_err(without_wrapping)?;
        Ok(())
    }
}
