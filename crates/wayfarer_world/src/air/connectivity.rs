//! Who reaches whom: components, regions at any scale, and which faces of a node are joined.

use wayfarer_base::{Digest, Voxel};

use super::Air;
use super::link::{Face, Faces};
use super::regions::{Part, Regions};
use super::tree::{At, Content, Tree, code_at, corner};

/// The number of a component: two free voxels reach each other if theirs are equal.
///
/// Numbers follow from the world alone, not from its history, and hold until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirComponentId(u64);

/// A part of the free space of one node that is connected inside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirRegionId(u64);

impl AirComponentId {
    pub(super) const fn of(region: AirRegionId) -> Self {
        Self(region.0)
    }
}

impl AirRegionId {
    pub(super) const fn new(layer: u8, code: u64, number: u32) -> Self {
        Self((layer as u64) << 58 | code << 16 | number as u64)
    }

    /// The layer of its node, at least 1.
    pub const fn layer(self) -> u8 {
        (self.0 >> 58) as u8
    }

    /// Its number in its node; those that reach a face come first.
    #[expect(clippy::cast_possible_truncation, reason = "masked to 16 bits")]
    pub const fn number(self) -> u32 {
        self.0 as u32 & 0xFFFF
    }

    const fn code(self) -> u64 {
        self.0 >> 16 & ((1 << 42) - 1)
    }
}

impl Air {
    /// The component of a free voxel; `None` if it is solid or outside. One descent and one climb.
    pub fn component(&self, at: Voxel) -> Option<AirComponentId> {
        let at = self.to_local(at)?;
        let (layer, code, number) = self.regions.component(&self.tree, at)?;
        Some(AirComponentId::of(AirRegionId::new(layer, code, number)))
    }

    /// True if both voxels are free and one can be reached from the other.
    pub fn is_connected(&self, a: Voxel, b: Voxel) -> bool {
        self.component(a)
            .is_some_and(|component| self.component(b) == Some(component))
    }

    /// How many groups of regions and contacts between nodes were made or made anew since the air
    /// was built, the build included: what edits cost, counted.
    pub const fn n_regions_redone(&self) -> u64 {
        self.regions.n_redone()
    }

    /// The region of a free voxel at scale `layer` (1 is 8, 2 is 16 voxels a side, and so on): that
    /// of the node of this layer, of the larger free cube around the voxel, or of the smaller node
    /// that it never leaves.
    pub fn region(&self, at: Voxel, layer: u8) -> Option<AirRegionId> {
        let layer = layer.clamp(1, self.tree.top);
        let at = self.to_local(at)?;
        let (layer, number) = self.regions.climb(&self.tree, at, layer)?;
        Some(AirRegionId::new(layer, code_at(layer, at), number))
    }

    /// The lowest voxel and the side of the node of a region.
    pub fn region_cube(&self, region: AirRegionId) -> (Voxel, u32) {
        let low = corner(region.layer(), region.code());
        (self.to_world(low), 4 << region.layer())
    }

    /// The faces of its node that a region reaches; none if there is no such region (any more).
    pub fn region_faces(&self, region: AirRegionId) -> Faces {
        let low = corner(region.layer(), region.code());
        Faces(match self.regions.part(&self.tree, region.layer(), low) {
            Part::Whole(faces) => faces,
            Part::Split(block) => {
                let group = self.regions.group(region.layer(), block);
                if region.number() < group.n_open() {
                    group.faces(region.number())
                } else {
                    0
                }
            }
            Part::Shut => 0,
        })
    }

