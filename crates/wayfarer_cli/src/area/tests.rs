use super::*;

#[test]
fn an_area_is_a_rectangle_or_a_circle_with_optional_heights() {
    let inside = |text: &str, x, y, z| parse(text).unwrap().contains(Cell::new(x, y, z));
    assert!(inside("3,4:1,8", 1, 8, 99) && inside("3,4:1,8", 3, 4, -99));
    assert!(!inside("3,4:1,8", 4, 4, 0));
    assert!(inside("-5,6@2.5", -7, 6, 0) && !inside("-5,6@2.5", -8, 6, 0));
    assert!(inside("0,0:1,1/2..4", 0, 0, 4) && !inside("0,0:1,1/2..4", 0, 0, 5));
    assert!(inside("0,0:1,1/-2", 0, 0, -2) && !inside("0,0:1,1/-2", 0, 0, 0));
}

#[test]
fn a_malformed_area_multiplier_or_terrain_is_rejected_with_what_is_expected() {
    for text in [
        "",
        "1,2",
        "1,2:3",
        "a,b:1,1",
        "1,1@-1",
        "1,1@x",
        "1,1:2,2/5..1",
        "1,1:2,2/",
    ] {
        assert_eq!(parse(text), Err(EXPECTED.to_owned()), "{text}");
    }
    for text in ["0.5", "", "nan", "5000", "-3"] {
        let error = parse_area_cost(&format!("1,1:2,2={text}")).unwrap_err();
        assert!(error.contains("1 to 4095"), "{error}");
    }
    assert_eq!(
        parse_area_cost("1,1:2,2=2.5").unwrap().1,
        CostMultiplier::from_sixteenths(40).unwrap()
    );
    assert_eq!(parse_terrain("swamp"), Ok(Terrain::SWAMP));
    assert_eq!(parse_terrain("63"), Ok(Terrain::new(63).unwrap()));
    assert!(parse_terrain("64").unwrap_err().contains("0 to 63"));
    assert!(parse_terrain("lava").unwrap_err().contains("0 to 63"));
    assert!(parse_radius("8.5").unwrap_err().contains("0 to 8"));
}
