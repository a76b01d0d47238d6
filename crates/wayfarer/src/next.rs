//! The facade in world units, under construction beside the engine's names at the root.

pub use crate::agent_type::{AgentType, AgentTypeError, AgentTypeId, Movement, TerrainSet};
pub use crate::body::{
    Body, BodyError, BodyFilter, BodyId, BodyShape, Categories, SensorId, Teams,
};
pub use crate::changes::{ChangeCursor, Lagged, WorldChanges};
pub use crate::edit::{
    CostArea, CostAreaId, Edit, EditError, LinkId, NavLink, Solid, SolidId, ThinWall,
};
pub use crate::explanation::{BlockedStep, Explanation, UnblockOption};
pub use crate::facade::{ImportError, ReachablePlace, World};
pub use crate::flow_field::{Extent, FlowField, FlowUpdate};
pub use crate::follower::{Follower, LinkAhead, PathStep};
pub use crate::footprint::Footprint;
pub use crate::goal::{Area, AreaShape, Goal};
pub use crate::path::{Path, PathStatus, PathSubscription, Traversal, Waypoint};
pub use crate::planner::{
    Planner, PlannerEvent, PlannerLoadError, PlannerOptions, PlannerStats, RequestId,
};
pub use crate::replica::Replica;
pub use crate::request::{
    Method, NoPath, PartialPolicy, PartialReason, PathRequest, RequestError, StartPolicy,
};
pub use crate::sensor::{Mount, PathExposure, Sensor, SensorEvent, Viewer};
pub use crate::snapshot::LoadError;
pub use crate::units::{Axes, BadNumber, Heading, Position, Scale};
pub use wayfarer_engine::base::{Budget, LinkDirection, LinkState, NavLinkKind, Revision, Terrain};
pub use wayfarer_engine::formats::tile_rules::{TileRules, TileTerrain};
pub use wayfarer_engine::{Searcher, SearcherPool};

/// What most programs name, at most 40 names.
pub mod prelude {
    pub use super::{
        AgentType, AgentTypeId, Area, Axes, Body, BodyFilter, BodyId, BodyShape, Budget, CostArea,
        Edit, Extent, FlowField, Footprint, Goal, Heading, Method, Movement, NavLink, NoPath,
        PartialPolicy, Path, PathRequest, PathStatus, Position, Scale, Searcher, SearcherPool,
        Sensor, SensorEvent, Solid, SolidId, StartPolicy, Terrain, TerrainSet, World, WorldChanges,
    };
}
