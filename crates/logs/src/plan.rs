//! A mapping, validated and compiled: where each field is, and which name belongs to which event.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::document::{Document, EventText, FoldText, LineText, Rule, SkipText, SourceText};
use crate::paths::{NOWHERE, Paths};
use crate::time::Unit;

/// Columns that every table has before those of the mapping.
pub const FIXED: [&str; 6] = ["host", "event", "at", "file", "line", "seq"];

/// Default limit of a line in MiB: anything longer is some other kind of file, or would fill the memory.
const LONGEST: usize = 32;
/// Maximum of that limit in MiB: positions in a larger piece would not fit their columns.
const MOST: usize = 1024;

type Map<V> = HashMap<Box<[u8]>, V, FixedState>;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Integers that are not negative.
    Natural,
    /// Integers.
    Integer,
    /// Numbers.
    Number,
    /// Text.
    Text,
    /// 64 hex digits in lower case.
    Hash,
}

/// A table of events: its name and its columns.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Name and type of each column of the mapping.
    pub columns: Vec<(String, Type)>,
    /// How its events are folded; `None` if it has a row for each.
    pub fold: Option<Fold>,
}

/// How events become one row for each value of a key.
#[derive(Debug)]
pub struct Fold {
    /// The key.
    pub key: Key,
    /// Numbers of the events whose different times are counted.
    pub times: Vec<usize>,
    /// Whether rows have the integers of the row before, too.
    pub before: bool,
}

/// What events are folded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Their time.
    Time,
    /// The value in a column.
    Column(usize),
}

/// The slots of a field of the data: in the outer data object, and in the inner one.
pub type Place = [u16; 2];

/// The source of a value.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A field.
    Field(Place),
    /// The difference of two integers.
    Difference(Place, Place),
}

/// A value of an event.
#[derive(Debug)]
pub struct Field {
    /// Number of the column.
    pub column: usize,
    /// Its type.
    pub kind: Type,
    /// The sources; the first one that yields a value is used.
    pub sources: Vec<Source>,
    /// The value if all of the fields are missing.
    pub absent: Option<i64>,
    /// The number of the reason for skipping an event that needs this value and lacks it.
    pub required: Option<usize>,
}

/// A kind of event.
#[derive(Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Number of its table.
    pub table: usize,
    /// Its values.
    pub fields: Vec<Field>,
    /// The number of the reason for skipping an event that needs some value and has none.
    pub any: Option<usize>,
    /// The conditions for skipping, each with the number of its reason.
    pub skips: Vec<(Place, Rule, usize)>,
    /// The reasons for skipping lines of this event, in words.
    pub reasons: Vec<String>,
}

/// A compiled mapping.
#[derive(Debug)]
pub struct Plan {
    pub(crate) paths: Paths,
    pub(crate) time: u16,
    pub(crate) unit: Option<Unit>,
    pub(crate) name: u16,
    /// `None` if the line itself is the data.
    pub(crate) data: Option<u16>,
    pub(crate) inner: u16,
    pub(crate) kind: Place,
    pub(crate) strip: Box<[u8]>,
    /// Maximum length of a line in bytes, approximately.
    pub longest: usize,
    pub(crate) names: Map<u16>,
    pub(crate) kinds: Map<u16>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The events.
    pub events: Vec<Event>,
}

impl Plan {
    /// Compiles a mapping given as JSON text: `line`, `tables` and `events`.
    ///
    /// # Errors
    /// What is wrong with the mapping.
    pub fn new(text: &str) -> Result<Self, String> {
        let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let tables = tables(document.tables)?;
        let mut plan = Self::of_line(&document.line)?;
        let data = Data::new(&document.line);
        for event in document.events {
            let number = u16::try_from(plan.events.len()).map_err(|_| "too many events")?;
            for name in &event.names {
                once(&mut plan.names, name, number)?;
            }
            for kind in &event.kinds {
                once(&mut plan.kinds, kind, number)?;
            }
            let event = compiled(event, &tables, &data, &mut plan.paths)?;
            plan.events.push(event);
        }
        plan.tables = tables;
        for (name, fold) in document.folds {
            let table = plan.tables.iter().position(|table| table.name == name);
            let table = table.ok_or_else(|| format!("fold {name:?}: there is no such table"))?;
            plan.tables[table].fold =
                Some(plan.folded(table, &fold).map_err(|why| format!("fold {name:?}: {why}"))?);
        }
        Ok(plan)
    }

