//! The cluster graph of one profile; see [`AbstractNodeId`].

use wayfarer_base::Column;

use super::ProfileGround;
use super::adjacency::LayerGraph;
use crate::ground::bitboard;
use crate::ground::bits::SheetBits;
use crate::ground::clusters::{AbstractEdge, AbstractNodeId, nearest_cell};
use crate::ground::hierarchy::{HierarchyEdge, HierarchyNode, block_of};
use crate::ground::node::NodeId;

impl<'a> ProfileGround<'a> {
    /// The level-0 node of a cell where the agent fits.
    pub fn abstract_node(self, node: NodeId) -> AbstractNodeId {
        let Some(layer) = self.layer else {
            return self.ground.abstract_node(node);
        };
        let sheet = layer.sheet(self.ground, node.page(), node.position());
        let label = sheet.and_then(|sheet| sheet.label(sheet.region_at(node.local())?));
        AbstractNodeId(HierarchyNode {
            level: 0,
            cluster: block_of(node.page(), node.position()),
            label: label.unwrap_or_default().into(),
        })
    }

    /// The node one level up; `None` if no edge leaves the cluster, or at the top level.
    #[inline]
    pub fn abstract_parent(self, node: AbstractNodeId) -> Option<AbstractNodeId> {
        match self.layer {
            None => self.ground.abstract_parent(node),
            Some(layer) => layer.hierarchy.parent(node.0).map(AbstractNodeId),
        }
    }

    /// Coordinates of the node's cluster, in clusters of its level; a block begins at column 64
    /// times that.
    pub fn cluster_of(self, node: AbstractNodeId) -> (i32, i32) {
        let Some(layer) = self.layer else {
            return self.ground.cluster_of(node);
        };
        let key = layer.hierarchy.key_of_node(self.ground, node.0);
        (key.x, key.y)
    }

    /// Calls `visit` with every node of the same level that a step or nav link connects with
    /// `node`; as [`Ground::for_each_abstract_neighbor`](crate::ground::Ground).
    pub fn for_each_abstract_neighbor(
        self,
        node: AbstractNodeId,
        mut visit: impl FnMut(AbstractNodeId, AbstractEdge),
    ) {
        let Some(layer) = self.layer else {
            self.ground.for_each_abstract_neighbor(node, visit);
            return;
        };
        let graph = LayerGraph {
            ground: self.ground,
            layer,
        };
        layer
            .hierarchy
            .for_each_neighbor(&graph, node.0, |neighbor, edge| {
                let edge = match edge {
                    HierarchyEdge::Side(side) => AbstractEdge::Side(side),
                    HierarchyEdge::Exit(to) => {
                        let board = layer
                            .sheet(self.ground, to.page, to.position)
                            .map(|sheet| sheet.board_of(to.ordinal));
                        let local = board.as_ref().and_then(bitboard::first);
                        AbstractEdge::Exit(
                            local.map(|local| self.cell(NodeId::new(to.page, to.position, local))),
                        )
                    }
                };
                visit(AbstractNodeId(neighbor), edge);
            });
    }

    /// The sheets of one rank of a block where the agent fits anywhere, row by row, each with its
    /// coordinates in the block, 0 to 3. The block begins at column 64 times `block`.
    pub fn sheets_of_cluster(
        self,
        block: (i32, i32),
        rank: u8,
    ) -> impl Iterator<Item = ((u32, u32), SheetBits<'a>)> {
        self.ground.sheets_of_cluster_in(self.slot(), block, rank)
    }

    /// A cell of a level-0 node near `column`: the nearest in the nearest of its sectors, ties row
    /// by row. `None` if the node no longer exists or has a higher level.
    pub fn cell_in(self, node: AbstractNodeId, column: Column) -> Option<NodeId> {
        let Some(layer) = self.layer else {
            return self.ground.cell_in(node, column);
        };
        let (level, block, label) = (node.0.level, node.0.cluster, node.0.label);
        if level != 0 {
            return None;
        }
        let page = block >> 2;
        let stored = layer.pages.get(page as usize)?.as_deref()?;
        let key = self.ground.page(page).key;
        let in_block = |position: u8| block_of(page, position) == block;
        let sheets = stored
            .positions()
            .filter(|position| in_block(*position))
            .filter_map(|position| layer.sheet(self.ground, page, position))
            .map(|sheet| {
                let own = (0..sheet.n_regions())
                    .filter(|ordinal| sheet.label(*ordinal).map(u32::from) == Some(label));
                let mut board = bitboard::EMPTY;
                for ordinal in own {
                    for (row, more) in board.iter_mut().zip(sheet.board_of(ordinal)) {
                        *row |= more;
                    }
                }
                (sheet.cells.position, board)
            });
        let (position, local) = nearest_cell(key, sheets, column)?;
        Some(NodeId::new(page, position, local))
    }
}
