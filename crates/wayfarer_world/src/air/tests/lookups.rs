//! Rays, sweeps, clearance, nearest voxels and cursors against brute force.
use super::*;

fn point(at: [i64; 3]) -> Point3 {
    let [x, y, z] = at.map(|at| Fixed::from_raw(at as i32));
    Point3 { x, y, z }
}

fn random_point(world: &Dense, rng: &mut Rng) -> [i64; 3] {
    // Often on the centers, faces, edges and corners of voxels.
    let step = [1, 64, 128, 256][rng.below(4) as usize];
    let low = [world.low.x, world.low.y, world.low.z];
    std::array::from_fn(|axis| {
        let length = i64::from(world.size[axis]) * 256;
        let at = i64::from(rng.below((length / step) as u32)) * step;
        i64::from(low[axis]) * 256 + at
    })
}

/// All voxels that the line touches: at each crossing of voxel faces, the whole box between the
/// voxel before and the voxel after.
fn line_voxels(from: [i64; 3], to: [i64; 3]) -> Vec<(f64, Voxel)> {
    let mut crossings: Vec<(i128, i128, usize)> = Vec::new(); // distance, length, axis
    for axis in 0..3 {
        let (a, b) = (from[axis] >> 8, to[axis] >> 8);
        let length = i128::from((to[axis] - from[axis]).abs());
        for k in a.min(b) + 1..=a.max(b) {
            crossings.push((i128::from((k * 256 - from[axis]).abs()), length, axis));
        }
    }
    crossings.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    let mut at = from.map(|at| at >> 8);
    let voxel = |at: [i64; 3]| Voxel::new(at[0] as i32, at[1] as i32, at[2] as i32);
    let mut list = vec![(0.0, voxel(at))];
    for same in crossings.chunk_by(|a, b| a.0 * b.1 == b.0 * a.1) {
        let axes = same.iter().fold(0, |axes, crossing| axes | 1 << crossing.2);
        let time = same[0].0 as f64 / same[0].1 as f64;
        let before = at;
        for subset in (1..8).filter(|subset| subset & !axes == 0) {
            at = before;
            for axis in (0..3).filter(|axis| subset >> axis & 1 == 1) {
                at[axis] += (to[axis] - from[axis]).signum();
            }
            list.push((time, voxel(at)));
        }
        for axis in 0..3 {
            at[axis] = before[axis];
            if axes >> axis & 1 == 1 {
                at[axis] += (to[axis] - from[axis]).signum();
            }
        }
    }
    assert_eq!(at, to.map(|at| at >> 8));
    list
}

#[test]
fn a_ray_hits_the_first_solid_voxel_on_its_line() {
    let (mut hits, mut ties) = (0, 0);
    for seed in 0..120 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 1);
        for _ in 0..150 {
            let (from, to) = (
                random_point(&world, &mut rng),
                random_point(&world, &mut rng),
            );
            let list = line_voxels(from, to);
            let first = list.iter().find(|(_, at)| world.is_solid(*at));
            let found = air.cast_ray(point(from), point(to)).unwrap();
            let found = found.map(|hit| (hit.fraction, hit.voxel));
            assert_eq!(found, first.copied(), "seed {seed}: {from:?} to {to:?}");
            hits += usize::from(first.is_some());
            ties += usize::from(list.windows(2).any(|w| w[0].0.total_cmp(&w[1].0).is_eq()));
        }
    }
    assert!(
        hits > 1_000 && ties > 1_000,
        "{hits} hits, {ties} lines through edges"
    );
}

