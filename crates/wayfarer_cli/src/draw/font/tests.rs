use super::*;

#[test]
fn every_printable_ascii_letter_has_distinct_strokes_on_the_grid() {
    let mut drawn: Vec<&str> = Vec::new();
    for letter in '!'..='~' {
        let pen = pen(letter);
        assert!(!drawn.contains(&pen), "`{letter}` is drawn like another");
        assert_ne!(pen, super::pen('\u{fffd}'), "`{letter}` has no strokes");
        drawn.push(pen);
        for stroke in strokes(letter) {
            let points: Vec<_> = stroke.collect();
            assert!(points.len() > 1, "`{letter}` has a stroke without an end");
            for (x, y) in points {
                assert!(
                    (0.0..=4.0).contains(&x) && (0.0..=8.0).contains(&y),
                    "`{letter}`"
                );
            }
        }
        let digits = pen.split(' ').all(|stroke| stroke.len() % 2 == 0);
        assert!(digits, "`{letter}` has half a point");
    }
    assert_eq!(strokes(' ').count(), 0);
}
