//! Draws floors, walls, their shadows and trees.

use wayfarer_engine::base::{Cell, Column, Terrain, Voxel};

use super::{Panel, disc};
use crate::castle::Castle;
use crate::castle::site::{self, BUILDING, TOP};
use crate::draw::{Block, Color, Item, Scene, Zoom};

/// Draws all tiles of a panel.
pub(super) fn ground(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let mut blocks = Vec::new();
    for y in panel.first.y..=panel.last.y {
        for x in panel.first.x..=panel.last.x {
            blocks.push(Block {
                x: i64::from(x - panel.first.x),
                y: i64::from(y - panel.first.y),
                width: 1,
                height: 1,
                color: tile(castle, panel, x, y),
                covers: true,
            });
        }
    }
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
        trees(scene, castle, panel);
    }
}

/// Draws a crown for every tree.
pub(super) fn trees(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let world = castle.world();
    let zoom = f64::from(panel.zoom);
    for y in panel.first.y..=panel.last.y {
        for x in panel.first.x..=panel.last.x {
            let cell = Cell::flat(x, y);
            if world.terrain(cell) == Some(Terrain::TREES) {
                let (x, y) = panel.point(world.position_of(cell.into()));
                let by = zoom * 0.12;
                disc(
                    scene,
                    (x + by, y + by),
                    zoom * 0.55,
                    Color::hex(0x22_26_2A).thin(0.2),
                );
                disc(scene, (x, y), zoom * 0.55, Color::hex(0x5E_84_5C));
                disc(scene, (x - by, y - by), zoom * 0.3, Color::hex(0x7D_A3_76));
            }
        }
    }
}

/// True if a column has a wall on the floor of a panel.
pub(super) fn is_wall(castle: &Castle, panel: &Panel, x: i32, y: i32) -> bool {
    let world = castle.world();
    let (first, last) = BUILDING;
    let is_building = (first.x..=last.x).contains(&x) && (first.y..=last.y).contains(&y);
    if !panel.is_site && !is_building {
        return false;
    }
    let at = Voxel::new(x, y, panel.floor + 1);
    let is_low = (panel.floor..=panel.floor + 5)
        .any(|z| world.is_walkable(Cell::new(x, y, z)) && z <= panel.floor + 5);
    let stands = world.air().is_some_and(|air| air.is_solid(at));
    // Stairs are solid, too, but walkable.
    stands && !(is_low && is_building)
}

/// Height of the highest solid voxel of a column.
pub(super) fn top_of(castle: &Castle, x: i32, y: i32) -> Option<i32> {
    let air = castle.world().air()?;
    (0..TOP).rev().find(|z| air.is_solid(Voxel::new(x, y, *z)))
}

pub(super) fn tile(castle: &Castle, panel: &Panel, x: i32, y: i32) -> Color {
    let world = castle.world();
    let column = Column::new(x, y);
    if is_wall(castle, panel, x, y) {
        let (first, last) = BUILDING;
        let is_building = (first.x..=last.x).contains(&x) && (first.y..=last.y).contains(&y);
        return match top_of(castle, x, y) {
            Some(top) if panel.is_site && !is_building => {
                // The higher, the lighter: stairs show as a ramp.
                let part = f32::from(u8::try_from(top.clamp(0, 13)).unwrap_or(13)) / 13.0;
                Color::hex(0x6B_66_5E).towards(Color::hex(0xA9_A3_97), part)
            }
            _ => Color::hex(0x4A_4A_4C),
        };
    }
    let floors = world.ground().floors(column);
    let shown = floors.filter(|(z, _)| (panel.floor - 1..=panel.floor + 5).contains(z));
    let floor = shown
        .filter(|(_, terrain)| *terrain != Terrain::SOLID)
        .last();
    let Some((z, terrain)) = floor else {
        // No floor here.
        return Color::hex(0xD5_DA_DD);
    };
    let ground = match terrain {
        Terrain::WATER => Color::hex(0x7F_B2_CC),
        Terrain::TREES => Color::hex(0xBE_CE_9C),
        terrain if terrain == site::grass() => Color::hex(0xC9_D6_A8),
        terrain if terrain == site::rubble() => Color::hex(0xC0_8E_63),
        _ if panel.is_site && !is_inside(BUILDING, x, y) && is_inside(site::YARD, x, y) => {
            Color::hex(0xE6_DC_C6)
        }
        _ => Color::hex(0xF1_EC_DF),
    };
    // Stairs grow darker upwards.
    let up = f32::from(u8::try_from((z - panel.floor).clamp(0, 5)).unwrap_or(0));
    ground.towards(Color::hex(0x9A_8C_70), up * 0.13)
}

pub(super) fn is_inside((first, last): (Column, Column), x: i32, y: i32) -> bool {
    (first.x..=last.x).contains(&x) && (first.y..=last.y).contains(&y)
}

/// Draws a thin shadow south and east of every wall.
pub(super) fn shadows(scene: &mut Scene, castle: &Castle, panel: &Panel) {
    let zoom = f64::from(panel.zoom);
    let dark = Color::hex(0x22_26_2A).thin(0.22);
    for y in panel.first.y..=panel.last.y {
        for x in panel.first.x..=panel.last.x {
            if is_wall(castle, panel, x, y) {
                continue;
            }
            let left = panel.left + f64::from(x - panel.first.x) * zoom;
            let top = panel.top + f64::from(y - panel.first.y) * zoom;
            if y > panel.first.y && is_wall(castle, panel, x, y - 1) {
                scene.items.push(Item::Area {
                    left,
                    top,
                    width: zoom,
                    height: zoom * 0.3,
                    color: dark,
                });
            }
            if x > panel.first.x && is_wall(castle, panel, x - 1, y) {
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
}
