//! [`Mark`]: one item of a picture, typed by meaning; the renderer chooses color and shape.

use wayfarer_base::{
    Aabb2, Cell, Column, Cost, Fixed, NavLinkKind, Point2, Point3, Rect, SectorId, Shape, Terrain,
    Voxel, Wall,
};
use wayfarer_world::obstacles::{ObstacleCategories, ObstacleShape};

use super::Axis;

/// The content of a slice or projection of the air.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SliceContent {
    /// A solid voxel.
    Solid,
    /// A free node of the octree.
    Free {
        /// Its layer; its side is 4 · 2^layer voxels.
        layer: u8,
    },
    /// Free space of a connected component.
    Component {
        /// Number of the component in this picture; 0 is the largest.
        number: u32,
    },
    /// The nearest solid voxel along an axis; the height of the mark is its coordinate there.
    Seen {
        /// The axis of the projection.
        axis: Axis,
    },
}

/// An item to draw. Later marks lie over earlier ones.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Mark {
    /// A run of floors of one terrain and height, from west to east.
    Ground {
        /// The westernmost floor.
        from: Cell,
        /// Number of floors, at least 1.
        length: u32,
        /// Their terrain.
        terrain: Terrain,
    },
    /// A solid box of voxels.
    Solid {
        /// Low corner, included.
        low: Voxel,
        /// High corner, included.
        high: Voxel,
    },
    /// A rectangle of a slice or projection of the air.
    Slice {
        /// North-west corner.
        from: Cell,
        /// Columns, at least 1.
        width: u32,
        /// Rows, at least 1.
        height: u32,
        /// Its content.
        what: SliceContent,
    },
    /// A triangle of a mesh, z up, in cells.
    Triangle {
        /// Its vertices.
        corners: [Point3; 3],
    },
    /// A thin wall on the edge of a cell.
    Wall(Wall),
    /// A nav link between two cells.
    NavLink {
        /// First end.
        from: Cell,
        /// Second end.
        to: Cell,
        /// Its kind.
        kind: NavLinkKind,
        /// True if it is open to all agents.
        is_open: bool,
    },
    /// The outline of a sector.
    SectorLine(SectorId),
    /// A cell of a region.
    Region {
        /// The cell.
        cell: Cell,
        /// Number of the region in this picture.
        number: u32,
    },
    /// A cell of a connected component.
    Component {
        /// The cell.
        cell: Cell,
        /// Number of the component in this picture; 0 is the largest.
        number: u32,
    },
    /// A portal between two regions.
    Portal {
        /// The center of one region.
        from: Cell,
        /// The center of the other.
        to: Cell,
        /// Number of steps across the border.
        support: u32,
    },
    /// An edge of the region graph.
    Edge {
        /// The center of one.
        from: Cell,
        /// The center of the other.
        to: Cell,
    },
    /// The center of a region.
    Center(Cell),
    /// An abstract path over regions.
    AbstractPath {
        /// The centers of the regions, in order.
        cells: Vec<Cell>,
    },
    /// A segment of a refined path.
    Segment {
        /// The cells, in order; the first is the last of the segment before.
        cells: Vec<Cell>,
        /// Index of the segment, from 0.
        number: u32,
    },
    /// A cell that a search expanded.
    Expanded {
        /// The cell.
        cell: Cell,
        /// Index of the expansion, from 0.
        order: u32,
    },
    /// A cell of a heat map of expanded nodes.
    Explored {
        /// The cell.
        cell: Cell,
        /// Number of expanded nodes there, at least 1.
        times: u32,
    },
    /// A path from cell to cell.
    Path {
        /// The cells, in order.
        cells: Vec<Cell>,
    },
    /// A string-pulled or planar path.
    Smoothed {
        /// The vertices of the polyline, in order.
        points: Vec<Point3>,
    },
    /// The start of a path.
    Start(Cell),
    /// The goal of a path.
    Goal(Cell),
    /// The shape of a cost modifier or an agent on the ground.
    Footprint {
        /// The columns it covers.
        shape: Shape,
        /// Height of the floor, in steps.
        z: i32,
    },
    /// An area of a request.
    Zone {
        /// Its meaning in the request.
        kind: ZoneKind,
        /// The columns it covers.
        shape: Shape,
        /// Lowest and highest floor in it, in steps.
        heights: (i32, i32),
    },
    /// An obstacle of the plane.
    Obstacle {
        /// Its shape.
        shape: ObstacleShape,
        /// Its categories.
        categories: ObstacleCategories,
    },
    /// A quad that a search expanded.
    SearchedQuad {
        /// Its bounds.
        area: Aabb2,
        /// Cost to reach it.
        cost: Cost,
    },
    /// A corner of an obstacle that a search reached.
    Corner {
        /// Its point.
        at: Point2,
        /// Cost to reach it.
        cost: Cost,
    },
    /// The influence in a quad.
    Influence {
        /// Its bounds.
        area: Aabb2,
        /// Strength, at least 1.
        strength: u32,
    },
    /// A leaf of the obstacle quadtree.
    Quad {
        /// Its bounds.
        area: Aabb2,
        /// True if it is free of obstacles.
        is_free: bool,
    },
    /// A bin of the body grid that a footprint covers.
    GridBin {
        /// Its bounds.
        area: Aabb2,
        /// True if it lies entirely in the footprint, false if it may overlap the border.
        is_inside: bool,
    },
    /// The outline of a footprint.
    Outline {
        /// Its vertices, in order; the last equals the first.
        points: Vec<Point2>,
    },
    /// A run of visible columns, from west to east.
    InSight {
        /// The westernmost column.
        from: Cell,
        /// Number of columns, at least 1.
        length: u32,
    },
    /// A body.
    Body {
        /// Its center, at the height of its feet.
        at: Point3,
        /// Its role in this picture.
        role: Role,
    },
    /// A label.
    Label {
        /// The cell beside it.
        at: Cell,
        /// The text, one line.
        text: String,
    },
}

