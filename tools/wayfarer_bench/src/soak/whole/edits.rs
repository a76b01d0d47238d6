//! Random batches of edits over all parts of a world, valid and invalid.

use wayfarer_engine::base::{Cell, CostMultiplier, Fixed, GroundEdit, Point2, Rng, Terrain, Voxel};
use wayfarer_engine::search::multimodal::AirLink;
use wayfarer_engine::world::air::{AirEdit, Geometry, GeometryId, Volume, VolumeId, VolumeRule};
use wayfarer_engine::world::bodies::BodyId;
use wayfarer_engine::world::obstacles::ObstacleId;
use wayfarer_engine::{BodyEdit, Edit, ObstacleEdit, Position, World};
use wayfarer_testkit::random_batch;

use super::draw::{self, HEIGHT, SIDE};
use super::model::Model;

/// Most obstacles and bodies; beyond that some go.
const MAX: usize = 24;

/// A batch that must be done.
pub(super) fn good(rng: &mut Rng, world: &World, model: &Model) -> Vec<Edit> {
    let mut batch: Vec<Edit> = Vec::new();
    if rng.chance(3, 4) {
        let on_ground = random_batch(rng, &model.ground);
        batch.extend(on_ground.into_iter().map(Edit::from));
    }
    let mut living = Living {
        obstacles: model.obstacles.keys().copied().collect(),
        bodies: model.bodies.keys().copied().collect(),
        all_move: false,
        things: model.things.keys().copied().collect(),
        volumes: model.volumes.keys().copied().collect(),
    };
    for _ in 0..rng.between(i32::from(batch.is_empty()), 5) {
        let place = rng.below(u32::try_from(batch.len() + 1).unwrap_or(1)) as usize;
        // A removed id is not used after that; ground edits keep their order.
        if let Some(edit) = other(rng, world, &mut living) {
            let is_free = matches!(
                edit,
                Edit::FillBox { .. } | Edit::CarveBox { .. } | Edit::PutAirLink(_)
            );
            let place = if is_free { place } else { batch.len() };
            batch.insert(place, edit);
        }
    }
    batch
}

/// Ids that are still alive in a batch.
struct Living {
    obstacles: Vec<ObstacleId>,
    bodies: Vec<BodyId>,
    all_move: bool,
    things: Vec<GeometryId>,
    volumes: Vec<VolumeId>,
}

fn other(rng: &mut Rng, world: &World, living: &mut Living) -> Option<Edit> {
    Some(match rng.below(16) {
        0..=3 if world.air().is_some() => in_air(rng, living)?.into(),
        4..=7 if world.obstacles().is_some() => in_obstacles(rng, living)?.into(),
        8..=11 => from_bodies(rng, world, living)?.into(),
        12 => draw::air_link(rng, world).into(),
        13 => {
            let AirLink { cell, voxel, .. } = *rng.pick(world.air_links())?;
            Edit::RemoveAirLink { cell, voxel }
        }
        14 => {
            let (low, high) = some_box(rng, world);
            let top = Terrain::GROUND;
            Edit::FillBox { low, high, top }
        }
        15 => {
            let (low, high) = some_box(rng, world);
            let floor = rng.chance(1, 2).then_some(Terrain::GROUND);
            Edit::CarveBox { low, high, floor }
        }
        _ => return None,
    })
}

fn in_air(rng: &mut Rng, living: &mut Living) -> Option<AirEdit> {
    let (low, high) = draw::voxels(rng);
    Some(match rng.below(8) {
        0 | 1 => AirEdit::Fill { low, high },
        2 | 3 => AirEdit::Clear { low, high },
        4 => AirEdit::Put {
            id: GeometryId(rng.below(4).into()),
            geometry: Geometry::Box { low, high },
        },
        5 => {
            let name = *rng.pick(&living.things)?;
            living.things.retain(|known| *known != name);
            AirEdit::Remove { id: name }
        }
        6 if rng.chance(1, 3) => AirEdit::PutVolume {
            id: VolumeId(rng.below(3).into()),
            volume: Volume {
                low,
                high,
                rule: if rng.chance(1, 2) {
                    VolumeRule::Closed
                } else {
                    let costly = u16::try_from(17 + rng.below(60)).unwrap_or(32);
                    VolumeRule::CostMultiplier(CostMultiplier::from_sixteenths(costly)?)
                },
            },
        },
        _ => {
            let name = *rng.pick(&living.volumes)?;
            living.volumes.retain(|known| *known != name);
            AirEdit::RemoveVolume { id: name }
        }
    })
}

