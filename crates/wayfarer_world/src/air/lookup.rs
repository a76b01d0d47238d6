//! Point and nearest-neighbor queries on the octree. Nearest queries are branch-and-bound descents,
//! nearest child first; nothing allocates.

use wayfarer_base::{Fixed, Point3, Voxel};

use super::geometry::raw;
use super::link::OctreeLink;
use super::tree::{Content, LocalVoxel, Lookup, Slot};
use super::{Air, AirComponentId, bits, regions};

/// A node or voxel with its location and content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeInfo {
    /// Its link.
    pub link: OctreeLink,
    /// Its lowest voxel.
    pub low: Voxel,
    /// Voxels along each side; a cube may extend beyond the bounds.
    pub side: u32,
    /// Its content.
    pub kind: NodeKind,
}

/// The content of a node or voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// All free.
    Free,
    /// All solid.
    Solid,
    /// Partly solid: it has children, or is a leaf with voxels of both kinds.
    Mixed,
}

impl Air {
    /// True if the voxel lies inside the bounds and is not solid.
    #[inline]
    pub fn is_free(&self, at: Voxel) -> bool {
        self.to_local(at).is_some_and(|at| !self.is_solid_local(at))
    }

    /// True if the voxel lies inside the bounds and is solid.
    #[inline]
    pub fn is_solid(&self, at: Voxel) -> bool {
        self.to_local(at).is_some_and(|at| self.is_solid_local(at))
    }

    #[inline]
    pub(super) fn is_solid_local(&self, at: LocalVoxel) -> bool {
        match self.tree.find(at) {
            Lookup::Cube { solid, .. } => solid,
            Lookup::Leaf { voxels, .. } => voxels >> bits::index(at) & 1 == 1,
        }
    }

    /// The largest uniform cube that contains a voxel, down to the voxel itself; `None` outside the
    /// bounds.
    #[inline]
    pub fn locate(&self, at: Voxel) -> Option<NodeInfo> {
        self.to_local(at).map(|at| self.node_info_at(at))
    }

    pub(super) fn node_info_at(&self, at: LocalVoxel) -> NodeInfo {
        match self.tree.find(at) {
            Lookup::Cube { layer, node, solid } => self.node_info(
                OctreeLink::from_parts(layer, node, 0),
                at,
                layer,
                node_kind(solid),
            ),
            Lookup::Leaf { node, voxels } if voxels == 0 || voxels == bits::ALL => self.node_info(
                OctreeLink::from_parts(0, node, 0),
                at,
                0,
                node_kind(voxels != 0),
            ),
            Lookup::Leaf { node, voxels } => {
                let bit = bits::index(at);
                NodeInfo {
                    link: OctreeLink::from_parts(0, node, bit),
                    low: self.to_world(at),
                    side: 1,
                    kind: node_kind(voxels >> bit & 1 == 1),
                }
            }
        }
    }

    fn node_info(&self, link: OctreeLink, at: LocalVoxel, layer: u8, kind: NodeKind) -> NodeInfo {
        let side = 4_u32 << layer;
        NodeInfo {
            link,
            low: self.to_world(at.map(|at| at & !(side - 1))),
            side,
            kind,
        }
    }

    /// The free voxel nearest to `at` by Euclidean distance of centers; `None` beyond `limit` voxels.
    /// Ties: lowest z, then y, then x. `at` may lie outside the bounds.
    pub fn nearest_free(&self, at: Voxel, limit: u32) -> Option<Voxel> {
        self.nearest_matching(at, u128::from(limit) * u128::from(limit), None)
    }

