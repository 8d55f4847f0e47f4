//! Plain tables: turns rows of cells into the columns of a sheet.

use crate::formats::prelude::*;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::cells::{Cell, Cells, amount, part, text, value_cell};
use super::columns::Plan;
use super::commas::value_of;
use super::failures;
use super::headers::Header;
use super::keys::PREFIX;
use super::name_words::Holds;
use super::runs::{Seen, say_left_out};
use super::values::{Summary, ValueColumn};
use crate::formats::outcomes::{self, FAILED};
use crate::pool::Pool;
use crate::sheet::{NONE, Statement};
use crate::work;

/// The name of the benchmark of rows without names.
pub(super) const BENCHMARK: &str = "numbers";

/// The first byte of the key of a process, and of a file that counts as one.
pub(super) const PROCESS: u8 = b'p';
const FILE: u8 = b'f';

/// A metric that occurred.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: u32,
    scale: Scale,
    /// Whether its name says that a value summarises samples.
    is_summary: bool,
}

/// What a value belongs to.
#[derive(Debug, Clone, Copy)]
struct Place {
    benchmark: u32,
    context: u32,
    block: u32,
    process: u32,
    line: u32,
}

/// A sheet under construction.
pub(super) struct Intake {
    pub(super) plan: Arc<Plan>,
    pub(super) sheet: Sheet,
    /// Whether another table begins below these rows: what follows is not read.
    pub(super) ended: bool,
    /// The processes of this piece by name; the pieces of a file are numbered together at the end.
    pub(super) processes: Pool,
    /// What the columns that number runs held.
    pub(super) seen: Vec<Seen>,
    /// The configurations of a warm-up among the runs, each with the place of the column that says so.
    pub(super) warm: HashMap<u32, usize, FixedState>,
    contexts: HashMap<Vec<u8>, u32, FixedState>,
    /// The first and last column of configuration, if only such stand between them.
    span: Option<(usize, usize)>,
    /// What such columns held so far, and the number of the configuration of each.
    spans: (Pool, Vec<u32>),
    /// The key and the number of the preceding row's configuration.
    context: Option<(Vec<u8>, u32)>,
    /// The keys of the preceding row that are parameters, as its cell names them.
    work: Vec<u8>,
    /// The number of the key of each configuration column.
    keys: Vec<u32>,
    metrics: HashMap<Vec<u8>, Known, FixedState>,
    /// The metric of the preceding row for each value column: the next row usually has the same.
    latest: Vec<Option<(Vec<u8>, Known)>>,
    key: Vec<u8>,
}

