//! SVG plot of query time by path length, a line per engine.

use wayfarer_measure::statistics;

use crate::paths::PathFigures;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 8] = [
    "#0b6e99", "#d9730d", "#448361", "#9065b0", "#c4554d", "#9f6b53", "#6b6b6b", "#c19138",
];

/// A line of points to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it is called in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// How the y axis is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// By powers of ten; values not above 0 are left out.
    Logarithmic,
    /// Evenly, from 0 up; values below 0 are left out.
    Even,
}

/// Lines over a plain x axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// What x is, with its unit.
    pub x_label: String,
    /// What y is, with its unit.
    pub y_label: String,
    /// How y is laid out.
    pub scale: Scale,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

impl Plot {
    /// The plot as an SVG document of 720 by 420.
    pub fn to_svg(&self) -> String {
        let is_drawn =
            |(x, y): &&(f64, f64)| x.is_finite() && y.is_finite() && self.scale.is_drawn(*y);
        let drawn = || {
            let points = self.lines.iter().flat_map(|line| &line.points);
            points.filter(is_drawn)
        };
        let x_most = drawn().map(|point| point.0).fold(1.0, f64::max);
        let marks = self.scale.marks(drawn().map(|point| point.1));
        let place = |y| self.scale.place(y);
        let (low, high) = match (marks.first(), marks.last()) {
            (Some(low), Some(high)) => (place(*low), place(*high)),
            _ => (0.0, 1.0),
        };
        let across = |x: f64| LEFT + x / x_most * (WIDTH - LEFT - RIGHT);
        let (bottom, top) = (HEIGHT - BOTTOM, TOP);
        let up = |y: f64| bottom - (place(y) - low) / (high - low) * (bottom - top);
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
        for mark in &marks {
            let y = up(*mark);
            stroke(&mut svg, &[(LEFT, y), (WIDTH - RIGHT, y)], "#dddddd");
            // What a sum of tenths leaves behind its fourth place is not meant.
            let number = (mark * 1e4).round() / 1e4;
            text(&mut svg, (LEFT - 8.0, y + 4.0), "end", &number.to_string());
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
            let color = COLORS[place % COLORS.len()];
            let points: Vec<(f64, f64)> = line
                .points
                .iter()
                .filter(is_drawn)
                .map(|&(x, y)| (across(x), up(y)))
                .collect();
            stroke(&mut svg, &points, color);
            let y = TOP + 12.0 + 20.0 * place as f64;
            let x = WIDTH - RIGHT + 14.0;
            stroke(&mut svg, &[(x, y), (x + 18.0, y)], color);
            text(&mut svg, (x + 24.0, y + 4.0), "start", &line.name);
        }
        svg += "</svg>\n";
        svg
    }
}

impl Scale {
    fn is_drawn(self, y: f64) -> bool {
        match self {
            Self::Logarithmic => y > 0.0,
            Self::Even => y >= 0.0,
        }
    }

    /// How far up a number lies, in units of the scale.
    fn place(self, y: f64) -> f64 {
        match self {
            Self::Logarithmic => y.log10(),
            Self::Even => y,
        }
    }

    /// The numbers that get a line across, from the lowest to the highest: two or more.
    fn marks(self, numbers: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
        let least = numbers.clone().fold(f64::INFINITY, f64::min);
        let most = numbers.fold(0.0, f64::max);
        match self {
            Self::Logarithmic => {
                let (low, high) = if most > 0.0 {
                    decades(least, most)
                } else {
                    (0, 1)
                };
                (low..=high).map(power_of_ten).collect()
            }
            Self::Even => {
                let most = if most > 0.0 { most } else { 1.0 };
                let (decade, _) = decades(most, most);
                let ten = power_of_ten(decade);
                let steps = [0.1, 0.2, 0.5, 1.0, 2.0].map(|part| part * ten);
                let step = steps.into_iter().find(|step| most / step <= 6.0);
                let step = step.unwrap_or(2.0 * ten);
                let above = |mark: &f64| *mark < most + step;
                (0_u8..12)
                    .map(|n| f64::from(n) * step)
                    .take_while(above)
                    .collect()
            }
        }
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

fn stroke(svg: &mut String, points: &[(f64, f64)], color: &str) {
    let list: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    *svg += &format!(
        "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
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

/// Median time by optimal path length, one line per engine; lengths in 24 classes of equal width.
pub fn time_by_length(report: &PathFigures) -> Plot {
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
            let center = (class as f64 + 0.5) * width;
            Some((center, statistics::median(times)?))
        });
        Line {
            name: engine.name.clone(),
            points: points.collect(),
        }
    });
    Plot {
        title: "Time per query by optimal path length".to_owned(),
        x_label: "least length, cells".to_owned(),
        y_label: "median time, microseconds".to_owned(),
        scale: Scale::Logarithmic,
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests;
