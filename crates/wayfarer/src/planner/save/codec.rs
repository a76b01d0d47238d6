//! Values as bytes: numbers little-endian, lists after their length, choices after their index.

use wayfarer_engine::base::{
    Budget, Cell, Column, Cost, Fixed, NavLinkId, NavLinkKind, Point2, Rect, Revision, Voxel,
};

use crate::baked::{Corridor, RefinementParams, Smoothing, Trim};
use crate::body::{BodyId, Categories};
use crate::facade::World;
use crate::footprint::Footprint;
use crate::goal::{Area, AreaShape, Goal};
use crate::path::{Traversal, Waypoint};
use crate::request::{Method, PartialPolicy, PartialReason, StartPolicy};
use crate::sensor::Viewer;
use crate::units::{Heading, Position};

/// A value that a saved planner or world contains.
pub(crate) trait Stored: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    /// `None` if the bytes end or a value is out of range.
    fn take(source: &mut Source<'_>) -> Option<Self>;
}

/// The bytes yet to be read, and the world that ids refer to.
pub(crate) struct Source<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) world: &'a World,
}

impl Source<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*array)
    }
}

macro_rules! stored_numbers {
    ($($number:ty)*) => {$(
        impl Stored for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
            fn take(source: &mut Source<'_>) -> Option<Self> {
                source.array().map(Self::from_le_bytes)
            }
        }
    )*};
}

stored_numbers! { u8 u32 u64 i32 i64 f64 }

macro_rules! stored_structs {
    ($($name:ident { $($part:ident),* })*) => {$(
        impl Stored for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                let Self { $($part),* } = self;
                $($part.put(bytes);)*
            }
            fn take(source: &mut Source<'_>) -> Option<Self> {
                $(let $part = Stored::take(source)?;)*
                Some(Self { $($part),* })
            }
        }
    )*};
}

stored_structs! {
    Position { x, y, z }
    Cell { x, y, z }
    Voxel { x, y, z }
    Column { x, y }
    Point2 { x, y }
    Rect { low, high }
    Revision { number, branch }
    Budget { expansions, memory_bytes }
    NavLinkId { from, to, kind }
    Waypoint { position, next }
    Area { shape, heights }
    Heading { x, y }
    Viewer { eye, range, footprint, body }
    RefinementParams { edges, trim, corridor, smoothing, allow_any_region_cell, requires_search }
}

macro_rules! stored_choices {
    ($($name:ident { $($variant:ident)* })*) => {$(
        impl Stored for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                let all = [$(Self::$variant),*];
                let index = all.iter().position(|one| one == self);
                bytes.push(index.and_then(|index| u8::try_from(index).ok()).unwrap_or(u8::MAX));
            }
            fn take(source: &mut Source<'_>) -> Option<Self> {
                let index = usize::from(u8::take(source)?);
                [$(Self::$variant),*].get(index).copied()
            }
        }
    )*};
}

stored_choices! {
    SimpleMethod { Bounded Optimal Jps AStar Dijkstra AnyAngle Hierarchical }
    Corridor { None Path PathAndAround }
    Smoothing { None Simple }
    PartialPolicy { Never NearestOctile NearestEuclidean }
    PartialReason { GoalBlocked Unreachable OutOfBudget }
    StartPolicy { Reject LeaveFirst }
    Traversal { Walk NavLink TakeOff Fly Land }
    NavLinkKind { Stairs Ladder Jump Drop Door Teleport Climb }
}

/// The methods without parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SimpleMethod {
    Bounded,
    Optimal,
    Jps,
    AStar,
    Dijkstra,
    AnyAngle,
    Hierarchical,
}

impl Stored for Method {
    fn put(&self, bytes: &mut Vec<u8>) {
        let simple = match self {
            Self::Bounded => SimpleMethod::Bounded,
            Self::Optimal => SimpleMethod::Optimal,
            Self::Jps => SimpleMethod::Jps,
            Self::AStar => SimpleMethod::AStar,
            Self::Dijkstra => SimpleMethod::Dijkstra,
            Self::AnyAngle => SimpleMethod::AnyAngle,
            Self::Hierarchical => SimpleMethod::Hierarchical,
            Self::Refined(params) | Self::RefinedBaked(params) => {
                let is_baked = matches!(self, Self::RefinedBaked(_));
                bytes.push(if is_baked { 101 } else { 100 });
                params.put(bytes);
                return;
            }
        };
        simple.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        if let Some(number @ (100 | 101)) = source.rest.first().copied() {
            u8::take(source)?;
            let params = Stored::take(source)?;
            return Some(match number {
                100 => Self::Refined(params),
                _ => Self::RefinedBaked(params),
            });
        }
        Some(match SimpleMethod::take(source)? {
            SimpleMethod::Bounded => Self::Bounded,
            SimpleMethod::Optimal => Self::Optimal,
            SimpleMethod::Jps => Self::Jps,
            SimpleMethod::AStar => Self::AStar,
            SimpleMethod::Dijkstra => Self::Dijkstra,
            SimpleMethod::AnyAngle => Self::AnyAngle,
            SimpleMethod::Hierarchical => Self::Hierarchical,
        })
    }
}

