//! The layout of a picture: height bands side by side, a title, a scale and a legend.

mod legend;
mod panel;
mod relief;

use wayfarer_engine::base::Rect;
use wayfarer_engine::picture::{HeightBand, Mark, Picture};

use super::DrawError;
use super::color::{self, Color};
use super::font;

/// A picture and its items in drawing order; all sizes in pixels.
pub(crate) struct Scene {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) paper: Color,
    pub(crate) items: Vec<Item>,
}

/// One drawn item.
pub(crate) enum Item {
    /// Blocks of cells, clipped to a rectangle.
    Blocks {
        left: f64,
        top: f64,
        width: u32,
        height: u32,
        zoom: Zoom,
        blocks: Vec<Block>,
    },
    Area {
        left: f64,
        top: f64,
        width: f64,
        height: f64,
        color: Color,
    },
    Line {
        points: Vec<(f64, f64)>,
        width: f64,
        color: Color,
    },
    Triangle {
        corners: [(f64, f64); 3],
        color: Color,
    },
    Disc {
        center: (f64, f64),
        radius: f64,
        color: Color,
    },
    Text {
        left: f64,
        top: f64,
        capital: f64,
        color: Color,
        text: String,
    },
}

/// A rectangle of cells in one color, counted from the north-west cell of its panel.
pub(crate) struct Block {
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: Color,
    /// True if it hides what was drawn before it in the same layer.
    pub(crate) covers: bool,
}

/// How large a cell is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Zoom {
    /// Pixels along the side of a cell.
    PixelsPerCell(u32),
    /// Cells along the side of a pixel.
    CellsPerPixel(u32),
}

impl Zoom {
    /// Pixels along `cells` cells.
    pub(crate) fn pixels(self, cells: f64) -> f64 {
        match self {
            Self::PixelsPerCell(pixels) => cells * f64::from(pixels),
            Self::CellsPerPixel(of) => cells / f64::from(of),
        }
    }

    /// Start and length of a span of cells, in pixels.
    #[expect(clippy::cast_precision_loss, reason = "cells are below 2^33")]
    pub(crate) fn span(self, from: i64, length: u32) -> (f64, f64) {
        (self.pixels(from as f64), self.pixels(f64::from(length)))
    }

    /// Whole pixels that hold `cells` cells.
    fn panel(self, cells: u32) -> u64 {
        match self {
            Self::PixelsPerCell(pixels) => u64::from(cells) * u64::from(pixels),
            Self::CellsPerPixel(of) => u64::from(cells).div_ceil(of.into()),
        }
    }
}

/// Options of a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct SceneOptions {
    /// A line above the picture.
    pub(crate) title: String,
    /// Pixels per cell; chosen to fit if not given.
    pub(crate) zoom: Option<u32>,
}

const MARGIN: u32 = 24;
const GAP: u32 = 20;
const CAPTION: u32 = 22;
const TITLE: u32 = 34;
/// The panels fit into a square of this side.
const SIDE: u32 = 1400;
/// Least width, so that the legend fits.
const MIN_WIDTH: u32 = 380;
const MAX_CELL: u32 = 24;
/// Most pixels of a picture: 48 million.
const MAX_PIXELS: u64 = 48_000_000;

/// Lays `picture` out.
///
/// # Errors
/// The zoom makes the picture too large.
pub(crate) fn lay_out(picture: &Picture, options: &SceneOptions) -> Result<Scene, DrawError> {
    let bounds = picture.bounds();
    let (word, bands) = sheets(picture);
    let grid = Grid::choose(bounds, bands.len(), options.zoom)?;
    let top = MARGIN + if options.title.is_empty() { 0 } else { TITLE };
    let mut scene = Scene {
        width: grid.width().max(MIN_WIDTH) + 2 * MARGIN,
        height: top + grid.height(),
        paper: color::paper(),
        items: Vec::new(),
    };
    if !options.title.is_empty() {
        let room = f64::from(scene.width - 2 * MARGIN);
        let text = cut(
            &options.title,
            room / (font::ADVANCE * 13.0 / font::CAPITAL),
        );
        scene.text((MARGIN.into(), MARGIN.into()), 13.0, text);
    }
    for (number, band) in (0..).zip(&bands) {
        let at = grid.panel(number, top);
        if bands.len() > 1 {
            let caption = caption(picture, word, *band, number + 1);
            scene.text((at.0, at.1 - f64::from(CAPTION) + 4.0), 9.0, caption);
        }
        panel::draw(&mut scene, picture, &bands, number as usize, &grid, at);
    }
    legend::draw(&mut scene, picture, &grid, bands.len() > 1);
    if u64::from(scene.width) * u64::from(scene.height) > MAX_PIXELS {
        return Err(too_large(scene.width, scene.height));
    }
    Ok(scene)
}

impl Scene {
    fn text(&mut self, (left, top): (f64, f64), capital: f64, text: String) {
        self.items.push(Item::Text {
            left,
            top,
            capital,
            color: color::ink(),
            text,
        });
    }
}

