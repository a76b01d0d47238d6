//! Rows of bits and their transposition.

use wayfarer_base::Rng;

use super::*;

#[test]
fn transposing_a_block_swaps_rows_and_columns() {
    let mut rng = Rng::new(3);
    let mut block = [0_u64; 64];
    for word in &mut block {
        *word = (0..64).fold(0, |bits, at| bits | u64::from(rng.chance(1, 3)) << at);
    }
    let mut transposed = block;
    transpose(&mut transposed);
    for (row, across) in block.iter().enumerate() {
        for (column, down) in transposed.iter().enumerate() {
            let (here, there) = (across >> column & 1, down >> row & 1);
            assert_eq!(here, there, "row {row}, column {column}");
        }
    }
}

#[test]
fn bits_out_of_bounds_are_opaque() {
    let mut rng = Rng::new(4);
    for case in 0..200 {
        let width = usize::try_from(rng.between(1, 200)).unwrap();
        let radius = rng.between(1, MAX_SIGHT_RADIUS);
        let ahead = rng.between(1, radius);
        let center = usize::try_from(rng.between(0, 199)).unwrap() % width;
        let bits: Vec<bool> = (0..width).map(|_| rng.chance(1, 4)).collect();
        let mut row = vec![0_u64; width.div_ceil(64)];
        for (at, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            row[at / 64] |= 1 << (at % 64);
        }
        let mut line = Line::new(radius);
        line.read(&row, center, width, ahead);
        let is_opaque = |over: i32| {
            let at = i64::try_from(center).unwrap() + i64::from(over);
            usize::try_from(at)
                .ok()
                .and_then(|at| bits.get(at))
                .is_none_or(|bit| *bit)
        };
        for from in -ahead..=ahead {
            let opaque = (from..=ahead).find(|over| is_opaque(*over));
            assert_eq!(line.next_opaque(from, ahead), opaque, "case {case}");
            if is_opaque(from) {
                let clear = (from..=ahead).find(|over| !is_opaque(*over));
                let last = clear.map_or(ahead, |clear| clear - 1);
                assert_eq!(line.last_opaque(from, ahead), last, "case {case}");
            }
        }
    }
}
