//! The search itself, over lists that are kept once somebody asks again.

use wayfarer_base::{Cost, Location as At, SearchEvent, SearchObserver};
use wayfarer_world::ground::{Ground, NodeId};

use super::bridge_tree::BridgeTree;
use super::cache::{CachedJumpPoint, JumpPointSite, NONE, SuccessorRef, slot_of_node};
use super::cost_fence::CostFence;
use super::goal_heuristic::GoalHeuristic;
use super::list_repair::ListRepair;
use super::searcher::{CachedJpsSearcher, End, SeenPlace};
use super::successor_scan::{BY_LEAP, BY_STEP, EVERYWHERE, JumpEdge};
use super::transient_nodes::TransientNodes;
use crate::ground::jps::lend::{OpenList, n_diagonal_steps};

/// Numbers of places that are not of the cache begin here.
const GUEST: u32 = 1 << 28;

/// Where most of what was expanded leads on by single steps, and that was much, little can be
/// remembered, and `jps` goes faster.
const MAX_ROUGH: u64 = 1 << 6;

/// So many cells from where a look met a fence are remembered.
const N_FENCED: usize = 1 << 12;

/// After so many looks that met a fence it pays to look at everything and to remember that.
const OFTEN: u32 = 16;

/// Why going from list to list ended.
enum Pause {
    /// There is no list for what was taken from the open list.
    Look(u32),
    /// The way is costlier than was guessed.
    AtCeiling,
    End(End),
}

impl CachedJpsSearcher {
    /// The place of a slot.
    #[inline]
    pub(super) fn place(&self, slot: u32) -> &CachedJumpPoint {
        match self.cache.locations.get((slot >> 3) as usize) {
            Some(location) => location,
            None => &self.transient.at((slot >> 3) - GUEST).location,
        }
    }

    /// Where the place of a slot is.
    #[inline]
    pub(super) fn stand(&self, slot: u32) -> &JumpPointSite {
        match self.cache.stands.get((slot >> 3) as usize) {
            Some(stand) => stand,
            None => &self.transient.at((slot >> 3) - GUEST).stand,
        }
    }

    /// Begins a search in a cell; false if the way may cost more than fits.
    pub(super) fn set_out(&mut self, ground: &Ground) -> bool {
        let node = self.query.start;
        let cell = ground.cell(node);
        self.open.clear();
        self.seen.clear();
        self.transient.clear();
        self.search_number = self.search_number.wrapping_add(1);
        if self.search_number == 0 {
            for location in &mut self.cache.locations {
                location.search = 0;
            }
            self.search_number = 1;
        }
        let place = match self.cache.find(node, cell.x, cell.y) {
            Some(known) => known,
            None => {
                GUEST
                    | self.transient.see(&JumpEdge {
                        node,
                        x: cell.x,
                        y: cell.y,
                        cost: 0,
                        directions: EVERYWHERE,
                        arrival: BY_LEAP,
                    })
            }
        };
        let slot = place << 3 | u32::from(BY_LEAP);
        self.nearest = (0, u32::MAX);
        self.n_irregular = 0;
        self.stats.pushes = 0;
        let is_begun = self.front(ground).reach(NONE, slot, 0);
        self.stats.pushes = 1;
        is_begun
    }

    /// All that an expansion writes to.
    #[inline]
    fn front<'s>(&'s mut self, ground: &'s Ground) -> Front<'s> {
        Front {
            words: self.cache.words.as_chunks().0,
            locations: &mut self.cache.locations,
            stands: &self.cache.stands,
            transient: &mut self.transient,
            n_seen: self.seen.len(),
            seen: &mut self.seen,
            open: &mut self.open,
            n_lowered: 0,
            search: self.search_number,
            estimate: Estimate {
                ground,
                aim: &self.aim,
                tree: self.uses_tree.then_some(&self.tree),
                tree_number: self.tree_number,
            },
        }
    }

    pub(super) fn search(
        &mut self,
        ground: &Ground,
        expansions: u64,
        observer: &mut impl SearchObserver,
    ) -> End {
        let until = self.stats.expansions.saturating_add(expansions);
        if expansions < u64::MAX || is_active(observer) {
            // Whoever counts or watches is told everything at once.
            self.raise_ceiling(ground, u32::MAX);
        }
        loop {
            let has_ceiling = self.met_fence && self.ceiling != u32::MAX;
            let pause = if expansions == u64::MAX && !has_ceiling {
                self.walk::<false>(ground, until, observer)
            } else {
                self.walk::<true>(ground, until, observer)
            };
            match pause {
                Pause::End(end) => return end,
                Pause::AtCeiling => {
                    let was_far_above = self.ceiling / 4 > self.seen[0].total;
                    let next = self.ceiling.saturating_mul(2);
                    self.raise_ceiling(ground, if was_far_above { u32::MAX } else { next });
                    self.stats.expansions = 0;
                    if !self.set_out(ground) {
                        return End::GiveUp;
                    }
                }
                Pause::Look(number) => {
                    if let Some(end) = self.look_from(ground, number, observer) {
                        return end;
                    }
                }
            }
        }
    }

