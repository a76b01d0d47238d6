//! Encoding of errors: variant, positions and numbers, without their texts.

use wayfarer_engine::formats::heightmap::RawError;
use wayfarer_engine::formats::{GltfError, PngError, TextError};
use wayfarer_engine::make::MakeError;
use wayfarer_engine::world::air::AirError;
use wayfarer_engine::world::bodies::{BodyError, ShapeError};
use wayfarer_engine::world::ground::import::ImportError;
use wayfarer_engine::world::ground::{BuildError, GroundEditError, ProfileError};
use wayfarer_engine::world::obstacles::ObstacleError;
use wayfarer_engine::world::solid::VoxelizeError;

use super::{UNKNOWN, Value, Values};
use wayfarer_engine::EditError;

/// What a file contains instead of the expectation: quoted text, or a description, which is ignored.
struct Found<'a>(&'a str);

impl Value for Found<'_> {
    fn put(&self, to: &mut Values) {
        to.take(&Some(self.0).filter(|found| found.starts_with('`')));
    }
}

impl Value for TextError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Expected {
                line,
                column,
                found,
                ..
            } => to.variant(0, &[line, column, &Found(found)]),
            Self::Ends { line, .. } => to.variant(1, &[line]),
            Self::TooFew {
                line,
                found,
                expected,
                ..
            } => to.variant(2, &[line, found, expected]),
            Self::RowLength {
                line,
                column,
                found,
                expected,
            } => to.variant(3, &[line, column, found, expected]),
            Self::UnknownLetter {
                line,
                column,
                found,
                ..
            } => to.variant(4, &[line, column, &Found(found)]),
            Self::TooLarge {
                line,
                column,
                found,
                limit,
                ..
            } => to.variant(5, &[line, column, found, limit]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for PngError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::NoHeader { offset, .. } => to.variant(0, &[offset]),
            Self::Size {
                width,
                height,
                limit,
            } => to.variant(1, &[width, height, limit]),
            Self::TooFewBytes {
                width,
                height,
                n_bytes,
            } => to.variant(2, &[width, height, n_bytes]),
            Self::PixelFormat { .. } => to.variant(3, &[]),
            Self::Damaged { offset, .. } => to.variant(4, &[offset]),
            Self::HeightRange { x, y, height } => to.variant(5, &[x, y, height]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for RawError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Length {
                found, expected, ..
            } => to.variant(0, &[found, expected]),
            Self::TooLarge { found, .. } => to.variant(1, &[found]),
            Self::HeightRange { offset, height, .. } => to.variant(2, &[offset, height]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for GltfError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Container { offset, .. } => to.variant(0, &[offset]),
            Self::Json {
                start,
                line,
                column,
                ..
            } => to.variant(1, &[start, line, column]),
            Self::TooLarge { found, limit, .. } => to.variant(2, &[found, limit]),
            Self::NoSuch { index, count, .. } => to.variant(3, &[index, count]),
            Self::OutOfBounds {
                index, end, limit, ..
            } => to.variant(4, &[index, end, limit]),
            Self::Unsupported { index, .. } => to.variant(5, &[index]),
            Self::Extension { .. } => to.variant(6, &[]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for MakeError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::TooSmall {
                width, height, min, ..
            } => to.variant(0, &[width, height, min]),
            Self::TooLong {
                width, height, max, ..
            } => to.variant(1, &[width, height, max]),
            Self::TooLarge { count, max, .. } => to.variant(2, &[count, max]),
            Self::BadOption {
                found, min, max, ..
            } => to.variant(3, &[found, min, max]),
            Self::NoTrace { .. } => to.variant(4, &[]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for GroundEditError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::OutOfWorld {
                edit,
                cell,
                limit,
                z_limit,
            } => to.variant(0, &[edit, cell, limit, z_limit]),
            Self::TooManyFloors { edit, cell, limit } => to.variant(1, &[edit, cell, limit]),
            Self::TooManyNavLinks { edit, cell, limit } => to.variant(2, &[edit, cell, limit]),
            Self::BadNavLink {
                edit,
                from,
                to: end,
                ..
            } => to.variant(3, &[edit, from, end]),
            Self::TooWide { edit, limit } => to.variant(4, &[edit, limit]),
            Self::WorldFull { edit, cell, limit } => to.variant(5, &[edit, cell, limit]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for VoxelizeError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::VertexTooFar { vertex, at } => to.variant(0, &[vertex, at]),
            Self::InvalidGrid { found, .. } => to.variant(1, &[found]),
            Self::TooManySpans { limit } => to.variant(2, &[limit]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for ProfileError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::OutOfLimits { found, .. } => to.variant(0, &[found]),
            Self::WalksThroughWalls => to.variant(1, &[]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for ImportError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Build(BuildError::Profile(error)) => to.variant(0, &[error]),
            Self::Build(BuildError::Data(error)) => to.variant(1, &[error]),
            Self::Solid(error) => to.variant(2, &[error]),
            Self::InvalidOption { found, .. } => to.variant(3, &[found]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for AirError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::BadBounds { low, size } => to.variant(0, &[low, size]),
            Self::OutOfBounds { at, low, high } => to.variant(1, &[at, low, high]),
            Self::EmptyBox { low, high } => to.variant(2, &[low, high]),
            Self::UnknownId { id } => to.variant(3, &[id]),
            Self::InvalidId => to.variant(4, &[]),
            Self::NoSuchLink { layer, node, voxel } => to.variant(5, &[layer, node, voxel]),
            Self::TooManyNodes { layer } => to.variant(6, &[layer]),
            Self::TooManyRegions { layer, at } => to.variant(7, &[layer, at]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for ObstacleError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::TooFar { found, .. } => to.variant(0, &[found]),
            Self::Empty { width, height } => to.variant(1, &[width, height]),
            Self::NoCategories => to.variant(2, &[]),
            Self::UnknownObstacle { id } => to.variant(3, &[id]),
            Self::Full => to.variant(4, &[]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for BodyError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::UnknownBody { id } => to.variant(0, &[id]),
            Self::Shape(error) => to.variant(1, &[error]),
            Self::Length { found, expected } => to.variant(2, &[found, expected]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for ShapeError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::TooFar { found } => to.variant(0, &[found]),
            Self::TooHigh { found } => to.variant(1, &[found]),
            Self::Size { found, .. } => to.variant(2, &[found]),
            Self::NoDirection => to.variant(3, &[]),
            Self::InsideOut { inner, outer } => to.variant(4, &[inner, outer]),
            Self::Vertices { found } => to.variant(5, &[found]),
            Self::NotConvex { corner } => to.variant(6, &[corner]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}

impl Value for EditError {
    fn put(&self, to: &mut Values) {
        match self {
            Self::Ground(error) => to.variant(0, &[error]),
            Self::Air(error) => to.variant(1, &[error]),
            Self::Obstacle { edit, error } => to.variant(2, &[edit, error]),
            Self::Body { edit, error } => to.variant(3, &[edit, error]),
            Self::NoSuchDomain { edit, .. } => to.variant(4, &[edit]),
            Self::BadBox { edit, low, high } => to.variant(5, &[edit, low, high]),
            Self::TooWide { edit, found, limit } => to.variant(6, &[edit, found, limit]),
            Self::CostModifierLost { edit, id } => to.variant(7, &[edit, id]),
            _ => to.variant(UNKNOWN, &[]),
        }
    }
}
