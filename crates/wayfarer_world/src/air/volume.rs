//! Volumes that limit or invite flight: no-fly zones, lanes, space that is costly to cross.

use wayfarer_base::{CostMultiplier, Digest, Voxel};

use super::geometry::{take, wide};
use super::{Air, AirError};

/// The name of a volume, chosen by the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VolumeId(pub u64);

/// What a volume does to flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VolumeRule {
    /// Nobody may fly here.
    Closed,
    /// Flying here costs so much; the lowest cost multiplier of all volumes over a voxel counts. A volume
    /// invites if it is cheaper than [`Air::default_multiplier`].
    CostMultiplier(CostMultiplier),
}

/// A box with a rule. It does not make anything solid and does not change components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Volume {
    /// The lowest voxel.
    pub low: Voxel,
    /// The highest voxel, included.
    pub high: Voxel,
    /// What holds inside.
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

    /// Takes everything about it in.
    pub(super) fn digest(&self, digest: &mut Digest) {
        take(digest, wide(self.low).into_iter().chain(wide(self.high)));
        match self.rule {
            VolumeRule::Closed => digest.number(0),
            VolumeRule::CostMultiplier(multiplier) => {
                digest.number(1);
                digest.number(multiplier.sixteenths().into());
            }
        }
    }
}

/// All volumes, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Volumes {
    named: Vec<(VolumeId, Volume)>,
    elsewhere: CostMultiplier,
}

impl Volumes {
    pub(super) fn get(&self, name: VolumeId) -> Option<Volume> {
        let at = self.named.binary_search_by_key(&name, |item| item.0).ok()?;
        Some(self.named[at].1)
    }

    /// Puts or, with `None`, takes away a volume; returns what was there.
    pub(super) fn set(&mut self, name: VolumeId, volume: Option<Volume>) -> Option<Volume> {
        match (
            self.named.binary_search_by_key(&name, |item| item.0),
            volume,
        ) {
            (Ok(at), Some(volume)) => Some(std::mem::replace(&mut self.named[at].1, volume)),
            (Ok(at), None) => Some(self.named.remove(at).1),
            (Err(at), Some(volume)) => {
                super::tree::grow(&mut self.named);
                self.named.insert(at, (name, volume));
                None
            }
            (Err(_), None) => None,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (VolumeId, &Volume)> {
        self.named.iter().map(|(name, volume)| (*name, volume))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.named.capacity() * size_of::<(VolumeId, Volume)>()
    }
}

impl Air {
    /// What flying through a voxel costs; `None` if a volume closes it. Looks at every volume:
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
        Some(lowest.unwrap_or(self.volumes.elsewhere))
    }

    /// What flying costs outside all priced volumes.
    pub const fn default_multiplier(&self) -> CostMultiplier {
        self.volumes.elsewhere
    }

    /// Sets what flying costs outside all priced volumes: above 1, volumes of cost multiplier 1 invite.
    pub const fn set_default_multiplier(&mut self, multiplier: CostMultiplier) {
        self.volumes.elsewhere = multiplier;
    }

    /// The volume of a name.
    pub fn volume(&self, name: VolumeId) -> Option<Volume> {
        self.volumes.get(name)
    }

    /// All volumes, in the order of their names.
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