/// The meaning of an area in a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZoneKind {
    /// The path may end there.
    Goal,
    /// The path must not enter it.
    Avoided,
    /// The request adds cost to it.
    Costly,
    /// The segments of a refined path are searched inside it.
    Corridor,
}

/// The role of a body in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It runs the query or carries the sensor.
    QueryOrigin,
    /// The query found it.
    Found,
    /// It is in range, but not in sight.
    Hidden,
    /// It is out of range.
    Other,
}

impl Role {
    /// Its name in a legend.
    pub const fn name(self) -> &'static str {
        match self {
            Self::QueryOrigin => "query origin",
            Self::Found => "found",
            Self::Hidden => "in range, hidden",
            Self::Other => "not found",
        }
    }
}

impl ZoneKind {
    /// Its name in a legend.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal area",
            Self::Avoided => "avoided",
            Self::Costly => "costly",
            Self::Corridor => "corridor",
        }
    }
}

impl Mark {
    /// The columns it covers; empty for a mark without any.
    pub fn bounds(&self) -> Rect {
        let around = |columns: &mut dyn Iterator<Item = Column>| {
            columns.fold(Rect::EMPTY, |rect, column| rect.including(column))
        };
        match self {
            Self::Ground { from, length, .. } | Self::InSight { from, length } => {
                let last = from.x.saturating_add_unsigned(length.saturating_sub(1));
                Rect::around(from.column(), Column::new(last, from.y))
            }
            Self::Solid { low, high } => {
                Rect::around(Column::new(low.x, low.y), Column::new(high.x, high.y))
            }
            Self::Slice {
                from,
                width,
                height,
                ..
            } => {
                let last =
                    |at: i32, length: u32| at.saturating_add_unsigned(length.saturating_sub(1));
                let end = Column::new(last(from.x, *width), last(from.y, *height));
                Rect::around(from.column(), end)
            }
            Self::Triangle { corners } => around(&mut corners.iter().map(column_of)),
            Self::Wall(wall) => around(
                &mut [
                    Some(wall.cell.column()),
                    wall.cell.column().step(wall.side.direction()),
                ]
                .into_iter()
                .flatten(),
            ),
            Self::NavLink { from, to, .. }
            | Self::Portal { from, to, .. }
            | Self::Edge { from, to } => Rect::around(from.column(), to.column()),
            Self::SectorLine(sector) => sector.rect(),
            Self::Region { cell, .. }
            | Self::Component { cell, .. }
            | Self::Expanded { cell, .. }
            | Self::Explored { cell, .. }
            | Self::Center(cell)
            | Self::Start(cell)
            | Self::Goal(cell)
            | Self::Label { at: cell, .. } => Rect::around(cell.column(), cell.column()),
            Self::Path { cells } | Self::AbstractPath { cells } | Self::Segment { cells, .. } => {
                around(&mut cells.iter().map(|cell| cell.column()))
            }
            Self::Smoothed { points } => around(&mut points.iter().map(column_of)),
            Self::Footprint { shape, .. } | Self::Zone { shape, .. } => shape.bounds(),
            Self::GridBin { area, .. } => {
                let last = |at: Fixed| Fixed::from_raw(at.raw().saturating_sub(1));
                let high = Point2::new(last(area.high.x), last(area.high.y));
                Rect::around(area.low.column(), high.column())
            }
            Self::Outline { points } => around(&mut points.iter().map(|point| point.column())),
            Self::Body { at, .. } => Rect::around(column_of(at), column_of(at)),
            Self::Quad { area, .. }
            | Self::SearchedQuad { area, .. }
            | Self::Influence { area, .. }
            | Self::Obstacle {
                shape: ObstacleShape::Box(area),
                ..
            } => Rect::around(area.low.column(), area.high.column()),
            Self::Obstacle {
                shape: ObstacleShape::Disc { center, radius },
                ..
            } => Shape::Circle {
                center: *center,
                radius: *radius,
            }
            .bounds(),
            Self::Corner { at, .. } => Rect::around(at.column(), at.column()),
        }
    }

