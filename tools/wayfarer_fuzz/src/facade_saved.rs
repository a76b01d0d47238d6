//! Saved worlds and planners of the crate `wayfarer`, with repaired digests.

use std::sync::LazyLock;

use wayfarer::{
    AgentType, AgentTypeId, Area, Body, BodyShape, CostArea, Edit, Footprint, Goal, Method,
    NavLink, NavLinkKind, Path, PathRequest, Planner, PlannerOptions, Position, Scale, Searcher,
    Sensor, Solid, Terrain, World,
};
use wayfarer_engine::base::{Budget, Digest};

use crate::saved;

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn world() -> World {
    let side = 24_usize;
    let mut map = format!("type octile\nheight {side}\nwidth {side}\nmap\n");
    for y in 0..side {
        let tile = |x: usize| if x == 9 && y % 5 != 0 { 'T' } else { '.' };
        map.extend((0..side).map(tile));
        map.push('\n');
    }
    let mut world = World::import("lane.map", map.as_bytes(), Scale::meters(0.5)).unwrap();
    let wide = AgentType {
        radius: 0.4,
        terrain_costs: vec![(Terrain::SWAMP, 3.0)],
        ..AgentType::GROUND
    };
    world.add_agent_type(wide).unwrap();
    world.add_agent_type(AgentType::PLANAR).unwrap();
    let low = at(2.0, 2.0);
    let high = Position::new(3.0, 3.0, 1.0);
    let edits = [
        Edit::add_solid(Solid::cuboid(low, high)),
        Edit::add_link(NavLink::new(
            at(1.25, 1.25),
            at(6.25, 6.25),
            NavLinkKind::Door,
        )),
        Edit::add_cost_area(CostArea {
            area: Area::disc(at(5.0, 5.0), 2.0),
            multiplier: 3.0,
        }),
    ];
    world.apply(&edits).unwrap();
    let body = Body {
        position: at(8.0, 8.0),
        shape: BodyShape::disc(0.5),
        height: 1.0,
        blocks_sight: true,
        ..Body::default()
    };
    let body = world.add_body(body).unwrap();
    let sensor = Sensor {
        mount: body.into(),
        footprint: Footprint::disc(at(0.0, 0.0), 4.0),
        ..Sensor::default()
    };
    world.add_sensor(sensor).unwrap();
    world
}

static WORLD: LazyLock<World> = LazyLock::new(world);

/// Saved worlds.
pub fn seeds() -> Vec<Vec<u8>> {
    vec![World::new(Scale::UNIT).unwrap().save(), WORLD.save()]
}

fn digest(bytes: &[u8]) -> [u8; 8] {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value().to_le_bytes()
}

/// The part of the engine and that of the facade; `None` if there are not enough bytes.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    const TAIL: usize = 24;
    let rest = bytes.len().checked_sub(TAIL)?;
    let stated: [u8; 8] = bytes[rest..rest + 8].try_into().unwrap();
    let length = usize::try_from(u64::from_le_bytes(stated)).map_or(rest, |n| n.min(rest));
    Some(bytes[..rest].split_at(rest - length))
}

/// Makes the digests of both parts valid.
pub fn repair(bytes: &mut Vec<u8>) {
    let Some((engine, extras)) = split(bytes) else {
        return;
    };
    let (length, extras) = (extras.len(), extras.to_vec());
    bytes.truncate(engine.len());
    saved::repair_digests(bytes);
    bytes.extend(&extras);
    bytes.extend((length as u64).to_le_bytes());
    bytes.extend(digest(&extras));
    bytes.extend(b"WFFACAD2");
}

/// The columns of all solids of a saved world.
pub fn solid_columns(bytes: &[u8]) -> u64 {
    split(bytes).map_or(0, |(engine, _)| saved::solid_columns(engine))
}

/// Loads a world; one that loads is saved again, edited by its handles and searched.
///
/// # Panics
/// On a fault.
pub fn run(bytes: &[u8]) {
    let Ok(mut world) = World::load(bytes) else {
        return;
    };
    let saved = world.save();
    let again = World::load(&saved).unwrap();
    assert!(again.save() == saved, "what loads saves and loads again");
    let request = PathRequest::new(at(0.25, 0.25), at(10.25, 10.25));
    world
        .find_path(&mut Searcher::default(), &request)
        .map(drop)
        .ok();
    for (id, link) in world.links() {
        // A forged end without a floor is moved to the next one.
        if let Ok((other, _)) = world.add_link(link) {
            let other = world.link(other).unwrap();
            assert_ne!((other.from, other.to), (link.from, link.to), "it exists");
        }
        world.apply(&[Edit::remove_link(id)]).unwrap();
        assert_eq!(world.link(id), None);
    }
    let area = CostArea {
        area: Area::disc(at(2.0, 2.0), 1.0),
        multiplier: 2.0,
    };
    if let Ok((id, _)) = world.add_cost_area(area) {
        world.apply(&[Edit::remove_cost_area(id)]).unwrap();
    }
    for id in world.bodies() {
        world.teleport(id, at(1.0, 1.0)).ok();
        world.remove_body(id).unwrap();
    }
    world.update_sensors();
    World::load(&world.save()).unwrap();
}

