//! Edits against a dense reference and against rebuilds.
use super::*;

/// Reference: base voxels and geometries apart.
struct Oracle {
    base: Dense,
    geometries: std::collections::BTreeMap<u64, Geometry>,
}

impl Oracle {
    fn apply(&mut self, edit: &AirEdit) {
        match edit {
            AirEdit::Fill { low, high } => fill(&mut self.base, *low, *high, true),
            AirEdit::Clear { low, high } => fill(&mut self.base, *low, *high, false),
            AirEdit::Put { id, geometry } => {
                self.geometries.insert(id.0, geometry.clone());
            }
            AirEdit::Remove { id } => {
                self.geometries.remove(&id.0);
            }
            _ => unreachable!(),
        }
    }

    fn dense(&self) -> Dense {
        let mut world = self.base.clone();
        for at in self.base.voxels() {
            if self
                .geometries
                .values()
                .any(|geometry| covers(geometry, at))
            {
                world.set(at, true);
            }
        }
        world
    }

    fn rebuilt(&self) -> Air {
        let mut builder = AirBuilder::new(self.base.low, self.base.size).unwrap();
        for at in self.base.voxels().filter(|at| self.base.is_solid(*at)) {
            builder.add_voxel(at).unwrap();
        }
        for (id, geometry) in &self.geometries {
            builder
                .add_geometry(GeometryId(*id), geometry.clone())
                .unwrap();
        }
        builder.build().unwrap()
    }
}

/// True if a geometry overlaps the interior of a voxel, by definition.
fn covers(geometry: &Geometry, at: Voxel) -> bool {
    match geometry {
        Geometry::Box { low, high } => {
            low.x <= at.x
                && at.x <= high.x
                && low.y <= at.y
                && at.y <= high.y
                && low.z <= at.z
                && at.z <= high.z
        }
        Geometry::Ball { center, radius } => {
            let gap = |center: Fixed, at: i32| {
                let center = i64::from(center.raw());
                let (low, high) = (i64::from(at) * 256, i64::from(at) * 256 + 256);
                center.clamp(low, high).abs_diff(center)
            };
            let square = [(center.x, at.x), (center.y, at.y), (center.z, at.z)]
                .map(|(center, at)| gap(center, at).pow(2));
            square.iter().sum::<u64>() < (radius.raw().max(0) as u64).pow(2)
        }
        Geometry::Mesh { spans, shift } => {
            spans.is_solid(Voxel::new(at.x - shift.x, at.y - shift.y, at.z - shift.z))
        }
    }
}

fn random_voxel(world: &Dense, rng: &mut Rng) -> Voxel {
    Voxel::new(
        world.low.x + rng.below(world.size[0]) as i32,
        world.low.y + rng.below(world.size[1]) as i32,
        world.low.z + rng.below(world.size[2]) as i32,
    )
}

fn random_edit(oracle: &Oracle, rng: &mut Rng, with_geometries: bool) -> AirEdit {
    let world = &oracle.base;
    let low = random_voxel(world, rng);
    let side = [1, 1, 4, 4, 9, 40][rng.below(6) as usize];
    let end = |low: i32, from: i32, size: u32| (low + side - 1).min(from + size as i32 - 1);
    let high = Voxel::new(
        end(low.x, world.low.x, world.size[0]),
        end(low.y, world.low.y, world.size[1]),
        end(low.z, world.low.z, world.size[2]),
    );
    match rng.below(if with_geometries { 6 } else { 2 }) {
        0 => AirEdit::Fill { low, high },
        1 => AirEdit::Clear { low, high },
        2 => match oracle.geometries.keys().next() {
            Some(&id) => AirEdit::Remove { id: GeometryId(id) },
            None => AirEdit::Clear { low, high },
        },
        _ => AirEdit::Put {
            id: GeometryId(rng.below(4).into()),
            geometry: random_geometry(low, high, rng),
        },
    }
}

