//! Connected components in a hierarchy of clusters, repaired after edits.
//!
//! A block (4 x 4 sectors of one rank, a quarter of a page) unites its regions into components by
//! union-find. A component with an edge out of the block is *open*; open components are the nodes
//! of a group of 4 x 4 blocks, which unites them in turn, and so on up to a root. Levels are
//! inserted below the root as the world grows. A cluster without open components belongs to no
//! group.
//!
//! The boundary of a cluster lists the edges over each of its four sides, in an order both
//! neighbors share, as runs of equal components. Two neighbors are united run by run, and a repair
//! stops where the boundary is unchanged. Components are weak: a one-way edge connects.
//!
//! Cost of a repair: the regions of the dirty blocks (at most 2,048 each), then per level the runs
//! of at most 16 children and ranks. [`RegionAdjacency`] supplies the graph, for the default
//! profile or a registered one. See ADR 7.

use super::page::{Directory, NONE, PageKey};
use boundary::Boundary;

mod adjacency;
mod boundary;
mod relabel;
#[cfg(test)]
mod tests;

pub(crate) use adjacency::{HierarchyEdge, HierarchyNode};
pub(crate) use relabel::RelabelScratch;

/// Levels of groups between blocks and the root, at most: a group of the highest level exceeds the
/// world.
const MAX_LEVELS: u8 = 9;
/// Children of the root before a level is inserted below it.
const MAX_ROOT_CHILDREN: usize = 16;
/// The level of the root in the order of repair: after all others.
const ROOT_LEVEL: u8 = u8::MAX;

/// The region graph that the hierarchy clusters.
pub(crate) trait RegionAdjacency {
    /// Key and rank of a page.
    fn key(&self, page: u32) -> (PageKey, u8);
    /// The pages of the same rank to the north, east, south and west, or `NONE`.
    fn neighbor_pages(&self, page: u32) -> [u32; 4];
    /// The number of regions at a position of a page.
    fn n_regions(&self, page: u32, position: u8) -> u8;
    /// Calls `visit` with the ordinal of each region at a position of a page and each region it has
    /// an edge to or from. An edge inside a block may be reported by one of its ends; every other
    /// edge must be reported by both.
    fn for_each_link(&self, page: u32, position: u8, visit: impl FnMut(u8, RegionSlot));
    /// The label of a region.
    fn label(&self, location: RegionSlot) -> Option<u16>;
}

/// A region graph whose regions the hierarchy labels.
pub(crate) trait RegionLabels: RegionAdjacency {
    /// Sets the labels of the regions at a position of a page to the values of `next`, in order.
    fn set_labels(&mut self, page: u32, position: u8, next: impl FnMut() -> u16);
}

/// The components of one profile.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    /// Indexed by block.
    blocks: Vec<Cluster>,
    groups: Vec<Option<Box<Group>>>,
    free_groups: Vec<u32>,
    /// Groups by key and level.
    directory: Directory,
    root: u32,
    /// Levels of groups below the root.
    n_levels: u8,
}

impl Default for Hierarchy {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            groups: Vec::new(),
            free_groups: Vec::new(),
            directory: Directory::default(),
            root: NONE,
            n_levels: 0,
        }
    }
}

/// The components of a block or group, as its parent needs them.
#[derive(Clone, Debug)]
struct Cluster {
    /// The parent group, or `NONE` if no component is open.
    parent: u32,
    /// Index of its first open component among those of all children of the parent.
    offset: u32,
    /// Edges out of the cluster. Open components have the lowest labels.
    boundary: Boundary,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            parent: NONE,
            offset: 0,
            boundary: Boundary::default(),
        }
    }
}

/// A group of 4 x 4 clusters of the level below, or the root.
#[derive(Clone, Debug)]
struct Group {
    /// Coordinates in groups of its level.
    key: PageKey,
    /// 0 for groups of blocks.
    level: u8,
    /// Blocks, or groups of the level below, sorted by row, column, rank.
    children: Vec<u32>,
    cluster: Cluster,
}

/// An edge from an open component to a region that is neither in the block nor over one of its
/// sides: a nav link, a step to another rank, a diagonal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Exit {
    component: u32,
    to: RegionSlot,
}

/// Storage location of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegionSlot {
    pub(crate) page: u32,
    pub(crate) position: u8,
    pub(crate) ordinal: u8,
}

/// A connected component: equal for two cells exactly if a chain of steps, each in either
/// direction, connects them. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId {
    /// Levels above the block; 0 if the component is closed in its block.
    level: u8,
    cluster: u32,
    label: u32,
}

/// The block of a position of a page.
#[inline]
pub(crate) const fn block_of(page: u32, position: u8) -> u32 {
    page << 2 | (position >> 5 << 1 | position >> 2 & 1) as u32
}

/// The first position of a block in its page.
#[inline]
pub(crate) const fn first_position(block: u32) -> u8 {
    [0, 4, 32, 36][(block & 3) as usize]
}

/// Position `index`, 0 to 15, of a block.
#[inline]
pub(crate) const fn position_in(first: u8, index: u8) -> u8 {
    first + (index >> 2 << 3) + (index & 3)
}

