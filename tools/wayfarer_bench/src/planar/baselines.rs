//! Spatial trees of other libraries on the same boxes and queries.
//!
//! `parry2d` refits its boxes every tick and intersects its tree with itself for pairs, as its own broad
//! phase does; `rstar` is rebuilt and answers box, radius and nearest queries. All on one thread. Coordinates
//! stay below 2^24 where 32-bit floats are used, so results must be equal.

use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, PointDistance, RTree};
use wayfarer_engine::base::{Aabb2, Fixed, Point2, Rng};
use wayfarer_engine::world::obstacles::{
    ObstacleCategories, ObstacleId, ObstaclePairScratch, ObstacleSet, ObstacleShape,
};
use wayfarer_measure::clock::Timer;

use super::report::BaselineRow;

/// Queries of each kind and tick.
const N_QUERIES: usize = 256;
/// Side of the query boxes, and radius of the discs: 1,000 cells.
const REACH: i32 = 1_000 * Fixed::UNITS_PER_CELL;

type Corners = [[i32; 2]; 2];
type Boxed = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// The baselines, and what was seen so far.
pub(super) struct Baselines {
    parry: Bvh,
    workspace: BvhWorkspace,
    rng: Rng,
    pairs: ObstaclePairScratch,
    rows: Vec<(BaselineRow, usize)>,
}

#[expect(
    clippy::cast_precision_loss,
    reason = "crowds live within 2^24 units, which these numbers hold exactly"
)]
fn vector([x, y]: [i32; 2]) -> Vector {
    Vector::new(x as f32, y as f32)
}

fn numbers([x, y]: [i32; 2]) -> [f64; 2] {
    [f64::from(x), f64::from(y)]
}

fn share_more_than_an_edge(a: &Corners, b: &Corners) -> bool {
    (0..2).all(|axis| a[0][axis] < b[1][axis] && b[0][axis] < a[1][axis])
}

impl Baselines {
    pub(super) fn new() -> Self {
        Self {
            parry: Bvh::new(),
            workspace: BvhWorkspace::default(),
            rng: Rng::new(77),
            pairs: ObstaclePairScratch::default(),
            rows: Vec::new(),
        }
    }

    /// Runs the same queries on every baseline; `update_ns` is what moving everything
    /// took the field.
    pub(super) fn compare(&mut self, obstacles: &ObstacleSet, update_ns: f64, timer: &Timer) {
        let boxes: Vec<Corners> = obstacles
            .obstacles()
            .map(|(_, obstacle)| match obstacle.shape {
                ObstacleShape::Box(Aabb2 { low, high }) => {
                    [[low.x.raw(), low.y.raw()], [high.x.raw(), high.y.raw()]]
                }
                ObstacleShape::Disc { center, radius } => {
                    let [x, y, r] = [center.x, center.y, radius].map(Fixed::raw);
                    [[x - r, y - r], [x + r, y + r]]
                }
            })
            .collect();
        self.compare_pairs(obstacles, &boxes, update_ns, timer);
        self.compare_queries(obstacles, &boxes, update_ns, timer);
    }

    pub(super) fn rows(self) -> Vec<BaselineRow> {
        let mean = |(row, n_ticks): (BaselineRow, usize)| {
            let n_ticks = n_ticks.max(1) as f64;
            BaselineRow {
                ours_us: row.ours_us / n_ticks,
                theirs_us: row.theirs_us / n_ticks,
                times_ours: row.theirs_us / row.ours_us,
                ..row
            }
        };
        self.rows.into_iter().map(mean).collect()
    }

    fn note(
        &mut self,
        (name, what): (&'static str, &'static str),
        [ours, theirs]: [f64; 2],
        (compared, different): (usize, usize),
    ) {
        let is_same = |(row, _): &(BaselineRow, usize)| row.name == name && row.what == what;
        let place = self.rows.iter().position(is_same).unwrap_or_else(|| {
            let row = BaselineRow {
                name,
                what,
                ..BaselineRow::default()
            };
            self.rows.push((row, 0));
            self.rows.len() - 1
        });
        let (row, n_ticks) = &mut self.rows[place];
        row.ours_us += ours / 1000.0;
        row.theirs_us += theirs / 1000.0;
        row.compared += compared;
        row.different += different;
        *n_ticks += 1;
    }

