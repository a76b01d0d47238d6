//! Conversion between world and local voxels, and limits of flight requests.

use wayfarer_base::{CostMultiplier, Fixed, RequestError, Voxel};
use wayfarer_world::air::{Air, VolumeRule, bits};

use super::FlightRequest;
use super::inflated::MAX_RADIUS;
use super::node_source::LocalVoxel;
use super::octree::{AirExtent, lowest_voxel};
use super::scratch::Node;

/// True if some free voxel is blocked for the agent or has a multiplier other than 1.
pub(super) fn requires_inflation(air: &Air, radius: Fixed) -> bool {
    radius.raw() > 128
        || air.volumes().next().is_some()
        || air.default_multiplier() != CostMultiplier::ONE
}

pub(super) fn check_limits(request: &FlightRequest) -> Result<(), RequestError> {
    let check_range = |what, found: i64, expected, is_within: bool| {
        if is_within {
            Ok(())
        } else {
            Err(RequestError::OutOfRange {
                what,
                found,
                expected,
            })
        }
    };
    let radius = request.radius.raw();
    check_range(
        "the radius in 1/256 of a voxel",
        radius.into(),
        "0 to 3072",
        (0..=MAX_RADIUS * 256).contains(&radius),
    )?;
    let Some(params) = request.params() else {
        return Ok(());
    };
    let weight = params.heuristic_weight;
    check_range(
        "the heuristic weight in 1/256",
        weight.into(),
        "1 to 65535",
        (1..=65_535).contains(&weight),
    )?;
    for discount in [params.size_discount_g, params.size_discount_h] {
        check_range(
            "a size discount in 1/256",
            discount.into(),
            "0 to 255",
            discount < 256,
        )?;
    }
    Ok(())
}

pub(super) fn extent_of(air: &Air) -> AirExtent {
    AirExtent {
        origin: air.low(),
        size: air.size().map(u32::cast_signed),
        top: air.top_layer(),
    }
}

/// The local coordinates of a voxel within bounds.
pub(super) fn to_local(air: &Air, at: Voxel) -> LocalVoxel {
    air.to_local(at)
        .map_or([0; 3], |at| at.map(u32::cast_signed))
}

/// The local voxel within bounds nearest to a voxel.
pub(super) fn clamp_to_local(air: &Air, at: Voxel) -> LocalVoxel {
    let (low, high) = (air.low(), air.high());
    let inside = Voxel::new(
        at.x.clamp(low.x, high.x),
        at.y.clamp(low.y, high.y),
        at.z.clamp(low.z, high.z),
    );
    to_local(air, inside)
}

/// The highest cost multiplier in the air, in sixteenths.
pub(super) fn max_multiplier(air: &Air) -> u16 {
    let multipliers = air.volumes().filter_map(|(_, volume)| match volume.rule {
        VolumeRule::CostMultiplier(multiplier) => Some(multiplier.sixteenths()),
        VolumeRule::Closed => None,
    });
    multipliers.fold(air.default_multiplier().sixteenths(), u16::max)
}

/// The voxel of a node nearest to `to`; ties: lowest bit.
pub(super) fn nearest_in(node: &Node, to: LocalVoxel, size: LocalVoxel) -> LocalVoxel {
    if node.free == bits::ALL {
        let side = 1_i32 << node.log;
        return std::array::from_fn(|axis| {
            let high = (node.low[axis] + side).min(size[axis]) - 1;
            to[axis].clamp(node.low[axis], high)
        });
    }
    let mut best = (i64::MAX, node.entry);
    let mut left = node.free;
    while left != 0 {
        let voxel = lowest_voxel(node.low, left);
        left &= left - 1;
        let square = (0..3).fold(0, |sum, axis| {
            let delta = i64::from(voxel[axis]) - i64::from(to[axis]);
            sum + delta * delta
        });
        if square < best.0 {
            best = (square, voxel);
        }
    }
    best.1
}
