//! Groups Arrow columns: rows that agree in every key form one group, wherever they are in the table. Groups
//! keep the order in which they first appear.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::ScalarBuffer;
use arrow_row::{RowConverter, Rows, SortField};
use arrow_schema::{DataType, SchemaRef};
use hashbrown::{HashMap, HashTable};

use crate::block::Sample;
use crate::procedure::Takes;

/// Number of rows whose keys are made comparable at a time.
const PIECE: usize = 1 << 16;
/// Maximum number of cells (groups times samples): every cell takes memory, even an empty one.
const MOST_CELLS: usize = 1 << 31;

/// The roles of the columns.
#[derive(Debug, Clone, Copy)]
pub struct Roles<'a> {
    /// The column of values.
    pub value: &'a str,
    /// The columns whose values together name a group.
    pub keys: &'a [String],
    /// The column that states which sample a value belongs to.
    pub sample: Option<&'a str>,
    /// The samples in order, as text; if empty, the samples found, in the order of their first appearance.
    pub samples: &'a [String],
    /// Samples are known only within their own group: the first of each group is one sample, the second
    /// another.
    pub own: bool,
}

/// Values grouped by group and sample.
#[derive(Debug)]
pub struct Grouped {
    /// The key columns, one row per group.
    pub keys: Vec<ArrayRef>,
    /// The samples, as text.
    pub samples: Vec<String>,
    /// Number of groups.
    pub groups: usize,
    values: ScalarBuffer<f64>,
    /// The beginning of the values of each cell, sample after sample; the last entry is the end.
    offsets: Vec<usize>,
}