/// Saved planners: new, with paths, and with searches in progress.
pub fn planner_seeds() -> Vec<Vec<u8>> {
    let mut planner = Planner::new(PlannerOptions {
        budget: Budget::expansions(30),
        ..PlannerOptions::default()
    });
    let mut saves = vec![planner.save()];
    let goals = [
        Goal::Position(at(11.0, 11.0)),
        Goal::Within {
            center: at(8.0, 3.0),
            distance: 1.0,
        },
        Goal::AnyOf(vec![at(11.0, 0.5), at(0.5, 11.0)]),
        Goal::Area(Area::disc(at(9.0, 9.0), 1.5)),
    ];
    for (number, to) in goals.into_iter().enumerate() {
        let methods = [
            Method::Bounded,
            Method::AStar,
            Method::Jps,
            Method::Dijkstra,
        ];
        let request = PathRequest {
            method: methods[number],
            ..PathRequest::new(at(0.3, 0.3), to)
        };
        let id = planner.request(request);
        planner.update(&WORLD);
        planner.advance(id, at(0.6, 0.6));
        saves.push(planner.save());
    }
    saves
}

/// Makes the digest of a planner valid.
pub fn repair_planner(bytes: &mut Vec<u8>) {
    repair_digest(bytes, b"WFPLAN04");
}

/// Makes the first bytes and the digest at the end valid.
fn repair_digest(bytes: &mut Vec<u8>, magic: &[u8; 8]) {
    let length = bytes.len().saturating_sub(8);
    bytes.truncate(length);
    let first = length.min(8);
    bytes[..first].copy_from_slice(&magic[..first]);
    bytes.extend(digest(bytes));
}

/// The request of the paths below.
fn path_request() -> PathRequest {
    PathRequest::new(at(0.3, 0.3), at(11.0, 11.0))
}

/// Saved paths of both agent types that move.
pub fn path_seeds() -> Vec<Vec<u8>> {
    let find = |index: usize| {
        let agent_type = AgentTypeId::from_index(index).unwrap();
        let request = PathRequest {
            agent_type,
            ..path_request()
        };
        WORLD.find_path(&mut Searcher::default(), &request)
    };
    let paths = [0, 1, 2].map(|index| find(index).ok());
    paths.iter().flatten().map(Path::save).collect()
}

/// Makes the digest of a path valid.
pub fn repair_path(bytes: &mut Vec<u8>) {
    repair_digest(bytes, b"WFPATH01");
}

/// Loads a path; one that loads is checked, subscribed, repaired and saved again.
///
/// # Panics
/// On a fault.
pub fn run_path(bytes: &[u8]) {
    let Ok(path) = WORLD.load_path(bytes) else {
        return;
    };
    let mut world = WORLD.clone();
    world.status(&path);
    let subscription = world.subscribe(path.clone());
    let request = path_request();
    let mut searcher = Searcher::default();
    world.repair(&mut searcher, &request, &path).ok();
    let (low, high) = (at(3.0, 1.0), Position::new(9.0, 9.0, 2.0));
    world.add_solid(Solid::cuboid(low, high)).unwrap();
    world.status(&path);
    world.repair(&mut searcher, &request, &path).ok();
    let bytes = world.save();
    assert!(World::load(&bytes).unwrap().save() == bytes, "other bytes");
    world.unsubscribe(subscription);
    WORLD.load_path(&path.save()).unwrap();
}

/// Loads a planner; one that loads goes on while the world changes, and can be saved.
///
/// # Panics
/// On a fault.
pub fn run_planner(bytes: &[u8]) {
    let Ok(mut planner) = Planner::load(bytes, &WORLD) else {
        return;
    };
    Planner::load(&planner.save(), &WORLD).unwrap();
    let mut world = WORLD.clone();
    let id = planner.request(PathRequest::new(at(0.3, 0.3), at(11.5, 11.5)));
    for round in 0..4 {
        planner.update(&world);
        for event in planner.take_events() {
            planner.advance(event.id(), at(1.0, 1.0));
        }
        let (low, high) = (
            at(3.0 + f64::from(round), 1.0),
            Position::new(9.0, 9.0, 2.0),
        );
        world.add_solid(Solid::cuboid(low, high)).unwrap();
    }
    planner.retarget(id, at(1.0, 1.0));
    planner.update(&world);
    planner.cancel(id);
    // Counts that were forged close to their limit may have passed it.
    Planner::load(&planner.save(), &world).map(drop).ok();
}
