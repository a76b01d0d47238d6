//! Flow fields: per cell of an area, the cost to the nearest of some goals and the next step.
//!
//! A field stores costs only. The next step from a cell is the first, clockwise from north and then
//! nav links by id, that leads to a cell whose cost is lower by the step's cost, so a repaired field
//! and a rebuilt one give the same paths.
//!
//! # Building
//! Dijkstra's algorithm with buckets \[Dial1969\] against the direction of travel, in slices if the
//! caller wants: O(cells), no allocation once warm.
//!
//! # Repair
//! `repair`: only what edits affect, in slices too.

use wayfarer_base::{Cell, ChangeLog, Cost, Direction, Rect, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileId};

use super::nav_graph::NavGraph;
use super::overlay::nav_links_from;

mod cost_buckets;
mod repair;
mod tiles;

use cost_buckets::CostBuckets;
use repair::RepairQueue;
use tiles::CostTiles;

/// Per cell of an area the cost and the next step to the nearest of some goals.
///
/// ```
/// use wayfarer_base::{Cell, Column, Cost, Raster, Rect};
/// use wayfarer_search::ground::FlowField;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(4, 1, vec![0; 4]).unwrap());
/// let area = Rect::around(Column::new(0, 0), Column::new(3, 0));
/// let flow = FlowField::new(&ground, area, &[Cell::flat(3, 0)]);
/// assert_eq!(flow.next(&ground, Cell::flat(1, 0)), Some(Cell::flat(2, 0)));
/// assert_eq!(flow.cost(Cell::flat(2, 0)), Some(Cost::STRAIGHT));
/// ```
#[derive(Clone, Debug)]
pub struct FlowField {
    area: Rect,
    goals: Vec<Cell>,
    costs: CostTiles,
    /// Cells whose steps remain to be followed; none once the field is complete.
    open: CostBuckets,
    /// Cells that edits affect, not repaired yet.
    queue: RepairQueue,
    is_complete: bool,
    /// True if every slice was built: costs are known from then on, also while edits are repaired.
    is_built: bool,
    /// Cells whose steps were followed or checked so far, by slices, repairs and rebuilds.
    n_followed: u64,
    revision: Revision,
    profile_id: Option<ProfileId>,
}

/// How a field was brought up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowUpdate {
    /// No cost of the field changed.
    Unchanged,
    /// The affected cells were repaired.
    Repaired {
        /// Cells whose cost was checked or propagated.
        n_cells: usize,
    },
    /// It was rebuilt: the log does not reach back, or too much changed.
    Rebuilt,
}

