//! [`FlowField`]: the cheapest paths of many agents to one goal.

use wayfarer_engine::base::{Budget, Cell, Column, Rect, RequestError as EngineError};
use wayfarer_engine::search::ground;

use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::goal::{Area, Goal};
use crate::request::RequestError;
use crate::units::{Axes, Heading, Position, Rounding};

/// How far a flow field reaches.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Extent {
    /// A square around the goal, to this distance along each axis, in units.
    Within(f64),
    /// The bounding rectangle of an area.
    Area(Area),
}

impl Extent {
    /// A square around the goal, to `distance` units along each axis.
    pub const fn within(distance: f64) -> Self {
        Self::Within(distance)
    }
}

/// The cheapest paths from everywhere within an extent to the nearest part of a goal.
///
/// It stays at the revision at which it was made or last [updated](FlowField::update). Large ones are
/// built in slices: [`World::begin_flow_field`].
///
/// ```
/// use wayfarer::prelude::*;
/// use wayfarer::Extent;
///
/// let map = b"type octile\nheight 1\nwidth 9\nmap\n.........\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let goal = Position::new(8.5, 0.5, 0.0);
/// let flow = world.flow_field(AgentTypeId::DEFAULT, goal, Extent::within(20.0))?;
/// let unit = Position::new(2.5, 0.5, 0.0);
/// assert_eq!(flow.heading(&world, unit).map(Heading::unit), Some([1.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlowField {
    engine: ground::FlowField,
    agent_type: AgentTypeId,
}

/// How a flow field was brought up to date.
pub use wayfarer_engine::search::ground::FlowUpdate;

impl World {
    /// The flow field of an agent type to a goal; paths do not leave the extent.
    ///
    /// # Errors
    /// The type does not walk, the goal is a line of sight, or a number is out of range. A goal that
    /// is blocked is no error: the field is then empty.
    pub fn flow_field(
        &self,
        agent_type: AgentTypeId,
        goal: impl Into<Goal>,
        extent: Extent,
    ) -> Result<FlowField, RequestError> {
        let mut flow = self.begin_flow_field(agent_type, goal, extent)?;
        flow.advance(self, Budget::UNLIMITED);
        Ok(flow)
    }

