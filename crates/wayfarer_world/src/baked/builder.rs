//! Construction of the region graph: flood fill per sector, edges across borders, then packing.

use thiserror::Error;
use wayfarer_base::{Direction, Raster};

use super::{BakedAbstraction, BakedRegion, EDGE_ORDER, SectorWord, default_center, next_sector};

/// An unpacked region graph, whose centers can still be moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractionBuilder {
    side: u8,
    width: u32,
    height: u32,
    across: u32,
    sectors: Vec<Vec<RegionBuilder>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct RegionBuilder {
    /// A bit per cell, row by row.
    rows: [u16; 16],
    center: u8,
    edges: Vec<(Direction, u8)>,
}

/// A map that cannot be baked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// An unsupported sector side.
    #[error("sectors of {found} cells a side, expected 4 to 16")]
    Side {
        /// The side.
        found: u32,
    },
    /// Too many regions in a sector.
    #[error("the sector from ({x}, {y}) has {found} regions, expected at most 254")]
    Regions {
        /// Column of its first cell.
        x: i32,
        /// Row of its first cell.
        y: i32,
        /// The number of regions.
        found: usize,
    },
    /// Too much region data.
    #[error("the regions take {found} bytes, expected at most 8388608")]
    Data {
        /// Its size in bytes.
        found: usize,
    },
}

impl AbstractionBuilder {
    /// Divides a map into regions. Centers are the cells nearest to the centroids, ties row by row.
    ///
    /// # Errors
    /// A side below 4 or above 16.
    pub fn from_raster(map: &Raster, side: u32) -> Result<Self, BakeError> {
        let narrow = u8::try_from(side)
            .ok()
            .filter(|side| (4..=16).contains(side));
        let Some(narrow) = narrow else {
            return Err(BakeError::Side { found: side });
        };
        let (across, down) = (map.width().div_ceil(side), map.height().div_ceil(side));
        let mut builder = Self {
            side: narrow,
            width: map.width(),
            height: map.height(),
            across,
            sectors: Vec::with_capacity((across * down) as usize),
        };
        for row in 0..down {
            for column in 0..across {
                let origin = ((column * side).cast_signed(), (row * side).cast_signed());
                let board = board(map, narrow, origin);
                builder.sectors.push(regions(board, narrow));
            }
        }
        for sector in 0..builder.n_sectors() {
            builder.find_edges(sector);
        }
        Ok(builder)
    }

    fn n_sectors(&self) -> u32 {
        u32::try_from(self.sectors.len()).unwrap_or(u32::MAX)
    }

    /// Every region, sector by sector.
    pub fn regions(&self) -> impl Iterator<Item = BakedRegion> {
        (0_u32..).zip(&self.sectors).flat_map(|(sector, regions)| {
            (0..=u8::MAX)
                .zip(regions)
                .map(move |(ordinal, _)| BakedRegion { sector, ordinal })
        })
    }

    /// The center of a region.
    pub fn center(&self, region: BakedRegion) -> (i32, i32) {
        self.cell_at(region.sector, self.region(region).center)
    }

    /// True if the region's sector is a default sector, which `bake` omits.
    pub fn is_default(&self, region: BakedRegion) -> bool {
        is_default(&self.sectors[region.sector as usize], self.side)
    }

    /// The cells of a region, row by row.
    pub fn cells(&self, region: BakedRegion) -> impl Iterator<Item = (i32, i32)> {
        let cells = locals(self.region(region).rows, self.side);
        cells.map(move |local| self.cell_at(region.sector, local))
    }

    /// The regions with an edge to a region, in the order of [`BakedAbstraction::for_each_edge`].
    pub fn edges(&self, region: BakedRegion) -> impl Iterator<Item = BakedRegion> {
        let edges = self.region(region).edges.iter();
        edges.filter_map(move |(direction, ordinal)| {
            Some(BakedRegion {
                sector: self.next(region.sector, *direction)?,
                ordinal: *ordinal,
            })
        })
    }

    /// Moves the center of a region to another of its cells; false if the cell is not in the
    /// region.
    pub fn set_center(&mut self, region: BakedRegion, (x, y): (i32, i32)) -> bool {
        let (left, top) = self.cell_at(region.sector, 0);
        let side = self.side;
        let inside = |offset: i32| u8::try_from(offset).ok().filter(|offset| *offset < side);
        let (Some(column), Some(row)) = (inside(x - left), inside(y - top)) else {
            return false;
        };
        let region = &mut self.sectors[region.sector as usize][usize::from(region.ordinal)];
        let is_own = region.rows[usize::from(row)] >> column & 1 == 1;
        if is_own {
            region.center = row * side + column;
        }
        is_own
    }

