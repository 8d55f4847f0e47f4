//! The one representation of a profile: a tree of frames with their costs, and what collects one.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use crate::pool::Pool;

/// No frame: the parent of an outermost one.
pub const NONE: u32 = u32::MAX;
/// So many frames of a tree are read. A program of a million lines has some ten thousand.
const MOST: usize = 4_000_000;

/// A frame within its stack.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// The number of the frame that called it, which is lower than its own; [`NONE`] if none did.
    pub parent: u32,
    /// The number of its function.
    pub function: u32,
    /// What it cost without what it called.
    pub cost: u64,
}

/// What a function cost.
#[derive(Debug, Default, Clone, Copy)]
pub struct Cost {
    /// Without what it called.
    pub own: u64,
    /// With what it called; recursive calls count once.
    pub total: u64,
}

/// Where one run of a program spent what was counted.
#[derive(Debug, Default)]
pub struct Profile {
    /// The name of the format.
    pub kind: &'static str,
    /// What was counted, such as `Ir` or `cpu-clock`; empty if the file does not say.
    pub event: String,
    /// The command; empty if the file does not say.
    pub command: String,
    /// Whether every event was counted. Otherwise the costs are numbers of samples.
    pub exact: bool,
    /// Whether the stacks were seen. Otherwise the cost of a function is spread over its callers.
    pub stacks: bool,
    /// Functions by number.
    pub names: Vec<String>,
    /// The frames, each after its parent.
    pub frames: Vec<Frame>,
    /// The costs of the functions.
    pub costs: Vec<Cost>,
    /// The part of all costs in functions without a name.
    pub unnamed: u64,
    /// Lines that are no part of a profile: how many, and the first.
    pub odd: (usize, u32),
    /// Costs of other events, which were left out.
    pub other_events: Vec<String>,
}

impl Profile {
    /// The cost of the whole run.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.frames.iter().fold(0, |sum, frame| frame.cost.saturating_add(sum))
    }

    /// The profile as folded stacks, a line for each frame with a cost.
    #[must_use]
    pub fn folded(&self) -> String {
        let mut text = String::new();
        for frame in self.frames.iter().filter(|frame| frame.cost > 0) {
            let mut names = vec![frame.function];
            let mut parent = frame.parent;
            while let Some(above) = self.frames.get(parent as usize) {
                names.push(above.function);
                parent = above.parent;
            }
            for (nth, &name) in names.iter().rev().enumerate() {
                text.push_str(if nth == 0 { "" } else { ";" });
                // What separates frames and lines cannot be a part of them.
                text.extend(self.names[name as usize].chars().map(|letter| match letter {
                    ';' => ':',
                    _ if letter.is_control() => ' ',
                    _ => letter,
                }));
            }
            let _ = writeln!(text, " {}", frame.cost);
        }
        text
    }
}

/// Collects frames.
#[derive(Default)]
pub(super) struct Tree {
    pub functions: Pool,
    pub frames: Vec<Frame>,
    known: HashMap<(u32, u32), u32>,
}

impl Tree {
    /// The number of a function called by a frame.
    pub fn frame(&mut self, parent: u32, function: u32) -> io::Result<u32> {
        if let Some(&known) = self.known.get(&(parent, function)) {
            return Ok(known);
        }
        if self.frames.len() == MOST {
            return Err(io::Error::other(format!("the profile has more than {MOST} different frames")));
        }
        let number = self.frames.len() as u32;
        self.frames.push(Frame { parent, function, cost: 0 });
        self.known.insert((parent, function), number);
        Ok(number)
    }

    /// Adds a cost to the last frame of a stack, which begins with the outermost.
    pub fn stack<'a>(&mut self, names: impl Iterator<Item = &'a str>, cost: u64) -> io::Result<()> {
        let (mut frame, mut before) = (NONE, "");
        for name in names {
            // Nothing tells functions without a name apart.
            if name == before && is_unnamed(name) {
                continue;
            }
            before = name;
            let function = self.functions.intern(name);
            frame = self.frame(frame, function)?;
        }
        if let Some(last) = self.frames.get_mut(frame as usize) {
            last.cost = last.cost.saturating_add(cost);
        }
        Ok(())
    }

    /// What each function cost: a stack counts once for a function that is in it several times.
    fn costs(&self) -> Vec<Cost> {
        let mut costs = vec![Cost::default(); self.functions.len()];
        let mut with_calls: Vec<u64> = self.frames.iter().map(|frame| frame.cost).collect();
        for (at, frame) in self.frames.iter().enumerate().rev() {
            let own = &mut costs[frame.function as usize].own;
            *own = own.saturating_add(frame.cost);
            let whole = with_calls[at];
            if let Some(parent) = with_calls.get_mut(frame.parent as usize) {
                *parent = parent.saturating_add(whole);
            }
        }
        // Frames come after their parents, but not in the order of a walk: the open functions of each are found anew.
        for (at, frame) in self.frames.iter().enumerate() {
            if !self.is_within(frame.parent, frame.function) {
                let total = &mut costs[frame.function as usize].total;
                *total = total.saturating_add(with_calls[at]);
            }
        }
        costs
    }

    fn is_within(&self, mut frame: u32, function: u32) -> bool {
        while let Some(above) = self.frames.get(frame as usize) {
            if above.function == function {
                return true;
            }
            frame = above.parent;
        }
        false
    }

    /// The profile, which lacks only what the file says about itself.
    pub fn profile(self) -> Profile {
        let costs = self.costs();
        let names: Vec<String> =
            (0..self.functions.len()).map(|number| self.functions.get(number as u32).to_owned()).collect();
        let of_unnamed = names.iter().zip(&costs).filter(|(name, _)| is_unnamed(name));
        let unnamed = of_unnamed.fold(0, |sum, (_, cost)| cost.own.saturating_add(sum));
        Profile { stacks: true, names, frames: self.frames, costs, unnamed, ..Profile::default() }
    }
}

fn is_unnamed(name: &str) -> bool {
    name.starts_with("[unknown") && name.ends_with(']')
}

/// The lines of a file with their numbers; other bytes than UTF-8 are replaced.
pub(super) fn numbered(bytes: &[u8]) -> impl Iterator<Item = (u32, std::borrow::Cow<'_, str>)> {
    (1..)
        .zip(bytes.split(|&byte| byte == b'\n'))
        .map(|(number, line)| (number, String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))))
}

/// Counts a line that is no part of a profile.
pub(super) fn odd(found: &mut (usize, u32), line: u32) {
    *found = (found.0 + 1, if found.0 == 0 { line } else { found.1 });
}
