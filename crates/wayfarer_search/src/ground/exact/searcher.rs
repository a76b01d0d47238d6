//! The search itself, over lists that are made when they are first needed.

use wayfarer_base::{
    Budget, Cell, ChangeLog, ChangeSet, Cost, Observer, Outcome, Place as At, Revision,
    SearchEvent, Spent, UnreachableProof,
};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, NodeId};

use super::super::plain::lend::OpenList;
use super::super::plain::{GroundSearcher, Query};
use super::aim::{Aim, Weight};
use super::cache::{Cache, Edge, NONE};
use super::draft::{Draft, EVERYWHERE, Sight};
use super::trace;
use crate::kernel::Stop;

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
    /// The query at hand, and where it leads.
    query: Query,
    aim: Aim,
    spent: Spent,
    /// What was used before `plain` was asked.
    wasted: Spent,
    /// What a cheapest way costs at least, if that is less than what was found may cost.
    at_least: Option<u32>,
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
            query: Query::new(NodeId::from_index(0), NodeId::from_index(0)),
            aim: Aim::NOWHERE,
            spent: Spent::default(),
            wasted: Spent::default(),
            at_least: None,
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
        self.follow_set(ground, &changes.set);
    }

    /// As [`ExactSearcher::follow`], with all that a log knows of `ground` since it was last
    /// followed or asked about.
    pub fn catch_up(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        if self.bound.0 == ground.identity()
            && self.bound.1 != ground.revision()
            && let Some(sets) = log.since(self.bound.1)
        {
            sets.for_each(|set| self.follow_set(ground, set));
        }
    }

    fn follow_set(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        if self.bound != (ground.identity(), set.before) {
            return;
        }
        let is_floor = |difference: &GroundDifference| {
            matches!(difference, GroundDifference::Floor { cell, .. }
                if ground.is_level_around(cell.column(), cell.z))
        };
        // Passages begin and end to count with the floors at their ends, near or far.
        let is_simple = ground.passages().next().is_none();
        if !is_simple || !set.differences.iter().all(is_floor) {
            self.forget();
        } else {
            for difference in &set.differences {
                if let GroundDifference::Floor { cell, .. } = difference {
                    self.cache.forget(cell.column());
                }
            }
        }
        self.bound.1 = set.after;
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
        if !self.was_plain {
            return self.spent;
        }
        let plain = self.plain.spent();
        Spent {
            expansions: self.wasted.expansions + plain.expansions,
            pushes: self.wasted.pushes + plain.pushes,
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
        if let Some(known) = self.begin(ground, query, Weight::EXACT) {
            if matches!(known, Outcome::OutOfBudget { .. }) {
                cells.push(query.start);
            }
            return known;
        }
        let budget = Budget {
            memory_bytes: query.budget.memory_bytes.saturating_sub(self.grown_bytes()),
            ..query.budget
        };
        let stop = self.advance(ground, observer, budget);
        self.outcome(ground, stop, cells)
    }

    /// Forgets the last search and begins one; gives the outcome if none is needed, or if there
    /// is no memory for one: then the best so far is the start alone.
    ///
    /// A query whose memory is limited is left to `plain`, which counts every byte.
    pub fn begin(
        &mut self,
        ground: &Ground,
        query: &Query,
        weight: Weight,
    ) -> Option<Outcome<Cost>> {
        self.keep_to_cap();
        self.was_plain = false;
        (self.spent, self.wasted) = (Spent::default(), Spent::default());
        self.query = *query;
        self.at_least = None;
        if ground.component(query.start) != ground.component(query.goal) {
            return Some(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        }
        let (start, goal) = (ground.cell(query.start), ground.cell(query.goal));
        if query.budget.memory_bytes == u64::MAX
            && start.z == goal.z
            && let Some(aim) = Aim::of(ground, query, weight)
        {
            self.aim = aim;
            self.bind(ground);
            if self.set_out(query.start, start) {
                return None;
            }
        }
        self.begin_plain(ground)
    }

    /// Goes on until the goal is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on, memory only where `plain` does the work. Called again after
    /// [`Stop::OutOfBudget`] on the same ground, it goes on exactly as if it had not stopped.
    pub fn advance(
        &mut self,
        ground: &Ground,
        observer: &mut impl Observer,
        budget: Budget,
    ) -> Stop {
        let before = self.spent().expansions;
        if !self.was_plain {
            // What is remembered of another ground leads astray: that is a mistake of the caller.
            if self.bound == (ground.identity(), ground.revision()) {
                match self.search(ground, budget.expansions, observer) {
                    End::Goal(number) => return Stop::Goal(number),
                    End::OutOfBudget => return Stop::OutOfBudget,
                    End::GiveUp => {}
                }
            }
            if self.begin_plain(ground).is_some() {
                return Stop::OutOfBudget;
            }
        }
        let used = self.spent().expansions - before;
        let budget = Budget {
            expansions: budget.expansions.saturating_sub(used),
            ..budget
        };
        self.plain.advance(ground, observer, budget)
    }

    /// The answer to a search that stopped for good, its way written to `cells`: the whole way,
    /// or the best so far, or nothing.
    pub fn outcome(
        &mut self,
        ground: &Ground,
        stop: Stop,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        cells.clear();
        if self.was_plain {
            return self.plain.outcome(ground, stop, cells);
        }
        let (number, goal) = match stop {
            Stop::Goal(number) => (number, Some((self.aim.x, self.aim.y))),
            _ => (self.nearest.0, None),
        };
        let start = ground.cell(self.query.start);
        let at_start = (self.query.start, start.x, start.y);
        trace::write(ground, &self.seen, number, at_start, goal, cells);
        self.at_least = goal.map(|_| self.least_of_all(number));
        self.keep_to_cap();
        let last = self.seen[number as usize];
        match goal {
            Some(_) => {
                let rest = self.aim.rest(last.x, last.y);
                Outcome::Found(Cost::from_units(last.cost + rest))
            }
            None => Outcome::OutOfBudget {
                best: Cost::from_units(last.cost),
                spent: self.spent(),
            },
        }
    }

    /// What a cheapest way costs at least, once a way was found and read off; `None` if that is
    /// what the way costs.
    pub fn at_least(&self) -> Option<Cost> {
        self.at_least.map(Cost::from_units)
    }

    /// The least that a way can cost, given that the search ended at place `number`: some place
    /// of a cheapest way, come to as cheaply as can be, is that place or still on the open list.
    fn least_of_all(&self, number: u32) -> u32 {
        let total = |number: u32| {
            let place = &self.seen[number as usize];
            place.cost + self.aim.rest(place.x, place.y)
        };
        let found = total(number);
        if self.aim.weight == Weight::EXACT {
            return found;
        }
        let open = self.open.entries().filter(|(priority, number)| {
            self.seen[*number as usize].total == *priority // else a cheaper way was found since
        });
        open.map(|(_, number)| total(number)).fold(found, u32::min)
    }

    /// Bytes by which the scratch grew in the last search, as far as they are counted.
    pub fn grown_bytes(&self) -> u64 {
        if self.was_plain {
            self.plain.grown_bytes()
        } else {
            0
        }
    }

    /// Leaves the query to the search that remembers nothing.
    fn begin_plain(&mut self, ground: &Ground) -> Option<Outcome<Cost>> {
        self.wasted = self.spent;
        self.was_plain = true;
        self.plain.begin(ground, &self.query)
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

    /// Begins a search in a cell; false if the way may cost more than fits.
    fn set_out(&mut self, node: NodeId, cell: Cell) -> bool {
        self.open.clear();
        self.seen.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill((0, 0));
            self.stamp = 1;
        }
        let Ok(total) = u32::try_from(self.aim.weighed(cell.x, cell.y)) else {
            return false;
        };
        self.seen.push(SeenPlace {
            x: cell.x,
            y: cell.y,
            cost: 0,
            total,
            parent: NONE,
            slot: NONE,
        });
        if let Some(known) = self.cache.find(node, cell.x, cell.y) {
            self.mark(known, 0);
        }
        self.open.push(total, 0);
        self.nearest = (0, total);
        self.spent.pushes = 1;
        true
    }

    fn search(&mut self, ground: &Ground, expansions: u64, observer: &mut impl Observer) -> End {
        let until = self.spent.expansions.saturating_add(expansions);
        let aim = self.aim;
        let cell = ground.cell(self.query.start);
        let start = (self.query.start, cell.x, cell.y);
        while let Some((total, number)) = self.open.pop() {
            let from = self.seen[number as usize];
            if from.total != total {
                continue; // A cheaper way was found since.
            }
            if self.spent.expansions >= until {
                self.open.push(total, number);
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
                    return self.arrive(cell.z, number, observer);
                }
                for index in 0..self.edges.len() {
                    if !self.reach(number, from.cost, self.edges[index], &aim) {
                        return End::GiveUp;
                    }
                }
                continue;
            }
            let kept = *self.cache.list(list);
            if aim.is_seen_from(from.x, from.y, &kept.diagonals) {
                return self.arrive(cell.z, number, observer);
            }
            for index in kept.edges() {
                let edge = self.cache.edges[index];
                if !self.reach(number, from.cost, edge, &aim) {
                    return End::GiveUp;
                }
            }
        }
        End::GiveUp // Never on ground where both ends hang together.
    }

    /// The goal is seen from place `number`.
    fn arrive(&self, z: i32, number: u32, observer: &mut impl Observer) -> End {
        if is_active(observer) {
            let last = self.seen[number as usize];
            observer.notice(SearchEvent::Reached {
                at: At::Cell(Cell::new(self.aim.x, self.aim.y, z)),
                cost: Cost::from_units(last.cost + self.aim.rest(last.x, last.y)),
            });
        }
        End::Goal(number)
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
                let Ok(total) = u32::try_from(cost + aim.weighed(x, y)) else {
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
