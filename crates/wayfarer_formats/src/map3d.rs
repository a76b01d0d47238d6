//! The voxel maps of the 3D benchmarks (`.3dmap`): a box of air with solid cubes in it.
//!
//! A line `voxel X Y Z` with the size of the box, then a line `x y z` for each blocked voxel, in
//! any order. Axes are taken as they stand in the file.

use std::fmt::Write as _;

use wayfarer_base::VoxelSet;

use crate::text::{Lines, Number, TextError, push};

/// A side of the box, so that every voxel has a place in the world.
struct Side(u32);

impl Number for Side {
    const EXPECTED: &'static str = "a whole number from 0 to 8388608";
    fn parse(text: &[u8]) -> Option<Self> {
        u32::parse(text).filter(|&side| side <= 1 << 23).map(Self)
    }
}

/// Reads a whole `.3dmap` file; voxels that are named twice count once.
///
/// ```
/// let map = wayfarer_formats::map3d::read(b"voxel 4 4 2\n1 2 0\n3 3 1\n")?;
/// assert_eq!(map.size(), [4, 4, 2]);
/// assert!(map.contains([3, 3, 1]));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a map, or where a voxel lies outside of
/// the box.
pub fn read(bytes: &[u8]) -> Result<VoxelSet, TextError> {
    let mut lines = Lines::new(bytes);
    let first = lines.need("`voxel X Y Z`")?;
    let mut words = first.words();
    words.keyword("voxel")?;
    let mut size = [0; 3];
    for side in &mut size {
        let Side(voxels) = words.number()?;
        *side = voxels;
    }
    words.end()?;

    let mut solid = Vec::new();
    while let Some(line) = lines.next_full() {
        let mut words = line.words();
        let mut voxel = [0; 3];
        for (at, size) in voxel.iter_mut().zip(size) {
            let word = words.clone();
            *at = words.number()?;
            if *at >= size {
                return Err(word.wrong("a coordinate inside the box of the first line"));
            }
        }
        words.end()?;
        push(&mut solid, voxel);
    }
    VoxelSet::new(size, solid)
        .map_err(|_outside| first.words().wrong("a box that holds all voxels"))
}

/// Writes a `.3dmap` file; reading gives the same voxels back.
pub fn write(map: &VoxelSet) -> String {
    const TAKES_ALL: &str = "a string takes all that is written";
    let [x, y, z] = map.size();
    let mut text = format!("voxel {x} {y} {z}\n");
    for [x, y, z] in map.solid() {
        writeln!(text, "{x} {y} {z}").expect(TAKES_ALL);
    }
    text
}

#[cfg(test)]
mod tests;
