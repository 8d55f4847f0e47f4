//! Several uploads → one file with the same jobs, without the values that are retired.

use std::io;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array as _, RecordBatch};

use crate::catalog::{Catalog, Texts, summaries};
use crate::file::{Most, Writing, open};
use crate::found::Found;
use crate::table::{self, BLOCK, DEVIATION, JOB, PROCESS, Row, Rows, Samples, VALUE, WEIGHT};

/// The most rows that stand in memory at a time.
const ROWS: usize = 65_536;

/// A file to merge.
#[derive(Debug)]
pub struct Part {
    /// Its path.
    pub path: PathBuf,
    /// The number of its first job in the catalog; the others follow.
    pub first: usize,
    /// For each of its jobs the number that it gets; None where it is left out.
    pub jobs: Vec<Option<u32>>,
}

/// Which values are left out, by the numbers of jobs and series in a catalog.
#[derive(Debug)]
pub struct Retiring<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// What is left out.
    pub retention: &'a Retention,
}

/// Writes the jobs of several uploads into one file, and returns the number of rows. `jobs` is the JSON list of all jobs.
///
/// # Errors
/// Which file cannot be read, and why; or any error of the operating system.
pub fn merge(
    parts: &[Part],
    jobs: &str,
    target: &Path,
    most: Most,
    retiring: &Retiring<'_>,
) -> io::Result<usize> {
    let mut series = retiring.catalog.numbers();
    let mut file = Writing::open(target, jobs)?;
    let schema = table::schema();
    let columns: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let (mut rows, mut written) = (Rows::default(), 0);
    for part in parts {
        let refused = |why: String| io::Error::other(format!("{}: {why}", part.path.display()));
        let mut fault = None;
        let read = open(&part.path, &columns, most).and_then(|reading| {
            reading.each(|batch| {
                copy(batch, part, &mut rows, |job, texts| {
                    retiring.retention.retires(part.first + job, retiring.catalog.held_by(series.of(texts)))
                })?;
                if rows.len() >= ROWS {
                    written += rows.len();
                    let batch = rows.batch().map_err(|error| error.to_string())?;
                    fault = file.write(&batch).err();
                }
                if fault.is_some() { Err(String::new()) } else { Ok(()) }
            })
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        read.map_err(refused)?;
    }
    written += rows.len();
    file.write(&rows.batch().map_err(io::Error::other)?)?;
    file.close()?;
    Ok(written)
}

/// Copies the rows of a batch; `retires` says of a job of the file and the texts of a series whether its values stay behind.
fn copy(
    batch: &RecordBatch,
    part: &Part,
    rows: &mut Rows,
    mut retires: impl FnMut(usize, [Option<&str>; 7]) -> bool,
) -> Result<(), String> {
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| format!("it has no column {name}"));
    let job = column(JOB)?.as_primitive::<UInt32Type>();
    let texts = Texts::of(batch)?;
    let summary = summaries(batch)?;
    let (value, weight, deviation) = (
        column(VALUE)?.as_list::<i32>(),
        column(WEIGHT)?.as_list::<i32>(),
        column(DEVIATION)?.as_list::<i32>(),
    );
    let (process, block) = (column(PROCESS)?.as_list::<i32>(), column(BLOCK)?.as_list::<i32>());
    for row in 0..batch.num_rows() {
        let from = job.value(row) as usize;
        let Some(&to) = part.jobs.get(from) else {
            return Err(format!("row {row} belongs to a job that it does not name"));
        };
        let Some(number) = to else { continue };
        let keep = !retires(from, texts.row(row));
        let floats = |list: &arrow_array::ListArray| -> Vec<Option<f64>> {
            if list.is_valid(row) {
                list.value(row).as_primitive::<Float64Type>().iter().collect()
            } else {
                Vec::new()
            }
        };
        let blocks = if block.is_valid(row) { Some(block.value(row)) } else { None };
        let samples = keep.then(|| Samples {
            value: floats(value).into_iter().flatten().collect(),
            weight: floats(weight),
            deviation: floats(deviation),
            process: if process.is_valid(row) {
                process.value(row).as_primitive::<UInt32Type>().iter().collect()
            } else {
                Vec::new()
            },
            block: blocks.as_ref().map(|block| block.as_string::<i32>().iter().collect()).unwrap_or_default(),
        });
        rows.push(Row { job: number, texts: texts.row(row), summary: summary(row), samples });
    }
    Ok(())
}

// Which values are retired, so that only their summary is kept.

const BITS: usize = 64;

/// For each job the series whose values are retired.
#[derive(Debug, Default)]
pub struct Retention {
    /// A bit for each series; empty where no value of the job is retired.
    retired: Vec<Vec<u64>>,
}

impl Retention {
    /// Retires what no line needs any longer: values that are neither among the last `samples` of their series nor within
    /// `around` of the commits at which one of its changes may begin. What stands on no line is not retired.
    #[must_use]
    pub fn new(catalog: &Catalog, found: &[&Found], samples: usize, around: usize) -> Self {
        let words = catalog.series.len().div_ceil(BITS);
        let mut retired = vec![Vec::new(); catalog.count as usize];
        for of_series in found {
            let old = of_series.jobs.len().saturating_sub(samples);
            let mut kept = vec![false; old];
            for point in &of_series.changes.points {
                let end = point.last.saturating_add(around).min(old);
                let begin = point.first.saturating_sub(around).min(end);
                kept[begin..end].fill(true);
            }
            for (&job, _) in of_series.jobs.iter().zip(kept).filter(|(_, kept)| !kept) {
                let Some(bits) = retired.get_mut(job as usize) else { continue };
                bits.resize(words, 0);
                bits[of_series.series / BITS] |= 1 << (of_series.series % BITS);
            }
        }
        Self { retired }
    }

    /// Whether the values of a series are retired in a job of the catalog.
    #[must_use]
    pub fn retires(&self, job: usize, series: usize) -> bool {
        let bits = self.retired.get(job).and_then(|bits| bits.get(series / BITS));
        bits.is_some_and(|bits| bits >> (series % BITS) & 1 == 1)
    }
}
