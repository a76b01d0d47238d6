//! Worlds and rasters from ASCII drawings.
//!
//! | letter | cell |
//! |---|---|
//! | `#` or `@` | empty |
//! | `.` or `G` | ground |
//! | `S` `W` `T` | swamp, water, trees |
//! | `a` to `z` | terrains 4 to 29 |
//! | `0` to `9` | ground at this height above the layer (not in rasters) |
//!
//! Rows run from north to south, letters from west to east. Empty lines, blanks around a row and
//! lines that begin with `;` are skipped. A world has one or more layers, each below a line
//! `= HEIGHT` or `= HEIGHT at X,Y`: the height of its `.` and the column of its first letter, (0,
//! 0) by default. Letters before the first such line form a layer at height 0. Layers may overlap;
//! of two floors in the same cell the later applies.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, Cost, LinkDirection, LinkState, NavLink, NavLinkKind, Raster, Terrain, Wall,
    WallSide, WorldData,
};

/// The raster of a drawing; short rows are padded with empty cells.
///
/// ```
/// use wayfarer_base::Terrain;
/// let map = wayfarer_testkit::ascii::raster("
///     .#S
///     ..W
/// ");
/// assert_eq!((map.width(), map.height()), (3, 2));
/// assert_eq!(map.get(1, 0), None);
/// assert_eq!(map.get(2, 0), Some(Terrain::SWAMP));
/// ```
///
/// # Panics
/// On an undefined letter: a defect of the test.
pub fn raster(drawing: &str) -> Raster {
    let rows: Vec<&str> = rows(drawing).collect();
    let width = rows
        .iter()
        .map(|row| row.chars().count())
        .max()
        .unwrap_or(0);
    let size = |n: usize| u32::try_from(n).expect("a drawing is small");
    let mut raster = Raster::new(size(width), size(rows.len())).expect("a drawing is small");
    for (y, row) in (0..).zip(&rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            raster.set(
                x,
                y,
                terrain(letter).unwrap_or_else(|| invalid_letter(letter, x, y)),
            );
        }
    }
    raster
}

/// The world of a drawing, for [`wayfarer_base::Profile::DEFAULT`].
///
/// ```
/// use wayfarer_base::{Cell, Terrain};
/// let data = wayfarer_testkit::ascii::world("
///     ..12
///     = 5 at -1,0
///     S
/// ");
/// assert!(data.cells.contains(&(Cell::new(3, 0, 2), Terrain::GROUND)));
/// assert!(data.cells.contains(&(Cell::new(-1, 0, 5), Terrain::SWAMP)));
/// ```
///
/// # Panics
/// On an undefined letter or an invalid layer line: a defect of the test.
pub fn world(drawing: &str) -> WorldData {
    let mut cells = BTreeMap::new();
    let (mut base, mut low) = (0, Column::new(0, 0));
    let mut y = 0;
    for row in rows(drawing) {
        if let Some(line) = row.strip_prefix('=') {
            (base, low) = layer(line).unwrap_or_else(|| panic!("invalid layer line: `{row}`"));
            y = 0;
            continue;
        }
        for (x, letter) in (0..).zip(row.chars()) {
            let column = Column::new(low.x + x, low.y + y);
            if let Some(height) = letter.to_digit(10) {
                let height = i32::try_from(height).expect("a digit is small");
                cells.insert(column.at(base + height), Terrain::GROUND);
            } else if let Some(terrain) =
                terrain(letter).unwrap_or_else(|| invalid_letter(letter, x, y))
            {
                cells.insert(column.at(base), terrain);
            }
        }
        y += 1;
    }
    WorldData {
        cells: cells.into_iter().collect(),
        ..WorldData::default()
    }
}

/// The thin wall between two 4-neighbors, in either order.
///
/// # Panics
/// If the cells are not 4-neighbors: a defect of the test.
pub fn wall_between(a: Cell, b: Cell) -> Wall {
    let (first, second) = if (a.x, a.y) <= (b.x, b.y) {
        (a, b)
    } else {
        (b, a)
    };
    let side = match (second.x - first.x, second.y - first.y) {
        (1, 0) => WallSide::East,
        (0, 1) => WallSide::South,
        _ => panic!("{a} and {b} are not 4-neighbors"),
    };
    Wall { cell: first, side }
}

/// An open bidirectional nav link that costs `units`.
pub fn nav_link(kind: NavLinkKind, from: Cell, to: Cell, units: u32) -> NavLink {
    NavLink {
        from,
        to,
        kind,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_units(units),
        state: LinkState::Open,
    }
}

/// An open one-way nav link that costs `units`.
pub fn one_way(kind: NavLinkKind, from: Cell, to: Cell, units: u32) -> NavLink {
    NavLink {
        direction: LinkDirection::OneWay,
        ..nav_link(kind, from, to, units)
    }
}

/// A door between two 4-neighbors: the thin wall, and the nav link through it at the cost of a
/// straight step.
///
/// # Panics
/// If the cells are not 4-neighbors: a defect of the test.
pub fn door(from: Cell, to: Cell, state: LinkState) -> (Wall, NavLink) {
    let nav_link = nav_link(NavLinkKind::Door, from, to, 1463);
    (wall_between(from, to), NavLink { state, ..nav_link })
}

/// The cell of a letter: `None` if undefined, `Some(None)` if empty.
fn terrain(letter: char) -> Option<Option<Terrain>> {
    let number = match letter {
        '#' | '@' => return Some(None),
        '.' | 'G' => 0,
        'S' => 1,
        'W' => 2,
        'T' => 3,
        'a'..='z' => u8::try_from(letter).ok()? - b'a' + 4,
        _ => return None,
    };
    Some(Terrain::new(number))
}

fn rows(drawing: &str) -> impl Iterator<Item = &str> {
    let rows = drawing.lines().map(str::trim);
    rows.filter(|row| !row.is_empty() && !row.starts_with(';'))
}

fn layer(line: &str) -> Option<(i32, Column)> {
    let mut words = line.split_whitespace();
    let base = words.next()?.parse().ok()?;
    let low = match words.next() {
        None => Column::new(0, 0),
        Some("at") => {
            let (x, y) = words.next()?.split_once(',')?;
            Column::new(x.parse().ok()?, y.parse().ok()?)
        }
        Some(_) => return None,
    };
    words.next().is_none().then_some((base, low))
}

fn invalid_letter(letter: char, x: i32, y: i32) -> ! {
    panic!("letter `{letter}` at column {x} of row {y} is undefined")
}

#[cfg(test)]
mod tests;
