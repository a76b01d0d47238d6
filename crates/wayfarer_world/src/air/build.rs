//! Builds an [`Air`] from voxels, boxes, columns and geometries, on several threads if wanted.

use wayfarer_base::voxel::morton_3;
use wayfarer_base::{BatchDigest, Cell, Identity, Revision, Voxel, VoxelSet, WorldData};

use super::geometries::{Geometries, GeometryId, PlacedGeometry};
use super::geometry::{Geometry, Relation};
use super::rasterize::{FillBox, Marks, NodeAction, Rasterizer};
use super::regions::Regions;
use super::tree::{LocalVoxel, Tree, corner};
use super::volume::Volumes;
use super::{Air, AirError, bits};
use crate::solid::{Run, Spans};

/// Collects solid geometry and builds an [`Air`] from it.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_world::air::AirBuilder;
///
/// let mut builder = AirBuilder::new(Voxel::new(-50, -50, 0), [100, 100, 64])?;
/// builder.add_box(Voxel::new(-50, -50, 0), Voxel::new(49, 49, 3))?; // the floor
/// builder.add_voxel(Voxel::new(7, 7, 20))?;
/// let air = builder.build()?;
/// assert!(!air.is_free(Voxel::new(0, 0, 2)) && air.is_free(Voxel::new(0, 0, 4)));
/// assert_eq!(air.n_solid(), 100 * 100 * 4 + 1);
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
#[derive(Debug)]
pub struct AirBuilder {
    air: Air,
    /// Morton codes and solid voxels of leaves, in any order, with repeats.
    leaves: Vec<(u64, u64)>,
    /// Boxes, columns and meshes that become part of the base.
    shapes: Vec<Geometry>,
    n_threads: usize,
}

/// A completed step of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildStep {
    /// Single voxels are in the tree.
    Voxels,
    /// Boxes, columns and meshes are in the tree.
    Shapes,
    /// Geometries are in the tree.
    Geometries,
    /// The regions of a layer are computed; `last` is the layer of the root. The lowest layers take
    /// longest.
    Regions {
        /// The layer.
        layer: u8,
        /// The last layer of the build.
        last: u8,
    },
}

