//! Parameters of the octree search, with presets.

/// Parameters of the octree search.
///
/// ```
/// use wayfarer_search::air::OctreeParams;
/// assert_eq!(OctreeParams::default(), OctreeParams::BALANCED);
/// let greedy = OctreeParams { heuristic_weight: 2 * OctreeParams::ONE, ..OctreeParams::BALANCED };
/// assert!(greedy.heuristic_weight > OctreeParams::BALANCED.heuristic_weight);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OctreeParams {
    /// Weight of the heuristic in 1/256, 1 to 65,535; [`OctreeParams::ONE`] is A* without weight.
    pub heuristic_weight: u32,
    /// Discount on the cost of crossing a cube as large as the world, in 1/256, 0 to 255; smaller
    /// cubes in proportion to their layer.
    pub size_discount_g: u32,
    /// The same discount on the heuristic of a node.
    pub size_discount_h: u32,
    /// If not 0, the cost in voxels of crossing a node of any size.
    pub unit_cost: u32,
    /// The point of a node that distances are measured from.
    pub node_point: NodePoint,
    /// The metric of distances.
    pub metric: Metric,
    /// The nodes of a leaf.
    pub leaf_nodes: LeafNodes,
    /// Rounds of corner cutting after string pulling; 0 to 15.
    pub cutting_rounds: u8,
    /// Expansions after which a path over regions of 16 x 16 x 16 voxels is found first and
    /// the octree search is restricted to those regions.
    pub corridor_after: u32,
}

impl OctreeParams {
    /// One, in 1/256.
    pub const ONE: u32 = 256;

    /// The default: near the shortest path, in a few dozen expansions.
    pub const BALANCED: Self = Self {
        heuristic_weight: 346,
        size_discount_g: 0,
        size_discount_h: 0,
        unit_cost: 0,
        node_point: NodePoint::Entries,
        metric: Metric::Euclidean,
        leaf_nodes: LeafNodes::Components,
        cutting_rounds: 3,
        corridor_after: 2_000,
    };

    /// Shorter paths: a lower heuristic weight and twice the rounds of corner cutting.
    pub const SHORT: Self = Self {
        heuristic_weight: 282,
        cutting_rounds: 6,
        corridor_after: 20_000,
        ..Self::BALANCED
    };

    /// Fewer expansions: prefers large cubes; paths are somewhat longer.
    pub const FAST: Self = Self {
        heuristic_weight: 384,
        size_discount_g: 128,
        size_discount_h: 128,
        cutting_rounds: 1,
        ..Self::BALANCED
    };

    /// A* without the tuning of \[Brewer2017\]: every voxel of a leaf is a node, distances are
    /// measured from center to center.
    pub const UNTUNED: Self = Self {
        heuristic_weight: Self::ONE,
        node_point: NodePoint::Centers,
        leaf_nodes: LeafNodes::Voxels,
        corridor_after: u32::MAX,
        ..Self::BALANCED
    };

    /// The preset called `name`: `short`, `balanced`, `fast` or `untuned`.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, params)| *params)
    }

    /// The presets by name.
    pub const PRESETS: [(&'static str, Self); 4] = [
        ("short", Self::SHORT),
        ("balanced", Self::BALANCED),
        ("fast", Self::FAST),
        ("untuned", Self::UNTUNED),
    ];
}

impl Default for OctreeParams {
    fn default() -> Self {
        Self::BALANCED
    }
}

/// The point of a node that distances are measured from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodePoint {
    /// The voxel where the straight line to the goal would enter the node.
    Entries,
    /// The center of the face by which the node is entered.
    Faces,
    /// The center of the node.
    Centers,
}

/// The metric of distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Length of the straight line.
    Euclidean,
    /// Sum over the axes.
    Manhattan,
}

/// The nodes of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafNodes {
    /// One per connected component of its free voxels.
    Components,
    /// One per free voxel \[Brewer2017\].
    Voxels,
}
