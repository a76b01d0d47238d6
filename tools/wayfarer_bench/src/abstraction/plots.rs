//! Figures 7 to 11 of \[Sturtevant2007\], drawn from the measurements.

use super::report::{AbstractionFigures, Bucket, Ratio, Summary};
use crate::plot::{Line, Plot, Scale};

/// The files that figures go into, whether or not there is enough to draw each.
pub const FILES: [&str; 5] = [
    "figure-7-memory.svg",
    "figure-8-worst-piece.svg",
    "figure-9-total-work.svg",
    "figure-10-work-by-length.svg",
    "figure-11-suboptimality.svg",
];

/// The figures that the report can draw, each with the name of its file. Figures over sizes of
/// sectors need several sizes and are left out else.
pub fn figures(report: &AbstractionFigures) -> Vec<(&'static str, Plot)> {
    let mut figures = Vec::new();
    let sizes = report.sectors.iter().map(|summary| summary.sector);
    if sizes.clone().min() != sizes.max() {
        figures.push((FILES[0], memory(report)));
        figures.push((FILES[1], max_segment(report)));
        figures.push((FILES[2], total_work(report)));
    }
    figures.push((FILES[3], work_by_length(report)));
    if figures.len() > 1 {
        figures.push((FILES[4], suboptimality(report)));
    }
    figures
}

/// One of the figures of a summary; `None` leaves the size of sectors out.
type Figure<'a> = &'a dyn Fn(&Summary) -> Option<f64>;

/// A line over the sizes of sectors for one refinement and center placement.
fn by_sector(
    report: &AbstractionFigures,
    name: String,
    like: &Summary,
    figure: Figure<'_>,
) -> Line {
    let of_kind = |summary: &&Summary| {
        (summary.refine.as_str(), summary.centers) == (like.refine.as_str(), like.centers)
    };
    let summaries = report.sectors.iter().filter(of_kind);
    let point = |summary: &Summary| Some((f64::from(summary.sector), figure(summary)?));
    let mut points: Vec<(f64, f64)> = summaries.filter_map(point).collect();
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    Line { name, points }
}

/// The first summary of each kind, in order.
fn kinds<'a, K: PartialEq>(
    report: &'a AbstractionFigures,
    kind: impl Fn(&'a Summary) -> K,
) -> Vec<&'a Summary> {
    let mut firsts: Vec<&Summary> = Vec::new();
    for summary in &report.sectors {
        if firsts.iter().all(|first| kind(first) != kind(summary)) {
            firsts.push(summary);
        }
    }
    firsts
}

fn over_sectors(title: &str, y_label: &str, lines: Vec<Line>) -> Plot {
    Plot {
        title: title.to_owned(),
        x_label: "cells along a side of a sector".to_owned(),
        y_label: y_label.to_owned(),
        scale: Scale::Even,
        lines,
    }
}

fn memory(report: &AbstractionFigures) -> Plot {
    let first = &report.totals;
    let line = |name: &str, figure: Figure<'_>| by_sector(report, name.to_owned(), first, figure);
    let lines = vec![
        line("all sectors stored", &|summary| {
            Some(summary.baked_with_defaults_bytes.mean)
        }),
        line("default sectors left out", &|summary| {
            Some(summary.baked_bytes.mean)
        }),
        line("sectors of 16 bits", &|summary| summary.compressed_bytes),
        line("and half the edges", &|summary| summary.half_edges_bytes),
    ];
    over_sectors("Bytes of a frozen map", "bytes, mean over maps", lines)
}

fn max_segment(report: &AbstractionFigures) -> Plot {
    over_sectors(
        "The dearest piece of the longest paths",
        "cells expanded, 95th percentile",
        compared(report, &|summary| summary.worst_piece_longest_p95),
    )
}

fn total_work(report: &AbstractionFigures) -> Plot {
    over_sectors(
        "All that is expanded for the longest paths",
        "regions and cells, 95th percentile",
        compared(report, &|summary| summary.expansions_longest_p95),
    )
}

/// A line for each center placement with the first refinement, then one for each other
/// refinement with the first centers.
fn compared(report: &AbstractionFigures, figure: Figure<'_>) -> Vec<Line> {
    let first = &report.totals;
    let kinds = kinds(report, |summary| (summary.refine.as_str(), summary.centers));
    let (same, others): (Vec<&Summary>, Vec<&Summary>) = kinds
        .into_iter()
        .partition(|like| like.refine == first.refine);
    let others = others
        .into_iter()
        .filter(|like| like.centers == first.centers);
    let by_centers = same.into_iter().map(|like| (like.centers.to_owned(), like));
    let lines = by_centers.chain(others.map(|like| (like.refine.clone(), like)));
    lines
        .map(|(name, like)| by_sector(report, name, like, figure))
        .collect()
}

fn work_by_length(report: &AbstractionFigures) -> Plot {
    let line = |name: &str, figure: &dyn Fn(&Bucket) -> f64| {
        let buckets = report.by_length.iter();
        let point = |bucket: &Bucket| (f64::midpoint(bucket.from, bucket.to), figure(bucket));
        Line {
            name: name.to_owned(),
            points: buckets.map(point).collect(),
        }
    };
    Plot {
        title: format!("Expansions by length of path, {}", report.totals.refine),
        x_label: "length, cells".to_owned(),
        y_label: "expansions".to_owned(),
        scale: Scale::Logarithmic,
        lines: vec![
            line("A*, most", &|bucket| bucket.astar_max),
            line("A*, mean", &|bucket| bucket.astar_mean),
            line("refined, most", &|bucket| bucket.expansions_max),
            line("refined, mean", &|bucket| bucket.expansions_mean),
        ],
    }
}

fn suboptimality(report: &AbstractionFigures) -> Plot {
    let more = |ratio: f64| (ratio - 1.0) * 100.0;
    let first = &report.totals;
    let longest = |figure: fn(Ratio) -> f64| {
        move |summary: &Summary| {
            summary
                .length_ratio_longest
                .map(|ratio| more(figure(ratio)))
        }
    };
    let line = |name: &str, figure: Figure<'_>| by_sector(report, name.to_owned(), first, figure);
    let mut lines = vec![
        line("largest", &longest(|ratio| ratio.max)),
        line("90th percentile", &longest(|ratio| ratio.p90)),
        line("median", &|summary| {
            summary.length_ratio_longest_p50.map(more)
        }),
        line("5th percentile", &|summary| {
            summary.length_ratio_longest_p5.map(more)
        }),
    ];
    for like in kinds(report, |summary| summary.refine.as_str()) {
        if like.refine != first.refine {
            let name = format!("90th of {}", like.refine);
            lines.push(by_sector(report, name, like, &longest(|ratio| ratio.p90)));
        }
    }
    over_sectors(
        &format!("The longest paths beyond the optimum, {}", first.refine),
        "per cent longer",
        lines,
    )
}
