//! The skin of a world of voxels as a mesh, for programs that draw or build from triangles.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::triangles::TriangleError;
use wayfarer_base::{TriangleSoup, VoxelSet};

/// The faces between solid and free voxels, two triangles each, in voxels: a closed mesh whose
/// inside is what was solid, fronts outward.
///
/// # Errors
/// If there are more corners than a mesh can name.
///
/// ```
/// use wayfarer_base::VoxelSet;
/// let two = VoxelSet::new([2, 1, 1], vec![[0, 0, 0], [1, 0, 0]]).unwrap();
/// let skin = wayfarer_make::surface(&two)?;
/// assert_eq!((skin.vertices().len(), skin.triangles().len()), (12, 20));
/// # Ok::<(), wayfarer_base::triangles::TriangleError>(())
/// ```
pub fn surface(voxels: &VoxelSet) -> Result<TriangleSoup, TriangleError> {
    let mut corners = Vec::new();
    let mut numbers: OrderedMap<[u32; 3], u32> = OrderedMap::new();
    let mut triangles = Vec::new();
    for &at in voxels.solid() {
        for (axis, high) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
            let mut beyond = at;
            let moved = if high {
                at[axis].checked_add(1)
            } else {
                at[axis].checked_sub(1)
            };
            if let Some(moved) = moved {
                beyond[axis] = moved;
                if voxels.contains(beyond) {
                    continue;
                }
            }
            let mut from = at;
            from[axis] += u32::from(high);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let square = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(along, across)| {
                let mut corner = from;
                corner[u] += along;
                corner[v] += across;
                *numbers.entry(corner).or_insert_with(|| {
                    corners.push(corner.map(f64::from));
                    u32::try_from(corners.len() - 1).unwrap_or(u32::MAX)
                })
            });
            let [a, b, c, d] = square;
            triangles.extend(if high {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, c, b], [a, d, c]]
            });
        }
    }
    TriangleSoup::new(corners, triangles)
}

#[cfg(test)]
mod tests;
