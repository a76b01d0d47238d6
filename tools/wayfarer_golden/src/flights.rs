//! Golden digests of flights for every method and several octree parameters.

use wayfarer_engine::base::{CostMultiplier, Fixed, Outcome, Rng, Voxel};
use wayfarer_engine::make::{GeneratedWorld, make};
use wayfarer_engine::search::air::{
    FlightMethod, FlightPartialPolicy, FlightRequest, FlightSearcher, LeafNodes, Metric, NodePoint,
    OctreeParams,
};
use wayfarer_engine::world::air::{AirBuilder, AirEdit, Volume, VolumeId, VolumeRule};

use super::values::Values;
use super::worlds::recipes;

/// Flights through every generated voxel world, for agents of several radii.
pub(super) fn flights(values: &mut Values) {
    let mut rng = Rng::new(21);
    let mut searcher = FlightSearcher::default();
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        let GeneratedWorld::Voxels(voxels) = world else {
            continue;
        };
        let Ok(mut air) = AirBuilder::from_set(&voxels).and_then(AirBuilder::build) else {
            continue;
        };
        let size = voxels.size();
        for round in 0..72 {
            if round == 48 {
                let volume = |low, side, rule| AirEdit::PutVolume {
                    id: VolumeId(u64::from(side)),
                    volume: Volume {
                        low,
                        high: Voxel::new(low.x + 9, low.y + 9, low.z + 9),
                        rule,
                    },
                };
                let multiplier = CostMultiplier::from_sixteenths(64).unwrap_or_default();
                let edits = [
                    volume(Voxel::new(8, 8, 2), 1_u32, VolumeRule::Closed),
                    volume(
                        Voxel::new(21, 9, 5),
                        2,
                        VolumeRule::CostMultiplier(multiplier),
                    ),
                ];
                values.number(air.apply(&edits).is_ok().into());
            }
            let mut random = || {
                let [x, y, z] = size.map(|side| rng.below(side).cast_signed());
                Voxel::new(x, y, z)
            };
            let request = FlightRequest {
                method: method(round),
                radius: Fixed::from_raw([0, 0, 100, 300][round / 8 % 4]),
                partial: [FlightPartialPolicy::Never, FlightPartialPolicy::Nearest][round / 4 % 2],
                ..FlightRequest::new(random(), random())
            };
            values.take(&searcher.find(&air, &request));
            if let Ok(Outcome::Found(path)) = searcher.find(&air, &request) {
                let curve = path.curve(&air, Fixed::from_raw(2 * 256));
                values.each(&[&curve.sharp, &curve.points]);
            }
        }
    }
}

fn method(round: usize) -> FlightMethod {
    let list = [
        FlightMethod::Octree(OctreeParams::BALANCED),
        FlightMethod::Octree(OctreeParams::SHORT),
        FlightMethod::Octree(OctreeParams::FAST),
        FlightMethod::VoxelAStar,
        FlightMethod::Octree(OctreeParams {
            corridor_after: 9,
            ..OctreeParams::BALANCED
        }),
        FlightMethod::Octree(OctreeParams::UNTUNED),
        FlightMethod::Octree(OctreeParams {
            unit_cost: 6,
            node_point: NodePoint::Faces,
            metric: Metric::Manhattan,
            leaf_nodes: LeafNodes::Voxels,
            ..OctreeParams::FAST
        }),
    ];
    list[round % list.len()]
}
