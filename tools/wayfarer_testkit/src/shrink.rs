//! Shrinking of failing test sequences by delta debugging.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `check` over `steps`. If it panics, removes steps while it still panics, and panics with
/// the remaining ones: a subsequence from which no single step can be removed.
///
/// `check` must start from scratch each time it is called.
///
/// ```
/// use wayfarer_testkit::shrink;
/// shrink::check(&[1, 2, 3], |steps| assert!(steps.len() < 5));
/// ```
///
/// # Panics
/// If `check` does, with the shortest sequence found and its panic message.
#[track_caller]
pub fn check<T: Clone + Debug>(steps: &[T], check: impl Fn(&[T])) {
    let Some(message) = panic_message(steps, &check) else {
        return;
    };
    let (remaining, message) = shrink(steps.to_vec(), message, &check);
    panic!(
        "{} of {} steps are enough: {remaining:#?}\n{message}",
        remaining.len(),
        steps.len()
    );
}

/// Removes chunks of half the steps, then of a quarter, down to single steps until none is
/// removable.
fn shrink<T: Clone>(
    mut steps: Vec<T>,
    mut message: String,
    check: &impl Fn(&[T]),
) -> (Vec<T>, String) {
    let mut size = steps.len().div_ceil(2);
    while size > 0 && !steps.is_empty() {
        let mut start = 0;
        let mut is_shorter = false;
        while start < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + size).min(steps.len()));
            match panic_message(&fewer, check) {
                Some(found) => (steps, message, is_shorter) = (fewer, found, true),
                None => start += size,
            }
        }
        if !is_shorter || size > 1 {
            size /= 2;
        }
    }
    (steps, message)
}

/// The panic message of `check`, if it panics.
fn panic_message<T>(steps: &[T], check: &impl Fn(&[T])) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(|| check(steps))).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    });
    Some(text.unwrap_or_else(|| "a panic without a message".to_owned()))
}

#[cfg(test)]
mod tests;
