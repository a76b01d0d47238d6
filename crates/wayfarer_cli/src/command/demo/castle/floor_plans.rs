//! The castle in one picture: from above, the floors of the building one by one, and from the
//! south, with agents, paths and fields of view.

use wayfarer_engine::base::{Cell, Column, Location, Voxel};
use wayfarer_engine::{Path, PathLeg, Position};

use crate::castle::agents::Role;
use crate::castle::site::{BUILDING, DEPTH, FLOORS, TOP, WALL, WIDTH};
use crate::castle::{Castle, CastleReport};
use crate::draw::{Color, Item, Scene, paper};

mod agents;
mod walls;

use agents::{agents, color_of, disc, figure, paths, polyline};
use walls::{ground, is_inside, is_wall};

const MARGIN: f64 = 28.0;
const GAP: f64 = 26.0;
const TITLE: f64 = 62.0;
const CAPTION: f64 = 22.0;
/// Pixels per cell of the large plan and of the floors.
const LARGE: u32 = 12;
const SMALL: u32 = 14;
/// Columns shown around the building.
const AROUND: i32 = 1;

/// One height band from above.
struct Panel {
    left: f64,
    top: f64,
    first: Column,
    last: Column,
    zoom: u32,
    /// Heights of its floor and of its ceiling.
    floor: i32,
    ceiling: i32,
    /// True for the plan of the whole castle.
    is_site: bool,
}

impl Panel {
    fn width(&self) -> u32 {
        (self.last.x - self.first.x + 1).unsigned_abs() * self.zoom
    }

    fn height(&self) -> u32 {
        (self.last.y - self.first.y + 1).unsigned_abs() * self.zoom
    }

    /// A position in the picture.
    fn point(&self, at: Position) -> (f64, f64) {
        let [x, y, _] = at.units();
        let zoom = f64::from(self.zoom);
        (
            self.left + (x - f64::from(self.first.x)) * zoom,
            self.top + (y - f64::from(self.first.y)) * zoom,
        )
    }

    /// True if this panel shows a position.
    fn shows(&self, at: Position) -> bool {
        let [x, y, z] = at.units();
        let is_inside = |(first, last): (Column, Column)| {
            x >= f64::from(first.x)
                && x < f64::from(last.x + 1)
                && y >= f64::from(first.y)
                && y < f64::from(last.y + 1)
        };
        if self.is_site {
            // Everything outside, and the ground floor of the building.
            return !is_inside(BUILDING) || z < f64::from(self.ceiling);
        }
        let is_here = (f64::from(self.floor)..f64::from(self.ceiling)).contains(&z);
        is_here && is_inside((self.first, self.last))
    }
}

/// The whole picture.
pub(super) fn scene(castle: &Castle, report: &CastleReport) -> Scene {
    let site = Panel {
        left: MARGIN,
        top: MARGIN + TITLE + CAPTION,
        first: Column::new(0, 0),
        last: Column::new(WIDTH - 1, DEPTH - 1),
        zoom: LARGE,
        floor: FLOORS[0],
        ceiling: FLOORS[1] - 1,
        is_site: true,
    };
    let (first, last) = BUILDING;
    let right = site.left + f64::from(site.width()) + GAP;
    let side = f64::from((last.y - first.y + 1 + 2 * AROUND).unsigned_abs() * SMALL);
    let mut panels = vec![site];
    for (number, &floor) in (0..).zip(&FLOORS[1..]) {
        panels.push(Panel {
            left: right,
            top: MARGIN + TITLE + CAPTION + f64::from(number) * (side + CAPTION + 12.0),
            first: Column::new(first.x - AROUND, first.y - AROUND),
            last: Column::new(last.x + AROUND, last.y + AROUND),
            zoom: SMALL,
            floor,
            ceiling: if floor == FLOORS[3] { TOP } else { floor + 5 },
            is_site: false,
        });
    }
    let bottom = panels[0].top + f64::from(panels[0].height());
    let side_top = bottom + GAP + CAPTION;
    let side_height = f64::from(TOP.unsigned_abs()) * 8.0;
    let width = right + f64::from(panels[1].width()) + MARGIN;
    let floors = panels[3].top + f64::from(panels[3].height());
    let height = (side_top + side_height).max(floors) + 96.0;
    let mut scene = Scene {
        width: whole(width),
        height: whole(height),
        paper: paper(),
        items: Vec::new(),
    };
    title(&mut scene, castle, report);
    let captions = [
        "the castle from above, cut at the ground floor",
        "first floor of the building",
        "second floor",
        "roof",
    ];
    for (panel, caption) in panels.iter().zip(captions) {
        text(
            &mut scene,
            (panel.left, panel.top - CAPTION + 4.0),
            9.0,
            caption,
        );
        ground(&mut scene, castle, panel);
        fields_of_view(&mut scene, castle, panel);
        doors(&mut scene, castle, panel);
        paths(&mut scene, castle, panel);
        agents(&mut scene, castle, panel);
    }
    from_the_south(&mut scene, castle, (MARGIN, side_top));
    legend(&mut scene, (MARGIN, height - 62.0));
    scene
}

