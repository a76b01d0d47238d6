//! Queries of the default profile that need neither search nor allocation: successors, cost
//! multipliers, regions, portals, nearest cells.
//!
//! Successors come from a compile-time table where the bits suffice ([`SheetBits::is_uniform`](super::SheetBits::is_uniform)),
//! from the direction mask of the cell on irregular sheets, and from the floors around it for cells
//! with steps to other ranks or nav links.

use wayfarer_base::{Cell, Column, Cost, CostMultiplier, Direction, LinkDirection, Rect, SectorId};

use super::Ground;
use super::bitboard::{self, has};
use super::node::NodeId;
use super::page::local_of;
use super::sheet::{self, Sheet};
use super::successors::{LEGAL_MOVES, Successor, SuccessorBuffer, Successors, uniform_successors};

/// A region by storage location. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RegionId {
    pub(crate) page: u32,
    pub(crate) position: u8,
    pub(crate) ordinal: u8,
}

impl RegionId {
    /// The number of its sheet: the ids of its cells without their lowest 8 bits.
    #[inline]
    pub const fn sheet(self) -> u32 {
        self.page << 6 | self.position as u32
    }

    /// Index in its sheet.
    #[inline]
    pub const fn ordinal(self) -> u8 {
        self.ordinal
    }
}

/// A portal: adjacency of two regions by steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegionPortal {
    /// The target region.
    pub to: RegionId,
    /// Steps across in this direction; 0 if all lead the other direction.
    pub support: u16,
}

impl Ground {
    #[inline]
    pub(crate) fn sheet_of(&self, node: NodeId) -> &Sheet {
        self.page(node.page())
            .sheet(node.position())
            .expect("a node lies in a sheet")
    }

    /// True if a position of a page is that of a sector.
    pub(super) fn is_in_sector(&self, (page, position): (u32, u8), sector: SectorId) -> bool {
        let page = self.pages.get(page as usize).and_then(Option::as_deref);
        page.is_some_and(|page| page.key.sector(position) == sector)
    }

    /// One more than the largest node index; the size of tables indexed by [`NodeId::index`].
    pub fn node_limit(&self) -> u32 {
        u32::try_from(self.pages.len() << 14).unwrap_or(u32::MAX)
    }

