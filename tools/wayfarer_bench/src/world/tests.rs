use super::*;
use crate::report::Figures;

#[test]
fn a_small_city_keeps_every_promise_of_the_benchmark() {
    let arguments = Arguments {
        setting: Setting {
            size: 192,
            agents: 400,
            edits: 10,
            budget: 1_500,
            cells: 6_000,
            seed: 3,
        },
        ticks: 120,
    };
    let mut n_ticks = 0;
    let report = arguments.run(false, |_, _| n_ticks += 1).unwrap();
    assert_eq!(n_ticks, arguments.ticks);
    assert_eq!(report.wrong(), 0, "{report:?}");
    assert_eq!((report.inside_walls, report.budget_overruns), (0, 0));
    assert!(
        report.most_expansions <= arguments.setting.budget,
        "{report:?}"
    );
    assert!(report.longest_wait_ticks <= 30, "{report:?}");
    assert!(report.repaired_paths > 100, "{report:?}");
    assert!(report.cells_per_tick > 100, "{report:?}");
    let parts: Vec<&str> = report.parts.keys().copied().collect();
    assert_eq!(parts, ["edits", "moves", "paths", "sensors"]);
    assert!(report.render().contains("| agents inside walls "));
}
