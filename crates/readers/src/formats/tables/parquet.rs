//! Plain tables as Parquet files.

use crate::formats::prelude::*;
use std::cell::OnceCell;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};

use super::cells::{Cell, Cells, is_number, resembles_number, text};
use super::finish::finish;
use super::headers::Header;
use super::keys::KEYS;
use super::preview::Preview;
use super::proposal;
use super::rows::Intake;
use crate::caught;
use crate::formats::format::PLAIN_TABLE;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "parquet",
    sign: "the columns `benchmark` and `value`",
    harness: PLAIN_TABLE,
    export: "statera convert",
    files: &["*.parquet"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    parts: names::of_table,
    fits: |head| No::unless(head.bytes().starts_with(MAGIC), "it is no Parquet file"),
    read: Read::Sheets(read),
    ..Format::PLAIN
};

/// The first bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// The number of rows that tell what a column is.
const SAMPLE: usize = 20;

/// Number of cells decoded at a time.
const BATCH: usize = 512 << 10;

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = bytes::Bytes::from(content.all()?.into_owned());
    // The decoders trust the lengths stated in a file and have panicked on damaged ones.
    caught::caught(|| decode(name, bytes, content, options))
        .unwrap_or_else(|_| Err(io::Error::other("is damaged: it cannot be decoded as Parquet")))
}

fn damaged(error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("is damaged: {}", excerpt(error.to_string())))
}

/// Opens the file with its texts as views: a text stored once in a dictionary is not copied into every row.
fn opened(bytes: bytes::Bytes) -> io::Result<ParquetRecordBatchReaderBuilder<bytes::Bytes>> {
    let plain =
        ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new()).map_err(|error| damaged(&error))?;
    let viewed: Vec<_> = plain.schema().fields().iter().map(|field| as_view(field)).collect();
    let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(viewed)));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), options);
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata.map_err(|error| damaged(&error))?))
}

fn as_view(field: &Field) -> Field {
    let kind = match field.data_type() {
        DataType::Dictionary(_, values) => values,
        other => other,
    };
    let kind = match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => DataType::BinaryView,
        // The values of a dictionary are stored as if there were none.
        other => other.clone(),
    };
    Field::new(field.name(), kind, field.is_nullable())
}

/// What to do about a column of another type.
const READABLE: &str = "text, numbers, times and booleans can be read. Convert it to one of these";

fn decode(name: &str, bytes: bytes::Bytes, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let size = bytes.len() as u64;
    let builder = opened(bytes.clone())?;
    check_compression(builder.metadata())?;
    let schema = Arc::clone(builder.schema());
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let preview = Beginning { schema: &schema, bytes, texts: OnceCell::new(), all: OnceCell::new() };
    let mut plan = proposal::plan(&header, options, &preview).map_err(io::Error::other)?;
    let unreadable = |column: usize| !supported(schema.field(column).data_type());
    if let Some(column) = plan.needed().find(|&column| unreadable(column)) {
        let (name, kind) = (&header[column], schema.field(column).data_type());
        return Err(io::Error::other(format!(
            "has a column `{name}` of a type that cannot be read ({kind}); {READABLE}"
        )));
    }
    let left_out: Vec<usize> =
        plan.context.iter().map(|&(column, _)| column).filter(|&at| unreadable(at)).collect();
    plan.context.retain(|(column, _)| !unreadable(*column));
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let mut intake = Intake::new(name, &plan);
    plan.say_repeated(&header, &mut intake.sheet, 0);
    for column in left_out {
        let what = format!(
            "the column `{}` of type {} is left out",
            excerpt(&header[column]),
            schema.field(column).data_type()
        );
        intake.sheet.malformed(0, what, READABLE);
    }
    take_rows(builder, &mut intake, content, size)?;
    Ok(finish(vec![intake], &plan))
}

/// Fails if columns are compressed in a way that is not read.
fn check_compression(metadata: &ParquetMetaData) -> io::Result<()> {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let unread = columns.map(ColumnChunkMetaData::compression).find_map(|compression| match compression {
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => None,
        Compression::GZIP(_) => Some("GZIP"),
        Compression::LZO => Some("LZO"),
        Compression::BROTLI(_) => Some("BROTLI"),
        Compression::LZ4 | Compression::LZ4_RAW => Some("LZ4"),
    });
    let why = |name| {
        format!(
            "has columns compressed with {name}, which is not read. Write it with zstd, snappy or without compression"
        )
    };
    unread.map_or(Ok(()), |name| Err(io::Error::other(why(name))))
}

/// The first rows of some columns; what cannot be decoded is reported when all rows are read.
fn beginning(bytes: &bytes::Bytes, columns: &[usize], rows: usize) -> Option<RecordBatch> {
    let builder = opened(bytes.clone()).ok()?.with_batch_size(rows).with_limit(rows);
    let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
    builder.with_projection(mask).build().ok()?.next().and_then(Result::ok)
}

struct Beginning<'a> {
    schema: &'a Schema,
    bytes: bytes::Bytes,
    /// Those of the columns of text, of which there are few in a wide table.
    texts: OnceCell<Option<RecordBatch>>,
    /// Only a question needs all of them.
    all: OnceCell<Option<RecordBatch>>,
}

impl Beginning<'_> {
    fn is_text(&self, column: usize) -> bool {
        *self.schema.field(column).data_type() == DataType::Utf8View
    }
}

