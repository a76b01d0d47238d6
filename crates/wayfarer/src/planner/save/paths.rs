//! Paths and requests as bytes.

use std::sync::OnceLock;

use std::collections::BTreeSet;

use wayfarer_engine as engine;
use wayfarer_engine::base::Cost;
use wayfarer_engine::search::air::FlightPath;
use wayfarer_engine::search::ground::{GroundPath, Leg, LegKind};
use wayfarer_engine::search::planar::{PlanarMethod, PlanarPath};
use wayfarer_engine::world::ground::RegionId;
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleCategories};
use wayfarer_engine::{AgentTypeId, ModeTransition, PathLeg};

use super::codec::{Source, Stored};
use crate::path::{Path, PathData};
use crate::request::PathRequest;

impl Stored for AgentTypeId {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.index().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        // An id that the world lacks is an error of the search, not of the save.
        Self::from_index(usize::take(source)?)
    }
}

impl Stored for PathRequest {
    fn put(&self, bytes: &mut Vec<u8>) {
        let Self {
            from,
            to,
            agent_type,
            method,
            budget,
            partial,
            start,
            avoid,
            area_costs,
            avoid_bodies,
            own_body,
            viewers,
            exposure_cost,
            previous,
            previous_tolerance,
            smoothing,
        } = self;
        from.put(bytes);
        to.put(bytes);
        agent_type.put(bytes);
        method.put(bytes);
        budget.put(bytes);
        partial.put(bytes);
        start.put(bytes);
        avoid.put(bytes);
        area_costs.len().put(bytes);
        for (area, cost) in area_costs {
            area.put(bytes);
            cost.put(bytes);
        }
        avoid_bodies.put(bytes);
        own_body.put(bytes);
        viewers.put(bytes);
        exposure_cost.put(bytes);
        previous.put(bytes);
        previous_tolerance.put(bytes);
        smoothing.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some(Self {
            from: Stored::take(source)?,
            to: Stored::take(source)?,
            agent_type: Stored::take(source)?,
            method: Stored::take(source)?,
            budget: Stored::take(source)?,
            partial: Stored::take(source)?,
            start: Stored::take(source)?,
            avoid: Stored::take(source)?,
            area_costs: Stored::take(source)?,
            avoid_bodies: Stored::take(source)?,
            own_body: Stored::take(source)?,
            viewers: Stored::take(source)?,
            exposure_cost: Stored::take(source)?,
            previous: Stored::take(source)?,
            previous_tolerance: Stored::take(source)?,
            smoothing: Stored::take(source)?,
        })
    }
}

impl Stored for Path {
    fn put(&self, bytes: &mut Vec<u8>) {
        let PathData {
            engine,
            waypoints,
            frame: _,
            is_pulled: _,
            cells: _,
            cost,
            bound,
            partial,
        } = self.data();
        engine.put(bytes);
        waypoints.put(bytes);
        cost.put(bytes);
        bound.put(bytes);
        partial.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some(Self::new(PathData {
            engine: Stored::take(source)?,
            waypoints: Stored::take(source)?,
            frame: source.world.frame(),
            // Not saved: only watches more than it would have to.
            is_pulled: true,
            cells: OnceLock::new(),
            cost: Stored::take(source)?,
            bound: Stored::take(source)?,
            partial: Stored::take(source)?,
        }))
    }
}

