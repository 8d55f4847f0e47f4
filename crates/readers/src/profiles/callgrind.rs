//! Profiles of Callgrind and Cachegrind: exact counts of functions, and of their calls.
//!
//! The file has a graph of calls and no stacks. What a function cost is spread over its callers as far as they called
//! it; a function's own cost, and its total of the file, stay exact.

use std::collections::HashMap;
use std::io;

use super::tree::{NONE, Profile, Tree, numbered, odd};
use crate::formats::perf_script::unnamed;
use crate::pool::Pool;

/// Parts of the whole below which a path is not followed, and calls within calls.
const LEAST: f64 = 1e-5;
const DEEPEST: usize = 120;

pub(super) fn read(bytes: &[u8]) -> io::Result<Profile> {
    let mut graph = Graph::default();
    let mut reader = Reader::default();
    for (number, line) in numbered(bytes) {
        if reader.line(&mut graph, line.trim_end()).is_none() {
            odd(&mut reader.strange, number);
        }
    }
    let kind = if reader.is_callgrind { "callgrind" } else { "cachegrind" };
    let profile = graph.profile()?;
    let (event, command) = (reader.event, reader.command);
    Ok(Profile { kind, event, command, exact: true, stacks: false, odd: reader.strange, ..profile })
}

/// The place in a file.
#[derive(Default)]
struct Reader {
    event: String,
    command: String,
    is_callgrind: bool,
    /// Numbers before the costs of a line.
    positions: Option<usize>,
    strange: (usize, u32),
    /// Names of functions and of objects by their numbers in the file.
    functions: HashMap<u64, String>,
    objects: HashMap<u64, String>,
    object: String,
    called_object: Option<String>,
    function: Option<u32>,
    called: Option<u32>,
    /// Whether the next line has the cost of a call.
    is_call: bool,
}

impl Reader {
    /// Reads a line; `None` if it is no part of a profile.
    fn line(&mut self, graph: &mut Graph, line: &str) -> Option<()> {
        let Some(first) = line.bytes().next() else { return Some(()) };
        if first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'*') {
            return self.costs(graph, line);
        }
        if first == b'#' {
            return Some(());
        }
        // A name may contain a colon, and a command an equals sign: the first of both ends the key.
        let at = line.find(['=', ':'])?;
        let (key, value) = (&line[..at], line[at + 1..].trim_start());
        if line.as_bytes()[at] == b':' {
            return self.head(key, value);
        }
        match key {
            "ob" => self.object = named(&mut self.objects, value),
            "cob" => self.called_object = Some(named(&mut self.objects, value)),
            "fn" => {
                let name = named(&mut self.functions, value);
                self.function = Some(graph.function(&name, &self.object));
            }
            "cfn" => {
                let name = named(&mut self.functions, value);
                let object = self.called_object.take().unwrap_or_else(|| self.object.clone());
                self.called = Some(graph.function(&name, &object));
            }
            "calls" => self.is_call = true,
            "jfn" => drop(named(&mut self.functions, value)),
            "fl" | "fi" | "fe" | "cfi" | "cfl" | "jfi" | "jump" | "jcnd" => {}
            _ => return None,
        }
        Some(())
    }

    fn head(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "cmd" if self.command.is_empty() => value.clone_into(&mut self.command),
            "events" if self.event.is_empty() => {
                value.split_whitespace().next().unwrap_or_default().clone_into(&mut self.event);
            }
            "positions" => self.positions = Some(value.split_whitespace().count()),
            "creator" => self.is_callgrind |= value.starts_with("callgrind"),
            "version" | "part" => self.is_callgrind = true,
            "cmd" | "events" | "desc" | "summary" | "totals" | "pid" | "thread" | "event" => {}
            // Further facts of the head, which newer versions may add.
            _ if key.bytes().all(|byte| byte.is_ascii_alphabetic()) => {}
            _ => return None,
        }
        Some(())
    }

    /// Reads the costs of a place: the first event, which stands after the positions. Zeros at the end are left out.
    fn costs(&mut self, graph: &mut Graph, line: &str) -> Option<()> {
        let word = line.split_ascii_whitespace().nth(self.positions.unwrap_or(1));
        let cost: u64 = word.map_or(Some(0), |word| word.parse().ok())?;
        let function = self.function?;
        if std::mem::take(&mut self.is_call) {
            let called = self.called?;
            let known = graph.calls.entry((function, called)).or_default();
            *known = known.saturating_add(cost);
        } else {
            let known = &mut graph.own[function as usize];
            *known = known.saturating_add(cost);
        }
        Some(())
    }
}

