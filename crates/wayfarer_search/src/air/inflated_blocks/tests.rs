use std::cell::RefCell;

use wayfarer_base::{ChangeLog, Fixed, Rng, Voxel};
use wayfarer_world::air::{Air, AirBuilder, AirEdit};

use super::super::inflated::{InflatedSource, reach_of};
use super::super::node_source::NodeSource;
use super::super::{AirLog, FlightRequest, FlightSearcher};
use super::InflatedBlocks;

/// Voxels along each axis: not multiples of a block or a leaf.
const SIZE: [u32; 3] = [70, 53, 42];

fn random_box(rng: &mut Rng) -> (Voxel, Voxel) {
    let mut low = [0; 3];
    let mut high = [0; 3];
    for axis in 0..3 {
        let end = SIZE[axis].cast_signed() - 1;
        low[axis] = rng.between(0, end);
        high[axis] = (low[axis] + rng.between(0, 9) * rng.between(0, 2)).min(end);
    }
    let voxel = |at: [i32; 3]| Voxel::new(at[0], at[1], at[2]);
    (voxel(low), voxel(high))
}

fn random_air(rng: &mut Rng) -> Air {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), SIZE).unwrap();
    for _ in 0..rng.between(1, 14) {
        let (low, high) = random_box(rng);
        builder.add_box(low, high).unwrap();
    }
    builder.build().unwrap()
}

fn edit(air: &mut Air, rng: &mut Rng) -> AirLog {
    let mut log = ChangeLog::starting_at(air.revision(), 8);
    for _ in 0..2 {
        let (low, high) = random_box(rng);
        let edit = if rng.chance(1, 2) {
            AirEdit::Fill { low, high }
        } else {
            AirEdit::Clear { low, high }
        };
        log.push(air.apply(&[edit]).unwrap());
    }
    log
}

#[test]
fn kept_blocks_have_the_nodes_of_computed_ones_after_any_edits() {
    let radii = [200, 256, 512, 640, 1_300, 3_000];
    for (seed, radius) in (0..10).zip(radii.into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let mut air = random_air(&mut rng);
        let radius = Fixed::from_raw(radius);
        let mut blocks = InflatedBlocks::default();
        for _ in 0..5 {
            blocks.bind(&air, radius.raw());
            let kept = RefCell::new(blocks);
            let mut with_blocks = InflatedSource::with_blocks(&air, radius, &kept);
            let mut without = InflatedSource::new(&air, radius);
            for _ in 0..3_000 {
                let at = std::array::from_fn(|axis| rng.between(0, SIZE[axis].cast_signed() - 1));
                assert_eq!(
                    with_blocks.node_at(at),
                    without.node_at(at),
                    "{at:?}, seed {seed}"
                );
            }
            blocks = kept.into_inner();
            let log = edit(&mut air, &mut rng);
            let before = blocks.revision().unwrap();
            for changes in log.since(before).unwrap() {
                blocks.sync(&air, changes, reach_of(radius));
            }
            assert_eq!(blocks.revision(), Some(air.revision()));
        }
    }
}

#[test]
fn a_searcher_that_keeps_blocks_finds_what_a_new_one_finds() {
    let mut n_found = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let mut air = random_air(&mut rng);
        let mut searcher = FlightSearcher::default();
        for _ in 0..12 {
            let (from, to) = (random_box(&mut rng).0, random_box(&mut rng).0);
            let request = FlightRequest {
                radius: Fixed::from_raw(*rng.pick(&[256, 512, 512, 512]).unwrap()),
                ..FlightRequest::new(from, to)
            };
            let found = searcher.find(&air, &request);
            assert_eq!(found, FlightSearcher::default().find(&air, &request));
            n_found += usize::from(found.is_ok());
            let log = edit(&mut air, &mut rng);
            if rng.chance(2, 3) {
                searcher.sync(&air, &log);
            }
        }
    }
    assert!(n_found > 50, "{n_found}");
}
