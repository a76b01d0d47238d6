//! The search itself, over lists that are made when they are first needed.

use wayfarer_base::{
    Budget, Cell, Cost, Direction, Observer, Outcome, Place as At, Revision, SearchEvent, Spent,
    UnreachableProof,
};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, NodeId};

use super::super::plain::lend::OpenList;
use super::super::plain::{self, GroundSearcher, Query};
use super::cache::{Cache, Edge, NONE};
use super::draft::{Draft, EVERYWHERE, Sight, open_run};
use super::trace;

/// What a thread needs to search grounds of any size, with what it remembers of one of them.
///
/// Results never depend on what a searcher was used for before, nor on what it remembers.
#[derive(Clone, Debug)]
pub struct ExactSearcher {
    pub(super) cache: Cache,
    /// Which ground the cache is of, as it was at which revision.
    bound: (u64, Revision),
    cap: Cap,
    /// The cap in bytes, for the ground at hand.
    cap_bytes: usize,
    /// True if nothing more fits, until all goes.
    full: bool,
    /// Places when it became full; those beyond are forgotten after each query.
    n_kept: usize,
    /// Lists that were not kept since.
    n_turned_away: usize,
    /// For each place of the cache the search that saw it last, and its number in that search.
    marks: Vec<(u32, u32)>,
    /// The search at hand.
    stamp: u32,
    pub(super) seen: Vec<SeenPlace>,
    open: OpenList,
    draft: Draft,
    /// The sights of the draft, entered.
    edges: Vec<Edge>,
    spent: Spent,
    /// The expanded place with the lowest estimate of the rest, and that; the first of equals.
    nearest: (u32, u32),
    plain: GroundSearcher,
    /// True if the last query was answered by `plain`.
    was_plain: bool,
}

/// How much memory what is remembered may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cap {
    /// So many times the ground's own bytes, as they were when the searcher first saw it.
    TimesGround(u16),
    /// So many bytes.
    Bytes(usize),
}

impl Default for Cap {
    fn default() -> Self {
        Self::TimesGround(4)
    }
}

/// A place that the search has come to; numbered in the order first seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenPlace {
    pub(super) x: i32,
    pub(super) y: i32,
    /// Cheapest cost so far.
    cost: u32,
    /// The same with the estimate of the rest.
    total: u32,
    /// The place it was reached from, or `NONE` where the search began.
    pub(super) parent: u32,
    /// Place of the cache and direction of arrival; `NONE` where the search began.
    slot: u32,
}

/// Where a search leads, and the cells from where one can walk straight there.
#[derive(Clone, Copy, Debug)]
struct Aim {
    x: i32,
    y: i32,
    row: (i32, i32),
    column: (i32, i32),
}

/// Why the search ended.
enum End {
    /// The goal can be walked to from this place.
    Goal(u32),
    /// The ground is not of the kind this search is for.
    GiveUp,
    /// The budget is used up.
    OutOfBudget,
}

impl Default for ExactSearcher {
    fn default() -> Self {
        Self::with_cap(Cap::default())
    }
}

impl ExactSearcher {
    /// A searcher that remembers at most as much as `cap` says.
    ///
    /// When nothing more fits, new lists are used and not kept; once as many were turned away as
    /// are kept, everything goes. What one search needs to know of the places it comes to is not
    /// limited by the cap, and given back after the search.
    pub fn with_cap(cap: Cap) -> Self {
        Self {
            cache: Cache::default(),
            bound: (0, Revision::default()),
            cap,
            cap_bytes: 0,
            full: false,
            n_kept: 0,
            n_turned_away: 0,
            marks: Vec::new(),
            stamp: 0,
            seen: Vec::new(),
            open: OpenList::default(),
            draft: Draft::default(),
            edges: Vec::new(),
            spent: Spent::default(),
            nearest: (0, 0),
            plain: GroundSearcher::default(),
            was_plain: false,
        }
    }

