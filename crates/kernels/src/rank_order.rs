//! Values in ascending order with their places: what the rank tests of several samples and of blocks have in common.

use core::cell::RefCell;

use crate::ranks::key;

/// The order of a sample, kept as integers that hold the upper bits of a value's key and, below them, its place.
///
/// Bare 64-bit integers sort twice as fast as pairs of value and place. The bits that the place takes from the value
/// decide only between neighbours that agree in all others, and those are put in order afterwards.
#[derive(Debug, Default)]
pub(crate) struct RankOrder {
    keys: Vec<i64>,
    packed: Vec<i64>,
    /// The bits that hold the place.
    places: i64,
}

impl RankOrder {
    /// Sorts the values of the slices, one after another.
    pub(crate) fn fill<'a>(&mut self, slices: impl Iterator<Item = &'a [f64]>) {
        self.keys.clear();
        for slice in slices {
            self.keys.extend(slice.iter().map(|&v| key(v)));
        }
        self.places = self.keys.len().next_power_of_two() as i64 - 1;
        let kept = !self.places;
        self.packed.clear();
        self.packed.extend(self.keys.iter().zip(0_i64..).map(|(key, place)| (key & kept) | place));
        self.packed.sort_unstable();
        self.settle();
    }

    /// Sorts the runs that agree in the kept bits by all bits.
    fn settle(&mut self) {
        let (keys, places) = (&self.keys, self.places);
        let full = |packed: i64| keys[(packed & places) as usize];
        for run in self.packed.chunk_by_mut(|a, b| (a ^ b) & !places == 0) {
            if run.len() > 1 && run.iter().any(|&p| full(p) != full(run[0])) {
                run.sort_unstable_by_key(|&p| full(p));
            }
        }
    }

    /// Number of values.
    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    /// The groups of equal values, ascending, each as the places of its members.
    pub(crate) fn ties(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = usize> + Clone> {
        let (keys, places) = (&self.keys, self.places);
        let place = move |packed: i64| (packed & places) as usize;
        let equal = move |a: &i64, b: &i64| (a ^ b) & !places == 0 && keys[place(*a)] == keys[place(*b)];
        self.packed.chunk_by(equal).map(move |group| group.iter().map(move |&p| place(p)))
    }

    /// Whether no tie joins the `count` lowest values with the others.
    pub(crate) fn splits_at(&self, count: usize) -> bool {
        let full = |rank: usize| self.packed.get(rank).map(|&p| self.keys[(p & self.places) as usize]);
        count == 0 || full(count - 1) != full(count)
    }

    /// Writes the centred doubled rank of each place: the number of values below less the number above.
    ///
    /// That is twice the midrank less (n + 1), a whole number also with ties.
    pub(crate) fn centred(&self, ranks: &mut Vec<i64>) {
        let count = self.count() as i64;
        ranks.clear();
        ranks.resize(self.count(), 0);
        let mut below = 0;
        for group in self.ties() {
            let size = group.len() as i64;
            let rank = 2 * below + size - count;
            group.for_each(|place| ranks[place] = rank);
            below += size;
        }
    }
}

/// Buffers of one thread, so that a test allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The order of whatever is being ranked.
    pub order: RankOrder,
    /// Ranks by place.
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
