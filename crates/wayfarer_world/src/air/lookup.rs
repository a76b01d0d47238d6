//! Looking things up in the air: what is where, what lies next to it, where the nearest free or
//! solid voxel is.

use wayfarer_base::{Fixed, Point3, Voxel};

use super::geometry::raw;
use super::link::OctreeLink;
use super::tree::{At, Content, Found, Slot};
use super::{Air, AirComponentId, bits, regions};

/// A node or voxel: where it is and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeInfo {
    /// Its address.
    pub link: OctreeLink,
    /// Its lowest voxel.
    pub low: Voxel,
    /// Voxels along each side; part of a large cube may lie outside the bounds.
    pub side: u32,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node or voxel is.
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
        self.to_local(at).is_some_and(|at| !self.solid_at(at))
    }

    /// True if the voxel lies inside the bounds and is solid.
    #[inline]
    pub fn is_solid(&self, at: Voxel) -> bool {
        self.to_local(at).is_some_and(|at| self.solid_at(at))
    }

    #[inline]
    pub(super) fn solid_at(&self, at: At) -> bool {
        match self.tree.find(at) {
            Found::Cube { solid, .. } => solid,
            Found::Leaf { voxels, .. } => voxels >> bits::index(at) & 1 == 1,
        }
    }

    /// The largest cube around a voxel that is all free or all solid, at best the voxel itself;
    /// `None` outside the bounds.
    #[inline]
    pub fn locate(&self, at: Voxel) -> Option<NodeInfo> {
        self.to_local(at).map(|at| self.spot_at(at))
    }

    pub(super) fn spot_at(&self, at: At) -> NodeInfo {
        match self.tree.find(at) {
            Found::Cube { layer, node, solid } => self.spot(
                OctreeLink::from_parts(layer, node, 0),
                at,
                layer,
                kind_of(solid),
            ),
            Found::Leaf { node, voxels } if voxels == 0 || voxels == bits::ALL => self.spot(
                OctreeLink::from_parts(0, node, 0),
                at,
                0,
                kind_of(voxels != 0),
            ),
            Found::Leaf { node, voxels } => {
                let bit = bits::index(at);
                NodeInfo {
                    link: OctreeLink::from_parts(0, node, bit),
                    low: self.to_world(at),
                    side: 1,
                    kind: kind_of(voxels >> bit & 1 == 1),
                }
            }
        }
    }

    fn spot(&self, link: OctreeLink, at: At, layer: u8, kind: NodeKind) -> NodeInfo {
        let side = 4_u32 << layer;
        NodeInfo {
            link,
            low: self.to_world(at.map(|at| at & !(side - 1))),
            side,
            kind,
        }
    }

    /// The free voxel nearest to `at`, by the distance of their middles, not farther than `limit`
    /// voxels; of several the lowest, then northernmost, then westernmost. `at` may lie outside.
    pub fn nearest_free(&self, at: Voxel, limit: u32) -> Option<Voxel> {
        self.nearest_of(at, u128::from(limit) * u128::from(limit), None)
    }

    /// The voxel of a component nearest to `at`, by the distance of their middles; of several the
    /// lowest, then northernmost, then westernmost. `at` may lie outside. `None` only if there is
    /// no such component (any more).
    ///
    /// ```
    /// use wayfarer_base::Voxel;
    /// use wayfarer_world::air::AirBuilder;
    ///
    /// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [16, 8, 8])?;
    /// builder.solid_box(Voxel::new(6, 0, 0), Voxel::new(7, 7, 7))?;
    /// let air = builder.build()?;
    /// let west = air.component(Voxel::new(1, 1, 1)).ok_or("free")?;
    /// let nearest = air.nearest_in_component(Voxel::new(12, 3, 4), west);
    /// assert_eq!(nearest, Some(Voxel::new(5, 3, 4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_in_component(&self, at: Voxel, component: AirComponentId) -> Option<Voxel> {
        self.nearest_of(at, u128::MAX, Some(component))
    }

    fn nearest_of(&self, at: Voxel, square: u128, wanted: Option<AirComponentId>) -> Option<Voxel> {
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

    fn nearest_in(&self, layer: u8, slot: Slot, low: At, best: &mut Nearest) {
        let side = 4_u32 << layer;
        if (0..3).any(|axis| low[axis] >= self.size[axis]) {
            return;
        }
        let last: At = std::array::from_fn(|axis| (low[axis] + side).min(self.size[axis]) - 1);
        if !best.may_improve(low, last) {
            return;
        }
        match slot.content() {
            Content::Free if self.is_wanted(low, best) => best.offer_box(low, last),
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
                            let place = bits::place(free.trailing_zeros());
                            let voxel = std::array::from_fn(|axis| at[axis] + place[axis]);
                            if best.may_improve(voxel, voxel) && self.is_wanted(voxel, best) {
                                best.offer_box(voxel, voxel);
                            }
                            free &= free - 1;
                        }
                    }
                }
            }
        }
    }

    fn is_wanted(&self, at: At, best: &Nearest) -> bool {
        let of = |component| self.component(self.to_world(at)) == Some(component);
        best.wanted.is_none_or(of)
    }

    /// The distance from a point to the nearest solid voxel, at most `limit`, rounded down to
    /// 1/256 of a voxel: a ball of that radius around the point touches nothing solid. The bounds
    /// are not solid.
    pub fn clearance(&self, at: Point3, limit: Fixed) -> Fixed {
        let from = self.parts(at);
        let limit = u64::from(limit.raw().max(0).cast_unsigned());
        let mut square = limit * limit;
        self.nearest_solid(self.tree.top, self.tree.root, [0; 3], from, &mut square);
        let distance = wayfarer_base::math::isqrt(square).min(limit);
        Fixed::from_raw(i32::try_from(distance).unwrap_or(i32::MAX))
    }

    /// A point in 1/256 of a voxel from the low corner of the bounds.
    pub(super) fn parts(&self, at: Point3) -> [i64; 3] {
        let low = super::geometry::wide(self.low);
        let at = raw(at);
        std::array::from_fn(|axis| at[axis] - low[axis] * 256)
    }

    fn nearest_solid(&self, layer: u8, slot: Slot, low: At, from: [i64; 3], square: &mut u64) {
        let side = 4_u32 << layer;
        if slot == Slot::FREE || square_to(from, low, side) >= *square {
            return;
        }
        let Content::Block(block) = slot.content() else {
            *square = square_to(from, low, side);
            return;
        };
        let half = side / 2;
        let center = low.map(|at| i64::from(at + half) * 256);
        let near = (0..3).fold(0_u32, |near, axis| {
            near | u32::from(from[axis] >= center[axis]) << axis
        });
        for turn in 0..8 {
            let child = near ^ turn;
            let at = child_corner(low, half, child);
            if layer > 1 {
                let blocks = &self.tree.inner[usize::from(layer) - 2];
                let slot = blocks.items[block as usize][child as usize];
                self.nearest_solid(layer - 1, slot, at, from, square);
                continue;
            }
            let mut solid = self.tree.leaves.items[block as usize][child as usize];
            if solid == 0 || square_to(from, at, 4) >= *square {
                continue;
            }
            while solid != 0 {
                let place = bits::place(solid.trailing_zeros());
                let voxel = std::array::from_fn(|axis| at[axis] + place[axis]);
                *square = square_to(from, voxel, 1).min(*square);
                solid &= solid - 1;
            }
        }
    }
}

