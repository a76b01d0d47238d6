//! Cuts and views of the air, voxel by voxel against the air itself.

use wayfarer_base::Dice;
use wayfarer_world::air::AirBuilder;

use super::*;

fn some_air(seed: u64) -> Air {
    let mut dice = Dice::new(seed);
    let low = Voxel::new(-7, 3, -2);
    let size = [21, 18, 14];
    let mut builder = AirBuilder::new(low, size).unwrap();
    for _ in 0..60 {
        let at = [0, 1, 2].map(|axis| dice.below(size[axis]).cast_signed());
        let from = Voxel::new(low.x + at[0], low.y + at[1], low.z + at[2]);
        let to = Voxel::new(from.x + 2, from.y + dice.between(0, 5), from.z + 1);
        builder.solid_box(from, to).unwrap();
    }
    builder.build().unwrap()
}

/// What the marks say of every column: the last mark that covers it.
fn drawn(picture: &Picture) -> OrderedMap<Column, (CutOf, i32)> {
    let mut drawn = OrderedMap::new();
    for mark in picture.marks() {
        let Mark::Cut { from, what, .. } = mark else {
            panic!("{mark:?} is no part of a cut");
        };
        for column in mark.bounds().columns() {
            drawn.insert(column, (*what, from.z));
        }
    }
    drawn
}

#[test]
fn a_cut_shows_every_voxel_as_it_is() {
    for axis in Axis::ALL {
        let air = some_air(1);
        let depth = axis.of(air.low()) + 5;
        for picture in [
            Picture::of_air_cut(&air, axis, depth).unwrap(),
            Picture::of_air_layers(&air, axis, depth).unwrap(),
        ] {
            let drawn = drawn(&picture);
            assert_eq!(picture.bounds(), axis.bounds(&air));
            let mut n_solid = 0;
            for column in picture.bounds().columns() {
                let at = axis.voxel(column, depth);
                let solid = drawn[&column].0 == CutOf::Solid;
                assert_eq!(solid, air.is_solid(at), "{axis:?} {at}");
                n_solid += u32::from(solid);
            }
            assert!(n_solid > 20);
        }
    }
}

#[test]
fn layers_are_those_of_the_tree_and_squares_do_not_overlap() {
    let air = some_air(2);
    for axis in Axis::ALL {
        let depth = axis.of(air.low());
        let picture = Picture::of_air_layers(&air, axis, depth).unwrap();
        let mut free = 0;
        for mark in picture.marks() {
            let Mark::Cut {
                from,
                what: CutOf::Free { layer },
                ..
            } = mark
            else {
                continue;
            };
            let spot = air.localise(axis.voxel(from.column(), depth)).unwrap();
            assert_eq!(spot.link.layer(), *layer);
            let rect = mark.bounds();
            free += u64::from(rect.width()) * u64::from(rect.height());
        }
        let all = picture.bounds();
        assert!(free <= u64::from(all.width()) * u64::from(all.height()));
    }
}

#[test]
fn a_view_shows_the_nearest_solid_voxel() {
    for axis in Axis::ALL {
        let air = some_air(3);
        let picture = Picture::of_air_from(&air, axis).unwrap();
        let drawn = drawn(&picture);
        for column in picture.bounds().columns() {
            let depths = (axis.of(air.low())..=axis.of(air.high())).rev();
            let nearest = depths
                .into_iter()
                .find(|depth| air.is_solid(axis.voxel(column, *depth)));
            let found = drawn.get(&column).map(|(_, depth)| *depth);
            assert_eq!(found, nearest, "{axis:?} {column:?}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_none() {
    let air = some_air(4);
    assert!(Picture::of_air_cut(&air, Axis::Z, air.high().z + 1).is_none());
    assert!(Picture::of_air_layers(&air, Axis::X, air.low().x - 1).is_none());
    let wide = AirBuilder::new(Voxel::new(0, 0, 0), [131_072, 131_072, 1]).unwrap();
    let wide = wide.build().unwrap();
    assert!(Picture::of_air_from(&wide, Axis::Z).is_none());
    assert!(Picture::of_air_cut(&wide, Axis::Y, 5).is_some());
}
