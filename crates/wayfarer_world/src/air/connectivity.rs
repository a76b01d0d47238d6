//! Connectivity queries: components, regions at any scale, and region adjacency.

use wayfarer_base::{Digest, Voxel};

use super::Air;
use super::link::{Face, Faces};
use super::regions::{NodeState, Regions};
use super::tree::{Content, LocalVoxel, Tree, code_at, corner};

/// The id of a connected component: two free voxels are mutually reachable if theirs are equal.
///
/// Ids depend on the world alone, not on its edit history, and are valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirComponentId(u64);

/// A face-connected set of free voxels within one node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirRegionId(u64);

impl AirComponentId {
    pub(super) const fn from_region(region: AirRegionId) -> Self {
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

    /// Its number in its node; regions that reach a face come first.
    #[expect(clippy::cast_possible_truncation, reason = "masked to 16 bits")]
    pub const fn number(self) -> u32 {
        self.0 as u32 & 0xFFFF
    }

    const fn code(self) -> u64 {
        self.0 >> 16 & ((1 << 42) - 1)
    }
}

impl Air {
    /// The component of a free voxel; `None` if it is solid or outside. O(tree depth): one descent
    /// and one ascent.
    pub fn component(&self, at: Voxel) -> Option<AirComponentId> {
        let at = self.to_local(at)?;
        let (layer, code, number) = self.regions.component(&self.tree, at)?;
        Some(AirComponentId::from_region(AirRegionId::new(
            layer, code, number,
        )))
    }

    /// True if both voxels are free and mutually reachable.
    pub fn is_connected(&self, a: Voxel, b: Voxel) -> bool {
        self.component(a)
            .is_some_and(|component| self.component(b) == Some(component))
    }

    /// Region groups and contacts computed since the build, including it: a measure of the work of
    /// edits.
    pub const fn n_region_rebuilds(&self) -> u64 {
        self.regions.n_rebuilt()
    }

    /// The region of a free voxel at scale `layer` (side `4 << layer`, clamped to 1 up to the
    /// root's layer): that of the node of this layer, of a larger free cube around the voxel, or of
    /// a smaller node that encloses the region. `None` if the voxel is solid or outside.
    pub fn region(&self, at: Voxel, layer: u8) -> Option<AirRegionId> {
        let layer = layer.clamp(1, self.tree.top);
        let at = self.to_local(at)?;
        let (layer, number) = self.regions.ascend(&self.tree, at, layer)?;
        Some(AirRegionId::new(layer, code_at(layer, at), number))
    }

    /// The lowest voxel and the side of a region's node.
    pub fn region_cube(&self, region: AirRegionId) -> (Voxel, u32) {
        let low = corner(region.layer(), region.code());
        (self.to_world(low), 4 << region.layer())
    }

    /// The faces of its node that a region reaches; empty if the region does not exist.
    pub fn region_faces(&self, region: AirRegionId) -> Faces {
        let low = corner(region.layer(), region.code());
        Faces(
            match self.regions.node_state(&self.tree, region.layer(), low) {
                NodeState::Free(faces) => faces,
                NodeState::Split(block) => {
                    let group = self.regions.group(region.layer(), block);
                    if region.number() < group.n_open() {
                        group.faces(region.number())
                    } else {
                        0
                    }
                }
                NodeState::Blocked => 0,
            },
        )
    }

    /// Calls `visit` for each region adjacent to `region` at scale `layer`, with the face between
    /// them; a region that touches several nodes or faces is visited once for each.
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
            let mut neighbor = low;
            let neighbor_low = if up {
                low[axis].checked_add(4 << own)
            } else {
                low[axis].checked_sub(4 << own)
            };
            let Some(neighbor_low) = neighbor_low else {
                continue;
            };
            neighbor[axis] = neighbor_low;
            match (
                regions.node_state(tree, own, low),
                regions.node_state(tree, own, neighbor),
            ) {
                (_, NodeState::Blocked) | (NodeState::Blocked, _) => {}
                (_, NodeState::Free(_)) => {
                    let layer = self.cube_layer(neighbor);
                    visit(face, AirRegionId::new(layer, code_at(layer, neighbor), 0));
                }
                (NodeState::Split(block), NodeState::Split(other)) => {
                    let number = region.number();
                    let code = code_at(own, neighbor);
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
                (NodeState::Free(_), NodeState::Split(_)) => {
                    self.for_each_region_on_face(own, neighbor, (face, scale), &mut visit);
                }
            }
        }
    }

    /// The layer of the free cube that contains a voxel.
    fn cube_layer(&self, at: LocalVoxel) -> u8 {
        match self.tree.find(at) {
            super::tree::Lookup::Cube { layer, .. } => layer,
            super::tree::Lookup::Leaf { .. } => 0,
        }
    }

    /// Visits the regions, at layers not below `scale`, that touch the face of a node opposite to
    /// `face`.
    fn for_each_region_on_face(
        &self,
        layer: u8,
        low: LocalVoxel,
        (face, scale): (Face, u8),
        visit: &mut impl FnMut(Face, AirRegionId),
    ) {
        let near = face.opposite();
        let code = code_at(layer, low);
        match self.regions.node_state(&self.tree, layer, low) {
            NodeState::Blocked => {}
            NodeState::Free(faces) => {
                if faces & near.bit() != 0 {
                    visit(face, AirRegionId::new(layer, code, 0));
                }
            }
            NodeState::Split(block) if layer <= scale => {
                let group = self.regions.group(layer, block);
                (0..group.n_open())
                    .filter(|&region| group.faces(region) & near.bit() != 0)
                    .for_each(|region| visit(face, AirRegionId::new(layer, code, region)));
            }
            NodeState::Split(_) => {
                let axis = face.axis();
                let wanted = u64::from(!face.is_high());
                for child in (0..8).filter(|child| child >> axis & 1 == wanted) {
                    let low = corner(layer - 1, code << 3 | child);
                    self.for_each_region_on_face(layer - 1, low, (face, scale), visit);
                }
            }
        }
    }
}

impl Regions {
    /// Adds groups and contacts to `digest`, in Morton order.
    pub(super) fn digest(&self, tree: &Tree, digest: &mut Digest) {
        self.digest_node(tree, tree.top, [0; 3], digest);
    }

    fn digest_node(&self, tree: &Tree, layer: u8, low: LocalVoxel, digest: &mut Digest) {
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
                let n_open = match self.node_state(tree, layer - 1, low) {
                    NodeState::Blocked => 0,
                    NodeState::Free(_) => 1,
                    NodeState::Split(block) => self.group(layer - 1, block).n_open(),
                };
                for region in 0..n_open {
                    let child = usize::try_from(child).expect("one of eight");
                    digest.number(u64::from(group.parent_region(child, region)));
                }
                self.digest_node(tree, layer - 1, low, digest);
            }
        }
    }
}
