//! Repair in buildings of several storeys: what is stored of steps, regions, borders and layers after each
//! edit equals what is derived from scratch.

use wayfarer_base::{
    Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundSolid, LinkDirection, Rect,
    Shape, SolidExtent, SolidId, Terrain, Wall, WallSide,
};

use super::super::irregular::Neighborhood;
use super::super::step_table::StepTable;
use super::super::window::Window;
use super::profiles::check_layers;
use super::*;

/// Heights of the storeys.
const STOREYS: [i32; 3] = [0, 6, 12];

fn rect(low: (i32, i32), high: (i32, i32)) -> Rect {
    Rect::around(Column::new(low.0, low.1), Column::new(high.0, high.1))
}

/// A building of three storeys of a bit more than 2 x 2 sectors in a yard, with inner walls, stairs and a
/// ledge to jump down from.
fn building(profile: Profile) -> Ground {
    let mut ground = Ground::new(profile).unwrap();
    let fill = |rect: Rect, z| GroundEdit::Fill {
        shape: Shape::Box(rect),
        z,
        terrain: Terrain::GROUND,
    };
    let solid = |low, high, (bottom, top)| GroundEdit::FillBox {
        rect: rect(low, high),
        bottom,
        top,
        terrain: Terrain::GROUND,
    };
    let mut edits = vec![fill(rect((-6, -6), (44, 40)), 0)];
    for z in &STOREYS[1..] {
        // A hole for the stairs.
        edits.push(solid((0, 0), (38, 12), (z - 1, *z)));
        edits.push(solid((0, 18), (38, 34), (z - 1, *z)));
        edits.push(solid((5, 12), (38, 18), (z - 1, *z)));
        for step in 1..6 {
            let y = 11 + step;
            edits.push(solid((1, y), (3, y), (z - 6, z - 6 + step)));
        }
    }
    for z in STOREYS {
        edits.push(solid((20, 0), (20, 13), (z, z + 5)));
        edits.push(solid((20, 16), (20, 34), (z, z + 5)));
        edits.push(solid((21, 24), (38, 24), (z, z + 5)));
    }
    // A ledge of two steps in the yard, over a corner of sectors.
    edits.push(solid((40, 28), (44, 36), (0, 2)));
    ground.apply(&edits).unwrap();
    ground
}

/// A random edit of one or a few columns.
fn edit(rng: &mut Rng, ground: &Ground, next_solid: &mut u64) -> Vec<GroundEdit> {
    let near = |rng: &mut Rng| {
        // Mostly about the stairs, the inner wall and edges of sectors.
        let spots = [(2, 12), (20, 14), (16, 16), (31, 24), (41, 30), (8, 31)];
        let (x, y) = spots[rng.below(6) as usize];
        (x + rng.between(-4, 4), y + rng.between(-4, 4))
    };
    let (x, y) = near(rng);
    let column = Column::new(x, y);
    let floors: Vec<(i32, Terrain)> = ground.floors(column).collect();
    let pick = |rng: &mut Rng| {
        let n = u32::try_from(floors.len()).unwrap_or(0);
        floors
            .get(rng.below(n.max(1)) as usize)
            .map_or(0, |floor| floor.0)
    };
    let z = pick(rng);
    let cell = column.at(z);
    match rng.below(12) {
        0..=2 => {
            *next_solid += 1;
            let (width, depth) = (rng.between(0, 3), rng.between(0, 2));
            let bottom = z + rng.between(0, 1);
            let extent = SolidExtent::Box {
                rect: rect((x, y), (x + width, y + depth)),
                bottom,
                top: bottom + rng.between(1, 6),
            };
            let top = Terrain::GROUND;
            vec![GroundEdit::PutSolid {
                id: SolidId(*next_solid),
                solid: GroundSolid { extent, top },
            }]
        }
        3..=5 => {
            let solids: Vec<SolidId> = ground.solids().map(|(id, _)| id).collect();
            let n = u32::try_from(solids.len()).unwrap_or(0);
            let chosen = solids.get(rng.below(n.max(1)) as usize);
            chosen
                .map(|id| GroundEdit::RemoveSolid(*id))
                .into_iter()
                .collect()
        }
        6 | 7 => {
            let side = [WallSide::East, WallSide::South][rng.below(2) as usize];
            let wall = Wall { cell, side };
            vec![match ground.has_wall(wall) {
                true => GroundEdit::RemoveWall(wall),
                false => GroundEdit::PutWall(wall),
            }]
        }
        8 => vec![GroundEdit::RemoveCell { cell }],
        9 => vec![GroundEdit::PutCell {
            cell: column.at(z + rng.between(-2, 2)),
            terrain: [Terrain::GROUND, Terrain::WATER, Terrain::SWAMP][rng.below(3) as usize],
        }],
        10 => {
            let (x, y) = near(rng);
            let to = ground.floors(Column::new(x, y)).last();
            let to = to.map(|(z, _)| Cell::new(x, y, z)).filter(|to| *to != cell);
            let is_end = |cell: Cell| ground.terrain(cell).is_some();
            let link = to.filter(|_| is_end(cell)).map(|to| NavLink {
                from: cell,
                to,
                kind: NavLinkKind::Ladder,
                direction: LinkDirection::Bidirectional,
                cost: Cost::from_units(5),
                state: [LinkState::Open, LinkState::Closed, LinkState::Locked(1)]
                    [rng.below(3) as usize],
            });
            link.map(GroundEdit::PutNavLink).into_iter().collect()
        }
        _ => {
            let id = CostModifierId(u64::from(rng.below(4)));
            vec![match ground.features.modifier(id) {
                Some(_) => GroundEdit::RemoveCostModifier(id),
                None => GroundEdit::PutCostModifier {
                    id,
                    modifier: CostModifier {
                        shape: Shape::Box(rect((x, y), (x + 6, y + 3))),
                        heights: (z, z + 6),
                        multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
                    },
                },
            }]
        }
    }
}

