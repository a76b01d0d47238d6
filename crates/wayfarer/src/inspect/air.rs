//! The octree, and flights with other presets.

use wayfarer_engine::ObservedSearch;
use wayfarer_engine::base::Voxel;
use wayfarer_engine::search::air::{FlightMethod, OctreeParams};
use wayfarer_engine::world::air::{Air, NodeKind};

use super::{Inspector, Trace};
use crate::request::{PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;

/// A uniform cube of the octree, as large as possible.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OctreeNode {
    /// Its center.
    pub center: Position,
    /// The length of its sides.
    pub side: f64,
    /// Its layer: 0 for leaves of 4 x 4 x 4 voxels and for single voxels, each further one doubles the
    /// side.
    pub layer: u8,
    /// True if it is solid, false if it is free.
    pub is_solid: bool,
}

/// How a flight is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FlightPreset {
    /// Near the shortest path in a few dozen expansions.
    #[default]
    Balanced,
    /// Shorter paths: a lower heuristic weight and more corner cutting.
    Short,
    /// Fewer expansions: prefers large cubes.
    Fast,
    /// Octree A\* without tuning.
    Untuned,
    /// A\* over 26-connected voxels: optimal on that graph, slow.
    VoxelAStar,
}

impl FlightPreset {
    /// All presets.
    pub const ALL: [Self; 5] = [
        Self::Balanced,
        Self::Short,
        Self::Fast,
        Self::Untuned,
        Self::VoxelAStar,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Short => "short",
            Self::Fast => "fast",
            Self::Untuned => "untuned",
            Self::VoxelAStar => "voxel A*",
        }
    }

    const fn method(self) -> FlightMethod {
        match self {
            Self::Balanced => FlightMethod::Octree(OctreeParams::BALANCED),
            Self::Short => FlightMethod::Octree(OctreeParams::SHORT),
            Self::Fast => FlightMethod::Octree(OctreeParams::FAST),
            Self::Untuned => FlightMethod::Octree(OctreeParams::UNTUNED),
            Self::VoxelAStar => FlightMethod::VoxelAStar,
        }
    }
}

impl Inspector<'_> {
    /// The uniform cubes of the air, depth first, children in order of z, y, x; empty without air.
    /// Cubes of a leaf that is partly solid are single voxels.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let mut world = World::new(Scale::meters(1.0))?;
    /// world.add_air(Position::default(), Position::new(8.0, 8.0, 8.0))?;
    /// let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(4.0, 4.0, 4.0));
    /// world.add_solid(Solid::cuboid(low, high))?;
    /// let nodes = world.inspect().octree();
    /// assert_eq!(nodes.len(), 8); // one solid leaf, seven free ones
    /// assert_eq!(nodes.iter().filter(|node| node.is_solid).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn octree(self) -> Vec<OctreeNode> {
        let mut nodes = Vec::new();
        if let Some(air) = self.world.engine().air() {
            let n_voxels = air.size().into_iter().max().unwrap_or(1);
            self.visit(air, air.low(), n_voxels.next_power_of_two(), &mut nodes);
        }
        nodes
    }

    fn visit(self, air: &Air, low: Voxel, side: u32, nodes: &mut Vec<OctreeNode>) {
        // A cube whose lowest voxel is out of bounds lies outside.
        let Some(node) = air.locate(low) else {
            return;
        };
        if node.side < side {
            let half = side / 2;
            for octant in 0..8_u32 {
                let by = |bit: u32| (octant >> bit & 1).cast_signed() * half.cast_signed();
                let low = Voxel::new(low.x + by(0), low.y + by(1), low.z + by(2));
                self.visit(air, low, half, nodes);
            }
            return;
        }
        let frame = self.world.frame();
        let voxel = self.world.scale().voxel;
        let by = (f64::from(side) - 1.0) / 2.0 * voxel;
        let [x, y, z] = frame.scale.voxel_center(low).units();
        nodes.push(OctreeNode {
            center: frame.to_user(Position::new(x + by, y + by, z + by)),
            side: f64::from(side) * voxel,
            layer: u8::try_from(side.trailing_zeros().saturating_sub(2)).unwrap_or(0),
            is_solid: node.kind != NodeKind::Free,
        });
    }

    /// A flight by a preset, with its events.
    ///
    /// # Errors
    /// As [`World::find_path`](crate::World::find_path); the agent type does not fly.
    pub fn flight(
        self,
        searcher: &mut Searcher,
        request: &PathRequest,
        preset: FlightPreset,
    ) -> Result<Trace, RequestError> {
        self.observe(searcher, request, ObservedSearch::Flight(preset.method()))
    }
}