    /// All walkable cells, in storage order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0_u32..)
            .zip(&self.pages)
            .filter_map(|(number, page)| page.as_deref().map(|page| (number, page)))
            .flat_map(|(number, page)| {
                page.sheets.iter().flat_map(move |sheet| {
                    bitboard::cells(&sheet.walkable.board())
                        .map(move |local| NodeId::new(number, sheet.position, local))
                })
            })
    }

    /// The successors of a cell with their costs: the eight directions clockwise from north, then
    /// nav links sorted by id. Allocates only while `buffer` grows.
    #[inline]
    pub fn successors<'b>(&self, node: NodeId, buffer: &'b mut SuccessorBuffer) -> Successors<'b> {
        let sheet = self.sheet_of(node);
        let local = node.local();
        if sheet.flags & (sheet::MOVES | sheet::WEIGHTED) == 0 && !is_at_page_edge(node) {
            let window = sheet
                .walkable
                .window(u32::from(local & 15), u32::from(local >> 4));
            return Successors::new(uniform_successors(window, local), node);
        }
        self.general_successors(node, sheet, buffer);
        Successors::new(&buffer.successors, node)
    }

    #[inline(never)]
    fn general_successors(&self, node: NodeId, sheet: &Sheet, buffer: &mut SuccessorBuffer) {
        buffer.successors.clear();
        let local = node.local();
        let details = sheet.details.as_deref();
        let irregular = details.is_some_and(|details| has(&details.irregular, local));
        if irregular {
            self.irregular_successors(node, sheet, buffer);
            return;
        }
        let mask = match details.and_then(|details| details.moves.as_deref()) {
            Some(steps) => steps.masks[usize::from(local)],
            None => {
                LEGAL_MOVES[sheet
                    .walkable
                    .window(u32::from(local & 15), u32::from(local >> 4))]
            }
        };
        let own = (sheet.flags & sheet::WEIGHTED != 0).then(|| self.multiplier_at(sheet, local));
        for direction in Direction::ALL {
            if mask >> direction.index() & 1 == 0 {
                continue;
            }
            let (x, y) = offset(local, direction);
            let is_inside = (0..16).contains(&x) && (0..16).contains(&y);
            let target = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
            let to = if is_inside {
                NodeId::new(node.page(), node.position(), target)
            } else {
                let over = over_edge(x, y);
                let (page, position) = self.next_sheet(node.page(), node.position(), over);
                NodeId::new(page, position, target)
            };
            let length = Cost::for_step(direction.is_diagonal());
            let cost = match own {
                None => length,
                Some(own) if is_inside => {
                    length.scaled_by_mean(own, self.multiplier_at(sheet, target))
                }
                Some(own) => length.scaled_by_mean(own, self.cost_multiplier(to)),
            };
            buffer.push(node, to, cost);
        }
    }

    /// Successors of a cell with steps to other ranks or with nav links.
    fn irregular_successors(&self, node: NodeId, sheet: &Sheet, buffer: &mut SuccessorBuffer) {
        let from = self.cell(node);
        let own = self.multiplier_at(sheet, node.local());
        let mut straight = [None; 8];
        for direction in Direction::STRAIGHT {
            straight[usize::from(direction.index())] = self.straight(node, from, direction);
        }
        for direction in Direction::ALL {
            let to = if direction.is_diagonal() {
                let index = usize::from(direction.index());
                let around = |first: Option<NodeId>, then: Direction| {
                    let first = first?;
                    self.straight(first, self.cell(first), then)
                };
                let one = around(straight[index - 1], direction.turned(1));
                let other = around(straight[(index + 1) & 7], direction.turned(7));
                one.filter(|_| one == other)
            } else {
                straight[usize::from(direction.index())]
            };
            if let Some(to) = to {
                let length = Cost::for_step(direction.is_diagonal());
                buffer.push(
                    node,
                    to,
                    length.scaled_by_mean(own, self.cost_multiplier(to)),
                );
            }
        }
        let Some(features) = self.features.sector(SectorId::from_column(from.column())) else {
            return;
        };
        for nav_link in &features.nav_links {
            let there = nav_link.from == from;
            let back = nav_link.to == from && nav_link.direction == LinkDirection::Bidirectional;
            for (is_forward, end) in [(there, nav_link.to), (back, nav_link.from)] {
                if is_forward
                    && nav_link.state.admits(self.compiled.keys)
                    && let Some(to) = self.node(end)
                {
                    buffer.push(node, to, nav_link.cost);
                }
            }
        }
    }

    /// The target of one straight step: the nearest floor within step and drop limits, unless a
    /// wall blocks it.
    pub(super) fn straight(
        &self,
        node: NodeId,
        from: Cell,
        direction: Direction,
    ) -> Option<NodeId> {
        let column = from.column().step(direction)?;
        let local = local_of(column);
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        let (page, there) = self
            .sheets_at(SectorId::from_column(column))
            .filter(|(_, sheet)| sheet.walkable.get(x, y))
            .filter(|(_, sheet)| self.compiled.can_step(from.z, sheet.height(local)))
            .min_by_key(|(_, sheet)| {
                let z = sheet.height(local);
                (z.abs_diff(from.z), z)
            })?;
        let wall = match direction {
            Direction::North => there.has_wall(local, wayfarer_base::WallSide::South),
            Direction::West => there.has_wall(local, wayfarer_base::WallSide::East),
            Direction::South => self
                .sheet_of(node)
                .has_wall(node.local(), wayfarer_base::WallSide::South),
            _ => self
                .sheet_of(node)
                .has_wall(node.local(), wayfarer_base::WallSide::East),
        };
        (!wall).then(|| NodeId::new(page, there.position, local))
    }

    fn multiplier_at(&self, sheet: &Sheet, local: u8) -> CostMultiplier {
        self.compiled
            .cost_multiplier(sheet.terrain_of(local), sheet.modifier(local))
    }

    /// The cost multiplier of a cell if the eight cells around it have the same, and all nine lie
    /// in one sheet whose bits determine the steps; `None` otherwise.
    #[inline]
    pub fn uniform_multiplier(&self, node: NodeId) -> Option<CostMultiplier> {
        let sheet = self.sheet_of(node);
        let local = node.local();
        let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
        let is_inside = x.wrapping_sub(1) < 14 && y.wrapping_sub(1) < 14;
        if !is_inside || sheet.flags & sheet::MOVES != 0 || sheet.walkable.window(x, y) != 0o777 {
            return None;
        }
        let details = sheet.details.as_deref();
        if details.is_some_and(|details| has(&details.irregular, local))
            || !sheet.has_one_terrain_around(local)
        {
            return None;
        }
        Some(self.multiplier_at(sheet, local))
    }

    /// The cost multiplier of a cell, cost modifiers included.
    pub fn cost_multiplier(&self, node: NodeId) -> CostMultiplier {
        self.multiplier_at(self.sheet_of(node), node.local())
    }

    /// The region of a cell.
    #[inline]
    pub fn region(&self, node: NodeId) -> RegionId {
        RegionId {
            page: node.page(),
            position: node.position(),
            ordinal: self.sheet_of(node).region_at(node.local()),
        }
    }

    /// All regions, in storage order.
    pub fn regions(&self) -> impl Iterator<Item = RegionId> {
        (0_u32..)
            .zip(&self.pages)
            .filter_map(|(number, page)| page.as_deref().map(|page| (number, page)))
            .flat_map(|(page, stored)| {
                stored.sheets.iter().flat_map(move |sheet| {
                    (0..sheet.n_regions).map(move |ordinal| RegionId {
                        page,
                        position: sheet.position,
                        ordinal,
                    })
                })
            })
    }

    /// The regions of a sector, lowest rank first.
    pub fn regions_in(&self, sector: SectorId) -> impl Iterator<Item = RegionId> {
        self.sheets_at(sector).flat_map(|(page, sheet)| {
            (0..sheet.n_regions).map(move |ordinal| RegionId {
                page,
                position: sheet.position,
                ordinal,
            })
        })
    }

    pub(super) fn sheet_of_region(&self, region: RegionId) -> &Sheet {
        self.page(region.page)
            .sheet(region.position)
            .expect("a region lies in a sheet")
    }

    /// The cells of a region, row by row.
    pub fn cells_of(&self, region: RegionId) -> impl Iterator<Item = NodeId> {
        let board = self.sheet_of_region(region).board_of(region.ordinal);
        bitboard::cells(&board).map(move |local| NodeId::new(region.page, region.position, local))
    }

    /// The sector of a region.
    pub fn sector_of(&self, region: RegionId) -> SectorId {
        self.page(region.page).key.sector(region.position)
    }

    /// The cell of a region nearest to its centroid; ties row by row. O(cells).
    pub fn center_of(&self, region: RegionId) -> NodeId {
        let board = self.sheet_of_region(region).board_of(region.ordinal);
        let (mut count, mut sum_x, mut sum_y) = (0_i32, 0_i32, 0_i32);
        for local in bitboard::cells(&board) {
            count += 1;
            sum_x += i32::from(local & 15);
            sum_y += i32::from(local >> 4);
        }
        // Distances in units of 1/count are exact.
        let nearest = bitboard::cells(&board).min_by_key(|local| {
            let (dx, dy) = (
                i32::from(local & 15) * count - sum_x,
                i32::from(local >> 4) * count - sum_y,
            );
            (dx * dx + dy * dy, *local)
        });
        NodeId::new(region.page, region.position, nearest.unwrap_or(0))
    }

    /// The component of a region.
    pub fn component_of_region(&self, region: RegionId) -> super::ComponentId {
        let sheet = self.sheet_of_region(region);
        let label = sheet.regions()[usize::from(region.ordinal)].label;
        self.component_of(region.page, region.position, label)
    }

    /// Calls `visit` with every portal of a region; nav links are not portals.
    pub fn for_each_portal(&self, region: RegionId, mut visit: impl FnMut(RegionPortal)) {
        let sheet = self.sheet_of_region(region);
        if let Some(details) = sheet
            .details
            .as_deref()
            .filter(|details| details.moves.is_some())
        {
            let own = details
                .wide
                .iter()
                .filter(|portal| portal.from == region.ordinal);
            for portal in own {
                visit(RegionPortal {
                    to: RegionId {
                        page: portal.page,
                        position: portal.position,
                        ordinal: portal.ordinal,
                    },
                    support: portal.support,
                });
            }
            return;
        }
        let found = &sheet.regions()[usize::from(region.ordinal)];
        for portal in sheet.portals(found) {
            let direction = Direction::STRAIGHT[usize::from(portal.direction())];
            let (page, position) = self.next_sheet(region.page, region.position, direction);
            visit(RegionPortal {
                to: RegionId {
                    page,
                    position,
                    ordinal: portal.ordinal(),
                },
                support: portal.support(),
            });
        }
        let corners = [
            (Direction::NorthEast, 240),
            (Direction::SouthEast, 0),
            (Direction::SouthWest, 15),
            (Direction::NorthWest, 255),
        ];
        for (bit, (direction, local)) in corners.into_iter().enumerate() {
            if found.corners >> bit & 1 == 1 {
                let (page, position) = self.next_sheet(region.page, region.position, direction);
                let there = self
                    .page(page)
                    .sheet(position)
                    .expect("a corner bit implies the sheet beyond it");
                visit(RegionPortal {
                    to: RegionId {
                        page,
                        position,
                        ordinal: there.region_at(local),
                    },
                    support: 1,
                });
            }
        }
    }

    /// The walkable cell of a column nearest to height `z`, in steps; ties to the lower. `None` if the
    /// column has none.
    pub fn project_to_floor(&self, column: Column, z: i32) -> Option<NodeId> {
        let local = local_of(column);
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        self.sheets_at(SectorId::from_column(column))
            .filter(|(_, sheet)| sheet.walkable.get(x, y))
            .min_by_key(|(_, sheet)| {
                let height = sheet.height(local);
                (height.abs_diff(z), height)
            })
            .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
    }

    /// The walkable cell nearest to a column, at most `reach` columns away in x and in y: by
    /// Euclidean distance of centers, then height difference to `z`, then row by row.
    ///
    /// `None` if there is none. Scans rings of columns up to 24 away, then sectors with floors in
    /// squares of doubling size.
    pub fn nearest_walkable(&self, column: Column, z: i32, reach: u16) -> Option<NodeId> {
        const NEAR: i32 = 24;
        type Order = (i64, u32, i32, i32, i32);
        let mut best: Option<(Order, NodeId)> = None;
        let reach = i32::from(reach);
        let is_nearer = |best: &Option<(Order, NodeId)>, than: i32| {
            let than = i64::from(than) * i64::from(than);
            best.is_some_and(|((distance, ..), _)| distance < than)
        };
        for ring in 0..=reach.min(NEAR) {
            // No cell of this ring is nearer.
            if is_nearer(&best, ring) {
                break;
            }
            for (dx, dy) in ring_around(ring) {
                let (Some(x), Some(y)) = (column.x.checked_add(dx), column.y.checked_add(dy))
                else {
                    continue;
                };
                let Some(node) = self.project_to_floor(Column::new(x, y), z) else {
                    continue;
                };
                let height = self.cell(node).z;
                let distance = i64::from(dx) * i64::from(dx) + i64::from(dy) * i64::from(dy);
                let key = (distance, height.abs_diff(z), y, x, height);
                if best.is_none_or(|(known, _)| key < known) {
                    best = Some((key, node));
                }
            }
        }
        let mut half = NEAR;
        while half < reach && !is_nearer(&best, half + 1) {
            half = reach.min(half * 2);
            let rect = Rect {
                low: Column::new(column.x.saturating_sub(half), column.y.saturating_sub(half)),
                high: Column::new(column.x.saturating_add(half), column.y.saturating_add(half)),
            };
            self.for_each_walkable_in(rect, |node| {
                let cell = self.cell(node);
                let away = |a: i32, b: i32| i64::from(a) - i64::from(b);
                let (dx, dy) = (away(cell.x, column.x), away(cell.y, column.y));
                let distance = dx * dx + dy * dy;
                let key = (distance, cell.z.abs_diff(z), cell.y, cell.x, cell.z);
                if best.is_none_or(|(known, _)| key < known) {
                    best = Some((key, node));
                }
            });
        }
        best.map(|(_, node)| node)
    }

    /// Calls `visit` with every walkable cell of a rectangle of columns, sector by sector. Cost is
    /// bounded by the smaller of rectangle and ground; allocates only if the rectangle is larger
    /// than the ground.
    pub fn for_each_walkable_in(&self, rect: Rect, mut visit: impl FnMut(NodeId)) {
        self.for_each_sector_in(rect, |sector| {
            let origin = sector.origin();
            for (page, sheet) in self.sheets_at(sector) {
                for local in bitboard::cells(&sheet.walkable.board()) {
                    let at = Column::new(
                        origin.x + i32::from(local & 15),
                        origin.y + i32::from(local >> 4),
                    );
                    if rect.contains(at) {
                        visit(NodeId::new(page, sheet.position, local));
                    }
                }
            }
        });
    }

    /// The numbers of walkable cells, regions and sheets. O(sheets).
    pub fn counts(&self) -> (usize, usize, usize) {
        let sheets = || self.pages.iter().flatten().flat_map(|page| &page.sheets);
        let cells = sheets()
            .map(|s| usize::from(bitboard::count(&s.walkable.board())))
            .sum();
        let regions = sheets().map(|sheet| usize::from(sheet.n_regions)).sum();
        (cells, regions, sheets().count())
    }

    /// The AABB of all floors, in columns. A look at each sheet, at the cells of few.
    pub fn bounds(&self) -> Rect {
        let mut bounds = Rect::EMPTY;
        for page in self.pages.iter().flatten() {
            for sheet in &page.sheets {
                let origin = page.key.sector(sheet.position).origin();
                let last = Column::new(origin.x + 15, origin.y + 15);
                if bounds.contains(origin) && bounds.contains(last) {
                    continue;
                }
                let present = sheet.present();
                let columns = present.iter().fold(0, |all, row| all | row);
                let Some(top) = present.iter().position(|row| *row != 0) else {
                    continue;
                };
                let bottom = present.iter().rposition(|row| *row != 0).unwrap_or(top);
                let corner = |x: u32, y: usize| {
                    let (x, y) = (i32::try_from(x), i32::try_from(y));
                    Column::new(origin.x + x.unwrap_or(0), origin.y + y.unwrap_or(0))
                };
                bounds = bounds
                    .including(corner(columns.trailing_zeros(), top))
                    .including(corner(15 - columns.leading_zeros(), bottom));
            }
        }
        bounds
    }
}

