//! Voxel maps of the 3D benchmarks (`.3dmap`).
//!
//! A line `voxel X Y Z` with the size of the box, then one line `x y z` per solid voxel, in any
//! order. Axes are not converted.

use std::fmt::Write as _;

use wayfarer_base::VoxelSet;

use crate::text::{Lines, Number, TextError, push};

/// The length of a side of the box, within the coordinate range of the world.
struct Side(u32);

impl Number for Side {
    const EXPECTED: &'static str = "a whole number from 0 to 8388608";
    fn parse(text: &[u8]) -> Option<Self> {
        u32::parse(text).filter(|&side| side <= 1 << 23).map(Self)
    }
}

/// Reads a `.3dmap` file; duplicate voxels are merged.
///
/// ```
/// let map = wayfarer_formats::map3d::read(b"voxel 4 4 2\n1 2 0\n3 3 1\n")?;
/// assert_eq!(map.size(), [4, 4, 2]);
/// assert!(map.contains([3, 3, 1]));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first syntax error or voxel outside the box.
pub fn read(bytes: &[u8]) -> Result<VoxelSet, TextError> {
    let mut lines = Lines::new(bytes);
    let first = lines.require("`voxel X Y Z`")?;
    let mut words = first.words();
    words.keyword("voxel")?;
    let mut size = [0; 3];
    for side in &mut size {
        let Side(voxels) = words.number()?;
        *side = voxels;
    }
    words.end()?;

    let mut solid = Vec::new();
    while let Some(line) = lines.next_non_blank() {
        let mut words = line.words();
        let mut voxel = [0; 3];
        for (at, size) in voxel.iter_mut().zip(size) {
            let word = words.clone();
            *at = words.number()?;
            if *at >= size {
                return Err(word.unexpected("a coordinate inside the box of the first line"));
            }
        }
        words.end()?;
        push(&mut solid, voxel);
    }
    VoxelSet::new(size, solid)
        .map_err(|_outside| first.words().unexpected("a box that contains all voxels"))
}

/// Writes a `.3dmap` file; it reads back unchanged.
pub fn write(map: &VoxelSet) -> String {
    let [x, y, z] = map.size();
    let mut text = format!("voxel {x} {y} {z}\n");
    for [x, y, z] in map.solid() {
        writeln!(text, "{x} {y} {z}").expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests;
