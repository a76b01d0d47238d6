//! Places in the air as a request names them and as a search counts them, and the limits of what
//! can be asked.

use wayfarer_base::{CostMultiplier, Fixed, RequestError, Voxel};
use wayfarer_world::air::{Air, bits};

use super::FlightRequest;
use super::inflated::MAX_RADIUS;
use super::node_source::At;
use super::octree::{Scene, voxel_of};
use super::scratch::Node;

/// True if not every free voxel is free for the agent, or not all cost the same.
pub(super) fn is_narrow(air: &Air, radius: Fixed) -> bool {
    radius.raw() > 128
        || air.volumes().next().is_some()
        || air.default_multiplier() != CostMultiplier::ONE
}

pub(super) fn check_limits(request: &FlightRequest) -> Result<(), RequestError> {
    let limit = |what, found: i64, expected, is_fine: bool| {
        if is_fine {
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
    let fits = (0..=MAX_RADIUS * 256).contains(&radius);
    limit(
        "the radius in 1/256 of a voxel",
        radius.into(),
        "0 to 3072",
        fits,
    )?;
    let Some(params) = request.params() else {
        return Ok(());
    };
    let greed = params.heuristic_weight;
    let fits = (1..=65_535).contains(&greed);
    limit("the greed in 1/256", greed.into(), "1 to 65535", fits)?;
    for share in [params.size_discount_g, params.size_discount_h] {
        limit(
            "a share for large cubes in 1/256",
            share.into(),
            "0 to 255",
            share < 256,
        )?;
    }
    Ok(())
}

pub(super) fn scene_of(air: &Air) -> Scene {
    Scene {
        origin: air.low(),
        size: air.size().map(u32::cast_signed),
        top: air.top_layer(),
    }
}

/// The place of a voxel that is known to lie inside the bounds.
pub(super) fn place_of(air: &Air, at: Voxel) -> At {
    air.place(at).map_or([0; 3], |at| at.map(u32::cast_signed))
}

/// The place inside the bounds nearest to a voxel.
pub(super) fn clamped(air: &Air, at: Voxel) -> At {
    let (low, high) = (air.low(), air.high());
    let inside = Voxel::new(
        at.x.clamp(low.x, high.x),
        at.y.clamp(low.y, high.y),
        at.z.clamp(low.z, high.z),
    );
    place_of(air, inside)
}

/// The highest cost multiplier there is, in sixteenths.
pub(super) fn dearest(air: &Air) -> u16 {
    let multipliers = air.volumes().filter_map(|(_, volume)| match volume.rule {
        wayfarer_world::air::VolumeRule::CostMultiplier(multiplier) => {
            Some(multiplier.sixteenths())
        }
        wayfarer_world::air::VolumeRule::Closed => None,
    });
    multipliers.fold(air.default_multiplier().sixteenths(), u16::max)
}

/// The voxel of a node nearest to a place; of equals the lowest bit.
pub(super) fn nearest_in(node: &Node, to: At, size: At) -> At {
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
        let voxel = voxel_of(node.low, left);
        left &= left - 1;
        let square = (0..3).fold(0, |sum, axis| {
            let apart = i64::from(voxel[axis]) - i64::from(to[axis]);
            sum + apart * apart
        });
        if square < best.0 {
            best = (square, voxel);
        }
    }
    best.1
}
