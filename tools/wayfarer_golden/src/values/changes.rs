//! Encoding of change sets, differences, canonical ground and import reports.

use wayfarer_engine::base::{ChangeSet, CostChange, DirtySector};
use wayfarer_engine::search::multimodal::AirLink;
use wayfarer_engine::world::air::{AirDifference, BoxContent};
use wayfarer_engine::world::bodies::SensorEventKind;
use wayfarer_engine::world::ground::import::{Dropped, ImportReport, Reason as DropReason};
use wayfarer_engine::world::ground::{
    Canonical, CanonicalPortal, CanonicalRegion, CostModifierDifference, FloorChange,
    GroundChanges, GroundDifference, NavLinkDifference,
};

use super::{UNKNOWN, Value, Values};
use wayfarer_engine::{AirLinkDifference, BodyDifference, ObstacleDifference, WorldChanges};

impl<D: Value, P: Value> Value for ChangeSet<D, P> {
    fn put(&self, to: &mut Values) {
        to.each(&[
            &self.before,
            &self.after,
            &self.differences,
            &self.dirty_sectors,
        ]);
    }
}

impl<P: Value> Value for DirtySector<P> {
    fn put(&self, to: &mut Values) {
        to.take(&self.sector);
        to.number(match self.cost_change {
            CostChange::Decrease => 0,
            CostChange::Increase => 1,
            CostChange::Mixed => 2,
        });
    }
}

impl Value for GroundChanges {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.changes, &self.split_pairs, &self.merged_pairs]);
    }
}

impl Value for GroundDifference {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Floor {
                cell,
                before,
                after,
            } => to.variant(0, &[cell, before, after]),
            Self::Floors(floors) => {
                to.variant(4, &[&floors.floors, &floors.covered, &floors.shown]);
            }
            Self::Solid(solid) => to.variant(5, &[&solid.id.0, &solid.shown]),
            Self::Wall { wall, is_present } => to.variant(1, &[wall, is_present]),
            Self::NavLink(nav_link) => to.variant(2, &[nav_link]),
            Self::CostModifier(modifier) => to.variant(3, &[modifier]),
        }
    }
}

impl Value for FloorChange {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.sector, &self.z, &self.before, &self.after]);
        self.columns.iter().for_each(|row| to.take(row));
    }
}

impl Value for NavLinkDifference {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.id, &self.before, &self.after]);
    }
}

impl Value for CostModifierDifference {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.id, &self.before, &self.after]);
    }
}

impl Value for AirDifference {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Box {
                low,
                high,
                before,
                after,
            } => to.variant(0, &[low, high, before, after]),
            Self::Geometry { id, before, after } => to.variant(1, &[&id.0, before, after]),
            Self::Volume { id, before, after } => to.variant(2, &[&id.0, before, after]),
        }
    }
}

impl Value for BoxContent {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Free => to.variant(0, &[]),
            Self::Solid => to.variant(1, &[]),
            Self::Cubes(cubes) => {
                to.variant(2, &[&cubes.len()]);
                (cubes.iter()).for_each(|(layer, low, voxels)| to.each(&[layer, low, voxels]));
            }
        }
    }
}

impl Value for WorldChanges {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.before, &self.after, &self.ground, &self.air]);
        to.each(&[
            &self.obstacles,
            &self.bodies,
            &self.air_links,
            &self.invalidated,
        ]);
    }
}

impl Value for ObstacleDifference {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.id, &self.before, &self.after]);
    }
}

impl Value for BodyDifference {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Added { id, body } => to.variant(0, &[id, body]),
            Self::Removed { id, body } => to.variant(1, &[id, body]),
            Self::Moved { id, from, to: end } => to.variant(2, &[id, from, end]),
        }
    }
}

impl Value for AirLinkDifference {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.before, &self.after]);
    }
}

impl Value for AirLink {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.cell, &self.voxel, &self.take_off, &self.landing]);
    }
}

impl Value for SensorEventKind {
    fn put(&self, to: &mut Values) {
        to.number(match self {
            Self::Leave => 0,
            Self::Enter => 1,
            Self::Stay => 2,
        });
    }
}

impl Value for Canonical {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.data, &self.regions, &self.multipliers]);
    }
}

impl Value for CanonicalRegion {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.sector, &self.cells, &self.affected, &self.center]);
        to.each(&[&self.portals, &self.component]);
    }
}

impl Value for CanonicalPortal {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.to, &self.support]);
    }
}

impl Value for ImportReport {
    fn put(&self, to: &mut Values) {
        to.each(&[
            &self.n_floors,
            &self.dropped,
            &self.n_cliffs,
            &self.n_boundary_edges,
        ]);
    }
}

impl Value for Dropped {
    fn put(&self, to: &mut Values) {
        to.number(match self.reason {
            DropReason::Trees => 0,
            DropReason::NoData => 1,
            DropReason::TooSteep => 2,
            DropReason::NoHeadroom => 3,
            DropReason::TooManyFloors => 4,
            DropReason::OutOfWorld => 5,
            DropReason::Repeated => 6,
            DropReason::Solid => 7,
            _ => UNKNOWN,
        });
        to.each(&[&self.count, &self.first]);
    }
}