/// What is drawn side by side: floors of floors, or slices of a world to fly in.
fn sheets(picture: &Picture) -> (&'static str, Vec<HeightBand>) {
    let marks = || picture.marks().iter();
    let has_floors = marks().any(|mark| matches!(mark, Mark::Ground { .. }));
    let has_solids = marks().any(|mark| matches!(mark, Mark::Solid { .. }));
    if has_solids && !has_floors {
        ("slice", picture.slices(6))
    } else {
        ("height band", picture.height_bands())
    }
}

/// Width of a line of text, in pixels.
fn text_width(text: &str, capital: f64) -> f64 {
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    f64::from(letters) * font::ADVANCE * capital / font::CAPITAL
}

/// The text cut to fit, with an ellipsis.
fn cut(text: &str, letters: f64) -> String {
    if text_width(text, font::CAPITAL) / font::ADVANCE <= letters {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if text_width(&kept, font::CAPITAL) / font::ADVANCE + 4.0 > letters {
            break;
        }
        kept.push(letter);
    }
    kept + "..."
}

fn caption(picture: &Picture, word: &str, band: HeightBand, number: u32) -> String {
    let (low, high) = picture.heights().unwrap_or_default();
    let (low, high) = (band.low.max(low), band.high.min(high));
    if low == high {
        format!("{word} {number}: height {low}")
    } else {
        format!("{word} {number}: heights {low} to {high}")
    }
}

/// The arrangement of the panels.
struct Grid {
    bounds: Rect,
    zoom: Zoom,
    across: u32,
    down: u32,
    captions: bool,
}

impl Grid {
    fn choose(bounds: Rect, n_bands: usize, fixed_zoom: Option<u32>) -> Result<Self, DrawError> {
        let n_bands = u32::try_from(n_bands).unwrap_or(u32::MAX);
        let of = |across: u32, zoom| Self {
            bounds,
            zoom,
            across,
            down: n_bands.div_ceil(across),
            captions: n_bands > 1,
        };
        let fits = |grid: &Self| {
            let (width, height) = grid.size();
            width <= SIDE.into() && height <= SIDE.into()
        };
        let sizes = (1..=MAX_CELL).rev().map(Zoom::PixelsPerCell);
        let zooms = sizes.chain((1..32).map(|power| Zoom::CellsPerPixel(1 << power)));
        let zooms: Vec<_> = match fixed_zoom {
            Some(pixels) => vec![Zoom::PixelsPerCell(pixels)],
            None => zooms.collect(),
        };
        let grids = zooms
            .iter()
            .flat_map(|zoom| (1..=n_bands.min(40)).map(|across| of(across, *zoom)));
        let chosen = match fixed_zoom {
            Some(_) => grids.min_by_key(|grid| {
                let (width, height) = grid.size();
                width.max(height)
            }),
            None => grids.into_iter().find(fits),
        };
        let chosen = chosen.unwrap_or_else(|| of(40, Zoom::CellsPerPixel(1 << 31)));
        let (width, height) = chosen.size();
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(_), Ok(_)) if width.saturating_mul(height) <= MAX_PIXELS => Ok(chosen),
            (width, height) => Err(too_large(
                width.unwrap_or(u32::MAX),
                height.unwrap_or(u32::MAX),
            )),
        }
    }

    /// Pixels of all panels with their gaps and captions.
    fn size(&self) -> (u64, u64) {
        let (width, height) = (
            self.zoom.panel(self.bounds.width().max(1)),
            self.zoom.panel(self.bounds.height().max(1)),
        );
        let caption = if self.captions { u64::from(CAPTION) } else { 0 };
        (
            width * u64::from(self.across) + u64::from(GAP) * u64::from(self.across - 1),
            (height + caption) * u64::from(self.down) + u64::from(GAP) * u64::from(self.down - 1),
        )
    }

    fn width(&self) -> u32 {
        u32::try_from(self.size().0).unwrap_or(u32::MAX)
    }

    fn height(&self) -> u32 {
        u32::try_from(self.size().1).unwrap_or(u32::MAX)
    }

    /// Pixels of one panel.
    fn panel_size(&self) -> (u32, u32) {
        let pixels = |cells: u32| u32::try_from(self.zoom.panel(cells.max(1))).unwrap_or(u32::MAX);
        (pixels(self.bounds.width()), pixels(self.bounds.height()))
    }

    /// The north-west corner of a panel.
    fn panel(&self, number: u32, top: u32) -> (f64, f64) {
        let (width, height) = self.panel_size();
        let caption = if self.captions { CAPTION } else { 0 };
        let (column, row) = (number % self.across, number / self.across);
        (
            f64::from(MARGIN + column * (width + GAP)),
            f64::from(top + caption + row * (height + caption + GAP)),
        )
    }
}

fn too_large(width: u32, height: u32) -> DrawError {
    DrawError::TooLarge {
        width,
        height,
        limit: MAX_PIXELS,
    }
}
