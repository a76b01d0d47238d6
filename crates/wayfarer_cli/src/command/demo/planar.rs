//! `wayfarer demo planar`: a path between moving obstacles, and its repair.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::base::{Aabb2, Fixed, Outcome, PathStatus, Point2, Rng};
use wayfarer_engine::formats::obstacle_file;
use wayfarer_engine::picture::Picture;
use wayfarer_engine::search::planar::{
    EndpointPolicy, PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher, status,
};
use wayfarer_engine::world::obstacles::quadtree::SplitCriterion;
use wayfarer_engine::world::obstacles::{
    DiscAgent, Obstacle, ObstacleCategories, ObstacleId, ObstacleSet, ObstacleShape,
};

use crate::clock;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};

const SIDE: i32 = 700;
const N_OBSTACLES: u32 = 90;
const MAX_TICKS: u32 = 400;

#[derive(Serialize)]
struct Report {
    seed: u64,
    side: i32,
    #[serde(rename = "entities")]
    obstacles: u32,
    searches: Vec<Search>,
    ticks_until_broken: u32,
    broken_leg: Option<usize>,
    broken_by: Option<u32>,
    points_kept: usize,
    pictures: Vec<String>,
    #[serde(rename = "field")]
    obstacles_file: String,
}

#[derive(Serialize)]
struct Search {
    name: &'static str,
    length: f64,
    points: usize,
    expansions: u64,
    quads: usize,
    microseconds: f64,
}

/// Draws the path through the quadtree to `files[0]` and the repaired path to `files[1]`; the
/// obstacles at the start go beside them as a `.field` file.
pub(super) fn run(seed: u64, files: [&Path; 2], json: &Json) -> Result<Verdict, Failure> {
    let obstacles_file = files[0].with_extension("field");
    output::can_write([obstacles_file.as_path()])?;
    let mut rng = Rng::new(seed);
    let (mut obstacles, ids) = make(&mut rng).map_err(|error| fault(&error.to_string()))?;
    let mut searcher = PlanarSearcher::default();
    let cells = |n: i32| Fixed::from_raw(n * Fixed::UNITS_PER_CELL);
    let tangent = PlanarRequest {
        agent: DiscAgent {
            radius: cells(4),
            ..DiscAgent::POINT
        },
        start_policy: EndpointPolicy::NearestFree,
        goal_policy: EndpointPolicy::NearestFree,
        criterion: SplitCriterion {
            min_side: cells(5),
            max_side: cells(40),
            ..SplitCriterion::GUERRILLA_2013
        },
        ..PlanarRequest::new(
            Point2::new(cells(10), cells(10)),
            Point2::new(cells(SIDE - 10), cells(SIDE - 10)),
        )
    };
    let quadtree = PlanarRequest {
        method: PlanarMethod::Quadtree,
        ..tangent.clone()
    };
    let mut searches = Vec::new();
    let found_path = timed(
        &obstacles,
        &mut searcher,
        &tangent,
        "tangent",
        &mut searches,
    )?;
    let quadtree_path = timed(
        &obstacles,
        &mut searcher,
        &quadtree,
        "quadtree",
        &mut searches,
    )?;
    let mut before = Picture::from_obstacles(&obstacles);
    before.add_search(&searcher);
    before
        .add_quads(searcher.quadtree())
        .add_polyline(&quadtree_path.points);
    let data = obstacle_file::write(&obstacles.to_data());

    let mut ticks = 0;
    let mut now = status(&obstacles, &found_path);
    while now.invalidated_by.is_none() && ticks < MAX_TICKS {
        let mut batch = obstacles.edit_bulk();
        for id in &ids {
            let by = [rng.between(-400, 400), rng.between(-400, 400)].map(Fixed::from_raw);
            let moved = batch.move_by(*id, by[0], by[1]);
            moved.map_err(|error| fault(&error.to_string()))?;
        }
        drop(batch);
        ticks += 1;
        now = status(&obstacles, &found_path);
    }
    let request = PlanarRequest {
        from: found_path.start().unwrap_or(tangent.from),
        to: found_path.end().unwrap_or(tangent.to),
        ..tangent
    };
    let repaired = searcher.repair(&obstacles, &request, &found_path);
    let repaired = repaired.map_err(|request_error| fault(&request_error.to_string()))?;
    let mut after = Picture::from_obstacles(&obstacles);
    let (repaired_path, n_kept) = match repaired {
        Outcome::Found(repaired) => (Some(repaired.path), repaired.n_reused),
        other => (other.best().map(|repaired| repaired.path), 0),
    };
    after.add_polyline(repaired_path.as_ref().map_or(&[][..], |path| &path.points));

    let report = Report {
        seed,
        side: SIDE,
        obstacles: N_OBSTACLES,
        searches,
        ticks_until_broken: ticks,
        broken_leg: match now.status {
            PathStatus::Invalid { leg, .. } => Some(leg),
            _ => None,
        },
        broken_by: now.invalidated_by.map(ObstacleId::index),
        points_kept: n_kept,
        pictures: files.map(|file| file.display().to_string()).to_vec(),
        obstacles_file: obstacles_file.display().to_string(),
    };
    let mut out = Output::default();
    report.print(&mut out);
    let titles = ["path through the quadtree", "repaired path"];
    for ((picture, title), file) in [before, after].iter().zip(titles).zip(files) {
        let options = SceneOptions {
            title: format!("{title}, seed {seed}"),
            zoom: None,
        };
        out.file(file, draw::to_file(picture, &options, file)?);
    }
    out.file(&obstacles_file, data.into_bytes());
    out.json(json, "demo/2", &report)?;
    out.finish()?;
    Ok(Verdict::Done)
}

