use wayfarer_base::{Cell, GroundEdit, Rng};
use wayfarer_world::air::AirEdit;
use wayfarer_world::ground::GroundEditError;

use super::super::apply::tests::meadow;
use super::*;

fn at(x: f64, y: f64, z: f64) -> Position {
    Position::new(x, y, z)
}

/// The four kinds around one place, each 2 units high.
fn random_solid(rng: &mut Rng) -> Solid {
    let mut number = |most: i32| f64::from(rng.between(0, most * 8)) / 8.0;
    let (x, y, z) = (number(18), number(18), number(6));
    let (width, depth, height) = (0.5 + number(4), 0.5 + number(4), 0.25 + number(3));
    let high = at(x + width, y + depth, z + height);
    let solid = match rng.below(4) {
        0 => Solid::cuboid(at(x, y, z), high),
        1 => Solid::cylinder(at(x, y, z), width / 2.0, height),
        2 => Solid::prism(
            [at(x, y, z), at(x + width, y + 0.5, z), at(x, y + depth, z)],
            height,
        ),
        _ => {
            let vertices = [
                at(x, y, z),
                at(high.units()[0], y, z),
                at(x, high.units()[1], z),
            ];
            let top = at(x, y, high.units()[2]);
            let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
            Solid::mesh(vertices.into_iter().chain([top]), faces)
        }
    };
    let top = *rng.pick(&[Terrain::GROUND, Terrain::SWAMP]).unwrap();
    solid.with_top(top)
}

/// A solid alone in the air.
fn is_solid_in(world: &World, solid: &Solid, voxel: Voxel) -> bool {
    let mut alone = World::new(wayfarer_base::Profile::DEFAULT).unwrap();
    let air = world.air().unwrap();
    let empty = wayfarer_world::air::AirBuilder::new(air.low(), air.size()).unwrap();
    alone = alone.with_air(empty.build().unwrap());
    alone.add_solid(solid.clone()).unwrap();
    alone.air().unwrap().is_solid(voxel)
}

#[test]
fn solids_in_any_order_leave_the_terrain_as_it_was() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut world = meadow();
        let before = world.canonical();
        let mut ids = Vec::new();
        for _ in 0..12 {
            let hash = world.state_hash();
            let (id, changes) = world.add_solid(random_solid(&mut rng)).unwrap();
            assert_eq!(changes.new_solids().collect::<Vec<_>>(), [id]);
            // Undone and placed again, under the same id.
            let placed = world.state_hash();
            let undone = world.apply(changes.inverse()).unwrap();
            assert_eq!(world.state_hash(), hash, "seed {seed}");
            world.apply(undone.inverse()).unwrap();
            assert_eq!(world.state_hash(), placed, "seed {seed}");
            ids.push(id);
            if ids.len() > 5 {
                let gone = ids.swap_remove(rng.below(5) as usize);
                world.remove_solid(gone).unwrap();
                let unknown = world.remove_solid(gone).unwrap_err();
                let expected = GroundEditError::UnknownSolid { edit: 0, id: gone };
                assert_eq!(unknown, EditError::Ground(expected));
            }
            ids.sort_unstable();
            assert_eq!(world.solid_ids().collect::<Vec<_>>(), ids);
        }
        let mut loaded = World::load(&world.save()).unwrap();
        assert_eq!(loaded.state_hash(), world.state_hash());
        assert_eq!(loaded.canonical(), world.canonical());
        assert_eq!(loaded.save(), world.save());
        let next = loaded.add_solid(random_solid(&mut rng)).unwrap().0;
        assert_eq!(next, SolidId(12));
        for id in ids {
            world.apply([Edit::remove_solid(id)]).unwrap();
        }
        assert_eq!(world.canonical(), before, "seed {seed}");
    }
}

#[test]
fn overlapping_solids_fill_the_union_of_their_voxels() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut world = meadow();
        let solids: Vec<Solid> = (0..4).map(|_| random_solid(&mut rng)).collect();
        let ids: Vec<SolidId> = solids
            .iter()
            .map(|solid| world.add_solid(solid.clone()).unwrap().0)
            .collect();
        world.remove_solid(ids[1]).unwrap();
        for _ in 0..200 {
            let mut below = |most: i32| rng.between(0, most - 1);
            let voxel = Voxel::new(below(24), below(24), below(10));
            let others = [0, 2, 3].map(|n| is_solid_in(&world, &solids[n], voxel));
            let expected = others.contains(&true);
            assert_eq!(world.air().unwrap().is_solid(voxel), expected, "{voxel}");
        }
    }
}

#[test]
fn a_batch_with_an_unknown_solid_changes_nothing() {
    let mut world = meadow();
    let wall = Solid::cuboid(at(2.0, 2.0, 0.0), at(3.0, 9.0, 2.0));
    let (id, _) = world.add_solid(wall.clone()).unwrap();
    let before = (world.state_hash(), world.revision());
    let bad = [
        Edit::remove_solid(SolidId(7)),
        Edit::add_solid(Solid::cuboid(at(1.0, 1.0, 1.0), at(1.0, 2.0, 2.0))),
        Edit::add_solid(Solid::cylinder(at(1.0, 1.0, 1.0), f64::NAN, 2.0)),
        Edit::add_solid(Solid::cylinder(at(1.0, 1.0, 1.0), 2.0, f64::INFINITY)),
        Edit::add_solid(Solid::cylinder(at(1.0, 1.0, 1.0), 1e9, 1.0)),
        Edit::add_solid(Solid::prism([at(0.0, 0.0, 0.0)], 1.0)),
        Edit::add_solid(Solid::mesh([at(0.0, 0.0, 0.0)], [[0, 0, 9]])),
        Edit::add_solid(Solid::mesh([], [])),
        Edit::Ground(GroundEdit::PutSolid {
            id: SolidId(9),
            solid: wall.rasterized(&world.scale()).unwrap().0,
        }),
        Edit::Air(AirEdit::Put {
            id: geometry_of(SolidId(9)),
            geometry: wall.rasterized(&world.scale()).unwrap().1,
        }),
    ];
    for edit in bad {
        world
            .apply([Edit::remove_solid(id), edit.clone()])
            .expect_err(&format!("{edit:?}"));
        assert_eq!((world.state_hash(), world.revision()), before);
    }
    // Placed and removed in one batch; the id is used up.
    let batch = [
        Edit::add_solid(wall.clone()),
        Edit::remove_solid(SolidId(1)),
    ];
    world.apply(batch).unwrap();
    assert_eq!(world.state_hash(), before.0);
    assert_eq!(world.add_solid(wall).unwrap().0, SolidId(2));
}

#[test]
fn carving_leaves_solids_standing() {
    let mut world = meadow();
    let (low, high) = (at(4.0, 4.0, 0.0), at(6.0, 6.0, 3.0));
    let (id, _) = world.add_solid(Solid::cuboid(low, high)).unwrap();
    let floor = Some(Terrain::SWAMP);
    let (low, high) = (at(3.0, 3.0, -2.0), at(7.0, 7.0, 5.0));
    world.apply([Edit::CarveBox { low, high, floor }]).unwrap();
    assert!(world.is_walkable(Cell::new(4, 4, 3)));
    assert!(world.air().unwrap().is_solid(Voxel::new(4, 4, 2)));
    assert_eq!(world.terrain(Cell::new(3, 3, -2)), floor);
    world.remove_solid(id).unwrap();
    assert_eq!(world.terrain(Cell::new(4, 4, -2)), floor);
    assert!(world.air().unwrap().is_free(Voxel::new(4, 4, 2)));
}
