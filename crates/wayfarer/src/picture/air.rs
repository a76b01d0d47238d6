//! The air as marks: what a cut through it shows, and what is seen of it from outside.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, Column, Fixed, Point3, Rect, Voxel};
use wayfarer_search::air::{FlightMethod, LeafNodes, OctreeParams};
use wayfarer_world::air::{Air, AirComponentId, NodeKind};

use super::mark::SliceContent;
use super::{Mark, Picture};

/// The axis that a cut lies across, or that one looks along.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    /// From west to east; one looks from the east.
    X,
    /// From north to south; one looks from the south.
    Y,
    /// Upwards; one looks from above.
    Z,
}

impl Axis {
    /// All three.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Its letter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// Where one looks from, in words.
    pub const fn from_where(self) -> &'static str {
        match self {
            Self::X => "from the east",
            Self::Y => "from the south",
            Self::Z => "from above",
        }
    }

    /// The voxel's number along it.
    pub const fn of(self, at: Voxel) -> i32 {
        match self {
            Self::X => at.x,
            Self::Y => at.y,
            Self::Z => at.z,
        }
    }

    /// The column of the picture in which a voxel lies: up is up.
    pub const fn column(self, at: Voxel) -> Column {
        match self {
            Self::X => Column::new(-at.y, -at.z),
            Self::Y => Column::new(at.x, -at.z),
            Self::Z => Column::new(at.x, at.y),
        }
    }

    /// The voxel of a column of the picture that lies at `depth` along the axis.
    const fn voxel(self, at: Column, depth: i32) -> Voxel {
        match self {
            Self::X => Voxel::new(depth, -at.x, -at.y),
            Self::Y => Voxel::new(at.x, depth, -at.y),
            Self::Z => Voxel::new(at.x, at.y, depth),
        }
    }

    fn bounds(self, air: &Air) -> Rect {
        Rect::around(self.column(air.low()), self.column(air.high()))
    }
}

impl Picture {
    /// Most voxels of a picture of the air: 2^25.
    pub const MAX_CUT: u64 = 1 << 25;

    /// A cut through the air at `depth` along `axis`: what is solid, and the free space colored by
    /// component, number 0 the largest. Across x the picture shows -y and -z, across y it shows x
    /// and -z, so that up is up. `None` if `depth` lies outside the bounds, or the cut has more
    /// than [`Picture::MAX_CUT`] voxels.
    ///
    /// ```
    /// use wayfarer::base::Voxel;
    /// use wayfarer::picture::{Axis, Picture};
    /// use wayfarer::world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [6, 3, 3])?;
    /// builder.solid_box(Voxel::new(2, 0, 0), Voxel::new(2, 2, 2))?;
    /// let cut = Picture::of_air_cut(&builder.build()?, Axis::Z, 1).unwrap();
    /// assert_eq!(cut.to_text(), "++O...\n++O...\n++O...\n");
    /// # Ok::<(), wayfarer::world::air::AirError>(())
    /// ```
    pub fn of_air_cut(air: &Air, axis: Axis, depth: i32) -> Option<Self> {
        let mut picture = Self::empty_cut(air, axis)?;
        let sizes = air.component_sizes().into_iter();
        let ranks: OrderedMap<AirComponentId, u32> = sizes.map(|(name, _)| name).zip(0..).collect();
        picture.cut_rows(|at| {
            let at = axis.voxel(at, depth);
            let spot = air.locate(at)?;
            let what = match spot.kind {
                NodeKind::Free => SliceContent::Component {
                    number: air
                        .component(at)
                        .and_then(|name| ranks.get(&name).copied())?,
                },
                NodeKind::Solid | NodeKind::Mixed => SliceContent::Solid,
            };
            Some((what, 0))
        });
        (axis.of(air.low())..=axis.of(air.high()))
            .contains(&depth)
            .then_some(picture)
    }

