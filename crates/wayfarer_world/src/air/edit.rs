//! Transactional edits: a batch applies completely or not at all, and its change set can be
//! inverted.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{BatchDigest, ChangeSet, Difference, Voxel};

use super::change::{self, AirChanges, AirDifference, BoxContent};
use super::geometries::{Geometries, GeometryId, PlacedGeometry};
use super::geometry::{Geometry, Relation};
use super::rasterize::{FillBox, Marks, NodeAction, Rasterizer, Replace, child_corner};
use super::regions::{self, Regions};
use super::tree::{Content, LocalVoxel, Tree};
use super::volume::{Volume, VolumeId};
use super::{Air, AirError, OctreeLink, bits};

/// The limit of blocks in a layer while a batch is rolled back: what a slot can address.
const MAX_BLOCKS_IN_BETWEEN: u32 = u32::MAX / 8;

/// One edit of the air's primary state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AirEdit {
    /// Makes the voxels of a box solid, both corners included.
    Fill {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
    },
    /// Makes the voxels of a box free, both corners included; geometries are unaffected.
    Clear {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
    },
    /// Replaces the voxels of a box, both corners included; geometries are unaffected.
    Replace {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
        /// The new content.
        content: BoxContent,
    },
    /// Adds a geometry, or replaces the one with this id. It is clipped to the bounds.
    Put {
        /// Its id.
        id: GeometryId,
        /// The new geometry.
        geometry: Geometry,
    },
    /// Removes a geometry.
    Remove {
        /// Its id.
        id: GeometryId,
    },
    /// Adds a volume, or replaces the one with this id.
    PutVolume {
        /// Its id.
        id: VolumeId,
        /// The new volume.
        volume: Volume,
    },
    /// Removes a volume.
    RemoveVolume {
        /// Its id.
        id: VolumeId,
    },
}

impl Air {
    /// The geometry with this id; `None` if it is not placed.
    pub fn geometry(&self, id: GeometryId) -> Option<&Geometry> {
        self.geometries.get(id).map(|placed| &placed.geometry)
    }

    /// Applies edits in order, all or none.
    ///
    /// # Errors
    /// If an edit refers to an unknown id or lies outside the bounds, or if the tree exceeds its
    /// limit of nodes or regions; the air is then unchanged.
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::{AirBuilder, AirEdit};
    ///
    /// let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?.build()?;
    /// let wall = AirEdit::Fill { low: Voxel::new(30, 0, 0), high: Voxel::new(30, 63, 63) };
    /// let (west, east) = (Voxel::new(0, 0, 0), Voxel::new(63, 0, 0));
    /// assert!(air.is_connected(west, east));
    /// let changes = air.apply(&[wall])?;
    /// assert!(!air.is_connected(west, east));
    /// air.restore(&changes.inverse())?;
    /// assert!(air.is_connected(west, east));
    /// # Ok::<(), wayfarer_world::air::AirError>(())
    /// ```
    pub fn apply(&mut self, edits: &[AirEdit]) -> Result<AirChanges, AirError> {
        self.check(edits)?;
        self.batch(edits)
    }

    /// Applies differences in order, all or none: [`ChangeSet::inverse`] of the last change set
    /// reverts it.
    ///
    /// # Errors
    /// As [`Air::apply`].
    pub fn restore(&mut self, differences: &[AirDifference]) -> Result<AirChanges, AirError> {
        let edits: Vec<AirEdit> = differences.iter().map(AirDifference::to_edit).collect();
        self.apply(&edits)
    }

