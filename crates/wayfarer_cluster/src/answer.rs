//! Queries to responses: a function of a world and bytes.

use std::time::Instant;

use serde::Serialize;
use wayfarer::{
    AgentTypeId, BodyFilter, Budget, Method, PartialPolicy, PartialReason, Path, PathRequest,
    PathSession, PathStatus, Searcher, Teams, Traversal, World,
};

use crate::base64;
use crate::clock::now;
use crate::protocol::{
    At, Content, ErrorKind, Failure, Kind, MAX_BODIES, MAX_EXPANSIONS, MethodWire, PartialWire,
    Request, categories, write, write_failure,
};

/// Expansions between two looks at the clock.
const SLICE: Budget = Budget::expansions(8_192);

/// The response to the bytes of a request, at the revision of the world. Waits for nothing: a world
/// before the least revision of the request is an error.
///
/// ```
/// use wayfarer::{Scale, Searcher, World};
///
/// let map = b"type octile\nheight 1\nwidth 5\nmap\n.....\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let request = br#"{"query":"path","from":[0.5,0.5,0],"to":[4.5,0.5,0]}"#;
/// let response = wayfarer_cluster::respond(&world, &mut Searcher::default(), request);
/// assert!(String::from_utf8(response)?.contains(r#""waypoints":[[0.5,0.5,0.0],[4.5,0.5,0.0]]"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn respond(world: &World, searcher: &mut Searcher, request: &[u8]) -> Vec<u8> {
    match Request::read(request) {
        Ok(request) => {
            let deadline = request.head().deadline.map(|deadline| now() + deadline);
            answer(world, searcher, &request, deadline)
        }
        Err(failure) => write_failure(Some(world.revision()), failure),
    }
}

/// The response to a request that was read.
pub(crate) fn answer(
    world: &World,
    searcher: &mut Searcher,
    request: &Request,
    deadline: Option<Instant>,
) -> Vec<u8> {
    let revision = world.revision();
    let wanted = request.min_revision.unwrap_or(0);
    if revision.number < wanted {
        let message = format!("{revision}, expected at least {wanted}");
        let failure = Failure::new(ErrorKind::Behind, message);
        return write_failure(Some(revision), failure);
    }
    let mut query = Searching {
        world,
        searcher,
        deadline,
    };
    match &request.batch {
        None => write(Some(revision), query.result(request)),
        Some(batch) => {
            let results = batch.iter().map(|one| Content::from(query.result(one)));
            let results: Vec<_> = results.collect();
            write(Some(revision), Ok(results))
        }
    }
}

struct Searching<'a> {
    world: &'a World,
    searcher: &'a mut Searcher,
    deadline: Option<Instant>,
}

/// A result on the wire.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Path(PathAnswer),
    Status {
        status: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<At>,
    },
    Reachable {
        reachable: bool,
        cost: Option<f64>,
    },
    Bodies {
        bodies: Vec<u64>,
        /// True if there are more than are listed.
        truncated: bool,
    },
    LineOfSight {
        visible: bool,
    },
    Info {
        hash: String,
        n_bodies: usize,
        cell: f64,
    },
}

#[derive(Serialize)]
struct PathAnswer {
    waypoints: Vec<At>,
    /// How the agent gets from each waypoint to the next, unless it walks all along.
    #[serde(skip_serializing_if = "Option::is_none")]
    traversal: Option<Vec<&'static str>>,
    cost: f64,
    length: f64,
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<&'static str>,
    expansions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

impl Searching<'_> {
    fn result(&mut self, request: &Request) -> Result<Answer, Failure> {
        self.check_deadline()?;
        let kind = request.query.ok_or_else(|| Failure::missing("query"))?;
        match kind {
            Kind::Path => self.path(request),
            Kind::Status => self.status(request),
            Kind::Repair => self.repair(request),
            Kind::Reachable => self.reachable(request),
            Kind::Bodies => self.bodies(request),
            Kind::LineOfSight => {
                let (from, to) = ends(request)?;
                let visible = self.world.has_line_of_sight(from.into(), to.into());
                Ok(Answer::LineOfSight { visible })
            }
            Kind::Info => Ok(Answer::Info {
                hash: format!("{:016x}", self.world.hash()),
                n_bodies: self.world.bodies().len(),
                cell: self.world.scale().cell,
            }),
        }
    }

    fn check_deadline(&self) -> Result<(), Failure> {
        match self.deadline.is_some_and(|deadline| now() >= deadline) {
            true => Err(Failure::new(
                ErrorKind::DeadlineExceeded,
                "the deadline passed before the query was answered",
            )),
            false => Ok(()),
        }
    }

    /// In slices if there is a deadline; the path is the same.
    fn path(&mut self, request: &Request) -> Result<Answer, Failure> {
        let wanted = path_request(request)?;
        let found = if self.deadline.is_none() {
            self.world.find_path(self.searcher, &wanted)?
        } else {
            let searcher = std::mem::take(self.searcher);
            let mut session = PathSession::new(searcher, wanted);
            let found = self.advance(&mut session);
            *self.searcher = session.into_searcher();
            found?
        };
        Ok(path_answer(&found, request.keep))
    }

    fn advance(&self, session: &mut PathSession) -> Result<Path, Failure> {
        loop {
            if let Some(path) = session.advance(self.world, SLICE)? {
                return Ok(path);
            }
            self.check_deadline()?;
        }
    }

    fn status(&self, request: &Request) -> Result<Answer, Failure> {
        let path = self.load_path(request)?;
        let status = self.world.status(&path);
        Ok(Answer::Status {
            status: match status {
                PathStatus::Valid => "valid",
                PathStatus::MaybeSuboptimal => "maybe_suboptimal",
                _ => "invalid",
            },
            at: match status {
                PathStatus::Invalid { at } => Some(at.units()),
                _ => None,
            },
        })
    }