fn title(scene: &mut Scene, castle: &Castle, report: &CastleReport) {
    let seconds = castle.now() / 30;
    let tally = report.tally;
    text(scene, (MARGIN, MARGIN), 16.0, "A castle that changes");
    let line = format!(
        "{} agents after {}:{:02} min: {} doors moved, {} walls fell, {} paths invalidated, {} repaired; \
         {} inside walls",
        report.agents,
        seconds / 60,
        seconds % 60,
        tally.doors,
        tally.fallen,
        tally.broken,
        tally.repaired,
        tally.inside_walls
    );
    text(scene, (MARGIN, MARGIN + 30.0), 9.5, &line);
}

/// Colors every cell that a guard detects bodies in: inside its footprint, with line of sight.
fn fields_of_view(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let world = castle.world();
    let zoom = f64::from(panel.zoom);
    let across = (panel.last.x - panel.first.x + 1).unsigned_abs() as usize;
    let down = (panel.last.y - panel.first.y + 1).unsigned_abs() as usize;
    let mut seen = vec![false; across * down];
    for guard in castle
        .agents()
        .iter()
        .filter(|agent| agent.sensor.is_some())
    {
        let Some(viewer) = guard.sensor.and_then(|id| world.viewer_of_sensor(id)) else {
            continue;
        };
        for y in panel.first.y..=panel.last.y {
            for x in panel.first.x..=panel.last.x {
                let center = world.position_of(Location::Cell(Cell::new(x, y, 0)));
                let is_in = viewer.footprint.is_some_and(|footprint| {
                    world
                        .scale()
                        .point(center)
                        .is_some_and(|point| footprint.contains(point))
                });
                let floors = world.ground().floors(Column::new(x, y));
                // Of roofs only the wall is walkable.
                let is_wall = is_in && is_wall(castle, panel, x, y);
                let floors = floors.filter(|(z, _)| !is_wall || *z == WALL);
                let is_seen = is_in
                    && floors
                        .filter(|(z, _)| is_shown(panel, x, y, *z))
                        .any(|(z, _)| {
                            let at = world.position_of(Location::Cell(Cell::new(x, y, z)));
                            world.has_line_of_sight(viewer.eye, at.raised(65_536))
                        });
                if is_seen {
                    let row = (y - panel.first.y).unsigned_abs() as usize;
                    let column = (x - panel.first.x).unsigned_abs() as usize;
                    seen[row * across + column] = true;
                }
            }
        }
    }
    let glow = Color::hex(0xF2_B1_34).thin(0.42);
    for (index, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
        let (x, y) = (index % across, index / across);
        let at = |cells: usize| f64::from(u32::try_from(cells).unwrap_or(0)) * zoom;
        scene.items.push(Item::Area {
            left: panel.left + at(x),
            top: panel.top + at(y),
            width: zoom,
            height: zoom,
            color: glow,
        });
    }
}

