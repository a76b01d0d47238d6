//! Components over wide areas: pages join regions, groups join pages, groups join groups.
//!
//! Each page joins its regions into components. Those that go on outside the page are the nodes
//! of a group of 4 x 4 pages, which joins them in turn; and so on for four levels (512, 2,048,
//! 8,192 and 32,768 columns), with one root over all. When what a page or group shows to the
//! outside stays the same, nothing above it is looked at. Components are weak: a way in one
//! direction joins. Whose regions they are, the world's own walker's or a view's, is the affair
//! of whoever implements [`Linked`].

use super::page::{Directory, NONE, PageKey};

/// Levels of groups between pages and the root.
const N_LEVELS: usize = 4;

/// Regions and what leads from one to another.
pub(crate) trait Linked {
    /// Where a page lies.
    fn key(&self, page: u32) -> PageKey;
    /// Regions at one place of a page.
    fn n_regions(&self, page: u32, position: u8) -> u8;
    /// Calls `visit` with the place and number of each region of a page, and each region that a
    /// way leads to from it, or comes to it from.
    fn for_links(&self, page: u32, visit: impl FnMut(u8, u8, Place));
    /// Calls `visit` with the label of each region that leads out of the page, and where to. Ways
    /// into pages that are `inside` the same group may be left out if those pages tell of them.
    fn for_exits(&self, page: u32, inside: impl Fn(u32) -> bool, visit: impl FnMut(u16, Place));
    /// The label of a region.
    fn label(&self, place: Place) -> Option<u16>;
    /// Sets the labels of the regions at one place of a page, asking for them in order.
    fn set_labels(&mut self, page: u32, position: u8, next: impl FnMut() -> u16);
}

/// All components of one profile.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    /// By the number of the page.
    pages: Vec<Links>,
    groups: Vec<Option<Box<Group>>>,
    free_groups: Vec<u32>,
    directories: [Directory; N_LEVELS],
    root: u32,
}

impl Default for Hierarchy {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            groups: Vec::new(),
            free_groups: Vec::new(),
            directories: Default::default(),
            root: NONE,
        }
    }
}

/// Components of a page or of a group of pages.
#[derive(Clone, Debug)]
struct Links {
    /// The group it belongs to.
    parent: u32,
    /// The number of its first component among those of the group's children.
    offset: u32,
    /// Components that go on outside; they have the lowest numbers.
    n_open: u32,
    /// For each open component, its component in the parent.
    up: Vec<u32>,
    /// Stands for all that the parent sees of it.
    signature: u64,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            parent: NONE,
            offset: 0,
            n_open: 0,
            up: Vec::new(),
            signature: 0,
        }
    }
}

/// A group of 4 x 4 pages or groups, or the root over all.
#[derive(Clone, Debug)]
struct Group {
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
struct Exit {
    component: u32,
    to: Place,
}

/// A region by where it is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) page: u32,
    pub(crate) position: u8,
    pub(crate) ordinal: u8,
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

/// Room for the work, kept so that it need not be asked for again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    union: Union,
    exits: Vec<Exit>,
    child_exits: Vec<Exit>,
    numbers: Vec<u32>,
    offsets: Vec<(u32, u32)>,
    woken: Vec<u32>,
    woken_next: Vec<u32>,
}

impl Work {
    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let words = self.union.parents.capacity()
            + self.numbers.capacity()
            + self.woken.capacity()
            + self.woken_next.capacity();
        words * size_of::<u32>()
            + (self.exits.capacity() + self.child_exits.capacity()) * size_of::<Exit>()
            + self.offsets.capacity() * size_of::<(u32, u32)>()
    }
}

/// Joins numbers; the smallest of each set stands for it.
#[derive(Clone, Debug, Default)]
struct Union {
    parents: Vec<u32>,
}

