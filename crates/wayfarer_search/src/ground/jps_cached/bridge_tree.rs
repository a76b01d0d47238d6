//! Which narrow places every way from here to there must pass.
//!
//! Regions and the open stretches of border between them are a graph. A stretch whose closing
//! would part the graph is a bridge. What is connected without bridges is an area, and areas and
//! bridges are a tree: whoever walks from one area to another crosses the bridges between them,
//! in order, and gains nothing in areas that do not lie between. A way out over a bridge and back
//! over it is longer than the way beside it.
//!
//! So the search leaves other areas out, and what the rest of a way costs at least is: to the
//! next bridge, from bridge to bridge, and from the last one to the goal; bridges that lie close
//! together may be left out, if what comes after them says more. Where bits do not tell all steps,
//! no border is taken for a bridge.
//!
//! Where several stretches lead from one region to another, one may be gone by and another come
//! back by, so that border is no bridge. Bridges are found as if every border were one stretch, and
//! areas then joined over those that are several: that is quickly done again.
//!
//! The tree follows from the ground alone, and a search uses that of the ground as it is. An edit
//! that changes neither the regions of its sector nor which of them touch leaves it nearly as it
//! is.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer regions than cells"
)]

mod borders;

use wayfarer_base::{Rect, SectorId};
use wayfarer_world::ground::{Ground, NodeId, RegionId, SheetBits};

use self::borders::{Border, Run, gather_borders};
use super::cache::NONE;
use super::goal_heuristic::octile;

/// One way over a border.
#[derive(Clone, Copy, Debug)]
struct Half {
    /// The region it leads to.
    to: u32,
    /// The next half of the region it leads from.
    next: u32,
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

impl Leg {
    /// What the rest of the way costs at least from columns and rows, if it leads here.
    #[inline(always)]
    fn at_least_from(&self, (low_x, high_x): (i32, i32), (low_y, high_y): (i32, i32)) -> u64 {
        let wide = (self.low_x - high_x).max(low_x - self.high_x).max(0);
        let high = (self.low_y - high_y).max(low_y - self.high_y).max(0);
        let to_here = octile(wide.unsigned_abs().into(), high.unsigned_abs().into());
        to_here + u64::from(self.rest)
    }

    /// The same from here, if it leads over `next`.
    fn at_least_by(&self, next: &Self) -> u64 {
        next.at_least_from((self.low_x, self.high_x), (self.low_y, self.high_y))
    }
}

/// From each bridge the rest of the way is estimated by so many of the next ones, and by the goal.
const LOOK_AHEAD: usize = 4;

/// Whether an area lies between start and goal, and where a way leads on from there.
#[derive(Clone, Copy, Debug)]
struct Between {
    /// The search in which it does.
    search: u32,
    leg: Leg,
}

impl Between {
    const NEVER: Self = Self {
        search: 0,
        leg: Leg {
            low_x: 0,
            high_x: 0,
            low_y: 0,
            high_y: 0,
            rest: 0,
        },
    };
}

/// Regions with no bridge between them.
#[derive(Clone, Copy, Debug)]
struct BridgeComponent {
    /// When it was come to as the tree was made: less than the areas below it.
    order: u32,
    /// The half of a border by which it was come to; `NONE` at a root.
    up: u32,
}

/// Which cells may have other areas after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moved {
    None,
    /// Those of a sheet.
    Sheet(u32),
    All,
}

/// What was known of a sheet when the tree was made.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Where its borders are.
    first_border: u32,
    /// The number of its second region, if there is one; the first has the number of the sheet.
    second_region: u32,
    n_borders: u16,
    /// 0 if there was no such sheet.
    n_regions: u8,
    is_uniform: bool,
}

/// The tree of areas, and the part of it that lies between the ends of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct BridgeTree {
    is_made: bool,
    /// By the number of the sheet.
    sheets: Vec<Known>,
    /// Sheet by sheet; behind those what else joins regions.
    borders: Vec<Border>,
    /// Two for each border, there and back.
    halves: Vec<Half>,
    /// By region.
    area_of: Vec<u32>,
    areas: Vec<BridgeComponent>,
    /// By area: the topmost of those that it is joined with, which stands for all of them.
    joined: Vec<u32>,
    /// By area.
    between: Vec<Between>,
    search: u32,
    /// Of the areas between start and goal, in order.
    legs: Vec<Leg>,
    /// Those areas.
    route: Vec<u32>,
    /// By region; of use only while the tree is made.
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