fn random_geometry(low: Voxel, high: Voxel, rng: &mut Rng) -> Geometry {
    let shift = |at: i32, rng: &mut Rng| at + rng.between(-6, 6);
    match rng.below(3) {
        0 => Geometry::Box {
            low,
            high: Voxel::new(high.x + 3, high.y, high.z + 1),
        },
        1 => Geometry::Ball {
            center: Point3 {
                x: Fixed::from_raw(shift(low.x, rng) * 256 + rng.between(0, 255)),
                y: Fixed::from_raw(shift(low.y, rng) * 256 + rng.between(0, 2) * 128),
                z: Fixed::from_raw(shift(low.z, rng) * 256),
            },
            radius: Fixed::from_raw(rng.between(0, 12 * 256)),
        },
        _ => {
            let dust = (0..60)
                .map(|_| Voxel::new(rng.between(-5, 5), rng.between(-5, 5), rng.between(0, 9)));
            Geometry::Mesh {
                spans: Arc::new(Spans::from_voxels(dust.collect::<Vec<_>>())),
                shift: low,
            }
        }
    }
}

fn check(seed: u64, n_batches: u32, with_geometries: bool) {
    let mut rng = Rng::for_stream(seed, 7);
    let base = random_world(seed);
    let mut oracle = Oracle {
        base,
        geometries: std::collections::BTreeMap::new(),
    };
    let mut air = oracle.rebuilt();
    for batch in 0..n_batches {
        let what = format!("seed {seed} batch {batch}");
        let mut edits = Vec::new();
        let before = air.clone();
        for _ in 0..=rng.below(3) {
            let edit = random_edit(&oracle, &mut rng, with_geometries);
            oracle.apply(&edit);
            edits.push(edit);
        }
        let changes = air
            .apply(&edits)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(changes.after, air.revision());
        let rebuilt = oracle.rebuilt();
        assert_eq!(
            air.digest(),
            rebuilt.digest(),
            "{what}: differs from a rebuild"
        );
        if batch % 8 == 0 {
            check_same(&air, &oracle.dense(), &what);
            check_dirty(&air, &changes, &before, &what);
        }
    }
}

/// Dirty sectors are those in which voxels differ, each with its cost change.
fn check_dirty(air: &Air, changes: &AirChanges, before: &Air, what: &str) {
    let mut expected = std::collections::BTreeMap::new();
    for at in Dense::new(air.low(), air.size()).voxels() {
        let cost_change = match (before.is_solid(at), air.is_solid(at)) {
            (false, true) => CostChange::Increase,
            (true, false) => CostChange::Decrease,
            _ => continue,
        };
        expected
            .entry(air.sector(at).unwrap())
            .and_modify(|before: &mut CostChange| *before = before.combined_with(cost_change))
            .or_insert(cost_change);
    }
    for (sector, cost_change) in &expected {
        let covers =
            |dirty: &&wayfarer_base::DirtySector<AirCube>| dirty.sector.sectors().contains(sector);
        let found = changes.dirty_sectors.iter().filter(covers);
        let found = found
            .map(|dirty| dirty.cost_change)
            .reduce(CostChange::combined_with);
        let found = found.unwrap_or_else(|| panic!("{what}: {sector:?} is not dirty"));
        // Edits of a batch may cancel out: a superset may be reported.
        assert!(
            found == *cost_change || found == CostChange::Mixed,
            "{what}"
        );
    }
}

#[test]
fn voxel_edits_equal_rebuilds() {
    for seed in 0..30 {
        check(seed, 40, false);
    }
}

#[test]
fn adding_moving_and_removing_geometries_equals_rebuilds() {
    for seed in 0..30 {
        check(seed, 40, true);
    }
}

