//! Relabeling of one cluster by union-find: the regions of a block, or the open components of a
//! group's children.

use super::boundary::BoundaryBuilder;
use super::{
    Exit, Hierarchy, NONE, PageKey, RegionAdjacency, RegionLabels, RegionSlot, block_of,
    first_position, index_in, position_in,
};

/// Buffers for relabeling, kept between repairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelabelScratch {
    sets: UnionFind,
    /// Edges over the sides of a block, packed in an order that both blocks share; see
    /// [`crossing`].
    crossings: Vec<u64>,
    exits: Vec<Exit>,
    numbers: Vec<u32>,
    children: Vec<Child>,
    builder: BoundaryBuilder,
    /// Groups to relabel, with their levels.
    pub(super) dirty: Vec<(u8, u32)>,
    pub(super) dirty_now: Vec<u32>,
}

/// A child of the group under repair.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: PageKey,
    rank: u8,
    number: u32,
    offset: u32,
}

impl RelabelScratch {
    /// True if no group is queued.
    pub(crate) fn is_idle(&self) -> bool {
        self.dirty.is_empty()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let words =
            self.sets.parents.capacity() + self.numbers.capacity() + self.dirty_now.capacity();
        words * size_of::<u32>()
            + self.crossings.capacity() * size_of::<u64>()
            + self.exits.capacity() * size_of::<Exit>()
            + self.children.capacity() * size_of::<Child>()
            + self.dirty.capacity() * size_of::<(u8, u32)>()
            + self.builder.heap_bytes()
    }
}

/// Union-find with path halving; the smallest member represents a set.
#[derive(Clone, Debug, Default)]
struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    fn reset(&mut self, n_nodes: u32) {
        self.parents.clear();
        self.parents.extend(0..n_nodes);
    }

    #[inline]
    fn find(&mut self, mut node: u32) -> u32 {
        loop {
            let parent = self.parents[node as usize];
            if parent == node {
                return node;
            }
            let over = self.parents[parent as usize];
            self.parents[node as usize] = over;
            node = over;
        }
    }

    #[inline]
    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.parents[high as usize] = low;
    }
}

/// Numbers sets consecutively, in the order of first use.
struct Numbering<'a> {
    numbers: &'a mut Vec<u32>,
    sets: &'a mut UnionFind,
    n_numbers: u32,
}

impl<'a> Numbering<'a> {
    fn new(numbers: &'a mut Vec<u32>, sets: &'a mut UnionFind) -> Self {
        numbers.clear();
        numbers.resize(sets.parents.len(), NONE);
        Self {
            numbers,
            sets,
            n_numbers: 0,
        }
    }

    #[inline]
    fn number(&mut self, node: u32) -> u32 {
        let number = &mut self.numbers[self.sets.find(node) as usize];
        if *number == NONE {
            *number = self.n_numbers;
            self.n_numbers += 1;
        }
        *number
    }
}

/// Packs an edge over a side of a block: side, northern or western region, southern or eastern
/// region, own region. Both blocks sort their common edges alike.
#[inline]
fn crossing(side: usize, own: (u8, u8), to: RegionSlot, region: u32) -> u64 {
    let word = |position: u8, ordinal: u8| u64::from(position) << 8 | u64::from(ordinal);
    let (own, other) = (word(own.0, own.1), word(to.position, to.ordinal));
    let (first, second) = if side == 1 || side == 2 {
        (own, other)
    } else {
        (other, own)
    };
    (side as u64) << 44 | first << 30 | second << 16 | u64::from(region)
}

