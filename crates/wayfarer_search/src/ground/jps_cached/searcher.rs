//! The search itself, over lists that are made when they are first needed.

use wayfarer_base::{
    Budget, Cell, ChangeLog, ChangeSet, Column, Cost, Outcome, Rect, Revision, SearchObserver,
    SearchStats, SectorId, UnreachableProof,
};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, NodeId};

use super::super::jps::shared::OpenList;
use super::super::jps::{JpsSearcher, Query};
use super::bridge_tree::{BridgeTree, Moved};
use super::cache::{Cache, SuccessorRef};
use super::goal_heuristic::{GoalHeuristic, HeuristicWeight, octile};
use super::jump_bitmap::JumpBitmap;
use super::successor_scan::SuccessorScan;
use super::transient_nodes::TransientNodes;
use crate::kernel::StopReason;

/// What a thread needs to search grounds of any size, with what it remembers of one of them.
///
/// Results never depend on what a searcher was used for before, nor on what it remembers.
#[derive(Clone, Debug)]
pub struct CachedJpsSearcher {
    pub(super) cache: Cache,
    /// Which ground the cache is of, as it was at which revision.
    bound: (u64, Revision),
    /// The same for the search at hand.
    began: (u64, Revision),
    cap: CacheLimit,
    /// The cap in bytes, for the ground at hand.
    pub(super) cache_limit_bytes: usize,
    /// True if nothing more fits, until all goes.
    pub(super) full: bool,
    /// Lists that were not kept since.
    pub(super) n_turned_away: usize,
    /// Places of the search at hand that are not of the cache.
    pub(super) transient: TransientNodes,
    /// The search at hand.
    pub(super) search_number: u32,
    /// Searches since everything was forgotten.
    pub(super) n_searches: u32,
    /// Which narrow places lie between start and goal.
    pub(super) tree: BridgeTree,
    /// Whether the search at hand asks the tree.
    pub(super) uses_tree: bool,
    /// The tree at hand: areas of others say nothing.
    pub(super) tree_number: u32,
    pub(super) seen: Vec<SeenPlace>,
    pub(super) open: OpenList,
    pub(super) draft: SuccessorScan,
    /// Flat ground laid out in long rows, once there was much to look at.
    pub(super) board: JumpBitmap,
    /// The sights of the draft, entered.
    pub(super) edges: Vec<u32>,
    /// Where floors changed since somebody asked.
    dirty: Vec<Touched>,
    /// Whether looks over the ground may be long.
    is_large: bool,
    /// Whether a board of the ground may be small enough.
    pub(super) may_have_board: bool,
    /// What the way costs at most, as was guessed, weight included; see [`CostFence`](super::fence).
    pub(super) ceiling: u32,
    /// Whether something was not looked at because paths there are costlier.
    pub(super) met_fence: bool,
    /// Cells from where looks met a fence, by what becomes of their number, and how often.
    pub(super) fenced: Vec<(u32, u32)>,
    /// The query at hand, and where it leads.
    pub(super) query: Query,
    pub(super) aim: GoalHeuristic,
    pub(super) stats: SearchStats,
    /// What was used before `jps` was asked.
    wasted: SearchStats,
    /// What a cheapest path costs at least, if that is less than what was found may cost.
    pub(super) at_least: Option<u32>,
    /// Places of this search from which only single steps lead on.
    pub(super) n_irregular: u64,
    /// The expanded place with the lowest estimate of the rest, and that; the first of equals.
    pub(super) nearest: (u32, u32),
    pub(super) plain: JpsSearcher,
    /// True if the last query was answered by `jps`.
    pub(super) fell_back_to_jps: bool,
    /// Room to write a way down.
    pub(super) path: Vec<NodeId>,
}

/// For each cell of the way in a straight line so many sheets of the ground are looked through for
/// narrow places: that takes less time than the search gains.
const SHEETS_PER_CELL: usize = 4;

/// Where floors changed in more places than this since somebody asked, everything is forgotten.
const MAX_TOUCHED: usize = 1 << 10;

/// Grounds with more sheets than this are large: searches look no further than they have to.
const LARGE: usize = 1 << 12;

/// What a board takes for a sheet, at least.
const BOARD_BYTES_PER_SHEET: usize = 256;