    /// The voxel of a component nearest to `at` by Euclidean distance of centers. Ties: lowest z,
    /// then y, then x. `at` may lie outside the bounds. `None` only if the component does not
    /// exist.
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [16, 8, 8])?;
    /// builder.add_box(Voxel::new(6, 0, 0), Voxel::new(7, 7, 7))?;
    /// let air = builder.build()?;
    /// let west = air.component(Voxel::new(1, 1, 1)).ok_or("free")?;
    /// let nearest = air.nearest_in_component(Voxel::new(12, 3, 4), west);
    /// assert_eq!(nearest, Some(Voxel::new(5, 3, 4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_in_component(&self, at: Voxel, component: AirComponentId) -> Option<Voxel> {
        self.nearest_matching(at, u128::MAX, Some(component))
    }

    fn nearest_matching(
        &self,
        at: Voxel,
        square: u128,
        wanted: Option<AirComponentId>,
    ) -> Option<Voxel> {
        let from: [i64; 3] = std::array::from_fn(|axis| {
            super::geometry::wide(at)[axis] - super::geometry::wide(self.low)[axis]
        });
        let mut best = Nearest {
            from,
            square,
            at: None,
            wanted,
        };
        self.nearest_in(self.tree.top, self.tree.root, [0; 3], &mut best);
        best.at.map(|at| self.to_world(at))
    }

    fn nearest_in(&self, layer: u8, slot: Slot, low: LocalVoxel, best: &mut Nearest) {
        let side = 4_u32 << layer;
        if (0..3).any(|axis| low[axis] >= self.size[axis]) {
            return;
        }
        let last: LocalVoxel =
            std::array::from_fn(|axis| (low[axis] + side).min(self.size[axis]) - 1);
        if !best.may_improve(low, last) {
            return;
        }
        match slot.content() {
            Content::Free if self.is_wanted(low, best) => best.consider_box(low, last),
            Content::Solid | Content::Free => {}
            Content::Block(block) => {
                for child in best.order(low, side / 2) {
                    let at = child_corner(low, side / 2, child);
                    if layer > 1 {
                        let blocks = &self.tree.inner[usize::from(layer) - 2];
                        let slot = blocks.items[block as usize][child as usize];
                        self.nearest_in(layer - 1, slot, at, best);
                    } else {
                        let solid = self.tree.leaves.items[block as usize][child as usize];
                        let mut free = !solid & regions::inside(at, self.size);
                        while free != 0 {
                            let offset = bits::coords(free.trailing_zeros());
                            let voxel = std::array::from_fn(|axis| at[axis] + offset[axis]);
                            if best.may_improve(voxel, voxel) && self.is_wanted(voxel, best) {
                                best.consider_box(voxel, voxel);
                            }
                            free &= free - 1;
                        }
                    }
                }
            }
        }
    }

    fn is_wanted(&self, at: LocalVoxel, best: &Nearest) -> bool {
        let matches = |component| self.component(self.to_world(at)) == Some(component);
        best.wanted.is_none_or(matches)
    }

    /// The distance from a point to the nearest solid voxel, at most `limit`, rounded down to 1/256
    /// of a voxel: a ball of that radius around the point touches no solid voxel. The bounds are
    /// not solid.
    pub fn clearance(&self, at: Point3, limit: Fixed) -> Fixed {
        let from = self.to_raw_local(at);
        let limit = u64::from(limit.raw().max(0).cast_unsigned());
        let mut square = limit * limit;
        self.nearest_solid(self.tree.top, self.tree.root, [0; 3], from, &mut square);
        let distance = square.isqrt().min(limit);
        Fixed::from_raw(i32::try_from(distance).unwrap_or(i32::MAX))
    }

    /// A point in 1/256 of a voxel relative to the low corner of the bounds.
    pub(super) fn to_raw_local(&self, at: Point3) -> [i64; 3] {
        let low = super::geometry::wide(self.low);
        let at = raw(at);
        std::array::from_fn(|axis| at[axis] - low[axis] * 256)
    }

    fn nearest_solid(
        &self,
        layer: u8,
        slot: Slot,
        low: LocalVoxel,
        from: [i64; 3],
        square: &mut u64,
    ) {
        let side = 4_u32 << layer;
        if slot == Slot::FREE || squared_distance(from, low, side) >= *square {
            return;
        }
        let Content::Block(block) = slot.content() else {
            *square = squared_distance(from, low, side);
            return;
        };
        let half = side / 2;
        let center = low.map(|at| i64::from(at + half) * 256);
        let nearest_child = (0..3).fold(0_u32, |nearest_child, axis| {
            nearest_child | u32::from(from[axis] >= center[axis]) << axis
        });
        for order in 0..8 {
            let child = nearest_child ^ order;
            let at = child_corner(low, half, child);
            if layer > 1 {
                let blocks = &self.tree.inner[usize::from(layer) - 2];
                let slot = blocks.items[block as usize][child as usize];
                self.nearest_solid(layer - 1, slot, at, from, square);
                continue;
            }
            let mut solid = self.tree.leaves.items[block as usize][child as usize];
            if solid == 0 || squared_distance(from, at, 4) >= *square {
                continue;
            }
            while solid != 0 {
                let offset = bits::coords(solid.trailing_zeros());
                let voxel = std::array::from_fn(|axis| at[axis] + offset[axis]);
                *square = squared_distance(from, voxel, 1).min(*square);
                solid &= solid - 1;
            }
        }
    }
}