#[test]
fn line_of_sight_is_symmetric_and_ends_at_the_bounds() {
    for seed in 0..60 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 2);
        for _ in 0..100 {
            let voxel = |rng: &mut Rng| {
                let at = random_point(&world, rng).map(|at| (at >> 8) as i32);
                Voxel::new(at[0], at[1], at[2])
            };
            let (a, b) = (voxel(&mut rng), voxel(&mut rng));
            assert_eq!(
                air.has_line_of_sight(a, b),
                air.has_line_of_sight(b, a),
                "seed {seed}: {a} {b}"
            );
            let center = |at: Voxel| [at.x, at.y, at.z].map(|at| i64::from(at) * 256 + 128);
            let free = line_voxels(center(a), center(b))
                .iter()
                .all(|(_, at)| world.is_free(*at));
            assert_eq!(air.has_line_of_sight(a, b), free, "seed {seed}: {a} {b}");
        }
        let outside = Voxel::new(world.low.x - 1, world.low.y, world.low.z);
        assert!(!air.has_line_of_sight(world.low, outside));
        let far = point([i64::from(outside.x) * 256, 0, 0]);
        assert!(air.cast_ray(far, far).is_err());
    }
}

/// The squared distance from a point to a voxel.
fn squared_distance(from: [i64; 3], at: Voxel) -> i64 {
    [at.x, at.y, at.z]
        .iter()
        .zip(from)
        .fold(0, |sum, (&at, from)| {
            let low = i64::from(at) * 256;
            let gap = from.clamp(low, low + 256) - from;
            sum + gap * gap
        })
}

#[test]
fn clearance_is_the_distance_to_the_nearest_solid_voxel() {
    for seed in 0..80 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 3);
        for _ in 0..30 {
            let at =
                random_point(&world, &mut rng).map(|at| at + i64::from(rng.between(-999, 999)));
            let limit = [0, 300, 2_000, 100_000][rng.below(4) as usize];
            let nearest = world
                .voxels()
                .filter(|at| world.is_solid(*at))
                .map(|voxel| squared_distance(at, voxel))
                .min();
            let expected = nearest.map_or(limit, |square| square.isqrt().min(limit));
            let found = air.clearance(point(at), Fixed::from_raw(limit as i32));
            assert_eq!(
                i64::from(found.raw()),
                expected,
                "seed {seed}: {at:?} limit {limit}"
            );
        }
    }
}

#[test]
fn the_nearest_free_voxel_is_nearest_with_ties_by_z_y_x() {
    for seed in 0..80 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 4);
        for _ in 0..30 {
            let at = random_point(&world, &mut rng).map(|at| (at >> 8) as i32 + rng.between(-5, 5));
            let at = Voxel::new(at[0], at[1], at[2]);
            let limit = rng.below(12);
            let square =
                |to: Voxel| (to.x - at.x).pow(2) + (to.y - at.y).pow(2) + (to.z - at.z).pow(2);
            let expected = world
                .voxels()
                .filter(|to| world.is_free(*to) && square(*to) <= limit.pow(2) as i32)
                .min_by_key(|to| (square(*to), to.z, to.y, to.x));
            assert_eq!(
                air.nearest_free(at, limit),
                expected,
                "seed {seed}: {at} limit {limit}"
            );
        }
    }
}

#[test]
fn a_swept_ball_hits_the_first_voxel_nearer_than_its_radius() {
    let mut hits = 0;
    for seed in 0..80 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 5);
        for _ in 0..25 {
            let (from, to) = (
                random_point(&world, &mut rng),
                random_point(&world, &mut rng),
            );
            let radius = [64, 128, 200, 700][rng.below(4) as usize];
            let found = air.sweep(point(from), point(to), Fixed::from_raw(radius));
            // Sampled times: before the hit every voxel is farther than the radius, at the hit one
            // is not.
            let steps = 2_000;
            let along = |step: i64| -> [f64; 3] {
                std::array::from_fn(|axis| {
                    from[axis] as f64 + (to[axis] - from[axis]) as f64 * step as f64 / steps as f64
                })
            };
            let distance = |at: [f64; 3], voxel: Voxel| {
                let gaps = [voxel.x, voxel.y, voxel.z]
                    .into_iter()
                    .zip(at)
                    .map(|(low, at)| {
                        let low = f64::from(low) * 256.0;
                        at.clamp(low, low + 256.0) - at
                    });
                gaps.map(|gap| gap * gap).sum::<f64>().sqrt()
            };
            let what = format!("seed {seed}: {from:?} to {to:?} radius {radius}: {found:?}");
            if let Some(hit) = found {
                hits += 1;
                assert!(world.is_solid(hit.voxel), "{what}");
                let at: [f64; 3] = std::array::from_fn(|axis| {
                    from[axis] as f64 + (to[axis] - from[axis]) as f64 * hit.fraction
                });
                assert!(distance(at, hit.voxel) < f64::from(radius) + 1e-3, "{what}");
            }
            let end = found.map_or(1.0, |hit| hit.fraction);
            let solid: Vec<Voxel> = world.voxels().filter(|at| world.is_solid(*at)).collect();
            for step in (0..=steps)
                .step_by(40)
                .filter(|&step| (step as f64) < end * steps as f64)
            {
                let at = along(step);
                let nearest = solid.iter().map(|voxel| distance(at, *voxel));
                let nearest = nearest.fold(f64::MAX, f64::min);
                assert!(
                    nearest >= f64::from(radius) - 1e-3,
                    "{what}: hit at step {step}"
                );
            }
        }
    }
    assert!(hits > 300, "{hits} hits");
}

