//! What lies beside what: from block to block, from group to group.

use wayfarer_base::Direction;

use super::relabel::{blocks_beside, facing};
use super::{Hierarchy, Links, NONE, PageKey, RegionAdjacency, directory_key};

/// The four sides in their order.
const SIDES: [Direction; 4] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
];

/// A component of a block or of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct HierarchyNode {
    /// 0 for blocks, 1 for groups of blocks, and so on.
    pub(crate) level: u8,
    /// Which block or group.
    pub(crate) holder: u32,
    pub(crate) label: u32,
}

impl Hierarchy {
    /// Levels that have pieces: blocks, and the groups below the root.
    pub(crate) fn n_piece_levels(&self) -> u8 {
        self.n_levels + 1
    }

    fn links(&self, level: u8, holder: u32) -> Option<&Links> {
        if level == 0 {
            self.blocks.get(holder as usize)
        } else {
            let group = self.groups.get(holder as usize)?.as_deref()?;
            Some(&group.links)
        }
    }

    /// The piece of the group above that a piece belongs to; `None` if nothing leads out of it, or
    /// if only the root is above.
    pub(crate) fn above(&self, piece: HierarchyNode) -> Option<HierarchyNode> {
        if piece.level >= self.n_levels {
            return None;
        }
        let links = self.links(piece.level, piece.holder)?;
        let label = *links.outside.up().get(piece.label as usize)?;
        Some(HierarchyNode {
            level: piece.level + 1,
            holder: links.parent,
            label,
        })
    }

    /// Where a piece lies, in blocks or groups of its level.
    pub(crate) fn place_of(&self, source: &impl RegionAdjacency, piece: HierarchyNode) -> PageKey {
        match piece.level.checked_sub(1) {
            None => self.key_of(source, piece.holder, 0).0,
            Some(_) => self.groups[piece.holder as usize]
                .as_ref()
                .map_or(PageKey { x: 0, y: 0 }, |group| group.key),
        }
    }

    /// Calls `visit` with the pieces of the same level that paths lead to from a piece, or come to
    /// it from, with some more than once: over the sides first, clockwise from north, with the
    /// side; then those that lie elsewhere.
    pub(crate) fn for_beside(
        &self,
        source: &impl RegionAdjacency,
        from: HierarchyNode,
        mut visit: impl FnMut(HierarchyNode, Option<Direction>),
    ) {
        let Some(links) = self.links(from.level, from.holder) else {
            return;
        };
        if from.label as usize >= links.outside.n_open() {
            return;
        }
        let others = if from.level == 0 {
            blocks_beside(source, from.holder)
        } else {
            self.groups_beside(from)
        };
        for (side, other) in others.into_iter().enumerate() {
            if other == NONE {
                continue;
            }
            if let Some(there) = self.links(from.level, other) {
                let edges = (links.outside.side(side), there.outside.side(side ^ 2));
                facing(edges, |here, label| {
                    if here == from.label {
                        let piece = HierarchyNode {
                            level: from.level,
                            holder: other,
                            label,
                        };
                        visit(piece, Some(SIDES[side]));
                    }
                });
            }
        }
        let exits = links.outside.exits();
        for exit in exits.filter(|exit| exit.component == from.label) {
            let Some(label) = source.label(exit.to) else {
                continue;
            };
            let mut piece = Some(HierarchyNode {
                level: 0,
                holder: super::block_of(exit.to.page, exit.to.position),
                label: label.into(),
            });
            for _ in 0..from.level {
                piece = piece.and_then(|piece| self.above(piece));
            }
            if let Some(piece) = piece {
                visit(piece, None);
            }
        }
    }

    /// The groups of the same level over the four sides of one, north first, clockwise, or `NONE`.
    fn groups_beside(&self, from: HierarchyNode) -> [u32; 4] {
        let Some(Some(group)) = self.groups.get(from.holder as usize) else {
            return [NONE; 4];
        };
        let beside = |dx: i32, dy: i32| {
            let key = PageKey {
                x: group.key.x + dx,
                y: group.key.y + dy,
            };
            let (x, y) = directory_key(key, group.level);
            self.directory.find(x, y).unwrap_or(NONE)
        };
        [beside(0, -1), beside(1, 0), beside(0, 1), beside(-1, 0)]
    }
}
