//! What the columns and edges of one sector block, as bits.

use wayfarer_base::{Column, NavLinkKind, SectorId, Terrain, Wall, WallSide};
use wayfarer_world::ground::Ground;

use super::super::OcclusionRules;

/// The opacity of a sector's columns around one height.
///
/// The floors of a column and the tops of its occluders divide heights into intervals on which the
/// column is clear or blocks throughout; a band has the intervals of all columns around one height.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// Opaque columns by rows, and transposed.
    pub(super) opaque: [[u16; 16]; 2],
    /// Heights, in 1/256 of a step, between which lines are clear where bits are unset; both
    /// included, since a line may graze a floor.
    pub(super) clear_at: (i32, i32),
    /// Heights between which lines are blocked where bits are set, both included.
    pub(super) opaque_at: (i32, i32),
    /// The heights with these bits; the second excluded.
    extent: (i64, i64),
}

impl Band {
    /// The band of a sector around `reference`.
    pub(super) fn new(
        ground: &Ground,
        rules: &OcclusionRules,
        sector: SectorId,
        reference: i32,
    ) -> Self {
        let mut opaque = [[0; 16]; 2];
        let (mut clear_at, mut opaque_at) = ((i64::MIN, i64::MAX), (i64::MIN, i64::MAX));
        let mut extent = (i64::MIN, i64::MAX);
        let origin = sector.origin();
        for y in 0..16_u8 {
            for x in 0..16_u8 {
                let column = Column::new(origin.x + i32::from(x), origin.y + i32::from(y));
                let interval = interval_at(ground, rules, column, reference);
                let (low, high) = interval.between;
                extent = (extent.0.max(low), extent.1.min(high));
                if interval.is_opaque {
                    opaque[0][usize::from(y)] |= 1 << x;
                    opaque[1][usize::from(x)] |= 1 << y;
                    // A line that grazes the end of the interval may pass.
                    opaque_at.0 = opaque_at.0.max(low.saturating_add(1));
                    opaque_at.1 = opaque_at.1.min(high.saturating_sub(1));
                } else {
                    clear_at = (clear_at.0.max(low), clear_at.1.min(high));
                }
            }
        }
        Self {
            opaque,
            clear_at: (clamped(clear_at.0), clamped(clear_at.1)),
            opaque_at: (clamped(opaque_at.0), clamped(opaque_at.1)),
            extent,
        }
    }

    /// True if it is the band of this height.
    #[inline]
    pub(super) fn covers(&self, reference: i32) -> bool {
        let reference = i64::from(reference);
        self.extent.0 <= reference && reference < self.extent.1
    }
}

fn clamped(height: i64) -> i32 {
    let height = height.clamp(i32::MIN.into(), i32::MAX.into());
    i32::try_from(height).expect("just clamped")
}

/// Heights between which a column is the same throughout.
struct Interval {
    between: (i64, i64),
    is_opaque: bool,
}

/// The interval of a column that contains the height just above `reference`.
fn interval_at(
    ground: &Ground,
    rules: &OcclusionRules,
    column: Column,
    reference: i32,
) -> Interval {
    let reference = i64::from(reference);
    let mut between = (i64::MIN, i64::MAX);
    let mut divide = |at: i64| {
        if at <= reference {
            between.0 = between.0.max(at);
        } else {
            between.1 = between.1.min(at);
        }
    };
    let (mut has_floor, mut is_above_lowest, mut is_covered, mut is_solid) =
        (false, false, false, false);
    for (z, terrain) in ground.floors(column) {
        let floor = i64::from(z) * 256;
        divide(floor);
        has_floor = true;
        if floor <= reference {
            is_above_lowest = true;
            is_solid = terrain == Terrain::SOLID;
        }
        if rules.opaque & terrain.bit() != 0 {
            let top = floor + i64::from(rules.opaque_height) * 256;
            divide(top);
            is_covered |= floor <= reference && reference < top;
        }
    }
    let is_opaque = if has_floor {
        !is_above_lowest || is_solid || is_covered
    } else {
        !rules.is_void_transparent
    };
    Interval { between, is_opaque }
}

/// The edges of a sector with a thin wall or a door, at any height.
#[derive(Clone, Debug)]
pub(super) struct SectorEdges {
    /// Rows of bits: eastern and southern edges of columns.
    sides: [[u16; 16]; 2],
}

impl SectorEdges {
    /// The edges of a sector; `None` if no edge has a wall or door.
    pub(super) fn new(ground: &Ground, sector: SectorId) -> Option<Box<Self>> {
        let mut edges = Self {
            sides: [[0; 16]; 2],
        };
        let origin = sector.origin();
        for y in 0..16 {
            for x in 0..16 {
                let column = Column::new(origin.x + x, origin.y + y);
                for (z, _) in ground.floors(column) {
                    for side in [WallSide::East, WallSide::South] {
                        let cell = column.at(z);
                        if ground.has_wall(Wall { cell, side }) {
                            edges.add(column, side);
                        }
                    }
                }
            }
        }
        for door in ground.nav_links_in(sector) {
            let ends = [(door.from, door.to), (door.to, door.from)];
            for (here, there) in ends {
                for side in [WallSide::East, WallSide::South] {
                    if door.kind == NavLinkKind::Door
                        && SectorId::from_column(here.column()) == sector
                        && here.column().step(side.direction()) == Some(there.column())
                    {
                        edges.add(here.column(), side);
                    }
                }
            }
        }
        let is_empty = edges.sides.iter().flatten().all(|row| *row == 0);
        (!is_empty).then(|| Box::new(edges))
    }

    fn add(&mut self, column: Column, side: WallSide) {
        self.sides[side_index(side)][row_of(column)] |= bit_of(column);
    }

    #[inline]
    pub(super) fn has(&self, column: Column, side: WallSide) -> bool {
        self.sides[side_index(side)][row_of(column)] & bit_of(column) != 0
    }
}

const fn side_index(side: WallSide) -> usize {
    match side {
        WallSide::East => 0,
        WallSide::South => 1,
    }
}

fn row_of(column: Column) -> usize {
    (column.y & 15).cast_unsigned() as usize
}

fn bit_of(column: Column) -> u16 {
    1 << (column.x & 15)
}