impl Stored for engine::Path {
    fn put(&self, bytes: &mut Vec<u8>) {
        let Self {
            legs,
            cost,
            revision,
            agent_type,
            expansions,
            avoided_obstacles,
            includes_exposure,
            body,
        } = self;
        agent_type.put(bytes);
        legs.len().put(bytes);
        legs.iter().for_each(|leg| put_leg(leg, bytes));
        cost.put(bytes);
        revision.put(bytes);
        expansions.put(bytes);
        avoided_obstacles.bits().put(bytes);
        includes_exposure.put(bytes);
        body.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let agent_type = AgentTypeId::take(source)?;
        let n_legs = usize::take(source)?;
        if n_legs > source.rest.len() {
            return None;
        }
        let legs = (0..n_legs).map(|_| take_leg(agent_type, source));
        Some(Self {
            legs: legs.collect::<Option<_>>()?,
            agent_type,
            cost: Stored::take(source)?,
            revision: Stored::take(source)?,
            expansions: Stored::take(source)?,
            avoided_obstacles: ObstacleCategories::from_bits(Stored::take(source)?),
            includes_exposure: Stored::take(source)?,
            body: Stored::take(source)?,
        })
    }
}

fn put_leg(leg: &PathLeg, bytes: &mut Vec<u8>) {
    match leg {
        PathLeg::Ground(walk) => {
            bytes.push(0);
            put_walk(walk, bytes);
        }
        PathLeg::Flight(flight) => {
            bytes.push(1);
            flight.waypoints.put(bytes);
            (flight.cost, flight.raw_cost).put(bytes);
            (flight.revision, flight.expansions).put(bytes);
            flight.radius.put(bytes);
        }
        PathLeg::Planar(path) => {
            bytes.push(2);
            path.points.put(bytes);
            path.cost.put(bytes);
            (path.agent.radius, path.agent.blocked_by.bits()).put(bytes);
            (path.revision, path.expansions).put(bytes);
            (path.method == PlanarMethod::Quadtree).put(bytes);
            path.n_exit_legs.put(bytes);
        }
        PathLeg::TakeOff(up) => {
            bytes.push(3);
            ((up.cell, up.voxel), up.cost).put(bytes);
        }
        PathLeg::Landing(down) => {
            bytes.push(4);
            ((down.cell, down.voxel), down.cost).put(bytes);
        }
    }
}

fn take_leg(agent_type: AgentTypeId, source: &mut Source<'_>) -> Option<PathLeg> {
    let transition = |source: &mut Source<'_>| {
        let ((cell, voxel), cost) = Stored::take(source)?;
        Some(ModeTransition { cell, voxel, cost })
    };
    Some(match u8::take(source)? {
        0 => PathLeg::Ground(take_walk(agent_type, source)?),
        1 => {
            let waypoints = Stored::take(source)?;
            let (cost, raw_cost) = Stored::take(source)?;
            let (revision, expansions) = Stored::take(source)?;
            PathLeg::Flight(FlightPath {
                waypoints,
                cost,
                raw_cost,
                revision,
                expansions,
                radius: Stored::take(source)?,
            })
        }
        2 => {
            let (points, cost) = (Stored::take(source)?, Stored::take(source)?);
            let (radius, bits) = Stored::take(source)?;
            let blocked_by = ObstacleCategories::from_bits(bits);
            let (revision, expansions) = Stored::take(source)?;
            PathLeg::Planar(PlanarPath {
                points,
                cost,
                agent: DiscAgent { radius, blocked_by },
                revision,
                expansions,
                method: match bool::take(source)? {
                    true => PlanarMethod::Quadtree,
                    false => PlanarMethod::TangentGraph,
                },
                n_exit_legs: Stored::take(source)?,
            })
        }
        3 => PathLeg::TakeOff(transition(source)?),
        4 => PathLeg::Landing(transition(source)?),
        _ => return None,
    })
}

/// The ids of regions and profiles are storage locations: both are found again by cells and type.
fn put_walk(walk: &GroundPath, bytes: &mut Vec<u8>) {
    let GroundPath {
        cells,
        legs,
        cost,
        revision,
        profile_id: _,
        clearance_columns,
        expansions,
        goal_bounds,
        ends_at_line_of_sight,
        has_request_costs,
        cost_lower_bound,
    } = walk;
    cells.put(bytes);
    legs.len().put(bytes);
    for leg in legs {
        ((leg.begin, leg.end), leg.cost).put(bytes);
        match leg.kind {
            LegKind::Walk(_) => None,
            LegKind::NavLink(id) => Some(id),
        }
        .put(bytes);
    }
    (*cost, *revision).put(bytes);
    (*clearance_columns, *expansions).put(bytes);
    goal_bounds.put(bytes);
    (*ends_at_line_of_sight, *has_request_costs).put(bytes);
    cost_lower_bound.put(bytes);
}

