//! Weighted maps by seed: cost multipliers of the open cells of a map.

use wayfarer_engine::base::{
    Column, CostMultiplier, GroundEdit, Profile, Rect, Rng, Terrain, WorldData,
};

use crate::query::QuerySet;

/// Side of a patch, and of the lattice of noise, in cells.
const PATCH: i32 = 12;
/// The highest multiplier.
pub(super) const MAX: u8 = 9;

/// How multipliers lie on a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Boxes of 12 x 12 cells at 2 to 5.
    Patches,
    /// The highest parts of value noise at 2, 4 and 7.
    Noise,
    /// Rivers at 7 across ground at 1; what remains of the share is ground at 3 beside them.
    Roads,
    /// Single cells at 2 to 9.
    Random,
    /// Every cell at 3, whatever the share.
    One,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Patches,
        Self::Noise,
        Self::Roads,
        Self::Random,
        Self::One,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Patches => "patches",
            Self::Noise => "noise",
            Self::Roads => "roads",
            Self::Random => "random",
            Self::One => "one",
        }
    }
}

/// A map with multipliers.
pub(super) struct WeightedMap {
    area: Rect,
    /// Row by row, 0 for closed cells.
    multipliers: Vec<u8>,
}

impl WeightedMap {
    /// Multipliers above 1 on `share` percent of the open cells, or a few more.
    pub(super) fn new(set: &QuerySet, kind: Kind, share: usize, rng: &mut Rng) -> Self {
        let area = set.map.rect();
        let open = area.columns().map(|at| u8::from(set.open.is_open(at)));
        let mut map = Self {
            area,
            multipliers: open.collect(),
        };
        let n_wanted = set.open.n_open() * share / 100;
        match kind {
            Kind::Patches => map.add_patches(n_wanted, rng),
            Kind::Noise => map.add_noise(n_wanted, rng),
            Kind::Roads => map.add_rivers(n_wanted, rng),
            Kind::Random => map.add_cells(share, rng),
            Kind::One => {
                map.set_rect(area, |_| 3);
            }
        }
        map
    }

    /// The multiplier of a cell; 0 where closed.
    pub(super) fn at(&self, column: Column) -> u8 {
        self.index(column)
            .map_or(0, |index| self.multipliers[index])
    }

    fn index(&self, column: Column) -> Option<usize> {
        let width = self.area.high.x.abs_diff(self.area.low.x) as usize + 1;
        let (dx, dy) = (
            column.x.abs_diff(self.area.low.x),
            column.y.abs_diff(self.area.low.y),
        );
        (self.area.contains(column)).then_some(dy as usize * width + dx as usize)
    }

    /// Sets open cells of a rectangle that are still at 1; returns their number.
    fn set_rect(&mut self, rect: Rect, multiplier: impl Fn(Column) -> u8) -> usize {
        let mut n_set = 0;
        for at in rect.columns() {
            if let Some(index) = self.index(at)
                && self.multipliers[index] == 1
            {
                self.multipliers[index] = multiplier(at);
                n_set += usize::from(self.multipliers[index] > 1);
            }
        }
        n_set
    }

    fn random_column(&self, rng: &mut Rng) -> Column {
        let Rect { low, high } = self.area;
        Column::new(rng.between(low.x, high.x), rng.between(low.y, high.y))
    }

    fn add_patches(&mut self, n_wanted: usize, rng: &mut Rng) {
        let mut n_set = 0;
        while n_set < n_wanted {
            let low = self.random_column(rng);
            let multiplier = 2 + rng.below(4).to_le_bytes()[0];
            let high = Column::new(low.x + PATCH - 1, low.y + PATCH - 1);
            n_set += self.set_rect(Rect::around(low, high), |_| multiplier);
        }
    }

    fn add_cells(&mut self, share: usize, rng: &mut Rng) {
        let share = u32::try_from(share).unwrap_or(100);
        for multiplier in self.multipliers.iter_mut().filter(|it| **it == 1) {
            if rng.chance(share, 100) {
                *multiplier = 2 + rng.below(u32::from(MAX) - 1).to_le_bytes()[0];
            }
        }
    }

    /// Heights between random lattice points; the highest cells become costly, the summits most.
    fn add_noise(&mut self, n_wanted: usize, rng: &mut Rng) {
        let seed = rng.next_u64();
        let height = |at: Column| {
            let lattice = |x: i32, y: i32| {
                let stream = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
                i64::from(Rng::for_stream(seed, stream).below(256))
            };
            let (x, y) = (at.x.div_euclid(PATCH), at.y.div_euclid(PATCH));
            let (dx, dy) = (
                i64::from(at.x.rem_euclid(PATCH)),
                i64::from(at.y.rem_euclid(PATCH)),
            );
            let size = i64::from(PATCH);
            let row = |y: i32| lattice(x, y) * (size - dx) + lattice(x + 1, y) * dx;
            row(y) * (size - dy) + row(y + 1) * dy
        };
        let columns = self.area.columns().filter(|at| self.at(*at) == 1);
        let mut heights: Vec<(i64, Column)> = columns.map(|at| (height(at), at)).collect();
        heights.sort_unstable_by(|a, b| b.cmp(a));
        for (rank, (_, at)) in heights.iter().take(n_wanted).enumerate() {
            let multiplier = match rank * 3 / n_wanted.max(1) {
                0 => 7,
                1 => 4,
                _ => 2,
            };
            self.set_rect(Rect::around(*at, *at), |_| multiplier);
        }
    }

    /// Rivers that wander over the map, with banks.
    fn add_rivers(&mut self, n_wanted: usize, rng: &mut Rng) {
        let mut n_set = 0;
        while n_set < n_wanted {
            let mut at = self.random_column(rng);
            for _ in 0..64 {
                let next = Column::new(at.x + rng.between(-6, 6), at.y + rng.between(-6, 6));
                let around = |margin: i32| Rect {
                    low: Column::new(at.x.min(next.x) - margin, at.y.min(next.y) - margin),
                    high: Column::new(at.x.max(next.x) + margin, at.y.max(next.y) + margin),
                };
                n_set += self.set_rect(around(0), |_| 7);
                n_set += self.set_rect(around(1), |_| 3);
                at = next;
                if n_set >= n_wanted || !self.area.contains(at) {
                    break;
                }
            }
        }
    }

    /// The world: a terrain for each multiplier, and a profile that walks on all of them.
    pub(super) fn world(&self) -> WorldData {
        let mut profile = Profile::DEFAULT;
        for multiplier in 2..=MAX {
            profile.allowed_terrains |= terrain(multiplier).bit();
            let sixteenths = CostMultiplier::from_sixteenths(u16::from(multiplier) * 16);
            (profile.terrain_costs).extend(sixteenths.map(|it| (terrain(multiplier), it)));
        }
        let open = self.area.columns().filter(|at| self.at(*at) > 0);
        WorldData {
            profile,
            cells: open.map(|at| (at.at(0), terrain(self.at(at)))).collect(),
            ..WorldData::default()
        }
    }

    /// The edit that gives a cell another multiplier.
    pub(super) fn edit(&self, at: Column, multiplier: u8) -> GroundEdit {
        GroundEdit::PutCell {
            cell: at.at(0),
            terrain: terrain(multiplier),
        }
    }
}

/// The terrain of a multiplier.
fn terrain(multiplier: u8) -> Terrain {
    match multiplier {
        0 | 1 => Terrain::GROUND,
        multiplier => Terrain::new(20 + multiplier).unwrap_or(Terrain::GROUND),
    }
}
