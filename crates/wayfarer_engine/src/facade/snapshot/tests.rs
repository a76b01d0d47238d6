use wayfarer_base::{Cell, Cost, Fixed, GroundEdit, Profile, Raster, Rng};
use wayfarer_search::multimodal::{AirLink, FlightProfile};
use wayfarer_testkit::point;
use wayfarer_world::baked::AbstractionBuilder;
use wayfarer_world::bodies::{Body, Footprint, Mount, Sensor};

use super::*;
use crate::facade::apply::tests::{Ids, edit, meadow};
use crate::facade::random;

/// A world after many edits, with a sensor that detects a body.
fn edited_world(seed: u64, rng: &mut Rng, ids: &mut Ids) -> World {
    let mut world = meadow();
    if seed.is_multiple_of(3) {
        world.obstacles = None;
    }
    if seed % 4 == 1 {
        world.air = None;
    }
    let wide = Profile {
        radius: Fixed::from_raw(300),
        ..Profile::DEFAULT
    };
    world.add_agent_type(wide).unwrap();
    world.add_agent_type(FlightProfile::default()).unwrap();
    world.air_links = vec![AirLink {
        cell: Cell::flat(3, 4),
        voxel: Voxel::new(3, 4, 2),
        take_off: Some(Cost::from_units(9)),
        landing: None,
    }];
    let guard = world
        .bodies
        .register(&Body::at(point(2_000, 2_000)))
        .unwrap();
    let circle = Footprint::circle(point(0, 0), Fixed::from_raw(2_500));
    world
        .add_sensor(Sensor::new(Mount::Body(guard), circle))
        .unwrap();
    apply_random(&mut world, rng, ids);
    let World {
        sensors, bodies, ..
    } = &mut world;
    sensors.update(bodies, |_| true, &mut Vec::new());
    world
}

fn apply_random(world: &mut World, rng: &mut Rng, ids: &mut Ids) {
    for _ in 0..40 {
        // A rejected edit changes nothing.
        if let Ok(changes) = world.apply([edit(rng, ids)]) {
            ids.obstacles.extend(changes.new_obstacles());
            ids.bodies.extend(changes.new_bodies());
        }
    }
}

#[test]
fn a_loaded_world_continues_as_the_saved_one() {
    for seed in 0..24 {
        let (mut rng, mut ids) = (Rng::new(seed), Ids::default());
        let mut world = edited_world(seed, &mut rng, &mut ids);
        let bytes = world.save();
        let mut again = World::load(&bytes).unwrap();
        assert_eq!(again.save(), bytes, "seed {seed}");
        assert_eq!(again.canonical(), world.canonical(), "seed {seed}");
        assert_eq!(again.state_hash(), world.state_hash(), "seed {seed}");
        assert_eq!(again.revision(), world.revision());

        let mut same = rng.clone();
        let mut same_ids = Ids {
            obstacles: ids.obstacles.clone(),
            bodies: ids.bodies.clone(),
        };
        apply_random(&mut world, &mut rng, &mut ids);
        apply_random(&mut again, &mut same, &mut same_ids);
        let (mut events, mut loaded_events) = (Vec::new(), Vec::new());
        world.sensors.update(&world.bodies, |_| true, &mut events);
        again
            .sensors
            .update(&again.bodies, |_| true, &mut loaded_events);
        assert_eq!(events, loaded_events, "seed {seed}");
        assert_eq!(again.save(), world.save(), "seed {seed}");
    }
}

#[test]
fn every_flipped_bit_is_detected_or_harmless() {
    let (mut rng, mut ids) = (Rng::new(7), Ids::default());
    let world = edited_world(2, &mut rng, &mut ids);
    let bytes = world.save();
    for offset in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 1 << (offset % 8);
        let loaded = World::load(&damaged);
        let is_same = loaded.as_ref().is_ok_and(|loaded| loaded.save() == bytes);
        assert!(loaded.is_err() || is_same, "byte {offset}");
    }
}