fn is_shown(panel: &Panel, x: i32, y: i32, z: i32) -> bool {
    if panel.is_site {
        return !is_inside(BUILDING, x, y) || z < panel.ceiling;
    }
    is_inside(BUILDING, x, y) && (panel.floor..panel.ceiling).contains(&z)
}

/// Draws doors, the bridge and fallen walls.
fn doors(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let zoom = f64::from(panel.zoom);
    let area = |low: [i32; 3], high: [i32; 3]| {
        let left = panel.left + f64::from(low[0] - panel.first.x) * zoom;
        let top = panel.top + f64::from(low[1] - panel.first.y) * zoom;
        (
            (left, top),
            (
                f64::from(high[0] - low[0]) * zoom,
                f64::from(high[1] - low[1]) * zoom,
            ),
        )
    };
    for (door, is_closed) in castle.doors() {
        if door.low[2] != panel.floor {
            continue;
        }
        let ((left, top), (width, height)) = area(door.low, door.high);
        if is_closed {
            scene.items.push(Item::Area {
                left,
                top,
                width,
                height,
                color: Color::hex(0x8A_4B_22),
            });
        } else {
            // An open leaf on each side.
            let (x, y) = if width > height {
                (1.0, 0.0)
            } else {
                (0.0, 1.0)
            };
            for part in [0.0, 1.0] {
                let from = (left + x * part * width, top + y * part * height);
                let to = (from.0 + y * zoom * 0.9, from.1 + x * zoom * 0.9);
                scene.items.push(Item::Line {
                    points: vec![from, to],
                    width: zoom * 0.22,
                    color: Color::hex(0x3F_8F_4F),
                });
            }
        }
    }
    let (cells, is_down) = castle.bridge();
    if panel.is_site && is_down {
        for cell in cells {
            let ((left, top), _) = area([cell.x, cell.y, 0], [cell.x, cell.y, 0]);
            scene.items.push(Item::Area {
                left,
                top: top + zoom * 0.08,
                width: zoom,
                height: zoom * 0.84,
                color: Color::hex(0xB0_7A_4A).thin(0.75),
            });
        }
    }
    for (wall, is_rebuilt) in castle.fallen() {
        let is_here = if panel.is_site {
            wall.low[2] < panel.ceiling || !is_inside(BUILDING, wall.low[0], wall.low[1])
        } else {
            wall.low[2] == panel.floor
        };
        if !is_here {
            continue;
        }
        let ((left, top), (width, height)) = area(wall.low, wall.high);
        let color = Color::hex(if is_rebuilt { 0x3F_6F_8F } else { 0xC2_3B_22 });
        let (right, bottom) = (left + width, top + height);
        let corners = vec![
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ];
        scene.items.push(Item::Line {
            points: corners,
            width: 2.2,
            color,
        });
    }
}

