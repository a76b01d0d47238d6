//! The work itself: regions of a block, and components of a group's children, are joined.

use super::outside::Draft;
use super::{
    Exit, Hierarchy, NONE, PageKey, RegionAdjacency, RegionSlot, block_of, first_position,
    index_in, position_in,
};

/// Room for the work, kept so that it need not be asked for again.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelabelScratch {
    union: Union,
    /// Ways over the sides of a block: side, the two regions as both blocks count them, own region.
    crossings: Vec<u64>,
    exits: Vec<Exit>,
    numbers: Vec<u32>,
    children: Vec<Child>,
    draft: Draft,
    /// Groups to look at, with their levels.
    pub(super) woken: Vec<(u8, u32)>,
    pub(super) woken_now: Vec<u32>,
}

/// A child of the group at hand.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: PageKey,
    rank: u8,
    number: u32,
    offset: u32,
}

impl RelabelScratch {
    /// True if no group waits to be looked at.
    pub(crate) fn is_idle(&self) -> bool {
        self.woken.is_empty()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let words =
            self.union.parents.capacity() + self.numbers.capacity() + self.woken_now.capacity();
        words * size_of::<u32>()
            + self.crossings.capacity() * size_of::<u64>()
            + self.exits.capacity() * size_of::<Exit>()
            + self.children.capacity() * size_of::<Child>()
            + self.woken.capacity() * size_of::<(u8, u32)>()
            + self.draft.heap_bytes()
    }
}

/// Joins numbers; the smallest of each set stands for it.
#[derive(Clone, Debug, Default)]
struct Union {
    parents: Vec<u32>,
}

impl Union {
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
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.parents[high as usize] = low;
    }
}

/// Hands out numbers to sets, in the order in which they are first asked for.
struct Numbers<'a> {
    numbers: &'a mut Vec<u32>,
    union: &'a mut Union,
    n_given: u32,
}

impl<'a> Numbers<'a> {
    fn new(numbers: &'a mut Vec<u32>, union: &'a mut Union) -> Self {
        numbers.clear();
        numbers.resize(union.parents.len(), NONE);
        Self {
            numbers,
            union,
            n_given: 0,
        }
    }

    #[inline]
    fn of(&mut self, node: u32) -> u32 {
        let number = &mut self.numbers[self.union.find(node) as usize];
        if *number == NONE {
            *number = self.n_given;
            self.n_given += 1;
        }
        *number
    }
}