    /// Packs the graph and omits the data of default sectors.
    ///
    /// # Errors
    /// More than 254 regions in a sector, or more than 2^23 bytes of region data.
    pub fn bake(&self) -> Result<BakedAbstraction, BakeError> {
        self.encode(true)
    }

    /// Packs the graph with default sectors stored like any other: the baseline of
    /// \[Sturtevant2007\].
    ///
    /// # Errors
    /// As for [`AbstractionBuilder::bake`].
    pub fn bake_all(&self) -> Result<BakedAbstraction, BakeError> {
        self.encode(false)
    }

    fn encode(&self, omits_defaults: bool) -> Result<BakedAbstraction, BakeError> {
        let mut words = Vec::with_capacity(self.sectors.len());
        let mut data = Vec::new();
        for (sector, regions) in (0_u32..).zip(&self.sectors) {
            if omits_defaults && is_default(regions, self.side) {
                words.push(SectorWord::DEFAULT.0);
                continue;
            }
            let n_regions = u8::try_from(regions.len()).ok();
            let fitting = n_regions.filter(|n| usize::from(*n) <= SectorWord::MAX_REGIONS);
            let Some(n_regions) = fitting else {
                let (x, y) = self.cell_at(sector, 0);
                let found = regions.len();
                return Err(BakeError::Regions { x, y, found });
            };
            let n_edges: usize = regions.iter().map(|region| region.edges.len()).sum();
            let mut targets = regions.iter().flat_map(|region| &region.edges);
            let is_wide = n_edges > 255 || targets.any(|(_, ordinal)| *ordinal >= 32);
            let address = u32::try_from(data.len()).unwrap_or(u32::MAX);
            if data.len() >= SectorWord::END {
                return Err(BakeError::Data { found: data.len() });
            }
            let address = if regions.is_empty() { 0 } else { address };
            words.push(SectorWord::new(n_regions, address, is_wide).0);
            write_regions(regions, is_wide, &mut data);
        }
        if data.len() > SectorWord::END {
            return Err(BakeError::Data { found: data.len() });
        }
        data.shrink_to_fit();
        Ok(BakedAbstraction {
            side: self.side,
            width: self.width,
            height: self.height,
            across: self.across,
            sectors: words,
            data,
            variants: Vec::new(),
        })
    }

    fn region(&self, region: BakedRegion) -> &RegionBuilder {
        &self.sectors[region.sector as usize][usize::from(region.ordinal)]
    }

    fn cell_at(&self, sector: u32, local: u8) -> (i32, i32) {
        let (side, local) = (u32::from(self.side), u32::from(local));
        let x = sector % self.across * side + local % side;
        let y = sector / self.across * side + local / side;
        (x.cast_signed(), y.cast_signed())
    }

    fn next(&self, sector: u32, direction: Direction) -> Option<u32> {
        next_sector((self.across, self.n_sectors()), sector, direction)
    }

    /// The region of `sector` that contains the cell at `column` and `row`.
    fn region_at(&self, sector: u32, column: u8, row: u8) -> Option<u8> {
        let regions = &self.sectors[sector as usize];
        let at = regions
            .iter()
            .position(|region| region.rows[usize::from(row)] >> column & 1 == 1)?;
        u8::try_from(at).ok()
    }

    /// Finds the edges of a sector's regions.
    fn find_edges(&mut self, sector: u32) {
        let last = self.side - 1;
        for ordinal in 0..self.sectors[sector as usize].len() {
            let rows = self.sectors[sector as usize][ordinal].rows;
            let has = |column: u8, row: u8| rows[usize::from(row)] >> column & 1 == 1;
            let mut edges = Vec::new();
            for direction in EDGE_ORDER {
                let Some(next) = self.next(sector, direction) else {
                    continue;
                };
                let first = edges.len();
                if direction.is_diagonal() {
                    let (dx, dy) = direction.offset();
                    let (column, row) =
                        (if dx > 0 { last } else { 0 }, if dy > 0 { last } else { 0 });
                    if has(column, row)
                        && self.is_open(sector, direction.turned(7), column, row)
                        && self.is_open(sector, direction.turned(1), column, row)
                        && let Some(there) = self.region_at(next, last - column, last - row)
                    {
                        edges.push((direction, there));
                    }
                    continue;
                }
                for along in 0..=last {
                    let (here, there) = match direction {
                        Direction::North => ((along, 0), (along, last)),
                        Direction::East => ((last, along), (0, along)),
                        Direction::South => ((along, last), (along, 0)),
                        _ => ((0, along), (last, along)),
                    };
                    if has(here.0, here.1)
                        && let Some(there) = self.region_at(next, there.0, there.1)
                        && !edges[first..].contains(&(direction, there))
                    {
                        edges.push((direction, there));
                    }
                }
                edges[first..].sort_unstable_by_key(|(_, there)| *there);
            }
            self.sectors[sector as usize][ordinal].edges = edges;
        }
    }

