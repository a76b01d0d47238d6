//! How a flight is looked for: quickly, or for a short way, or as the chapter on octrees does it.

/// How the octree is searched. Three presets are ready; everything they set can be set apart.
///
/// The terms are those of A*: what the way so far costs, plus what is guessed of the rest.
///
/// ```
/// use wayfarer_search::air::OctreeParams;
/// assert_eq!(OctreeParams::default(), OctreeParams::BALANCED);
/// let greedy = OctreeParams { heuristic_weight: 2 * OctreeParams::ONE, ..OctreeParams::BALANCED };
/// assert!(greedy.heuristic_weight > OctreeParams::BALANCED.heuristic_weight);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OctreeParams {
    /// How much the guess counts, in 1/256: [`OctreeParams::ONE`] is plain A*, more is greedier. From 1
    /// to 65,535.
    pub heuristic_weight: u32,
    /// By how much large cubes are cheaper to cross, in 1/256, 0 to 255: a cube as large as the
    /// world costs so much less, smaller ones in proportion to their layer.
    pub size_discount_g: u32,
    /// By how much the guess is smaller from within a large cube, in the same manner.
    pub size_discount_h: u32,
    /// If not 0, every node costs so many voxels to cross, however large it is.
    pub unit_cost: u32,
    /// Between which points paths are measured.
    pub node_point: NodePoint,
    /// How paths are measured.
    pub metric: Metric,
    /// What of a leaf is one node of the search.
    pub leaf_nodes: LeafNodes,
    /// Rounds of corner cutting after the waypoints were pulled tight; 0 to 15.
    pub cutting_rounds: u8,
    /// After so many expansions the way is looked for among regions of 16 x 16 x 16 voxels first,
    /// and then only within those it leads through.
    pub corridor_after: u32,
}

impl OctreeParams {
    /// One, in 1/256.
    pub const ONE: u32 = 256;

    /// For everyday use: near the shortest, in a few dozen expansions.
    pub const BALANCED: Self = Self {
        heuristic_weight: 346,
        size_discount_g: 0,
        size_discount_h: 0,
        unit_cost: 0,
        node_point: NodePoint::Entries,
        metric: Metric::Euclid,
        leaf_nodes: LeafNodes::Components,
        cutting_rounds: 3,
        corridor_after: 2_000,
    };

    /// For a short way: the guess hardly counts for more than it is, and corners are cut twice as
    /// often.
    pub const SHORT: Self = Self {
        heuristic_weight: 282,
        cutting_rounds: 6,
        corridor_after: 20_000,
        ..Self::BALANCED
    };

    /// For crowds: large cubes are preferred, paths are somewhat longer.
    pub const FAST: Self = Self {
        heuristic_weight: 384,
        size_discount_g: 128,
        size_discount_h: 128,
        cutting_rounds: 1,
        ..Self::BALANCED
    };

    /// A* as the chapter begins: every voxel of a leaf a node, measured from middle to middle,
    /// with nothing done to it.
    pub const UNTUNED: Self = Self {
        heuristic_weight: Self::ONE,
        node_point: NodePoint::Middles,
        leaf_nodes: LeafNodes::Voxels,
        corridor_after: u32::MAX,
        ..Self::BALANCED
    };

    /// The preset of a name: `short`, `balanced`, `fast` or `untuned`.
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

/// Between which points paths are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodePoint {
    /// Where the way would cross into a node on the straight line to the goal.
    Entries,
    /// The middle of the face it crosses.
    Faces,
    /// The middle of the node.
    Middles,
}

/// How paths are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// In a straight line.
    Euclid,
    /// Along the axes.
    Manhattan,
}

/// What of a leaf is one node of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafNodes {
    /// All free voxels that are connected in it.
    Components,
    /// Each free voxel, as the chapter has it.
    Voxels,
}
