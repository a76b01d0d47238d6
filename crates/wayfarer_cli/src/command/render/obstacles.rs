//! `wayfarer render` of fields: what stands there, the spaces of the tree, what is felt in them,
//! and the way that was found.

use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;
use wayfarer::base::{Column, Fixed, Outcome, Point2};
use wayfarer::formats::file_format::FileFormat;
use wayfarer::formats::obstacle_file;
use wayfarer::picture::Picture;
use wayfarer::search::planar::{EndpointPolicy, PlanarMethod, PlanarRequest, PlanarSearcher};
use wayfarer::world::obstacles::quadtree::{ObstacleQuadtree, SplitCriterion};
use wayfarer::world::obstacles::{
    DiscAgent, Influence, InfluenceMap, ObstacleCategories, ObstacleSet,
};

use crate::area;
use crate::failure::Failure;
use crate::load::{self, Loaded, Reading};
use crate::location::LocationArg;

/// Points a side at which a whole field is looked at, at most.
const MAX_LOOKS: i32 = 1_024;

/// What to draw of a field.
#[derive(Args)]
#[command(next_help_heading = "Fields (.field files, or maps with --field)")]
pub(super) struct ObstacleOptions {
    /// Take the walls of a flat map as a field
    #[arg(long)]
    walls_as_obstacles: bool,
    /// How to look for the way
    #[arg(long, value_enum, default_value_t = Method::Tree, requires = "from")]
    method: Method,
    /// Side of the tree's smallest space; 10 if not given
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells)]
    min: Option<Fixed>,
    /// Side of the tree's largest space; 100 if not given
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells)]
    max: Option<Fixed>,
    /// Obstacles that may be in a space that counts as free
    #[arg(long, value_name = "N", default_value_t = 0)]
    occupancy: u32,
    /// Let paths step from space to space over corners
    #[arg(long)]
    diagonal: bool,
    /// Types that stop whoever goes, as in 0,3; all if not given
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..64))]
    blocked_by: Vec<u8>,
    /// Types that are felt around them: drawn, and kept away from
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..64))]
    influence: Vec<u8>,
    /// How much costlier the ground is where they stand, in times its cost multiplier
    #[arg(long, value_name = "TIMES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=4_000), requires = "influence")]
    strength: u32,
    /// How far they are felt
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, default_value = "50", requires = "influence")]
    reach: Fixed,
}

/// How to look for a way.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// From space to space of a tree that grows with the search
    Tree,
    /// From corner to corner of what stands in the way
    Corners,
}

/// A way that was drawn, or that there is none.
#[derive(Serialize)]
pub(super) struct DrawnPath {
    pub(super) is_found: bool,
    length: f64,
    cost: f64,
    points: usize,
    expansions: u64,
    spaces: usize,
    corners: usize,
}

impl DrawnPath {
    /// What a title says of it.
    pub(super) fn reported(&self) -> String {
        let looked = match (self.spaces, self.corners) {
            (0, corners) => format!("{corners} corners"),
            (spaces, _) => format!("{spaces} spaces"),
        };
        if self.is_found {
            format!("length {:.1}, {looked}", self.length)
        } else {
            format!("no way, {looked}")
        }
    }
}

fn types(numbers: &[u8]) -> ObstacleCategories {
    let masks = numbers
        .iter()
        .filter_map(|number| ObstacleCategories::of(*number));
    masks.fold(ObstacleCategories::NONE, |all, mask| all | mask)
}

impl ObstacleOptions {
    /// The field in a file; none if the file holds something else and no field was asked for.
    pub(super) fn read(
        &self,
        file: &Path,
        reading: &Reading,
    ) -> Result<Option<ObstacleSet>, Failure> {
        let wrong = |reason: String| Failure::for_file(file, reason);
        let bytes = load::bytes(file)?;
        let kind = load::format(file, &bytes, reading)?;
        if kind == FileFormat::Obstacles {
            reading.check(kind, false).map_err(wrong)?;
            let plan = obstacle_file::read(&bytes).map_err(|error| wrong(error.to_string()))?;
            let obstacles =
                ObstacleSet::from_plan(&plan).map_err(|error| wrong(error.to_string()))?;
            return Ok(Some(obstacles));
        }
        if !self.walls_as_obstacles {
            if self.is_used() {
                let reason = "options for fields: give a .field file, or a flat map with --field";
                return Err(Failure::BadInput(reason.to_owned()));
            }
            return Ok(None);
        }
        match load::read(&bytes, kind, reading).map_err(wrong)? {
            Loaded::Flat(map) => match ObstacleSet::from_map(&map) {
                Ok(obstacles) => Ok(Some(obstacles)),
                Err(error) => Err(wrong(error.to_string())),
            },
            _ => Err(wrong(format!("--field is for flat maps, this is: {kind}"))),
        }
    }

