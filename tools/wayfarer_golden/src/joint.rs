//! Golden digests of the facade: edits of all domains, multimodal paths, repair and exposure.

use wayfarer_engine::base::{
    Cost, CostMultiplier, GroundEdit, Outcome, Profile, Raster, Rng, Terrain, Voxel,
};
use wayfarer_engine::search::multimodal::{AirLink, FlightProfile};
use wayfarer_engine::world::air::AirBuilder;
use wayfarer_engine::world::obstacles::{Obstacle, ObstacleCategories, ObstacleSet};

use super::values::Values;
use wayfarer_engine::{
    AgentType, AgentTypeId, Edit, ObstacleEdit, Path, PathRequest, PathResult, Position, Scale,
    Searcher, Viewer, World,
};

const SIDE: i32 = 14;

/// Edits and paths in worlds of several scales.
pub(super) fn joint(values: &mut Values) {
    let mut rng = Rng::new(31);
    let mut searcher = Searcher::default();
    for voxel in [1.0, 0.5, 2.0] {
        let Some((mut world, agent_types)) = world_of(&mut rng, voxel) else {
            continue;
        };
        let mut paths: Vec<(PathRequest, Path)> = Vec::new();
        for _ in 0..6 {
            let edits: Vec<Edit> = (0..3).filter_map(|_| some_edit(&mut rng)).collect();
            values.take(&world.apply(edits));
            values.number(world.state_hash());
            for (request, path) in &paths {
                values.take(&world.status(path));
                let repaired = world.repair(&mut searcher, request, path);
                values.take(&repaired);
                values.take(&agent_type_index(agent_types, repaired));
            }
            for agent_type in agent_types {
                let request = some_request(&mut rng, agent_type);
                let found = world.find_path(&mut searcher, &request);
                values.take(&found);
                values.take(&agent_type_index(agent_types, found.clone()));
                if let Ok(Outcome::Found(path)) = found {
                    let exposures = world.path_exposure(&path, &[viewer(&mut rng)]);
                    values.take(&exposures);
                    world.subscribe(path.clone());
                    paths.push((request, path));
                }
            }
        }
    }
}

/// The index of the agent type of a result, if it has a path.
fn agent_type_index(agent_types: [AgentTypeId; 3], result: PathResult) -> Option<usize> {
    let agent_type = result.ok()?.best()?.agent_type;
    agent_types
        .iter()
        .position(|type_id| *type_id == agent_type)
}

/// Flat ground, empty air and no obstacles, with types that walk, fly, and do both.
fn world_of(rng: &mut Rng, voxel: f64) -> Option<(World, [AgentTypeId; 3])> {
    let side = SIDE.unsigned_abs();
    let n_cells = usize::try_from(SIDE * SIDE).ok()?;
    let map = Raster::from_bytes(side, side, vec![0; n_cells])?;
    let air = AirBuilder::new(Voxel::default(), [28, 28, 16]).ok()?;
    let mut world = World::from_raster(&map)
        .with_scale(Scale::new(1.0, 1.0, voxel).ok()?)
        .with_air(air.build().ok()?)
        .with_obstacles(ObstacleSet::square(SIDE).ok()?);
    let flight = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(16 + u16::try_from(rng.below(40)).ok()?)?,
        take_off: Cost::from_units(rng.below(3_000)),
        ..FlightProfile::default()
    };
    let both = AgentType {
        ground: Some(Profile::DEFAULT),
        flight: Some(flight),
        ..AgentType::default()
    };
    let agent_types = [
        AgentTypeId::DEFAULT,
        world.add_agent_type(flight).ok()?,
        world.add_agent_type(both).ok()?,
    ];
    Some((world, agent_types))
}

fn position(rng: &mut Rng) -> Position {
    let mut at = |max: i32| f64::from(rng.between(0, max * 4 - 1)) / 4.0;
    Position::new(at(SIDE), at(SIDE), at(5))
}

fn viewer(rng: &mut Rng) -> Viewer {
    Viewer::new(position(rng), 12.0)
}

fn some_request(rng: &mut Rng, agent_type: AgentTypeId) -> PathRequest {
    let mut request = PathRequest {
        agent_type,
        ..PathRequest::new(position(rng), position(rng))
    };
    match rng.below(4) {
        0 => {
            request.viewers = vec![viewer(rng), viewer(rng)];
            request.exposure_cost =
                CostMultiplier::from_sixteenths(60).unwrap_or(CostMultiplier::ONE);
        }
        1 => request.avoided_obstacles = ObstacleCategories::ALL,
        _ => {}
    }
    request
}

fn some_edit(rng: &mut Rng) -> Option<Edit> {
    let (low, high) = (position(rng), position(rng));
    let (x, y) = (rng.between(0, SIDE - 3), rng.between(0, SIDE - 3));
    let cell = wayfarer_engine::base::Cell::flat(x, y);
    Some(match rng.below(6) {
        0 | 1 => Edit::FillBox {
            low,
            high: Position {
                x: low.x + 2 * Position::PARTS,
                y: low.y + 3 * Position::PARTS,
                z: low.z + 2 * Position::PARTS,
            },
            top: Terrain::GROUND,
        },
        2 => Edit::CarveBox {
            low,
            high,
            floor: Some(Terrain::GROUND),
        },
        3 => GroundEdit::RemoveCell { cell }.into(),
        4 => {
            ObstacleEdit::Insert(Obstacle::cells(x, y, 2, 1, ObstacleCategories::ALL).ok()?).into()
        }
        _ => AirLink {
            cell,
            voxel: Voxel::new(x, y, 3),
            take_off: Some(Cost::from_units(700)),
            landing: Some(Cost::from_units(900)),
        }
        .into(),
    })
}
