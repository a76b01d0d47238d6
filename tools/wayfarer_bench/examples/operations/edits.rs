//! Ground edits and their followers: profile repair, cache invalidation, path repair, flow field repair.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_engine::base::{Cell, Fixed, GroundEdit, PathStatus, Profile, Raster, Rng};
use wayfarer_engine::make::Generator;
use wayfarer_engine::search::ground::{FlowField, FlowUpdate, GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::{Path, PathRequest, Searcher, World};

use crate::worlds::{SEED, flat, least_costs, problems};
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "edit-ground",
        what: "cells and strips go and come back, one batch each",
        n_rounds: 8,
        set_up: || Toggles::set_up(false),
    },
    Entry {
        name: "edit-view",
        what: "the same with a wide profile registered",
        n_rounds: 1,
        set_up: || Toggles::set_up(true),
    },
    Entry {
        name: "edit-cache",
        what: "a cell goes from a path and comes back, a cached search after each",
        n_rounds: 4,
        set_up: || Cuts::set_up(After::Find),
    },
    Entry {
        name: "path-repair",
        what: "a cell goes from a path: status and repair",
        n_rounds: 4,
        set_up: || Cuts::set_up(After::Repair),
    },
    Entry {
        name: "flow-field",
        what: "a flow field is made, and updated after edits",
        n_rounds: 1,
        set_up: Flow::set_up,
    },
];

/// Cells along each side of the map.
const SIDE: u32 = 256;

/// `count` cells of the map that can be stood on.
fn some_cells(map: &Raster, count: usize) -> Vec<Cell> {
    let mut rng = Rng::new(SEED);
    let open = |cell: &Cell| map.is_walkable(cell.x, cell.y);
    let most = SIDE.cast_signed() - 1;
    std::iter::repeat_with(|| Cell::flat(rng.between(0, most), rng.between(0, most)))
        .filter(open)
        .take(count)
        .collect()
}

/// Takes cells away.
fn removals(cells: &[Cell]) -> Vec<GroundEdit> {
    let removal = |&cell: &Cell| GroundEdit::RemoveCell { cell };
    cells.iter().map(removal).collect()
}

/// Puts cells back as the map has them.
fn returns(map: &Raster, cells: &[Cell]) -> Vec<GroundEdit> {
    let put = |&cell: &Cell| {
        let terrain = map.get(cell.x, cell.y)?;
        Some(GroundEdit::PutCell { cell, terrain })
    };
    cells.iter().filter_map(put).collect()
}

/// Cells and strips of cells that go and come back.
struct Toggles {
    map: Raster,
    world: World,
    with_profile: bool,
    batches: Vec<Vec<GroundEdit>>,
}

impl Toggles {
    /// A strip is so many cells long.
    const STRIP: i32 = 24;

    fn set_up(with_profile: bool) -> Result<Box<dyn Operation>, Fault> {
        let map = flat(Generator::City, SIDE)?;
        let mut world = World::from_raster(&map);
        let count = if with_profile { 48 } else { 160 };
        if with_profile {
            world.add_agent_type(wide_profile())?;
        }
        let mut batches = Vec::new();
        for (index, cell) in some_cells(&map, count).into_iter().enumerate() {
            let length = if index % 4 == 0 { Self::STRIP } else { 1 };
            let strip = (0..length).map(|step| Cell::flat(cell.x + step, cell.y));
            let open = strip.filter(|cell| map.is_walkable(cell.x, cell.y));
            let cells: Vec<Cell> = open.collect();
            batches.push(removals(&cells));
            batches.push(returns(&map, &cells));
        }
        Ok(Box::new(Self {
            map,
            world,
            with_profile,
            batches,
        }))
    }
}

/// An agent almost three cells wide.
fn wide_profile() -> Profile {
    Profile {
        radius: Fixed::from_raw(358),
        ..Profile::DEFAULT
    }
}

/// The cells in which the agent of the only view can stand, each with the first of its component.
fn cells_of_profile(ground: &Ground) -> Result<BTreeSet<(Cell, Cell)>, Fault> {
    let profile_ground = ground
        .profile_at(0)
        .and_then(|profile_id| ground.profile_ground(profile_id));
    let profile_ground = profile_ground.ok_or("expected a view")?;
    let mut first = BTreeMap::new();
    let mut cells: Vec<_> = profile_ground
        .nodes()
        .map(|node| (ground.cell(node), profile_ground.component(node)))
        .collect();
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    let with_first = |(cell, component)| (cell, *first.entry(component).or_insert(cell));
    Ok(cells.into_iter().map(with_first).collect())
}

impl Operation for Toggles {
    fn round(&mut self) -> Result<(), Fault> {
        for batch in &self.batches {
            self.world.apply(batch)?;
        }
        Ok(())
    }

    /// Repaired equals rebuilt.
    fn check(&mut self) -> Result<(), Fault> {
        let mut rebuilt = World::from_raster(&self.map);
        if self.with_profile {
            rebuilt.add_agent_type(wide_profile())?;
            let same =
                cells_of_profile(self.world.ground())? == cells_of_profile(rebuilt.ground())?;
            ensure(same, || "the profile differs from a rebuilt one".to_owned())?;
        }
        let same = self.world.ground().canonical() == rebuilt.ground().canonical();
        ensure(same, || "the ground differs from a rebuilt one".to_owned())
    }
}

/// What follows a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Find,
    Repair,
}

