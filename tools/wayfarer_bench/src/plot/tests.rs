use super::*;

fn plot(lines: Vec<Line>) -> Plot {
    Plot {
        title: "a < b & c".to_owned(),
        x_label: "x".to_owned(),
        y_label: "y".to_owned(),
        scale: Scale::Logarithmic,
        lines,
    }
}

fn line(points: &[(f64, f64)]) -> Line {
    Line {
        name: "engine".to_owned(),
        points: points.to_vec(),
    }
}

#[test]
fn points_lie_where_the_axes_say() {
    let svg = plot(vec![line(&[(0.0, 1.0), (50.0, 10.0), (100.0, 100.0)])]).to_svg();
    // From the left bottom by the middle to the right top of the frame.
    assert!(
        svg.contains("points=\"70.0,370.0 305.0,205.0 540.0,40.0\""),
        "{svg}"
    );
    assert!(svg.contains("a &lt; b &amp; c"));
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let odd = [
        (0.0, 0.0),
        (1.0, f64::NAN),
        (f64::INFINITY, 1.0),
        (1.0, -3.0),
    ];
    for lines in [vec![], vec![line(&[])], vec![line(&odd)]] {
        let svg = plot(lines).to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}

#[test]
fn the_axis_spans_whole_powers_of_ten() {
    assert_eq!(decades(1.0, 1.0), (0, 1));
    assert_eq!(decades(0.3, 4000.0), (-1, 4));
    assert_eq!(decades(10.0, 100.0), (1, 2));
}

#[test]
fn an_even_scale_begins_at_nothing_and_ends_above_the_highest() {
    let even = |points: &[(f64, f64)]| Plot {
        scale: Scale::Even,
        ..plot(vec![line(points)])
    };
    // Lines across at 0, 20, 40, 60, 80 and 100.
    let svg = even(&[(0.0, 0.0), (100.0, 100.0)]).to_svg();
    assert!(svg.contains("points=\"70.0,370.0 540.0,40.0\""), "{svg}");
    for (highest, last) in [(1.0, "1"), (1.12, "1.2"), (0.3, "0.3"), (6_240.0, "8000")] {
        let svg = even(&[(0.0, 0.0), (16.0, highest)]).to_svg();
        let marks = svg.matches("text-anchor=\"end\"").count();
        assert!((3..=7).contains(&marks), "{highest}: {marks}");
        assert!(svg.contains(&format!(">{last}<")), "{highest}: {svg}");
    }
    for odd in [vec![], vec![(1.0, -3.0), (2.0, f64::NAN)]] {
        let svg = even(&odd).to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