const fn kind_of(solid: bool) -> NodeKind {
    if solid {
        NodeKind::Solid
    } else {
        NodeKind::Free
    }
}

fn child_corner(low: At, half: u32, child: u32) -> At {
    std::array::from_fn(|axis| low[axis] + (child >> axis & 1) * half)
}

/// The square of the distance from a point, in parts of a voxel, to a cube; saturates.
fn square_to(from: [i64; 3], low: At, side: u32) -> u64 {
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

/// The best voxel so far.
struct Nearest {
    from: [i64; 3],
    /// The square of the distance to beat or, with a larger voxel number, to equal.
    square: u128,
    at: Option<At>,
    /// Voxels of other components do not count.
    wanted: Option<AirComponentId>,
}

impl Nearest {
    /// The voxel of a box nearest to the start, and the square of its distance.
    fn nearest(&self, low: At, high: At) -> (At, u128) {
        let mut at = low;
        let mut sum = 0;
        for axis in 0..3 {
            let (first, last) = (i64::from(low[axis]), i64::from(high[axis]));
            let nearest = self.from[axis].clamp(first, last);
            at[axis] = u32::try_from(nearest).expect("clamped between two of them");
            let gap = u128::from(self.from[axis].abs_diff(nearest));
            sum += gap * gap;
        }
        (at, sum)
    }

    fn may_improve(&self, low: At, high: At) -> bool {
        self.nearest(low, high).1 <= self.square
    }

    fn offer_box(&mut self, low: At, high: At) {
        let (at, square) = self.nearest(low, high);
        let order = |[x, y, z]: At| (z, y, x);
        let better = square < self.square
            || (square == self.square && self.at.is_none_or(|best| order(at) < order(best)));
        if better {
            self.square = square;
            self.at = Some(at);
        }
    }

    /// The children of a cube, nearest first.
    fn order(&self, low: At, half: u32) -> impl Iterator<Item = u32> + use<> {
        let near = (0..3).fold(0_u32, |near, axis| {
            near | u32::from(self.from[axis] >= i64::from(low[axis] + half)) << axis
        });
        (0..8).map(move |turn| near ^ turn)
    }
}
