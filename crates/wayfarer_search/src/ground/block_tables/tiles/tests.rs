//! Tiles against squares of costs, with everything that does not fit 16 bits.

use wayfarer_base::Rng;

use super::*;

/// A random metric-like square: costs around `spread`, some without a path.
fn square(rng: &mut Rng, n: usize, spread: u32, is_symmetric: bool) -> Vec<i32> {
    let stride = padded(n);
    let mut entries = vec![INFINITE; n * stride];
    for i in 0..n {
        for j in 0..n {
            let is_mirror = is_symmetric && j < i;
            entries[i * stride + j] = match (i == j, is_mirror, rng.chance(1, 30)) {
                (true, _, _) => 0,
                (_, true, _) => entries[j * stride + i],
                (_, _, true) => INFINITE,
                _ => rng.below(spread).cast_signed(),
            };
        }
    }
    entries
}

fn case(rng: &mut Rng) -> (usize, bool, Vec<i32>) {
    let n = 1 + rng.below(40) as usize;
    let spread = [200, 60_000, 70_000, 1 << 20, 1 << 29][rng.below(5) as usize];
    let is_symmetric = rng.chance(1, 2);
    (n, is_symmetric, square(rng, n, spread, is_symmetric))
}

#[test]
fn a_packed_table_has_the_costs_of_its_square() {
    let mut rng = Rng::new(5);
    let mut table = TileTable::default();
    for _ in 0..500 {
        let (n, is_symmetric, entries) = case(&mut rng);
        table.pack(&entries, n, is_symmetric);
        let mut unpacked = Vec::new();
        table.unpack(&mut unpacked);
        assert_eq!(unpacked, entries, "{n} cells");
        for i in 0..n {
            for j in 0..n {
                assert_eq!(
                    table.entry(i, j),
                    entries[i * padded(n) + j],
                    "{i} to {j} of {n}"
                );
            }
        }
    }
}

#[test]
fn relaxing_tiles_lowers_known_costs_as_rows_of_the_square_do() {
    let mut rng = Rng::new(6);
    let (mut table, mut highest) = (TileTable::default(), Vec::new());
    let mut n_lowered = 0;
    for round in 0..2_000 {
        let (n, is_symmetric, entries) = case(&mut rng);
        table.pack(&entries, n, is_symmetric);
        let stride = padded(n);
        let mut known = vec![INFINITE; stride];
        let mut marks = vec![0_u64; n.div_ceil(64)];
        let range = [500, 100_000, 1 << 29][rng.below(3) as usize];
        for (i, known) in known.iter_mut().take(n).enumerate() {
            if rng.chance(2, 3) {
                *known = rng.below(range).cast_signed();
                marks[i / 64] |= u64::from(rng.chance(1, 2)) << (i % 64);
            }
        }
        for direction in [FloodDirection::From, FloodDirection::To] {
            // Row by row, without those that another row reaches as cheaply.
            let (mut wanted, mut n_wanted) = (vec![INFINITE; n], 0);
            for i in (0..n).filter(|i| marks[i / 64] >> (i % 64) & 1 == 1) {
                if wanted[i] <= known[i] {
                    continue;
                }
                n_wanted += 1;
                for (j, wanted) in wanted.iter_mut().enumerate() {
                    let entry = match direction {
                        FloodDirection::From => entries[i * stride + j],
                        FloodDirection::To => entries[j * stride + i],
                    };
                    *wanted = (*wanted).min(known[i] + entry);
                }
            }
            let mut best = vec![INFINITE; stride];
            let n_rows = table.relax(direction, &marks, &known, &mut best, &mut highest);
            assert_eq!(n_rows, n_wanted, "round {round}");
            for j in 0..n {
                let [lowered, wanted] = [best[j], wanted[j]].map(|it| it.min(known[j]));
                assert_eq!(lowered, wanted, "round {round}: cell {j} of {n}");
                n_lowered += u32::from(lowered < known[j]);
            }
        }
    }
    assert!(n_lowered > 5_000, "{n_lowered} cells lowered");
}
