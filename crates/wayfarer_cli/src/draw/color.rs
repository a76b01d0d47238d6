//! The colors of the pictures: muted ground, vivid paths.

use wayfarer_engine::base::{NavLinkKind, Terrain};
use wayfarer_engine::picture::{Role, SliceContent, ZoneKind};
use wayfarer_engine::world::obstacles::ObstacleCategories;

/// A color with its opacity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Color {
    /// Red, green and blue, 0 to 1.
    pub(crate) rgb: [f32; 3],
    /// Opacity, 0 to 1.
    pub(crate) cover: f32,
}

impl Color {
    /// An opaque color from 24 bits.
    pub(crate) fn hex(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Self {
            rgb: [red, green, blue].map(|part| f32::from(part) / 255.0),
            cover: 1.0,
        }
    }

    /// The same color with another opacity.
    pub(crate) const fn thin(self, cover: f32) -> Self {
        Self { cover, ..self }
    }

    /// Interpolates to `other` by `part`.
    pub(crate) fn towards(self, other: Self, part: f32) -> Self {
        let between = |a: f32, b: f32| a + (b - a) * part;
        let [r, g, b] = self.rgb;
        let [to_r, to_g, to_b] = other.rgb;
        Self {
            rgb: [between(r, to_r), between(g, to_g), between(b, to_b)],
            cover: between(self.cover, other.cover),
        }
    }

    /// As three bytes.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0 to 255 just before"
    )]
    pub(crate) fn bytes(self) -> [u8; 3] {
        self.rgb
            .map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8)
    }
}

/// The background.
pub(crate) fn paper() -> Color {
    Color::hex(0xFA_F8_F4)
}

/// Text and the scale.
pub(crate) fn ink() -> Color {
    Color::hex(0x33_3A_42)
}

/// No floor: rock on a flat map, air between floors.
pub(crate) fn nothing(several_floors: bool) -> Color {
    Color::hex(if several_floors {
        0xE3_E5_E8
    } else {
        0x52_59_63
    })
}

/// Opacity of the band below where there is no floor.
pub(crate) const FADED: f32 = 0.3;

/// Ground of a terrain, `part` between the lowest and the highest floor.
pub(crate) fn ground(terrain: Terrain, part: f32) -> Color {
    let (low, high) = match terrain {
        Terrain::GROUND => (0xB9_A9_8C, 0xF3_EC_DD),
        Terrain::SWAMP => (0x8E_9A_67, 0xC3_CC_A0),
        Terrain::WATER => (0x6F_9F_B8, 0xA9_CD_DE),
        Terrain::TREES => (0x5F_82_63, 0x8F_B0_8F),
        other => return Color::hex(0xEE_E6_D6).towards(number(other.number().into()), 0.45),
    };
    Color::hex(low).towards(Color::hex(high), part)
}

/// Solid, `part` between the lowest and the highest.
pub(crate) fn solid(part: f32) -> Color {
    Color::hex(0x4C_66_7A).towards(Color::hex(0xE6_DC_C4), part)
}

/// A slice or projection of the air, `part` towards the viewer.
pub(crate) fn cut(what: SliceContent, part: f32) -> Color {
    match what {
        SliceContent::Solid => Color::hex(0x3A_44_4E),
        SliceContent::Seen { .. } => solid(part),
        SliceContent::Component { number: 0 } => Color::hex(0xE9_F0_F4),
        SliceContent::Component { number: other } => number(other),
        SliceContent::Free { layer } => {
            const SIZES: [u32; 10] = [
                0xE8_C9_A0, 0xD9_E2_A8, 0xA9_D3_A6, 0x8F_CC_C8, 0x93_BB_DD, 0xA6_A4_DB, 0xC7_A6_D6,
                0xDD_B8_C8, 0xD5_CF_C4, 0xE6_E6_E6,
            ];
            Color::hex(SIZES[usize::from(layer).min(SIZES.len() - 1)])
        }
        _ => ink(),
    }
}

/// A color for a number; consecutive ones differ clearly.
pub(crate) fn number(number: u32) -> Color {
    const SOFT: [u32; 12] = [
        0x7F_A6_C9, 0xE0_A4_6A, 0x8C_B9_8A, 0xC9_86_8B, 0x9D_8F_C2, 0xD6_C4_72, 0x73_B5_B0,
        0xC9_94_B8, 0xA7_B5_6C, 0x8E_A0_AE, 0xD8_9C_86, 0x6E_9C_7E,
    ];
    Color::hex(SOFT[number as usize % SOFT.len()])
}

/// An expanded cell, `part` from the first to the last expansion.
pub(crate) fn expanded(part: f32) -> Color {
    Color::hex(0xB9_D7_EA)
        .towards(Color::hex(0x4A_7F_B5), part)
        .thin(0.78)
}

/// Explored space, `part` from one expansion to the most.
pub(crate) fn explored(part: f32) -> Color {
    let [cold, warm, hot] = [0xF6_E3_A1, 0xE8_8A_3C, 0xA3_1D_2B].map(Color::hex);
    let color = if part < 0.5 {
        cold.towards(warm, 2.0 * part)
    } else {
        warm.towards(hot, 2.0 * part - 1.0)
    };
    color.thin(0.78)
}

