//! Lines of sight and fields of view on a grid of 512 x 512.

use wayfarer_engine::base::{Column, Point2, Rect, Rng};
use wayfarer_engine::search::sight::{FieldOfView, LineCoverage, OpacityGrid, is_clear};
use wayfarer_measure::clock::Timer;

use super::SightRow;

const SIDE: i32 = 512;
const N_LINES: usize = 20_000;
const N_FIELDS_OF_VIEW: usize = 100;
const RADIUS: i32 = 50;
/// Runs of each; the best counts.
const RUNS: usize = 5;

pub(super) fn measure(timer: &Timer) -> Vec<SightRow> {
    [0, 2, 10, 30]
        .into_iter()
        .map(|percent| one_board(timer, percent))
        .collect()
}

fn one_board(timer: &Timer, opaque_percent: u32) -> SightRow {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(SIDE - 1, SIDE - 1),
    };
    let mut rng = Rng::new(51);
    let mut board = OpacityGrid::open(rect);
    for column in rect.columns() {
        board.set_opaque(column, rng.chance(opaque_percent, 100));
    }
    let lines: Vec<(Column, Column)> = std::iter::repeat_with(|| some_line(&mut rng))
        .filter(|(from, to)| !board.is_opaque(*from) && !board.is_opaque(*to))
        .take(N_LINES)
        .collect();
    let eyes: Vec<Column> = lines
        .iter()
        .map(|(from, _)| *from)
        .take(N_FIELDS_OF_VIEW)
        .collect();
    let (mut line_ns, mut profile_ns) = (f64::MAX, f64::MAX);
    let (mut n_clear, mut n_seen) = (0, 0);
    let mut fov = FieldOfView::default();
    for _ in 0..RUNS {
        let (clear, time) = timer.time(|| {
            let is_clear = |(from, to): &&(Column, Column)| board.has_line_of_sight(*from, *to);
            lines.iter().filter(is_clear).count()
        });
        n_clear = clear;
        line_ns = line_ns.min(time);
        let (seen, time) = timer.time(|| {
            let look = |&eye: &Column| {
                fov.compute(&board, eye, RADIUS);
                fov.len()
            };
            eyes.iter().map(look).sum::<usize>()
        });
        n_seen = seen;
        profile_ns = profile_ns.min(time);
    }
    SightRow {
        opaque_percent,
        line_ns: line_ns / N_LINES as f64,
        clear_fraction: n_clear as f64 / N_LINES as f64,
        field_of_view_us: profile_ns / N_FIELDS_OF_VIEW as f64 / 1e3,
        seen: n_seen as f64 / N_FIELDS_OF_VIEW as f64,
        wrong: wrong_results(&board, &lines, &eyes),
    }
}

/// A line of 50 cells, 49 or 51 at times, in any direction.
fn some_line(rng: &mut Rng) -> (Column, Column) {
    loop {
        let from = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let (x, y) = (rng.between(-50, 50), rng.between(-50, 50));
        let to = Column::new(from.x + x, from.y + y);
        let is_inside = |at: i32| (0..SIDE).contains(&at);
        if (49 * 49..=51 * 51).contains(&(x * x + y * y)) && is_inside(to.x) && is_inside(to.y) {
            return (from, to);
        }
    }
}

fn wrong_results(board: &OpacityGrid, lines: &[(Column, Column)], eyes: &[Column]) -> usize {
    let sees = |from: Column, to: Column| {
        let ends = (Point2::center_of(from), Point2::center_of(to));
        let (Some(from), Some(to)) = ends else {
            return false;
        };
        is_clear(from, to, LineCoverage::Interior, |column| {
            !board.is_opaque(column)
        })
    };
    let some = lines.iter().step_by(20);
    let wrong_lines =
        some.filter(|(from, to)| board.has_line_of_sight(*from, *to) != sees(*from, *to));
    let mut fov = FieldOfView::default();
    let mut wrong_profiles = 0;
    for &eye in eyes.iter().take(2) {
        fov.compute(board, eye, RADIUS);
        let rect = Rect {
            low: Column::new(eye.x - RADIUS, eye.y - RADIUS),
            high: Column::new(eye.x + RADIUS, eye.y + RADIUS),
        };
        let is_wrong = rect.columns().any(|to| {
            let away = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
            let expected = away <= RADIUS * RADIUS && sees(eye, to);
            fov.contains(to) != expected
        });
        wrong_profiles += usize::from(is_wrong);
    }
    wrong_lines.count() + wrong_profiles
}
