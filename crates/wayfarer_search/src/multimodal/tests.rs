//! Multimodal paths against a reference implementation.

use wayfarer_base::{Column, Outcome, Profile, Raster, Rng, Terrain, UnreachableProof, WorldData};
use wayfarer_testkit::{ReferenceMultimodal, ReferenceVoxels, ReferenceWorld};
use wayfarer_world::air::{AirBuilder, Volume, VolumeId, VolumeRule};
use wayfarer_world::air::{AirEdit, Geometry, GeometryId};
use wayfarer_world::ground::Ground;

use super::*;

const SIDE: i32 = 12;
const HEIGHT: i32 = 5;

struct Case {
    data: WorldData,
    ground: Ground,
    space: ReferenceVoxels,
    air: Air,
    alignment: GridAlignment,
    flight: FlightProfile,
    air_links: Vec<AirLink>,
}

/// Hills with holes under air with random solid voxels.
fn case(rng: &mut Rng, alignment: GridAlignment) -> Case {
    let mut data = WorldData {
        profile: Profile::DEFAULT,
        ..WorldData::default()
    };
    for x in 0..SIDE {
        for y in 0..SIDE {
            if rng.chance(3, 4) {
                let z = if rng.chance(1, 6) {
                    3
                } else {
                    rng.between(0, 1)
                };
                data.cells.push((Column::new(x, y).at(z), Terrain::GROUND));
            }
        }
    }
    let cells = |side: i64| i32::try_from(side * alignment.cell / alignment.voxel).unwrap();
    let size = [
        cells(SIDE.into()),
        cells(SIDE.into()),
        i32::try_from(i64::from(HEIGHT) * alignment.step / alignment.voxel).unwrap(),
    ];
    let mut space = ReferenceVoxels::new(size);
    let mut builder = AirBuilder::new(Voxel::default(), size.map(i32::unsigned_abs)).unwrap();
    let voxels: Vec<Voxel> = space.voxels().collect();
    let share = [4, 40, 400][rng.below(3) as usize];
    for at in voxels {
        if rng.chance(1, share) {
            space.set(at, true);
            builder.add_voxel(at).unwrap();
        }
    }
    let mut air_links = Vec::new();
    for _ in 0..4 {
        let cell = rng.pick(&data.cells).unwrap().0;
        let mut at = |side: i32| rng.between(0, side - 1);
        let voxel = Voxel::new(at(size[0]), at(size[1]), at(size[2]));
        let mut cost = || {
            rng.chance(2, 3)
                .then(|| Cost::from_units(1 + rng.below(9_000)))
        };
        let (take_off, land) = (cost(), cost());
        air_links.push(AirLink {
            cell,
            voxel,
            take_off,
            landing: land,
        });
    }
    air_links.sort_unstable();
    air_links.dedup();
    let flight = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(if rng.chance(1, 2) { 16 } else { 40 })
            .unwrap(),
        take_off: Cost::from_units(rng.below(4_000)),
        landing: Cost::from_units(rng.below(2_000)),
        requires_air_link: rng.chance(1, 3),
        ..FlightProfile::default()
    };
    Case {
        ground: Ground::from_data(&data).unwrap(),
        air: builder.build().unwrap(),
        data,
        space,
        alignment,
        flight,
        air_links,
    }
}

