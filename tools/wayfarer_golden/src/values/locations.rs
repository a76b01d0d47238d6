//! Encoding of locations, shapes, costs, ids and bodies.

use wayfarer_engine::base::{
    Aabb2, Cell, Column, Cost, CostMultiplier, Fixed, Id, Location, Point2, Point3, Rect, Revision,
    SearchStats, SectorId, Shape, Terrain, Voxel,
};
use wayfarer_engine::world::air::{AirCube, AirSector, Geometry, RayHit, Volume, VolumeRule};
use wayfarer_engine::world::bodies::{Body, BodyShape};
use wayfarer_engine::world::ground::{ProfileId, RegionId};
use wayfarer_engine::world::obstacles::{DiscAgent, Obstacle, ObstacleCategories, ObstacleShape};
use wayfarer_engine::world::solid::Run;

use super::{Value, Values};
use wayfarer_engine::Position;

impl Value for Column {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y]);
    }
}

impl Value for Cell {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y, &self.z]);
    }
}

impl Value for SectorId {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y]);
    }
}

impl Value for Rect {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.low, &self.high]);
    }
}

impl Value for Voxel {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y, &self.z]);
    }
}

impl Value for Fixed {
    fn put(&self, to: &mut Values) {
        to.take(&self.raw());
    }
}

impl Value for Point2 {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y]);
    }
}

impl Value for Point3 {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y, &self.z]);
    }
}

impl Value for Aabb2 {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.low, &self.high]);
    }
}

impl Value for Position {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.x, &self.y, &self.z]);
    }
}

impl Value for Location {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Cell(cell) => to.variant(0, &[cell]),
            Self::Point(point) => to.variant(1, &[point]),
            Self::Voxel(voxel) => to.variant(2, &[voxel]),
        }
    }
}

impl Value for Shape {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Circle { center, radius } => to.variant(0, &[center, radius]),
            Self::Box(rect) => to.variant(1, &[rect]),
            Self::Polygon(corners) => to.variant(2, &[corners]),
            Self::Segment {
                from,
                to: end,
                radius,
            } => to.variant(3, &[from, end, radius]),
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => to.variant(4, &[tip, radius, left, right]),
        }
    }
}

impl Value for Cost {
    fn put(&self, to: &mut Values) {
        to.take(&self.units());
    }
}

impl Value for CostMultiplier {
    fn put(&self, to: &mut Values) {
        to.take(&self.sixteenths());
    }
}

impl Value for Terrain {
    fn put(&self, to: &mut Values) {
        to.take(&self.number());
    }
}

impl Value for Revision {
    fn put(&self, to: &mut Values) {
        to.take(&self.number);
    }
}

impl Value for SearchStats {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.expansions, &self.pushes]);
    }
}

impl<K> Value for Id<K> {
    fn put(&self, to: &mut Values) {
        to.take(&self.to_bits());
    }
}

impl Value for ProfileId {
    fn put(&self, to: &mut Values) {
        to.take(&self.slot());
    }
}

impl Value for RegionId {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.sheet(), &self.ordinal()]);
    }
}

impl Value for AirCube {
    fn put(&self, to: &mut Values) {
        to.take(&self.first_sector().number());
        if self.side() > AirSector::SIDE {
            to.take(&self.side());
        }
    }
}

impl Value for RayHit {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.voxel, &self.fraction]);
    }
}

impl Value for Run {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.y, &self.x, &self.low, &self.high]);
    }
}

impl Value for Geometry {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Box { low, high } => to.variant(0, &[low, high]),
            Self::Ball { center, radius } => to.variant(1, &[center, radius]),
            Self::Mesh { spans, shift } => {
                let runs: Vec<Run> = spans.runs().collect();
                to.variant(2, &[&runs, shift]);
            }
        }
    }
}

impl Value for Volume {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.low, &self.high]);
        match &self.rule {
            VolumeRule::Closed => to.variant(0, &[]),
            VolumeRule::CostMultiplier(multiplier) => to.variant(1, &[multiplier]),
        }
    }
}

impl Value for ObstacleCategories {
    fn put(&self, to: &mut Values) {
        to.take(&self.bits());
    }
}

impl Value for DiscAgent {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.radius, &self.blocked_by]);
    }
}

impl Value for Obstacle {
    fn put(&self, to: &mut Values) {
        match &self.shape {
            ObstacleShape::Box(bounds) => to.variant(0, &[bounds]),
            ObstacleShape::Disc { center, radius } => to.variant(1, &[center, radius]),
        }
        to.take(&self.categories);
    }
}

impl Value for Body {
    fn put(&self, to: &mut Values) {
        match &self.shape {
            BodyShape::Point => to.variant(0, &[]),
            BodyShape::Disc { radius } => to.variant(1, &[radius]),
            BodyShape::Box { half_x, half_y } => to.variant(2, &[half_x, half_y]),
        }
        to.each(&[&self.position, &self.z, &self.height]);
        to.each(&[&self.categories.bits(), &self.team]);
    }
}