fn in_obstacles(rng: &mut Rng, living: &mut Living) -> Option<ObstacleEdit> {
    let is_full = living.obstacles.len() > MAX;
    let id = rng.pick(&living.obstacles).copied();
    Some(match (id, rng.below(6)) {
        (Some(id), 0) => {
            living.obstacles.retain(|known| *known != id);
            ObstacleEdit::Remove { id }
        }
        (Some(id), 1 | 2) => ObstacleEdit::MoveTo {
            id,
            low: draw::point(rng),
        },
        (Some(id), 3) => ObstacleEdit::Set {
            id,
            obstacle: draw::obstacle(rng),
        },
        _ if is_full => return None,
        _ => ObstacleEdit::Insert(draw::obstacle(rng)),
    })
}

fn from_bodies(rng: &mut Rng, world: &World, living: &mut Living) -> Option<BodyEdit> {
    let is_full = living.bodies.len() > MAX || living.all_move;
    let id = rng.pick(&living.bodies).copied();
    Some(match (id, rng.below(8)) {
        (Some(id), 0) => {
            living.bodies.retain(|known| *known != id);
            BodyEdit::Unregister { id }
        }
        (Some(id), 1 | 2) => BodyEdit::MoveTo {
            id,
            to: draw::point(rng),
        },
        (Some(id), 3) => BodyEdit::Teleport {
            id,
            to: draw::point(rng),
        },
        (Some(id), 4) => BodyEdit::SetHeight {
            id,
            z: Fixed::from_raw(rng.between(0, 1_200)),
        },
        // Only while no body was registered in the same batch: the table must not have grown.
        (Some(_), 5) if !living.all_move && world.bodies().len() == living.bodies.len() => {
            living.all_move = true;
            let n_places = world.bodies().n_slots();
            BodyEdit::MoveAll((0..n_places).map(|_| draw::point(rng)).collect())
        }
        _ if is_full => return None,
        _ => {
            // No bulk move after that.
            living.all_move = true;
            BodyEdit::Register(draw::body(rng))
        }
    })
}

/// A box in world units, its sides in quarters of a cell.
fn some_box(rng: &mut Rng, world: &World) -> (Position, Position) {
    let quarter = world.scale().lengths()[0] / 4;
    let origin = world.scale().origin();
    let mut side = |origin: i64, from: i32, to: i32| {
        let low = rng.between(from * 4, to * 4 - 4);
        let high = low + rng.between(1, 12);
        let at = |part: i32| origin + i64::from(part) * quarter;
        (at(low), at(high))
    };
    let (x, y) = (side(origin.x, -3, SIDE), side(origin.y, -3, SIDE));
    let z = side(origin.z, 0, HEIGHT);
    let corner = |x, y, z| Position { x, y, z };
    (corner(x.0, y.0, z.0), corner(x.1, y.1, z.1))
}

/// An edit that no world does.
pub(super) fn bad(
    rng: &mut Rng,
    world: &World,
    removed: (Option<ObstacleId>, Option<BodyId>),
) -> Edit {
    let far = Point2::new(Fixed::MAX, Fixed::MAX);
    let outside = Voxel::new(SIDE, 0, 0);
    match (rng.below(8), removed) {
        (0, (Some(id), _)) => ObstacleEdit::Remove { id }.into(),
        (1, (_, Some(id))) => BodyEdit::Unregister { id }.into(),
        (2, (_, Some(id))) => BodyEdit::Teleport {
            id,
            to: Point2::default(),
        }
        .into(),
        (3, _) => {
            let n_places = world.bodies().n_slots() + 9;
            BodyEdit::MoveAll(vec![Point2::default(); n_places]).into()
        }
        (4, _) => {
            let mut body = draw::body(rng);
            body.position = far;
            BodyEdit::Register(body).into()
        }
        (5, _) => AirEdit::Fill {
            low: Voxel::default(),
            high: outside,
        }
        .into(),
        (6, _) => {
            let (low, _) = some_box(rng, world);
            Edit::CarveBox {
                low,
                high: low,
                floor: None,
            }
        }
        _ => GroundEdit::PutCell {
            cell: Cell::new(i32::MAX, 0, 0),
            terrain: Terrain::GROUND,
        }
        .into(),
    }
}
