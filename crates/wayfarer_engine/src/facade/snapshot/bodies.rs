//! Encoding of obstacles, bodies and sensors.

use wayfarer_base::record::TableRecord;
use wayfarer_base::{Aabb2, Fixed, Point2, Revision};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_world::bodies::{
    Body, BodyCategories, BodyFilter, BodyId, BodySetRecord, BodyShape, ConvexPolygon,
    DetectionTiming, Footprint, Heading, Mount, PlacedBody, PlacedSensor, Sensor, Teams,
};
use wayfarer_world::obstacles::{Obstacle, ObstacleCategories, ObstacleSetRecord, ObstacleShape};

use super::codec::{Codec, convert_codec, put_all, struct_codec, take_all};

struct_codec! {
    Obstacle { shape: ObstacleShape, categories: ObstacleCategories }
    ObstacleSetRecord { bounds: Aabb2, revision: Revision, obstacles: TableRecord<Obstacle> }
    Body {
        position: Point2, shape: BodyShape, z: Fixed, height: Fixed, categories: BodyCategories, team: u8
    }
    PlacedBody { body: Body, before: Point2 }
    BodySetRecord { bin_size: Fixed, detection: DetectionTiming, bodies: TableRecord<PlacedBody> }
    BodyFilter {
        categories: BodyCategories, teams: Teams, heights: Option<(Fixed, Fixed)>,
        except: Option<BodyId>
    }
    Sensor {
        mount: Mount, footprint: Footprint, filter: BodyFilter, exit_margin: Fixed, enter_delay: u16,
        leave_delay: u16, reports_stay: bool, is_continuous: bool, eye_height: Option<Fixed>
    }
}

convert_codec! {
    ObstacleCategories as u64: |categories| categories.bits(), |bits| Ok(Self::from_bits(bits));
    BodyCategories as u32: |categories| categories.bits(), |bits| {
        let categories = Self::from_bits(bits);
        if categories.bits() == bits { Ok(categories) } else { Err(("body categories", "24 bits")) }
    };
    DetectionTiming as u8: |detection| u8::from(*detection == Self::BeforeMovement), |byte| match byte {
        0 => Ok(Self::AfterMovement),
        1 => Ok(Self::BeforeMovement),
        _ => Err(("the detection timing", "0 or 1")),
    };
}

impl Codec for ObstacleShape {
    const MIN_BYTES: usize = 13;
    fn put(&self, sink: &mut SectionWriter) {
        match *self {
            Self::Box(corners) => {
                sink.u8(0);
                corners.put(sink);
            }
            Self::Disc { center, radius } => {
                sink.u8(1);
                (center, radius).put(sink);
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the shape of an obstacle", 1)? {
            0 => Self::Box(Codec::take(source)?),
            _ => Self::Disc {
                center: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
        })
    }
}

impl Codec for BodyShape {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        match *self {
            Self::Point => sink.u8(0),
            Self::Disc { radius } => {
                sink.u8(1);
                radius.put(sink);
            }
            Self::Box { half_x, half_y } => {
                sink.u8(2);
                (half_x, half_y).put(sink);
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the shape of a body", 2)? {
            0 => Self::Point,
            1 => Self::Disc {
                radius: Codec::take(source)?,
            },
            _ => Self::Box {
                half_x: Codec::take(source)?,
                half_y: Codec::take(source)?,
            },
        })
    }
}

impl Codec for Teams {
    const MIN_BYTES: usize = 32;
    fn put(&self, sink: &mut SectionWriter) {
        self.words().iter().for_each(|word| sink.u64(*word));
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let mut words = [0; 4];
        for word in &mut words {
            *word = source.u64()?;
        }
        Ok(Self::from_words(words))
    }
}

impl Codec for Heading {
    const MIN_BYTES: usize = 8;
    fn put(&self, sink: &mut SectionWriter) {
        self.components().put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let at = source.at();
        let (x, y) = Codec::take(source)?;
        let heading = Self::new(x, y).ok();
        let heading = heading.filter(|heading| heading.components() == (x, y));
        heading.ok_or_else(|| {
            SnapshotError::out_of_range(at, "a direction", x.into(), "-16383 to 16383, not both 0")
        })
    }
}

impl Codec for Mount {
    const MIN_BYTES: usize = 9;
    fn put(&self, sink: &mut SectionWriter) {
        match *self {
            Self::Body(id) => {
                sink.u8(0);
                id.put(sink);
            }
            Self::Point(point) => {
                sink.u8(1);
                point.put(sink);
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the mount of a sensor", 1)? {
            0 => Self::Body(Codec::take(source)?),
            _ => Self::Point(Codec::take(source)?),
        })
    }
}

impl Codec for Footprint {
    const MIN_BYTES: usize = 9;
    fn put(&self, sink: &mut SectionWriter) {
        match *self {
            Self::Circle { center, radius } => {
                sink.u8(0);
                (center, radius).put(sink);
            }
            Self::Ring {
                center,
                inner,
                outer,
            } => {
                sink.u8(1);
                (center, inner, outer).put(sink);
            }
            Self::Capsule { from, to, radius } => {
                sink.u8(2);
                (from, to, radius).put(sink);
            }
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => {
                sink.u8(3);
                (tip, radius, (left, right)).put(sink);
            }
            Self::OrientedBox {
                center,
                heading,
                half_along,
                half_across,
            } => {
                sink.u8(4);
                (center, heading, (half_along, half_across)).put(sink);
            }
            Self::Polygon(corners) => {
                sink.u8(5);
                put_all(sink, corners.points().iter().copied());
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the kind of a footprint", 5)? {
            0 => Self::Circle {
                center: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
            1 => Self::Ring {
                center: Codec::take(source)?,
                inner: Codec::take(source)?,
                outer: Codec::take(source)?,
            },
            2 => Self::Capsule {
                from: Codec::take(source)?,
                to: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
            3 => Self::Wedge {
                tip: Codec::take(source)?,
                radius: Codec::take(source)?,
                left: Codec::take(source)?,
                right: Codec::take(source)?,
            },
            4 => Self::OrientedBox {
                center: Codec::take(source)?,
                heading: Codec::take(source)?,
                half_along: Codec::take(source)?,
                half_across: Codec::take(source)?,
            },
            _ => {
                let at = source.at();
                let corners: Vec<Point2> = take_all(source, "the corners of a footprint")?;
                let polygon = ConvexPolygon::new(&corners);
                let found = corners.len() as i128;
                let expected = "3 to 16 of a convex polygon, clockwise";
                Self::Polygon(polygon.map_err(|_error| {
                    SnapshotError::out_of_range(at, "the corners", found, expected)
                })?)
            }
        })
    }
}

impl Codec for PlacedSensor {
    const MIN_BYTES: usize = Sensor::MIN_BYTES + 8;
    fn put(&self, sink: &mut SectionWriter) {
        self.sensor.put(sink);
        put_all(sink, self.memberships.iter().copied());
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            sensor: Codec::take(source)?,
            memberships: take_all(source, "the bodies a sensor detected")?,
        })
    }
}