/// Draws the castle and the flights from the south.
fn from_the_south(scene: &mut Scene, castle: &Castle, (left, top): (f64, f64)) {
    const HIGH: f64 = 8.0;
    let across = f64::from(LARGE);
    text(
        scene,
        (left, top - CAPTION + 4.0),
        9.0,
        "from the south: flights and heights",
    );
    let (width, height) = (f64::from(WIDTH) * across, f64::from(TOP) * HIGH);
    scene.items.push(Item::Area {
        left,
        top,
        width,
        height,
        color: Color::hex(0xE4_EC_F1),
    });
    let air = castle.world().air();
    // Back to front.
    for y in 0..DEPTH {
        let near = f32::from(u8::try_from(y).unwrap_or(0)) / 72.0;
        let stone = Color::hex(0xC2_C6_CA).towards(Color::hex(0x7B_78_72), near);
        for z in 0..TOP {
            let is_solid = |x: i32| air.is_some_and(|air| air.is_solid(Voxel::new(x, y, z)));
            // Visible runs of solid voxels, one area each.
            let mut x = 0;
            while x < WIDTH {
                if !is_solid(x) {
                    x += 1;
                    continue;
                }
                let first = x;
                while x < WIDTH && is_solid(x) {
                    x += 1;
                }
                if y == DEPTH - 1 || (first..x).any(|x| !is_hidden(castle, x, y, z)) {
                    scene.items.push(Item::Area {
                        left: left + f64::from(first) * across,
                        top: top + f64::from(TOP - 1 - z) * HIGH,
                        width: f64::from(x - first) * across,
                        height: HIGH,
                        color: stone,
                    });
                }
            }
        }
    }
    let point = |at: Position| {
        let [x, _, z] = at.units();
        (left + x * across, top + (f64::from(TOP) - z) * HIGH)
    };
    for agent in castle.agents() {
        let flies = |path: &&Path| {
            path.legs
                .iter()
                .any(|leg| matches!(leg, PathLeg::Flight(_)))
        };
        if let Some(path) = agent.path.as_ref().filter(flies) {
            let points = polyline(agent, path, castle.world());
            scene.items.push(Item::Line {
                points: points.into_iter().map(point).collect(),
                width: 1.6,
                color: color_of(agent.role).thin(0.5),
            });
        }
    }
    for agent in castle.agents() {
        let is_high = agent.at.z > 65_536 || matches!(agent.role, Role::Raven | Role::Winged);
        if is_high {
            figure(scene, agent.role, point(agent.at), 0.9);
        }
    }
}

/// True if the next voxel to the south is solid.
fn is_hidden(castle: &Castle, x: i32, y: i32, z: i32) -> bool {
    let air = castle.world().air();
    air.is_some_and(|air| air.is_solid(Voxel::new(x, y + 1, z)))
}

fn legend(scene: &mut Scene, (left, top): (f64, f64)) {
    let roles = [
        (Role::Servant, "walker"),
        (Role::Guard, "guard"),
        (Role::Thief, "thief, avoiding exposure"),
        (Role::Raven, "flyer"),
        (Role::Winged, "walks and flies"),
    ];
    let mut at = left + 8.0;
    for (role, word) in roles {
        figure(scene, role, (at, top + 4.0), 1.1);
        text(scene, (at + 14.0, top), 8.5, word);
        at += 14.0 + width_of(word, 8.5) + 30.0;
    }
    let line = top + 28.0;
    let mut at = left;
    let swatches = [
        (0xF2_B1_34, "field of view of guards"),
        (0x8A_4B_22, "door, closed"),
        (0x3F_8F_4F, "door, open"),
        (0xC0_8E_63, "rubble of a wall that fell"),
        (0x3F_6F_8F, "rebuilt wall"),
        (0x4A_4A_4C, "wall, cut"),
    ];
    for (code, word) in swatches {
        scene.items.push(Item::Area {
            left: at,
            top: line - 1.0,
            width: 12.0,
            height: 10.0,
            color: Color::hex(code),
        });
        text(scene, (at + 20.0, line), 8.5, word);
        at += 20.0 + width_of(word, 8.5) + 24.0;
    }
    for (width, strength, word) in [(1.5, 0.5, "path"), (2.4, 0.95, "repaired path")] {
        scene.items.push(Item::Line {
            points: vec![(at, line + 4.0), (at + 26.0, line + 4.0)],
            width,
            color: color_of(Role::Servant).thin(strength),
        });
        text(scene, (at + 34.0, line), 8.5, word);
        at += 34.0 + width_of(word, 8.5) + 24.0;
    }
}

fn width_of(text: &str, capital: f64) -> f64 {
    let letters = f64::from(u32::try_from(text.chars().count()).unwrap_or(0));
    letters * 5.6 * capital / 6.0
}

fn text(scene: &mut Scene, (left, top): (f64, f64), capital: f64, text: &str) {
    scene.items.push(Item::Text {
        left,
        top,
        capital,
        color: Color::hex(0x33_3A_42),
        text: text.to_owned(),
    });
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a picture of some thousand pixels"
)]
fn whole(pixels: f64) -> u32 {
    pixels.ceil() as u32
}
