//! Tests of the node table.

use super::*;

#[test]
fn only_a_cheaper_cost_improves_a_node() {
    let mut nodes = NodeTable::default();
    nodes.clear(3);
    assert_eq!(nodes.get(1), None);
    assert!(nodes.improve(1, 50, 4));
    assert!(!nodes.improve(1, 50, 0), "an equal cost is no improvement");
    assert!(!nodes.improve(1, 51, 0));
    assert_eq!(nodes.get(1), Some(NodeRecord { cost: 50, label: 4 }));
    assert!(nodes.improve(1, 49, NodeTable::START));
    let start = NodeRecord {
        cost: 49,
        label: NodeTable::START,
    };
    assert_eq!(nodes.get(1), Some(start));
    assert_eq!(nodes.get(3), None, "outside the table there are no records");
}

#[test]
fn clearing_removes_all_records_even_when_the_generations_run_out() {
    let mut nodes = NodeTable::default();
    nodes.clear(1);
    nodes.stamp = 3 * STAMP_ONE;
    for cost in [u32::MAX, 0, 7, u32::MAX, 0, 7] {
        nodes.clear(1);
        assert_eq!(nodes.get(0), None);
        assert!(nodes.improve(0, cost, 1), "stamp {:x}", nodes.stamp);
        assert_eq!(nodes.get(0), Some(NodeRecord { cost, label: 1 }));
    }
    assert!(nodes.stamp > 100 * STAMP_ONE, "the generations restarted");
}

#[test]
fn a_table_grows_by_the_announced_bytes() {
    let mut nodes = NodeTable::default();
    assert_eq!(nodes.growth_for(10), 80);
    nodes.clear(10);
    assert_eq!(nodes.heap_bytes(), 80);
    assert_eq!(nodes.growth_for(9), 0);
    assert_eq!(nodes.growth_for(12), 16);
}
