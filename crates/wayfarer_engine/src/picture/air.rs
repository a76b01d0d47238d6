//! Marks of the air: slices across an axis, projections along an axis, heat maps of searches.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, Column, Fixed, Point3, Rect, Voxel};
use wayfarer_search::air::{FlightMethod, LeafNodes, OctreeParams};
use wayfarer_world::air::{Air, AirComponentId, NodeKind};

use super::mark::SliceContent;
use super::{Mark, Picture};

/// The axis across which a slice lies, or along which a projection looks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    /// West to east; projections look from the east.
    X,
    /// North to south; projections look from the south.
    Y,
    /// Upward; projections look from above.
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

    /// The side from which a projection looks, in words.
    pub const fn from_where(self) -> &'static str {
        match self {
            Self::X => "from the east",
            Self::Y => "from the south",
            Self::Z => "from above",
        }
    }

    /// The coordinate of a voxel along the axis.
    pub const fn of(self, at: Voxel) -> i32 {
        match self {
            Self::X => at.x,
            Self::Y => at.y,
            Self::Z => at.z,
        }
    }

    /// The column of the picture in which a voxel lies; z points up.
    pub const fn column(self, at: Voxel) -> Column {
        match self {
            Self::X => Column::new(-at.y, -at.z),
            Self::Y => Column::new(at.x, -at.z),
            Self::Z => Column::new(at.x, at.y),
        }
    }

    /// The voxel at a column of the picture and `depth` along the axis.
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
    /// Maximum number of voxels of a slice or projection: 2^25.
    pub const MAX_SLICE_VOXELS: u64 = 1 << 25;

    /// A slice of the air at `depth` along `axis`: solid voxels, and free ones by connected
    /// component, 0 the largest. Across x the picture shows (-y, -z), across y (x, -z), so that z
    /// points up. `None` if `depth` is out of bounds or the slice exceeds
    /// [`Picture::MAX_SLICE_VOXELS`].
    ///
    /// ```
    /// use wayfarer_engine::base::Voxel;
    /// use wayfarer_engine::picture::{Axis, Picture};
    /// use wayfarer_engine::world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [6, 3, 3])?;
    /// builder.add_box(Voxel::new(2, 0, 0), Voxel::new(2, 2, 2))?;
    /// let slice = Picture::from_air_slice(&builder.build()?, Axis::Z, 1).unwrap();
    /// assert_eq!(slice.to_text(), "++O...\n++O...\n++O...\n");
    /// # Ok::<(), wayfarer_engine::world::air::AirError>(())
    /// ```
    pub fn from_air_slice(air: &Air, axis: Axis, depth: i32) -> Option<Self> {
        let mut picture = Self::empty_slice(air, axis)?;
        let sizes = air.component_sizes().into_iter();
        let ranks: OrderedMap<AirComponentId, u32> = sizes.map(|(id, _)| id).zip(0..).collect();
        picture.add_slice_rows(|at| {
            let at = axis.voxel(at, depth);
            let node = air.locate(at)?;
            let what = match node.kind {
                NodeKind::Free => SliceContent::Component {
                    number: air.component(at).and_then(|id| ranks.get(&id).copied())?,
                },
                NodeKind::Solid | NodeKind::Mixed => SliceContent::Solid,
            };
            Some((what, 0))
        });
        (axis.of(air.low())..=axis.of(air.high()))
            .contains(&depth)
            .then_some(picture)
    }

    /// The slice of [`Picture::from_air_slice`] with the nodes of the octree: free nodes by layer,
    /// mixed leaves by voxel. `None` as there.
    pub fn from_air_layers(air: &Air, axis: Axis, depth: i32) -> Option<Self> {
        let mut picture = Self::empty_slice(air, axis)?;
        let bounds = picture.bounds;
        for column in bounds.columns() {
            let at = axis.voxel(column, depth);
            let node = air.locate(at)?;
            // The square of the leaf first, then its solid voxels.
            let side = node.side.max(4);
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
            let what = match node.kind {
                _ if node.side == 1 => SliceContent::Free { layer: 0 },
                NodeKind::Free => SliceContent::Free {
                    layer: node.link.layer(),
                },
                NodeKind::Solid | NodeKind::Mixed => SliceContent::Solid,
            };
            if square.low == column {
                picture.add(Mark::Slice {
                    from: column.at(0),
                    width: square.width(),
                    height: square.height(),
                    what,
                });
            }
            if node.side == 1 && node.kind == NodeKind::Solid {
                picture.add(Mark::Slice {
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

    /// The air from above, from the south or from the east: in every column the nearest solid voxel,
    /// by its coordinate along the axis. `None` if it exceeds [`Picture::MAX_SLICE_VOXELS`].
    pub fn from_air_projection(air: &Air, axis: Axis) -> Option<Self> {
        let mut picture = Self::empty_slice(air, axis)?;
        let center = |at: Voxel| {
            let part = |at: i32| Some(Fixed::from_raw(at.checked_mul(256)?.checked_add(128)?));
            Some(Point3 {
                x: part(at.x)?,
                y: part(at.y)?,
                z: part(at.z)?,
            })
        };
        let (near, far) = (axis.of(air.high()), axis.of(air.low()));
        picture.add_slice_rows(|at| {
            let from = center(axis.voxel(at, near))?;
            let to = center(axis.voxel(at, far))?;
            let hit = air.cast_ray(from, to).ok()??;
            Some((SliceContent::Seen { axis }, axis.of(hit.voxel)))
        });
        Some(picture)
    }

    /// Adds a heat map of a flight search: for every column of the projection along `axis`, or of
    /// the slice at `depth`, the number of expanded nodes there. A node is the octree cube around a
    /// voxel of `expanded`, at the granularity of `method`; in a slice only free voxels count. The
    /// marks are at height `z`.
    pub fn add_explored(
        &mut self,
        air: &Air,
        (axis, depth, z): (Axis, Option<i32>, i32),
        method: FlightMethod,
        expanded: impl IntoIterator<Item = Voxel>,
    ) {
        let bounds = axis.bounds(air);
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        // Two-dimensional difference array: each square adds 1 at its low corner and cancels it
        // beyond its high edges; the prefix sums below give the counts.
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
            let corner = if x > 0 && y > 0 { at(x - 1, y - 1) } else { 0 };
            heat[number] += left + above - corner;
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

    fn empty_slice(air: &Air, axis: Axis) -> Option<Self> {
        let bounds = axis.bounds(air);
        let n_voxels = u64::from(bounds.width()) * u64::from(bounds.height());
        (n_voxels <= Self::MAX_SLICE_VOXELS).then_some(Self {
            bounds,
            marks: Vec::new(),
        })
    }

    /// Adds the content and height of each column; equal consecutive columns form one mark.
    fn add_slice_rows(&mut self, mut content: impl FnMut(Column) -> Option<(SliceContent, i32)>) {
        let mut run: Option<(Cell, u32, SliceContent)> = None;
        for column in self.bounds.columns() {
            let found = content(column).map(|(what, z)| (column.at(z), what));
            if let (Some((from, width, run_content)), Some((cell, what))) = (&mut run, found)
                && *run_content == what
                && (from.y, from.z) == (cell.y, cell.z)
                && from.x.checked_add_unsigned(*width) == Some(cell.x)
            {
                *width += 1;
                continue;
            }
            self.end_slice_run(run.take());
            run = found.map(|(cell, what)| (cell, 1, what));
        }
        self.end_slice_run(run);
    }

    fn end_slice_run(&mut self, run: Option<(Cell, u32, SliceContent)>) {
        if let Some((from, width, what)) = run {
            self.marks.push(Mark::Slice {
                from,
                width,
                height: 1,
                what,
            });
        }
    }
}

/// The corners of the search node that contains a voxel, clipped to the bounds.
fn node_around(air: &Air, at: Voxel, method: FlightMethod) -> Option<(Voxel, Voxel)> {
    let node = air.locate(at)?;
    let side = match method {
        FlightMethod::VoxelAStar => 1,
        FlightMethod::Octree(OctreeParams {
            leaf_nodes: LeafNodes::Voxels,
            ..
        }) => node.side,
        FlightMethod::Octree(_) => node.side.max(4),
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
