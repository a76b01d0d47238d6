//! Paths of random worlds against a plain Dijkstra over the documented rules: floors, thin walls,
//! doors, links, terrain costs, cost areas, bodies of every width, edits between.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{
    CostAreaId, LinkDirection, LinkId, LinkState, NavLinkKind, PathSession, RequestError, ThinWall,
};
use wayfarer_engine::base::{
    Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit,
    NavLink as GroundLink, NavLinkId, Profile, Rect, Rng, Shape, Wall, WallSide, WorldData,
};
use wayfarer_testkit::ReferenceWorld;

const SIDE: i32 = 14;
/// Height of a step in units; cells are one unit.
const STEP: f64 = 0.5;

/// The facade's world and the reference that sees the same edits.
struct Pair {
    world: World,
    reference: ReferenceWorld,
    agents: Vec<(AgentTypeId, Profile)>,
    links: Vec<(LinkId, NavLinkId)>,
    areas: Vec<(CostAreaId, CostModifierId)>,
    n_areas: u64,
    rng: Rng,
}

fn at(x: i32, y: i32, z: i32) -> Position {
    let [x, y, z] = [f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(z) * STEP];
    Position::new(x, y, z)
}

fn corner(x: i32, y: i32, z: i32) -> Position {
    Position::new(f64::from(x), f64::from(y), f64::from(z) * STEP)
}

impl Pair {
    fn new(seed: u64) -> Result<Self, Box<dyn Error>> {
        let scale = Scale {
            step: STEP,
            ..Scale::UNIT
        };
        let mut world = World::new(scale)?;
        let mut agents = Vec::new();
        for (number, radius) in [0.5, 1.0, 1.5, 2.0, 2.5].into_iter().enumerate() {
            let max_drop = if number % 2 == 0 { 0.5 } else { 1.5 };
            let agent_type = AgentType {
                radius,
                max_drop,
                keys: 1,
                terrain_costs: vec![(Terrain::SWAMP, 3.0)],
                ..AgentType::GROUND
            };
            let profile = Profile {
                radius: Fixed::from_raw(128 + 128 * i32::try_from(number)?),
                height: 4,
                max_step: 1,
                max_drop: if number % 2 == 0 { 1 } else { 3 },
                keys: 1,
                allowed_terrains: Terrain::GROUND.bit() | Terrain::SWAMP.bit(),
                terrain_costs: vec![(
                    Terrain::SWAMP,
                    CostMultiplier::from_sixteenths(48).ok_or("48")?,
                )],
            };
            agents.push((world.add_agent_type(agent_type)?, profile));
        }
        let mut pair = Self {
            world,
            reference: ReferenceWorld::new(&WorldData::default()),
            agents,
            links: Vec::new(),
            areas: Vec::new(),
            n_areas: 0,
            rng: Rng::new(seed),
        };
        pair.floors((0, 0), (SIDE - 1, SIDE - 1), 0, Terrain::GROUND)?;
        for _ in 0..12 {
            pair.edit()?;
        }
        Ok(pair)
    }