    /// Takes over what a batch of edits changed, so that all that was not touched stays
    /// remembered. `changes` must be of `ground`, which may have changed further since.
    ///
    /// Nobody need call this: what was remembered of another revision is forgotten by itself.
    pub fn follow(&mut self, ground: &Ground, changes: &GroundChanges) {
        if self.bound != (ground.identity(), changes.set.before) {
            return;
        }
        let is_floor = |difference: &GroundDifference| {
            matches!(difference, GroundDifference::Floor { cell, .. }
                if ground.is_level_around(cell.column(), cell.z))
        };
        // Passages begin and end to count with the floors at their ends, near or far.
        let is_simple = ground.passages().next().is_none();
        if !is_simple || !changes.set.differences.iter().all(is_floor) {
            self.forget();
        } else {
            for difference in &changes.set.differences {
                if let GroundDifference::Floor { cell, .. } = difference {
                    self.cache.forget(cell.column());
                }
            }
        }
        self.bound.1 = changes.set.after;
    }

    /// Forgets everything that was remembered; keeps the room.
    pub fn forget(&mut self) {
        self.cache.clear(self.cap_bytes);
        (self.full, self.n_turned_away) = (false, 0);
    }

    /// Bytes of what is remembered.
    pub fn cache_bytes(&self) -> usize {
        self.cache.heap_bytes()
    }

    /// The most bytes that lists may take, for the ground last searched.
    pub fn cap_bytes(&self) -> usize {
        self.cap_bytes
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.cache_bytes()
            + self.marks.capacity() * size_of::<(u32, u32)>()
            + self.seen.capacity() * size_of::<SeenPlace>()
            + self.open.heap_bytes()
            + self.draft.sights.capacity() * size_of::<Sight>()
            + self.draft.blocks.capacity() * size_of::<(i32, i32)>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.plain.heap_bytes()
    }

    /// What the last query used.
    pub fn spent(&self) -> Spent {
        if self.was_plain {
            self.plain.spent()
        } else {
            self.spent
        }
    }

    /// True if the last query was answered by the search that remembers nothing.
    pub fn was_plain(&self) -> bool {
        self.was_plain
    }

