//! Which narrow places every way from here to there must pass.
//!
//! Regions and the open stretches of border between them are a graph. A stretch whose closing
//! would part the graph is a bridge. What hangs together without bridges is an area, and areas and
//! bridges are a tree: whoever walks from one area to another crosses the bridges between them,
//! in order, and gains nothing in areas that do not lie between. A way out over a bridge and back
//! over it is longer than the way beside it.
//!
//! So the search leaves other areas out, and what the rest of a way costs at least is: to the
//! next bridge, from bridge to bridge, and from the last one to the goal. Where bits do not tell
//! all steps, no border is taken for a bridge.
//!
//! The tree follows from the ground alone, and a search uses that of the ground as it is. An edit
//! that changes neither the regions nor the stretches of its sector leaves the tree as it is.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer regions than cells"
)]

use wayfarer_base::{Cost, Direction, SectorId};
use wayfarer_world::ground::{Ground, NodeId, RegionId, SheetBits};

use super::cache::NONE;

/// An open stretch of border, or another way between two regions.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// The first cell on the side of the first region.
    x: i32,
    y: i32,
    /// Cells on each side.
    length: u8,
    /// True if the second region lies east of the first, false if south.
    is_east: bool,
}

/// Places within a rectangle, and what the rest of the way costs from there at least.
#[derive(Clone, Copy, Debug)]
struct Leg {
    low_x: i32,
    high_x: i32,
    low_y: i32,
    high_y: i32,
    rest: u32,
}

/// Regions with no bridge between them.
#[derive(Clone, Copy, Debug)]
struct Area {
    /// When it was come to as the tree was made: less than the areas below it.
    order: u32,
    /// The half of a border by which it was come to; `NONE` at a root.
    up: u32,
}

/// What was known of a sheet when the tree was made.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The number of its first region; `NONE` if there was no such sheet.
    first_region: u32,
    /// Where its stretches are.
    first_run: u32,
    n_runs: u16,
    n_regions: u8,
    is_plain: bool,
}

const UNKNOWN: Known = Known {
    first_region: NONE,
    first_run: 0,
    n_runs: 0,
    n_regions: 0,
    is_plain: false,
};

/// The tree of areas, and the part of it that lies between the ends of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    is_made: bool,
    /// By the number of the sheet.
    sheets: Vec<Known>,
    /// The stretches of all sheets to the east and to the south, packed.
    runs: Vec<u32>,
    borders: Vec<Border>,
    /// Two halves for each border, there and back: the region it leads to.
    targets: Vec<u32>,
    /// By region.
    area_of: Vec<u32>,
    areas: Vec<Area>,
    /// By area: the search in which it lies between start and goal, and its place there.
    between: Vec<(u32, u32)>,
    search: u32,
    legs: Vec<Leg>,
    /// Reused from time to time: halves by region, order, lowest, and a stack.
    next_half: Vec<u32>,
    visits: Vec<Visit>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    order: u32,
    lowest: u32,
    /// The next half to follow.
    half: u32,
    /// The half by which it was come to.
    by: u32,
}

impl Tree {
    /// Forgets the tree; keeps the room.
    pub(super) fn forget(&mut self) {
        self.is_made = false;
    }

    /// Gives all memory back.
    pub(super) fn drop_all(&mut self) {
        *self = Self::default();
    }

    /// Makes ready for a search. True if the tree was made anew, so that what was told of areas
    /// no longer holds. Takes time in proportion to the sheets of the ground if so.
    pub(super) fn prepare(&mut self, ground: &Ground) -> bool {
        if self.is_made {
            return false;
        }
        self.gather(ground);
        self.connect(ground);
        self.find_areas();
        self.is_made = true;
        true
    }

    /// Takes over that cells of `sector` changed. True if cells may have other areas now.
    pub(super) fn follow(&mut self, ground: &Ground, sector: SectorId) -> bool {
        if !self.is_made {
            return false;
        }
        let mut several = false;
        // Those to the west and north know the borders to this one.
        for (dx, dy) in [(0, 0), (-1, 0), (0, -1)] {
            let near = SectorId::new(sector.x.saturating_add(dx), sector.y.saturating_add(dy));
            let mut sheets = ground.sheets_in(near);
            let (sheet, more) = (sheets.next(), sheets.next());
            // The lowest storey has one number for good; others come and go.
            let is_same = match (sheet, more) {
                (Some(sheet), None) => {
                    several |= sheet.n_regions() > 1;
                    self.is_as_known(&sheet)
                }
                _ => (dx, dy) != (0, 0) && sheet.is_none(),
            };
            if !is_same {
                self.forget();
                return true;
            }
        }
        several
    }

