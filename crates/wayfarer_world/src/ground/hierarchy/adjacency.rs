//! Nodes of the hierarchy as a graph: parents, and neighbors on the same level.

use wayfarer_base::Direction;

use super::relabel::{for_each_facing, neighbor_blocks};
use super::{Cluster, Hierarchy, NONE, PageKey, RegionAdjacency, RegionSlot, directory_key};

/// Sides in boundary order.
const SIDES: [Direction; 4] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
];

/// A component of a block or group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct HierarchyNode {
    /// 0 for blocks, 1 for groups of blocks, and so on.
    pub(crate) level: u8,
    /// Index of the block or group.
    pub(crate) cluster: u32,
    pub(crate) label: u32,
}

/// How a node is connected with a neighbor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HierarchyEdge {
    /// Over a side of the cluster.
    Side(Direction),
    /// Otherwise, to this region.
    Exit(RegionSlot),
}

impl Hierarchy {
    /// Levels with nodes: blocks, and the groups below the root.
    pub(crate) fn n_node_levels(&self) -> u8 {
        self.n_levels + 1
    }

    fn cluster(&self, level: u8, cluster: u32) -> Option<&Cluster> {
        if level == 0 {
            self.blocks.get(cluster as usize)
        } else {
            let group = self.groups.get(cluster as usize)?.as_deref()?;
            Some(&group.cluster)
        }
    }

    /// The node one level up; `None` if the component is closed, or below the root.
    pub(crate) fn parent(&self, node: HierarchyNode) -> Option<HierarchyNode> {
        if node.level >= self.n_levels {
            return None;
        }
        let cluster = self.cluster(node.level, node.cluster)?;
        let label = *cluster.boundary.parents().get(node.label as usize)?;
        Some(HierarchyNode {
            level: node.level + 1,
            cluster: cluster.parent,
            label,
        })
    }

    /// Coordinates of the node's cluster, in clusters of its level.
    pub(crate) fn key_of_node(
        &self,
        source: &impl RegionAdjacency,
        node: HierarchyNode,
    ) -> PageKey {
        match node.level.checked_sub(1) {
            None => self.key_of(source, node.cluster, 0).0,
            Some(_) => self.groups[node.cluster as usize]
                .as_ref()
                .map_or(PageKey { x: 0, y: 0 }, |group| group.key),
        }
    }

    /// Calls `visit` with the nodes of the same level that an edge in either direction connects
    /// with `from`, some more than once: over the sides first, clockwise from north, with the side;
    /// then by exits.
    pub(crate) fn for_each_neighbor(
        &self,
        source: &impl RegionAdjacency,
        from: HierarchyNode,
        mut visit: impl FnMut(HierarchyNode, HierarchyEdge),
    ) {
        let Some(cluster) = self.cluster(from.level, from.cluster) else {
            return;
        };
        if from.label as usize >= cluster.boundary.n_open() {
            return;
        }
        let others = if from.level == 0 {
            neighbor_blocks(source, from.cluster)
        } else {
            self.neighbor_groups(from)
        };
        for (side, other) in others.into_iter().enumerate() {
            if other == NONE {
                continue;
            }
            if let Some(there) = self.cluster(from.level, other) {
                let edges = (cluster.boundary.side(side), there.boundary.side(side ^ 2));
                for_each_facing(edges, |here, label| {
                    if here == from.label {
                        let node = HierarchyNode {
                            level: from.level,
                            cluster: other,
                            label,
                        };
                        visit(node, HierarchyEdge::Side(SIDES[side]));
                    }
                });
            }
        }
        let exits = cluster.boundary.exits();
        for exit in exits.filter(|exit| exit.component == from.label) {
            let Some(label) = source.label(exit.to) else {
                continue;
            };
            let mut node = Some(HierarchyNode {
                level: 0,
                cluster: super::block_of(exit.to.page, exit.to.position),
                label: label.into(),
            });
            for _ in 0..from.level {
                node = node.and_then(|node| self.parent(node));
            }
            if let Some(node) = node {
                visit(node, HierarchyEdge::Exit(exit.to));
            }
        }
    }

    /// The groups of the same level to the north, east, south and west, or `NONE`.
    fn neighbor_groups(&self, from: HierarchyNode) -> [u32; 4] {
        let Some(Some(group)) = self.groups.get(from.cluster as usize) else {
            return [NONE; 4];
        };
        let group_at = |dx: i32, dy: i32| {
            let key = PageKey {
                x: group.key.x + dx,
                y: group.key.y + dy,
            };
            let (x, y) = directory_key(key, group.level);
            self.directory.find(x, y).unwrap_or(NONE)
        };
        [
            group_at(0, -1),
            group_at(1, 0),
            group_at(0, 1),
            group_at(-1, 0),
        ]
    }
}
