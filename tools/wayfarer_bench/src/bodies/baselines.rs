//! Spatial trees of other libraries on the same bodies and queries.
//!
//! Each is configured as its documentation recommends for many points that all move: `kiddo` and `rstar`
//! are rebuilt every tick, `parry2d` refits, all on one thread with 32-bit floats. Positions up to 2^24
//! units and the query range keep all relevant distances exact, so results must be equal.

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use rstar::RTree;
use rstar::primitives::GeomWithData;
use wayfarer_engine::base::Point2;

/// A structure for range queries.
pub(super) trait Registry {
    /// Its name and version.
    fn name(&self) -> &'static str;
    /// Takes the positions of a new tick.
    fn update(&mut self, places: &[Point2]);
    /// Bodies within the range, in any order, into an empty buffer.
    fn find(&self, place: Point2, found: &mut Vec<u32>);
}

/// All of them, empty.
pub(super) fn all(range: i32) -> Vec<Box<dyn Registry>> {
    let range = number(range);
    vec![
        Box::new(Kiddo {
            square: range * range,
            points: Vec::new(),
            tree: None,
        }),
        Box::new(Parry {
            range,
            points: Vec::new(),
            tree: Bvh::new(),
            workspace: BvhWorkspace::default(),
        }),
        Box::new(Rstar {
            square: range * range,
            tree: RTree::new(),
        }),
    ]
}

#[expect(
    clippy::cast_precision_loss,
    reason = "crowds live within 2^24 units, which these numbers hold exactly"
)]
fn number(raw: i32) -> f32 {
    raw as f32
}

fn pair(point: Point2) -> [f32; 2] {
    [number(point.x.raw()), number(point.y.raw())]
}

struct Kiddo {
    square: f32,
    points: Vec<[f32; 2]>,
    tree: Option<ImmutableKdTree<f32, 2>>,
}

impl Registry for Kiddo {
    fn name(&self) -> &'static str {
        "kiddo 6.3"
    }

    fn update(&mut self, places: &[Point2]) {
        self.points.clear();
        self.points.extend(places.iter().map(|&place| pair(place)));
        self.tree = ImmutableKdTree::new_from_slice(&self.points).ok();
    }

    fn find(&self, place: Point2, found: &mut Vec<u32>) {
        if let Some(tree) = &self.tree {
            tree.query(&pair(place))
                .within::<SquaredEuclidean<f32>>(self.square)
                .unsorted()
                .without_distances()
                .visit(|hit| found.push(hit.item));
        }
    }
}

struct Parry {
    range: f32,
    points: Vec<Vector>,
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl Registry for Parry {
    fn name(&self) -> &'static str {
        "parry2d 0.31"
    }

    fn update(&mut self, places: &[Point2]) {
        let vector = |&place: &Point2| Vector::from(pair(place));
        let is_new = self.points.len() != places.len();
        self.points.clear();
        self.points.extend(places.iter().map(vector));
        if is_new {
            let boxes = self.points.iter().map(|&at| Aabb::new(at, at)).enumerate();
            self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
            return;
        }
        for (&at, index) in self.points.iter().zip(0_u32..) {
            self.tree
                .insert_or_update_partially(Aabb::new(at, at), index, 0.0);
        }
        self.tree.refit(&mut self.workspace);
    }

    fn find(&self, place: Point2, found: &mut Vec<u32>) {
        let center = Vector::from(pair(place));
        let reach = Vector::splat(self.range);
        let square = BvhNode::leaf(Aabb::new(center - reach, center + reach), 0);
        let limit = self.range * self.range;
        // Its test of box against box uses wide registers; what is left is judged by distance.
        let near = self.tree.leaves(|node| node.intersects(&square));
        found.extend(near.filter(|&index| {
            let away = self.points[index as usize] - center;
            away.dot(away) <= limit
        }));
    }
}

struct Rstar {
    square: f32,
    tree: RTree<GeomWithData<[f32; 2], u32>>,
}

impl Registry for Rstar {
    fn name(&self) -> &'static str {
        "rstar 0.14"
    }

    fn update(&mut self, places: &[Point2]) {
        let point = |(&place, index)| GeomWithData::new(pair(place), index);
        self.tree = RTree::bulk_load(places.iter().zip(0_u32..).map(point).collect());
    }

    fn find(&self, place: Point2, found: &mut Vec<u32>) {
        let near = self.tree.locate_within_distance(pair(place), self.square);
        found.extend(near.map(|point| point.data));
    }
}
