//! The samples of a block of groups, and how the groups of a block are processed.

use rayon::prelude::*;

/// Minimum number of groups per task: a group costs about a microsecond, as much as handing it to another
/// thread.
const CHUNK: usize = 64;

/// One sample of each of many groups: group g has `values[offsets[g]..offsets[g + 1]]`.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The values of all groups.
    pub values: &'a [f64],
    /// The beginning of each group's values and the end of the last, in ascending order.
    pub offsets: &'a [usize],
}

impl<'a> Sample<'a> {
    /// The values of a group; empty if the group does not exist.
    #[must_use]
    pub fn of(&self, group: usize) -> &'a [f64] {
        match (self.offsets.get(group), self.offsets.get(group + 1)) {
            (Some(&start), Some(&end)) => self.values.get(start..end).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// The samples of a block of groups.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// The samples, each over all groups.
    pub samples: &'a [Sample<'a>],
    /// Number of groups.
    pub groups: usize,
}

impl<'a> Block<'a> {
    /// The only sample, or the first one.
    #[must_use]
    pub fn first(&self) -> Sample<'a> {
        self.samples.first().copied().unwrap_or(Sample { values: &[], offsets: &[] })
    }

    /// Fills the rows of all groups on all cores. `work` receives the samples of a group, the row to fill, and
    /// scratch space that its thread reuses.
    pub fn each<Room: Default + Send>(
        &self,
        rows: &mut [f64],
        width: usize,
        work: impl Fn(&[&'a [f64]], &mut [f64], &mut Room) + Sync,
    ) {
        let begin = || (Vec::with_capacity(self.samples.len()), Room::default());
        let one = |(samples, room): &mut (Vec<&'a [f64]>, Room), (group, row): (usize, &mut [f64])| {
            samples.clear();
            samples.extend(self.samples.iter().map(|sample| sample.of(group)));
            work(samples, row, room);
        };
        if self.groups <= CHUNK {
            // To wake another thread would take longer than the work.
            let mut held = begin();
            return rows.chunks_mut(width).enumerate().for_each(|each| one(&mut held, each));
        }
        rows.par_chunks_mut(width).enumerate().with_min_len(CHUNK).for_each_init(begin, one);
    }
}

/// The values in ascending order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut ascending = values.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}
