//! Formats that are lists of records: what such a format declares, and the loop that reads all of them. Records of JSON,
//! elements of XML and rows of CSV are the same here.

use super::deno;
use super::json::Entry;
use super::labelled::named;
use super::prelude::*;
use super::xml;

/// What a format of records declares.
pub(super) struct Records {
    /// The places of the records in a document: keys with a dot between them, `[]` for the elements of a list, `*` for the
    /// entries of an object, `[]+` for elements that hold such a list again. Empty if the document is the only record.
    pub(super) at: &'static [&'static str],
    /// The benchmark of a record.
    pub(super) name: fn(&Place<'_>) -> Option<String>,
    /// Whether equal names in one document are samples of the same work; otherwise each is work of its own.
    pub(super) repeats: fn(&Place<'_>) -> bool,
    /// Whether a record has results.
    pub(super) outcome: fn(&Place<'_>) -> Outcome,
    /// The configuration; of several places of a key the first one that a document has.
    pub(super) keys: &'static [At],
    /// The place of the file of a benchmark, which becomes the key `origin`: its path in the folder that all files share.
    pub(super) file: &'static str,
    /// Adds what of the configuration no place names, such as parameters.
    pub(super) more: fn(&mut Sheet, &Place<'_>, &mut Context),
    /// The values.
    pub(super) fields: &'static [Field],

    /// Whether one process measured all values of a document.
    pub(super) one_process: bool,
    /// Whether the metrics are those of load generators, of which the file decides which ones are compared.
    pub(super) of_load: bool,
}

impl Records {
    /// A declaration to which a format adds what it has.
    pub(super) const PLAIN: Self = Self {
        at: &[""],
        name: |place| Some(place.text("name")?.to_owned()),
        repeats: |_| false,
        outcome: |_| Outcome::Passed,
        keys: &[],
        file: "",
        more: |_, _, _| (),
        fields: &[],

        one_process: true,
        of_load: false,
    };
}

/// Whether a record has results.
pub(super) enum Outcome {
    /// It has.
    Passed,
    /// It was not executed, which is no fault.
    Skipped,
    /// It failed, so that its numbers are not those of the work: how.
    Failed(String),
}

impl Outcome {
    /// The outcome that a word means: one of `passed`, one of `skipped`, or else a failure.
    pub(super) fn of_word(word: Option<&str>, passed: &[&str], skipped: &[&str]) -> Self {
        match word {
            Some(word) if passed.contains(&word) => Self::Passed,
            Some(word) if skipped.contains(&word) => Self::Skipped,
            Some(word) => Self::Failed(format!("its outcome is `{}`", excerpt(word))),
            None => Self::Failed("it states no outcome".to_owned()),
        }
    }
}

/// A key of the configuration, at its place ([`Place::find`]).
pub(super) struct At(pub(super) &'static str, pub(super) &'static str, pub(super) As);

/// How the value of a key is written.
#[derive(Clone, Copy)]
pub(super) enum As {
    /// As it stands.
    Text,
    /// As a date, from the seconds since 1970.
    Seconds,
    /// As a date, from the milliseconds since 1970.
    Milliseconds,
}

/// A value of a record.
pub(super) struct Field {
    metric: &'static str,
    /// Its place ([`Place::find`]). A list there holds samples.
    at: &'static str,
    unit: &'static str,
    /// The better direction, if the unit does not have it.
    better: Option<Better>,
    primary: bool,
    /// The places of the deviation and of the number of samples, if the value is a summary; empty for none.
    summary: Option<(&'static str, &'static str)>,
    zero_is_none: bool,
    /// Which entries of an object the value is the sum of, if it is one, by their keys.
    sum: Option<fn(&str) -> bool>,
    parse: fn(&str) -> Option<f64>,
}

impl Field {
    /// A sample in this unit. Quantity and direction follow from the unit.
    pub(super) const fn of(metric: &'static str, at: &'static str, unit: &'static str) -> Self {
        let parse = |text: &str| number(text.trim());
        Self {
            metric,
            at,
            unit,
            better: None,
            primary: true,
            summary: None,
            zero_is_none: false,
            sum: None,
            parse,
        }
    }

    /// The same as a summary of samples that the file does not have; a mean if it has a deviation.
    pub(super) const fn summary(self, deviation: &'static str, count: &'static str) -> Self {
        Self { summary: Some((deviation, count)), ..self }
    }

    /// The same, compared only on request.
    pub(super) const fn secondary(self) -> Self {
        Self { primary: false, ..self }
    }

    /// The same with a direction that the unit does not have.
    pub(super) const fn better(self, better: Better) -> Self {
        Self { better: Some(better), ..self }
    }

    /// The same where 0 stands for less than the digits show.
    pub(super) const fn zero_is_none(self) -> Self {
        Self { zero_is_none: true, ..self }
    }

    /// The same as the sum of these entries of an object. Only a [`Summary`] adds up.
    pub(super) const fn sum(self, is_part: fn(&str) -> bool) -> Self {
        Self { sum: Some(is_part), ..self }
    }

    /// The same where numbers are texts of this form.
    pub(super) const fn parse(self, parse: fn(&str) -> Option<f64>) -> Self {
        Self { parse, ..self }
    }
}

/// What gives the benchmark of a record.
pub(super) type NameOf<'a> = dyn Fn(&Place<'_>) -> Option<String> + 'a;

/// Where a record stands: the document, the elements and entries on the way to it, and itself.
pub(super) struct Place<'v> {
    levels: Vec<(Step<'v>, &'v Value<'v>)>,
}

/// How a level is found in the one above it.
#[derive(Clone, Copy)]
enum Step<'v> {
    Key(&'v str),
    Nth(usize),
}

impl<'v> Place<'v> {
    /// The record.
    pub(super) fn record(&self) -> &'v Value<'v> {
        self.levels.last().map_or(&Value::Null, |&(_, value)| value)
    }

    /// The levels above the record, outermost first.
    pub(super) fn above(&self) -> impl DoubleEndedIterator<Item = &'v Value<'v>> {
        self.levels[..self.levels.len().saturating_sub(1)].iter().map(|&(_, value)| value)
    }

    /// The key under which the record, or with 1 the level above it, stands in an object.
    pub(super) fn key(&self, up: usize) -> Option<&'v str> {
        match self.levels.iter().rev().nth(up)?.0 {
            Step::Key(key) => Some(key),
            Step::Nth(_) => None,
        }
    }

    /// The number of the record, from 0, in its list.
    pub(super) fn nth(&self) -> Option<usize> {
        match self.levels.last()?.0 {
            Step::Nth(nth) => Some(nth),
            Step::Key(_) => None,
        }
    }

    /// The value at a place: keys with a dot between them, from the record; after `/` from the document, after `^` from the
    /// nearest level above the record that has it. Empty for the record itself. In a list a number counts the elements from
    /// 0, `#x` is the element whose `tag` is `x`, and any other key that of the first element.
    pub(super) fn find(&self, at: &str) -> Option<&'v Value<'v>> {
        if let Some(at) = at.strip_prefix('^') {
            return self.above().rev().find_map(|level| below(level, at));
        }
        match at.strip_prefix('/') {
            Some(at) => below(self.levels.first()?.1, at),
            None => below(self.record(), at),
        }
    }

    /// The text at a place.
    pub(super) fn text(&self, at: &str) -> Option<&'v str> {
        self.find(at)?.text()
    }

    /// The line of the record.
    fn line(&self) -> u32 {
        let objects = self.levels.iter().rev().filter_map(|(_, value)| value.object());
        objects.map(|object| object.line).next().unwrap_or(1)
    }

    /// The line of the value at a place.
    fn line_of(&self, at: &str) -> u32 {
        let object = self.record().object().filter(|_| !at.contains(['/', '.']));
        object.map_or_else(|| self.line(), |object| object.line_of(at))
    }

    /// Goes to all records at a place below a value.
    fn walk(&mut self, value: &'v Value<'v>, path: &str, take: &mut dyn FnMut(&Self)) {
        if path.is_empty() {
            return take(self);
        }
        if let Some(rest) = path.strip_prefix("[]") {
            let rest = rest.trim_start_matches('.');
            for (nth, element) in value.list().unwrap_or_default().iter().enumerate() {
                self.within(Step::Nth(nth), element, |place| {
                    place.walk(element, rest, take);
                });
            }
            return;
        }
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (key, rest) = (&path[..end], &path[end..]);
        if key == "*" {
            let entries = value.object().into_iter().flat_map(Object::unordered);
            for (key, entry) in entries {
                let rest = rest.trim_start_matches('.');
                self.within(Step::Key(key), entry, |place| place.walk(entry, rest, take));
            }
        } else if let Some(inner) = value.get(key) {
            match rest.strip_prefix("[]+") {
                Some(below) => self.nested(inner, key, below.trim_start_matches('.'), take),
                None => self.walk(inner, rest.trim_start_matches('.'), take),
            }
        }
    }

    /// The same for a list whose elements can hold such a list again under the same key.
    fn nested(&mut self, list: &'v Value<'v>, key: &str, below: &str, take: &mut dyn FnMut(&Self)) {
        for (nth, element) in list.list().unwrap_or_default().iter().enumerate() {
            self.within(Step::Nth(nth), element, |place| {
                place.walk(element, below, take);
                if let Some(inner) = element.get(key) {
                    place.nested(inner, key, below, take);
                }
            });
        }
    }

    fn within(&mut self, step: Step<'v>, value: &'v Value<'v>, visit: impl FnOnce(&mut Self)) {
        self.levels.push((step, value));
        visit(self);
        self.levels.pop();
    }
}