impl Case {
    fn graph(&self) -> MultimodalGraph<'_> {
        MultimodalGraph {
            nav_graph: Some(NavGraph::from(&self.ground)),
            air: Some((&self.air, self.flight)),
            alignment: self.alignment,
            air_links: &self.air_links,
        }
    }

    /// The same graph for the reference implementation.
    fn reference(&self) -> ReferenceMultimodal {
        let mut between = Vec::new();
        for air_link in &self.air_links {
            let (cell, voxel) = (
                Location::Cell(air_link.cell),
                Location::Voxel(air_link.voxel),
            );
            between.extend(air_link.take_off.map(|cost| (cell, voxel, cost)));
            between.extend(air_link.landing.map(|cost| (voxel, cell, cost)));
        }
        if !self.flight.requires_air_link {
            for (cell, _) in &self.data.cells {
                for voxel in self.space.voxels() {
                    let Some(offset) = self.offset_cost(*cell, voxel) else {
                        continue;
                    };
                    let (cell, voxel) = (Location::Cell(*cell), Location::Voxel(voxel));
                    between.push((cell, voxel, self.flight.take_off + offset));
                    between.push((voxel, cell, self.flight.landing + offset));
                }
            }
        }
        let fly: fn(Cost) -> Cost =
            match (self.flight.multiplier.sixteenths(), self.alignment.voxel) {
                (16, 256) => |cost| cost,
                (_, 256) => |cost| Cost::from_units(cost.units() * 5 / 2),
                (16, 512) => |cost| Cost::from_units(cost.units() * 2),
                (_, 512) => |cost| Cost::from_units(cost.units() * 5),
                (16, _) => |cost| Cost::from_units(cost.units() / 2),
                (_, _) => |cost| Cost::from_units(cost.units() * 5 / 4),
            };
        ReferenceMultimodal {
            ground: ReferenceWorld::new(&self.data),
            profile: self.data.profile.clone(),
            space: self.space.clone(),
            flight_cost: fly,
            transitions: between,
        }
    }

    /// The cost between the centers of a cell and a voxel, if the voxel lies over its floor.
    fn offset_cost(&self, cell: Cell, voxel: Voxel) -> Option<Cost> {
        let half = |at: i32, side: i64| (2 * i64::from(at) + 1) * side / 2;
        let (x, y) = (half(cell.x, 256), half(cell.y, 256));
        let z = i64::from(cell.z) * 256;
        let contains = |at: i64, low: i32| {
            let low = i64::from(low) * self.alignment.voxel;
            (low..low + self.alignment.voxel).contains(&at)
        };
        if !(contains(x, voxel.x) && contains(y, voxel.y) && contains(z, voxel.z)) {
            return None;
        }
        let delta = |a: i64, b: i32| (a - half(b, self.alignment.voxel)).unsigned_abs();
        let (dx, dy) = (delta(x, voxel.x), delta(y, voxel.y));
        if (dx, dy) == (0, 0) {
            return Some(Cost::ZERO);
        }
        let (long, short) = (dx.max(dy), dx.min(dy));
        let units = ((long - short) * 1463 + short * 2069) / 256 + 1;
        Some(Cost::from_units(u32::try_from(units).unwrap()))
    }

    fn random_location(&self, rng: &mut Rng) -> Location {
        if rng.chance(2, 3) {
            return rng.pick(&self.data.cells).unwrap().0.into();
        }
        let [x, y, z] = self.space.size();
        let mut at = |side: i32| rng.between(0, side - 1);
        Voxel::new(at(x), at(y), at(z)).into()
    }
}

fn request(from: Location, to: Location) -> MultimodalRequest {
    MultimodalRequest {
        from,
        to,
        budget: Budget::UNLIMITED,
        cost_limit: Cost::MAX,
        weight: CostMultiplier::ONE,
    }
}

fn alignments() -> [GridAlignment; 3] {
    [256, 512, 128].map(|voxel| GridAlignment {
        voxel,
        ..GridAlignment::default()
    })
}

