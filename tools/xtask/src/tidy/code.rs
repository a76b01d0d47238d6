//! Separates code from comments and literals, so that a rule applies to one of them alone.

use std::ops::Range;

/// A part of a source that is not code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Comment,
    /// A string, raw string, byte string or character.
    Literal,
}

/// `text` with comments and literals blanked out; line ends stay.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = text.as_bytes().to_vec();
    for_each_token(text.as_bytes(), |range, _| blank(&mut kept[range]));
    String::from_utf8_lossy(&kept).into_owned()
}

/// `text` with everything but comments blanked out; line ends stay.
pub(super) fn comments_only(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept = bytes.to_vec();
    blank(&mut kept);
    for_each_token(bytes, |range, token| {
        if token == Token::Comment {
            kept[range.clone()].copy_from_slice(&bytes[range]);
        }
    });
    String::from_utf8_lossy(&kept).into_owned()
}

/// True if the byte can be part of an identifier.
pub(super) fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

/// Visits every comment and literal in order.
fn for_each_token(bytes: &[u8], mut visit: impl FnMut(Range<usize>, Token)) {
    let mut at = 0;
    while at < bytes.len() {
        let (end, token) = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => (line_end(bytes, at), Token::Comment),
            b'/' if bytes[at..].starts_with(b"/*") => (block_end(bytes, at), Token::Comment),
            b'"' => (quote_end(bytes, at + 1), Token::Literal),
            b'r' if !within_a_word(bytes, at) => (raw_end(bytes, at).unwrap_or(at), Token::Literal),
            b'\'' => (character_end(bytes, at).unwrap_or(at), Token::Literal),
            _ => (at, Token::Literal),
        };
        let end = end.min(bytes.len());
        if end > at {
            visit(at..end, token);
        }
        at = end.max(at + 1);
    }
}

fn within_a_word(bytes: &[u8], at: usize) -> bool {
    // The `b` of `br"…"` does not count.
    let before = at.checked_sub(1).map(|before| bytes[before]);
    before.is_some_and(|before| is_word(before) && before != b'b')
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..].iter().position(|&byte| byte == b'\n');
    length.map_or(bytes.len(), |length| at + length)
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

/// The end of a raw string `r"…"` or `r#"…"#` that starts at `at`, if there is one.
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

/// The end of a character literal; `None` for a lifetime.
fn character_end(bytes: &[u8], at: usize) -> Option<usize> {
    let first = *bytes.get(at + 1)?;
    // A character outside ASCII takes up to four bytes.
    let nearest = if first == b'\\' { at + 3 } else { at + 2 };
    let farthest = if first == b'\\' { at + 12 } else { at + 5 };
    let end = (nearest..=farthest).find(|&end| bytes.get(end) == Some(&b'\''))?;
    let is_literal = first == b'\\' || end == at + 2 || first >= 0x80;
    is_literal.then_some(end + 1)
}
