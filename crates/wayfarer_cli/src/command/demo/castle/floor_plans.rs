//! The castle in one picture: from above, the floors of the building one by one, and from the
//! south, with agents, paths and fields of view.

use wayfarer::Position;
use wayfarer::inspect::FloorGrid;

use crate::castle::agents::{Agent, Role};
use crate::castle::site::{BRIDGE, BUILDING, DEPTH, FLOORS, Rect, TOP, WALL, WIDTH};
use crate::castle::{Castle, CastleReport};
use crate::draw::{Color, Item, Scene, paper};

mod agents;
mod walls;

use agents::{agents, color_of, disc, figure, paths, polyline};
use walls::{ground, is_wall};

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
    /// The columns shown.
    columns: Rect,
    zoom: u32,
    /// Heights of its floor and of its ceiling.
    floor: i32,
    ceiling: i32,
    /// True for the plan of the whole castle.
    is_site: bool,
    /// The floors, seen from above.
    floors: FloorGrid,
}

impl Panel {
    /// A plan at `left`, `top` of the floors from `floor` up to `ceiling`.
    fn new(
        castle: &Castle,
        (left, top): (f64, f64),
        (columns, zoom): (Rect, u32),
        (floor, ceiling): (i32, i32),
    ) -> Self {
        let corner = |[x, y]: [i32; 2], z: i32| Position::new(x.into(), y.into(), z.into());
        let below = |z: i32| {
            let (low, high) = (corner(columns.low, floor - 1), corner(columns.high, z));
            let inspector = castle.world().inspect();
            let floors = inspector.floors(castle.walker(), low, high);
            floors.unwrap_or_default()
        };
        // The top of stairs is as high as the ceiling beside them.
        let (mut floors, high) = (below(floor + 4), below(floor + 5));
        for (index, terrain) in floors.terrains.iter_mut().enumerate() {
            if *terrain == FloorGrid::NO_FLOOR {
                *terrain = high.terrains[index];
                floors.heights[index] = high.heights[index];
            }
        }
        Self {
            left,
            top,
            columns,
            zoom,
            floor,
            ceiling,
            is_site: columns.contains(0, 0),
            floors,
        }
    }

    fn width(&self) -> u32 {
        (self.columns.high[0] - self.columns.low[0]).unsigned_abs() * self.zoom
    }

    fn height(&self) -> u32 {
        (self.columns.high[1] - self.columns.low[1]).unsigned_abs() * self.zoom
    }

    /// Its columns, row by row, as in [`FloorGrid`].
    fn cells(&self) -> impl Iterator<Item = (usize, i32, i32)> {
        let Rect { low, high } = self.columns;
        let rows = (low[1]..high[1]).flat_map(move |y| (low[0]..high[0]).map(move |x| (x, y)));
        rows.enumerate().map(|(index, (x, y))| (index, x, y))
    }