impl Hierarchy {
    /// Relabels a block. Returns true if its boundary changed. O(regions + edges) and a sort of the
    /// crossings.
    pub(super) fn relabel_block(
        &mut self,
        source: &mut impl RegionLabels,
        block: u32,
        scratch: &mut RelabelScratch,
    ) -> bool {
        let (page, first) = (block >> 2, first_position(block));
        let mut offsets = [0_u32; 16];
        let mut n_regions = 0_u32;
        for (index, offset) in (0..).zip(&mut offsets) {
            *offset = n_regions;
            n_regions += u32::from(source.n_regions(page, position_in(first, index)));
        }
        let neighbors = neighbor_blocks(source, block);
        scratch.sets.reset(n_regions);
        scratch.crossings.clear();
        scratch.exits.clear();
        for index in 0..16_u8 {
            let position = position_in(first, index);
            let offset = offsets[usize::from(index)];
            source.for_each_link(page, position, |ordinal, to| {
                let own = offset + u32::from(ordinal);
                let there = block_of(to.page, to.position);
                if there == block {
                    let other = offsets[index_in(to.position)] + u32::from(to.ordinal);
                    scratch.sets.union(own, other);
                } else if let Some(side) = neighbors.iter().position(|other| *other == there) {
                    let crossing = crossing(side, (position, ordinal), to, own);
                    scratch.crossings.push(crossing);
                } else {
                    scratch.exits.push(Exit { component: own, to });
                }
            });
        }
        scratch.crossings.sort_unstable();
        scratch.crossings.dedup();
        scratch.exits.sort_unstable();
        scratch.exits.dedup();
        let mut numbers = Numbering::new(&mut scratch.numbers, &mut scratch.sets);
        scratch.builder.clear();
        for crossing in &scratch.crossings {
            let (side, region) = ((crossing >> 44) as usize, (crossing & 0xFFFF) as u32);
            scratch.builder.add_run(side, numbers.number(region), 1);
        }
        for exit in &scratch.exits {
            scratch.builder.add_exit(Exit {
                component: numbers.number(exit.component),
                to: exit.to,
            });
        }
        scratch.builder.n_open = numbers.n_numbers;
        let mut region = 0_u32;
        for index in 0..16_u8 {
            source.set_labels(page, position_in(first, index), || {
                let label = numbers.number(region);
                region += 1;
                u16::try_from(label).expect("at most 2,048 regions")
            });
        }
        self.blocks[block as usize]
            .boundary
            .replace_if_changed(&mut scratch.builder)
    }

    /// Relabels a group. Returns true if its boundary changed. O(runs + exits of its children).
    pub(super) fn relabel_group(
        &mut self,
        source: &impl RegionAdjacency,
        group: u32,
        scratch: &mut RelabelScratch,
    ) -> bool {
        let mut here = self.groups[group as usize]
            .take()
            .expect("the caller checked that it exists");
        let level = here.level;
        scratch.children.clear();
        let mut n_nodes = 0_u32;
        for &number in &here.children {
            let (key, rank) = self.key_of(source, number, level);
            let cluster = self.cluster_of_mut(level, number);
            cluster.offset = n_nodes;
            scratch.children.push(Child {
                key,
                rank,
                number,
                offset: n_nodes,
            });
            n_nodes += u32::try_from(cluster.boundary.n_open()).expect("fewer than u32 values");
        }
        scratch.sets.reset(n_nodes);
        scratch.exits.clear();
        for child in &scratch.children {
            let boundary = &self.cluster_of(level, child.number).boundary;
            for (side, for_each_facing, dx, dy) in [(1, 3, 1, 0), (2, 0, 0, 1)] {
                let location = (child.key.y + dy, child.key.x + dx, child.rank);
                let order = |other: &Child| (other.key.y, other.key.x, other.rank);
                if let Ok(at) = scratch.children.binary_search_by_key(&location, order) {
                    let next = scratch.children[at];
                    let other = &self.cluster_of(level, next.number).boundary;
                    let edges = (boundary.side(side), other.side(for_each_facing));
                    union_sides(&mut scratch.sets, edges, (child.offset, next.offset));
                }
            }
            for exit in boundary.exits() {
                let own = child.offset + exit.component;
                match self.open_component_in(source, exit.to, group, level) {
                    Some(other) => scratch.sets.union(own, other),
                    // No edge leaves the root.
                    None if group == self.root => {}
                    None => scratch.exits.push(Exit {
                        component: own,
                        to: exit.to,
                    }),
                }
            }
        }
        let mut numbers = Numbering::new(&mut scratch.numbers, &mut scratch.sets);
        scratch.builder.clear();
        if group != self.root {
            let (west, north) = (here.key.x << 2, here.key.y << 2);
            for side in 0..4 {
                let at_side = |child: &&Child| match side {
                    0 => child.key.y == north,
                    1 => child.key.x == west + 3,
                    2 => child.key.y == north + 3,
                    _ => child.key.x == west,
                };
                for child in scratch.children.iter().filter(at_side) {
                    let boundary = &self.cluster_of(level, child.number).boundary;
                    for (component, n_edges) in boundary.side(side) {
                        let component = numbers.number(child.offset + component);
                        scratch.builder.add_run(side, component, n_edges);
                    }
                }
            }
        }
        for exit in &scratch.exits {
            scratch.builder.add_exit(Exit {
                component: numbers.number(exit.component),
                to: exit.to,
            });
        }
        scratch.builder.n_open = numbers.n_numbers;
        for child in &scratch.children {
            let cluster = self.cluster_of_mut(level, child.number);
            for (up, node) in cluster
                .boundary
                .parents_mut()
                .iter_mut()
                .zip(child.offset..)
            {
                *up = numbers.number(node);
            }
        }
        let changed = here
            .cluster
            .boundary
            .replace_if_changed(&mut scratch.builder);
        self.groups[group as usize] = Some(here);
        changed
    }

