//! Jump and drop links found from geometry.

use wayfarer_engine::base::RequestError as EngineError;
use wayfarer_engine::search::ground::{self, jump_links};

use crate::agent_type::{AgentTypeId, TerrainSet};
use crate::edit::NavLink;
use crate::facade::World;
use crate::goal::Area;
use crate::request::RequestError;
use crate::units::{BadNumber, Rounding};

/// What an agent can jump.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JumpLimits {
    /// Largest distance on the plane, up to 64 cells; rounded down to whole cells.
    pub max_length: f64,
    /// How much higher the landing may be; rounded down to whole steps.
    pub max_up: f64,
    /// How much lower the landing may be; rounded down to whole steps.
    pub max_down: f64,
    /// Terrains that it jumps over, besides those it walks on and gaps without a floor; none by
    /// default.
    pub over: TerrainSet,
}

impl Default for JumpLimits {
    /// A person, in meters: 3 far, 0.5 up, 3 down.
    fn default() -> Self {
        Self {
            max_length: 3.0,
            max_up: 0.5,
            max_down: 3.0,
            over: TerrainSet::of(&[]),
        }
    }
}

impl World {
    /// The jumps and drops that an agent type could take within an area, found from the geometry: from
    /// every cell at an edge along an axis to the first cell where it may land, if nothing meets its
    /// body. Links to be added with [`Edit::add_link`](crate::Edit::add_link), by their
    /// ends; the world stays as it is.
    ///
    /// A missing floor is a gap. In maps whose walls are missing floors, as those of the benchmarks,
    /// jumps lead through walls: place solids or terrain there.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::JumpLimits;
    ///
    /// let map = b"type octile\nheight 1\nwidth 7\nmap\n...@...\n";
    /// let mut world = World::import("ditch.map", map, Scale::UNIT)?;
    /// let all = Area::rect(Position::new(0.0, 0.0, 0.0), Position::new(7.0, 1.0, 0.0));
    /// let jumps = world.find_jumps(AgentTypeId::DEFAULT, &all, JumpLimits::default())?;
    /// assert_eq!(jumps.len(), 1); // both directions are one link
    /// world.add_link(jumps[0])?;
    /// let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(6.5, 0.5, 0.0));
    /// assert!(world.find_path(&mut Searcher::default(), &PathRequest::new(from, to)).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The agent type is unknown or does not walk, or a number is out of range.
    pub fn find_jumps(
        &self,
        agent_type: AgentTypeId,
        area: &Area,
        limits: JumpLimits,
    ) -> Result<Vec<NavLink>, RequestError> {
        let nav_graph = self.engine().nav_graph(agent_type);
        let nav_graph = nav_graph.map_err(|error| match error {
            EngineError::UnknownProfile => RequestError::UnknownAgentType,
            _ => RequestError::Unsupported {
                option: "agent_type",
                by: "a jump",
                reason: "the agent type does not walk",
            },
        })?;
        let frame = self.frame();
        let what = "the length of a jump";
        let max_cells = frame
            .length(what, limits.max_length, Rounding::Down)?
            .cell();
        let expected = "at most 64 cells";
        let max_cells = u32::try_from(max_cells).unwrap_or(u32::MAX);
        if max_cells > ground::JumpLimits::MAX_CELLS {
            let found = limits.max_length;
            return Err(RequestError::BadNumber(BadNumber {
                what,
                found,
                expected,
            }));
        }
        let area = area.to_engine(frame)?;
        let limits = ground::JumpLimits {
            max_cells,
            max_up: frame.steps("the height of a jump", limits.max_up, Rounding::Down)?,
            max_down: frame.steps("the depth of a jump", limits.max_down, Rounding::Down)?,
            over: limits.over.bits(),
        };
        let links = jump_links(nav_graph, area.shape.bounds(), limits).into_iter();
        let links = links.filter(|link| area.contains(link.from));
        Ok(links
            .map(|link| NavLink {
                from: frame.position_of(link.from.into()),
                to: frame.position_of(link.to.into()),
                kind: link.kind,
                direction: link.direction,
                cost: Some(frame.cost(link.cost)),
                state: link.state,
            })
            .collect())
    }
}
