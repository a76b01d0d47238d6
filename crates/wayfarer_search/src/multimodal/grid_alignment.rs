//! Exact conversion between cells and voxels.

use wayfarer_base::{Cell, Column, Cost, CostMultiplier, Fixed, Location, Rect, Voxel};

/// The lengths of a cell, a step and a voxel in a common unit: at least 2 each, cell and voxel
/// even. The grids share their origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridAlignment {
    /// Side of a cell.
    pub cell: i64,
    /// Height of a step.
    pub step: i64,
    /// Side of a voxel.
    pub voxel: i64,
}

impl Default for GridAlignment {
    /// A voxel is a cell wide and a step high.
    fn default() -> Self {
        Self {
            cell: 256,
            step: 256,
            voxel: 256,
        }
    }
}

impl GridAlignment {
    /// The voxel that contains the center of an agent standing on a cell; `radius` in 1/256 of a
    /// voxel. `None` out of range.
    pub fn voxel_over(&self, cell: Cell, radius: Fixed) -> Option<Voxel> {
        if self.is_cubic() && radius.raw() >= 0 {
            // Without division.
            return Some(Voxel::new(
                cell.x,
                cell.y,
                cell.z.checked_add(radius.raw() >> 8)?,
            ));
        }
        let center = |at: i32| (2 * i64::from(at) + 1) * self.cell / 2;
        let height = i64::from(cell.z) * self.step + i64::from(radius.raw()) * self.voxel / 256;
        let voxel = |at: i64| i32::try_from(at.div_euclid(self.voxel)).ok();
        Some(Voxel::new(
            voxel(center(cell.x))?,
            voxel(center(cell.y))?,
            voxel(height)?,
        ))
    }

    /// True if cells, steps and voxels have one size.
    #[inline]
    pub(super) const fn is_cubic(&self) -> bool {
        self.cell == self.step && self.step == self.voxel
    }

    /// The columns whose centers lie in a voxel's footprint.
    pub(super) fn columns_under(&self, voxel: Voxel) -> Rect {
        if self.cell == self.voxel {
            let column = Column::new(voxel.x, voxel.y);
            return Rect {
                low: column,
                high: column,
            };
        }
        // Centers (2 x + 1) cell / 2 from the low face up to the high face.
        let first = |at: i32| {
            let low = 2 * i64::from(at) * self.voxel - self.cell;
            -(-low).div_euclid(2 * self.cell)
        };
        let column = |x: i64, y: i64| {
            let clamp = |at: i64| {
                let at = at.clamp(i32::MIN.into(), i32::MAX.into());
                i32::try_from(at).expect("clamped")
            };
            Column::new(clamp(x), clamp(y))
        };
        let next = |at: i32| at.saturating_add(1);
        Rect {
            low: column(first(voxel.x), first(voxel.y)),
            high: column(first(next(voxel.x)) - 1, first(next(voxel.y)) - 1),
        }
    }

    /// Cost of a move through the air of length `cost` in voxels, with the flight multiplier and
    /// the volume multipliers at both ends. Rounded down; saturates.
    pub fn move_cost(
        &self,
        cost: Cost,
        multiplier: CostMultiplier,
        ends: (CostMultiplier, CostMultiplier),
    ) -> Cost {
        let ends = u128::from(ends.0.sixteenths()) + u128::from(ends.1.sixteenths());
        let units = u128::from(cost.units())
            * u128::from(self.voxel.unsigned_abs())
            * u128::from(multiplier.sixteenths())
            * ends;
        let by = u128::from(self.cell.unsigned_abs()) * 16 * 32;
        Cost::from_units(u32::try_from(units / by).unwrap_or(u32::MAX))
    }

    /// Twice the horizontal coordinates of a location's center.
    pub(super) fn doubled_center(&self, location: Location) -> [i64; 2] {
        match location {
            Location::Cell(at) => [at.x, at.y].map(|at| (2 * i64::from(at) + 1) * self.cell),
            Location::Voxel(at) => [at.x, at.y].map(|at| (2 * i64::from(at) + 1) * self.voxel),
            Location::Point(_) => [0; 2],
        }
    }

    /// Octile distance between two doubled centers at the given costs per cell; rounded down.
    pub(super) fn octile(&self, a: [i64; 2], b: [i64; 2], (straight, diagonal): (u32, u32)) -> u64 {
        let (dx, dy) = (a[0].abs_diff(b[0]), a[1].abs_diff(b[1]));
        let by = 2 * self.cell.unsigned_abs();
        if dx.max(dy) < 1 << 31 {
            // At most 31 bits times 32.
            let (long, short) = (dx.max(dy), dx.min(dy));
            return ((long - short) * u64::from(straight) + short * u64::from(diagonal)) / by;
        }
        let (long, short) = (u128::from(dx.max(dy)), u128::from(dx.min(dy)));
        let units = (long - short) * u128::from(straight) + short * u128::from(diagonal);
        u64::try_from(units / u128::from(by)).unwrap_or(u64::MAX)
    }
}
