//! The vertex table against a map.

use std::collections::BTreeMap;

use wayfarer_base::Rng;

use super::*;

fn vertex(node: u32, g: u32) -> Vertex {
    Vertex {
        node: NodeId::from_index(node),
        x: 0,
        y: 0,
        g,
        f: 0,
        parent: NONE,
        directions: 0,
        is_step: false,
    }
}

#[test]
fn vertices_are_found_until_the_table_is_cleared() {
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
            let g = rng.below(800);
            let found = vertices.find(NodeId::from_index(node), g);
            match (found, known.get_mut(&node)) {
                (VertexLookup::NotCheaper(id), Some((expected, least))) => {
                    assert_eq!(id, *expected);
                    assert!(*least <= g, "round {round}: {node} costs {least}");
                }
                (VertexLookup::Cheaper(slot, id), Some((expected, least))) => {
                    assert_eq!(id, *expected);
                    assert!(*least > g, "round {round}: {node} costs {least}");
                    vertices.improve(slot, id, vertex(node, g));
                    *least = g;
                }
                (VertexLookup::New(slot), None) => {
                    let id = vertices.insert(slot, vertex(node, g));
                    assert_eq!(id as usize, known.len(), "ids count insertions");
                    known.insert(node, (id, g));
                }
                (VertexLookup::New(_), Some(_)) => panic!("round {round}: {node} is known"),
                (_, None) => panic!("round {round}: {node} is missing"),
            }
        }
        for (node, (id, g)) in known {
            let found = vertices.at(id);
            assert_eq!((found.node.index(), found.g), (node, g));
            assert_eq!(vertices.id_of(found.node), Some(id));
        }
    }
}

#[test]
fn growth_bytes_equal_the_growth_of_the_heap() {
    let mut vertices = Vertices::default();
    for _ in 0..6 {
        let previous = vertices.heap_bytes() as u64;
        let growth = vertices.growth();
        vertices.grow();
        assert_eq!(vertices.heap_bytes() as u64, previous + growth);
        while vertices.has_room() {
            let node = u32::try_from(vertices.list.len()).unwrap();
            let VertexLookup::New(slot) = vertices.find(NodeId::from_index(node), 0) else {
                panic!("not entered yet");
            };
            vertices.insert(slot, vertex(node, 0));
        }
    }
}
