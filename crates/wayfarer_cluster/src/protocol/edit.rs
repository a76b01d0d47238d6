//! Edits on the wire.

use serde::{Deserialize, Serialize};
use wayfarer::{
    Body, BodyId, BodyShape, Categories, CostArea, CostAreaId, Edit, LinkDirection, LinkId,
    LinkState, NavLink, NavLinkKind, Solid, SolidId, Terrain, ThinWall, World, WorldChanges,
};

use super::shape::AreaWire;
use super::{At, ErrorKind, Failure, MAX_EDITS, MAX_ID_BYTES};

/// A request to change the world: exactly one of a batch of edits, a new body, moves, or the removal
/// of a body. It becomes one batch.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditRequest {
    /// The client's id of the request: a repeat is not applied again.
    pub(crate) id: Option<String>,
    edits: Option<Vec<EditWire>>,
    add_body: Option<BodyWire>,
    move_bodies: Option<Vec<(u64, At)>>,
    remove_body: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum EditWire {
    AddSolid(SolidWire),
    RemoveSolid(u64),
    Fill {
        low: At,
        high: At,
        #[serde(default)]
        terrain: u8,
    },
    Carve {
        low: At,
        high: At,
        floor: Option<u8>,
    },
    AddFloors {
        area: AreaWire,
        height: f64,
        #[serde(default)]
        terrain: u8,
    },
    RemoveFloors(AreaWire),
    AddWall {
        from: At,
        to: At,
    },
    RemoveWall {
        from: At,
        to: At,
    },
    AddLink(LinkWire),
    RemoveLink(u64),
    SetLinkState {
        link: u64,
        state: StateWire,
    },
    AddCostArea {
        area: AreaWire,
        multiplier: f64,
    },
    RemoveCostArea(u64),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SolidWire {
    Cuboid { low: At, high: At },
    Cylinder { base: At, radius: f64, height: f64 },
    Prism { corners: Vec<At>, height: f64 },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkWire {
    from: At,
    to: At,
    kind: KindWire,
    #[serde(default)]
    one_way: bool,
    cost: Option<f64>,
    #[serde(default)]
    state: StateWire,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindWire {
    Stairs,
    Ladder,
    Jump,
    Drop,
    Door,
    Teleport,
    Climb,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateWire {
    #[default]
    Open,
    Closed,
    Locked(u32),
}

/// A body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodyWire {
    position: At,
    radius: Option<f64>,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    team: u8,
    categories: Option<Vec<u8>>,
    blocks_movement: Option<bool>,
    blocks_sight: Option<bool>,
}

/// What a batch gave ids to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct EditResult {
    pub(crate) solids: Vec<u64>,
    pub(crate) links: Vec<u64>,
    pub(crate) cost_areas: Vec<u64>,
    pub(crate) bodies: Vec<u64>,
    /// True if the request was accepted earlier and not applied again; its ids are not listed then.
    pub(crate) repeated: bool,
}

impl EditRequest {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let request: Self = super::read(bytes)?;
        let id = request.id.as_deref().unwrap_or("-");
        if id.is_empty()
            || id.len() > MAX_ID_BYTES
            || !id.bytes().all(|byte| byte.is_ascii_graphic())
        {
            let expected = format!("expected 1 to {MAX_ID_BYTES} visible ASCII letters as `id`");
            return Err(Failure::malformed(expected));
        }
        let lists = [
            request.edits.as_ref().map(Vec::len),
            request.move_bodies.as_ref().map(Vec::len),
        ];
        if let Some(found) = lists.into_iter().flatten().find(|&n| n > MAX_EDITS) {
            let message = format!("{found} edits or moves, expected at most {MAX_EDITS}");
            return Err(Failure::new(ErrorKind::TooLarge, message));
        }
        Ok(request)
    }

    /// Applies the request to a world, as one batch.
    pub(crate) fn apply(&self, world: &mut World) -> Result<EditResult, Failure> {
        let rejected =
            |error: wayfarer::BodyError| Failure::new(ErrorKind::Rejected, error.to_string());
        match (
            &self.edits,
            &self.add_body,
            &self.move_bodies,
            self.remove_body,
        ) {
            (Some(edits), None, None, None) => {
                let edits = edits.iter().map(EditWire::to_edit);
                let edits: Vec<Edit> = edits.collect::<Result<_, _>>()?;
                Ok(EditResult::new(&world.apply(&edits)?))
            }
            (None, Some(body), None, None) => {
                let id = world.add_body(body.to_body()).map_err(rejected)?;
                let bodies = vec![id.to_bits()];
                Ok(EditResult {
                    bodies,
                    ..EditResult::default()
                })
            }
            (None, None, Some(moves), None) => {
                let moves = moves.iter();
                let moves: Vec<_> = moves
                    .map(|(id, at)| (BodyId::from_bits(*id), (*at).into()))
                    .collect();
                world.move_bodies(&moves).map_err(rejected)?;
                Ok(EditResult::default())
            }
            (None, None, None, Some(id)) => {
                world.remove_body(BodyId::from_bits(id)).map_err(rejected)?;
                Ok(EditResult::default())
            }
            _ => Err(Failure::malformed(
                "expected one of `edits`, `add_body`, `move_bodies`, `remove_body`",
            )),
        }
    }
}

impl EditResult {
    fn new(changes: &WorldChanges) -> Self {
        Self {
            solids: changes.new_solids().map(|id| id.0).collect(),
            links: changes.new_links().map(LinkId::to_bits).collect(),
            cost_areas: changes.new_cost_areas().map(CostAreaId::to_bits).collect(),
            bodies: Vec::new(),
            repeated: false,
        }
    }
}

fn terrain(number: u8) -> Result<Terrain, Failure> {
    let message = || format!("terrain {number}, expected 0 to 63");
    Terrain::new(number).ok_or_else(|| Failure::new(ErrorKind::Invalid, message()))
}

impl EditWire {
    fn to_edit(&self) -> Result<Edit, Failure> {
        let wall = |from: &At, to: &At| ThinWall {
            from: (*from).into(),
            to: (*to).into(),
        };
        Ok(match self {
            Self::AddSolid(solid) => Edit::add_solid(solid.to_solid()),
            Self::RemoveSolid(id) => Edit::remove_solid(SolidId(*id)),
            Self::Fill {
                low,
                high,
                terrain: top,
            } => Edit::fill((*low).into(), (*high).into(), terrain(*top)?),
            Self::Carve { low, high, floor } => {
                let floor = floor.map(terrain).transpose()?;
                Edit::carve((*low).into(), (*high).into(), floor)
            }
            Self::AddFloors {
                area,
                height,
                terrain: of,
            } => Edit::add_floors(area.to_area()?, *height, terrain(*of)?),
            Self::RemoveFloors(area) => Edit::remove_floors(area.to_area()?),
            Self::AddWall { from, to } => Edit::add_wall(wall(from, to)),
            Self::RemoveWall { from, to } => Edit::remove_wall(wall(from, to)),
            Self::AddLink(link) => Edit::add_link(link.to_link()),
            Self::RemoveLink(id) => Edit::remove_link(LinkId::from_bits(*id)),
            Self::SetLinkState { link, state } => {
                Edit::set_link_state(LinkId::from_bits(*link), state.to_state())
            }
            Self::AddCostArea { area, multiplier } => Edit::add_cost_area(CostArea {
                area: area.to_area()?,
                multiplier: *multiplier,
            }),
            Self::RemoveCostArea(id) => Edit::remove_cost_area(CostAreaId::from_bits(*id)),
        })
    }
}

impl SolidWire {
    fn to_solid(&self) -> Solid {
        match self {
            Self::Cuboid { low, high } => Solid::cuboid((*low).into(), (*high).into()),
            Self::Cylinder {
                base,
                radius,
                height,
            } => Solid::cylinder((*base).into(), *radius, *height),
            Self::Prism { corners, height } => {
                Solid::prism(corners.iter().map(|at| (*at).into()), *height)
            }
        }
    }
}

impl StateWire {
    const fn to_state(self) -> LinkState {
        match self {
            Self::Open => LinkState::Open,
            Self::Closed => LinkState::Closed,
            Self::Locked(keys) => LinkState::Locked(keys),
        }
    }
}

impl LinkWire {
    fn to_link(&self) -> NavLink {
        let kind = match self.kind {
            KindWire::Stairs => NavLinkKind::Stairs,
            KindWire::Ladder => NavLinkKind::Ladder,
            KindWire::Jump => NavLinkKind::Jump,
            KindWire::Drop => NavLinkKind::Drop,
            KindWire::Door => NavLinkKind::Door,
            KindWire::Teleport => NavLinkKind::Teleport,
            KindWire::Climb => NavLinkKind::Climb,
        };
        NavLink {
            direction: match self.one_way {
                true => LinkDirection::OneWay,
                false => LinkDirection::Bidirectional,
            },
            cost: self.cost,
            state: self.state.to_state(),
            ..NavLink::new(self.from.into(), self.to.into(), kind)
        }
    }
}

/// The union of categories by number.
pub(crate) fn categories(numbers: Option<&[u8]>) -> Categories {
    let Some(numbers) = numbers else {
        return Categories::ALL;
    };
    let all = numbers.iter().map(|number| Categories::one(*number));
    all.fold(Categories::NONE, Categories::with)
}

impl BodyWire {
    fn to_body(&self) -> Body {
        let default = Body::default();
        Body {
            position: self.position.into(),
            shape: self.radius.map_or(BodyShape::Point, BodyShape::disc),
            height: self.height,
            categories: categories(self.categories.as_deref()),
            team: self.team,
            blocks_movement: self.blocks_movement.unwrap_or(default.blocks_movement),
            blocks_sight: self.blocks_sight.unwrap_or(default.blocks_sight),
        }
    }
}
