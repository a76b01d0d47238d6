//! One thing to draw, said by what it is; whoever draws it chooses the color.

use wayfarer_base::{
    Aabb2, Cell, Column, Cost, Fixed, NavLinkKind, Point2, Point3, Rect, SectorId, Shape, Terrain,
    Voxel, Wall,
};
use wayfarer_world::obstacles::{ObstacleCategories, ObstacleShape};

use super::Axis;

/// What a cut through the air, or a view of it, shows at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SliceContent {
    /// Something solid.
    Solid,
    /// A free cube of the octree.
    Free {
        /// Its layer; its side is 4 times 2 to that power.
        layer: u8,
    },
    /// Free space of a component.
    Component {
        /// Its number in this picture; 0 is the largest.
        number: u32,
    },
    /// The nearest solid voxel along an axis; its height in the picture is its number there.
    Seen {
        /// The axis.
        axis: Axis,
    },
}

/// Something to draw.
///
/// Marks say what a thing is, never how it looks: a program with pixels, a page and a game engine
/// draw the same marks each in its own way. Later marks lie over earlier ones.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Mark {
    /// Floors of one kind, side by side from west to east at one height.
    Ground {
        /// The westernmost.
        from: Cell,
        /// How many, at least 1.
        length: u32,
        /// What they are made of.
        terrain: Terrain,
    },
    /// A solid block in the air.
    Solid {
        /// Its low corner, included.
        low: Voxel,
        /// Its high corner, included.
        high: Voxel,
    },
    /// A rectangle of a cut through the air, or of a view of it.
    Cut {
        /// Its north-west corner.
        from: Cell,
        /// Cells across, at least 1.
        width: u32,
        /// Cells down, at least 1.
        height: u32,
        /// What is there.
        what: SliceContent,
    },
    /// A piece of a mesh, z up, in cells.
    Triangle {
        /// Its corners.
        corners: [Point3; 3],
    },
    /// A thin wall on the edge of a cell.
    Wall(Wall),
    /// An explicit way between two cells.
    NavLink {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
        /// What it is.
        kind: NavLinkKind,
        /// True if anyone may pass at present.
        open: bool,
    },
    /// The outline of a sector.
    SectorLine(SectorId),
    /// A cell of a region; cells with equal numbers belong together.
    Region {
        /// The cell.
        cell: Cell,
        /// Number of the region in this picture.
        number: u32,
    },
    /// A cell of a component; cells with equal numbers are connected, 0 is the largest.
    Component {
        /// The cell.
        cell: Cell,
        /// Number of the component in this picture.
        number: u32,
    },
    /// The border between two regions.
    Portal {
        /// The center of one region.
        from: Cell,
        /// The center of the other.
        to: Cell,
        /// How many steps cross the border.
        support: u32,
    },
    /// Two regions that touch, in the graph that far paths are planned in.
    Edge {
        /// The center of one.
        from: Cell,
        /// The center of the other.
        to: Cell,
    },
    /// The center of a region.
    Center(Cell),
    /// A way planned over regions.
    Plan {
        /// The centers of the regions, in order.
        cells: Vec<Cell>,
    },
    /// A piece of a way that was planned over regions.
    Piece {
        /// The cells, in order; the first is the last of the piece before.
        cells: Vec<Cell>,
        /// The how-many-eth, from 0.
        number: u32,
    },
    /// A cell that a search took from its open list.
    Expanded {
        /// The cell.
        cell: Cell,
        /// The how-many-eth, from 0.
        order: u32,
    },
    /// A cell of a view or cut through space that a search came to, the hotter the more often.
    Explored {
        /// The cell.
        cell: Cell,
        /// How many expanded nodes lie there, at least 1.
        times: u32,
    },
    /// A path from cell to cell, as a search finds it.
    Path {
        /// The cells, in order.
        cells: Vec<Cell>,
    },
    /// A path pulled straight between the cells.
    Smoothed {
        /// Its corners, in order.
        points: Vec<Point3>,
    },
    /// Where a path begins.
    Start(Cell),
    /// Where a path is to end.
    Goal(Cell),
    /// The ground that something takes up or acts on.
    Footprint {
        /// Which columns.
        shape: Shape,
        /// Height of the floor, in steps.
        z: i32,
    },
    /// Ground that a request singles out.
    Zone {
        /// Why.
        kind: ZoneKind,
        /// Which columns.
        shape: Shape,
        /// Lowest and highest floor that belongs to it, in steps.
        heights: (i32, i32),
    },
    /// Something that stands in the field.
    Obstacle {
        /// Where and how large.
        shape: ObstacleShape,
        /// Of which types.
        types: ObstacleCategories,
    },
    /// A space that a search went through.
    Walked {
        /// Its box.
        area: Aabb2,
        /// What it cost to come to it.
        cost: Cost,
    },
    /// A corner of something in the field that a search came to.
    Corner {
        /// Where.
        at: Point2,
        /// What it cost to come to it.
        cost: Cost,
    },
    /// How strongly obstacles are felt in a space.
    Influence {
        /// Its box.
        area: Aabb2,
        /// How strongly, more than nothing.
        strength: u32,
    },
    /// A space of the field's tree.
    Space {
        /// Its box.
        area: Aabb2,
        /// True if one can walk through it.
        is_free: bool,
    },
    /// A square of the objects' registration grid that a footprint covers.
    Square {
        /// Its box.
        area: Aabb2,
        /// True if all of it lies in the footprint, false if perhaps a part only.
        is_inside: bool,
    },
    /// The edge of an objects' footprint.
    Outline {
        /// Its corners, in order; the last is the first again.
        points: Vec<Point2>,
    },
    /// Columns in sight, side by side from west to east.
    InSight {
        /// The westernmost.
        from: Cell,
        /// How many, at least 1.
        length: u32,
    },
    /// A registered object.
    Body {
        /// Its middle, at the height of its feet.
        at: Point3,
        /// What it does in this picture.
        role: Role,
    },
    /// A few words at a place.
    Label {
        /// The cell they stand beside.
        at: Cell,
        /// The words, one line.
        text: String,
    },
}

