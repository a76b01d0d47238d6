//! Going on from a place: rays and diagonals over uniform ground, single steps elsewhere.

use wayfarer_base::{Cost, CostMultiplier, Direction, Location, SearchEvent, SearchObserver};
use wayfarer_world::ground::{Ground, NodeId, SheetBits};

use super::queue;
use super::straight_scan::{EAST, ALL_DIRECTIONS, NORTH, SOUTH, ScanHit, SheetCursor, WEST, is_along_row, scan};
use super::searcher::{JpsGoal, JpsSearcher};
use super::vertices::{NONE, Vertex, VertexLookup};

/// Who takes what is found from a place.
pub(in crate::ground) trait JumpVisitor {
    /// Whether it wants to hear how far was looked.
    const MEASURES_REACH: bool;
    /// Whether it has a fence; else nobody asks for it.
    const HAS_FENCE: bool;

    /// The cell at which rays end whatever lies around it.
    fn goal(&self) -> Option<JpsGoal>;

    /// True if nothing is gained by going on from (x, y), come to at `cost`.
    fn is_prunable(&mut self, x: i32, y: i32, cost: u64) -> bool;

    /// How many cells from (x, y) on the fence is, in a straight direction: what lies beyond need
    /// not be found.
    fn distance_to_fence(&self, to: u8, x: i32, y: i32) -> u32;

    /// A look ended at the fence.
    fn met_fence(&mut self);

    /// A place was come to.
    fn reach(&mut self, generated: GeneratedNode);

    /// In a straight direction nothing was looked at further than `n_cells` from the beginning, as
    /// far as that direction goes; and a cell to both sides.
    fn on_scanned(&mut self, to: u8, n_cells: u32);
}

/// One expansion over uniform ground: where it begins, and who takes what is found.
pub(in crate::ground) struct Expansion<'f, F> {
    pub(in crate::ground) visitor: &'f mut F,
    pub(in crate::ground) x: i32,
    pub(in crate::ground) y: i32,
    /// What it cost to come there.
    pub(in crate::ground) cost: u64,
}

/// The finder of this search: it notes places, and puts them on the open list.
pub(super) struct OpenListVisitor<'r, 'g, O> {
    pub(super) ground: &'g Ground,
    pub(super) searcher: &'r mut JpsSearcher,
    pub(super) observer: &'r mut O,
    /// The number of the place that is expanded.
    pub(super) parent: u32,
}

pub(super) const STRAIGHT: u64 = Cost::STRAIGHT.units() as u64;
pub(super) const DIAGONAL: u64 = Cost::DIAGONAL.units() as u64;

/// A place that was come to.
#[derive(Clone, Copy)]
pub(in crate::ground) struct GeneratedNode {
    pub(in crate::ground) node: NodeId,
    pub(in crate::ground) x: i32,
    pub(in crate::ground) y: i32,
    pub(in crate::ground) cost: u64,
    /// Directions worth a look from there.
    pub(in crate::ground) directions: u8,
    /// In which straight direction it was come to, or all of them if everything is to be looked
    /// at from there.
    pub(in crate::ground) arrival: u8,
    pub(in crate::ground) is_step: bool,
}

/// In which direction a cell was come to, and what it and all around it cost.
#[derive(Clone, Copy)]
struct OnwardStep {
    dx: i32,
    dy: i32,
    multiplier: CostMultiplier,
}

