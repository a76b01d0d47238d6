//! What hangs together: components of regions, in a hierarchy, so that no edit costs the world.
//!
//! Each page joins its regions into components. Those that go on outside the page are the nodes
//! of a group of 4 x 4 pages, which joins them in turn; and so on for four levels (512, 2,048,
//! 8,192 and 32,768 columns), with one root over all. When what a page or group shows to the
//! outside stays the same, nothing above it is looked at. Components are weak: a way in one
//! direction joins.

use super::node::NodeId;
use super::page::{Links, NONE, PageKey};
use super::{Ground, Scratch};

mod compare;
mod groups;
mod links;

/// Levels of groups between pages and the root.
pub(crate) const N_LEVELS: usize = 4;

/// A group of 4 x 4 pages or groups, or the root over all.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Where it lies, in groups of its level.
    key: PageKey,
    /// 0 for groups of pages, `N_LEVELS` for the root.
    level: u8,
    /// Pages, or groups of the level below.
    children: Vec<u32>,
    links: Links,
    /// Ways out, in the order of children.
    exits: Vec<Exit>,
}

/// A way from an open component to a region outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Exit {
    component: u32,
    to: Place,
}

/// A region by where it is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    page: u32,
    position: u8,
    ordinal: u8,
}

/// A component: equal for two cells exactly if a chain of steps, each in either direction, joins
/// them. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId {
    /// Level of the page or group where it is closed; 0 for pages.
    level: u8,
    holder: u32,
    label: u32,
}

/// Joins numbers; the smallest of each set stands for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Union {
    parents: Vec<u32>,
}

impl Union {
    pub(crate) fn heap_bytes(&self) -> usize {
        self.parents.capacity() * size_of::<u32>()
    }

    fn reset(&mut self, n_nodes: usize) {
        self.parents.clear();
        self.parents
            .extend(0..u32::try_from(n_nodes).expect("few nodes"));
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

fn mixed(signature: u64, exit: Exit) -> u64 {
    let place = u64::from(exit.to.page) << 16
        | u64::from(exit.to.position) << 8
        | u64::from(exit.to.ordinal);
    let word = signature ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ word >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (word ^ word >> 32 ^ u64::from(exit.component)).wrapping_mul(0x94D0_49BB_1331_11EB)
}

impl Ground {
    /// Makes components true again for the pages noted in `scratch.pages`, and for all above
    /// that see a difference.
    pub(crate) fn repair_components(&mut self, scratch: &mut Scratch) {
        scratch.parted.clear();
        scratch.joined.clear();
        if scratch.pages.is_empty() {
            return;
        }
        scratch.pages.sort_unstable();
        scratch.pages.dedup();
        scratch.woken.clear();
        scratch.before.clear();
        for region in &scratch.old_regions {
            scratch
                .before
                .push(self.component_of(region.page, region.label));
        }
        for region in &scratch.same_regions {
            scratch
                .before
                .push(self.component_of(region.page, region.label));
        }
        for cell in &scratch.old_cells {
            scratch
                .before
                .push(self.component_of(cell.page, cell.label));
        }
        for index in 0..scratch.pages.len() {
            let page = scratch.pages[index];
            let Some(found) = self.pages[page as usize].as_deref() else {
                continue;
            };
            if found.sheets.is_empty() {
                let key = found.key;
                self.free_page_and_leave(page, &mut scratch.woken);
                debug_assert!(self.page_at(key) != Some(page), "it is gone");
                continue;
            }
            if found.links.parent == NONE {
                let key = found.key;
                let parent = self.join_group(key, 0, page);
                self.page_mut(page).links.parent = parent;
                scratch.woken.push(parent);
            }
            if self.relabel_page(page, scratch) {
                scratch.woken.push(self.page(page).links.parent);
            }
        }
        for _ in 0..=N_LEVELS {
            let mut woken = std::mem::take(&mut scratch.woken);
            woken.sort_unstable();
            woken.dedup();
            for &group in &woken {
                if self.groups[group as usize].is_some() {
                    self.wake(group, scratch);
                }
            }
            woken.clear();
            std::mem::swap(&mut scratch.woken, &mut scratch.woken_next);
            scratch.woken_next = woken;
            if scratch.woken.is_empty() {
                break;
            }
        }
        self.compare_components(scratch);
    }

    /// The component of a cell that can be stood on.
    pub fn component(&self, node: NodeId) -> ComponentId {
        let page = self.page(node.page());
        let label = page.sheet(node.position()).map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        self.component_of(node.page(), label)
    }

    /// The component that has this label in a page.
    pub(crate) fn component_of(&self, page: u32, label: u16) -> ComponentId {
        let (mut level, mut holder, mut label) = (0, page, u32::from(label));
        let mut links = &self.page(page).links;
        while label < links.n_open {
            label = links.up[label as usize];
            holder = links.parent;
            level += 1;
            links = &self.groups[holder as usize]
                .as_ref()
                .expect("parents exist")
                .links;
        }
        ComponentId {
            level,
            holder,
            label,
        }
    }

    /// Bytes on the heap for groups.
    pub(crate) fn component_bytes(&self) -> usize {
        let group = |group: &Group| {
            size_of::<Group>()
                + group.children.capacity() * size_of::<u32>()
                + group.links.up.capacity() * size_of::<u32>()
                + group.exits.capacity() * size_of::<Exit>()
        };
        let groups: usize = self.groups.iter().flatten().map(|found| group(found)).sum();
        let pages = self.pages.iter().flatten();
        groups
            + pages
                .map(|page| page.links.up.capacity() * size_of::<u32>())
                .sum::<usize>()
            + self.groups.capacity() * size_of::<Option<Box<Group>>>()
            + self.free_groups.capacity() * size_of::<u32>()
            + self
                .group_directories
                .iter()
                .map(super::page::Directory::heap_bytes)
                .sum::<usize>()
    }
}
