//! Whether a path still holds, from the change sets since it was found: no search.
//!
//! # Why a shorter way is never missed
//! Say a way cheaper than the path exists now, and the path was a cheapest one when it was found.
//! Then that way has a step that was not there before or has become cheaper. Whether a step is
//! there, and what it costs, depends on the columns of its two ends, on the two columns beside a
//! diagonal, and on nav links between its ends; so the change sets name one of these columns. Every
//! step there is now around a named column is looked at: if the least cost from the start to it,
//! plus its cost, plus the least cost from it to the goal, is not below the path's cost, no cheaper
//! way leads over it. Nor does one if all that these steps join could be walked around as cheaply
//! by steps that no change touched.

use wayfarer_base::{
    Cell, ChangeLog, Column, Cost, CostModifier, Direction, DirtySector, Location, PathStatus,
    Rect, SectorId,
};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::area::columns_touched;
use super::detour::Detour;
use super::lower_bound::{LowerBound, Sense};
use super::nav_graph::{NavGraph, grown};
use super::overlay::nav_links_from;
use super::path::{GroundPath, sectors_of, step_between};

/// Whether `path` still holds on `ground`, from the change log and the path alone: no search.
///
/// * *Broken*: a step of a leg is no longer there, or the leg costs more than it did. The place is
///   the cell that cannot be reached, or the end of the leg that became costlier.
/// * *Shorter may exist*: an edit since lies where a cheaper way could lead over it. Never missed
///   if the path was a cheapest one when it was found; a path that was not (out of budget, kept
///   for stability) is told of what opened since, not of what it passed over then.
/// * Whether something is still in sight from the end of a path is not looked at.
/// * *Forgotten*: the log does not reach back to the path's revision, or the path's profile is no
///   longer registered.
///
/// Costs time in proportion to what changed since, and to the length of the path. For a path that
/// ends short of its goal, the answer is about the way to its own end.
pub fn status(ground: &Ground, log: &ChangeLog<GroundDifference>, path: &GroundPath) -> PathStatus {
    let nav_graph = NavGraph::new(ground, path.profile_id).ok();
    let changes = log.since(path.revision);
    let (Some(nav_graph), Some(changes)) = (nav_graph, changes) else {
        return PathStatus::Unknown;
    };
    let (Some(start), Some(_)) = (path.start(), path.end()) else {
        return PathStatus::Valid;
    };
    let mut hard: Vec<SectorId> = Vec::new();
    let mut easing = Easing::new(nav_graph, path, start);
    easing.note_columns(log, path);
    for set in changes {
        let harder = set
            .dirty_sectors
            .iter()
            .filter(|t| t.cost_change.may_invalidate_paths());
        hard.extend(harder.map(|dirty| dirty.sector));
        for difference in &set.differences {
            if easing.least < u64::from(easing.cost) {
                break;
            }
            easing.look_at(difference, &set.dirty_sectors);
        }
    }
    hard.sort_unstable();
    hard.dedup();
    if let Some((leg, at)) = first_broken(nav_graph, path, &hard) {
        return PathStatus::Invalid {
            leg,
            at: Location::Cell(at),
        };
    }
    if easing.least < u64::from(easing.cost) {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// The least that a way from `start` to the aim of `path` over anything that was eased since can
/// cost, `cost` at most; `None` if the log does not reach back. Less than `straight` is of no
/// interest. A little less than what [`status`] would reckon with: steps are not looked at.
pub(super) fn least_over_eased(
    nav_graph: NavGraph<'_>,
    log: &ChangeLog<GroundDifference>,
    path: &GroundPath,
    start: Cell,
    cost: Cost,
    straight: Cost,
) -> Option<Cost> {
    let mut easing = Easing::new(nav_graph, path, start);
    easing.cost = cost.units();
    easing.is_irregular = true;
    for set in log.since(path.revision)? {
        for difference in &set.differences {
            easing.look_at(difference, &set.dirty_sectors);
        }
        if easing.least <= u64::from(straight.units()) {
            break;
        }
    }
    let least = u32::try_from(easing.least).map_or(cost, Cost::from_units);
    Some(least.min(cost))
}

impl GroundPath {
    /// Says that the path holds at the ground's revision, as [`status`] has just found; later
    /// questions then look at later changes only.
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

/// The first leg with a step in one of the sectors `hard` that is broken, and where.
fn first_broken(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    hard: &[SectorId],
) -> Option<(usize, Cell)> {
    if hard.is_empty() {
        return None;
    }
    let mut last = (SectorId::new(i32::MIN, i32::MIN), false);
    let mut is_hard = |rect: Rect| {
        sectors_of(rect).any(|sector| {
            if sector != last.0 {
                last = (sector, hard.binary_search(&sector).is_ok());
            }
            last.1
        })
    };
    let start = path.start()?;
    if is_hard(path.columns_of_start()) && nav_graph.node(start).is_none() {
        return Some((0, start));
    }
    path.legs.iter().enumerate().find_map(|(index, leg)| {
        let mut steps = leg.begin as usize..leg.end as usize;
        let is_dirty = steps.any(|step| path.columns_of_step(step).any(&mut is_hard));
        let at = is_dirty
            .then(|| broken_at(nav_graph, path, index))
            .flatten();
        at.map(|at| (index, at))
    })
}

/// Where a leg is broken, if it is: the cell that cannot be reached, or its end if it is costlier.
pub(super) fn broken_at(nav_graph: NavGraph<'_>, path: &GroundPath, leg: usize) -> Option<Cell> {
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

/// Notes the columns where a difference may have made steps easier.
fn note_eased(difference: &GroundDifference, dirty: &[DirtySector], columns: &mut Vec<Column>) {
    match difference {
        GroundDifference::Floor { cell, .. } => columns.push(cell.column()),
        // Every step that a wall forbids depends on the column it is named after.
        GroundDifference::Wall { wall, .. } => columns.push(wall.cell.column()),
        GroundDifference::NavLink(_) => {}
        GroundDifference::CostModifier(modifier) => {
            let modifiers = modifier.before.iter();
            columns.extend(modifiers.flat_map(|modifier| columns_touched(&modifier.shape, dirty)));
        }
    }
}

/// What a corner cut may save against two straight steps, in units of `Cost`.
const CORNER: u32 = 2 * Cost::STRAIGHT.units() - Cost::DIAGONAL.units();

/// Looks whether anything that became easier could lie on a cheaper way.
struct Easing<'a> {
    nav_graph: NavGraph<'a>,
    cost: u32,
    from_start: LowerBound,
    to_goal: LowerBound,
    /// The least that a way over an eased step can cost.
    least: u64,
    /// Where anything changed that may have made steps easier, in order.
    columns: Vec<Column>,
    looks_for_detours: bool,
    /// True if it is enough to know where something was eased, and no step need be looked at.
    is_irregular: bool,
    detour: Detour,
    start: Column,
    aim: Rect,
    is_by_sight: bool,
}

impl<'a> Easing<'a> {
    fn new(nav_graph: NavGraph<'a>, path: &GroundPath, start: Cell) -> Self {
        let (mut from_start, mut to_goal) = (LowerBound::default(), LowerBound::default());
        let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
        let at_start = Rect::around(start.column(), start.column());
        from_start.set(at_start, shortcuts, keys, Sense::From);
        to_goal.set(path.goal_bounds, shortcuts, keys, Sense::Towards);
        Self {
            nav_graph,
            cost: path.cost.units(),
            from_start,
            to_goal,
            least: u64::MAX,
            columns: Vec::new(),
            looks_for_detours: !path.has_request_costs,
            is_irregular: false,
            detour: Detour::default(),
            start: start.column(),
            aim: path.goal_bounds,
            is_by_sight: path.ends_at_line_of_sight,
        }
    }

    /// Notes where anything may have become easier, so that detours can keep clear of it.
    fn note_columns(&mut self, log: &ChangeLog<GroundDifference>, path: &GroundPath) {
        for set in log.since(path.revision).into_iter().flatten() {
            for difference in &set.differences {
                note_eased(difference, &set.dirty_sectors, &mut self.columns);
            }
        }
        self.columns.sort_unstable();
        self.columns.dedup();
    }

    fn look_at(&mut self, difference: &GroundDifference, dirty: &[DirtySector]) {
        match difference {
            GroundDifference::Floor {
                cell,
                before,
                after,
            } => {
                if !self.is_near(cell.column()) && !self.is_by_sight {
                    return;
                }
                let profile = self.nav_graph.profile();
                let walks = |terrain: &Option<_>| terrain.is_some_and(|t| profile.may_walk(t));
                let is_alone = || {
                    let mut heights = self.nav_graph.heights(cell.column());
                    !heights.any(|z| z != cell.z)
                };
                let may_ease = match (before, after) {
                    (Some(before), Some(after)) if walks(&Some(*before)) => {
                        if profile.may_walk(*after) {
                            profile.terrain_cost(*after) < profile.terrain_cost(*before)
                        } else {
                            !is_alone() // Steps may lead to other floors now.
                        }
                    }
                    // A floor too many or one less can open others, but only if there are others.
                    _ => walks(after) || !is_alone(),
                };
                if may_ease {
                    self.look_around(cell.column());
                }
                // A new floor may open a view from anywhere in the area.
                if self.is_by_sight && after.is_some() && self.aim.contains(cell.column()) {
                    let least = self.to_goal.least(self.start);
                    self.least = self.least.min(u64::from(least));
                }
            }
            GroundDifference::Wall { wall, stands } => {
                if !stands {
                    self.look_around(wall.cell.column());
                }
            }
            GroundDifference::NavLink(nav_link) => {
                if nav_link.after.is_some() {
                    self.check_nav_links(nav_link.name.from.column());
                }
            }
            GroundDifference::CostModifier(modifier) => {
                if let Some(before) = &modifier.before {
                    self.check_modifier(before, modifier.after.as_ref(), dirty);
                }
            }
        }
    }

    fn check_modifier(
        &mut self,
        before: &CostModifier,
        after: Option<&CostModifier>,
        dirty: &[DirtySector],
    ) {
        let is_as_costly = |column: Column| {
            after.is_some_and(|after| {
                after.multiplier >= before.multiplier
                    && after.heights.0 <= before.heights.0
                    && after.heights.1 >= before.heights.1
                    && wayfarer_base::Point2::center_of(column)
                        .is_some_and(|center| after.shape.contains(center))
            })
        };
        for column in columns_touched(&before.shape, dirty) {
            if self.is_near(column) && !is_as_costly(column) {
                self.look_around(column);
            }
        }
    }

    /// True if a cheaper way could lead over a column or cut the corner at it.
    #[inline]
    fn is_near(&self, column: Column) -> bool {
        self.least_past(column) < u64::from(self.cost)
    }

    /// The least that a way over a column or past the corner at it can cost.
    #[inline]
    fn least_past(&self, column: Column) -> u64 {
        let least =
            u64::from(self.from_start.least(column)) + u64::from(self.to_goal.least(column));
        // A wide body may gain from columns that its middle stays away from.
        let aside = 2 * u64::from(self.nav_graph.reach()) * u64::from(Cost::DIAGONAL.units());
        least.saturating_sub(u64::from(CORNER) + aside)
    }

    /// Looks at every step there is over a column or past the corner at it.
    fn look_around(&mut self, column: Column) {
        if !self.is_near(column) {
            return;
        }
        if self.is_irregular {
            self.least = self.least.min(self.least_past(column));
            return;
        }
        let before = self.least;
        self.least = u64::MAX;
        let reach = self.nav_graph.reach();
        let here = Rect::around(column, column);
        for near in grown(here, reach + 1).columns() {
            self.look_at_steps(near, column);
        }
        let is_end =
            grown(here, reach).contains(self.start) || grown(self.aim, reach).contains(column);
        if self.least < u64::from(self.cost) && self.looks_for_detours && !is_end {
            let columns = &self.columns;
            let has_changed = |column: Column| columns.binary_search(&column).is_ok();
            if !self.detour.may_shorten(self.nav_graph, column, has_changed) {
                self.least = u64::MAX;
            }
        }
        self.least = self.least.min(before);
        self.check_nav_links(column);
    }

    /// Looks at the steps from the floors of `here` that depend on `changed`.
    fn look_at_steps(&mut self, here: Column, changed: Column) {
        let nav_graph = self.nav_graph;
        for z in nav_graph.heights(here) {
            let Some(from) = nav_graph.node(here.at(z)) else {
                continue;
            };
            for direction in Direction::ALL {
                let step = here.step(direction);
                let columns = step.map(|there| grown(Rect::around(here, there), nav_graph.reach()));
                let depends = columns.is_some_and(|columns| columns.contains(changed));
                let to = depends.then(|| nav_graph.walk(from, direction)).flatten();
                if let Some(to) = to {
                    self.weigh(from, to, nav_graph.step_cost(from, to, direction));
                }
            }
        }
    }

    /// Looks at the nav links of which an end depends on a column.
    fn check_nav_links(&mut self, column: Column) {
        let nav_graph = self.nav_graph;
        let near = grown(Rect::around(column, column), nav_graph.reach());
        let nav_links = sectors_of(near).flat_map(|sector| nav_graph.nav_links_in(sector));
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
                        self.weigh(from, to, taken.cost);
                    }
                }
            }
        }
    }

    fn weigh(&mut self, from: NodeId, to: NodeId, cost: Cost) {
        let before = self.from_start.least(self.nav_graph.cell(from).column());
        let after = self.to_goal.least(self.nav_graph.cell(to).column());
        let least = u64::from(before) + u64::from(cost.units()) + u64::from(after);
        self.least = self.least.min(least);
    }
}