/// The value at a place below another one.
fn below<'v>(value: &'v Value<'v>, at: &str) -> Option<&'v Value<'v>> {
    let mut keys = at.split('.').filter(|key| !key.is_empty());
    keys.try_fold(value, |value, key| match value {
        Value::List(list) => match key.parse() {
            Ok(nth) => list.get::<usize>(nth),
            Err(_) => match key.strip_prefix('#') {
                Some(tag) => list.iter().find(|one| one.text_of("tag") == Some(tag)),
                None => list.first()?.get(key),
            },
        },
        value => value.get(key),
    })
}

/// Reads the records of JSON documents, one after another, each of which is a run.
pub(super) fn read_json(sheet: &mut Sheet, content: &Content, kinds: &[Records]) -> io::Result<()> {
    let bytes = content.all()?;
    for span in Span::all(&bytes, content, sheet)? {
        let document = span.value(sheet)?;
        sheet.next_run();
        for records in kinds {
            records.document(sheet, &document, &records.name);
        }
    }
    for records in kinds {
        records.end(sheet);
    }
    Ok(())
}

/// Reads the records of XML documents, one after another, each of which is a run.
pub(super) fn read_xml(sheet: &mut Sheet, content: &Content, records: &Records) -> io::Result<()> {
    for document in xml::documents(&content.all()?, sheet) {
        sheet.next_run();
        records.document(sheet, &document, &records.name);
    }
    records.end(sheet);
    Ok(())
}