impl<F: JumpVisitor> Expansion<'_, F> {
    /// Looks at everything that can be come to from a cell of a plain sheet in `directions`; tells
    /// how far the diagonals lead: north-east, south-east, south-west, north-west.
    #[inline]
    pub(in crate::ground) fn scan_all(
        &mut self,
        sheet: SheetBits<'_>,
        node: NodeId,
        directions: u8,
    ) -> [u32; 4] {
        let cursor = SheetCursor {
            sheet,
            x: node.x_in_sector(),
            y: node.y_in_sector(),
        };
        let has_direction = |direction: u8| directions >> direction & 1 == 1;
        if has_direction(EAST) {
            self.scan_straight::<EAST>(&cursor);
        }
        if has_direction(WEST) {
            self.scan_straight::<WEST>(&cursor);
        }
        if has_direction(NORTH) {
            self.scan_straight::<NORTH>(&cursor);
        }
        if has_direction(SOUTH) {
            self.scan_straight::<SOUTH>(&cursor);
        }
        let mut lengths = [0; 4];
        if has_direction(1) {
            lengths[0] = self.scan_diagonal::<EAST, NORTH>(cursor);
        }
        if has_direction(3) {
            lengths[1] = self.scan_diagonal::<EAST, SOUTH>(cursor);
        }
        if has_direction(5) {
            lengths[2] = self.scan_diagonal::<WEST, SOUTH>(cursor);
        }
        if has_direction(7) {
            lengths[3] = self.scan_diagonal::<WEST, NORTH>(cursor);
        }
        lengths
    }

    // Inlined, so that the spot stays in registers.
    #[inline(always)]
    fn scan_straight<const DIR: u8>(&mut self, cursor: &SheetCursor<'_>) {
        let in_line = self.visitor.goal().filter(|goal| {
            if is_along_row(DIR) {
                self.y == goal.y
            } else {
                self.x == goal.x
            }
        });
        let max_length = if F::HAS_FENCE {
            self.visitor.distance_to_fence(DIR, self.x, self.y)
        } else {
            u32::MAX
        };
        let hit = match in_line {
            None => scan::<DIR>(cursor, None, max_length),
            Some(goal) => scan_to_goal::<DIR>(*cursor, goal.node),
        };
        if F::HAS_FENCE && hit.directions == 0 && hit.length > max_length {
            self.visitor.met_fence();
        }
        // A place lies on the last cell, what is closed beyond it.
        self.visitor
            .on_scanned(DIR, hit.length + u32::from(hit.directions == 0));
        if hit.directions != 0 {
            self.reach_straight::<DIR>(hit);
        }
    }

    #[inline(never)]
    fn reach_straight<const DIR: u8>(&mut self, hit: ScanHit) {
        let (dx, dy) = Direction::from_index(DIR).offset();
        let length = hit.length.cast_signed();
        self.visitor.reach(GeneratedNode {
            node: hit.node,
            x: self.x + dx * length,
            y: self.y + dy * length,
            cost: self.cost + STRAIGHT * u64::from(hit.length),
            directions: hit.directions,
            arrival: DIR,
            is_step: false,
        });
    }
}

/// Looks along a row (or column) in which the goal lies.
#[cold]
#[inline(never)]
fn scan_to_goal<const DIR: u8>(cursor: SheetCursor<'_>, goal: NodeId) -> ScanHit {
    scan::<DIR>(&cursor, Some(goal), u32::MAX)
}

impl<O: SearchObserver> OpenListVisitor<'_, '_, O> {
    /// Looks at everything that can be come to from a place.
    pub(super) fn expand(&mut self) {
        // One number after the other: as a whole it could be read only some time after it was
        // written, and it often was written just before.
        let from = self.searcher.vertices.at(self.parent);
        let (node, x, y) = (from.node, from.x, from.y);
        let (cost, directions, parent) = (from.cost, from.directions, from.parent);
        let sheet = self.ground.bits(node);
        if !sheet.is_uniform() {
            match self.onward_step(parent, (node, x, y), cost) {
                Some(onward_step) => self.generate_pruned(sheet, (node, x, y), cost.into(), onward_step),
                None => self.generate_successors(node, cost.into()),
            }
            return;
        }
        let cost = u64::from(cost);
        let mut expansion = Expansion {
            visitor: self,
            x,
            y,
            cost,
        };
        expansion.scan_all(sheet, node, directions);
    }

    /// Where it is enough to go on to from a cell of rough ground, given where one came from.
    ///
    /// If all around is open and costs the same, every other cell around can be come to from the
    /// cell before without this one: at less cost, or at the same by a diagonal step first. The
    /// last step of such a way is a straight one, and those are left out only where a way is
    /// cheaper; so one of the cheapest paths is always found.
    fn onward_step(&self, parent: u32, (node, x, y): (NodeId, i32, i32), cost: u32) -> Option<OnwardStep> {
        if parent == NONE {
            return None;
        }
        let previous = self.searcher.vertices.at(parent);
        let (dx, dy) = (x.wrapping_sub(previous.x), y.wrapping_sub(previous.y));
        let is_adjacent = (-1..=1).contains(&dx) && (-1..=1).contains(&dy);
        if !is_adjacent || !previous.node.shares_sheet(node) {
            return None;
        }
        let multiplier = self.ground.uniform_multiplier(node)?;
        let length = Cost::for_step(dx != 0 && dy != 0).scaled_by_mean(multiplier, multiplier);
        // A nav link between neighbors may cost something else.
        (cost.checked_sub(previous.cost) == Some(length.units())).then_some(OnwardStep {
            dx,
            dy,
            multiplier,
        })
    }