impl Union {
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

impl Hierarchy {
    /// Takes a page out of its group before it goes; [`Hierarchy::repair`] must follow.
    pub(crate) fn leave(&mut self, page: u32, work: &mut Work) {
        let Some(links) = self.pages.get_mut(page as usize) else {
            return;
        };
        let parent = std::mem::take(links).parent;
        if parent != NONE {
            self.leave_group(parent, page);
            work.woken.push(parent);
        }
    }

    /// Makes components true again for `pages`, and for all above that see a difference.
    pub(crate) fn repair(&mut self, source: &mut impl Linked, pages: &[u32], work: &mut Work) {
        for &page in pages {
            if self.pages.len() <= page as usize {
                let more = page as usize + 1 - self.pages.len();
                self.pages.reserve_exact(more);
                self.pages.resize_with(page as usize + 1, Links::default);
            }
            if self.pages[page as usize].parent == NONE {
                let key = source.key(page);
                let above = PageKey {
                    x: key.x >> 2,
                    y: key.y >> 2,
                };
                let parent = self.join_group_above(above, 0, page);
                self.pages[page as usize].parent = parent;
                work.woken.push(parent);
            }
            if self.relabel_page(source, page, work) {
                work.woken.push(self.pages[page as usize].parent);
            }
        }
        for _ in 0..=N_LEVELS {
            let mut woken = std::mem::take(&mut work.woken);
            woken.sort_unstable();
            woken.dedup();
            for &group in &woken {
                if self.groups[group as usize].is_some() {
                    self.wake(source, group, work);
                }
            }
            woken.clear();
            std::mem::swap(&mut work.woken, &mut work.woken_next);
            work.woken_next = woken;
            if work.woken.is_empty() {
                break;
            }
        }
    }

    fn wake(&mut self, source: &impl Linked, group: u32, work: &mut Work) {
        let found = self.groups[group as usize]
            .as_ref()
            .expect("the caller has seen it");
        let (key, level, parent) = (found.key, found.level, found.links.parent);
        if found.children.is_empty() {
            if usize::from(level) < N_LEVELS {
                self.directories[usize::from(level)].remove(key.x, key.y);
            } else {
                self.root = NONE;
            }
            self.groups[group as usize] = None;
            self.free_groups.push(group);
            if parent != NONE {
                self.leave_group(parent, group);
                work.woken_next.push(parent);
            }
            return;
        }
        let mut parent = parent;
        if parent == NONE && usize::from(level) < N_LEVELS {
            let above = PageKey {
                x: key.x >> 2,
                y: key.y >> 2,
            };
            parent = self.join_group_above(above, level + 1, group);
            self.groups[group as usize]
                .as_mut()
                .expect("it exists")
                .links
                .parent = parent;
            work.woken_next.push(parent);
        }
        if self.relabel_group(source, group, work) && parent != NONE {
            work.woken_next.push(parent);
        }
    }

    fn join_group_above(&mut self, key: PageKey, level: u8, child: u32) -> u32 {
        let found = if usize::from(level) == N_LEVELS {
            (self.root != NONE).then_some(self.root)
        } else {
            self.directories[usize::from(level)].find(key.x, key.y)
        };
        let group = found.unwrap_or_else(|| {
            let group = self.free_groups.pop().unwrap_or_else(|| {
                self.groups.push(None);
                u32::try_from(self.groups.len() - 1).expect("fewer groups than numbers")
            });
            self.groups[group as usize] = Some(Box::new(Group {
                key,
                level,
                children: Vec::new(),
                links: Links {
                    parent: NONE,
                    ..Links::default()
                },
                exits: Vec::new(),
            }));
            if usize::from(level) == N_LEVELS {
                self.root = group;
            } else {
                self.directories[usize::from(level)].insert(key.x, key.y, group);
            }
            group
        });
        let children = &mut self.groups[group as usize]
            .as_mut()
            .expect("just seen")
            .children;
        let at = children.partition_point(|other| *other < child);
        children.reserve_exact(1);
        children.insert(at, child);
        group
    }

