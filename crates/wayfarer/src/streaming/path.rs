//! Paths through a streamed world: planned at once, walked leg by leg.

use wayfarer_engine::base::{Cell, Voxel};

use super::graph::{Place, Step};
use super::layout::{Grid, TileId};
use super::lines::{Labels, TileComponent};
use super::{StreamError, StreamedWorld};
use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::path::Path;
use crate::request::{NoPath, PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;

/// A path through a streamed world: the tiles that it leads through, and legs on demand.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamedPath {
    agent_type: AgentTypeId,
    /// The end of the last leg.
    at: Position,
    to: Position,
    /// The crossings ahead, the next one last.
    steps: Vec<Step>,
    /// The tiles ahead.
    tiles: Vec<TileId>,
    is_complete: bool,
    revision: u64,
}

impl StreamedPath {
    /// The tiles that the legs ahead need, in order; a tile may repeat.
    pub fn tiles(&self) -> &[TileId] {
        &self.tiles
    }

    /// Where the next leg starts.
    pub const fn at(&self) -> Position {
        self.at
    }

    /// Where the path ends.
    pub const fn to(&self) -> Position {
        self.to
    }

    /// True if the last leg was returned.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The revision of the world at which it was planned.
    pub const fn revision(&self) -> u64 {
        self.revision
    }
}

/// Where an agent stands.
struct Stand {
    tile: u32,
    component: TileComponent,
    /// `None` if the component does not reach the border of its tile.
    label: Option<u32>,
    cell: Cell,
}

impl StreamedWorld {
    /// True if a path leads from `a` to `b`, on floors or in the air, for an agent type; `None` if the agent does not
    /// fit at one of them, outside the world and for a type that the world does not have. Exact, along one-way links too.
    ///
    /// Loads the tiles of both places, no other. After an edit that changed how tiles connect, the first
    /// call takes time in proportion to the graph.
    ///
    /// # Errors
    /// A tile could not be loaded, or the store failed.
    pub fn is_connected(
        &mut self,
        agent_type: AgentTypeId,
        a: Position,
        b: Position,
    ) -> Result<Option<bool>, StreamError> {
        let Some(number) = self.grid.type_index(agent_type) else {
            return Ok(None);
        };
        let (Some(a), Some(b)) = (self.stand(number, a)?, self.stand(number, b)?) else {
            return Ok(None);
        };
        if (a.tile, a.component) == (b.tile, b.component) {
            return Ok(Some(true));
        }
        let (Some(in_a), Some(in_b)) = (a.label, b.label) else {
            return Ok(Some(false));
        };
        let graph = &mut self.graphs[number];
        let is_reachable = graph.is_reachable(&self.grid, (a.tile, in_a), (b.tile, in_b));
        self.shrink(&[])?;
        Ok(Some(is_reachable))
    }

    /// Plans a path. It can be walked at this revision, whichever tiles are loaded; its cost has no bound.
    /// Loads the tiles of both ends, no other.
    ///
    /// # Errors
    /// [`StreamError::NoPath`] if no path exists or an end is blocked or outside the world, other errors if a
    /// tile could not be loaded.
    pub fn find_path(
        &mut self,
        agent_type: AgentTypeId,
        from: Position,
        to: Position,
    ) -> Result<StreamedPath, StreamError> {
        let number = self.grid.type_index(agent_type);
        let number = number.ok_or(invalid(RequestError::UnknownAgentType))?;
        let start = self.end_of_path(agent_type, number, ("the start", from))?;
        let end = self.end_of_path(agent_type, number, ("the goal", to))?;
        let is_near = (start.tile, start.component) == (end.tile, end.component);
        let steps = match (start.label, end.label) {
            _ if is_near => Some(Vec::new()),
            (Some(in_start), Some(in_end)) => {
                let place = |stand: &Stand, label| Place {
                    tile: stand.tile,
                    label,
                    cell: stand.cell,
                };
                let (start, end) = (place(&start, in_start), place(&end, in_end));
                self.graphs[number].plan(&self.grid, start, end)
            }
            _ => None,
        };
        self.shrink(&[])?;
        let mut steps = steps.ok_or(NoPath::Unreachable)?;
        let mut tiles = vec![self.grid.tile(start.tile)];
        tiles.extend(steps.iter().map(|step| self.grid.tile(step.into)));
        steps.reverse();
        Ok(StreamedPath {
            agent_type,
            at: from,
            to,
            steps,
            tiles,
            is_complete: false,
            revision: self.revision,
        })
    }

    /// The next leg of a path, in the tile that it leads through next, which is loaded; `None` at the
    /// end. After an edit the path is planned again from where it is.
    ///
    /// # Errors
    /// As [`StreamedWorld::find_path`]; the path stays as it was.
    pub fn next_leg(
        &mut self,
        searcher: &mut Searcher,
        path: &mut StreamedPath,
    ) -> Result<Option<Path>, StreamError> {
        if path.is_complete {
            return Ok(None);
        }
        if path.revision != self.revision {
            *path = self.find_path(path.agent_type, path.at, path.to)?;
        }
        let step = path.steps.last().copied();
        let to = match step {
            Some(step) => self.crossing_point(path, &step),
            None => path.to,
        };
        let tile = path.tiles.first().and_then(|tile| self.grid.index(*tile));
        let tile = tile.ok_or(NoPath::Unreachable)?;
        let request = PathRequest {
            agent_type: path.agent_type,
            ..PathRequest::new(path.at, to)
        };
        let leg = self.ensure(tile)?.world.find_path(searcher, &request)?;
        path.at = to;
        path.tiles.remove(0);
        path.is_complete = path.steps.pop().is_none();
        Ok(Some(leg))
    }