    /// Guesses that the way may cost more.
    fn raise_ceiling(&mut self, ground: &Ground, ceiling: u32) {
        if self.ceiling < ceiling {
            self.take_aim(ground, self.aim.weight, ceiling);
        }
    }

    /// Goes on from list to list for as long as there are any. Only if `LIMITED` it ends at
    /// `until` expansions or at the ceiling, and notes the place that came nearest.
    fn walk<const LIMITED: bool>(
        &mut self,
        ground: &Ground,
        until: u64,
        observer: &mut impl SearchObserver,
    ) -> Pause {
        let aim = self.aim;
        let goal = self.query.goal;
        let mut nearest = self.nearest;
        let mut n_expanded = self.stats.expansions;
        let ceiling = if self.met_fence {
            self.ceiling
        } else {
            u32::MAX
        };
        let mut front = self.front(ground);
        let pause = loop {
            let Some((total, number)) = front.open.pop() else {
                if LIMITED && ceiling != u32::MAX {
                    break Pause::AtCeiling;
                }
                // Never on ground where both ends are connected.
                break Pause::End(End::GiveUp);
            };
            if LIMITED && total > ceiling {
                break Pause::AtCeiling;
            }
            let from = front.seen[number as usize];
            if from.total != total {
                continue; // A cheaper way was found since.
            }
            if LIMITED && n_expanded >= until {
                front.open.push(total, number);
                break Pause::End(End::OutOfBudget);
            }
            n_expanded += 1;
            let rest = total - from.cost;
            if LIMITED && rest < nearest.1 {
                nearest = (number, rest);
            }
            if is_active(observer) {
                observer.on_event(SearchEvent::Expanded {
                    at: At::Cell(ground.cell(front.node(from.slot))),
                    cost: Cost::from_units(from.cost),
                });
            }
            if rest == 0 && front.node(from.slot) == goal {
                break Pause::End(End::Goal(number));
            }
            let Some(location) = front.locations.get((from.slot >> 3) as usize) else {
                break Pause::Look(number);
            };
            let mut list = from.list;
            if !list.is_there() {
                // Perhaps it was made since.
                list = location.list(from.slot);
                if !list.is_there() {
                    break Pause::Look(number);
                }
            }
            let Some(([diagonals_east, diagonals_west], edges)) =
                front.words[list.pairs()].split_first()
            else {
                break Pause::Look(number);
            };
            let (x, y) = location.at();
            if aim.may_be_seen_from(x, y)
                && aim.is_seen_from(x, y, |quarter| {
                    let word = [diagonals_east, diagonals_west][quarter / 2];
                    word >> (quarter % 2 * 16) & 0xFFFF
                })
                && ground.rank(front.node(from.slot)) == ground.rank(goal)
            {
                break Pause::End(End::Goal(number));
            }
            let mut fits = true;
            for [slot, leap] in edges {
                let cost = u64::from(from.cost) + u64::from(*leap);
                fits &= front.reach(number, *slot, cost);
            }
            if !fits {
                break Pause::End(End::GiveUp);
            }
        };
        self.stats.pushes += front.n_pushed();
        self.stats.expansions = n_expanded;
        self.nearest = nearest;
        if let Pause::End(End::Goal(number)) = pause {
            self.arrive(ground, number, observer);
        }
        pause
    }

    /// The goal is seen from place `number`, or is that place.
    fn arrive(&self, ground: &Ground, number: u32, observer: &mut impl SearchObserver) {
        if is_active(observer) {
            let last = self.seen[number as usize];
            let (x, y) = self.place(last.slot).at();
            observer.on_event(SearchEvent::Reached {
                at: At::Cell(ground.cell(self.query.goal)),
                cost: Cost::from_units(last.cost + self.aim.rest(x, y)),
            });
        }
    }

