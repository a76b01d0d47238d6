//! Draws the marks of a picture as PNG or SVG.

mod canvas;
mod color;
mod font;
mod scene;
mod svg;

use std::path::Path;

use thiserror::Error;
use wayfarer::picture::Picture;

pub(crate) use color::{Color, paper};
pub(crate) use scene::{Block, Item, Scene, SceneOptions, Zoom};

use crate::failure::Failure;

/// Why a picture could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum DrawError {
    /// The sheet would have too many dots.
    #[error(
        "the picture would have {width} x {height} dots, the limit is {limit}: give a smaller --zoom"
    )]
    TooLarge {
        /// Dots across.
        width: u32,
        /// Dots down.
        height: u32,
        /// Most dots of a sheet.
        limit: u64,
    },
    /// The PNG writer refused.
    #[error("the PNG writer failed: {0}")]
    Png(#[from] png::EncodingError),
}

/// What a picture can be written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Dots.
    Png,
    /// Shapes.
    Svg,
    /// Letters.
    Text,
}

/// The format that the name of a file asks for.
pub(crate) fn format_of(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("png") => Ok(Format::Png),
        Some("svg") => Ok(Format::Svg),
        Some("txt") => Ok(Format::Text),
        _ => Err(Failure::of_file(
            path,
            "the name of a picture must end in .png, .svg or .txt",
        )),
    }
}

/// The picture in the format that the name of the file asks for.
pub(crate) fn to_file(
    picture: &Picture,
    wishes: &SceneOptions,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    let drawn = match format_of(path)? {
        Format::Png => png(picture, wishes),
        Format::Svg => svg(picture, wishes).map(String::into_bytes),
        Format::Text => Ok(picture.to_text().into_bytes()),
    };
    drawn.map_err(|error| match error {
        DrawError::TooLarge { .. } => Failure::of_file(path, error),
        DrawError::Png(_) => Failure::OurFault(error.to_string()),
    })
}

/// A scene that somebody else laid out, in the format that the name of the file asks for; letters
/// are not among them.
pub(crate) fn scene_to_file(scene: &Scene, path: &Path) -> Result<Vec<u8>, Failure> {
    match format_of(path)? {
        Format::Png => png_of(scene).map_err(|error| Failure::OurFault(error.to_string())),
        Format::Svg => Ok(svg::write(scene).into_bytes()),
        Format::Text => Err(Failure::of_file(path, "drawn as .png or .svg only")),
    }
}

/// The picture as the bytes of a PNG file.
///
/// # Errors
/// If the zoom wished for makes the sheet too large.
fn png(picture: &Picture, wishes: &SceneOptions) -> Result<Vec<u8>, DrawError> {
    png_of(&scene::lay_out(picture, wishes)?)
}

fn png_of(scene: &Scene) -> Result<Vec<u8>, DrawError> {
    let canvas = canvas::Canvas::of(scene);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, scene.width, scene.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.bytes())?;
    writer.finish()?;
    Ok(bytes)
}

/// The picture as the text of an SVG file.
///
/// # Errors
/// If the zoom wished for makes the sheet too large.
fn svg(picture: &Picture, wishes: &SceneOptions) -> Result<String, DrawError> {
    Ok(svg::write(&scene::lay_out(picture, wishes)?))
}