/// Why a request singles ground out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZoneKind {
    /// The way may end there.
    Goal,
    /// The way may not enter it.
    Avoided,
    /// It costs more than the ground says.
    Costly,
    /// The pieces of a planned way are looked for inside it.
    Corridor,
}

/// What an object does in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It asks, or looks.
    Asks,
    /// It was found.
    Found,
    /// It lies in a footprint, out of sight.
    Hidden,
    /// Nobody found it.
    Other,
}

impl Role {
    /// As a legend says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asks => "who asks",
            Self::Found => "found",
            Self::Hidden => "in range, hidden",
            Self::Other => "not found",
        }
    }
}

impl ZoneKind {
    /// As a legend says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal area",
            Self::Avoided => "avoided",
            Self::Costly => "dearer",
            Self::Corridor => "corridor",
        }
    }
}

impl Mark {
    /// The columns it lies in; empty for a mark without any.
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
            Self::Cut {
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
            Self::Path { cells } | Self::Plan { cells } | Self::Piece { cells, .. } => {
                around(&mut cells.iter().map(|cell| cell.column()))
            }
            Self::Smoothed { points } => around(&mut points.iter().map(column_of)),
            Self::Footprint { shape, .. } | Self::Zone { shape, .. } => shape.bounds(),
            Self::Square { area, .. } => {
                let last = |at: Fixed| Fixed::from_raw(at.raw().saturating_sub(1));
                let high = Point2::new(last(area.high.x), last(area.high.y));
                Rect::around(area.low.column(), high.column())
            }
            Self::Outline { points } => around(&mut points.iter().map(|point| point.column())),
            Self::Body { at, .. } => Rect::around(column_of(at), column_of(at)),
            Self::Space { area, .. }
            | Self::Walked { area, .. }
            | Self::Influence { area, .. }
            | Self::Obstacle {
                shape: ObstacleShape::Box(area),
                ..
            } => Rect::around(area.low.column(), area.high.column()),
            Self::Obstacle {
                shape:
                    ObstacleShape::Disc {
                        center: centre,
                        radius,
                    },
                ..
            } => Shape::Circle {
                center: *centre,
                radius: *radius,
            }
            .bounds(),
            Self::Corner { at, .. } => Rect::around(at.column(), at.column()),
        }
    }

    /// What it is, in one or two words, as a legend says it.
    ///
    /// ```
    /// use wayfarer::base::Cell;
    /// use wayfarer::picture::Mark;
    /// assert_eq!(Mark::Goal(Cell::flat(1, 2)).name(), "goal");
    /// ```
    pub fn name(&self) -> String {
        let name = match self {
            Self::Ground { terrain, .. } => return terrain.to_string(),
            Self::NavLink { kind, open, .. } => {
                return if *open {
                    kind.name().to_owned()
                } else {
                    format!("{} (shut)", kind.name())
                };
            }
            Self::Cut { what, .. } => return what.name(),
            Self::Obstacle { types, .. } if *types != ObstacleCategories::ALL => {
                let lowest = types.numbers().next().unwrap_or_default();
                return format!("entity of type {lowest}");
            }
            Self::Obstacle { .. } => "entity",
            Self::Walked { .. } => "searched, near to far",
            Self::Corner { .. } => "corner reached",
            Self::Influence { .. } => "felt, a little to strongly",
            Self::Solid { .. } => "solid",
            Self::Triangle { .. } => "mesh",
            Self::Wall(_) => "wall",
            Self::SectorLine(_) => "sector",
            Self::Region { .. } => "region",
            Self::Component { .. } => "component",
            Self::Portal { .. } => "portal",
            Self::Edge { .. } => "edge",
            Self::Center(_) => "centre",
            Self::Plan { .. } => "plan",
            Self::Piece { number, .. } if number % 2 == 0 => "odd pieces",
            Self::Piece { .. } => "even pieces",
            Self::Expanded { .. } => "expanded",
            Self::Explored { .. } => "explored, once to often",
            Self::Path { .. } => "path",
            Self::Smoothed { .. } => "smoothed path",
            Self::Start(_) => "start",
            Self::Goal(_) => "goal",
            Self::Footprint { .. } => "footprint",
            Self::Zone { kind, .. } => kind.name(),
            Self::Space { is_free: true, .. } => "free space",
            Self::Space { is_free: false, .. } => "blocked space",
            Self::Square {
                is_inside: true, ..
            } => "square inside",
            Self::Square {
                is_inside: false, ..
            } => "square in part",
            Self::Outline { .. } => "edge of a footprint",
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
            Self::Component { number: 0 } => "free, the largest part".to_owned(),
            Self::Component { .. } => "free, cut off from it".to_owned(),
            Self::Seen { axis } => format!("solid, seen {}", axis.from_where()),
        }
    }
}

fn column_of(point: &Point3) -> Column {
    Point2::new(point.x, point.y).column()
}
