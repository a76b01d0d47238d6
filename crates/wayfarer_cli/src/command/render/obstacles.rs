//! `wayfarer render` of obstacle sets: obstacles, quads of the quadtree, influence, and a path.

use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;
use wayfarer_engine::base::{Column, Fixed, Outcome, Point2};
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::formats::obstacle_file;
use wayfarer_engine::picture::Picture;
use wayfarer_engine::search::planar::{
    EndpointPolicy, PlanarMethod, PlanarRequest, PlanarSearcher,
};
use wayfarer_engine::world::obstacles::quadtree::{ObstacleQuadtree, SplitCriterion};
use wayfarer_engine::world::obstacles::{
    DiscAgent, Influence, InfluenceMap, ObstacleCategories, ObstacleSet,
};

use crate::area;
use crate::failure::Failure;
use crate::load::{self, Loaded, Reading};
use crate::location::LocationArg;

/// Most samples along a side when the whole quadtree is built.
const MAX_SAMPLES: i32 = 1_024;

/// What to draw of an obstacle set.
#[derive(Args)]
#[command(next_help_heading = "Obstacles (.field files, or maps with --walls-as-obstacles)")]
pub(super) struct ObstacleOptions {
    /// Take the walls of a flat map as obstacles
    #[arg(long, alias = "field")]
    walls_as_obstacles: bool,
    /// Search method
    #[arg(long, value_enum, default_value_t = Method::Quadtree, requires = "from")]
    method: Method,
    /// Side of the smallest quad; 10 if not given
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells)]
    min: Option<Fixed>,
    /// Side of the largest quad; 100 if not given
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells)]
    max: Option<Fixed>,
    /// Most obstacles in a quad that counts as free
    #[arg(long, value_name = "N", default_value_t = 0)]
    occupancy: u32,
    /// Let paths cross the corners of quads
    #[arg(long)]
    diagonal: bool,
    /// Categories that block the agent, as in 0,3; all if not given
    #[arg(long, value_name = "CATEGORIES", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..64))]
    blocked_by: Vec<u8>,
    /// Categories with an influence around them: drawn, and costly to approach
    #[arg(long, alias = "felt", value_name = "CATEGORIES", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..64))]
    influence: Vec<u8>,
    /// Cost multiplier at the obstacles with influence
    #[arg(long, value_name = "TIMES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=4_000), requires = "influence")]
    strength: u32,
    /// How far the influence reaches
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, default_value = "50", requires = "influence")]
    reach: Fixed,
}

/// A planar search method.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// A* over a quadtree built on demand; no bound
    #[value(alias = "tree")]
    Quadtree,
    /// Lazy tangent graph; no bound
    #[value(alias = "corners")]
    Tangent,
}

/// The path that was drawn, or that there is none.
#[derive(Serialize)]
pub(super) struct DrawnPath {
    pub(super) is_found: bool,
    length: f64,
    cost: f64,
    points: usize,
    expansions: u64,
    #[serde(rename = "spaces")]
    quads: usize,
    corners: usize,
}

impl DrawnPath {
    /// A summary for the title.
    pub(super) fn summary(&self) -> String {
        let searched = match (self.quads, self.corners) {
            (0, corners) => format!("{corners} corners"),
            (quads, _) => format!("{quads} quads"),
        };
        if self.is_found {
            format!("length {:.1}, {searched}", self.length)
        } else {
            format!("no path, {searched}")
        }
    }
}

fn categories(numbers: &[u8]) -> ObstacleCategories {
    let masks = numbers
        .iter()
        .filter_map(|number| ObstacleCategories::one(*number));
    masks.fold(ObstacleCategories::NONE, |all, mask| all | mask)
}

impl ObstacleOptions {
    /// The obstacle set of a file; `None` if the file holds something else and no option for
    /// obstacles was given.
    pub(super) fn read(
        &self,
        file: &Path,
        reading: &Reading,
    ) -> Result<Option<ObstacleSet>, Failure> {
        let wrong = |reason: String| Failure::for_file(file, reason);
        let bytes = load::bytes(file)?;
        let format = load::format(file, &bytes, reading)?;
        if format == FileFormat::Obstacles {
            reading.check(format, false).map_err(wrong)?;
            let data = obstacle_file::read(&bytes).map_err(|error| wrong(error.to_string()))?;
            let obstacles =
                ObstacleSet::from_data(&data).map_err(|error| wrong(error.to_string()))?;
            return Ok(Some(obstacles));
        }
        if !self.walls_as_obstacles {
            if self.is_used() {
                let reason = "options for obstacles: give a .field file, or a flat map with \
                              --walls-as-obstacles";
                return Err(Failure::BadInput(reason.to_owned()));
            }
            return Ok(None);
        }
        match load::read(&bytes, format, reading).map_err(wrong)? {
            Loaded::Flat(map) => match ObstacleSet::from_map(&map) {
                Ok(obstacles) => Ok(Some(obstacles)),
                Err(error) => Err(wrong(error.to_string())),
            },
            _ => Err(wrong(format!(
                "--walls-as-obstacles is for flat maps, this is: {format}"
            ))),
        }
    }

