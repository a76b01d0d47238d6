//! When a long story goes wrong, finds a short one that goes wrong too.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `check` over all of `steps`. If it panics, leaves out steps as long as it still panics,
/// and panics with the few that are left: none of them can be left out.
///
/// `check` must start from scratch each time it is called.
///
/// ```
/// use wayfarer_testkit::shrink;
/// shrink::check(&[1, 2, 3], |steps| assert!(steps.len() < 5));
/// ```
///
/// # Panics
/// If `check` does, with the shortest story found and what went wrong in it.
#[track_caller]
pub fn check<T: Clone + Debug>(steps: &[T], check: impl Fn(&[T])) {
    let Some(fault) = fault_of(steps, &check) else {
        return;
    };
    let (left, fault) = smallest(steps.to_vec(), fault, &check);
    panic!(
        "{} of {} steps are enough: {left:#?}\n{fault}",
        left.len(),
        steps.len()
    );
}

/// Leaves out half of the steps, then a quarter, down to single ones, round after round.
fn smallest<T: Clone>(
    mut steps: Vec<T>,
    mut fault: String,
    check: &impl Fn(&[T]),
) -> (Vec<T>, String) {
    let mut size = steps.len().div_ceil(2);
    while size > 0 && !steps.is_empty() {
        let mut start = 0;
        let mut shorter = false;
        while start < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + size).min(steps.len()));
            match fault_of(&fewer, check) {
                Some(found) => (steps, fault, shorter) = (fewer, found, true),
                None => start += size,
            }
        }
        if !shorter || size > 1 {
            size /= 2;
        }
    }
    (steps, fault)
}

/// What `check` panics with, if it does.
fn fault_of<T>(steps: &[T], check: &impl Fn(&[T])) -> Option<String> {
    let panicked = catch_unwind(AssertUnwindSafe(|| check(steps))).err()?;
    let text = panicked.downcast_ref::<String>().cloned();
    let text = text.or_else(|| {
        panicked
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    });
    Some(text.unwrap_or_else(|| "a panic without words".to_owned()))
}

#[cfg(test)]
mod tests;