    /// True if a sheet has the regions and stretches that it had.
    fn is_as_known(&mut self, sheet: &SheetBits<'_>) -> bool {
        let known = *self.sheets.get(sheet.number() as usize).unwrap_or(&UNKNOWN);
        if known.first_region == NONE
            || known.n_regions != sheet.n_regions()
            || !known.is_plain
            || !sheet.is_plain()
        {
            return false;
        }
        let n_before = self.runs.len();
        gather_runs(sheet, &mut self.runs);
        let first = known.first_run as usize;
        let is_same = self.runs[n_before..] == self.runs[first..first + usize::from(known.n_runs)];
        self.runs.truncate(n_before);
        is_same
    }

    /// Numbers regions, and notes stretches.
    fn gather(&mut self, ground: &Ground) {
        self.sheets.fill(UNKNOWN);
        self.runs.clear();
        let mut n_regions = 0;
        for sheet in ground.sheets() {
            let number = sheet.number() as usize;
            if number >= self.sheets.len() {
                // Sheets of a page have 64 numbers in a row.
                self.sheets.resize((number | 63) + 1, UNKNOWN);
            }
            let first_run = self.runs.len();
            if sheet.is_plain() {
                gather_runs(&sheet, &mut self.runs);
            }
            self.sheets[number] = Known {
                first_region: n_regions,
                first_run: first_run as u32,
                n_runs: (self.runs.len() - first_run) as u16,
                n_regions: sheet.n_regions(),
                is_plain: sheet.is_plain(),
            };
            n_regions += u32::from(sheet.n_regions());
        }
        self.visits.clear();
        let fresh = Visit {
            order: 0,
            lowest: 0,
            half: NONE,
            by: NONE,
        };
        self.visits.resize(n_regions as usize, fresh);
    }

    /// Makes borders of stretches, and of everything else that leads from region to region.
    fn connect(&mut self, ground: &Ground) {
        self.borders.clear();
        self.targets.clear();
        self.next_half.clear();
        for sheet in ground.sheets() {
            let known = self.sheets[sheet.number() as usize];
            if !known.is_plain {
                self.connect_steps(ground, &sheet);
                continue;
            }
            let origin = sheet.origin();
            let mut neighbours = [None; 2];
            for index in known.first_run..known.first_run + u32::from(known.n_runs) {
                let run = Run::unpack(self.runs[index as usize]);
                let next = neighbours[usize::from(run.is_east)]
                    .get_or_insert_with(|| self.neighbour(&sheet, run.is_east));
                let Some(next) = *next else {
                    continue; // That sheet is not plain, and tells the border itself.
                };
                let at = i32::from(run.first);
                let (dx, dy) = if run.is_east { (15, at) } else { (at, 15) };
                let border = Border {
                    x: origin.x + dx,
                    y: origin.y + dy,
                    length: run.length,
                    is_east: run.is_east,
                };
                let own = known.first_region + u32::from(run.own);
                self.add(own, next + u32::from(run.other), border);
            }
        }
        for passage in ground.passages() {
            let ends = [passage.from, passage.to].map(|cell| ground.node(cell));
            if let [Some(from), Some(to)] = ends {
                self.join(ground.region(from), ground.region(to));
            }
        }
    }

    /// The first region of the next sheet to the east or south, if it is plain, too.
    fn neighbour(&self, sheet: &SheetBits<'_>, is_east: bool) -> Option<u32> {
        let next = sheet.next(if is_east {
            Direction::East
        } else {
            Direction::South
        })?;
        let known = self.sheets[next.number() as usize];
        known.is_plain.then_some(known.first_region)
    }

    /// Joins the regions of a sheet that is not plain with all that steps lead to.
    fn connect_steps(&mut self, ground: &Ground, sheet: &SheetBits<'_>) {
        for region in ground.regions_of(sheet) {
            ground.for_portals(region, |portal| self.join(region, portal.to));
        }
    }

    /// Joins two regions by more than any bridge.
    fn join(&mut self, a: RegionId, b: RegionId) {
        let number = |region: RegionId| {
            self.sheets[region.sheet() as usize].first_region + u32::from(region.ordinal())
        };
        let (a, b) = (number(a), number(b));
        let border = Border {
            x: 0,
            y: 0,
            length: 0,
            is_east: false,
        };
        self.add(a, b, border);
        self.add(a, b, border);
    }

