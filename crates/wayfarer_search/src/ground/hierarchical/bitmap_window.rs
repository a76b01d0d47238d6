//! A window of the ground around the agent as bitboards, cluster by cluster.
//!
//! The window holds 8 x 8 clusters of 64 x 64 columns, a tile each, at their coordinates modulo 8. A
//! tile is loaded on first access and stays until another cluster takes its slot or the ground
//! changes. Only uniform sheets of one rank and height are walkable in it; everything else is
//! blocked, and so is all outside the rectangle of clusters set for a search. 65 KiB.

use wayfarer_base::Revision;
use wayfarer_world::ground::{NodeId, ProfileGround};

/// Clusters along each side.
const SIDE: i32 = 8;
/// The tile that stands for everything outside: all blocked.
const BLOCKED: usize = (SIDE * SIDE) as usize;

/// A cluster: bit x of row y, and bit y of column x, are set if the cell is walkable.
#[derive(Clone, Debug)]
struct Tile {
    rows: [u64; 64],
    columns: [u64; 64],
}

/// A cached part of the ground as bitboards.
#[derive(Clone, Debug, Default)]
pub(super) struct BitmapWindow {
    tiles: Vec<Tile>,
    /// The cluster that each tile holds.
    clusters: Vec<Option<(i32, i32)>>,
    /// What the tiles were loaded from: ground identity, revision, layer, rank and height.
    source: (u64, Revision, u32, u8, i32),
    low: (i32, i32),
    high: (i32, i32),
}

#[expect(
    clippy::cast_sign_loss,
    reason = "the lowest bits of coordinates are never negative"
)]
impl BitmapWindow {
    /// Prepares for searches from `start` among clusters `low` to `high`; false if the start's sheet
    /// is irregular or the rectangle is more than eight clusters along a side.
    pub(super) fn prepare(
        &mut self,
        ground: ProfileGround<'_>,
        start: NodeId,
        low: (i32, i32),
        high: (i32, i32),
    ) -> bool {
        let fits = high.0 - low.0 < SIDE && high.1 - low.1 < SIDE;
        if !fits || !ground.bits(start).is_uniform() {
            return false;
        }
        if self.tiles.is_empty() {
            let blocked = Tile {
                rows: [0; 64],
                columns: [0; 64],
            };
            self.tiles = vec![blocked; BLOCKED + 1];
            self.clusters = vec![None; BLOCKED];
        }
        let source = (
            ground.identity(),
            ground.revision(),
            ground.layer_id(),
            ground.rank(start),
            ground.cell(start).z,
        );
        if self.source != source {
            self.source = source;
            self.clusters.fill(None);
        }
        (self.low, self.high) = (low, high);
        true
    }

    /// True if (x, y) is walkable.
    #[inline]
    pub(super) fn is_walkable(&mut self, ground: &ProfileGround<'_>, x: i32, y: i32) -> bool {
        self.row(ground, x >> 6, y) >> (x & 63) & 1 == 1
    }

    /// Row `y`, columns 64 `cluster` to 64 `cluster` + 63.
    #[inline(always)]
    fn row(&mut self, ground: &ProfileGround<'_>, cluster: i32, y: i32) -> u64 {
        let tile = self.tile(ground, (cluster, y >> 6));
        self.tiles[tile].rows[(y & 63) as usize]
    }

    /// Rows `y` - 1, `y` and `y` + 1, columns 64 `cluster` to 64 `cluster` + 63.
    #[inline]
    pub(super) fn rows(&mut self, ground: &ProfileGround<'_>, cluster: i32, y: i32) -> [u64; 3] {
        let at = (y & 63) as usize;
        if at == 0 || at == 63 {
            return [y - 1, y, y + 1].map(|y| self.row(ground, cluster, y));
        }
        let tile = self.tile(ground, (cluster, y >> 6));
        let rows = &self.tiles[tile].rows;
        [rows[at - 1], rows[at], rows[at + 1]]
    }

    /// Columns `x` - 1, `x` and `x` + 1, rows 64 `cluster` to 64 `cluster` + 63.
    #[inline]
    pub(super) fn columns(&mut self, ground: &ProfileGround<'_>, x: i32, cluster: i32) -> [u64; 3] {
        let at = (x & 63) as usize;
        if at == 0 || at == 63 {
            return [x - 1, x, x + 1].map(|x| self.column(ground, x, cluster));
        }
        let tile = self.tile(ground, (x >> 6, cluster));
        let columns = &self.tiles[tile].columns;
        [columns[at - 1], columns[at], columns[at + 1]]
    }

    /// Column `x`, rows 64 `cluster` to 64 `cluster` + 63.
    #[inline]
    fn column(&mut self, ground: &ProfileGround<'_>, x: i32, cluster: i32) -> u64 {
        let tile = self.tile(ground, (x >> 6, cluster));
        self.tiles[tile].columns[(x & 63) as usize]
    }

    /// The index of a cluster's tile, loaded if necessary.
    #[inline]
    fn tile(&mut self, ground: &ProfileGround<'_>, cluster: (i32, i32)) -> usize {
        let (x, y) = cluster;
        let is_outside = x < self.low.0 || x > self.high.0 || y < self.low.1 || y > self.high.1;
        if is_outside {
            return BLOCKED;
        }
        let tile = ((y & (SIDE - 1)) * SIDE + (x & (SIDE - 1))) as usize;
        if self.clusters[tile] != Some(cluster) {
            self.load(ground, tile, cluster);
        }
        tile
    }

    #[inline(never)]
    fn load(&mut self, ground: &ProfileGround<'_>, number: usize, cluster: (i32, i32)) {
        self.clusters[number] = Some(cluster);
        let tile = &mut self.tiles[number];
        tile.rows.fill(0);
        tile.columns.fill(0);
        let (.., rank, height) = self.source;
        for ((x, y), sheet) in ground.sheets_of_cluster(cluster, rank) {
            if !sheet.is_uniform() || sheet.cell(sheet.node(0, 0)).z != height {
                continue;
            }
            for along in 0..16 {
                let row = u64::from(sheet.rows(along)[1]);
                tile.rows[(y * 16 + along) as usize] |= row << (x * 16);
                let column = u64::from(sheet.columns(along)[1]);
                tile.columns[(x * 16 + along) as usize] |= column << (y * 16);
            }
        }
    }
}
