//! How the regions of one page hang together, and where they lead out of it.

use wayfarer_base::{Direction, Passage, SectorId};

use super::{Exit, Place, mixed};
use crate::ground::node::NodeId;
use crate::ground::page::NONE;
use crate::ground::sheet::{self, Sheet};
use crate::ground::{Ground, Scratch, plane};

impl Ground {
    /// Calls `visit` with each region's number in the page and each place that it leads to.
    pub(super) fn for_links(
        &self,
        page: u32,
        offsets: &[u16; 64],
        mut visit: impl FnMut(u32, Place),
    ) {
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
    pub(super) fn for_strange_links(
        &self,
        page: u32,
        sheet: &Sheet,
        mut visit: impl FnMut(u8, Place),
    ) {
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
    pub(super) fn for_passages(&self, sector: SectorId, mut visit: impl FnMut(Place, Place)) {
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
    pub(super) fn joined_by(&self, passage: &Passage) -> Option<(Place, Place)> {
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
    pub(super) fn relabel_page(&mut self, page: u32, scratch: &mut Scratch) -> bool {
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

    /// Ways out of a page, with the numbers of its open components. Ways north and west into
    /// pages of the same group are left out: those pages tell of them as ways south and east.
    pub(super) fn page_exits(&self, page: u32, scratch: &mut Scratch) {
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
}
