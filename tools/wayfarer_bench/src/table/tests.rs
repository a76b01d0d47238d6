use super::*;

#[test]
fn a_table_has_a_column_per_line_and_a_dash_for_what_is_missing() {
    let rows = [("a", 1_234.5, Some(2_usize)), ("b", 0.5, None)];
    let text = table!((name, time, count) in rows; "map" => name, "us" => time, "n" => count);
    let expected = "\
| map |    us |   n |
|-----|------:|----:|
| a   | 1,234 |   2 |
| b   |  0.50 |   – |
";
    assert_eq!(text, expected);
}

#[test]
fn distributions_are_rows_of_four_figures() {
    let spread = Spread::of(&mut [1.0, 3.0]);
    let mut table = SpreadTable::new("edit", ["over"]);
    table.row("one", spread, ["7".to_owned()]);
    table.row("none", None, [String::new()]);
    let expected = "\
| edit | mean |  p50 |  p99 |  max | over |
|------|-----:|-----:|-----:|-----:|-----:|
| one  | 2.00 | 1.00 | 3.00 | 3.00 |    7 |
| none |    – |    – |    – |    – |      |
";
    assert_eq!(table.render(), expected);
}