    /// Compiles the fold of a table.
    fn folded(&self, table: usize, fold: &FoldText) -> Result<Fold, String> {
        let columns = &self.tables[table].columns;
        let key = match columns.iter().position(|(name, _)| *name == fold.key) {
            _ if fold.key == "at" => Key::Time,
            Some(column) if columns[column].1 != Type::Number => Key::Column(column),
            Some(_) => return Err(format!("its key {:?} holds numbers, which need not be whole", fold.key)),
            None => {
                return Err(format!("its key {:?} is neither a column of the table nor \"at\"", fold.key));
            }
        };
        let own = |event: &&Event| event.table == table;
        let requires = |event: &Event| {
            let mut fields = event.fields.iter();
            fields.any(|field| Key::Column(field.column) == key && field.required.is_some())
        };
        if let Some(event) = self.events.iter().filter(own).find(|event| key != Key::Time && !requires(event))
        {
            return Err(format!("event {:?} must require its key {:?}", event.name, fold.key));
        }
        let mut names = Vec::new();
        for event in self.events.iter().filter(own) {
            let fields = event.fields.iter().map(|field| columns[field.column].0.as_str());
            let fields = ["at", "place", "times"].into_iter().chain(fields);
            names.extend(fields.map(|field| format!("{}_{field}", event.name)));
        }
        names.sort_unstable();
        let twice = names.iter().zip(names.iter().skip(1)).find(|(one, next)| one == next);
        if let Some((name, _)) = twice {
            return Err(format!("two of its columns would be called {name:?}"));
        }
        if fold.before && key != Key::Time {
            return Err("only rows by \"at\" can have values of the row before".to_owned());
        }
        let event = |name: &String| {
            let place = self.events.iter().position(|event| event.table == table && event.name == *name);
            place.ok_or_else(|| format!("the table has no event {name:?}, whose times are to be counted"))
        };
        let times = fold.times.iter().map(event).collect::<Result<_, _>>()?;
        Ok(Fold { key, times, before: fold.before })
    }

    fn of_line(line: &LineText) -> Result<Self, String> {
        let mut paths = Paths::default();
        let data = Data::new(line);
        let one = |paths: &mut Paths, path: &str| {
            paths.ask(&keys(path).iter().map(String::as_str).collect::<Vec<_>>())
        };
        let time = one(&mut paths, &line.time)?;
        let name = one(&mut paths, &line.name)?;
        let whole = line.data.as_deref().map(|path| one(&mut paths, path)).transpose()?;
        let inner = match &data.inner {
            Some(keys) => paths.ask(&keys.iter().map(String::as_str).collect::<Vec<_>>())?,
            None => NOWHERE,
        };
        let kind = match &line.kind {
            Some(path) => data.ask(&mut paths, path)?,
            None => [NOWHERE; 2],
        };
        Ok(Self {
            paths,
            time,
            unit: line.unit,
            name,
            data: whole,
            inner,
            kind,
            strip: line.strip.as_bytes().into(),
            longest: longest(line.longest)? << 20,
            names: Map::default(),
            kinds: Map::default(),
            tables: Vec::new(),
            events: Vec::new(),
        })
    }
}

fn longest(stated: Option<usize>) -> Result<usize, String> {
    let longest = stated.unwrap_or(LONGEST);
    if (1..=MOST).contains(&longest) {
        Ok(longest)
    } else {
        Err(format!("[line] longest must be a number of MiB from 1 to {MOST}, not {longest}"))
    }
}

/// Where the data of a line are.
struct Data {
    outer: Vec<String>,
    inner: Option<Vec<String>>,
}

impl Data {
    fn new(line: &LineText) -> Self {
        let outer = line.data.as_deref().map(keys).unwrap_or_default();
        let inner = line.inner.as_deref().map(|inner| [outer.clone(), keys(inner)].concat());
        Self { outer, inner }
    }

