//! Making the air from voxels, boxes, columns and named things.

use wayfarer_base::voxel::morton_3;
use wayfarer_base::{Cell, Revision, Voxel, VoxelSet, WorldData};

use super::geometries::{Geometries, GeometryId, PlacedGeometry};
use super::geometry::{Geometry, Relation};
use super::rasterize::{FillBox, Marks, Paint, Verdict};
use super::regions::Regions;
use super::tree::{At, Tree, corner};
use super::volume::Volumes;
use super::{Air, AirError, bits};
use crate::solid::{Run, Spans};

/// Collects what is solid and makes an [`Air`] of it.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_world::air::AirBuilder;
///
/// let mut builder = AirBuilder::new(Voxel::new(-50, -50, 0), [100, 100, 64])?;
/// builder.add_box(Voxel::new(-50, -50, 0), Voxel::new(49, 49, 3))?; // the add_floors
/// builder.add_voxel(Voxel::new(7, 7, 20))?;
/// let air = builder.build()?;
/// assert!(!air.is_free(Voxel::new(0, 0, 2)) && air.is_free(Voxel::new(0, 0, 4)));
/// assert_eq!(air.n_solid(), 100 * 100 * 4 + 1);
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
#[derive(Debug)]
pub struct AirBuilder {
    air: Air,
    /// Codes and solid voxels of leaves, in any order, repeats allowed.
    leaves: Vec<(u64, u64)>,
    /// Boxes, columns and meshes without a name.
    shapes: Vec<Geometry>,
    n_threads: usize,
}

/// What a build has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildStep {
    /// Single voxels are in the tree.
    Voxels,
    /// So are boxes, columns and meshes.
    Shapes,
    /// So are named things.
    Things,
    /// The regions of a layer are known; `last` is the layer of the root. The lowest layers take
    /// longest.
    Regions {
        /// The layer.
        layer: u8,
        /// The layer that ends the build.
        last: u8,
    },
}

impl AirBuilder {
    /// Free air over a box of `size` voxels from `low`.
    ///
    /// # Errors
    /// If a side is 0 or more than 131,072, or the box leaves the numbers of a voxel.
    pub fn new(low: Voxel, size: [u32; 3]) -> Result<Self, AirError> {
        let bad = AirError::BadBounds { low, size };
        let fits = |(at, side): (i32, u32)| {
            side > 0 && side <= 4 << 15 && at.checked_add_unsigned(side - 1).is_some()
        };
        let top = Tree::top_for(size).ok_or_else(|| bad.clone())?;
        if ![low.x, low.y, low.z].into_iter().zip(size).all(fits) {
            return Err(bad);
        }
        let tree = Tree::new(top);
        let regions = Regions::build(&tree, size, (1, &mut |_| {}))?;
        let air = Air {
            low,
            size,
            revision: Revision::default(),
            tree,
            base: None,
            regions,
            bodies: Geometries::default(),
            volumes: Volumes::default(),
            marks: Marks::default(),
            near: Vec::new(),
        };
        Ok(Self {
            air,
            leaves: Vec::new(),
            shapes: Vec::new(),
            n_threads: 1,
        })
    }

    /// Lets `n_threads` threads build, 1 unless said otherwise; the result is the same for any
    /// number. Where threads cannot be had, one does all.
    pub const fn threads(&mut self, n_threads: usize) -> &mut Self {
        self.n_threads = n_threads;
        self
    }

    /// The air of a whole set of voxels, its box the bounds.
    ///
    /// # Errors
    /// As [`AirBuilder::new`].
    pub fn from_set(set: &VoxelSet) -> Result<Self, AirError> {
        let mut builder = Self::new(Voxel::default(), set.size())?;
        builder.leaves = leaves_of(set.solid());
        Ok(builder)
    }

    /// A solid voxel.
    ///
    /// # Errors
    /// If it lies outside the bounds.
    pub fn add_voxel(&mut self, at: Voxel) -> Result<(), AirError> {
        let local = self.air.checked(at)?;
        let bit = 1 << bits::index(local);
        let code = super::tree::code_at(0, local);
        match self.leaves.last_mut() {
            Some(last) if last.0 == code => last.1 |= bit,
            _ => self.leaves.push((code, bit)),
        }
        Ok(())
    }