    fn add(&mut self, a: u32, b: u32, border: Border) {
        let half = self.targets.len() as u32;
        self.borders.push(border);
        self.targets.extend([b, a]);
        let (from_a, from_b) = (self.visits[a as usize].half, self.visits[b as usize].half);
        // Of a region with itself only one half is kept: it is no bridge.
        self.next_half.extend([from_a, from_b]);
        self.visits[a as usize].half = half;
        self.visits[b as usize].half = half + 1;
    }

    /// Finds the bridges, and so the areas (Tarjan's way, without recursion).
    fn find_areas(&mut self) {
        self.areas.clear();
        self.area_of.clear();
        self.area_of.resize(self.visits.len(), NONE);
        self.stack.clear();
        let mut clock = 0;
        for root in 0..self.visits.len() as u32 {
            if self.visits[root as usize].order == 0 {
                clock = self.find_areas_from(root, clock);
            }
        }
        self.between.clear();
        self.between.resize(self.areas.len(), (0, 0));
        self.search = 0;
    }

    fn find_areas_from(&mut self, root: u32, mut clock: u32) -> u32 {
        let mut enter = |visits: &mut [Visit], stack: &mut Vec<u32>, region: u32, by: u32| {
            clock += 1;
            let visit = &mut visits[region as usize];
            (visit.order, visit.lowest, visit.by) = (clock, clock, by);
            stack.push(region);
        };
        enter(&mut self.visits, &mut self.stack, root, NONE);
        let mut at = root;
        loop {
            let visit = self.visits[at as usize];
            if visit.half != NONE {
                let half = visit.half;
                self.visits[at as usize].half = self.next_half[half as usize];
                if visit.by != NONE && half >> 1 == visit.by >> 1 {
                    continue; // Back over the same border.
                }
                let to = self.targets[half as usize];
                let order = self.visits[to as usize].order;
                if order == 0 {
                    enter(&mut self.visits, &mut self.stack, to, half);
                    at = to;
                } else if order < visit.lowest {
                    self.visits[at as usize].lowest = order;
                }
                continue;
            }
            if visit.lowest == visit.order {
                let area = self.areas.len() as u32;
                self.areas.push(Area {
                    order: visit.order,
                    up: visit.by,
                });
                while let Some(region) = self.stack.pop() {
                    self.area_of[region as usize] = area;
                    if region == at {
                        break;
                    }
                }
            }
            if visit.by == NONE {
                return clock;
            }
            at = self.targets[(visit.by ^ 1) as usize];
            let above = &mut self.visits[at as usize];
            above.lowest = above.lowest.min(visit.lowest);
        }
    }

    /// The area of a cell; only of a ground that the tree is of.
    #[inline]
    pub(super) fn area(&self, ground: &Ground, node: NodeId) -> u32 {
        let region = ground.region(node);
        let first = self.sheets[region.sheet() as usize].first_region;
        self.area_of[(first + u32::from(region.ordinal())) as usize]
    }