impl Grouped {
    /// The samples of all groups.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample<'_>> {
        let of = |s: usize| &self.offsets[s * self.groups..=(s + 1) * self.groups];
        (0..self.samples.len()).map(|s| Sample { values: &self.values, offsets: of(s) }).collect()
    }

    /// Checks that a procedure can take these samples.
    ///
    /// # Errors
    /// What is wrong: the number of samples, or a group whose samples should match and do not.
    pub fn suits(&self, takes: Takes) -> Result<(), String> {
        let found = self.samples.len();
        if !takes.fits(found) {
            let hint = if found == 1 { ". Name the column that distinguishes the samples" } else { "" };
            return Err(format!("the procedure takes {}, but there are {found} here{hint}", takes.words()));
        }
        let samples = self.samples();
        let sizes = |group: usize| samples.iter().map(move |sample| sample.of(group).len());
        let unlike = |&group: &usize| sizes(group).any(|size| size != samples[0].of(group).len());
        match (0..self.groups).find(|group| takes.matched() && unlike(group)) {
            None => Ok(()),
            Some(group) => {
                let counts = self.samples.iter().zip(sizes(group));
                let counts: Vec<String> = counts.map(|(label, n)| format!("{n} of {label:?}")).collect();
                let counts = counts.join(" and ");
                Err(format!(
                    "group {} has {counts}; pairs and blocks need equally many values of each: complete the group or \
                     leave it out",
                    self.name(group)
                ))
            }
        }
    }

    /// The keys of a group as text.
    fn name(&self, group: usize) -> String {
        let text = |key: &ArrayRef| match written(&key.slice(group, 1)) {
            _ if key.is_null(group) => "null".to_owned(),
            Ok(texts) => format!("{:?}", texts.first().map_or("", String::as_str)),
            Err(_) => format!("number {group}"),
        };
        self.keys.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

/// Distinct rows of some columns, numbered in the order of their first appearance.
struct Names {
    converter: RowConverter,
    table: HashTable<u32>,
    known: Rows,
    hash: foldhash::fast::FixedState,
    piece: Rows,
}

impl Names {
    fn new(types: &[DataType]) -> Result<Self, String> {
        let fields = types.iter().map(|kind| SortField::new(kind.clone())).collect();
        let converter = RowConverter::new(fields).map_err(|error| error.to_string())?;
        let (known, piece) = (converter.empty_rows(0, 0), converter.empty_rows(0, 0));
        let hash = foldhash::fast::FixedState::with_seed(1);
        Ok(Self { converter, table: HashTable::new(), known, hash, piece })
    }

    /// Appends the number of each row to `codes`.
    fn number(&mut self, columns: &[ArrayRef], codes: &mut Vec<u32>) -> Result<(), String> {
        use core::hash::BuildHasher;
        self.piece.clear();
        self.converter.append(&mut self.piece, columns).map_err(|error| error.to_string())?;
        let mut last: Option<(arrow_row::Row<'_>, u32)> = None;
        for row in &self.piece {
            // Rows of a group are usually adjacent.
            if let Some((same, code)) = last
                && same == row
            {
                codes.push(code);
                continue;
            }
            let hash = self.hash.hash_one(row.data());
            let known = &mut self.known;
            let found = self.table.find(hash, |&code| known.row(code as usize) == row).copied();
            let code = if let Some(code) = found {
                code
            } else {
                let code = u32::try_from(known.num_rows()).map_err(|_| "there are too many groups")?;
                known.push(row);
                let rehash = |&code: &u32| self.hash.hash_one(known.row(code as usize).data());
                self.table.insert_unique(hash, code, rehash);
                code
            };
            codes.push(code);
            last = Some((row, code));
        }
        Ok(())
    }

    fn count(&self) -> usize {
        self.known.num_rows()
    }

    /// The distinct rows as columns.
    fn columns(&self) -> Result<Vec<ArrayRef>, String> {
        self.converter.convert_rows(&self.known).map_err(|error| error.to_string())
    }
}

/// Groups the rows of a table that arrives in batches.
///
/// # Errors
/// What is wrong: a missing column, values that are not finite numbers, an unknown sample.
pub fn group(
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, String>>,
    roles: Roles<'_>,
) -> Result<Grouped, String> {
    let place = |name: &str| place(schema, name);
    let value = place(roles.value)?;
    let keys = roles.keys.iter().map(|name| place(name)).collect::<Result<Vec<_>, _>>()?;
    let sample = roles.sample.map(place).transpose()?;
    let kind = |&at: &usize| schema.field(at).data_type().clone();
    let mut names = Names::new(&keys.iter().map(kind).collect::<Vec<_>>())?;
    let mut labels = sample.map(|at| Names::new(&[kind(&at)])).transpose()?;
    let (mut codes, mut of_sample, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for batch in batches {
        let batch = batch?;
        for start in (0..batch.num_rows()).step_by(PIECE) {
            let piece = batch.slice(start, PIECE.min(batch.num_rows() - start));
            let columns: Vec<ArrayRef> = keys.iter().map(|&at| piece.column(at).clone()).collect();
            if columns.is_empty() {
                codes.resize(codes.len() + piece.num_rows(), 0);
            } else {
                names.number(&columns, &mut codes)?;
            }
            if let (Some(labels), Some(at)) = (&mut labels, sample) {
                let column = piece.column(at);
                if column.null_count() > 0 {
                    let name = schema.field(at).name();
                    return Err(format!("column {name:?} has a null; every value must belong to a sample"));
                }
                labels.number(core::slice::from_ref(column), &mut of_sample)?;
            }
        }
        kept.push(batch.column(value).clone());
    }
    let groups = if keys.is_empty() { usize::from(!codes.is_empty()) } else { names.count() };
    let (samples, of_label) = match &labels {
        None => (vec![String::new()], vec![]),
        Some(_) if roles.own => in_their_groups(&codes, &mut of_sample),
        Some(labels) => in_order(labels, roles)?,
    };
    let cells = groups.checked_mul(samples.len()).filter(|&cells| cells < MOST_CELLS);
    let cells = cells.ok_or_else(|| format!("{groups} groups of {} samples are too many", samples.len()))?;
    // From here on a code is the number of the cell: ordered by sample, and within each by group.
    for (code, label) in codes.iter_mut().zip(&of_sample) {
        *code += of_label[*label as usize] * groups as u32;
    }
    let keys = if keys.is_empty() { vec![] } else { names.columns()? };
    let (values, offsets) = gather(&kept, &codes, cells, roles.value)?;
    Ok(Grouped { keys, samples, groups, values, offsets })
}

fn place(schema: &SchemaRef, name: &str) -> Result<usize, String> {
    let mut places = (0..schema.fields().len()).filter(|&at| schema.field(at).name() == name);
    match (places.next(), places.next()) {
        (Some(at), None) => Ok(at),
        (Some(_), Some(_)) => Err(format!("several columns are named {name:?}. Rename all but one")),
        (None, _) => {
            let names: Vec<String> =
                schema.fields().iter().map(|field| format!("{:?}", field.name())).collect();
            Err(format!("there is no column {name:?}; the columns are {}", names.join(", ")))
        }
    }
}

/// The samples in the requested order, and the index of each label found among them.
fn in_order(labels: &Names, roles: Roles<'_>) -> Result<(Vec<String>, Vec<u32>), String> {
    let column = labels.columns()?.into_iter().next().ok_or("there are no samples")?;
    let found = written(&column)?;
    if roles.samples.is_empty() {
        let places = (0..found.len() as u32).collect();
        return Ok((found, places));
    }
    let place = |label: &String| {
        let at = roles.samples.iter().position(|known| known == label);
        at.map(|at| at as u32).ok_or_else(|| {
            let known: Vec<String> = roles.samples.iter().map(|label| format!("{label:?}")).collect();
            format!("sample {label:?} is not among {}. Leave its rows out, or name it", known.join(", "))
        })
    };
    let places = found.iter().map(place).collect::<Result<_, _>>()?;
    Ok((roles.samples.to_vec(), places))
}

/// Numbers the samples of each group in the order of their first appearance in it; returns as many names as the
/// largest number of samples in a group.
fn in_their_groups(codes: &[u32], of_sample: &mut [u32]) -> (Vec<String>, Vec<u32>) {
    let mut known: HashMap<(u32, u32), u32, foldhash::fast::FixedState> = HashMap::default();
    let mut counts: HashMap<u32, u32, foldhash::fast::FixedState> = HashMap::default();
    for (&group, label) in codes.iter().zip(of_sample) {
        *label = *known.entry((group, *label)).or_insert_with(|| {
            let count = counts.entry(group).or_default();
            *count += 1;
            *count - 1
        });
    }
    let most = counts.values().copied().max().unwrap_or(0);
    ((1..=most).map(|number| number.to_string()).collect(), (0..most).collect())
}

/// The labels of samples as text.
fn written(column: &ArrayRef) -> Result<Vec<String>, String> {
    let texts = |texts: &mut dyn Iterator<Item = Option<&str>>| {
        texts.map(|text| text.unwrap_or_default().to_owned()).collect()
    };
    match column.data_type() {
        DataType::Utf8 => Ok(texts(&mut column.as_string::<i32>().iter())),
        DataType::LargeUtf8 => Ok(texts(&mut column.as_string::<i64>().iter())),
        DataType::Utf8View => Ok(texts(&mut column.as_string_view().iter())),
        DataType::Boolean => {
            Ok(column.as_boolean().iter().map(|v| v.unwrap_or_default().to_string()).collect())
        }
        other => {
            let mut labels = Vec::new();
            each(column, |number| labels.push(number.unwrap_or_default().to_string()))
                .map_err(|_| format!("a column of samples must hold text or numbers, not {other}"))?;
            Ok(labels)
        }
    }
}

/// The values ordered by cell, those of a cell in the order of the rows, and the beginning of each cell.
fn gather(
    columns: &[ArrayRef],
    codes: &[u32],
    cells: usize,
    name: &str,
) -> Result<(ScalarBuffer<f64>, Vec<usize>), String> {
    let mut offsets = vec![0_usize; cells + 1];
    for &code in codes {
        offsets[code as usize + 1] += 1;
    }
    for cell in 0..cells {
        offsets[cell + 1] += offsets[cell];
    }
    let finite =
        |row: usize, value: f64| if value.is_finite() { Ok(()) } else { Err(not_finite(name, row, value)) };
    if let Some(values) = in_place(columns, codes) {
        values.iter().enumerate().try_for_each(|(row, &value)| finite(row, value))?;
        return Ok((values, offsets));
    }
    let mut next = offsets.clone();
    let mut values = vec![0.0; codes.len()];
    let (mut row, mut sound) = (0, Ok(()));
    for column in columns {
        let taken = each(column, |value| {
            let value = value.unwrap_or(f64::NAN);
            if sound.is_ok() {
                sound = finite(row, value);
            }
            let place = &mut next[codes[row] as usize];
            values[*place] = value;
            *place += 1;
            row += 1;
        });
        taken.map_err(|why| format!("column {name:?} {why}"))?;
    }
    sound?;
    Ok((values.into(), offsets))
}

/// The values without a copy, if those of each cell are adjacent and in the order of the cells.
fn in_place(columns: &[ArrayRef], codes: &[u32]) -> Option<ScalarBuffer<f64>> {
    let [column] = columns else { return None };
    let values = column.as_primitive_opt::<Float64Type>()?;
    (values.null_count() == 0 && codes.is_sorted()).then(|| values.values().clone())
}

fn not_finite(name: &str, row: usize, value: f64) -> String {
    let what = if value.is_nan() { "a null or NaN".to_owned() } else { value.to_string() };
    format!("column {name:?} holds {what} in row {row}; values must be finite: leave such rows out")
}

// Columns of any number type as 64-bit floats.

/// Calls `take` with each value of a column in order, `None` for null. The error describes an unsupported type.
pub fn each(column: &ArrayRef, take: impl FnMut(Option<f64>)) -> Result<(), String> {
    match column.data_type() {
        DataType::Float64 => primitive::<Float64Type>(column, |v| v, take),
        DataType::Float32 => primitive::<Float32Type>(column, f64::from, take),
        DataType::Int64 => primitive::<Int64Type>(column, |v| v as f64, take),
        DataType::Int32 => primitive::<Int32Type>(column, f64::from, take),
        DataType::Int16 => primitive::<Int16Type>(column, f64::from, take),
        DataType::Int8 => primitive::<Int8Type>(column, f64::from, take),
        DataType::UInt64 => primitive::<UInt64Type>(column, |v| v as f64, take),
        DataType::UInt32 => primitive::<UInt32Type>(column, f64::from, take),
        DataType::UInt16 => primitive::<UInt16Type>(column, f64::from, take),
        DataType::UInt8 => primitive::<UInt8Type>(column, f64::from, take),
        other => return Err(format!("holds {other}, not numbers. Cast it to 64-bit floats")),
    }
    Ok(())
}

fn primitive<T: ArrowPrimitiveType>(
    column: &ArrayRef,
    float: impl Fn(T::Native) -> f64,
    mut take: impl FnMut(Option<f64>),
) {
    let column = column.as_primitive::<T>();
    if column.null_count() == 0 {
        column.values().iter().for_each(|&value| take(Some(float(value))));
    } else {
        column.iter().for_each(|value| take(value.map(&float)));
    }
}
