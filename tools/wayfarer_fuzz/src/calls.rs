//! Sequences of calls, decoded from bytes, against a slow reference of the ground.

use wayfarer_engine::World;
use wayfarer_engine::base::{
    Cell, Column, Cost, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit,
    LinkDirection, LinkState, NavLink, NavLinkKind, Outcome, PathStatus, Point2, Rect, Rng, Shape,
    Terrain, Wall, WallSide,
};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher, status};
use wayfarer_engine::world::ground::Ground;
use wayfarer_testkit::ReferenceWorld;

/// Random sequences.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(12);
    let mut random = |n: usize| (0..n).map(|_| rng.next_u64().to_le_bytes()[0]).collect();
    [40, 200, 600].map(&mut random).to_vec()
}

/// Bytes as small numbers; 0 at the end.
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn below(&mut self, limit: i32) -> i32 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        i32::from(*first) % limit
    }

    fn cell(&mut self) -> Cell {
        let z = [0, 0, 1, 5][self.below(4).unsigned_abs() as usize];
        Cell::new(self.below(20) - 3, self.below(20) - 3, z)
    }

    fn point(&mut self) -> Point2 {
        let raw = |n: i32| Fixed::from_raw(n * 32 - 900);
        Point2::new(raw(self.below(200)), raw(self.below(200)))
    }

    fn shape(&mut self) -> Shape {
        match self.below(3) {
            0 => {
                let low = self.cell().column();
                let high = Column::new(low.x + self.below(6), low.y + self.below(6));
                Shape::Box(Rect::around(low, high))
            }
            1 => Shape::Circle {
                center: self.point(),
                radius: Fixed::from_raw(self.below(250) * 6),
            },
            _ => {
                let n = 1 + self.below(7);
                Shape::Polygon((0..n).map(|_| self.point()).collect())
            }
        }
    }

    fn edit(&mut self) -> GroundEdit {
        let terrain = [Terrain::GROUND, Terrain::SWAMP][self.below(2).unsigned_abs() as usize];
        let cell = self.cell();
        let side = [WallSide::East, WallSide::South][self.below(2).unsigned_abs() as usize];
        let wall = Wall { cell, side };
        let id = CostModifierId(self.below(5).unsigned_abs().into());
        match self.below(12) {
            0..3 => GroundEdit::PutCell { cell, terrain },
            3 => GroundEdit::RemoveCell { cell },
            4 | 5 => GroundEdit::Fill {
                shape: self.shape(),
                z: cell.z,
                terrain,
            },
            6 => GroundEdit::Clear {
                shape: self.shape(),
                heights: (0, self.below(6)),
            },
            7 => GroundEdit::PutWall(wall),
            8 => GroundEdit::RemoveWall(wall),
            9 => GroundEdit::PutNavLink(NavLink {
                from: cell,
                to: self.cell(),
                kind: NavLinkKind::Ladder,
                cost: Cost::from_units(900 * self.below(9).unsigned_abs()),
                direction: [LinkDirection::Bidirectional, LinkDirection::OneWay]
                    [self.below(2).unsigned_abs() as usize],
                state: [LinkState::Open, LinkState::Closed][self.below(2).unsigned_abs() as usize],
            }),
            10 => GroundEdit::PutCostModifier {
                id,
                modifier: CostModifier {
                    shape: self.shape(),
                    heights: (0, self.below(6)),
                    multiplier: CostMultiplier::from_sixteenths(
                        u16::try_from(16 + self.below(40)).unwrap(),
                    )
                    .unwrap(),
                },
            },
            _ => GroundEdit::RemoveCostModifier(id),
        }
    }
}

/// A world, its reference, and what was kept of earlier calls.
struct Pair {
    world: World,
    reference: ReferenceWorld,
    searcher: PathSearcher,
    paths: Vec<GroundPath>,
    /// An earlier state, to swap with.
    other: Option<(World, ReferenceWorld)>,
}

/// Runs a sequence of calls.
///
/// # Panics
/// On a difference from the reference.
pub fn run(bytes: &[u8]) {
    let ground = Ground::new(wayfarer_engine::base::Profile::DEFAULT).unwrap();
    let mut pair = Pair {
        reference: ReferenceWorld::new(&ground.to_data()),
        world: World::from_ground(ground),
        searcher: PathSearcher::default(),
        paths: Vec::new(),
        other: None,
    };
    let mut source = Source(bytes);
    while !source.0.is_empty() {
        pair.step(&mut source);
    }
    pair.check_whole();
}

