use super::*;

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let mut table = Table::new(["engine", "us"]);
    table.row(["a", "12.5"]);
    table.row(["longer name"]);
    let expected = "\
| engine      |   us |
|-------------|-----:|
| a           | 12.5 |
| longer name |      |
";
    assert_eq!(table.render(), expected);
}

#[test]
fn numbers_keep_about_three_digits() {
    for (number, expected) in [
        (0.0, "0.00"),
        (0.001_234, "0.0012"),
        (0.5, "0.50"),
        (9.876, "9.88"),
        (12.34, "12.3"),
        (123.4, "123"),
        (1_234_567.0, "1,234,567"),
        (-1234.0, "-1,234"),
    ] {
        assert_eq!(short(number), expected);
    }
}
