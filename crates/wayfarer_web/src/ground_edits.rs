//! The brushes of the ground view: each stroke is one batch of edits.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::prelude::*;
use wayfarer::{LinkState, NavLinkKind, ThinWall, World};

use crate::convert::{message, numbers, pair, terrain};
use crate::ground::GroundScene;

/// Strokes that can be undone.
const MAX_UNDO: usize = 256;

impl GroundScene {
    fn apply(&mut self, edits: &[Edit]) -> Result<usize, String> {
        let changes = self.world.apply(edits).map_err(message)?;
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(changes.inverse());
        Ok(changes.split().len() + changes.merged().len())
    }
}

/// A stroke: a disc, or the capsule between two places, on the floors around its heights.
fn stroke(numbers: &[f64], radius: f64) -> Result<Area, String> {
    let (from, to) = pair(numbers)?;
    let mut area = match from == to {
        true => Area::disc(from, radius),
        false => Area {
            shape: wayfarer::AreaShape::Capsule { from, to, radius },
            heights: None,
        },
    };
    let (low, high) = (
        from.units()[2].min(to.units()[2]),
        from.units()[2].max(to.units()[2]),
    );
    area.heights = Some((low - HEADROOM, high + HEADROOM));
    Ok(area)
}

/// Meters above and below the brush that a stroke edits.
const HEADROOM: f64 = 0.5;

/// Brushes. Each returns the number of areas that it split or merged, and throws what is wrong.
#[wasm_bindgen]
impl GroundScene {
    /// Removes the floors along a stroke (six numbers): walls.
    #[wasm_bindgen(js_name = paintWall)]
    pub fn paint_wall(&mut self, ends: &[f64], radius: f64) -> Result<usize, String> {
        self.apply(&[Edit::remove_floors(stroke(ends, radius)?)])
    }

    /// Adds floors of a terrain along a stroke.
    #[wasm_bindgen(js_name = paintTerrain)]
    pub fn paint_terrain(
        &mut self,
        ends: &[f64],
        radius: f64,
        number: u8,
    ) -> Result<usize, String> {
        let area = stroke(ends, radius)?;
        let height = ends.get(2).copied().unwrap_or(0.0);
        self.apply(&[Edit::add_floors(area, height, terrain(number)?)])
    }

    /// Adds a rectangle of floors at the height of its first corner.
    #[wasm_bindgen(js_name = addFloors)]
    pub fn add_floors(&mut self, corners: &[f64], number: u8) -> Result<usize, String> {
        let (low, high) = pair(corners)?;
        let height = low.units()[2];
        self.apply(&[Edit::add_floors(
            Area::rect(low, high),
            height,
            terrain(number)?,
        )])
    }

    /// Adds a cost area along a stroke.
    #[wasm_bindgen(js_name = paintCost)]
    pub fn paint_cost(
        &mut self,
        ends: &[f64],
        radius: f64,
        multiplier: f64,
    ) -> Result<usize, String> {
        let area = stroke(ends, radius)?;
        self.apply(&[Edit::add_cost_area(CostArea { area, multiplier })])
    }

    /// Places a box between two corners, six numbers.
    #[wasm_bindgen(js_name = addSolid)]
    pub fn add_solid(&mut self, corners: &[f64]) -> Result<usize, String> {
        let (low, high) = pair(corners)?;
        self.apply(&[Edit::add_solid(Solid::cuboid(low, high))])
    }

    /// Adds a thin wall between two corners of cells, along one axis.
    #[wasm_bindgen(js_name = addThinWall)]
    pub fn add_thin_wall(&mut self, ends: &[f64]) -> Result<usize, String> {
        let (from, to) = pair(ends)?;
        self.apply(&[Edit::add_wall(ThinWall { from, to })])
    }

    /// Adds a nav link of a kind: 0 stairs, 1 ladder, 2 jump, 3 drop, 4 door, 5 teleport, 6 climb.
    #[wasm_bindgen(js_name = addLink)]
    pub fn add_link(&mut self, ends: &[f64], kind: usize) -> Result<usize, String> {
        let (from, to) = pair(ends)?;
        let kind = NavLinkKind::ALL.get(kind);
        let kind = *kind.ok_or("unknown kind of link")?;
        self.apply(&[Edit::add_link(NavLink::new(from, to, kind))])
    }

    /// Opens or closes the link of an index in [`GroundScene::links`].
    #[wasm_bindgen(js_name = toggleLink)]
    pub fn toggle_link(&mut self, index: usize) -> Result<usize, String> {
        let links = self.world.links();
        let (id, link) = links.get(index).ok_or_else(|| format!("no link {index}"))?;
        let state = match link.state {
            LinkState::Open => LinkState::Closed,
            _ => LinkState::Open,
        };
        self.apply(&[Edit::set_link_state(*id, state)])
    }

    /// Eight numbers per link: its ends, its kind, 1 if it is open.
    pub fn links(&self) -> Vec<f64> {
        links(&self.world)
    }

    /// Keeps what was edited so far: undo goes back to here.
    #[wasm_bindgen(js_name = clearUndo)]
    pub fn clear_undo(&mut self) {
        self.undo.clear();
    }

    /// Takes the last stroke back; false if there is none.
    #[wasm_bindgen(js_name = undo)]
    pub fn undo_last(&mut self) -> Result<bool, String> {
        let Some(inverse) = self.undo.pop() else {
            return Ok(false);
        };
        self.world.apply(&inverse).map_err(message)?;
        Ok(true)
    }
}

fn links(world: &World) -> Vec<f64> {
    let all = world.links().into_iter();
    let link = |(_, link): (_, NavLink)| {
        let kind = NavLinkKind::ALL.iter().position(|kind| *kind == link.kind);
        let kind = u8::try_from(kind.unwrap_or_default()).unwrap_or_default();
        let is_open = link.state == LinkState::Open;
        let mut all = numbers([link.from, link.to]);
        all.extend([f64::from(kind), f64::from(u8::from(is_open))]);
        all
    };
    all.flat_map(link).collect()
}