#[test]
fn path_costs_over_cells_and_voxels_equal_the_reference() {
    let mut searcher = MultimodalSearcher::default();
    let (mut n_found, mut n_multimodal) = (0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let alignment = alignments()[usize::try_from(seed % 3).unwrap()];
        let case = case(&mut rng, alignment);
        let (graph, reference) = (case.graph(), case.reference());
        for _ in 0..6 {
            let (from, to) = (
                case.random_location(&mut rng),
                case.random_location(&mut rng),
            );
            let found = searcher.find(&graph, &request(from, to), None);
            let Ok(found) = found else {
                assert!(!reference.fits(from) || !reference.fits(to), "seed {seed}");
                continue;
            };
            let expected = reference.path_cost(from, to);
            let found = found.found();
            let cost = found.as_ref().map(|path| path.cost);
            assert_eq!(cost, expected, "seed {seed}: {from} to {to}");
            if let Some(path) = found {
                assert_eq!(
                    reference.check_path(&path.locations),
                    Ok(path.cost),
                    "seed {seed}"
                );
                n_found += 1;
                let is_air = |location: &Location| matches!(location, Location::Voxel(_));
                let n_air = path
                    .locations
                    .iter()
                    .filter(|location| is_air(location))
                    .count();
                n_multimodal += usize::from(n_air > 0 && n_air < path.locations.len());
            }
        }
    }
    assert!(
        n_found > 150 && n_multimodal > 60,
        "{n_found} {n_multimodal}"
    );
}

#[test]
fn the_cost_limit_is_exclusive_and_a_budget_is_kept() {
    let mut searcher = MultimodalSearcher::default();
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let case = case(&mut rng, GridAlignment::default());
        let graph = case.graph();
        let (from, to) = (
            case.random_location(&mut rng),
            case.random_location(&mut rng),
        );
        let query = request(from, to);
        let Ok(Outcome::Found(path)) = searcher.find(&graph, &query, None) else {
            continue;
        };
        for (cost_limit, is_found) in [(path.cost, false), (path.cost + Cost::from_units(1), true)]
        {
            let found = searcher.find(
                &graph,
                &MultimodalRequest {
                    cost_limit,
                    ..query
                },
                None,
            );
            let is_proof = |found: &Outcome<MultimodalPath>| {
                matches!(
                    found,
                    Outcome::Unreachable {
                        proof: UnreachableProof::SearchExhausted,
                        ..
                    }
                )
            };
            let found = found.unwrap();
            assert_eq!(is_proof(&found), !is_found, "seed {seed}");
        }
        let budget = Budget::expansions(path.expansions / 2);
        let found = searcher.find(&graph, &MultimodalRequest { budget, ..query }, None);
        let Ok(Outcome::OutOfBudget { best, stats }) = found else {
            assert!(path.expansions < 2, "seed {seed}");
            continue;
        };
        assert_eq!(stats.expansions, path.expansions / 2);
        assert_eq!(best.locations[0], from);
        assert!(case.reference().check_path(&best.locations).is_ok());
    }
}

#[test]
fn a_weight_bounds_the_cost_and_a_limit_changes_neither_path_nor_expansions() {
    let mut searcher = MultimodalSearcher::default();
    let (mut n_found, mut n_costlier) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(1_000 + seed);
        let alignment = alignments()[usize::try_from(seed % 3).unwrap()];
        let case = case(&mut rng, alignment);
        let (graph, reference) = (case.graph(), case.reference());
        let (from, to) = (
            case.random_location(&mut rng),
            case.random_location(&mut rng),
        );
        let Some(optimum) = reference.path_cost(from, to) else {
            continue;
        };
        let sixteenths = [16, 20, 48, u16::MAX][rng.below(4) as usize];
        let weighted = MultimodalRequest {
            weight: CostMultiplier::from_sixteenths(sixteenths).unwrap(),
            ..request(from, to)
        };
        let path = searcher
            .find(&graph, &weighted, None)
            .unwrap()
            .found()
            .unwrap();
        assert_eq!(reference.check_path(&path.locations), Ok(path.cost));
        let bound = u64::from(optimum.units()) * u64::from(sixteenths) / 16;
        assert!(u64::from(path.cost.units()) <= bound, "seed {seed}");
        n_found += 1;
        n_costlier += usize::from(path.cost > optimum);
        // Below a limit that excludes nothing of this search the queue has buckets, above it is a heap.
        let limited = MultimodalRequest {
            cost_limit: Cost::from_units(60 * 1463),
            ..weighted
        };
        assert_eq!(
            searcher.find(&graph, &limited, None).unwrap().found(),
            Some(path),
            "seed {seed}"
        );
    }
    assert!(n_found > 60 && n_costlier > 5, "{n_found} {n_costlier}");
}

