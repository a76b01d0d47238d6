//! Clones of a world that diverge, against lists of what was done to each of them.

use std::fmt::Debug;

use wayfarer_base::{
    Budget, Digest, Fixed, Outcome, PathStatus, Point2, Progress, Rect, Rng, Session, Shape,
};
use wayfarer_search::air::{
    FlightMethod, FlightPath, FlightRequest, FlightSearcher, FlightSession,
};
use wayfarer_search::ground::{
    AnyAngleRequest, AnyAngleSearcher, AnyAngleSession, FlowField, GroundPath, GroundRequest,
    GroundSession, HierarchicalPath, Method, PathSearcher,
};
use wayfarer_search::kernel::{Resumable, SearchSession};
use wayfarer_search::planar::{
    PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher, PlanarSession,
};
use wayfarer_search::{air, ground, planar};
use wayfarer_world::air::AirEdit;
use wayfarer_world::obstacles::ObstacleCategories;

use super::super::*;
use super::*;

const SIDE: i32 = 28;

/// Ground, air and obstacles.
const N_DOMAINS: usize = 3;

/// A clone and what was done to it, by domain.
#[derive(Clone)]
struct Branch {
    world: World,
    /// The batches.
    batches: [Vec<u64>; N_DOMAINS],
    /// The same, and what changes ids without a batch.
    all: [Vec<u64>; N_DOMAINS],
    /// The batches of the ground when its log was empty.
    n_before_log: usize,
}

/// A session of any domain.
#[derive(Clone)]
enum AnySession {
    Ground(Box<GroundSession>, GroundRequest),
    AnyAngle(Box<AnyAngleSession>, AnyAngleRequest),
    Air(Box<FlightSession>, FlightRequest),
    Planar(Box<PlanarSession>, PlanarRequest),
}

#[derive(Default)]
struct Kept {
    sessions: Vec<(AnySession, usize, Vec<u64>)>,
    walks: Vec<(GroundPath, Vec<u64>)>,
    flights: Vec<(FlightPath, Vec<u64>)>,
    planar_paths: Vec<(PlanarPath, Vec<u64>)>,
    courses: Vec<HierarchicalPath>,
    flows: Vec<FlowField>,
}

fn start_world() -> Branch {
    let side = u32::try_from(SIDE).unwrap();
    let map = Raster::from_bytes(side, side, vec![0; (side * side) as usize]).unwrap();
    let air = AirBuilder::new(Voxel::default(), [side, side, 12]).unwrap();
    let world = World::from_raster(&map)
        .with_air(air.build().unwrap())
        .with_obstacles(ObstacleSet::square(SIDE).unwrap());
    Branch {
        world,
        batches: Default::default(),
        all: Default::default(),
        n_before_log: 0,
    }
}

fn digest(edits: &[Edit]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(format!("{edits:?}").as_bytes());
    digest.value()
}

fn at(rng: &mut Rng, z: &[i32]) -> Cell {
    let z = z[rng.below(u32::try_from(z.len()).unwrap()) as usize];
    Cell::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1), z)
}

fn voxel(rng: &mut Rng) -> Voxel {
    let cell = at(rng, &[0, 1, 5, 9]);
    Voxel::new(cell.x, cell.y, cell.z)
}

fn point(rng: &mut Rng) -> Point2 {
    let raw = |rng: &mut Rng| Fixed::from_raw(rng.between(0, SIDE * 256));
    Point2::new(raw(rng), raw(rng))
}

impl Branch {
    /// Applies a batch of one domain; the last edit of some is invalid.
    fn edit(&mut self, rng: &mut Rng) {
        let domain = rng.below(4).saturating_sub(1) as usize;
        let mut edits: Vec<Edit> = (0..1 + rng.below(4))
            .map(|_| self.draw_edit(rng, domain))
            .collect();
        let is_invalid = domain == 0 && rng.chance(1, 10);
        if is_invalid {
            edits.push(put(i32::MAX, 0).into());
        }
        let name = digest(&edits);
        if is_invalid {
            self.world.apply(edits).unwrap_err();
        } else {
            self.world.apply(edits).unwrap();
            self.batches[domain].push(name);
        }
        self.all[domain].push(name);
    }