/// A nav link.
pub(crate) fn nav_link(kind: NavLinkKind, open: bool) -> Color {
    let code = match kind {
        _ if !open => 0x8A_3B_3B,
        NavLinkKind::Stairs => 0xA8_6A_1F,
        NavLinkKind::Ladder => 0x7A_5C_2E,
        NavLinkKind::Jump => 0x3E_8E_7E,
        NavLinkKind::Drop => 0x5B_6E_8C,
        NavLinkKind::Door => 0xB0_7C_2C,
        NavLinkKind::Teleport => 0x84_5E_C2,
        NavLinkKind::Climb => 0x6B_7A_3A,
    };
    Color::hex(code)
}

/// The path as found.
pub(crate) fn path() -> Color {
    Color::hex(0xD1_49_2F)
}

/// The string-pulled path.
pub(crate) fn smoothed() -> Color {
    Color::hex(0x27_5D_A8)
}

/// The halo of a path.
pub(crate) fn halo() -> Color {
    Color::hex(0xFF_FF_FF).thin(0.85)
}

/// The start.
pub(crate) fn start() -> Color {
    Color::hex(0x2E_8B_57)
}

/// The goal.
pub(crate) fn goal() -> Color {
    Color::hex(0xB0_24_3A)
}

/// Outlines of sectors.
pub(crate) fn sector() -> Color {
    Color::hex(0x5A_6A_7A).thin(0.35)
}

/// Thin walls.
pub(crate) fn wall() -> Color {
    Color::hex(0x2D_32_38)
}

/// Portals between regions.
pub(crate) fn portal() -> Color {
    Color::hex(0x12_8A_86)
}

/// The graph of regions: its edges.
pub(crate) fn edge() -> Color {
    Color::hex(0x4F_8F_8C).thin(0.55)
}

/// The graph of regions: its centers.
pub(crate) fn center() -> Color {
    Color::hex(0x1E_6E_6B)
}

/// The abstract path over regions.
pub(crate) fn abstract_path() -> Color {
    Color::hex(0x7A_4F_B0).thin(0.55)
}

/// A segment by its number; consecutive ones differ.
pub(crate) fn segment(number: u32) -> Color {
    Color::hex(if number.is_multiple_of(2) {
        0xD1_49_2F
    } else {
        0xE8_A0_1C
    })
}

/// An area of a request.
pub(crate) fn zone(kind: ZoneKind) -> Color {
    match kind {
        ZoneKind::Goal => Color::hex(0x3F_9B_5B).thin(0.4),
        ZoneKind::Avoided => Color::hex(0xA8_32_2A).thin(0.5),
        ZoneKind::Costly => Color::hex(0xD9_95_2C).thin(0.45),
        ZoneKind::Corridor => Color::hex(0x6F_A8_DC).thin(0.3),
    }
}

/// The footprint of a body.
pub(crate) fn footprint() -> Color {
    Color::hex(0x9A_4F_A0).thin(0.4)
}

/// A grid bin that a footprint covers, wholly or in part.
pub(crate) fn grid_bin(is_inside: bool) -> Color {
    Color::hex(if is_inside { 0x3F_9B_5B } else { 0xE8_A0_1C }).thin(0.5)
}

/// The outline of a footprint.
pub(crate) fn outline() -> Color {
    Color::hex(0x5B_2A_86)
}

/// Columns in sight.
pub(crate) fn in_sight() -> Color {
    Color::hex(0xF6_D5_5C).thin(0.6)
}

/// A body.
pub(crate) fn body(role: Role) -> Color {
    Color::hex(match role {
        Role::QueryOrigin => 0x1F_4E_9E,
        Role::Found => 0xC2_2F_2F,
        Role::Hidden => 0x8A_6D_3B,
        Role::Other => 0x9A_98_92,
    })
}

/// An obstacle: dark if it has every category, else by its lowest.
pub(crate) fn obstacle(types: ObstacleCategories) -> Color {
    let dark = Color::hex(0x3A_44_4E);
    match types.numbers().next() {
        Some(lowest) if types != ObstacleCategories::ALL => {
            number(lowest.into()).towards(dark, 0.3)
        }
        _ => dark,
    }
}

/// An expanded quad, `part` from the start to the largest cost.
pub(crate) fn searched_quad(part: f32) -> Color {
    Color::hex(0xC6_E0_C0).towards(Color::hex(0x5B_A3_9C), part)
}

/// An expanded corner.
pub(crate) fn corner() -> Color {
    Color::hex(0xE0_8A_1E)
}

/// The inside of a blocked quad.
pub(crate) fn blocked_quad() -> Color {
    Color::hex(0xC2_5B_3F).thin(0.22)
}

/// The outline of a quad.
pub(crate) fn quad(is_free: bool) -> Color {
    Color::hex(if is_free { 0x3E_7C_B1 } else { 0xC2_5B_3F }).thin(0.5)
}