#[test]
fn inverse_changes_restore_every_earlier_digest() {
    for seed in 0..20 {
        let mut rng = Rng::for_stream(seed, 9);
        let mut oracle = Oracle {
            base: random_world(seed),
            geometries: std::collections::BTreeMap::new(),
        };
        let geometry = Geometry::Box {
            low: oracle.base.low,
            high: oracle.base.low,
        };
        oracle.geometries.insert(77, geometry);
        let mut air = oracle.rebuilt();
        let mut history = Vec::new();
        for _ in 0..30 {
            let edit = random_edit(&oracle, &mut rng, true);
            oracle.apply(&edit);
            history.push((air.digest(), air.apply(&[edit]).unwrap()));
        }
        for (digest, changes) in history.iter().rev() {
            air.restore(&changes.inverse()).unwrap();
            assert_eq!(air.digest(), *digest, "seed {seed}");
        }
    }
}

#[test]
fn invalid_edits_are_rejected_and_change_nothing() {
    let mut air = random_world(5).to_air();
    let digest = air.digest();
    let (low, high) = (air.low(), air.high());
    let outside = Voxel::new(high.x + 1, high.y, high.z);
    let fine = AirEdit::Fill { low, high };
    let cases = [
        (
            AirEdit::Fill { low, high: outside },
            AirError::OutOfBounds {
                at: outside,
                low,
                high,
            },
        ),
        (
            AirEdit::Clear {
                low: high,
                high: Voxel::new(high.x, high.y, high.z - 1),
            },
            AirError::EmptyBox {
                low: high,
                high: Voxel::new(high.x, high.y, high.z - 1),
            },
        ),
        (
            AirEdit::Remove { id: GeometryId(4) },
            AirError::UnknownId { id: 4 },
        ),
        (
            AirEdit::Replace {
                low,
                high,
                content: BoxContent::Cubes(vec![(9, low, 0)]),
            },
            AirError::NoSuchCube { layer: 9, low },
        ),
        (
            AirEdit::Put {
                id: GeometryId(u64::MAX),
                geometry: Geometry::Box { low, high },
            },
            AirError::InvalidId,
        ),
    ];
    for (edit, error) in cases {
        assert_eq!(air.apply(&[fine.clone(), edit]), Err(error));
        assert_eq!(air.digest(), digest);
    }
    assert_eq!(air.revision().number, 0);
}

/// The change set of a box is as small as the box, whatever its volume.
#[test]
fn the_change_set_of_a_huge_box_is_small() {
    let builder = AirBuilder::new(Voxel::new(0, 0, 0), [1 << 17; 3]).unwrap();
    let mut air = builder.build().unwrap();
    let empty = air.digest();
    let (low, high) = (Voxel::new(0, 0, 0), Voxel::new(16_383, 16_383, 16_383));
    let changes = air.apply(&[AirEdit::Fill { low, high }]).unwrap();
    assert_eq!(changes.differences.len(), 1);
    assert_eq!(changes.dirty_sectors.len(), 1);
    assert_eq!(changes.dirty_sectors[0].sector.side(), 16_384);
    let inverse: Vec<AirEdit> = (changes.inverse().iter())
        .map(AirDifference::to_edit)
        .collect();
    assert_eq!(inverse, [AirEdit::Clear { low, high }]);
    air.apply(&inverse).unwrap();
    assert_eq!(air.digest(), empty);
}

/// A box that needs more leaves than a layer can have is refused before it is rasterized.
#[test]
fn a_box_with_too_many_leaves_at_its_faces_is_refused() {
    let builder = AirBuilder::new(Voxel::new(0, 0, 0), [1 << 17; 3]).unwrap();
    let mut air = builder.build().unwrap();
    let (low, high) = (Voxel::new(1, 0, 0), Voxel::new(1, 16_383, 16_383));
    let full = Err(AirError::TooManyNodes { layer: 0 });
    assert_eq!(air.apply(&[AirEdit::Fill { low, high }]), full);
    assert_eq!(air.n_solid(), 0);
}
