//! Draws the marks of a picture as PNG or SVG.

mod canvas;
mod color;
mod font;
mod scene;
mod svg;

use std::path::Path;

use thiserror::Error;
use wayfarer_engine::picture::Picture;

pub(crate) use color::{Color, paper};
pub(crate) use scene::{Block, Item, Scene, SceneOptions, Zoom};

use crate::failure::Failure;

/// Why a picture could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum DrawError {
    /// The picture would have too many pixels.
    #[error(
        "the picture would have {width} x {height} pixels, the limit is {limit}: give a smaller --zoom"
    )]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Most pixels of a picture.
        limit: u64,
    },
    /// The PNG encoder failed.
    #[error("the PNG encoder failed: {0}")]
    Png(#[from] png::EncodingError),
}

/// A format of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Pixels.
    Png,
    /// Shapes.
    Svg,
    /// Text, one letter per cell.
    Text,
}

/// The format of an extension.
pub(crate) fn format_of(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("png") => Ok(Format::Png),
        Some("svg") => Ok(Format::Svg),
        Some("txt") => Ok(Format::Text),
        _ => Err(Failure::for_file(
            path,
            "the name of a picture must end in .png, .svg or .txt",
        )),
    }
}

/// The picture in the format of the extension.
pub(crate) fn to_file(
    picture: &Picture,
    options: &SceneOptions,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    let drawn = match format_of(path)? {
        Format::Png => png(picture, options),
        Format::Svg => svg(picture, options).map(String::into_bytes),
        Format::Text => Ok(picture.to_text().into_bytes()),
    };
    drawn.map_err(|error| match error {
        DrawError::TooLarge { .. } => Failure::for_file(path, error),
        DrawError::Png(_) => Failure::OurFault(error.to_string()),
    })
}

/// A scene in the format of the extension, PNG or SVG.
pub(crate) fn scene_to_file(scene: &Scene, path: &Path) -> Result<Vec<u8>, Failure> {
    match format_of(path)? {
        Format::Png => png_of(scene).map_err(|error| Failure::OurFault(error.to_string())),
        Format::Svg => Ok(svg::write(scene).into_bytes()),
        Format::Text => Err(Failure::for_file(path, "drawn as .png or .svg only")),
    }
}

/// The picture as the bytes of a PNG file.
///
/// # Errors
/// The zoom makes the picture too large.
fn png(picture: &Picture, options: &SceneOptions) -> Result<Vec<u8>, DrawError> {
    png_of(&scene::lay_out(picture, options)?)
}

fn png_of(scene: &Scene) -> Result<Vec<u8>, DrawError> {
    let canvas = canvas::Canvas::new(scene);
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
/// The zoom makes the picture too large.
fn svg(picture: &Picture, options: &SceneOptions) -> Result<String, DrawError> {
    Ok(svg::write(&scene::lay_out(picture, options)?))
}
