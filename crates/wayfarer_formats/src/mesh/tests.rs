#![expect(
    clippy::float_cmp,
    reason = "small whole numbers, which floats hold exactly"
)]

use wayfarer_base::{Rng, TriangleSoup};

use super::*;

/// Triangles of chance, with coordinates that 32-bit floats hold exactly.
pub(crate) fn any_soup(seed: u64, n_corners: u32, n_triangles: u32) -> TriangleSoup {
    let mut rng = Rng::new(seed);
    let at = |rng: &mut Rng| f64::from(rng.between(-99_999, 99_999)) / 64.0;
    let corners = (0..n_corners).map(|_| [at(&mut rng), at(&mut rng), at(&mut rng)]);
    let corners = corners.collect();
    let triangles = (0..n_triangles).map(|_| [0; 3].map(|_: u32| rng.below(n_corners)));
    TriangleSoup::new(corners, triangles.collect()).unwrap()
}

/// The cross product of a triangle's first two edges.
pub(crate) fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

#[test]
fn turning_twice_changes_nothing() {
    for up in [Up::Y, Up::Z] {
        let corner = [1.0, 2.0, 3.0];
        assert_eq!(up.turn(up.turn(corner)), corner);
    }
    assert_eq!(Up::Y.turn([1.0, 2.0, 3.0]), [1.0, 3.0, 2.0]);
    assert_eq!(Up::Z.turn([1.0, 2.0, 3.0]), [1.0, -2.0, 3.0]);
}

#[test]
fn scales_that_make_no_sense_are_refused() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(MeshOptions::new(Up::Y, scale), None);
    }
    let huge = MeshOptions::new(Up::Y, 1e300).unwrap();
    assert_eq!(huge.corner([1e300, 0.0, 0.0]), None);
}

#[test]
fn axes_are_read_back_as_they_were_written() {
    for up in [Up::Y, Up::Z] {
        assert_eq!(up.to_string().parse(), Ok(up));
    }
    assert_eq!(
        "x".parse::<Up>().unwrap_err().to_string(),
        "expected y or z as the axis that points up, found `x`"
    );
}
