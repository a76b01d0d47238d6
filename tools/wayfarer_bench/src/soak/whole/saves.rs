//! Worlds saved, loaded, corrupted and rebuilt: equal, or an error.

use wayfarer_engine::base::{Column, GroundEdit, Raster, Rng, Voxel};
use wayfarer_engine::world::air::{AirBuilder, AirEdit, Geometry};
use wayfarer_engine::world::baked::AbstractionBuilder;
use wayfarer_engine::world::obstacles::ObstacleSet;
use wayfarer_engine::{BodyEdit, Edit, ObstacleEdit, PathRequest, Searcher, World};

use super::draw::{self, Agent, HEIGHT, SIDE};
use super::life::Life;
use super::paths::gist;
use super::{Tally, ensure};

impl Life {
    /// Saves the world, plain or with a baked map; loads it; queries both; continues with either.
    pub(super) fn save_and_load(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        tally.saves += 1;
        let plain = self.world.save();
        let bytes = if rng.chance(1, 3) {
            self.baked()?
        } else {
            plain.clone()
        };
        let mut again = World::load(&bytes).map_err(|error| format!("not loaded: {error}"))?;
        ensure!(
            again.save() == plain,
            "loaded and saved again, bytes differ"
        );
        let (found, expected) = (again.state_hash(), self.world.state_hash());
        ensure!(
            found == expected,
            "loaded, the hash is {found:016x}, not {expected:016x}"
        );
        ensure!(
            again.canonical() == self.world.canonical(),
            "loaded, the world is another"
        );
        ensure!(
            again
                .attached_cost_modifiers()
                .eq(self.world.attached_cost_modifiers()),
            "loaded, other effects follow"
        );
        self.damage(rng, &bytes)?;
        let requests: Vec<PathRequest> = (0..6)
            .map(|_| {
                let agent = *rng.pick(&Agent::ALL).unwrap_or(&Agent::Walker);
                let from = draw::position(rng, &self.world, agent);
                let to = draw::position(rng, &self.world, agent);
                PathRequest {
                    agent_type: self.agents.kind(agent),
                    ..PathRequest::new(from, to)
                }
            })
            .collect();
        let mut searchers = (Searcher::default(), Searcher::default());
        for request in &requests {
            let here = self.world.find_path(&mut searchers.0, request);
            let there = again.find_path(&mut searchers.1, request);
            ensure!(
                gist(&here) == gist(&there),
                "loaded, {request:?} is answered {there:?}, not {here:?}"
            );
        }
        if rng.chance(1, 2) {
            // The searcher of the old world is not synced: it must detect the change by itself.
            self.world = std::mem::replace(&mut again, self.world.clone());
            self.searcher = Searcher::default();
            self.forget();
        }
        Ok(())
    }

    /// With a baked map of the floors at height 0 in it.
    fn baked(&self) -> Result<Vec<u8>, String> {
        const CELLS: u32 = 20;
        let mut map = Raster::new(CELLS, CELLS).ok_or("a small map")?;
        for column in map.rect().columns() {
            let terrain = self.world.terrain(Column::new(column.x, column.y).at(0));
            map.set(column.x, column.y, terrain);
        }
        let draft = AbstractionBuilder::from_raster(&map, 16).map_err(|error| error.to_string())?;
        let baked_map = draft.bake().map_err(|error| error.to_string())?;
        let bytes = self.world.save_baked(&baked_map);
        let (_, baked) = World::load_baked(&bytes).map_err(|error| error.to_string())?;
        ensure!(
            baked.is_some_and(|baked| baked.to_bytes() == baked_map.to_bytes()),
            "the frozen map is another"
        );
        Ok(bytes)
    }

    /// A file with a flipped bit, or cut off, is rejected or loads the same world.
    fn damage(&self, rng: &mut Rng, bytes: &[u8]) -> Result<(), String> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        for _ in 0..4 {
            let place = rng.below(length) as usize;
            let mut damaged = bytes.to_vec();
            if rng.chance(1, 3) {
                damaged.truncate(place);
            } else {
                damaged[place] ^= 1 << rng.below(8);
            }
            if let Ok(loaded) = World::load(&damaged) {
                ensure!(
                    loaded.save() == self.world.save(),
                    "damaged at byte {place}, it loads as another world"
                );
            }
        }
        Ok(())
    }

    /// The world is the a rebuilt one of the same floors, voxels, obstacles and bodies.
    pub(super) fn compare_rebuilt(&self) -> Result<(), String> {
        let fresh = self.rebuilt()?;
        let (found, expected) = (self.world.canonical(), fresh.canonical());
        ensure!(
            found.ground == expected.ground,
            "the ground differs from a rebuilt one"
        );
        ensure!(
            found.air == expected.air,
            "the air differs from a rebuilt one"
        );
        ensure!(found == expected, "the world differs from a rebuilt one");
        let (found, expected) = (self.world.state_hash(), fresh.state_hash());
        ensure!(
            found == expected,
            "the hash is {found:016x}, rebuilt {expected:016x}"
        );
        Ok(())
    }

    fn rebuilt(&self) -> Result<World, String> {
        let ground = self.world.ground();
        let mut fresh = World::from_data(&ground.to_data())
            .map_err(|error| format!("cannot be rebuilt: {error}"))?
            .with_scale(self.world.scale())
            .with_occlusion_rules(self.world.occlusion_rules());
        if self.world.air().is_some() {
            let size = [SIDE, SIDE, HEIGHT].map(i32::unsigned_abs);
            let fault = |error: wayfarer_engine::world::air::AirError| error.to_string();
            let mut builder = AirBuilder::new(Voxel::default(), size).map_err(fault)?;
            let painted = self.model.painted();
            for at in painted.solid_voxels() {
                builder.add_voxel(at).map_err(fault)?;
            }
            for (name, (low, high)) in &self.model.things {
                let (low, high) = (*low, *high);
                let geometry = Geometry::Box { low, high };
                builder.add_geometry(*name, geometry).map_err(fault)?;
            }
            fresh = fresh.with_air(builder.build().map_err(fault)?);
        }
        if self.world.obstacles().is_some() {
            let obstacles = ObstacleSet::square(SIDE).map_err(|error| error.to_string())?;
            fresh = fresh.with_obstacles(obstacles);
        }
        let mut edits: Vec<Edit> = Vec::new();
        for (name, modifier) in ground.cost_modifiers() {
            let (name, modifier) = (*name, modifier.clone());
            edits.push(GroundEdit::PutCostModifier { id: name, modifier }.into());
        }
        for (&name, &volume) in &self.model.volumes {
            edits.push(AirEdit::PutVolume { id: name, volume }.into());
        }
        for obstacle in self.model.obstacles.values() {
            edits.push(ObstacleEdit::Insert(*obstacle).into());
        }
        for body in self.model.bodies.values() {
            edits.push(BodyEdit::Register(*body).into());
        }
        edits.extend(
            self.world
                .air_links()
                .iter()
                .map(|air_link| (*air_link).into()),
        );
        fresh
            .apply(edits)
            .map_err(|error| format!("cannot be rebuilt: {error}"))?;
        Ok(fresh)
    }
}