    /// Validates edits without applying them; only capacity limits are checked later.
    ///
    /// # Errors
    /// As [`Air::apply`], except for limits of nodes and regions.
    pub fn check(&self, edits: &[AirEdit]) -> Result<(), AirError> {
        // The effect of earlier edits on ids, tracked only if a later edit removes one.
        let removes =
            |edit: &AirEdit| matches!(edit, AirEdit::Remove { .. } | AirEdit::RemoveVolume { .. });
        let track_ids = edits.iter().any(removes);
        let mut geometries = OrderedMap::new();
        let mut volumes = OrderedMap::new();
        for edit in edits {
            match edit {
                AirEdit::Fill { low, high } | AirEdit::Clear { low, high } => {
                    self.check_box(*low, *high)?;
                }
                AirEdit::Replace { low, high, content } => {
                    self.check_box(*low, *high)?;
                    self.check_content(content)?;
                }
                AirEdit::Put { id, .. } if id.0 == u64::MAX => return Err(AirError::InvalidId),
                AirEdit::Put { id, .. } => {
                    if track_ids {
                        geometries.insert(*id, true);
                    }
                }
                AirEdit::Remove { id } => {
                    let exists = geometries.insert(*id, false);
                    if !exists.unwrap_or_else(|| self.geometries.get(*id).is_some()) {
                        return Err(AirError::UnknownId { id: id.0 });
                    }
                }
                AirEdit::PutVolume { id, volume } => {
                    Self::check_volume(volume)?;
                    if track_ids {
                        volumes.insert(*id, true);
                    }
                }
                AirEdit::RemoveVolume { id } => {
                    let exists = volumes.insert(*id, false);
                    if !exists.unwrap_or_else(|| self.volumes.get(*id).is_some()) {
                        return Err(AirError::UnknownId { id: id.0 });
                    }
                }
            }
        }
        Ok(())
    }

    fn check_box(&self, low: Voxel, high: Voxel) -> Result<(), AirError> {
        if high.x < low.x || high.y < low.y || high.z < low.z {
            return Err(AirError::EmptyBox { low, high });
        }
        let (low, high) = (self.checked(low)?, self.checked(high)?);
        // Leaves that the box covers, and those that it fills: the others are stored one by one.
        let (mut covered, mut filled) = (1_u64, 1_u64);
        for axis in 0..3 {
            covered *= u64::from((high[axis] >> 2) - (low[axis] >> 2) + 1);
            filled *= u64::from(((high[axis] + 1) >> 2).saturating_sub((low[axis] + 3) >> 2));
        }
        if covered - filled > u64::from(OctreeLink::MAX_NODES) {
            return Err(AirError::TooManyNodes { layer: 0 });
        }
        Ok(())
    }

    fn check_content(&self, content: &BoxContent) -> Result<(), AirError> {
        let BoxContent::Cubes(cubes) = content else {
            return Ok(());
        };
        for (layer, low, _) in cubes {
            let local = self.checked(*low)?;
            let is_aligned = || {
                local
                    .iter()
                    .all(|at| at.trailing_zeros() >= u32::from(*layer) + 2)
            };
            if *layer > self.tree.top || !is_aligned() {
                return Err(AirError::NoSuchCube {
                    layer: *layer,
                    low: *low,
                });
            }
        }
        Ok(())
    }

    /// Applies edits one by one, then repairs derived state once; rolls back on an error.
    fn batch(&mut self, edits: &[AirEdit]) -> Result<AirChanges, AirError> {
        let digest = BatchDigest::of(edits);
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        let mut differences = Vec::new();
        for edit in edits {
            self.apply_one(edit, &mut marks, &mut differences);
            if marks.error.is_some() {
                break;
            }
        }
        let mut result = marks.error.take().map_or(Ok(()), Err);
        if result.is_ok() {
            result = self
                .regions
                .repair(&self.tree, &mut marks.nodes, &marks.removed_blocks);
        }
        if let Err(error) = result {
            self.roll_back(&differences, &mut marks);
            self.identity.change(digest);
            self.marks = marks;
            return Err(error);
        }
        let dirty_sectors = change::to_dirty_cubes(&mut marks.dirty);
        self.marks = marks;
        let before = self.revision;
        self.revision = before.next(digest);
        Ok(ChangeSet {
            before,
            after: self.revision,
            differences,
            dirty_sectors,
        })
    }

