//! How results are written into a golden digest: by their numbers, never by anybody's names.
//!
//! A digest must not change when a type, a field, a variant or a text is renamed. So values are
//! written one by one: numbers as they are, lists with their length, choices by an index that a
//! `match` here gives them. These indices are keys: they stay when variants move or are renamed,
//! and a new variant gets a new one.

mod answers;
mod changes;
mod errors;
mod places;
mod plans;

use std::sync::Arc;

use wayfarer::base::Digest;

/// The index of a variant that has none of its own yet.
const UNKNOWN: u64 = u64::MAX;

/// A digest that takes in values.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    digest: Digest,
    /// The reasons heard so far, in the order of their first mention.
    reasons: Vec<&'static str>,
}

/// Something that can be written down in numbers.
pub(super) trait Value {
    /// Writes all that makes it differ from others of its type.
    fn put(&self, to: &mut Values);
}

/// A reason told in words. What counts is which one it is, not how it is worded: it is written as
/// the number of different ones that were heard before its first mention.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reason(pub(super) &'static str);

impl Values {
    /// Takes in `bytes`, for instance of a file.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.digest.bytes(bytes);
    }

    /// Takes in a number.
    pub(super) fn number(&mut self, number: u64) {
        self.digest.number(number);
    }

    /// Takes in a signed number.
    pub(super) fn signed(&mut self, number: i64) {
        self.digest.signed(number);
    }

    /// Takes in a value.
    pub(super) fn take(&mut self, value: &(impl Value + ?Sized)) {
        value.put(self);
    }

    /// Takes in several values, for instance the parts of a greater one.
    pub(super) fn each(&mut self, parts: &[&dyn Value]) {
        parts.iter().for_each(|part| part.put(self));
    }

    /// Takes in which of several variants it is and what that carries.
    fn variant(&mut self, index: u64, parts: &[&dyn Value]) {
        self.number(index);
        self.each(parts);
    }

    /// The digest of all taken in so far.
    pub(super) const fn value(&self) -> u64 {
        self.digest.value()
    }
}

impl Value for Reason {
    fn put(&self, to: &mut Values) {
        let known = to.reasons.iter().position(|words| *words == self.0);
        let index = known.unwrap_or_else(|| {
            to.reasons.push(self.0);
            to.reasons.len() - 1
        });
        to.take(&index);
    }
}

macro_rules! numbers {
    ($method:ident: $($number:ty),*) => {
        $(impl Value for $number {
            fn put(&self, to: &mut Values) {
                to.$method((*self).into());
            }
        })*
    };
}

numbers!(number: bool, u8, u16, u32, u64);
numbers!(signed: i32, i64);

impl Value for usize {
    fn put(&self, to: &mut Values) {
        to.number(*self as u64);
    }
}

impl Value for f64 {
    fn put(&self, to: &mut Values) {
        to.number(self.to_bits());
    }
}

impl Value for str {
    fn put(&self, to: &mut Values) {
        to.take(&self.len());
        to.bytes(self.as_bytes());
    }
}

impl<T: Value> Value for Option<T> {
    fn put(&self, to: &mut Values) {
        match self {
            None => to.number(0),
            Some(value) => to.variant(1, &[value]),
        }
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    fn put(&self, to: &mut Values) {
        match self {
            Ok(value) => to.variant(0, &[value]),
            Err(error) => to.variant(1, &[error]),
        }
    }
}

impl<T: Value> Value for [T] {
    fn put(&self, to: &mut Values) {
        to.take(&self.len());
        self.iter().for_each(|value| value.put(to));
    }
}

impl<T: Value> Value for Vec<T> {
    fn put(&self, to: &mut Values) {
        self.as_slice().put(to);
    }
}

/// Its length is known: it is not written.
impl<T: Value, const N: usize> Value for [T; N] {
    fn put(&self, to: &mut Values) {
        self.iter().for_each(|value| value.put(to));
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn put(&self, to: &mut Values) {
        to.each(&[&self.0, &self.1]);
    }
}

impl<T: Value + ?Sized> Value for &T {
    fn put(&self, to: &mut Values) {
        (**self).put(to);
    }
}

impl<T: Value + ?Sized> Value for Box<T> {
    fn put(&self, to: &mut Values) {
        (**self).put(to);
    }
}

impl<T: Value + ?Sized> Value for Arc<T> {
    fn put(&self, to: &mut Values) {
        (**self).put(to);
    }
}

#[cfg(test)]
mod tests;
