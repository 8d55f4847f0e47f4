//! What became of the lines of a run, or of a piece of one.

/// Why a line, or a value of one, was not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is of no kind that the mapping names.
    Other,
    /// It is longer than the limit.
    Long,
    /// Its time is missing or is none.
    Timeless,
    /// It belongs to no sample.
    Unused,
    /// It belongs to this sample, and has no usable value.
    Unusable(u16),
}

/// A line that was not used, or a value of one.
#[derive(Debug, Clone)]
pub struct LeftLine {
    /// Why.
    pub why: Why,
    /// The number of its file in the run.
    pub file: u32,
    /// The line, counted from 1.
    pub line: u64,
    /// The beginning of its text.
    pub text: String,
}

/// What became of the lines of a run.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// Lines that are not blank.
    pub lines: u64,
    /// Lines of no kind that the mapping names.
    pub other: u64,
    /// Lines longer than the limit.
    pub long: u64,
    /// Records whose time is missing or is none.
    pub timeless: u64,
    /// Records that belong to no sample.
    pub unused: u64,
    /// Records of each kind of lines.
    pub kinds: Vec<u64>,
    /// Values, or events, of each sample.
    pub taken: Vec<u64>,
    /// Lines of each sample that lack a usable value.
    pub unusable: Vec<u64>,
    /// Times of each sample with two events that are below zero.
    pub negative: Vec<u64>,
    /// The numbers of samples whose intervals would be too many.
    pub endless: Vec<u16>,
    /// The numbers of samples of which the run has not one whole interval.
    pub short: Vec<u16>,
    /// Of each sample with two events: keys that never ended, and keys that never began.
    pub unmatched: Vec<(u64, u64)>,
    /// Events of each sample with two events that are not the earliest of their key.
    pub repeated: Vec<u64>,
    /// The bytes of text.
    pub bytes: u64,
    /// A few of the lines that were not used.
    pub examples: Vec<LeftLine>,
    /// Files that could not be read to their end, with the reason.
    pub troubles: Vec<(String, String)>,
    /// The names of the files.
    pub files: Vec<String>,
}

/// How many examples of a kind are kept, and how many of the largest values of a sample.
pub(crate) const MOST: usize = 5;

impl Account {
    /// Adds what became of the lines of a piece.
    pub(crate) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.other += other.other;
        self.long += other.long;
        self.timeless += other.timeless;
        self.unused += other.unused;
        self.bytes += other.bytes;
        let pairs = [
            (&mut self.kinds, other.kinds),
            (&mut self.taken, other.taken),
            (&mut self.unusable, other.unusable),
        ];
        for (sums, more) in pairs {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        for example in other.examples {
            self.keep(example);
        }
    }

    /// Keeps an example unless there are enough of its kind.
    pub(crate) fn keep(&mut self, example: LeftLine) {
        if self.wants(example.why) {
            self.examples.push(example);
        }
    }

    pub(crate) fn wants(&self, why: Why) -> bool {
        self.examples.iter().filter(|known| known.why == why).count() < MOST
    }
}