    /// As [`World::flow_field`], but nothing is built yet: [`FlowField::advance`] builds it in slices,
    /// from the goal outward, over as many ticks as it takes.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 1\nwidth 9\nmap\n.........\n";
    /// let world = World::import("lane.map", map, Scale::UNIT)?;
    /// let (unit, goal) = (Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
    /// let mut flow = world.begin_flow_field(AgentTypeId::DEFAULT, goal, Extent::within(20.0))?;
    /// assert!(!flow.advance(&world, Budget::expansions(5))); // this tick
    /// assert_eq!(flow.cost(&world, unit), None); // not reached yet
    /// assert!(flow.advance(&world, Budget::expansions(5))); // the next
    /// assert_eq!(flow.cost(&world, unit), Some(8.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::flow_field`].
    #[expect(
        clippy::needless_pass_by_value,
        reason = "goal and extent are made for the call"
    )]
    pub fn begin_flow_field(
        &self,
        agent_type: AgentTypeId,
        goal: impl Into<Goal>,
        extent: Extent,
    ) -> Result<FlowField, RequestError> {
        let nav_graph = self.engine().nav_graph(agent_type);
        let nav_graph = nav_graph.map_err(|error| match error {
            EngineError::UnknownProfile => RequestError::UnknownAgentType,
            _ => RequestError::Unsupported {
                option: "agent_type",
                by: "a flow field",
                reason: "the agent type does not walk",
            },
        })?;
        let goals = self.goal_cells(nav_graph, &goal.into())?;
        let area = self.extent_columns(&extent, &goals)?;
        Ok(FlowField {
            engine: ground::FlowField::begin(nav_graph, area, &goals),
            agent_type,
        })
    }

    /// The walkable cells of a goal.
    fn goal_cells(
        &self,
        nav_graph: ground::NavGraph<'_>,
        goal: &Goal,
    ) -> Result<Vec<Cell>, RequestError> {
        let at = |what, at: Position| match self.frame().cell(at) {
            Some(_) => Ok(self.floor_cell(nav_graph, at)),
            None => Err(RequestError::OutOfWorld { what, at }),
        };
        let area = match goal {
            Goal::Position(position) => {
                return Ok(at("the goal", *position)?.into_iter().collect());
            }
            Goal::AnyOf(positions) => {
                let cells = positions.iter().map(|position| at("a goal", *position));
                let cells: Vec<Option<Cell>> = cells.collect::<Result<_, _>>()?;
                return Ok(cells.into_iter().flatten().collect());
            }
            Goal::Area(area) => area.to_engine(self.frame())?,
            Goal::Within { center, distance } => {
                Area::disc(*center, *distance).to_engine(self.frame())?
            }
            Goal::LineOfSightTo { .. } => {
                return Err(RequestError::Unsupported {
                    option: "to",
                    by: "a flow field",
                    reason: "it leads to places, not to lines of sight",
                });
            }
        };
        let ground = self.engine().ground();
        let mut cells = Vec::new();
        ground.for_each_column_in(&area.shape, |column| {
            let floors = ground.floors(column).map(|(z, _)| column.at(z));
            cells.extend(
                floors.filter(|cell| area.contains(*cell) && nav_graph.node(*cell).is_some()),
            );
        });
        Ok(cells)
    }

    fn extent_columns(&self, extent: &Extent, goals: &[Cell]) -> Result<Rect, RequestError> {
        match extent {
            Extent::Area(area) => Ok(area.to_engine(self.frame())?.shape.bounds()),
            Extent::Within(distance) => {
                let what = "the extent of a flow field";
                let cells = self.frame().length(what, *distance, Rounding::Down)?.cell();
                let add = |column: Column, by: i32| {
                    Column::new(column.x.saturating_add(by), column.y.saturating_add(by))
                };
                let around = |rect: Rect, cell: &Cell| rect.including(cell.column());
                let rect = goals.iter().fold(Rect::EMPTY, around);
                Ok(match goals.is_empty() {
                    true => rect,
                    false => Rect {
                        low: add(rect.low, -cells),
                        high: add(rect.high, cells),
                    },
                })
            }
        }
    }
}

impl FlowField {
    /// The direction from a position toward the goal; `None` at the goal, outside the extent and
    /// where no path leads to the goal. The world must be at the field's revision.
    pub fn heading(&self, world: &World, at: Position) -> Option<Heading> {
        let next = self.next(world, at)?;
        Some(match world.scale().axes {
            Axes::ZUp => Heading::toward(at, next),
            Axes::YUp => Heading::toward_y_up(at, next),
        })
    }

    /// The center of the next cell on the path from a position; `None` as for
    /// [`FlowField::heading`].
    pub fn next(&self, world: &World, at: Position) -> Option<Position> {
        let nav_graph = world.engine().nav_graph(self.agent_type).ok()?;
        let cell = world.floor_cell(nav_graph, at)?;
        let next = self.engine.next(world.engine().ground(), cell)?;
        Some(world.frame().position_of(next.into()))
    }

    /// The cost from a position to the goal as a length; `None` outside the extent and where no
    /// path leads to the goal.
    pub fn cost(&self, world: &World, at: Position) -> Option<f64> {
        let nav_graph = world.engine().nav_graph(self.agent_type).ok()?;
        let cell = world.floor_cell(nav_graph, at)?;
        Some(world.frame().cost(self.engine.cost(cell)?))
    }