    /// A solid box, both corners included; what lies outside the bounds is left out.
    ///
    /// # Errors
    /// If `high` lies below `low` on some axis.
    pub fn add_box(&mut self, low: Voxel, high: Voxel) -> Result<(), AirError> {
        if high.x < low.x || high.y < low.y || high.z < low.z {
            return Err(AirError::EmptyBox { low, high });
        }
        self.shapes.push(Geometry::Box { low, high });
        Ok(())
    }

    /// Solid columns: ground below, ceilings above, or a mesh made solid. What lies outside the
    /// bounds is left out.
    pub fn add_spans(&mut self, spans: Spans) {
        self.shapes.push(Geometry::Mesh {
            spans: spans.into(),
            shift: Voxel::default(),
        });
    }

    /// Ground under floors: `thickness` voxels below each are solid, as far as the bounds go.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Voxel};
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, -8), [16, 16, 32])?;
    /// builder.add_floors([Cell::new(3, 4, 2), Cell::new(3, 4, 9)], 1);
    /// builder.add_floors([Cell::new(5, 5, 2)], u32::MAX); // down to the bottom
    /// let air = builder.build()?;
    /// assert!(air.is_solid(Voxel::new(3, 4, 1)) && air.is_free(Voxel::new(3, 4, 2)));
    /// assert_eq!(air.n_solid(), 2 + 10);
    /// # Ok::<(), wayfarer_world::air::AirError>(())
    /// ```
    pub fn add_floors(&mut self, floors: impl IntoIterator<Item = Cell>, thickness: u32) {
        let run = |floor: Cell| {
            (thickness > 0).then(|| Run {
                y: floor.y,
                x: floor.x,
                low: floor.z.saturating_sub_unsigned(thickness),
                high: floor.z.saturating_sub(1),
            })
        };
        let runs = floors.into_iter().filter_map(run);
        self.add_spans(Spans::from_runs(runs.collect()));
    }

    /// Rock over ceilings: `thickness` voxels from each one's height up are solid, as far as the
    /// bounds go.
    pub fn add_ceilings(&mut self, ceilings: impl IntoIterator<Item = Cell>, thickness: u32) {
        let run = |ceiling: Cell| {
            let high = i64::from(ceiling.z) + i64::from(thickness) - 1;
            (thickness > 0).then(|| Run {
                y: ceiling.y,
                x: ceiling.x,
                low: ceiling.z,
                high: i32::try_from(high).unwrap_or(i32::MAX),
            })
        };
        let runs = ceilings.into_iter().filter_map(run);
        self.add_spans(Spans::from_runs(runs.collect()));
    }

    /// The lowest and the highest voxel inside the bounds.
    pub fn bounds(&self) -> (Voxel, Voxel) {
        (self.air.low(), self.air.high())
    }

    /// The solid boxes and voxels of a world's plan, and a voxel of ground under each of its floors.
    ///
    /// # Errors
    /// If a voxel lies outside the bounds, or a box is empty.
    pub fn add_world(&mut self, plan: &WorldData) -> Result<(), AirError> {
        for (low, high) in &plan.boxes {
            self.add_box(*low, *high)?;
        }
        for at in &plan.voxels {
            self.add_voxel(*at)?;
        }
        self.add_floors(plan.cells.iter().map(|(floor, _)| *floor), 1);
        Ok(())
    }

    /// A thing with a name, to be moved or removed later. A second one of the same name takes the
    /// place of the first.
    ///
    /// # Errors
    /// If the name is `u64::MAX`.
    pub fn geometry(&mut self, name: GeometryId, geometry: Geometry) -> Result<(), AirError> {
        if name.0 == u64::MAX {
            return Err(AirError::BadName);
        }
        self.air.bodies.remove(name);
        let reach = self.air.reach_of(&geometry);
        self.air.bodies.insert(PlacedGeometry {
            name,
            geometry,
            reach,
        });
        Ok(())
    }

    /// The air.
    ///
    /// # Errors
    /// If it needs more nodes or regions than can be named.
    pub fn build(self) -> Result<Air, AirError> {
        self.build_with(&mut |_| {})
    }

    /// The air, telling what has been done so far, for whoever shows progress.
    ///
    /// # Errors
    /// As [`AirBuilder::build`].
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::{AirBuilder, BuildStep};
    ///
    /// let builder = AirBuilder::new(Voxel::new(0, 0, 0), [64; 3])?;
    /// let mut steps = Vec::new();
    /// builder.build_with(&mut |step| steps.push(step))?;
    /// assert_eq!(steps.first(), Some(&BuildStep::Voxels));
    /// assert_eq!(steps.last(), Some(&BuildStep::Regions { layer: 4, last: 4 }));
    /// # Ok::<(), wayfarer_world::air::AirError>(())
    /// ```
    pub fn build_with(self, done: &mut dyn FnMut(BuildStep)) -> Result<Air, AirError> {
        let Self {
            mut air,
            leaves,
            shapes,
            n_threads,
        } = self;
        let top = air.tree.top;
        air.tree = Tree::from_leaves(top, &sorted(leaves, 3 * u32::from(top)))?;
        done(BuildStep::Voxels);
        if !shapes.is_empty() {
            air.tree = air.stamped(&shapes.iter().collect::<Vec<_>>(), n_threads)?;
        }
        done(BuildStep::Shapes);
        if air.bodies.len() > 0 {
            air.base = Some(Box::new(air.tree.clone()));
            let bodies = air.bodies.sorted();
            let things: Vec<&Geometry> = bodies.iter().map(|body| &body.geometry).collect();
            air.tree = air.stamped(&things, n_threads)?;
        }
        done(BuildStep::Things);
        let last = air.tree.top;
        let mut layer_done = |layer| done(BuildStep::Regions { layer, last });
        air.regions = Regions::build(&air.tree, air.size, (n_threads, &mut layer_done))?;
        Ok(air)
    }
}

