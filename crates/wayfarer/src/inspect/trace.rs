//! A search, event by event.

use std::fmt::Write;

use wayfarer_engine::base::{Cell, Cost, Location, Outcome, RequestError as EngineError};
use wayfarer_engine::base::{SearchEvent, collections::OrderedMap};
use wayfarer_engine::search::air::{FlightMethod, OctreeParams};
use wayfarer_engine::search::planar;
use wayfarer_engine::world::obstacles::quadtree;
use wayfarer_engine::{ObservedSearch, Path as EnginePath};

use super::Inspector;
use crate::agent_type::Movement;
use crate::path::Path;
use crate::request::{Method, NoPath, PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;

/// A search with its events and its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// In the order in which they happened.
    pub events: Vec<TraceEvent>,
    /// What the search found; equal to [`World::find_path`](crate::World::find_path).
    pub path: Result<Path, NoPath>,
}

/// An event of a best-first search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TraceEvent {
    /// What happened.
    pub kind: TraceKind,
    /// The node: the center of a cell or voxel, or a point of the plane.
    pub at: Position,
    /// Cost from the start, as a length.
    pub g: f64,
    /// A lower bound on the cost from here to the goal, as a length: the octile distance on the
    /// ground, the Euclidean one in the air and on the plane, 0 for Dijkstra's algorithm.
    pub h: f64,
    /// The event that expanded the parent, by index; `None` for the start. A goal that was reached
    /// without being opened has the last expansion.
    pub parent: Option<usize>,
}

/// What happened to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TraceKind {
    /// It was generated and pushed on the open list.
    Opened,
    /// It was taken from the open list and its successors were generated.
    Expanded,
    /// A cheaper path to it was found while it was open.
    Improved,
    /// It is the goal; the search ends.
    Reached,
}

impl TraceKind {
    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Expanded => "expanded",
            Self::Improved => "improved",
            Self::Reached => "reached",
        }
    }
}

impl Inspector<'_> {
    /// Searches as [`World::find_path`](crate::World::find_path) and keeps every event: expect some
    /// hundred bytes per expansion. On the ground by the method of the request, in the air with the
    /// default preset, on the plane over the tangent graph.
    ///
    /// # Errors
    /// The request is invalid, or its search has no events: hierarchical and refined methods, viewers,
    /// bodies to avoid, agents that walk and fly.
    pub fn trace(
        self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Trace, RequestError> {
        let agent_type = self.world.agent_type(request.agent_type);
        let movement = agent_type.map_or(Movement::Ground, |agent_type| agent_type.movement);
        let search = match (movement, request.method) {
            (Movement::Flight, _) => {
                ObservedSearch::Flight(FlightMethod::Octree(OctreeParams::BALANCED))
            }
            (Movement::Planar, _) => ObservedSearch::Planar(
                planar::PlanarMethod::TangentGraph,
                quadtree::SplitCriterion::GUERRILLA_2013,
            ),
            (Movement::Ground, Method::AnyAngle) => ObservedSearch::AnyAngle,
            (
                Movement::Ground,
                Method::Hierarchical | Method::Refined(_) | Method::RefinedBaked(_),
            ) => return Err(untraced("the method")),
            (Movement::Ground, _) => ObservedSearch::Ground,
            _ => return Err(untraced("an agent that walks and flies")),
        };
        let is_avoiding = request
            .avoid_bodies
            .intersects(crate::body::Categories::ALL);
        if !request.viewers.is_empty() || is_avoiding {
            return Err(untraced("viewers or bodies to avoid"));
        }
        self.observe(searcher, request, search)
    }

    /// Runs a search and converts its events.
    pub(super) fn observe(
        self,
        searcher: &mut Searcher,
        request: &PathRequest,
        search: ObservedSearch,
    ) -> Result<Trace, RequestError> {
        let world = self.world;
        let converted = world.converted(request)?;
        let mut events = Vec::new();
        let found =
            world
                .engine()
                .find_observed(&mut searcher.engine, &converted, search, &mut events);
        let path = self.path(request, found)?;
        let goal = request.to.representative(world.frame());
        let goal = goal.unwrap_or(request.from);
        let events = self.converted_events(&events, goal, request.method == Method::Dijkstra);
        Ok(Trace { events, path })
    }

    fn path(
        self,
        request: &PathRequest,
        found: Result<Outcome<EnginePath>, EngineError>,
    ) -> Result<Result<Path, NoPath>, RequestError> {
        match found {
            Ok(outcome) => Ok(self.world.path_of_outcome(request, outcome)),
            Err(error) => Err(self.world.request_error(request, &error)),
        }
    }

    fn converted_events(
        self,
        events: &[SearchEvent],
        goal: Position,
        is_dijkstra: bool,
    ) -> Vec<TraceEvent> {
        let frame = self.world.frame();
        let mut last_expanded = None;
        let mut parents: OrderedMap<Location, usize> = OrderedMap::new();
        let mut all = Vec::with_capacity(events.len());
        for (index, event) in events.iter().enumerate() {
            let (kind, at, g) = match *event {
                SearchEvent::Opened { at, cost } => (TraceKind::Opened, at, cost),
                SearchEvent::Expanded { at, cost } => (TraceKind::Expanded, at, cost),
                SearchEvent::Improved { at, cost } => (TraceKind::Improved, at, cost),
                SearchEvent::Reached { at, cost } => (TraceKind::Reached, at, cost),
            };
            let parent = match kind {
                TraceKind::Expanded => {
                    last_expanded = Some(index);
                    parents.get(&at).copied()
                }
                TraceKind::Reached => parents.get(&at).copied().or(last_expanded),
                _ => {
                    parents.extend(last_expanded.map(|expanded| (at, expanded)));
                    last_expanded
                }
            };
            let position = frame.position_of(at);
            let h = match (is_dijkstra, at, frame.cell(goal)) {
                (true, _, _) => 0.0,
                (false, Location::Cell(cell), Some(goal)) => frame.cost(octile(cell, goal)),
                _ => position.distance(goal),
            };
            all.push(TraceEvent {
                kind,
                at: position,
                g: frame.cost(g),
                h,
                parent,
            });
        }
        all
    }
}

