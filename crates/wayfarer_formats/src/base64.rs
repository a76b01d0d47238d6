//! Base64 (RFC 4648) of data URIs and tile data.

#[cfg(any(feature = "meshes", test))]
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes `text`, with or without padding; the error is the offset of the first invalid character.
pub(crate) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let letters = text.strip_suffix(b"=").unwrap_or(text);
    let letters = letters.strip_suffix(b"=").unwrap_or(letters);
    if letters.len() % 4 == 1 {
        return Err(letters.len());
    }
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    let (mut bits, mut n_bits) = (0_u32, 0_u32);
    for (at, &letter) in letters.iter().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(at),
        };
        bits = bits << 6 | u32::from(value);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff).to_le_bytes()[0]);
            bits &= (1 << n_bits) - 1;
        }
    }
    Ok(bytes)
}

/// Encodes `bytes` with padding.
#[cfg(any(feature = "meshes", test))]
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            if index <= three.len() {
                let value = bits >> (18 - 6 * index) & 63;
                text.push(char::from(ALPHABET[value as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}