    /// True if the cell beyond the border in a straight direction is walkable.
    fn is_open(&self, sector: u32, direction: Direction, column: u8, row: u8) -> bool {
        let last = self.side - 1;
        let (column, row) = match direction {
            Direction::North => (column, last),
            Direction::South => (column, 0),
            Direction::East => (0, row),
            _ => (last, row),
        };
        self.next(sector, direction)
            .is_some_and(|next| self.region_at(next, column, row).is_some())
    }
}

fn is_default(regions: &[RegionBuilder], side: u8) -> bool {
    matches!(regions, [only] if only.center == default_center(side)
    && only.edges.len() == 8
    && only.edges.iter().zip(EDGE_ORDER).all(|((to, ordinal), direction)| {
        *ordinal == 0 && *to == direction
    }))
}

fn write_regions(regions: &[RegionBuilder], is_wide: bool, data: &mut Vec<u8>) {
    let mut n_edges = 0_u16;
    for region in regions {
        // A region has at most 68 cells around it, a sector at most 254 regions.
        n_edges += u16::try_from(region.edges.len()).unwrap_or(u16::MAX);
        let [low, high] = n_edges.to_le_bytes();
        data.extend([region.center, low]);
        if is_wide {
            data.push(high);
        }
    }
    for (direction, ordinal) in regions.iter().flat_map(|region| &region.edges) {
        if is_wide {
            data.extend([direction.index(), *ordinal]);
        } else {
            data.push(direction.index() << 5 | ordinal);
        }
    }
}

/// The walkable cells of a sector, a bit per cell.
fn board(map: &Raster, side: u8, (left, top): (i32, i32)) -> [u16; 16] {
    let mut rows = [0; 16];
    for (row, y) in rows.iter_mut().zip(top..top + i32::from(side)) {
        for column in 0..i32::from(side) {
            *row |= u16::from(map.is_walkable(left + column, y)) << column;
        }
    }
    rows
}

/// The regions of a sector, ordered by first cell, without edges.
fn regions(mut board: [u16; 16], side: u8) -> Vec<RegionBuilder> {
    let mut regions = Vec::new();
    while let Some(row) = board.iter().position(|row| *row != 0) {
        let mut seed = [0; 16];
        seed[row] = board[row] & board[row].wrapping_neg();
        let rows = flood_fill(seed, &board);
        for (left, taken) in board.iter_mut().zip(rows) {
            *left &= !taken;
        }
        regions.push(RegionBuilder {
            rows,
            center: nearest_to_centroid(rows, side),
            edges: Vec::new(),
        });
    }
    regions
}

/// All cells of `board` connected to `seed` by straight steps.
fn flood_fill(mut seed: [u16; 16], board: &[u16; 16]) -> [u16; 16] {
    loop {
        let before = seed;
        for row in 0..16 {
            let above = if row > 0 { seed[row - 1] } else { 0 };
            let below = if row < 15 { seed[row + 1] } else { 0 };
            let mut spread = (seed[row] | above | below) & board[row];
            loop {
                let wider = (spread | spread << 1 | spread >> 1) & board[row];
                if wider == spread {
                    break;
                }
                spread = wider;
            }
            seed[row] = spread;
        }
        if seed == before {
            return seed;
        }
    }
}

/// The cells of a board, row by row.
fn locals(rows: [u16; 16], side: u8) -> impl Iterator<Item = u8> {
    (0..side).flat_map(move |row| {
        (0..side)
            .filter(move |column| rows[usize::from(row)] >> column & 1 == 1)
            .map(move |column| row * side + column)
    })
}

/// The cell nearest to the centroid, ties row by row.
fn nearest_to_centroid(rows: [u16; 16], side: u8) -> u8 {
    let position = |local: u8| (i32::from(local % side), i32::from(local / side));
    let (mut count, mut sum_x, mut sum_y) = (0, 0, 0);
    for (x, y) in locals(rows, side).map(position) {
        count += 1;
        sum_x += x;
        sum_y += y;
    }
    // Distances in units of 1/count are exact.
    let distance = |local: &u8| {
        let (x, y) = position(*local);
        let (dx, dy) = (x * count - sum_x, y * count - sum_y);
        dx * dx + dy * dy
    };
    locals(rows, side).min_by_key(distance).unwrap_or(0)
}
