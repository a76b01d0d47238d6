//! `wayfarer demo castle`: runs, times and draws the simulation.

mod floor_plans;

use std::path::Path;

use serde::Serialize;

use crate::castle::{self, Arguments, CastleReport};
use crate::clock;
use crate::draw;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;
use crate::words;

/// The report with its files.
#[derive(Serialize)]
struct Report<'a> {
    seed: u64,
    seconds: f64,
    #[serde(flatten)]
    castle: &'a CastleReport,
    picture: String,
    saved: String,
}

/// Simulates and draws.
pub(super) fn run(arguments: &Arguments, file: &Path, json: &Json) -> Result<Verdict, Failure> {
    if draw::format_of(file)? == draw::Format::Text {
        return Err(Failure::for_file(
            file,
            "the castle is drawn as .png or .svg, not as text",
        ));
    }
    let saved = file.with_extension("wayfarer");
    output::can_write([file, &saved].into_iter().chain(json.file()))?;
    let started = clock::now();
    let ticks = usize::try_from(arguments.ticks).unwrap_or(usize::MAX);
    let progress = Progress::new("ticks", ticks);
    let simulated = castle::run(arguments, || progress.step());
    drop(progress);
    let (report, castle) = simulated.map_err(|error| Failure::OurFault(error.to_string()))?;
    let seconds = started.elapsed();
    let mut out = Output::default();
    out.line(format!(
        "a castle of {} agents, {} ticks of 1/30 s, simulated in {}",
        report.agents,
        words::count(report.ticks.into()),
        words::duration(seconds)
    ));
    out.line("");
    out.line(castle::render(&report).trim_end());
    let scene = floor_plans::scene(&castle, &report);
    out.file(file, draw::scene_to_file(&scene, file)?);
    out.line(format!("picture: {}", file.display()));
    out.file(&saved, castle.world().save());
    out.line(format!(
        "saved: {}; see `wayfarer info`, `render` and `path`",
        saved.display()
    ));
    let summary = Report {
        seed: arguments.seed,
        seconds: seconds.as_secs_f64(),
        castle: &report,
        picture: file.display().to_string(),
        saved: saved.display().to_string(),
    };
    out.json(json, "demo/2", &summary)?;
    out.finish()?;
    Ok(Verdict::negative_if(report.tally.inside_walls > 0))
}