    /// The index of a region's open component among those of the children of `group`; `None` if the
    /// region lies outside the group.
    fn open_component_in(
        &self,
        source: &impl RegionAdjacency,
        to: RegionSlot,
        group: u32,
        level: u8,
    ) -> Option<u32> {
        let mut label = u32::from(source.label(to)?);
        let block = block_of(to.page, to.position);
        let mut cluster = self.blocks.get(block as usize)?;
        for _ in 0..level {
            label = *cluster.boundary.parents().get(label as usize)?;
            cluster = &self.groups.get(cluster.parent as usize)?.as_ref()?.cluster;
        }
        let is_open = (label as usize) < cluster.boundary.n_open();
        (cluster.parent == group && is_open).then_some(cluster.offset + label)
    }
}

/// The blocks to the north, east, south and west of a block, or `NONE`.
pub(super) fn neighbor_blocks(source: &impl RegionAdjacency, block: u32) -> [u32; 4] {
    let (page, x, y) = (block >> 2, block & 1, block >> 1 & 1);
    let pages = source.neighbor_pages(page);
    let next = |inside: bool, side: usize, flipped: u32| {
        let page = if inside { page } else { pages[side] };
        if page == NONE {
            NONE
        } else {
            page << 2 | (block ^ flipped) & 3
        }
    };
    [
        next(y == 1, 0, 2),
        next(x == 0, 1, 1),
        next(y == 0, 2, 2),
        next(x == 1, 3, 1),
    ]
}

/// Unites the components on either side of a border of two children.
fn union_sides(
    sets: &mut UnionFind,
    edges: (
        impl Iterator<Item = (u32, u32)>,
        impl Iterator<Item = (u32, u32)>,
    ),
    (offset, other_offset): (u32, u32),
) {
    for_each_facing(edges, |here, there| {
        sets.union(offset + here, other_offset + there);
    });
}

/// Calls `visit` with each pair of components that share an edge over a side, run by run.
pub(super) fn for_each_facing(
    (mut own, mut other): (
        impl Iterator<Item = (u32, u32)>,
        impl Iterator<Item = (u32, u32)>,
    ),
    mut visit: impl FnMut(u32, u32),
) {
    let (mut a, mut b) = (own.next(), other.next());
    while let (Some((here, n_here)), Some((there, n_there))) = (a, b) {
        visit(here, there);
        let n_edges = n_here.min(n_there);
        a = if n_here > n_edges {
            Some((here, n_here - n_edges))
        } else {
            own.next()
        };
        b = if n_there > n_edges {
            Some((there, n_there - n_edges))
        } else {
            other.next()
        };
    }
    debug_assert_eq!((a, b), (None, None), "both sides have the same edges");
}