    /// The cell or voxel of a crossing that is nearest to the line to what follows.
    fn crossing_point(&self, path: &StreamedPath, step: &Step) -> Position {
        let frame = self.grid.template.frame();
        let beyond = path.steps.iter().rev().nth(1);
        let beyond = match beyond {
            Some(next) => Some(next.middle(&self.grid)),
            None => frame.cell(path.to),
        };
        let middle = step.middle(&self.grid);
        if step.link.is_some() {
            return frame.position_of(middle.into());
        }
        let (offset, z) = match (frame.cell(path.at), beyond) {
            (Some(from), Some(to)) => nearest_place(&self.grid, step, from, to),
            _ => {
                let run = step.crossing.low;
                (run.start + run.len / 2, middle.z)
            }
        };
        let Cell { x, y, .. } = step.column(&self.grid, offset).at(z);
        frame.position_of(if self.grid.flies(path.agent_type) {
            Voxel::new(x, y, z).into()
        } else {
            Cell::new(x, y, z).into()
        })
    }

    /// The end of a path, where the agent fits.
    fn end_of_path(
        &mut self,
        agent_type: AgentTypeId,
        number: usize,
        (what, at): (&'static str, Position),
    ) -> Result<Stand, StreamError> {
        if !at.is_finite() {
            return Err(invalid(RequestError::NotANumber { what }));
        }
        let outside = invalid(RequestError::OutOfWorld { what, at });
        let column = self.column_of(at).ok_or(outside.clone())?;
        let tile = self.grid.index_of(column).ok_or(outside)?;
        let is_start = what == "the start";
        let blocked = |reason| {
            invalid(if is_start {
                RequestError::StartBlocked { at, reason }
            } else {
                RequestError::GoalBlocked { at, reason }
            })
        };
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(at, at)
        };
        match self.ensure(tile)?.world.converted(&request) {
            Err(
                RequestError::StartBlocked { reason, .. }
                | RequestError::GoalBlocked { reason, .. },
            ) => return Err(blocked(reason)),
            Err(error) => return Err(invalid(error)),
            Ok(_) => {}
        }
        let stand = self.stand(number, at)?;
        stand.ok_or(blocked("the agent does not fit there"))
    }

    /// Where an agent stands; `None` if it does not fit.
    fn stand(&mut self, number: usize, at: Position) -> Result<Option<Stand>, StreamError> {
        let tile = self.column_of(at).and_then(|at| self.grid.index_of(at));
        let Some(tile) = tile else {
            return Ok(None);
        };
        let id = self.grid.types[number];
        self.ensure(tile)?;
        let Some(resident) = &self.tiles[tile as usize] else {
            return Ok(None);
        };
        let found = component_at(
            &self.grid,
            (&resident.world, &resident.labels[number]),
            id,
            at,
        );
        Ok(found.map(|(cell, component)| Stand {
            tile,
            component,
            label: resident.labels[number].get(component),
            cell,
        }))
    }
}

fn invalid(error: RequestError) -> StreamError {
    NoPath::Invalid(error).into()
}

/// The cell where an agent stands or flies, and its component.
fn component_at(
    grid: &Grid,
    (world, labels): (&World, &Labels),
    id: AgentTypeId,
    at: Position,
) -> Option<(Cell, TileComponent)> {
    if grid.flies(id) {
        let frame = world.frame();
        let voxel = at
            .is_finite()
            .then(|| frame.scale.voxel(frame.to_engine(at)))??;
        let component = labels.air_component(world.engine().air()?, voxel)?;
        let cell = Cell::new(voxel.x, voxel.y, voxel.z);
        return Some((cell, component));
    }
    let nav_graph = world.nav_graph(id)?;
    let cell = world.floor_cell(nav_graph, at)?;
    Some((cell, labels.component(nav_graph, cell)?))
}

/// The cell of a crossing nearest to the line between two cells: its offset and its height.
fn nearest_place(grid: &Grid, step: &Step, from: Cell, to: Cell) -> (u16, i32) {
    let corner = grid.corner(step.owner);
    // Across the line and along it.
    let split = |at: Cell| {
        let (x, y) = (
            i64::from(at.x) - i64::from(corner.x),
            i64::from(at.y) - i64::from(corner.y),
        );
        if step.is_west { (x, y) } else { (y, x) }
    };
    let ((across, along), (to_across, to_along)) = (split(from), split(to));
    let width = to_across - across;
    let on_line = |along: i64, to_along: i64| match width {
        0 => to_along,
        _ => along + (to_along - along) * -across / width,
    };
    let run = step.crossing.low;
    let (first, last) = (i64::from(run.start), i64::from(run.start + run.len - 1));
    let offset = on_line(along, to_along).clamp(first, last);
    let top = run.z + i32::from(step.crossing.height - 1);
    let z = on_line(from.z.into(), to.z.into()).clamp(run.z.into(), top.into());
    let z = i32::try_from(z).unwrap_or(run.z);
    (u16::try_from(offset).unwrap_or(run.start), z)
}
