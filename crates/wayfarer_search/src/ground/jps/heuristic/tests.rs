//! Consistency of the heuristic with and without shortcuts.

use wayfarer_base::{
    Cell, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind, Profile, Rng, Terrain,
};

use super::*;
use wayfarer_world::ground::Ground;

/// A ground of teleports between cells of a square.
fn teleports(rng: &mut Rng, n_teleports: u32) -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let mut edits = vec![GroundEdit::PutCell {
        cell: Cell::flat(0, 0),
        terrain: Terrain::GROUND,
    }];
    for _ in 0..n_teleports {
        let mut cell = || Cell::flat(rng.between(-50, 50), rng.between(-50, 50));
        let (from, to) = (cell(), cell());
        if from != to {
            edits.push(GroundEdit::PutNavLink(NavLink {
                from,
                to,
                kind: NavLinkKind::Teleport,
                direction: LinkDirection::Bidirectional,
                cost: Cost::from_units(1 + rng.below(100_000)),
                state: LinkState::Open,
            }));
        }
    }
    ground.apply(&edits).unwrap();
    ground
}

#[test]
fn without_shortcuts_the_heuristic_is_the_octile_distance() {
    let mut heuristic = Heuristic::default();
    let ground = Ground::new(Profile::DEFAULT).unwrap();
    heuristic.prepare((&ground).into(), Column::new(3, -4));
    assert_eq!(heuristic.h(3, -4), 0);
    assert_eq!(heuristic.h(5, -7), Cost::octile(2, 3).units());
}

#[test]
fn the_heuristic_is_consistent_along_steps_and_nav_links() {
    let mut heuristic = Heuristic::default();
    for (seed, n_teleports) in [(1, 0), (2, 1), (3, 5), (4, 14), (5, 100)] {
        let mut rng = Rng::new(seed);
        let ground = teleports(&mut rng, n_teleports);
        let goal = Column::new(rng.between(-50, 50), rng.between(-50, 50));
        heuristic.prepare((&ground).into(), goal);
        assert_eq!(heuristic.h(goal.x, goal.y), 0);
        for edge in ground.nav_link_edges() {
            let (here, there) = (
                heuristic.h(edge.from.x, edge.from.y),
                heuristic.h(edge.to.x, edge.to.y),
            );
            assert!(here <= edge.cost.units() + there, "{seed}: {edge:?}");
        }
        for _ in 0..2_000 {
            let (x, y) = (rng.between(-60, 60), rng.between(-60, 60));
            let (dx, dy) = (rng.between(-1, 1), rng.between(-1, 1));
            let step = octile((0, 0), (dx, dy));
            let (here, there) = (heuristic.h(x, y), heuristic.h(x + dx, y + dy));
            assert!(here <= step + there, "{seed}: ({x}, {y})");
            assert!(here <= octile((x, y), (goal.x, goal.y)));
        }
    }
}