    fn floors(
        &mut self,
        low: (i32, i32),
        high: (i32, i32),
        z: i32,
        terrain: Terrain,
    ) -> Result<(), Box<dyn Error>> {
        let area = Area::rect(corner(low.0, low.1, 0), corner(high.0 + 1, high.1 + 1, 0));
        let edit = Edit::add_floors(area, f64::from(z) * STEP, terrain);
        self.world.apply(&[edit])?;
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                let cell = Cell::new(x, y, z);
                self.reference
                    .apply(&[GroundEdit::PutCell { cell, terrain }]);
            }
        }
        Ok(())
    }

    /// A random rectangle of at most `size` cells a side.
    fn rect(&mut self, size: i32) -> ((i32, i32), (i32, i32)) {
        let mut side = || {
            let low = self.rng.between(0, SIDE - 1);
            (low, (low + self.rng.between(0, size - 1)).min(SIDE - 1))
        };
        let ((ax, bx), (ay, by)) = (side(), side());
        ((ax, ay), (bx, by))
    }

    fn random_cell(&mut self) -> Option<Cell> {
        let cells: Vec<Cell> = self.reference.cells().map(|(cell, _)| cell).collect();
        let index = self.rng.below(u32::try_from(cells.len()).ok()?);
        cells.get(usize::try_from(index).ok()?).copied()
    }

    /// One random edit of both worlds.
    fn edit(&mut self) -> Result<(), Box<dyn Error>> {
        match self.rng.below(9) {
            0 => {
                let (low, high) = self.rect(5);
                self.floors(low, high, 0, Terrain::SWAMP)?;
            }
            1 => {
                let (low, high) = self.rect(3);
                self.floors(low, high, 0, Terrain::WATER)?;
            }
            2 => {
                let (low, high) = self.rect(2);
                let area = Area::rect(corner(low.0, low.1, 0), corner(high.0 + 1, high.1 + 1, 0));
                self.world.apply(&[Edit::remove_floors(area)])?;
                let shape = Shape::Box(Rect {
                    low: Column::new(low.0, low.1),
                    high: Column::new(high.0, high.1),
                });
                let heights = (i32::MIN, i32::MAX);
                self.reference
                    .apply(&[GroundEdit::Clear { shape, heights }]);
            }
            3 => {
                // A platform with a ramp.
                let (low, high) = self.rect(5);
                self.floors(low, high, 6, Terrain::GROUND)?;
                for z in 1..6 {
                    let (x, y) = ((high.0 + z).min(SIDE - 1), low.1);
                    self.floors((x, y), (x, y), 6 - z, Terrain::GROUND)?;
                }
            }
            4 => self.wall()?,
            5 => self.link()?,
            6 => self.toggle_link()?,
            _ => self.cost_area()?,
        }
        Ok(())
    }

    fn wall(&mut self) -> Result<(), Box<dyn Error>> {
        let (x, y) = (self.rng.between(1, SIDE - 2), self.rng.between(1, SIDE - 2));
        let length = self.rng.between(1, 4);
        let is_along_x = self.rng.chance(1, 2);
        let (from, to) = match is_along_x {
            true => (corner(x, y, 0), corner(x + length, y, 0)),
            false => (corner(x, y, 0), corner(x, y + length, 0)),
        };
        self.world.apply(&[Edit::add_wall(ThinWall { from, to })])?;
        for step in 0..length {
            let wall = match is_along_x {
                true => Wall {
                    cell: Cell::flat(x + step, y - 1),
                    side: WallSide::South,
                },
                false => Wall {
                    cell: Cell::flat(x - 1, y + step),
                    side: WallSide::East,
                },
            };
            self.reference.apply(&[GroundEdit::PutWall(wall)]);
        }
        Ok(())
    }

    fn link(&mut self) -> Result<(), Box<dyn Error>> {
        let (Some(from), Some(to)) = (self.random_cell(), self.random_cell()) else {
            return Ok(());
        };
        let kinds = [NavLinkKind::Door, NavLinkKind::Ladder, NavLinkKind::Jump];
        let kind = kinds[usize::try_from(self.rng.below(3))?];
        let direction = match self.rng.chance(1, 2) {
            true => LinkDirection::Bidirectional,
            false => LinkDirection::OneWay,
        };
        let known = self.reference.nav_links().any(|link| {
            let ends = (link.from, link.to);
            link.kind == kind && (ends == (from, to) || ends == (to, from))
        });
        if from == to || known {
            return Ok(());
        }
        // As long as the ground at least, so that heuristics hold.
        let length = f64::from(from.x.abs_diff(to.x) + from.y.abs_diff(to.y)) + 1.0;
        let link = NavLink {
            direction,
            cost: Some(length),
            ..NavLink::new(at(from.x, from.y, from.z), at(to.x, to.y, to.z), kind)
        };
        let (id, _) = self.world.add_link(link)?;
        let link = GroundLink {
            from,
            to,
            kind,
            direction,
            cost: Cost::from_cells(length),
            state: LinkState::Open,
        };
        self.reference.apply(&[GroundEdit::PutNavLink(link)]);
        self.links.push((id, NavLinkId::from(&link)));
        Ok(())
    }

    fn toggle_link(&mut self) -> Result<(), Box<dyn Error>> {
        let index = usize::try_from(self.rng.below(8))?;
        let Some(&(id, nav_link)) = self.links.get(index) else {
            return Ok(());
        };
        if self.reference.nav_link(nav_link).is_none() {
            return Ok(());
        }
        let states = [
            LinkState::Open,
            LinkState::Closed,
            LinkState::Locked(1),
            LinkState::Locked(2),
        ];
        let state = states[usize::try_from(self.rng.below(4))?];
        self.world.apply(&[Edit::set_link_state(id, state)])?;
        let edit = GroundEdit::SetNavLinkState { nav_link, state };
        self.reference.apply(&[edit]);
        Ok(())
    }

    fn cost_area(&mut self) -> Result<(), Box<dyn Error>> {
        if self.areas.len() > 2 {
            let (id, modifier) = self.areas.remove(0);
            self.world.apply(&[Edit::remove_cost_area(id)])?;
            self.reference
                .apply(&[GroundEdit::RemoveCostModifier(modifier)]);
            return Ok(());
        }
        let (low, high) = self.rect(6);
        let area = Area::rect(corner(low.0, low.1, 0), corner(high.0 + 1, high.1 + 1, 0));
        let (id, _) = self.world.add_cost_area(CostArea {
            area,
            multiplier: 2.5,
        })?;
        self.n_areas += 1;
        let modifier = CostModifierId(1_000 + self.n_areas);
        self.reference.apply(&[GroundEdit::PutCostModifier {
            id: modifier,
            modifier: CostModifier {
                shape: Shape::Box(Rect {
                    low: Column::new(low.0, low.1),
                    high: Column::new(high.0, high.1),
                }),
                heights: (i32::MIN, i32::MAX),
                multiplier: CostMultiplier::from_sixteenths(40).ok_or("40")?,
            },
        }]);
        self.areas.push((id, modifier));
        Ok(())
    }

    /// Compares one random request for every agent type and method; returns how many had a path.
    fn compare(&mut self, searcher: &mut Searcher, case: &str) -> Result<usize, Box<dyn Error>> {
        let (Some(from), Some(to)) = (self.random_cell(), self.random_cell()) else {
            return Ok(0);
        };
        let mut n_found = 0;
        for (agent_type, profile) in &self.agents {
            let is_walkable = |cell| self.reference.is_walkable(cell, profile);
            let request = PathRequest {
                agent_type: *agent_type,
                ..PathRequest::new(at(from.x, from.y, from.z), at(to.x, to.y, to.z))
            };
            // The facade takes the walkable floor of a column that is nearest in height.
            if !is_walkable(from) || !is_walkable(to) {
                continue;
            }
            let expected = self.reference.path_cost(from, to, profile);
            let methods = [
                (Method::Optimal, 1.0),
                (Method::AStar, 1.0),
                (Method::Jps, 1.0),
                (Method::Bounded, 1.1),
            ];
            for (method, bound) in methods {
                let case = format!("{case} {from} to {to} radius {} {method:?}", profile.radius);
                let request = PathRequest {
                    method,
                    ..request.clone()
                };
                let found = self.world.find_path(searcher, &request);
                let distance = self.world.distance(searcher, &request);
                let Some(expected) = expected else {
                    assert_eq!(found, Err(NoPath::Unreachable), "{case}");
                    assert_eq!(distance, Err(NoPath::Unreachable), "{case}");
                    continue;
                };
                let path = found?;
                let expected = expected.to_cells();
                assert!(path.cost() >= expected - 1e-9, "{case}");
                assert!(
                    path.cost() <= bound * expected + 1e-9,
                    "{case}: {}",
                    path.cost()
                );
                assert!((distance? - expected).abs() < 1e-9, "{case}");
                self.check_cells(&path, profile, &case)?;
                n_found += 1;
            }
        }
        Ok(n_found)
    }

    /// The cells of a path are steps of the reference that cost what it says.
    fn check_cells(
        &self,
        path: &Path,
        profile: &Profile,
        case: &str,
    ) -> Result<(), Box<dyn Error>> {
        let cells = path.cells().iter().map(|at| {
            let [x, y, z] = at.units();
            #[expect(clippy::cast_possible_truncation, reason = "centers of cells")]
            let cell = |at: f64| at.floor() as i32;
            Cell::new(cell(x), cell(y), cell(z / STEP))
        });
        let cells: Vec<Cell> = cells.collect();
        let cost = self.reference.check_path(&cells, profile);
        let cost = cost.map_err(|error| format!("{case}: {error}"))?;
        assert!((cost.to_cells() - path.cost()).abs() < 1e-9, "{case}");
        Ok(())
    }
}