/// The name that stands here: `(12) name` gives it a number, `(12)` refers to it. Other names may begin with a
/// parenthesis, as `(below main)` does.
fn named(known: &mut HashMap<u64, String>, value: &str) -> String {
    let inner = value.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let number = inner.and_then(|(digits, rest)| Some((digits.parse::<u64>().ok()?, rest.trim_start())));
    match number {
        Some((number, "")) => known.get(&number).cloned().unwrap_or_else(|| "[unknown]".to_owned()),
        Some((number, name)) => {
            known.insert(number, name.to_owned());
            name.to_owned()
        }
        None => value.to_owned(),
    }
}

/// Functions and their calls. A recursive function is two: the outermost call, and the others, whose names end in `'2`.
/// Two objects may have functions of one name.
#[derive(Default)]
struct Graph {
    known: HashMap<(u32, u32), u32>,
    raw: Pool,
    objects: Pool,
    names: Pool,
    name_of: Vec<u32>,
    own: Vec<u64>,
    calls: HashMap<(u32, u32), u64>,
}

impl Graph {
    fn function(&mut self, name: &str, object: &str) -> u32 {
        // Functions without a name stay apart here, so that their calls make no circle; their frames have one name.
        let raw = self.raw.intern(name);
        let next = self.own.len() as u32;
        let number = *self.known.entry((raw, self.objects.intern(object))).or_insert(next);
        if number == next {
            let address =
                name.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let shown = if address || name == "???" { &*unnamed(object) } else { name };
            self.name_of.push(self.names.intern(shown));
            self.own.push(0);
        }
        number
    }

    fn whole(&self) -> u64 {
        self.own.iter().fold(0, |sum, own| own.saturating_add(sum))
    }

    fn name(&self, function: u32) -> &str {
        self.names.get(self.name_of[function as usize])
    }

    fn profile(&self) -> io::Result<Profile> {
        let mut walk = Walk::new(self);
        for (function, amount) in walk.roots() {
            walk.enter(function, NONE, amount, 0)?;
        }
        walk.give_rest()?;
        let mut profile = walk.tree.profile();
        let totals = self.totals(&walk.with_calls);
        for (name, cost) in profile.names.iter().zip(&mut profile.costs) {
            cost.total = totals.get(name.as_str()).map_or(cost.total, |total| (*total).max(cost.own));
        }
        Ok(profile)
    }

    /// What the outermost calls of each function cost with all that they called; nothing where several have a name.
    fn totals(&self, with_calls: &[u64]) -> HashMap<&str, u64> {
        let whole = self.whole();
        let mut found: HashMap<&str, Option<u64>> = HashMap::new();
        for (number, &cost) in with_calls.iter().enumerate() {
            let name = self.name(number as u32);
            if outermost(name) == name {
                found.entry(name).and_modify(|known| *known = None).or_insert(Some(cost.min(whole)));
            }
        }
        found.into_iter().filter_map(|(name, cost)| Some((name, cost?))).collect()
    }
}

/// The name without the `'2` of a recursive call.
fn outermost(name: &str) -> &str {
    match name.rsplit_once('\'') {
        Some((bare, level)) if !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => name,
    }
}

