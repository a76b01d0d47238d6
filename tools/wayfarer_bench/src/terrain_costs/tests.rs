use super::*;
use wayfarer_testkit::ascii;

#[test]
fn a_result_is_wrong_if_optimal_costs_more_or_bounded_exceeds_its_bound() {
    assert!(is_right([Some(1_024), Some(1_024), Some(1_126)]));
    assert!(is_right([None, None, None]));
    for wrong in [
        [Some(1_024), Some(1_025), Some(1_024)],
        [Some(1_024), Some(1_024), Some(1_127)],
        [Some(1_024), Some(1_024), Some(1_023)],
        [Some(1_024), Some(1_024), None],
        [None, Some(1), None],
    ] {
        assert!(!is_right(wrong), "{wrong:?}");
    }
}

#[test]
fn boxes_cover_the_requested_share() {
    let rows = "................................\n".repeat(32);
    let set = QuerySet::new("field", ascii::raster(&rows), &[], None, 0);
    for percent in SHARES {
        let (edits, n_costly) = boxes(&set, percent, &mut Rng::new(3));
        let mut ground = Ground::from_raster(&set.map);
        ground.apply(&edits).unwrap();
        assert!(n_costly * 100 >= percent * 1_024, "{percent}: {n_costly}");
        assert!(
            n_costly <= percent * 1_024 / 100 + 144,
            "{percent}: {n_costly}"
        );
        let is_costly = |at: &Column| {
            edits.iter().any(|edit| match edit {
                GroundEdit::PutCostModifier { modifier, .. } => {
                    modifier.shape.bounds().contains(*at)
                }
                _ => false,
            })
        };
        let n_covered = set.map.rect().columns().filter(is_costly).count();
        assert_eq!(n_covered, n_costly, "{percent}");
    }
}
