//! [`World::apply`]: converts a batch of edits, applies it, and keeps the handles.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_engine as engine;
use wayfarer_engine::base::{
    Cell, Cost, CostModifier, CostModifierId, GroundEdit, LinkDirection, NavLinkId, SectorId, Wall,
    WallSide,
};
use wayfarer_engine::search::ground::{GroundRequest, Method, PathSearcher};

use super::World;
use super::find::is_inside_solid;
use super::queries::floor_cell;
use crate::agent_type::AgentTypeId;
use crate::changes::WorldChanges;
use crate::edit::{
    AirLinkEnds, AirLinkId, CostArea, CostAreaId, Edit, EditError, EditKind, HandleChange, LinkId,
    NavLink, Solid, SolidId, ThinWall,
};
use crate::goal::Area;
use crate::request::RequestError;
use crate::units::{Axes, BadNumber, Frame, Position, multiplier};

/// The handles of links and cost areas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Handles {
    pub(crate) links: BTreeMap<LinkId, NavLinkId>,
    /// The inverse of `links`.
    pub(crate) ids: BTreeMap<NavLinkId, LinkId>,
    pub(crate) cost_areas: BTreeSet<CostAreaId>,
    pub(crate) air_links: BTreeMap<AirLinkId, AirLinkEnds>,
    /// The next id of each kind.
    pub(crate) next: u64,
}

impl Handles {
    /// The handles of a world that was not made by the facade: its links get ids in the order of
    /// their ends, its cost modifiers keep theirs.
    pub(crate) fn of(engine: &engine::World) -> Self {
        let mut handles = Self::default();
        for (id, _) in engine.ground().cost_modifiers() {
            handles.change(HandleChange::CostArea(CostAreaId(id.0), true));
            handles.next = handles.next.max(id.0);
        }
        let mut links: Vec<NavLinkId> = engine.ground().nav_links().map(NavLinkId::from).collect();
        links.sort_unstable();
        for link in links {
            handles.next += 1;
            handles.change(HandleChange::Link(LinkId(handles.next), link, true));
        }
        for link in engine.air_links() {
            handles.next += 1;
            let id = AirLinkId(handles.next);
            handles.change(HandleChange::AirLink(id, (link.cell, link.voxel), true));
        }
        handles
    }

    pub(crate) fn change(&mut self, change: HandleChange) {
        match change {
            HandleChange::Link(id, link, true) => {
                self.links.insert(id, link);
                self.ids.insert(link, id);
            }
            HandleChange::Link(id, link, false) => {
                self.links.remove(&id);
                self.ids.remove(&link);
            }
            HandleChange::CostArea(id, true) => {
                self.cost_areas.insert(id);
            }
            HandleChange::CostArea(id, false) => {
                self.cost_areas.remove(&id);
            }
            HandleChange::AirLink(id, ends, true) => {
                self.air_links.insert(id, ends);
            }
            HandleChange::AirLink(id, _, false) => {
                self.air_links.remove(&id);
            }
        }
    }
}

/// A batch in the engine's units.
pub(super) struct Batch<'w> {
    pub(super) world: &'w World,
    pub(super) edits: Vec<engine::Edit>,
    /// For each of them, the index of the edit it comes from.
    sources: Vec<usize>,
    /// What the batch does to the handles, in order.
    changes: Vec<HandleChange>,
    /// The same by handle: what is there after the edits so far, where it differs from the world.
    links: BTreeMap<LinkId, Option<NavLinkId>>,
    link_keys: BTreeMap<NavLinkId, bool>,
    cost_areas: BTreeMap<CostAreaId, bool>,
    pub(super) air_links: BTreeMap<AirLinkId, Option<AirLinkEnds>>,
    /// The last id given.
    last_id: u64,
}