/// True if a step may leave the page, so that the offset table does not apply.
#[inline]
pub(super) fn is_at_page_edge(node: NodeId) -> bool {
    let (x, y) = (node.0 & 0x070F, node.0 & 0x38F0);
    x == 0 || x == 0x070F || y == 0 || y == 0x38F0
}

pub(super) fn offset(local: u8, direction: Direction) -> (i32, i32) {
    let (dx, dy) = direction.offset();
    (i32::from(local & 15) + dx, i32::from(local >> 4) + dy)
}

/// The side or corner of the sector beyond which (x, y) lies.
pub(super) fn over_edge(x: i32, y: i32) -> Direction {
    match (x >> 4, y >> 4) {
        (0, -1) => Direction::North,
        (1, -1) => Direction::NorthEast,
        (1, 0) => Direction::East,
        (1, 1) => Direction::SouthEast,
        (0, 1) => Direction::South,
        (-1, 1) => Direction::SouthWest,
        (-1, 0) => Direction::West,
        _ => Direction::NorthWest,
    }
}

/// The offsets at Chebyshev distance `ring`.
fn ring_around(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |dy| {
        let step = if dy.abs() == ring { 1 } else { 2 * ring };
        let stride = usize::try_from(step.max(1)).unwrap_or(1);
        (-ring..=ring).step_by(stride).map(move |dx| (dx, dy))
    })
}

