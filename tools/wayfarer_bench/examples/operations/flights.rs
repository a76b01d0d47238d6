//! Octree edits by moving asteroids, and flights between them.

use wayfarer_bench::flight::lines::Bits;
use wayfarer_engine::base::{Fixed, Point3, Rng, Voxel};
use wayfarer_engine::search::air::{
    FlightMethod, FlightPath, FlightRequest, FlightSearcher, OctreeParams,
};
use wayfarer_engine::world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryId};

use crate::worlds::{SEED, rocks, voxels};
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "edit-octree",
        what: "asteroids move in the octree and come back",
        n_rounds: 2,
        set_up: Moves::set_up,
    },
    Entry {
        name: "flight",
        what: "flights of a point between asteroids",
        n_rounds: 8,
        set_up: || Flights::set_up(Fixed::from_raw(0)),
    },
    Entry {
        name: "flight-wide",
        what: "flights of a ship three voxels wide",
        n_rounds: 1,
        set_up: || Flights::set_up(Fixed::from_raw(384)),
    },
];

/// Voxels along each side of the box.
const SIDE: u32 = 128;

/// The balls of all asteroids, each moved by so many voxels along each axis.
fn balls(by: i32) -> Result<Vec<Geometry>, Fault> {
    let part = |at: u32| Fixed::from_raw((at.cast_signed() + by) * 256 + 128);
    let ball = |center: [u32; 3], radius: u32| {
        let [x, y, z] = center.map(part);
        Geometry::Ball {
            center: Point3 { x, y, z },
            radius: Fixed::from_raw(radius.cast_signed() * 256),
        }
    };
    let rocks = rocks()?.into_iter();
    Ok(rocks.map(|rock| ball(rock.center, rock.radius)).collect())
}

fn built() -> Result<Air, Fault> {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [SIDE; 3])?;
    for (name, ball) in (0..).zip(balls(0)?) {
        builder.add_geometry(GeometryId(name), ball)?;
    }
    Ok(builder.build()?)
}

/// Asteroids that move two voxels along each axis and come back.
struct Moves {
    air: Air,
    batches: Vec<Vec<AirEdit>>,
}

impl Moves {
    /// So many asteroids move in one batch.
    const IN_A_BATCH: usize = 8;

    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let mut batches = Vec::new();
        for by in [2, 0] {
            let edit = |(name, geometry)| AirEdit::Put {
                id: GeometryId(name),
                geometry,
            };
            let edits: Vec<AirEdit> = (0..).zip(balls(by)?).map(edit).collect();
            batches.extend(edits.chunks(Self::IN_A_BATCH).map(<[AirEdit]>::to_vec));
        }
        let air = built()?;
        Ok(Box::new(Self { air, batches }))
    }
}

impl Operation for Moves {
    fn round(&mut self) -> Result<(), Fault> {
        for batch in &self.batches {
            self.air.apply(batch)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        ensure(self.air.digest() == built()?.digest(), || {
            "the air differs from a rebuilt one".to_owned()
        })
    }
}

/// Flights between the same free voxels.
struct Flights {
    air: Air,
    requests: Vec<FlightRequest>,
    searcher: FlightSearcher,
    paths: Vec<FlightPath>,
}

impl Flights {
    const COUNT: usize = 40;

    fn set_up(radius: Fixed) -> Result<Box<dyn Operation>, Fault> {
        let voxels = voxels()?;
        let air = AirBuilder::from_set(&voxels)?.build()?;
        let bits = Bits::of(&voxels);
        let has_room = |at: Voxel| bits.has_room(parts(at), radius);
        let mut rng = Rng::new(SEED);
        let most = SIDE.cast_signed() - 1;
        let mut requests = Vec::new();
        while requests.len() < Self::COUNT {
            let mut at = || rng.between(0, most);
            let (from, to) = (Voxel::new(at(), at(), at()), Voxel::new(at(), at(), at()));
            if has_room(from) && has_room(to) && air.is_connected(from, to) {
                requests.push(FlightRequest {
                    method: FlightMethod::Octree(OctreeParams::BALANCED),
                    radius,
                    ..FlightRequest::new(from, to)
                });
            }
        }
        Ok(Box::new(Self {
            air,
            requests,
            searcher: FlightSearcher::default(),
            paths: Vec::new(),
        }))
    }
}

fn parts(at: Voxel) -> [i64; 3] {
    [at.x, at.y, at.z].map(i64::from)
}

impl Operation for Flights {
    fn round(&mut self) -> Result<(), Fault> {
        for path in self.paths.drain(..) {
            self.searcher.recycle(path);
        }
        for request in &self.requests {
            let outcome = self.searcher.find(&self.air, request)?;
            self.paths.extend(outcome.found());
        }
        Ok(())
    }

    /// Every leg is free in the plain list of voxels.
    fn check(&mut self) -> Result<(), Fault> {
        let bits = Bits::of(&voxels()?);
        ensure(self.paths.len() == Self::COUNT, || {
            "a flight is missing".to_owned()
        })?;
        for (path, request) in self.paths.iter().zip(&self.requests) {
            let (from, to) = (request.from, request.to);
            let same_ends = (path.start(), path.end()) == (Some(from), Some(to));
            let is_free = |leg: &[Voxel]| match request.radius.raw() {
                0 => bits.is_line_free(leg[0], leg[1]),
                _ => bits.is_ball_free(leg[0], leg[1], request.radius),
            };
            let is_right = same_ends && path.waypoints.windows(2).all(is_free);
            ensure(is_right, || format!("{from} to {to}: not a free flight"))?;
        }
        Ok(())
    }
}