/// Reads the rows of a CSV file as records.
pub(super) fn read_csv(sheet: &mut Sheet, content: &Content, records: &Records) -> io::Result<()> {
    let mut names = Numbered::default();
    csv_rows::each(&content.all()?, 1, sheet, |sheet, row| {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        for (column, cell) in row.cells() {
            if entries.iter().all(|known| known.key != column) {
                let (key, value) = (column.to_owned().into(), Value::Text(lossless(cell)));
                entries.push(Entry { key, line: row.line, value });
            }
        }
        let record = Value::Object(Box::new(Object::new(row.line, entries, |_| ())));
        let place = Place { levels: vec![(Step::Nth(0), &record)] };
        records.record(sheet, &place, (records.name)(&place), 0, &mut names);
    })?;
    records.end(sheet);
    Ok(())
}

impl Records {
    /// Reads the records of a document. `name` gives the benchmark of a record.
    pub(super) fn document(&self, sheet: &mut Sheet, document: &Value<'_>, name: &NameOf<'_>) {
        let mut names = Numbered::default();
        let folder = self.folder(document);
        self.each(document, &mut |place| {
            self.record(sheet, place, name(place), folder, &mut names);
        });
    }

    fn each<'v>(&self, document: &'v Value<'v>, take: &mut dyn FnMut(&Place<'v>)) {
        for at in self.at {
            let mut place = Place { levels: vec![(Step::Nth(0), document)] };
            place.walk(document, at, take);
        }
    }

    /// The length of the folder that the files of all records share.
    fn folder(&self, document: &Value<'_>) -> usize {
        let mut files: Vec<&str> = Vec::new();
        if !self.file.is_empty() {
            self.each(document, &mut |place| {
                files.extend(place.text(self.file).filter(|&file| files.last() != Some(&file)));
            });
        }
        deno::shared_folder(&files)
    }

    /// Ends the reading of a file.
    fn end(&self, sheet: &mut Sheet) {
        if self.of_load {
            load_metrics::choose(sheet);
        }
    }

    fn record(
        &self,
        sheet: &mut Sheet,
        place: &Place<'_>,
        name: Option<String>,
        folder: usize,
        names: &mut Numbered,
    ) {
        let line = place.line();
        let Some(name) = sheet.need(name.filter(|name| !name.trim().is_empty()), line, "name") else {
            return;
        };
        match (self.outcome)(place) {
            Outcome::Passed => {}
            Outcome::Skipped => return sheet.dropped(1),
            Outcome::Failed(why) => {
                return sheet.failed(line, name, why);
            }
        }
        let mut context = Context::new();
        for stated in self.keys.iter().filter_map(|key| key.stated(place)) {
            if context.iter().all(|(known, _)| *known != stated.0) {
                context.push(stated);
            }
        }
        let file = place.text(self.file).filter(|_| !self.file.is_empty());
        let origin = file.map(|file| file.get(folder..).unwrap_or(file));
        context.extend(origin.map(|origin| ("origin".to_owned(), origin.to_owned())));
        (self.more)(sheet, place, &mut context);
        sheet.set_context(&context);
        let name = if (self.repeats)(place) { name } else { names.name_in(origin.unwrap_or_default(), name) };
        let found = self.fields.iter().filter(|field| self.push(sheet, place, &name, field)).count();
        if found == 0 {
            let wanted: Vec<String> =
                self.fields.iter().map(|field| format!("`{}`", field.at.trim_start_matches('@'))).collect();
            sheet.lacks(line, name, &crate::text::listed(&wanted));
        }
    }

    /// Adds the values of a field; whether the record has it.
    fn push(&self, sheet: &mut Sheet, place: &Place<'_>, benchmark: &str, field: &Field) -> bool {
        let Some(value) = place.find(field.at).filter(|value| **value != Value::Null) else { return false };
        let line = place.line_of(field.at);
        let units::Meaning { base, quantity, scale } = meaning(field.unit);
        let metric = if self.of_load {
            sheet.metric(field.metric, || load_metrics::described(field.metric))
        } else {
            let metric = Metric::new(field.metric, &base, quantity).never_exact();
            let better = field.better.or(metric.better);
            sheet.metric_of(Metric { better, primary: field.primary, ..metric })
        };
        let mut number = |at: &str| {
            let value = place.find(at).filter(|_| !at.is_empty())?;
            number_of(sheet, value, line)
        };
        let aggregate = field.summary.map(|(deviation, count)| Aggregate {
            count: number(count),
            deviation: number(deviation).map(|deviation| scale.apply(deviation)),
        });
        let process = self.one_process.then_some(0);
        let row = Measurement { benchmark, metric, line, process, aggregate, ..ROW };
        for value in value.list().unwrap_or(std::slice::from_ref(value)) {
            let parsed = match value {
                Value::Text(text) => (field.parse)(text),
                other => number_of(sheet, other, line),
            };
            match parsed {
                Some(0.0) if field.zero_is_none => sheet.dropped(1),
                Some(number) => sheet.push(Measurement { value: scale.apply(number), ..row }),
                None => json::not_a_number(sheet, row, value),
            }
        }
        true
    }
}

