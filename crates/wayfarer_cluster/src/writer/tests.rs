//! Requests for edits.

use serde_json::{Value, json};
use wayfarer::prelude::*;

use super::*;

fn writer() -> Writer {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    let world = World::import("yard.map", map, Scale::UNIT).unwrap();
    Writer::new(&Follower::load(&Snapshot::new(&world)).unwrap(), 4)
}

fn propose(writer: &mut Writer, request: &Value) -> Result<Proposal, Value> {
    let proposed = writer.propose(request.to_string().as_bytes());
    proposed.map_err(|response| serde_json::from_slice(&response).unwrap())
}

#[test]
fn a_repeated_id_is_not_applied_again() {
    let mut writer = writer();
    let request = json!({"id": "a", "edits": [{"add_wall": {"from": [3, 0, 0], "to": [3, 2, 0]}}]});
    let proposal = propose(&mut writer, &request).unwrap();
    writer.accept(&proposal);
    let repeated = propose(&mut writer, &request).unwrap_err();
    assert_eq!(repeated["result"]["repeated"], json!(true));
    assert_eq!(repeated["revision"]["number"], json!(1));
    assert_eq!(writer.world().revision().number, 1);
}

#[test]
fn edits_of_every_kind_become_records_that_a_replica_follows() {
    let mut writer = writer();
    let mut follower = Follower::load(&writer.snapshot(0)).unwrap();
    let area = json!({"disc": {"center": [2, 2, 0], "radius": 1}});
    let requests = [
        json!({"edits": [{"add_solid": {"cuboid": {"low": [1, 1, 0], "high": [2, 2, 2]}}}]}),
        json!({"edits": [{"add_solid": {"cylinder": {"base": [5, 1, 0], "radius": 1, "height": 2}}}]}),
        json!({"edits": [{"remove_solid": 1}]}),
        json!({"edits": [{"fill": {"low": [7, 0, 0], "high": [8, 1, 1]}}]}),
        json!({"edits": [{"carve": {"low": [7, 0, 0], "high": [8, 1, 1], "floor": 0}}]}),
        json!({"edits": [{"add_floors": {"area": area, "height": 4}}]}),
        json!({"edits": [{"remove_floors": {"rect": {"low": [0, 0, 0], "high": [9, 9, 0], "heights": [3, 5]}}}]}),
        json!({"edits": [{"add_wall": {"from": [3, 0, 0], "to": [3, 2, 0]}}, {"remove_wall": {"from": [3, 0, 0], "to": [3, 1, 0]}}]}),
        json!({"edits": [{"add_link": {"from": [0.5, 0.5, 0], "to": [8.5, 2.5, 0], "kind": "door", "one_way": true}}]}),
        json!({"edits": [{"set_link_state": {"link": 1, "state": {"locked": 3}}}]}),
        json!({"edits": [{"add_cost_area": {"area": area, "multiplier": 2}}]}),
        json!({"edits": [{"remove_cost_area": 2}, {"remove_link": 1}]}),
        json!({"add_body": {"position": [1.5, 2.5, 0], "radius": 0.4, "team": 2}}),
        json!({"move_bodies": [[0, [4.5, 2.5, 0]]]}),
        json!({"remove_body": 0}),
    ];
    for (sequence, request) in (1..).zip(&requests) {
        let proposal = propose(&mut writer, request);
        let proposal = proposal.unwrap_or_else(|error| panic!("{request}: {error}"));
        writer.accept(&proposal);
        follower.apply(sequence, &Record::from_bytes(&proposal.record).unwrap());
        assert_eq!(follower.world().hash(), writer.world().hash(), "{request}");
    }
    assert_eq!(writer.world().revision().number, requests.len() as u64);
}

#[test]
fn bad_requests_change_nothing() {
    let mut writer = writer();
    let before = writer.world().hash();
    let cases = [
        (json!({}), "malformed"),
        (json!({"edits": [], "remove_body": 1}), "malformed"),
        (json!({"id": "", "edits": []}), "malformed"),
        (json!({"id": "a b", "edits": []}), "malformed"),
        (
            json!({"edits": vec![json!({"remove_solid": 1}); 1_025]}),
            "too_large",
        ),
        (json!({"edits": [{"remove_solid": 1}]}), "rejected"),
        (
            json!({"edits": [{"fill": {"low": [0, 0, 0], "high": [1, 1, 1], "terrain": 64}}]}),
            "invalid",
        ),
        (json!({"remove_body": 5}), "rejected"),
        (json!({"move_bodies": [[9, [0, 0, 0]]]}), "rejected"),
    ];
    for (request, name) in cases {
        let refused = propose(&mut writer, &request).unwrap_err();
        assert_eq!(refused["error"]["name"], json!(name), "{request}");
    }
    assert_eq!(writer.world().hash(), before);
}
