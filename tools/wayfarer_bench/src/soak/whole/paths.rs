//! Checks of paths: every step is legal, the cost is compared with the optimum.

use wayfarer_engine::base::{Cell, Column, Cost, Location, Outcome, Profile, RequestError, Voxel};
use wayfarer_engine::base::{Fixed, Point2};
use wayfarer_engine::search::planar::PlanarPath;
use wayfarer_engine::world::obstacles::{DiscAgent, Obstacle, ObstacleShape};
use wayfarer_engine::{Path, PathLeg, PathRequest, Position};
use wayfarer_testkit::obstacles::{ReferenceObstacle, ReferenceOutlines};
use wayfarer_testkit::voxels::clearance::center;
use wayfarer_testkit::{ReferenceMultimodal, ReferenceVoxels};

use super::draw::Agent;
use super::ensure;
use super::life::Life;

/// A request, and what it means by plain rules.
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub(super) agent: Agent,
    pub(super) request: PathRequest,
    pub(super) from: Location,
    pub(super) to: Location,
}

/// What a request is answered with.
pub(super) type PathResult = Result<Outcome<Path>, RequestError>;

impl Life {
    pub(super) fn query(&self, agent: Agent, from: Position, to: Position) -> Query {
        Query {
            agent,
            request: PathRequest {
                agent_type: self.agents.kind(agent),
                ..PathRequest::new(from, to)
            },
            from: self.place_of(agent, from),
            to: self.place_of(agent, to),
        }
    }

    /// The location at a position.
    fn place_of(&self, agent: Agent, at: Position) -> Location {
        let [length, _, _] = self.world.scale().lengths();
        let origin = self.world.scale().origin();
        let raw = |at: i64, origin: i64| {
            i32::try_from(((at - origin) * 256).div_euclid(length)).unwrap_or(i32::MAX)
        };
        let (x, y, z) = (
            raw(at.x, origin.x),
            raw(at.y, origin.y),
            raw(at.z, origin.z),
        );
        if agent == Agent::Roamer {
            return Location::Point(Point2::new(Fixed::from_raw(x), Fixed::from_raw(y)));
        }
        let voxel = Voxel::new(x >> 8, y >> 8, z >> 8);
        if matches!(agent, Agent::Flyer | Agent::Stout) {
            return Location::Voxel(voxel);
        }
        let flies = agent == Agent::Both && self.world.air().is_some();
        let profile = self.agents.profile(agent);
        let column = Column::new(voxel.x, voxel.y);
        let ground = &self.model.ground;
        let floors = ground.floors(column).iter().map(|(z, _)| column.at(*z));
        let nearest = floors
            .filter(|cell| ground.is_walkable(*cell, profile))
            .min_by_key(|cell| (cell.z.abs_diff(voxel.z), cell.z));
        match nearest {
            Some(cell) if !flies => cell.into(),
            Some(cell) if cell.z.abs_diff(voxel.z) <= profile.max_step.max(1).unsigned_abs() => {
                cell.into()
            }
            _ if flies => voxel.into(),
            _ => Cell::new(voxel.x, voxel.y, voxel.z).into(),
        }
    }

    /// Ground and air as one reference graph for multimodal agents.
    pub(super) fn both(&self) -> ReferenceMultimodal {
        let flight = self.agents.flight;
        let mut between = Vec::new();
        for air_link in self.world.air_links() {
            let (cell, voxel) = (
                Location::Cell(air_link.cell),
                Location::Voxel(air_link.voxel),
            );
            between.extend(air_link.take_off.map(|cost| (cell, voxel, cost)));
            between.extend(air_link.landing.map(|cost| (voxel, cell, cost)));
        }
        if !flight.requires_air_link {
            for (cell, _) in self.model.ground.cells() {
                let over = Location::Voxel(Voxel::new(cell.x, cell.y, cell.z));
                between.push((cell.into(), over, flight.take_off));
                between.push((over, cell.into(), flight.landing));
            }
        }
        between.sort_unstable();
        ReferenceMultimodal {
            ground: self.model.ground.clone(),
            profile: self.agents.walker.clone(),
            space: self.model.space(),
            flight_cost: match flight.multiplier.sixteenths() {
                16 => |cost| cost,
                _ => |cost| Cost::from_units(cost.units() * 5 / 2),
            },
            transitions: between,
        }
    }

    /// True if flights cannot be held to plain rules: volumes cost multiplier or close the air.
    pub(super) fn is_air_weighted(&self) -> bool {
        !self.model.volumes.is_empty()
    }

