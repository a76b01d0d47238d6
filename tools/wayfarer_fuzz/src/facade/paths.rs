//! Paths, planner, flow fields, reachable sets against the model.

use wayfarer::{
    AgentTypeId, Area, Budget, Categories, Edit, Extent, Goal, Method, NoPath, PartialPolicy, Path,
    PathRequest, PathStatus, Planner, PlannerEvent, Solid, StartPolicy, Viewer,
};
use wayfarer_engine::base::{Cell, Cost, Profile};

use super::Game;
use super::model::Model;
use super::source::Source;

impl Game {
    fn agent_type(&self, source: &mut Source<'_>) -> (AgentTypeId, Profile) {
        let id = AgentTypeId::from_index(usize::try_from(source.below(2)).unwrap()).unwrap();
        (id, Model::profile(&self.world, id).unwrap())
    }

    /// A request between two floors, its ends and the profile.
    fn request(&self, source: &mut Source<'_>) -> Option<(PathRequest, [Cell; 2], Profile)> {
        let (agent_type, profile) = self.agent_type(source);
        let ((from, a), (to, b)) = (self.position(source)?, self.position(source)?);
        let methods = [
            Method::Bounded,
            Method::Optimal,
            Method::Jps,
            Method::AStar,
            Method::Dijkstra,
        ];
        let request = PathRequest {
            agent_type,
            method: methods[source.below(5).unsigned_abs() as usize],
            smoothing: source.below(2) == 0,
            ..PathRequest::new(from, to)
        };
        Some((request, [a, b], profile))
    }

    pub(super) fn find(&mut self, source: &mut Source<'_>) {
        let Some((mut request, [a, b], profile)) = self.request(source) else {
            return;
        };
        let is_walkable = |cell| self.model.ground.is_walkable(cell, &profile);
        if !is_walkable(a) || !is_walkable(b) {
            self.world.find_path(&mut self.searcher, &request).ok();
            return;
        }
        let best = self.model.ground.path_cost(a, b, &profile);
        let is_plain = source.below(3) > 0;
        if !is_plain {
            self.add_options(&mut request, source);
        }
        match self.world.find_path(&mut self.searcher, &request) {
            Ok(path) if path.partial().is_none() => {
                assert_eq!(path.waypoints().next(), Some(request.from));
                let best = best.expect("a path was found");
                self.check_cost(&request, &path, best, is_plain);
                if is_plain {
                    self.check_walk(&path, &profile);
                    assert_eq!(self.world.load_path(&path.save()).unwrap(), path);
                    if source.below(4) == 0 {
                        self.world.subscribe(path.clone());
                    }
                    let is_optimal = near(path.cost(), self.model.cost(best));
                    self.paths.extend(is_optimal.then_some(path));
                }
            }
            Ok(path) => assert!(
                request.partial != PartialPolicy::Never,
                "{:?}",
                path.partial()
            ),
            Err(NoPath::Unreachable) => assert!(!is_plain || best.is_none(), "{a} to {b}"),
            Err(error) => assert!(!is_plain, "{a} to {b}: {error}"),
        }
    }

    fn check_cost(&self, request: &PathRequest, path: &Path, best: Cost, is_plain: bool) {
        let best = self.model.cost(best);
        assert!(
            path.cost() >= best * (1.0 - 1e-9),
            "{} below {best}",
            path.cost()
        );
        if !is_plain {
            return;
        }
        match request.method {
            Method::Bounded => assert!(path.cost() <= best * 1.1 + 1e-9, "{}", path.cost()),
            _ => assert!(near(path.cost(), best), "{} for {best}", path.cost()),
        }
    }

    /// The cells of a path can be walked at its cost.
    fn check_walk(&self, path: &Path, profile: &Profile) {
        let cost = self.model.ground.check_path(&self.cells(path), profile);
        let cost = self.model.cost(cost.unwrap());
        assert!(near(cost, path.cost()), "{cost} for {}", path.cost());
    }

    fn cells(&self, path: &Path) -> Vec<Cell> {
        path.cells().iter().map(|at| self.model.cell(*at)).collect()
    }

    fn add_options(&self, request: &mut PathRequest, source: &mut Source<'_>) {
        let near = self.model.quarter_position(source);
        let length = f64::from(source.below(30)) / 4.0;
        match source.below(8) {
            0 => request.partial = PartialPolicy::NearestOctile,
            1 => request.partial = PartialPolicy::NearestEuclidean,
            2 => request.budget = Budget::expansions(1 + source.below(40).unsigned_abs() as u64),
            3 => request.avoid.push(Area::disc(near, length)),
            4 => request
                .area_costs
                .push((Area::disc(near, length), 1.0 + length)),
            5 => request.avoid_bodies = Categories::ALL,
            6 => request.viewers.push(Viewer::new(near, length)),
            _ => request.previous = self.paths.last().cloned(),
        }
    }

