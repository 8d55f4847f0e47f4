//! Reads a host: its files one after the other, piece by piece, into its tables.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use crate::columns::Place;
use crate::counts::Counts;
use crate::input::Input;
use crate::piece::{self, Piece, Read, Spare};
use crate::plan::Plan;
use crate::sink::Sink;

/// What to read, and where to write it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The name of the host.
    pub host: String,
    /// Its files, in the order in which they are read.
    pub files: Vec<PathBuf>,
    /// An empty directory for its tables.
    pub directory: PathBuf,
}

/// The result of reading a host.
#[derive(Debug)]
pub struct Outcome {
    /// What became of the lines.
    pub counts: Counts,
    /// Files that could not be read to their end, each with its number and the reason.
    pub troubles: Vec<(usize, String)>,
    /// The digest of each file's bytes; `None` if the file was not read to its end.
    pub digests: Vec<Option<u64>>,
}

/// What the readers of all hosts share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub plan: &'a Plan,
    pub threads: usize,
    /// The number of hosts being read.
    pub active: AtomicUsize,
    /// Set when the reading should stop.
    pub stop: &'a AtomicBool,
}

impl Shared<'_> {
    /// How many pieces of a host are read at once: the threads that other hosts do not need.
    fn width(&self) -> usize {
        self.threads.div_ceil(self.active.load(Ordering::Relaxed).max(1)).max(1)
    }
}

/// Reads a host.
pub(crate) fn read(job: &Job, shared: &Shared<'_>) -> io::Result<Outcome> {
    let mut reading = Reading {
        shared,
        counts: Counts::new(shared.plan),
        sink: Sink::create(&job.directory, shared.plan, &job.host)?,
        spare: Vec::new(),
        lines: 0,
    };
    let (mut troubles, mut digests) = (Vec::new(), Vec::new());
    for (number, file) in job.files.iter().enumerate() {
        match reading.file(number as u32, file)? {
            Ok(digest) => digests.push(digest),
            Err(trouble) => {
                digests.push(None);
                troubles.push((number, trouble));
            }
        }
    }
    reading.sink.finish()?;
    Ok(Outcome { counts: reading.counts, troubles, digests })
}

struct Reading<'a> {
    shared: &'a Shared<'a>,
    counts: Counts,
    sink: Sink,
    /// Memory of pieces that were read, for reuse.
    spare: Vec<Spare>,
    /// The number of lines of the host so far.
    lines: u64,
}

impl Reading<'_> {
    /// Reads a file: while some pieces are scanned, the next ones are fetched and the previous ones written.
    /// Returns its digest, or the reason why it could not be read to its end.
    fn file(&mut self, number: u32, path: &Path) -> io::Result<Result<Option<u64>, String>> {
        let mut input = match Input::open(path, self.shared.plan.longest) {
            Ok(input) => input,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let mut before = 0;
        let mut pieces = fetch(&mut input, &mut self.spare, self.shared.width());
        let mut done: Vec<Read> = Vec::new();
        while !pieces.is_empty() {
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let plan = self.shared.plan;
            let width = self.shared.width();
            if width == 1 {
                done.extend(pieces.iter_mut().map(|piece| piece::read(plan, piece)));
                self.spare.extend(pieces.drain(..).map(Piece::into_spare));
                self.append(number, &mut before, std::mem::take(&mut done))?;
                pieces = fetch(&mut input, &mut self.spare, 1);
                continue;
            }
            let mut spare = std::mem::take(&mut self.spare);
            let ready = std::mem::take(&mut done);
            let ((next, fresh), written) = rayon::join(
                || {
                    let scan = || pieces.par_iter_mut().map(|piece| piece::read(plan, piece)).collect();
                    rayon::join(|| fetch(&mut input, &mut spare, width), scan)
                },
                || self.append(number, &mut before, ready),
            );
            written?;
            done = fresh;
            spare.extend(pieces.drain(..).map(Piece::into_spare));
            self.spare = spare;
            pieces = next;
        }
        self.append(number, &mut before, done)?;
        let digest = input.digest();
        Ok(input.trouble.map_or(Ok(digest), Err))
    }

    fn append(&mut self, file: u32, before: &mut u64, read: Vec<Read>) -> io::Result<()> {
        for mut read in read {
            let place = Place { file, before_in_file: *before, before_in_host: self.lines };
            self.sink.write(&mut read.tables, place)?;
            self.counts.add(&read.counts, file, *before);
            *before += read.height;
            self.lines += read.height;
        }
        Ok(())
    }
}

fn fetch(input: &mut Input, spare: &mut Vec<Spare>, count: usize) -> Vec<Piece> {
    let mut next = || input.next(spare.pop().unwrap_or_default());
    std::iter::from_fn(&mut next).take(count).collect()
}

// Reads many hosts at once.

/// Reads hosts, several at a time, and calls `finished` with the number of each completed host.
///
/// # Errors
/// The first failure: the tables cannot be written, `stop` was set, or `finished` returned an error.
pub fn read_hosts(
    plan: &Plan,
    jobs: &[Job],
    stop: &AtomicBool,
    finished: &(dyn Fn(usize, &Outcome) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let threads = rayon::current_num_threads().max(1);
    let workers = threads.min(jobs.len());
    let shared = Shared { plan, threads, active: AtomicUsize::new(workers), stop };
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<io::Error>> = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            let outcome = read(job, &shared).and_then(|outcome| finished(number, &outcome));
            if let Err(error) = outcome {
                // Recorded before the others are stopped: their errors would hide the reason.
                failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
        // From now on the others may use this thread's share.
        shared.active.fetch_sub(1, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None if stop.load(Ordering::Relaxed) => Err(io::ErrorKind::Interrupted.into()),
        None => Ok(()),
    }
}