fn octile(a: Cell, b: Cell) -> Cost {
    Cost::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
}

const fn untraced(by: &'static str) -> RequestError {
    RequestError::Unsupported {
        option: "trace",
        by,
        reason: "its search has no events",
    }
}

impl Trace {
    /// The search trace format 1.4.0, which the Posthoc visualizer reads: YAML, one event per line,
    /// squares of one unit around each node, coordinates and costs in units.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 1\nwidth 3\nmap\n...\n";
    /// let world = World::import("lane.map", map, Scale::UNIT)?;
    /// let request = PathRequest {
    ///     method: Method::AStar,
    ///     ..PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(2.5, 0.5, 0.0))
    /// };
    /// let trace = world.inspect().trace(&mut Searcher::default(), &request)?;
    /// assert!(trace.to_search_trace().starts_with("version: 1.4.0\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_search_trace(&self) -> String {
        let mut text = String::from(HEADER);
        let mut numbers: OrderedMap<[i64; 3], usize> = OrderedMap::new();
        let mut number_of = |at: Position| {
            let next = numbers.len();
            *numbers.entry([at.x, at.y, at.z]).or_insert(next)
        };
        for event in &self.events {
            let kind = match event.kind {
                TraceKind::Opened => "generating",
                TraceKind::Expanded => "expanding",
                TraceKind::Improved => "updating",
                TraceKind::Reached => "end",
            };
            let id = number_of(event.at);
            let parent = event.parent.and_then(|index| self.events.get(index));
            let parent = parent.map_or("null".to_owned(), |event| number_of(event.at).to_string());
            let [x, y, z] = event.at.units();
            let (g, h, f) = (event.g, event.h, event.g + event.h);
            // Writing to a string cannot fail.
            let _written = writeln!(
                text,
                "  - {{ type: {kind}, id: {id}, pId: {parent}, x: {x}, y: {y}, z: {z}, f: {f:.4}, \
                 g: {g:.4}, h: {h:.4} }}"
            );
        }
        text
    }
}

/// What the visualizer draws for an event.
const HEADER: &str = "\
version: 1.4.0

views:
  main:
    - $: rect
      x: ${{ $.x - 0.5 }}
      y: ${{ $.y - 0.5 }}
      width: 1
      height: 1
      fill: ${{ color[$.type] }}
      clear: false

pivot:
  x: ${{ $.x }}
  y: ${{ $.y }}
  scale: 1

events:
";

#[cfg(test)]
mod tests;