    /// Sets out what lies between two cells. False if they do not hang together.
    pub(super) fn set_out(&mut self, ground: &Ground, start: NodeId, goal: NodeId) -> bool {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.between.fill((0, 0));
            self.search = 1;
        }
        self.legs.clear();
        self.stack.clear();
        let (mut up, mut down) = (self.area(ground, start), self.area(ground, goal));
        while up != down {
            let (above, below) = (self.areas[up as usize], self.areas[down as usize]);
            let later = if above.order > below.order {
                above
            } else {
                below
            };
            if later.up == NONE {
                return false;
            }
            if above.order > below.order {
                self.put_between(up);
                // Over the bridge to the area that this one was come to from.
                self.legs.push(self.far_side(above.up ^ 1));
                up = self.area_of[self.targets[(above.up ^ 1) as usize] as usize];
            } else {
                self.stack.push(down);
                down = self.area_of[self.targets[(below.up ^ 1) as usize] as usize];
            }
        }
        self.put_between(up);
        while let Some(down) = self.stack.pop() {
            self.legs.push(self.far_side(self.areas[down as usize].up));
            self.put_between(down);
        }
        let goal = ground.cell(goal);
        self.legs.push(Leg {
            low_x: goal.x,
            high_x: goal.x,
            low_y: goal.y,
            high_y: goal.y,
            rest: 0,
        });
        for index in (1..self.legs.len()).rev() {
            let next = self.legs[index];
            let leg = &mut self.legs[index - 1];
            let wide = (next.low_x - leg.high_x)
                .max(leg.low_x - next.high_x)
                .max(0);
            let high = (next.low_y - leg.high_y)
                .max(leg.low_y - next.high_y)
                .max(0);
            let gap = Cost::octile(wide.unsigned_abs(), high.unsigned_abs()).units();
            leg.rest = next.rest.saturating_add(gap);
        }
        true
    }

    fn put_between(&mut self, area: u32) {
        self.between[area as usize] = (self.search, self.legs.len() as u32);
    }

    /// The cells that one comes to by a half of a border.
    fn far_side(&self, half: u32) -> Leg {
        let border = self.borders[(half >> 1) as usize];
        let over = i32::from(half & 1 == 0);
        let more = i32::from(border.length) - 1;
        let (x, y, wide, high) = if border.is_east {
            (border.x + over, border.y, 0, more)
        } else {
            (border.x, border.y + over, more, 0)
        };
        Leg {
            low_x: x,
            high_x: x + wide,
            low_y: y,
            high_y: y + high,
            rest: 0,
        }
    }

    /// What the rest of the way from (x, y) in an area costs at least; `None` if no cheapest way
    /// leads there.
    #[inline]
    pub(super) fn rest(&self, area: u32, x: i32, y: i32) -> Option<u32> {
        let (search, place) = self.between[area as usize];
        if search != self.search {
            return None;
        }
        let leg = &self.legs[place as usize];
        let wide = (leg.low_x - x).max(x - leg.high_x).max(0);
        let high = (leg.low_y - y).max(y - leg.high_y).max(0);
        let cost = Cost::octile(wide.cast_unsigned(), high.cast_unsigned()).units();
        Some(cost.saturating_add(leg.rest))
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.sheets.capacity() * size_of::<Known>()
            + self.borders.capacity() * size_of::<Border>()
            + self.visits.capacity() * size_of::<Visit>()
            + self.areas.capacity() * size_of::<Area>()
            + self.between.capacity() * size_of::<(u32, u32)>()
            + self.legs.capacity() * size_of::<Leg>()
            + (self.runs.capacity()
                + self.targets.capacity()
                + self.area_of.capacity()
                + self.next_half.capacity()
                + self.stack.capacity())
                * size_of::<u32>()
    }
}

/// An open stretch of a sheet's border, as it is compared.
#[derive(Clone, Copy)]
struct Run {
    is_east: bool,
    /// The row, or the column.
    first: u8,
    length: u8,
    /// The region in the sheet.
    own: u8,
    /// The region in the next sheet.
    other: u8,
}

impl Run {
    fn pack(self) -> u32 {
        u32::from(self.is_east)
            | u32::from(self.first) << 1
            | u32::from(self.length) << 5
            | u32::from(self.own) << 10
            | u32::from(self.other) << 18
    }

    fn unpack(word: u32) -> Self {
        Self {
            is_east: word & 1 == 1,
            first: (word >> 1 & 15) as u8,
            length: (word >> 5 & 31) as u8,
            own: (word >> 10) as u8,
            other: (word >> 18) as u8,
        }
    }
}

/// Notes the open stretches of a sheet's border to the east and to the south.
fn gather_runs(sheet: &SheetBits<'_>, runs: &mut Vec<u32>) {
    for is_east in [true, false] {
        let (to, own) = if is_east {
            (Direction::East, sheet.columns(15)[1])
        } else {
            (Direction::South, (sheet.rows(15) >> 19) as u32 & 0xFFFF)
        };
        let mut open = sheet.exits(to) & own;
        if open == 0 {
            continue;
        }
        let Some(next) = sheet.next(to) else {
            continue;
        };
        while open != 0 {
            let first = open.trailing_zeros();
            let length = (!(open >> first)).trailing_zeros();
            open &= open.wrapping_add(1 << first);
            let (own, other) = if is_east {
                (sheet.region_at(15, first), next.region_at(0, first))
            } else {
                (sheet.region_at(first, 15), next.region_at(first, 0))
            };
            let run = Run {
                is_east,
                first: first as u8,
                length: length as u8,
                own,
                other,
            };
            runs.push(run.pack());
        }
    }
}
