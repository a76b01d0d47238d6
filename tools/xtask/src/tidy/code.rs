//! Tells code from comments and texts in quotes, so that a rule is not broken by a word about it.

/// `text` with comments, texts and characters in quotes blanked out; line ends stay where they
/// are.
pub(super) fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => block_end(bytes, at),
            b'"' => quote_end(bytes, at + 1),
            b'r' if !within_a_word(bytes, at) => raw_end(bytes, at).unwrap_or(at),
            b'\'' => character_end(bytes, at).unwrap_or(at),
            _ => at,
        };
        for byte in &mut kept[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// True if the byte can be part of a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn within_a_word(bytes: &[u8], at: usize) -> bool {
    // `br"…"` is a raw text too: its `b` does not count.
    let before = at.checked_sub(1).map(|before| bytes[before]);
    before.is_some_and(|before| is_word(before) && before != b'b')
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at..].iter().position(|&byte| byte == b'\n');
    rest.map_or(bytes.len(), |length| at + length)
}

fn block_end(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0_usize, start);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn quote_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `r"…"` or `r#"…"#`, if that is what begins at `at`.
fn raw_end(bytes: &[u8], at: usize) -> Option<usize> {
    let n_hashes = bytes[at + 1..].iter().take_while(|&&b| b == b'#').count();
    let open = at + 1 + n_hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(1 + n_hashes, b'#');
    let length = bytes[open + 1..]
        .windows(close.len())
        .position(|window| window == close);
    Some(length.map_or(bytes.len(), |length| open + 1 + length + close.len()))
}

/// The end of a character in quotes; `None` for the name of a lifetime.
fn character_end(bytes: &[u8], at: usize) -> Option<usize> {
    let first = *bytes.get(at + 1)?;
    // A character outside ASCII takes up to four bytes.
    let nearest = if first == b'\\' { at + 3 } else { at + 2 };
    let furthest = if first == b'\\' { at + 12 } else { at + 5 };
    let end = (nearest..=furthest).find(|&end| bytes.get(end) == Some(&b'\''))?;
    let plain = first == b'\\' || end == at + 2 || first >= 0x80;
    plain.then_some(end + 1)
}
