//! Components over wide areas: blocks join regions, groups join blocks, groups join groups.
//!
//! A block is a quarter of a page: 4 x 4 sectors. It joins its regions into components. Those that
//! go on boundary are the nodes of a group of 4 x 4 blocks, which joins them in turn, and so on; a
//! root stands over all, and levels of groups are put in below it as the world grows. What has
//! nothing that goes on boundary belongs to no group.
//!
//! What a block or group shows to the boundary is told side by side: the paths over each of its four
//! sides, in an order that the neighbor counts them in too, as runs of equal components. So two
//! neighbors are joined run by run, not way by way; and where the runs stay as they were, nothing
//! above is looked at. Components are weak: a way in one direction joins. Whose regions they are,
//! the world's own walker's or a view's, is the affair of whoever implements [`RegionAdjacency`].

use super::page::{Directory, NONE, PageKey};
use boundary::Boundary;

mod adjacency;
mod boundary;
mod relabel;
#[cfg(test)]
mod tests;

pub(crate) use adjacency::HierarchyNode;
pub(crate) use relabel::RelabelScratch;

/// Most levels of groups between blocks and the root: a group of the highest is wider than the
/// world.
const MAX_LEVELS: u8 = 9;
/// Children that the root may have before a level is put in below it.
const MAX_ROOT_CHILDREN: usize = 16;
/// Stands for the root where a level is asked for: it comes after all.
const ROOT_LEVEL: u8 = u8::MAX;

/// Regions and what leads from one to another.
pub(crate) trait RegionAdjacency {
    /// Where a page lies, and its rank.
    fn key(&self, page: u32) -> (PageKey, u8);
    /// The pages of the same rank in the north, east, south and west of a page, or `NONE`.
    fn neighbor_pages(&self, page: u32) -> [u32; 4];
    /// Regions at one place of a page.
    fn n_regions(&self, page: u32, position: u8) -> u8;
    /// Calls `visit` with the number of each region at one place of a page, and each region that a
    /// way leads to from it, or comes to it from. Ways inside a block may be told by one of their
    /// ends; all others must be told by both.
    fn for_each_link(&self, page: u32, position: u8, visit: impl FnMut(u8, RegionSlot));
    /// The label of a region.
    fn label(&self, location: RegionSlot) -> Option<u16>;
    /// Sets the labels of the regions at one place of a page, asking for them in order.
    fn set_labels(&mut self, page: u32, position: u8, next: impl FnMut() -> u16);
}

/// All components of one profile.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    /// By the number of the block.
    blocks: Vec<Cluster>,
    groups: Vec<Option<Box<Group>>>,
    free_groups: Vec<u32>,
    /// Groups by where they lie and their level.
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

/// Components of a block or of a group.
#[derive(Clone, Debug)]
struct Cluster {
    /// The group it belongs to, if anything goes on boundary.
    parent: u32,
    /// The number of its first component among those of the group's children.
    offset: u32,
    /// What the group sees of it. Components that go on boundary have the lowest numbers.
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

/// A group of 4 x 4 blocks or groups, or the root over all.
#[derive(Clone, Debug)]
struct Group {
    /// Where it lies, in groups of its level.
    key: PageKey,
    /// 0 for groups of blocks.
    level: u8,
    /// Blocks, or groups of the level below: row by row, rank by rank.
    children: Vec<u32>,
    cluster: Cluster,
}

/// A way from an open component to a region that is neither in the block nor over one of its sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Exit {
    component: u32,
    to: RegionSlot,
}

/// A region by where it is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegionSlot {
    pub(crate) page: u32,
    pub(crate) position: u8,
    pub(crate) ordinal: u8,
}

/// A component: equal for two cells exactly if a chain of steps, each in either direction, joins
/// them. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId {
    /// Groups that were climbed; 0 if it is closed in its block.
    level: u8,
    cluster: u32,
    label: u32,
}

/// The block in which a place of a page lies.
#[inline]
pub(crate) const fn block_of(page: u32, position: u8) -> u32 {
    page << 2 | (position >> 5 << 1 | position >> 2 & 1) as u32
}

/// The first place of a block in its page.
#[inline]
pub(crate) const fn first_position(block: u32) -> u8 {
    [0, 4, 32, 36][(block & 3) as usize]
}

/// Place number `index`, 0 to 15, of a block.
#[inline]
pub(crate) const fn position_in(first: u8, index: u8) -> u8 {
    first + (index >> 2 << 3) + (index & 3)
}

/// Which place of its block a place of a page is, 0 to 15.
#[inline]
const fn index_in(position: u8) -> usize {
    ((position >> 3 & 3) << 2 | position & 3) as usize
}

impl Hierarchy {
    /// Takes a page's blocks out of their groups before the page goes; [`Hierarchy::repair`] must
    /// follow.
    pub(crate) fn remove_page(&mut self, page: u32, scratch: &mut RelabelScratch) {
        for block in page << 2..(page + 1) << 2 {
            if let Some(cluster) = self.blocks.get_mut(block as usize) {
                let parent = std::mem::take(cluster).parent;
                self.remove_child(parent, block, scratch);
            }
        }
    }

    /// Makes components true again for `blocks`, and for all above that see a difference.
    pub(crate) fn repair(
        &mut self,
        source: &mut impl RegionAdjacency,
        blocks: &[u32],
        scratch: &mut RelabelScratch,
    ) {
        for &block in blocks {
            if self.blocks.len() <= block as usize {
                // Whole pages, one by one: there are many, so no doubling.
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

    /// Notes that a group must be looked at.
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

    /// Puts a child of `level` into the group it belongs to if it goes on boundary, and takes it
    /// out if it does not. Returns the parent if it has another than before.
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

    /// Puts a child into the group of `level` over it, or into the root, and wakes that.
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

    /// Puts a level of groups between the root and its children. Returns the new parent of `child`.
    fn insert_level(
        &mut self,
        source: &impl RegionAdjacency,
        child: u32,
        scratch: &mut RelabelScratch,
    ) -> u32 {
        let root = self.groups[self.root as usize].as_mut();
        let root = root.expect("a root that is crowded exists");
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
            u32::try_from(self.groups.len() - 1).expect("fewer groups than numbers")
        });
        self.groups[group as usize] = Some(Box::new(Group {
            key,
            level,
            children: Vec::new(),
            cluster: Cluster::default(),
        }));
        group
    }

    /// Where a child of a group of `level` lies, in blocks or groups of its own level; and a
    /// block's rank.
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

    /// The component that has this label in a block.
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

    /// Gives back memory that is not used.
    pub(crate) fn trim(&mut self) {
        self.blocks.shrink_to_fit();
        self.groups.shrink_to_fit();
    }
}

/// What a group is found by: groups of all levels are in one directory.
fn directory_key(key: PageKey, level: u8) -> (i32, i32) {
    // Groups of blocks lie within 2^16 of 0, those of higher levels nearer.
    (key.x + (i32::from(level) << 20), key.y)
}
