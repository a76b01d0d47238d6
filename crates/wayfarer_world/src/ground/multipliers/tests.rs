use wayfarer_base::{
    Column, CostModifier, CostModifierId, CostMultiplier, GroundEdit, Profile, Raster, Rect, Shape,
    Terrain,
};

use super::*;

fn times(n: u16) -> CostMultiplier {
    CostMultiplier::from_sixteenths(16 * n).unwrap()
}

fn modifier(id: u64, high: i32, multiplier: CostMultiplier) -> GroundEdit {
    GroundEdit::PutCostModifier {
        id: CostModifierId(id),
        modifier: CostModifier {
            shape: Shape::Box(Rect::around(Column::new(0, 0), Column::new(high, high))),
            heights: (0, 0),
            multiplier,
        },
    }
}

#[test]
fn the_only_multiplier_follows_terrains_modifiers_and_the_profile() {
    let mut ground = Ground::from_raster(&Raster::from_bytes(40, 40, vec![0; 1600]).unwrap());
    let swamp = Terrain::new(9).unwrap();
    let wader = ground
        .register_profile(Profile {
            allowed_terrains: Profile::DEFAULT.allowed_terrains | swamp.bit(),
            terrain_costs: vec![(swamp, times(3))],
            ..Profile::DEFAULT
        })
        .unwrap();
    let check = |ground: &Ground, default, registered| {
        assert_eq!(ground.only_cost_multiplier(None), default);
        assert_eq!(ground.only_cost_multiplier(Some(wader)), registered);
    };
    check(&ground, Some(times(1)), Some(times(1)));
    ground.apply(&[modifier(1, 3, times(2))]).unwrap();
    check(&ground, None, None);
    ground.apply(&[modifier(1, 40, times(2))]).unwrap();
    check(&ground, Some(times(2)), Some(times(2)));
    let cell = Column::new(20, 20).at(0);
    let put = GroundEdit::PutCell {
        cell,
        terrain: swamp,
    };
    ground
        .apply(&[put, GroundEdit::RemoveCostModifier(CostModifierId(1))])
        .unwrap();
    check(&ground, Some(times(1)), None);
}
