//! Who is near whom, who is in a cone or a line of fire, and when two that move meet, one by one.
//!
//! Positions are f64, in cells or any other unit; edges belong to what they bound. Results are
//! right to a few times 1e-12 of the numbers involved, so hold an engine to them only where
//! nothing lies that close to an edge.

/// A position: x east, y south.
pub type Spot = (f64, f64);

fn minus(a: Spot, b: Spot) -> Spot {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Spot, b: Spot) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

/// The distance between two positions.
pub fn distance(a: Spot, b: Spot) -> f64 {
    let away = minus(a, b);
    dot(away, away).sqrt()
}

/// The numbers of all `spots` at most `range` from `at`, in order.
pub fn within(spots: &[Spot], at: Spot, range: f64) -> Vec<usize> {
    (0..spots.len())
        .filter(|&index| distance(spots[index], at) <= range)
        .collect()
}

/// The numbers of every two of `spots` at most `range` apart, lesser first, in order.
pub fn pairs_within(spots: &[Spot], range: f64) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for a in 0..spots.len() {
        for b in a + 1..spots.len() {
            if distance(spots[a], spots[b]) <= range {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// The numbers of the `n` of `spots` nearest to `at`, nearest first, of equals the lesser number.
pub fn nearest(spots: &[Spot], at: Spot, n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..spots.len()).collect();
    numbers.sort_by(|&a, &b| distance(spots[a], at).total_cmp(&distance(spots[b], at)));
    numbers.truncate(n);
    numbers
}

/// True if `at` lies in the wedge with this tip and reach that opens from the direction `left`
/// clockwise on the map (y south) to `right`; equal directions make a single ray.
///
/// ```
/// use wayfarer_testkit::ranges::in_wedge;
/// let (east, south) = ((1.0, 0.0), (0.0, 1.0));
/// assert!(in_wedge((0.0, 0.0), 5.0, east, south, (3.0, 3.0)));
/// assert!(!in_wedge((0.0, 0.0), 5.0, south, east, (3.0, 3.0)));
/// assert!(!in_wedge((0.0, 0.0), 4.0, east, south, (3.0, 3.0)));
/// ```
pub fn in_wedge(tip: Spot, reach: f64, left: Spot, right: Spot, at: Spot) -> bool {
    let away = minus(at, tip);
    if dot(away, away) == 0.0 {
        return reach >= 0.0;
    }
    distance(tip, at) <= reach && turn(left, away) <= turn(left, right) + 1e-12
}

/// How far one turns clockwise on the map from `from` to face `to`, 0 to below a full turn, in
/// radians; what is within 1e-12 of a full turn is none.
#[expect(
    clippy::disallowed_methods,
    reason = "an oracle in tests: the plainest way to say an angle, and no result of the engine"
)]
fn turn(from: Spot, to: Spot) -> f64 {
    let beside = from.0 * to.1 - from.1 * to.0;
    let angle = f64::atan2(beside, dot(from, to));
    let full = 2.0 * std::f64::consts::PI;
    let angle = if angle < 0.0 { angle + full } else { angle };
    if angle > full - 1e-12 { 0.0 } else { angle }
}

/// The distance from `at` to the nearest point of the segment.
pub fn distance_to_segment(from: Spot, to: Spot, at: Spot) -> f64 {
    let (along, away) = (minus(to, from), minus(at, from));
    let length = dot(along, along);
    let share = if length > 0.0 {
        (dot(away, along) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    distance((from.0 + along.0 * share, from.1 + along.1 * share), at)
}

/// True if `at` lies in the capsule: at most `radius` from the segment.
pub fn in_capsule(from: Spot, to: Spot, radius: f64, at: Spot) -> bool {
    distance_to_segment(from, to, at) <= radius
}

/// The distance from `at` to the nearest point of the box, 0 inside.
pub fn distance_to_box(low: Spot, high: Spot, at: Spot) -> f64 {
    let nearest = (at.0.clamp(low.0, high.0), at.1.clamp(low.1, high.1));
    distance(nearest, at)
}

/// From when to when two things touch within a tick: 0 is its beginning, 1 its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contact {
    /// When they first touch; 0 if they touch from the beginning.
    pub enters: f64,
    /// When they last touch; 1 if they touch at the end.
    pub leaves: f64,
}

/// When a point that moves evenly from `from` to `to` within a tick is at most `radius` from
/// `centre`; `None` if never.
///
/// ```
/// use wayfarer_testkit::ranges::sweep;
/// let contact = sweep((0.0, 0.0), (8.0, 0.0), (4.0, 0.0), 2.0).unwrap();
/// assert_eq!((contact.enters, contact.leaves), (0.25, 0.75));
/// assert_eq!(sweep((0.0, 0.0), (8.0, 0.0), (4.0, 3.0), 2.0), None);
/// ```
pub fn sweep(from: Spot, to: Spot, centre: Spot, radius: f64) -> Option<Contact> {
    // |start + t along| <= radius is a t^2 + 2 b t + c <= 0.
    let (start, along) = (minus(from, centre), minus(to, from));
    let (a, b) = (dot(along, along), dot(start, along));
    let c = dot(start, start) - radius * radius;
    if radius < 0.0 {
        return None;
    }
    if a == 0.0 {
        let whole = Contact {
            enters: 0.0,
            leaves: 1.0,
        };
        return (c <= 0.0).then_some(whole);
    }
    let under = b * b - a * c;
    if under < 0.0 {
        return None;
    }
    let (first, last) = ((-b - under.sqrt()) / a, (-b + under.sqrt()) / a);
    (first <= 1.0 && last >= 0.0).then_some(Contact {
        enters: first.max(0.0),
        leaves: last.min(1.0),
    })
}

/// When two points that both move evenly within a tick, each given by where it begins and ends,
/// are at most `range` apart; `None` if never.
pub fn sweep_both(a: (Spot, Spot), b: (Spot, Spot), range: f64) -> Option<Contact> {
    // As seen from the second, which then stands still.
    let seen = (minus(a.0, b.0), minus(a.1, b.1));
    sweep(seen.0, seen.1, (0.0, 0.0), range)
}

/// The first and the last of `n_samples` even moments of a tick, 0 and 1 among them, at which
/// `touches` says so; `None` if at none. At least 2 samples are taken. What touches between two
/// samples only is missed.
pub fn sampled(n_samples: u32, touches: impl Fn(f64) -> bool) -> Option<Contact> {
    let last = n_samples.max(2) - 1;
    let moments = (0..=last).map(|sample| f64::from(sample) / f64::from(last));
    let touching: Vec<f64> = moments.filter(|&moment| touches(moment)).collect();
    Some(Contact {
        enters: *touching.first()?,
        leaves: *touching.last()?,
    })
}

/// Where something that moves evenly from `from` to `to` is at `moment`, 0 to 1.
pub fn on_the_way(from: Spot, to: Spot, moment: f64) -> Spot {
    let along = minus(to, from);
    (from.0 + along.0 * moment, from.1 + along.1 * moment)
}

#[cfg(test)]
mod tests;