impl Preview for Beginning<'_> {
    fn is_numeric(&self, column: usize) -> bool {
        let field = self.schema.field(column);
        let is_text = self.is_text(column);
        let has =
            |fits: fn(&[u8]) -> bool| self.first(column).iter().any(|cell| fits(cell.trim().as_bytes()));
        let of_text = || Header::of(field.name()).has_numbers(has(is_number), has(resembles_number));
        field.data_type().is_numeric() || (is_text && of_text())
    }

    fn has_types(&self) -> bool {
        true
    }

    fn first(&self, column: usize) -> Vec<String> {
        let among_texts = self.is_text(column);
        let known = if among_texts { &self.texts } else { &self.all };
        let is_taken = |&at: &usize| !among_texts || self.is_text(at);
        let taken = || (0..self.schema.fields().len()).filter(is_taken);
        let rows = known.get_or_init(|| beginning(&self.bytes, &taken().collect::<Vec<_>>(), 3));
        let (Some(rows), Some(place)) = (rows, taken().position(|at| at == column)) else {
            return Vec::new();
        };
        texts(rows.column(place))
    }

    fn sample(&self, column: usize) -> Vec<String> {
        let rows = beginning(&self.bytes, &[column], SAMPLE);
        rows.filter(|rows| rows.num_columns() == 1).map_or_else(Vec::new, |rows| texts(rows.column(0)))
    }

    fn may_be_text(&self, column: usize) -> bool {
        self.is_text(column)
    }
}

/// The cells of a column as text.
fn texts(column: &ArrayRef) -> Vec<String> {
    let cells = (0..column.len()).map(|row| plain(column, row));
    cells.filter_map(text).map(|cell| lossless(&cell).into_owned()).collect()
}

/// Reads the rows of the columns that have a role.
fn take_rows(
    builder: ParquetRecordBatchReaderBuilder<bytes::Bytes>,
    intake: &mut Intake,
    content: &Content,
    size: u64,
) -> io::Result<()> {
    let read: BTreeSet<usize> =
        intake.plan.needed().chain(intake.plan.context.iter().map(|&(column, _)| column)).collect();
    let mut places = vec![None; builder.schema().fields().len()];
    read.iter().enumerate().for_each(|(place, &column)| places[column] = Some(place));
    let mask = ProjectionMask::roots(builder.parquet_schema(), read.iter().copied());
    let rows = (BATCH / read.len().max(1)).max(1);
    let reader =
        builder.with_projection(mask).with_batch_size(rows).build().map_err(|error| damaged(&error))?;
    let (mut nth, mut decoded) = (0u32, 0u64);
    for batch in reader {
        match batch {
            Ok(batch) => {
                // A run of equal values takes a few bytes in the file, whatever its length.
                let bytes = batch.columns().iter().map(content_bytes).sum();
                decoded += bytes;
                content.budget.check_expansion(decoded, size)?;
                content.budget.take_bytes(bytes)?;
                for row in 0..batch.num_rows() {
                    nth = nth.saturating_add(1);
                    // A table without lines has rows, counted from 1 like lines.
                    intake.row(&Row { columns: batch.columns(), places: &places, at: row }, nth);
                }
                intake.sheet.count(&content.budget)?;
            }
            Err(error) => {
                let why = excerpt(error.to_string());
                let what = format!("the rows after row {nth} cannot be decoded: {why}");
                let hint = "the rows before were read. Copy the file again";
                intake.sheet.problem(Code::Truncated, nth, what, hint);
                break;
            }
        }
    }
    Ok(())
}

/// The bytes that a column represents: the size of its cells as values, and its text.
fn content_bytes(array: &ArrayRef) -> u64 {
    let texts: u64 = match array.data_type() {
        DataType::Utf8View => array.as_string_view().lengths().map(u64::from).sum(),
        DataType::BinaryView => array.as_binary_view().lengths().map(u64::from).sum(),
        _ => 0,
    };
    texts + 16 * array.len() as u64
}

fn supported(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8View | DataType::BinaryView | DataType::Boolean | DataType::Null => true,
        other => {
            other.is_numeric()
                || matches!(other, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
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
    macro_rules! decimal {
        ($kind:ty, $precision:expr, $scale:expr) => {
            decimal(&<$kind>::format_decimal(array.as_primitive::<$kind>().value(row), *$precision, *$scale))
        };
    }
    match array.data_type() {
        DataType::Utf8View => Cell::Text(array.as_string_view().value(row).as_bytes()),
        DataType::BinaryView => Cell::Text(array.as_binary_view().value(row)),
        DataType::Boolean => Cell::Text(if array.as_boolean().value(row) { b"true" } else { b"false" }),
        DataType::Decimal32(precision, scale) => decimal!(Decimal32Type, precision, scale),
        DataType::Decimal64(precision, scale) => decimal!(Decimal64Type, precision, scale),
        DataType::Decimal128(precision, scale) => decimal!(Decimal128Type, precision, scale),
        DataType::Decimal256(precision, scale) => decimal!(Decimal256Type, precision, scale),
        DataType::Float16 => Cell::Float(f64::from(array.as_primitive::<Float16Type>().value(row))),
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

/// The number that is nearest to a decimal; a whole one keeps its digits.
fn decimal(digits: &str) -> Cell<'static> {
    digits.parse().map(Cell::Integer).or_else(|_| digits.parse().map(Cell::Float)).unwrap_or(Cell::Missing)
}

struct Row<'a> {
    columns: &'a [ArrayRef],
    /// The position of each column of the file among the columns that are read.
    places: &'a [Option<usize>],
    at: usize,
}

impl Cells for Row<'_> {
    const BLANK_IS_TEXT: bool = false;

    fn cell(&self, column: usize) -> Cell<'_> {
        let place = self.places.get(column).copied().flatten();
        place.map_or(Cell::Missing, |place| plain(&self.columns[place], self.at))
    }
}
