//! Numbers, vectors and routes as bytes, little-endian.

use wayfarer_base::{Cell, NavLinkId, NavLinkKind};

use crate::agent::{RoutePoint, RouteStep};
use crate::vector::Vec2;

/// Appends to bytes.
pub(crate) struct Writer<'a>(pub(crate) &'a mut Vec<u8>);

impl Writer<'_> {
    pub(crate) fn word(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn long(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.word(u32::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(crate) fn count(&mut self, number: usize) {
        self.word(u32::try_from(number).unwrap_or(u32::MAX));
    }

    pub(crate) fn float(&mut self, number: f64) {
        self.long(number.to_bits());
    }

    pub(crate) fn vector(&mut self, vector: Vec2) {
        self.float(vector.x);
        self.float(vector.y);
    }

    pub(crate) fn cell(&mut self, cell: Cell) {
        for at in [cell.x, cell.y, cell.z] {
            self.word(at.cast_unsigned());
        }
    }

    pub(crate) fn point(&mut self, point: &RoutePoint) {
        self.vector(point.at);
        self.cell(point.cell);
        match point.next {
            RouteStep::Walk => self.word(0),
            RouteStep::OneWay => self.word(1),
            RouteStep::NavLink(link) => {
                let kind = NavLinkKind::ALL.iter().position(|kind| *kind == link.kind);
                self.count(2 + kind.unwrap_or(0));
                self.cell(link.from);
                self.cell(link.to);
            }
        }
    }
}

/// Takes from the front of bytes; `None` if they end or a value is out of range.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn maybe<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.flag()? {
            true => read(self).map(Some),
            false => Some(None),
        }
    }

    pub(crate) fn word(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    pub(crate) fn long(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    /// A number of items of at least so many bytes each, which must be there.
    pub(crate) fn count(&mut self, bytes_each: usize) -> Option<usize> {
        let count = self.word()? as usize;
        let n_bytes = count.checked_mul(bytes_each)?;
        (n_bytes <= self.0.len()).then_some(count)
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.word()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn float(&mut self) -> Option<f64> {
        let number = f64::from_bits(self.long()?);
        (!number.is_nan()).then_some(number)
    }

    pub(crate) fn vector(&mut self) -> Option<Vec2> {
        Some(Vec2::new(self.float()?, self.float()?))
    }

    pub(crate) fn cell(&mut self) -> Option<Cell> {
        let (x, y, z) = (self.word()?, self.word()?, self.word()?);
        Some(Cell::new(x.cast_signed(), y.cast_signed(), z.cast_signed()))
    }

    pub(crate) fn point(&mut self) -> Option<RoutePoint> {
        let (at, cell) = (self.vector()?, self.cell()?);
        let next = match self.word()? {
            0 => RouteStep::Walk,
            1 => RouteStep::OneWay,
            kind => RouteStep::NavLink(NavLinkId {
                kind: *NavLinkKind::ALL.get(kind as usize - 2)?,
                from: self.cell()?,
                to: self.cell()?,
            }),
        };
        at.is_finite().then_some(RoutePoint { at, cell, next })
    }
}