impl FlowField {
    /// The field over `area` to the nearest of the walkable `goals`; paths do not leave the area.
    pub fn new<'g>(nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) -> Self {
        let nav_graph = nav_graph.into();
        let mut flow = Self::begin(nav_graph, area, goals);
        flow.advance(nav_graph, usize::MAX);
        flow
    }

    /// A field without costs; [`FlowField::advance`] builds it in slices.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Column, Raster, Rect};
    /// use wayfarer_search::ground::FlowField;
    /// use wayfarer_world::ground::Ground;
    ///
    /// let ground = Ground::from_raster(&Raster::from_bytes(100, 1, vec![0; 100]).unwrap());
    /// let area = Rect::around(Column::new(0, 0), Column::new(99, 0));
    /// let mut flow = FlowField::begin(&ground, area, &[Cell::flat(99, 0)]);
    /// let mut n_slices = 0;
    /// while !flow.advance(&ground, 30) {
    ///     n_slices += 1;
    /// }
    /// assert_eq!((n_slices, flow.len()), (3, 100));
    /// ```
    pub fn begin<'g>(nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) -> Self {
        let nav_graph = nav_graph.into();
        let mut flow = Self {
            area,
            goals: Vec::new(),
            costs: CostTiles::default(),
            open: CostBuckets::default(),
            queue: RepairQueue::default(),
            is_complete: false,
            is_built: false,
            n_followed: 0,
            revision: nav_graph.ground().revision(),
            profile_id: None,
        };
        flow.begin_retarget(nav_graph, area, goals);
        flow
    }

    /// Rebuilds the field for another profile, area or goals, in the same memory.
    pub fn retarget<'g>(&mut self, nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) {
        let nav_graph = nav_graph.into();
        self.begin_retarget(nav_graph, area, goals);
        self.advance(nav_graph, usize::MAX);
    }

    /// Empties the field for another profile, area or goals; [`FlowField::advance`] builds it in
    /// slices.
    pub fn begin_retarget<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        area: Rect,
        goals: &[Cell],
    ) {
        let nav_graph = nav_graph.into();
        self.area = area;
        self.profile_id = nav_graph.profile_id();
        self.goals.clear();
        let inside = goals.iter().filter(|goal| area.contains(goal.column()));
        self.goals.extend(inside);
        self.goals.sort_unstable();
        self.goals.dedup();
        self.restart(nav_graph);
    }

    /// Repairs and follows the steps of up to `max_cells` more cells; true once the field is complete.
    /// Starts anew if the ground has changed since the last slice and the field was not
    /// [updated](FlowField::begin_update). The caller passes the profile that it began with.
    pub fn advance<'g>(&mut self, nav_graph: impl Into<NavGraph<'g>>, max_cells: usize) -> bool {
        let nav_graph = nav_graph.into();
        if self.is_complete {
            return true;
        }
        if self.revision != nav_graph.ground().revision() {
            self.restart(nav_graph);
        }
        let mut left = max_cells;
        self.is_complete = self.remove_unsupported(nav_graph, &mut left)
            && self.renew_lost(nav_graph, &mut left)
            && self.follow_open(nav_graph, &mut left);
        self.is_built |= self.is_complete;
        self.n_followed += (max_cells - left) as u64;
        self.is_complete
    }

    /// Follows the steps of cells by rising cost; true once none remains.
    fn follow_open(&mut self, nav_graph: NavGraph<'_>, left: &mut usize) -> bool {
        let Self {
            costs, open, area, ..
        } = self;
        while let Some((cost, slot)) = open.pop() {
            if costs.cost(slot) != cost {
                continue;
            }
            if *left == 0 {
                open.push(cost, slot);
                return false;
            }
            *left -= 1;
            costs.for_each_predecessor(nav_graph, slot, *area, |costs, from, step_cost| {
                let cost = cost.saturating_add(step_cost);
                if cost < costs.cost(from) {
                    costs.set(from, cost);
                    open.push(cost, from);
                }
            });
        }
        true
    }

    /// The work so far: cells whose steps were followed or checked.
    pub fn n_followed(&self) -> u64 {
        self.n_followed
    }

    /// True unless slices remain to be built or repaired.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The goals where the agent cannot stand, for instance because they are built over. If these
    /// are all goals, the field is empty.
    pub fn blocked_goals(&self) -> impl Iterator<Item = Cell> {
        let goals = self.goals.iter().copied();
        goals.filter(|goal| self.costs.get(*goal) != Some(0))
    }

    /// The cost from a cell to the nearest goal; `None` if no goal is reachable within the area, or
    /// if the cell's slice is not built yet. While edits are repaired in slices, cells that are not yet
    /// repaired keep the cost of before or have none.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.final_cost(cell).map(Cost::from_units)
    }

    #[inline]
    fn final_cost(&self, cell: Cell) -> Option<u32> {
        let cost = self.costs.get(cell)?;
        let is_final = self.queue.is_empty() && (cost < self.open.open_cost() || cost == 0);
        (self.is_built || is_final).then_some(cost)
    }

    /// The next cell on the path from a cell; `None` at a goal and where no goal is reachable. The
    /// ground must be at the field's revision. While edits are repaired in slices, the step is one that
    /// the agent can make now and that leads to a lower cost; `None` where there is none yet.
    pub fn next(&self, ground: &Ground, cell: Cell) -> Option<Cell> {
        let nav_graph = NavGraph::new(ground, self.profile_id).ok()?;
        let cost = self.final_cost(cell)?;
        if cost == 0 {
            return None;
        }
        let from = nav_graph.node(cell)?;
        let total = |to: NodeId, step_cost: Cost| {
            let remaining = self.costs.get(nav_graph.cell(to))?;
            Some((remaining.saturating_add(step_cost.units()), to))
        };
        let neighbors = Direction::ALL.into_iter().filter_map(|direction| {
            let to = nav_graph.neighbor(from, direction)?;
            total(to, nav_graph.step_cost(from, to, direction))
        });
        let nav_links = nav_links_from(nav_graph, cell);
        let nav_links = nav_links.filter_map(|(nav_link, to)| total(to, nav_link.cost));
        let mut steps = neighbors.chain(nav_links);
        let step = match self.is_complete {
            true => steps.find(|(total, _)| *total == cost),
            false => {
                let lower = steps.filter(|(total, _)| *total <= cost);
                lower.min_by_key(|(total, _)| *total)
            }
        };
        step.map(|(_, to)| nav_graph.cell(to))
    }

    /// The number of cells that reach a goal, as far as built.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if no cell reaches a goal.
    pub fn is_empty(&self) -> bool {
        self.costs.len() == 0
    }

    /// The revision of the ground it is valid at.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The columns it covers.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// Empties the field down to its goals.
    fn restart(&mut self, nav_graph: NavGraph<'_>) {
        self.costs.clear();
        self.open.clear();
        self.queue.clear();
        self.is_complete = false;
        self.is_built = false;
        self.revision = nav_graph.ground().revision();
        for goal in &self.goals {
            if nav_graph.node(*goal).is_some() {
                let slot = self.costs.slot(*goal, self.area);
                self.costs.set(slot, 0);
                self.open.push(0, slot);
            }
        }
    }

    /// Brings the field up to the ground's revision, from the change sets since. Empties it if its
    /// profile is no longer registered. A field that is not complete stays so: [`FlowField::advance`]
    /// repairs and builds the rest.
    pub fn update(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) -> FlowUpdate {
        let was_complete = self.is_complete;
        let before = self.n_followed;
        let update = self.begin_update(ground, log);
        if let Ok(nav_graph) = NavGraph::new(ground, self.profile_id)
            && was_complete
        {
            self.advance(nav_graph, usize::MAX);
        }
        let n_cells = usize::try_from(self.n_followed - before).unwrap_or(usize::MAX);
        match update {
            FlowUpdate::Repaired { .. } => FlowUpdate::Repaired { n_cells },
            _ => update,
        }
    }
}
