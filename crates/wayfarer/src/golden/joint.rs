//! Golden results of whole worlds: edits of all parts at once, ways walked and flown, who sees them.

use wayfarer_base::{
    Cost, CostMultiplier, GroundEdit, Outcome, Profile, Raster, Rng, Terrain, Voxel,
};
use wayfarer_search::mixed::{AirLink, FlightProfile};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::field::{Obstacle, ObstacleCategories, ObstacleSet};

use super::values::Values;
use crate::{
    AgentKind, Answer, FieldEdit, KindId, Path, Position, Request, Scale, Searcher, Watcher, World,
    WorldEdit,
};

const SIDE: i32 = 14;

/// Worlds of several scales that are built on, dug and crossed.
pub(super) fn joint(values: &mut Values) {
    let mut rng = Rng::new(31);
    let mut searcher = Searcher::default();
    for voxel in [1.0, 0.5, 2.0] {
        let Some((mut world, kinds)) = world_of(&mut rng, voxel) else {
            continue;
        };
        let mut paths: Vec<(Request, Path)> = Vec::new();
        for _ in 0..6 {
            let edits: Vec<WorldEdit> = (0..3).filter_map(|_| some_edit(&mut rng)).collect();
            values.take(&world.apply(edits));
            values.number(world.state_hash());
            for (request, path) in &paths {
                values.take(&world.status(path));
                let mended = world.repair(&mut searcher, request, path);
                values.take(&mended);
                values.take(&who_goes(kinds, mended));
            }
            for who in kinds {
                let request = some_request(&mut rng, who);
                let found = world.find_path(&mut searcher, &request);
                values.take(&found);
                values.take(&who_goes(kinds, found.clone()));
                if let Ok(Outcome::Found(path)) = found {
                    let seen = world.who_sees(&path, &[watcher(&mut rng)]);
                    values.take(&seen);
                    world.watch(path.clone());
                    paths.push((request, path));
                }
            }
        }
    }
}

/// Which of `kinds` an answer is for, if there is a way.
fn who_goes(kinds: [KindId; 3], answer: Answer) -> Option<usize> {
    let who = answer.ok()?.best()?.who;
    kinds.iter().position(|kind| *kind == who)
}

/// Flat ground, empty air, an empty field; a walker, a flyer and one who does both.
fn world_of(rng: &mut Rng, voxel: f64) -> Option<(World, [KindId; 3])> {
    let side = SIDE.unsigned_abs();
    let n_cells = usize::try_from(SIDE * SIDE).ok()?;
    let map = Raster::from_bytes(side, side, vec![0; n_cells])?;
    let air = AirBuilder::new(Voxel::default(), [28, 28, 16]).ok()?;
    let mut world = World::from_raster(&map)
        .with_scale(Scale::new(1.0, 1.0, voxel).ok()?)
        .with_air(air.build().ok()?)
        .with_field(ObstacleSet::square(SIDE).ok()?);
    let wings = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(16 + u16::try_from(rng.below(40)).ok()?)?,
        take_off: Cost::from_units(rng.below(3_000)),
        ..FlightProfile::default()
    };
    let both = AgentKind {
        walks: Some(Profile::DEFAULT),
        flies: Some(wings),
        ..AgentKind::default()
    };
    let kinds = [
        KindId::WALKER,
        world.register(wings).ok()?,
        world.register(both).ok()?,
    ];
    Some((world, kinds))
}

fn position(rng: &mut Rng) -> Position {
    let mut at = |most: i32| f64::from(rng.between(0, most * 4 - 1)) / 4.0;
    Position::new(at(SIDE), at(SIDE), at(5))
}

fn watcher(rng: &mut Rng) -> Watcher {
    Watcher::new(position(rng), 12.0)
}

fn some_request(rng: &mut Rng, who: KindId) -> Request {
    let mut request = Request {
        who,
        ..Request::new(position(rng), position(rng))
    };
    match rng.below(4) {
        0 => {
            request.watchers = vec![watcher(rng), watcher(rng)];
            request.exposure = CostMultiplier::from_sixteenths(60).unwrap_or(CostMultiplier::ONE);
        }
        1 => request.movers = ObstacleCategories::ALL,
        _ => {}
    }
    request
}

fn some_edit(rng: &mut Rng) -> Option<WorldEdit> {
    let (low, high) = (position(rng), position(rng));
    let (x, y) = (rng.between(0, SIDE - 3), rng.between(0, SIDE - 3));
    let cell = wayfarer_base::Cell::flat(x, y);
    Some(match rng.below(6) {
        0 | 1 => WorldEdit::Build {
            low,
            high: Position {
                x: low.x + 2 * Position::PARTS,
                y: low.y + 3 * Position::PARTS,
                z: low.z + 2 * Position::PARTS,
            },
            top: Terrain::GROUND,
        },
        2 => WorldEdit::Raze {
            low,
            high,
            floor: Some(Terrain::GROUND),
        },
        3 => GroundEdit::RemoveCell { cell }.into(),
        4 => FieldEdit::Insert(Obstacle::cells(x, y, 2, 1, ObstacleCategories::ALL).ok()?).into(),
        _ => AirLink {
            cell,
            voxel: Voxel::new(x, y, 3),
            take_off: Some(Cost::from_units(700)),
            land: Some(Cost::from_units(900)),
        }
        .into(),
    })
}