    fn compare_pairs(
        &mut self,
        obstacles: &ObstacleSet,
        boxes: &[Corners],
        update_ns: f64,
        timer: &Timer,
    ) {
        let name = "parry2d 0.31";
        let around = |[low, high]: &Corners| Aabb::new(vector(*low), vector(*high));
        let is_new = self.parry.leaf_count() as usize != boxes.len();
        let (parry, workspace) = (&mut self.parry, &mut self.workspace);
        if is_new {
            let leaves = boxes.iter().map(around).enumerate();
            *parry = Bvh::from_iter(BvhBuildStrategy::Binned, leaves);
        }
        let ((), refit_ns) = timer.time(|| {
            for (corners, index) in boxes.iter().zip(0_u32..) {
                parry.insert_or_update_partially(around(corners), index, 0.0);
            }
            parry.refit(workspace);
        });
        let mut theirs = Vec::new();
        let ((), theirs_ns) = timer.time(|| {
            theirs.clear();
            parry.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
                // Boxes that touch are met as well; those do not overlap.
                if share_more_than_an_edge(&boxes[a as usize], &boxes[b as usize]) {
                    theirs.push((a.min(b), a.max(b)));
                }
            });
        });
        let (ours, ours_ns) = timer.time(|| {
            let pairs = obstacles.pairs(
                ObstacleCategories::ALL,
                ObstacleCategories::ALL,
                &mut self.pairs,
            );
            pairs.len()
        });
        theirs.sort_unstable();
        let pairs = obstacles.pairs(
            ObstacleCategories::ALL,
            ObstacleCategories::ALL,
            &mut self.pairs,
        );
        let is_same = pairs
            .iter()
            .map(|(a, b)| (a.index(), b.index()))
            .eq(theirs.iter().copied());
        let compared = (ours, usize::from(!is_same));
        self.note((name, "all pairs"), [ours_ns, theirs_ns], compared);
        let both = [update_ns + ours_ns, refit_ns + theirs_ns];
        self.note((name, "move all, all pairs"), both, (0, 0));
    }

    fn compare_queries(
        &mut self,
        obstacles: &ObstacleSet,
        boxes: &[Corners],
        update_ns: f64,
        timer: &Timer,
    ) {
        let name = "rstar 0.14";
        let boxed = |([low, high], index): (&Corners, u32)| {
            let shape = Rectangle::from_corners(numbers(*low), numbers(*high));
            Boxed::new(shape, index)
        };
        let (tree, build_ns) = timer
            .time(|| RTree::<Boxed>::bulk_load(boxes.iter().zip(0_u32..).map(boxed).collect()));
        self.note((name, "move all"), [update_ns, build_ns], (0, 0));
        let far = obstacles.bounds().high;
        let places: Vec<[i32; 2]> = (0..N_QUERIES)
            .map(|_| {
                [
                    self.rng.between(0, far.x.raw()),
                    self.rng.between(0, far.y.raw()),
                ]
            })
            .collect();
        let point = |[x, y]: [i32; 2]| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        // Edges between the lines of whole numbers: touching decides nothing.
        let far_corner = |at: [i32; 2]| at.map(|at| at + REACH);
        let our_box = |at: [i32; 2], found: &mut Vec<ObstacleId>| {
            let (low, high) = (point(at), point(far_corner(at)));
            obstacles.in_box(Aabb2 { low, high }, ObstacleCategories::ALL, found);
        };
        let their_box = |at: [i32; 2]| {
            let low = numbers(at).map(|at| at + 0.5);
            let high = numbers(far_corner(at)).map(|at| at - 0.5);
            let near = tree.locate_in_envelope_intersecting(AABB::from_corners(low, high));
            near.map(|boxed| boxed.data)
        };
        let our_disc = |at: [i32; 2], found: &mut Vec<ObstacleId>| {
            obstacles.in_disc(
                point(at),
                Fixed::from_raw(REACH),
                ObstacleCategories::ALL,
                found,
            );
        };
        let square = f64::from(REACH) * f64::from(REACH) - 0.5;
        let their_disc = |at: [i32; 2]| {
            let near = tree.locate_within_distance(numbers(at), square);
            near.map(|boxed| boxed.data)
        };
        self.compare_found((name, "box query"), &places, (our_box, their_box), timer);
        self.compare_found((name, "disc query"), &places, (our_disc, their_disc), timer);
        self.compare_nearest(obstacles, &tree, &places, timer);
    }

    /// Times and compares queries that find several obstacles.
    fn compare_found<I: Iterator<Item = u32>>(
        &mut self,
        row: (&'static str, &'static str),
        places: &[[i32; 2]],
        (ours, theirs): (
            impl Fn([i32; 2], &mut Vec<ObstacleId>),
            impl Fn([i32; 2]) -> I,
        ),
        timer: &Timer,
    ) {
        let (mut found, mut other): (Vec<ObstacleId>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut wrong = 0;
        for &at in places {
            ours(at, &mut found);
            other.clear();
            other.extend(theirs(at));
            wrong += usize::from(!are_same(&found, &mut other));
        }
        let mut sum = 0;
        let ((), ours_ns) = timer.time(|| {
            for &at in places {
                ours(at, &mut found);
                sum += found.len();
            }
        });
        let ((), theirs_ns) = timer.time(|| {
            for &at in places {
                other.clear();
                other.extend(theirs(at));
                sum += other.len();
            }
        });
        std::hint::black_box(sum);
        let each = [ours_ns, theirs_ns].map(|ns| ns / places.len() as f64);
        self.note(row, each, (places.len(), wrong));
    }

    fn compare_nearest(
        &mut self,
        obstacles: &ObstacleSet,
        tree: &RTree<Boxed>,
        places: &[[i32; 2]],
        timer: &Timer,
    ) {
        let ours = |[x, y]: [i32; 2]| {
            let at = Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
            obstacles.nearest(at, ObstacleCategories::ALL, Fixed::MAX)
        };
        let theirs = |at: [i32; 2]| tree.nearest_neighbor(numbers(at));
        // Of several equally near each may name another: how far it is decides.
        let is_wrong = |at: &&[i32; 2]| {
            let other = theirs(**at).map(|boxed| boxed.distance_2(&numbers(**at)).sqrt().floor());
            ours(**at).map(|(_, away)| f64::from(away.raw())) != other
        };
        let results = (places.len(), places.iter().filter(is_wrong).count());
        let mut n_found = 0;
        let ((), ours_ns) = timer.time(|| {
            n_found += places.iter().filter(|at| ours(**at).is_some()).count();
        });
        let ((), theirs_ns) = timer.time(|| {
            n_found += places.iter().filter(|at| theirs(**at).is_some()).count();
        });
        std::hint::black_box(n_found);
        let each = [ours_ns, theirs_ns].map(|ns| ns / places.len().max(1) as f64);
        self.note(("rstar 0.14", "nearest query"), each, results);
    }
}

/// True if both name the same; ours are sorted.
fn are_same(ours: &[ObstacleId], theirs: &mut [u32]) -> bool {
    theirs.sort_unstable();
    ours.iter().map(|id| id.index()).eq(theirs.iter().copied())
}
