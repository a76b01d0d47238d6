//! Octree lookups for searches, with the descent of the previous lookup cached.

use wayfarer_base::Voxel;

use super::tree::{Cursor, Lookup};
use super::{Air, bits};

mod local_nodes;

pub use local_nodes::LocalNode;

/// A lookup cursor that caches its descent: a lookup near the previous one costs little. Borrows
/// the air; any number of cursors may read concurrently.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_world::air::{AirBuilder, LocalNode};
///
/// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [100, 64, 64])?;
/// builder.add_voxel(Voxel::new(2, 0, 0))?;
/// let air = builder.build()?;
/// let mut cursor = air.cursor();
/// assert_eq!(cursor.local_node_at([3, 3, 3]), LocalNode::Leaf { free: !(1 << 2) });
/// let cube = LocalNode::Cube { layer: 4, solid: false };
/// assert_eq!(cursor.local_node_at([70, 9, 9]), cube);
/// assert!(!cursor.is_free(Voxel::new(100, 0, 0))); // outside the bounds
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
pub struct AirCursor<'a> {
    air: &'a Air,
    cursor: Cursor<'a>,
}

impl std::fmt::Debug for AirCursor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AirCursor").finish_non_exhaustive()
    }
}

impl Air {
    /// A cursor that starts at the root.
    pub fn cursor(&self) -> AirCursor<'_> {
        AirCursor {
            air: self,
            cursor: Cursor::new(&self.tree),
        }
    }
}

impl AirCursor<'_> {
    /// True if the voxel lies inside the bounds and is free.
    #[inline]
    pub fn is_free(&mut self, at: Voxel) -> bool {
        let Some(local) = self.air.to_local(at) else {
            return false;
        };
        match self.cursor.find(local) {
            Lookup::Cube { solid, .. } => !solid,
            Lookup::Leaf { voxels, .. } => voxels >> bits::index(local) & 1 == 0,
        }
    }
}