/// Compares tables of steps and borders with those that are derived from scratch.
fn check_stored(ground: &Ground, note: &str) {
    let mut anew = ground.clone();
    let mut neighborhood = Neighborhood::default();
    let lowest = ground.pages.iter().flatten().filter(|page| page.rank == 0);
    let sectors = lowest.flat_map(|page| {
        let positions = page.sheets.iter().map(|sheet| sheet.position);
        positions.map(|position| page.key.sector(position))
    });
    for sector in sectors.collect::<Vec<_>>() {
        neighborhood.gather(ground, sector, Window::SECTOR.grown(1));
        for (rank, (page, sheet)) in (0..).zip(ground.sheets_at(sector)) {
            let mut table = StepTable::from_bits(&sheet.cells);
            table.evaluate(rank, Window::SECTOR, &neighborhood, |floor| {
                ground.stored_cell(sector, &neighborhood, floor)
            });
            let expected = (!table.is_as_bits(page, &sheet.cells)).then_some(&table);
            let stored = sheet.details.as_deref();
            let stored = stored.and_then(|details| details.moves.as_deref());
            assert_eq!(stored, expected, "{note}: steps of {sector:?} rank {rank}");
        }
        anew.refresh_borders(sector);
        for ((_, sheet), (_, again)) in ground.sheets_at(sector).zip(anew.sheets_at(sector)) {
            let cells = (&sheet.cells, &again.cells);
            assert_eq!(cells.0, cells.1, "{note}: borders of {sector:?}");
        }
    }
}

#[test]
fn repaired_storeys_equal_rebuilt_ones() {
    for seed in 0..4 {
        let mut rng = Rng::for_stream(seed, 24);
        let profile = Profile {
            // Jumps down what it cannot climb.
            max_drop: [1, 3][usize::from(seed % 2 == 1)],
            ..Profile::DEFAULT
        };
        let mut ground = building(profile.clone());
        let wide = |raw: i32| Profile {
            radius: Fixed::from_raw(raw),
            ..profile.clone()
        };
        let others = [
            wide(100),
            wide(200),
            wide(384),
            Profile { keys: 1, ..wide(0) },
            Profile {
                max_step: 2,
                height: 3,
                ..wide(0)
            },
            Profile {
                terrain_costs: vec![(Terrain::SWAMP, CostMultiplier::from_sixteenths(40).unwrap())],
                allowed_terrains: profile.allowed_terrains | Terrain::WATER.bit(),
                ..wide(0)
            },
        ];
        let profile_ids = others.map(|other| ground.register_profile(other).unwrap());
        let mut next_solid = 0;
        check_stored(&ground, "fresh");
        for round in 0..120 {
            let note = format!("seed {seed} round {round}");
            let mut edits = edit(&mut rng, &ground, &mut next_solid);
            if rng.chance(1, 4) {
                edits.extend(edit(&mut rng, &ground, &mut next_solid));
            }
            let Ok(changes) = ground.apply(&edits) else {
                continue;
            };
            check_stored(&ground, &note);
            if rng.chance(1, 4) {
                ground.apply(&changes.inverse()).unwrap();
                check_stored(&ground, &format!("{note}, undone"));
            }
            if round % 8 == 7 {
                assert_eq!(ground.canonical(), rebuilt(&ground).canonical(), "{note}");
                check_layers(&ground, &profile_ids, &note);
            }
        }
    }
}