    /// True if an option was given that is only for obstacles.
    fn is_used(&self) -> bool {
        self.min.is_some()
            || self.max.is_some()
            || self.occupancy > 0
            || self.diagonal
            || !self.blocked_by.is_empty()
            || !self.influence.is_empty()
            || self.method == Method::Tangent
    }

    fn criterion(&self) -> SplitCriterion {
        SplitCriterion {
            min_side: self.min.unwrap_or(SplitCriterion::GUERRILLA_2013.min_side),
            max_side: self.max.unwrap_or(SplitCriterion::GUERRILLA_2013.max_side),
            occupancy: self.occupancy,
            diagonal: self.diagonal,
        }
    }

    /// Draws an obstacle set: with endpoints the path and its search, without them the influence,
    /// or all quads if sizes are given.
    pub(super) fn draw(
        &self,
        obstacles: &ObstacleSet,
        ends: Option<(LocationArg, LocationArg, Fixed)>,
    ) -> Result<(Picture, Option<DrawnPath>), Failure> {
        let agent = DiscAgent {
            radius: ends.map_or(Fixed::default(), |(_, _, radius)| radius),
            blocked_by: match self.blocked_by[..] {
                [] => !categories(&self.influence),
                _ => categories(&self.blocked_by),
            },
        };
        let influence = (!self.influence.is_empty()).then(|| Influence {
            categories: categories(&self.influence),
            strength: self.strength * 16,
            reach: self.reach,
        });
        let mut picture = Picture::from_obstacles(obstacles);
        let mut strength = InfluenceMap::default();
        let Some((from, to, _)) = ends else {
            if influence.is_some() || self.min.is_some() || self.max.is_some() {
                let tree = self.all_quads(obstacles, agent);
                strength.compute(obstacles, &tree, influence.as_slice());
                picture.add_influence(&tree, &strength, 0).add_quads(&tree);
            }
            return Ok((picture, None));
        };
        let request = PlanarRequest {
            agent,
            method: match self.method {
                Method::Quadtree => PlanarMethod::Quadtree,
                Method::Tangent => PlanarMethod::TangentGraph,
            },
            criterion: self.criterion(),
            start_policy: EndpointPolicy::NearestFree,
            goal_policy: EndpointPolicy::NearestFree,
            influences: influence.into_iter().collect(),
            ..PlanarRequest::new(center(from)?, center(to)?)
        };
        let mut searcher = PlanarSearcher::default();
        let outcome = searcher
            .find(obstacles, &request)
            .map_err(|error| Failure::BadInput(error.to_string()))?;
        let is_found = matches!(outcome, Outcome::Found(_) | Outcome::Partial { .. });
        let path = outcome.best();
        let found_path = DrawnPath {
            is_found,
            length: path.as_ref().map_or(0.0, |path| path.length().to_cells()),
            cost: path.as_ref().map_or(0.0, |path| path.cost.to_cells()),
            points: path.as_ref().map_or(0, |path| path.points.len()),
            expansions: searcher.stats().expansions,
            quads: searcher.quadtree().len(),
            corners: searcher.n_vertices(),
        };
        let tree = searcher.quadtree();
        strength.compute(obstacles, tree, &request.influences);
        if request.influences.is_empty() {
            picture.add_search(&searcher);
        }
        picture.add_influence(tree, &strength, 0).add_quads(tree);
        match path {
            Some(path) => picture.add_polyline(&path.points),
            None => picture
                .add_polyline(&[request.from])
                .add_polyline(&[request.to]),
        };
        Ok((picture, Some(found_path)))
    }

    /// A quadtree built over all of the bounds.
    fn all_quads(&self, obstacles: &ObstacleSet, agent: DiscAgent) -> ObstacleQuadtree {
        let mut tree = ObstacleQuadtree::default();
        tree.reset(obstacles, self.criterion(), agent, ObstacleCategories::NONE);
        let (low, high) = (obstacles.bounds().low, obstacles.bounds().high);
        let step = |low: Fixed, high: Fixed| {
            let step = (high.raw() - low.raw()) / MAX_SAMPLES;
            step.max(self.criterion().min_side.raw()).max(1)
        };
        let along = |low: Fixed, high: Fixed| {
            let step = step(low, high).unsigned_abs() as usize;
            (low.raw()..high.raw()).step_by(step).map(Fixed::from_raw)
        };
        for y in along(low.y, high.y) {
            for x in along(low.x, high.x) {
                tree.locate(obstacles, Point2::new(x, y));
            }
        }
        tree
    }
}

/// The center of a cell.
fn center(at: LocationArg) -> Result<Point2, Failure> {
    if at.z.is_some() {
        let reason = format!("{at}: a location between obstacles is x,y");
        return Err(Failure::BadInput(reason));
    }
    let point = Point2::center_of(Column::new(at.x, at.y));
    point.ok_or_else(|| Failure::BadInput(format!("{at} lies outside the coordinate limits")))
}