    fn ask(&self, paths: &mut Paths, path: &str) -> Result<Place, String> {
        let tail = keys(path);
        let mut at = |head: &Vec<String>| {
            let whole: Vec<&str> = head.iter().chain(&tail).map(String::as_str).collect();
            paths.ask(&whole)
        };
        let outer = at(&self.outer)?;
        Ok([outer, self.inner.as_ref().map_or(Ok(outer), at)?])
    }
}

/// Splits a path into its keys, which are separated by dots; a dot within a key is written `\.`.
pub(crate) fn keys(path: &str) -> Vec<String> {
    let mut keys = vec![String::new()];
    let mut letters = path.chars();
    while let Some(letter) = letters.next() {
        match (letter, keys.last_mut()) {
            ('\\', Some(key)) => key.extend(letters.next()),
            ('.', _) => keys.push(String::new()),
            (_, Some(key)) => key.push(letter),
            (_, None) => {}
        }
    }
    keys
}

fn once(names: &mut Map<u16>, name: &str, event: u16) -> Result<(), String> {
    match names.insert(name.as_bytes().into(), event) {
        None => Ok(()),
        Some(_) => Err(format!("{name:?} stands for two events")),
    }
}

fn tables(stated: Vec<(String, Vec<(String, String)>)>) -> Result<Vec<Table>, String> {
    let table = |(name, columns): (String, Vec<(String, String)>)| {
        let column = |(column, kind): (String, String)| {
            if FIXED.contains(&column.as_str()) {
                return Err(format!("table {name:?}: every table has a column {column:?} already"));
            }
            let kind = match kind.as_str() {
                "natural" => Type::Natural,
                "integer" => Type::Integer,
                "number" => Type::Number,
                "text" => Type::Text,
                "hash" => Type::Hash,
                _ => {
                    return Err(format!(
                        "column {column:?}: {kind:?} is not one of natural, integer, number, text, hash"
                    ));
                }
            };
            Ok((column, kind))
        };
        let columns = columns.into_iter().map(column).collect::<Result<_, String>>()?;
        Ok(Table { name, columns, fold: None })
    };
    stated.into_iter().map(table).collect()
}

fn compiled(stated: EventText, tables: &[Table], data: &Data, paths: &mut Paths) -> Result<Event, String> {
    let wanted = stated.table.as_deref();
    let table = tables.iter().position(|table| wanted.is_none_or(|wanted| wanted == table.name));
    let table = table.ok_or_else(|| format!("event {:?}: there is no table {wanted:?}", stated.event))?;
    let mut event = Event {
        name: stated.event,
        table,
        fields: Vec::new(),
        any: None,
        skips: Vec::new(),
        reasons: Vec::new(),
    };
    for SkipText { field, is } in stated.skip {
        event.skips.push((data.ask(paths, &field)?, is, event.reasons.len()));
        event.reasons.push(format!("{field} is {}", is.word()));
    }
    for (column, sources) in stated.fields {
        let known = tables[table].columns.iter().position(|(name, _)| *name == column);
        let known =
            known.ok_or_else(|| format!("event {:?}: its table has no column {column:?}", event.name))?;
        let source = |source: SourceText| match source {
            SourceText::Path(path) => Ok(Source::Field(data.ask(paths, &path)?)),
            SourceText::Difference { path, minus } => {
                Ok(Source::Difference(data.ask(paths, &path)?, data.ask(paths, &minus)?))
            }
        };
        let sources = sources.into_iter().map(source).collect::<Result<_, String>>()?;
        let absent = stated.absent.get(&column).copied();
        let kind = tables[table].columns[known].1;
        event.fields.push(Field { column: known, kind, sources, absent, required: None });
    }
    for column in stated.required {
        let reason = event.reasons.len();
        if column == "any" {
            event.any = Some(reason);
            event.reasons.push("none of its fields has a value".to_owned());
            continue;
        }
        let field = event.fields.iter_mut().find(|field| tables[table].columns[field.column].0 == column);
        let field = field.ok_or_else(|| {
            format!("event {:?} requires {column:?}, which is not one of its fields", event.name)
        })?;
        field.required = Some(reason);
        event.reasons.push(format!("no usable {column}"));
    }
    Ok(event)
}
