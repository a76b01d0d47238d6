//! The regions of a baked abstraction over the cells of a dense ground.

use thiserror::Error;
use wayfarer_base::{Cell, Cost, Direction, Revision};
use wayfarer_world::baked::{BakedAbstraction, BakedRegion};
use wayfarer_world::dense::DenseGround;
use wayfarer_world::ground::SuccessorBuffer;

use super::abstract_graph::AbstractGraph;

/// A baked abstraction and the ground it was built from.
#[derive(Clone, Copy, Debug)]
pub struct BakedGraph<'w> {
    baked: &'w BakedAbstraction,
    ground: &'w DenseGround,
    /// Offset of the cell number by direction.
    offsets: [u32; 8],
}

/// Baked abstraction and ground differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the baked abstraction has {} x {} cells, the ground {} x {}",
    baked.0, baked.1, ground.0, ground.1
)]
pub struct SizeMismatch {
    /// Columns and rows of the baked abstraction.
    pub baked: (u32, u32),
    /// Columns and rows of the ground.
    pub ground: (u32, u32),
}

impl<'w> BakedGraph<'w> {
    /// Combines the two. Their cells are not compared: where they differ, paths may be missed, but
    /// none crosses a blocked cell.
    ///
    /// # Errors
    /// If they differ in size.
    pub fn new(baked: &'w BakedAbstraction, ground: &'w DenseGround) -> Result<Self, SizeMismatch> {
        let size = (ground.raster().width(), ground.raster().height());
        if (baked.width(), baked.height()) != size {
            return Err(SizeMismatch {
                baked: (baked.width(), baked.height()),
                ground: size,
            });
        }
        let stride = ground.layout().stride().cast_signed();
        let offsets = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            (dy * stride + dx).cast_unsigned()
        });
        Ok(Self {
            baked,
            ground,
            offsets,
        })
    }
}

/// The region of the first center in the connected component of column (`x`, `y`) inside its sector,
/// by straight steps over walkable columns; bit-parallel flood fill.
pub(super) fn region_by_flood(
    baked: &BakedAbstraction,
    (sector, x, y): (u32, i32, i32),
    is_walkable: impl Fn(i32, i32) -> bool,
) -> Option<BakedRegion> {
    let (left, top) = baked.origin(sector);
    let side = baked.side().cast_signed();
    let mut walkable = [0_u16; 16];
    for (row, y) in walkable.iter_mut().zip(top..top + side) {
        for column in 0..side {
            *row |= u16::from(is_walkable(left + column, y)) << column;
        }
    }
    let index = |at: i32| usize::try_from(at).unwrap_or(0);
    let mut seed = [0_u16; 16];
    seed[index(y - top)] = 1 << (x - left);
    let regions = 0..baked.n_regions_in(sector);
    let regions = regions.map(|ordinal| BakedRegion { sector, ordinal });
    loop {
        let reached = |region: &BakedRegion| {
            let (x, y) = baked.center(*region);
            seed[index(y - top)] >> (x - left) & 1 == 1
        };
        if let Some(region) = regions.clone().find(reached) {
            return Some(region);
        }
        let before = seed;
        for row in 0..16 {
            let above = if row > 0 { seed[row - 1] } else { 0 };
            let below = if row < 15 { before[row + 1] } else { 0 };
            let here = seed[row];
            seed[row] = (here | here << 1 | here >> 1 | above | below) & walkable[row];
        }
        if seed == before {
            return None;
        }
    }
}

impl AbstractGraph for BakedGraph<'_> {
    type Region = BakedRegion;

    fn revision(&self) -> Revision {
        self.ground.revision()
    }

    fn number(&self, cell: Cell) -> Result<u32, &'static str> {
        match self.ground.blocked_reason(cell) {
            Some(reason) => Err(reason),
            None => Ok(self.ground.layout().index(cell.x, cell.y)),
        }
    }

    #[inline]
    fn cell(&self, number: u32) -> Cell {
        self.ground.layout().cell(number)
    }

    fn may_reach(&self, from: u32, to: u32) -> bool {
        self.ground.is_connected(self.cell(from), self.cell(to))
    }

    #[inline]
    fn for_each_successor(
        &self,
        number: u32,
        _: &mut SuccessorBuffer,
        mut visit: impl FnMut(u32, u32),
    ) {
        let mut moves = self.ground.moves()[number as usize];
        while moves != 0 {
            let direction = moves.trailing_zeros();
            moves &= moves - 1;
            let to = number.wrapping_add(self.offsets[direction as usize & 7]);
            visit(to, Cost::for_step(direction & 1 == 1).units());
        }
    }

    #[inline]
    fn step(
        &self,
        number: u32,
        direction: Direction,
        _: &mut SuccessorBuffer,
    ) -> Option<(u32, u32)> {
        let index = direction.index();
        let is_open = self.ground.moves()[number as usize] >> index & 1 == 1;
        is_open.then(|| {
            let to = number.wrapping_add(self.offsets[usize::from(index)]);
            (to, Cost::for_step(direction.is_diagonal()).units())
        })
    }

    fn n_sectors(&self) -> u32 {
        self.baked.n_sectors()
    }

    #[inline]
    fn sector(&self, number: u32) -> u32 {
        let Cell { x, y, .. } = self.cell(number);
        self.baked.sector_at(x, y).unwrap_or(0)
    }

    #[inline]
    fn sector_of(&self, region: BakedRegion) -> u32 {
        region.sector
    }

    fn region(&self, number: u32) -> Option<BakedRegion> {
        let Cell { x, y, .. } = self.cell(number);
        let sector = self.baked.sector_at(x, y)?;
        match self.baked.n_regions_in(sector) {
            0 => None,
            1 => Some(BakedRegion { sector, ordinal: 0 }),
            _ => {
                let raster = self.ground.raster();
                let is_walkable = |x, y| raster.is_walkable(x, y);
                region_by_flood(self.baked, (sector, x, y), is_walkable)
            }
        }
    }

    #[inline]
    fn center(&self, region: BakedRegion) -> Option<u32> {
        let (x, y) = self.baked.center(region);
        let raster = self.ground.raster();
        raster
            .is_walkable(x, y)
            .then(|| self.ground.layout().index(x, y))
    }

    #[inline]
    fn for_each_edge(&self, region: BakedRegion, visit: impl FnMut(BakedRegion)) {
        self.baked.for_each_edge(region, visit);
    }
}