impl At {
    fn stated(&self, place: &Place<'_>) -> Option<(String, String)> {
        let Self(key, at, written) = self;
        let value = place.find(at).filter(|value| value.is_simple()).map(plain)?;
        let value = match written {
            As::Text => value.trim().to_owned(),
            As::Seconds => timestamps::of_unix(&value, 1.0),
            As::Milliseconds => timestamps::of_unix(&value, 1e3),
        };
        (!value.is_empty()).then(|| ((*key).to_owned(), value))
    }
}

/// Where the summary of a run of a load generator stands in a document.
pub(super) struct Summary {
    /// The figures. A `*` in a key of a place is any text, which takes the place of `*` in the name of the metric. `[x]` is
    /// each element of a list, whose `x` does the same.
    pub(super) fields: &'static [Field],
    /// The level of a percentile from the text at `*`; `None` if it is none.
    pub(super) level: fn(&str) -> Option<String>,
    /// Whether null counts as what the harness has no value for; otherwise it is as if it were not there.
    pub(super) null_is_none: bool,
}

/// What stands at a place.
struct Found<'v> {
    key: &'v str,
    /// What `*` stands for.
    label: Cow<'v, str>,
    value: &'v Value<'v>,
    line: u32,
}

impl Summary {
    pub(super) const PLAIN: Self =
        Self { fields: &[], level: |text| Some(text.to_owned()), null_is_none: false };

