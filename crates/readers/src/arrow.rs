//! Observations as Arrow record batches: the table that is exported to every tool that reads columns. Names are
//! dictionary-encoded, with one numbering for all batches.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::formats::tables::keys::column_of_key;
use crate::formats::units;
use crate::metric::{Better, Metric};
use crate::observations::Observations;
use crate::pool::Pool;
use crate::sheet::NONE;
use crate::work;

/// Maps the number of a configuration to its variant; `None` where it has none.
pub type VariantOf<'f, 'a> = dyn Fn(usize) -> Option<&'a str> + 'f;

/// Maximum number of rows per batch.
pub const BATCH_ROWS: usize = 1_000_000;

/// Maximum number of cells per batch: with many columns, fewer rows are taken at a time.
const BATCH_CELLS: usize = 32_000_000;

/// A dictionary column whose value follows from another column: one text for each number of that column.
struct Names {
    values: ArrayRef,
    /// Maps the other column's numbers to the dictionary's; [`NONE`] is null.
    keys: Vec<u32>,
}

impl Names {
    fn of<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut pool = Pool::default();
        let keys = texts.map(|text| text.map_or(NONE, |text| pool.intern(text))).collect();
        Self { values: strings(&pool), keys }
    }

    fn column(&self, numbers: impl Iterator<Item = u32>) -> ArrayRef {
        let mut keys = UInt32Builder::with_capacity(numbers.size_hint().0);
        for number in numbers {
            let key = self.keys.get(number as usize).copied().filter(|&key| key != NONE);
            keys.append_option(key);
        }
        // The keys come from the pool that made the values, so every key is in the dictionary.
        Arc::new(DictionaryArray::<UInt32Type>::new(keys.finish(), Arc::clone(&self.values)))
    }
}

/// The same for configurations, most of which may lack the key.
struct Sparse {
    values: ArrayRef,
    /// The configurations that have the key, in order, each with the number of its value.
    keys: Vec<(u32, u32)>,
}

impl Sparse {
    fn of(held: Vec<(u32, &str)>) -> Self {
        let mut pool = Pool::default();
        let keys = held.into_iter().map(|(context, text)| (context, pool.intern(text))).collect();
        Self { values: strings(&pool), keys }
    }

    fn column(&self, contexts: &[u32]) -> ArrayRef {
        let mut keys = UInt32Builder::with_capacity(contexts.len());
        let mut last = (NONE, None);
        for &context in contexts {
            if last.0 != context {
                let found = self.keys.binary_search_by_key(&context, |&(known, _)| known);
                last = (context, found.ok().map(|at| self.keys[at].1));
            }
            keys.append_option(last.1);
        }
        Arc::new(DictionaryArray::<UInt32Type>::new(keys.finish(), Arc::clone(&self.values)))
    }
}

fn strings(pool: &Pool) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(pool.iter()))
}

/// Iterates over the observations in batches.
pub struct Batches<'a> {
    observations: &'a Observations,
    schema: SchemaRef,
    benchmark: Names,
    metric: Names,
    unit: Names,
    variant: Names,
    file: Names,
    block: Names,
    better: Option<Names>,
    traits: Option<Names>,
    /// The keys of each configuration that are parameters.
    work: Option<Names>,
    context: Vec<Sparse>,
    /// The number of preceding rows of each source.
    order: Vec<u32>,
    next: usize,
    rows: usize,
}

impl<'a> Batches<'a> {
    /// Prepares the columns. A configuration key becomes a column of its name, prefixed with `config.` where
    /// another column has that name. A key that only repeats the variant stays empty.
    #[must_use]
    pub fn new(observations: &'a Observations, variant_of: &VariantOf<'_, '_>) -> Self {
        Self::with_rows(observations, variant_of, BATCH_ROWS)
    }

