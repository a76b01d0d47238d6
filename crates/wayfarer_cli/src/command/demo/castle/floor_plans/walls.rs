//! Draws floors, walls, their shadows and trees.

use wayfarer::Terrain;
use wayfarer::inspect::FloorGrid;

use super::{Panel, disc};
use crate::castle::Castle;
use crate::castle::site::{self, BUILDING};
use crate::draw::{Block, Color, Item, Scene, Zoom};

/// Draws all tiles of a panel.
pub(super) fn ground(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let blocks = panel.cells().map(|(index, x, y)| Block {
        x: i64::from(x - panel.columns.low[0]),
        y: i64::from(y - panel.columns.low[1]),
        width: 1,
        height: 1,
        color: tile(castle, panel, (index, x, y)),
        covers: true,
    });
    let blocks = blocks.collect();
    scene.items.push(Item::Blocks {
        left: panel.left,
        top: panel.top,
        width: panel.width(),
        height: panel.height(),
        zoom: Zoom::PixelsPerCell(panel.zoom),
        blocks,
    });
    shadows(scene, castle, panel);
    if panel.is_site {
        trees(scene, panel);
    }
}

/// Draws a crown for every tree.
pub(super) fn trees(scene: &mut Scene, panel: &Panel) {
    let zoom = f64::from(panel.zoom);
    for (index, x, y) in panel.cells() {
        if panel.floors.terrains[index] == Terrain::TREES.number() {
            let (x, y) = panel.at(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let by = zoom * 0.12;
            let shadow = Color::hex(0x22_26_2A).thin(0.2);
            disc(scene, (x + by, y + by), zoom * 0.55, shadow);
            disc(scene, (x, y), zoom * 0.55, Color::hex(0x5E_84_5C));
            disc(scene, (x - by, y - by), zoom * 0.3, Color::hex(0x7D_A3_76));
        }
    }
}

/// True if a column has a wall on the floor of a panel.
pub(super) fn is_wall(castle: &Castle, panel: &Panel, x: i32, y: i32) -> bool {
    let is_building = BUILDING.contains(x, y);
    if !panel.is_site && !is_building {
        return false;
    }
    let stone = &castle.site().stone;
    // Stairs are solid, too, but walkable: free above a step.
    let floor = panel.floor;
    let is_stair = (floor + 2..=floor + 5).any(|z| !stone.is_solid(x, y, z));
    stone.is_solid(x, y, floor + 1) && !(is_stair && is_building)
}

pub(super) fn tile(castle: &Castle, panel: &Panel, (index, x, y): (usize, i32, i32)) -> Color {
    let is_building = BUILDING.contains(x, y);
    if is_wall(castle, panel, x, y) {
        return match castle.site().stone.top(x, y) {
            Some(top) if panel.is_site && !is_building => {
                // The higher, the lighter: stairs show as a ramp.
                let part = f32::from(u8::try_from(top.clamp(0, 13)).unwrap_or(13)) / 13.0;
                Color::hex(0x6B_66_5E).towards(Color::hex(0xA9_A3_97), part)
            }
            _ => Color::hex(0x4A_4A_4C),
        };
    }
    let floors = &panel.floors;
    if floors.terrains[index] == FloorGrid::NO_FLOOR {
        return Color::hex(0xD5_DA_DD);
    }
    let terrain = Terrain::new(floors.terrains[index]).unwrap_or_default();
    let ground = match terrain {
        Terrain::WATER => Color::hex(0x7F_B2_CC),
        Terrain::TREES => Color::hex(0xBE_CE_9C),
        terrain if terrain == site::grass() => Color::hex(0xC9_D6_A8),
        terrain if terrain == site::rubble() => Color::hex(0xC0_8E_63),
        _ if panel.is_site && !is_building && site::YARD.contains(x, y) => Color::hex(0xE6_DC_C6),
        _ => Color::hex(0xF1_EC_DF),
    };
    // Stairs grow darker upwards.
    let up = floors.heights[index] - f64::from(panel.floor);
    #[expect(clippy::cast_possible_truncation, reason = "a shade")]
    let up = up.clamp(0.0, 5.0) as f32;
    ground.towards(Color::hex(0x9A_8C_70), up * 0.13)
}

/// Draws a thin shadow south and east of every wall.
pub(super) fn shadows(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let zoom = f64::from(panel.zoom);
    let dark = Color::hex(0x22_26_2A).thin(0.22);
    for (_, x, y) in panel.cells() {
        if is_wall(castle, panel, x, y) {
            continue;
        }
        let (left, top) = panel.at(x.into(), y.into());
        if y > panel.columns.low[1] && is_wall(castle, panel, x, y - 1) {
            scene.items.push(Item::Area {
                left,
                top,
                width: zoom,
                height: zoom * 0.3,
                color: dark,
            });
        }
        if x > panel.columns.low[0] && is_wall(castle, panel, x - 1, y) {
            scene.items.push(Item::Area {
                left,
                top,
                width: zoom * 0.22,
                height: zoom,
                color: dark,
            });
        }
    }
}