/// The index of a position within its block, 0 to 15.
#[inline]
const fn index_in(position: u8) -> usize {
    ((position >> 3 & 3) << 2 | position & 3) as usize
}

impl Hierarchy {
    /// Removes the blocks of a page from their groups before the page is freed;
    /// [`Hierarchy::repair`] must follow.
    pub(crate) fn remove_page(&mut self, page: u32, scratch: &mut RelabelScratch) {
        for block in page << 2..(page + 1) << 2 {
            if let Some(cluster) = self.blocks.get_mut(block as usize) {
                let parent = std::mem::take(cluster).parent;
                self.remove_child(parent, block, scratch);
            }
        }
    }

    /// Relabels `blocks`, then, level by level, the groups whose children changed their boundary.
    pub(crate) fn repair(
        &mut self,
        source: &mut impl RegionLabels,
        blocks: &[u32],
        scratch: &mut RelabelScratch,
    ) {
        for &block in blocks {
            if self.blocks.len() <= block as usize {
                // Grows by whole pages, without doubling.
                let n_blocks = (block as usize | 3) + 1;
                self.blocks.reserve_exact(n_blocks - self.blocks.len());
                self.blocks.resize_with(n_blocks, Cluster::default);
            }
            let changed = self.relabel_block(source, block, scratch);
            let cluster = &self.blocks[block as usize];
            let (parent, is_open) = (cluster.parent, cluster.boundary.n_open() > 0);
            if let Some(parent) =
                self.update_membership(source, block, 0, (parent, is_open), scratch)
            {
                self.blocks[block as usize].parent = parent;
            } else if changed && is_open {
                self.mark_dirty(parent, scratch);
            }
        }
        while let Some(level) = scratch.dirty.iter().map(|(level, _)| *level).min() {
            let mut dirty = std::mem::take(&mut scratch.dirty_now);
            dirty.clear();
            scratch.dirty.retain(|&(of, group)| {
                if of == level {
                    dirty.push(group);
                }
                of != level
            });
            dirty.sort_unstable();
            dirty.dedup();
            for &group in &dirty {
                self.repair_group(source, group, scratch);
            }
            scratch.dirty_now = dirty;
        }
    }

    /// Queues a group for relabeling.
    fn mark_dirty(&self, group: u32, scratch: &mut RelabelScratch) {
        let level = match &self.groups[group as usize] {
            Some(_) if group == self.root => ROOT_LEVEL,
            Some(found) => found.level,
            None => return,
        };
        scratch.dirty.push((level, group));
    }

    fn repair_group(
        &mut self,
        source: &impl RegionAdjacency,
        group: u32,
        scratch: &mut RelabelScratch,
    ) {
        let Some(found) = self.groups[group as usize].as_ref() else {
            return;
        };
        let (key, level, parent) = (found.key, found.level, found.cluster.parent);
        if found.children.is_empty() {
            if group == self.root {
                self.root = NONE;
            } else {
                let (x, y) = directory_key(key, level);
                self.directory.remove(x, y);
            }
            self.groups[group as usize] = None;
            self.free_groups.push(group);
            self.remove_child(parent, group, scratch);
            return;
        }
        let changed = self.relabel_group(source, group, scratch);
        if group == self.root {
            return;
        }
        let found = self.groups[group as usize].as_ref().expect("just seen");
        let is_open = found.cluster.boundary.n_open() > 0;
        if let Some(parent) =
            self.update_membership(source, group, level + 1, (parent, is_open), scratch)
        {
            let found = self.groups[group as usize].as_mut();
            found.expect("just seen").cluster.parent = parent;
        } else if changed && is_open {
            self.mark_dirty(parent, scratch);
        }
    }

    /// Inserts a child of `level` into its group if it has open components, removes it otherwise.
    /// Returns the new parent if it changed.
    fn update_membership(
        &mut self,
        source: &impl RegionAdjacency,
        child: u32,
        level: u8,
        (parent, is_open): (u32, bool),
        scratch: &mut RelabelScratch,
    ) -> Option<u32> {
        match (parent == NONE, is_open) {
            (true, true) => Some(self.insert_child(source, child, level, scratch)),
            (false, false) => {
                self.remove_child(parent, child, scratch);
                Some(NONE)
            }
            _ => None,
        }
    }

    /// Inserts a child into its group of `level`, or into the root, and marks that dirty.
    fn insert_child(
        &mut self,
        source: &impl RegionAdjacency,
        child: u32,
        level: u8,
        scratch: &mut RelabelScratch,
    ) -> u32 {
        let (key, rank) = self.key_of(source, child, level);
        let group = if level == self.n_levels {
            if self.root == NONE {
                self.root = self.new_group(PageKey { x: 0, y: 0 }, level);
            }
            self.root
        } else {
            let above = PageKey {
                x: key.x >> 2,
                y: key.y >> 2,
            };
            let (x, y) = directory_key(above, level);
            self.directory.find(x, y).unwrap_or_else(|| {
                let group = self.new_group(above, level);
                self.directory.insert(x, y, group);
                group
            })
        };
        let found = self.groups[group as usize].as_ref().expect("just seen");
        let before = |other: &u32| {
            let (other, other_rank) = self.key_of(source, *other, level);
            (other.y, other.x, other_rank) < (key.y, key.x, rank)
        };
        let at = found.children.partition_point(before);
        let found = self.groups[group as usize].as_mut().expect("just seen");
        found.children.reserve_exact(1);
        found.children.insert(at, child);
        let crowded = found.children.len() > MAX_ROOT_CHILDREN;
        if group == self.root && crowded && level < MAX_LEVELS {
            return self.insert_level(source, child, scratch);
        }
        self.mark_dirty(group, scratch);
        group
    }