impl BridgeTree {
    /// True if it need not be made first.
    pub(super) fn is_made(&self) -> bool {
        self.is_made
    }

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
        let all_uniform = self.gather(ground);
        self.connect(ground, all_uniform);
        self.find_areas();
        self.is_made = true;
        true
    }

    /// Takes over that cells of a rectangle changed, all in `sector`. Tells which cells may have
    /// other areas now.
    pub(super) fn apply_changes(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        changed: Rect,
    ) -> Moved {
        if !self.is_made {
            return Moved::None;
        }
        let mut sheets = ground.sheets_in(sector);
        let (Some(own), None) = (sheets.next(), sheets.next()) else {
            // The lowest floor has one number for good; others come and go.
            self.forget();
            return Moved::All;
        };
        let several = own.n_regions() > 1;
        let at = own.origin();
        // Where there is one region, borders are as they were unless cells at them changed.
        let is_low = [changed.low.x == at.x, changed.low.y == at.y];
        let is_high = changed.high.x == at.x + 15 || changed.high.y == at.y + 15;
        let mut taken = self.take_over(&own, several || is_high);
        // Those to the west and north know the borders to this one.
        for (is_near, (dx, dy)) in is_low.into_iter().zip([(-1, 0), (0, -1)]) {
            if !(several || is_near) {
                continue;
            }
            let near = SectorId::new(sector.x.saturating_add(dx), sector.y.saturating_add(dy));
            let mut sheets = ground.sheets_in(near);
            let next = match (sheets.next(), sheets.next()) {
                (Some(sheet), None) => self.take_over(&sheet, true),
                (None, _) => Some(false),
                _ => None,
            };
            taken = taken.zip(next).map(|(one, other)| one || other);
        }
        match taken {
            None => {
                self.forget();
                Moved::All
            }
            Some(true) => {
                self.join_areas();
                Moved::All
            }
            Some(false) if several => Moved::Sheet(own.number()),
            Some(false) => Moved::None,
        }
    }

    /// Takes over the stretches of a sheet's borders; `None` if it has other regions now or if
    /// others touch, else true if areas may have to be joined anew. Unless `at_borders`, these are
    /// known to be as they were.
    fn take_over(&mut self, sheet: &SheetBits<'_>, at_borders: bool) -> Option<bool> {
        let known = *self.sheets.get(sheet.number() as usize)?;
        if known.n_regions != sheet.n_regions() || !known.is_uniform || !sheet.is_uniform() {
            return None;
        }
        if !at_borders {
            return Some(false);
        }
        let n_before = self.borders.len();
        gather_borders(sheet, &mut self.borders);
        let first = known.first_border as usize;
        let (others, now) = self.borders.split_at_mut(n_before);
        let previous = &mut others[first..first + usize::from(known.n_borders)];
        let ends = |border: &Border| (border.from, border.to, border.run & Run::ENDS);
        let is_same = previous.iter().map(ends).eq(now.iter().map(ends));
        let is_several = |border: &Border| border.run & Run::SEVERAL;
        let is_joined = previous
            .iter()
            .map(is_several)
            .eq(now.iter().map(is_several));
        if is_same {
            previous.copy_from_slice(now);
        }
        self.borders.truncate(n_before);
        is_same.then_some(!is_joined)
    }

    /// Numbers regions, and notes borders. True if all sheets are plain.
    fn gather(&mut self, ground: &Ground) -> bool {
        self.sheets.fill(Known::default());
        self.borders.clear();
        let mut all_uniform = true;
        let mut n_more = 0;
        for sheet in ground.sheets() {
            let number = sheet.number() as usize;
            if number >= self.sheets.len() {
                // Sheets of a page have 64 numbers in a row.
                self.sheets.resize((number | 63) + 1, Known::default());
            }
            let first_border = self.borders.len();
            let is_uniform = sheet.is_uniform();
            if is_uniform {
                gather_borders(&sheet, &mut self.borders);
            }
            all_uniform &= is_uniform;
            self.sheets[number] = Known {
                first_border: first_border as u32,
                second_region: n_more,
                n_borders: (self.borders.len() - first_border) as u16,
                n_regions: sheet.n_regions(),
                is_uniform,
            };
            n_more += u32::from(sheet.n_regions().saturating_sub(1));
        }
        let n_regions = self.sheets.len() + n_more as usize;
        self.visits.clear();
        let fresh = Visit {
            order: 0,
            lowest: 0,
            half: NONE,
            by: NONE,
        };
        self.visits.resize(n_regions, fresh);
        all_uniform
    }

    /// The number of a region, by its sheet and its place there.
    #[inline]
    fn number(&self, sheet: u32, ordinal: u8) -> u32 {
        if ordinal == 0 {
            return sheet;
        }
        let more = self.sheets[sheet as usize].second_region + u32::from(ordinal) - 1;
        self.sheets.len() as u32 + more
    }

    /// Joins regions over borders, and by everything else that leads from one to another.
    fn connect(&mut self, ground: &Ground, all_uniform: bool) {
        self.halves.clear();
        self.halves.reserve(2 * self.borders.len());
        for index in 0..self.borders.len() {
            let Border { from, to, run } = self.borders[index];
            let run = Run::unpack(run);
            let (own, other) = (self.number(from, run.own), self.number(to, run.other));
            if all_uniform || self.sheets[to as usize].is_uniform {
                self.add(own, other);
            } else {
                // That sheet tells the border itself; halves and borders have the same numbers.
                self.add(own, own);
            }
        }
        if !all_uniform {
            for sheet in ground.sheets().filter(|sheet| !sheet.is_uniform()) {
                for region in ground.regions_of(&sheet) {
                    ground.for_portals(region, |portal| self.join(region, portal.to));
                }
            }
        }
        for nav_link in ground.nav_links() {
            let ends = [nav_link.from, nav_link.to].map(|cell| ground.node(cell));
            if let [Some(from), Some(to)] = ends {
                self.join(ground.region(from), ground.region(to));
            }
        }
    }

    /// Joins two regions by more than any bridge.
    fn join(&mut self, a: RegionId, b: RegionId) {
        let a = self.number(a.sheet(), a.ordinal());
        let b = self.number(b.sheet(), b.ordinal());
        self.add(a, b);
        self.add(a, b);
    }

    #[inline]
    fn add(&mut self, a: u32, b: u32) {
        let half = self.halves.len() as u32;
        let (from_a, from_b) = (self.visits[a as usize].half, self.visits[b as usize].half);
        let there = Half {
            to: b,
            next: from_a,
        };
        let back = Half {
            to: a,
            next: from_b,
        };
        self.halves.push(there);
        self.halves.push(back);
        // Of a region with itself one half is lost: that is no bridge in any case.
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
        let n_sheets = self.sheets.len();
        for root in 0..self.visits.len() {
            let is_there = root >= n_sheets || self.sheets[root].n_regions > 0;
            if is_there && self.visits[root].order == 0 {
                clock = self.find_areas_from(root as u32, clock);
            }
        }
        self.between.clear();
        self.between.resize(self.areas.len(), Between::NEVER);
        self.search = 0;
        self.join_areas();
    }

    /// Joins areas with those above them where several stretches lead there.
    fn join_areas(&mut self) {
        self.joined.clear();
        self.joined.extend(0..self.areas.len() as u32);
        // Those above others were found after them.
        for area in (0..self.areas.len()).rev() {
            let up = self.areas[area].up;
            if up != NONE && self.is_several(up) {
                let above = self.area_of[self.halves[(up ^ 1) as usize].to as usize];
                self.joined[area] = self.joined[above as usize];
            }
        }
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
            let mut visit = self.visits[at as usize];
            let mut down = NONE;
            while visit.half != NONE {
                let half = visit.half;
                let Half { to, next } = self.halves[half as usize];
                visit.half = next;
                let order = self.visits[to as usize].order;
                if order == 0 {
                    enter(&mut self.visits, &mut self.stack, to, half);
                    down = to;
                    break;
                }
                // Not back over the same border; nothing is its own border's other half.
                if half >> 1 != visit.by >> 1 {
                    visit.lowest = visit.lowest.min(order);
                }
            }
            self.visits[at as usize].half = visit.half;
            self.visits[at as usize].lowest = visit.lowest;
            if down != NONE {
                at = down;
                continue;
            }
            if visit.lowest == visit.order {
                let area = self.areas.len() as u32;
                self.areas.push(BridgeComponent {
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
            at = self.halves[(visit.by ^ 1) as usize].to;
            let above = &mut self.visits[at as usize];
            above.lowest = above.lowest.min(visit.lowest);
        }
    }

    /// True if a half is of several stretches of border.
    #[inline]
    fn is_several(&self, half: u32) -> bool {
        let border = self.borders.get((half >> 1) as usize);
        border.is_some_and(|border| border.run & Run::SEVERAL != 0)
    }

    /// The area of a cell; only of a ground that the tree is of.
    #[inline]
    pub(super) fn area(&self, ground: &Ground, node: NodeId) -> u32 {
        let region = ground.region(node);
        self.area_of_region(self.number(region.sheet(), region.ordinal()))
    }

    #[inline]
    fn area_of_region(&self, region: u32) -> u32 {
        self.joined[self.area_of[region as usize] as usize]
    }

    /// Sets out what lies between two cells. False if they do not are connected.
    pub(super) fn set_out(&mut self, ground: &Ground, start: NodeId, goal: NodeId) -> bool {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.between.fill(Between::NEVER);
            self.search = 1;
        }
        self.legs.clear();
        self.route.clear();
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
                self.route.push(up);
                // Over the bridge to the area that this one was come to from.
                self.legs.push(self.far_side(ground, above.up ^ 1));
                up = self.area_of_region(self.halves[(above.up ^ 1) as usize].to);
            } else {
                self.stack.push(down);
                down = self.area_of_region(self.halves[(below.up ^ 1) as usize].to);
            }
        }
        self.route.push(up);
        while let Some(down) = self.stack.pop() {
            self.legs
                .push(self.far_side(ground, self.areas[down as usize].up));
            self.route.push(down);
        }
        let goal = ground.cell(goal);
        self.legs.push(Leg {
            low_x: goal.x,
            high_x: goal.x,
            low_y: goal.y,
            high_y: goal.y,
            rest: 0,
        });
        let last = self.legs.len() - 1;
        for index in (0..last).rev() {
            let leg = self.legs[index];
            let soon = index + 1..last.min(index + 1 + LOOK_AHEAD);
            // A way past the next bridge may be long for what comes after it.
            let later = self.legs[soon].iter().map(|next| leg.at_least_by(next));
            let rest = later.fold(leg.at_least_by(&self.legs[last]), u64::max);
            self.legs[index].rest = u32::try_from(rest).unwrap_or(u32::MAX);
        }
        let search = self.search;
        for (&area, &leg) in self.route.iter().zip(&self.legs) {
            self.between[area as usize] = Between { search, leg };
        }
        true
    }

    /// The cells that one comes to by a half of a border.
    fn far_side(&self, ground: &Ground, half: u32) -> Leg {
        let Border { from, run, .. } = self.borders[(half >> 1) as usize];
        let run = Run::unpack(run);
        let origin = ground.bits(NodeId::from_index(from << 8)).origin();
        let edge = 15 + i32::from(half & 1 == 0);
        let (first, more) = (i32::from(run.first), i32::from(run.length) - 1);
        let (x, y, wide, high) = if run.is_east {
            (origin.x + edge, origin.y + first, 0, more)
        } else {
            (origin.x + first, origin.y + edge, more, 0)
        };
        Leg {
            low_x: x,
            high_x: x + wide,
            low_y: y,
            high_y: y + high,
            rest: 0,
        }
    }

    /// What the rest of the way from (x, y) in an area costs at least; `None` if no cheapest path
    /// leads there.
    #[inline(always)]
    pub(super) fn rest(&self, area: u32, x: i32, y: i32) -> Option<u64> {
        let Between { search, leg } = &self.between[area as usize];
        if *search != self.search {
            return None;
        }
        Some(leg.at_least_from((x, x), (y, y)))
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.sheets.capacity() * size_of::<Known>()
            + self.borders.capacity() * size_of::<Border>()
            + self.halves.capacity() * size_of::<Half>()
            + self.visits.capacity() * size_of::<Visit>()
            + self.areas.capacity() * size_of::<BridgeComponent>()
            + self.between.capacity() * size_of::<Between>()
            + self.legs.capacity() * size_of::<Leg>()
            + (self.area_of.capacity() + self.joined.capacity()) * size_of::<u32>()
            + (self.stack.capacity() + self.route.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests;
