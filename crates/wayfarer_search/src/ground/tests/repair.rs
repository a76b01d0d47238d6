//! Tests of the path cursor and of the path index after repairs.

use wayfarer_base::Direction;

use super::super::path::step_between;
use super::super::path_cursor::PathCursor;
use super::*;

#[test]
fn a_path_cursor_finds_every_node_and_step_of_the_nav_graph() {
    let (mut n_steps, mut n_none) = (0, 0);
    for kind in all_scenes() {
        let mut both = Both::random(1, kind);
        let mut rng = Rng::new(0x57D);
        for batch in 0..4 {
            let nav_graph = both.nav_graph();
            let mut cursor = PathCursor::new(nav_graph);
            let cells = both.walkable_cells();
            let mut at = cells[0];
            for round in 0..600 {
                if round % 40 == 0 {
                    at = *rng.pick(&cells).unwrap();
                }
                let from = cursor.node(at);
                assert_eq!(from, nav_graph.node(at), "{kind:?} {at}");
                // Mostly a neighbor, at times through a nav link or to an arbitrary cell.
                let direction = *rng.pick(&Direction::ALL).unwrap();
                let adjacent = at.column().step(direction).unwrap();
                let neighbor = nav_graph.neighbor(from.unwrap(), direction);
                let there = match round % 5 {
                    0 => *rng.pick(&cells).unwrap(),
                    1 => adjacent.at(at.z),
                    _ => neighbor.map_or(adjacent.at(at.z), |node| nav_graph.cell(node)),
                };
                let to = cursor.node(there);
                assert_eq!(to, nav_graph.node(there), "{kind:?} {there} after {at}");
                let Some((from, to)) = from.zip(to) else {
                    continue;
                };
                let step = cursor.step((from, at), (to, there));
                let known = step_between(nav_graph, (from, at), (to, there));
                assert_eq!(step, known, "{kind:?} batch {batch}: from {at} to {there}");
                n_steps += u32::from(step.is_some());
                n_none += u32::from(step.is_none());
                at = there;
            }
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
        }
    }
    assert!(n_steps > 10_000 && n_none > 1_000, "{n_steps} {n_none}");
}

#[test]
fn an_index_updated_after_repairs_equals_one_rebuilt() {
    let (mut n_invalid, mut n_repaired) = (0, 0);
    for kind in scenes() {
        for seed in 0..2 {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF11E);
            let mut searcher = PathSearcher::default();
            let mut index: PathIndex<GroundPath, usize> = PathIndex::default();
            let mut paths = BTreeMap::new();
            for batch in 0..8 {
                let note = format!("{kind:?} {seed} batch {batch}");
                let cells = both.walkable_cells();
                for number in 10 * batch..10 * batch + 10 {
                    let ends = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                    let request = both.request(ends.0, ends.1);
                    if let Ok(Outcome::Found(path)) = searcher.find(&both.ground, &request) {
                        paths.insert(
                            number,
                            (index.insert(number, &both.ground, &path), request, path),
                        );
                    }
                }
                let edits = random_batch(&mut rng, &both.world);
                let before = both.ground.revision();
                both.apply(&edits);
                let set = both.log.since(before).unwrap().next().unwrap();
                let reported = invalidated(&index, &paths, &both, set);
                let mut rebuilt: PathIndex<GroundPath, usize> = PathIndex::default();
                for (number, (_, _, path)) in &paths {
                    rebuilt.insert(*number, &both.ground, path);
                }
                assert_eq!(
                    reported,
                    invalidated(&rebuilt, &paths, &both, set),
                    "{note}"
                );
                n_invalid += reported.0.len();
                paths.retain(|number, (id, request, path)| {
                    // Some agents have moved on, others have arrived.
                    if rng.chance(1, 6) {
                        assert_eq!(index.remove(*id), Some(*number), "{note}");
                        return false;
                    }
                    if reported.0.contains(number) || rng.chance(1, 3) {
                        let near = &path.cells[..path.cells.len().div_ceil(3)];
                        request.from = *rng.pick(near).unwrap();
                    }
                    let repaired = searcher.repair(&both.ground, &both.log, request, path);
                    let Ok(Outcome::Found(repaired)) = repaired else {
                        index.remove(*id);
                        return false;
                    };
                    index.update(*id, &both.ground, path, &repaired.path);
                    n_repaired += u32::from(path.cells != repaired.path.cells);
                    *path = repaired.path;
                    true
                });
                assert_eq!(index.len(), paths.len(), "{note}");
            }
        }
    }
    assert!(
        n_invalid > 50 && n_repaired > 200,
        "{n_invalid} {n_repaired}"
    );
}

type Paths = BTreeMap<usize, (wayfarer_base::SubscriptionId, GroundRequest, GroundPath)>;

/// The owners of invalidated paths, and the number of candidates.
fn invalidated(
    index: &PathIndex<GroundPath, usize>,
    paths: &Paths,
    both: &Both,
    set: &wayfarer_base::ChangeSet<GroundDifference>,
) -> (BTreeSet<usize>, usize) {
    let path_of = |number: &usize| paths.get(number).map(|(_, _, path)| path);
    let report = index.find_invalidated(&both.ground, set, path_of);
    let owners = report.invalidated.iter();
    let owners = owners.map(|id| *index.owner(*id).unwrap()).collect();
    (owners, report.n_candidates)
}