    fn draw_edit(&self, rng: &mut Rng, domain: usize) -> Edit {
        match domain {
            0 => {
                let cell = at(rng, &[0, 0, 6, 7]);
                let terrain = [Terrain::GROUND, Terrain::SWAMP][rng.below(2) as usize];
                let wide = rng.below(2) == 0;
                let (dx, dy) = if wide { (12, 0) } else { (0, 12) };
                let high = Column::new(cell.x + dx, cell.y + dy);
                let shape = Shape::Box(Rect::around(cell.column(), high));
                let z = cell.z;
                match rng.below(9) {
                    5 | 6 => GroundEdit::Fill { shape, z, terrain }.into(),
                    7 | 8 => GroundEdit::Clear {
                        shape,
                        heights: (z, z),
                    }
                    .into(),
                    0 | 1 => GroundEdit::PutCell { cell, terrain }.into(),
                    2 | 3 => GroundEdit::RemoveCell { cell }.into(),
                    _ => GroundEdit::PutNavLink(NavLink {
                        from: cell,
                        to: Cell::new(cell.x ^ 1, cell.y, 6 - cell.z.min(6)),
                        kind: NavLinkKind::Ladder,
                        cost: Cost::from_units(9_000),
                        direction: LinkDirection::Bidirectional,
                        state: LinkState::Open,
                    })
                    .into(),
                }
            }
            1 => {
                let low = voxel(rng);
                let more = |at: i32, limit: i32| (at + 3).min(limit);
                let high = Voxel::new(
                    more(low.x, SIDE - 1),
                    more(low.y, SIDE - 1),
                    more(low.z, 11),
                );
                match rng.below(2) {
                    0 => AirEdit::Fill { low, high }.into(),
                    _ => AirEdit::Clear { low, high }.into(),
                }
            }
            _ => {
                let obstacles = self.world.obstacles().unwrap();
                let ids: Vec<_> = obstacles.obstacles().map(|(id, _)| id).collect();
                let cell = at(rng, &[0]);
                if ids.len() < 8 || rng.chance(1, 3) {
                    let all = ObstacleCategories::ALL;
                    let insert = Obstacle::cells(cell.x, cell.y, 3, 2, all).unwrap();
                    return ObstacleEdit::Insert(insert).into();
                }
                let id = ids[rng.below(u32::try_from(ids.len()).unwrap()) as usize];
                let low = Point2::new(
                    Fixed::from_cell(cell.x).unwrap(),
                    Fixed::from_cell(cell.y).unwrap(),
                );
                ObstacleEdit::MoveTo { id, low }.into()
            }
        }
    }

    fn begin(&self, rng: &mut Rng) -> Option<(AnySession, usize, Vec<u64>)> {
        let (session, domain) = match rng.below(4) {
            0 => {
                let mut request = GroundRequest::new(at(rng, &[0, 6]), at(rng, &[0, 6]));
                request.method = Method::ALL[rng.below(5) as usize];
                let ground = self.world.ground();
                let own = request.clone();
                let session = GroundSession::begin(ground, PathSearcher::default(), own).ok()?;
                (AnySession::Ground(Box::new(session), request), 0)
            }
            1 => {
                let request = AnyAngleRequest::new(at(rng, &[0]), at(rng, &[0]));
                let ground = self.world.ground();
                let searcher = AnyAngleSearcher::default();
                let session = AnyAngleSession::begin(ground, searcher, request).ok()?;
                (AnySession::AnyAngle(Box::new(session), request), 0)
            }
            2 => {
                let mut request = FlightRequest::new(voxel(rng), voxel(rng));
                if rng.chance(1, 2) {
                    request.method = FlightMethod::VoxelAStar;
                }
                let air = self.world.air().unwrap();
                let own = request;
                let session = FlightSession::begin(air, FlightSearcher::default(), own).ok()?;
                (AnySession::Air(Box::new(session), request), 1)
            }
            _ => {
                let mut request = PlanarRequest::new(point(rng), point(rng));
                if rng.chance(1, 2) {
                    request.method = PlanarMethod::Quadtree;
                }
                let obstacles = self.world.obstacles().unwrap();
                let own = request.clone();
                let searcher = PlanarSearcher::default();
                let session = PlanarSession::begin(obstacles, searcher, own).ok()?;
                (AnySession::Planar(Box::new(session), request), 2)
            }
        };
        Some((session, domain, self.all[domain].clone()))
    }

    /// Advances a session; true if it is over.
    fn advance(&self, (session, domain, all): &mut (AnySession, usize, Vec<u64>)) -> bool {
        let is_same = self.all[*domain] == *all;
        match session {
            AnySession::Ground(session, request) => {
                let ground = self.world.ground();
                let fresh = || PathSearcher::default().find(ground, request).unwrap();
                advance(session, ground, is_same, fresh)
            }
            AnySession::AnyAngle(session, request) => {
                let ground = self.world.ground();
                let fresh = || {
                    let own = *request;
                    let searcher = AnyAngleSearcher::default();
                    let mut session = AnyAngleSession::begin(ground, searcher, own).unwrap();
                    match session.advance(ground, Budget::UNLIMITED) {
                        Progress::Done(outcome) => outcome,
                        other => panic!("{other:?}"),
                    }
                };
                advance(session, ground, is_same, fresh)
            }
            AnySession::Air(session, request) => {
                let air = self.world.air().unwrap();
                let fresh = || FlightSearcher::default().find(air, request).unwrap();
                advance(session, air, is_same, fresh)
            }
            AnySession::Planar(session, request) => {
                let obstacles = self.world.obstacles().unwrap();
                let fresh = || PlanarSearcher::default().find(obstacles, request).unwrap();
                advance(session, obstacles, is_same, fresh)
            }
        }
    }

