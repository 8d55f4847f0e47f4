//! Plain tables as Parquet files.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::Format;
use super::table_columns::{Cell, Cells, Plan};
use super::table_rows::{Intake, settle};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "parquet",
    sign: "a Parquet file with the columns `benchmark` and `value`",
    has_results: true,
    fits: |head| head.starts_with(MAGIC),
    read,
};

/// What a Parquet file begins with.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// Rows decoded at a time.
const BATCH: usize = 64 << 10;

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = bytes::Bytes::from(content.all()?.into_owned());
    // The decoders trust the lengths that a file states and have met damaged ones with a panic; such a
    // file must not take down the run that reads a hundred others. Nothing survives the panic: what
    // was being filled is dropped with it.
    catch_unwind(AssertUnwindSafe(|| decode(name, bytes, options)))
        .unwrap_or_else(|_| Err(io::Error::other("is damaged: it is no Parquet file that can be decoded")))
}

fn decode(name: &str, bytes: bytes::Bytes, options: &Options) -> io::Result<Vec<Sheet>> {
    let damaged = |error: &dyn std::fmt::Display| {
        io::Error::other(format!("is damaged: {}", excerpt(error.to_string().as_bytes())))
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(|error| damaged(&error))?;
    let schema = Arc::clone(builder.schema());
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let numeric = |column: usize| schema.field(column).data_type().is_numeric();
    let mut plan = Plan::new(&header, options, &numeric).map_err(io::Error::other)?;
    let unreadable = |column: usize| !supported(schema.field(column).data_type());
    let needed =
        [plan.metric, plan.unit, plan.block, plan.process, plan.better, plan.traits, plan.variant, plan.file];
    let needed =
        needed.into_iter().flatten().chain([plan.benchmark]).chain(plan.values.iter().map(|v| v.column));
    if let Some(column) = needed.into_iter().find(|&column| unreadable(column)) {
        let (name, kind) = (&header[column], schema.field(column).data_type());
        return Err(io::Error::other(format!(
            "has a column `{name}` of a type that cannot be read ({kind})"
        )));
    }
    let left_out: Vec<usize> =
        plan.context.iter().map(|&(column, _)| column).filter(|&at| unreadable(at)).collect();
    plan.context.retain(|(column, _)| !left_out.contains(column));
    let plan = Arc::new(plan);
    let mut intake = Intake::new(name, &plan);
    for column in left_out {
        let what = format!(
            "the column `{}` of type {} is left out",
            header[column],
            schema.field(column).data_type()
        );
        let hint = "text, numbers, times and truth values can be read; write it as one of these";
        intake.sheet.problem(Code::MalformedRecord, 0, what, hint);
    }
    let mut nth = 0u32;
    for batch in builder.with_batch_size(BATCH).build().map_err(|error| damaged(&error))? {
        match batch {
            Ok(batch) => {
                let rows = Batch::of(&batch);
                for row in 0..batch.num_rows() {
                    nth = nth.saturating_add(1);
                    // A table without lines has rows; they count from 1 as lines do.
                    intake.row(&Row { batch: &rows, row }, nth);
                }
            }
            Err(error) => {
                let what = format!(
                    "what follows row {nth} cannot be decoded: {}",
                    excerpt(error.to_string().as_bytes())
                );
                intake.sheet.problem(
                    Code::Truncated,
                    nth,
                    what,
                    "the rows before were read; copy the file again",
                );
                break;
            }
        }
    }
    Ok(settle(vec![intake]))
}

fn supported(kind: &DataType) -> bool {
    let text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    match kind {
        DataType::Dictionary(_, values) => text(values),
        DataType::Float16 => false,
        DataType::Binary | DataType::LargeBinary | DataType::Boolean | DataType::Null => true,
        other => {
            text(other)
                || other.is_integer()
                || other.is_floating()
                || matches!(other, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
        }
    }
}

/// A column, as the type that its cells are asked of.
enum Column {
    /// Text behind numbers.
    Dictionary(Vec<Option<u32>>, Box<Column>),
    Plain(ArrayRef),
}

impl Column {
    fn of(array: &ArrayRef) -> Self {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Self::Plain(Arc::clone(array)) };
        let keys = if dictionary.values().is_empty() {
            vec![None; array.len()]
        } else {
            let null = |row: usize| dictionary.keys().is_null(row);
            let keys = dictionary.normalized_keys();
            keys.iter().enumerate().map(|(row, &key)| (!null(row)).then_some(key as u32)).collect()
        };
        Self::Dictionary(keys, Box::new(Self::Plain(Arc::clone(dictionary.values()))))
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Dictionary(keys, values) => {
                keys[row].map_or(Cell::Missing, |key| values.cell(key as usize))
            }
            Self::Plain(array) => plain(array, row),
        }
    }
}

fn plain(array: &ArrayRef, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Missing;
    }
    macro_rules! whole {
        ($kind:ty) => {
            Cell::Integer(i128::from(array.as_primitive::<$kind>().value(row)))
        };
    }
    match array.data_type() {
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row).as_bytes()),
        DataType::LargeUtf8 => Cell::Text(array.as_string::<i64>().value(row).as_bytes()),
        DataType::Utf8View => Cell::Text(array.as_string_view().value(row).as_bytes()),
        DataType::Binary => Cell::Text(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Cell::Text(array.as_binary::<i64>().value(row)),
        DataType::Boolean => Cell::Text(if array.as_boolean().value(row) { b"true" } else { b"false" }),
        DataType::Float32 => Cell::Float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => Cell::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Int8 => whole!(Int8Type),
        DataType::Int16 => whole!(Int16Type),
        DataType::Int32 => whole!(Int32Type),
        DataType::Int64 => whole!(Int64Type),
        DataType::UInt8 => whole!(UInt8Type),
        DataType::UInt16 => whole!(UInt16Type),
        DataType::UInt32 => whole!(UInt32Type),
        DataType::UInt64 => whole!(UInt64Type),
        DataType::Date32 => whole!(Date32Type),
        DataType::Date64 => whole!(Date64Type),
        DataType::Timestamp(TimeUnit::Second, _) => whole!(TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => whole!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => whole!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => whole!(TimestampNanosecondType),
        _ => Cell::Missing,
    }
}

struct Batch(Vec<Column>);

impl Batch {
    fn of(batch: &RecordBatch) -> Self {
        Self(batch.columns().iter().map(Column::of).collect())
    }
}

struct Row<'a> {
    batch: &'a Batch,
    row: usize,
}

impl Cells for Row<'_> {
    const BLANK_IS_TEXT: bool = false;

    fn cell(&self, column: usize) -> Cell<'_> {
        self.batch.0.get(column).map_or(Cell::Missing, |column| column.cell(self.row))
    }
}