    /// Reverts differences after an error and rebuilds all derived state.
    fn roll_back(&mut self, differences: &[AirDifference], marks: &mut Marks) {
        // What fits at the end may not fit in between.
        let all_trees = [Some(&mut self.tree), self.base.as_deref_mut()];
        (all_trees.into_iter().flatten()).for_each(|tree| tree.max_blocks = MAX_BLOCKS_IN_BETWEEN);
        let mut more = Vec::new();
        for difference in differences.iter().rev() {
            marks.clear();
            self.apply_one(&difference.inverse().to_edit(), marks, &mut more);
        }
        let all_trees = [Some(&mut self.tree), self.base.as_deref_mut()];
        (all_trees.into_iter().flatten()).for_each(|tree| *tree = tree.sorted());
        if let Some(base) = &self.base {
            self.tree = base.as_ref().clone();
            let bodies = self.geometries.sorted();
            let geometries: Vec<&Geometry> = bodies.iter().map(|placed| &placed.geometry).collect();
            self.tree = self
                .stamped(&geometries, 1)
                .expect("the tree before the edits fit");
        }
        self.regions = Regions::build(&self.tree, self.size, (1, &mut |_| {}))
            .expect("the tree before the edits fit");
        marks.clear();
    }

    fn apply_one(
        &mut self,
        edit: &AirEdit,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        match edit {
            AirEdit::Fill { low, high } => {
                self.set_box((*low, *high), &BoxContent::Solid, marks, differences);
            }
            AirEdit::Clear { low, high } => {
                self.set_box((*low, *high), &BoxContent::Free, marks, differences);
            }
            AirEdit::Replace { low, high, content } => {
                self.set_box((*low, *high), content, marks, differences);
            }
            AirEdit::Put { id, geometry } => {
                self.put_geometry(*id, Some(geometry.clone()), marks, differences);
            }
            AirEdit::Remove { id } => self.put_geometry(*id, None, marks, differences),
            AirEdit::PutVolume { id, volume } => {
                self.put_volume(*id, Some(*volume), differences);
            }
            AirEdit::RemoveVolume { id } => self.put_volume(*id, None, differences),
        }
    }

    fn put_volume(
        &mut self,
        id: VolumeId,
        after: Option<Volume>,
        differences: &mut Vec<AirDifference>,
    ) {
        let before = self.volumes.set(id, after);
        if before != after {
            differences.push(AirDifference::Volume { id, before, after });
        }
    }

    /// Replaces the content of a box of the base, then updates the composed tree.
    fn set_box(
        &mut self,
        (from, to): (Voxel, Voxel),
        after: &BoxContent,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        let (Some(low), Some(high)) = (self.to_local(from), self.to_local(to)) else {
            return;
        };
        let before = self.box_content(low, high);
        let n_changes = marks.n_changes;
        match after {
            BoxContent::Solid | BoxContent::Free => {
                let solid = *after == BoxContent::Solid;
                self.rasterize_base(&FillBox { low, high, solid }, marks);
            }
            BoxContent::Cubes(cubes) => {
                let local = |(layer, at, voxels): &(u8, Voxel, u64)| {
                    Some((*layer, self.to_local(*at)?, *voxels))
                };
                let content = Tree::from_cubes(self.tree.top, cubes.iter().filter_map(local));
                let replace = Replace {
                    low,
                    high,
                    content: &content,
                };
                self.rasterize_base(&replace, marks);
            }
        }
        if marks.n_changes > n_changes {
            differences.push(AirDifference::Box {
                low: from,
                high: to,
                before,
                after: after.clone(),
            });
        }
    }

    /// The voxels of a box of the base.
    fn box_content(&self, low: LocalVoxel, high: LocalVoxel) -> BoxContent {
        let base = self.base.as_deref().unwrap_or(&self.tree);
        let cubes = base.cubes_in(low, high);
        if cubes.is_empty() {
            return BoxContent::Free;
        }
        if let [(layer, from, bits::ALL)] = cubes[..] {
            let last = (4 << layer) - 1;
            let holds = |axis: usize| from[axis] <= low[axis] && high[axis] <= from[axis] + last;
            if (0..3).all(holds) {
                return BoxContent::Solid;
            }
        }
        let to_world = |(layer, low, voxels)| (layer, self.to_world(low), voxels);
        BoxContent::Cubes(cubes.into_iter().map(to_world).collect())
    }

