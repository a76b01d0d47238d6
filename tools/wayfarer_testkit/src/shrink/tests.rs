use super::*;

/// Goes wrong if 3 comes somewhere before 7.
fn no_three_before_seven(steps: &[u32]) {
    let three = steps.iter().position(|step| *step == 3);
    let seven = steps.iter().rposition(|step| *step == 7);
    if let (Some(three), Some(seven)) = (three, seven) {
        assert!(three > seven, "three before seven");
    }
}

#[test]
fn a_long_story_shrinks_to_the_steps_that_matter() {
    let steps: Vec<u32> = (0..100).collect();
    let fault = fault_of(&steps, &no_three_before_seven).unwrap();
    let (left, fault) = smallest(steps, fault, &no_three_before_seven);
    assert_eq!(left, [3, 7]);
    assert_eq!(fault, "three before seven");
}

#[test]
fn a_check_that_always_fails_needs_no_step_at_all() {
    let always = |_: &[u32]| panic!("always");
    let (left, fault) = smallest(vec![1, 2, 3], String::new(), &always);
    assert!(left.is_empty());
    assert_eq!(fault, "always");
}

#[test]
fn a_story_that_goes_well_is_left_alone() {
    check(&[7, 3], no_three_before_seven);
}