#[test]
fn step_costs_count_half_at_each_end_and_forbidden_steps_are_not_taken() {
    let mut searcher = MultimodalSearcher::default();
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let case = case(&mut rng, GridAlignment::default());
        let graph = case.graph();
        let (from, to) = (
            case.random_location(&mut rng),
            case.random_location(&mut rng),
        );
        let costly = |at: Location| {
            let (x, y) = match at {
                Location::Cell(cell) => (cell.x, cell.y),
                Location::Voxel(voxel) => (voxel.x, voxel.y),
                Location::Point(_) => (0, 0),
            };
            match (x + y).rem_euclid(5) {
                0 if at != to => None,
                1 => CostMultiplier::from_sixteenths(80),
                _ => Some(CostMultiplier::ONE),
            }
        };
        let mut cost_fn =
            |a: Location, b: Location| Some((costly(a).unwrap_or(CostMultiplier::ONE), costly(b)?));
        let found = searcher.find(&graph, &request(from, to), Some(&mut cost_fn));
        let Ok(Outcome::Found(path)) = found else {
            continue;
        };
        assert!(path.locations[1..].iter().all(|at| costly(*at).is_some()));
        let base = case.reference().check_path(&path.locations).unwrap();
        let extra: u32 = path
            .locations
            .windows(2)
            .map(|step| {
                let sixteenths = |at: Location| {
                    let multiplier = costly(at).unwrap_or(CostMultiplier::ONE);
                    u32::from(multiplier.sixteenths()) - 16
                };
                let both = sixteenths(step[0]) + sixteenths(step[1]);
                let length = match (step[0], step[1]) {
                    (Location::Cell(a), Location::Cell(b)) => {
                        Cost::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
                    }
                    (Location::Voxel(a), Location::Voxel(b)) => {
                        Cost::voxel_octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y), a.z.abs_diff(b.z))
                    }
                    _ => Cost::ZERO,
                };
                length.units() * both / 32
            })
            .sum();
        assert_eq!(path.cost, base + Cost::from_units(extra), "seed {seed}");
    }
}

#[test]
fn a_wide_agent_stays_clear_of_solid_voxels_and_closed_volumes() {
    // A gap of one voxel in a wall, a gap of three farther away.
    let mut builder = AirBuilder::new(Voxel::default(), [20, 12, 6]).unwrap();
    let wall = |y: (i32, i32)| (Voxel::new(10, y.0, 0), Voxel::new(10, y.1, 5));
    for span in [(0, 1), (3, 7), (11, 11)] {
        let (low, high) = wall(span);
        builder.add_box(low, high).unwrap();
    }
    let mut air = builder.build().unwrap();
    let through = |air: &Air, radius: i32| {
        let flight = FlightProfile {
            radius: Fixed::from_raw(radius),
            ..FlightProfile::default()
        };
        let graph = MultimodalGraph {
            nav_graph: None,
            air: Some((air, flight)),
            alignment: GridAlignment::default(),
            air_links: &[],
        };
        let ends = [5, 15].map(|x| Location::Voxel(Voxel::new(x, 3, 3)));
        let found = MultimodalSearcher::default().find(&graph, &request(ends[0], ends[1]), None);
        let path = found.unwrap().found()?;
        path.locations.iter().find_map(|location| match location {
            Location::Voxel(at) if at.x == 10 => Some(at.y),
            _ => None,
        })
    };
    assert_eq!(through(&air, 0), Some(2));
    assert_eq!(through(&air, 128), Some(2));
    assert_eq!(through(&air, 300), Some(9));
    let low = Voxel::new(10, 8, 0);
    let high = Voxel::new(10, 10, 5);
    let rule = VolumeRule::Closed;
    let name = VolumeId(1);
    let volume = Volume { low, high, rule };
    air.apply(&[AirEdit::PutVolume { id: name, volume }])
        .unwrap();
    assert_eq!(through(&air, 300), None);
    assert_eq!(through(&air, 0), Some(2));
    let (name, geometry) = (
        GeometryId(7),
        Geometry::Box {
            low: Voxel::new(10, 2, 0),
            high,
        },
    );
    air.apply(&[AirEdit::Put { id: name, geometry }]).unwrap();
    assert_eq!(through(&air, 0), None);
}