    /// Rasterizes into the base, then updates the composed tree.
    fn rasterize_base(&mut self, rasterizer: &impl Rasterizer, marks: &mut Marks) {
        let Some(base) = &mut self.base else {
            self.tree.rasterize(rasterizer, marks);
            return;
        };
        let n_changes = marks.n_changes;
        let (nodes, removed_blocks, dirty) = (
            marks.nodes.len(),
            marks.removed_blocks.len(),
            marks.dirty.len(),
        );
        base.rasterize(rasterizer, marks);
        marks.nodes.truncate(nodes);
        marks.removed_blocks.truncate(removed_blocks);
        marks.dirty.truncate(dirty);
        if marks.error.is_none() && marks.n_changes > n_changes {
            self.recompose(rasterizer.bounds(), (None, None), marks);
        }
    }

    /// Inserts, replaces or, with `None`, removes a geometry.
    fn put_geometry(
        &mut self,
        id: GeometryId,
        after: Option<Geometry>,
        marks: &mut Marks,
        differences: &mut Vec<AirDifference>,
    ) {
        if self.geometries.get(id).map(|placed| &placed.geometry) == after.as_ref() {
            return;
        }
        if self.base.is_none() {
            self.base = Some(Box::new(self.tree.clone()));
        }
        let old = self.geometries.remove(id);
        let bounds = after
            .as_ref()
            .and_then(|geometry| self.clipped_bounds(geometry));
        if let Some(geometry) = after.clone() {
            self.geometries.insert(PlacedGeometry {
                id,
                geometry,
                bounds,
            });
        }
        let old_bounds = old.as_ref().and_then(|placed| placed.bounds);
        let before = old.map(|placed| placed.geometry);
        // A geometry without a voxel inside the bounds rasterizes nothing.
        let shapes = (
            before.as_ref().filter(|_| old_bounds.is_some()),
            after.as_ref().filter(|_| bounds.is_some()),
        );
        match (old_bounds, bounds) {
            (Some(a), Some(b)) if overlap(a, b) => self.recompose(union(a, b), shapes, marks),
            (a, b) => {
                for bounds in [a, b].into_iter().flatten() {
                    self.recompose(bounds, shapes, marks);
                }
            }
        }
        differences.push(AirDifference::Geometry { id, before, after });
    }

    /// Recomposes part of the tree from the base and the geometries. With a geometry's shape before
    /// and after given, only their difference is visited.
    fn recompose(
        &mut self,
        bounds: (LocalVoxel, LocalVoxel),
        (before, after): (Option<&Geometry>, Option<&Geometry>),
        marks: &mut Marks,
    ) {
        let Some(base) = &self.base else {
            return;
        };
        // Whole leaves are rasterized, so the query covers whole leaves.
        let bounds = (bounds.0.map(|at| at & !3), bounds.1.map(|at| at | 3));
        self.geometries
            .query_aabb(bounds.0, bounds.1, &mut self.nearby);
        let recompose = Recompose {
            base,
            geometries: &self.geometries,
            nearby: &self.nearby,
            low: self.low,
            size: self.size,
            bounds,
            moved: (before.is_some() || after.is_some()).then_some((before, after)),
        };
        self.tree.rasterize(&recompose, marks);
    }
}

/// Composes base and geometries.
struct Recompose<'a> {
    base: &'a Tree,
    geometries: &'a Geometries,
    /// The geometries that may overlap the bounds.
    nearby: &'a [u32],
    low: Voxel,
    size: [u32; 3],
    bounds: (LocalVoxel, LocalVoxel),
    /// The moved geometry, before and after.
    moved: Option<(Option<&'a Geometry>, Option<&'a Geometry>)>,
}

