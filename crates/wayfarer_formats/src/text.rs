//! Tokenizer of the plain-text formats: lines, words, numbers, errors with positions.
//!
//! Lines end with LF or CR LF; spaces and tabs separate words. Line and column numbers start at 1;
//! columns count bytes. Borrows the input; allocates only for error texts.

/// An invalid text file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Unexpected content.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Expected {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the format requires.
        expected: &'static str,
        /// The word found, truncated, in quotes; or `the end of the line`.
        found: String,
    },
    /// Unexpected end of file.
    #[error("line {line}, column 1: expected {expected}, found the end of the file")]
    Ends {
        /// The missing line, from 1.
        line: usize,
        /// What the format requires.
        expected: &'static str,
    },
    /// The file ends before the stated number of rows, lines or patches.
    #[error("line {line}, column 1: the file ends after {found} of {expected} {what}")]
    TooFew {
        /// The missing line, from 1.
        line: usize,
        /// What was counted.
        what: &'static str,
        /// Actual number.
        found: u64,
        /// Stated number.
        expected: u64,
    },
    /// A row has the wrong number of cells.
    #[error("line {line}, column {column}: the row has {found} cells, expected {expected}")]
    RowLength {
        /// Line, from 1.
        line: usize,
        /// Column of the first excess or missing cell, from 1.
        column: usize,
        /// Actual number of cells.
        found: usize,
        /// Expected number of cells.
        expected: u64,
    },
    /// A cell has an undefined letter.
    #[error("line {line}, column {column}: unknown letter {found}, expected {expected}")]
    UnknownLetter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The defined letters.
        expected: &'static str,
        /// The letter, in quotes.
        found: String,
    },
    /// A size above its limit.
    #[error("line {line}, column {column}: {found} {what}, the limit is {limit}")]
    TooLarge {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What was counted.
        what: &'static str,
        /// Number found.
        found: u64,
        /// Maximum number.
        limit: u64,
    },
}

impl TextError {
    /// The line of the error, from 1.
    pub const fn line(&self) -> usize {
        match self {
            Self::Expected { line, .. }
            | Self::Ends { line, .. }
            | Self::TooFew { line, .. }
            | Self::RowLength { line, .. }
            | Self::UnknownLetter { line, .. }
            | Self::TooLarge { line, .. } => *line,
        }
    }
}

/// `bytes` for an error text: in backquotes, at most 24 characters, unprintable bytes escaped.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    const MAX_LENGTH: usize = 24;
    let mut text = String::from("`");
    for &byte in bytes.iter().take(MAX_LENGTH) {
        if byte == b' ' || byte.is_ascii_graphic() {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    if bytes.len() > MAX_LENGTH {
        text.push_str("...");
    }
    text.push('`');
    text
}

/// Iterator over the lines of a file.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the last line read.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`, without a leading UTF-8 byte order mark.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            number: 0,
        }
    }

    /// Number of the next line, from 1.
    pub(crate) const fn next_number(&self) -> usize {
        self.number + 1
    }

    /// The next line; an error at the end of the file.
    pub(crate) fn require(&mut self, expected: &'static str) -> Result<Line<'a>, TextError> {
        let line = self.next_number();
        self.next().ok_or(TextError::Ends { line, expected })
    }

    /// The next non-blank line.
    pub(crate) fn next_non_blank(&mut self) -> Option<Line<'a>> {
        self.find(|line| !line.is_blank())
    }

    /// An error if a non-blank line is left.
    pub(crate) fn end(mut self, expected: &'static str) -> Result<(), TextError> {
        match self.next_non_blank() {
            None => Ok(()),
            Some(line) => Err(line.words().unexpected(expected)),
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        Some(Line {
            number: self.number,
            bytes: line.strip_suffix(b"\r").unwrap_or(line),
        })
    }
}

