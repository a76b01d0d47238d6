use wayfarer_base::{GroundEdit, Profile};
use wayfarer_world::ground::Ground;

use super::*;

const LIMITS: JumpLimits = JumpLimits {
    max_cells: 3,
    max_up: 1,
    max_down: 6,
    over: 0,
};

/// Floors of a row: x, height and terrain.
fn row(floors: &[(i32, i32, Terrain)]) -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let put = |&(x, z, terrain): &(i32, i32, Terrain)| GroundEdit::PutCell {
        cell: Cell::new(x, 0, z),
        terrain,
    };
    let edits: Vec<GroundEdit> = floors.iter().map(put).collect();
    ground.apply(&edits).unwrap();
    ground
}

fn flat(xs: &[i32]) -> Vec<(i32, i32, Terrain)> {
    xs.iter().map(|x| (*x, 0, Terrain::GROUND)).collect()
}

fn found(ground: &Ground, limits: JumpLimits) -> Vec<(i32, i32, bool, NavLinkKind)> {
    let area = Rect {
        low: Column::new(-5, 0),
        high: Column::new(20, 0),
    };
    let links = jump_links(ground.into(), area, limits).into_iter();
    let link = |link: NavLink| {
        let is_bidirectional = link.direction == LinkDirection::Bidirectional;
        (link.from.x, link.to.x, is_bidirectional, link.kind)
    };
    links.map(link).collect()
}

#[test]
fn a_gap_within_the_limit_is_jumped_in_both_directions() {
    let ground = row(&flat(&[0, 1, 4, 5, 9]));
    assert_eq!(found(&ground, LIMITS), [(1, 4, true, NavLinkKind::Jump)]);
    let far = JumpLimits {
        max_cells: 4,
        ..LIMITS
    };
    assert_eq!(found(&ground, far).len(), 2);
}

#[test]
fn a_high_edge_is_a_drop_and_a_low_one_no_jump_up() {
    let mut floors = flat(&[0, 1]);
    floors.extend([(2, 5, Terrain::GROUND), (3, 5, Terrain::GROUND)]);
    assert_eq!(
        found(&row(&floors), LIMITS),
        [(2, 1, false, NavLinkKind::Drop)]
    );
    let climber = JumpLimits {
        max_up: 5,
        ..LIMITS
    };
    assert_eq!(
        found(&row(&floors), climber),
        [(1, 2, true, NavLinkKind::Jump)]
    );
}

#[test]
fn what_meets_the_body_blocks_a_jump() {
    let with = |x: i32, z: i32, terrain: Terrain| {
        let mut floors = flat(&[0, 1, 3, 4]);
        floors.push((x, z, terrain));
        found(&row(&floors), LIMITS).len()
    };
    assert_eq!(with(2, -9, Terrain::GROUND), 1, "a chasm");
    assert_eq!(with(2, 2, Terrain::WATER), 1, "a ceiling above the head");
    assert_eq!(
        with(2, 1, Terrain::WATER),
        0,
        "a bar at the height of the body"
    );
    assert_eq!(with(2, 0, Terrain::WATER), 0, "water");
    assert_eq!(with(2, -4, Terrain::SOLID), 0, "a solid");
    let wet = JumpLimits {
        over: Terrain::WATER.bit(),
        ..LIMITS
    };
    let mut brook = flat(&[0, 1, 3, 4]);
    brook.push((2, 0, Terrain::WATER));
    assert_eq!(found(&row(&brook), wet).len(), 1);
    // A thin wall at the edge.
    let mut ground = row(&flat(&[0, 1, 3, 4]));
    let wall = Wall {
        cell: Cell::flat(1, 0),
        side: WallSide::East,
    };
    ground.apply(&[GroundEdit::PutWall(wall)]).unwrap();
    assert_eq!(found(&ground, LIMITS), []);
}