/// The ground without air.
fn on_foot(ground: &Ground) -> MultimodalGraph<'_> {
    MultimodalGraph {
        nav_graph: Some(NavGraph::new(ground, None).unwrap()),
        air: None,
        alignment: GridAlignment::default(),
        air_links: &[],
    }
}

#[test]
fn a_saturated_cost_is_no_proof_of_unreachability() {
    let map = Raster::from_bytes(1_200, 1, vec![0; 1_200]).unwrap();
    let ground = Ground::from_raster(&map);
    let graph = on_foot(&ground);
    let query = request(Cell::flat(0, 0).into(), Cell::flat(1_199, 0).into());
    let found = |multiplier: CostMultiplier| {
        let mut cost_fn = |_: Location, _: Location| Some((multiplier, multiplier));
        let mut searcher = MultimodalSearcher::default();
        searcher.find(&graph, &query, Some(&mut cost_fn)).unwrap()
    };
    assert!(matches!(found(CostMultiplier::ONE), Outcome::Found(_)));
    let Outcome::Unreachable { proof, .. } = found(CostMultiplier::MAX) else {
        panic!("1,200 cells at a multiplier of 4,096 exceed the range of costs");
    };
    assert_eq!(proof, UnreachableProof::CostLimit);
}

#[test]
fn scratch_of_earlier_queries_does_not_count_against_the_memory_budget() {
    let map = Raster::from_bytes(120, 120, vec![0; 14_400]).unwrap();
    let ground = Ground::from_raster(&map);
    let graph = on_foot(&ground);
    let mut searcher = MultimodalSearcher::default();
    let mut cost_fn = |a: Location, _: Location| {
        let Location::Cell(cell) = a else { return None };
        let costly = CostMultiplier::from_sixteenths(if cell.y > 60 { 16 } else { 160 })?;
        Some((costly, costly))
    };
    let far = request(Cell::flat(0, 0).into(), Cell::flat(119, 0).into());
    searcher.find(&graph, &far, Some(&mut cost_fn)).unwrap();
    let near = MultimodalRequest {
        budget: Budget {
            memory_bytes: 200_000,
            ..Budget::UNLIMITED
        },
        ..request(Cell::flat(0, 0).into(), Cell::flat(4, 0).into())
    };
    let fresh = MultimodalSearcher::default()
        .find(&graph, &near, None)
        .unwrap();
    assert!(matches!(fresh, Outcome::Found(_)));
    assert_eq!(searcher.find(&graph, &near, None).unwrap(), fresh);
}

#[test]
fn landings_from_a_voxel_a_million_cells_wide_visit_only_floors() {
    let map = Raster::from_bytes(3, 1, vec![0; 3]).unwrap();
    let ground = Ground::from_raster(&map);
    let air = AirBuilder::new(Voxel::default(), [4, 4, 4]).unwrap();
    let air = air.build().unwrap();
    let graph = MultimodalGraph {
        nav_graph: Some(NavGraph::new(&ground, None).unwrap()),
        air: Some((&air, FlightProfile::default())),
        alignment: GridAlignment {
            voxel: 256 << 20,
            ..GridAlignment::default()
        },
        air_links: &[],
    };
    let over = Voxel::new(0, 0, 0);
    let mut cells = Vec::new();
    graph.for_each_landing(over, |cell, _| cells.push(cell));
    assert_eq!(cells, [0, 1, 2].map(|x| Cell::flat(x, 0)));
}
