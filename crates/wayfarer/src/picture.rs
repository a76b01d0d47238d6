//! Worlds, paths and searches as things to draw: a picture is a list of typed marks.
//!
//! Nothing here knows a color. The command line draws marks as PNG and SVG, [`Picture::to_text`]
//! draws them with letters, and a page or a game engine draws them as it likes.

mod abstract_graph;
mod air;
mod bodies;
mod ground;
mod height_band;
mod mark;
mod obstacles;
mod text;

pub use air::Axis;
pub use height_band::HeightBand;
pub use mark::{Mark, Role, SliceContent, ZoneKind};

use wayfarer_base::{
    Cell, Column, Fixed, Heightmap, LinkState, Location, Point3, Raster, Rect, SearchEvent,
    SectorId, Shape, Terrain, TriangleSoup, Voxel, VoxelSet, WorldData,
};

/// Marks to draw, and the rectangle of columns that holds them.
///
/// ```
/// use wayfarer::base::{Cell, Raster, Terrain};
/// use wayfarer::picture::Picture;
///
/// let mut map = Raster::new(5, 3).unwrap();
/// for x in 0..5 {
///     for y in 0..3 {
///         map.set(x, y, (x != 2 || y == 2).then_some(Terrain::GROUND));
///     }
/// }
/// let mut picture = Picture::from_raster(&map);
/// let way = [(0, 0), (0, 1), (1, 2), (2, 2), (3, 2), (4, 1)];
/// picture.add_path(&way.map(|(x, y)| Cell::flat(x, y)));
/// assert_eq!(picture.to_text(), "\
/// A.#..
/// *.#.B
/// .***.
/// ");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    bounds: Rect,
    marks: Vec<Mark>,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            bounds: Rect::EMPTY,
            marks: Vec::new(),
        }
    }
}

impl Picture {
    /// The ground of a flat map; as large as the map, whatever lies in it.
    pub fn from_raster(raster: &Raster) -> Self {
        let mut picture = Self {
            bounds: raster.rect(),
            marks: Vec::new(),
        };
        let cells = raster.rect().columns().filter_map(|at| {
            let terrain = raster.get(at.x, at.y)?;
            Some((at.at(0), terrain))
        });
        picture.add_ground(cells);
        picture
    }

    /// A whole world: its ground, nav links, walls and what is solid in its air.
    pub fn from_data(plan: &WorldData) -> Self {
        let mut cells = plan.cells.clone();
        cells.sort_unstable_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
        let mut picture = Self::default();
        picture.add_ground(cells.into_iter());
        for &(low, high) in &plan.boxes {
            picture.add(Mark::Solid { low, high });
        }
        picture.add_solids(plan.voxels.iter().copied());
        for &wall in &plan.walls {
            picture.add(Mark::Wall(wall));
        }
        for nav_link in &plan.nav_links {
            picture.add(Mark::NavLink {
                from: nav_link.from,
                to: nav_link.to,
                kind: nav_link.kind,
                open: nav_link.state == LinkState::Open,
            });
        }
        picture
    }

    /// What is solid in the air; as large as the box, whatever lies in it.
    pub fn from_voxels(voxels: &VoxelSet) -> Self {
        let [width, height, _] = voxels.size();
        let last = |n: u32| i32::try_from(n).unwrap_or(i32::MAX) - 1;
        let mut picture = Self {
            bounds: Rect {
                low: Column::new(0, 0),
                high: Column::new(last(width), last(height)),
            },
            marks: Vec::new(),
        };
        let at = |n: u32| i32::try_from(n).ok();
        picture.add_solids(voxels.solid().iter().filter_map(|&[x, y, z]| {
            Some(Voxel::new(at(x)?, at(y)?, at(z)?)) // sorted by (z, y, x)
        }));
        picture
    }

    /// The lie of the land: a floor in every column.
    pub fn from_heightmap(map: &Heightmap) -> Self {
        let mut picture = Self::default();
        let floor = |at: Column| Some((at.at(map.get(at.x, at.y)?), Terrain::GROUND));
        picture.add_ground(map.rect().columns().filter_map(floor));
        picture
    }

    /// A mesh from above, one world unit a cell; triangles beyond the world's edge are left out.
    pub fn from_triangles(soup: &TriangleSoup) -> Self {
        let mut picture = Self::default();
        let point = |[x, y, z]: [f64; 3]| {
            Some(Point3 {
                x: Fixed::from_cells(x)?,
                y: Fixed::from_cells(y)?,
                z: Fixed::from_cells(z)?,
            })
        };
        for [a, b, c] in soup.iter() {
            if let (Some(a), Some(b), Some(c)) = (point(a), point(b), point(c)) {
                let corners = [a, b, c];
                picture.add(Mark::Triangle { corners });
            }
        }
        picture
    }

