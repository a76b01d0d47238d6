//! Queries that a type and the default profile both solve, as long as the given problems.

use wayfarer_engine::base::{Cell, Rng};
use wayfarer_engine::search::ground::{GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::{Ground, ProfileId};

use crate::query::QuerySet;

/// A profile on a ground; `None` for the default one.
pub(super) type On<'g> = (&'g Ground, Option<ProfileId>);

/// How far ends are moved to where the type fits, in columns.
const MAX_MOVE: i32 = 12;
/// Pairs drawn for a problem that the type cannot solve.
const N_DRAWN: usize = 400;

/// The cost of a query, if there is a path.
pub(super) fn cost(
    (ground, profile_id): On<'_>,
    query: (Cell, Cell),
    method: Method,
) -> Option<u32> {
    let request = GroundRequest {
        profile_id,
        method,
        ..GroundRequest::new(query.0, query.1)
    };
    let outcome = PathSearcher::default().find(ground, &request).ok()?;
    Some(outcome.found()?.cost.units())
}

/// Up to a tenth more or less.
fn is_near(cost: u32, wanted: u32) -> bool {
    u64::from(cost.abs_diff(wanted)) * 10 <= u64::from(wanted)
}

/// One query per problem, of about its length for the default profile and for the type: between the
/// ends of the problem, moved by a few cells where the type does not fit, or else between drawn cells.
pub(super) fn draw(set: &QuerySet, walker: On<'_>, agent: On<'_>, seed: u64) -> Vec<(Cell, Cell)> {
    let (ground, id) = agent;
    let Some(own) = id.and_then(|id| ground.profile_ground(id)) else {
        return Vec::new();
    };
    let fits = |cell: Cell| own.node(cell).is_some() && walker.0.node(cell).is_some();
    let cells: Vec<Cell> = own.nodes().map(|node| own.cell(node)).collect();
    let nearest = |cell: Cell| {
        let shifts = (0..=MAX_MOVE).flat_map(|ring| {
            let square = move |d: i32| (-ring..=ring).map(move |e| (d, e));
            (-ring..=ring)
                .flat_map(square)
                .filter(move |(x, y)| x.abs().max(y.abs()) == ring)
        });
        let mut near = shifts.map(|(x, y)| Cell::flat(cell.x + x, cell.y + y));
        near.find(|cell| fits(*cell))
    };
    let mut rng = Rng::for_stream(seed, 64);
    let mut queries = Vec::new();
    for case in &set.cases {
        let given = (case.start.at(0), case.goal.at(0));
        let Some(wanted) = cost(walker, given, Method::Jps) else {
            continue;
        };
        let is_alike = |query: (Cell, Cell)| {
            fits(query.0)
                && fits(query.1)
                && cost(walker, query, Method::Jps).is_some_and(|cost| is_near(cost, wanted))
                && cost(agent, query, Method::Jps).is_some_and(|cost| is_near(cost, wanted))
        };
        let moved = nearest(given.0).zip(nearest(given.1));
        let mut drawn = (0..N_DRAWN).map(|_| {
            let ends = (rng.pick(&cells), rng.pick(&cells));
            ends.0.copied().zip(ends.1.copied())
        });
        let found = moved.filter(|query| is_alike(*query));
        queries.extend(
            found.or_else(|| drawn.find_map(|query| query.filter(|query| is_alike(*query)))),
        );
    }
    queries
}
