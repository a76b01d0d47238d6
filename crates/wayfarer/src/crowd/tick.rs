//! The tick of a crowd, in a fixed order.

use wayfarer_engine::base::Rect;
use wayfarer_engine::crowd as core;
use wayfarer_engine::crowd::flight::is_flyer;
use wayfarer_engine::search::ground::changed_columns;

use super::flyers::slot_of;
use super::route::route_of;
use super::{Crowd, CrowdAgentId, CrowdError, CrowdEvent, Joined, Stage};
use crate::facade::World;
use crate::goal::Area;
use crate::planner::{Planner, RequestId};
use crate::units::Position;

/// Ticks between two reports of an agent's progress to the planner, a multiple of its turns.
const REPORT_TICKS: u64 = 64;
/// Ticks between two tries of an agent that is blocked.
const TURN: u64 = 32;
/// Times stuck after which an agent is reported.
const MAX_STUCK: u32 = 3;
/// Paths taken over in a tick.
const MAX_PATHS: usize = 128;
/// What a jam costs in paths around it, and how far it reaches, in radii.
const JAM_COST: f64 = 4.0;
const JAM_RADII: f64 = 8.0;
/// More changed rectangles than this count as everywhere.
const MAX_RECTS: usize = 256;

impl Crowd {
    /// Moves all agents by one tick of [`CrowdOptions::tick_seconds`](super::CrowdOptions) and their
    /// bodies with them. Linear in the agents that move; the planner's searches are not part of it.
    ///
    /// # Errors
    /// A body would leave the world. Agents have moved, bodies have not.
    pub fn tick(&mut self, world: &mut World, planner: &mut Planner) -> Result<(), CrowdError> {
        self.read_edits(world);
        self.drop_lost_bodies(world, planner);
        self.take_paths(world, planner);
        self.pass_links(world);
        self.keep_pace();
        self.lead_flows(world, planner);
        self.count_waiting(planner);
        let mut happened = self.core.tick(world.engine().ground()).to_vec();
        if !self.flyers.is_empty() {
            happened.extend(self.tick_flyers(world));
        }
        for event in happened.drain(..) {
            self.take_event(world, planner, event);
        }
        self.report_progress(world, planner);
        self.move_bodies(world)
    }

    /// Drops what is known of walls where the ground changed.
    fn read_edits(&mut self, world: &World) {
        let engine = world.engine();
        let now = engine.ground().revision();
        let Some(seen) = self.ground.replace(now) else {
            return;
        };
        if seen == now {
            return;
        }
        let sets = engine.ground_log().since(seen);
        let Some(sets) = sets else {
            return self.core.invalidate_all();
        };
        let differences = sets.flat_map(|set| &set.differences);
        let rects: Vec<Rect> = differences.flat_map(changed_columns).flatten().collect();
        if rects.len() > MAX_RECTS {
            return self.core.invalidate_all();
        }
        rects
            .into_iter()
            .for_each(|rect| self.core.invalidate(rect));
    }

    fn drop_lost_bodies(&mut self, world: &World, planner: &mut Planner) {
        let bodies = world.engine().bodies();
        let is_lost = |body: crate::BodyId| bodies.id_at(body.index()) != Some(body);
        let lost = self.all_joined().filter(|joined| is_lost(joined.body));
        let lost: Vec<CrowdAgentId> = lost.map(|joined| joined.id).collect();
        for agent in lost {
            self.cancel_order(planner, agent);
            self.forget(agent);
            self.events.push(CrowdEvent::BodyRemoved { agent });
        }
    }

    /// Takes over the paths that the planner found, replaced or gave up, some in each tick.
    fn take_paths(&mut self, world: &World, planner: &mut Planner) {
        let (update, changed) = planner.changed();
        if update == self.update + 1 {
            self.changed.extend(changed);
        } else if update != self.update {
            self.changed = self.by_request.keys().copied().collect();
        }
        self.update = update;
        for _ in 0..MAX_PATHS {
            let Some(request) = self.changed.pop_front() else {
                break;
            };
            if let Some(&agent) = self.by_request.get(&request) {
                self.take_path(world, planner, (agent, request));
            }
        }
    }

    fn take_path(
        &mut self,
        world: &World,
        planner: &Planner,
        (agent, request): (CrowdAgentId, RequestId),
    ) {
        let is_flyer = is_flyer(agent);
        let path = planner.path(request);
        let route = path.map(|path| match is_flyer {
            true => None,
            false => route_of(world, path),
        });
        let failure = planner.failure(request);
        let now = world.engine().ground().revision();
        let Some(order) = self
            .joined_mut(agent)
            .ok()
            .and_then(|one| one.order.as_mut())
        else {
            return;
        };
        match (route, failure) {
            (Some(Some(route)), _) => {
                order.stage = Stage::Following;
                order.failed_at = None;
                let is_traversing = self.core.state(agent) == Some(core::AgentState::Traversing);
                if self.march(world, agent, &route)
                    || (!is_traversing && self.core.set_route(agent, route).is_ok())
                {
                    self.at_links.remove(&agent);
                }
            }
            (Some(None), _) if is_flyer => {
                order.stage = Stage::Following;
                order.failed_at = None;
                path.map(|path| self.fly(path, agent));
            }
            (None, Some(reason)) if order.stage != Stage::Blocked => {
                order.stage = Stage::Blocked;
                order.failed_at = Some(now);
                self.events.push(CrowdEvent::NoPath { agent, reason });
                // A door that closed is waited for where the agent stands.
                if is_flyer {
                    let stopped = self.flock.set_flight(agent, [].into());
                    stopped.expect("the flyer is in the flock");
                } else if self.core.state(agent) == Some(core::AgentState::Moving) {
                    let stopped = self.core.set_route(agent, [].into());
                    stopped.expect("the agent is in the crowd");
                }
            }
            (None, Some(_)) => order.failed_at = Some(now),
            _ => {}
        }
    }