const fn node_kind(solid: bool) -> NodeKind {
    if solid {
        NodeKind::Solid
    } else {
        NodeKind::Free
    }
}

fn child_corner(low: LocalVoxel, half: u32, child: u32) -> LocalVoxel {
    std::array::from_fn(|axis| low[axis] + (child >> axis & 1) * half)
}

/// The squared distance from a point, in 1/256 of a voxel, to a cube; saturates.
fn squared_distance(from: [i64; 3], low: LocalVoxel, side: u32) -> u64 {
    (0..3).fold(0_u64, |sum, axis| {
        let (start, end) = (
            i64::from(low[axis]) * 256,
            i64::from(low[axis] + side) * 256,
        );
        let gap = (start - from[axis])
            .max(from[axis] - end)
            .max(0)
            .unsigned_abs();
        sum.saturating_add(gap.saturating_mul(gap))
    })
}

/// The best candidate of a nearest-voxel query.
struct Nearest {
    from: [i64; 3],
    /// The squared distance to beat, or to equal with a smaller (z, y, x).
    square: u128,
    at: Option<LocalVoxel>,
    /// Only voxels of this component are candidates.
    wanted: Option<AirComponentId>,
}

impl Nearest {
    /// The voxel of a box nearest to `from`, and its squared distance.
    fn nearest(&self, low: LocalVoxel, high: LocalVoxel) -> (LocalVoxel, u128) {
        let mut at = low;
        let mut sum = 0;
        for axis in 0..3 {
            let (first, last) = (i64::from(low[axis]), i64::from(high[axis]));
            let nearest = self.from[axis].clamp(first, last);
            at[axis] = u32::try_from(nearest).expect("clamped to u32 values");
            let gap = u128::from(self.from[axis].abs_diff(nearest));
            sum += gap * gap;
        }
        (at, sum)
    }

    fn may_improve(&self, low: LocalVoxel, high: LocalVoxel) -> bool {
        self.nearest(low, high).1 <= self.square
    }

    fn consider_box(&mut self, low: LocalVoxel, high: LocalVoxel) {
        let (at, square) = self.nearest(low, high);
        let order = |[x, y, z]: LocalVoxel| (z, y, x);
        let better = square < self.square
            || (square == self.square && self.at.is_none_or(|best| order(at) < order(best)));
        if better {
            self.square = square;
            self.at = Some(at);
        }
    }

    /// The children of a cube, nearest first.
    fn order(&self, low: LocalVoxel, half: u32) -> impl Iterator<Item = u32> + use<> {
        let near = (0..3).fold(0_u32, |near, axis| {
            near | u32::from(self.from[axis] >= i64::from(low[axis] + half)) << axis
        });
        (0..8).map(move |turn| near ^ turn)
    }
}
