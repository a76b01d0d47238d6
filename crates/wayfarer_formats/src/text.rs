//! What all plain-text formats share: lines, words, numbers, and errors that say where.
//!
//! Lines end with LF or CR LF; words are parted by spaces and tabs. Lines and columns are counted
//! from 1, columns in bytes.

/// Why a text file was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Something else stands there than the format wants.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Expected {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the format wants there.
        expected: &'static str,
        /// What stands there, cut short if long, in quotes; or `the end of the line`.
        found: String,
    },
    /// The file ends too early.
    #[error("line {line}, column 1: expected {expected}, found the end of the file")]
    Ends {
        /// The line that is missing, from 1.
        line: usize,
        /// What the format wants there.
        expected: &'static str,
    },
    /// The file ends before the last of the rows, lines or patches that it promised.
    #[error("line {line}, column 1: the file ends after {found} of {expected} {what}")]
    TooFew {
        /// The line that is missing, from 1.
        line: usize,
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many were promised.
        expected: u64,
    },
    /// A row has more or fewer cells than it should.
    #[error("line {line}, column {column}: the row has {found} cells, expected {expected}")]
    RowLength {
        /// Line, from 1.
        line: usize,
        /// Column of the first cell too many or missing, from 1.
        column: usize,
        /// Cells found.
        found: usize,
        /// Cells promised.
        expected: u64,
    },
    /// A cell is drawn with a letter that means nothing.
    #[error("line {line}, column {column}: unknown letter {found}, expected {expected}")]
    UnknownLetter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letters that mean something.
        expected: &'static str,
        /// The letter, in quotes.
        found: String,
    },
    /// A size is beyond a written limit.
    #[error("line {line}, column {column}: {found} {what}, the limit is {limit}")]
    TooLarge {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What was counted.
        what: &'static str,
        /// How many were asked for.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
}

impl TextError {
    /// The line it speaks of, from 1.
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

/// What was found, for a message: in quotes, at most 24 characters, nothing unprintable.
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

/// The lines of a file, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line read last.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`, without the mark that some editors put before UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            number: 0,
        }
    }

    /// Number of the line that comes next, from 1.
    pub(crate) const fn next_number(&self) -> usize {
        self.number + 1
    }

    /// The next line, or the error that it is missing.
    pub(crate) fn need(&mut self, expected: &'static str) -> Result<Line<'a>, TextError> {
        let line = self.next_number();
        self.next().ok_or(TextError::Ends { line, expected })
    }

    /// The next line that is not blank.
    pub(crate) fn next_full(&mut self) -> Option<Line<'a>> {
        self.find(|line| !line.is_blank())
    }

    /// An error if anything but blank lines is left.
    pub(crate) fn end(mut self, expected: &'static str) -> Result<(), TextError> {
        match self.next_full() {
            None => Ok(()),
            Some(line) => Err(line.words().wrong(expected)),
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

/// One line without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Line<'a> {
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(|&byte| is_gap(byte))
    }

    pub(crate) const fn words(&self) -> Words<'a> {
        Words {
            line: *self,
            next: 0,
        }
    }
}

const fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The words of a line, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    line: Line<'a>,
    /// Where to look for the next word.
    next: usize,
}

impl<'a> Words<'a> {
    /// The next word, or the error that it is missing.
    pub(crate) fn word(&mut self, expected: &'static str) -> Result<Word<'a>, TextError> {
        let missing = self.clone();
        self.next().ok_or_else(|| missing.wrong(expected))
    }

    /// The next word as a number.
    pub(crate) fn number<N: Number>(&mut self) -> Result<N, TextError> {
        let word = self.word(N::EXPECTED)?;
        N::parse(word.text).ok_or_else(|| word.wrong(N::EXPECTED))
    }

    /// The next word must be exactly this one.
    pub(crate) fn keyword(&mut self, expected: &'static str) -> Result<(), TextError> {
        let word = self.word(expected)?;
        if word.text == expected.as_bytes() {
            Ok(())
        } else {
            Err(word.wrong(expected))
        }
    }

    /// An error if a word is left.
    pub(crate) fn end(mut self) -> Result<(), TextError> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.wrong("the end of the line")),
        }
    }

    /// Leaves out all before byte `end` of the line.
    pub(crate) fn skip_to(&mut self, end: usize) {
        self.next = end.min(self.line.bytes.len());
    }

    /// The error that something else stands at the next word.
    pub(crate) fn wrong(mut self, expected: &'static str) -> TextError {
        match self.next() {
            Some(word) => word.wrong(expected),
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
        let skipped = bytes[self.next..].iter().position(|&byte| !is_gap(byte))?;
        let start = self.next + skipped;
        let length = bytes[start..].iter().position(|&byte| is_gap(byte));
        let end = length.map_or(bytes.len(), |length| start + length);
        self.next = end;
        Some(Word {
            line: self.line.number,
            column: start + 1,
            text: &bytes[start..end],
        })
    }
}

/// One word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: &'a [u8],
}

impl Word<'_> {
    /// The error that something else was expected here.
    pub(crate) fn wrong(&self, expected: &'static str) -> TextError {
        TextError::Expected {
            line: self.line,
            column: self.column,
            expected,
            found: quoted(self.text),
        }
    }
}

/// A number that can be read from a word.
pub(crate) trait Number: Sized {
    /// What to say if it cannot.
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

/// A coordinate of a benchmark's cell.
pub(crate) struct Coordinate(pub(crate) i32);

impl Number for Coordinate {
    const EXPECTED: &'static str = "a whole number from 0 to 2147483647";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text).filter(|&at| at >= 0).map(Self)
    }
}

/// A number that is finite.
impl Number for f64 {
    const EXPECTED: &'static str = "a number";
    fn parse(text: &[u8]) -> Option<Self> {
        parse(text).filter(|number: &Self| number.is_finite())
    }
}

/// Appends to a list that grows by a quarter at a time, so that it never holds much more than
/// was read.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 1);
    }
    list.push(item);
}

#[cfg(test)]
mod tests;
