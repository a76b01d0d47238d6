//! Looking around from place to place: what a search asks of the air, thousands of times.

use wayfarer_base::Voxel;

use super::tree::{At, Cursor, Found};
use super::{Air, bits, regions};

mod places;

pub use places::PlaceRoom;

/// What lies around a voxel: one large cube all alike, or a leaf with its voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// A cube without children, cut at the bounds: all free or all solid.
    Cube {
        /// The lowest voxel inside the bounds.
        low: Voxel,
        /// The highest voxel inside the bounds.
        high: Voxel,
        /// True if all of it is solid.
        solid: bool,
    },
    /// A leaf of 4 x 4 x 4 voxels.
    Leaf {
        /// Its lowest voxel.
        low: Voxel,
        /// Its free voxels inside the bounds, bit x + 4 y + 16 z; see [`bits`].
        free: u64,
    },
}

/// A place in the air that remembers its way down the tree: moving on to somewhere near costs
/// little. Borrows the air; any number may look at once.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_world::air::{AirBuilder, Room};
///
/// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [100, 64, 64])?;
/// builder.voxel(Voxel::new(2, 0, 0))?;
/// let air = builder.build()?;
/// let mut cursor = air.cursor();
/// let free = !(1 << 2);
/// let low = Voxel::new(0, 0, 0);
/// assert_eq!(cursor.look(Voxel::new(3, 3, 3)), Some(Room::Leaf { low, free }));
/// let (low, high) = (Voxel::new(64, 0, 0), Voxel::new(99, 63, 63));
/// let cube = Room::Cube { low, high, solid: false };
/// assert_eq!(cursor.look(Voxel::new(70, 9, 9)), Some(cube));
/// assert_eq!(cursor.look(Voxel::new(100, 0, 0)), None); // outside the bounds
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
    /// A cursor at the root.
    pub fn cursor(&self) -> AirCursor<'_> {
        AirCursor {
            air: self,
            cursor: Cursor::new(&self.tree),
        }
    }
}

impl AirCursor<'_> {
    /// What lies around a voxel; `None` outside the bounds.
    #[inline]
    pub fn look(&mut self, at: Voxel) -> Option<Room> {
        let local = self.air.to_local(at)?;
        let size = self.air.size;
        Some(match self.cursor.find(local) {
            Found::Cube { layer, solid, .. } => {
                let side = 4_u32 << layer;
                let low = local.map(|at| at & !(side - 1));
                let high: At = std::array::from_fn(|axis| (low[axis] + side).min(size[axis]) - 1);
                Room::Cube {
                    low: self.air.to_world(low),
                    high: self.air.to_world(high),
                    solid,
                }
            }
            Found::Leaf { voxels, .. } => {
                let low = local.map(|at| at & !3);
                let whole = (0..3).all(|axis| low[axis] + 4 <= size[axis]);
                let inside = if whole {
                    bits::ALL
                } else {
                    regions::inside(low, size)
                };
                Room::Leaf {
                    low: self.air.to_world(low),
                    free: !voxels & inside,
                }
            }
        })
    }

    /// True if the voxel lies inside the bounds and is free.
    #[inline]
    pub fn is_free(&mut self, at: Voxel) -> bool {
        let Some(local) = self.air.to_local(at) else {
            return false;
        };
        match self.cursor.find(local) {
            Found::Cube { solid, .. } => !solid,
            Found::Leaf { voxels, .. } => voxels >> bits::index(local) & 1 == 0,
        }
    }
}