    pub(super) fn find(
        &mut self,
        ground: &Ground,
        query: &Query,
        observer: &mut impl Observer,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        cells.clear();
        self.was_plain = false;
        self.spent = Spent::default();
        if ground.component(query.start) != ground.component(query.goal) {
            return Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            };
        }
        let (start, goal) = (ground.cell(query.start), ground.cell(query.goal));
        if let Some(aim) = aim(ground, query).filter(|_| start.z == goal.z) {
            self.bind(ground);
            let end = self.search(ground, query, &aim, observer);
            self.keep_to_cap();
            let at_start = (query.start, start.x, start.y);
            match end {
                End::Goal(number) => {
                    let last = self.seen[number as usize];
                    let cost = last.total;
                    let turn = (goal.x, goal.y);
                    trace::write(ground, &self.seen, number, at_start, Some(turn), cells);
                    if is_active(observer) {
                        observer.notice(SearchEvent::Reached {
                            at: At::Cell(goal),
                            cost: Cost::from_units(cost),
                        });
                    }
                    return Outcome::Found(Cost::from_units(cost));
                }
                End::OutOfBudget => {
                    let number = self.nearest.0;
                    trace::write(ground, &self.seen, number, at_start, None, cells);
                    return Outcome::OutOfBudget {
                        best: Cost::from_units(self.seen[number as usize].cost),
                        spent: self.spent,
                    };
                }
                End::GiveUp => {}
            }
        }
        self.was_plain = true;
        plain::find(ground, &mut self.plain, query, observer, cells)
    }

    /// Makes sure that what is remembered is of this ground as it is.
    fn bind(&mut self, ground: &Ground) {
        let now = (ground.identity(), ground.revision());
        if self.bound.0 != now.0 {
            self.cap_bytes = match self.cap {
                Cap::TimesGround(times) => usize::from(times) * ground.memory_report().total(),
                Cap::Bytes(bytes) => bytes,
            };
        }
        if self.bound != now {
            self.forget();
            self.bound = now;
        }
    }

    /// After a search: forgets what there is no room for.
    fn keep_to_cap(&mut self) {
        if self.full {
            self.cache.forget_guests(self.n_kept, self.cap_bytes);
        }
        let turned_away = self.full && self.n_turned_away >= self.cache.n_lists();
        if turned_away || self.cache.heap_bytes() > self.cap_bytes {
            self.forget();
        }
    }

    fn search(
        &mut self,
        ground: &Ground,
        query: &Query,
        aim: &Aim,
        observer: &mut impl Observer,
    ) -> End {
        self.open.clear();
        self.seen.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill((0, 0));
            self.stamp = 1;
        }
        let cell = ground.cell(query.start);
        let start = (query.start, cell.x, cell.y);
        let total = aim.rest(cell.x, cell.y);
        self.seen.push(SeenPlace {
            x: cell.x,
            y: cell.y,
            cost: 0,
            total,
            parent: NONE,
            slot: NONE,
        });
        if let Some(known) = self.cache.find(query.start, cell.x, cell.y) {
            self.mark(known, 0);
        }
        self.open.push(total, 0);
        self.nearest = (0, total);
        self.spent.pushes = 1;
        let Budget {
            expansions,
            memory_bytes,
        } = query.budget;
        if memory_bytes != u64::MAX || total == u32::MAX {
            return End::GiveUp; // `plain` counts every byte.
        }
        while let Some((total, number)) = self.open.pop() {
            let from = self.seen[number as usize];
            if from.total != total {
                continue; // A cheaper way was found since.
            }
            if self.spent.expansions >= expansions {
                return End::OutOfBudget;
            }
            self.spent.expansions += 1;
            let rest = total - from.cost;
            if rest < self.nearest.1 {
                self.nearest = (number, rest);
            }
            if is_active(observer) {
                tell(cell.z, &from, observer);
            }
            let list = if from.slot == NONE {
                NONE
            } else {
                self.cache.places[(from.slot >> 2) as usize].lists[(from.slot & 3) as usize]
            };
            if list == NONE {
                if !self.look_around(ground, start, &from) {
                    return End::GiveUp;
                }
                if aim.is_seen_from(from.x, from.y, &self.draft.diagonals) {
                    return End::Goal(number);
                }
                for index in 0..self.edges.len() {
                    if !self.reach(number, from.cost, self.edges[index], aim) {
                        return End::GiveUp;
                    }
                }
                continue;
            }
            let kept = *self.cache.list(list);
            if aim.is_seen_from(from.x, from.y, &kept.diagonals) {
                return End::Goal(number);
            }
            for index in kept.edges() {
                let edge = self.cache.edges[index];
                if !self.reach(number, from.cost, edge, aim) {
                    return End::GiveUp;
                }
            }
        }
        End::GiveUp // Never on ground where both ends hang together.
    }

    /// Makes the list of a place, and keeps it if there is room. False if the ground there is not
    /// of the kind this search is for.
    fn look_around(
        &mut self,
        ground: &Ground,
        start: (NodeId, i32, i32),
        from: &SeenPlace,
    ) -> bool {
        let (place, directions) = if from.slot == NONE {
            (start, EVERYWHERE)
        } else {
            let place = &self.cache.places[(from.slot >> 2) as usize];
            let directions = place.directions[(from.slot & 3) as usize];
            ((place.node, place.x, place.y), directions)
        };
        if !self.full && self.cache.is_full(self.cap_bytes) {
            self.full = true;
            self.n_kept = self.cache.places.len();
        }
        let is_kept = from.slot != NONE && !self.full;
        if !self.draft.make(ground, place, directions, is_kept) {
            return false;
        }
        self.edges.clear();
        for index in 0..self.draft.sights.len() {
            let sight = self.draft.sights[index];
            let (to, is_new) = self.cache.enter(&sight);
            if is_new && sight.node == start.0 {
                self.mark(to >> 2, 0);
            }
            self.edges.push(Edge {
                to,
                cost: sight.cost,
            });
        }
        if is_kept {
            self.cache.keep(from.slot, &self.draft, &self.edges);
        } else if from.slot != NONE {
            self.n_turned_away += 1;
        }
        true
    }

    /// Notes a place that was come to. False if a cost does not fit.
    #[inline]
    fn reach(&mut self, parent: u32, cost: u32, edge: Edge, aim: &Aim) -> bool {
        let place = edge.to >> 2;
        let cost = u64::from(cost) + u64::from(edge.cost);
        let number = match self.marks.get(place as usize) {
            Some(&(stamp, number)) if stamp == self.stamp => {
                let known = &mut self.seen[number as usize];
                if u64::from(known.cost) <= cost {
                    return true;
                }
                let rest = known.total - known.cost;
                #[expect(clippy::cast_possible_truncation, reason = "less than what is known")]
                let cost = cost as u32;
                known.cost = cost;
                known.total = cost + rest;
                known.parent = parent;
                known.slot = edge.to;
                number
            }
            _ => {
                let at = &self.cache.places[place as usize];
                let (x, y) = (at.x, at.y);
                let Ok(total) = u32::try_from(cost + u64::from(aim.rest(x, y))) else {
                    return false;
                };
                #[expect(clippy::cast_possible_truncation, reason = "less than the total")]
                let cost = cost as u32;
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "there are fewer places than cells"
                )]
                let number = self.seen.len() as u32;
                self.seen.push(SeenPlace {
                    x,
                    y,
                    cost,
                    total,
                    parent,
                    slot: edge.to,
                });
                self.mark(place, number);
                number
            }
        };
        self.open.push(self.seen[number as usize].total, number);
        self.spent.pushes += 1;
        true
    }

    #[inline]
    fn mark(&mut self, place: u32, number: u32) {
        let place = place as usize;
        if place >= self.marks.len() {
            self.marks
                .resize(self.cache.places.len().max(place + 1), (0, 0));
        }
        self.marks[place] = (self.stamp, number);
    }
}

