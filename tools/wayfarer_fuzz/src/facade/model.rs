//! The slow model: floors cell by cell, handles as sets, bodies as a list.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer::{
    AgentTypeId, Area, Body, BodyId, BodyShape, CostAreaId, Edit, LinkId, Position, Scale, SolidId,
    Terrain, World,
};
use wayfarer_engine::base::{
    Cell, Column, Cost, CostModifierId, GroundEdit, NavLinkId, Profile, Rect, Shape,
};
use wayfarer_engine::world::ground::Ground;
use wayfarer_testkit::ReferenceWorld;

use super::source::Source;

#[derive(Clone)]
pub(super) struct Model {
    pub(super) scale: Scale,
    pub(super) ground: ReferenceWorld,
    pub(super) links: BTreeMap<LinkId, NavLinkId>,
    pub(super) cost_areas: BTreeSet<CostAreaId>,
    pub(super) solids: BTreeSet<SolidId>,
    pub(super) bodies: Vec<(BodyId, Body)>,
    pub(super) gone: Gone,
}

/// Handles that no longer exist.
#[derive(Clone, Default)]
pub(super) struct Gone {
    pub(super) links: Vec<LinkId>,
    pub(super) cost_areas: Vec<CostAreaId>,
    pub(super) solids: Vec<SolidId>,
}

/// Cells of a side of the meadow that worlds begin with.
const SIDE: i32 = 14;

impl Model {
    pub(super) fn new(scale: Scale) -> Self {
        let empty = Ground::new(Profile::DEFAULT).unwrap();
        Self {
            scale,
            ground: ReferenceWorld::new(&empty.to_data()),
            links: BTreeMap::new(),
            cost_areas: BTreeSet::new(),
            solids: BTreeSet::new(),
            bodies: Vec::new(),
            gone: Gone::default(),
        }
    }

    /// The id of a cost area in the reference: any that differs from the others.
    pub(super) fn modifier_id(&self, id: CostAreaId) -> CostModifierId {
        let text = format!("{id:?}");
        let number: String = text.chars().filter(char::is_ascii_digit).collect();
        CostModifierId(number.parse().unwrap())
    }

    pub(super) fn at(&self, x: f64, y: f64, z: f64) -> Position {
        super::position(&self.scale, [x, y, z])
    }

    pub(super) fn center(&self, cell: Cell) -> Position {
        let [x, y, z] = [cell.x, cell.y, cell.z].map(f64::from);
        self.at(x + 0.5, y + 0.5, z)
    }

    /// The cell at a position.
    pub(super) fn cell(&self, at: Position) -> Cell {
        let ([x, y, z], sizes) = (
            match self.scale.axes {
                wayfarer::Axes::ZUp => at.units(),
                wayfarer::Axes::YUp => {
                    let [x, z, y] = at.units();
                    [x, y, z]
                }
            },
            [self.scale.cell, self.scale.step],
        );
        #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
        let floor = |at: f64, size: f64| (at / size).floor() as i32;
        Cell::new(floor(x, sizes[0]), floor(y, sizes[0]), floor(z, sizes[1]))
    }

    /// Floors to begin with.
    pub(super) fn meadow(&mut self, world: &mut World) {
        let side = f64::from(SIDE);
        let area = Area::rect(self.at(0.0, 0.0, 0.0), self.at(side, side, 0.0));
        world
            .apply(&[Edit::add_floors(area, 0.0, Terrain::GROUND)])
            .unwrap();
        let last = Column::new(SIDE - 1, SIDE - 1);
        self.ground.apply(&[GroundEdit::Fill {
            shape: Shape::Box(Rect::around(Column::new(0, 0), last)),
            z: 0,
            terrain: Terrain::GROUND,
        }]);
    }

    /// A floor of a column.
    pub(super) fn any_cell(&self, source: &mut Source<'_>) -> Option<Cell> {
        let column = Column::new(source.below(SIDE + 4) - 2, source.below(SIDE + 4) - 2);
        let floor = source.pick(self.ground.floors(column))?;
        Some(column.at(floor.0))
    }

    /// A position at a multiple of a quarter of a cell, so that it is exact.
    pub(super) fn quarter_position(&self, source: &mut Source<'_>) -> Position {
        let quarter = |source: &mut Source<'_>| f64::from(source.below(64)) / 4.0;
        self.at(quarter(source), quarter(source), 0.0)
    }

    pub(super) fn profile(world: &World, agent_type: AgentTypeId) -> Option<Profile> {
        let mut all = world.engine().agent_types();
        all.nth(agent_type.index())?.ground.clone()
    }

    pub(super) fn cost(&self, cost: Cost) -> f64 {
        cost.to_cells() * self.scale.cell
    }

    /// Repaired equals rebuilt from the model.
    pub(super) fn check_ground(&self, world: &World) {
        let mut rebuilt = Ground::new(Profile::DEFAULT).unwrap();
        for agent_type in world.engine().agent_types().skip(1) {
            if let Some(profile) = agent_type.ground.clone() {
                rebuilt.register_profile(profile).unwrap();
            }
        }
        rebuilt.apply(&self.ground.edits()).unwrap();
        assert_eq!(world.engine().ground().canonical(), rebuilt.canonical());
    }

    pub(super) fn check_handles(&self, world: &World) {
        let links: Vec<LinkId> = world.links().into_iter().map(|(id, _)| id).collect();
        assert!(self.links.keys().eq(&links), "{links:?}");
        let ids: Vec<BodyId> = self.bodies.iter().map(|(id, _)| *id).collect();
        assert_eq!(world.bodies(), ids);
    }

    pub(super) fn body_position(&self, id: BodyId) -> Option<Position> {
        let found = self.bodies.iter().find(|(known, _)| *known == id);
        found.map(|(_, body)| body.position)
    }

    /// The bodies that overlap a disc, in order of their ids; numbers are quarters of cells.
    pub(super) fn bodies_within(&self, at: Position, radius: f64) -> Vec<BodyId> {
        let is_near = |(_, body): &&(BodyId, Body)| {
            let [dx, dy] = self.apart(at, body.position);
            // Quarters of cells: squares are exact.
            let (dx, dy, reach) = match body.shape {
                BodyShape::Point => (dx, dy, radius),
                BodyShape::Disc { radius: own } => (dx, dy, radius + own),
                BodyShape::Cuboid { half_x, half_y } => {
                    ((dx - half_x).max(0.0), (dy - half_y).max(0.0), radius)
                }
            };
            dx * dx + dy * dy <= reach * reach
        };
        let near = self.bodies.iter().filter(is_near);
        near.map(|(id, _)| *id).collect()
    }

    fn apart(&self, a: Position, b: Position) -> [f64; 2] {
        let plane = |at: Position| {
            let [x, y, z] = at.units();
            match self.scale.axes {
                wayfarer::Axes::ZUp => [x, y],
                wayfarer::Axes::YUp => [x, z],
            }
        };
        let (a, b) = (plane(a), plane(b));
        [(a[0] - b[0]).abs(), (a[1] - b[1]).abs()]
    }
}
