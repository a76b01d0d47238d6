//! Groups of pages, groups of groups: how open components hang together over wide areas.

use super::{Exit, Group, N_LEVELS, Place, mixed};
use crate::ground::page::{Links, NONE, PageKey};
use crate::ground::{Ground, Scratch};

impl Ground {
    pub(super) fn wake(&mut self, group: u32, scratch: &mut Scratch) {
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
    pub(super) fn join_group(&mut self, key: PageKey, level: u8, child: u32) -> u32 {
        let key = PageKey {
            x: key.x >> 2,
            y: key.y >> 2,
        };
        self.join_group_above(key, level, child)
    }

    pub(super) fn join_group_above(&mut self, key: PageKey, level: u8, child: u32) -> u32 {
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

    pub(super) fn leave_group(&mut self, group: u32, child: u32) {
        let children = &mut self.groups[group as usize]
            .as_mut()
            .expect("it has a child")
            .children;
        children.retain(|other| *other != child);
    }

    /// Gives an empty page back, with those of higher ranks, and takes them out of their groups.
    pub(super) fn free_page_and_leave(&mut self, page: u32, woken: &mut Vec<u32>) {
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

    /// Where a region's component stands in `group`: the number of its child's first component
    /// there, and the component's number in the child; `None` if the region lies outside the group.
    pub(super) fn climb(&self, to: Place, group: u32, level: u8) -> Option<(u32, u32)> {
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
    pub(super) fn relabel_group(&mut self, group: u32, scratch: &mut Scratch) -> bool {
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

    pub(super) fn links_of(&self, level: u8, child: u32) -> &Links {
        if level == 0 {
            &self.page(child).links
        } else {
            &self.groups[child as usize]
                .as_ref()
                .expect("children exist")
                .links
        }
    }

    pub(super) fn links_of_mut(&mut self, level: u8, child: u32) -> &mut Links {
        if level == 0 {
            &mut self.page_mut(child).links
        } else {
            &mut self.groups[child as usize]
                .as_mut()
                .expect("children exist")
                .links
        }
    }
}
