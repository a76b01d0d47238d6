//! Lookups in local coordinates, where every cube is aligned to its side.

use super::super::tree::{Content, LocalVoxel, Lookup};
use super::super::{Air, bits, regions};
use super::AirCursor;

/// The node around a voxel, without links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalNode {
    /// A uniform cube (side `4 << layer`, aligned to its side), all free or all solid; it may
    /// extend beyond the bounds.
    Cube {
        /// Its layer; 0 is the size of a leaf.
        layer: u8,
        /// True if all of it is solid.
        solid: bool,
    },
    /// A leaf of 4 x 4 x 4 voxels with some of them free.
    Leaf {
        /// Its free voxels inside the bounds, bit `x + 4 y + 16 z`; neither none nor all 64.
        free: u64,
    },
}

impl Air {
    /// True if the box from `low` to `high` contains a solid voxel. Local coordinates, both
    /// corners included and inside the bounds.
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(-5, 0, 0), [100, 64, 64])?;
    /// builder.add_voxel(Voxel::new(2, 9, 9))?;
    /// let air = builder.build()?;
    /// assert!(air.has_solid([0, 0, 0], [7, 9, 9]));
    /// assert!(!air.has_solid([0, 0, 0], [7, 9, 8]));
    /// # Ok::<(), wayfarer_world::air::AirError>(())
    /// ```
    pub fn has_solid(&self, low: [u32; 3], high: [u32; 3]) -> bool {
        let root = match self.tree.root.content() {
            Content::Free => return false,
            Content::Solid => return true,
            Content::Block(block) => block,
        };
        self.block_has_solid(self.tree.top, root, [0; 3], (low, high))
    }

    /// [`Air::has_solid`] for the children of the node of `layer` at `corner`.
    fn block_has_solid(
        &self,
        layer: u8,
        block: u32,
        corner: LocalVoxel,
        (low, high): (LocalVoxel, LocalVoxel),
    ) -> bool {
        let half = 2_u32 << layer;
        (0..8_u32).any(|child| {
            let at: LocalVoxel =
                std::array::from_fn(|axis| corner[axis] + (child >> axis & 1) * half);
            if (0..3).any(|axis| at[axis] > high[axis] || at[axis] + half <= low[axis]) {
                return false;
            }
            if layer == 1 {
                let solid = self.tree.leaves.items[block as usize][child as usize];
                let part = bits::cuboid(
                    std::array::from_fn(|axis| low[axis].saturating_sub(at[axis]).min(3)),
                    std::array::from_fn(|axis| (high[axis] - at[axis]).min(3)),
                );
                return solid & part != 0;
            }
            let slot =
                self.tree.inner[usize::from(layer) - 2].items[block as usize][child as usize];
            match slot.content() {
                Content::Free => false,
                Content::Solid => true,
                Content::Block(block) => self.block_has_solid(layer - 1, block, at, (low, high)),
            }
        })
    }
}

impl AirCursor<'_> {
    /// The node around a voxel in local coordinates, which must lie inside the bounds.
    #[inline]
    pub fn local_node_at(&mut self, at: [u32; 3]) -> LocalNode {
        match self.cursor.find(at) {
            Lookup::Cube { layer, solid, .. } => LocalNode::Cube { layer, solid },
            Lookup::Leaf { voxels, .. } => {
                let low = at.map(|at| at & !3);
                let size = self.air.size;
                let whole = low[0] + 4 <= size[0] && low[1] + 4 <= size[1] && low[2] + 4 <= size[2];
                let inside = if whole {
                    bits::ALL
                } else {
                    regions::inside(low, size)
                };
                match !voxels & inside {
                    0 => LocalNode::Cube {
                        layer: 0,
                        solid: true,
                    },
                    free if voxels == 0 && free == inside => LocalNode::Cube {
                        layer: 0,
                        solid: false,
                    },
                    free => LocalNode::Leaf { free },
                }
            }
        }
    }
}