    fn with_rows(observations: &'a Observations, variant_of: &VariantOf<'_, '_>, rows: usize) -> Self {
        let contexts = &observations.contexts;
        let variants: Vec<Option<&str>> = (0..contexts.len()).map(variant_of).collect();
        let mut keys = Pool::default();
        // The values of each key, with the number of the configuration that has them.
        let mut values: Vec<Vec<(u32, &str)>> = Vec::new();
        for (number, variant) in variants.iter().enumerate() {
            for (key, value) in contexts.get(number) {
                let key_number = keys.intern(key) as usize;
                if key_number == values.len() {
                    values.push(Vec::new());
                }
                if key != "variant" || *variant != Some(value) {
                    // If a key occurs twice in one configuration, the last value counts, as everywhere else.
                    values[key_number].pop_if(|(last, _)| *last == number as u32);
                    values[key_number].push((number as u32, value));
                }
            }
        }
        let metrics = &observations.metrics;
        let sources = observations.context_source.iter();
        let file = sources.map(|&source| Some(observations.sources[source as usize].name.as_str()));
        let better = metrics.iter().any(|metric| metric.better != units::better(&metric.unit));
        let traits: Vec<Option<String>> =
            metrics.iter().map(|metric| metric.traits(units::meaning(&metric.unit).quantity)).collect();
        let told = traits.iter().any(Option::is_some);
        let work = works(observations);
        let names: Vec<String> = keys.iter().map(column_of_key).collect();
        Self {
            schema: schema(
                (better, told, work.is_some()),
                (!observations.weight.is_empty(), !observations.deviation.is_empty()),
                &names,
            ),
            benchmark: Names::of(observations.benchmarks.iter().map(Some)),
            metric: Names::of(metrics.iter().map(|metric| Some(metric.name.as_str()))),
            unit: Names::of(metrics.iter().map(|metric| Some(metric.unit.as_str()))),
            variant: Names::of(variants.into_iter()),
            file: Names::of(file),
            block: Names::of(observations.blocks.iter().map(Some)),
            better: better.then(|| Names::of(metrics.iter().map(direction))),
            traits: told.then(|| Names::of(traits.iter().map(Option::as_deref))),
            work,
            context: values.into_iter().map(Sparse::of).collect(),
            order: vec![0; observations.sources.len()],
            next: 0,
            rows: rows.min(BATCH_CELLS / (names.len() + 12)).max(1),
            observations,
        }
    }

    /// The names and types of the columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Every text that a batch can hold, and the names of the columns.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let names = [&self.benchmark, &self.metric, &self.unit, &self.variant, &self.file, &self.block];
        let all = names
            .into_iter()
            .chain(&self.better)
            .chain(&self.traits)
            .chain(&self.work)
            .map(|names| &names.values);
        let all = all.chain(self.context.iter().map(|sparse| &sparse.values));
        let values = all.flat_map(|values| values.as_string::<i32>().iter().flatten());
        values.chain(self.schema.fields().iter().map(|field| field.name().as_str()))
    }

    fn numbers(&mut self, start: usize, end: usize) -> UInt32Array {
        let of = |&context: &u32| self.observations.context_source[context as usize] as usize;
        let mut order = UInt32Builder::with_capacity(end - start);
        for source in self.observations.context[start..end].iter().map(of) {
            order.append_value(self.order[source]);
            self.order[source] = self.order[source].saturating_add(1);
        }
        order.finish()
    }
}

/// The direction of a metric, in the words of the tables.
fn direction(metric: &Metric) -> Option<&'static str> {
    metric.better.map(Better::word)
}

/// For each configuration its keys that are parameters; None if there are none.
fn works(observations: &Observations) -> Option<Names> {
    let is_parameter = |key: &&str| observations.parameters.contains(*key);
    let of =
        |number| work::joined(observations.contexts.get(number).map(|(key, _)| key).filter(is_parameter));
    if observations.parameters.is_empty() {
        return None;
    }
    let texts: Vec<String> = (0..observations.contexts.len()).map(of).collect();
    Some(Names::of(texts.iter().map(|text| Some(text.as_str()).filter(|text| !text.is_empty()))))
}

