//! Shrinking of failing sequences.

use super::*;

/// Fails if 3 precedes 7.
fn no_three_before_seven(steps: &[u32]) {
    let three = steps.iter().position(|step| *step == 3);
    let seven = steps.iter().rposition(|step| *step == 7);
    if let (Some(three), Some(seven)) = (three, seven) {
        assert!(three > seven, "three before seven");
    }
}

#[test]
fn a_failing_sequence_shrinks_to_the_necessary_steps() {
    let steps: Vec<u32> = (0..100).collect();
    let message = panic_message(&steps, &no_three_before_seven).unwrap();
    let (remaining, message) = shrink(steps, message, &no_three_before_seven);
    assert_eq!(remaining, [3, 7]);
    assert_eq!(message, "three before seven");
}

#[test]
fn a_check_that_always_fails_shrinks_to_nothing() {
    let always = |_: &[u32]| panic!("always");
    let (remaining, message) = shrink(vec![1, 2, 3], String::new(), &always);
    assert!(remaining.is_empty());
    assert_eq!(message, "always");
}

#[test]
fn a_passing_sequence_does_not_panic() {
    check(&[7, 3], no_three_before_seven);
}
