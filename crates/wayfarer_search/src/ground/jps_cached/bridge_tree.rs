//! Bridges of the region graph, as pruning and lower bound of a search \[Bjornsson2006, relative\].
//!
//! Regions are the vertices of a graph, the open borders between them its edges. Its bridges
//! \[Tarjan1974\] connect two-edge-connected components to a tree. A path between two components
//! crosses the bridges between them, in order; leaving the route over a bridge means returning over
//! it, which no optimal path does. So the search prunes components off the route, and its lower
//! bound goes to the next bridge, from bridge to bridge, and from the last one to the goal; bridges
//! close together are skipped if a later one gives a higher bound. Borders of irregular sheets and
//! nav links are never bridges.
//!
//! A border of several runs is no bridge: a path can leave by one and return by another. Bridges
//! are found as if every border were one run, and components merged afterwards over borders of
//! several: so an edit that changes runs, but not which regions are adjacent, repeats only the
//! merge.
//!
//! The tree follows from the ground alone. Building it is linear in the number of sheets; a lookup
//! is O(1). Allocates nothing once warm.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer regions than cells"
)]

mod borders;

use wayfarer_base::{Rect, SectorId};
use wayfarer_world::ground::{NodeId, ProfileGround, RegionId, SheetBits};

use self::borders::{Border, BorderRun, collect_borders};
use super::goal_heuristic::octile;
use super::jump_point_graph::NONE;

/// One direction of an edge.
#[derive(Clone, Copy, Debug)]
struct HalfEdge {
    /// The region it leads to.
    to: u32,
    /// The next half-edge from the same region.
    next: u32,
}

/// The cells of a bridge or the goal, and the lower bound from there to the goal.
#[derive(Clone, Copy, Debug)]
struct BridgeTarget {
    low_x: i32,
    high_x: i32,
    low_y: i32,
    high_y: i32,
    h: u32,
}

impl BridgeTarget {
    /// Lower bound of the cost from a rectangle of columns to the goal, over these cells.
    #[inline(always)]
    fn lower_bound_from(&self, (low_x, high_x): (i32, i32), (low_y, high_y): (i32, i32)) -> u64 {
        let wide = (self.low_x - high_x).max(low_x - self.high_x).max(0);
        let high = (self.low_y - high_y).max(low_y - self.high_y).max(0);
        let to_here = octile(wide.unsigned_abs().into(), high.unsigned_abs().into());
        to_here + u64::from(self.h)
    }

    /// The same from these cells over `next`.
    fn lower_bound_via(&self, next: &Self) -> u64 {
        next.lower_bound_from((self.low_x, self.high_x), (self.low_y, self.high_y))
    }
}

/// The lower bound from a bridge is the highest over this many next ones and the goal.
const N_BRIDGES_AHEAD: usize = 4;

/// Whether a component lies on the route between start and goal, and the next bridge from there.
#[derive(Clone, Copy, Debug)]
struct RouteEntry {
    /// The search for which the entry is valid.
    search_id: u32,
    target: BridgeTarget,
}

impl RouteEntry {
    const OFF_ROUTE: Self = Self {
        search_id: 0,
        target: BridgeTarget {
            low_x: 0,
            high_x: 0,
            low_y: 0,
            high_y: 0,
            h: 0,
        },
    };
}

/// A two-edge-connected component of the region graph.
#[derive(Clone, Copy, Debug)]
struct BridgeComponent {
    /// Its order in the depth-first search: lower than that of the components below it.
    order: u32,
    /// The half-edge that entered it; `NONE` at a root.
    parent_edge: u32,
}

/// Which cells may be in another component after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ComponentChange {
    None,
    /// Those of a sheet.
    Sheet(u32),
    All,
}

/// A sheet as it was when the tree was built.
#[derive(Clone, Copy, Debug, Default)]
struct SheetRecord {
    /// The first of its borders.
    first_border: u32,
    /// The number of its second region, if there is one; the first has the number of the sheet.
    second_region: u32,
    n_borders: u16,
    /// 0 if there was no such sheet.
    n_regions: u8,
    steps: StepKind,
}

/// How the borders of a sheet are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum StepKind {
    /// From the portals, cell by cell.
    #[default]
    Irregular,
    /// From the bits; further diagonals lead around corners.
    Masked,
    /// From the bits.
    Exact,
}

impl StepKind {
    fn new(sheet: &SheetBits<'_>) -> Self {
        match (sheet.is_uniform(), sheet.has_diagonal_masks()) {
            (false, _) => Self::Irregular,
            (true, true) => Self::Masked,
            (true, false) => Self::Exact,
        }
    }
}