    /// Calls `visit` for each region next to `region` at scale `layer`, with the face it lies
    /// beyond; one that touches in several places is visited once for each node and face.
    pub fn for_each_region_neighbor(
        &self,
        region: AirRegionId,
        layer: u8,
        mut visit: impl FnMut(Face, AirRegionId),
    ) {
        let scale = layer.clamp(1, self.tree.top);
        let own = region.layer();
        let low = corner(own, region.code());
        let (tree, regions) = (&self.tree, &self.regions);
        let faces = self.region_faces(region);
        for face in Face::ALL.into_iter().filter(|face| faces.contains(*face)) {
            let (axis, up) = (face.axis(), face.is_high());
            let mut beyond = low;
            let moved = if up {
                low[axis].checked_add(4 << own)
            } else {
                low[axis].checked_sub(4 << own)
            };
            let Some(moved) = moved else {
                continue;
            };
            beyond[axis] = moved;
            match (
                regions.part(tree, own, low),
                regions.part(tree, own, beyond),
            ) {
                (_, Part::Shut) | (Part::Shut, _) => {}
                (_, Part::Whole(_)) => {
                    let layer = self.cube_layer(beyond);
                    visit(face, AirRegionId::new(layer, code_at(layer, beyond), 0));
                }
                (Part::Split(block), Part::Split(other)) => {
                    let number = region.number();
                    let code = code_at(own, beyond);
                    if up {
                        regions
                            .contacts(own, block, axis)
                            .filter(|pair| pair.0 == number)
                            .for_each(|pair| visit(face, AirRegionId::new(own, code, pair.1)));
                    } else {
                        regions
                            .contacts(own, other, axis)
                            .filter(|pair| pair.1 == number)
                            .for_each(|pair| visit(face, AirRegionId::new(own, code, pair.0)));
                    }
                }
                (Part::Whole(_), Part::Split(_)) => {
                    self.regions_on_face(own, beyond, (face, scale), &mut visit);
                }
            }
        }
    }

    /// The layer of the free cube around a place.
    fn cube_layer(&self, at: At) -> u8 {
        match self.tree.find(at) {
            super::tree::Found::Cube { layer, .. } => layer,
            super::tree::Found::Leaf { .. } => 0,
        }
    }

    /// Visits the regions, not below `scale`, of a node on the side that `face` looks at.
    fn regions_on_face(
        &self,
        layer: u8,
        low: At,
        (face, scale): (Face, u8),
        visit: &mut impl FnMut(Face, AirRegionId),
    ) {
        let near = face.opposite();
        let code = code_at(layer, low);
        match self.regions.part(&self.tree, layer, low) {
            Part::Shut => {}
            Part::Whole(faces) => {
                if faces & near.bit() != 0 {
                    visit(face, AirRegionId::new(layer, code, 0));
                }
            }
            Part::Split(block) if layer <= scale => {
                let group = self.regions.group(layer, block);
                (0..group.n_open())
                    .filter(|&region| group.faces(region) & near.bit() != 0)
                    .for_each(|region| visit(face, AirRegionId::new(layer, code, region)));
            }
            Part::Split(_) => {
                let axis = face.axis();
                let wanted = u64::from(!face.is_high());
                for child in (0..8).filter(|child| child >> axis & 1 == wanted) {
                    let low = corner(layer - 1, code << 3 | child);
                    self.regions_on_face(layer - 1, low, (face, scale), visit);
                }
            }
        }
    }
}

impl Regions {
    /// Takes groups and contacts in, in Morton order.
    pub(super) fn digest(&self, tree: &Tree, digest: &mut Digest) {
        self.digest_node(tree, tree.top, [0; 3], digest);
    }

    fn digest_node(&self, tree: &Tree, layer: u8, low: At, digest: &mut Digest) {
        let Content::Block(block) = tree.content(layer, low) else {
            return;
        };
        let group = self.group(layer, block);
        digest.number(u64::from(group.n_open()) << 32 | u64::from(group.n_regions()));
        for region in 0..group.n_open() {
            digest.number(u64::from(group.faces(region)));
        }
        for axis in 0..3 {
            for (r, s) in self.contacts(layer, block, axis) {
                digest.number((axis as u64) << 40 | u64::from(r) << 20 | u64::from(s));
            }
        }
        if layer > 1 {
            let code = code_at(layer, low);
            for child in 0..8 {
                let low = corner(layer - 1, code << 3 | child);
                let n_open = match self.part(tree, layer - 1, low) {
                    Part::Shut => 0,
                    Part::Whole(_) => 1,
                    Part::Split(block) => self.group(layer - 1, block).n_open(),
                };
                for region in 0..n_open {
                    let child = usize::try_from(child).expect("one of eight");
                    digest.number(u64::from(group.up(child, region)));
                }
                self.digest_node(tree, layer - 1, low, digest);
            }
        }
    }
}
