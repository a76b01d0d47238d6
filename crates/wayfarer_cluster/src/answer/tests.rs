//! Queries against the library, and what is wrong with them.

use serde_json::{Value, json};
use wayfarer::prelude::*;

use crate::respond;

fn yard() -> World {
    let map = b"type octile\nheight 5\nwidth 9\nmap\n.........\n....@....\n....@....\n....@....\n@@@@@@@@.\n";
    World::import("yard.map", map, Scale::UNIT).unwrap()
}

fn ask(world: &World, request: &Value) -> Value {
    let request = serde_json::to_vec(request).unwrap();
    serde_json::from_slice(&respond(world, &mut Searcher::default(), &request)).unwrap()
}

fn error(world: &World, request: &Value) -> String {
    ask(world, request)["error"]["name"]
        .as_str()
        .unwrap_or("none")
        .to_owned()
}

#[test]
fn a_path_is_that_of_the_library_at_the_revision_that_it_states() {
    let mut world = yard();
    let (from, to) = (Position::new(2.5, 2.5, 0.0), Position::new(6.5, 2.5, 0.0));
    let request =
        json!({"query": "path", "from": [2.5, 2.5, 0], "to": [6.5, 2.5, 0], "keep": true});
    let wanted = PathRequest::new(from, to);
    let path = world.find_path(&mut Searcher::default(), &wanted).unwrap();
    let found = ask(&world, &request);
    let waypoints: Vec<[f64; 3]> = path.waypoints().map(|at| at.units()).collect();
    assert_eq!(found["result"]["waypoints"], json!(waypoints));
    assert_eq!(found["result"]["cost"], json!(path.cost()));
    assert_eq!(found["revision"]["number"], json!(0));

    let kept = found["result"]["path"].clone();
    let status = |world: &World| {
        let found = ask(world, &json!({"query": "status", "path": kept}));
        found["result"]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(&world), "valid");
    let (low, high) = (Position::new(4.0, 0.0, 0.0), Position::new(5.0, 1.0, 3.0));
    let (wall, _) = world.add_solid(Solid::cuboid(low, high)).unwrap();
    assert_eq!(status(&world), "invalid");
    let mut repair = request.clone();
    repair["query"] = "repair".into();
    repair["path"] = kept.clone();
    assert_eq!(error(&world, &repair), "unreachable");
    world.remove_solid(wall).unwrap();
    let repaired = ask(&world, &repair);
    assert_eq!(repaired["result"]["cost"], json!(path.cost()));
    assert_eq!(repaired["revision"]["number"], json!(2));
}

#[test]
fn reachability_sight_and_bodies_are_answered() {
    let mut world = yard();
    let pair = |query: &str, from: [f64; 2], to: [f64; 2]| json!({"query": query, "from": [from[0], from[1], 0.0], "to": [to[0], to[1], 0.0]});
    let found = ask(&world, &pair("reachable", [0.5, 0.5], [8.5, 4.5]));
    assert_eq!(found["result"]["reachable"], json!(true));
    let found = ask(&world, &pair("line_of_sight", [0.5, 0.5], [8.5, 0.5]));
    assert_eq!(found["result"]["visible"], json!(true));
    let found = ask(&world, &pair("line_of_sight", [2.5, 2.5], [6.5, 2.5]));
    assert_eq!(found["result"]["visible"], json!(false));
    let position = Position::new(1.5, 1.5, 0.0);
    let body = Body {
        position,
        team: 3,
        ..Body::default()
    };
    let id = world.add_body(body).unwrap();
    let disc = json!({"disc": {"center": [1.0, 1.0, 0.0], "radius": 2.0}});
    let found = ask(
        &world,
        &json!({"query": "bodies", "footprint": disc, "team": 3}),
    );
    assert_eq!(found["result"]["bodies"], json!([id.to_bits()]));
    let found = ask(
        &world,
        &json!({"query": "bodies", "footprint": disc, "enemies_of": 3}),
    );
    assert_eq!(found["result"]["bodies"], json!([]));
}

#[test]
fn a_batch_answers_each_query_and_its_errors_apart() {
    let world = yard();
    let path = json!({"query": "path", "from": [0.5, 0.5, 0], "to": [8.5, 0.5, 0]});
    let none = json!({"query": "path", "from": [0.5, 0.5, 0], "to": [4.5, 2.5, 0]});
    let found = ask(
        &world,
        &json!({"batch": [path, none, path], "deadline_ms": 60000}),
    );
    let results = found["result"].as_array().unwrap();
    assert_eq!(results[0]["result"]["cost"], json!(8.0));
    assert_eq!(results[1]["error"]["name"], json!("invalid"));
    assert_eq!(results[2], results[0]);
}

#[test]
fn every_error_has_its_name() {
    let world = yard();
    let path = |more: Value| {
        let mut request = json!({"query": "path", "from": [0.5, 0.5, 0], "to": [8.5, 4.5, 0]});
        let more = more.as_object().unwrap().clone();
        request.as_object_mut().unwrap().extend(more);
        request
    };
    let cases = [
        (json!({}), "malformed"),
        (json!([1]), "malformed"),
        (json!({"query": "fly"}), "malformed"),
        (json!({"query": "path", "to": [1, 1, 0]}), "malformed"),
        (path(json!({"colour": 1})), "malformed"),
        (path(json!({"batch": []})), "malformed"),
        (json!({"batch": [{"batch": []}]}), "malformed"),
        (
            json!({"batch": vec![json!({"query": "info"}); 257]}),
            "too_large",
        ),
        (path(json!({"agent_type": 9})), "invalid"),
        (path(json!({"budget": 0})), "invalid"),
        (
            path(json!({"budget": 1, "method": "dijkstra"})),
            "out_of_budget",
        ),
        (path(json!({"min_revision": 1})), "behind"),
        (path(json!({"deadline_ms": 0})), "deadline_exceeded"),
        (json!({"query": "status", "path": "?"}), "bad_path"),
        (json!({"query": "status", "path": "AAAA"}), "bad_path"),
        (json!({"query": "bodies"}), "malformed"),
        (path(json!({"budget": 1000, "method": "dijkstra"})), "none"),
    ];
    for (request, name) in cases {
        assert_eq!(error(&world, &request), name, "{request}");
    }
    let long = vec![b' '; crate::MAX_REQUEST_BYTES + 1];
    let response = respond(&world, &mut Searcher::default(), &long);
    assert!(String::from_utf8(response).unwrap().contains("too_large"));
}

#[test]
fn a_path_in_slices_under_a_deadline_is_the_same() {
    let world = yard();
    let mut request = json!({"query": "path", "from": [0.5, 0.5, 0], "to": [8.5, 4.5, 0]});
    let whole = ask(&world, &request);
    request["deadline_ms"] = 60_000.into();
    assert_eq!(ask(&world, &request)["result"], whole["result"]);
}

#[test]
fn no_bytes_make_it_panic() {
    let world = yard();
    let mut rng: u64 = 1;
    let seed =
        br#"{"query":"path","from":[0.5,0.5,0],"to":{"within":{"center":[8,4,0],"distance":2}}}"#;
    for _ in 0..3_000 {
        let mut bytes = seed.to_vec();
        for _ in 0..3 {
            rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(rng >> 33).unwrap() % bytes.len();
            bytes[at] = rng.to_le_bytes()[3];
        }
        let response = respond(&world, &mut Searcher::default(), &bytes);
        assert!(serde_json::from_slice::<Value>(&response).is_ok());
    }
}