/// The first ceiling is half as much again as the straight path, and so much more.
const CEILING_ABOVE: u64 = 64 * Cost::STRAIGHT.units() as u64;

/// Grounds with more sheets than this are not looked through.
const MAX_SHEETS: usize = 1 << 14;

/// How much memory what is remembered may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheLimit {
    /// So many times the ground's own bytes, as they were when the searcher first saw it, but no
    /// less than [`CacheLimit::MIN_BYTES`] and no more than [`CacheLimit::MAX_BYTES`].
    GroundMultiple(u16),
    /// So many bytes.
    Bytes(usize),
}

impl CacheLimit {
    /// What may be remembered of a world, however small, unless told otherwise: 16 MiB. Scattered
    /// obstacles have many jump points for few bytes of ground.
    pub const MIN_BYTES: usize = 16 << 20;
    /// The most that is remembered of a world, however large, unless told otherwise: 32 MiB.
    pub const MAX_BYTES: usize = 32 << 20;
}

impl Default for CacheLimit {
    fn default() -> Self {
        Self::GroundMultiple(4)
    }
}

/// Floors of a sector that changed, or walls, nav links or effects there.
#[derive(Clone, Copy, Debug)]
struct Touched {
    sector: SectorId,
    rect: Rect,
    /// Their height, if they all have the same.
    z: Option<i32>,
}

impl Touched {
    /// As if all floors of a sector had changed.
    fn all_of(sector: SectorId) -> Self {
        Self {
            sector,
            rect: sector.rect(),
            z: None,
        }
    }
}

/// A place that the search has come to; numbered in the order first seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenPlace {
    /// Cheapest cost so far.
    pub(super) cost: u32,
    /// The same with the estimate of the rest.
    pub(super) total: u32,
    /// The place it was reached from, or `NONE` where the search began.
    pub(super) parent: u32,
    /// Place and way of arrival: number times eight, plus the way.
    pub(super) slot: u32,
    /// What is seen from there, if that was known when it was come to.
    pub(super) list: SuccessorRef,
}

/// Why the search ended.
pub(super) enum End {
    /// The goal can be walked to from this place.
    Goal(u32),
    /// The ground is not of the kind this search is for.
    GiveUp,
    /// The budget is used up.
    OutOfBudget,
}

impl Default for CachedJpsSearcher {
    fn default() -> Self {
        Self::with_cache_limit(CacheLimit::default())
    }
}

impl CachedJpsSearcher {
    /// A searcher that remembers at most as much as `cap` says.
    ///
    /// When nothing more fits, new lists are used and not kept; once as many were turned away as
    /// are kept, everything goes. What one search needs to know of the places it comes to is not
    /// limited by the cap, and given back after the search.
    pub fn with_cache_limit(cap: CacheLimit) -> Self {
        Self {
            cache: Cache::default(),
            bound: (0, Revision::default()),
            began: (0, Revision::default()),
            cap,
            cache_limit_bytes: 0,
            full: false,
            n_turned_away: 0,
            transient: TransientNodes::default(),
            search_number: 0,
            n_searches: 0,
            tree: BridgeTree::default(),
            uses_tree: false,
            tree_number: 1,
            seen: Vec::new(),
            open: OpenList::default(),
            draft: SuccessorScan::default(),
            board: JumpBitmap::default(),
            edges: Vec::new(),
            dirty: Vec::new(),
            is_large: false,
            may_have_board: true,
            ceiling: u32::MAX,
            met_fence: false,
            fenced: Vec::new(),
            query: Query::new(NodeId::from_index(0), NodeId::from_index(0)),
            aim: GoalHeuristic::NOWHERE,
            stats: SearchStats::default(),
            wasted: SearchStats::default(),
            at_least: None,
            n_irregular: 0,
            nearest: (0, 0),
            plain: JpsSearcher::default(),
            fell_back_to_jps: false,
            path: Vec::new(),
        }
    }

    /// Takes over what a batch of edits changed, so that all that was not touched stays
    /// remembered. `changes` must be of `ground`, which may have changed further since.
    ///
    /// Nobody need call this: what was remembered of another revision is forgotten by itself.
    pub fn apply_changes(&mut self, ground: &Ground, changes: &GroundChanges) {
        self.follow_set(ground, &changes.changes);
    }