#[test]
fn a_ball_fits_a_tunnel_as_wide_as_itself_but_no_narrower_one() {
    // A tunnel of 2 x 2 voxels along x.
    let mut world = Dense::new(Voxel::new(0, 0, 0), [20, 6, 6]);
    fill(&mut world, Voxel::new(0, 0, 0), Voxel::new(19, 5, 5), true);
    fill(&mut world, Voxel::new(0, 2, 2), Voxel::new(19, 3, 3), false);
    let air = world.to_air();
    let (from, to) = (point([300, 768, 768]), point([4_800, 768, 768]));
    assert_eq!(air.sweep(from, to, Fixed::from_raw(256)), None);
    assert!(air.sweep(from, to, Fixed::from_raw(257)).is_some());
    assert_eq!(air.sweep(from, to, Fixed::from_raw(0)), None);
    let aside = point([4_800, 770, 768]);
    let hit = air.sweep(from, aside, Fixed::from_raw(256)).unwrap();
    assert_eq!((hit.voxel.y, hit.voxel.z), (4, 2));
}

#[test]
fn a_warm_cursor_agrees_with_a_fresh_one() {
    for seed in 0..40 {
        let world = random_world(seed);
        let air = world.to_air();
        let mut rng = Rng::for_stream(seed, 6);
        let mut cursor = air.cursor();
        let mut at = world.low;
        for _ in 0..3_000 {
            let radius = [1, 2, 9, 50][rng.below(4) as usize];
            at = Voxel::new(
                at.x + rng.between(-radius, radius),
                at.y + rng.between(-radius, radius),
                at.z + rng.between(-radius, radius),
            );
            if world.index(at).is_none() && rng.chance(3, 4) {
                at = Voxel::new(
                    at.x.clamp(air.low().x, air.high().x),
                    at.y.clamp(air.low().y, air.high().y),
                    at.z.clamp(air.low().z, air.high().z),
                );
            }
            assert_eq!(cursor.is_free(at), world.is_free(at), "seed {seed}: {at}");
            let Some(local) = air.to_local(at) else {
                assert_eq!(world.index(at), None);
                continue;
            };
            let node = cursor.local_node_at(local);
            assert_eq!(node, air.cursor().local_node_at(local), "seed {seed}: {at}");
            let side = match node {
                LocalNode::Cube { layer, .. } => 4 << layer,
                LocalNode::Leaf { .. } => 4,
            };
            // A random voxel of the node agrees with it, not only the queried one.
            let voxel = local.map(|at| (at & !(side - 1)) + rng.below(side));
            let free = match node {
                LocalNode::Cube { solid, .. } => !solid,
                LocalNode::Leaf { free } => free >> bits::index(voxel.map(|at| at & 3)) & 1 == 1,
            };
            let voxel = air.to_world(voxel);
            if world.index(voxel).is_none() {
                continue;
            }
            assert_eq!(
                free,
                world.is_free(voxel),
                "seed {seed}: {voxel} in {node:?}"
            );
        }
    }
}