/// Goes from callers to what they call, and spreads the costs.
struct Walk<'a> {
    graph: &'a Graph,
    called: Vec<Vec<(u32, u64)>>,
    with_calls: Vec<u64>,
    incoming: Vec<u64>,
    least: f64,
    tree: Tree,
    /// The part of each function's own cost that frames have, and the frame that has most of it.
    given: Vec<f64>,
    largest: Vec<(u64, u32)>,
    active: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph) -> Self {
        let number = graph.own.len();
        let (mut called, mut incoming) = (vec![Vec::new(); number], vec![0; number]);
        let mut with_calls = graph.own.clone();
        let mut calls: Vec<_> = graph.calls.iter().filter(|((from, to), _)| from != to).collect();
        calls.sort_unstable_by_key(|&(pair, _)| *pair);
        for (&(from, to), &cost) in calls {
            called[from as usize].push((to, cost));
            incoming[to as usize] = cost.saturating_add(incoming[to as usize]);
            with_calls[from as usize] = cost.saturating_add(with_calls[from as usize]);
        }
        Self {
            graph,
            called,
            incoming,
            with_calls,
            least: graph.whole() as f64 * LEAST,
            tree: Tree::default(),
            given: vec![0.0; number],
            largest: vec![(0, NONE); number],
            active: vec![false; number],
        }
    }

    /// The functions that cost more than their callers account for, with what is left.
    fn roots(&self) -> Vec<(u32, f64)> {
        let pairs = self.with_calls.iter().zip(&self.incoming);
        let left = pairs.map(|(&all, &from)| all.saturating_sub(from) as f64).enumerate();
        let mut found: Vec<_> =
            left.filter(|&(_, left)| left > 0.0).map(|(of, left)| (of as u32, left)).collect();
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        found
    }

    /// Adds a frame that costs so much with all that it calls.
    fn enter(&mut self, function: u32, parent: u32, amount: f64, depth: usize) -> io::Result<()> {
        let at = function as usize;
        let all = self.with_calls[at];
        if self.active[at] || all == 0 || depth == DEEPEST || (amount < self.least && parent != NONE) {
            return Ok(());
        }
        let part = (amount / all as f64).min(1.0);
        let frame = self.frame(function, parent)?;
        self.give(function, frame, self.given[at] + part * self.graph.own[at] as f64);
        self.active[at] = true;
        for nth in 0..self.called[at].len() {
            let (to, cost) = self.called[at][nth];
            self.enter(to, frame, part * cost as f64, depth + 1)?;
        }
        self.active[at] = false;
        Ok(())
    }

    fn frame(&mut self, function: u32, parent: u32) -> io::Result<u32> {
        let name = self.tree.functions.intern(outermost(self.graph.name(function)));
        // A recursive call is a part of the outermost one.
        match self.tree.frames.get(parent as usize) {
            Some(above) if above.function == name => Ok(parent),
            _ => self.tree.frame(parent, name),
        }
    }

    /// Gives a frame what rounds up to the sum that all frames of its function have together.
    fn give(&mut self, function: u32, frame: u32, sum: f64) {
        let at = function as usize;
        let most = self.graph.own[at];
        let cost = (sum.round() as u64).min(most).saturating_sub(self.given[at].round() as u64);
        self.given[at] = sum.min(most as f64);
        let known = &mut self.tree.frames[frame as usize].cost;
        *known = known.saturating_add(cost);
        if cost >= self.largest[at].0 {
            self.largest[at] = (cost, frame);
        }
    }

    /// Gives what paths that were not followed would have to the frame of the function that has most.
    fn give_rest(&mut self) -> io::Result<()> {
        for function in 0..self.graph.own.len() as u32 {
            let (at, own) = (function as usize, self.graph.own[function as usize]);
            if own > self.given[at].round() as u64 {
                let known = self.largest[at].1;
                let frame = if known == NONE { self.frame(function, NONE)? } else { known };
                self.give(function, frame, own as f64);
            }
        }
        Ok(())
    }
}