impl Intake {
    pub(super) fn new(source: &str, plan: &Arc<Plan>) -> Self {
        Self {
            plan: Arc::clone(plan),
            sheet: Sheet::new(source),
            ended: false,
            processes: Pool::default(),
            seen: vec![Seen::default(); plan.runs.len()],
            warm: HashMap::default(),
            contexts: HashMap::default(),
            span: plan.span(),
            spans: (Pool::default(), Vec::new()),
            context: None,
            work: Vec::new(),
            metrics: HashMap::default(),
            latest: vec![None; plan.values.len()],
            keys: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Adds one row.
    pub(super) fn row<C: Cells>(&mut self, cells: &C, line: u32) {
        let plan = Arc::clone(&self.plan);
        self.row_by(&plan, cells, line);
    }

    /// Adds one row by the plan of this sheet, which a caller with many rows holds.
    pub(super) fn row_by<C: Cells>(&mut self, plan: &Plan, cells: &C, line: u32) {
        let name = match plan.benchmark {
            Some(column) => text(cells.cell(column)),
            None => Some(Cow::Borrowed(BENCHMARK.as_bytes())),
        };
        if name.is_none() && !C::BLANK_IS_TEXT {
            let hint = "every row needs a benchmark. Choose its column with `benchmark=COLUMN`";
            return self.sheet.malformed(line, "a row without a benchmark", hint);
        }
        let name = name.unwrap_or_default();
        // A leading byte order mark belongs to the file, not to the name; if it were kept, it would come and go
        // with the place where a table is cut into pieces.
        let name = name.strip_prefix(crate::encoding::MARK).unwrap_or(&name);
        if plan.is_summary_row(name) {
            return self.sheet.dropped(1);
        }
        let benchmark = self.sheet.benchmarks.intern_bytes(name);
        let shared = self.context(cells, None);
        if let Some(run) = self.warm.get(&shared).and_then(|&nth| plan.runs.get(nth)) {
            let cell = part(cells, Some(run.column)).unwrap_or_default();
            return say_left_out(&mut self.sheet, &run.name, &lossless(&cell), line);
        }
        self.note_work(cells);
        let block = part(cells, plan.block).map_or(NONE, |block| self.sheet.blocks.intern_bytes(&block));
        let process = self.process(cells);
        let place = Place { benchmark, context: shared, block, process, line };
        if let Some(failed) = failures::failed(&plan.outcomes, cells) {
            let metric = self.sheet.metric(FAILED.metric, outcomes::metric);
            self.sheet.summarise(None);
            self.add(plan, metric, f64::from(u8::from(failed)), place);
        }
        for slot in 0..plan.values.len() {
            let (mut is_spread, mut is_base) = (false, false);
            let value = match value_cell(cells, plan.values[slot].column) {
                Cell::Missing if plan.tidy && slot == 0 => {
                    let what = format!("no value of {}", excerpt(name));
                    let hint = "write the number that was measured, or leave the row out";
                    self.sheet.problem(Code::MalformedNumber, line, what, hint);
                    continue;
                }
                Cell::Missing => continue,
                Cell::Integer(whole) => self.sheet.whole(whole, line),
                Cell::Float(float) => float,
                Cell::Text(text) => {
                    let column = &plan.values[slot];
                    let mark = cells.mark(column.column);
                    let Some(said) = value_of(&mut self.sheet, mark, column, text, line) else {
                        continue;
                    };
                    (is_spread, is_base) = (said.is_summary, said.is_base);
                    said.value
                }
            };
            let Some(Known { id: metric, scale, is_summary }) = self.metric(plan, slot, cells, line) else {
                continue;
            };
            let value = if is_base { value } else { scale.apply(value) };
            let unknown = (is_summary || is_spread).then(Summary::default);
            let summary = plan.values[slot].summary.or(unknown).and_then(|Summary { count, deviation }| {
                let known = |column: Option<usize>| column.and_then(|column| amount(cells, column));
                let spread = known(deviation).map(|deviation| scale.apply(deviation));
                Some(Aggregate { count: known(count), deviation: spread })
                    .filter(|summary| *summary != Aggregate::ONE)
            });
            let fine =
                value.is_finite() && (value >= 0.0 || self.sheet.metrics[metric as usize].may_be_negative());
            if !fine && !self.sheet.can_be(metric, value, line, &lossless(name)) {
                continue;
            }
            self.sheet.summarise(summary);
            let variant = plan.values[slot].variant.as_deref();
            let context = variant.map_or(shared, |variant| self.context(cells, Some(variant)));
            self.add(plan, metric, value, Place { context, ..place });
        }
    }

    /// Adds a value to the columns.
    fn add(&mut self, plan: &Plan, metric: u32, value: f64, place: Place) {
        self.sheet.push_ids(place.benchmark, metric, value, place.line);
        if let Some(last) = self.sheet.context.last_mut() {
            *last = place.context;
        }
        if plan.block.is_some() {
            self.sheet.block.push(place.block);
        }
        if plan.process.is_some() || plan.file.is_some() {
            self.sheet.process.push(place.process);
        }
    }

    /// Returns the number of the row's configuration, in which the header may name the variant.
    fn context(&mut self, cells: &impl Cells, named: Option<&str>) -> u32 {
        if let Some(bytes) = self.span.and_then(|(first, last)| cells.span(first, last)) {
            let number = self.spans.0.intern_bytes(bytes) as usize;
            if number == self.spans.1.len() {
                let id = self.new_context(cells, named);
                self.spans.1.push(id);
            }
            return self.spans.1[number];
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        if let Some(variant) = named {
            key.extend_from_slice(&u32::MAX.to_le_bytes());
            key.extend_from_slice(&(variant.len() as u32).to_le_bytes());
            key.extend_from_slice(variant.as_bytes());
        }
        let columns = self.plan.variant.iter().copied().chain(self.plan.context.iter().map(|&(at, _)| at));
        for column in columns {
            // Only cells with content: of thousands of columns a row may fill only a few.
            if let Some(text) = text(cells.cell(column)) {
                // A length before each text distinguishes `a`,`bc` from `ab`,`c`.
                key.extend_from_slice(&(column as u32).to_le_bytes());
                key.extend_from_slice(&(text.len() as u32).to_le_bytes());
                key.extend_from_slice(&text);
            }
        }
        let id = self.context_of(&key, cells, named);
        self.key = key;
        id
    }

    /// The number of the configuration whose cells have this key.
    fn context_of(&mut self, key: &[u8], cells: &impl Cells, named: Option<&str>) -> u32 {
        if let Some((known, id)) = &self.context
            && known == key
        {
            return *id;
        }
        let id = self.contexts.get(key).copied().unwrap_or_else(|| {
            let id = self.new_context(cells, named);
            self.contexts.insert(key.to_owned(), id);
            id
        });
        let mut latest = self.context.take().map_or_else(Vec::new, |(latest, _)| latest);
        latest.clear();
        latest.extend_from_slice(key);
        self.context = Some((latest, id));
        id
    }

    /// Takes the names of the row's keys whose values are different work.
    fn note_work(&mut self, cells: &impl Cells) {
        let Some(keys) = part(cells, self.plan.work).filter(|keys| **keys != *self.work) else { return };
        self.sheet.parameters.extend(work::split(&lossless(&keys)));
        self.work = keys.into_owned();
    }

    fn new_context(&mut self, cells: &impl Cells, named: Option<&str>) -> u32 {
        let plan = Arc::clone(&self.plan);
        let contexts = &mut self.sheet.contexts;
        for (_, key) in &plan.context[self.keys.len()..] {
            self.keys.push(contexts.text(key));
        }
        let mut pairs = Vec::new();
        let stated = part(cells, plan.variant).or(named.map(|name| Cow::Borrowed(name.as_bytes())));
        if let Some(variant) = stated {
            pairs.push((contexts.text("variant"), contexts.text(&lossless(&variant))));
        }
        let variant = pairs.first().map(|&(key, _)| key);
        for (&(column, _), &key) in plan.context.iter().zip(&self.keys) {
            if let Some(value) = text(cells.cell(column)) {
                // If the table also has a variant, a configuration key of this name keeps its prefix.
                let prefixed = Some(key) == variant;
                let key = if prefixed { contexts.text(&format!("{PREFIX}variant")) } else { key };
                pairs.push((key, contexts.text(&lossless(&value))));
            }
        }
        let id = contexts.intern_pairs(&pairs);
        self.note_runs(&plan, id, cells);
        id
    }

    /// Takes note of what a configuration says of runs.
    pub(super) fn note_runs(&mut self, plan: &Plan, context: u32, cells: &impl Cells) {
        for (nth, run) in plan.runs.iter().enumerate() {
            let Some(cell) = part(cells, Some(run.column)) else { continue };
            let is_left_out = run.leaves_out(&lossless(&cell));
            if let Some(seen) = self.seen.get_mut(nth) {
                seen.add(&lossless(&cell), is_left_out);
            }
            if is_left_out {
                self.warm.insert(context, nth);
            }
        }
    }

    /// A process is numbered within its file and its build, so these belong to its name. If a row names no
    /// process but a file, the file counts as the process, as it did before export.
    fn process(&mut self, cells: &impl Cells) -> u32 {
        let process = part(cells, self.plan.process);
        if process.is_none() && self.plan.file.is_none() {
            return NONE;
        }
        self.key.clear();
        self.key.push(if process.is_some() { PROCESS } else { FILE });
        for column in [self.plan.variant, self.plan.file] {
            let text = part(cells, column).unwrap_or_default();
            self.key.extend_from_slice(&text);
            self.key.push(0);
        }
        self.key.extend_from_slice(&process.unwrap_or_default());
        self.processes.intern_bytes(&self.key)
    }

    /// The number of a value's metric and the scale of its unit; none if the row and the header state different units.
    fn metric(&mut self, plan: &Plan, slot: usize, cells: &impl Cells, line: u32) -> Option<Known> {
        let column = &plan.values[slot];
        let constant = !column.described || plan.says_nothing_of_metrics();
        if let Some((_, known)) = self.latest[slot].as_ref().filter(|_| constant) {
            return Some(*known);
        }
        let stated = |role: Option<usize>| part(cells, role.filter(|_| column.described));
        let name = stated(plan.metric).filter(|name| !name.is_empty());
        let unit = stated(plan.unit);
        let better = stated(plan.better).unwrap_or_default();
        let traits = stated(plan.traits).unwrap_or_default();
        // The header is the same for every row, so the column's number stands for it.
        self.key.clear();
        self.key.extend_from_slice(&(slot as u32).to_le_bytes());
        for text in [name.as_deref(), unit.as_deref(), Some(&better), Some(&traits)] {
            self.key.extend_from_slice(&text.map_or(u32::MAX, |text| text.len() as u32).to_le_bytes());
            self.key.extend_from_slice(text.unwrap_or_default());
        }
        if let Some((key, known)) = &self.latest[slot]
            && *key == self.key
        {
            return Some(*known);
        }
        let found = if let Some(&found) = self.metrics.get(&self.key) {
            found
        } else {
            let unit = unit.map(|unit| written_alike(&lossless(&unit)));
            if let Some(unit) = unit.as_deref().filter(|unit| plan.is_contradicted(column, unit)) {
                let what = format!("the unit `{}` in a column of `{}`", excerpt(unit), excerpt(&column.unit));
                self.sheet.problem(Code::Contradiction, line, what, ONE_UNIT);
                return None;
            }
            let unit = unit.filter(|unit| column.takes(unit));
            // A name says what a header says, if nothing else states the unit.
            let said = name.as_ref().filter(|_| !plan.exported).map(|name| Header::of(&lossless(name)));
            let of_samples =
                |said: &Header| matches!(said.holds, Holds::Mean | Holds::Summary) && !said.is_peak();
            let is_summary = said.as_ref().is_some_and(of_samples);
            let said = said.filter(|said| unit.is_none() && column.unit.is_empty() && said.has_unit());
            let (name, unit) = if let Some(said) = said {
                (Cow::Owned(said.name.into_bytes()), written_alike(&said.unit))
            } else {
                let name = name.unwrap_or(Cow::Borrowed(column.metric.as_bytes()));
                (name, unit.unwrap_or_else(|| written_alike(&column.unit)))
            };
            let name = match &column.statistic {
                Some(statistic) => Cow::Owned(format!("{} {statistic}", lossless(&name)).into_bytes()),
                None => name,
            };
            let (id, scale) = self.new_metric(column, &lossless(&name), &unit, (&better, &traits), line);
            let found = Known { id, scale, is_summary };
            self.metrics.insert(self.key.clone(), found);
            found
        };
        let mut key = self.latest[slot].take().map_or_else(Vec::new, |latest| latest.0);
        key.clone_from(&self.key);
        self.latest[slot] = Some((key, found));
        Some(found)
    }

    fn new_metric(
        &mut self,
        column: &ValueColumn,
        name: &str,
        unit: &str,
        (better, traits): (&[u8], &[u8]),
        line: u32,
    ) -> (u32, Scale) {
        let meaning = meaning(unit);
        let stated = match better.trim_ascii() {
            b"" => None,
            word => self.plan.direction(&word.to_ascii_lowercase()).or_else(|| {
                let what = format!("`{}` says nothing about which way is better", excerpt(word));
                self.sheet.malformed(line, what, "write lower or higher");
                None
            }),
        };
        // Two metrics of the same name but different dimensions remain two.
        let id = self.sheet.metric(&format!("{name}\0{}", meaning.base), || {
            let mut metric = Metric::new(name, &meaning.base, meaning.quantity);
            metric.primary = !column.secondary;
            if self.plan.exported {
                metric.better = stated.or(metric.better);
            } else {
                let said = Header::of(name);
                let told = if name == column.metric { column.better } else { said.better() };
                let of_unit = metric.better.filter(|_| !said.is_contrary(meaning.quantity));
                metric.better = of_unit.or(told);
                if said.counts_failures() && self.plan.has_speed() {
                    metric.better = metric.better.or(Some(Better::Lower));
                    metric = metric.of_validity();
                }
            }
            metric.with_traits(traits)
        });
        // A statement holds for all metrics of the name; a table that statera wrote states each of them.
        if stated.is_some() && !self.plan.exported {
            self.sheet.statements.push(Statement {
                metric: name.to_owned(),
                better: stated,
                exact: None,
                line,
            });
        }
        (id, meaning.scale)
    }
}

const ONE_UNIT: &str = "write all values in the unit of the header, or the unit only into its column; a column that is no \
     unit is named with --column setting=COLUMN";

/// A unit without the blanks beside its stroke: `ns / op`.
fn written_alike(unit: &str) -> String {
    unit.trim().replace(" / ", "/")
}
