//! A scene as SVG.

use std::fmt::Write;

use wayfarer_engine::base::collections::OrderedMap;

use super::color::Color;
use super::scene::{Block, Item, Scene, Zoom};

/// The whole file.
pub(super) fn write(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<rect width=\"100%\" height=\"100%\" {}/>\n",
        fill(scene.paper)
    );
    for item in &scene.items {
        element(&mut text, item);
    }
    text.push_str("</svg>\n");
    text
}

fn element(text: &mut String, item: &Item) {
    let line = match item {
        Item::Blocks {
            left,
            top,
            zoom,
            blocks,
            ..
        } => {
            cells(text, (*left, *top), *zoom, blocks);
            return;
        }
        Item::Area {
            left,
            top,
            width,
            height,
            color,
        } => format!(
            "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {}/>",
            fill(*color)
        ),
        Item::Line {
            points,
            width,
            color,
        } => format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:.2}\" \
             stroke-width=\"{width:.2}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            pairs(points),
            code(*color),
            color.cover
        ),
        Item::Triangle { corners, color } => {
            format!("<polygon points=\"{}\" {}/>", pairs(corners), fill(*color))
        }
        Item::Disc {
            center: (x, y),
            radius,
            color,
        } => format!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" {}/>",
            fill(*color)
        ),
        Item::Text {
            left,
            top,
            capital,
            color,
            text: words,
        } => format!(
            "<text x=\"{left:.2}\" y=\"{:.2}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"{:.1}\" {}>{}</text>",
            top + capital,
            capital * 1.4,
            fill(*color),
            escaped(words)
        ),
    };
    text.push_str(&line);
    text.push('\n');
}

/// One path for each color; blocks that hide others keep their order.
fn cells(text: &mut String, at: (f64, f64), zoom: Zoom, blocks: &[Block]) {
    let (left, top) = at;
    let scale = zoom.pixels(1.0);
    // Writing to a string cannot fail.
    let mut put = |piece: &str| text.push_str(piece);
    put(&format!(
        "<g transform=\"translate({left:.2} {top:.2}) scale({scale})\" \
         shape-rendering=\"crispEdges\">\n"
    ));
    let mut layers: Vec<OrderedMap<String, String>> = vec![OrderedMap::new()];
    let mut last = String::new();
    for block in blocks {
        let style = fill(block.color);
        if block.covers && style != last {
            layers.push(OrderedMap::new());
        }
        let layer = layers.last_mut().expect("one layer from the start on");
        let path = layer.entry(style.clone()).or_default();
        let (x, y, width, height) = (block.x, block.y, block.width, block.height);
        write!(path, "M{x} {y}h{width}v{height}h-{width}z").expect("a string takes all");
        last = style;
    }
    for (style, path) in layers.iter().flatten() {
        put(&format!("<path {style} d=\"{path}\"/>\n"));
    }
    put("</g>\n");
}

fn pairs(points: &[(f64, f64)]) -> String {
    let pairs = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}"));
    pairs.collect::<Vec<_>>().join(" ")
}

fn code(color: Color) -> String {
    let [red, green, blue] = color.bytes();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn fill(color: Color) -> String {
    if color.cover < 1.0 {
        let (code, cover) = (code(color), color.cover);
        format!("fill=\"{code}\" fill-opacity=\"{cover:.2}\"")
    } else {
        format!("fill=\"{}\"", code(color))
    }
}

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
