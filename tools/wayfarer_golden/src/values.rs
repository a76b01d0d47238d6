//! Encoding of results for golden digests, independent of names.
//!
//! A digest must not change when a type, member, variant or text is renamed. Numbers are encoded as
//! they are, lists with their length, variants by an index that a `match` in these modules assigns.
//! The indices are fixed keys; a new variant gets a new one.

mod changes;
mod errors;
mod inputs;
mod locations;
mod results;

use std::sync::Arc;

use wayfarer_engine::base::Digest;

/// The index of a variant without its own.
const UNKNOWN: u64 = u64::MAX;

/// A digest of values.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    digest: Digest,
    /// The distinct reasons so far, in order of first occurrence.
    reasons: Vec<&'static str>,
}

/// A value with an encoding.
pub(super) trait Value {
    /// Encodes everything that distinguishes it from other values of its type.
    fn put(&self, to: &mut Values);
}

/// A reason given as text, encoded as the number of distinct reasons before its first occurrence, so
/// that rewording does not change a digest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reason(pub(super) &'static str);

impl Values {
    /// Adds raw bytes, for instance of a file.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.digest.bytes(bytes);
    }

    /// Adds a number.
    pub(super) fn number(&mut self, number: u64) {
        self.digest.number(number);
    }

    /// Adds a signed number.
    pub(super) fn signed(&mut self, number: i64) {
        self.digest.signed(number);
    }

    /// Adds a value.
    pub(super) fn take(&mut self, value: &(impl Value + ?Sized)) {
        value.put(self);
    }

    /// Adds several values, for instance the members of one.
    pub(super) fn each(&mut self, parts: &[&dyn Value]) {
        parts.iter().for_each(|part| part.put(self));
    }

    /// Adds the index of a variant and its members.
    fn variant(&mut self, index: u64, parts: &[&dyn Value]) {
        self.number(index);
        self.each(parts);
    }

    /// The digest of everything added so far.
    pub(super) const fn value(&self) -> u64 {
        self.digest.value()
    }
}

impl Value for Reason {
    fn put(&self, to: &mut Values) {
        let index = to.reasons.iter().position(|text| *text == self.0);
        let index = index.unwrap_or_else(|| {
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

/// The length is fixed and not encoded.
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
