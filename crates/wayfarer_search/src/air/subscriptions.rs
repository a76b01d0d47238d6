//! Flights that are watched: an edit tells at once which of them it broke.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_base::{Id, SpatialKey, Voxel};
use wayfarer_world::air::{Air, AirChanges, AirSector};

use super::FlightPath;
use super::status::{first_broken, sector_box, volumes};

/// Flights through one air that are watched.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_search::air::{FlightRequest, FlightSearcher, FlightSubscriptions};
/// use wayfarer_world::air::{AirBuilder, AirEdit};
///
/// let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?.build()?;
/// let mut subscribed = FlightSubscriptions::default();
/// for z in [2, 40] {
///     let request = FlightRequest::new(Voxel::new(0, 5, z), Voxel::new(63, 5, z));
///     let path = FlightSearcher::default().find(&air, &request)?.found().unwrap();
///     subscribed.subscription(&air, path);
/// }
/// let rock = AirEdit::Fill { low: Voxel::new(30, 0, 38), high: Voxel::new(34, 9, 42) };
/// let changes = air.apply(&[rock])?;
/// let report = subscribed.notice(&air, &changes);
/// assert_eq!(report.broken.len(), 1); // the upper one
/// assert_eq!(subscribed.path(report.broken[0]).unwrap().waypoints[0].z, 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FlightSubscriptions {
    paths: SlotMap<Watched>,
    filed: FastMap<SpatialKey, Vec<SubscriptionId>>,
}

#[derive(Clone, Debug)]
struct Watched {
    path: FlightPath,
    keys: Vec<SpatialKey>,
    is_broken: bool,
}

/// What an edit did to watched flights.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlightInvalidation {
    /// The flights that can no longer be flown since this edit, in order.
    pub broken: Vec<SubscriptionId>,
    /// How many flights were looked at.
    pub n_looked_at: usize,
}

impl FlightSubscriptions {
    /// Watches a flight of the air's present revision, until it is taken back.
    pub fn watch(&mut self, air: &Air, path: FlightPath) -> SubscriptionId {
        let keys = path.spatial_keys(air);
        let id = self.paths.insert(Watched {
            path,
            keys,
            is_broken: false,
        });
        let id = SubscriptionId::from_bits(id.to_bits());
        if let Some(subscribed) = self.paths.get(Id::from_bits(id.to_bits())) {
            for key in &subscribed.keys {
                self.filed.entry(*key).or_default().push(id);
            }
        }
        id
    }

    /// Stops watching a flight and gives it back.
    pub fn take(&mut self, id: SubscriptionId) -> Option<FlightPath> {
        let subscribed = self.paths.remove(Id::from_bits(id.to_bits()))?;
        for key in &subscribed.keys {
            if let Some(filed) = self.filed.get_mut(key) {
                filed.retain(|other| *other != id);
                if filed.is_empty() {
                    self.filed.remove(key);
                }
            }
        }
        Some(subscribed.path)
    }

    /// A watched flight.
    pub fn path(&self, id: SubscriptionId) -> Option<&FlightPath> {
        let subscribed = self.paths.get(Id::from_bits(id.to_bits()));
        subscribed.map(|subscribed| &subscribed.path)
    }

    /// How many flights are watched.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True if none is watched.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Says which flights the latest edit of `air` broke; takes time in proportion to what changed
    /// and to the flights that pass there. Volumes that changed are held against all flights.
    ///
    /// A flight is reported once, when it breaks; if it heals later, watch it anew.
    pub fn notice(&mut self, air: &Air, changes: &AirChanges) -> FlightInvalidation {
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
            boxes.push(sector_box(air, dirty.sector));
            if let Some(filed) = self.filed.get(&dirty.sector.spatial_key()) {
                near.extend(filed);
            }
        }
        near.sort_unstable();
        near.dedup();
        let mut report = FlightInvalidation::default();
        for id in near {
            let subscribed = self.paths.get_mut(Id::from_bits(id.to_bits()));
            let Some(subscribed) = subscribed.filter(|subscribed| !subscribed.is_broken) else {
                continue;
            };
            report.n_looked_at += 1;
            if first_broken(air, &subscribed.path, &boxes).is_some() {
                subscribed.is_broken = true;
                report.broken.push(id);
            }
        }
        report
    }
}

impl FlightPath {
    /// The keys to file the flight under in a watch list, in order, each once: those of all cubes
    /// of 16 x 16 x 16 voxels that the agent passes through, and some beside.
    pub fn spatial_keys(&self, air: &Air) -> Vec<SpatialKey> {
        let room = (self.radius.raw() >> 8) + 1;
        let mut keys = Vec::new();
        let place = |at: Voxel| air.place(at).map(|at| at.map(u32::cast_signed));
        let points: Vec<[i32; 3]> = self.waypoints.iter().filter_map(|at| place(*at)).collect();
        if let [only] = points[..] {
            cover(air, (only, only), room, &mut keys);
        }
        for leg in points.windows(2) {
            cover(air, (leg[0], leg[1]), room, &mut keys);
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Adds the sectors around a line with some room; halves it while its box is large.
fn cover(air: &Air, (a, b): ([i32; 3], [i32; 3]), room: i32, keys: &mut Vec<SpatialKey>) {
    let side = AirSector::SIDE.cast_signed();
    // One voxel more: the middle of a half line is rounded.
    let low: [i32; 3] = std::array::from_fn(|axis| (a[axis].min(b[axis]) - room - 1).max(0));
    let high: [i32; 3] = std::array::from_fn(|axis| {
        let size = air.size()[axis].cast_signed();
        (a[axis].max(b[axis]) + room + 1).min(size - 1)
    });
    let spans = |axis: usize| high[axis] / side - low[axis] / side;
    let is_long = (0..3).any(|axis| (a[axis] - b[axis]).abs() > 1);
    if is_long && (0..3).any(|axis| spans(axis) > 1) {
        let center = std::array::from_fn(|axis| i32::midpoint(a[axis], b[axis]));
        cover(air, (a, center), room, keys);
        cover(air, (center, b), room, keys);
        return;
    }
    for z in low[2] / side..=high[2] / side {
        for y in low[1] / side..=high[1] / side {
            for x in low[0] / side..=high[0] / side {
                let at = [x, y, z].map(|at| (at * side).cast_unsigned());
                if let Some(sector) = air.sector(air.voxel(at)) {
                    keys.push(sector.spatial_key());
                }
            }
        }
    }
}
