//! The memory of a command and all that it started, together. The system knows the peak of each process by itself, but
//! not of several at once, so that these are looked at again and again while the command runs.
//!
//! Pages of files, such as those of libraries, count once. Pages that a process and its child share since a fork count
//! for each of them: to tell them apart the system would have to walk through all pages, while the command waits.

use std::fs;
use std::time::Duration;

use crate::{sys, tree};

/// When a command is looked at first, and how long it is left alone at least.
const FIRST: Duration = Duration::from_millis(5);
const PAUSE: Duration = Duration::from_millis(20);
/// A look may take a part of the time that is this small.
const SHARE: u32 = 50;

/// The largest memory of several processes that was seen.
pub struct Resident {
    /// In bytes; 0 if there never were several at once.
    pub peak: u64,
    next: Duration,
}

impl Resident {
    /// Of a command that starts now.
    pub fn new(started: Duration) -> Self {
        Self { peak: 0, next: started + FIRST }
    }

    /// How long it is until the next look.
    pub fn wait(&self) -> Duration {
        self.next.saturating_sub(sys::clock())
    }

    /// Look at all processes, if it is time.
    pub fn look(&mut self) {
        let now = sys::clock();
        if now < self.next {
            return;
        }
        let processes = tree::descendants();
        if processes.len() > 1 {
            let pages = processes.iter().filter_map(|&process| pages(process));
            let (own, files) = pages.fold((0, 0), |(sum, most), (own, files)| (sum + own, files.max(most)));
            self.peak = self.peak.max((own + files) * sys::page_size());
        }
        let ended = sys::clock();
        self.next = ended + PAUSE.max(SHARE * ended.saturating_sub(now));
    }
}

/// The pages of a process in memory: its own, and those of files.
fn pages(process: i32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut fields = text.split(' ').skip(1).map(|field| field.parse::<u64>().ok());
    let (resident, files) = (fields.next()??, fields.next()??);
    Some((resident.saturating_sub(files), files))
}

#[cfg(test)]
mod tests {
    use super::pages;

    #[test]
    fn this_process_has_pages_of_its_own_and_of_files() {
        let (own, files) = pages(std::process::id() as i32).unwrap_or_default();
        assert!(own > 0 && files > 0);
        assert_eq!(pages(-1), None);
    }
}
