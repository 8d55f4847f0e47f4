//! Values in ascending order with their positions, shared by the rank tests of several samples and of blocks.

use core::cell::RefCell;

use crate::ranks::key;

/// The order of some values.
///
/// The sorted elements are integers that contain the upper bits of a value's key and, below them, its position:
/// plain integers sort twice as fast as pairs of value and position. The bits that the position takes from the
/// value only decide between neighbours that agree in all other bits, which are almost always equal.
#[derive(Debug, Default)]
pub(crate) struct RankOrder {
    keys: Vec<i64>,
    packed: Vec<i64>,
    /// The keys in ascending order.
    sorted: Vec<i64>,
    /// The bits that hold the position.
    places: i64,
}

impl RankOrder {
    /// Sorts the values of the slices, which are concatenated.
    pub(crate) fn fill<'a>(&mut self, slices: impl Iterator<Item = &'a [f64]>) {
        self.keys.clear();
        for slice in slices {
            self.keys.extend(slice.iter().map(|&v| key(v)));
        }
        let places = self.keys.len().next_power_of_two() as i64 - 1;
        self.places = places;
        self.packed.clear();
        self.packed.extend(self.keys.iter().zip(0_i64..).map(|(key, place)| (key & !places) | place));
        self.packed.sort_unstable();
        self.look_up();
        if !self.sorted.is_sorted() {
            let keys = &self.keys;
            self.packed.sort_unstable_by_key(|&packed| keys[(packed & places) as usize]);
            self.look_up();
        }
    }

    fn look_up(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.packed.iter().map(|&packed| self.keys[(packed & self.places) as usize]));
    }

    /// Number of values.
    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    /// The position of the value with ascending rank `rank`, from 0.
    fn place(&self, rank: usize) -> usize {
        (self.packed[rank] & self.places) as usize
    }

    /// Whether no tie joins the `count` lowest values with the others.
    pub(crate) fn splits_at(&self, count: usize) -> bool {
        count == 0 || self.sorted.get(count - 1) != self.sorted.get(count)
    }

    /// The groups of equal values, ascending, each as the positions of its members.
    pub(crate) fn ties(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = usize> + Clone> {
        let mut start = 0;
        self.sorted.chunk_by(|a, b| a == b).map(move |group| {
            let ranks = start..start + group.len();
            start = ranks.end;
            ranks.map(|rank| self.place(rank))
        })
    }

    /// Writes the centred doubled rank of each position: the number of values below minus the number above.
    ///
    /// This is twice the midrank minus (n + 1), an integer even with ties. Two passes without a branch: whether
    /// two neighbours are equal is unpredictable.
    pub(crate) fn centred(&self, ranks: &mut Vec<i64>) {
        let count = self.count();
        ranks.clear();
        ranks.resize(count, 0);
        let (mut start, mut last) = (0, self.sorted.first().copied().unwrap_or(0));
        for (rank, &key) in self.sorted.iter().enumerate() {
            start = if key == last { start } else { rank };
            last = key;
            ranks[self.place(rank)] = start as i64;
        }
        let mut end = count;
        for (rank, &key) in self.sorted.iter().enumerate().rev() {
            end = if key == last { end } else { rank + 1 };
            last = key;
            ranks[self.place(rank)] += end as i64 - count as i64;
        }
    }
}

/// Buffers of one thread, so that a test allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The order of the values being ranked.
    pub order: RankOrder,
    /// Ranks by position.
    pub ranks: Vec<i64>,
    /// Weights of the blocks.
    pub weights: Vec<i64>,
    /// Sums of ranks by sample or treatment.
    pub sums: Vec<i64>,
    /// Ranges of the blocks.
    pub ranges: Vec<f64>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Runs `work` on the thread's workspace.
pub(crate) fn with_workspace<T>(work: impl FnOnce(&mut Workspace) -> T) -> T {
    WORKSPACE.with(|shared| match shared.try_borrow_mut() {
        Ok(mut workspace) => work(&mut workspace),
        Err(_) => work(&mut Workspace::default()),
    })
}