/// The tree, and the route through it for the current search.
#[derive(Clone, Debug, Default)]
pub(super) struct BridgeTree {
    is_built: bool,
    /// True if components must be merged anew before the next search.
    is_merge_due: bool,
    /// By sheet number.
    sheets: Vec<SheetRecord>,
    /// Sheet by sheet.
    borders: Vec<Border>,
    /// Two per border, there and back; then those of other edges.
    half_edges: Vec<HalfEdge>,
    /// By region.
    component_of: Vec<u32>,
    components: Vec<BridgeComponent>,
    /// By component: the topmost of those it is merged with.
    merged_into: Vec<u32>,
    /// By component.
    route_entries: Vec<RouteEntry>,
    search_id: u32,
    /// Per component of the route: the next bridge, or the goal.
    targets: Vec<BridgeTarget>,
    /// The components of the route, in order.
    route: Vec<u32>,
    /// By region; used only during construction.
    visits: Vec<Visit>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    order: u32,
    low_link: u32,
    /// The next half-edge to follow.
    next_edge: u32,
    /// The half-edge that entered it.
    parent_edge: u32,
}

impl BridgeTree {
    /// True if the tree is current.
    pub(super) fn is_built(&self) -> bool {
        self.is_built
    }

    /// Invalidates the tree; keeps the capacity.
    pub(super) fn invalidate(&mut self) {
        self.is_built = false;
    }

    /// Releases all memory.
    pub(super) fn release(&mut self) {
        *self = Self::default();
    }

    /// Builds the tree if it is not current, in time linear in the number of sheets. True if it
    /// did, so that all components are invalid.
    pub(super) fn prepare(&mut self, ground: ProfileGround<'_>) -> bool {
        if self.is_built {
            // Once for all changes since the last search.
            if std::mem::take(&mut self.is_merge_due) {
                self.merge_components();
            }
            return false;
        }
        let all_exact = self.collect(ground);
        self.build_edges(ground, all_exact);
        self.find_components();
        self.is_built = true;
        true
    }

    /// Updates the tree after cells of a rectangle in `sector` changed; [`BridgeTree::prepare`]
    /// merges components.
    pub(super) fn apply_changes(
        &mut self,
        ground: ProfileGround<'_>,
        sector: SectorId,
        changed: Rect,
    ) -> ComponentChange {
        if !self.is_built {
            return ComponentChange::None;
        }
        let mut sheets = ground.sheets_in(sector);
        let (Some(own), None) = (sheets.next(), sheets.next()) else {
            if self.is_still_empty(ground, sector) {
                return ComponentChange::None;
            }
            // The lowest floor keeps its sheet number; others may not.
            self.invalidate();
            return ComponentChange::All;
        };
        let has_several_regions = own.n_regions() > 1;
        let at = own.origin();
        // With a single region, a border changes only with its cells.
        let is_low = [changed.low.x == at.x, changed.low.y == at.y];
        let is_high = changed.high.x == at.x + 15 || changed.high.y == at.y + 15;
        let mut updated = self.update_sheet(&own, has_several_regions || is_high);
        // The sheets to the west and north store the borders to this one.
        for (is_near, (dx, dy)) in is_low.into_iter().zip([(-1, 0), (0, -1)]) {
            if !(has_several_regions || is_near) {
                continue;
            }
            let near = SectorId::new(sector.x.saturating_add(dx), sector.y.saturating_add(dy));
            let mut sheets = ground.sheets_in(near);
            let next = match (sheets.next(), sheets.next()) {
                (Some(sheet), None) => self.update_sheet(&sheet, true),
                (None, _) => Some(false),
                _ => None,
            };
            updated = updated.zip(next).map(|(one, other)| one || other);
        }
        match updated {
            None => {
                self.invalidate();
                ComponentChange::All
            }
            Some(true) => {
                self.is_merge_due = true;
                ComponentChange::All
            }
            Some(false) if has_several_regions => ComponentChange::Sheet(own.number()),
            Some(false) => ComponentChange::None,
        }
    }

    /// True if a sector has floors on one rank, and the agent fits on none of them, as before.
    fn is_still_empty(&self, ground: ProfileGround<'_>, sector: SectorId) -> bool {
        let mut floors = ground.ground().sheets_in(sector);
        let (Some(floors), None) = (floors.next(), floors.next()) else {
            return false;
        };
        let known = self.sheets.get(floors.number() as usize);
        ground.sheets_in(sector).next().is_none() && known.is_none_or(|known| known.n_regions == 0)
    }