    /// A place on the plane in the picture.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let zoom = f64::from(self.zoom);
        (
            self.left + (x - f64::from(self.columns.low[0])) * zoom,
            self.top + (y - f64::from(self.columns.low[1])) * zoom,
        )
    }

    /// A position in the picture.
    fn point(&self, at: Position) -> (f64, f64) {
        let [x, y, _] = at.units();
        self.at(x, y)
    }

    /// True if this panel shows a position.
    fn shows(&self, at: Position) -> bool {
        let [x, y, z] = at.units();
        let (column, row) = (floor_of(x), floor_of(y));
        if self.is_site {
            // Everything outside, and the ground floor of the building.
            return !BUILDING.contains(column, row) || z < f64::from(self.ceiling);
        }
        let is_here = (f64::from(self.floor)..f64::from(self.ceiling)).contains(&z);
        is_here && self.columns.contains(column, row)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of a castle")]
fn floor_of(at: f64) -> i32 {
    at.floor() as i32
}

/// The whole picture.
pub(super) fn scene(castle: &Castle, report: &CastleReport) -> Scene {
    let top = MARGIN + TITLE + CAPTION;
    let all = Rect::new((0, WIDTH), (0, DEPTH));
    let site = Panel::new(
        castle,
        (MARGIN, top),
        (all, LARGE),
        (FLOORS[0], FLOORS[1] - 1),
    );
    let shown = BUILDING.grown(AROUND);
    let right = site.left + f64::from(site.width()) + GAP;
    let side = f64::from((shown.high[1] - shown.low[1]).unsigned_abs() * SMALL);
    let mut panels = vec![site];
    for (number, &floor) in (0..).zip(&FLOORS[1..]) {
        let top = top + f64::from(number) * (side + CAPTION + 12.0);
        let ceiling = if floor == FLOORS[3] { TOP } else { floor + 5 };
        let heights = (floor, ceiling);
        panels.push(Panel::new(castle, (right, top), (shown, SMALL), heights));
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
    let zoom = f64::from(panel.zoom);
    let viewers = castle.agents().iter().filter_map(Agent::viewer);
    let mut seen = vec![false; panel.floors.heights.len()];
    let across = panel.columns.high[0] - panel.columns.low[0];
    for at in viewers.flat_map(|viewer| {
        castle
            .world()
            .field_of_view(&viewer, 1.0)
            .unwrap_or_default()
    }) {
        let [x, y, z] = at.units().map(floor_of);
        let is_shown = panel.columns.contains(x, y) && is_shown(panel, x, y, z);
        // Of roofs only the wall is walkable.
        if is_shown && (z == WALL || !is_wall(castle, panel, x, y)) {
            let index = (y - panel.columns.low[1]) * across + x - panel.columns.low[0];
            seen[usize::try_from(index).unwrap_or(0)] = true;
        }
    }
    let glow = Color::hex(0xF2_B1_34).thin(0.42);
    for (index, x, y) in panel.cells() {
        if seen[index] {
            let (left, top) = panel.at(x.into(), y.into());
            scene.items.push(Item::Area {
                left,
                top,
                width: zoom,
                height: zoom,
                color: glow,
            });
        }
    }
}

fn is_shown(panel: &Panel, x: i32, y: i32, z: i32) -> bool {
    if panel.is_site {
        return !BUILDING.contains(x, y) || z < panel.ceiling;
    }
    BUILDING.contains(x, y) && (panel.floor..panel.ceiling).contains(&z)
}

/// Draws doors, the bridge and fallen walls.
fn doors(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let zoom = f64::from(panel.zoom);
    let area = |low: [i32; 3], high: [i32; 3]| {
        let size = |axis: usize| f64::from(high[axis] - low[axis]) * zoom;
        let corner = panel.at(low[0].into(), low[1].into());
        (corner, (size(0), size(1)))
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
    if panel.is_site && castle.is_bridge_down() {
        let planks = panel.cells().filter(|(_, x, y)| BRIDGE.contains(*x, *y));
        for (_, x, y) in planks {
            let (left, top) = panel.at(x.into(), y.into());
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
            wall.low[2] < panel.ceiling || !BUILDING.contains(wall.low[0], wall.low[1])
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
    let stone = &castle.site().stone;
    // Back to front.
    for y in 0..DEPTH {
        let near = f32::from(u8::try_from(y).unwrap_or(0)) / 72.0;
        let shade = Color::hex(0xC2_C6_CA).towards(Color::hex(0x7B_78_72), near);
        for z in 0..TOP {
            let is_solid = |x: i32| stone.is_solid(x, y, z);
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
                if y == DEPTH - 1 || (first..x).any(|x| !stone.is_solid(x, y + 1, z)) {
                    scene.items.push(Item::Area {
                        left: left + f64::from(first) * across,
                        top: top + f64::from(TOP - 1 - z) * HIGH,
                        width: f64::from(x - first) * across,
                        height: HIGH,
                        color: shade,
                    });
                }
            }
        }
    }
    let point = |at: Position| {
        let [x, _, z] = at.units();
        (left + x * across, top + (f64::from(TOP) - z) * HIGH)
    };
    for agent in castle.agents().iter().filter(|agent| agent.flies()) {
        scene.items.push(Item::Line {
            points: polyline(agent).into_iter().map(point).collect(),
            width: 1.6,
            color: color_of(agent.role).thin(0.5),
        });
    }
    for agent in castle.agents() {
        let is_high = agent.at.z > 65_536 || matches!(agent.role, Role::Raven | Role::Winged);
        if is_high {
            figure(scene, agent.role, point(agent.at), 0.9);
        }
    }
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
