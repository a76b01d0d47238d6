use wayfarer_base::Direction;

use super::super::path::step_between;
use super::super::stride::Stride;
use super::*;

#[test]
fn a_stride_finds_every_cell_and_step_that_the_ground_knows() {
    let (mut n_steps, mut n_none) = (0, 0);
    for kind in all_scenes() {
        let mut both = Both::random(1, kind);
        let mut rng = Rng::new(0x57D);
        for batch in 0..4 {
            let nav_graph = both.nav_graph();
            let mut stride = Stride::new(nav_graph);
            let cells = both.standing();
            let mut at = cells[0];
            for round in 0..600 {
                if round % 40 == 0 {
                    at = *rng.pick(&cells).unwrap();
                }
                let from = stride.node(at);
                assert_eq!(from, nav_graph.node(at), "{kind:?} {at}");
                // Mostly a neighbor, at times through a nav link or to nowhere.
                let direction = *rng.pick(&Direction::ALL).unwrap();
                let beside = at.column().step(direction).unwrap();
                let walked = nav_graph.walk(from.unwrap(), direction);
                let there = match round % 5 {
                    0 => *rng.pick(&cells).unwrap(),
                    1 => beside.at(at.z),
                    _ => walked.map_or(beside.at(at.z), |node| nav_graph.cell(node)),
                };
                let to = stride.node(there);
                assert_eq!(to, nav_graph.node(there), "{kind:?} {there} after {at}");
                let Some((from, to)) = from.zip(to) else {
                    continue;
                };
                let step = stride.step((from, at), (to, there));
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
fn files_of_mended_walks_tell_what_files_of_all_walks_anew_tell() {
    let (mut n_broken, mut n_repaired) = (0, 0);
    for kind in scenes() {
        for seed in 0..2 {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xF11E);
            let mut searcher = PathSearcher::default();
            let mut files: PathIndex<usize> = PathIndex::default();
            let mut walks = BTreeMap::new();
            for batch in 0..8 {
                let note = format!("{kind:?} {seed} batch {batch}");
                let cells = both.standing();
                for number in 10 * batch..10 * batch + 10 {
                    let ends = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                    let request = both.request(ends.0, ends.1);
                    if let Ok(Outcome::Found(path)) = searcher.find(&both.ground, &request) {
                        walks.insert(number, (files.insert(number, &path), request, path));
                    }
                }
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits);
                let before = wayfarer_base::Revision(both.ground.revision().0 - 1);
                let set = both.log.since(before).unwrap().next().unwrap();
                let reported = broken_of(&files, &walks, &both, set);
                let mut anew: PathIndex<usize> = PathIndex::default();
                for (number, (_, _, path)) in &walks {
                    anew.insert(*number, path);
                }
                assert_eq!(reported, broken_of(&anew, &walks, &both, set), "{note}");
                n_broken += reported.0.len();
                walks.retain(|number, (id, request, path)| {
                    // Who walked on is filed from where it is; some go home.
                    if rng.chance(1, 6) {
                        assert_eq!(files.take(*id), Some(*number), "{note}");
                        return false;
                    }
                    if reported.0.contains(number) || rng.chance(1, 3) {
                        let near = &path.cells[..path.cells.len().div_ceil(3)];
                        request.from = *rng.pick(near).unwrap();
                    }
                    let repaired = searcher.repair(&both.ground, &both.log, request, path);
                    let Ok(Outcome::Found(repaired)) = repaired else {
                        files.take(*id);
                        return false;
                    };
                    files.update(*id, path, &repaired.path);
                    n_repaired += u32::from(path.cells != repaired.path.cells);
                    *path = repaired.path;
                    true
                });
                assert_eq!(files.len(), walks.len(), "{note}");
            }
        }
    }
    assert!(n_broken > 50 && n_repaired > 200, "{n_broken} {n_repaired}");
}

type Walks = BTreeMap<usize, (wayfarer_base::SubscriptionId, GroundRequest, GroundPath)>;

/// Whose walks are broken, and how many were filed where something changed.
fn broken_of(
    files: &PathIndex<usize>,
    walks: &Walks,
    both: &Both,
    set: &wayfarer_base::ChangeSet<GroundDifference>,
) -> (BTreeSet<usize>, usize) {
    let path_of = |number: &usize| walks.get(number).map(|(_, _, path)| path);
    let report = files.find_invalidated(&both.ground, set, path_of);
    let owners = report.invalidated.iter();
    let owners = owners.map(|id| *files.owner(*id).unwrap()).collect();
    (owners, report.n_candidates)
}
