//! Where one region of a sector leads into one of the next sector, and over which cells.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a border has sixteen cells, and a sheet fewer than 256 regions"
)]

use wayfarer_base::Direction;
use wayfarer_world::ground::SheetBits;

/// Open border between two regions, to the east or to the south of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Border {
    /// The number of the sheet, and of the next one.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Where it lies: see [`Run`].
    pub(super) run: u32,
}

/// An open stretch of a sheet's border, as it is compared.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) is_east: bool,
    /// The row, or the column.
    pub(super) first: u8,
    pub(super) length: u8,
    /// The region in the sheet.
    pub(super) own: u8,
    /// The region in the next sheet.
    pub(super) other: u8,
}

impl Run {
    /// Set where several stretches join a region of one sheet with one of another: where they lie
    /// does not matter then, as none is a bridge.
    pub(super) const SEVERAL: u32 = 1 << 31;
    /// The bits that tell which regions a border joins.
    pub(super) const ENDS: u32 = 1 | 0xFF << 10 | 0xFF << 18;

    fn pack(self) -> u32 {
        u32::from(self.is_east)
            | u32::from(self.first) << 1
            | u32::from(self.length) << 5
            | u32::from(self.own) << 10
            | u32::from(self.other) << 18
    }

    pub(super) fn unpack(word: u32) -> Self {
        Self {
            is_east: word & 1 == 1,
            first: (word >> 1 & 15) as u8,
            length: (word >> 5 & 31) as u8,
            own: (word >> 10) as u8,
            other: (word >> 18) as u8,
        }
    }
}

/// Notes the open stretches of a sheet's border to the east and to the south.
#[inline]
pub(super) fn gather_borders(sheet: &SheetBits<'_>, borders: &mut Vec<Border>) {
    let from = sheet.number();
    for is_east in [true, false] {
        let (to, own) = if is_east {
            (Direction::East, sheet.columns(15)[1])
        } else {
            (Direction::South, sheet.rows(15)[1])
        };
        let mut open = sheet.exits(to) & own;
        if open == 0 {
            continue;
        }
        let Some(next) = sheet.neighbor(to) else {
            continue;
        };
        // Its lowest stretch taken away.
        let more = open & open.wrapping_add(open & open.wrapping_neg());
        if sheet.n_regions() == 1 && next.n_regions() == 1 {
            let run = Run {
                is_east,
                first: open.trailing_zeros() as u8,
                length: open.count_ones() as u8,
                own: 0,
                other: 0,
            };
            borders.push(Border {
                from,
                to: next.number(),
                run: if more == 0 {
                    run.pack()
                } else {
                    Run::SEVERAL | u32::from(is_east)
                },
            });
            continue;
        }
        let first_border = borders.len();
        while open != 0 {
            let first = open.trailing_zeros();
            let length = (!(open >> first)).trailing_zeros();
            open &= open.wrapping_add(1 << first);
            let (own, other) = if is_east {
                (sheet.region_at(15, first), next.region_at(0, first))
            } else {
                (sheet.region_at(first, 15), next.region_at(first, 0))
            };
            let run = Run {
                is_east,
                first: first as u8,
                length: length as u8,
                own,
                other,
            };
            let run = run.pack();
            let mut known = borders[first_border..].iter_mut();
            if let Some(known) = known.find(|known| known.run & Run::ENDS == run & Run::ENDS) {
                known.run = run & Run::ENDS | Run::SEVERAL;
                continue;
            }
            borders.push(Border {
                from,
                to: next.number(),
                run,
            });
        }
    }
}