impl Rasterizer for Recompose<'_> {
    fn bounds(&self) -> (LocalVoxel, LocalVoxel) {
        self.bounds
    }

    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction {
        if layer == 0 {
            return NodeAction::Split; // Rasterizing a leaf costs no more than classifying it.
        }
        let side = 4_u32 << layer;
        let wide = Air::wide(self.low, low);
        let fits = |axis: usize| low[axis] + side <= self.size[axis];
        if let Some((before, after)) = self.moved {
            let relation = |shape: Option<&Geometry>| {
                shape.map_or(Relation::Outside, |shape| shape.relation(wide, side.into()))
            };
            match (relation(before), relation(after)) {
                (Relation::Outside, Relation::Outside) | (Relation::Inside, Relation::Inside) => {
                    return NodeAction::Keep;
                }
                (_, Relation::Inside) if (0..3).all(fits) => return NodeAction::Solid,
                // Only a vacated cube may become free as a whole.
                (_, Relation::Outside) => {}
                _ => return NodeAction::Split,
            }
        }
        let base = self.base.content(layer, low);
        if base == Content::Solid {
            return NodeAction::Solid;
        }
        // Geometries beyond the bounds were not queried.
        let in_bounds = |axis: usize| {
            self.bounds.0[axis] <= low[axis] && low[axis] + side - 1 <= self.bounds.1[axis]
        };
        let mut free = base == Content::Free && (0..3).all(in_bounds);
        for &index in self.nearby {
            match self
                .geometries
                .at(index)
                .geometry
                .relation(wide, side.into())
            {
                Relation::Outside => {}
                Relation::Inside if (0..3).all(fits) => return NodeAction::Solid,
                Relation::Inside | Relation::Partial => free = false,
            }
        }
        if free {
            NodeAction::Free
        } else {
            NodeAction::Split
        }
    }

    fn leaf(&self, low: LocalVoxel, _: u64) -> u64 {
        let wide = Air::wide(self.low, low);
        let geometries = self.nearby.iter().fold(0, |voxels, &index| {
            let placed = self.geometries.at(index);
            let disjoint = placed.bounds.is_none_or(|(from, to)| {
                (0..3).any(|axis| from[axis] > low[axis] + 3 || to[axis] < low[axis])
            });
            voxels
                | if disjoint {
                    0
                } else {
                    placed.geometry.leaf(wide)
                }
        });
        self.base.leaf(low) | geometries & regions::inside(low, self.size)
    }

    fn leaves(&self, low: LocalVoxel, mask: u8, voxels: &mut [u64; 8]) {
        let wide = Air::wide(self.low, low);
        let rasterized =
            |shape: Option<&Geometry>| shape.map_or([0; 8], |shape| shape.block(wide, mask));
        let moved = self
            .moved
            .map(|(before, after)| (rasterized(before), rasterized(after)));
        for child in (0..8_u8).filter(|child| mask >> child & 1 == 1) {
            let low = child_corner(0, low, child);
            let voxels = &mut voxels[usize::from(child)];
            let Some((before, after)) = &moved else {
                *voxels = self.leaf(low, *voxels);
                continue;
            };
            let (before, after) = (before[usize::from(child)], after[usize::from(child)]);
            // Other geometries may still cover the vacated voxels.
            let vacated = before & !after & *voxels;
            if vacated != 0 {
                *voxels = *voxels & !vacated | self.leaf(low, 0) & vacated;
            }
            if after & !*voxels != 0 {
                *voxels |= after & regions::inside(low, self.size);
            }
        }
    }
}

fn overlap(a: (LocalVoxel, LocalVoxel), b: (LocalVoxel, LocalVoxel)) -> bool {
    (0..3).all(|axis| a.0[axis] <= b.1[axis] && b.0[axis] <= a.1[axis])
}

fn union(a: (LocalVoxel, LocalVoxel), b: (LocalVoxel, LocalVoxel)) -> (LocalVoxel, LocalVoxel) {
    (
        std::array::from_fn(|axis| a.0[axis].min(b.0[axis])),
        std::array::from_fn(|axis| a.1[axis].max(b.1[axis])),
    )
}
