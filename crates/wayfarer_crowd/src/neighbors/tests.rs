use super::*;
use wayfarer_base::Rng;

fn random_agents(rng: &mut Rng, n: u32) -> Vec<Presence> {
    let coordinate = |rng: &mut Rng| f64::from(rng.below(4_000)) / 100.0 - 20.0;
    let mut agent = |slot| Presence {
        slot,
        position: Vec2::new(coordinate(rng), coordinate(rng)),
        radius: 0.3,
        span: if slot % 7 == 0 { (8, 10) } else { (0, 2) },
    };
    (0..n).map(&mut agent).collect()
}

#[test]
fn lists_equal_those_of_a_scan_of_all() {
    let mut rng = Rng::new(3);
    for n in [1, 2, 50, 600, 4_000] {
        let agents = random_agents(&mut rng, n);
        let mut grid = Grid::default();
        // Registered where they were before they moved a little.
        let mut moved = |at: Vec2| {
            let shift = |rng: &mut Rng| f64::from(rng.below(200)) / 1_000.0 - 0.1;
            at + Vec2::new(shift(&mut rng), shift(&mut rng))
        };
        // The last time with bins that fit the crowd.
        for _ in 0..3 {
            let places = agents.iter();
            grid.rebuild(places.map(|agent| (agent.slot, moved(agent.position))));
        }
        assert_eq!(grid.bins_per_cell < DENSE, n < 600, "{n}");
        let now = |slot: u32| agents[slot as usize];
        for agent in &agents {
            let mut list = NeighborList::default();
            let ranges = Ranges {
                sight: 4.0,
                contact: 0.2,
                largest: 0.3,
                drift: 0.15,
            };
            list.refresh([&grid, &Grid::default()], (agent, now), ranges);
            let mut expected: Vec<(f64, u32)> = agents
                .iter()
                .filter(|other| other.slot != agent.slot && other.span == agent.span)
                .map(|other| {
                    (
                        (other.position - agent.position).length_squared(),
                        other.slot,
                    )
                })
                .filter(|(squared, _)| *squared <= 16.0)
                .collect();
            expected.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
            let n_contact = expected
                .iter()
                .filter(|(squared, _)| *squared <= 0.64)
                .count();
            expected.truncate(MAX_DISTANT.max(n_contact).min(MAX_NEIGHBORS));
            let expected: Vec<u32> = expected.into_iter().map(|(_, slot)| slot).collect();
            assert_eq!(list.slots(), expected, "agent {}", agent.slot);
            assert_eq!(list.is_full, n_contact > MAX_NEIGHBORS);
        }
    }
}
