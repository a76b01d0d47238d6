//! Planar searches and the quadtree that they grow.

use wayfarer_engine::ObservedSearch;
use wayfarer_engine::base::Location;
use wayfarer_engine::search::planar;
use wayfarer_engine::world::obstacles::quadtree::{self, QuadState};

use super::{Inspector, Trace};
use crate::request::{PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::{Position, Rounding};

/// How a planar path is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PlanarMethod {
    /// Lazy tangent graph around the bodies; the method of [`World::find_path`](crate::World::find_path).
    #[default]
    TangentGraph,
    /// Quadtree split on demand \[Guerrilla2013\].
    Quadtree,
}

/// When a quad is split.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SplitCriterion {
    /// Side of the smallest quad. Sides are this times powers of two.
    pub min_side: f64,
    /// Side of the largest free quad.
    pub max_side: f64,
    /// Most bodies in a free quad; 0 for paths without collisions.
    pub occupancy: u32,
    /// True to allow steps across corners.
    pub diagonal: bool,
}

/// A quad that a search classified.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quad {
    /// Its corner with the lowest coordinates.
    pub low: Position,
    /// Its other corner.
    pub high: Position,
    /// True if it meets the criterion, false if it is blocked.
    pub is_free: bool,
    /// Cost from the start, as a length; `None` if the search did not expand it.
    pub g: Option<f64>,
}

/// A planar search with its quadtree.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanarTrace {
    /// Events and path.
    pub trace: Trace,
    /// The quads, in the order in which they were created; empty if the search needed none.
    pub quads: Vec<Quad>,
}

impl Inspector<'_> {
    /// A planar path by a method, with its events and quads.
    ///
    /// ```
    /// use wayfarer::inspect::{PlanarMethod, SplitCriterion};
    /// use wayfarer::prelude::*;
    ///
    /// let mut world = World::new(Scale::meters(1.0))?;
    /// let walker = world.add_agent_type(AgentType { radius: 0.5, ..AgentType::PLANAR })?;
    /// let (position, shape) = (Position::new(32.0, 32.0, 0.0), BodyShape::disc(6.0));
    /// world.add_body(Body { position, shape, ..Body::default() })?;
    /// let (from, to) = (Position::new(4.0, 32.0, 0.0), Position::new(60.0, 32.0, 0.0));
    /// let request = PathRequest { agent_type: walker, ..PathRequest::new(from, to) };
    /// let criterion =
    ///     SplitCriterion { min_side: 1.0, max_side: 16.0, occupancy: 0, diagonal: false };
    /// let found = world.inspect().planar(
    ///     &mut Searcher::default(), &request, PlanarMethod::Quadtree, criterion)?;
    /// assert!(found.quads.iter().any(|quad| !quad.is_free));
    /// assert!(found.trace.path.is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::find_path`](crate::World::find_path); a side is out of range; the agent type is not
    /// planar.
    pub fn planar(
        self,
        searcher: &mut Searcher,
        request: &PathRequest,
        method: PlanarMethod,
        criterion: SplitCriterion,
    ) -> Result<PlanarTrace, RequestError> {
        let frame = self.world.frame();
        let length = |what, units| frame.length(what, units, Rounding::Down);
        let criterion = quadtree::SplitCriterion {
            min_side: length("the side of the smallest quad", criterion.min_side)?,
            max_side: length("the side of the largest quad", criterion.max_side)?,
            occupancy: criterion.occupancy,
            diagonal: criterion.diagonal,
        };
        let is_quadtree = method == PlanarMethod::Quadtree;
        let method = match method {
            PlanarMethod::TangentGraph => planar::PlanarMethod::TangentGraph,
            PlanarMethod::Quadtree => planar::PlanarMethod::Quadtree,
        };
        let search = ObservedSearch::Planar(method, criterion);
        let trace = self.observe(searcher, request, search)?;
        let searched = searcher.engine.planar();
        let tree = searched.quadtree();
        let quad = |id| {
            let is_free = match tree.state(id) {
                QuadState::Free => true,
                QuadState::Blocked => false,
                QuadState::Unknown | QuadState::Split => return None,
            };
            let area = tree.area(id);
            Some(Quad {
                low: frame.position_of(Location::Point(area.low)),
                high: frame.position_of(Location::Point(area.high)),
                is_free,
                g: searched.quad_cost(id).map(|cost| frame.cost(cost)),
            })
        };
        let quads = tree.quads().filter(|_| is_quadtree).filter_map(quad);
        let quads = quads.collect();
        Ok(PlanarTrace { trace, quads })
    }
}