    /// As [`CachedJpsSearcher::apply_changes`], with all that a log knows of `ground` since it was last
    /// followed or asked about.
    pub fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
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
        if self.n_searches == 0 {
            // There is nothing to forget.
            self.bound.1 = set.after;
            return;
        }
        let mut all_floors = true;
        for difference in &set.differences {
            match difference {
                GroundDifference::Floor { cell, .. } => note_touched(&mut self.dirty, *cell),
                _ => all_floors = false,
            }
        }
        if !all_floors {
            // Walls, nav links and effects: whatever is near may be walked otherwise now.
            (self.dirty).extend(
                set.dirty_sectors
                    .iter()
                    .map(|dirty| Touched::all_of(dirty.sector)),
            );
        }
        if self.dirty.len() > MAX_TOUCHED {
            self.clear_cache();
        }
        self.bound.1 = set.after;
    }

    /// Forgets what no longer holds after what was followed. Put off until somebody asks: where
    /// nobody does, edits cost next to nothing. Who does not want to wait for it then may call it
    /// sooner.
    pub fn flush_invalidations(&mut self, ground: &Ground) {
        let is_of_now = self.bound == (ground.identity(), ground.revision());
        if self.dirty.is_empty() || !is_of_now {
            return;
        }
        let has_nav_links = ground.nav_links().next().is_some();
        let mut dirty = std::mem::take(&mut self.dirty);
        for dirty in dirty.drain(..) {
            match self.tree.apply_changes(ground, dirty.sector, dirty.rect) {
                Moved::None => {}
                Moved::Sheet(sheet) => self.cache.forget_areas_in(sheet),
                Moved::All => self.forget_areas(),
            }
            let is_level = dirty
                .z
                .is_some_and(|z| ground.is_level_around(dirty.rect.low, z));
            if is_level && !has_nav_links {
                let can_repair = self.board.made().is_some();
                self.cache.forget(dirty.rect, can_repair);
                self.board.apply_changes(ground, dirty.sector, dirty.rect);
            } else {
                self.board.forget();
                self.forget_around(ground, dirty.sector);
            }
        }
        self.dirty = dirty;
    }

    /// Forgets what was seen near a sector, where steps may be others now, and near the other ends
    /// of nav links there: they begin and end to count with the floors at both ends.
    fn forget_around(&mut self, ground: &Ground, center: SectorId) {
        self.tree.forget();
        self.forget_areas();
        self.cache.forget_all_in(around(center));
        for dy in -1..=1 {
            for dx in -1..=1 {
                let sector =
                    SectorId::new(center.x.saturating_add(dx), center.y.saturating_add(dy));
                for nav_link in ground.nav_links_in(sector) {
                    self.cache
                        .forget_all_in(around(SectorId::from_column(nav_link.from.column())));
                    self.cache
                        .forget_all_in(around(SectorId::from_column(nav_link.to.column())));
                }
            }
        }
    }

    /// Forgets everything that was remembered; keeps the room.
    pub fn clear_cache(&mut self) {
        self.cache.clear(self.cache_limit_bytes);
        self.dirty.clear();
        self.tree.forget();
        self.board.forget();
        self.fenced.clear();
        (self.full, self.n_turned_away, self.n_searches) = (false, 0, 0);
    }

    /// Forgets which areas places lie in.
    fn forget_areas(&mut self) {
        self.tree_number = self.tree_number.wrapping_add(1);
        if self.tree_number == 0 {
            for location in &mut self.cache.locations {
                location.tree = 0;
            }
            self.tree_number = 1;
        }
    }

    /// Bytes of what is remembered.
    pub fn cache_bytes(&self) -> usize {
        self.cache.heap_bytes() + self.tree.heap_bytes() + self.board.heap_bytes()
    }

    /// The most bytes that lists may take, for the ground last searched.
    pub fn cache_limit_bytes(&self) -> usize {
        self.cache_limit_bytes
    }

    /// What the last query used.
    pub fn stats(&self) -> SearchStats {
        if !self.fell_back_to_jps {
            return self.stats;
        }
        let plain = self.plain.stats();
        SearchStats {
            expansions: self.wasted.expansions + plain.expansions,
            pushes: self.wasted.pushes + plain.pushes,
        }
    }

    /// True if the last query was answered by the search that remembers nothing.
    pub fn fell_back_to_jps(&self) -> bool {
        self.fell_back_to_jps
    }

    pub(super) fn find(
        &mut self,
        ground: &Ground,
        query: &Query,
        observer: &mut impl SearchObserver,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        cells.clear();
        if let Some(known) = self.begin(ground, query, HeuristicWeight::ONE) {
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
    /// A query whose memory is limited is left to `jps`, which counts every byte.
    pub fn begin(
        &mut self,
        ground: &Ground,
        query: &Query,
        weight: HeuristicWeight,
    ) -> Option<Outcome<Cost>> {
        self.keep_to_cap();
        self.fell_back_to_jps = false;
        (self.stats, self.wasted) = (SearchStats::default(), SearchStats::default());
        self.query = *query;
        self.at_least = None;
        if ground.component(query.start) != ground.component(query.goal) {
            return Some(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        }
        // A nav link that is shorter than any way on foot leads the estimate astray.
        if query.budget.memory_bytes == u64::MAX && ground.shortcuts().is_empty() {
            self.bind(ground);
            self.began = self.bound;
            self.n_searches = self.n_searches.saturating_add(1);
            self.take_aim(ground, weight, self.first_ceiling(ground, weight));
            self.uses_tree = self.wants_tree(ground) && self.use_tree(ground);
            if self.set_out(ground) {
                return None;
            }
        }
        self.begin_plain(ground)
    }

    /// Goes on until the goal is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on, memory only where `jps` does the work. Called again after
    /// [`StopReason::OutOfBudget`] on the same ground, it goes on exactly as if it had not stopped.
    pub fn advance(
        &mut self,
        ground: &Ground,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let before = self.stats().expansions;
        if !self.fell_back_to_jps {
            // What was seen of another ground leads astray, even if the change was followed since:
            // that is a mistake of the caller.
            if self.began == (ground.identity(), ground.revision()) {
                match self.search(ground, budget.expansions, observer) {
                    End::Goal(number) => return StopReason::Goal(number),
                    End::OutOfBudget => return StopReason::OutOfBudget,
                    End::GiveUp => {}
                }
            }
            if self.begin_plain(ground).is_some() {
                return StopReason::OutOfBudget;
            }
        }
        let used = self.stats().expansions - before;
        let budget = Budget {
            expansions: budget.expansions.saturating_sub(used),
            ..budget
        };
        self.plain.advance(ground, observer, budget)
    }

    /// What a cheapest path costs at least, once a way was found and read off; `None` if that is
    /// what the way costs.
    pub fn at_least(&self) -> Option<Cost> {
        self.at_least.map(Cost::from_units)
    }

    /// The least that a way can cost, given that the search ended with one that costs `found`:
    /// some place of a cheapest path, come to as cheaply as can be, is the last of that one or
    /// still on the open list.
    pub(super) fn least_of_all(&self, found: u32) -> u32 {
        if self.aim.weight == HeuristicWeight::ONE {
            return found;
        }
        let entries = self.open.entries().filter_map(|(total, number)| {
            let place = self.seen[number as usize];
            // Else a cheaper way was found since.
            (place.total == total).then(|| self.aim.unweighed(place.cost, total - place.cost))
        });
        let least = entries.min().map(|least| self.aim.units(least));
        found.min(least.unwrap_or(found))
    }

    /// Bytes by which the scratch grew in the last search, as far as they are counted.
    pub fn grown_bytes(&self) -> u64 {
        if self.fell_back_to_jps {
            self.plain.grown_bytes()
        } else {
            0
        }
    }

    /// Leaves the query to the search that remembers nothing.
    fn begin_plain(&mut self, ground: &Ground) -> Option<Outcome<Cost>> {
        self.wasted = self.stats;
        self.fell_back_to_jps = true;
        self.plain.begin(ground, &self.query)
    }

    /// Makes sure that what is remembered is of this ground as it is.
    fn bind(&mut self, ground: &Ground) {
        let now = (ground.identity(), ground.revision());
        if self.bound.0 != now.0 {
            self.cache_limit_bytes = match self.cap {
                CacheLimit::GroundMultiple(times) => {
                    let bytes = usize::from(times) * ground.memory_report().total();
                    bytes.clamp(CacheLimit::MIN_BYTES, CacheLimit::MAX_BYTES)
                }
                CacheLimit::Bytes(bytes) => bytes,
            };
            self.is_large = !ground.has_at_most(LARGE);
            self.may_have_board = ground.has_at_most(self.bitmap_limit() / BOARD_BYTES_PER_SHEET);
        }
        if self.bound != now {
            self.clear_cache();
            self.bound = now;
        }
        self.flush_invalidations(ground);
    }

    /// A guess of what the way costs at most, weight included; no limit where looks are short.
    fn first_ceiling(&self, ground: &Ground, weight: HeuristicWeight) -> u32 {
        if !self.is_large || self.board.made().is_some() {
            return u32::MAX;
        }
        let [start, goal] = [self.query.start, self.query.goal].map(|node| ground.cell(node));
        let (wide, high) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        let straight = weight.weigh(octile(wide.into(), high.into()));
        u32::try_from(straight + straight / 2 + CEILING_ABOVE).unwrap_or(u32::MAX)
    }

    /// Looks around from the goal, and sets the ceiling.
    pub(super) fn take_aim(&mut self, ground: &Ground, weight: HeuristicWeight, ceiling: u32) {
        let n_cells = match ceiling {
            u32::MAX => u32::MAX,
            _ => ceiling / Cost::STRAIGHT.units() + 1,
        };
        self.aim = GoalHeuristic::of(ground, &self.query, weight, n_cells);
        (self.ceiling, self.met_fence) = (ceiling, self.aim.is_cut);
    }

    /// True if the way may be so long that it pays to know what lies between start and goal, even
    /// if that must be found out first. Follows from the ground and the query alone; but where the
    /// start sees the goal the answer is the same either way.
    fn wants_tree(&self, ground: &Ground) -> bool {
        let start = ground.cell(self.query.start);
        let (wide, high) = (start.x.abs_diff(self.aim.x), start.y.abs_diff(self.aim.y));
        let n_cells = usize::try_from(wide.max(high)).unwrap_or(usize::MAX);
        ground.has_at_most(n_cells.saturating_mul(SHEETS_PER_CELL).min(MAX_SHEETS))
            && (self.tree.is_made()
                || !self.sees_goal(ground, self.query.start, (start.x, start.y)))
    }

    fn use_tree(&mut self, ground: &Ground) -> bool {
        if self.tree.prepare(ground) {
            self.forget_areas();
        }
        self.tree.set_out(ground, self.query.start, self.query.goal)
    }

    /// Bytes that a board may take.
    pub(super) fn bitmap_limit(&self) -> usize {
        self.cache_limit_bytes / 4
    }

    /// Bytes that lists may take.
    pub(super) fn list_cap(&self) -> usize {
        let others = self.cache_bytes() - self.cache.heap_bytes();
        self.cache_limit_bytes.saturating_sub(others)
    }

    /// After a search: forgets what there is no room for.
    pub(super) fn keep_to_cap(&mut self) {
        let turned_away = self.full && self.n_turned_away >= self.cache.n_lists();
        if turned_away || self.cache_bytes() > self.cache_limit_bytes {
            self.clear_cache();
            if self.cache_bytes() > self.cache_limit_bytes {
                self.tree.drop_all();
                self.board.drop_all();
            }
        }
    }
}

/// The columns of a sector and of those next to it.
fn around(sector: SectorId) -> Rect {
    let origin = sector.origin();
    let low = Column::new(origin.x.saturating_sub(16), origin.y.saturating_sub(16));
    let high = Column::new(origin.x.saturating_add(31), origin.y.saturating_add(31));
    Rect::around(low, high)
}

/// Notes a floor that changed. Patches come row by row, so the sector is one of the last few.
fn note_touched(dirty: &mut Vec<Touched>, cell: Cell) {
    let sector = SectorId::from_column(cell.column());
    let mut last = dirty.iter_mut().rev().take(16);
    if let Some(known) = last.find(|known| known.sector == sector) {
        known.rect = known.rect.including(cell.column());
        known.z = known.z.filter(|z| *z == cell.z);
    } else {
        dirty.push(Touched {
            sector,
            rect: Rect::around(cell.column(), cell.column()),
            z: Some(cell.z),
        });
    }
}