    /// Updates the borders of a sheet. `None` if its regions or their adjacency changed; else
    /// true if components must be merged again. Unless `at_borders`, the borders are unchanged.
    fn update_sheet(&mut self, sheet: &SheetBits<'_>, at_borders: bool) -> Option<bool> {
        let known = *self.sheets.get(sheet.number() as usize)?;
        let is_exact = known.steps == StepKind::Exact && sheet.is_bit_exact();
        if known.n_regions != sheet.n_regions() || !is_exact {
            return None;
        }
        if !at_borders {
            return Some(false);
        }
        let n_before = self.borders.len();
        collect_borders(sheet, &mut self.borders);
        let first = known.first_border as usize;
        let (others, now) = self.borders.split_at_mut(n_before);
        let previous = &mut others[first..first + usize::from(known.n_borders)];
        let ends = |border: &Border| (border.from, border.to, border.run & BorderRun::ENDS);
        let is_same = previous.iter().map(ends).eq(now.iter().map(ends));
        let is_multiple = |border: &Border| border.run & BorderRun::MULTIPLE;
        let has_same_runs = previous
            .iter()
            .map(is_multiple)
            .eq(now.iter().map(is_multiple));
        if is_same {
            previous.copy_from_slice(now);
        }
        self.borders.truncate(n_before);
        is_same.then_some(!has_same_runs)
    }

    /// Numbers the regions and collects the borders. True if the bits of all sheets determine their
    /// steps.
    fn collect(&mut self, ground: ProfileGround<'_>) -> bool {
        self.sheets.fill(SheetRecord::default());
        self.borders.clear();
        let mut all_exact = true;
        let mut n_extra = 0;
        ground.for_each_sheet(|sheet| {
            let number = sheet.number() as usize;
            if number >= self.sheets.len() {
                // The sheets of a page have 64 numbers in a row.
                self.sheets
                    .resize((number | 63) + 1, SheetRecord::default());
            }
            let first_border = self.borders.len();
            let steps = StepKind::new(&sheet);
            if steps != StepKind::Irregular {
                collect_borders(&sheet, &mut self.borders);
            }
            all_exact &= steps == StepKind::Exact;
            self.sheets[number] = SheetRecord {
                first_border: first_border as u32,
                second_region: n_extra,
                n_borders: (self.borders.len() - first_border) as u16,
                n_regions: sheet.n_regions(),
                steps,
            };
            n_extra += u32::from(sheet.n_regions().saturating_sub(1));
            true
        });
        let n_regions = self.sheets.len() + n_extra as usize;
        self.visits.clear();
        let fresh = Visit {
            order: 0,
            low_link: 0,
            next_edge: NONE,
            parent_edge: NONE,
        };
        self.visits.resize(n_regions, fresh);
        all_exact
    }

    /// The number of a region, by its sheet and its ordinal there.
    #[inline]
    fn number(&self, sheet: u32, ordinal: u8) -> u32 {
        if ordinal == 0 {
            return sheet;
        }
        let more = self.sheets[sheet as usize].second_region + u32::from(ordinal) - 1;
        self.sheets.len() as u32 + more
    }

    /// Adds the edges: borders, portals of irregular sheets, diagonals around corners, and nav links.
    fn build_edges(&mut self, ground: ProfileGround<'_>, all_exact: bool) {
        self.half_edges.clear();
        self.half_edges.reserve(2 * self.borders.len());
        for index in 0..self.borders.len() {
            let Border { from, to, run } = self.borders[index];
            let run = BorderRun::unpack(run);
            let (own, other) = (self.number(from, run.own), self.number(to, run.other));
            if all_exact || self.sheets[to as usize].steps != StepKind::Irregular {
                self.add_edge(own, other);
            } else {
                // The irregular sheet has the edge; a loop keeps the numbers of half-edges and
                // borders aligned.
                self.add_edge(own, own);
            }
        }
        if !all_exact {
            ground.for_each_sheet(|sheet| {
                match StepKind::new(&sheet) {
                    StepKind::Exact => {}
                    StepKind::Masked => ground
                        .for_each_corner_step(&sheet, |from, to| self.add_double_edge(from, to)),
                    StepKind::Irregular => {
                        for region in ground.regions_of(&sheet) {
                            ground.for_each_adjacent_region(region, |to| {
                                self.add_double_edge(region, to);
                            });
                        }
                    }
                }
                true
            });
        }
        for nav_link in ground.ground().nav_links() {
            let region = |cell| ground.region(ground.node(cell)?);
            if let (Some(from), Some(to)) = (region(nav_link.from), region(nav_link.to)) {
                self.add_double_edge(from, to);
            }
        }
    }