#[test]
fn paths_cost_what_a_plain_dijkstra_finds() -> Result<(), Box<dyn Error>> {
    let mut n_found = 0;
    for seed in 0..24 {
        let mut pair = Pair::new(seed)?;
        let mut searcher = Searcher::default();
        for round in 0..6 {
            pair.edit()?;
            for query in 0..3 {
                let case = format!("seed {seed} round {round} query {query}");
                n_found += pair.compare(&mut searcher, &case)?;
            }
        }
    }
    assert!(n_found > 500, "{n_found}");
    Ok(())
}

#[test]
fn a_search_in_slices_gives_the_path_of_one_call() -> Result<(), Box<dyn Error>> {
    for seed in 100..112 {
        let mut pair = Pair::new(seed)?;
        let (Some(from), Some(to)) = (pair.random_cell(), pair.random_cell()) else {
            continue;
        };
        for method in [Method::Bounded, Method::AStar, Method::AnyAngle] {
            let request = PathRequest {
                method,
                agent_type: pair.agents[0].0,
                ..PathRequest::new(at(from.x, from.y, from.z), at(to.x, to.y, to.z))
            };
            let whole = pair.world.find_path(&mut Searcher::default(), &request);
            let mut session = PathSession::new(Searcher::default(), request);
            let sliced = loop {
                match session.advance(&pair.world, Budget::expansions(3)) {
                    Ok(None) => {}
                    Ok(Some(path)) => break Ok(path),
                    Err(error) => break Err(error),
                }
            };
            if !matches!(
                whole,
                Err(NoPath::Invalid(RequestError::StartBlocked { .. }))
            ) {
                assert_eq!(sliced, whole, "seed {seed} {method:?}");
            }
        }
    }
    Ok(())
}
