//! Debug drawing: worlds, paths and searches as a list of typed marks, independent of a renderer.
//!
//! A mark states what an item is, never its color. The command line renders marks as PNG and SVG,
//! [`Picture::to_text`] as text; an engine can map them to its own debug lines.

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

/// A list of marks and the rectangle of columns that bounds them.
///
/// ```
/// use wayfarer_engine::base::{Cell, Raster, Terrain};
/// use wayfarer_engine::picture::Picture;
///
/// let mut map = Raster::new(5, 3).unwrap();
/// for x in 0..5 {
///     for y in 0..3 {
///         map.set(x, y, (x != 2 || y == 2).then_some(Terrain::GROUND));
///     }
/// }
/// let mut picture = Picture::from_raster(&map);
/// let path = [(0, 0), (0, 1), (1, 2), (2, 2), (3, 2), (4, 1)];
/// picture.add_path(&path.map(|(x, y)| Cell::flat(x, y)));
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
    /// The ground of a flat map, with the bounds of the map.
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

    /// The floors, nav links, walls and solid boxes and voxels of `data`.
    pub fn from_data(data: &WorldData) -> Self {
        let mut cells = data.cells.clone();
        cells.sort_unstable_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
        let mut picture = Self::default();
        picture.add_ground(cells.into_iter());
        for &(low, high) in &data.boxes {
            picture.add(Mark::Solid { low, high });
        }
        picture.add_solids(data.voxels.iter().copied());
        for &wall in &data.walls {
            picture.add(Mark::Wall(wall));
        }
        for nav_link in &data.nav_links {
            picture.add(Mark::NavLink {
                from: nav_link.from,
                to: nav_link.to,
                kind: nav_link.kind,
                is_open: nav_link.state == LinkState::Open,
            });
        }
        picture
    }

    /// The solid voxels of a set; its bounds are those of the set, from column (0, 0).
    pub fn from_voxels(voxels: &VoxelSet) -> Self {
        let [width, height, _] = voxels.size();
        let mut picture = Self {
            bounds: Rect::from_size(width, height),
            marks: Vec::new(),
        };
        let at = |n: u32| i32::try_from(n).ok();
        picture.add_solids(voxels.solid().iter().filter_map(|&[x, y, z]| {
            Some(Voxel::new(at(x)?, at(y)?, at(z)?)) // sorted by (z, y, x)
        }));
        picture
    }

    /// The floors of a height map, one per column.
    pub fn from_heightmap(map: &Heightmap) -> Self {
        let mut picture = Self::default();
        let floor = |at: Column| Some((at.at(map.get(at.x, at.y)?), Terrain::GROUND));
        picture.add_ground(map.rect().columns().filter_map(floor));
        picture
    }

    /// A mesh from above, one unit per cell; triangles outside the world are skipped.
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

    /// The columns that contain all marks.
    pub const fn bounds(&self) -> Rect {
        self.bounds
    }

    /// The marks in drawing order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Adds `mark` on top and extends the bounds.
    pub fn add(&mut self, mark: Mark) -> &mut Self {
        let around = mark.bounds();
        if !around.is_empty() {
            self.bounds = self.bounds.including(around.low).including(around.high);
        }
        self.marks.push(mark);
        self
    }

    /// Adds floors; consecutive ones from west to east form one mark.
    pub fn add_ground(&mut self, cells: impl Iterator<Item = (Cell, Terrain)>) -> &mut Self {
        let mut run: Option<(Cell, u32, Terrain)> = None;
        for (cell, terrain) in cells {
            match &mut run {
                Some((from, length, run_terrain))
                    if *run_terrain == terrain
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

    /// Adds solid voxels; consecutive ones from west to east form one mark.
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

    /// Adds a path with its start and goal; no effect if empty.
    pub fn add_path(&mut self, cells: &[Cell]) -> &mut Self {
        if let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) {
            let cells = cells.to_vec();
            self.add(Mark::Path { cells });
            self.add(Mark::Start(start)).add(Mark::Goal(goal));
        }
        self
    }

    /// Adds the cells and voxels that a search expanded, in order; other events are ignored.
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

    /// Adds a zone of a request without extending the bounds: zones may be unbounded.
    pub fn add_zone(&mut self, kind: ZoneKind, shape: Shape, heights: (i32, i32)) -> &mut Self {
        self.marks.push(Mark::Zone {
            kind,
            shape,
            heights,
        });
        self
    }

    /// Adds the outlines of all sectors that overlap the bounds.
    pub fn add_sectors(&mut self) -> &mut Self {
        if !self.bounds.is_empty() {
            let (low, high) = (
                SectorId::from_column(self.bounds.low),
                SectorId::from_column(self.bounds.high),
            );
            for y in low.y..=high.y {
                // Outlines are clipped to the bounds.
                let row = (low.x..=high.x).map(|x| Mark::SectorLine(SectorId::new(x, y)));
                self.marks.extend(row);
            }
        }
        self
    }

    /// Lowest and highest floor, solid or triangle, in steps; `None` without any.
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

/// The cell at which `location` is drawn; a planar point is at height 0.
fn cell_of(location: Location) -> Cell {
    match location {
        Location::Cell(cell) => cell,
        Location::Point(point) => point.column().at(0),
        Location::Voxel(Voxel { x, y, z }) => Cell::new(x, y, z),
    }
}

#[cfg(test)]
mod tests;