impl Stored for Trim {
    fn put(&self, bytes: &mut Vec<u8>) {
        let (kind, number) = match self {
            Self::None => (0, 0),
            Self::Cells(cells) => (1, *cells),
            Self::PerCent(per_cent) => (2, u32::from(*per_cent)),
        };
        bytes.push(kind);
        number.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (kind, number) = (u8::take(source)?, u32::take(source)?);
        match kind {
            0 => Some(Self::None),
            1 => Some(Self::Cells(number)),
            2 => u8::try_from(number).ok().map(Self::PerCent),
            _ => None,
        }
    }
}

impl Stored for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        match u8::take(source)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Stored for usize {
    fn put(&self, bytes: &mut Vec<u8>) {
        (*self as u64).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        u64::take(source)?.try_into().ok()
    }
}

impl Stored for Cost {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.units().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        u32::take(source).map(Self::from_units)
    }
}

impl Stored for Fixed {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.raw().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        i32::take(source).map(Self::from_raw)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        self.1.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some((A::take(source)?, B::take(source)?))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        self.iter().for_each(|value| value.put(bytes));
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        match bool::take(source)? {
            true => T::take(source).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.len().put(bytes);
        self.iter().for_each(|value| value.put(bytes));
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let count = usize::take(source)?;
        // Every value takes a byte: a length out of range allocates nothing.
        if count > source.rest.len() {
            return None;
        }
        (0..count).map(|_| T::take(source)).collect()
    }
}

impl Stored for AreaShape {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Rect { low, high } => (0_u8, (*low, *high)).put(bytes),
            Self::Disc { center, radius } => (1_u8, (*center, *radius)).put(bytes),
            Self::Polygon(vertices) => {
                2_u8.put(bytes);
                vertices.put(bytes);
            }
            Self::Capsule { from, to, radius } => (3_u8, ((*from, *to), *radius)).put(bytes),
        }
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some(match u8::take(source)? {
            0 => {
                let (low, high) = Stored::take(source)?;
                Self::Rect { low, high }
            }
            1 => {
                let (center, radius) = Stored::take(source)?;
                Self::Disc { center, radius }
            }
            2 => Self::Polygon(Stored::take(source)?),
            3 => {
                let ((from, to), radius) = Stored::take(source)?;
                Self::Capsule { from, to, radius }
            }
            _ => return None,
        })
    }
}

impl Stored for Goal {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Position(at) => (0_u8, *at).put(bytes),
            Self::AnyOf(all) => {
                1_u8.put(bytes);
                all.put(bytes);
            }
            Self::Area(area) => {
                2_u8.put(bytes);
                area.put(bytes);
            }
            Self::Within { center, distance } => (3_u8, (*center, *distance)).put(bytes),
            Self::LineOfSightTo { target, distance } => (4_u8, (*target, *distance)).put(bytes),
        }
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some(match u8::take(source)? {
            0 => Self::Position(Stored::take(source)?),
            1 => Self::AnyOf(Stored::take(source)?),
            2 => Self::Area(Stored::take(source)?),
            3 => {
                let (center, distance) = Stored::take(source)?;
                Self::Within { center, distance }
            }
            4 => {
                let (target, distance) = Stored::take(source)?;
                Self::LineOfSightTo { target, distance }
            }
            _ => return None,
        })
    }
}

impl Stored for Footprint {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Disc { center, radius } => (0_u8, (*center, *radius)).put(bytes),
            Self::Ring {
                center,
                inner,
                outer,
            } => (1_u8, (*center, (*inner, *outer))).put(bytes),
            Self::Capsule { from, to, radius } => (2_u8, ((*from, *to), *radius)).put(bytes),
            Self::Cone {
                eye,
                heading,
                angle,
                range,
            } => (3_u8, ((*eye, *heading), (*angle, *range))).put(bytes),
            Self::OrientedBox {
                center,
                heading,
                half_length,
                half_width,
            } => (4_u8, ((*center, *heading), (*half_length, *half_width))).put(bytes),
            Self::Polygon(vertices) => {
                5_u8.put(bytes);
                vertices.put(bytes);
            }
        }
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        Some(match u8::take(source)? {
            0 => {
                let (center, radius) = Stored::take(source)?;
                Self::Disc { center, radius }
            }
            1 => {
                let (center, (inner, outer)) = Stored::take(source)?;
                Self::Ring {
                    center,
                    inner,
                    outer,
                }
            }
            2 => {
                let ((from, to), radius) = Stored::take(source)?;
                Self::Capsule { from, to, radius }
            }
            3 => {
                let ((eye, heading), (angle, range)) = Stored::take(source)?;
                Self::Cone {
                    eye,
                    heading,
                    angle,
                    range,
                }
            }
            4 => {
                let ((center, heading), (half_length, half_width)) = Stored::take(source)?;
                Self::OrientedBox {
                    center,
                    heading,
                    half_length,
                    half_width,
                }
            }
            5 => Self::Polygon(Stored::take(source)?),
            _ => return None,
        })
    }
}

impl Stored for Categories {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.bits().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        u32::take(source).map(Self::from_bits)
    }
}

impl Stored for BodyId {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.to_bits().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        u64::take(source).map(Self::from_bits)
    }
}
