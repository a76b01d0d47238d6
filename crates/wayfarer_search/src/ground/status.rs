//! Whether a path is still valid, from the change sets since its revision, without a search.
//!
//! # Why no improvement is missed
//! Suppose a path cheaper than the given one exists now, and the given one was optimal at its
//! revision. Then the cheaper path has a step that is new or became cheaper. Whether a step exists,
//! and its cost, depends on the columns of its ends, on the two corner columns of a diagonal and on
//! nav links between its ends, so the change sets name one of these columns. The check considers
//! every present step around a named column: if the lower bound from the start to the step, plus
//! its cost, plus the lower bound to the goal is not below the path's cost, no cheaper path uses
//! it. Nor does one if every pair of cells that these steps join has an equally cheap detour over
//! unchanged steps (`detour`).

use wayfarer_base::shape::SectorMasks;
use wayfarer_base::{
    Cell, ChangeLog, Column, Cost, CostModifier, Direction, DirtySector, Location, PathStatus,
    Rect, SectorId, Terrain,
};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::area::{columns_of, dirty_columns, dirty_masks};
use super::detour::Detour;
use super::lower_bound::{BoundDirection, LowerBound};
use super::nav_graph::{NavGraph, inflated};
use super::overlay::nav_links_from;
use super::path::{GroundPath, sectors_in, step_between};

