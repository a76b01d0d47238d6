//! Inverses, the change log and the combination of cost changes.

use super::*;

#[derive(Clone, PartialEq, Debug)]
struct Swap(i32, i32);

impl Difference for Swap {
    fn inverse(&self) -> Self {
        Self(self.1, self.0)
    }
}

fn at(number: u64) -> Revision {
    Revision { number, branch: 3 }
}

fn set(before: u64, differences: Vec<Swap>) -> ChangeSet<Swap> {
    ChangeSet {
        before: at(before),
        after: at(before + 1),
        differences,
        dirty_sectors: Vec::new(),
    }
}

#[test]
fn the_inverse_undoes_the_last_difference_first() {
    let changes = set(0, vec![Swap(1, 2), Swap(2, 3)]);
    assert_eq!(changes.inverse(), vec![Swap(3, 2), Swap(2, 1)]);
}

#[test]
fn a_log_returns_the_sets_since_a_revision_until_they_are_evicted() {
    let mut log = ChangeLog::starting_at(at(0), 2);
    for before in 0..3 {
        log.push(set(before, vec![]));
    }
    let since = |revision| {
        log.since(at(revision))
            .map(|sets| sets.map(|set| set.after.number).collect::<Vec<_>>())
    };
    assert_eq!(since(3), Some(vec![]));
    assert_eq!(since(2), Some(vec![3]));
    assert_eq!(since(1), Some(vec![2, 3]));
    assert_eq!(since(0), None);
    assert_eq!(since(4), None);
}

#[test]
fn a_log_knows_no_revision_of_another_branch() {
    let mut log = ChangeLog::starting_at(at(0), 4);
    log.push(set(0, vec![]));
    for number in 0..3 {
        let other = Revision { number, branch: 4 };
        assert!(log.since(other).is_none(), "{other:?}");
    }
}

#[test]
fn a_new_log_takes_the_branch_of_its_first_set() {
    let mut log = ChangeLog::new(4);
    assert_eq!(log.since(at(0)).unwrap().count(), 0);
    assert!(log.since(at(1)).is_none());
    log.push(set(0, vec![]));
    assert_eq!(log.since(at(0)).unwrap().count(), 1);
    assert!(log.since(Revision::initial(4)).is_none());
}

#[test]
fn clones_with_equal_batches_have_equal_revisions_and_others_have_not() {
    let first = Revision::initial(9);
    assert_eq!(first.next(1).next(2), first.next(1).next(2));
    assert_ne!(first.next(1).next(2), first.next(2).next(1));
    assert_ne!(first.next(1), Revision::initial(8).next(1));
}

#[test]
fn opposite_cost_changes_combine_to_mixed() {
    use CostChange::{Decrease, Increase, Mixed};
    assert_eq!(Decrease.combined_with(Decrease), Decrease);
    assert_eq!(Decrease.combined_with(Increase), Mixed);
    assert_eq!(Mixed.combined_with(Increase), Mixed);
    assert!(!Increase.may_improve_paths() && Increase.may_invalidate_paths());
    assert!(Decrease.may_improve_paths() && !Decrease.may_invalidate_paths());
}
