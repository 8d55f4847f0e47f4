//! The samples of a block of groups, and how a block is worked through.

use rayon::prelude::*;

/// Groups that one task takes at least: a group costs about a microsecond, as handing it over does.
const CHUNK: usize = 64;

/// One sample of each of many groups: that of group g is `values[offsets[g]..offsets[g + 1]]`.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The values of all groups.
    pub values: &'a [f64],
    /// Where each begins and the last ends, ascending.
    pub offsets: &'a [usize],
}

impl<'a> Sample<'a> {
    /// The values of a group; none for a group that there is not.
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
    /// The only sample, or the first.
    #[must_use]
    pub fn first(&self) -> Sample<'a> {
        self.samples.first().copied().unwrap_or(Sample { values: &[], offsets: &[] })
    }

    /// Fills the rows of all groups on all cores. `work` is given the samples of a group, its row to fill, and room that
    /// its thread uses again.
    pub fn each<Room: Default + Send>(
        &self,
        rows: &mut [f64],
        width: usize,
        work: impl Fn(&[&'a [f64]], &mut [f64], &mut Room) + Sync,
    ) {
        rows.par_chunks_mut(width).enumerate().with_min_len(CHUNK).for_each_init(
            || (Vec::with_capacity(self.samples.len()), Room::default()),
            |(samples, room), (group, row)| {
                samples.clear();
                samples.extend(self.samples.iter().map(|sample| sample.of(group)));
                work(samples, row, room);
            },
        );
    }
}

/// The values in ascending order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut ascending = values.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}