    /// Holds an answer without budget and wishes to the oracles. True if a path was found.
    pub(super) fn check_result(&self, query: &Query, result: &PathResult) -> Result<bool, String> {
        if let Ok(outcome) = result
            && let Some(path) = outcome.clone().best()
        {
            self.check_path(query, &path)?;
        }
        let found = match result {
            Ok(Outcome::Found(path)) => Some(path),
            _ => None,
        };
        if let Some(path) = found {
            let ends = (path.start(), path.end());
            ensure!(
                ends == (Some(query.from), Some(query.to)),
                "the path leads from {:?} to {:?}",
                ends.0,
                ends.1
            );
        }
        let has_air = self.world.air().is_some();
        match query.agent {
            Agent::Walker | Agent::Other => self.check_walk(query, result)?,
            Agent::Both if !has_air => self.check_walk(query, result)?,
            Agent::Flyer if has_air && !self.is_air_weighted() => {
                self.check_flight(query, result)?;
            }
            Agent::Both if !self.is_air_weighted() => self.check_mixed(query, result)?,
            Agent::Roamer if self.world.obstacles().is_some() => self.check_roam(query, result)?,
            Agent::Flyer | Agent::Stout if !has_air => {
                ensure!(result.is_err(), "flown without air: {result:?}");
            }
            Agent::Roamer => ensure!(result.is_err(), "roamed without a field: {result:?}"),
            Agent::Flyer | Agent::Stout | Agent::Both => {}
        }
        Ok(found.is_some())
    }

    fn check_walk(&self, query: &Query, result: &PathResult) -> Result<(), String> {
        let (Location::Cell(from), Location::Cell(to)) = (query.from, query.to) else {
            return Err(format!("{query:?} is not on the ground"));
        };
        let profile = self.agents.profile(query.agent);
        let ground = &self.model.ground;
        let fits = ground.is_walkable(from, profile) && ground.is_walkable(to, profile);
        let best = ground.path_cost(from, to, profile);
        // The default method keeps within a tenth; other profiles get the cheapest.
        let most = if query.agent == Agent::Other {
            1.0
        } else {
            1.1
        };
        compare_cost(result, fits, best, most)
    }

    fn check_flight(&self, query: &Query, result: &PathResult) -> Result<(), String> {
        let (Location::Voxel(from), Location::Voxel(to)) = (query.from, query.to) else {
            return Err(format!("{query:?} is not in the air"));
        };
        let space = self.model.space();
        let fits = space.is_free(from) && space.is_free(to);
        let best = space.path_cost(from, to);
        let best = best.map(|best| self.both_cost(best));
        // Lines in any direction may be shorter, paths over cubes longer: nothing is promised, and
        // twice as long has been seen among rocks a voxel apart.
        compare_cost(result, fits, best, 4.0)
    }