    fn repair(&mut self, request: &Request) -> Result<Answer, Failure> {
        let path = self.load_path(request)?;
        let wanted = path_request(request)?;
        let repaired = self.world.repair(self.searcher, &wanted, &path)?;
        Ok(path_answer(&repaired, request.keep))
    }

    fn load_path(&self, request: &Request) -> Result<Path, Failure> {
        let text = request.path.as_deref();
        let text = text.ok_or_else(|| Failure::missing("path"))?;
        let bad = |message: String| Failure::new(ErrorKind::BadPath, message);
        let bytes = base64::decode(text).ok_or_else(|| bad("`path` is no base64".to_owned()))?;
        let path = self.world.load_path(&bytes);
        path.map_err(|error| bad(error.to_string()))
    }

    /// By components if they differ, else by a search: edges may lead in one direction only.
    fn reachable(&mut self, request: &Request) -> Result<Answer, Failure> {
        let wanted = path_request(request)?;
        let (from, to) = ends(request)?;
        let connected = self
            .world
            .is_connected(wanted.agent_type, from.into(), to.into());
        if connected == Some(false) {
            return Ok(Answer::Reachable {
                reachable: false,
                cost: None,
            });
        }
        match self.world.distance(self.searcher, &wanted) {
            Ok(cost) => Ok(Answer::Reachable {
                reachable: true,
                cost: Some(cost),
            }),
            Err(wayfarer::NoPath::Unreachable) => Ok(Answer::Reachable {
                reachable: false,
                cost: None,
            }),
            Err(error) => Err(error.into()),
        }
    }

    fn bodies(&self, request: &Request) -> Result<Answer, Failure> {
        let footprint = request.footprint.as_ref();
        let footprint = footprint.ok_or_else(|| Failure::missing("footprint"))?;
        let footprint = footprint.to_footprint(self.world.scale().axes)?;
        let teams = match (request.team, request.enemies_of) {
            (None, None) => Teams::ALL,
            (Some(team), None) => Teams::only(team),
            (None, Some(team)) => Teams::except(team),
            _ => {
                return Err(Failure::malformed(
                    "expected one of `team` and `enemies_of`",
                ));
            }
        };
        let filter = BodyFilter {
            categories: categories(request.categories.as_deref()),
            teams,
            ..BodyFilter::ALL
        };
        let found = self.world.bodies_in(&footprint, filter)?;
        let truncated = found.len() > MAX_BODIES;
        let bodies = found.iter().take(MAX_BODIES).map(|id| id.to_bits());
        Ok(Answer::Bodies {
            bodies: bodies.collect(),
            truncated,
        })
    }
}

fn ends(request: &Request) -> Result<(At, At), Failure> {
    let from = request.from.ok_or_else(|| Failure::missing("from"))?;
    let to = request.to.as_ref().ok_or_else(|| Failure::missing("to"))?;
    let to = to.position();
    let to = to.ok_or_else(|| Failure::malformed("expected a position as `to`"))?;
    Ok((from, to))
}

fn path_request(request: &Request) -> Result<PathRequest, Failure> {
    let from = request.from.ok_or_else(|| Failure::missing("from"))?;
    let to = request.to.as_ref().ok_or_else(|| Failure::missing("to"))?;
    let agent_type = AgentTypeId::from_index(request.agent_type);
    let agent_type = agent_type.ok_or(wayfarer::RequestError::UnknownAgentType)?;
    let budget = request.budget.unwrap_or(MAX_EXPANSIONS);
    Ok(PathRequest {
        agent_type,
        method: match request.method {
            MethodWire::Bounded => Method::Bounded,
            MethodWire::Optimal => Method::Optimal,
            MethodWire::Jps => Method::Jps,
            MethodWire::AStar => Method::AStar,
            MethodWire::Dijkstra => Method::Dijkstra,
            MethodWire::AnyAngle => Method::AnyAngle,
            MethodWire::Hierarchical => Method::Hierarchical,
        },
        budget: Budget::expansions(budget.min(MAX_EXPANSIONS)),
        partial: match request.partial {
            PartialWire::Never => PartialPolicy::Never,
            PartialWire::NearestOctile => PartialPolicy::NearestOctile,
            PartialWire::NearestEuclidean => PartialPolicy::NearestEuclidean,
        },
        smoothing: request.smoothing,
        ..PathRequest::new(from.into(), to.to_goal()?)
    })
}

fn path_answer(path: &Path, keep: bool) -> Answer {
    let traversal = path.traversal();
    let is_walk = traversal.iter().all(|one| one.next == Traversal::Walk);
    let word = |next| match next {
        Traversal::NavLink => "nav_link",
        Traversal::TakeOff => "take_off",
        Traversal::Fly => "fly",
        Traversal::Land => "land",
        _ => "walk",
    };
    Answer::Path(PathAnswer {
        waypoints: path.waypoints().map(|at| at.units()).collect(),
        traversal: (!is_walk).then(|| traversal.iter().map(|one| word(one.next)).collect()),
        cost: path.cost(),
        length: path.length(),
        bound: path.bound(),
        partial: path.partial().map(|reason| match reason {
            PartialReason::GoalBlocked => "goal_blocked",
            PartialReason::Unreachable => "unreachable",
            PartialReason::OutOfBudget => "out_of_budget",
        }),
        expansions: path.expansions(),
        path: keep.then(|| base64::encode(&path.save())),
    })
}

#[cfg(test)]
mod tests;
