//! Axis conversion of meshes, and fixtures for the mesh formats.

#![expect(clippy::float_cmp, reason = "small integers, exact in floating point")]

use wayfarer_base::{Rng, TriangleSoup};

use super::*;

/// Random triangles with coordinates that 32-bit floats represent exactly.
pub(crate) fn random_soup(seed: u64, n_vertices: u32, n_triangles: u32) -> TriangleSoup {
    let mut rng = Rng::new(seed);
    let at = |rng: &mut Rng| f64::from(rng.between(-99_999, 99_999)) / 64.0;
    let vertices = (0..n_vertices).map(|_| [at(&mut rng), at(&mut rng), at(&mut rng)]);
    let vertices = vertices.collect();
    let triangles = (0..n_triangles).map(|_| [0; 3].map(|_: u32| rng.below(n_vertices)));
    TriangleSoup::new(vertices, triangles.collect()).unwrap()
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
fn converting_axes_twice_is_the_identity() {
    for up in [Up::Y, Up::Z] {
        let vertex = [1.0, 2.0, 3.0];
        assert_eq!(up.convert(up.convert(vertex)), vertex);
    }
    assert_eq!(Up::Y.convert([1.0, 2.0, 3.0]), [1.0, 3.0, 2.0]);
    assert_eq!(Up::Z.convert([1.0, 2.0, 3.0]), [1.0, -2.0, 3.0]);
}

#[test]
fn scales_that_are_not_positive_and_finite_are_rejected() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(MeshOptions::new(Up::Y, scale), None);
    }
    let huge = MeshOptions::new(Up::Y, 1e300).unwrap();
    assert_eq!(huge.convert([1e300, 0.0, 0.0]), None);
}

#[test]
fn axis_names_read_back_unchanged() {
    for up in [Up::Y, Up::Z] {
        assert_eq!(up.to_string().parse(), Ok(up));
    }
    assert_eq!(
        "x".parse::<Up>().unwrap_err().to_string(),
        "expected y or z as the axis that points up, found `x`"
    );
}
