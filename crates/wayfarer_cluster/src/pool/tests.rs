//! Queues that are full, revisions that come late, and the end.

use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;
use wayfarer::prelude::*;

use super::*;
use crate::record::Snapshot;
use crate::writer::Writer;

fn world() -> World {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    World::import("yard.map", map, Scale::UNIT).unwrap()
}

fn pool(n_threads: usize, capacity: usize) -> Pool {
    let options = PoolOptions {
        n_threads,
        capacity,
    };
    Pool::new(options, Arc::new(Metrics::default()))
}

fn submit(pool: &Pool, request: &str) -> Receiver<Value> {
    let (sender, receiver) = channel();
    pool.submit(Job {
        request: request.as_bytes().to_vec(),
        respond: Box::new(move |response| {
            sender
                .send(serde_json::from_slice(&response).unwrap())
                .unwrap();
        }),
    });
    receiver
}

const PATH: &str = r#"{"query":"path","from":[0.5,0.5,0],"to":[8.5,0.5,0]}"#;

#[test]
fn without_a_world_requests_are_answered_not_ready() {
    let pool = pool(1, 4);
    assert_eq!(
        submit(&pool, PATH).recv().unwrap()["error"]["name"],
        "not_ready"
    );
    pool.set_follower(Some(Follower::load(&Snapshot::new(&world())).unwrap()));
    assert_eq!(submit(&pool, PATH).recv().unwrap()["result"]["cost"], 8.0);
}

#[test]
fn a_full_queue_answers_busy_and_every_request_is_answered() {
    let pool = pool(1, 3);
    let follower = Follower::load(&Snapshot::new(&world())).unwrap();
    // The thread waits for the lock: what is submitted now stays in the queue.
    let guard = pool.shared.follower_mut();
    let waiting: Vec<_> = (0..10).map(|_| submit(&pool, PATH)).collect();
    let mut guard = guard;
    *guard = Some(follower);
    drop(guard);
    let names: Vec<Value> = waiting
        .iter()
        .map(|response| response.recv().unwrap()["error"]["name"].clone())
        .collect();
    let n_busy = names.iter().filter(|name| **name == "busy").count();
    assert!((6..=7).contains(&n_busy), "{names:?}");
    assert_eq!(
        names.iter().filter(|name| name.is_null()).count(),
        10 - n_busy
    );
}

#[test]
fn a_request_waits_for_its_revision_or_its_deadline() {
    let pool = pool(2, 8);
    let follower = Follower::load(&Snapshot::new(&world())).unwrap();
    let mut writer = Writer::new(&follower, 1);
    pool.set_follower(Some(follower));
    let late = submit(
        &pool,
        r#"{"query":"path","from":[0.5,0.5,0],"to":[8.5,0.5,0],"min_revision":1,"deadline_ms":60000}"#,
    );
    let never = submit(
        &pool,
        r#"{"query":"path","from":[0.5,0.5,0],"to":[8.5,0.5,0],"min_revision":2,"deadline_ms":30}"#,
    );
    let never = never.recv().unwrap();
    assert_eq!(never["error"]["name"], "behind");
    assert_eq!(never["revision"]["number"], 0);
    let edit = br#"{"edits":[{"add_wall":{"from":[3,0,0],"to":[3,2,0]}}]}"#;
    let proposal = writer.propose(edit).unwrap();
    let followed = pool.apply(1, &Record::from_bytes(&proposal.record).unwrap());
    assert!(matches!(followed, Some(Followed::Applied { .. })));
    let late = late.recv().unwrap();
    assert_eq!(late["revision"]["number"], 1);
    assert!(late["result"]["cost"].as_f64().unwrap() > 8.0);
}

#[test]
fn a_wrong_hash_is_a_divergence() {
    let pool = pool(1, 8);
    let follower = Follower::load(&Snapshot::new(&world())).unwrap();
    let mut writer = Writer::new(&follower, 1);
    pool.set_follower(Some(follower));
    let edit = br#"{"edits":[{"add_wall":{"from":[3,0,0],"to":[3,2,0]}}]}"#;
    let record = writer.propose(edit).unwrap().record;
    let Ok(Record::Batch { id, changes, hash }) = Record::from_bytes(&record) else {
        panic!("a batch");
    };
    let hash = hash.map(|hash| hash ^ 1);
    let record = Record::Batch { id, hash, changes };
    let followed = pool.apply(1, &record);
    assert!(
        matches!(followed, Some(Followed::Diverged { .. })),
        "{followed:?}"
    );
}

#[test]
fn closing_answers_what_waits_and_refuses_the_rest() {
    let mut pool = pool(1, 8);
    pool.set_follower(Some(Follower::load(&Snapshot::new(&world())).unwrap()));
    let waiting: Vec<_> = (0..5).map(|_| submit(&pool, PATH)).collect();
    pool.close();
    for response in waiting {
        assert_eq!(response.recv().unwrap()["result"]["cost"], 8.0);
    }
    assert_eq!(
        submit(&pool, PATH).recv().unwrap()["error"]["name"],
        "shutting_down"
    );
}
