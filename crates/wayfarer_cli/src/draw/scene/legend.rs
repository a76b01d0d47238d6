//! The scale and the legend below the picture.

use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::picture::{Mark, Picture, SliceContent};

use super::super::color::{self, Color};
use super::{GAP, Grid, Item, MARGIN, Scene, text_width};

const CAPITAL: f64 = 9.0;
const ROW: u32 = 24;
const SWATCH: f64 = 16.0;

/// The symbol beside a name.
#[derive(Clone, Copy)]
enum Swatch {
    Cell(Color),
    Shades(Color, Color),
    Line(Color),
    Disc(Color),
}

/// Appends the scale and the legend; the scene grows by their height.
pub(super) fn draw(scene: &mut Scene, picture: &Picture, grid: &Grid, several: bool) {
    scene.height += GAP;
    scale(scene, grid);
    let (left, right) = (f64::from(MARGIN), f64::from(scene.width - MARGIN));
    let mut x = left;
    for (name, swatch) in entries(picture, several) {
        let width = SWATCH + 8.0 + text_width(&name, CAPITAL) + 18.0;
        if x + width - 18.0 > right && x > left {
            x = left;
            scene.height += ROW;
        }
        let y = f64::from(scene.height);
        swatch.draw(scene, (x, y));
        scene.text((x + SWATCH + 8.0, y + 3.5), CAPITAL, name);
        x += width;
    }
    scene.height += ROW + MARGIN / 2;
}

fn scale(scene: &mut Scene, grid: &Grid) {
    let room = f64::from(grid.panel_size().0) * 0.4;
    let fits = |cells: &u32| grid.zoom.pixels(f64::from(*cells)) <= room.min(240.0);
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|n| n * 10_u32.pow(power)));
    let Some(cells) = steps.take_while(fits).last() else {
        return;
    };
    let (left, y) = (f64::from(MARGIN), f64::from(scene.height) + 8.0);
    let right = left + grid.zoom.pixels(cells.into());
    for points in [
        vec![(left, y), (right, y)],
        vec![(left, y - 4.0), (left, y + 4.0)],
        vec![(right, y - 4.0), (right, y + 4.0)],
    ] {
        scene.items.push(Item::Line {
            points,
            width: 1.6,
            color: color::ink(),
        });
    }
    let unit = if cells == 1 { "cell" } else { "cells" };
    scene.text((right + 10.0, y - 4.5), CAPITAL, format!("{cells} {unit}"));
    scene.height += ROW + 4;
}

/// Names in the order of their first marks, each once.
fn entries(picture: &Picture, several: bool) -> Vec<(String, Swatch)> {
    let mut seen: OrderedMap<String, ()> = OrderedMap::new();
    let mut list = Vec::new();
    let heights = picture.heights();
    let flat = heights.is_none_or(|(low, high)| low == high);
    for mark in picture.marks() {
        let Some(swatch) = swatch(mark, flat) else {
            continue;
        };
        let name = mark.name();
        if seen.insert(name.clone(), ()).is_none() {
            list.push((order(mark), name, swatch));
        }
    }
    // Octree nodes by size, the rest in order of appearance.
    list.sort_by_key(|(order, ..)| *order);
    let mut list: Vec<(String, Swatch)> = list
        .into_iter()
        .map(|(_, name, swatch)| (name, swatch))
        .collect();
    let floors = picture.marks().iter().filter_map(|mark| match mark {
        Mark::Ground { length, .. } => Some(u64::from(*length)),
        _ => None,
    });
    let (n_floors, bounds) = (floors.sum::<u64>(), picture.bounds());
    let n_columns = u64::from(bounds.width()) * u64::from(bounds.height());
    let nothing = color::nothing(several);
    if n_floors > 0 && (several || n_floors < n_columns) {
        list.push(("no floor".to_owned(), Swatch::Cell(nothing)));
    }
    if n_floors > 0 && several {
        let ground = color::ground(wayfarer_engine::base::Terrain::GROUND, 0.7);
        let faded = Swatch::Cell(nothing.towards(ground, color::FADED));
        list.push(("band below".to_owned(), faded));
    }
    let is_cut = |mark: &Mark| matches!(mark, Mark::Slice { .. });
    let cut = picture.marks().iter().any(is_cut);
    if n_floors == 0 && !cut && seen.contains_key("solid") {
        list.push(("free".to_owned(), Swatch::Cell(nothing)));
    }
    if let (false, Some((low, high))) = (flat, heights) {
        let shades = if cut || seen.contains_key("solid") || seen.contains_key("mesh") {
            Swatch::Shades(color::solid(0.0), color::solid(1.0))
        } else {
            let ground = wayfarer_engine::base::Terrain::GROUND;
            Swatch::Shades(color::ground(ground, 0.0), color::ground(ground, 1.0))
        };
        let seen = picture.marks().iter().find_map(|mark| match mark {
            Mark::Slice {
                what: SliceContent::Seen { axis },
                ..
            } => Some(axis.name()),
            _ => None,
        });
        let what = seen.unwrap_or("height");
        list.push((format!("{what} {low} to {high}"), shades));
    }
    list
}