    /// The steps that are needed inside ground that costs the same all around.
    fn generate_pruned(
        &mut self,
        sheet: SheetBits<'_>,
        (node, x, y): (NodeId, i32, i32),
        cost_before: u64,
        OnwardStep {
            dx,
            dy,
            multiplier: multiplier,
        }: OnwardStep,
    ) {
        let all = [(dx, 0), (dx, dy), (0, dy)];
        let steps = if dx == 0 || dy == 0 {
            &all[1..2]
        } else {
            &all[..]
        };
        let (in_x, in_y) = (node.x_in_sector(), node.y_in_sector());
        for &(dx, dy) in steps {
            let cost = Cost::for_step(dx != 0 && dy != 0).scaled_by_mean(multiplier, multiplier);
            self.reach(GeneratedNode {
                node: sheet.node(in_x.wrapping_add_signed(dx), in_y.wrapping_add_signed(dy)),
                x: x + dx,
                y: y + dy,
                cost: cost_before + u64::from(cost.units()),
                directions: ALL_DIRECTIONS,
                arrival: ALL_DIRECTIONS,
                is_step: true,
            });
        }
    }

    /// Single steps, as the ground gives them.
    fn generate_successors(&mut self, from: NodeId, cost_before: u64) {
        let mut buffer = std::mem::take(&mut self.searcher.steps);
        for (to, cost) in self.ground.successors(from, &mut buffer) {
            let at = self.ground.cell(to);
            self.reach(GeneratedNode {
                node: to,
                x: at.x,
                y: at.y,
                cost: cost_before + u64::from(cost.units()),
                directions: ALL_DIRECTIONS,
                arrival: ALL_DIRECTIONS,
                is_step: true,
            });
        }
        self.searcher.steps = buffer;
    }
}

impl<O: SearchObserver> JumpVisitor for OpenListVisitor<'_, '_, O> {
    const MEASURES_REACH: bool = false;
    const HAS_FENCE: bool = false;

    #[inline]
    fn goal(&self) -> Option<JpsGoal> {
        Some(self.searcher.goal)
    }

    #[inline]
    fn is_prunable(&mut self, x: i32, y: i32, cost: u64) -> bool {
        self.searcher.is_prunable(x, y, cost)
    }

    fn distance_to_fence(&self, _to: u8, _x: i32, _y: i32) -> u32 {
        u32::MAX
    }

    fn met_fence(&mut self) {}

    #[inline]
    fn on_scanned(&mut self, _to: u8, _n_cells: u32) {}

    /// Notes a place that was come to, if that is the cheapest path to it so far and can still
    /// lead to the goal more cheaply than what is known.
    #[inline(never)]
    fn reach(&mut self, generated: GeneratedNode) {
        let searcher = &mut *self.searcher;
        let rest = searcher.estimate.from(generated.x, generated.y);
        let total = generated.cost + u64::from(rest);
        if total >= u64::from(searcher.best) {
            searcher.too_far |= searcher.best == u32::MAX;
            return;
        }
        if !searcher.make_room() {
            return;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "both are below a number of 32 bits"
        )]
        let (cost, total) = (generated.cost as u32, total as u32);
        let vertex = Vertex {
            node: generated.node,
            x: generated.x,
            y: generated.y,
            cost,
            total,
            parent: self.parent,
            directions: generated.directions,
            is_step: generated.is_step,
        };
        let (number, is_new) = match searcher.vertices.find(generated.node, cost) {
            VertexLookup::Cheap(_) => return,
            VertexLookup::New(slot) => (searcher.vertices.enter(slot, vertex), true),
            VertexLookup::Costly(slot, number) => {
                searcher.vertices.improve(slot, number, vertex);
                (number, false)
            }
        };
        if generated.node == searcher.goal.node {
            searcher.best = cost;
        }
        searcher.queue.push(queue::entry(total, number));
        searcher.stats.pushes += 1;
        if O::ACTIVE {
            let at = Location::Cell(self.ground.cell(generated.node));
            let cost = Cost::from_units(cost);
            self.observer.on_event(if is_new {
                SearchEvent::Opened { at, cost }
            } else {
                SearchEvent::Improved { at, cost }
            });
        }
    }
}