/// One line without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Line<'a> {
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(|&byte| is_separator(byte))
    }

    pub(crate) const fn words(&self) -> Words<'a> {
        Words {
            line: *self,
            next: 0,
        }
    }
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Iterator over the words of a line.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    line: Line<'a>,
    /// Offset from which to scan for the next word.
    next: usize,
}

impl<'a> Words<'a> {
    /// The next word; an error at the end of the line.
    pub(crate) fn word(&mut self, expected: &'static str) -> Result<Word<'a>, TextError> {
        let missing = self.clone();
        self.next().ok_or_else(|| missing.unexpected(expected))
    }

    /// The next word as a number.
    pub(crate) fn number<N: Number>(&mut self) -> Result<N, TextError> {
        let word = self.word(N::EXPECTED)?;
        N::parse(word.text).ok_or_else(|| word.unexpected(N::EXPECTED))
    }

    /// Consumes the next word, which must be `expected`.
    pub(crate) fn keyword(&mut self, expected: &'static str) -> Result<(), TextError> {
        let word = self.word(expected)?;
        if word.text == expected.as_bytes() {
            Ok(())
        } else {
            Err(word.unexpected(expected))
        }
    }

    /// An error if a word is left.
    pub(crate) fn end(mut self) -> Result<(), TextError> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.unexpected("the end of the line")),
        }
    }

    /// Skips to byte `end` of the line.
    pub(crate) fn skip_to(&mut self, end: usize) {
        self.next = end.min(self.line.bytes.len());
    }

    /// The error that the next word is not what the format requires.
    pub(crate) fn unexpected(mut self, expected: &'static str) -> TextError {
        match self.next() {
            Some(word) => word.unexpected(expected),
            None => TextError::Expected {
                line: self.line.number,
                column: self.line.bytes.len() + 1,
                expected,
                found: String::from("the end of the line"),
            },
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let bytes = self.line.bytes;
        let n_skipped = bytes[self.next..]
            .iter()
            .position(|&byte| !is_separator(byte))?;
        let start = self.next + n_skipped;
        let length = bytes[start..].iter().position(|&byte| is_separator(byte));
        let end = length.map_or(bytes.len(), |length| start + length);
        self.next = end;
        Some(Word {
            line: self.line.number,
            column: start + 1,
            text: &bytes[start..end],
        })
    }
}

/// One word with its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: &'a [u8],
}

impl Word<'_> {
    /// The error that this word is not what the format requires.
    pub(crate) fn unexpected(&self, expected: &'static str) -> TextError {
        TextError::Expected {
            line: self.line,
            column: self.column,
            expected,
            found: quoted(self.text),
        }
    }
}

/// A number parsed from a word.
pub(crate) trait Number: Sized {
    /// Description of a valid value, for error texts.
    const EXPECTED: &'static str;
    fn parse(text: &[u8]) -> Option<Self>;
}

fn parse<N: std::str::FromStr>(text: &[u8]) -> Option<N> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

impl Number for u32 {
    const EXPECTED: &'static str = "a whole number from 0 to 4294967295";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text)
    }
}

impl Number for u64 {
    const EXPECTED: &'static str = "a whole number from 0 to 18446744073709551615";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text)
    }
}

impl Number for i32 {
    const EXPECTED: &'static str = "a whole number from -2147483648 to 2147483647";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text)
    }
}

/// A cell coordinate in benchmark files.
pub(crate) struct Coordinate(pub(crate) i32);

impl Number for Coordinate {
    const EXPECTED: &'static str = "a whole number from 0 to 2147483647";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text).filter(|&at| at >= 0).map(Self)
    }
}

/// Finite numbers only.
impl Number for f64 {
    const EXPECTED: &'static str = "a number";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text).filter(|number: &Self| number.is_finite())
    }
}

/// Appends to a list that grows by a quarter, so that its capacity stays within the memory bound.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 1);
    }
    list.push(item);
}

#[cfg(test)]
mod tests;
