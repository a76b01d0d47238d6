//! Encoding of world data, profiles, edits, scenarios and edit traces.

use wayfarer_engine::base::{
    CostModifier, CostModifierId, EditTrace, Expected, GroundEdit, LinkDirection, LinkState,
    NavLink, NavLinkId, NavLinkKind, Problem, Profile, Raster, TraceStep, TriangleSoup, VoxelSet,
    Wall, WallSide, WorldData,
};
use wayfarer_engine::formats::movingai_scen::{Scenario, ScenarioLine};
use wayfarer_engine::formats::world_file::{Layer, WorldFile};

use super::{Value, Values};
use wayfarer_engine::picture::HeightBand;

impl Value for Raster {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.width(), &self.height()]);
        to.bytes(self.bytes());
    }
}

impl Value for VoxelSet {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.size(), &self.solid()]);
    }
}

impl Value for TriangleSoup {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.vertices(), &self.triangles()]);
    }
}

impl Value for HeightBand {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.low, &self.high]);
    }
}

impl Value for NavLinkKind {
    fn put(&self, to: &mut Values) {
        to.number(match self {
            Self::Stairs => 0,
            Self::Ladder => 1,
            Self::Jump => 2,
            Self::Drop => 3,
            Self::Door => 4,
            Self::Teleport => 5,
            Self::Climb => 6,
        });
    }
}

impl Value for NavLinkId {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.from, &self.to, &self.kind]);
    }
}

impl Value for LinkState {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Open => to.variant(0, &[]),
            Self::Closed => to.variant(1, &[]),
            Self::Locked(keys) => to.variant(2, &[keys]),
        }
    }
}

impl Value for NavLink {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.from, &self.to, &self.kind]);
        to.number(match self.direction {
            LinkDirection::Bidirectional => 0,
            LinkDirection::OneWay => 1,
        });
        to.each(&[&self.cost, &self.state]);
    }
}

impl Value for Wall {
    fn put(&self, to: &mut Values) {
        to.take(&self.cell);
        to.number(match self.side {
            WallSide::East => 0,
            WallSide::South => 1,
        });
    }
}

impl Value for Profile {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.radius, &self.height, &self.max_step, &self.max_drop]);
        to.each(&[&self.keys, &self.allowed_terrains, &self.terrain_costs]);
    }
}

impl Value for WorldData {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.profile, &self.cells, &self.nav_links, &self.walls]);
        to.each(&[&self.boxes, &self.voxels]);
    }
}

impl Value for WorldFile {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.profile, &self.layers, &self.cells]);
        to.each(&[&self.nav_links, &self.walls, &self.boxes, &self.voxels]);
    }
}

impl Value for Layer {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.at, &self.raster]);
    }
}

impl Value for CostModifierId {
    fn put(&self, to: &mut Values) {
        to.take(&self.0);
    }
}

impl Value for CostModifier {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.shape, &self.heights, &self.multiplier]);
    }
}

impl Value for GroundEdit {
    fn put(&self, to: &mut Values) {
        match self {
            Self::PutCell { cell, terrain } => to.variant(0, &[cell, terrain]),
            Self::RemoveCell { cell } => to.variant(1, &[cell]),
            Self::Fill { shape, z, terrain } => to.variant(2, &[shape, z, terrain]),
            Self::Clear { shape, heights } => to.variant(3, &[shape, heights]),
            Self::Patch { at, z, raster } => to.variant(4, &[at, z, raster]),
            Self::PutWall(wall) => to.variant(5, &[wall]),
            Self::RemoveWall(wall) => to.variant(6, &[wall]),
            Self::PutNavLink(nav_link) => to.variant(7, &[nav_link]),
            Self::RemoveNavLink(id) => to.variant(8, &[id]),
            Self::SetNavLinkState { nav_link, state } => to.variant(9, &[nav_link, state]),
            Self::PutCostModifier { id, modifier } => to.variant(10, &[id, modifier]),
            Self::RemoveCostModifier(id) => to.variant(11, &[id]),
            Self::SetFloors(blocks) => {
                to.variant(12, &[&blocks.len()]);
                for block in blocks {
                    to.each(&[&block.sector, &block.z, &block.terrain]);
                    block.columns.iter().for_each(|row| to.take(row));
                }
            }
            Self::FillBox {
                rect,
                bottom,
                top,
                terrain,
            } => to.variant(13, &[rect, bottom, top, terrain]),
            Self::CarveBox {
                rect,
                bottom,
                top,
                terrain,
            } => to.variant(14, &[rect, bottom, top, terrain]),
            Self::PutSolid { id, solid } => {
                to.variant(15, &[&id.0, &solid.top]);
                for sector in solid.extent.sectors() {
                    let columns = solid.extent.columns_in(sector);
                    to.take(&sector);
                    columns.iter().for_each(|row| to.take(row));
                }
            }
            Self::RemoveSolid(id) => to.variant(16, &[&id.0]),
        }
    }
}

impl Value for Problem {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.start, &self.goal]);
        match &self.expected {
            Expected::Length(length) => to.variant(0, &[length]),
            Expected::Unreachable => to.variant(1, &[]),
            Expected::Unknown => to.variant(2, &[]),
        }
    }
}

impl Value for EditTrace {
    fn put(&self, to: &mut Values) {
        to.take(&self.steps);
    }
}

impl Value for TraceStep {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Batch(edits) => to.variant(0, &[edits]),
            Self::Query(problem) => to.variant(1, &[problem]),
        }
    }
}

impl Value for Scenario {
    fn put(&self, to: &mut Values) {
        to.take(&self.lines);
    }
}

impl Value for ScenarioLine {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.bucket, &self.map, &self.width, &self.height]);
        to.each(&[&self.start, &self.goal, &self.length]);
    }
}
