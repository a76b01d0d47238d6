//! Open borders between the regions of adjacent sheets: the edges of the region graph.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a border has sixteen cells, and a sheet fewer than 256 regions"
)]

use wayfarer_base::Direction;
use wayfarer_world::ground::SheetBits;

/// The open border between a region of a sheet and one of the sheet to its east or south.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Border {
    /// Sheet numbers.
    pub(super) from: u32,
    pub(super) to: u32,
    /// A packed [`BorderRun`].
    pub(super) run: u32,
}

/// A run of open cells on the border of a sheet.
#[derive(Clone, Copy)]
pub(super) struct BorderRun {
    pub(super) is_east: bool,
    /// First row or column in the sheet.
    pub(super) first: u8,
    pub(super) length: u8,
    /// Ordinal of the region in the sheet.
    pub(super) own: u8,
    /// Ordinal of the region in the next sheet.
    pub(super) other: u8,
}

impl BorderRun {
    /// Set if several runs connect the two regions: then none is a bridge, and their position is
    /// not stored.
    pub(super) const MULTIPLE: u32 = 1 << 31;
    /// The bits that identify the two regions.
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

/// Collects the borders of a sheet to the east and to the south.
#[inline]
pub(super) fn collect_borders(sheet: &SheetBits<'_>, borders: &mut Vec<Border>) {
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
        // Without its lowest run.
        let more = open & open.wrapping_add(open & open.wrapping_neg());
        if sheet.n_regions() == 1 && next.n_regions() == 1 {
            let run = BorderRun {
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
                    BorderRun::MULTIPLE | u32::from(is_east)
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
            let run = BorderRun {
                is_east,
                first: first as u8,
                length: length as u8,
                own,
                other,
            };
            let run = run.pack();
            let mut known = borders[first_border..].iter_mut();
            if let Some(known) =
                known.find(|known| known.run & BorderRun::ENDS == run & BorderRun::ENDS)
            {
                known.run = run & BorderRun::ENDS | BorderRun::MULTIPLE;
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