/// Whether `path` is still valid on `ground`, from the change log and the path alone, without a
/// search.
///
/// * `Invalid`: a step of a leg no longer exists, or the leg costs more than before. The location
///   is the cell that the step fails to reach, or the end of the costlier leg.
/// * `MaybeSuboptimal`: an edit since may have opened a cheaper path. Never missed if the path was
///   optimal at its revision; for any other path only edits since count.
/// * `Unknown`: the log does not reach back to the path's revision, or the path's profile is no
///   longer registered.
///
/// The line of sight from the path's end is not checked. Takes time linear in the changes since and
/// in the length of the path. For a partial path the status concerns its own end.
pub fn status(ground: &Ground, log: &ChangeLog<GroundDifference>, path: &GroundPath) -> PathStatus {
    let nav_graph = NavGraph::new(ground, path.profile_id).ok();
    let changes = log.since(path.revision);
    let (Some(nav_graph), Some(changes)) = (nav_graph, changes) else {
        return PathStatus::Unknown;
    };
    let (Some(start), Some(_)) = (path.start(), path.end()) else {
        return PathStatus::Valid;
    };
    let mut costlier_sectors: Vec<SectorId> = Vec::new();
    let mut check = ImprovementCheck::new(nav_graph, path, start);
    check.collect_columns(log, path);
    for set in changes {
        let costlier = set
            .dirty_sectors
            .iter()
            .filter(|dirty| dirty.cost_change.may_invalidate_paths());
        costlier_sectors.extend(costlier.map(|dirty| dirty.sector));
        for difference in &set.differences {
            if check.lower_bound < u64::from(check.cost) {
                break;
            }
            check.add(difference, &set.dirty_sectors);
        }
    }
    costlier_sectors.sort_unstable();
    costlier_sectors.dedup();
    if let Some((leg, at)) = first_invalid_leg(nav_graph, path, &costlier_sectors) {
        return PathStatus::Invalid {
            leg,
            at: Location::Cell(at),
        };
    }
    if check.lower_bound < u64::from(check.cost) {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// Lower bound, at most `cost`, on the cost of a path from `start` to the goal of `path` over
/// anything that became cheaper since; `None` if the log does not reach back. Stops early at
/// `octile`. Coarser than [`status`]: it does not consider single steps.
pub(super) fn lower_bound_over_eased(
    nav_graph: NavGraph<'_>,
    log: &ChangeLog<GroundDifference>,
    path: &GroundPath,
    start: Cell,
    cost: Cost,
    octile: Cost,
) -> Option<Cost> {
    let mut check = ImprovementCheck::new(nav_graph, path, start);
    check.cost = cost.units();
    check.is_coarse = true;
    for set in log.since(path.revision)? {
        for difference in &set.differences {
            check.add(difference, &set.dirty_sectors);
        }
        if check.lower_bound <= u64::from(octile.units()) {
            break;
        }
    }
    let lower_bound = u32::try_from(check.lower_bound).map_or(cost, Cost::from_units);
    Some(lower_bound.min(cost))
}

impl GroundPath {
    /// Moves the path to the ground's revision after [`status`] found it valid; later checks then
    /// consider later changes only.
    pub fn mark_valid(&mut self, ground: &Ground) {
        self.revision = ground.revision();
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            return;
        };
        for leg in &mut self.legs {
            if let super::LegKind::Walk(region) = &mut leg.kind
                && let Some(node) = nav_graph.node(self.cells[leg.begin as usize])
                && let Some(now) = nav_graph.region(node)
            {
                *region = now;
            }
        }
    }
}

/// The first leg with a step in one of `sectors` that is invalid, and where.
fn first_invalid_leg(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    sectors: &[SectorId],
) -> Option<(usize, Cell)> {
    if sectors.is_empty() {
        return None;
    }
    let mut cached = (SectorId::new(i32::MIN, i32::MIN), false);
    let mut overlaps = |rect: Rect| {
        sectors_in(rect).any(|sector| {
            if sector != cached.0 {
                cached = (sector, sectors.binary_search(&sector).is_ok());
            }
            cached.1
        })
    };
    let start = path.start()?;
    if overlaps(path.columns_of_start()) && nav_graph.node(start).is_none() {
        return Some((0, start));
    }
    path.legs.iter().enumerate().find_map(|(index, leg)| {
        let mut steps = leg.begin as usize..leg.end as usize;
        let is_dirty = steps.any(|step| path.columns_of_step(step).any(&mut overlaps));
        let at = is_dirty
            .then(|| invalid_at(nav_graph, path, index))
            .flatten();
        at.map(|at| (index, at))
    })
}

/// Where a leg is invalid, if it is: the cell it fails to reach, or its end if it is costlier.
pub(super) fn invalid_at(nav_graph: NavGraph<'_>, path: &GroundPath, leg: usize) -> Option<Cell> {
    let leg = path.legs.get(leg)?;
    let cells = path.cells.get(leg.begin as usize..=leg.end as usize)?;
    let mut total = Cost::ZERO;
    let Some(mut from) = nav_graph.node(cells[0]) else {
        return Some(cells[0]);
    };
    for step in cells.windows(2) {
        let Some(to) = nav_graph.node(step[1]) else {
            return Some(step[1]);
        };
        let Some((cost, _)) = step_between(nav_graph, (from, step[0]), (to, step[1])) else {
            return Some(step[1]);
        };
        total += cost;
        from = to;
    }
    (total > leg.cost).then(|| cells[cells.len() - 1])
}

/// Collects the columns where a difference may have made steps possible or cheaper.
fn collect_eased(difference: &GroundDifference, dirty: &[DirtySector], columns: &mut Vec<Column>) {
    match difference {
        GroundDifference::Floor { .. }
        | GroundDifference::Floors(_)
        | GroundDifference::Solid(_) => {
            difference.for_each_floor(|cell, _, _| columns.push(cell.column()));
        }
        // Every step that a wall forbids depends on the column of its cell.
        GroundDifference::Wall { wall, .. } => columns.push(wall.cell.column()),
        GroundDifference::NavLink(_) => {}
        GroundDifference::CostModifier(modifier) => {
            let modifiers = modifier.before.iter();
            columns.extend(modifiers.flat_map(|modifier| dirty_columns(&modifier.shape, dirty)));
        }
    }
}

/// What cutting a corner saves against two straight steps, in units of `Cost`.
const CORNER_SAVING: u32 = 2 * Cost::STRAIGHT.units() - Cost::DIAGONAL.units();

/// Bounds from below the cost of every path over a step that became possible or cheaper.
struct ImprovementCheck<'a> {
    nav_graph: NavGraph<'a>,
    cost: u32,
    from_start: LowerBound,
    to_goal: LowerBound,
    /// Lower bound on the cost of a path over an eased step.
    lower_bound: u64,
    /// Columns where steps may have become possible or cheaper, sorted.
    columns: Vec<Column>,
    allow_detours: bool,
    /// True if the bound over a column suffices and single steps do not matter.
    is_coarse: bool,
    detour: Detour,
    start: Column,
    goal_bounds: Rect,
    ends_at_line_of_sight: bool,
}

