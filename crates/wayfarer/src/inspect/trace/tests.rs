use super::*;
use crate::{AgentType, AgentTypeId, Scale, World};

const MAP: &[u8] =
    b"type octile\nheight 5\nwidth 9\nmap\n....T....\n....T....\n....T....\n....T....\n.........\n";

fn request(method: Method) -> PathRequest {
    PathRequest {
        method,
        ..PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0))
    }
}

#[test]
fn a_trace_ends_at_the_cost_of_the_path_and_its_parents_lead_to_the_start() {
    let world = World::import("wall.map", MAP, Scale::UNIT).unwrap();
    let cached = [Method::Optimal, Method::Bounded];
    let by_cells = [Method::AStar, Method::Jps, Method::Dijkstra];
    for method in by_cells.into_iter().chain(cached) {
        let trace = world
            .inspect()
            .trace(&mut Searcher::default(), &request(method))
            .unwrap();
        let path = trace.path.as_ref().unwrap();
        let last = trace.events.last().unwrap();
        assert_eq!(last.kind, TraceKind::Reached, "{method:?}");
        assert!((last.g - path.cost()).abs() < 1e-9, "{method:?}");
        let mut at = last;
        let mut n_steps = 0;
        while let Some(parent) = at.parent {
            let before = &trace.events[parent];
            assert_eq!(before.kind, TraceKind::Expanded, "{method:?}");
            assert!(before.g <= at.g, "{method:?}");
            at = before;
            n_steps += 1;
        }
        assert_eq!(Some(at.at), path.start(), "{method:?}");
        assert!(n_steps >= 2, "{method:?}");
    }
}

#[test]
fn a_trace_of_cached_jump_points_is_the_same_cold_and_warm() {
    let world = World::import("wall.map", MAP, Scale::UNIT).unwrap();
    for method in [Method::Optimal, Method::Bounded] {
        let mut searcher = Searcher::default();
        let mut trace = || {
            world
                .inspect()
                .trace(&mut searcher, &request(method))
                .unwrap()
        };
        let cold = trace();
        let is_opened = |event: &&TraceEvent| event.kind == TraceKind::Opened;
        assert!(cold.events.iter().filter(is_opened).count() >= 2);
        (0..4).for_each(|_| assert_eq!(trace(), cold));
    }
}

#[test]
fn a_heuristic_never_exceeds_the_cost_that_remains() {
    let world = World::import("wall.map", MAP, Scale::UNIT).unwrap();
    let trace = world
        .inspect()
        .trace(&mut Searcher::default(), &request(Method::AStar))
        .unwrap();
    let cost = trace.path.as_ref().unwrap().cost();
    let first = &trace.events[0];
    assert!(first.h <= cost && first.h > 0.0);
    let expanded = trace
        .events
        .iter()
        .filter(|event| event.kind == TraceKind::Expanded);
    for event in expanded {
        assert!(event.g + event.h <= cost + 1e-9, "{event:?}");
    }
}

#[test]
fn methods_and_agents_without_events_are_refused() {
    let mut world = World::import("wall.map", MAP, Scale::UNIT).unwrap();
    let flier = world.add_agent_type(AgentType::GROUND_AND_FLIGHT).unwrap();
    let cases = [
        (Method::Hierarchical, AgentTypeId::DEFAULT),
        (Method::Bounded, flier),
    ];
    for (method, agent_type) in cases {
        let request = PathRequest {
            agent_type,
            ..request(method)
        };
        let traced = world.inspect().trace(&mut Searcher::default(), &request);
        assert!(matches!(traced, Err(RequestError::Unsupported { .. })));
    }
}

#[test]
fn an_exported_trace_has_a_line_per_event() {
    let world = World::import("wall.map", MAP, Scale::UNIT).unwrap();
    let trace = world
        .inspect()
        .trace(&mut Searcher::default(), &request(Method::AStar))
        .unwrap();
    let text = trace.to_search_trace();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  - {"))
        .collect();
    assert_eq!(lines.len(), trace.events.len());
    assert!(lines[0].contains("pId: null"), "{}", lines[0]);
    assert!(lines[lines.len() - 1].contains("type: end"));
}