    /// Its name in a legend.
    ///
    /// ```
    /// use wayfarer_engine::base::Cell;
    /// use wayfarer_engine::picture::Mark;
    /// assert_eq!(Mark::Goal(Cell::flat(1, 2)).name(), "goal");
    /// ```
    pub fn name(&self) -> String {
        let name = match self {
            Self::Ground { terrain, .. } => return terrain.to_string(),
            Self::NavLink { kind, is_open, .. } => {
                return if *is_open {
                    kind.name().to_owned()
                } else {
                    format!("{} (closed)", kind.name())
                };
            }
            Self::Slice { what, .. } => return what.name(),
            Self::Obstacle { categories, .. } if *categories != ObstacleCategories::ALL => {
                let lowest = categories.numbers().next().unwrap_or_default();
                return format!("obstacle of category {lowest}");
            }
            Self::Obstacle { .. } => "obstacle",
            Self::SearchedQuad { .. } => "searched, near to far",
            Self::Corner { .. } => "corner reached",
            Self::Influence { .. } => "influence, weak to strong",
            Self::Solid { .. } => "solid",
            Self::Triangle { .. } => "mesh",
            Self::Wall(_) => "wall",
            Self::SectorLine(_) => "sector",
            Self::Region { .. } => "region",
            Self::Component { .. } => "component",
            Self::Portal { .. } => "portal",
            Self::Edge { .. } => "edge",
            Self::Center(_) => "center",
            Self::AbstractPath { .. } => "abstract path",
            Self::Segment { number, .. } if number % 2 == 0 => "odd segments",
            Self::Segment { .. } => "even segments",
            Self::Expanded { .. } => "expanded",
            Self::Explored { .. } => "explored, once to often",
            Self::Path { .. } => "path",
            Self::Smoothed { .. } => "smoothed path",
            Self::Start(_) => "start",
            Self::Goal(_) => "goal",
            Self::Footprint { .. } => "footprint",
            Self::Zone { kind, .. } => kind.name(),
            Self::Quad { is_free: true, .. } => "free quad",
            Self::Quad { is_free: false, .. } => "blocked quad",
            Self::GridBin {
                is_inside: true, ..
            } => "bin inside",
            Self::GridBin {
                is_inside: false, ..
            } => "bin in part",
            Self::Outline { .. } => "footprint outline",
            Self::InSight { .. } => "in sight",
            Self::Body { role, .. } => role.name(),
            Self::Label { .. } => "label",
        };
        name.to_owned()
    }
}

impl SliceContent {
    fn name(self) -> String {
        match self {
            Self::Solid => "solid".to_owned(),
            Self::Free { layer } => format!("free, {} wide", 4_u32 << layer.min(15)),
            Self::Component { number: 0 } => "free, largest component".to_owned(),
            Self::Component { .. } => "free, other component".to_owned(),
            Self::Seen { axis } => format!("solid, seen {}", axis.from_where()),
        }
    }
}

fn column_of(point: &Point3) -> Column {
    Point2::new(point.x, point.y).column()
}
