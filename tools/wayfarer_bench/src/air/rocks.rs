//! Asteroids, some of which move every tick: the cost of a tick with all repairs, compared with a
//! rebuilt octree at intervals.

use serde::Serialize;
use wayfarer_engine::base::{Fixed, Point3, Rng, Voxel};
use wayfarer_engine::world::air::{Air, AirBuilder, AirEdit, AirError, Geometry, GeometryId};
use wayfarer_measure::statistics::Spread;

use super::Tools;
use crate::error::BenchError;
use crate::memory::Allocated;

/// Which asteroids, and how many of them move how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RockPlan {
    /// Asteroids in all.
    pub n_rocks: u32,
    /// Voxels along each side of the box.
    pub side: u32,
    /// Asteroids that move.
    pub n_moving: u32,
    /// Ticks measured.
    pub n_ticks: u32,
    /// Ticks between comparisons with a rebuilt octree.
    pub check_every: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl RockPlan {
    /// Smallest and largest radius in voxels: 6 and 40 meters in voxels of 2 meters.
    pub const RADII: (u32, u32) = (3, 20);
    /// The farthest that an asteroid moves along an axis in one tick, in voxels.
    pub const FASTEST: u32 = 2;
}

impl Default for RockPlan {
    fn default() -> Self {
        Self {
            n_rocks: 5_000,
            side: 1_000,
            n_moving: 100,
            n_ticks: 300,
            check_every: 50,
            seed: 1,
        }
    }
}

/// The asteroids.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct RockRow {
    /// Asteroids in all.
    pub rocks: u32,
    /// Voxels along each side of the box.
    pub side: u32,
    /// Asteroids that move.
    pub moving: u32,
    /// Solid voxels.
    pub solid_voxels: u64,
    /// Nodes of the octree.
    pub nodes: usize,
    /// Bytes of the air with connectivity and geometry.
    pub memory_bytes: usize,
    /// The same after all ticks.
    pub memory_after_ticks_bytes: usize,
    /// Building it, best of three.
    pub build_ms: f64,
    /// A tick: all moving asteroids moved in one batch, everything repaired.
    pub tick_ms: Option<Spread>,
    /// Comparisons with a rebuilt octree.
    pub checks: u32,
    /// Wrong results.
    pub faults: Vec<String>,
}

/// An asteroid and how far it moves in a tick, in 1/256 of a voxel.
#[derive(Clone, Copy)]
struct Rock {
    at: [i32; 3],
    radius: i32,
    speed: [i32; 3],
}

impl Rock {
    fn geometry(&self) -> Geometry {
        let [x, y, z] = self.at.map(Fixed::from_raw);
        Geometry::Ball {
            center: Point3 { x, y, z },
            radius: Fixed::from_raw(self.radius),
        }
    }

    /// Moves it; it reflects where its center would leave the box.
    fn step(&mut self, side: i32) {
        for (at, speed) in self.at.iter_mut().zip(&mut self.speed) {
            if !(0..side).contains(&(*at + *speed)) {
                *speed = -*speed;
            }
            *at += *speed;
        }
    }
}

fn rocks(plan: &RockPlan) -> Vec<Rock> {
    let mut rng = Rng::new(plan.seed);
    let parts = |voxels: u32| voxels.cast_signed() * 256;
    let (least, most) = RockPlan::RADII;
    let fastest = parts(RockPlan::FASTEST);
    let rock = |_| Rock {
        at: [(); 3].map(|()| rng.between(0, parts(plan.side) - 1)),
        radius: rng.between(parts(least), parts(most)),
        speed: [(); 3].map(|()| rng.between(-fastest, fastest)),
    };
    (0..plan.n_rocks).map(rock).collect()
}

fn build(plan: &RockPlan, rocks: &[Rock], n_threads: usize) -> Result<Air, AirError> {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [plan.side; 3])?;
    builder.threads(n_threads);
    for (name, rock) in (0..).zip(rocks) {
        builder.add_geometry(GeometryId(name), rock.geometry())?;
    }
    builder.build()
}

pub(super) fn measure(plan: &RockPlan, tools: &Tools) -> Result<RockRow, BenchError> {
    let wrong = BenchError::world("asteroids");
    let side = plan.side;
    if plan.n_moving > plan.n_rocks || !(8..=1 << 14).contains(&side) {
        let (n_rocks, n_moving) = (plan.n_rocks, plan.n_moving);
        return Err(BenchError::Arguments(format!(
            "{n_moving} of {n_rocks} asteroids cannot move in a box of {side} voxels a side"
        )));
    }
    let mut rocks = rocks(plan);
    let mut allocated = Allocated::default();
    let built = allocated.during(|| build(plan, &rocks, tools.n_threads));
    let mut air = built.map_err(wrong)?;
    let mut row = RockRow {
        rocks: plan.n_rocks,
        side,
        moving: plan.n_moving,
        solid_voxels: air.n_solid(),
        nodes: air.n_nodes(),
        memory_bytes: air.memory().total(),
        build_ms: f64::INFINITY,
        ..RockRow::default()
    };
    if tools.is_counted && i64::try_from(row.memory_bytes) != Ok(allocated.bytes) {
        let (reported, counted) = (row.memory_bytes, allocated.bytes);
        row.faults.push(format!(
            "reports {reported} bytes, the allocator counted {counted}"
        ));
    }
    for _ in 0..3 {
        let (again, nanoseconds) = tools.timer.time(|| build(plan, &rocks, tools.n_threads));
        row.build_ms = row.build_ms.min(nanoseconds / 1e6);
        drop(again.map_err(wrong)?);
    }
    let n_moving = plan.n_moving as usize;
    let mut ticks = Vec::new();
    for tick in 1..=plan.n_ticks {
        let edits: Vec<AirEdit> = (0..)
            .zip(&mut rocks[..n_moving])
            .map(|(name, rock)| {
                rock.step(side.cast_signed() * 256);
                AirEdit::Put {
                    id: GeometryId(name),
                    geometry: rock.geometry(),
                }
            })
            .collect();
        let (changes, nanoseconds) = tools.timer.time(|| air.apply(&edits));
        changes.map_err(wrong)?;
        ticks.push(nanoseconds / 1e6);
        if tick % plan.check_every.max(1) == 0 {
            row.checks += 1;
            let rebuilt = build(plan, &rocks, 1).map_err(wrong)?;
            if rebuilt.digest() != air.digest() {
                row.faults
                    .push(format!("tick {tick} differs from a rebuilt octree"));
            }
        }
    }
    row.memory_after_ticks_bytes = air.memory().total();
    row.tick_ms = Spread::of(&mut ticks);
    Ok(row)
}