    /// Repairs what edits since the last call affect, then builds on, for at most `budget`, in which
    /// each cell counts as an expansion; true once the field is complete.
    ///
    /// Where it is not built yet, costs and headings are `None`; what it tells is final. A field that
    /// was complete before an edit goes on to lead agents while it is repaired in slices: a heading is
    /// always a step that the agent can make now, toward lower costs, and `None` where there is none
    /// yet. An agent that gets `None` from a field that is not complete waits.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 2\nwidth 9\nmap\n.........\n.........\n";
    /// let mut world = World::import("lane.map", map, Scale::UNIT)?;
    /// let (mut unit, goal) = (Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
    /// let mut flow = world.flow_field(AgentTypeId::DEFAULT, goal, Extent::within(20.0))?;
    /// let (low, high) = (Position::new(3.0, 0.0, 0.0), Position::new(4.0, 1.0, 3.0));
    /// world.add_solid(Solid::cuboid(low, high))?;
    /// while !flow.advance(&world, Budget::expansions(4)) {
    ///     unit = flow.next(&world, unit).unwrap_or(unit); // a tick each: it walks on or waits
    /// }
    /// assert!(flow.next(&world, unit).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&mut self, world: &World, budget: Budget) -> bool {
        let engine = world.engine();
        let before = self.engine.n_followed();
        self.engine
            .begin_update(engine.ground(), engine.ground_log());
        let Ok(nav_graph) = engine.nav_graph(self.agent_type) else {
            return true;
        };
        let noted = self.engine.n_followed() - before;
        let left = budget.expansions.saturating_sub(noted).max(1);
        let n_cells = usize::try_from(left).unwrap_or(usize::MAX);
        self.engine.advance(nav_graph, n_cells)
    }

    /// The field of the engine.
    pub(crate) const fn engine(&self) -> &ground::FlowField {
        &self.engine
    }

    /// Cells whose steps were followed or checked since the field was begun.
    pub(crate) fn n_cells_built(&self) -> u64 {
        self.engine.n_followed()
    }

    /// True unless [`FlowField::advance`] has more to build or to repair.
    pub fn is_complete(&self) -> bool {
        self.engine.is_complete()
    }

    /// Brings it up to the world's revision: what the edits since then affect is repaired at once,
    /// unless the field is not complete. [`FlowField::advance`] does so in slices.
    pub fn update(&mut self, world: &World) -> FlowUpdate {
        let engine = world.engine();
        self.engine.update(engine.ground(), engine.ground_log())
    }

    /// True if no path leads to the goal from anywhere: it is blocked or outside the extent.
    pub fn is_empty(&self) -> bool {
        self.engine.is_empty()
    }

    /// The agent type that it is for.
    pub fn agent_type(&self) -> AgentTypeId {
        self.agent_type
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{Extent, FlowField, FlowUpdate};

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y, 0.0)
    }

    fn follow(world: &World, flow: &FlowField, mut from: Position) -> Vec<Position> {
        let mut walked = vec![from];
        while let Some(next) = flow.next(world, from) {
            walked.push(next);
            from = next;
        }
        walked
    }

    #[test]
    fn task_4_forty_units_to_one_place_tanks_too() {
        let map = b"type octile\nheight 5\nwidth 9\nmap\n\
            .........\n.........\n....T....\n.........\n.........\n";
        let mut world = World::import("a.map", map, Scale::UNIT).unwrap();
        let radius = 0.9;
        let tank = AgentType {
            radius,
            ..AgentType::GROUND
        };
        let tank = world.add_agent_type(tank).unwrap();
        let square = Goal::Area(Area::rect(at(7.0, 1.0), at(8.0, 4.0)));
        let (person, extent) = (AgentTypeId::DEFAULT, Extent::within(20.0));
        let flow = world
            .flow_field(person, square.clone(), extent.clone())
            .unwrap();
        let walked = follow(&world, &flow, at(1.5, 2.5));
        assert_eq!(walked.last(), Some(&at(7.5, 1.5)));
        // The tank does not fit past the tree.
        let flow = world.flow_field(tank, square, extent).unwrap();
        assert_eq!(flow.heading(&world, at(1.5, 2.5)), None);
        assert!(flow.cost(&world, at(7.5, 2.5)).is_some());
        let mut flow = flow;
        assert_eq!(flow.update(&world), FlowUpdate::Unchanged);
    }
}
