//! Problems on a generated map, with their optimal lengths.

use std::path::Path;
use std::sync::Arc;

use wayfarer_engine::base::Outcome;
use wayfarer_engine::formats::movingai_scen::{self, Scenario, ScenarioLine};
use wayfarer_engine::make::{GeneratedWorld, scenario as draw};
use wayfarer_engine::search::dense::{DenseMethod, DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::world::dense::DenseGround;

/// The text of a `.scen` file with `count` problems, shortest first as in the benchmarks.
pub(super) fn scenario(
    generated: &GeneratedWorld,
    count: u32,
    seed: u64,
    map_file: &Path,
) -> Result<String, String> {
    let GeneratedWorld::Flat(map) = generated else {
        return Err("a scenario is for flat worlds".to_owned());
    };
    let ground = DenseGround::from_raster(map.clone()).map_err(|error| error.to_string())?;
    let mut searcher = DenseSearcher::default();
    let name = map_file.file_name().unwrap_or_default().to_string_lossy();
    let name: Arc<str> = name.into();
    let mut lines = Vec::new();
    for problem in draw(map, count, seed) {
        let mut request = DenseRequest::new(problem.start, problem.goal);
        request.method = DenseMethod::Dijkstra;
        let outcome = find_path(&ground, &mut searcher, &request);
        let length = match outcome.map_err(|request_error| request_error.to_string())? {
            Outcome::Found(path) => path.cost.to_cells(),
            // The benchmarks write 0 where there is no path.
            _ => 0.0,
        };
        lines.push(ScenarioLine {
            bucket: bucket(length),
            map: Arc::clone(&name),
            width: map.width(),
            height: map.height(),
            start: problem.start.column(),
            goal: problem.goal.column(),
            length,
        });
    }
    lines.sort_by(|a, b| a.length.total_cmp(&b.length));
    Ok(movingai_scen::write(&Scenario { lines }))
}

/// Buckets of four cells of length, as in the benchmarks.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to integer cast saturates; lengths are not negative"
)]
fn bucket(length: f64) -> u32 {
    (length / 4.0) as u32
}