fn schema(
    (better, traits, work): (bool, bool, bool),
    (weights, deviations): (bool, bool),
    keys: &[String],
) -> SchemaRef {
    let text = || DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    let mut fields = vec![
        Field::new("benchmark", text(), false),
        Field::new("metric", text(), false),
        Field::new("unit", text(), false),
        Field::new("variant", text(), true),
        Field::new("value", DataType::Float64, false),
        Field::new("block", text(), true),
        Field::new("process", DataType::UInt32, true),
        Field::new("order", DataType::UInt32, false),
        Field::new("file", text(), false),
        Field::new("line", DataType::UInt32, false),
    ];
    if better {
        fields.push(Field::new("better", text(), true));
    }
    if traits {
        fields.push(Field::new("traits", text(), true));
    }
    if work {
        fields.push(Field::new(work::COLUMN, text(), true));
    }
    if weights {
        fields.push(Field::new("weight", DataType::Float64, true));
    }
    if deviations {
        fields.push(Field::new("deviation", DataType::Float64, true));
    }
    fields.extend(keys.iter().map(|key| Field::new(key, text(), true)));
    Arc::new(Schema::new(fields))
}

impl Iterator for Batches<'_> {
    type Item = RecordBatch;

    fn next(&mut self) -> Option<RecordBatch> {
        let all = self.observations;
        let (start, end) = (self.next, self.next.saturating_add(self.rows).min(all.len()));
        if start >= end {
            return None;
        }
        self.next = end;
        let order = self.numbers(start, end);
        let metrics = || all.metric[start..end].iter().copied();
        let contexts = || all.context[start..end].iter().copied();
        let optional = |column: &[u32]| -> UInt32Array {
            let value = |row| column.get(row).copied().filter(|&number| number != NONE);
            (start..end).map(value).collect()
        };
        let block = (start..end).map(|row| all.block.get(row).copied().unwrap_or(NONE));
        let mut columns: Vec<ArrayRef> = vec![
            self.benchmark.column(all.benchmark[start..end].iter().copied()),
            self.metric.column(metrics()),
            self.unit.column(metrics()),
            self.variant.column(contexts()),
            Arc::new(Float64Array::from_iter_values(all.value[start..end].iter().copied())),
            self.block.column(block),
            Arc::new(optional(&all.process)),
            Arc::new(order),
            self.file.column(contexts()),
            Arc::new(UInt32Array::from_iter_values(all.line[start..end].iter().copied())),
        ];
        columns.extend(self.better.iter().map(|better| better.column(metrics())));
        columns.extend(self.traits.iter().map(|traits| traits.column(metrics())));
        columns.extend(self.work.iter().map(|work| work.column(contexts())));
        for column in [&all.weight, &all.deviation] {
            if let Some(held) = column.get(start..end) {
                let known = held.iter().map(|&number| Some(number).filter(|number| !number.is_nan()));
                columns.push(Arc::new(known.collect::<Float64Array>()));
            }
        }
        columns.extend(self.context.iter().map(|names| names.column(&all.context[start..end])));
        Some(RecordBatch::try_new(self.schema(), columns).expect("every column is as long as the batch"))
    }
}

/// All batches at once.
#[must_use]
pub fn to_batches(
    observations: &Observations,
    variant_of: &VariantOf<'_, '_>,
) -> (SchemaRef, Vec<RecordBatch>) {
    let batches = Batches::new(observations, variant_of);
    (batches.schema(), batches.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::metric::Quantity;
    use crate::observations::Source;
    use crate::sheet::{Measurement, Sheet};
    use arrow_array::cast::AsArray;

    #[test]
    fn small_batches_join_to_the_whole() {
        let mut sheet = Sheet::new("a");
        let metric = sheet.metric("m", || Metric::new("m", "s", Quantity::Time));
        for line in 1..=10 {
            let value = f64::from(line);
            sheet.push(Measurement {
                benchmark: "b",
                metric,
                value,
                line,
                block: None,
                process: (line > 5).then_some(1),
                aggregate: None,
            });
        }
        let source = Source { name: "a".into(), argument: 0, format: "go", values: 0 };
        let all = Observations::join(vec![(source, vec![sheet])], &Limits::default()).unwrap();
        let batches: Vec<RecordBatch> = Batches::with_rows(&all, &|_| None, 3).collect();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [3, 3, 3, 1]);
        let order = batches[3]["order"].as_primitive::<UInt32Type>().value(0);
        assert_eq!(order, 9);
        assert_eq!(batches[0]["process"].null_count() + batches[1]["process"].null_count(), 5);
        assert_eq!(batches[0]["block"].null_count(), 3);
    }
}
