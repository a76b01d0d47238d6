//! Colors, layers and the meshes that units share.

use bevy::prelude::*;

pub const BACKGROUND: Color = Color::srgb(0.055, 0.067, 0.086);
pub const FLOOR: Color = Color::srgb(0.118, 0.141, 0.176);
pub const FLOOR_TILE: Color = Color::srgb(0.129, 0.155, 0.194);
pub const WALL: Color = Color::srgb(0.302, 0.357, 0.443);
pub const CRATE: Color = Color::srgb(0.573, 0.427, 0.275);
pub const SHADOW: Color = Color::srgba(0.0, 0.0, 0.0, 0.35);
pub const MUD: Color = Color::srgb(0.216, 0.196, 0.161);
pub const OPEN: Color = Color::srgb(0.435, 0.765, 0.510);
pub const CLOSED: Color = Color::srgb(0.906, 0.373, 0.333);
pub const SQUAD: Color = Color::srgb(0.361, 0.655, 0.984);
pub const VILLAGER: Color = Color::srgb(0.929, 0.784, 0.482);
pub const LAMP: Color = Color::srgb(0.392, 0.431, 0.502);
pub const LAMP_LIT: Color = Color::srgb(1.0, 0.855, 0.439);
pub const TEXT: Color = Color::srgb(0.867, 0.894, 0.929);
pub const FAINT: Color = Color::srgb(0.557, 0.612, 0.690);

/// Pixels of a unit in a window of the first size: text is as large as its size says there.
const PIXELS: f32 = 30.0;

/// Height of the face of a block as it is seen from above, in units.
const FACE: f32 = 0.3;

/// What is drawn over what, as heights of translations.
pub mod layer {
    pub const FLOOR: f32 = -9.0;
    pub const TILE: f32 = -8.0;
    pub const MUD: f32 = -7.0;
    pub const GLOW: f32 = -6.0;
    pub const SHADOW: f32 = -5.0;
    pub const MARKER: f32 = -4.0;
    pub const BLOCK: f32 = 2.0;
    pub const BLOCK_TOP: f32 = 2.5;
    pub const UNIT: f32 = 4.0;
    pub const LABEL: f32 = 8.0;
}

/// The meshes and colors of units and markers.
#[derive(Resource)]
pub struct Looks {
    pub disc: Handle<Mesh>,
    pub ring: Handle<Mesh>,
    pub nose: Handle<Mesh>,
    pub squad: Handle<ColorMaterial>,
    pub villager: Handle<ColorMaterial>,
    pub dark: Handle<ColorMaterial>,
    pub shadow: Handle<ColorMaterial>,
}

/// Makes what units share.
pub fn make(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let (tip, left, right) = (Vec2::X * 0.3, Vec2::new(0.02, 0.17), Vec2::new(0.02, -0.17));
    commands.insert_resource(Looks {
        disc: meshes.add(Circle::new(1.0).mesh().resolution(96)),
        ring: meshes.add(Annulus::new(0.88, 1.0).mesh().resolution(64)),
        nose: meshes.add(Triangle2d::new(tip, left, right)),
        squad: materials.add(SQUAD),
        villager: materials.add(VILLAGER),
        dark: materials.add(BACKGROUND),
        shadow: materials.add(SHADOW),
    });
}

/// A place on the plane in a layer.
pub fn at(place: Vec2, layer: f32) -> Transform {
    Transform::from_translation(place.extend(layer))
}

/// A block: its top, and with a face a darker strip and a shadow south of it.
pub fn spawn_block(commands: &mut Commands, center: Vec2, size: (Vec2, bool), color: Color) {
    commands
        .spawn((at(center, 0.0), Visibility::default()))
        .with_children(|parts| spawn_parts(parts, size, color));
}

/// The parts of a block around its entity.
pub fn spawn_parts(parts: &mut ChildSpawnerCommands, (size, has_face): (Vec2, bool), color: Color) {
    let face = if has_face { FACE } else { 0.0 };
    let top = Sprite::from_color(color, size - Vec2::Y * face);
    parts.spawn((top, at(Vec2::Y * face / 2.0, layer::BLOCK_TOP)));
    if has_face {
        let side = Sprite::from_color(color.mix(&Color::BLACK, 0.35), size);
        parts.spawn((side, at(Vec2::ZERO, layer::BLOCK)));
        let shadow = Sprite::from_color(SHADOW, size);
        parts.spawn((shadow, at(Vec2::NEG_Y * 0.3, layer::SHADOW)));
    }
}

/// Text of a size in pixels.
pub fn text(line: &str, size: f32, color: Color) -> (Text2d, TextFont, TextColor) {
    let font = TextFont {
        font_size: FontSize::Px(size),
        ..default()
    };
    (Text2d::new(line), font, TextColor(color))
}

/// Where text is: its pixels are no units.
pub fn text_at(place: Vec2) -> Transform {
    at(place, layer::LABEL).with_scale(Vec3::splat(1.0 / PIXELS))
}
