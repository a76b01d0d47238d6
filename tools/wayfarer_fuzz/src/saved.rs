//! Saved worlds with repaired digests: an error or a valid world, in bounded memory.

use wayfarer_engine::base::{
    Cell, CostModifier, CostModifierId, CostMultiplier, Digest, Fixed, GroundEdit, LinkDirection,
    LinkState, NavLink, NavLinkKind, Point2, Profile, Raster, Shape, Terrain, Voxel,
};
use wayfarer_engine::search::multimodal::FlightProfile;
use wayfarer_engine::world::air::{AirBuilder, AirEdit};
use wayfarer_engine::world::bodies::Body;
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::world::obstacles::{Obstacle, ObstacleCategories, ObstacleSet};
use wayfarer_engine::{
    AgentType, BodyEdit, Edit, ObstacleEdit, PathRequest, Position, Searcher, World,
};

/// Saved worlds with something of everything.
pub fn seeds() -> Vec<Vec<u8>> {
    let small = World::new(Profile::DEFAULT).unwrap();
    vec![small.save(), rich_world().save()]
}

fn rich_world() -> World {
    let map = Raster::from_bytes(20, 20, vec![0; 400]).unwrap();
    let air = AirBuilder::new(Voxel::new(0, 0, 0), [20, 20, 9]).unwrap();
    let mut world = World::from_raster(&map)
        .with_air(air.build().unwrap())
        .with_obstacles(ObstacleSet::square(20).unwrap());
    let wide = Profile {
        radius: Fixed::from_raw(200),
        ..Profile::DEFAULT
    };
    let agent_type = AgentType {
        ground: Some(wide),
        flight: Some(FlightProfile::default()),
        ..AgentType::default()
    };
    world.add_agent_type(agent_type).unwrap();
    let point = |x: i32| Point2::new(Fixed::from_raw(x), Fixed::from_raw(2_000));
    let modifier = CostModifier {
        shape: Shape::Polygon(vec![point(300), point(900), point(-700)]),
        heights: (-1, 4),
        multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
    };
    let stairs = NavLink {
        from: Cell::flat(1, 1),
        to: Cell::new(3, 3, 7),
        kind: NavLinkKind::Stairs,
        cost: wayfarer_engine::base::Cost::STRAIGHT,
        direction: LinkDirection::Bidirectional,
        state: LinkState::Open,
    };
    let obstacle = Obstacle::cells(4, 4, 2, 3, ObstacleCategories::ALL).unwrap();
    let edits: Vec<Edit> = vec![
        GroundEdit::PutCell {
            cell: Cell::new(3, 3, 7),
            terrain: Terrain::SWAMP,
        }
        .into(),
        GroundEdit::PutNavLink(stairs).into(),
        GroundEdit::PutCostModifier {
            id: CostModifierId(9),
            modifier,
        }
        .into(),
        AirEdit::Fill {
            low: Voxel::new(3, 3, 1),
            high: Voxel::new(9, 5, 6),
        }
        .into(),
        ObstacleEdit::Insert(obstacle).into(),
        BodyEdit::Register(Body::at(point(1_000))).into(),
    ];
    world.apply(edits).unwrap();
    world
}

/// The columns of all solids of a saved world. One that is refused may have placed as many as the limit
/// allows before; they are in one world then, not in several.
pub fn solid_columns(bytes: &[u8]) -> u64 {
    let refused = Ground::MAX_ALL_SOLID_COLUMNS / 6;
    World::load(bytes).map_or(refused, |world| crate::solid_columns(&world))
}

/// Makes lengths and digests of a file valid as far as it is split into sections.
pub fn repair_digests(bytes: &mut Vec<u8>) {
    const HEADER: usize = 32;
    if bytes.len() < HEADER {
        return;
    }
    let (mut at, mut n_sections) = (HEADER, 0_u32);
    while bytes.len() >= at + 24 {
        let stated: [u8; 8] = bytes[at + 8..at + 16].try_into().unwrap();
        let left = bytes.len() - at - 24;
        let length = usize::try_from(u64::from_le_bytes(stated)).map_or(left, |n| n.min(left));
        bytes[at + 8..at + 16].copy_from_slice(&(length as u64).to_le_bytes());
        let mut digest = Digest::default();
        digest.bytes(&bytes[at..at + 16]);
        digest.bytes(&bytes[at + 24..at + 24 + length]);
        bytes[at + 16..at + 24].copy_from_slice(&digest.value().to_le_bytes());
        at += 24 + length;
        n_sections += 1;
    }
    bytes.truncate(at);
    bytes[..8].copy_from_slice(b"WAYFARER");
    bytes[8..12].copy_from_slice(&1_u32.to_le_bytes());
    bytes[12..16].copy_from_slice(&n_sections.to_le_bytes());
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let mut digest = Digest::default();
    digest.bytes(&bytes[..24]);
    bytes[24..32].copy_from_slice(&digest.value().to_le_bytes());
}

/// Loads a file; a world that loads is saved, loaded again, edited and searched.
///
/// # Panics
/// On a fault.
pub fn run(bytes: &[u8]) {
    let Ok(mut world) = World::load(bytes) else {
        return;
    };
    let saved = world.save();
    let again = World::load(&saved).unwrap();
    assert_eq!(again.save(), saved, "what loads saves and loads again");
    assert_eq!(again.revision(), world.revision());
    let request = PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(9.5, 9.5, 0.0));
    world
        .find_path(&mut Searcher::default(), &request)
        .map(drop)
        .ok();
    let before = world.state_hash();
    let cell = Cell::flat(5, 5);
    if let Ok(changes) = world.apply([GroundEdit::RemoveCell { cell }]) {
        world.apply(changes.inverse()).unwrap();
        assert_eq!(world.state_hash(), before, "the inverse undoes the batch");
    }
}
