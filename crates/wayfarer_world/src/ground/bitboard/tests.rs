//! Bitboards against operations on single cells.

use wayfarer_base::Rng;

use super::*;

fn random_board(rng: &mut Rng, per_cent: u32) -> Bitboard {
    std::array::from_fn(|_| {
        (0..16).fold(0, |row, x| row | u16::from(rng.chance(per_cent, 100)) << x)
    })
}

#[test]
fn every_cell_of_a_padded_bitboard_is_independent() {
    for y in -1..17 {
        for x in -1..17 {
            let mut plane = PaddedBitboard::default();
            plane.set(x, y, true);
            for other_y in -1..17 {
                for other_x in -1..17 {
                    assert_eq!(plane.get(other_x, other_y), (x, y) == (other_x, other_y));
                }
            }
            plane.set(x, y, false);
            assert_eq!(plane, PaddedBitboard::default());
        }
    }
}

#[test]
fn windows_rows_and_columns_agree_with_single_cells() {
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        let mut plane = PaddedBitboard::default();
        for y in -1..17 {
            for x in -1..17 {
                plane.set(x, y, rng.chance(1, 2));
            }
        }
        for y in 0..16 {
            for x in 0..16 {
                let mut window = 0;
                for (bit, (dx, dy)) in (-1..2)
                    .flat_map(|dy| (-1..2).map(move |dx| (dx, dy)))
                    .enumerate()
                {
                    window |= usize::from(plane.get(x + dx, y + dy)) << bit;
                }
                assert_eq!(plane.window(x.cast_unsigned(), y.cast_unsigned()), window);
            }
        }
        for at in -1..17 {
            let row = (0..16).fold(0, |row, x| row | u16::from(plane.get(x, at)) << x);
            assert_eq!(plane.row(at), row);
        }
        let board = random_board(&mut rng, 50);
        let border: Vec<bool> = (-1..17)
            .flat_map(|at| {
                [
                    plane.get(at, -1),
                    plane.get(at, 16),
                    plane.get(-1, at),
                    plane.get(16, at),
                ]
            })
            .collect();
        plane.set_board(&board);
        assert_eq!(plane.board(), board);
        let after: Vec<bool> = (-1..17)
            .flat_map(|at| {
                [
                    plane.get(at, -1),
                    plane.get(at, 16),
                    plane.get(-1, at),
                    plane.get(16, at),
                ]
            })
            .collect();
        assert_eq!(border, after);
    }
}

#[test]
fn transposing_moves_every_cell() {
    let mut rng = Rng::new(2);
    let board = random_board(&mut rng, 50);
    let turned = transposed(&board);
    for local in 0..=255_u8 {
        assert_eq!(has(&board, local), has(&turned, local.rotate_right(4)));
    }
}

/// Reference flood fill, one cell at a time.
fn slow_flood(seed: u8, may_step: impl Fn(u8, u8) -> bool) -> Bitboard {
    let mut reached = EMPTY;
    let mut open = vec![seed];
    while let Some(local) = open.pop() {
        if has(&reached, local) {
            continue;
        }
        put(&mut reached, local, true);
        let (x, y) = (local & 15, local >> 4);
        let next = [
            (x < 15, local.wrapping_add(1)),
            (x > 0, local.wrapping_sub(1)),
            (y < 15, local.wrapping_add(16)),
            (y > 0, local.wrapping_sub(16)),
        ];
        open.extend(
            next.iter()
                .filter(|(inside, to)| *inside && may_step(local, *to))
                .map(|(_, to)| *to),
        );
    }
    reached
}

#[test]
fn flood_fills_reach_what_single_steps_reach() {
    let mut rng = Rng::new(3);
    for round in 0..2_000 {
        let board = random_board(&mut rng, 35 + round % 60);
        let Some(seed) = first(&board) else { continue };
        let expected = slow_flood(seed, |_, to| has(&board, to));
        assert_eq!(flood_first(&board), expected);
        assert_eq!(
            count(&expected),
            u16::try_from(cells(&expected).count()).unwrap()
        );
        let east: Bitboard =
            std::array::from_fn(|y| board[y] & board[y] >> 1 & rng.next_u64() as u16);
        let south: Bitboard = std::array::from_fn(|y| {
            if y < 15 {
                board[y] & board[y + 1] & rng.next_u64() as u16
            } else {
                0
            }
        });
        let expected = slow_flood(seed, |from, to| {
            let low = from.min(to);
            if from.abs_diff(to) == 1 {
                has(&east, low)
            } else {
                has(&south, low)
            }
        });
        assert_eq!(flood_steps(seed, &east, &south), expected);
    }
}