    fn leave_group(&mut self, group: u32, child: u32) {
        let children = &mut self.groups[group as usize]
            .as_mut()
            .expect("it has a child")
            .children;
        children.retain(|other| *other != child);
    }

    /// Where a region's component stands in `group`: the number of its child's first component
    /// there, and the component's number in the child; `None` if the region lies outside the group.
    fn climb(&self, source: &impl Linked, to: Place, group: u32, level: u8) -> Option<(u32, u32)> {
        let mut label = u32::from(source.label(to)?);
        let mut links = self.pages.get(to.page as usize)?;
        for _ in 0..level {
            label = *links.up.get(label as usize)?;
            links = &self.groups.get(links.parent as usize)?.as_ref()?.links;
        }
        (links.parent == group).then_some((links.offset, label))
    }

    /// Joins the regions of a page. Returns true if it looks different from outside.
    fn relabel_page(&mut self, source: &mut impl Linked, page: u32, work: &mut Work) -> bool {
        let mut offsets = [0_u16; 64];
        let mut n_regions = 0_u16;
        for position in 0..64_u8 {
            offsets[usize::from(position)] = n_regions;
            n_regions += u16::from(source.n_regions(page, position));
        }
        let (union, exits) = (&mut work.union, &mut work.exits);
        union.reset(usize::from(n_regions));
        exits.clear();
        source.for_links(page, |position, ordinal, to| {
            let own = u32::from(offsets[usize::from(position)]) + u32::from(ordinal);
            if to.page == page {
                let other = offsets[usize::from(to.position)] + u16::from(to.ordinal);
                union.join(own, u32::from(other));
            } else {
                exits.push(Exit { component: own, to });
            }
        });
        let numbers = &mut work.numbers;
        numbers.clear();
        numbers.resize(usize::from(n_regions), NONE);
        let mut signature = 0;
        let mut n_components = 0;
        for exit in exits.iter_mut() {
            let number = &mut numbers[union.find(exit.component) as usize];
            if *number == NONE {
                *number = n_components;
                n_components += 1;
            }
            exit.component = *number;
            signature = mixed(signature, *exit);
        }
        let n_open = n_components;
        let mut region = 0_u32;
        for position in 0..64_u8 {
            source.set_labels(page, position, || {
                let number = &mut numbers[union.find(region) as usize];
                if *number == NONE {
                    *number = n_components;
                    n_components += 1;
                }
                region += 1;
                u16::try_from(*number).expect("at most 8,192 regions")
            });
        }
        let links = &mut self.pages[page as usize];
        let changed = links.signature != signature || links.n_open != n_open;
        if changed {
            links.signature = signature;
            links.n_open = n_open;
            links.up.clear();
            links.up.reserve_exact(n_open as usize);
            links.up.resize(n_open as usize, 0);
        }
        changed
    }

