//! Cells from bits against cells from the graph.

use wayfarer_base::{
    Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, Profile, Rect, Rng,
    Shape,
};
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_profile, random_world};
use wayfarer_world::ground::Ground;

use super::super::super::nav_graph::NavGraph;
use super::Cells;

/// Compares all blocks around the ground's sectors; returns how many were read from bits.
fn check(nav_graph: NavGraph<'_>, note: &str) -> u32 {
    let mut n_bits = 0;
    for sheet in nav_graph.ground().sheets() {
        for (dx, dy) in [(0, 0), (-16, 0), (0, -16), (-16, -16)] {
            let at = sheet.origin();
            let at = Column::new(at.x + dx, at.y + dy);
            let (mut bits, mut graph) = (Cells::default(), Cells::default());
            if !bits.read_bits(nav_graph, at) {
                continue;
            }
            assert!(graph.read_graph(nav_graph, at), "{note} {at}");
            n_bits += 1;
            assert!(bits.key() == graph.key(), "{note} {at}");
            assert_eq!(bits.multipliers, graph.multipliers, "{note} {at}");
            assert_eq!(bits.moves, graph.moves, "{note} {at}");
            assert_eq!(bits.is_symmetric, graph.is_symmetric, "{note} {at}");
            assert_eq!(bits.max_multiplier, graph.max_multiplier, "{note} {at}");
            for number in (0..bits.len()).filter(|number| bits.is_walkable(*number)) {
                assert_eq!(bits.node(number), graph.node(number), "{note} {at}");
            }
        }
    }
    n_bits
}

#[test]
fn bits_give_the_cells_and_steps_of_the_graph() {
    let mut n_bits = 0;
    for kind in WorldKind::ALL {
        for seed in 0..6 {
            let data = random_world(seed, kind);
            let mut ground = Ground::from_data(&data).unwrap();
            let mut world = ReferenceWorld::new(&data);
            let mut rng = Rng::for_stream(seed, 81);
            let wide = Profile {
                radius: Fixed::from_raw(rng.between(100, 500)),
                ..data.profile.clone()
            };
            let ids = [wide, random_profile(&mut rng)].map(|it| ground.register_profile(it));
            let ids = ids.map(|id| Some(id.unwrap()));
            let modifier = CostModifier {
                shape: Shape::Box(Rect::around(Column::new(-3, -3), Column::new(20, 9))),
                heights: (-99, 99),
                multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
            };
            let id = CostModifierId(9);
            let put = [GroundEdit::PutCostModifier { id, modifier }];
            ground.apply(&put).unwrap();
            world.apply(&put);
            for round in 0..4 {
                for profile_id in [None, ids[0], ids[1]] {
                    let nav_graph = NavGraph::new(&ground, profile_id).unwrap();
                    n_bits += check(
                        nav_graph,
                        &format!("{kind:?} {seed} {round} {profile_id:?}"),
                    );
                }
                let batch = random_batch(&mut rng, &world);
                ground.apply(&batch).unwrap();
                world.apply(&batch);
            }
        }
    }
    assert!(n_bits > 500, "{n_bits} blocks");
}