    /// Checks the status of a walk against its steps and a new search.
    fn check_walk(&self, walk: &GroundPath, batches: &[u64]) -> PathStatus {
        let own = &self.batches[0];
        let (ground, log) = (self.world.ground(), self.world.ground_log());
        let status = ground::status(ground, log, walk);
        if !own.starts_with(batches) {
            assert_eq!(status, PathStatus::Unknown, "a walk of another branch");
            return status;
        }
        let oldest = self
            .n_before_log
            .max(own.len().saturating_sub(World::CHANGE_LOG_CAPACITY));
        assert_eq!(status == PathStatus::Unknown, batches.len() < oldest);
        let now = GroundPath::from_cells(ground.into(), &walk.cells);
        let is_walkable = now.is_some_and(|now| now.cost <= walk.cost);
        match status {
            PathStatus::Unknown => {}
            PathStatus::Invalid { .. } => assert!(!is_walkable, "{walk:?}"),
            PathStatus::MaybeSuboptimal => assert!(is_walkable, "{walk:?}"),
            PathStatus::Valid => {
                assert!(is_walkable, "{walk:?}");
                let (from, to) = (walk.start().unwrap(), walk.end().unwrap());
                let mut request = GroundRequest::new(from, to);
                request.method = Method::AStar;
                let best = PathSearcher::default().find(ground, &request).unwrap();
                assert_eq!(best.found().unwrap().cost, walk.cost);
            }
        }
        status
    }

    fn check_flight(&self, flight: &FlightPath, batches: &[u64]) {
        let air = self.world.air().unwrap();
        let status = air::status(air, &self.world.air_log, flight);
        if !self.batches[1].starts_with(batches) {
            assert_eq!(status, PathStatus::Unknown, "a flight of another branch");
        }
        let pairs = flight.waypoints.windows(2);
        let mut lines = pairs.map(|pair| air.has_line_of_sight(pair[0], pair[1]));
        if status.is_walkable() {
            assert!(lines.all(|is_clear| is_clear), "{flight:?}");
        }
    }
}

/// Advances a session by a few expansions and checks it; true if it is over.
fn advance<S: Resumable>(
    session: &mut SearchSession<S>,
    world: &S::World,
    is_same: bool,
    fresh: impl Fn() -> Outcome<S::Path>,
) -> bool
where
    S::Path: PartialEq + Debug,
{
    let progress = session.advance(world, Budget::expansions(6));
    let is_stale = matches!(progress, Progress::Stale { .. });
    assert_eq!(is_stale, !is_same, "stale on another state and on no other");
    if let Progress::Done(outcome) = progress {
        assert_eq!(outcome, fresh());
        return true;
    }
    is_stale
}

/// Removes and returns a random item.
fn draw<T>(rng: &mut Rng, from: &mut Vec<T>) -> Option<T> {
    let n = u32::try_from(from.len()).unwrap();
    (n > 0).then(|| from.swap_remove(rng.below(n) as usize))
}