impl SuccessorBuffer {
    #[inline]
    pub(crate) fn push(&mut self, from: NodeId, to: NodeId, cost: Cost) {
        self.successors.push(Successor {
            offset: to.0.wrapping_sub(from.0),
            cost,
        });
    }
}

impl Sheet {
    /// True if a cell off the edge and its eight neighbors have one terrain and one modifier sum.
    #[inline]
    pub(crate) fn has_one_terrain_around(&self, local: u8) -> bool {
        self.details.as_deref().is_none_or(|details| {
            let (terrains, modifiers) = (&details.terrains, &details.modifiers);
            let terrains = terrains.as_deref();
            let modifiers = modifiers.as_deref();
            terrains.is_none_or(|all| is_constant_around(all, local))
                && modifiers.is_none_or(|all| is_constant_around(all, local))
        })
    }

    pub(crate) fn has_wall(&self, local: u8, wall: wayfarer_base::WallSide) -> bool {
        self.details.as_deref().is_some_and(|details| match wall {
            wayfarer_base::WallSide::East => has(&details.wall_east, local),
            wayfarer_base::WallSide::South => has(&details.wall_south, local),
        })
    }
}

/// True if a cell off the edge and its eight neighbors have equal entries.
#[inline]
fn is_constant_around<T: Copy + PartialEq>(all: &[T; 256], local: u8) -> bool {
    let at = usize::from(local);
    let row = |center: usize| all[center - 1..=center + 1].iter().all(|it| *it == all[at]);
    row(at - 16) && row(at) && row(at + 16)
}