    /// Goes on from a place without a list.
    fn look_from(
        &mut self,
        ground: &Ground,
        number: u32,
        observer: &mut impl SearchObserver,
    ) -> Option<End> {
        let from = self.seen[number as usize];
        let (x, y) = self.place(from.slot).at();
        if self.sees_goal_at_once(ground, from.slot) {
            self.arrive(ground, number, observer);
            return Some(End::Goal(number));
        }
        if let Some(list) = self.repaired_list(from.slot) {
            return self.go_by(ground, number, list, observer);
        }
        let is_uniform = self.look_around(ground, number);
        if !is_uniform {
            self.n_irregular += 1;
            // The same whatever is remembered: rough places never are.
            if self.n_irregular >= MAX_ROUGH && self.n_irregular * 4 > self.stats.expansions * 3 {
                return Some(End::GiveUp);
            }
        }
        let diagonals = self.draft.diagonals;
        if is_uniform
            && self.aim.is_seen_from(x, y, |quarter| diagonals[quarter])
            && ground.rank(self.stand(from.slot).node) == ground.rank(self.query.goal)
        {
            self.arrive(ground, number, observer);
            return Some(End::Goal(number));
        }
        let edges = std::mem::take(&mut self.edges);
        let sights = std::mem::take(&mut self.draft.sights);
        let mut front = self.front(ground);
        let mut fits = true;
        for (slot, sight) in edges.iter().zip(&sights) {
            let cost = u64::from(from.cost) + sight.cost;
            fits &= front.reach(number, *slot, cost);
        }
        self.stats.pushes += front.n_pushed();
        (self.edges, self.draft.sights) = (edges, sights);
        (!fits).then_some(End::GiveUp)
    }

    /// The list of a slot, if it was spoiled and could be repaired.
    fn repaired_list(&mut self, slot: u32) -> Option<SuccessorRef> {
        let (stale, board) = (self.cache.stale(slot)?, self.board.made()?);
        let mender = ListRepair {
            board,
            cache: &self.cache,
            directions: self.directions(slot),
        };
        let Some(again) = mender.look_again(&stale, &mut self.draft) else {
            return Some(self.cache.restore(&stale));
        };
        self.note_if_full();
        if self.enter_all(!self.full) {
            let (draft, may_grow) = (&mut self.draft, !self.full);
            return (self.cache).repair(&stale, &again, draft, &self.edges, may_grow);
        }
        None
    }

    /// Goes on from a place by its list.
    fn go_by(
        &mut self,
        ground: &Ground,
        number: u32,
        list: SuccessorRef,
        observer: &mut impl SearchObserver,
    ) -> Option<End> {
        let from = self.seen[number as usize];
        let (x, y) = self.place(from.slot).at();
        let aim = self.aim;
        let is_on_floor = ground.rank(self.stand(from.slot).node) == ground.rank(self.query.goal);
        let mut front = self.front(ground);
        let ([diagonals_east, diagonals_west], edges) = front.words[list.pairs()].split_first()?;
        let is_seen = aim.is_seen_from(x, y, |quarter| {
            let word = [diagonals_east, diagonals_west][quarter / 2];
            word >> (quarter % 2 * 16) & 0xFFFF
        });
        if is_seen && is_on_floor {
            self.arrive(ground, number, observer);
            return Some(End::Goal(number));
        }
        let mut fits = true;
        for [slot, leap] in edges {
            let cost = u64::from(from.cost) + u64::from(*leap);
            fits &= front.reach(number, *slot, cost);
        }
        self.stats.pushes += front.n_pushed();
        (!fits).then_some(End::GiveUp)
    }

    /// The directions in which to look from the place of a slot.
    fn directions(&self, slot: u32) -> u8 {
        let arrival = (slot & 7) as usize;
        *(self.stand(slot).directions.get(arrival)).unwrap_or(&EVERYWHERE)
    }

    /// True if the goal is seen from a place, and that can be told without looking around.
    fn sees_goal_at_once(&self, ground: &Ground, slot: u32) -> bool {
        // Come to straight, not every diagonal is looked along.
        slot & 7 == u32::from(BY_LEAP)
            && self.sees_goal(ground, self.stand(slot).node, self.place(slot).at())
    }

    /// True if a way diagonally and then straight over uniform ground leads from a cell to the goal.
    pub(super) fn sees_goal(&self, ground: &Ground, node: NodeId, (x, y): (i32, i32)) -> bool {
        let aim = &self.aim;
        let most = x.abs_diff(aim.x).min(y.abs_diff(aim.y));
        aim.may_be_seen_from(x, y)
            && aim.is_seen_from(x, y, |quarter| match self.board.made() {
                Some(board) => board.n_diagonal_steps((x, y), quarter, most),
                None => {
                    let sheet = ground.bits(node);
                    if sheet.is_uniform() {
                        n_diagonal_steps(sheet, node, quarter, most)
                    } else {
                        0
                    }
                }
            })
            && ground.rank(node) == ground.rank(self.query.goal)
    }