    /// Adds the figures of a document to a run.
    pub(super) fn take(&self, sheet: &mut Sheet, run: &mut Run, benchmark: &str, document: &Value<'_>) {
        for field in self.fields {
            if field.sum.is_some() {
                if let Some((sum, line)) = Self::sum(sheet, field, document) {
                    run.add(benchmark, field.metric, sum, line);
                }
                continue;
            }
            let deviation = field.summary.and_then(|(at, _)| find(document, at).pop());
            for found in find(document, field.at) {
                let Some((name, value)) = self.figure(sheet, field, &found) else { continue };
                let deviation = deviation.as_ref().and_then(|found| Self::number(sheet, field, found));
                let deviation = deviation.filter(|&deviation| deviation > 0.0);
                run.add_mean(benchmark, &name, value, deviation, found.line);
            }
        }
    }

    /// The figure at a place with the name of its metric; a problem if one of them cannot be read.
    fn figure(&self, sheet: &mut Sheet, field: &Field, found: &Found<'_>) -> Option<(String, f64)> {
        if *found.value == Value::Null {
            sheet.dropped(usize::from(self.null_is_none));
            return None;
        }
        let stem = field.metric.strip_suffix("-p*");
        let label = if stem.is_some() { (self.level)(&found.label) } else { Some(found.label.to_string()) };
        let Some(name) = label.and_then(|label| named(field.metric, &label)) else {
            let (key, stem) = (excerpt(found.key), stem.unwrap_or_default());
            let what = format!("`{key}` of the {stem} is not a percentile");
            sheet.malformed(found.line, what, "was the file edited?");
            return None;
        };
        let value = Self::number(sheet, field, found)?;
        if value == 0.0 && field.zero_is_none {
            sheet.dropped(1);
            return None;
        }
        Some((name, value))
    }

    /// The sum of entries of an object, with its line. A part of it would be too little.
    fn sum(sheet: &mut Sheet, field: &Field, document: &Value<'_>) -> Option<(f64, u32)> {
        let all = below(document, field.at.strip_suffix(".*")?)?.object()?;
        let parts = find(document, field.at).into_iter();
        let parts = parts.filter(|found| field.sum.is_some_and(|is_part| is_part(found.key)));
        let sum: Option<f64> = parts.map(|found| Self::number(sheet, field, &found)).sum();
        // `sum` of nothing is -0.0.
        Some((sum? + 0.0, all.line))
    }

    /// The number at a place in base units; a problem if there is none.
    fn number(sheet: &mut Sheet, field: &Field, found: &Found<'_>) -> Option<f64> {
        let Found { key, value, line, .. } = found;
        let number = match value {
            Value::Text(text) => (field.parse)(text),
            other => number_of(sheet, other, *line),
        };
        if number.is_none() {
            sheet.no_number(*line, key, "", plain(value));
        }
        number.map(|number| meaning(field.unit).scale.apply(number))
    }
}

