//! Bytes in JSON: base64 with padding (RFC 4648, section 4).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The letter values; 255 where there is none.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut value: u8 = 0;
    while value < 64 {
        values[LETTERS[value as usize] as usize] = value;
        value += 1;
    }
    values
};

/// Bytes as text.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= chunk.len() {
                letter.into()
            } else {
                '='
            });
        }
    }
    text
}

/// The bytes of a text; `None` if it is no base64 in its one canonical form.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.as_bytes();
    if !letters.len().is_multiple_of(4) {
        return None;
    }
    let n_padding = letters.iter().rev().take_while(|&&one| one == b'=').count();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    for chunk in letters.chunks(4) {
        let mut bits = 0;
        for &letter in chunk {
            let is_padding = letter == b'=';
            let value = VALUES[usize::from(if is_padding { b'A' } else { letter })];
            if value == 255 {
                return None;
            }
            bits = bits << 6 | u32::from(value);
        }
        let [_, bits @ ..] = bits.to_be_bytes();
        bytes.extend(bits);
    }
    let length = bytes
        .len()
        .checked_sub(n_padding)
        .filter(|_| n_padding < 3)?;
    bytes.truncate(length);
    (encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_standard_and_every_length_come_back() {
        let texts = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (length, text) in texts.into_iter().enumerate() {
            assert_eq!(encode(&b"foobar"[..length]), text);
            assert_eq!(decode(text).unwrap(), &b"foobar"[..length]);
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)).unwrap(), all);
    }

    #[test]
    fn what_is_no_canonical_base64_is_rejected() {
        for text in [
            "Z", "Zg=", "Zg", "Zh==", "Zm=v", "====", "A===", "Zm9v\n", "Zm9ö",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