    /// Looks around from place `number` of the search, and keeps what was seen if there is room and
    /// this is not the first question. False if only single steps lead on from there.
    fn look_around(&mut self, ground: &Ground, number: u32) -> bool {
        let SeenPlace { slot, cost, .. } = self.seen[number as usize];
        let (stand, (x, y)) = (*self.stand(slot), self.place(slot).at());
        let directions = self.directions(slot);
        if self.n_searches > 1 {
            self.note_if_full();
            if self.may_have_board {
                self.board.look(ground, self.bitmap_limit());
            }
        }
        if let Some(stale) = self.cache.stale(slot) {
            self.cache.forget_list(stale.list);
        }
        let is_guest = slot >> 3 >= GUEST;
        // Others seldom begin where this search did.
        let is_of_use = !is_guest || (number != 0 && slot & 7 <= u32::from(BY_LEAP));
        self.draft.fence = CostFence::NOWHERE;
        if self.ceiling != u32::MAX && (!is_of_use || !self.met_often(stand.node)) {
            let most = self.ceiling.saturating_sub(cost);
            self.draft.fence = CostFence::around((x, y), &self.aim, most.into());
        }
        let (board, place) = (self.board.made(), (stand.node, x, y));
        let is_measured = is_of_use && self.n_searches > 1;
        let is_uniform = (self.draft).make(ground, board, place, directions, is_measured);
        if self.draft.met_fence {
            self.note_fenced(stand.node);
        }
        let may_keep = is_uniform && is_of_use && !self.draft.met_fence;
        // What is not kept is soon forgotten, and quickly found in a small table.
        let enters = self.n_searches > 1 && !self.full && !self.draft.met_fence;
        let is_known = self.enter_all(enters);
        if may_keep && self.n_searches > 1 {
            if is_known && !self.full {
                let slot = if is_guest { self.admit(number) } else { slot };
                self.cache.keep(slot, &self.draft, &self.edges);
            } else {
                self.n_turned_away += 1;
            }
        }
        is_uniform
    }

    /// Enters a guest into the cache; gives its slot there.
    fn admit(&mut self, number: u32) -> u32 {
        let slot = self.seen[number as usize].slot;
        let (arrival, guest) = (slot & 7, *self.transient.at((slot >> 3) - GUEST));
        let (node, (x, y)) = (guest.stand.node, guest.location.at());
        let known = self.cache.find(node, x, y).unwrap_or_else(|| {
            let entered = self.cache.enter(&JumpEdge {
                node,
                x,
                y,
                cost: 0,
                directions: EVERYWHERE,
                arrival: BY_LEAP,
            });
            let location = &mut self.cache.locations[entered as usize];
            (location.area, location.tree) = (guest.location.area, guest.location.tree);
            (location.search, location.number) = (guest.location.search, guest.location.number);
            location.cost = guest.location.cost;
            self.cache.stands[entered as usize].directions = guest.stand.directions;
            entered
        });
        let slot = known << 3 | arrival;
        self.seen[number as usize].slot = slot;
        slot
    }

    /// True if looks from a cell met fences often.
    fn met_often(&self, node: NodeId) -> bool {
        let known = self.fenced.get(slot_of_node(node, N_FENCED - 1));
        known.is_some_and(|&(known, n_times)| known == node.index() && n_times >= OFTEN)
    }

    /// Notes that a look from a cell met the fence.
    fn note_fenced(&mut self, node: NodeId) {
        self.met_fence = true;
        self.fenced.resize(N_FENCED, (u32::MAX, 0));
        let (known, n_times) = &mut self.fenced[slot_of_node(node, N_FENCED - 1)];
        *n_times = if *known == node.index() {
            n_times.saturating_add(1)
        } else {
            1
        };
        *known = node.index();
    }

    fn note_if_full(&mut self) {
        if !self.full && self.cache.is_full(self.list_cap()) {
            self.full = true;
        }
    }

    /// Finds the numbers of all that was seen, see [`Self::enter`]; false if some of it is not of
    /// the cache.
    fn enter_all(&mut self, enters: bool) -> bool {
        self.edges.clear();
        let mut is_known = true;
        for index in 0..self.draft.sights.len() {
            let sight = self.draft.sights[index];
            let place = self.enter(&sight, enters);
            is_known &= place < GUEST;
            self.edges.push(place << 3 | u32::from(sight.arrival));
        }
        is_known
    }