impl World {
    /// Applies a batch of edits as a whole or not at all.
    ///
    /// # Errors
    /// The first invalid edit, by its index; the world is unchanged.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<WorldChanges, EditError> {
        let mut batch = Batch::new(self);
        for (number, edit) in edits.iter().enumerate() {
            batch.push(number, &edit.0)?;
        }
        let Batch {
            edits,
            sources,
            changes,
            last_id,
            ..
        } = batch;
        let frame = self.frame;
        let applied = self.apply_logged(edits, &changes, last_id);
        applied.map_err(|error| edit_error(error, &sources, frame))
    }

    /// An edit in the engine's units and what it does to the handles, not applied.
    pub(crate) fn converted_edit(
        &self,
        number: usize,
        kind: &EditKind,
    ) -> Result<(Vec<engine::Edit>, Vec<HandleChange>), EditError> {
        let mut batch = Batch::new(self);
        batch.push(number, kind)?;
        Ok((batch.edits, batch.changes))
    }

    /// Takes the ids of solids below `next` as assigned.
    pub(crate) fn assign_solids_below(&mut self, next: SolidId) {
        self.engine.assign_solids_below(next);
    }

    /// Places a solid: a box, cylinder, prism or mesh that blocks walking, flight and sight. Solids
    /// may overlap.
    ///
    /// # Errors
    /// The solid is empty, leaves the world or exceeds a limit.
    pub fn add_solid(&mut self, solid: Solid) -> Result<(SolidId, WorldChanges), EditError> {
        let changes = self.apply(&[Edit::add_solid(solid)])?;
        let id = changes.new_solids().next();
        Ok((id.expect("the batch placed a solid"), changes))
    }

    /// Removes a solid; what was there before shows again.
    ///
    /// # Errors
    /// The solid does not exist.
    pub fn remove_solid(&mut self, id: SolidId) -> Result<WorldChanges, EditError> {
        self.apply(&[Edit::remove_solid(id)])
    }

    /// Adds a nav link.
    ///
    /// # Errors
    /// An end has no floor, the cost is out of range, or a link with these ends and kind exists.
    pub fn add_link(&mut self, link: NavLink) -> Result<(LinkId, WorldChanges), EditError> {
        let changes = self.apply(&[Edit::add_link(link)])?;
        let id = changes.new_links().next();
        Ok((id.expect("the batch added a link"), changes))
    }

    /// Adds a cost area.
    ///
    /// # Errors
    /// The area or the multiplier is out of range.
    pub fn add_cost_area(
        &mut self,
        area: CostArea,
    ) -> Result<(CostAreaId, WorldChanges), EditError> {
        let changes = self.apply(&[Edit::add_cost_area(area)])?;
        let id = changes.new_cost_areas().next();
        Ok((id.expect("the batch added a cost area"), changes))
    }

    /// The pairs between which edits would leave no path for an agent type. The edits are applied and
    /// rolled back, so that this takes the time of two edits: content, revision, ids and log stay.
    /// Searchers build their caches anew afterwards.
    ///
    /// A pair without a path now is not cut off by the edits; one where the agent no longer fits
    /// afterwards is.
    ///
    /// # Errors
    /// An edit is invalid, or the agent type is unknown or does not walk.
    pub fn would_disconnect(
        &mut self,
        edits: &[Edit],
        pairs: &[(Position, Position)],
        agent_type: AgentTypeId,
    ) -> Result<Vec<(Position, Position)>, EditError> {
        if self.nav_graph(agent_type).is_none() {
            let is_known = self.agent_types.len() > agent_type.index();
            let reason = if is_known {
                "does not walk"
            } else {
                "is not registered with this world"
            };
            return Err(EditError::BadAgentType { reason });
        }
        let mut batch = Batch::new(self);
        for (number, edit) in edits.iter().enumerate() {
            batch.push(number, &edit.0)?;
        }
        let Batch { edits, sources, .. } = batch;
        let reaches = |engine: &engine::World, frame: Frame| {
            let reaches =
                |(a, b): &(Position, Position)| reaches(engine, frame, agent_type, (*a, *b));
            pairs.iter().map(reaches).collect::<Vec<bool>>()
        };
        let frame = self.frame;
        let before = reaches(&self.engine, frame);
        let after = self
            .engine
            .after_edits(edits, |engine| reaches(engine, frame));
        let after = after.map_err(|error| edit_error(error, &sources, frame))?;
        let was_cut = before
            .into_iter()
            .zip(after)
            .map(|(before, after)| before && !after);
        let cut = pairs.iter().zip(was_cut).filter(|(_, was_cut)| *was_cut);
        Ok(cut.map(|(pair, _)| *pair).collect())
    }
}