    /// The columns that hold all marks.
    pub const fn bounds(&self) -> Rect {
        self.bounds
    }

    /// The marks, the lowest first.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Lays `mark` over the others; the bounds grow with it.
    pub fn add(&mut self, mark: Mark) -> &mut Self {
        let around = mark.bounds();
        if !around.is_empty() {
            self.bounds = self.bounds.including(around.low).including(around.high);
        }
        self.marks.push(mark);
        self
    }

    /// Adds floors; those that follow each other from west to east become one mark.
    pub fn add_ground(&mut self, cells: impl Iterator<Item = (Cell, Terrain)>) -> &mut Self {
        let mut run: Option<(Cell, u32, Terrain)> = None;
        for (cell, terrain) in cells {
            match &mut run {
                Some((from, length, of))
                    if *of == terrain
                        && from.x.checked_add_unsigned(*length) == Some(cell.x)
                        && (from.y, from.z) == (cell.y, cell.z) =>
                {
                    *length += 1;
                }
                _ => {
                    self.end_ground(run.replace((cell, 1, terrain)));
                }
            }
        }
        self.end_ground(run);
        self
    }

    fn end_ground(&mut self, run: Option<(Cell, u32, Terrain)>) {
        if let Some((from, length, terrain)) = run {
            self.add(Mark::Ground {
                from,
                length,
                terrain,
            });
        }
    }

    /// Adds solid voxels; those that follow each other from west to east become one mark.
    pub fn add_solids(&mut self, voxels: impl Iterator<Item = Voxel>) -> &mut Self {
        let mut run: Option<(Voxel, Voxel)> = None;
        for voxel in voxels {
            match &mut run {
                Some((_, high))
                    if high.x.checked_add(1) == Some(voxel.x)
                        && (high.y, high.z) == (voxel.y, voxel.z) =>
                {
                    *high = voxel;
                }
                _ => {
                    if let Some((low, high)) = run.replace((voxel, voxel)) {
                        self.add(Mark::Solid { low, high });
                    }
                }
            }
        }
        if let Some((low, high)) = run {
            self.add(Mark::Solid { low, high });
        }
        self
    }

    /// Adds a path with its start and goal; an empty one adds nothing.
    pub fn add_path(&mut self, cells: &[Cell]) -> &mut Self {
        if let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) {
            let cells = cells.to_vec();
            self.add(Mark::Path { cells });
            self.add(Mark::Start(start)).add(Mark::Goal(goal));
        }
        self
    }

    /// Adds the cells and voxels that a search expanded, in its order; the rest of what it told
    /// is not drawn.
    pub fn add_events(&mut self, events: &[SearchEvent]) -> &mut Self {
        let expanded = events.iter().filter_map(|event| match event {
            SearchEvent::Expanded { at, .. } => Some(cell_of(*at)),
            _ => None,
        });
        for (order, cell) in (0..).zip(expanded) {
            self.add(Mark::Expanded { cell, order });
        }
        self
    }

    /// Adds ground that a request singles out; the bounds stay, so that a zone without an end
    /// does not make the picture larger.
    pub fn add_zone(&mut self, kind: ZoneKind, shape: Shape, heights: (i32, i32)) -> &mut Self {
        self.marks.push(Mark::Zone {
            kind,
            shape,
            heights,
        });
        self
    }

    /// Adds the outlines of all sectors that the picture touches.
    pub fn add_sectors(&mut self) -> &mut Self {
        if !self.bounds.is_empty() {
            let (low, high) = (
                SectorId::from_column(self.bounds.low),
                SectorId::from_column(self.bounds.high),
            );
            for y in low.y..=high.y {
                // The bounds stay: outlines are cut where the picture ends.
                let row = (low.x..=high.x).map(|x| Mark::SectorLine(SectorId::new(x, y)));
                self.marks.extend(row);
            }
        }
        self
    }

    /// Lowest and highest of the floors and solids, in steps; `None` without any.
    pub fn heights(&self) -> Option<(i32, i32)> {
        let ranges = self.marks.iter().filter_map(|mark| match mark {
            Mark::Ground { from, .. }
            | Mark::Slice {
                from,
                what: SliceContent::Seen { .. },
                ..
            } => Some((from.z, from.z)),
            Mark::Solid { low, high } => Some((low.z, high.z)),
            Mark::Triangle { corners } => {
                let zs = corners.map(|corner| corner.z.cell());
                Some((zs[0].min(zs[1]).min(zs[2]), zs[0].max(zs[1]).max(zs[2])))
            }
            _ => None,
        });
        ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// The cell to draw `location` at; a point of the field lies at height 0.
fn cell_of(location: Location) -> Cell {
    match location {
        Location::Cell(cell) => cell,
        Location::Point(point) => point.column().at(0),
        Location::Voxel(Voxel { x, y, z }) => Cell::new(x, y, z),
    }
}

#[cfg(test)]
mod tests;