    /// A request with hostile numbers; true, because it changes nothing.
    pub(super) fn hostile_request(&mut self, source: &mut Source<'_>) -> bool {
        let at = source.hostile_position();
        let to = match source.below(5) {
            0 => Goal::Position(source.hostile_position()),
            1 => Goal::AnyOf(
                (0..source.below(3))
                    .map(|_| source.hostile_position())
                    .collect(),
            ),
            2 => Goal::Area(source.hostile_area()),
            3 => Goal::Within {
                center: at,
                distance: source.hostile(),
            },
            _ => Goal::LineOfSightTo {
                target: at,
                distance: source.hostile(),
            },
        };
        let from = match self.position(source) {
            Some((from, _)) if source.below(3) > 0 => from,
            _ => source.hostile_position(),
        };
        let id = AgentTypeId::from_index(usize::try_from(source.below(4)).unwrap()).unwrap();
        let request = PathRequest {
            agent_type: id,
            avoid: vec![source.hostile_area()],
            area_costs: vec![(source.hostile_area(), source.hostile())],
            viewers: (0..source.below(2))
                .map(|_| Viewer {
                    footprint: Some(source.hostile_footprint()),
                    ..Viewer::new(source.hostile_position(), source.hostile())
                })
                .collect(),
            exposure_cost: source.hostile(),
            previous_tolerance: source.hostile(),
            start: [StartPolicy::Reject, StartPolicy::LeaveFirst]
                [source.below(2).unsigned_abs() as usize],
            ..PathRequest::new(from, to)
        };
        let mut plain = PathRequest::new(from, request.to.clone());
        plain.agent_type = id;
        plain.partial = PartialPolicy::NearestEuclidean;
        for request in [&plain, &request] {
            self.world.find_path(&mut self.searcher, request).ok();
        }
        self.world.explain(&mut self.searcher, &request).ok();
        self.world
            .flow_field(id, request.to.clone(), Extent::within(source.hostile()))
            .ok();
        let limit = source.hostile();
        self.world
            .reachable(&mut self.searcher, id, from, limit)
            .ok();
        self.world.project_to_floor(id, at);
        self.world.is_connected(id, at, from);
        // What a planner accepts, it saves and loads.
        let mut planner = Planner::new(wayfarer::PlannerOptions {
            arrival: source.hostile(),
            ..wayfarer::PlannerOptions::default()
        });
        let of_request = planner.request(request);
        for _ in 0..source.below(3) {
            planner.update(&self.world);
            planner.advance(of_request, source.hostile_position());
        }
        Planner::load(&planner.save(), &self.world).unwrap();
        true
    }

    pub(super) fn check_status(&mut self) {
        for path in &self.paths {
            let profile = Model::profile(&self.world, path.agent_type()).unwrap();
            let now = self.model.ground.check_path(&self.cells(path), &profile);
            let now = now.map(|cost| self.model.cost(cost));
            let is_walkable = now.is_ok_and(|cost| cost <= path.cost() * (1.0 + 1e-9));
            let status = self.world.status(path);
            // A string-pulled line leaves the cells: what blocks it alone invalidates the path too.
            let is_pulled = path.waypoints().len() < path.cells().len();
            let is_stricter = is_pulled && !status.is_walkable();
            assert!(
                is_stricter || status.is_walkable() == is_walkable,
                "{status:?}"
            );
            if status == PathStatus::Valid {
                let cells = self.cells(path);
                let best = self
                    .model
                    .ground
                    .path_cost(cells[0], cells[cells.len() - 1], &profile);
                assert!(near(self.model.cost(best.unwrap()), path.cost()));
            }
        }
        self.paths.truncate(6);
    }

    pub(super) fn plan(&mut self, source: &mut Source<'_>) {
        if source.below(2) == 0
            && let Some((request, _, _)) = self.request(source)
        {
            self.planner.request(request);
        }
        self.planner.update(&self.world);
        self.check_events();
    }

    /// What the planner reports holds in the world as it is.
    fn check_events(&mut self) {
        let mut done = Vec::new();
        for event in self.planner.take_events() {
            let id = event.id();
            let request = self.planner.path_request(id).unwrap();
            let profile = Model::profile(&self.world, request.agent_type).unwrap();
            let ends = match request.to {
                Goal::Position(to) => [request.from, to].map(|at| self.model.cell(at)),
                _ => unreachable!("requests have one goal"),
            };
            // A request whose ends were built over is answered from the floors beside.
            if !ends
                .iter()
                .all(|end| self.model.ground.is_walkable(*end, &profile))
            {
                continue;
            }
            let best = self.model.ground.path_cost(ends[0], ends[1], &profile);
            match event {
                PlannerEvent::Found { .. } | PlannerEvent::Repaired { .. } => {
                    let path = self.planner.path(id).unwrap();
                    self.check_walk(path, &profile);
                    let best = self.model.cost(best.unwrap());
                    assert!(path.cost() >= best * (1.0 - 1e-9));
                    done.push(id);
                }
                PlannerEvent::Failed {
                    reason: NoPath::Unreachable,
                    ..
                } => {
                    assert_eq!(best, None);
                    done.push(id);
                }
                _ => {}
            }
        }
        if done.len() > 3 {
            assert!(self.planner.cancel(done[0]));
        }
    }

