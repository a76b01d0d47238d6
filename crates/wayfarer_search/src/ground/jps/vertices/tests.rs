use std::collections::BTreeMap;

use wayfarer_base::Rng;

use super::*;

fn vertex(node: u32, cost: u32) -> Vertex {
    Vertex {
        node: NodeId::from_index(node),
        x: 0,
        y: 0,
        cost,
        total: 0,
        parent: NONE,
        directions: 0,
        by_step: false,
    }
}

#[test]
fn cells_are_found_again_and_forgotten_at_once() {
    let mut rng = Rng::new(1);
    let mut vertices = Vertices::default();
    for round in 0..60 {
        vertices.clear();
        let mut known: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for _ in 0..rng.below(300) {
            // Few cells, so that the table holds many entries of earlier rounds.
            let node = rng.below(400) * 0x0001_0101;
            if !vertices.has_room() {
                vertices.grow();
            }
            let cost = rng.below(800);
            let found = vertices.find(NodeId::from_index(node), cost);
            match (found, known.get_mut(&node)) {
                (VertexLookup::Cheap(number), Some((expected, least))) => {
                    assert_eq!(number, *expected);
                    assert!(*least <= cost, "round {round}: {node} costs {least}");
                }
                (VertexLookup::Costly(slot, number), Some((expected, least))) => {
                    assert_eq!(number, *expected);
                    assert!(*least > cost, "round {round}: {node} costs {least}");
                    vertices.improve(slot, number, vertex(node, cost));
                    *least = cost;
                }
                (VertexLookup::New(slot), None) => {
                    let number = vertices.enter(slot, vertex(node, cost));
                    assert_eq!(number as usize, known.len(), "numbered as they come");
                    known.insert(node, (number, cost));
                }
                (VertexLookup::New(_), Some(_)) => panic!("round {round}: {node} is known"),
                (_, None) => panic!("round {round}: {node} was forgotten"),
            }
        }
        for (node, (number, cost)) in known {
            let found = vertices.at(number);
            assert_eq!((found.node.index(), found.cost), (node, cost));
            assert_eq!(vertices.number_of(found.node), Some(number));
        }
    }
}

#[test]
fn it_grows_by_what_it_says() {
    let mut vertices = Vertices::default();
    for _ in 0..6 {
        let before = vertices.heap_bytes() as u64;
        let growth = vertices.growth();
        vertices.grow();
        assert_eq!(vertices.heap_bytes() as u64, before + growth);
        while vertices.has_room() {
            let node = u32::try_from(vertices.list.len()).unwrap();
            let VertexLookup::New(slot) = vertices.find(NodeId::from_index(node), 0) else {
                panic!("not entered yet");
            };
            vertices.enter(slot, vertex(node, 0));
        }
    }
}