    /// The same cut with the cubes of the octree: each free cube by its layer, each partly solid
    /// leaf with its voxels.
    pub fn of_air_layers(air: &Air, axis: Axis, depth: i32) -> Option<Self> {
        let mut picture = Self::empty_cut(air, axis)?;
        let bounds = picture.bounds;
        for column in bounds.columns() {
            let at = axis.voxel(column, depth);
            let spot = air.locate(at)?;
            // The leaf's own square first, then its solid voxels.
            let side = spot.side.max(4);
            let mask = side.cast_signed() - 1;
            let low = |at: i32, from: i32| {
                let inside = at.wrapping_sub(from) & mask;
                at.saturating_sub(inside).max(from)
            };
            let cube = Voxel::new(
                low(at.x, air.low().x),
                low(at.y, air.low().y),
                low(at.z, air.low().z),
            );
            let far = |at: i32, high: i32| at.saturating_add(mask).min(high);
            let end = Voxel::new(
                far(cube.x, air.high().x),
                far(cube.y, air.high().y),
                far(cube.z, air.high().z),
            );
            let square = Rect::around(axis.column(cube), axis.column(end));
            let what = match spot.kind {
                _ if spot.side == 1 => SliceContent::Free { layer: 0 },
                NodeKind::Free => SliceContent::Free {
                    layer: spot.link.layer(),
                },
                NodeKind::Solid | NodeKind::Mixed => SliceContent::Solid,
            };
            if square.low == column {
                picture.add(Mark::Cut {
                    from: column.at(0),
                    width: square.width(),
                    height: square.height(),
                    what,
                });
            }
            if spot.side == 1 && spot.kind == NodeKind::Solid {
                picture.add(Mark::Cut {
                    from: column.at(0),
                    width: 1,
                    height: 1,
                    what: SliceContent::Solid,
                });
            }
        }
        picture.bounds = bounds;
        Some(picture)
    }

    /// What is seen of the air from above, from the south or from the east: in every column the
    /// nearest solid voxel, by its number along the axis.
    pub fn of_air_from(air: &Air, axis: Axis) -> Option<Self> {
        let mut picture = Self::empty_cut(air, axis)?;
        let center = |at: Voxel| {
            let part = |at: i32| Some(Fixed::from_raw(at.checked_mul(256)?.checked_add(128)?));
            Some(Point3 {
                x: part(at.x)?,
                y: part(at.y)?,
                z: part(at.z)?,
            })
        };
        let (near, far) = (axis.of(air.high()), axis.of(air.low()));
        picture.cut_rows(|at| {
            let from = center(axis.voxel(at, near))?;
            let to = center(axis.voxel(at, far))?;
            let hit = air.cast_ray(from, to).ok()??;
            Some((SliceContent::Seen { axis }, axis.of(hit.voxel)))
        });
        Some(picture)
    }

