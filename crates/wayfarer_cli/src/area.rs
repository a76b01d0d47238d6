//! Areas, distances, terrains and cost multipliers on the command line.

use wayfarer_engine::base::{Cell, Column, CostMultiplier, Fixed, Point2, Rect, Shape, Terrain};
use wayfarer_engine::search::ground::Area;

const EXPECTED: &str = "expected corners as in 3,4:10,8, or a center and a radius as in 5,6@2.5, \
                        and heights if not all, as in 3,4:10,8/0..2";

/// Parses `x,y:x,y` or `x,y@radius`, with an optional `/low..high` for heights.
pub(crate) fn parse(text: &str) -> Result<Area, String> {
    area(text).ok_or_else(|| EXPECTED.to_owned())
}

fn area(text: &str) -> Option<Area> {
    let (outline, heights) = match text.split_once('/') {
        None => (text, (i32::MIN, i32::MAX)),
        Some((outline, heights)) => {
            let (low, high) = heights.split_once("..").unwrap_or((heights, heights));
            (outline, (number(low)?, number(high)?))
        }
    };
    let shape = if let Some((center, radius)) = outline.split_once('@') {
        Shape::Circle {
            center: Point2::center_of(column(center)?)?,
            radius: cells(radius)?,
        }
    } else {
        let (one, other) = outline.split_once(':')?;
        Shape::Box(Rect::around(column(one)?, column(other)?))
    };
    (heights.0 <= heights.1).then_some(Area { shape, heights })
}

fn column(text: &str) -> Option<Column> {
    let (x, y) = text.split_once(',')?;
    Some(Column::new(number(x)?, number(y)?))
}

fn number(text: &str) -> Option<i32> {
    text.trim().parse().ok()
}

/// A non-negative distance in cells.
fn cells(text: &str) -> Option<Fixed> {
    let cells: f64 = text.trim().parse().ok()?;
    Fixed::from_cells(cells).filter(|cells| cells.raw() >= 0)
}

/// Parses a distance in cells.
pub(crate) fn parse_cells(text: &str) -> Result<Fixed, String> {
    cells(text).ok_or_else(|| "expected a number of cells, 0 or more, as in 2.5".to_owned())
}

/// The largest radius of an agent on the ground or in the air.
pub(crate) const MAX_RADIUS: Fixed = Fixed::from_raw(8 * Fixed::UNITS_PER_CELL);

/// Parses the radius of an agent.
pub(crate) fn parse_radius(text: &str) -> Result<Fixed, String> {
    cells(text)
        .filter(|radius| *radius <= MAX_RADIUS)
        .ok_or_else(|| "expected 0 to 8 cells, as in 1.5".to_owned())
}

/// Parses `area=multiplier`.
pub(crate) fn parse_area_cost(text: &str) -> Result<(Area, CostMultiplier), String> {
    let (area, multiplier) = text
        .rsplit_once('=')
        .ok_or_else(|| format!("{EXPECTED}; then =4 for four times the cost"))?;
    Ok((parse(area)?, parse_multiplier(multiplier)?))
}

fn parse_multiplier(text: &str) -> Result<CostMultiplier, String> {
    let wrong = || "expected a cost multiplier from 1 to 4095, in sixteenths, as in 2.5".to_owned();
    let factor: f64 = text.trim().parse().map_err(|_unread| wrong())?;
    let sixteenths = (factor * 16.0).round();
    if !(16.0..=65_520.0).contains(&sixteenths) {
        return Err(wrong());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "compared with the limits just before"
    )]
    CostMultiplier::from_sixteenths(sixteenths as u16).ok_or_else(wrong)
}

/// Parses the name or number of a terrain.
pub(crate) fn parse_terrain(text: &str) -> Result<Terrain, String> {
    let names = [
        Terrain::GROUND,
        Terrain::SWAMP,
        Terrain::WATER,
        Terrain::TREES,
    ];
    let named = names.into_iter().find(|it| it.to_string() == text.trim());
    let numbered = || Terrain::new(text.trim().parse().ok()?);
    named
        .or_else(numbered)
        .ok_or_else(|| "expected ground, swamp, water, trees or a number from 0 to 63".to_owned())
}

/// Parses `terrain=multiplier`.
pub(crate) fn parse_terrain_cost(text: &str) -> Result<(Terrain, CostMultiplier), String> {
    let (terrain, multiplier) = text
        .split_once('=')
        .ok_or_else(|| "expected a terrain and its cost multiplier, as in swamp=3".to_owned())?;
    Ok((parse_terrain(terrain)?, parse_multiplier(multiplier)?))
}

/// A cell as the command line writes it.
pub(crate) fn cell_text(Cell { x, y, z }: Cell) -> String {
    format!("{x},{y},{z}")
}

#[cfg(test)]
mod tests;
