//! The work by length of path, beside that of A*: the paper's figure 10.

use super::report::AbstractionReport;
use crate::plot::{Line, Plot};

/// Expansions for paths of each length, in steps of 16 cells: ours and those of A*.
pub fn work_by_length(report: &AbstractionReport) -> Plot {
    let first = (report.totals.sector, report.totals.centres);
    let rows = report.maps.iter();
    let rows = rows.filter(|row| (row.sector, row.centres) == first);
    let mut buckets: Vec<(f64, f64, f64)> = Vec::new();
    for answered in rows.flat_map(|row| &row.answered) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a length is not below 0, and a map is not wider than a number"
        )]
        let bucket = (answered.length / 16.0) as usize;
        if buckets.len() <= bucket {
            buckets.resize(bucket + 1, (0.0, 0.0, 0.0));
        }
        let (count, ours, exact) = &mut buckets[bucket];
        *count += 1.0;
        *ours += answered.work();
        *exact += answered.exact as f64;
    }
    let line = |name: &str, figure: &dyn Fn(&(f64, f64, f64)) -> f64| Line {
        name: name.to_owned(),
        points: buckets
            .iter()
            .enumerate()
            .filter(|(_, bucket)| bucket.0 > 0.0)
            .map(|(at, bucket)| (at as f64 * 16.0 + 8.0, figure(bucket) / bucket.0))
            .collect(),
    };
    Plot {
        title: "Expansions by length of path".to_owned(),
        x_label: "length, cells".to_owned(),
        y_label: "expansions, mean".to_owned(),
        lines: vec![
            line("A*", &|bucket| bucket.2),
            line("planned and refined", &|bucket| bucket.1),
        ],
    }
}
