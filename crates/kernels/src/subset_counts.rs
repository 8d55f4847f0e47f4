//! Counting subsets by size and rank sum: the exact conditional null distributions of the rank tests.
//!
//! Meet in the middle: the items are split into two halves, each half is counted by dynamic programming, and
//! only the requested tail is combined from both. This is less than a tenth of the work of the full table.

/// A cell of a count table and the wider type in which its sums are exact.
pub(crate) trait Cell: Copy + Default + core::ops::AddAssign {
    /// Type of sums and products.
    type Sum: Copy + core::ops::AddAssign + core::ops::Mul<Output = Self::Sum>;
    /// The count of the empty set.
    const ONE: Self;
    /// The empty sum.
    const ZERO: Self::Sum;
    /// Widens to the type of sums.
    fn wide(self) -> Self::Sum;
    /// Converts to a float, for the final quotient.
    fn float(sum: Self::Sum) -> f64;
}

impl Cell for u32 {
    type Sum = u64;
    const ONE: Self = 1;
    const ZERO: u64 = 0;
    fn wide(self) -> u64 {
        u64::from(self)
    }
    fn float(sum: u64) -> f64 {
        sum as f64
    }
}

impl Cell for f64 {
    type Sum = f64;
    const ONE: Self = 1.0;
    const ZERO: f64 = 0.0;
    fn wide(self) -> f64 {
        self
    }
    fn float(sum: f64) -> f64 {
        sum
    }
}

/// Number of cells added at a time. Every row is followed by this many spare cells, so that no remainder is
/// left over.
const LANES: usize = 8;

/// For each size k, the number of subsets of the items with each sum, counted from the smallest sum of that
/// size.
#[derive(Debug, Default)]
struct Table<C> {
    items: Vec<u32>,
    /// Longest row wanted for each size.
    longest: Vec<usize>,
    cells: Vec<C>,
    /// Row k and the spare cells after it are `cells[starts[k]..starts[k + 1]]`.
    starts: Vec<usize>,
    /// Prefix sums of the items: the smallest sum of k items is `prefix[k]`.
    prefix: Vec<usize>,
}

impl<C: Cell> Table<C> {
    /// Takes ascending items, so that their smallest sums are known.
    fn set(&mut self, items: impl Iterator<Item = u32>) -> bool {
        let before = self.items.len();
        let mut same = true;
        let mut count = 0;
        for item in items {
            same &= self.items.get(count) == Some(&item);
            if count < self.items.len() {
                self.items[count] = item;
            } else {
                self.items.push(item);
            }
            count += 1;
        }
        self.items.truncate(count);
        if same && count == before {
            return false;
        }
        self.prefix.clear();
        self.prefix.push(0);
        let mut sum = 0;
        for &item in &self.items {
            sum += item as usize;
            self.prefix.push(sum);
        }
        self.longest.clear();
        true
    }

    /// Whether the rows are computed up to these lengths.
    fn reaches(&self, longest: &[usize]) -> bool {
        self.longest.len() >= longest.len()
            && self.longest.iter().zip(longest).all(|(have, want)| have >= want)
    }

    /// Counts the subsets of each size, up to the sum wanted for that size. `longest` does not increase with
    /// the size.
    ///
    /// Counts beyond the wanted sum may spill into the spare cells, and from there only into spare cells.
    fn fill(&mut self, longest: &[usize]) {
        self.lay_out(longest);
        let most = longest.len() - 1;
        for (i, &item) in self.items.iter().enumerate() {
            for k in (1..=most.min(i + 1)).rev() {
                // Rows hold sums above the smallest: adding item i to a set of k − 1 moves it by item i minus
                // item k − 1.
                let shift = (item - self.items[k - 1]) as usize;
                let present = self.prefix[i] - self.prefix[i + 1 - k] - self.prefix[k - 1] + 1;
                let room = (self.starts[k + 1] - self.starts[k] - LANES).saturating_sub(shift);
                let length = present.min(longest[k - 1]).min(room);
                let (left, right) = self.cells.split_at_mut(self.starts[k]);
                if length > 0 {
                    add(&mut right[shift..], &left[self.starts[k - 1]..], length);
                }
            }
        }
    }

    fn lay_out(&mut self, longest: &[usize]) {
        let n = self.items.len();
        self.longest.clear();
        self.longest.extend_from_slice(longest);
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        for (k, &longest) in longest.iter().enumerate() {
            let full = self.prefix[n] - self.prefix[n - k] - self.prefix[k] + 1;
            end += full.min(longest) + LANES;
            self.starts.push(end);
        }
        self.cells.clear();
        self.cells.resize(end, C::default());
        self.cells[0] = C::ONE;
    }

    fn row(&self, k: usize) -> &[C] {
        &self.cells[self.starts[k]..self.starts[k + 1] - LANES]
    }
}