#[test]
fn clones_that_diverge_are_never_taken_for_each_other() {
    let mut n_by_status = [0; 4];
    for seed in 0..5 {
        let mut rng = Rng::new(seed);
        let mut branches = vec![start_world(); 4];
        let mut kept = Kept::default();
        let mut searcher = Searcher::default();
        let mut n_loads = 0;
        for _ in 0..2_000 {
            let [here, there] = [rng.below(4) as usize, rng.below(4) as usize];
            let branch = &mut branches[here];
            match rng.below(12) {
                0 => branches[there] = branches[here].clone(),
                1..=3 => branch.edit(&mut rng),
                4 => {
                    // The same batch on two clones.
                    let mut same = rng.clone();
                    branch.edit(&mut rng);
                    if here != there {
                        branches[there].edit(&mut same);
                    }
                }
                5 if rng.chance(1, 4) => {
                    branch.world = World::load(&branch.world.save()).unwrap();
                    branch.n_before_log = branch.batches[0].len();
                    n_loads += 1;
                    for all in &mut branch.all[..2] {
                        all.push(n_loads);
                    }
                }
                5 | 6 => kept.sessions.extend(branch.begin(&mut rng)),
                7 | 8 => {
                    if let Some(mut one) = draw(&mut rng, &mut kept.sessions)
                        && !branch.advance(&mut one)
                    {
                        kept.sessions.push(one);
                    }
                }
                9 => {
                    let mut request = GroundRequest::new(at(&mut rng, &[0]), at(&mut rng, &[0, 6]));
                    request.method = Method::Optimal;
                    let (ground, log) = (branch.world.ground(), branch.world.ground_log());
                    searcher.ground.sync(ground, log);
                    let outcome = searcher.ground.find(ground, &request);
                    let batches = branch.batches[0].clone();
                    if let Ok(Outcome::Found(walk)) = outcome {
                        request.method = Method::AStar;
                        let best = PathSearcher::default().find(ground, &request).unwrap();
                        assert_eq!(walk.cost, best.found().unwrap().cost);
                        kept.walks.push((walk, batches));
                    }
                    let (from, to) = (voxel(&mut rng), voxel(&mut rng));
                    let air = branch.world.air().unwrap();
                    let request = FlightRequest::new(from, to);
                    if let Ok(Outcome::Found(flight)) = searcher.air.find(air, &request) {
                        kept.flights.push((flight, branch.batches[1].clone()));
                    }
                }
                10 => {
                    if let Some((walk, batches)) = draw(&mut rng, &mut kept.walks) {
                        for branch in &branches {
                            let status = branch.check_walk(&walk, &batches);
                            n_by_status[match status {
                                PathStatus::Valid => 0,
                                PathStatus::MaybeSuboptimal => 1,
                                PathStatus::Invalid { .. } => 2,
                                PathStatus::Unknown => 3,
                            }] += 1;
                        }
                        if rng.chance(3, 4) {
                            kept.walks.push((walk, batches));
                        }
                    }
                    let branch = &branches[here];
                    if let Some((flight, batches)) = draw(&mut rng, &mut kept.flights) {
                        branch.check_flight(&flight, &batches);
                    }
                }
                _ => check_others(&mut rng, &mut searcher, branch, &mut kept),
            }
        }
        assert!(n_loads > 0);
    }
    assert!(n_by_status.into_iter().all(|n| n > 20), "{n_by_status:?}");
}

/// Flow fields, hierarchical paths and paths of the facade, carried from clone to clone.
fn check_others(rng: &mut Rng, searcher: &mut Searcher, branch: &Branch, kept: &mut Kept) {
    let (ground, log) = (branch.world.ground(), branch.world.ground_log());
    let area = Rect::around(Column::new(0, 0), Column::new(SIDE - 1, SIDE - 1));
    let goal = Cell::flat(SIDE / 2, SIDE / 2);
    let flow = draw(rng, &mut kept.flows);
    let mut flow = flow.unwrap_or_else(|| FlowField::new(ground, area, &[goal]));
    flow.update(ground, log);
    if rng.chance(1, 3) {
        let fresh = FlowField::new(ground, area, &[goal]);
        let cells = area
            .columns()
            .flat_map(|column| [column.at(0), column.at(6)]);
        for cell in cells {
            assert_eq!(flow.cost(cell), fresh.cost(cell));
        }
    }
    kept.flows.push(flow);

    let course = draw(rng, &mut kept.courses).or_else(|| {
        let outcome = searcher
            .ground
            .begin_hierarchical(ground, at(rng, &[0]), goal);
        outcome.ok()?.found()
    });
    if let Some(mut course) = course {
        let from = course.at();
        if let Ok(Some(segment)) = searcher.ground.next_segment(ground, &mut course) {
            assert_eq!(segment.start(), Some(from));
            let again = GroundPath::from_cells(ground.into(), &segment.cells).unwrap();
            assert_eq!(again.cost, segment.cost);
            course.resume_from(from);
            kept.courses.push(course);
        }
    }

    let obstacles = branch.world.obstacles().unwrap();
    if let Some((path, batches)) = draw(rng, &mut kept.planar_paths) {
        let status = planar::status(obstacles, &path).status;
        if !branch.batches[2].starts_with(&batches) {
            assert_ne!(status, PathStatus::Valid, "a path of another branch");
        }
        let mut pairs = path.points.windows(2);
        let is_clear = |pair: &[Point2]| obstacles.is_segment_clear(pair[0], pair[1], path.agent);
        if status.is_walkable() {
            assert!(pairs.all(is_clear), "{path:?}");
        }
    }
    let request = PlanarRequest::new(point(rng), point(rng));
    if let Ok(Outcome::Found(path)) = searcher.planar.find(obstacles, &request) {
        kept.planar_paths.push((path, branch.batches[2].clone()));
    }
}