/// Paths whose middle cell goes and comes back.
struct Cuts {
    map: Raster,
    world: World,
    problems: Vec<(Cell, Cell)>,
    requests: Vec<PathRequest>,
    middles: Vec<Cell>,
    after: After,
    searcher: Searcher,
    /// For each problem the cost with the cell gone, and with the cell back.
    costs: Vec<[u32; 2]>,
}

impl Cuts {
    fn set_up(after: After) -> Result<Box<dyn Operation>, Fault> {
        let map = flat(Generator::City, SIDE)?;
        let problems = problems(&map, 30);
        let world = World::from_raster(&map);
        let mut searcher = Searcher::default();
        let (mut requests, mut middles) = (Vec::new(), Vec::new());
        for &(from, to) in &problems {
            let ends = (world.position_of(from.into()), world.position_of(to.into()));
            let request = PathRequest::new(ends.0, ends.1);
            let path = find(&world, &mut searcher, &request)?;
            let walk = path.as_ground_path().ok_or("expected a walk")?;
            middles.push(walk.cells[walk.cells.len() / 2]);
            requests.push(request);
        }
        Ok(Box::new(Self {
            map,
            world,
            problems,
            requests,
            middles,
            after,
            searcher,
            costs: Vec::new(),
        }))
    }

    /// The path after an edit.
    fn follow(&mut self, request: &PathRequest, path: &Path) -> Result<Path, Fault> {
        if self.after == After::Find {
            self.searcher.sync(&self.world);
            return find(&self.world, &mut self.searcher, request);
        }
        if self.world.status(path) == PathStatus::Valid {
            return Ok(path.clone());
        }
        let repaired = self.world.repair(&mut self.searcher, request, path)?;
        Ok(repaired.found().ok_or("expected a repaired path")?)
    }
}

fn find(world: &World, searcher: &mut Searcher, request: &PathRequest) -> Result<Path, Fault> {
    let found = world.find_path(searcher, request)?.found();
    Ok(found.ok_or("expected a path")?)
}

impl Operation for Cuts {
    fn round(&mut self) -> Result<(), Fault> {
        self.costs.clear();
        for index in 0..self.requests.len() {
            let request = self.requests[index].clone();
            let center = [self.middles[index]];
            let path = find(&self.world, &mut self.searcher, &request)?;
            self.world.apply(removals(&center))?;
            let around = self.follow(&request, &path)?;
            self.world.apply(returns(&self.map, &center))?;
            let back = self.follow(&request, &around)?;
            self.costs.push([around.cost.units(), back.cost.units()]);
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        let whole = least_costs(&self.map, &self.problems)?;
        for (index, costs) in self.costs.iter().enumerate() {
            let center = self.middles[index];
            let mut cut = self.map.clone();
            cut.set(center.x, center.y, None);
            let problem = &self.problems[index..=index];
            for (found, least) in costs
                .iter()
                .zip([least_costs(&cut, problem)?[0], whole[index]])
            {
                let is_right = *found >= least && u64::from(*found) * 4 <= u64::from(least) * 5;
                ensure(is_right, || format!("cost {found}, expected about {least}"))?;
            }
        }
        Ok(())
    }
}

/// A flow field to one goal, over all of the map.
struct Flow {
    map: Raster,
    world: World,
    goal: Cell,
    cells: Vec<Cell>,
    obstacles: FlowField,
    n_repaired: usize,
}

impl Flow {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let map = flat(Generator::City, 128)?;
        let world = World::from_raster(&map);
        let ends = problems(&map, 40);
        let goal = ends.first().ok_or("expected a problem")?.1;
        let flow = FlowField::new(world.ground(), map.rect(), &[goal]);
        let starts = ends.into_iter().map(|(from, _)| from);
        let near = |cell: &Cell| *cell != goal && flow.cost(*cell).is_some();
        Ok(Box::new(Self {
            cells: starts.filter(near).collect(),
            map,
            world,
            goal,
            obstacles: flow,
            n_repaired: 0,
        }))
    }

    fn update(&mut self) {
        let update = self
            .obstacles
            .update(self.world.ground(), self.world.ground_log());
        self.n_repaired += usize::from(matches!(update, FlowUpdate::Repaired { .. }));
    }
}

impl Operation for Flow {
    fn round(&mut self) -> Result<(), Fault> {
        self.n_repaired = 0;
        self.obstacles
            .retarget(self.world.ground(), self.map.rect(), &[self.goal]);
        for index in 0..self.cells.len() {
            let cell = [self.cells[index]];
            self.world.apply(removals(&cell))?;
            self.update();
            self.world.apply(returns(&self.map, &cell))?;
            self.update();
        }
        Ok(())
    }

    /// The field gives the cost that a search gives.
    fn check(&mut self) -> Result<(), Fault> {
        ensure(self.n_repaired > self.cells.len(), || {
            format!("{} updates repaired the field", self.n_repaired)
        })?;
        let mut searcher = PathSearcher::default();
        for &cell in &self.cells {
            let request = GroundRequest {
                method: Method::AStar,
                ..GroundRequest::new(cell, self.goal)
            };
            let path = searcher.find(self.world.ground(), &request)?.found();
            let least = path.map(|path| path.cost);
            let found = self.obstacles.cost(cell);
            ensure(found == least, || {
                format!("{cell}: {found:?}, expected {least:?}")
            })?;
        }
        Ok(())
    }
}
