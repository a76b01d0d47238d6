//! Flights among asteroids that move between queries.

use serde::Serialize;
use wayfarer_engine::base::{Fixed, Outcome, Point3, Rng, Voxel};
use wayfarer_engine::search::air::{FlightRequest, FlightSearcher};
use wayfarer_engine::world::air::{AirBuilder, AirEdit, AirError, Geometry, GeometryId};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::Spread;

use super::lines::is_line_free;

/// Which asteroids, and how many flights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AsteroidPlan {
    /// Voxels along each side.
    pub side: u32,
    /// Asteroids, of radius 3 to 20 voxels.
    pub n_rocks: u32,
    /// How many move in a tick, by up to 2 voxels along each axis.
    pub n_moving: u32,
    /// Ticks.
    pub n_ticks: u32,
    /// Flights per tick, between random free voxels.
    pub n_flights: u32,
}

impl Default for AsteroidPlan {
    fn default() -> Self {
        Self {
            side: 1000,
            n_rocks: 5_000,
            n_moving: 100,
            n_ticks: 50,
            n_flights: 20,
        }
    }
}

/// The figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AsteroidRow {
    /// Asteroids.
    pub rocks: u32,
    /// How many moved in each tick.
    pub moving: u32,
    /// Ticks.
    pub ticks: u32,
    /// Flights.
    pub queries: usize,
    /// Flights through an asteroid, or not found.
    pub wrong: usize,
    /// Microseconds to find a flight.
    pub time_us: Option<Spread>,
    /// Length over the straight line.
    pub straight_ratio: Option<Spread>,
    /// Milliseconds for a tick: all that moved, everything repaired.
    pub tick_ms: Option<Spread>,
}

struct Rock {
    /// In 1/256 of a voxel.
    center: [i64; 3],
    radius: i64,
}

impl Rock {
    fn geometry(&self) -> Geometry {
        let at = |at: i64| Fixed::from_raw(i32::try_from(at).unwrap_or(0));
        let [x, y, z] = self.center.map(at);
        Geometry::Ball {
            center: Point3 { x, y, z },
            radius: at(self.radius),
        }
    }

    /// True if the ball reaches the inside of a voxel.
    fn covers(&self, voxel: [i64; 3]) -> bool {
        let square = (0..3).fold(0, |sum, axis| {
            let (low, high) = (voxel[axis] * 256, voxel[axis] * 256 + 256);
            let gap = (low - self.center[axis])
                .max(self.center[axis] - high)
                .max(0);
            sum + gap * gap
        });
        square < self.radius * self.radius
    }
}

/// Asteroids by blocks of 32 voxels a side, for the check without the octree.
struct Obstacles {
    rocks: Vec<Rock>,
    blocks: Vec<Vec<u32>>,
    per_side: i64,
}

impl Obstacles {
    fn new(side: u32) -> Self {
        let per_side = i64::from(side) / 32 + 1;
        let n_blocks = usize::try_from(per_side.pow(3)).unwrap_or(0);
        Self {
            rocks: Vec::new(),
            blocks: vec![Vec::new(); n_blocks],
            per_side,
        }
    }

    fn each_block(&mut self, rock: u32, mut visit: impl FnMut(&mut Vec<u32>)) {
        let Rock { center, radius } = self.rocks[rock as usize];
        let most = self.per_side - 1;
        let low = center.map(|at| ((at - radius) >> 13).clamp(0, most));
        let high = center.map(|at| ((at + radius) >> 13).clamp(0, most));
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    let block = x + self.per_side * (y + self.per_side * z);
                    visit(&mut self.blocks[usize::try_from(block).unwrap_or(0)]);
                }
            }
        }
    }

    fn file(&mut self, rock: u32) {
        self.each_block(rock, |block| block.push(rock));
    }

    fn unfile(&mut self, rock: u32) {
        self.each_block(rock, |block| block.retain(|other| *other != rock));
    }

    fn is_free(&self, voxel: [i64; 3]) -> bool {
        let [x, y, z] = voxel.map(|at| (at >> 5).clamp(0, self.per_side - 1));
        let block = usize::try_from(x + self.per_side * (y + self.per_side * z)).unwrap_or(0);
        !self.blocks[block]
            .iter()
            .any(|rock| self.rocks[*rock as usize].covers(voxel))
    }
}

/// Generates asteroids, moves them tick by tick and flies between the ticks.
///
/// # Errors
/// Asteroids beyond the limits.
pub fn measure(plan: &AsteroidPlan, timer: &Timer) -> Result<AsteroidRow, AirError> {
    let mut rng = Rng::new(31);
    let side = plan.side.cast_signed();
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [plan.side; 3])?;
    let mut obstacles = Obstacles::new(plan.side);
    for name in 0..plan.n_rocks {
        let mut at = || i64::from(rng.between(0, side * 256 - 1));
        let center = [at(), at(), at()];
        let rock = Rock {
            center,
            radius: i64::from(rng.between(3 * 256, 20 * 256)),
        };
        builder.add_geometry(GeometryId(name.into()), rock.geometry())?;
        obstacles.rocks.push(rock);
        obstacles.file(name);
    }
    let mut air = builder.build()?;
    let mut searcher = FlightSearcher::default();
    let (mut times, mut ticks, mut ratios, mut wrong) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for tick in 0..=plan.n_ticks {
        let mut edits = Vec::new();
        for _ in 0..plan.n_moving {
            let name = rng.below(plan.n_rocks);
            obstacles.unfile(name);
            let rock = &mut obstacles.rocks[name as usize];
            for at in &mut rock.center {
                *at = (*at + i64::from(rng.between(-512, 512))).clamp(0, i64::from(side) * 256 - 1);
            }
            let geometry = rock.geometry();
            obstacles.file(name);
            edits.push(AirEdit::Put {
                id: GeometryId(name.into()),
                geometry,
            });
        }
        let (moved, nanoseconds) = timer.time(|| air.apply(&edits));
        moved?;
        let mut n_flown = 0;
        while n_flown < plan.n_flights {
            let mut at = || rng.between(0, side - 1);
            let (from, to) = (Voxel::new(at(), at(), at()), Voxel::new(at(), at(), at()));
            let is_free = |at: Voxel| obstacles.is_free([at.x, at.y, at.z].map(i64::from));
            if !is_free(from) || !is_free(to) || !air.is_connected(from, to) {
                continue;
            }
            n_flown += 1;
            let request = FlightRequest::new(from, to);
            let (result, nanoseconds) = timer.time(|| searcher.find(&air, &request));
            let Ok(Outcome::Found(path)) = result else {
                wrong += 1;
                continue;
            };
            let mut legs = path.waypoints.windows(2);
            let is_fine = legs.all(|leg| is_line_free(leg[0], leg[1], |at| obstacles.is_free(at)));
            wrong += usize::from(!is_fine);
            // The first round warms up.
            if tick > 0 {
                times.push(nanoseconds / 1e3);
                let straight = wayfarer_engine::base::math::length_3(
                    f64::from(from.x - to.x),
                    f64::from(from.y - to.y),
                    f64::from(from.z - to.z),
                );
                ratios.push(path.length() / straight.max(1.0));
            }
            searcher.recycle(path);
        }
        if tick > 0 {
            ticks.push(nanoseconds / 1e6);
        }
    }
    Ok(AsteroidRow {
        rocks: plan.n_rocks,
        moving: plan.n_moving,
        ticks: plan.n_ticks,
        queries: times.len(),
        wrong,
        time_us: Spread::of(&mut times),
        straight_ratio: Spread::of(&mut ratios),
        tick_ms: Spread::of(&mut ticks),
    })
}
