//! Boundary mesh of a voxel set. O(n log n) in the number of solid voxels.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::triangles::TriangleError;
use wayfarer_base::{TriangleSoup, VoxelSet};

/// The faces between solid and free voxels as a closed mesh with outward normals, two triangles per
/// face, in voxels.
///
/// # Errors
/// More than 2^32 vertices.
///
/// ```
/// use wayfarer_base::VoxelSet;
/// let two = VoxelSet::new([2, 1, 1], vec![[0, 0, 0], [1, 0, 0]]).unwrap();
/// let mesh = wayfarer_make::surface(&two)?;
/// assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (12, 20));
/// # Ok::<(), wayfarer_base::triangles::TriangleError>(())
/// ```
pub fn surface(voxels: &VoxelSet) -> Result<TriangleSoup, TriangleError> {
    let mut vertices = Vec::new();
    let mut indices: OrderedMap<[u32; 3], u32> = OrderedMap::new();
    let mut triangles = Vec::new();
    for &at in voxels.solid() {
        for (axis, is_high) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
            let mut neighbor = at;
            let coordinate = if is_high {
                at[axis].checked_add(1)
            } else {
                at[axis].checked_sub(1)
            };
            if let Some(coordinate) = coordinate {
                neighbor[axis] = coordinate;
                if voxels.contains(neighbor) {
                    continue;
                }
            }
            let mut from = at;
            from[axis] += u32::from(is_high);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let face = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(along, across)| {
                let mut vertex = from;
                vertex[u] += along;
                vertex[v] += across;
                *indices.entry(vertex).or_insert_with(|| {
                    vertices.push(vertex.map(f64::from));
                    u32::try_from(vertices.len() - 1).unwrap_or(u32::MAX)
                })
            });
            let [a, b, c, d] = face;
            triangles.extend(if is_high {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, c, b], [a, d, c]]
            });
        }
    }
    TriangleSoup::new(vertices, triangles)
}

#[cfg(test)]
mod tests;
