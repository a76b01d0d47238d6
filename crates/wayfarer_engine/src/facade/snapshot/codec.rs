//! [`Codec`]: the binary encoding of the value types in snapshots, little-endian, without padding.

use wayfarer_base::nav_link::WallSide;
use wayfarer_base::record::TableRecord;
use wayfarer_base::{
    Aabb2, Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed, Id,
    LinkDirection, LinkState, NavLink, NavLinkKind, Point2, Point3, Profile, Rect, Revision, Shape,
    Terrain, Voxel, Wall,
};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};

/// A type with a canonical encoding.
pub(super) trait Codec: Sized {
    /// Minimum length of the encoding, which bounds counts read from a file.
    const MIN_BYTES: usize;
    fn put(&self, sink: &mut SectionWriter);
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError>;
}

/// Encodes a count and the items.
pub(super) fn put_all<T: Codec>(sink: &mut SectionWriter, all: impl ExactSizeIterator<Item = T>) {
    sink.count(all.len());
    all.for_each(|one| one.put(sink));
}

pub(super) fn take_all<T: Codec>(
    source: &mut SectionReader<'_>,
    what: &'static str,
) -> Result<Vec<T>, SnapshotError> {
    let count = source.count(what, T::MIN_BYTES)?;
    (0..count).map(|_| T::take(source)).collect()
}

/// Decodes a count and items in strictly ascending key order.
pub(super) fn take_ascending<T: Codec, K: Ord>(
    source: &mut SectionReader<'_>,
    what: &'static str,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, SnapshotError> {
    let count = source.count(what, T::MIN_BYTES)?;
    let mut all: Vec<T> = Vec::with_capacity(count);
    for _ in 0..count {
        let at = source.at();
        let one = T::take(source)?;
        if all.last().is_some_and(|last| key(last) >= key(&one)) {
            return Err(SnapshotError::Order { at, what });
        }
        all.push(one);
    }
    Ok(all)
}

/// Implements [`Codec`] for structs, field by field.
macro_rules! struct_codec {
    ($($name:ident { $($member:ident: $kind:ty),+ })+) => {$(
        impl Codec for $name {
            const MIN_BYTES: usize = 0 $(+ <$kind as Codec>::MIN_BYTES)+;
            fn put(&self, sink: &mut SectionWriter) {
                $(<$kind as Codec>::put(&self.$member, sink);)+
            }
            fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
                $(let $member = <$kind as Codec>::take(source)?;)+
                Ok(Self { $($member),+ })
            }
        }
    )+};
}
pub(super) use struct_codec;

macro_rules! integer_codec {
    ($($kind:ident $bytes:literal)+) => {$(
        impl Codec for $kind {
            const MIN_BYTES: usize = $bytes;
            fn put(&self, sink: &mut SectionWriter) {
                sink.$kind(*self);
            }
            fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
                source.$kind()
            }
        }
    )+};
}

integer_codec! { u8 1 u16 2 u32 4 i32 4 u64 8 i64 8 }

struct_codec! {
    Point2 { x: Fixed, y: Fixed }
    Point3 { x: Fixed, y: Fixed, z: Fixed }
    Aabb2 { low: Point2, high: Point2 }
    Cell { x: i32, y: i32, z: i32 }
    Column { x: i32, y: i32 }
    Voxel { x: i32, y: i32, z: i32 }
    NavLink { from: Cell, to: Cell, kind: NavLinkKind, direction: LinkDirection, cost: Cost, state: LinkState }
    Wall { cell: Cell, side: WallSide }
    CostModifier { shape: Shape, heights: (i32, i32), multiplier: CostMultiplier }
}

/// Implements [`Codec`] for types that convert to and from one other type.
macro_rules! convert_codec {
    ($($name:ident as $kind:ty: $out:expr, $back:expr;)+) => {$(
        impl Codec for $name {
            const MIN_BYTES: usize = <$kind as Codec>::MIN_BYTES;
            fn put(&self, sink: &mut SectionWriter) {
                let out: fn(&Self) -> $kind = $out;
                out(self).put(sink);
            }
            fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
                let at = source.at();
                let back: fn($kind) -> Result<Self, (&'static str, &'static str)> = $back;
                let word = <$kind as Codec>::take(source)?;
                back(word).map_err(|(what, expected)| SnapshotError::out_of_range(at, what, word.into(), expected))
            }
        }
    )+};
}
pub(super) use convert_codec;

