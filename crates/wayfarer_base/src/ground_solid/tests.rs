use super::*;

fn by_definition(extent: &SolidExtent, sector: SectorId) -> [u16; 16] {
    let mut rows = [0; 16];
    for column in sector.rect().columns() {
        if extent.runs_in(column).next().is_some() {
            rows[(column.y & 15).unsigned_abs() as usize] |= 1 << (column.x & 15);
        }
    }
    rows
}

#[test]
fn a_solid_has_in_each_sector_the_columns_it_has_a_run_in() {
    let run = |x, y, bottom| ColumnRun {
        y,
        x,
        bottom,
        top: bottom + 2,
    };
    let mut runs: Vec<ColumnRun> = (-20..40)
        .flat_map(|n| [run(n, n / 3, 0), run(n, n / 3, 5), run(n / 2, n + 1, n)])
        .collect();
    runs.sort_unstable();
    runs.dedup_by_key(|run| (run.y, run.x, run.bottom));
    let boxed = |low: (i32, i32), high: (i32, i32)| SolidExtent::Box {
        rect: Rect::around(Column::new(low.0, low.1), Column::new(high.0, high.1)),
        bottom: -1,
        top: 4,
    };
    let cases = [
        SolidExtent::Runs(runs.into()),
        boxed((-3, 5), (40, 6)),
        boxed((16, 16), (31, 31)),
        boxed((7, 7), (7, 7)),
    ];
    for extent in cases {
        let sectors = extent.sectors();
        for sector in (-3..4).flat_map(|x| (-3..4).map(move |y| SectorId::new(x, y))) {
            let columns = extent.columns_in(sector);
            assert_eq!(columns, by_definition(&extent, sector), "{sector}");
            assert_eq!(sectors.contains(&sector), columns != [0; 16], "{sector}");
        }
        assert!(sectors.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn runs_that_overlap_are_not_valid() {
    let run = |bottom, top| ColumnRun {
        y: 0,
        x: 0,
        bottom,
        top,
    };
    let is_valid = |runs: &[ColumnRun]| SolidExtent::Runs(runs.into()).is_valid();
    assert!(is_valid(&[run(0, 2), run(2, 3), run(5, 9)]));
    assert!(!is_valid(&[run(0, 3), run(2, 5)]));
    assert!(!is_valid(&[run(4, 4)]));
}