    /// Adds the heat of the space that a search through the air came to: for every column of a view
    /// along `axis`, or of the cut at `depth`, how many of the nodes whose voxels are in `expanded`
    /// lie there. A node is the cube of the octree around its voxel, as large as `method` takes it;
    /// in a cut only its free voxels count. The marks lie at height `z`.
    pub fn add_explored(
        &mut self,
        air: &Air,
        (axis, depth, z): (Axis, Option<i32>, i32),
        method: FlightMethod,
        expanded: impl IntoIterator<Item = Voxel>,
    ) {
        let bounds = axis.bounds(air);
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        // Every square adds 1 to all behind its low corner, and takes it away behind its ends.
        let mut heat = vec![0_i32; (width + 1) * (height + 1)];
        for at in expanded {
            let Some((low, high)) = node_around(air, at, method) else {
                continue;
            };
            if depth.is_some_and(|depth| !(axis.of(low)..=axis.of(high)).contains(&depth)) {
                continue;
            }
            let square = Rect::around(axis.column(low), axis.column(high));
            let part = |at: i32, from: i32| at.abs_diff(from) as usize;
            let (left, top) = (
                part(square.low.x, bounds.low.x),
                part(square.low.y, bounds.low.y),
            );
            let (right, bottom) = (
                left + square.width() as usize,
                top + square.height() as usize,
            );
            let mut add = |x: usize, y: usize, n: i32| heat[x + (width + 1) * y] += n;
            add(left, top, 1);
            add(right, top, -1);
            add(left, bottom, -1);
            add(right, bottom, 1);
        }
        for number in 0..heat.len() {
            let (x, y) = (number % (width + 1), number / (width + 1));
            let at = |x: usize, y: usize| heat[x + (width + 1) * y];
            let left = if x > 0 { at(x - 1, y) } else { 0 };
            let above = if y > 0 { at(x, y - 1) } else { 0 };
            let both = if x > 0 && y > 0 { at(x - 1, y - 1) } else { 0 };
            heat[number] += left + above - both;
        }
        for column in bounds.columns() {
            let x = column.x.abs_diff(bounds.low.x) as usize;
            let y = column.y.abs_diff(bounds.low.y) as usize;
            let times = heat[x + (width + 1) * y].unsigned_abs();
            let is_free = depth.is_none_or(|depth| air.is_free(axis.voxel(column, depth)));
            if times > 0 && is_free {
                self.add(Mark::Explored {
                    cell: column.at(z),
                    times,
                });
            }
        }
    }

    fn empty_cut(air: &Air, axis: Axis) -> Option<Self> {
        let bounds = axis.bounds(air);
        let n_voxels = u64::from(bounds.width()) * u64::from(bounds.height());
        (n_voxels <= Self::MAX_CUT).then_some(Self {
            bounds,
            marks: Vec::new(),
        })
    }

    /// Adds what `look` says of each column, with its height; equal neighbors become one mark.
    fn cut_rows(&mut self, mut look: impl FnMut(Column) -> Option<(SliceContent, i32)>) {
        let mut run: Option<(Cell, u32, SliceContent)> = None;
        for column in self.bounds.columns() {
            let found = look(column).map(|(what, z)| (column.at(z), what));
            if let (Some((from, width, of)), Some((cell, what))) = (&mut run, found)
                && *of == what
                && (from.y, from.z) == (cell.y, cell.z)
                && from.x.checked_add_unsigned(*width) == Some(cell.x)
            {
                *width += 1;
                continue;
            }
            self.end_cut(run.take());
            run = found.map(|(cell, what)| (cell, 1, what));
        }
        self.end_cut(run);
    }

    fn end_cut(&mut self, run: Option<(Cell, u32, SliceContent)>) {
        if let Some((from, width, what)) = run {
            self.marks.push(Mark::Cut {
                from,
                width,
                height: 1,
                what,
            });
        }
    }
}

/// The corners of the node of a search that holds a voxel, within the bounds.
fn node_around(air: &Air, at: Voxel, method: FlightMethod) -> Option<(Voxel, Voxel)> {
    let spot = air.locate(at)?;
    let side = match method {
        FlightMethod::VoxelAStar => 1,
        FlightMethod::Octree(OctreeParams {
            leaf_nodes: LeafNodes::Voxels,
            ..
        }) => spot.side,
        FlightMethod::Octree(_) => spot.side.max(4),
    };
    let mask = side.cast_signed() - 1;
    let (first, last) = (air.low(), air.high());
    let low = |at: i32, first: i32| at - (at.wrapping_sub(first) & mask);
    let low = Voxel::new(low(at.x, first.x), low(at.y, first.y), low(at.z, first.z));
    let high = |at: i32, last: i32| at.saturating_add(mask).min(last);
    let high = Voxel::new(
        high(low.x, last.x),
        high(low.y, last.y),
        high(low.z, last.z),
    );
    Some((low, high))
}

#[cfg(test)]
mod tests;