impl Air {
    /// The voxels inside the bounds that a thing may make solid.
    pub(super) fn reach_of(&self, geometry: &Geometry) -> Option<(At, At)> {
        let (low, high) = geometry.bounds()?;
        let from = super::geometry::wide(self.low);
        let (mut first, mut last) = ([0; 3], [0; 3]);
        for axis in 0..3 {
            let end = i64::from(self.size[axis]) - 1;
            let (a, b) = (low[axis] - from[axis], high[axis] - from[axis]);
            if b < 0 || a > end {
                return None;
            }
            first[axis] = u32::try_from(a.max(0)).ok()?;
            last[axis] = u32::try_from(b.min(end)).ok()?;
        }
        Some((first, last))
    }

    /// The tree with all voxels of some shapes made solid, in Morton order.
    pub(super) fn stamped(&self, shapes: &[&Geometry], n_threads: usize) -> Result<Tree, AirError> {
        let reached = |shape: &&'_ Geometry| self.reach_of(shape);
        let reaches: Vec<Option<(At, At)>> = shapes.iter().map(reached).collect();
        if n_threads < 2 || self.tree.top < 3 || shapes.len() < 16 {
            let mut tree = self.tree.clone();
            self.stamp_in(&mut tree, shapes.iter().copied().zip(&reaches), None)?;
            return Ok(tree.sorted());
        }
        // 64 parts of the root, dealt out in turn; each thread draws in its own.
        let n_threads = n_threads.min(64);
        let trees = in_threads(n_threads, |thread| {
            let mut tree = self.tree.clone();
            for part in (thread..64).step_by(n_threads) {
                let low = corner(self.tree.top - 2, part as u64);
                let high = low.map(|at| at + (4 << (self.tree.top - 2)) - 1);
                let things = shapes.iter().copied().zip(&reaches);
                self.stamp_in(&mut tree, things, Some((low, high)))?;
            }
            Ok(tree)
        });
        let trees = trees.into_iter().collect::<Result<Vec<Tree>, AirError>>()?;
        Tree::gathered(&trees)
    }