impl Aim {
    /// A lower bound of the rest of the way.
    #[inline]
    fn rest(&self, x: i32, y: i32) -> u32 {
        Cost::octile(x.abs_diff(self.x), y.abs_diff(self.y)).units()
    }

    /// True if a way diagonally and then straight leads from (x, y) to the goal, given how far
    /// the diagonals lead. None is shorter.
    #[inline]
    fn is_seen_from(&self, x: i32, y: i32, diagonals: &[u16; 4]) -> bool {
        let (wide, high) = (x.abs_diff(self.x), y.abs_diff(self.y));
        let n_diagonal = wide.min(high);
        let (is_east, is_south) = (x < self.x, y < self.y);
        let quarter = match (is_east, is_south) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        if n_diagonal > u32::from(diagonals[quarter]) {
            return false;
        }
        let n_cells = n_diagonal.cast_signed();
        if wide >= high {
            let turn = if is_east { x + n_cells } else { x - n_cells };
            self.row.0 <= turn && turn <= self.row.1
        } else {
            let turn = if is_south { y + n_cells } else { y - n_cells };
            self.column.0 <= turn && turn <= self.column.1
        }
    }
}

/// Where the query leads; `None` if the ground there is not plain, or a passage may be shorter
/// than any way on foot.
fn aim(ground: &Ground, query: &Query) -> Option<Aim> {
    let sheet = ground.bits(query.goal);
    if !sheet.is_plain() || !ground.shortcuts().is_empty() {
        return None;
    }
    let goal = ground.cell(query.goal);
    let (in_x, in_y) = (query.goal.x_in_sector(), query.goal.y_in_sector());
    let run = |to| open_run(sheet, in_x, in_y, to);
    Some(Aim {
        x: goal.x,
        y: goal.y,
        row: (goal.x - run(Direction::West), goal.x + run(Direction::East)),
        column: (
            goal.y - run(Direction::North),
            goal.y + run(Direction::South),
        ),
    })
}

/// Whether events need to be made for `observer`.
const fn is_active<O: Observer>(_observer: &O) -> bool {
    O::ACTIVE
}

#[cold]
fn tell(z: i32, from: &SeenPlace, observer: &mut impl Observer) {
    observer.notice(SearchEvent::Expanded {
        at: At::Cell(Cell::new(from.x, from.y, z)),
        cost: Cost::from_units(from.cost),
    });
}