impl<'a> ImprovementCheck<'a> {
    fn new(nav_graph: NavGraph<'a>, path: &GroundPath, start: Cell) -> Self {
        let (mut from_start, mut to_goal) = (LowerBound::default(), LowerBound::default());
        let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
        let at_start = Rect::around(start.column(), start.column());
        from_start.set(at_start, shortcuts, keys, BoundDirection::FromTarget);
        let direction = BoundDirection::ToTarget;
        to_goal.set(path.goal_bounds, shortcuts, keys, direction);
        Self {
            nav_graph,
            cost: path.cost.units(),
            from_start,
            to_goal,
            lower_bound: u64::MAX,
            columns: Vec::new(),
            allow_detours: !path.has_request_costs,
            is_coarse: false,
            detour: Detour::default(),
            start: start.column(),
            goal_bounds: path.goal_bounds,
            ends_at_line_of_sight: path.ends_at_line_of_sight,
        }
    }

    /// Collects the columns that detours must avoid.
    fn collect_columns(&mut self, log: &ChangeLog<GroundDifference>, path: &GroundPath) {
        for set in log.since(path.revision).into_iter().flatten() {
            for difference in &set.differences {
                collect_eased(difference, &set.dirty_sectors, &mut self.columns);
            }
        }
        self.columns.sort_unstable();
        self.columns.dedup();
    }

    fn add(&mut self, difference: &GroundDifference, dirty: &[DirtySector]) {
        match difference {
            GroundDifference::Floor {
                cell,
                before,
                after,
            } => self.add_floor(*cell, *before, *after),
            GroundDifference::Floors(_) | GroundDifference::Solid(_) => {
                for block in difference.floor_blocks() {
                    let is_near = self.ends_at_line_of_sight || self.is_near_sector(block.sector);
                    let cells = is_near.then(|| block.cells()).into_iter().flatten();
                    cells.for_each(|cell| self.add_floor(cell, block.before, block.after));
                }
            }
            GroundDifference::Wall { wall, is_present } => {
                if !is_present {
                    self.add_column(wall.cell.column());
                }
            }
            GroundDifference::NavLink(nav_link) => {
                if nav_link.after.is_some() {
                    self.add_nav_links(nav_link.id.from.column());
                }
            }
            GroundDifference::CostModifier(modifier) => {
                if let Some(before) = &modifier.before {
                    self.add_modifier(before, modifier.after.as_ref(), dirty);
                }
            }
        }
    }

    fn add_floor(&mut self, cell: Cell, before: Option<Terrain>, after: Option<Terrain>) {
        if !self.is_near(cell.column()) && !self.ends_at_line_of_sight {
            return;
        }
        let profile = self.nav_graph.profile();
        let is_walkable =
            |terrain: Option<Terrain>| terrain.is_some_and(|t| profile.allows_terrain(t));
        let is_alone = || {
            let mut heights = self.nav_graph.heights(cell.column());
            !heights.any(|z| z != cell.z)
        };
        let may_ease = match (before, after) {
            (Some(before), Some(after)) if profile.allows_terrain(before) => {
                if profile.allows_terrain(after) {
                    profile.terrain_cost(after) < profile.terrain_cost(before)
                } else {
                    !is_alone() // Steps may lead to other floors now.
                }
            }
            // An added or removed floor affects the headroom and steps of other floors.
            _ => is_walkable(after) || !is_alone(),
        };
        if may_ease {
            self.add_column(cell.column());
        }
        // A new floor may open a line of sight from anywhere in the goal area.
        let is_in_goal = self.goal_bounds.contains(cell.column());
        if self.ends_at_line_of_sight && after.is_some() && is_in_goal {
            let bound = self.to_goal.at(self.start);
            self.lower_bound = self.lower_bound.min(u64::from(bound));
        }
    }

    fn add_modifier(
        &mut self,
        before: &CostModifier,
        after: Option<&CostModifier>,
        dirty: &[DirtySector],
    ) {
        let is_as_costly = |after: &&CostModifier| {
            after.multiplier >= before.multiplier
                && after.heights.0 <= before.heights.0
                && after.heights.1 >= before.heights.1
        };
        let after = after.filter(is_as_costly);
        let mut as_costly = after.map(|after| SectorMasks::new(&after.shape));
        for (sector, mut mask) in dirty_masks(&before.shape, dirty) {
            if let Some(as_costly) = &mut as_costly {
                let stays = as_costly.mask(sector);
                mask.iter_mut()
                    .zip(stays)
                    .for_each(|(row, stays)| *row &= !stays);
            }
            for column in columns_of(sector, mask) {
                if self.is_near(column) {
                    self.add_column(column);
                }
            }
        }
    }

    /// True if a cheaper path could cross a column or cut the corner at it; of the coarse check, if
    /// the column would lower the bound.
    #[inline]
    fn is_near(&self, column: Column) -> bool {
        self.bound_past(column) < self.limit()
    }