    /// A planner that is saved and loaded goes on with the same events.
    pub(super) fn reload_planner(&mut self) {
        // If the world was loaded since, searches in progress start again with this update.
        self.planner.update(&self.world);
        self.check_events();
        let mut loaded = Planner::load(&self.planner.save(), &self.world).unwrap();
        for _ in 0..3 {
            self.planner.update(&self.world);
            loaded.update(&self.world);
            assert_eq!(loaded.take_events(), self.planner.take_events());
        }
        self.planner = loaded;
    }

    pub(super) fn flow(&mut self, source: &mut Source<'_>) {
        let world = &self.world;
        if let Some((flow, goal)) = &mut self.flow {
            flow.update(world);
            let profile = Model::profile(world, flow.agent_type()).unwrap();
            let goal = self.model.cell(*goal);
            for _ in 0..4 {
                let Some(cell) = self.model.any_cell(source) else {
                    continue;
                };
                if !self.model.ground.is_walkable(cell, &profile) {
                    continue;
                }
                let best = self.model.ground.path_cost(cell, goal, &profile);
                let best = best.filter(|_| self.model.ground.is_walkable(goal, &profile));
                let cost = flow.cost(world, self.model.center(cell));
                let best = best.map(|cost| self.model.cost(cost));
                match (cost, best) {
                    (Some(cost), Some(best)) => assert!(near(cost, best), "{cost} for {best}"),
                    (cost, best) => assert_eq!(cost, best, "{cell} to {goal}"),
                }
            }
        }
        if source.below(2) == 0
            && let Some((at, cell)) = self.position(source)
        {
            let (id, profile) = self.agent_type(source);
            if self.model.ground.is_walkable(cell, &profile) {
                let extent = Extent::within(100.0);
                let flow = self.world.flow_field(id, Goal::Position(at), extent);
                self.flow = Some((flow.unwrap(), at));
            }
        }
    }

    pub(super) fn reach(&mut self, source: &mut Source<'_>) {
        let Some((from, cell)) = self.position(source) else {
            return;
        };
        let (id, profile) = self.agent_type(source);
        if !self.model.ground.is_walkable(cell, &profile) {
            return;
        }
        let cells = f64::from(source.below(80)) / 4.0;
        let limit = Cost::from_cells(cells);
        let found =
            self.world
                .reachable(&mut self.searcher, id, from, cells * self.model.scale.cell);
        let mut expected: Vec<_> = self
            .model
            .ground
            .dijkstra(cell, &profile)
            .into_iter()
            .collect();
        expected.retain(|(_, cost)| *cost <= limit);
        expected.sort_unstable_by_key(|(cell, cost)| (*cost, *cell));
        let found: Vec<Cell> = found
            .unwrap()
            .iter()
            .map(|at| self.model.cell(at.position))
            .collect();
        let expected: Vec<Cell> = expected.into_iter().map(|(cell, _)| cell).collect();
        assert_eq!(found, expected);
    }

    pub(super) fn would_disconnect(&mut self, source: &mut Source<'_>) {
        let (id, _) = self.agent_type(source);
        let (Some((a, _)), Some((b, _)), Some((c, cell))) = (
            self.position(source),
            self.position(source),
            self.position(source),
        ) else {
            return;
        };
        let before = self.world.save();
        let high = self.model.at(
            f64::from(cell.x) + 3.5,
            f64::from(cell.y) + 3.5,
            f64::from(cell.z) + 3.0,
        );
        let edits = [Edit::add_solid(Solid::cuboid(c, high))];
        let cut = self.world.would_disconnect(&edits, &[(a, b)], id).unwrap();
        assert!(self.world.save() == before, "a trial changed the world");
        let mut trial = self.world.clone();
        trial.apply(&edits).unwrap();
        // By paths, not by components: drops and one-way links lead in one direction.
        let request = PathRequest {
            agent_type: id,
            method: Method::AStar,
            ..PathRequest::new(a, b)
        };
        let searcher = &mut self.searcher;
        let is_cut = self.world.find_path(searcher, &request).is_ok()
            && trial.find_path(searcher, &request).is_err();
        assert_eq!(cut.len(), usize::from(is_cut));
    }

    pub(super) fn explain(&mut self, source: &mut Source<'_>) {
        let Some((request, [a, b], profile)) = self.request(source) else {
            return;
        };
        let explanation = self.world.explain(&mut self.searcher, &request);
        let ground = &self.model.ground;
        if ground.is_walkable(a, &profile) && ground.is_walkable(b, &profile) {
            let is_reachable = ground.path_cost(a, b, &profile).is_some();
            assert_eq!(explanation.unwrap().is_empty(), is_reachable, "{a} to {b}");
        }
    }
}

/// Equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}
