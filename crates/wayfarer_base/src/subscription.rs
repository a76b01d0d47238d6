//! Ids of path subscriptions.

use crate::Id;

/// Marker type of [`SubscriptionId`].
#[derive(Clone, Debug)]
pub enum Subscription {}

/// The id of a subscribed path.
pub type SubscriptionId = Id<Subscription>;