impl AirBuilder {
    /// An all-free air over a box of `size` voxels from `low`.
    ///
    /// # Errors
    /// [`AirError::BadBounds`] if a side is 0 or above 131,072, or the box exceeds the range of
    /// [`Voxel`].
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
            identity: Identity::default(),
            tree,
            base: None,
            regions,
            geometries: Geometries::default(),
            volumes: Volumes::default(),
            marks: Marks::default(),
            nearby: Vec::new(),
        };
        Ok(Self {
            air,
            leaves: Vec::new(),
            shapes: Vec::new(),
            n_threads: 1,
        })
    }

    /// Sets the number of build threads (default 1). The result does not depend on it. If threads
    /// are unavailable, the calling thread does the work.
    pub const fn threads(&mut self, n_threads: usize) -> &mut Self {
        self.n_threads = n_threads;
        self
    }

    /// A builder for a set of voxels; its box is the bounds.
    ///
    /// # Errors
    /// As [`AirBuilder::new`].
    pub fn from_set(set: &VoxelSet) -> Result<Self, AirError> {
        let mut builder = Self::new(Voxel::default(), set.size())?;
        builder.leaves = leaves_from_voxels(set.solid());
        Ok(builder)
    }

    /// Adds a solid voxel.
    ///
    /// # Errors
    /// [`AirError::OutOfBounds`] if it lies outside the bounds.
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

    /// Adds a solid box, both corners included, clipped to the bounds.
    ///
    /// # Errors
    /// [`AirError::EmptyBox`] if `high` is below `low` on some axis.
    pub fn add_box(&mut self, low: Voxel, high: Voxel) -> Result<(), AirError> {
        if high.x < low.x || high.y < low.y || high.z < low.z {
            return Err(AirError::EmptyBox { low, high });
        }
        self.shapes.push(Geometry::Box { low, high });
        Ok(())
    }

    /// Adds solid columns, clipped to the bounds.
    pub fn add_spans(&mut self, spans: Spans) {
        self.shapes.push(Geometry::Mesh {
            spans: spans.into(),
            shift: Voxel::default(),
        });
    }

    /// Adds ground: `thickness` solid voxels below each floor, clipped to the bounds.
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

    /// The lowest and the highest voxel inside the bounds.
    pub fn bounds(&self) -> (Voxel, Voxel) {
        (self.air.low(), self.air.high())
    }

    /// Adds the solid boxes and voxels of a world, and one solid voxel under each floor.
    ///
    /// # Errors
    /// [`AirError::OutOfBounds`] for a voxel outside the bounds, [`AirError::EmptyBox`] for an
    /// empty box.
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

    /// Adds a geometry that can be moved or removed later; it replaces an earlier one with the same
    /// id.
    ///
    /// # Errors
    /// [`AirError::InvalidId`] if the id is `u64::MAX`.
    pub fn add_geometry(&mut self, id: GeometryId, geometry: Geometry) -> Result<(), AirError> {
        if id.0 == u64::MAX {
            return Err(AirError::InvalidId);
        }
        self.air.geometries.remove(id);
        let bounds = self.air.clipped_bounds(&geometry);
        self.air.geometries.insert(PlacedGeometry {
            id,
            geometry,
            bounds,
        });
        Ok(())
    }

    /// Builds the air.
    ///
    /// # Errors
    /// [`AirError::TooManyNodes`] or [`AirError::TooManyRegions`] if a limit is exceeded.
    pub fn build(self) -> Result<Air, AirError> {
        self.build_with(&mut |_| {})
    }

    /// [`AirBuilder::build`] with a progress callback.
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
    pub fn build_with(self, on_step: &mut dyn FnMut(BuildStep)) -> Result<Air, AirError> {
        let Self {
            mut air,
            leaves,
            shapes,
            n_threads,
        } = self;
        air.revision = Revision::initial(BatchDigest::of(&(air.low, air.size, &leaves, &shapes)));
        let top = air.tree.top;
        air.tree = Tree::from_leaves(top, &radix_sorted(leaves, 3 * u32::from(top)))?;
        on_step(BuildStep::Voxels);
        if !shapes.is_empty() {
            air.tree = air.stamped(&shapes.iter().collect::<Vec<_>>(), n_threads)?;
        }
        on_step(BuildStep::Shapes);
        if air.geometries.len() > 0 {
            air.base = Some(Box::new(air.tree.clone()));
            let placed = air.geometries.sorted();
            for placed in &placed {
                let geometry = BatchDigest::of(&(placed.id, &placed.geometry));
                air.revision = Revision::initial(air.revision.next(geometry).branch);
            }
            let geometries: Vec<&Geometry> = placed.iter().map(|placed| &placed.geometry).collect();
            air.tree = air.stamped(&geometries, n_threads)?;
        }
        on_step(BuildStep::Geometries);
        let last = air.tree.top;
        let mut layer_done = |layer| on_step(BuildStep::Regions { layer, last });
        air.regions = Regions::build(&air.tree, air.size, (n_threads, &mut layer_done))?;
        Ok(air)
    }
}