    /// The number of a place that was seen; if it is not known, it is entered into the cache only if
    /// `enters`.
    fn enter(&mut self, sight: &JumpEdge, enters: bool) -> u32 {
        if let Some(known) = self.cache.see(sight) {
            return known;
        }
        if !enters || sight.arrival == BY_STEP {
            return self.transient.see(sight) | GUEST;
        }
        let number = self.cache.enter(sight);
        if let Some(guest) = self.transient.find(sight.node) {
            // What the search knows of the guest.
            let guest = self.transient.at(guest).location;
            let location = &mut self.cache.locations[number as usize];
            (location.search, location.number, location.cost) =
                (guest.search, guest.number, guest.cost);
        }
        number
    }
}

/// All that an expansion writes to, and the lists it reads.
struct Front<'s> {
    /// Pairs of words, as lists are made of.
    words: &'s [[u32; 2]],
    locations: &'s mut [CachedJumpPoint],
    stands: &'s [JumpPointSite],
    transient: &'s mut TransientNodes,
    seen: &'s mut Vec<SeenPlace>,
    open: &'s mut OpenList,
    estimate: Estimate<'s>,
    search: u32,
    /// Places seen before.
    n_seen: usize,
    /// Places that were come to more cheaply than before.
    n_lowered: u64,
}

impl Front<'_> {
    #[cold]
    fn node(&self, slot: u32) -> NodeId {
        match self.stands.get((slot >> 3) as usize) {
            Some(stand) => stand.node,
            None => self.transient.at((slot >> 3) - GUEST).stand.node,
        }
    }

    /// What was put on the open list.
    fn n_pushed(&self) -> u64 {
        (self.seen.len() - self.n_seen) as u64 + self.n_lowered
    }

    /// Notes a place that was come to at `cost`. False if that does not fit.
    #[inline(always)]
    fn reach(&mut self, parent: u32, slot: u32, cost: u64) -> bool {
        let index = (slot >> 3) as usize;
        let (location, guest) = match self.locations.get_mut(index) {
            Some(location) => (location, None),
            None => {
                let guest = self.transient.at_mut((slot >> 3) - GUEST);
                (&mut guest.location, Some(guest.stand.node))
            }
        };
        let (number, total) = if location.search == self.search {
            if u64::from(location.cost) <= cost {
                return true;
            }
            #[expect(clippy::cast_possible_truncation, reason = "less than what is known")]
            let cost = cost as u32;
            self.n_lowered += 1;
            location.cost = cost;
            let seen = &mut self.seen[location.number as usize];
            seen.total -= seen.cost - cost;
            (seen.cost, seen.parent, seen.slot) = (cost, parent, slot);
            seen.list = location.list(slot);
            (location.number, seen.total)
        } else {
            location.search = self.search;
            if self.estimate.tree.is_some() && location.tree != self.estimate.tree_number {
                let node = guest.unwrap_or_else(|| self.stands[index].node);
                self.estimate.find_area(location, node);
            }
            let Some(rest) = self.estimate.rest(location) else {
                location.cost = 0;
                return true;
            };
            let Ok(total) = u32::try_from(cost + self.estimate.aim.weigh(rest)) else {
                return false;
            };
            #[expect(clippy::cast_possible_truncation, reason = "less than the total")]
            let cost = cost as u32;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "there are fewer places than cells"
            )]
            let number = self.seen.len() as u32;
            (location.number, location.cost) = (number, cost);
            self.seen.push(SeenPlace {
                cost,
                total,
                parent,
                slot,
                list: location.list(slot),
            });
            (number, total)
        };
        self.open.push(total, number);
        true
    }
}

/// What the rest of a way costs at least.
#[derive(Clone, Copy)]
struct Estimate<'s> {
    ground: &'s Ground,
    aim: &'s GoalHeuristic,
    tree: Option<&'s BridgeTree>,
    tree_number: u32,
}

impl Estimate<'_> {
    /// `None` if no cheapest path leads there. The area of the place must be known if a tree is
    /// asked.
    #[inline(always)]
    fn rest(&self, location: &CachedJumpPoint) -> Option<u64> {
        let straight = self.aim.straight(location.x, location.y);
        match self.tree {
            // From where the goal is seen, the estimate must be that of the straight path.
            Some(tree) => Some(
                tree.rest(location.area, location.x, location.y)?
                    .max(straight),
            ),
            None => Some(straight),
        }
    }

    #[inline(never)]
    fn find_area(&self, location: &mut CachedJumpPoint, node: NodeId) {
        if let Some(tree) = self.tree {
            (location.area, location.tree) = (tree.area(self.ground, node), self.tree_number);
        }
    }
}

/// Whether events need to be made for `observer`.
const fn is_active<O: SearchObserver>(_observer: &O) -> bool {
    O::ACTIVE
}
