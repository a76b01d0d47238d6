//! Subscriptions of flights: which of them an edit invalidates.
//!
//! Flights are indexed by the sectors they pass (16 x 16 x 16 voxels), so an edit tests only the
//! flights near it.

use wayfarer_base::collections::{OrderedMap, SlotMap};
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_base::{Id, SpatialKey, Voxel};
use wayfarer_world::air::{Air, AirChanges, AirSector};

use super::FlightPath;
use super::status::{cube_box, first_blocked, volumes};

/// Subscribed flights of one air.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_search::air::{FlightRequest, FlightSearcher, FlightSubscriptions};
/// use wayfarer_world::air::{AirBuilder, AirEdit};
///
/// let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?.build()?;
/// let mut flights = FlightSubscriptions::default();
/// for z in [2, 40] {
///     let request = FlightRequest::new(Voxel::new(0, 5, z), Voxel::new(63, 5, z));
///     let path = FlightSearcher::default().find(&air, &request)?.found().unwrap();
///     flights.subscribe(&air, path);
/// }
/// let rock = AirEdit::Fill { low: Voxel::new(30, 0, 38), high: Voxel::new(34, 9, 42) };
/// let changes = air.apply(&[rock])?;
/// let report = flights.find_invalidated(&air, &changes);
/// assert_eq!(report.invalidated.len(), 1); // the upper one
/// assert_eq!(flights.path(report.invalidated[0]).unwrap().waypoints[0].z, 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FlightSubscriptions {
    paths: SlotMap<Subscription>,
    /// In the order of the sectors along the Morton curve: those of a cube are neighbors.
    by_sector: OrderedMap<SpatialKey, Vec<SubscriptionId>>,
}

#[derive(Clone, Debug)]
struct Subscription {
    path: FlightPath,
    keys: Vec<SpatialKey>,
    is_invalid: bool,
}

/// The result of [`FlightSubscriptions::find_invalidated`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlightInvalidation {
    /// The flights that this edit invalidates, in order.
    pub invalidated: Vec<SubscriptionId>,
    /// How many flights were tested.
    pub n_checked: usize,
}

impl FlightSubscriptions {
    /// Adds a flight that is valid at the air's current revision.
    pub fn subscribe(&mut self, air: &Air, path: FlightPath) -> SubscriptionId {
        let keys = path.spatial_keys(air);
        let id = self.paths.insert(Subscription {
            path,
            keys,
            is_invalid: false,
        });
        let id = SubscriptionId::from_bits(id.to_bits());
        if let Some(subscribed) = self.paths.get(Id::from_bits(id.to_bits())) {
            for key in &subscribed.keys {
                self.by_sector.entry(*key).or_default().push(id);
            }
        }
        id
    }

    /// Removes a flight and returns it.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> Option<FlightPath> {
        let subscribed = self.paths.remove(Id::from_bits(id.to_bits()))?;
        for key in &subscribed.keys {
            if let Some(ids) = self.by_sector.get_mut(key) {
                ids.retain(|other| *other != id);
                if ids.is_empty() {
                    self.by_sector.remove(key);
                }
            }
        }
        Some(subscribed.path)
    }

    /// A subscribed flight.
    pub fn path(&self, id: SubscriptionId) -> Option<&FlightPath> {
        let subscribed = self.paths.get(Id::from_bits(id.to_bits()));
        subscribed.map(|subscribed| &subscribed.path)
    }

    /// The number of subscribed flights.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True without subscriptions.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The flights that the latest edit of `air` invalidates. O(dirty cubes + flights through
    /// them); changed volumes are tested against all flights.
    ///
    /// Reports a flight once. If it becomes valid again, the caller subscribes it anew.
    pub fn find_invalidated(&mut self, air: &Air, changes: &AirChanges) -> FlightInvalidation {
        let mut boxes: Vec<_> = volumes(&changes.differences).collect();
        let mut near: Vec<SubscriptionId> = Vec::new();
        if !boxes.is_empty() {
            near.extend(
                self.paths
                    .iter()
                    .map(|(id, _)| SubscriptionId::from_bits(id.to_bits())),
            );
        }
        for dirty in changes
            .dirty_sectors
            .iter()
            .filter(|dirty| dirty.cost_change.may_invalidate_paths())
        {
            boxes.push(cube_box(air, dirty.sector));
            let (first, last) = dirty.sector.spatial_keys();
            near.extend(self.by_sector.range(first..=last).flat_map(|(_, ids)| ids));
        }
        near.sort_unstable();
        near.dedup();
        let mut report = FlightInvalidation::default();
        for id in near {
            let subscribed = self.paths.get_mut(Id::from_bits(id.to_bits()));
            let Some(subscribed) = subscribed.filter(|subscribed| !subscribed.is_invalid) else {
                continue;
            };
            report.n_checked += 1;
            if first_blocked(air, &subscribed.path, &boxes).is_some() {
                subscribed.is_invalid = true;
                report.invalidated.push(id);
            }
        }
        report
    }
}

impl FlightPath {
    /// The sorted keys of all sectors of 16 x 16 x 16 voxels that the agent passes; a superset.
    pub fn spatial_keys(&self, air: &Air) -> Vec<SpatialKey> {
        let margin = (self.radius.raw() >> 8) + 1;
        let mut keys = Vec::new();
        let local = |at: Voxel| air.to_local(at).map(|at| at.map(u32::cast_signed));
        let points: Vec<[i32; 3]> = self.waypoints.iter().filter_map(|at| local(*at)).collect();
        if let [only] = points[..] {
            cover(air, (only, only), margin, &mut keys);
        }
        for leg in points.windows(2) {
            cover(air, (leg[0], leg[1]), margin, &mut keys);
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Adds the sectors within `margin` of a segment; bisects it while its box spans many sectors.
fn cover(air: &Air, (a, b): ([i32; 3], [i32; 3]), margin: i32, keys: &mut Vec<SpatialKey>) {
    let side = AirSector::SIDE.cast_signed();
    // One voxel more, since midpoints are rounded.
    let low: [i32; 3] = std::array::from_fn(|axis| (a[axis].min(b[axis]) - margin - 1).max(0));
    let high: [i32; 3] = std::array::from_fn(|axis| {
        let size = air.size()[axis].cast_signed();
        (a[axis].max(b[axis]) + margin + 1).min(size - 1)
    });
    let spans = |axis: usize| high[axis] / side - low[axis] / side;
    let is_long = (0..3).any(|axis| (a[axis] - b[axis]).abs() > 1);
    if is_long && (0..3).any(|axis| spans(axis) > 1) {
        let midpoint = std::array::from_fn(|axis| i32::midpoint(a[axis], b[axis]));
        cover(air, (a, midpoint), margin, keys);
        cover(air, (midpoint, b), margin, keys);
        return;
    }
    for z in low[2] / side..=high[2] / side {
        for y in low[1] / side..=high[1] / side {
            for x in low[0] / side..=high[0] / side {
                let at = [x, y, z].map(|at| (at * side).cast_unsigned());
                if let Some(sector) = air.sector(air.to_world(at)) {
                    keys.push(sector.spatial_key());
                }
            }
        }
    }
}
