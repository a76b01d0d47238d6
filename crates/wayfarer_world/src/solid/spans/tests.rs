//! Spans against sets of voxels.

use super::*;
use wayfarer_base::Rng;

#[test]
fn spans_contain_exactly_their_voxels() {
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let voxels: Vec<Voxel> = (0..rng.below(300))
            .map(|_| Voxel::new(rng.between(-5, 5), rng.between(-4, 6), rng.between(-3, 3)))
            .collect();
        let spans = Spans::from_voxels(voxels.iter().copied());
        let mut count = 0;
        for (x, y, z) in
            (-6..=6).flat_map(|x| (-6..=7).flat_map(move |y| (-4..=4).map(move |z| (x, y, z))))
        {
            let at = Voxel::new(x, y, z);
            assert_eq!(
                spans.is_solid(at),
                voxels.contains(&at),
                "seed {seed} at {at}"
            );
            count += u64::from(voxels.contains(&at));
        }
        assert_eq!(spans.n_voxels(), count);
        assert_eq!(Spans::from_runs(spans.runs().collect()), spans);
    }
}

#[test]
fn floors_need_their_headroom() {
    // A side view: a floor, a step, a roof over both.
    let side = "
        ####
        ....
        ..#.
        ####";
    let rows: Vec<&str> = side.trim().lines().map(str::trim).collect();
    let voxels = (0..).zip(rows.iter().rev()).flat_map(|(z, row)| {
        (0..)
            .zip(row.chars())
            .filter(|(_, c)| *c == '#')
            .map(move |(x, _)| Voxel::new(x, 0, z))
    });
    let spans = Spans::from_voxels(voxels);
    let floors = |headroom| -> Vec<(i32, i32)> {
        spans
            .floors(headroom)
            .map(|cell| (cell.x, cell.z))
            .collect()
    };
    assert_eq!(
        floors(2),
        [(0, 1), (0, 4), (1, 1), (1, 4), (2, 4), (3, 1), (3, 4)]
    );
    assert_eq!(floors(1).len(), 8);
    assert_eq!(floors(3), [(0, 4), (1, 4), (2, 4), (3, 4)]);
}

#[test]
fn a_span_below_height_zero_has_a_floor_on_top() {
    let spans = Spans::from_voxels([Voxel::new(0, 0, -5)]);
    let floors: Vec<_> = spans.floors(2).collect();
    assert_eq!(floors, [Cell::new(0, 0, -4)]);
}

#[test]
fn far_apart_voxels_have_nothing_between() {
    let ends = [
        Voxel::new(0, i32::MIN, 0),
        Voxel::new(0, i32::MAX, i32::MAX),
    ];
    let spans = Spans::from_voxels(ends);
    assert_eq!(spans.bounds(), Some((Voxel::new(0, i32::MIN, 0), ends[1])));
    assert_eq!(spans.runs().count(), 2);
    assert_eq!(
        spans.floors(1).count(),
        1,
        "no floor lies above the largest coordinate"
    );
}
