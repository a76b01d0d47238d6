//! How a flight is looked for: quickly, or for a short way, or as the chapter on octrees does it.

/// How the octree is searched. Three presets are ready; everything they set can be set apart.
///
/// The terms are those of A*: what the way so far costs, plus what is guessed of the rest.
///
/// ```
/// use wayfarer_search::air::Tuning;
/// assert_eq!(Tuning::default(), Tuning::BALANCED);
/// let greedy = Tuning { greed: 2 * Tuning::ONE, ..Tuning::BALANCED };
/// assert!(greedy.greed > Tuning::BALANCED.greed);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// How much the guess counts, in 1/256: [`Tuning::ONE`] is plain A*, more is greedier. From 1
    /// to 65,535.
    pub greed: u32,
    /// By how much large cubes are cheaper to cross, in 1/256, 0 to 255: a cube as large as the
    /// world costs so much less, smaller ones in proportion to their layer.
    pub large_cost: u32,
    /// By how much the guess is smaller from within a large cube, in the same manner.
    pub large_guess: u32,
    /// If not 0, every node costs so many voxels to cross, however large it is.
    pub unit_cost: u32,
    /// Between which points ways are measured.
    pub points: Points,
    /// How ways are measured.
    pub measure: Measure,
    /// What of a leaf is one node of the search.
    pub leaves: Leaves,
    /// Rounds of corner cutting after the waypoints were pulled tight; 0 to 15.
    pub cutting_rounds: u8,
    /// After so many expansions the way is looked for among regions of 16 x 16 x 16 voxels first,
    /// and then only within those it leads through.
    pub corridor_after: u32,
}

impl Tuning {
    /// One, in 1/256.
    pub const ONE: u32 = 256;

    /// For everyday use: near the shortest, in a few dozen expansions.
    pub const BALANCED: Self = Self {
        greed: 346,
        large_cost: 0,
        large_guess: 0,
        unit_cost: 0,
        points: Points::Entries,
        measure: Measure::Euclid,
        leaves: Leaves::Components,
        cutting_rounds: 3,
        corridor_after: 2_000,
    };

    /// For a short way: the guess hardly counts for more than it is, and corners are cut twice as
    /// often.
    pub const SHORT: Self = Self {
        greed: 282,
        cutting_rounds: 6,
        corridor_after: 20_000,
        ..Self::BALANCED
    };

    /// For crowds: large cubes are preferred, ways are somewhat longer.
    pub const FAST: Self = Self {
        greed: 384,
        large_cost: 128,
        large_guess: 128,
        cutting_rounds: 1,
        ..Self::BALANCED
    };

    /// A* as the chapter begins: every voxel of a leaf a node, measured from middle to middle,
    /// with nothing done to it.
    pub const PLAIN: Self = Self {
        greed: Self::ONE,
        points: Points::Middles,
        leaves: Leaves::Voxels,
        corridor_after: u32::MAX,
        ..Self::BALANCED
    };

    /// The preset of a name: `short`, `balanced`, `fast` or `plain`.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, tuning)| *tuning)
    }

    /// The presets by name.
    pub const PRESETS: [(&'static str, Self); 4] = [
        ("short", Self::SHORT),
        ("balanced", Self::BALANCED),
        ("fast", Self::FAST),
        ("plain", Self::PLAIN),
    ];
}

impl Default for Tuning {
    fn default() -> Self {
        Self::BALANCED
    }
}

/// Between which points ways are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// Where the way would cross into a node on the straight line to the goal.
    Entries,
    /// The middle of the face it crosses.
    Faces,
    /// The middle of the node.
    Middles,
}

/// How ways are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// In a straight line.
    Euclid,
    /// Along the axes.
    Manhattan,
}

/// What of a leaf is one node of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// All free voxels that hang together in it.
    Components,
    /// Each free voxel, as the chapter has it.
    Voxels,
}
