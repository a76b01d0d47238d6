//! Cluster graph: the component hierarchy as an abstraction for hierarchical search.
//!
//! A cluster is a block of 64 x 64 columns (level 0) or a group of 4 x 4 clusters of the level
//! below. An abstract node is a connected component of one cluster; in a block, of one rank. Its
//! edges are the boundary runs and exits that `ground::hierarchy` maintains, so nothing is stored
//! here, and every edit keeps the graph up to date.

use wayfarer_base::{Cell, Column, Direction};

use super::Ground;
use super::bitboard::{self, Bitboard};
use super::bits::SheetBits;
use super::hierarchy::{
    HierarchyEdge, HierarchyNode, RegionSlot, block_of, first_position, position_in,
};
use super::node::NodeId;
use super::page::{NONE, PageKey};
use super::sheet::Sheet;

/// A connected component of a cluster; in a block, of cells of one rank. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AbstractNodeId(pub(super) HierarchyNode);

/// How an abstract node is connected with a neighbor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractEdge {
    /// Over a side of the cluster.
    Side(Direction),
    /// Otherwise, such as by a nav link or to another rank: the first cell of the region that it
    /// leads to.
    Exit(Option<Cell>),
}

impl AbstractNodeId {
    /// Level of its cluster: 0 for a block, 1 for 4 x 4 blocks, and so on.
    #[inline]
    pub const fn level(self) -> u8 {
        self.0.level
    }
}

impl Ground {
    /// Side of a block in columns.
    pub const CLUSTER_SIDE: i32 = 64;

    /// The level-0 node of a cell.
    pub fn abstract_node(&self, node: NodeId) -> AbstractNodeId {
        let sheet = self.page(node.page()).sheet(node.position());
        let label = sheet.map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        AbstractNodeId(HierarchyNode {
            level: 0,
            cluster: block_of(node.page(), node.position()),
            label: label.into(),
        })
    }

    /// Levels of the graph, blocks included. Grows with the world.
    pub fn n_abstraction_levels(&self) -> u8 {
        self.hierarchy.n_node_levels()
    }

    /// The node one level up; `None` if no edge leaves the cluster, or at the top level.
    #[inline]
    pub fn abstract_parent(&self, node: AbstractNodeId) -> Option<AbstractNodeId> {
        self.hierarchy.parent(node.0).map(AbstractNodeId)
    }

    /// Coordinates of the node's cluster, in clusters of its level; a block begins at column 64
    /// times that.
    pub fn cluster_of(&self, node: AbstractNodeId) -> (i32, i32) {
        let key = self.hierarchy.key_of_node(self, node.0);
        (key.x, key.y)
    }

    /// Calls `visit` with every node of the same level that a step or nav link connects with
    /// `node`, in either direction, some more than once. Nodes in the clusters to the north, east,
    /// south and west come first, in an order that follows from the cells; then the others, in no
    /// particular order.
    pub fn for_each_abstract_neighbor(
        &self,
        node: AbstractNodeId,
        mut visit: impl FnMut(AbstractNodeId, AbstractEdge),
    ) {
        self.hierarchy
            .for_each_neighbor(self, node.0, |neighbor, edge| {
                let edge = match edge {
                    HierarchyEdge::Side(side) => AbstractEdge::Side(side),
                    HierarchyEdge::Exit(to) => AbstractEdge::Exit(self.first_cell(to)),
                };
                visit(AbstractNodeId(neighbor), edge);
            });
    }

    /// The first cell of a region, row by row.
    fn first_cell(&self, region: RegionSlot) -> Option<Cell> {
        let sheet = self.page(region.page).sheet(region.position)?;
        let local = bitboard::first(&sheet.board_of(region.ordinal))?;
        Some(self.cell(NodeId::new(region.page, region.position, local)))
    }

    /// The sheets of one rank of a block, row by row, each with its coordinates in the block, 0 to
    /// 3. The block begins at column 64 times `block`.
    pub fn sheets_of_cluster(
        &self,
        block: (i32, i32),
        rank: u8,
    ) -> impl Iterator<Item = ((u32, u32), SheetBits<'_>)> {
        self.sheets_of_cluster_in(0, block, rank)
    }

    /// [`Ground::sheets_of_cluster`] for the profile of a layer.
    pub(super) fn sheets_of_cluster_in(
        &self,
        layer: u32,
        block: (i32, i32),
        rank: u8,
    ) -> impl Iterator<Item = ((u32, u32), SheetBits<'_>)> {
        let key = PageKey {
            x: block.0 >> 1,
            y: block.1 >> 1,
        };
        let mut page = self.page_at(key).unwrap_or(NONE);
        for _ in 0..rank {
            if page != NONE {
                page = self.page(page).above;
            }
        }
        let corner = (block.1 & 1) << 1 | block.0 & 1;
        let first = first_position(corner.cast_unsigned());
        let indices = if page == NONE { 0..0_u8 } else { 0..16_u8 };
        indices.filter_map(move |index| {
            let sheet = self.sheet_at(layer, page, position_in(first, index))?;
            Some(((u32::from(index & 3), u32::from(index >> 2)), sheet))
        })
    }

    /// A cell of a level-0 node near `column`: the nearest in the nearest of its sectors, ties row
    /// by row. `None` if the node no longer exists or has a higher level.
    pub fn cell_in(&self, node: AbstractNodeId, column: Column) -> Option<NodeId> {
        let (level, block, label) = (node.0.level, node.0.cluster, node.0.label);
        if level != 0 {
            return None;
        }
        let page = block >> 2;
        let stored = self.pages.get(page as usize)?.as_deref()?;
        let in_block = |sheet: &&Sheet| block_of(page, sheet.position) == block;
        let sheets = stored.sheets.iter().filter(in_block).map(|sheet| {
            let mut board = bitboard::EMPTY;
            for (ordinal, region) in (0..).zip(sheet.regions()) {
                if u32::from(region.label) == label {
                    for (row, more) in board.iter_mut().zip(sheet.board_of(ordinal)) {
                        *row |= more;
                    }
                }
            }
            (sheet.position, board)
        });
        let (position, local) = nearest_cell(stored.key, sheets, column)?;
        Some(NodeId::new(page, position, local))
    }
}

/// The set cell nearest to `column` in the sector nearest to it, of sheets with any set cell, each
/// given by its position in the page at `key`; ties row by row.
pub(super) fn nearest_cell(
    key: PageKey,
    sheets: impl Iterator<Item = (u8, Bitboard)>,
    column: Column,
) -> Option<(u8, u8)> {
    let squared = |x: i64, y: i64| x * x + y * y;
    let away = |position: u8| {
        let origin = key.sector(position).origin();
        let along = |from: i32, to: i32| (i64::from(from) - i64::from(to)) * 2 + 15;
        let distance = squared(along(origin.x, column.x), along(origin.y, column.y));
        (distance, origin.y, origin.x)
    };
    let sheets = sheets.filter(|(_, board)| !bitboard::is_empty(board));
    let (position, board) = sheets.min_by_key(|(position, _)| away(*position))?;
    let origin = key.sector(position).origin();
    let nearest = bitboard::cells(&board).min_by_key(|local| {
        let x = i64::from(origin.x) + i64::from(local & 15) - i64::from(column.x);
        let y = i64::from(origin.y) + i64::from(local >> 4) - i64::from(column.y);
        (squared(x, y), *local)
    });
    Some((position, nearest?))
}

#[cfg(test)]
mod tests;