    /// Makes voxels of shapes solid in a tree, those of one part of it if one is given.
    fn stamp_in<'a>(
        &self,
        tree: &mut Tree,
        shapes: impl Iterator<Item = (&'a Geometry, &'a Option<(At, At)>)>,
        part: Option<(At, At)>,
    ) -> Result<(), AirError> {
        let mut marks = Marks::default();
        for (shape, reach) in shapes {
            let Some(mut reach) = *reach else {
                continue;
            };
            if let Some((low, high)) = part {
                for axis in 0..3 {
                    reach.0[axis] = reach.0[axis].max(low[axis]);
                    reach.1[axis] = reach.1[axis].min(high[axis]);
                }
                if (0..3).any(|axis| reach.0[axis] > reach.1[axis]) {
                    continue;
                }
            }
            marks.clear();
            if let Geometry::Box { .. } = shape {
                let (low, high) = reach;
                let solid = true;
                tree.paint(&FillBox { low, high, solid }, &mut marks);
            } else {
                let stamp = Stamp {
                    shape,
                    low: self.low,
                    size: self.size,
                    reach,
                    whole: part.map_or(self.tree.top, |_| self.tree.top - 2),
                };
                tree.paint(&stamp, &mut marks);
            }
            if let Some(error) = marks.error.take() {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Does the work of each of `count` parts in a thread of its own; results in order.
pub(super) fn in_threads<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let spawn = |part: usize| {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || work(part));
            spawned.map_err(|_no_threads_here| part)
        };
        let running: Vec<_> = (0..count).map(spawn).collect();
        running
            .into_iter()
            .map(|thread| match thread {
                Ok(thread) => match thread.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(part) => work(part),
            })
            .collect()
    })
}

/// A shape that adds its voxels, cut at the bounds.
struct Stamp<'a> {
    shape: &'a Geometry,
    low: Voxel,
    size: [u32; 3],
    reach: (At, At),
    /// The highest layer of which a cube may be made solid as a whole.
    whole: u8,
}

impl Paint for Stamp<'_> {
    fn reach(&self) -> (At, At) {
        self.reach
    }

    fn cube(&self, layer: u8, low: At) -> Verdict {
        let side = 4_u32 << layer;
        match self.shape.relation(Air::wide(self.low, low), side.into()) {
            Relation::Outside => Verdict::Keep,
            Relation::Inside
                if layer <= self.whole
                    && (0..3).all(|axis| low[axis] + side <= self.size[axis]) =>
            {
                Verdict::Solid
            }
            _ => Verdict::Split,
        }
    }

    fn leaf(&self, low: At, voxels: u64) -> u64 {
        let inside = super::regions::inside(low, self.size);
        voxels | self.shape.leaf(Air::wide(self.low, low)) & inside
    }

    fn leaves(&self, low: At, which: u8, voxels: &mut [u64; 8]) {
        let drawn = self.shape.block(Air::wide(self.low, low), which);
        for ((child, voxels), drawn) in (0..).zip(voxels).zip(drawn) {
            let low = super::rasterize::child_corner(0, low, child);
            *voxels |= drawn & super::regions::inside(low, self.size);
        }
    }
}

/// The leaves of voxels sorted by (z, y, x), rows of a leaf apart.
fn leaves_of(solid: &[[u32; 3]]) -> Vec<(u64, u64)> {
    let mut leaves: Vec<(u64, u64)> = Vec::with_capacity(solid.len() / 3);
    let mut last = [u32::MAX; 3];
    for &at in solid {
        let leaf = at.map(|at| at >> 2);
        let bit = 1 << bits::index(at);
        if leaf == last {
            let entry = leaves.last_mut().expect("a leaf was begun");
            entry.1 |= bit;
        } else {
            last = leaf;
            leaves.push((morton_3(leaf[0], leaf[1], leaf[2]), bit));
        }
    }
    leaves
}

/// Sorts by code, of which the low `n_bits` count, and joins entries of one code.
fn sorted(mut list: Vec<(u64, u64)>, n_bits: u32) -> Vec<(u64, u64)> {
    const DIGIT: u32 = 12;
    if list.len() < 4_096 {
        list.sort_unstable_by_key(|leaf| leaf.0);
    } else {
        let mut other = vec![(0, 0); list.len()];
        for shift in (0..n_bits).step_by(DIGIT as usize) {
            #[expect(clippy::cast_possible_truncation, reason = "masked to 12 bits")]
            let digit = |code: u64| (code >> shift) as usize & ((1 << DIGIT) - 1);
            let mut starts = vec![0_usize; 1 << DIGIT];
            for leaf in &list {
                starts[digit(leaf.0)] += 1;
            }
            let mut sum = 0;
            for start in &mut starts {
                sum += std::mem::replace(start, sum);
            }
            for leaf in &list {
                let place = &mut starts[digit(leaf.0)];
                other[*place] = *leaf;
                *place += 1;
            }
            std::mem::swap(&mut list, &mut other);
        }
    }
    list.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 |= next.1;
        }
        same
    });
    list
}