impl Air {
    /// The AABB of a geometry, clipped to the bounds; `None` if it lies outside.
    pub(super) fn clipped_bounds(&self, geometry: &Geometry) -> Option<(LocalVoxel, LocalVoxel)> {
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

    /// The tree with all voxels of `shapes` made solid, in Morton order.
    pub(super) fn stamped(&self, shapes: &[&Geometry], n_threads: usize) -> Result<Tree, AirError> {
        let clip = |shape: &&'_ Geometry| self.clipped_bounds(shape);
        let bounds: Vec<Option<(LocalVoxel, LocalVoxel)>> = shapes.iter().map(clip).collect();
        if n_threads < 2 || self.tree.top < 3 || shapes.len() < 16 {
            let mut tree = self.tree.clone();
            self.stamp_in(&mut tree, shapes.iter().copied().zip(&bounds), None)?;
            return Ok(tree.sorted());
        }
        // 64 subtrees of the root, assigned round-robin; each thread rasterizes its own.
        let n_threads = n_threads.min(64);
        let trees = run_threads(n_threads, |thread| {
            let mut tree = self.tree.clone();
            for part in (thread..64).step_by(n_threads) {
                let low = corner(self.tree.top - 2, part as u64);
                let high = low.map(|at| at + (4 << (self.tree.top - 2)) - 1);
                let geometries = shapes.iter().copied().zip(&bounds);
                self.stamp_in(&mut tree, geometries, Some((low, high)))?;
            }
            Ok(tree)
        });
        let trees = trees.into_iter().collect::<Result<Vec<Tree>, AirError>>()?;
        Tree::merged(&trees)
    }

    /// Makes the voxels of `shapes` solid in `tree`, restricted to the box `part` if given.
    fn stamp_in<'a>(
        &self,
        tree: &mut Tree,
        shapes: impl Iterator<Item = (&'a Geometry, &'a Option<(LocalVoxel, LocalVoxel)>)>,
        part: Option<(LocalVoxel, LocalVoxel)>,
    ) -> Result<(), AirError> {
        let mut marks = Marks::default();
        for (shape, bounds) in shapes {
            let Some(mut bounds) = *bounds else {
                continue;
            };
            if let Some((low, high)) = part {
                for axis in 0..3 {
                    bounds.0[axis] = bounds.0[axis].max(low[axis]);
                    bounds.1[axis] = bounds.1[axis].min(high[axis]);
                }
                if (0..3).any(|axis| bounds.0[axis] > bounds.1[axis]) {
                    continue;
                }
            }
            marks.clear();
            if let Geometry::Box { .. } = shape {
                let (low, high) = bounds;
                let solid = true;
                tree.rasterize(&FillBox { low, high, solid }, &mut marks);
            } else {
                let stamp = Stamp {
                    shape,
                    low: self.low,
                    size: self.size,
                    bounds,
                    max_uniform_layer: part.map_or(self.tree.top, |_| self.tree.top - 2),
                };
                tree.rasterize(&stamp, &mut marks);
            }
            if let Some(error) = marks.error.take() {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Runs `work` for 0 to `count - 1`, each on its own thread; results in order.
pub(super) fn run_threads<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let spawn = |part: usize| {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || work(part));
            spawned.map_err(|_unavailable| part)
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

/// Adds the voxels of a shape, clipped to the bounds.
struct Stamp<'a> {
    shape: &'a Geometry,
    low: Voxel,
    size: [u32; 3],
    bounds: (LocalVoxel, LocalVoxel),
    /// The highest layer at which a cube may become solid as a whole.
    max_uniform_layer: u8,
}

impl Rasterizer for Stamp<'_> {
    fn bounds(&self) -> (LocalVoxel, LocalVoxel) {
        self.bounds
    }

    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction {
        let side = 4_u32 << layer;
        match self.shape.relation(Air::wide(self.low, low), side.into()) {
            Relation::Outside => NodeAction::Keep,
            Relation::Inside
                if layer <= self.max_uniform_layer
                    && (0..3).all(|axis| low[axis] + side <= self.size[axis]) =>
            {
                NodeAction::Solid
            }
            _ => NodeAction::Split,
        }
    }

    fn leaf(&self, low: LocalVoxel, voxels: u64) -> u64 {
        let inside = super::regions::inside(low, self.size);
        voxels | self.shape.leaf(Air::wide(self.low, low)) & inside
    }

    fn leaves(&self, low: LocalVoxel, mask: u8, voxels: &mut [u64; 8]) {
        let stamped = self.shape.block(Air::wide(self.low, low), mask);
        for ((child, voxels), stamped) in (0..).zip(voxels).zip(stamped) {
            let low = super::rasterize::child_corner(0, low, child);
            *voxels |= stamped & super::regions::inside(low, self.size);
        }
    }
}

/// Leaves from voxels sorted by (z, y, x); a leaf may repeat.
fn leaves_from_voxels(solid: &[[u32; 3]]) -> Vec<(u64, u64)> {
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

/// Radix sort by the low `n_bits` of the code; entries with equal codes are merged.
fn radix_sorted(mut list: Vec<(u64, u64)>, n_bits: u32) -> Vec<(u64, u64)> {
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
                let slot = &mut starts[digit(leaf.0)];
                other[*slot] = *leaf;
                *slot += 1;
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