    /// Joins the open components of a group's children. Returns true if it looks different from
    /// outside.
    fn relabel_group(&mut self, source: &impl Linked, group: u32, work: &mut Work) -> bool {
        let here = self.groups[group as usize]
            .take()
            .expect("the caller has seen it");
        let level = here.level;
        let mut here = here;
        // The group itself is out of the table while it is worked on; `climb` compares numbers.
        work.offsets.clear();
        let mut n_nodes = 0_u32;
        for &child in &here.children {
            work.offsets.push((child, n_nodes));
            let links = self.links_of_mut(level, child);
            links.offset = n_nodes;
            n_nodes += links.n_open;
        }
        work.union.reset(n_nodes as usize);
        work.exits.clear();
        for index in 0..here.children.len() {
            let (child, offset) = work.offsets[index];
            if level == 0 {
                let parent = self.pages[child as usize].parent;
                work.child_exits.clear();
                let inside = |page: u32| {
                    self.pages
                        .get(page as usize)
                        .is_some_and(|links| links.parent == parent)
                };
                source.for_exits(child, inside, |label, to| {
                    work.child_exits.push(Exit {
                        component: u32::from(label),
                        to,
                    });
                });
            } else {
                let found = self.groups[child as usize]
                    .as_ref()
                    .expect("children exist");
                work.child_exits.clear();
                work.child_exits.extend_from_slice(&found.exits);
            }
            for exit in &work.child_exits {
                let own = offset + exit.component;
                match self.climb(source, exit.to, group, level) {
                    Some((offset, label)) => work.union.join(own, offset + label),
                    None => work.exits.push(Exit {
                        component: own,
                        to: exit.to,
                    }),
                }
            }
        }
        let numbers = &mut work.numbers;
        numbers.clear();
        numbers.resize(n_nodes as usize, NONE);
        let mut signature = 0;
        let mut n_components = 0;
        here.exits.clear();
        for exit in &work.exits {
            let number = &mut numbers[work.union.find(exit.component) as usize];
            if *number == NONE {
                *number = n_components;
                n_components += 1;
            }
            let exit = Exit {
                component: *number,
                to: exit.to,
            };
            signature = mixed(signature, exit);
            here.exits.push(exit);
        }
        let n_open = n_components;
        for index in 0..here.children.len() {
            let (child, offset) = work.offsets[index];
            let n_open = self.links_of(level, child).n_open;
            for label in 0..n_open {
                let number = &mut numbers[work.union.find(offset + label) as usize];
                if *number == NONE {
                    *number = n_components;
                    n_components += 1;
                }
                let number = *number;
                self.links_of_mut(level, child).up[label as usize] = number;
            }
        }
        let changed = here.links.signature != signature || here.links.n_open != n_open;
        here.links.signature = signature;
        if changed {
            here.links.n_open = n_open;
            here.links.up.clear();
            here.links.up.resize(n_open as usize, 0);
        }
        self.groups[group as usize] = Some(here);
        changed
    }

    fn links_of(&self, level: u8, child: u32) -> &Links {
        if level == 0 {
            &self.pages[child as usize]
        } else {
            let group = self.groups[child as usize].as_ref();
            &group.expect("children exist").links
        }
    }

    fn links_of_mut(&mut self, level: u8, child: u32) -> &mut Links {
        if level == 0 {
            &mut self.pages[child as usize]
        } else {
            let group = self.groups[child as usize].as_mut();
            &mut group.expect("children exist").links
        }
    }

    /// The component that has this label in a page.
    pub(crate) fn component_of(&self, page: u32, label: u16) -> ComponentId {
        let (mut level, mut holder, mut label) = (0, page, u32::from(label));
        let mut links = self.pages.get(page as usize);
        while let Some(found) = links
            && label < found.n_open
        {
            label = found.up[label as usize];
            holder = found.parent;
            level += 1;
            links = self.groups[holder as usize]
                .as_ref()
                .map(|group| &group.links);
        }
        ComponentId {
            level,
            holder,
            label,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let group = |group: &Group| {
            size_of::<Group>()
                + group.children.capacity() * size_of::<u32>()
                + group.links.up.capacity() * size_of::<u32>()
                + group.exits.capacity() * size_of::<Exit>()
        };
        let groups: usize = self.groups.iter().flatten().map(|found| group(found)).sum();
        let ups = self.pages.iter().map(|links| links.up.capacity());
        groups
            + ups.sum::<usize>() * size_of::<u32>()
            + self.pages.capacity() * size_of::<Links>()
            + self.groups.capacity() * size_of::<Option<Box<Group>>>()
            + self.free_groups.capacity() * size_of::<u32>()
            + self
                .directories
                .iter()
                .map(Directory::heap_bytes)
                .sum::<usize>()
    }

    /// Gives back memory that is not used.
    pub(crate) fn trim(&mut self) {
        self.pages.shrink_to_fit();
        self.groups.shrink_to_fit();
    }
}
