//! Splits a multi-floor picture into height bands, each with at most one floor per column.
//! Greedy over the overlapping pairs, which yields the minimum number of bands.

use wayfarer_base::Cell;
use wayfarer_base::collections::{OrderedMap, OrderedSet};

use super::{Mark, Picture};

/// A range of heights, bounds included, in which no column has two floors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HeightBand {
    /// Lowest height, in steps.
    pub low: i32,
    /// Highest height, in steps.
    pub high: i32,
}

impl HeightBand {
    /// True if height `z` lies in the band.
    pub const fn contains(self, z: i32) -> bool {
        self.low <= z && z <= self.high
    }
}

impl Picture {
    /// The minimum number of bands that together cover every height, lowest first. A picture
    /// without floors has one band.
    ///
    /// A band starts at the lowest floor that overlaps another floor of the band below.
    ///
    /// ```
    /// use wayfarer_engine::base::{Cell, Terrain, WorldData};
    /// use wayfarer_engine::picture::Picture;
    /// let mut bridge = WorldData::default();
    /// for z in [0, 6] {
    ///     bridge.cells.push((Cell::new(4, 4, z), Terrain::GROUND));
    /// }
    /// let height_bands = Picture::from_data(&bridge).height_bands();
    /// assert_eq!(height_bands.len(), 2);
    /// assert!(height_bands[0].contains(5) && height_bands[1].contains(6));
    /// ```
    pub fn height_bands(&self) -> Vec<HeightBand> {
        let mut cuts = Vec::new();
        let mut last = i32::MIN;
        for (high, low) in self.overlaps() {
            if low >= last {
                cuts.push(high);
                last = high;
            }
        }
        let ends = cuts.iter().map(|cut| cut - 1).chain([i32::MAX]);
        let begins = [i32::MIN].into_iter().chain(cuts.iter().copied());
        begins
            .zip(ends)
            .map(|(low, high)| HeightBand { low, high })
            .collect()
    }

    /// Splits all heights into at most `max` bands of equal thickness (the last may be thinner),
    /// lowest first; for voxel worlds, where a ceiling would hide everything below it.
    ///
    /// ```
    /// use wayfarer_engine::base::VoxelSet;
    /// use wayfarer_engine::picture::Picture;
    /// let solid = vec![[0, 0, 0], [0, 0, 9]];
    /// let slices = Picture::from_voxels(&VoxelSet::new([1, 1, 10], solid).unwrap()).slices(4);
    /// let lows: Vec<i32> = slices.iter().map(|slice| slice.low).collect();
    /// assert_eq!(lows, [0, 3, 6, 9]);
    /// ```
    pub fn slices(&self, max: u32) -> Vec<HeightBand> {
        let (low, high) = self.heights().unwrap_or_default();
        let n_heights = high.abs_diff(low).saturating_add(1);
        let thickness = n_heights.div_ceil(max.max(1));
        let n_slices = n_heights.div_ceil(thickness);
        let slices = (0..n_slices).map(|number| {
            let low = low.saturating_add_unsigned(number * thickness);
            let high = low.saturating_add_unsigned(thickness - 1).min(high);
            HeightBand { low, high }
        });
        slices.collect()
    }

    /// Pairs of consecutive floor heights (higher, lower) in any column, sorted, without duplicates.
    fn overlaps(&self) -> Vec<(i32, i32)> {
        let mut rows: OrderedMap<i32, Vec<(Cell, i32)>> = OrderedMap::new();
        for mark in &self.marks {
            if let Mark::Ground { from, length, .. } = mark {
                let last = from.x.saturating_add_unsigned(length.saturating_sub(1));
                rows.entry(from.y).or_default().push((*from, last));
            }
        }
        let mut pairs = OrderedSet::new();
        for runs in rows.values_mut() {
            runs.sort_unstable_by_key(|(from, last)| (from.x, from.z, *last));
            overlaps_of_row(runs, &mut pairs);
        }
        pairs.into_iter().collect()
    }
}

/// Sweep line over a row from west to east; the active runs are sorted by height.
fn overlaps_of_row(runs: &[(Cell, i32)], pairs: &mut OrderedSet<(i32, i32)>) {
    let mut active: Vec<(i32, i32)> = Vec::new();
    for &(from, last) in runs {
        active.retain(|&(_, end)| end >= from.x);
        let index = active.partition_point(|&(z, _)| z < from.z);
        if let Some(&(below, _)) = index.checked_sub(1).and_then(|below| active.get(below)) {
            pairs.insert((from.z, below));
        }
        if let Some(&(above, _)) = active[index..].iter().find(|&&(z, _)| z > from.z) {
            pairs.insert((above, from.z));
        }
        active.insert(index, (from.z, last));
    }
}
