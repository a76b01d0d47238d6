//! Values of the facade, decoded from bytes: mostly sane, some hostile.

use wayfarer::{
    AgentType, Area, AreaShape, Axes, Body, BodyShape, Footprint, Heading, Movement, Position,
    Scale, Solid, Terrain,
};

/// Bytes as small numbers; 0 at the end.
pub(super) struct Source<'a>(pub(super) &'a [u8]);

/// Numbers that no caller should pass.
const HOSTILE: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    -1.0,
    -0.0,
    1e-300,
    8_388_607.9,
    -8_388_608.0,
    2_147_483_648.0,
    1e15,
    16_384.0,
];

impl Source<'_> {
    pub(super) fn below(&mut self, limit: i32) -> i32 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        i32::from(*first) % limit
    }

    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let count = i32::try_from(all.len().min(256)).unwrap();
        (count > 0).then(|| all[self.below(count).unsigned_abs() as usize])
    }

    /// A number that is mostly hostile.
    pub(super) fn hostile(&mut self) -> f64 {
        match self.below(4) {
            0 => f64::from(self.below(200) - 20) / 4.0,
            _ => self.pick(&HOSTILE).unwrap_or_default(),
        }
    }

    pub(super) fn hostile_position(&mut self) -> Position {
        Position::new(self.hostile(), self.hostile(), self.hostile())
    }

    pub(super) fn scale(&mut self) -> Scale {
        let size = [1.0, 0.5, 2.0][self.below(3).unsigned_abs() as usize];
        let axes = [Axes::ZUp, Axes::YUp][self.below(2).unsigned_abs() as usize];
        Scale {
            axes,
            ..Scale::meters(size)
        }
    }

    pub(super) fn terrain(&mut self) -> Terrain {
        [Terrain::GROUND, Terrain::SWAMP, Terrain::WATER][self.below(3).unsigned_abs() as usize]
    }

    pub(super) fn hostile_area(&mut self) -> Area {
        let shape = match self.below(4) {
            0 => AreaShape::Rect {
                low: self.hostile_position(),
                high: self.hostile_position(),
            },
            1 => AreaShape::Disc {
                center: self.hostile_position(),
                radius: self.hostile(),
            },
            2 => AreaShape::Capsule {
                from: self.hostile_position(),
                to: self.hostile_position(),
                radius: self.hostile(),
            },
            _ => {
                let n = self.below(6);
                AreaShape::Polygon((0..n).map(|_| self.hostile_position()).collect())
            }
        };
        let heights = (self.below(2) == 0).then(|| (self.hostile(), self.hostile()));
        Area { shape, heights }
    }

    pub(super) fn hostile_solid(&mut self) -> Solid {
        match self.below(4) {
            0 => Solid::cuboid(self.hostile_position(), self.hostile_position()),
            1 => Solid::cylinder(self.hostile_position(), self.hostile(), self.hostile()),
            2 => {
                let n = self.below(6);
                let corners: Vec<_> = (0..n).map(|_| self.hostile_position()).collect();
                Solid::prism(corners, self.hostile())
            }
            _ => {
                let vertices = [0; 4].map(|_| self.hostile_position());
                let last = self.below(5).unsigned_abs();
                Solid::mesh(vertices, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, last]])
            }
        }
    }

    pub(super) fn hostile_footprint(&mut self) -> Footprint {
        let at = self.hostile_position();
        let heading = Heading {
            x: self.hostile(),
            y: self.hostile(),
        };
        match self.below(6) {
            0 => Footprint::disc(at, self.hostile()),
            1 => Footprint::ring(at, self.hostile(), self.hostile()),
            2 => Footprint::capsule(at, self.hostile_position(), self.hostile()),
            3 => Footprint::cone(at, heading, self.hostile(), self.hostile()),
            4 => Footprint::oriented_box(at, heading, self.hostile(), self.hostile()),
            _ => {
                let n = self.below(6);
                let vertices: Vec<_> = (0..n).map(|_| self.hostile_position()).collect();
                Footprint::polygon(&vertices)
            }
        }
    }

    pub(super) fn hostile_body(&mut self) -> Body {
        let shape = match self.below(3) {
            0 => BodyShape::Point,
            1 => BodyShape::disc(self.hostile()),
            _ => BodyShape::cuboid(self.hostile(), self.hostile()),
        };
        Body {
            position: self.hostile_position(),
            shape,
            height: self.hostile(),
            blocks_sight: true,
            ..Body::default()
        }
    }

    pub(super) fn hostile_agent_type(&mut self) -> AgentType {
        let kinds = [
            AgentType::GROUND,
            AgentType::FLIGHT,
            AgentType::GROUND_AND_FLIGHT,
            AgentType::PLANAR,
        ];
        let mut agent_type = kinds[self.below(4).unsigned_abs() as usize].clone();
        match self.below(6) {
            0 => agent_type.radius = self.hostile(),
            1 => agent_type.height = self.hostile(),
            2 => agent_type.max_step = self.hostile(),
            3 => agent_type.max_drop = self.hostile(),
            4 if agent_type.movement != Movement::Planar => agent_type.flight_cost = self.hostile(),
            _ => agent_type
                .terrain_costs
                .push((self.terrain(), self.hostile())),
        }
        agent_type
    }
}