    /// False if [`Self::is_near`] is false for every column of a sector.
    #[inline]
    fn is_near_sector(&self, sector: SectorId) -> bool {
        let rect = sector.rect();
        let bound = u64::from(self.from_start.over(rect)) + u64::from(self.to_goal.over(rect));
        self.less_detours(bound) < self.limit()
    }

    /// The bound below which a column counts.
    #[inline]
    fn limit(&self) -> u64 {
        match self.is_coarse {
            true => self.lower_bound.min(u64::from(self.cost)),
            false => u64::from(self.cost),
        }
    }

    /// Lower bound on the cost of a path that crosses a column or cuts the corner at it.
    #[inline]
    fn bound_past(&self, column: Column) -> u64 {
        let bound = u64::from(self.from_start.at(column)) + u64::from(self.to_goal.at(column));
        self.less_detours(bound)
    }

    /// A bound on paths through a column, for those that only depend on it.
    #[inline]
    fn less_detours(&self, bound: u64) -> u64 {
        // A wide body depends on columns that its center stays clear of.
        let clearance = u64::from(self.nav_graph.clearance_columns());
        let aside = 2 * clearance * u64::from(Cost::DIAGONAL.units());
        bound.saturating_sub(u64::from(CORNER_SAVING) + aside)
    }

    /// Considers every present step that crosses a column or cuts the corner at it.
    fn add_column(&mut self, column: Column) {
        if !self.is_near(column) {
            return;
        }
        if self.is_coarse {
            self.lower_bound = self.bound_past(column);
            return;
        }
        let before = self.lower_bound;
        self.lower_bound = u64::MAX;
        let clearance = self.nav_graph.clearance_columns();
        let here = Rect::around(column, column);
        for near in inflated(here, clearance + 1).columns() {
            self.add_steps(near, column);
        }
        let is_end = inflated(here, clearance).contains(self.start)
            || inflated(self.goal_bounds, clearance).contains(column);
        if self.lower_bound < u64::from(self.cost) && self.allow_detours && !is_end {
            let columns = &self.columns;
            let has_changed = |column: Column| columns.binary_search(&column).is_ok();
            let detour = &mut self.detour;
            if !detour.may_improve_paths(self.nav_graph, column, has_changed) {
                self.lower_bound = u64::MAX;
            }
        }
        self.lower_bound = self.lower_bound.min(before);
        self.add_nav_links(column);
    }

    /// Considers the steps from the floors of `here` that depend on `changed`.
    fn add_steps(&mut self, here: Column, changed: Column) {
        let nav_graph = self.nav_graph;
        for z in nav_graph.heights(here) {
            let Some(from) = nav_graph.node(here.at(z)) else {
                continue;
            };
            for direction in Direction::ALL {
                let step = here.step(direction);
                let clearance = nav_graph.clearance_columns();
                let columns = step.map(|there| inflated(Rect::around(here, there), clearance));
                let depends = columns.is_some_and(|columns| columns.contains(changed));
                let to = depends.then(|| nav_graph.neighbor(from, direction));
                if let Some(to) = to.flatten() {
                    self.add_step(from, to, nav_graph.step_cost(from, to, direction));
                }
            }
        }
    }

    /// Considers the nav links with an end that depends on a column.
    fn add_nav_links(&mut self, column: Column) {
        let nav_graph = self.nav_graph;
        let near = inflated(Rect::around(column, column), nav_graph.clearance_columns());
        let nav_links = sectors_in(near).flat_map(|sector| nav_graph.nav_links_in(sector));
        let ends = nav_links.filter(|nav_link| {
            near.contains(nav_link.from.column()) || near.contains(nav_link.to.column())
        });
        for nav_link in ends {
            for end in [nav_link.from, nav_link.to] {
                let Some(from) = nav_graph.node(end) else {
                    continue;
                };
                for (taken, to) in nav_links_from(nav_graph, end) {
                    if taken == nav_link {
                        self.add_step(from, to, taken.cost);
                    }
                }
            }
        }
    }

    fn add_step(&mut self, from: NodeId, to: NodeId, cost: Cost) {
        let before = self.from_start.at(self.nav_graph.cell(from).column());
        let after = self.to_goal.at(self.nav_graph.cell(to).column());
        let bound = u64::from(before) + u64::from(cost.units()) + u64::from(after);
        self.lower_bound = self.lower_bound.min(bound);
    }
}