/// What stands at a place of a summary.
fn find<'v>(document: &'v Value<'v>, at: &'v str) -> Vec<Found<'v>> {
    let mut all = vec![Found { key: "", label: Cow::default(), value: document, line: 1 }];
    for step in at.split('.') {
        let inner = all.iter().flat_map(|found| match step.strip_prefix('[') {
            Some(label) => elements(found, label.trim_end_matches(']')),
            None => entries(found, step),
        });
        all = inner.collect();
    }
    all
}

/// The entries of an object whose keys fit a pattern.
fn entries<'v>(above: &Found<'v>, pattern: &'v str) -> Vec<Found<'v>> {
    let Some(object) = above.value.object() else { return Vec::new() };
    let found = |key, label, value| Found { key, label, value, line: object.line_of(key) };
    let Some((begin, end)) = pattern.split_once('*') else {
        let value = object.get(pattern).into_iter();
        return value.map(|value| found(pattern, above.label.clone(), value)).collect();
    };
    let label = |key: &'v str| key.strip_prefix(begin)?.strip_suffix(end);
    let fitting = object.iter().filter_map(|(key, value)| Some((key, label(key)?, value)));
    fitting.map(|(key, label, value)| found(key, label.into(), value)).collect()
}

/// The elements of a list, each with what stands at a key of it.
fn elements<'v>(above: &Found<'v>, label: &str) -> Vec<Found<'v>> {
    let list = above.value.list().unwrap_or_default().iter();
    list.map(|value| {
        let label = value.get(label).map(plain).unwrap_or_default().into();
        Found { key: above.key, label, value, line: value.object().map_or(above.line, |object| object.line) }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::load_run;
    use super::*;

    const SUMMARY: Summary = Summary {
        fields: &[
            Field::of("latency-mean", "times.mean", "ms").summary("times.deviation", "").zero_is_none(),
            Field::of("latency-p*", "levels.[rank].time", "ms").zero_is_none(),
            Field::of("responses-*xx", "counts.n*xx", "1"),
            Field::of("errors", "errors.*", "1").sum(|error| error != "end"),
        ],
        ..Summary::PLAIN
    };

    /// The figures and the problems of a document.
    fn taken(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut sheet, mut run) = (Sheet::new("x"), Run::default());
        let document =
            Span::new(text.as_bytes(), 1, 1000).value(&mut sheet).expect("it is within the limits");
        SUMMARY.take(&mut sheet, &mut run, "requests", &document);
        let figure =
            |one: &load_run::Figure| format!("{} {} {:?}", one.name, one.value, one.aggregate.deviation);
        let problems = sheet.problems.into_iter().map(|problem| problem.what);
        (run.figures.iter().map(figure).collect(), problems.collect())
    }

    #[test]
    fn a_summary_is_read_at_its_places() {
        let (figures, problems) = taken(
            r#"{"times": {"mean": 2, "deviation": 1}, "levels": [{"rank": 99.9, "time": 8}, {"rank": 50, "time": 0}],
                "counts": {"n2xx": 5, "other": 1}, "errors": {"refused": 2, "reset": 1, "end": 4}}"#,
        );
        let wanted = [
            "latency-mean 0.002 Some(0.001)",
            "latency-p99.9 0.008 None",
            "responses-2xx 5 None",
            "errors 3 None",
        ];
        assert_eq!(figures, wanted);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let (figures, problems) = taken(
            r#"{"times": {"mean": "fast"}, "levels": [{"rank": 101, "time": 8}], "counts": {"n2xx": null},
                "errors": {"refused": 2, "reset": []}}"#,
        );
        assert!(figures.is_empty(), "{figures:?}");
        let wanted = [
            "mean has no readable number: `fast`",
            "`time` of the latency is not a percentile",
            "reset has no readable number: `[]`",
        ];
        assert_eq!(problems, wanted);
    }
}