    /// Lets agents traverse links that are open, unless the game decides.
    fn pass_links(&mut self, world: &World) {
        if self.options.waits_at_links {
            return;
        }
        let waiting: Vec<_> = self
            .at_links
            .iter()
            .map(|(id, link)| (*id, *link))
            .collect();
        for (agent, link) in waiting {
            if self.is_open(world, agent, link) && self.core.traverse(agent).is_ok() {
                self.at_links.remove(&agent);
            }
        }
    }

    fn take_event(&mut self, world: &World, planner: &mut Planner, event: core::CrowdEvent) {
        let event = match event {
            core::CrowdEvent::LinkAhead(agent, link) => CrowdEvent::LinkAhead {
                agent,
                link: Self::link_id(world, link),
            },
            core::CrowdEvent::ReachedLink(agent, link) => {
                self.at_links.insert(agent, link);
                CrowdEvent::ReachedLink {
                    agent,
                    link: Self::link_id(world, link),
                }
            }
            core::CrowdEvent::Arrived(agent) => {
                self.leave_flow(agent);
                self.cancel_order(planner, agent);
                CrowdEvent::Arrived { agent }
            }
            core::CrowdEvent::Settled(agent) => {
                self.leave_flow(agent);
                self.cancel_order(planner, agent);
                CrowdEvent::Settled { agent }
            }
            core::CrowdEvent::Stuck(agent) => {
                if !self.replan(planner, agent, true) {
                    return;
                }
                CrowdEvent::Stuck { agent }
            }
            core::CrowdEvent::Displaced(agent) => {
                self.at_links.remove(&agent);
                self.displaced.push(agent);
                self.replan(planner, agent, false);
                CrowdEvent::Displaced { agent }
            }
            _ => return,
        };
        self.events.push(event);
    }

    /// Searches another path for an agent, around the jam that it is in; true if it has been stuck
    /// often enough to be reported.
    pub(super) fn replan(
        &mut self,
        planner: &mut Planner,
        agent: CrowdAgentId,
        is_stuck: bool,
    ) -> bool {
        let Some(from) = self.position(agent) else {
            return false;
        };
        // Flights have no area costs.
        let walker = self.core.agent(agent);
        let radius = walker.map(|one| one.radius * self.frame.cell_size());
        let Some(mut order) = self.joined_mut(agent).ok().and_then(|one| one.order.take()) else {
            // A member of a group that cannot follow its leader's path gets one of its own.
            if let Some(end) = self.core.route_end(agent) {
                let goal = self.position_of(end.at, end.cell);
                self.order(planner, agent, goal).ok();
            }
            return false;
        };
        planner.cancel(order.id);
        self.by_request.remove(&order.id);
        order.n_stuck += u32::from(is_stuck);
        let mut request = order.request.clone();
        request.from = from;
        // A request with viewers has no area costs.
        if let (true, true, Some(radius)) = (is_stuck, request.viewers.is_empty(), radius) {
            let jam = Area::disc(from, radius * JAM_RADII);
            request.area_costs.push((jam, JAM_COST));
        }
        self.add_waiting_costs(&mut request);
        order.id = planner.request(request);
        self.by_request.insert(order.id, agent);
        let is_reported = is_stuck && order.n_stuck % MAX_STUCK == 0;
        if let Ok(joined) = self.joined_mut(agent) {
            joined.order = Some(order);
        }
        is_reported
    }

    /// Tells the planner how far agents have come, and tries again for those without a path.
    fn report_progress(&mut self, world: &World, planner: &mut Planner) {
        let tick = self.core.n_ticks();
        let now = world.engine().ground().revision();
        // Those whose turn it is, without a look at the others.
        let turns = turns(&self.members, tick).chain(turns(&self.flyers, tick));
        for joined in turns {
            let Some(order) = &joined.order else { continue };
            let phase = tick + slot_of(joined.id) as u64;
            let is_retry = order.stage == Stage::Blocked && order.failed_at != Some(now);
            if !is_retry && !phase.is_multiple_of(REPORT_TICKS) {
                continue;
            }
            if let Some(at) = self.position(joined.id) {
                planner.advance(order.id, at);
            }
            if is_retry {
                planner.retarget(order.id, order.request.to.clone());
            }
        }
    }

    fn move_bodies(&mut self, world: &mut World) -> Result<(), CrowdError> {
        let mut moves: Vec<(crate::BodyId, Position)> = std::mem::take(&mut self.moves);
        moves.clear();
        let displaced = std::mem::take(&mut self.displaced);
        for id in displaced.into_iter().chain(self.flock.moved()) {
            if let (Ok(joined), Some(at)) = (self.joined(id), self.position(id)) {
                moves.push((joined.body, at));
            }
        }
        for (id, at, z) in self.core.moved() {
            if let Ok(joined) = self.joined(id) {
                moves.push((joined.body, self.frame.plane_position([at.x, at.y], z)));
            }
        }
        let moved = match moves.is_empty() {
            true => Ok(()),
            false => world.move_bodies(&moves),
        };
        self.moves = moves;
        moved.map_err(CrowdError::Body)
    }
}

/// The agents of a list that may tell or ask the planner something in a tick.
fn turns(list: &[Option<Joined>], tick: u64) -> impl Iterator<Item = &Joined> {
    let first = (TURN - tick % TURN) % TURN;
    let (first, every) = (usize::try_from(first), usize::try_from(TURN));
    let turns = list.iter().skip(first.unwrap_or(0));
    turns.step_by(every.unwrap_or(1)).flatten()
}