convert_codec! {
    bool as u8: |is| u8::from(*is), |byte| match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(("a flag", "0 or 1")),
    };
    Fixed as i32: |fixed| fixed.raw(), |raw| Ok(Self::from_raw(raw));
    // The section of branches adds the branch.
    Revision as u64: |revision| revision.number, |number| match number {
        // Leaves room for 2^63 edits before overflow.
        0..=0x7fff_ffff_ffff_ffff => Ok(Self { number, branch: 0 }),
        _ => Err(("a revision", "below 2^63")),
    };
    CostModifierId as u64: |id| id.0, |number| Ok(Self(number));
    Cost as u32: |cost| cost.units(), |units| Ok(Self::from_units(units));
    CostMultiplier as u16: |multiplier| multiplier.sixteenths(),
        |word| Self::from_sixteenths(word).ok_or(("a multiplier in sixteenths", "16 or more"));
    Terrain as u8: |terrain| terrain.number(),
        |byte| Self::new(byte).ok_or(("a terrain", "0 to 63"));
    NavLinkKind as u8: |kind| *kind as u8,
        |byte| Self::ALL.get(usize::from(byte)).copied().ok_or(("a kind of nav link", "0 to 6"));
    LinkDirection as u8: |direction| u8::from(*direction == Self::OneWay), |byte| match byte {
        0 => Ok(Self::Bidirectional),
        1 => Ok(Self::OneWay),
        _ => Err(("the direction of a nav link", "0 or 1")),
    };
    WallSide as u8: |side| u8::from(*side == Self::South), |byte| match byte {
        0 => Ok(Self::East),
        1 => Ok(Self::South),
        _ => Err(("the side of a wall", "0 or 1")),
    };
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    const MIN_BYTES: usize = A::MIN_BYTES + B::MIN_BYTES;
    fn put(&self, sink: &mut SectionWriter) {
        self.0.put(sink);
        self.1.put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok((A::take(source)?, B::take(source)?))
    }
}

impl<A: Codec, B: Codec, C: Codec> Codec for (A, B, C) {
    const MIN_BYTES: usize = A::MIN_BYTES + B::MIN_BYTES + C::MIN_BYTES;
    fn put(&self, sink: &mut SectionWriter) {
        self.0.put(sink);
        self.1.put(sink);
        self.2.put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok((A::take(source)?, B::take(source)?, C::take(source)?))
    }
}

/// A presence flag, then the value.
impl<T: Codec> Codec for Option<T> {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        self.is_some().put(sink);
        if let Some(one) = self {
            one.put(sink);
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let is_there = bool::take(source)?;
        is_there.then(|| T::take(source)).transpose()
    }
}

impl<K> Codec for Id<K> {
    const MIN_BYTES: usize = 8;
    fn put(&self, sink: &mut SectionWriter) {
        sink.u64(self.to_bits());
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        source.u64().map(Self::from_bits)
    }
}

/// The slots, each with its generation and value, then the free list.
impl<T: Codec + Clone> Codec for TableRecord<T> {
    const MIN_BYTES: usize = 16;
    fn put(&self, sink: &mut SectionWriter) {
        put_all(sink, self.slots.iter().cloned());
        put_all(sink, self.free.iter().copied());
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            slots: take_all(source, "the number of slots")?,
            free: take_all(source, "the number of free slots")?,
        })
    }
}

impl Codec for LinkState {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        match *self {
            Self::Open => sink.u8(0),
            Self::Closed => sink.u8(1),
            Self::Locked(keys) => {
                sink.u8(2);
                sink.u32(keys);
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the state of a nav link", 2)? {
            0 => Self::Open,
            1 => Self::Closed,
            _ => Self::Locked(source.u32()?),
        })
    }
}

impl Codec for Rect {
    const MIN_BYTES: usize = 16;
    fn put(&self, sink: &mut SectionWriter) {
        self.low.put(sink);
        self.high.put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            low: Column::take(source)?,
            high: Column::take(source)?,
        })
    }
}

impl Codec for Shape {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        match self {
            Self::Circle { center, radius } => {
                sink.u8(0);
                (*center, *radius).put(sink);
            }
            Self::Box(rect) => {
                sink.u8(1);
                rect.put(sink);
            }
            Self::Polygon(corners) => {
                sink.u8(2);
                put_all(sink, corners.iter().copied());
            }
            Self::Segment { from, to, radius } => {
                sink.u8(3);
                (*from, *to, *radius).put(sink);
            }
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => {
                sink.u8(4);
                (*tip, *radius, (*left, *right)).put(sink);
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the kind of a shape", 4)? {
            0 => Self::Circle {
                center: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
            1 => Self::Box(Codec::take(source)?),
            2 => Self::Polygon(take_all(source, "the corners of a polygon")?),
            3 => Self::Segment {
                from: Codec::take(source)?,
                to: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
            _ => Self::Wedge {
                tip: Codec::take(source)?,
                radius: Codec::take(source)?,
                left: Codec::take(source)?,
                right: Codec::take(source)?,
            },
        })
    }
}

impl Codec for Profile {
    const MIN_BYTES: usize = 36;
    fn put(&self, sink: &mut SectionWriter) {
        self.radius.put(sink);
        self.height.put(sink);
        self.max_step.put(sink);
        self.max_drop.put(sink);
        self.keys.put(sink);
        self.allowed_terrains.put(sink);
        let terrain_costs = self.clone().normalized().terrain_costs;
        put_all(sink, terrain_costs.into_iter());
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            radius: Codec::take(source)?,
            height: Codec::take(source)?,
            max_step: Codec::take(source)?,
            max_drop: Codec::take(source)?,
            keys: Codec::take(source)?,
            allowed_terrains: Codec::take(source)?,
            terrain_costs: take_ascending(
                source,
                "the terrain costs of a profile",
                |multiplier: &(Terrain, CostMultiplier)| multiplier.0,
            )?,
        }
        .normalized())
    }
}
