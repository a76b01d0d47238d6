//! A plot as SVG: how long each engine takes for ways of each length.

use crate::report::Report;
use crate::statistics;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 8] = [
    "#0b6e99", "#d9730d", "#448361", "#9065b0", "#c4554d", "#9f6b53", "#6b6b6b", "#c19138",
];

/// A line of points to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it is called in the legend.
    pub name: String,
    /// Its points, from left to right. Values not above 0 are left out on a logarithmic axis.
    pub points: Vec<(f64, f64)>,
}

/// Lines over a plain x axis and a logarithmic y axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// What x is, with its unit.
    pub x_label: String,
    /// What y is, with its unit.
    pub y_label: String,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

impl Plot {
    /// The plot as an SVG document of 720 by 420.
    pub fn to_svg(&self) -> String {
        let drawn = || {
            self.lines
                .iter()
                .flat_map(|line| &line.points)
                .filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0)
        };
        let x_most = drawn().map(|point| point.0).fold(1.0, f64::max);
        let least = drawn().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let most = drawn().map(|point| point.1).fold(0.0, f64::max);
        let (low, high) = if most > 0.0 {
            decades(least, most)
        } else {
            (0, 1)
        };
        let across = |x: f64| LEFT + x / x_most * (WIDTH - LEFT - RIGHT);
        let (bottom, top) = (HEIGHT - BOTTOM, TOP);
        let up = |y: f64| {
            let part = (y.log10() - f64::from(low)) / f64::from(high - low);
            bottom - part * (bottom - top)
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        text(&mut svg, (WIDTH / 2.0, 22.0), "middle", &self.title);
        text(
            &mut svg,
            (across(x_most / 2.0), HEIGHT - 12.0),
            "middle",
            &self.x_label,
        );
        text(&mut svg, (8.0, TOP - 14.0), "start", &self.y_label);
        for decade in low..=high {
            let y = up(power_of_ten(decade));
            stroke(&mut svg, &[(LEFT, y), (WIDTH - RIGHT, y)], "#dddddd");
            text(
                &mut svg,
                (LEFT - 8.0, y + 4.0),
                "end",
                &power_of_ten(decade).to_string(),
            );
        }
        for quarter in 0..=4 {
            let x = x_most * f64::from(quarter) / 4.0;
            text(
                &mut svg,
                (across(x), bottom + 18.0),
                "middle",
                &format!("{x:.0}"),
            );
        }
        for (place, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let points: Vec<(f64, f64)> = line
                .points
                .iter()
                .filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0)
                .map(|&(x, y)| (across(x), up(y)))
                .collect();
            stroke(&mut svg, &points, colour);
            let y = TOP + 12.0 + 20.0 * place as f64;
            let x = WIDTH - RIGHT + 14.0;
            stroke(&mut svg, &[(x, y), (x + 18.0, y)], colour);
            text(&mut svg, (x + 24.0, y + 4.0), "start", &line.name);
        }
        svg += "</svg>\n";
        svg
    }
}

/// The powers of ten around two numbers, never the same.
fn decades(least: f64, most: f64) -> (i32, i32) {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the exponent of a float is below 400"
    )]
    let whole = |number: f64| number as i32;
    let low = whole(least.log10().floor());
    (low, whole(most.log10().ceil()).max(low + 1))
}

fn power_of_ten(exponent: i32) -> f64 {
    10_f64.powi(exponent)
}

fn stroke(svg: &mut String, points: &[(f64, f64)], colour: &str) {
    let list: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    *svg += &format!(
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
        list.join(" ")
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, content: &str) {
    let safe = content
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    *svg += &format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#333333\">{safe}</text>\n"
    );
}

/// Median time by length of the best way, one line per engine; ways are put into 24 classes of
/// equal width.
pub fn time_by_length(report: &Report) -> Plot {
    const N_CLASSES: usize = 24;
    let bests = report.engines.iter().flat_map(|engine| &engine.cases);
    let longest = bests.filter_map(|case| case.best).fold(1.0, f64::max);
    let width = longest / N_CLASSES as f64;
    let lines = report.engines.iter().map(|engine| {
        let mut classes: Vec<Vec<f64>> = vec![Vec::new(); N_CLASSES];
        for case in &engine.cases {
            if let Some(best) = case.best {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "lengths are not negative; the quotient is at most the number of classes"
                )]
                let class = ((best / width) as usize).min(N_CLASSES - 1);
                classes[class].push(case.time_us);
            }
        }
        let points = classes.iter_mut().enumerate().filter_map(|(class, times)| {
            let middle = (class as f64 + 0.5) * width;
            Some((middle, statistics::median(times)?))
        });
        Line {
            name: engine.name.clone(),
            points: points.collect(),
        }
    });
    Plot {
        title: "Time per query by length of the best way".to_owned(),
        x_label: "least length, cells".to_owned(),
        y_label: "median time, microseconds".to_owned(),
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests;
