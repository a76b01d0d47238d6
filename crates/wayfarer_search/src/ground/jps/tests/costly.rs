//! Wide costly areas, where most successors are pruned: paths stay optimal.

use super::*;

const SIDE: i32 = 64;

/// Random blocked cells, swamps and overlapping cost modifiers, and a few nav links, some between
/// neighbors and cheaper or costlier than the step.
fn costly_world(rng: &mut Rng) -> Ground {
    let one_in = [6, 20, 100, 2_000][rng.below(4) as usize];
    let cells = (0..SIDE * SIDE).map(|_| if rng.chance(1, one_in) { 255 } else { 0 });
    let side = SIDE.cast_unsigned();
    let mut ground = Ground::from_raster(&Raster::from_bytes(side, side, cells.collect()).unwrap());
    let mut edits = Vec::new();
    let corner = |rng: &mut Rng| Column::new(rng.between(-8, SIDE), rng.between(-8, SIDE));
    for _ in 0..rng.below(4) {
        let (low, by) = (corner(rng), rng.between(3, 30));
        let rect = Rect::around(low, Column::new(low.x + by, low.y + by));
        let swamp = rect.columns().filter(|at| ground.node(at.at(0)).is_some());
        edits.extend(swamp.map(|at| GroundEdit::PutCell {
            cell: at.at(0),
            terrain: Terrain::SWAMP,
        }));
    }
    for name in 0..rng.between(1, 5) {
        let low = corner(rng);
        let high = Column::new(low.x + rng.between(2, 60), low.y + rng.between(2, 60));
        edits.push(GroundEdit::PutCostModifier {
            id: CostModifierId(u64::from(name.unsigned_abs())),
            modifier: CostModifier {
                shape: Shape::Box(Rect::around(low, high)),
                heights: (0, 0),
                multiplier: CostMultiplier::from_sixteenths(*rng.pick(&[17, 21, 33, 90]).unwrap())
                    .unwrap(),
            },
        });
    }
    ground.apply(&edits).unwrap();
    let walkable: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    for _ in 0..rng.below(6) {
        let &from = rng.pick(&walkable).unwrap();
        let to = if rng.chance(2, 3) {
            Cell::flat(from.x + rng.between(-1, 1), from.y + rng.between(-1, 1))
        } else {
            *rng.pick(&walkable).unwrap()
        };
        let nav_link = NavLink {
            from,
            to,
            direction: [LinkDirection::Bidirectional, LinkDirection::OneWay][rng.below(2) as usize],
            kind: NavLinkKind::Teleport,
            state: LinkState::Open,
            cost: Cost::from_units(rng.below(4_000) + 1),
        };
        // Refused if an end is blocked or both are the same.
        let _put = ground.apply(&[GroundEdit::PutNavLink(nav_link)]);
    }
    ground
}

#[test]
fn paths_over_wide_costly_ground_are_optimal() {
    let mut fixture = Fixture::default();
    let (mut n_uniform, mut n_found) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::for_stream(seed, 5);
        let ground = costly_world(&mut rng);
        let nodes: Vec<NodeId> = ground.nodes().collect();
        n_uniform += nodes
            .iter()
            .filter(|node| is_uniform_around(&ground, **node))
            .count();
        let &from = rng.pick(&nodes).unwrap();
        let costs = dijkstra(&ground, from);
        for _ in 0..25 {
            let &to = rng.pick(&nodes).unwrap();
            let ends = (ground.cell(from), ground.cell(to));
            let (outcome, cells) = fixture.find_path(&ground, ends.0, ends.1);
            let note = format!("seed {seed}, {} to {}", ends.0, ends.1);
            match costs.get(&to) {
                Some(cost) => {
                    assert_eq!(outcome, Outcome::Found(Cost::from_units(*cost)), "{note}");
                    assert_eq!(path_cost(&ground, &cells), Some(*cost), "{note}");
                    n_found += 1;
                }
                None => assert!(matches!(outcome, Outcome::Unreachable { .. }), "{note}"),
            }
        }
    }
    assert!(
        n_uniform > 50_000 && n_found > 2_000,
        "{n_uniform}, {n_found}"
    );
}

/// Cost of a path, step by step, each the cheapest of the ground.
fn path_cost(ground: &Ground, cells: &[Cell]) -> Option<u32> {
    let mut buffer = SuccessorBuffer::default();
    cells.windows(2).try_fold(0, |sum, pair| {
        let (from, to) = (ground.node(pair[0])?, ground.node(pair[1])?);
        let steps = ground.successors(from, &mut buffer);
        let costs = steps.filter_map(|(end, cost)| (end == to).then_some(cost.units()));
        Some(sum + costs.min()?)
    })
}

/// Checks the contract of `uniform_multiplier` cell by cell; false where it is `None`.
fn is_uniform_around(ground: &Ground, node: NodeId) -> bool {
    let Some(multiplier) = ground.uniform_multiplier(node) else {
        return false;
    };
    let at = ground.cell(node);
    let mut buffer = SuccessorBuffer::default();
    for (dx, dy) in [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (0, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ] {
        let there = ground.node(Cell::flat(at.x + dx, at.y + dy)).unwrap();
        assert!(
            there.shares_sheet(node) && ground.cost_multiplier(there) == multiplier,
            "{at}"
        );
    }
    assert!(ground.successors(node, &mut buffer).count() >= 8, "{at}");
    true
}