/// A way over a side of a block: the block in the north or west comes first, so that both blocks
/// count their paths in the same order.
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
    /// Joins the regions of a block. Returns true if it looks different from outside.
    pub(super) fn relabel_block(
        &mut self,
        source: &mut impl RegionAdjacency,
        block: u32,
        work: &mut RelabelScratch,
    ) -> bool {
        let (page, first) = (block >> 2, first_position(block));
        let mut offsets = [0_u32; 16];
        let mut n_regions = 0_u32;
        for (index, offset) in (0..).zip(&mut offsets) {
            *offset = n_regions;
            n_regions += u32::from(source.n_regions(page, position_in(first, index)));
        }
        let beside = blocks_beside(source, block);
        work.union.reset(n_regions);
        work.crossings.clear();
        work.exits.clear();
        for index in 0..16_u8 {
            let position = position_in(first, index);
            let offset = offsets[usize::from(index)];
            source.for_links(page, position, |ordinal, to| {
                let own = offset + u32::from(ordinal);
                let there = block_of(to.page, to.position);
                if there == block {
                    let other = offsets[index_in(to.position)] + u32::from(to.ordinal);
                    work.union.join(own, other);
                } else if let Some(side) = beside.iter().position(|other| *other == there) {
                    let crossing = crossing(side, (position, ordinal), to, own);
                    work.crossings.push(crossing);
                } else {
                    work.exits.push(Exit { component: own, to });
                }
            });
        }
        work.crossings.sort_unstable();
        work.crossings.dedup();
        work.exits.sort_unstable();
        work.exits.dedup();
        let mut numbers = Numbers::new(&mut work.numbers, &mut work.union);
        work.draft.clear();
        for crossing in &work.crossings {
            let (side, region) = ((crossing >> 44) as usize, (crossing & 0xFFFF) as u32);
            work.draft.add_run(side, numbers.of(region), 1);
        }
        for exit in &work.exits {
            work.draft.add_exit(Exit {
                component: numbers.of(exit.component),
                to: exit.to,
            });
        }
        work.draft.n_open = numbers.n_given;
        let mut region = 0_u32;
        for index in 0..16_u8 {
            source.set_labels(page, position_in(first, index), || {
                let label = numbers.of(region);
                region += 1;
                u16::try_from(label).expect("at most 2,048 regions")
            });
        }
        self.blocks[block as usize]
            .outside
            .take_over(&mut work.draft)
    }

    /// Joins the open components of a group's children. Returns true if it looks different from
    /// outside.
    pub(super) fn relabel_group(
        &mut self,
        source: &impl RegionAdjacency,
        group: u32,
        work: &mut RelabelScratch,
    ) -> bool {
        let mut here = self.groups[group as usize]
            .take()
            .expect("the caller has seen it");
        let level = here.level;
        work.children.clear();
        let mut n_nodes = 0_u32;
        for &number in &here.children {
            let (key, rank) = self.key_of(source, number, level);
            let links = self.links_of_mut(level, number);
            links.offset = n_nodes;
            work.children.push(Child {
                key,
                rank,
                number,
                offset: n_nodes,
            });
            n_nodes += u32::try_from(links.outside.n_open()).expect("fewer than regions");
        }
        work.union.reset(n_nodes);
        work.exits.clear();
        for child in &work.children {
            let outside = &self.links_of(level, child.number).outside;
            for (side, facing, dx, dy) in [(1, 3, 1, 0), (2, 0, 0, 1)] {
                let place = (child.key.y + dy, child.key.x + dx, child.rank);
                let order = |other: &Child| (other.key.y, other.key.x, other.rank);
                if let Ok(at) = work.children.binary_search_by_key(&place, order) {
                    let next = work.children[at];
                    let other = &self.links_of(level, next.number).outside;
                    let edges = (outside.side(side), other.side(facing));
                    join_sides(&mut work.union, edges, (child.offset, next.offset));
                }
            }
            for exit in outside.exits() {
                let own = child.offset + exit.component;
                match self.climb(source, exit.to, group, level) {
                    Some(other) => work.union.join(own, other),
                    // Nothing lies outside the root.
                    None if group == self.root => {}
                    None => work.exits.push(Exit {
                        component: own,
                        to: exit.to,
                    }),
                }
            }
        }
        let mut numbers = Numbers::new(&mut work.numbers, &mut work.union);
        work.draft.clear();
        if group != self.root {
            let (west, north) = (here.key.x << 2, here.key.y << 2);
            for side in 0..4 {
                let at_side = |child: &&Child| match side {
                    0 => child.key.y == north,
                    1 => child.key.x == west + 3,
                    2 => child.key.y == north + 3,
                    _ => child.key.x == west,
                };
                for child in work.children.iter().filter(at_side) {
                    let outside = &self.links_of(level, child.number).outside;
                    for (component, n_nav_link_edges) in outside.side(side) {
                        let component = numbers.of(child.offset + component);
                        work.draft.add_run(side, component, n_nav_link_edges);
                    }
                }
            }
        }
        for exit in &work.exits {
            work.draft.add_exit(Exit {
                component: numbers.of(exit.component),
                to: exit.to,
            });
        }
        work.draft.n_open = numbers.n_given;
        for child in &work.children {
            let links = self.links_of_mut(level, child.number);
            for (up, node) in links.outside.up_mut().iter_mut().zip(child.offset..) {
                *up = numbers.of(node);
            }
        }
        let changed = here.links.outside.take_over(&mut work.draft);
        self.groups[group as usize] = Some(here);
        changed
    }

    /// The number of a region's component among those of the children of `group`; `None` if the
    /// region lies outside the group.
    fn climb(
        &self,
        source: &impl RegionAdjacency,
        to: RegionSlot,
        group: u32,
        level: u8,
    ) -> Option<u32> {
        let mut label = u32::from(source.label(to)?);
        let block = block_of(to.page, to.position);
        let mut links = self.blocks.get(block as usize)?;
        for _ in 0..level {
            label = *links.outside.up().get(label as usize)?;
            links = &self.groups.get(links.parent as usize)?.as_ref()?.links;
        }
        let is_open = (label as usize) < links.outside.n_open();
        (links.parent == group && is_open).then_some(links.offset + label)
    }
}

/// The blocks over the four sides of a block, north first, clockwise, or `NONE`.
pub(super) fn blocks_beside(source: &impl RegionAdjacency, block: u32) -> [u32; 4] {
    let (page, x, y) = (block >> 2, block & 1, block >> 1 & 1);
    let pages = source.beside(page);
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

/// Joins what faces each other over a side that two children share.
fn join_sides(
    union: &mut Union,
    edges: (
        impl Iterator<Item = (u32, u32)>,
        impl Iterator<Item = (u32, u32)>,
    ),
    (offset, other_offset): (u32, u32),
) {
    facing(edges, |here, there| {
        union.join(offset + here, other_offset + there);
    });
}

/// Calls `visit` with the components that face each other over a side, run by run.
pub(super) fn facing(
    (mut own, mut other): (
        impl Iterator<Item = (u32, u32)>,
        impl Iterator<Item = (u32, u32)>,
    ),
    mut visit: impl FnMut(u32, u32),
) {
    let (mut a, mut b) = (own.next(), other.next());
    while let (Some((here, n_here)), Some((there, n_there))) = (a, b) {
        visit(here, there);
        let n_nav_link_edges = n_here.min(n_there);
        a = if n_here > n_nav_link_edges {
            Some((here, n_here - n_nav_link_edges))
        } else {
            own.next()
        };
        b = if n_there > n_nav_link_edges {
            Some((there, n_there - n_nav_link_edges))
        } else {
            other.next()
        };
    }
    debug_assert_eq!((a, b), (None, None), "both count the same ways");
}