/// True if a path leads from one place to another; by components where every edge has its reverse,
/// else by a search.
fn reaches(
    engine: &engine::World,
    frame: Frame,
    agent_type: AgentTypeId,
    (a, b): (Position, Position),
) -> bool {
    let Ok(nav_graph) = engine.nav_graph(agent_type) else {
        return false;
    };
    // The floor on top of a solid is not where an agent inside it stands.
    let cell = |at| {
        let at = frame
            .cell(at)
            .filter(|at| !is_inside_solid(nav_graph, *at))?;
        floor_cell(nav_graph, at)
    };
    let (Some(a), Some(b)) = (cell(a), cell(b)) else {
        return false;
    };
    let component = |cell| {
        nav_graph
            .node(cell)
            .and_then(|node| nav_graph.component(node))
    };
    if component(a) != component(b) {
        return false;
    }
    let profile = nav_graph.profile();
    let is_one_way = |link: &engine::base::NavLink| link.direction == LinkDirection::OneWay;
    let ground = engine.ground();
    if profile.max_step == profile.max_drop && !ground.nav_links().any(is_one_way) {
        return true;
    }
    let request = GroundRequest {
        profile_id: nav_graph.profile_id(),
        method: Method::Jps,
        ..GroundRequest::new(a, b)
    };
    let found = PathSearcher::default().distance(ground, &request);
    found.is_ok_and(|cost| cost.is_some())
}

/// An error of the engine in the terms of the batch that it came from.
pub(crate) fn edit_error(error: engine::EditError, sources: &[usize], frame: Frame) -> EditError {
    use engine::EditError as Engine;
    use engine::world::ground::GroundEditError;
    let source = |edit: usize| sources.get(edit).copied().unwrap_or(edit);
    match error {
        Engine::Ground(GroundEditError::UnknownSolid { edit, .. }) => EditError::UnknownId {
            edit: source(edit),
            what: "the solid",
        },
        Engine::Ground(GroundEditError::BadSolid { edit, reason })
        | Engine::BadSolid { edit, reason } => EditError::BadSolid {
            edit: source(edit),
            reason,
        },
        Engine::BadBox { edit, low, high } => EditError::BadBox {
            edit: source(edit),
            low: frame.to_user(low),
            high: frame.to_user(high),
        },
        error => {
            let edit = match &error {
                Engine::Ground(error) => error.edit(),
                Engine::Obstacle { edit, .. }
                | Engine::Body { edit, .. }
                | Engine::NoSuchDomain { edit, .. }
                | Engine::TooWide { edit, .. }
                | Engine::CostModifierLost { edit, .. } => *edit,
                _ => 0,
            };
            let reason = error.to_string();
            let reason = match reason.strip_prefix(&format!("edit {edit}: ")) {
                Some(reason) => reason.to_owned(),
                None => reason,
            };
            EditError::Limit {
                edit: source(edit),
                reason,
            }
        }
    }
}

impl<'w> Batch<'w> {
    const fn new(world: &'w World) -> Self {
        Self {
            world,
            edits: Vec::new(),
            sources: Vec::new(),
            changes: Vec::new(),
            links: BTreeMap::new(),
            link_keys: BTreeMap::new(),
            cost_areas: BTreeMap::new(),
            air_links: BTreeMap::new(),
            last_id: world.handles.next,
        }
    }

    fn push(&mut self, edit: usize, kind: &EditKind) -> Result<(), EditError> {
        self.push_kind(edit, kind)?;
        self.sources.resize(self.edits.len(), edit);
        Ok(())
    }