/// The file with one byte of a section replaced and all digests recomputed.
fn forged(bytes: &[u8], tag: Tag, offset: usize, byte: u8) -> Option<Vec<u8>> {
    let snapshot = Snapshot::read(bytes).unwrap();
    let mut writer = SnapshotWriter::default();
    let mut is_done = false;
    for (known, length) in snapshot.sections() {
        let mut contents = snapshot.section(known).unwrap();
        let mut contents = contents.take(length as u64).unwrap().to_vec();
        if known == tag && offset < length && contents[offset] != byte {
            contents[offset] = byte;
            is_done = true;
        }
        writer.section(known, |sink| sink.raw(&contents));
    }
    is_done.then(|| writer.finish())
}

#[test]
fn a_forged_file_is_an_error_or_a_valid_world_and_never_a_panic() {
    let (mut rng, mut ids) = (Rng::new(11), Ids::default());
    let bytes = edited_world(2, &mut rng, &mut ids).save();
    let (mut n_rejected, mut n_loaded) = (0, 0);
    for tag in [WORLD, GROUND, OBSTACLES, BODIES, SENSORS, AGENT_TYPES, AIR] {
        let length = Snapshot::read(&bytes)
            .unwrap()
            .section(tag)
            .unwrap()
            .remaining();
        for _ in 0..150 {
            let offset = rng.below(length.try_into().unwrap()) as usize;
            let byte = [0, 1, 2, 0x7f, 0x80, 0xff][rng.below(6) as usize];
            let Some(forged) = forged(&bytes, tag, offset, byte) else {
                continue;
            };
            match World::load(&forged) {
                // What loads saves and loads again.
                Ok(world) => {
                    n_loaded += 1;
                    let saved = world.save();
                    let again = World::load(&saved).unwrap();
                    assert_eq!(again.save(), saved, "{tag} byte {offset}: {byte}");
                }
                Err(error) => {
                    n_rejected += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(n_rejected > 100 && n_loaded > 20, "{n_rejected} {n_loaded}");
}

#[test]
fn a_baked_abstraction_is_saved_and_rejected_for_another_ground() {
    let map = Raster::from_bytes(40, 40, vec![0; 1600]).unwrap();
    let mut world = World::from_raster(&map);
    let baked_map = AbstractionBuilder::from_raster(&map, 16)
        .unwrap()
        .bake()
        .unwrap();
    let bytes = world.save_baked(&baked_map);
    let (again, baked) = World::load_baked(&bytes).unwrap();
    assert_eq!(baked.unwrap().to_bytes(), baked_map.to_bytes());
    assert_eq!(again.save(), world.save());
    assert_eq!(World::load(&bytes).unwrap().save(), world.save());

    let cell = Cell::flat(5, 5);
    world.apply([GroundEdit::RemoveCell { cell }]).unwrap();
    let snapshot = Snapshot::read(&bytes).unwrap();
    let mut writer = world.save_sections();
    let mut old = snapshot.section(BAKED).unwrap();
    let old = old.take(old.remaining() as u64).unwrap();
    writer.section(BAKED, |sink| sink.raw(old));
    let error = World::load_baked(&writer.finish()).unwrap_err();
    assert!(matches!(error, LoadError::ForeignBaked { .. }), "{error}");
}

#[test]
fn errors_name_offset_value_and_expectation() {
    let bytes = meadow().save();
    let cases: [(Vec<u8>, &str); 3] = [
        (
            b"type octile\n".to_vec(),
            "byte 0: not a saved world, expected it to begin with `WAYFARER`",
        ),
        (
            [&bytes[..8], &[2], &bytes[9..]].concat(),
            "byte 8: version 2, expected 1",
        ),
        (
            forged(&bytes, WORLD, 8, 1).unwrap(),
            "byte 64: a length is 65537, expected 1/256 to 65,536 units in the coding of lengths",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(World::load(&bytes).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_version_1_snapshot_still_loads() {
    let bytes = include_bytes!("fixtures/version-1.wayfarer");
    let world = World::load(bytes).unwrap();
    assert_eq!(world.state_hash(), 0x5cd7_ab9d_f4aa_c895);
    assert_eq!(world.revision().number, 27);
    assert_eq!((world.bodies().len(), world.agent_types().count()), (2, 3));
    assert_eq!(world.save(), bytes);
}

#[test]
fn the_state_hash_covers_the_presence_and_bounds_of_obstacles() {
    let map = Raster::from_bytes(4, 4, vec![0; 16]).unwrap();
    let bare = World::from_raster(&map);
    let obstacles = |side| {
        bare.clone()
            .with_obstacles(ObstacleSet::square(side).unwrap())
    };
    let all = [bare.clone(), obstacles(4), obstacles(40)].map(|world| world.state_hash());
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
}

#[test]
fn forged_agent_types_air_links_and_revisions_are_rejected() {
    let mut world = meadow();
    let flight = FlightProfile {
        radius: Fixed::from_raw(0x0102),
        ..FlightProfile::default()
    };
    world.add_agent_type(flight).unwrap();
    let air_link = AirLink {
        cell: Cell::flat(3, 4),
        voxel: Voxel::new(3, 4, 2),
        take_off: Some(Cost::from_units(9)),
        landing: None,
    };
    world.air_links = vec![air_link];
    let bytes = world.save();
    // Past the count, the flag without ground, and the flag of flight: the radius.
    let wide = forged(&bytes, AGENT_TYPES, 8 + 1 + 1 + 1, 0x7f).unwrap();
    let error = World::load(&wide).unwrap_err();
    let expected =
        "section `KIND`: agent type 1: the flight radius is 127.01, expected 0 to 12 voxels";
    assert_eq!(error.to_string(), expected);

    // Two air links between the same cell and voxel.
    let costlier = AirLink {
        take_off: Some(Cost::from_units(10)),
        ..air_link
    };
    world.air_links = vec![air_link, costlier];
    let error = World::load(&world.save()).unwrap_err();
    assert!(
        matches!(error, LoadError::File(SnapshotError::Order { .. })),
        "{error}"
    );

    // A revision that later edits would overflow.
    for tag in [WORLD, GROUND] {
        let forged = forged(&bytes, tag, 7, 0xff).unwrap();
        let error = World::load(&forged).unwrap_err();
        assert!(error.to_string().contains("expected below 2^63"), "{error}");
    }
}

#[test]
fn from_file_refers_saved_worlds_to_load() {
    let bytes = meadow().save();
    let error = World::from_file("meadow.wayfarer", &bytes).unwrap_err();
    assert!(error.to_string().contains("`World::load`"), "{error}");
}

/// Worlds of the property below; `WAYFARER_WORLDS` asks for more.
fn n_worlds() -> u64 {
    let wanted = std::env::var("WAYFARER_WORLDS").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(400)
}

#[test]
fn whatever_the_interface_accepts_saves_and_loads() {
    for seed in 0..n_worlds() {
        let world = random::world(seed);
        let bytes = world.save();
        let again = World::load(&bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(again.save() == bytes, "seed {seed}: other bytes");
        assert_eq!(again.canonical(), world.canonical(), "seed {seed}");
        assert_eq!(again.state_hash(), world.state_hash(), "seed {seed}");
        assert!(again.agent_types().eq(world.agent_types()), "seed {seed}");
        assert!(again.sensors().eq(world.sensors()), "seed {seed}");
        assert!(
            again
                .attached_cost_modifiers()
                .eq(world.attached_cost_modifiers()),
            "seed {seed}"
        );
        // Both go on alike.
        let (mut world, mut again) = (world, again);
        let (mut rng, mut same) = (Rng::new(seed), Rng::new(seed));
        for _ in 0..4 {
            random::change(&mut world, &mut rng);
            random::change(&mut again, &mut same);
        }
        assert!(again.save() == world.save(), "seed {seed}: they part");
    }
}
