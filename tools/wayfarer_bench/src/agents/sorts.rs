//! Sorts of agent types, and the ground of a map for them.

use std::fmt;
use std::str::FromStr;

use wayfarer_engine::base::{Column, Fixed, GroundEdit, Profile, Rect, Rng, Terrain};
use wayfarer_engine::world::ground::Ground;

use crate::engine::EngineError;
use crate::error::BenchError;
use crate::query::QuerySet;

/// Water: open to swimmers only.
const WATER: u8 = 5;
/// Side of a pond in cells.
const POND: i32 = 10;
/// Open cells under water, in percent.
const WATER_PERCENT: usize = 8;

/// A sort of agent type beside the default profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The default profile registered again.
    Same,
    /// The default profile with keys.
    Keys,
    /// Swims through ponds that the default profile goes around.
    Swimmer,
    /// A body of this radius.
    Radius(Fixed),
}

/// Neither `same`, `keys`, `swimmer` nor `radius:R`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected same, keys, swimmer or radius:R, with R from 0 to 8")]
pub struct UnknownSort;

impl FromStr for Sort {
    type Err = UnknownSort;

    fn from_str(text: &str) -> Result<Self, UnknownSort> {
        match text {
            "same" => Ok(Self::Same),
            "keys" => Ok(Self::Keys),
            "swimmer" => Ok(Self::Swimmer),
            _ => {
                let radius = text.strip_prefix("radius:").ok_or(UnknownSort)?;
                let cells = radius.parse::<f64>().ok();
                let cells = cells.filter(|cells| (0.0..=8.0).contains(cells));
                let cells = cells.ok_or(UnknownSort)?;
                #[expect(clippy::cast_possible_truncation, reason = "at most 2048")]
                let raw = (cells * 256.0).round() as i32;
                Ok(Self::Radius(Fixed::from_raw(raw)))
            }
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Keys => f.write_str("keys"),
            Self::Swimmer => f.write_str("swimmer"),
            Self::Radius(radius) => write!(f, "radius:{}", f64::from(radius.raw()) / 256.0),
        }
    }
}

impl Sort {
    /// Those measured unless others are chosen.
    pub const DEFAULTS: [Self; 6] = [
        Self::Same,
        Self::Keys,
        Self::Swimmer,
        Self::Radius(Fixed::from_raw(256)),
        Self::Radius(Fixed::from_raw(384)),
        Self::Radius(Fixed::from_raw(640)),
    ];

    /// The profile.
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Same => walker(),
            Self::Keys => Profile {
                keys: 2,
                ..walker()
            },
            Self::Swimmer => swimmer(),
            Self::Radius(radius) => Profile { radius, ..walker() },
        }
    }
}

/// The default profile: keeps out of the water.
pub(super) fn walker() -> Profile {
    Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains & !water().bit(),
        ..Profile::DEFAULT
    }
}

fn swimmer() -> Profile {
    Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains | water().bit(),
        ..Profile::DEFAULT
    }
}

/// Type number `index`: radii, swimmers and keys in turn, no two equal.
pub(super) fn nth_type(index: usize) -> Profile {
    let radius = [384, 256, 128, 640, 768][index % 5];
    let base = if (index / 5).is_multiple_of(2) {
        walker()
    } else {
        swimmer()
    };
    Profile {
        radius: Fixed::from_raw(radius),
        keys: 1 << (index / 10 % 32),
        ..base
    }
}

pub(super) fn water() -> Terrain {
    Terrain::new(WATER).unwrap_or(Terrain::GROUND)
}

pub(super) fn map_error(set: &QuerySet, error: &impl ToString) -> BenchError {
    BenchError::from(EngineError::Map {
        engine: "the ground".to_owned(),
        reason: format!("{}: {}", set.name, error.to_string()),
    })
}

/// The map, with ponds if there is a seed.
pub(super) fn ground_of(set: &QuerySet, ponds: Option<u64>) -> Result<Ground, BenchError> {
    let mut map = set.map.clone();
    if let Some(seed) = ponds {
        let mut rng = Rng::for_stream(seed, 62);
        let (all, mut n_water) = (map.rect(), 0);
        while n_water * 100 < WATER_PERCENT * set.open.n_open() {
            let (x, y) = (
                rng.between(all.low.x, all.high.x),
                rng.between(all.low.y, all.high.y),
            );
            let pond = Rect::around(Column::new(x, y), Column::new(x + POND - 1, y + POND - 1));
            for at in pond.columns() {
                if map.get(at.x, at.y) == Some(Terrain::GROUND) {
                    map.set(at.x, at.y, Some(water()));
                    n_water += 1;
                }
            }
        }
    }
    let mut ground = Ground::new(walker()).map_err(|error| map_error(set, &error))?;
    let patch = GroundEdit::Patch {
        at: Column::new(0, 0),
        z: 0,
        raster: map,
    };
    ground
        .apply(&[patch])
        .map_err(|error| map_error(set, &error))?;
    Ok(ground)
}

#[cfg(test)]
mod tests {
    use super::{Sort, UnknownSort, nth_type};

    #[test]
    fn sorts_are_read_as_they_are_written() {
        for sort in Sort::DEFAULTS {
            assert_eq!(sort.to_string().parse(), Ok(sort));
        }
        assert_eq!("radius:9".parse::<Sort>(), Err(UnknownSort));
        assert_eq!("tank".parse::<Sort>(), Err(UnknownSort));
    }

    #[test]
    fn no_two_types_are_equal() {
        for one in 0..64 {
            for other in 0..one {
                assert_ne!(nth_type(one), nth_type(other), "{one}, {other}");
            }
        }
    }
}
