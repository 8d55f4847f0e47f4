//! The columns of an upload, and the rows that fill them.

use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, ListBuilder, StringBuilder, StringDictionaryBuilder, UInt32Builder,
};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::summary::Summary;

/// The key of the file's metadata that has the jobs, as a JSON list in the order of their numbers.
pub const JOBS: &str = "statera.history";

/// The columns of texts: what identifies a series, and how its values are judged.
pub const TEXTS: [&str; 7] = ["benchmark", "metric", "unit", "quantity", "better", "traits", "factors"];
/// The column with the number of the job.
pub const JOB: &str = "job";
/// The columns of numbers, after the number of values.
pub const COUNT: &str = "n";
pub const NUMBERS: [&str; 4] = ["median", "mad", "least", "largest"];
/// The columns of values; null where they were retired.
pub const VALUE: &str = "value";
pub const WEIGHT: &str = "weight";
pub const DEVIATION: &str = "deviation";
pub const PROCESS: &str = "process";
pub const BLOCK: &str = "block";

/// A row: a series of a job.
pub struct Row<'a> {
    pub job: u32,
    /// In the order of [`TEXTS`].
    pub texts: [Option<&'a str>; 7],
    pub summary: Summary,
    pub samples: Option<Samples<'a>>,
}

/// The values of a row, in the order of measurement; the other columns are as long, or empty.
#[derive(Default)]
pub struct Samples<'a> {
    pub value: Vec<f64>,
    pub weight: Vec<Option<f64>>,
    pub deviation: Vec<Option<f64>>,
    pub process: Vec<Option<u32>>,
    pub block: Vec<Option<&'a str>>,
}

/// Rows on their way into a file.
#[derive(Default)]
pub struct Rows {
    job: Vec<u32>,
    texts: [StringDictionaryBuilder<UInt32Type>; 7],
    count: Vec<u32>,
    numbers: [Vec<f64>; 4],
    value: ListBuilder<Float64Builder>,
    weight: ListBuilder<Float64Builder>,
    deviation: ListBuilder<Float64Builder>,
    process: ListBuilder<UInt32Builder>,
    block: ListBuilder<StringBuilder>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.job.len()
    }

    pub fn push(&mut self, row: Row<'_>) {
        self.job.push(row.job);
        for (builder, text) in self.texts.iter_mut().zip(row.texts) {
            builder.append_option(text);
        }
        let Summary { n, median, mad, least, largest } = row.summary;
        self.count.push(n);
        for (column, number) in self.numbers.iter_mut().zip([median, mad, least, largest]) {
            column.push(number);
        }
        let samples = row.samples.unwrap_or_default();
        let held = |column: usize| column > 0;
        self.value
            .append_option(held(samples.value.len()).then(|| samples.value.iter().map(|&value| Some(value))));
        self.weight.append_option(held(samples.weight.len()).then_some(samples.weight));
        self.deviation.append_option(held(samples.deviation.len()).then_some(samples.deviation));
        self.process.append_option(held(samples.process.len()).then_some(samples.process));
        self.block.append_option(held(samples.block.len()).then_some(samples.block));
    }

    /// The rows as a batch; nothing is left.
    pub fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let number =
            |column: &mut Vec<f64>| -> ArrayRef { Arc::new(Float64Array::from(std::mem::take(column))) };
        let whole =
            |column: &mut Vec<u32>| -> ArrayRef { Arc::new(UInt32Array::from(std::mem::take(column))) };
        let mut columns = vec![whole(&mut self.job)];
        columns.extend(self.texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef));
        columns.push(whole(&mut self.count));
        columns.extend(self.numbers.iter_mut().map(number));
        columns.extend([
            Arc::new(self.value.finish()) as ArrayRef,
            Arc::new(self.weight.finish()),
            Arc::new(self.deviation.finish()),
            Arc::new(self.process.finish()),
            Arc::new(self.block.finish()),
        ]);
        RecordBatch::try_new(schema(), columns)
    }
}

pub fn schema() -> SchemaRef {
    let text = || DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    let list = |kind| DataType::new_list(kind, true);
    let mut fields = vec![Field::new(JOB, DataType::UInt32, false)];
    let optional = |name: &str| matches!(name, "better" | "traits");
    fields.extend(TEXTS.map(|name| Field::new(name, text(), optional(name))));
    fields.push(Field::new(COUNT, DataType::UInt32, false));
    fields.extend(NUMBERS.map(|name| Field::new(name, DataType::Float64, false)));
    fields.extend([VALUE, WEIGHT, DEVIATION].map(|name| Field::new(name, list(DataType::Float64), true)));
    fields.push(Field::new(PROCESS, list(DataType::UInt32), true));
    fields.push(Field::new(BLOCK, list(DataType::Utf8), true));
    Arc::new(Schema::new(fields))
}