/// Adds the first `length` cells, and some of the cells after them.
fn add<C: Cell>(to: &mut [C], from: &[C], length: usize) {
    let chunks = length.div_ceil(LANES);
    let (to, _) = to.as_chunks_mut::<LANES>();
    let (from, _) = from.as_chunks::<LANES>();
    for (to, from) in to[..chunks].iter_mut().zip(&from[..chunks]) {
        for lane in 0..LANES {
            to[lane] += from[lane];
        }
    }
}

/// Number of pairs (a from `low`, b from `high`) with a + b ≤ `limit`.
fn pairs<C: Cell>(low: &[C], high: &[C], limit: usize) -> C::Sum {
    let sum = |cells: &[C]| {
        let mut sum = C::ZERO;
        for cell in cells {
            sum += cell.wide();
        }
        sum
    };
    let low = &low[..low.len().min(limit + 1)];
    // As a decreases from its largest value, the bound of b increases.
    let (start, high) = high.split_at(high.len().min(limit + 2 - low.len()));
    let mut below = sum(start);
    let both = low.len().min(high.len());
    let (rest, low) = low.split_at(low.len() - both);
    let mut total = C::ZERO;
    for (cell, next) in low.iter().rev().zip(&high[..both]) {
        total += cell.wide() * below;
        below += next.wide();
    }
    total += sum(rest) * below;
    total
}

/// The sets of `size` items out of many whose sum is small.
///
/// Such a set consists of the `size` smallest items, minus some j of them, plus j of the others. What an
/// exchange adds to the sum is counted from the border between both: downwards for the items that leave,
/// upwards for those that enter. Only exchanges that add no more than requested are counted, which are few for
/// a small p.
#[derive(Debug, Default)]
pub(crate) struct LowerTail<C> {
    leave: Table<C>,
    enter: Table<C>,
    longest: Vec<usize>,
}

impl<C: Cell> LowerTail<C> {
    /// Number of sets of `size` of the ascending items (accessed by index) whose sum is at most `limit`.
    pub(crate) fn count(&mut self, item: impl Fn(usize) -> u32, n: usize, size: usize, limit: i64) -> f64 {
        let least: i64 = (0..size).map(|i| i64::from(item(i))).sum();
        if limit < least {
            return 0.0;
        }
        let room = (limit - least) as usize;
        let border = item(size.max(1) - 1);
        self.leave.set((0..size).rev().map(|i| border - item(i)));
        self.enter.set((size..n).map(|i| item(i) - border));
        self.measure(room);
        let (leaves, enters) = (self.leave.reaches(&self.longest), self.enter.reaches(&self.longest));
        if !(leaves && enters) {
            // Slightly more than requested, so that the next position on the axis of shifts may find it already
            // counted.
            self.measure(room + room / 16 + 2);
        }
        if !leaves {
            self.leave.fill(&self.longest);
        }
        if !enters {
            self.enter.fill(&self.longest);
        }
        self.combine(room)
    }

    /// Lengths of the rows that matter if an exchange may add `room`.
    fn measure(&mut self, room: usize) {
        let least = self.leave.prefix.iter().zip(&self.enter.prefix).map(|(a, b)| a + b);
        self.longest.clear();
        self.longest.extend(least.map_while(|least| Some(room.checked_sub(least)? + 1)));
    }

    fn combine(&self, room: usize) -> f64 {
        let mut sum = C::ZERO;
        for j in 0..self.longest.len() {
            let Some(room) = room.checked_sub(self.leave.prefix[j] + self.enter.prefix[j]) else {
                break;
            };
            sum += pairs(self.leave.row(j), self.enter.row(j), room);
        }
        C::float(sum)
    }
}

/// Sums of subsets of any size.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    low: Vec<u32>,
    high: Vec<u32>,
    spare: Vec<u32>,
}

impl Sums {
    /// Counts the subsets of the items (at most 62) by their sum, in two halves.
    pub(crate) fn fill(&mut self, items: &[u32]) {
        // Items alternate between the halves, so that both have about the same range.
        fill_sums(&mut self.low, &mut self.spare, items.iter().step_by(2));
        fill_sums(&mut self.high, &mut self.spare, items.iter().skip(1).step_by(2));
    }

    /// Number of subsets whose sum is at most `limit`.
    pub(crate) fn at_most(&self, limit: usize) -> f64 {
        pairs(&self.low, &self.high, limit) as f64
    }
}

fn fill_sums<'a>(cells: &mut Vec<u32>, spare: &mut Vec<u32>, items: impl Iterator<Item = &'a u32>) {
    cells.clear();
    cells.push(1);
    for &item in items {
        spare.clear();
        spare.extend_from_slice(cells);
        cells.resize(spare.len() + item as usize, 0);
        for (to, &add) in cells[item as usize..].iter_mut().zip(spare.iter()) {
            *to += add;
        }
    }
}

/// Greatest common divisor; with 0 it is the other number.
pub(crate) fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
