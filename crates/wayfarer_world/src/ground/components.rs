//! What hangs together: components of regions, in a hierarchy, so that no edit costs the world.
//!
//! Each page joins its regions into components. Those that go on outside the page are the nodes
//! of a group of 4 x 4 pages, which joins them in turn; and so on for four levels (512, 2,048,
//! 8,192 and 32,768 columns), with one root over all. When what a page or group shows to the
//! outside stays the same, nothing above it is looked at. Components are weak: a way in one
//! direction joins.

use wayfarer_base::{Cell, Direction, Passage, SectorId};

use super::node::NodeId;
use super::page::{Links, NONE, PageKey};
use super::plane;
use super::sheet::{self, Sheet};
use super::{Ground, Scratch, Witness};

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

/// For each run of witnesses with the same key, the first cell with each of the others.
fn pairs(
    witnesses: &[Witness],
    key: impl Fn(&Witness) -> ComponentId,
    pairs: &mut Vec<(Cell, Cell)>,
) {
    for run in witnesses.chunk_by(|a, b| key(a) == key(b)) {
        let Some(first) = run.iter().map(|w| w.cell).min() else {
            continue;
        };
        let others = run.iter().map(|w| w.cell).filter(|cell| *cell != first);
        pairs.extend(others.map(|cell| (first, cell)));
    }
    pairs.sort_unstable();
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

    /// Finds out which components were parted or joined, from cells that were there before and
    /// are there now: at least one on either side of every cut and every seam.
    fn compare_components(&self, scratch: &mut Scratch) {
        scratch.witnesses.clear();
        let (old_regions, rest) = scratch.before.split_at(scratch.old_regions.len());
        let (same_regions, old_cells) = rest.split_at(scratch.same_regions.len());
        for (region, before) in scratch.same_regions.iter().zip(same_regions) {
            let sheet = self.page(region.page).sheet(region.position);
            let Some(now) = sheet.and_then(|s| s.regions().get(usize::from(region.ordinal))) else {
                continue;
            };
            scratch.witnesses.push(Witness {
                cell: self.cell(NodeId::new(region.page, region.position, now.first)),
                before: *before,
                after: self.component_of(region.page, now.label),
            });
        }
        for (region, before) in scratch.old_regions.iter().zip(old_regions) {
            let Some(page) = self.pages[region.page as usize].as_deref() else {
                continue;
            };
            if let Some(z) = region.lifted {
                let origin = page.key.sector(region.position).origin();
                for local in plane::cells(&region.board) {
                    let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
                    let cell = Cell::new(origin.x + x, origin.y + y, z);
                    if let Some(node) = self.node(cell) {
                        scratch.witnesses.push(Witness {
                            cell,
                            before: *before,
                            after: self.component(node),
                        });
                    }
                }
                continue;
            }
            let Some(sheet) = page.sheet(region.position) else {
                continue;
            };
            let mut rest = region.board;
            let walkable = sheet.plane.board();
            for (rest, walkable) in rest.iter_mut().zip(&walkable) {
                *rest &= walkable;
            }
            while let Some(local) = plane::first(&rest) {
                let ordinal = sheet.region_at(local);
                let now = &sheet.regions()[usize::from(ordinal)];
                scratch.witnesses.push(Witness {
                    cell: self.cell(NodeId::new(region.page, region.position, local)),
                    before: *before,
                    after: self.component_of(region.page, now.label),
                });
                let found = sheet.board_of(ordinal);
                for (rest, found) in rest.iter_mut().zip(&found) {
                    *rest &= !found;
                }
            }
        }
        for (old, before) in scratch.old_cells.iter().zip(old_cells) {
            if let Some(node) = self.node(old.cell) {
                scratch.witnesses.push(Witness {
                    cell: old.cell,
                    before: *before,
                    after: self.component(node),
                });
            }
        }
        let witnesses = &mut scratch.witnesses;
        witnesses.sort_unstable_by_key(|w| (w.before, w.after, w.cell));
        witnesses.dedup_by_key(|w| (w.before, w.after));
        pairs(witnesses, |w| w.before, &mut scratch.parted);
        witnesses.sort_unstable_by_key(|w| (w.after, w.before));
        pairs(witnesses, |w| w.after, &mut scratch.joined);
    }

    fn wake(&mut self, group: u32, scratch: &mut Scratch) {
        let found = self.groups[group as usize]
            .as_ref()
            .expect("the caller has seen it");
        let (key, level, parent) = (found.key, found.level, found.links.parent);
        if found.children.is_empty() {
            if usize::from(level) < N_LEVELS {
                self.group_directories[usize::from(level)].remove(key.x, key.y);
            } else {
                self.root = NONE;
            }
            self.groups[group as usize] = None;
            self.free_groups.push(group);
            if parent != NONE {
                self.leave_group(parent, group);
                scratch.woken_next.push(parent);
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
            scratch.woken_next.push(parent);
        }
        if self.relabel_group(group, scratch) && parent != NONE {
            scratch.woken_next.push(parent);
        }
    }

    /// Finds or makes the group of pages around a page, and puts the page into it.
    fn join_group(&mut self, key: PageKey, level: u8, child: u32) -> u32 {
        let key = PageKey {
            x: key.x >> 2,
            y: key.y >> 2,
        };
        self.join_group_above(key, level, child)
    }

    fn join_group_above(&mut self, key: PageKey, level: u8, child: u32) -> u32 {
        let found = if usize::from(level) == N_LEVELS {
            (self.root != NONE).then_some(self.root)
        } else {
            self.group_directories[usize::from(level)].find(key.x, key.y)
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
                self.group_directories[usize::from(level)].insert(key.x, key.y, group);
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

    /// Gives an empty page back, with those of higher ranks, and takes them out of their groups.
    fn free_page_and_leave(&mut self, page: u32, woken: &mut Vec<u32>) {
        let mut each = page;
        while each != NONE {
            let (parent, above) = (self.page(each).links.parent, self.page(each).above);
            if parent != NONE {
                self.leave_group(parent, each);
                woken.push(parent);
            }
            each = above;
        }
        self.free_page(page);
    }

    /// Calls `visit` with each region's number in the page and each place that it leads to.
    fn for_links(&self, page: u32, offsets: &[u16; 64], mut visit: impl FnMut(u32, Place)) {
        let here = self.page(page);
        for position in 0..64_u8 {
            let Some(sheet) = here.sheet(position) else {
                continue;
            };
            let offset = u32::from(offsets[usize::from(position)]);
            for (own, region) in (offset..).zip(sheet.regions()) {
                for portal in sheet.portals(region) {
                    let direction = Direction::STRAIGHT[usize::from(portal.direction())];
                    let (next, position) = self.next_sheet(page, position, direction);
                    let to = Place {
                        page: next,
                        position,
                        ordinal: portal.ordinal(),
                    };
                    visit(own, to);
                }
            }
            if sheet.flags & sheet::MOVES != 0 {
                self.for_strange_links(page, sheet, |own, to| visit(offset + u32::from(own), to));
            }
        }
    }

    /// Calls `visit` with each region of a sheet and each place that it leads to other than by
    /// plain portals.
    fn for_strange_links(&self, page: u32, sheet: &Sheet, mut visit: impl FnMut(u8, Place)) {
        let Some(side) = sheet.side.as_deref() else {
            return;
        };
        for portal in &side.wide {
            let to = Place {
                page: portal.page,
                position: portal.position,
                ordinal: portal.ordinal,
            };
            visit(portal.from, to);
        }
        if !plane::is_empty(&side.passages) {
            let sector = self.page(page).key.sector(sheet.position);
            self.for_passages(sector, |from, to| {
                if (from.page, from.position) == (page, sheet.position) {
                    visit(from.ordinal, to);
                }
            });
        }
    }

    /// Calls `visit` both ways for each passage of a sector that joins two regions now.
    fn for_passages(&self, sector: SectorId, mut visit: impl FnMut(Place, Place)) {
        let Some(features) = self.features.of(sector) else {
            return;
        };
        for passage in &features.passages {
            if let Some((from, to)) = self.joined_by(passage) {
                visit(from, to);
                visit(to, from);
            }
        }
    }

    /// The two regions that a passage joins, if it is open to the world's walker and both its
    /// ends can be stood on.
    fn joined_by(&self, passage: &Passage) -> Option<(Place, Place)> {
        if !passage.gate.lets_through(self.walker.keys) {
            return None;
        }
        let place = |node: NodeId| {
            let sheet = self.page(node.page()).sheet(node.position())?;
            Some(Place {
                page: node.page(),
                position: node.position(),
                ordinal: sheet.region_at(node.local()),
            })
        };
        Some((
            place(self.node(passage.from)?)?,
            place(self.node(passage.to)?)?,
        ))
    }

    /// Joins the regions of a page. Returns true if it looks different from outside.
    fn relabel_page(&mut self, page: u32, scratch: &mut Scratch) -> bool {
        let mut offsets = [0_u16; 64];
        let mut n_regions = 0_u16;
        for position in 0..64_u8 {
            offsets[usize::from(position)] = n_regions;
            if let Some(sheet) = self.page(page).sheet(position) {
                n_regions += u16::from(sheet.n_regions);
            }
        }
        let union = &mut scratch.union;
        union.reset(usize::from(n_regions));
        scratch.exits.clear();
        self.for_links(page, &offsets, |own, to| {
            if to.page == page {
                let other = offsets[usize::from(to.position)] + u16::from(to.ordinal);
                union.join(own, u32::from(other));
            } else {
                scratch.exits.push(Exit { component: own, to });
            }
        });
        let numbers = &mut scratch.numbers;
        numbers.clear();
        numbers.resize(usize::from(n_regions), NONE);
        let mut signature = 0;
        let mut n_components = 0;
        for exit in &mut scratch.exits {
            let number = &mut numbers[union.find(exit.component) as usize];
            if *number == NONE {
                *number = n_components;
                n_components += 1;
            }
            exit.component = *number;
            signature = mixed(signature, *exit);
        }
        let n_open = n_components;
        let here = self.page_mut(page);
        for position in 0..64_u8 {
            let offset = offsets[usize::from(position)];
            let Some(sheet) = here.sheet_mut(position) else {
                continue;
            };
            for (own, region) in (u32::from(offset)..).zip(sheet.regions_mut()) {
                let number = &mut numbers[union.find(own) as usize];
                if *number == NONE {
                    *number = n_components;
                    n_components += 1;
                }
                region.label = u16::try_from(*number).expect("at most 8,192 regions");
            }
        }
        let links = &mut here.links;
        links.n_components = n_components;
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

    /// Where a region's component stands in `group`: the number of its child's first component
    /// there, and the component's number in the child; `None` if the region lies outside the group.
    fn climb(&self, to: Place, group: u32, level: u8) -> Option<(u32, u32)> {
        let page = self.page(to.page);
        let sheet = page.sheet(to.position)?;
        let mut label = u32::from(sheet.regions().get(usize::from(to.ordinal))?.label);
        let mut links = &page.links;
        for _ in 0..level {
            label = *links.up.get(label as usize)?;
            links = &self.groups.get(links.parent as usize)?.as_ref()?.links;
        }
        (links.parent == group).then_some((links.offset, label))
    }

    /// Joins the open components of a group's children. Returns true if it looks different from
    /// outside.
    fn relabel_group(&mut self, group: u32, scratch: &mut Scratch) -> bool {
        let here = self.groups[group as usize]
            .take()
            .expect("the caller has seen it");
        let level = here.level;
        let mut here = here;
        // The group itself is out of the table while it is worked on; `climb` compares numbers.
        scratch.offsets.clear();
        let mut n_nodes = 0_u32;
        for &child in &here.children {
            scratch.offsets.push((child, n_nodes));
            let links = self.links_of_mut(level, child);
            links.offset = n_nodes;
            n_nodes += links.n_open;
        }
        scratch.union.reset(n_nodes as usize);
        scratch.exits.clear();
        for index in 0..here.children.len() {
            let (child, offset) = scratch.offsets[index];
            if level == 0 {
                self.page_exits(child, scratch);
            } else {
                let found = self.groups[child as usize]
                    .as_ref()
                    .expect("children exist");
                scratch.child_exits.clear();
                scratch.child_exits.extend_from_slice(&found.exits);
            }
            for exit in &scratch.child_exits {
                let own = offset + exit.component;
                match self.climb(exit.to, group, level) {
                    Some((offset, label)) => scratch.union.join(own, offset + label),
                    None => scratch.exits.push(Exit {
                        component: own,
                        to: exit.to,
                    }),
                }
            }
        }
        let numbers = &mut scratch.numbers;
        numbers.clear();
        numbers.resize(n_nodes as usize, NONE);
        let mut signature = 0;
        let mut n_components = 0;
        here.exits.clear();
        for exit in &scratch.exits {
            let number = &mut numbers[scratch.union.find(exit.component) as usize];
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
            let (child, offset) = scratch.offsets[index];
            let n_open = self.links_of(level, child).n_open;
            for label in 0..n_open {
                let number = &mut numbers[scratch.union.find(offset + label) as usize];
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
        here.links.n_components = n_components;
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
            &self.page(child).links
        } else {
            &self.groups[child as usize]
                .as_ref()
                .expect("children exist")
                .links
        }
    }

    fn links_of_mut(&mut self, level: u8, child: u32) -> &mut Links {
        if level == 0 {
            &mut self.page_mut(child).links
        } else {
            &mut self.groups[child as usize]
                .as_mut()
                .expect("children exist")
                .links
        }
    }

    /// Ways out of a page, with the numbers of its open components. Ways north and west into
    /// pages of the same group are left out: those pages tell of them as ways south and east.
    fn page_exits(&self, page: u32, scratch: &mut Scratch) {
        scratch.child_exits.clear();
        let here = self.page(page);
        let exits = &mut scratch.child_exits;
        for (index, direction) in (0_u8..).zip(Direction::STRAIGHT) {
            let next = here.around[usize::from(direction.index())];
            if next == NONE {
                continue;
            }
            let inside = self.page(next).links.parent == here.links.parent;
            if inside && matches!(direction, Direction::North | Direction::West) {
                continue;
            }
            for along in 0..8_u8 {
                let (position, there) = match direction {
                    Direction::North => (along, 56 | along),
                    Direction::East => (along << 3 | 7, along << 3),
                    Direction::South => (56 | along, along),
                    _ => (along << 3, along << 3 | 7),
                };
                let Some(sheet) = here.sheet(position) else {
                    continue;
                };
                for region in sheet.regions() {
                    for portal in sheet.portals(region) {
                        if portal.direction() == index {
                            exits.push(Exit {
                                component: u32::from(region.label),
                                to: Place {
                                    page: next,
                                    position: there,
                                    ordinal: portal.ordinal(),
                                },
                            });
                        }
                    }
                }
            }
        }
        for sheet in here
            .sheets
            .iter()
            .filter(|sheet| sheet.flags & sheet::MOVES != 0)
        {
            self.for_strange_links(page, sheet, |own, to| {
                if to.page != page {
                    let label = sheet.regions()[usize::from(own)].label;
                    exits.push(Exit {
                        component: u32::from(label),
                        to,
                    });
                }
            });
        }
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
