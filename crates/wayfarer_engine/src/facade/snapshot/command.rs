//! Encoding of commands and edits: a tag for the kind, then the members in order.

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, Fixed, FloorBlock, GroundEdit, GroundSolid,
    LinkState, NavLink, NavLinkId, NavLinkKind, Point2, Raster, Rect, SectorId, Shape, SolidId,
    Terrain, Voxel, Wall,
};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{AirEdit, BoxContent, Geometry, GeometryId, Volume, VolumeId};
use wayfarer_world::bodies::{Body, BodyId, Footprint, Sensor, SensorId};
use wayfarer_world::obstacles::{Obstacle, ObstacleId};

use super::codec::{Codec, struct_codec, take_all};
use crate::Position;
use crate::facade::agent::AgentType;
use crate::facade::command::Command;
use crate::facade::edit::{BodyEdit, Edit, ObstacleEdit};
use crate::facade::solid::{Solid, SolidShape};

/// The bytes of one value.
pub(in crate::facade) fn encode(command: &Command) -> Vec<u8> {
    let mut sink = SectionWriter::default();
    command.put(&mut sink);
    sink.into_bytes()
}

/// The value of all the bytes.
pub(in crate::facade) fn decode(bytes: &[u8]) -> Result<Command, SnapshotError> {
    let mut source = SectionReader::over(bytes);
    let command = Command::take(&mut source)?;
    source.end()?;
    Ok(command)
}

/// Implements [`Codec`] for enums. Tags are part of the format: a new variant takes the next one.
macro_rules! enum_codec {
    ($($name:ident, $what:literal, $expected:literal {
        $($tag:literal => $variant:ident
            $({ $($member:ident: $kind:ty),+ })?
            $(($inner:ident: $inner_kind:ty))?,)+
    })+) => {$(
        impl Codec for $name {
            const MIN_BYTES: usize = 1;
            fn put(&self, sink: &mut SectionWriter) {
                match self {
                    $(Self::$variant $({ $($member),+ })? $(($inner))? => {
                        sink.u8($tag);
                        $($(<$kind as Codec>::put($member, sink);)+)?
                        $(<$inner_kind as Codec>::put($inner, sink);)?
                    })+
                }
            }
            fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
                let at = source.at();
                Ok(match source.u8()? {
                    $($tag => Self::$variant
                        $({ $($member: <$kind as Codec>::take(source)?),+ })?
                        $((<$inner_kind as Codec>::take(source)?))?,)+
                    found => {
                        return Err(SnapshotError::out_of_range(at, $what, found.into(), $expected));
                    }
                })
            }
        }
    )+};
}

