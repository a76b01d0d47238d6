use super::*;

fn plot(lines: Vec<Line>) -> Plot {
    Plot {
        title: "a < b & c".to_owned(),
        x_label: "x".to_owned(),
        y_label: "y".to_owned(),
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