    /// Connects two regions by an edge that is never a bridge.
    fn add_double_edge(&mut self, a: RegionId, b: RegionId) {
        let a = self.number(a.sheet(), a.ordinal());
        let b = self.number(b.sheet(), b.ordinal());
        self.add_edge(a, b);
        self.add_edge(a, b);
    }

    #[inline]
    fn add_edge(&mut self, a: u32, b: u32) {
        let half_edge = self.half_edges.len() as u32;
        let (from_a, from_b) = (
            self.visits[a as usize].next_edge,
            self.visits[b as usize].next_edge,
        );
        let there = HalfEdge {
            to: b,
            next: from_a,
        };
        let back = HalfEdge {
            to: a,
            next: from_b,
        };
        self.half_edges.push(there);
        self.half_edges.push(back);
        // Of a loop one half-edge is lost; a loop is never a bridge.
        self.visits[a as usize].next_edge = half_edge;
        self.visits[b as usize].next_edge = half_edge + 1;
    }

    /// Finds bridges and components: Tarjan's algorithm \[Tarjan1974\] with an explicit stack.
    fn find_components(&mut self) {
        self.components.clear();
        self.component_of.clear();
        self.component_of.resize(self.visits.len(), NONE);
        self.stack.clear();
        let mut clock = 0;
        let n_sheets = self.sheets.len();
        for root in 0..self.visits.len() {
            let is_there = root >= n_sheets || self.sheets[root].n_regions > 0;
            if is_there && self.visits[root].order == 0 {
                clock = self.find_components_from(root as u32, clock);
            }
        }
        self.route_entries.clear();
        self.route_entries
            .resize(self.components.len(), RouteEntry::OFF_ROUTE);
        self.search_id = 0;
        self.is_merge_due = false;
        self.merge_components();
    }

    /// Merges components with their parents over borders of several runs.
    fn merge_components(&mut self) {
        self.merged_into.clear();
        self.merged_into.extend(0..self.components.len() as u32);
        // Parents were completed after their children.
        for component in (0..self.components.len()).rev() {
            let parent_edge = self.components[component].parent_edge;
            if parent_edge != NONE && self.is_multiple(parent_edge) {
                let above =
                    self.component_of[self.half_edges[(parent_edge ^ 1) as usize].to as usize];
                self.merged_into[component] = self.merged_into[above as usize];
            }
        }
    }

    fn find_components_from(&mut self, root: u32, mut clock: u32) -> u32 {
        let mut enter = |visits: &mut [Visit], stack: &mut Vec<u32>, region: u32, via: u32| {
            clock += 1;
            let visit = &mut visits[region as usize];
            (visit.order, visit.low_link, visit.parent_edge) = (clock, clock, via);
            stack.push(region);
        };
        enter(&mut self.visits, &mut self.stack, root, NONE);
        let mut at = root;
        loop {
            let mut visit = self.visits[at as usize];
            let mut down = NONE;
            while visit.next_edge != NONE {
                let half_edge = visit.next_edge;
                let HalfEdge { to, next } = self.half_edges[half_edge as usize];
                visit.next_edge = next;
                let order = self.visits[to as usize].order;
                if order == 0 {
                    enter(&mut self.visits, &mut self.stack, to, half_edge);
                    down = to;
                    break;
                }
                // Not back over the edge that entered the region.
                if half_edge >> 1 != visit.parent_edge >> 1 {
                    visit.low_link = visit.low_link.min(order);
                }
            }
            self.visits[at as usize].next_edge = visit.next_edge;
            self.visits[at as usize].low_link = visit.low_link;
            if down != NONE {
                at = down;
                continue;
            }
            if visit.low_link == visit.order {
                let component = self.components.len() as u32;
                self.components.push(BridgeComponent {
                    order: visit.order,
                    parent_edge: visit.parent_edge,
                });
                while let Some(region) = self.stack.pop() {
                    self.component_of[region as usize] = component;
                    if region == at {
                        break;
                    }
                }
            }
            if visit.parent_edge == NONE {
                return clock;
            }
            at = self.half_edges[(visit.parent_edge ^ 1) as usize].to;
            let above = &mut self.visits[at as usize];
            above.low_link = above.low_link.min(visit.low_link);
        }
    }

    /// True if a half-edge belongs to a border of several runs.
    #[inline]
    fn is_multiple(&self, half_edge: u32) -> bool {
        let border = self.borders.get((half_edge >> 1) as usize);
        border.is_some_and(|border| border.run & BorderRun::MULTIPLE != 0)
    }