    /// Inserts a level of groups between the root and its children. Returns the new parent of
    /// `child`.
    fn insert_level(
        &mut self,
        source: &impl RegionAdjacency,
        child: u32,
        scratch: &mut RelabelScratch,
    ) -> u32 {
        let root = self.groups[self.root as usize].as_mut();
        let root = root.expect("the caller has inserted a child into the root");
        let level = root.level;
        root.level += 1;
        let children = std::mem::take(&mut root.children);
        self.n_levels += 1;
        self.mark_dirty(self.root, scratch);
        let mut found = NONE;
        for other in children {
            let parent = self.insert_child(source, other, level, scratch);
            if other == child {
                found = parent;
            } else if level == 0 {
                self.blocks[other as usize].parent = parent;
            } else {
                let group = self.groups[other as usize].as_mut();
                group.expect("children exist").cluster.parent = parent;
            }
        }
        found
    }

    fn remove_child(&mut self, group: u32, child: u32, scratch: &mut RelabelScratch) {
        if group == NONE {
            return;
        }
        if let Some(found) = self.groups[group as usize].as_mut() {
            found.children.retain(|other| *other != child);
        }
        self.mark_dirty(group, scratch);
    }

    fn new_group(&mut self, key: PageKey, level: u8) -> u32 {
        let group = self.free_groups.pop().unwrap_or_else(|| {
            self.groups.push(None);
            u32::try_from(self.groups.len() - 1).expect("fewer groups than u32 values")
        });
        self.groups[group as usize] = Some(Box::new(Group {
            key,
            level,
            children: Vec::new(),
            cluster: Cluster::default(),
        }));
        group
    }

    /// Coordinates of a child of a group of `level`, in clusters of its own level; and a block's
    /// rank.
    fn key_of(&self, source: &impl RegionAdjacency, child: u32, level: u8) -> (PageKey, u8) {
        if level == 0 {
            let (page, rank) = source.key(child >> 2);
            let key = PageKey {
                x: page.x << 1 | (child & 1).cast_signed(),
                y: page.y << 1 | (child >> 1 & 1).cast_signed(),
            };
            (key, rank)
        } else {
            let group = self.groups[child as usize].as_ref();
            (group.expect("children exist").key, 0)
        }
    }

    fn cluster_of(&self, level: u8, child: u32) -> &Cluster {
        if level == 0 {
            &self.blocks[child as usize]
        } else {
            let group = self.groups[child as usize].as_ref();
            &group.expect("children exist").cluster
        }
    }

    fn cluster_of_mut(&mut self, level: u8, child: u32) -> &mut Cluster {
        if level == 0 {
            &mut self.blocks[child as usize]
        } else {
            let group = self.groups[child as usize].as_mut();
            &mut group.expect("children exist").cluster
        }
    }

    /// The component of the regions with this label in a block: climbs until it is closed.
    pub(crate) fn component_of(&self, block: u32, label: u16) -> ComponentId {
        let (mut level, mut index, mut label) = (0, block, u32::from(label));
        let mut cluster = self.blocks.get(block as usize);
        while let Some(up) = cluster.and_then(|found| found.boundary.parents().get(label as usize))
        {
            label = *up;
            index = cluster.map_or(NONE, |found| found.parent);
            level += 1;
            cluster = self.groups[index as usize]
                .as_ref()
                .map(|group| &group.cluster);
        }
        ComponentId {
            level,
            cluster: index,
            label,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let group = |group: &Group| {
            size_of::<Group>()
                + group.children.capacity() * size_of::<u32>()
                + group.cluster.boundary.heap_bytes()
        };
        let groups: usize = self.groups.iter().flatten().map(|found| group(found)).sum();
        let blocks = self
            .blocks
            .iter()
            .map(|cluster| cluster.boundary.heap_bytes());
        groups
            + blocks.sum::<usize>()
            + self.blocks.capacity() * size_of::<Cluster>()
            + self.groups.capacity() * size_of::<Option<Box<Group>>>()
            + self.free_groups.capacity() * size_of::<u32>()
            + self.directory.heap_bytes()
    }

    /// Frees unused capacity.
    pub(crate) fn trim(&mut self) {
        self.blocks.shrink_to_fit();
        self.groups.shrink_to_fit();
    }
}

/// The directory key of a group: all levels share one directory.
fn directory_key(key: PageKey, level: u8) -> (i32, i32) {
    // Coordinates of groups have at most 17 bits, so levels do not collide.
    (key.x + (i32::from(level) << 20), key.y)
}
