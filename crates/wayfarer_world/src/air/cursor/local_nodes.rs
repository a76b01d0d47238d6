//! The same by places counted from the low corner, where cubes lie on round numbers: for searches
//! that do their own arithmetic.

use wayfarer_base::Voxel;

use super::super::tree::{At, Content, Found};
use super::super::{Air, bits, regions};
use super::AirCursor;

/// What lies around a place, in the smallest form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalNode {
    /// A cube of this layer (side `4 << layer`, at a multiple of its side) without children, all
    /// free or all solid; part of it may lie outside the bounds.
    Cube {
        /// Its layer, 0 for a leaf's worth.
        layer: u8,
        /// True if all of it is solid.
        solid: bool,
    },
    /// A leaf of 4 x 4 x 4 voxels with some of them free.
    Leaf {
        /// Its free voxels inside the bounds, bit x + 4 y + 16 z; neither none nor all 64.
        free: u64,
    },
}

impl Air {
    /// A voxel as a place counted from the low corner of the bounds; `None` outside.
    #[inline]
    pub fn place(&self, at: Voxel) -> Option<[u32; 3]> {
        self.to_local(at)
    }

    /// The voxel at a place counted from the low corner of the bounds.
    #[inline]
    pub fn voxel(&self, place: [u32; 3]) -> Voxel {
        self.to_world(place)
    }

    /// True if something in the box between two places, both included and inside the bounds, is
    /// solid.
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(-5, 0, 0), [100, 64, 64])?;
    /// builder.voxel(Voxel::new(2, 9, 9))?;
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

    /// As [`Air::has_solid`], for the children of the node of `layer` at `corner`.
    fn block_has_solid(&self, layer: u8, block: u32, corner: At, (low, high): (At, At)) -> bool {
        let half = 2_u32 << layer;
        (0..8_u32).any(|child| {
            let at: At = std::array::from_fn(|axis| corner[axis] + (child >> axis & 1) * half);
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
    /// What lies around a place, which must lie inside the bounds.
    #[inline]
    pub fn local_node_at(&mut self, place: [u32; 3]) -> LocalNode {
        match self.cursor.find(place) {
            Found::Cube { layer, solid, .. } => LocalNode::Cube { layer, solid },
            Found::Leaf { voxels, .. } => {
                let low = place.map(|at| at & !3);
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