    /// The component of a cell; the tree must be current.
    #[inline]
    pub(super) fn component(&self, ground: ProfileGround<'_>, node: NodeId) -> u32 {
        let region = ground
            .region(node)
            .expect("the search is at a walkable cell");
        self.component_of_region(self.number(region.sheet(), region.ordinal()))
    }

    #[inline]
    fn component_of_region(&self, region: u32) -> u32 {
        self.merged_into[self.component_of[region as usize] as usize]
    }

    /// Sets the route between two cells. False if they are not connected.
    pub(super) fn set_route(
        &mut self,
        ground: ProfileGround<'_>,
        start: NodeId,
        goal: NodeId,
    ) -> bool {
        self.search_id = self.search_id.wrapping_add(1);
        if self.search_id == 0 {
            self.route_entries.fill(RouteEntry::OFF_ROUTE);
            self.search_id = 1;
        }
        self.targets.clear();
        self.route.clear();
        self.stack.clear();
        let (mut up, mut down) = (self.component(ground, start), self.component(ground, goal));
        while up != down {
            let (above, below) = (self.components[up as usize], self.components[down as usize]);
            let deeper = if above.order > below.order {
                above
            } else {
                below
            };
            if deeper.parent_edge == NONE {
                return false;
            }
            if above.order > below.order {
                self.route.push(up);
                // Over the bridge to the parent component.
                self.targets
                    .push(self.far_side(ground, above.parent_edge ^ 1));
                up = self.component_of_region(self.half_edges[(above.parent_edge ^ 1) as usize].to);
            } else {
                self.stack.push(down);
                down =
                    self.component_of_region(self.half_edges[(below.parent_edge ^ 1) as usize].to);
            }
        }
        self.route.push(up);
        while let Some(down) = self.stack.pop() {
            self.targets
                .push(self.far_side(ground, self.components[down as usize].parent_edge));
            self.route.push(down);
        }
        let goal = ground.cell(goal);
        self.targets.push(BridgeTarget {
            low_x: goal.x,
            high_x: goal.x,
            low_y: goal.y,
            high_y: goal.y,
            h: 0,
        });
        let last = self.targets.len() - 1;
        for index in (0..last).rev() {
            let target = self.targets[index];
            let soon = index + 1..last.min(index + 1 + N_BRIDGES_AHEAD);
            // The next bridge may be wide or near, and a later one give a higher bound.
            let later = self.targets[soon]
                .iter()
                .map(|next| target.lower_bound_via(next));
            let h = later.fold(target.lower_bound_via(&self.targets[last]), u64::max);
            self.targets[index].h = u32::try_from(h).unwrap_or(u32::MAX);
        }
        let search_id = self.search_id;
        for (&component, &target) in self.route.iter().zip(&self.targets) {
            self.route_entries[component as usize] = RouteEntry { search_id, target };
        }
        true
    }

    /// The cells on the far side of a half-edge.
    fn far_side(&self, ground: ProfileGround<'_>, half_edge: u32) -> BridgeTarget {
        let Border { from, run, .. } = self.borders[(half_edge >> 1) as usize];
        let run = BorderRun::unpack(run);
        let origin = ground.bits(NodeId::from_index(from << 8)).origin();
        let edge = 15 + i32::from(half_edge & 1 == 0);
        let (first, more) = (i32::from(run.first), i32::from(run.length) - 1);
        let (x, y, wide, high) = if run.is_east {
            (origin.x + edge, origin.y + first, 0, more)
        } else {
            (origin.x + first, origin.y + edge, more, 0)
        };
        BridgeTarget {
            low_x: x,
            high_x: x + wide,
            low_y: y,
            high_y: y + high,
            h: 0,
        }
    }

    /// Lower bound of the cost from (x, y) in a component to the goal; `None` off the route, where
    /// no optimal path leads.
    #[inline(always)]
    pub(super) fn lower_bound(&self, component: u32, x: i32, y: i32) -> Option<u64> {
        let RouteEntry { search_id, target } = &self.route_entries[component as usize];
        if *search_id != self.search_id {
            return None;
        }
        Some(target.lower_bound_from((x, x), (y, y)))
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.sheets.capacity() * size_of::<SheetRecord>()
            + self.borders.capacity() * size_of::<Border>()
            + self.half_edges.capacity() * size_of::<HalfEdge>()
            + self.visits.capacity() * size_of::<Visit>()
            + self.components.capacity() * size_of::<BridgeComponent>()
            + self.route_entries.capacity() * size_of::<RouteEntry>()
            + self.targets.capacity() * size_of::<BridgeTarget>()
            + (self.component_of.capacity() + self.merged_into.capacity()) * size_of::<u32>()
            + (self.stack.capacity() + self.route.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests;
