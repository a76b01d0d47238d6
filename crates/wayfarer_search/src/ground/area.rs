//! Areas of requests and goals: a shape on the map and a range of heights.

use wayfarer_base::shape::{PolygonRuns, SectorMasks};
use wayfarer_base::{Cell, Column, DirtySector, Point2, Rect, SectorId, Shape};

/// All cells whose column belongs to a shape and whose floor lies between two heights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// The columns; a column belongs to the area if its center lies in the shape.
    pub shape: Shape,
    /// Lowest and highest floor, both included, in height units.
    pub heights: (i32, i32),
}

impl Area {
    /// All floors of a shape.
    pub const fn new(shape: Shape) -> Self {
        Self {
            shape,
            heights: (i32::MIN, i32::MAX),
        }
    }

    /// All floors of a rectangle of columns.
    pub const fn rect(rect: Rect) -> Self {
        Self::new(Shape::Box(rect))
    }

    /// True if `cell` belongs to the area.
    pub fn contains(&self, cell: Cell) -> bool {
        (self.heights.0..=self.heights.1).contains(&cell.z)
            && Point2::center_of(cell.column()).is_some_and(|center| self.shape.contains(center))
    }

    /// The column at the center of its bounds.
    pub(super) fn center(&self) -> Column {
        let Rect { low, high } = self.shape.bounds();
        let half = |a: i32, b: i32| i32::midpoint(a, b);
        Column::new(half(low.x, high.x), half(low.y, high.y))
    }
}

/// Corners above which a polygon is tested by its runs instead of edge by edge.
const MAX_DIRECT_CORNERS: usize = 64;

/// Corners of large polygons times rows of their bounds, in all areas of a request together.
pub(super) const MAX_CROSSINGS: u64 = 1 << 22;

/// The corners times rows of an area that is tested by its runs; 0 for others.
pub(super) fn n_crossings(area: &Area) -> u64 {
    match &area.shape {
        Shape::Polygon(corners) if corners.len() > MAX_DIRECT_CORNERS => {
            u64::from(area.shape.bounds().height()).saturating_mul(corners.len() as u64)
        }
        _ => 0,
    }
}

/// An area that many cells are tested against: a polygon of many corners is tested by its rows.
#[derive(Clone, Debug)]
pub struct PreparedArea {
    pub(super) area: Area,
    /// The runs of a polygon with many corners.
    runs: Option<PolygonRuns>,
}

impl PreparedArea {
    /// Takes time for the corners of a polygon times its rows.
    pub fn new(area: Area) -> Self {
        let runs = match &area.shape {
            Shape::Polygon(corners) if corners.len() > MAX_DIRECT_CORNERS => {
                Some(PolygonRuns::new(corners))
            }
            _ => None,
        };
        Self { area, runs }
    }

    /// True if `cell` belongs to the area.
    pub fn contains(&self, cell: Cell) -> bool {
        match &self.runs {
            None => self.area.contains(cell),
            Some(runs) => {
                let (lowest, highest) = self.area.heights;
                (lowest..=highest).contains(&cell.z) && runs.contains(cell.column())
            }
        }
    }
}

/// Corner lists of dropped polygons, reused for the next copies.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareCorners(Vec<Vec<Point2>>);

impl SpareCorners {
    /// A copy of an area, in reused memory.
    pub(super) fn copy(&mut self, area: &Area) -> Area {
        let shape = match &area.shape {
            Shape::Polygon(corners) => {
                let mut own = self.0.pop().unwrap_or_default();
                own.clone_from(corners);
                Shape::Polygon(own)
            }
            other => other.clone(),
        };
        Area {
            shape,
            heights: area.heights,
        }
    }

    /// Takes back the memory of an area.
    pub(super) fn put(&mut self, area: Area) {
        if let Shape::Polygon(corners) = area.shape {
            self.0.push(corners);
        }
    }
}

/// The columns of a shape within dirty sectors. A cost modifier may be larger than the ground;
/// every sector in which it changes a multiplier is dirty.
pub(super) fn dirty_columns(shape: &Shape, dirty: &[DirtySector]) -> impl Iterator<Item = Column> {
    dirty_masks(shape, dirty).flat_map(|(sector, mask)| columns_of(sector, mask))
}

/// The columns of a shape within dirty sectors, a row of bits per y.
pub(super) fn dirty_masks(
    shape: &Shape,
    dirty: &[DirtySector],
) -> impl Iterator<Item = (SectorId, [u16; 16])> {
    let bounds = shape.bounds();
    let sectors = dirty.iter().map(|dirty| dirty.sector);
    let sectors = sectors.filter(move |sector| !sector.rect().intersection(bounds).is_empty());
    let mut masks = SectorMasks::new(shape);
    sectors.map(move |sector| (sector, masks.mask(sector)))
}

/// The columns of a mask, row by row.
pub(super) fn columns_of(sector: SectorId, mask: [u16; 16]) -> impl Iterator<Item = Column> {
    let columns = sector.rect().columns().enumerate();
    columns.filter_map(move |(n, column)| (mask[n / 16] >> (n % 16) & 1 == 1).then_some(column))
}