impl Pair {
    fn step(&mut self, source: &mut Source<'_>) {
        match source.below(12) {
            0..5 => self.edit(source),
            5..8 => self.find(source),
            8 => self.check_status(),
            9 => {
                self.world = World::load(&self.world.save()).unwrap();
            }
            10 => {
                let present = (self.world.clone(), self.reference.clone());
                if let Some(other) = self.other.replace(present) {
                    (self.world, self.reference) = other;
                }
            }
            _ => self.check_connected(source),
        }
    }

    fn edit(&mut self, source: &mut Source<'_>) {
        let n_edits = 1 + source.below(4);
        let mut edits: Vec<GroundEdit> = (0..n_edits).map(|_| source.edit()).collect();
        let is_invalid = source.below(9) == 0;
        if is_invalid {
            let cell = Cell::flat(i32::MAX, 0);
            edits.push(GroundEdit::PutWall(Wall {
                cell,
                side: WallSide::East,
            }));
        }
        let before = self.world.canonical();
        match self.world.apply(edits.clone()) {
            Ok(changes) => {
                assert!(!is_invalid);
                if source.below(4) == 0 {
                    self.world.apply(changes.inverse()).unwrap();
                    assert_eq!(self.world.canonical(), before, "undone");
                } else {
                    self.reference.apply(&edits);
                }
            }
            Err(_) => assert_eq!(self.world.canonical(), before, "all or nothing"),
        }
    }

    fn find(&mut self, source: &mut Source<'_>) {
        let (from, to) = (source.cell(), source.cell());
        let ground = self.world.ground();
        let mut request = GroundRequest::new(from, to);
        request.method = Method::ALL[source.below(5).unsigned_abs() as usize];
        self.searcher.sync(ground, self.world.ground_log());
        let profile = ground.default_profile();
        let outcome = self.searcher.find(ground, &request);
        let is_walkable = |cell| self.reference.is_walkable(cell, profile);
        assert_eq!(outcome.is_ok(), is_walkable(from) && is_walkable(to));
        let Ok(outcome) = outcome else { return };
        let best = self.reference.path_cost(from, to, profile);
        match outcome {
            Outcome::Found(path) => {
                let walked = self.reference.check_path(&path.cells, profile);
                assert_eq!(walked, Ok(path.cost), "{from} to {to}");
                let best = best.expect("a path was found");
                match request.method {
                    Method::Bounded => assert!(path.cost_lower_bound <= best),
                    _ => assert_eq!(path.cost, best, "{from} to {to} by {:?}", request.method),
                }
                if best == path.cost {
                    self.paths.push(path);
                }
            }
            _ => assert_eq!(best, None, "{from} to {to}"),
        }
    }

    fn check_status(&mut self) {
        let ground = self.world.ground();
        let profile = ground.default_profile();
        for path in &self.paths {
            let status = status(ground, self.world.ground_log(), path);
            let now = self.reference.check_path(&path.cells, profile);
            let is_walkable = now.is_ok_and(|cost| cost <= path.cost);
            match status {
                PathStatus::Unknown => {}
                PathStatus::Invalid { .. } => assert!(!is_walkable, "{path:?}"),
                PathStatus::MaybeSuboptimal => assert!(is_walkable, "{path:?}"),
                PathStatus::Valid => {
                    assert!(is_walkable, "{path:?}");
                    let (from, to) = (path.start().unwrap(), path.end().unwrap());
                    let best = self.reference.path_cost(from, to, profile);
                    assert_eq!(best, Some(path.cost), "{path:?}");
                }
            }
        }
        self.paths.truncate(6);
    }

    fn check_connected(&self, source: &mut Source<'_>) {
        let (a, b) = (source.cell(), source.cell());
        let components = self
            .reference
            .components(self.world.ground().default_profile());
        let expected = components
            .get(&a)
            .zip(components.get(&b))
            .map(|(a, b)| a == b);
        assert_eq!(self.world.is_connected(a, b), expected, "{a} and {b}");
    }

    /// Repaired equals rebuilt.
    fn check_whole(&self) {
        let mut rebuilt = Ground::from_data(&self.reference.to_data()).unwrap();
        let put = |(id, modifier): (CostModifierId, &CostModifier)| GroundEdit::PutCostModifier {
            id,
            modifier: modifier.clone(),
        };
        let modifiers: Vec<GroundEdit> = self.reference.modifiers().map(put).collect();
        rebuilt.apply(&modifiers).unwrap();
        assert_eq!(self.world.ground().canonical(), rebuilt.canonical());
    }
}