/// The most columns around a step that an agent of any type depends on, and more.
const MAX_CLEARANCE: u32 = 16;
/// The most sectors that the steps of a path cover: subscribing it takes memory for each.
const MAX_SECTORS: u64 = 1 << 18;

/// The sectors around the steps of a walk, nav links left out.
fn n_sectors(cells: &[engine::base::Cell], legs: &[Leg]) -> u64 {
    let links = legs.iter().filter_map(|leg| match leg.kind {
        LegKind::NavLink(_) if leg.end == leg.begin + 1 => Some(leg.begin as usize),
        _ => None,
    });
    let links: BTreeSet<usize> = links.collect();
    let sides = |a: i32, b: i32| u64::from(a.abs_diff(b)) / 16 + 1;
    let steps = cells.windows(2).enumerate();
    let steps = steps.filter(|(begin, _)| !links.contains(begin));
    let sectors = steps
        .map(|(_, step)| sides(step[0].x, step[1].x).saturating_mul(sides(step[0].y, step[1].y)));
    sectors.fold(0, u64::saturating_add)
}

fn take_walk(agent_type: AgentTypeId, source: &mut Source<'_>) -> Option<GroundPath> {
    // A previous path may be of another world, with other agent types: only its cells count then.
    let nav_graph = source.world.engine().nav_graph(agent_type).ok();
    let cells: Vec<engine::base::Cell> = Stored::take(source)?;
    let region = |step: &[engine::base::Cell]| {
        let path = GroundPath::from_cells(nav_graph?, step)?;
        let kind = path.legs.first()?.kind;
        matches!(kind, LegKind::Walk(_)).then_some(kind)
    };
    // Regions matter to no repair: for a blocked leg that of any step that is possible stands, or
    // none in particular. No leg is left out, so that the path saves to the same bytes.
    let any_region = cells.windows(2).find_map(region);
    let any_region = any_region.unwrap_or(LegKind::Walk(RegionId::default()));
    let n_legs = usize::take(source)?;
    if n_legs > source.rest.len() {
        return None;
    }
    let mut legs = Vec::with_capacity(n_legs);
    for _ in 0..n_legs {
        let ((begin, end), cost): ((u32, u32), Cost) = Stored::take(source)?;
        let nav_link: Option<_> = Stored::take(source)?;
        if begin > end || end as usize >= cells.len() {
            return None;
        }
        let first = cells.get(begin as usize..=begin as usize + 1);
        let own_region = || first.and_then(region).unwrap_or(any_region);
        legs.push(Leg {
            begin,
            end,
            cost,
            kind: nav_link.map_or_else(own_region, LegKind::NavLink),
        });
    }
    let (cost, revision) = Stored::take(source)?;
    let (clearance_columns, expansions): (u32, u64) = Stored::take(source)?;
    if clearance_columns > MAX_CLEARANCE || n_sectors(&cells, &legs) > MAX_SECTORS {
        return None;
    }
    let goal_bounds = Stored::take(source)?;
    let (ends_at_line_of_sight, has_request_costs) = Stored::take(source)?;
    Some(GroundPath {
        cells,
        legs,
        cost,
        revision,
        profile_id: nav_graph.and_then(|nav_graph| nav_graph.profile_id()),
        clearance_columns,
        expansions,
        goal_bounds,
        ends_at_line_of_sight,
        has_request_costs,
        cost_lower_bound: Stored::take(source)?,
    })
}