    /// True if something was asked for that means nothing but in a field.
    fn is_used(&self) -> bool {
        self.min.is_some()
            || self.max.is_some()
            || self.occupancy > 0
            || self.diagonal
            || !self.blocked_by.is_empty()
            || !self.influence.is_empty()
            || self.method == Method::Corners
    }

    fn criterion(&self) -> SplitCriterion {
        SplitCriterion {
            smallest: self.min.unwrap_or(SplitCriterion::GUERRILLA_2013.smallest),
            largest: self.max.unwrap_or(SplitCriterion::GUERRILLA_2013.largest),
            occupancy: self.occupancy,
            diagonal: self.diagonal,
        }
    }

    /// Draws a field: with both ends the way and what was looked at for it, without them what is
    /// felt everywhere, or all spaces if sizes are given.
    pub(super) fn draw(
        &self,
        obstacles: &ObstacleSet,
        ends: Option<(LocationArg, LocationArg, Fixed)>,
    ) -> Result<(Picture, Option<DrawnPath>), Failure> {
        let agent = DiscAgent {
            radius: ends.map_or(Fixed::default(), |(_, _, radius)| radius),
            blocked_by: match self.blocked_by[..] {
                [] => !types(&self.influence),
                _ => types(&self.blocked_by),
            },
        };
        let influence = (!self.influence.is_empty()).then(|| Influence {
            types: types(&self.influence),
            strength: self.strength * 16,
            reach: self.reach,
        });
        let mut picture = Picture::from_obstacles(obstacles);
        let mut strength = InfluenceMap::default();
        let Some((from, to, _)) = ends else {
            if influence.is_some() || self.min.is_some() || self.max.is_some() {
                let tree = self.all_spaces(obstacles, agent);
                strength.spread(obstacles, &tree, influence.as_slice());
                picture.add_influence(&tree, &strength, 0).add_quads(&tree);
            }
            return Ok((picture, None));
        };
        let request = PlanarRequest {
            agent,
            method: match self.method {
                Method::Tree => PlanarMethod::Quadtree,
                Method::Corners => PlanarMethod::TangentGraph,
            },
            criterion: self.criterion(),
            start_policy: EndpointPolicy::NearestFree,
            goal_policy: EndpointPolicy::NearestFree,
            influences: influence.into_iter().collect(),
            ..PlanarRequest::new(middle(from)?, middle(to)?)
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
            spaces: searcher.tree().len(),
            corners: searcher.n_corners(),
        };
        let tree = searcher.tree();
        strength.spread(obstacles, tree, &request.influences);
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

    /// A tree that was looked at everywhere.
    fn all_spaces(&self, obstacles: &ObstacleSet, agent: DiscAgent) -> ObstacleQuadtree {
        let mut tree = ObstacleQuadtree::default();
        tree.reset(obstacles, self.criterion(), agent, ObstacleCategories::NONE);
        let (low, high) = (obstacles.bounds().low, obstacles.bounds().high);
        let step = |low: Fixed, high: Fixed| {
            let step = (high.raw() - low.raw()) / MAX_LOOKS;
            step.max(self.criterion().smallest.raw()).max(1)
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

/// The middle of a cell.
fn middle(at: LocationArg) -> Result<Point2, Failure> {
    if at.z.is_some() {
        let reason = format!("{at}: a place in a field is x,y");
        return Err(Failure::BadInput(reason));
    }
    let center = Point2::center_of(Column::new(at.x, at.y));
    center.ok_or_else(|| Failure::BadInput(format!("{at} lies beyond every world")))
}