    fn both_cost(&self, cost: Cost) -> Cost {
        let multiplier = u64::from(self.agents.flight.multiplier.sixteenths());
        let units = u64::from(cost.units()) * multiplier / 16;
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    fn check_mixed(&self, query: &Query, result: &PathResult) -> Result<(), String> {
        let both = self.both();
        let fits = both.fits(query.from) && both.fits(query.to);
        // The default method keeps within a quarter.
        compare_cost(result, fits, both.path_cost(query.from, query.to), 1.25)
    }

    fn check_roam(&self, query: &Query, result: &PathResult) -> Result<(), String> {
        let (Location::Point(from), Location::Point(to)) = (query.from, query.to) else {
            return Err(format!("{query:?} is not in the plane"));
        };
        let Some(obstacles) = self.world.obstacles() else {
            return Ok(());
        };
        if !obstacles.is_inside(from) || !obstacles.is_inside(to) {
            ensure!(result.is_err(), "roamed from or to outside the field");
            return Ok(());
        }
        let agent = self.agents.roamer;
        let outlines = ReferenceOutlines::new(
            &self.obstacles(agent),
            obstacles.bounds(),
            agent.radius.raw(),
        );
        let is_free = |at: Point2| outlines.shortest(at, at, 1.0).is_some();
        let fits = is_free(from) && is_free(to);
        let best = outlines.shortest(from, to, 1e12);
        let best = best.map(|length| Cost::from_cells(length / 256.0));
        compare_cost(result, fits, best, 1.25)
    }

    /// What stops an agent in the field.
    fn obstacles(&self, agent: DiscAgent) -> Vec<ReferenceObstacle> {
        let meets = |obstacle: &&Obstacle| obstacle.categories.intersects(agent.blocked_by);
        let stopping = self.model.obstacles.values().filter(meets);
        stopping
            .map(|obstacle| match obstacle.shape {
                ObstacleShape::Box(area) => ReferenceObstacle::Box(area),
                ObstacleShape::Disc { center, radius } => {
                    ReferenceObstacle::Disc(center, radius.raw())
                }
            })
            .collect()
    }

    /// Goes a path step by step; an error where that cannot be or costs something else.
    pub(super) fn check_path(&self, query: &Query, path: &Path) -> Result<(), String> {
        let cost = self.cost_of(query.agent, path)?;
        let Some(cost) = cost else {
            return Ok(());
        };
        // Flights are measured by their length, which costs round up leg by leg.
        let is_same = (cost - path.cost.to_cells()).abs() < 0.02;
        ensure!(
            is_same || path.includes_exposure,
            "walked, the path costs {cost}, and states {}: {path:?}",
            path.cost
        );
        Ok(())
    }

    /// What a path costs in cells, going it by plain rules; `None` where cost multipliers of the air are
    /// not known to them.
    ///
    /// # Errors
    /// Where it cannot be gone.
    pub(super) fn cost_of(&self, agent: Agent, path: &Path) -> Result<Option<f64>, String> {
        let mut total = 0.0;
        let mut last: Option<Location> = None;
        let space = self.model.space();
        let profile = self.agents.profile(agent);
        let flight_profile = if agent == Agent::Stout {
            self.agents.stout
        } else {
            self.agents.flight
        };
        let both = self.both();
        for leg in &path.legs {
            let (from, to) = leg.ends().ok_or("a leg without ends")?;
            ensure!(
                last.is_none_or(|last| last == from),
                "a leg begins elsewhere: {path:?}"
            );
            last = Some(to);
            match leg {
                PathLeg::Ground(walk) => {
                    total += self.walk_cost(&walk.cells, profile)?.to_cells();
                }
                PathLeg::Flight(flight) => {
                    let radius = f64::from(flight_profile.radius.raw()) / 256.0;
                    fly(&space, &flight.waypoints, radius)?;
                    total +=
                        flight.length() * f64::from(flight_profile.multiplier.sixteenths()) / 16.0;
                }
                PathLeg::TakeOff(_) | PathLeg::Landing(_) => {
                    let steps = both.successors(from).into_iter();
                    let cost = steps.filter(|step| step.0 == to).map(|step| step.1).min();
                    let cost = cost.ok_or_else(|| format!("no passage from {from} to {to}"))?;
                    total += cost.to_cells();
                }
                PathLeg::Planar(found_path) => {
                    self.roam(found_path)?;
                    total += found_path.length().to_cells();
                }
            }
        }
        let flies = matches!(agent, Agent::Flyer | Agent::Stout | Agent::Both);
        Ok((!flies || !self.is_air_weighted()).then_some(total))
    }

    fn walk_cost(&self, cells: &[Cell], profile: &Profile) -> Result<Cost, String> {
        self.model.ground.check_path(cells, profile)
    }

    fn roam(&self, path: &PlanarPath) -> Result<(), String> {
        let obstacles = self.obstacles(path.agent);
        for leg in path.points.windows(2).skip(path.n_exit_legs) {
            let hit = |one: &&ReferenceObstacle| {
                one.is_hit_by_sweep(leg[0], leg[1], path.agent.radius.raw())
            };
            if let Some(obstacle) = obstacles.iter().find(hit) {
                return Err(format!(
                    "{obstacle:?} stands between {} and {}",
                    leg[0], leg[1]
                ));
            }
        }
        Ok(())
    }
}

/// What an answer says, without the numbers of regions and the effort, which depend on what
/// happened before.
pub(super) fn gist(result: &PathResult) -> Result<Outcome<(Vec<Location>, Cost)>, RequestError> {
    let plain = |path: Path| (path.locations(), path.cost);
    let outcome = result.clone()?.map(plain);
    Ok(match outcome {
        Outcome::OutOfBudget { best, .. } => Outcome::OutOfBudget {
            best,
            stats: wayfarer_engine::base::SearchStats::default(),
        },
        other => other,
    })
}

/// Flies straight from waypoint to waypoint.
fn fly(space: &ReferenceVoxels, waypoints: &[Voxel], radius: f64) -> Result<(), String> {
    for at in waypoints {
        ensure!(space.is_free(*at), "waypoint {at} is not free");
    }
    for leg in waypoints.windows(2) {
        let clear = if radius > 0.0 {
            space.is_sweep_clear(center(leg[0]), center(leg[1]), radius - 1e-6)
        } else {
            space.is_segment_clear(leg[0], leg[1])
        };
        ensure!(clear, "no straight flight from {} to {}", leg[0], leg[1]);
    }
    Ok(())
}

/// Compares a result with the optimal cost: found if a path exists, rejected if an endpoint is not
/// legal, and at most `most` times the optimum.
fn compare_cost(
    result: &PathResult,
    fits: bool,
    best: Option<Cost>,
    most: f64,
) -> Result<(), String> {
    match result {
        Err(error) => ensure!(!fits, "rejected: {error}"),
        Ok(Outcome::Found(path)) => {
            let best = best.ok_or_else(|| format!("found an unreachable goal: {path:?}"))?;
            ensure!(
                path.cost.to_cells() <= best.to_cells() * most + 0.01,
                "costs {}, the cheapest {best}",
                path.cost
            );
        }
        Ok(Outcome::Unreachable { .. }) => {
            ensure!(
                fits && best.is_none(),
                "no path, the oracle has one that costs {best:?}"
            );
        }
        Ok(other) => return Err(format!("without a budget or a wish: {other:?}")),
    }
    Ok(())
}
