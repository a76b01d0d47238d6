//! Lines of sight and fields of view.

use wayfarer_engine::base::{Column, Point2, Rect, Rng};
use wayfarer_engine::make::Generator;
use wayfarer_engine::search::sight::{FieldOfView, LineCoverage, OpacityGrid, is_clear};
use wayfarer_engine::{Position, World};

use crate::worlds::{SEED, flat};
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "sight-lines",
        what: "lines of sight over a board of columns",
        n_rounds: 16,
        set_up: Lines::set_up,
    },
    Entry {
        name: "sight-world",
        what: "lines of sight in world units, over floors",
        n_rounds: 2,
        set_up: InWorld::set_up,
    },
    Entry {
        name: "field-of-view",
        what: "all columns that are seen from a place",
        n_rounds: 4,
        set_up: ProfileIds::set_up,
    },
];

/// Cells along each side of the map.
const SIDE: i32 = 256;
/// How far a line or a view reaches, in cells.
const RADIUS: i32 = 40;

/// The board of a city.
fn board(world: &World) -> OpacityGrid {
    let most = SIDE - 1;
    let rect = Rect::around(Column::new(0, 0), Column::new(most, most));
    OpacityGrid::from_ground(world.ground(), rect, (0, 0), 0)
}

fn city() -> Result<World, Fault> {
    let map = flat(Generator::City, SIDE.unsigned_abs())?;
    Ok(World::from_raster(&map))
}

/// Lines between open columns of the board.
fn lines(board: &OpacityGrid, count: usize) -> Vec<(Column, Column)> {
    let mut rng = Rng::new(SEED);
    let line = || {
        let from = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let mut by = || rng.between(-RADIUS, RADIUS);
        (from, Column::new(from.x + by(), from.y + by()))
    };
    let open = |at: Column| board.rect().contains(at) && !board.is_opaque(at);
    std::iter::repeat_with(line)
        .filter(|(from, to)| open(*from) && open(*to))
        .take(count)
        .collect()
}

/// The same by a walk along the line.
fn sees(board: &OpacityGrid, from: Column, to: Column) -> bool {
    let ends = (Point2::center_of(from), Point2::center_of(to));
    let (Some(from), Some(to)) = ends else {
        return false;
    };
    is_clear(from, to, LineCoverage::Interior, |column| {
        !board.is_opaque(column)
    })
}

/// Lines over a board.
struct Lines {
    board: OpacityGrid,
    lines: Vec<(Column, Column)>,
    n_clear: usize,
}

impl Lines {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let board = board(&city()?);
        Ok(Box::new(Self {
            lines: lines(&board, 10_000),
            board,
            n_clear: 0,
        }))
    }
}

impl Operation for Lines {
    fn round(&mut self) -> Result<(), Fault> {
        let clear = |(from, to): &&(Column, Column)| self.board.has_line_of_sight(*from, *to);
        self.n_clear = self.lines.iter().filter(clear).count();
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        let clear = |(from, to): &&(Column, Column)| sees(&self.board, *from, *to);
        let expected = self.lines.iter().filter(clear).count();
        ensure(self.n_clear == expected, || {
            format!("{} clear, expected {expected}", self.n_clear)
        })
    }
}

/// Lines through the facade, at the height of eyes.
struct InWorld {
    world: World,
    lines: Vec<(Column, Column)>,
    n_clear: usize,
}

impl InWorld {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let world = city()?;
        Ok(Box::new(Self {
            lines: lines(&board(&world), 10_000),
            world,
            n_clear: 0,
        }))
    }
}

fn eye(at: Column) -> Position {
    Position::new(f64::from(at.x) + 0.5, f64::from(at.y) + 0.5, 1.5)
}

impl Operation for InWorld {
    fn round(&mut self) -> Result<(), Fault> {
        let clear =
            |(from, to): &&(Column, Column)| self.world.has_line_of_sight(eye(*from), eye(*to));
        self.n_clear = self.lines.iter().filter(clear).count();
        Ok(())
    }

    /// Columns without a floor block, as they do on the board.
    fn check(&mut self) -> Result<(), Fault> {
        let board = board(&self.world);
        let clear = |(from, to): &&(Column, Column)| sees(&board, *from, *to);
        let expected = self.lines.iter().filter(clear).count();
        ensure(self.n_clear == expected, || {
            format!("{} clear, expected {expected}", self.n_clear)
        })
    }
}

/// Fields of view from some columns.
struct ProfileIds {
    board: OpacityGrid,
    eyes: Vec<Column>,
    profile: FieldOfView,
    n_seen: usize,
}

impl ProfileIds {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let board = board(&city()?);
        let eyes = lines(&board, 200).into_iter().map(|(from, _)| from);
        Ok(Box::new(Self {
            eyes: eyes.collect(),
            board,
            profile: FieldOfView::default(),
            n_seen: 0,
        }))
    }
}

impl Operation for ProfileIds {
    fn round(&mut self) -> Result<(), Fault> {
        self.n_seen = 0;
        for &eye in &self.eyes {
            self.profile.compute(&self.board, eye, RADIUS);
            self.n_seen += self.profile.len();
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        ensure(self.n_seen > self.eyes.len(), || {
            "nothing is seen".to_owned()
        })?;
        for &eye in self.eyes.iter().step_by(50) {
            self.profile.compute(&self.board, eye, RADIUS);
            let low = Column::new(eye.x - RADIUS, eye.y - RADIUS);
            let rect = Rect::around(low, Column::new(eye.x + RADIUS, eye.y + RADIUS));
            for to in rect.columns() {
                let away = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
                let inside = away <= RADIUS * RADIUS && self.board.rect().contains(to);
                let expected = inside && sees(&self.board, eye, to);
                let found = self.profile.contains(to) && self.board.rect().contains(to);
                ensure(found == expected, || {
                    format!("{eye} sees {to}: {found}, expected {expected}")
                })?;
            }
        }
        Ok(())
    }
}
