//! Bytes in scenes: digits in text, as they are in binary formats.

use std::fmt;

use bevy_reflect::prelude::*;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that a text has as two digits each, not as a list of numbers with a line for each.
#[derive(Reflect, Clone, PartialEq, Eq, Debug, Default)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(&self.0);
        }
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
        serializer.serialize_str(&digits.collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_str(Digits),
            false => deserializer.deserialize_byte_buf(Digits),
        }
    }
}

/// Reads either form.
struct Digits;

impl Visitor<'_> for Digits {
    type Value = Bytes;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("bytes, or two hexadecimal digits for each")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        let byte = |pair: &[u8]| {
            let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
            u8::try_from(digit(0)? * 16 + digit(1)?).ok()
        };
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        let wrong = || E::custom("expected two hexadecimal digits for each byte");
        bytes.map(Bytes).ok_or_else(wrong)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_digits_in_text() {
        let bytes = Bytes(vec![0, 1, 0x2f, 0xff]);
        let text = serde_json::to_string(&bytes).expect("a string");
        assert_eq!(text, "\"00012fff\"");
        let back: Bytes = serde_json::from_str(&text).expect("bytes");
        assert_eq!(back, bytes);
    }

    #[test]
    fn other_text_is_rejected() {
        for text in ["\"0\"", "\"0g\"", "\"0+\"", "\"00é\"", "[0]"] {
            assert!(serde_json::from_str::<Bytes>(text).is_err(), "{text}");
        }
    }
}
