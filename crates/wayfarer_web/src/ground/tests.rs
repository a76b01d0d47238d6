use super::*;

/// A wall with a door of one cell at the top.
const MAP: &[u8] =
    b"type octile\nheight 4\nwidth 9\nmap\n.........\n....T....\n....T....\n....T....\n";

fn yard() -> GroundScene {
    let mut scene = GroundScene::new("yard.map", MAP, 1.0).unwrap();
    scene.set_ends(&[0.5, 3.5, 0.0, 8.5, 3.5, 0.0]).unwrap();
    scene
}

#[test]
fn a_wall_is_painted_and_the_path_goes_and_comes_back() {
    let mut scene = yard();
    let before = scene.find();
    assert!(before.is_found && scene.is_walkable());
    assert!(
        scene
            .paint_wall(&[4.5, 0.5, 0.0, 4.5, 0.5, 0.0], 0.4)
            .unwrap()
            > 0
    );
    assert!(!scene.is_walkable());
    assert!(!scene.find().is_found);
    assert!(scene.explain().contains("no floor"), "{}", scene.explain());
    assert!(scene.undo_last().unwrap());
    let after = scene.find();
    assert_eq!(after.waypoints, before.waypoints);
    assert!(!scene.undo_last().unwrap());
}

#[test]
fn a_trace_has_an_entry_per_event_in_every_array() {
    let mut scene = yard();
    scene.set_method("astar").unwrap();
    let trace = scene.trace().unwrap();
    let n_events = trace.kinds().len();
    assert!(n_events > 8);
    assert_eq!(trace.positions().len(), 3 * n_events);
    assert_eq!((trace.g().len(), trace.h().len()), (n_events, n_events));
    assert_eq!(trace.parents().first(), Some(&-1));
    assert!(trace.path().is_found);
}

#[test]
fn a_bad_file_says_where() {
    let error = GroundScene::new("bad.map", b"type octile\nheight x\n", 1.0).unwrap_err();
    assert!(error.contains("line 2"), "{error}");
}

#[test]
fn a_walker_replans_when_its_door_closes() {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    let mut scene = GroundScene::new("hall.map", map, 1.0).unwrap();
    scene
        .add_thin_wall(&[4.0, 0.0, 0.0, 4.0, 3.0, 0.0])
        .unwrap();
    scene.add_link(&[3.5, 0.5, 0.0, 4.5, 0.5, 0.0], 4).unwrap();
    scene.add_link(&[3.5, 2.5, 0.0, 4.5, 2.5, 0.0], 4).unwrap();
    scene.set_ends(&[0.5, 0.5, 0.0, 8.5, 0.5, 0.0]).unwrap();
    scene.start_walk();
    scene.walk(0.5);
    let links = scene.links();
    assert_eq!(links.len(), 16);
    scene.toggle_link(0).unwrap();
    let mut last = Vec::new();
    for _ in 0..100 {
        last = scene.walk(0.25);
        if last[3] > 0.0 {
            break;
        }
    }
    // Position, arrived, replanned once, has a path.
    assert_eq!(last, [8.5, 0.5, 0.0, 1.0, 1.0, 0.0]);
}