/// The rank of a mark in the legend.
fn order(mark: &Mark) -> u8 {
    match mark {
        Mark::Slice {
            what: SliceContent::Free { layer },
            ..
        } => layer.saturating_add(1),
        Mark::Slice {
            what: SliceContent::Component { number },
            ..
        } => u8::from(*number > 0) + 1,
        _ => 0,
    }
}

fn swatch(mark: &Mark, flat: bool) -> Option<Swatch> {
    let swatch = match mark {
        Mark::Ground { terrain, .. } => {
            Swatch::Cell(color::ground(*terrain, if flat { 1.0 } else { 0.7 }))
        }
        Mark::Solid { .. } | Mark::Triangle { .. } => Swatch::Cell(color::solid(0.5)),
        Mark::Slice {
            what: SliceContent::Component { number },
            ..
        } if *number > 0 => Swatch::Shades(color::number(1), color::number(2)),
        Mark::Slice { what, .. } => Swatch::Cell(color::cut(*what, 0.6)),
        Mark::Wall(_) => Swatch::Line(color::wall()),
        Mark::NavLink { kind, is_open, .. } => Swatch::Disc(color::nav_link(*kind, *is_open)),
        Mark::SectorLine(_) => Swatch::Line(color::sector()),
        Mark::Region { .. } | Mark::Component { .. } => {
            Swatch::Shades(color::number(0), color::number(1))
        }
        Mark::Portal { .. } => Swatch::Line(color::portal()),
        Mark::Edge { .. } => Swatch::Line(color::edge()),
        Mark::Center(_) => Swatch::Disc(color::center()),
        Mark::AbstractPath { .. } => Swatch::Line(color::abstract_path()),
        Mark::Segment { number, .. } => Swatch::Line(color::segment(*number)),
        Mark::Expanded { .. } => Swatch::Shades(
            color::expanded(0.0).thin(1.0),
            color::expanded(1.0).thin(1.0),
        ),
        Mark::Explored { .. } | Mark::Influence { .. } => Swatch::Shades(
            color::explored(0.0).thin(1.0),
            color::explored(1.0).thin(1.0),
        ),
        Mark::Path { .. } => Swatch::Line(color::path()),
        Mark::Smoothed { .. } => Swatch::Line(color::smoothed()),
        Mark::Start(_) => Swatch::Disc(color::start()),
        Mark::Goal(_) => Swatch::Disc(color::goal()),
        Mark::Footprint { .. } => Swatch::Cell(color::footprint()),
        Mark::Zone { kind, .. } => Swatch::Cell(color::zone(*kind)),
        Mark::GridBin { is_inside, .. } => Swatch::Cell(color::grid_bin(*is_inside)),
        Mark::Outline { .. } => Swatch::Line(color::outline()),
        Mark::InSight { .. } => Swatch::Cell(color::in_sight()),
        Mark::Body { role, .. } => Swatch::Disc(color::body(*role)),
        Mark::Obstacle { categories, .. } => Swatch::Cell(color::obstacle(*categories)),
        Mark::SearchedQuad { .. } => {
            Swatch::Shades(color::searched_quad(0.0), color::searched_quad(1.0))
        }
        Mark::Corner { .. } => Swatch::Disc(color::corner()),
        Mark::Quad { is_free, .. } => Swatch::Line(color::quad(*is_free).thin(1.0)),
        _ => return None,
    };
    Some(swatch)
}

impl Swatch {
    fn draw(self, scene: &mut Scene, (x, y): (f64, f64)) {
        let area = |left, width, color| Item::Area {
            left,
            top: y + 1.0,
            width,
            height: 14.0,
            color,
        };
        match self {
            Self::Cell(color) => {
                scene
                    .items
                    .push(area(x - 1.0, SWATCH + 2.0, color::ink().thin(0.25)));
                scene.items.push(Item::Area {
                    left: x,
                    top: y + 2.0,
                    width: SWATCH,
                    height: 12.0,
                    color,
                });
            }
            Self::Shades(from, to) => {
                for step in 0..8_u8 {
                    let color = from.towards(to, f32::from(step) / 7.0);
                    let left = x + f64::from(step) * SWATCH / 8.0;
                    scene.items.push(area(left, SWATCH / 8.0, color));
                }
            }
            Self::Line(color) => scene.items.push(Item::Line {
                points: vec![(x, y + 8.0), (x + SWATCH, y + 8.0)],
                width: 3.0,
                color,
            }),
            Self::Disc(color) => scene.items.push(Item::Disc {
                center: (x + SWATCH / 2.0, y + 8.0),
                radius: 6.0,
                color,
            }),
        }
    }
}