    fn push_kind(&mut self, edit: usize, kind: &EditKind) -> Result<(), EditError> {
        let frame = self.world.frame;
        match kind {
            EditKind::AddSolid(solid) => {
                let solid = match frame.axes {
                    Axes::ZUp => solid.clone(),
                    Axes::YUp => solid.clone().with_swapped_axes(),
                };
                self.edits.push(engine::Edit::AddSolid(solid));
            }
            EditKind::RemoveSolid(id) => self.edits.push(engine::Edit::RemoveSolid(*id)),
            EditKind::Fill { low, high, top } => self.edits.push(engine::Edit::FillBox {
                low: frame.to_engine(*low),
                high: frame.to_engine(*high),
                top: *top,
            }),
            EditKind::Carve { low, high, floor } => self.edits.push(engine::Edit::CarveBox {
                low: frame.to_engine(*low),
                high: frame.to_engine(*high),
                floor: *floor,
            }),
            EditKind::AddFloors {
                area,
                height,
                terrain,
            } => {
                let shape = self.area(edit, area)?.shape;
                let heights = frame.height_range(*height, *height);
                let z = heights
                    .map_err(|error| EditError::BadNumber { edit, error })?
                    .1;
                let terrain = *terrain;
                self.ground(GroundEdit::Fill { shape, z, terrain });
            }
            EditKind::RemoveFloors(area) => {
                let area = self.area(edit, area)?;
                let (shape, heights) = (area.shape, area.heights);
                self.ground(GroundEdit::Clear { shape, heights });
            }
            EditKind::AddWall(wall) => self.walls(edit, wall, GroundEdit::PutWall)?,
            EditKind::RemoveWall(wall) => self.walls(edit, wall, GroundEdit::RemoveWall)?,
            EditKind::AddLink(link) => self.add_link(edit, link)?,
            EditKind::RemoveLink(id) => {
                let link = self.link(edit, *id)?;
                self.ground(GroundEdit::RemoveNavLink(link));
                self.change(HandleChange::Link(*id, link, false));
            }
            EditKind::SetLinkState(id, state) => {
                let (nav_link, state) = (self.link(edit, *id)?, *state);
                self.ground(GroundEdit::SetNavLinkState { nav_link, state });
            }
            EditKind::AddCostArea(area) => self.add_cost_area(edit, area)?,
            EditKind::RemoveCostArea(id) => {
                if !self.has_cost_area(*id) {
                    let what = "the cost area";
                    return Err(EditError::UnknownId { edit, what });
                }
                self.ground(GroundEdit::RemoveCostModifier(CostModifierId(id.0)));
                self.change(HandleChange::CostArea(*id, false));
            }
            EditKind::AddAirLink(link) => self.add_air_link(edit, link)?,
            EditKind::RemoveAirLink(id) => self.remove_air_link(edit, *id)?,
            EditKind::Restore { edits, handles } => {
                self.edits.extend(edits.iter().cloned());
                handles.iter().for_each(|change| self.change(*change));
            }
        }
        Ok(())
    }

    fn ground(&mut self, edit: GroundEdit) {
        self.edits.push(engine::Edit::Ground(edit));
    }

    pub(super) fn change(&mut self, change: HandleChange) {
        match change {
            HandleChange::Link(id, link, is_added) => {
                self.links.insert(id, is_added.then_some(link));
                self.link_keys.insert(link, is_added);
            }
            HandleChange::CostArea(id, is_added) => {
                self.cost_areas.insert(id, is_added);
            }
            HandleChange::AirLink(id, ends, is_added) => {
                self.air_links.insert(id, is_added.then_some(ends));
            }
        }
        self.changes.push(change);
    }

    pub(super) fn take_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// True if a cost area exists after the edits so far.
    fn has_cost_area(&self, id: CostAreaId) -> bool {
        let known = || self.world.handles.cost_areas.contains(&id);
        self.cost_areas.get(&id).copied().unwrap_or_else(known)
    }

    /// True if a link with these ends and kind exists after the edits so far.
    fn has_link(&self, key: NavLinkId) -> bool {
        let known = || self.world.handles.ids.contains_key(&key);
        self.link_keys.get(&key).copied().unwrap_or_else(known)
    }

    fn area(&self, edit: usize, area: &Area) -> Result<engine::search::ground::Area, EditError> {
        let area = area.to_engine(self.world.frame);
        area.map_err(|error| EditError::BadArea { edit, error })
    }

    fn link(&self, edit: usize, id: LinkId) -> Result<NavLinkId, EditError> {
        let what = "the link";
        let known = || self.world.handles.links.get(&id).copied();
        let link = self.links.get(&id).copied().unwrap_or_else(known);
        link.ok_or(EditError::UnknownId { edit, what })
    }