enum_codec! {
    Command, "the kind of a command", "0 to 7" {
        0 => Apply(edits: Vec<Edit>),
        1 => AddAgentType(agent_type: AgentType),
        2 => AddSensor(sensor: Sensor),
        3 => RemoveSensor(id: SensorId),
        4 => SetSensorFootprint { id: SensorId, footprint: Footprint },
        5 => UpdateSensors,
        6 => AttachCostModifier { id: CostModifierId, body: BodyId },
        7 => DetachCostModifier(id: CostModifierId),
    }
    Edit, "the kind of an edit", "0 to 9" {
        0 => Ground(edit: GroundEdit),
        1 => Air(edit: AirEdit),
        2 => Obstacle(edit: ObstacleEdit),
        3 => Body(edit: BodyEdit),
        4 => PutAirLink(air_link: AirLink),
        5 => RemoveAirLink { cell: Cell, voxel: Voxel },
        6 => FillBox { low: Position, high: Position, top: Terrain },
        7 => CarveBox { low: Position, high: Position, floor: Option<Terrain> },
        8 => AddSolid(solid: Solid),
        9 => RemoveSolid(id: SolidId),
    }
    SolidShape, "the shape of a solid", "0 to 3" {
        0 => Cuboid { low: Position, high: Position },
        1 => Cylinder { base: Position, radius: i64, height: i64 },
        2 => Prism { corners: Vec<Position>, height: i64 },
        3 => Mesh { vertices: Vec<Position>, triangles: Vec<(u32, u32, u32)> },
    }
    GroundEdit, "the kind of a ground edit", "0 to 16" {
        0 => PutCell { cell: Cell, terrain: Terrain },
        1 => RemoveCell { cell: Cell },
        2 => Fill { shape: Shape, z: i32, terrain: Terrain },
        3 => Clear { shape: Shape, heights: (i32, i32) },
        4 => Patch { at: Column, z: i32, raster: Raster },
        5 => PutWall(wall: Wall),
        6 => RemoveWall(wall: Wall),
        7 => PutNavLink(nav_link: NavLink),
        8 => RemoveNavLink(id: NavLinkId),
        9 => SetNavLinkState { nav_link: NavLinkId, state: LinkState },
        10 => PutCostModifier { id: CostModifierId, modifier: CostModifier },
        11 => RemoveCostModifier(id: CostModifierId),
        12 => SetFloors(blocks: Vec<FloorBlock>),
        13 => FillBox { rect: Rect, bottom: i32, top: i32, terrain: Terrain },
        14 => CarveBox { rect: Rect, bottom: i32, top: i32, terrain: Option<Terrain> },
        15 => PutSolid { id: SolidId, solid: GroundSolid },
        16 => RemoveSolid(id: SolidId),
    }
    AirEdit, "the kind of an air edit", "0 to 6" {
        0 => Fill { low: Voxel, high: Voxel },
        1 => Clear { low: Voxel, high: Voxel },
        2 => Put { id: GeometryId, geometry: Geometry },
        3 => Remove { id: GeometryId },
        4 => PutVolume { id: VolumeId, volume: Volume },
        5 => RemoveVolume { id: VolumeId },
        6 => Replace { low: Voxel, high: Voxel, content: BoxContent },
    }
    BoxContent, "the content of a box", "0 to 2" {
        0 => Free,
        1 => Solid,
        2 => Cubes(cubes: Vec<(u8, Voxel, u64)>),
    }
    ObstacleEdit, "the kind of an obstacle edit", "0 to 3" {
        0 => Insert(obstacle: Obstacle),
        1 => Set { id: ObstacleId, obstacle: Obstacle },
        2 => MoveTo { id: ObstacleId, low: Point2 },
        3 => Remove { id: ObstacleId },
    }
    BodyEdit, "the kind of a body edit", "0 to 5" {
        0 => Register(body: Body),
        1 => Unregister { id: BodyId },
        2 => MoveTo { id: BodyId, to: Point2 },
        3 => Teleport { id: BodyId, to: Point2 },
        4 => SetHeight { id: BodyId, z: Fixed },
        5 => MoveAll(to: Vec<Point2>),
    }
}

struct_codec! {
    NavLinkId { from: Cell, to: Cell, kind: NavLinkKind }
    Solid { shape: SolidShape, top: Terrain }
}

/// Sector, height, terrain or none, and 16 rows of columns.
impl Codec for FloorBlock {
    const MIN_BYTES: usize = 45;
    fn put(&self, sink: &mut SectionWriter) {
        ((self.sector.x, self.sector.y), (self.z, self.terrain)).put(sink);
        self.columns.iter().for_each(|row| row.put(sink));
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let ((x, y), (z, terrain)) = <((i32, i32), (i32, Option<Terrain>))>::take(source)?;
        let mut columns = [0; 16];
        for row in &mut columns {
            *row = source.u16()?;
        }
        let sector = SectorId::new(x, y);
        Ok(Self {
            sector,
            z,
            columns,
            terrain,
        })
    }
}

impl<T: Codec> Codec for Vec<T> {
    const MIN_BYTES: usize = 8;
    fn put(&self, sink: &mut SectionWriter) {
        sink.count(self.len());
        self.iter().for_each(|one| one.put(sink));
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        take_all(source, "the number of items in a list")
    }
}

/// Width and height, then a byte per cell, row by row.
impl Codec for Raster {
    const MIN_BYTES: usize = 8;
    fn put(&self, sink: &mut SectionWriter) {
        (self.width(), self.height()).put(sink);
        sink.raw(self.bytes());
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let (width, height) = <(u32, u32)>::take(source)?;
        let at = source.at();
        let bytes = source.take(u64::from(width) * u64::from(height))?;
        Self::from_bytes(width, height, bytes.to_vec()).ok_or_else(|| {
            let found = bytes.iter().find(|byte| (64..=254).contains(*byte));
            let found = found.copied().unwrap_or_default().into();
            let expected = "0 to 63, or 255 without a floor";
            SnapshotError::out_of_range(at, "a cell of a raster", found, expected)
        })
    }
}