fn make(
    rng: &mut Rng,
) -> Result<(ObstacleSet, Vec<ObstacleId>), wayfarer_engine::world::obstacles::ObstacleError> {
    let mut obstacles = ObstacleSet::square(SIDE)?;
    let mut ids = Vec::new();
    let mut batch = obstacles.edit_bulk();
    for _ in 0..N_OBSTACLES {
        let raw = |n: i32| Fixed::from_raw(n);
        let far = SIDE * Fixed::UNITS_PER_CELL;
        let (x, y) = (rng.between(0, far), rng.between(0, far));
        let (width, height) = (rng.between(3_000, 18_000), rng.between(3_000, 18_000));
        let shape = if rng.chance(1, 4) {
            ObstacleShape::Disc {
                center: Point2::new(raw(x), raw(y)),
                radius: raw(width / 2),
            }
        } else {
            ObstacleShape::Box(Aabb2 {
                low: Point2::new(raw(x), raw(y)),
                high: Point2::new(raw(x + width), raw(y + height)),
            })
        };
        let types = ObstacleCategories::ALL;
        ids.push(batch.insert(&Obstacle {
            shape,
            categories: types,
        })?);
    }
    drop(batch);
    Ok((obstacles, ids))
}

fn timed(
    obstacles: &ObstacleSet,
    searcher: &mut PlanarSearcher,
    request: &PlanarRequest,
    name: &'static str,
    searches: &mut Vec<Search>,
) -> Result<PlanarPath, Failure> {
    let mut find = || match searcher.find(obstacles, request) {
        Ok(outcome) => outcome
            .best()
            .ok_or_else(|| fault("no path between the obstacles")),
        Err(error) => Err(fault(&error.to_string())),
    };
    find()?;
    let (path, time) = clock::timed(find);
    let path = path?;
    searches.push(Search {
        name,
        length: path.cost.to_cells(),
        points: path.points.len(),
        expansions: path.expansions,
        quads: searcher.quadtree().len(),
        microseconds: time.as_secs_f64() * 1e6,
    });
    Ok(path)
}

impl Report {
    fn print(&self, out: &mut Output) {
        out.line(format!(
            "{0} x {0} cells from seed {1} with {2} moving obstacles.\n",
            self.side, self.seed, self.obstacles
        ));
        for search in &self.searches {
            out.line(format!(
                "{:<8} length {:.3}, {} points, {} expansions, {} quads, {:.0} us",
                search.name,
                search.length,
                search.points,
                search.expansions,
                search.quads,
                search.microseconds
            ));
        }
        match (self.broken_leg, self.broken_by) {
            (Some(leg), Some(obstacle)) => out.line(format!(
                "\nAfter {} ticks obstacle {obstacle} blocks leg {leg}, found without a search; \
                 repaired, {} points kept.\n",
                self.ticks_until_broken, self.points_kept
            )),
            _ => out.line(format!(
                "\nAfter {} ticks the path is still valid.\n",
                self.ticks_until_broken
            )),
        }
        for picture in &self.pictures {
            out.line(format!("picture: {picture}"));
        }
        let file = &self.obstacles_file;
        out.line(format!(
            "obstacles: {file}; see `wayfarer render {file} -o path.png --from 10,10 --to 690,690 --min 5`"
        ));
    }
}

fn fault(what: &str) -> Failure {
    Failure::OurFault(what.to_owned())
}