    fn add_link(&mut self, edit: usize, link: &NavLink) -> Result<(), EditError> {
        let frame = self.world.frame;
        let (from, to) = (self.floor(edit, link.from)?, self.floor(edit, link.to)?);
        let cost = match link.cost {
            Some(units) => frame.cost_of_length("the cost of a link", units),
            None => Ok(Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))),
        };
        let cost = cost.map_err(|error| EditError::BadNumber { edit, error })?;
        let nav_link = engine::base::NavLink {
            from,
            to,
            kind: link.kind,
            direction: link.direction,
            cost: cost.max(Cost::from_units(1)),
            state: link.state,
        };
        let key = NavLinkId::from(&nav_link);
        if self.has_link(key) {
            return Err(EditError::LinkExists { edit });
        }
        self.ground(GroundEdit::PutNavLink(nav_link));
        let id = LinkId(self.take_id());
        self.change(HandleChange::Link(id, key, true));
        Ok(())
    }

    fn add_cost_area(&mut self, edit: usize, cost_area: &CostArea) -> Result<(), EditError> {
        let area = self.area(edit, &cost_area.area)?;
        let multiplier = multiplier("the multiplier of a cost area", cost_area.multiplier);
        let multiplier = multiplier.map_err(|error| EditError::BadNumber { edit, error })?;
        let id = self.take_id();
        self.ground(GroundEdit::PutCostModifier {
            id: CostModifierId(id),
            modifier: CostModifier {
                shape: area.shape,
                heights: area.heights,
                multiplier,
            },
        });
        self.change(HandleChange::CostArea(CostAreaId(id), true));
        Ok(())
    }

    /// The floor of a position's column nearest in height.
    pub(super) fn floor(&self, edit: usize, at: Position) -> Result<Cell, EditError> {
        let cell = self.world.frame.cell(at);
        let cell = cell.ok_or(EditError::BadArea {
            edit,
            error: RequestError::OutOfWorld {
                what: "a position",
                at,
            },
        })?;
        let column = cell.column();
        let floors = self.world.engine.ground().floors(column);
        let floors = floors.map(|(z, _)| column.at(z));
        let nearest = floors.min_by_key(|floor| (floor.z.abs_diff(cell.z), floor.z));
        nearest.ok_or(EditError::NoFloor { edit, at })
    }

    /// The engine's walls along a line of cell borders.
    fn walls(
        &mut self,
        edit: usize,
        wall: &ThinWall,
        to_edit: impl Fn(Wall) -> GroundEdit,
    ) -> Result<(), EditError> {
        let ThinWall { from, to } = *wall;
        let bad = EditError::BadWall { edit, from, to };
        let frame = self.world.frame;
        let (Some(a), Some(b)) = (frame.point(from), frame.point(to)) else {
            return Err(bad);
        };
        let Some(z) = frame.cell(from).map(|cell| cell.z) else {
            return Err(bad);
        };
        // The nearest corner of a cell.
        let corner = |at: engine::base::Fixed| at.raw().saturating_add(128) >> 8;
        let (ax, ay, bx, by) = (corner(a.x), corner(a.y), corner(b.x), corner(b.y));
        let n_cells = ax.abs_diff(bx).max(ay.abs_diff(by));
        if n_cells > ThinWall::MAX_CELLS {
            let found = f64::from(n_cells);
            let (what, expected) = ("the length of the wall in cells", "at most 65,536");
            let error = BadNumber {
                what,
                found,
                expected,
            };
            return Err(EditError::BadNumber { edit, error });
        }
        let (xs, ys) = (ax.min(bx)..ax.max(bx), ay.min(by)..ay.max(by));
        if xs.len().max(ys.len()) > MAX_WALL {
            return Err(bad);
        }
        match (xs.is_empty(), ys.is_empty()) {
            (false, true) => {
                for x in xs {
                    let (cell, side) = (Cell::new(x, ay - 1, z), WallSide::South);
                    self.ground(to_edit(Wall { cell, side }));
                }
            }
            (true, false) => {
                for y in ys {
                    let (cell, side) = (Cell::new(ax - 1, y, z), WallSide::East);
                    self.ground(to_edit(Wall { cell, side }));
                }
            }
            _ => return Err(bad),
        }
        Ok(())
    }
}

/// Most cells along a thin wall.
const MAX_WALL: usize = 1 << 16;

impl World {
    /// The nav links, by id.
    pub fn links(&self) -> Vec<(LinkId, NavLink)> {
        let all = self.handles.links.keys();
        all.filter_map(|id| Some((*id, self.link(*id)?))).collect()
    }

    /// A nav link; `None` if it does not exist.
    pub fn link(&self, id: LinkId) -> Option<NavLink> {
        let key = self.handles.links.get(&id)?;
        let sector = SectorId::from_column(key.from.column());
        let mut links = self.engine.ground().nav_links_in(sector).iter();
        let link = links.find(|link| NavLinkId::from(*link) == *key)?;
        Some(NavLink {
            from: self.frame.position_of(link.from.into()),
            to: self.frame.position_of(link.to.into()),
            kind: link.kind,
            direction: link.direction,
            cost: Some(self.frame.cost(link.cost)),
            state: link.state,
        })
    }
}

#[cfg(test)]
mod tests;
