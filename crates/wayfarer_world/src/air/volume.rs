//! Volumes that constrain flight: no-fly zones, lanes, costly space.

use wayfarer_base::{BatchDigest, CostMultiplier, Digest, Voxel};

use super::geometry::{digest_coords, wide};
use super::{Air, AirError};

/// The id of a volume, chosen by the caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VolumeId(pub u64);

/// The effect of a volume on flight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VolumeRule {
    /// Closed to flight.
    Closed,
    /// Scales the cost of flight. Where volumes overlap, the lowest multiplier applies. A
    /// multiplier below [`Air::default_multiplier`] attracts paths.
    CostMultiplier(CostMultiplier),
}

/// A box with a rule. It makes nothing solid and does not change components.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Volume {
    /// The lowest voxel.
    pub low: Voxel,
    /// The highest voxel, included.
    pub high: Voxel,
    /// The rule that applies inside.
    pub rule: VolumeRule,
}

impl Volume {
    /// True if the voxel lies inside.
    pub const fn contains(&self, at: Voxel) -> bool {
        let Self { low, high, .. } = self;
        low.x <= at.x
            && at.x <= high.x
            && low.y <= at.y
            && at.y <= high.y
            && low.z <= at.z
            && at.z <= high.z
    }

    /// Adds all fields to `digest`.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest_coords(digest, wide(self.low).into_iter().chain(wide(self.high)));
        match self.rule {
            VolumeRule::Closed => digest.number(0),
            VolumeRule::CostMultiplier(multiplier) => {
                digest.number(1);
                digest.number(multiplier.sixteenths().into());
            }
        }
    }
}

/// All volumes, sorted by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Volumes {
    entries: Vec<(VolumeId, Volume)>,
    default_multiplier: CostMultiplier,
}

impl Volumes {
    pub(super) fn get(&self, id: VolumeId) -> Option<Volume> {
        let at = self.entries.binary_search_by_key(&id, |item| item.0).ok()?;
        Some(self.entries[at].1)
    }

    /// Inserts or, with `None`, removes a volume; returns the previous one.
    pub(super) fn set(&mut self, id: VolumeId, volume: Option<Volume>) -> Option<Volume> {
        match (
            self.entries.binary_search_by_key(&id, |item| item.0),
            volume,
        ) {
            (Ok(at), Some(volume)) => Some(std::mem::replace(&mut self.entries[at].1, volume)),
            (Ok(at), None) => Some(self.entries.remove(at).1),
            (Err(at), Some(volume)) => {
                super::tree::reserve_one(&mut self.entries);
                self.entries.insert(at, (id, volume));
                None
            }
            (Err(_), None) => None,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (VolumeId, &Volume)> {
        self.entries.iter().map(|(id, volume)| (*id, volume))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(VolumeId, Volume)>()
    }
}

impl Air {
    /// The cost multiplier of flight through a voxel; `None` if a volume closes it. O(volumes):
    /// meant for dozens, not thousands.
    pub fn cost_multiplier(&self, at: Voxel) -> Option<CostMultiplier> {
        let mut lowest = None;
        for (_, volume) in self.volumes.iter().filter(|(_, v)| v.contains(at)) {
            match volume.rule {
                VolumeRule::Closed => return None,
                VolumeRule::CostMultiplier(multiplier) => {
                    lowest = Some(
                        lowest.map_or(multiplier, |lowest: CostMultiplier| lowest.min(multiplier)),
                    );
                }
            }
        }
        Some(lowest.unwrap_or(self.volumes.default_multiplier))
    }

    /// The cost multiplier outside all volumes.
    pub const fn default_multiplier(&self) -> CostMultiplier {
        self.volumes.default_multiplier
    }

    /// Sets the cost multiplier outside all volumes. Above 1, volumes with multiplier 1 attract
    /// paths.
    pub fn set_default_multiplier(&mut self, multiplier: CostMultiplier) {
        self.volumes.default_multiplier = multiplier;
        self.identity.change(BatchDigest::of(&multiplier));
    }

    /// All volumes, by ascending id.
    pub fn volumes(&self) -> impl Iterator<Item = (VolumeId, &Volume)> {
        self.volumes.iter()
    }

    pub(super) const fn check_volume(volume: &Volume) -> Result<(), AirError> {
        let Volume { low, high, .. } = *volume;
        if high.x < low.x || high.y < low.y || high.z < low.z {
            return Err(AirError::EmptyBox { low, high });
        }
        Ok(())
    }
}
