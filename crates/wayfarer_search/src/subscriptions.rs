//! Path subscriptions: an edit reports at once which subscribed paths it invalidates.
//!
//! [`PathIndex`] maps sectors to the paths that depend on them, for every domain whose paths are
//! [`Subscribable`].

use std::fmt::Debug;
use std::ops::RangeInclusive;

use wayfarer_base::subscription::SubscriptionId;

mod path_index;

pub use path_index::PathIndex;

/// The paths of a domain, as subscriptions see them.
pub trait Subscribable: Sized {
    /// What the paths lead through.
    type World;
    /// Its change sets.
    type Changes;
    /// The sectors by which paths are indexed.
    type Sector: Copy + Ord + Debug;
    /// What of one sector a path depends on.
    type Mask: Copy + Debug;
    /// What changed in some sectors, or everywhere.
    type Change: Copy;

    /// Writes what the path depends on, one run per sector.
    fn write_runs(&self, world: &Self::World, runs: &mut Vec<Run<Self::Sector, Self::Mask>>);

    /// Writes the runs in which the path may differ from `previous`, an empty one in a sector on
    /// which it no longer depends; false if the two have too little in common.
    fn write_differing_runs(
        &self,
        _previous: &Self,
        _runs: &mut Vec<Run<Self::Sector, Self::Mask>>,
    ) -> bool {
        false
    }

    /// True if a mask covers nothing of its sector.
    fn is_empty(_mask: &Self::Mask) -> bool {
        false
    }

    /// The changes that may invalidate a path.
    fn changes(
        world: &Self::World,
        set: &Self::Changes,
    ) -> Vec<LocatedChange<Self::Sector, Self::Change>>;

    /// False if no step of a path depends on a change in the sector of `mask`.
    fn depends_on(mask: &Self::Mask, change: &Self::Change) -> bool;

    /// True if one of the changes on which the path depends makes a step of it impossible or
    /// costlier; adds the steps that it checks to `n_checked`.
    fn is_invalidated(
        &self,
        world: &Self::World,
        changes: &[Self::Change],
        n_checked: &mut usize,
    ) -> bool;
}

/// A change and its sectors; `None` if it concerns every path.
pub type LocatedChange<S, C> = (Option<RangeInclusive<S>>, C);

/// What of one sector a path depends on.
#[derive(Clone, Copy, Debug)]
pub struct Run<S, M> {
    /// The sector.
    pub sector: S,
    /// The part of it.
    pub mask: M,
}

/// The effect of an edit on subscribed paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvalidationReport {
    /// The paths that this edit made impossible or costlier, sorted.
    pub invalidated: Vec<SubscriptionId>,
    /// How many index entries lie in changed sectors.
    pub n_candidates: usize,
    /// How many steps of ground paths, or whole flights, were checked.
    pub n_checked: usize,
}
