//! Path distances of bodies against one reachability query.

use wayfarer_base::{Column, GroundEdit, Profile, Raster, Rng, Terrain};
use wayfarer_world::bodies::{Body, DetectionTiming, Teams};

use super::*;

#[test]
fn path_distances_equal_a_search_to_each_body() {
    let mut rng = Rng::new(12);
    let mut searcher = PathDistanceSearcher::default();
    let mut reference = ReachabilitySearcher::default();
    for _ in 0..20 {
        let bytes = (0..900).map(|_| 3 * u8::from(rng.chance(3, 10))).collect();
        let ground = Ground::from_raster(&Raster::from_bytes(30, 30, bytes).unwrap());
        let mut bodies = BodySet::new(Fixed::from_raw(512));
        for _ in 0..40 {
            let mut part = || Fixed::from_raw(rng.between(0, 30 * 256 - 1));
            let position = Point2::new(part(), part());
            let body = Body {
                team: rng.between(0, 1).to_le_bytes()[0],
                ..Body::at(position)
            };
            bodies.register(&body).unwrap();
        }
        let filter = BodyFilter {
            teams: Teams::only(1),
            ..BodyFilter::ALL
        };
        let mut cells = (0..900).map(|at| Column::new(at % 30, at / 30).at(0));
        let from = cells.find(|cell| ground.node(*cell).is_some()).unwrap();
        let reach = reference
            .within_cost(&ground, from, Cost::from_cells(1e6), Budget::UNLIMITED)
            .unwrap();
        let mut expected: Vec<(BodyId, Cost)> = (0..40)
            .filter_map(|index| bodies.id_at(index))
            .filter(|id| bodies.body(*id).unwrap().team == 1)
            .filter_map(|id| {
                let column = bodies.body(id).unwrap().position.column();
                Some((id, reach.cost_to(column.at(0))?))
            })
            .collect();
        expected.sort_unstable_by_key(|(id, cost)| (*cost, *id));
        let all = searcher
            .nearest(&ground, &bodies, from, 40, &filter)
            .unwrap();
        assert_eq!(all, expected);
        let few = searcher
            .nearest(&ground, &bodies, from, 3, &filter)
            .unwrap();
        assert_eq!(few, &expected[..expected.len().min(3)]);
        let limit = Cost::from_cells(20.0);
        let near = searcher
            .within_cost(&ground, &bodies, from, limit, &filter)
            .unwrap();
        expected.retain(|(_, cost)| *cost <= limit);
        assert_eq!(near, expected);
    }
}

#[test]
fn path_distances_use_the_detection_point_before_and_after_movement() {
    let mut rng = Rng::new(13);
    let mut searcher = PathDistanceSearcher::default();
    let ground = Ground::from_raster(&Raster::from_bytes(40, 40, vec![0; 1_600]).unwrap());
    let from = Cell::flat(20, 20);
    let mut reference = ReachabilitySearcher::default();
    for detection in [
        DetectionTiming::AfterMovement,
        DetectionTiming::BeforeMovement,
    ] {
        let mut bodies = BodySet::new(Fixed::from_raw(512)).with_detection(detection);
        let mut part = || Fixed::from_raw(rng.between(0, 40 * 256 - 1));
        for _ in 0..60 {
            bodies
                .register(&Body::at(Point2::new(part(), part())))
                .unwrap();
        }
        let to: Vec<Point2> = (0..60).map(|_| Point2::new(part(), part())).collect();
        bodies.move_all(&to).unwrap();
        let limit = Cost::from_cells(9.0);
        let reach = reference
            .within_cost(&ground, from, limit, Budget::UNLIMITED)
            .unwrap();
        let mut expected: Vec<(BodyId, Cost)> = (0..60)
            .filter_map(|index| bodies.id_at(index))
            .filter_map(|id| {
                let (before, after) = bodies.motion(id).unwrap();
                let point = match detection {
                    DetectionTiming::AfterMovement => after,
                    DetectionTiming::BeforeMovement => before,
                };
                assert_eq!(bodies.detection_point(id), Ok(point));
                Some((id, reach.cost_to(point.column().at(0))?))
            })
            .collect();
        expected.sort_unstable_by_key(|(id, cost)| (*cost, *id));
        assert!(expected.len() > 5);
        let near = searcher
            .within_cost(&ground, &bodies, from, limit, &BodyFilter::ALL)
            .unwrap();
        assert_eq!(near, expected, "{detection:?}");
        let n_near = expected.len();
        let first = searcher
            .nearest(&ground, &bodies, from, n_near, &BodyFilter::ALL)
            .unwrap();
        assert_eq!(first, expected, "{detection:?}");
    }
}

#[test]
fn bodies_are_found_from_beyond_the_limits_of_bodies() {
    // Bodies reach as far as column 4,194,303, the ground farther.
    let end = 4_194_303;
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let floors: Vec<GroundEdit> = (end - 9..end + 9)
        .map(|x| GroundEdit::PutCell {
            cell: Cell::flat(x, 0),
            terrain: Terrain::GROUND,
        })
        .collect();
    ground.apply(&floors).unwrap();
    let mut bodies = BodySet::new(Fixed::from_raw(512));
    let at = Point2::center_of(Column::new(end - 1, 0)).unwrap();
    let last = bodies.register(&Body::at(at)).unwrap();
    let mut searcher = PathDistanceSearcher::default();
    for x in end - 5..end + 5 {
        let limit = Cost::from_cells(8.0);
        let near = searcher
            .within_cost(&ground, &bodies, Cell::flat(x, 0), limit, &BodyFilter::ALL)
            .unwrap();
        let ids: Vec<BodyId> = near.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [last], "from column {x}");
    }
}
