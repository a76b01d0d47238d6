//! A strict pull reader of the XML that map editors write.
//!
//! Elements, attributes, text, the five named entities and numeric ones; comments and processing
//! instructions are skipped. Declarations (`<!DOCTYPE`, `<!ENTITY`) and CDATA are errors, so that no
//! entity expands to more than a character. Limits: [`MAX_DEPTH`] and [`MAX_ATTRIBUTES`]. Borrows the
//! input; time is linear in its bytes.

use std::borrow::Cow;

use crate::text::{Number, TextError, quoted};

/// Maximum number of open elements.
pub(crate) const MAX_DEPTH: usize = 64;
/// Maximum number of attributes of an element.
pub(crate) const MAX_ATTRIBUTES: usize = 64;

/// What the reader found next.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Start(Element<'a>),
    Text(Cow<'a, str>),
    End,
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    /// Byte offset of the tag.
    pub(crate) offset: usize,
    attributes: Vec<Attribute<'a>>,
}

#[derive(Debug)]
struct Attribute<'a> {
    name: &'a str,
    value: Cow<'a, str>,
    offset: usize,
}

/// The reader.
#[derive(Debug)]
pub(crate) struct Xml<'a> {
    text: &'a str,
    offset: usize,
    /// Names of the open elements.
    open: Vec<&'a str>,
    /// The last start tag closes itself.
    is_closing: bool,
    has_root: bool,
}

/// Line and column, from 1, of a byte offset.
pub(crate) fn position(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset.min(bytes.len())];
    let n_lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n');
    (n_lines + 1, before.len() - start.map_or(0, |at| at + 1) + 1)
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

impl<'a> Xml<'a> {
    /// A reader of `bytes`, which must be UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, TextError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let (line, column) = position(bytes, error.valid_up_to());
            TextError::Expected {
                line,
                column,
                expected: "UTF-8",
                found: quoted(&bytes[error.valid_up_to()..][..1]),
            }
        })?;
        Ok(Self {
            text,
            offset: if text.starts_with('\u{feff}') { 3 } else { 0 },
            open: Vec::new(),
            is_closing: false,
            has_root: false,
        })
    }

    /// The error that the bytes at `offset` are not what the format requires.
    pub(crate) fn unexpected(&self, offset: usize, expected: &'static str) -> TextError {
        let bytes = self.text.as_bytes();
        let (line, column) = position(bytes, offset);
        let rest = bytes.get(offset..).unwrap_or_default();
        let found = match rest {
            [] => String::from("the end of the file"),
            rest => quoted(rest.split(|&byte| byte == b'\n').next().unwrap_or(rest)),
        };
        TextError::Expected {
            line,
            column,
            expected,
            found,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// The next event; `None` after the root element.
    pub(crate) fn next(&mut self) -> Result<Option<Event<'a>>, TextError> {
        if std::mem::take(&mut self.is_closing) {
            self.open.pop();
            return Ok(Some(Event::End));
        }
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                let is_done = self.has_root && self.open.is_empty();
                let error = self.unexpected(self.offset, "the end of every element");
                return if is_done { Ok(None) } else { Err(error) };
            } else if rest.starts_with("<!--") {
                self.skip_past("-->")?;
            } else if rest.starts_with("<?") {
                self.skip_past("?>")?;
            } else if rest.starts_with("<!") {
                let expected = "an element or text, not a declaration or CDATA";
                return Err(self.unexpected(self.offset, expected));
            } else if rest.starts_with("</") {
                return self.end_tag().map(Some);
            } else if rest.starts_with('<') {
                return self.start_tag().map(Event::Start).map(Some);
            } else if let Some(text) = self.text_piece()? {
                return Ok(Some(Event::Text(text)));
            }
        }
    }

    /// Skips the rest of the element that is open now, its end included.
    pub(crate) fn skip_element(&mut self) -> Result<(), TextError> {
        let depth = self.open.len();
        while self.open.len() >= depth && self.next()?.is_some() {}
        Ok(())
    }

    /// The next child of the element that is open now; `None` at its end. Text is skipped.
    pub(crate) fn child(&mut self) -> Result<Option<Element<'a>>, TextError> {
        loop {
            match self.next()? {
                Some(Event::Start(element)) => return Ok(Some(element)),
                Some(Event::Text(_)) => {}
                Some(Event::End) | None => return Ok(None),
            }
        }
    }

    fn skip_past(&mut self, end: &'static str) -> Result<(), TextError> {
        let length = self.rest().find(end);
        let length = length.ok_or_else(|| self.unexpected(self.text.len(), end))?;
        self.offset += length + end.len();
        Ok(())
    }

    /// The text up to the next tag; `None` for white space outside the root.
    fn text_piece(&mut self) -> Result<Option<Cow<'a, str>>, TextError> {
        let (start, rest) = (self.offset, self.rest());
        let piece = &rest[..rest.find('<').unwrap_or(rest.len())];
        self.offset += piece.len();
        if !self.open.is_empty() {
            return self.unescape(piece, start).map(Some);
        }
        if piece.trim_ascii().is_empty() {
            return Ok(None);
        }
        Err(self.unexpected(start, "an element"))
    }

    fn end_tag(&mut self) -> Result<Event<'a>, TextError> {
        let start = self.offset;
        self.offset += 2;
        let name = self.name()?;
        self.skip_space();
        self.keyword(">")?;
        if self.open.pop() != Some(name) {
            return Err(self.unexpected(start, "the end of the element that is open"));
        }
        Ok(Event::End)
    }

    fn start_tag(&mut self) -> Result<Element<'a>, TextError> {
        let offset = self.offset;
        if self.has_root && self.open.is_empty() {
            return Err(self.unexpected(offset, "the end of the file"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.unexpected(offset, "at most 64 open elements"));
        }
        self.offset += 1;
        let name = self.name()?;
        self.has_root = true;
        self.open.push(name);
        let mut attributes: Vec<Attribute<'a>> = Vec::new();
        loop {
            let has_space = self.skip_space();
            if self.rest().starts_with("/>") {
                self.offset += 2;
                self.is_closing = true;
                break;
            } else if self.rest().starts_with('>') {
                self.offset += 1;
                break;
            }
            if !has_space || attributes.len() == MAX_ATTRIBUTES {
                return Err(self.unexpected(self.offset, "`>`, or one of at most 64 attributes"));
            }
            let attribute = self.attribute()?;
            if attributes.iter().any(|other| other.name == attribute.name) {
                return Err(self.unexpected(attribute.offset, "every attribute once"));
            }
            attributes.push(attribute);
        }
        Ok(Element {
            name,
            offset,
            attributes,
        })
    }

    fn attribute(&mut self) -> Result<Attribute<'a>, TextError> {
        let offset = self.offset;
        let name = self.name()?;
        self.skip_space();
        self.keyword("=")?;
        self.skip_space();
        let quote = if self.rest().starts_with('\'') {
            '\''
        } else {
            '"'
        };
        self.keyword(if quote == '"' { "\"" } else { "'" })?;
        let start = self.offset;
        let length = self.rest().find([quote, '<']);
        let length = length.ok_or_else(|| self.unexpected(self.text.len(), "a quote"))?;
        let value = &self.rest()[..length];
        self.offset += length;
        if !self.rest().starts_with(quote) {
            return Err(self.unexpected(self.offset, "a quote"));
        }
        self.offset += 1;
        let value = self.unescape(value, start)?;
        Ok(Attribute {
            name,
            value,
            offset,
        })
    }

    fn name(&mut self) -> Result<&'a str, TextError> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|&byte| is_name(byte)).count();
        if length == 0 {
            return Err(self.unexpected(self.offset, "a name"));
        }
        self.offset += length;
        Ok(&rest[..length])
    }

    fn skip_space(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.len() - rest.trim_ascii_start().len();
        self.offset += length;
        length > 0
    }

    fn keyword(&mut self, expected: &'static str) -> Result<(), TextError> {
        if !self.rest().starts_with(expected) {
            return Err(self.unexpected(self.offset, expected));
        }
        self.offset += expected.len();
        Ok(())
    }

    /// `text`, which begins at `start`, with its entities replaced.
    fn unescape(&self, text: &'a str, start: usize) -> Result<Cow<'a, str>, TextError> {
        if !text.contains('&') {
            return Ok(Cow::Borrowed(text));
        }
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            result.push_str(&rest[..at]);
            rest = &rest[at..];
            // The longest valid entity has 10 bytes.
            let end = rest.bytes().take(12).position(|byte| byte == b';');
            let found = end.and_then(|end| Some((end, escaped_char(&rest[1..end])?)));
            let (end, letter) = found.ok_or_else(|| {
                self.unexpected(start + text.len() - rest.len(), "an entity such as `&amp;`")
            })?;
            result.push(letter);
            rest = &rest[end + 1..];
        }
        result.push_str(rest);
        Ok(Cow::Owned(result))
    }
}

/// The character of an entity.
fn escaped_char(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

impl<'a> Element<'a> {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Cow<'a, str>> {
        let found = self.attributes.iter().find(|one| one.name == name);
        found.map(|attribute| &attribute.value)
    }

    /// An attribute that is a number; `None` if it is missing.
    pub(crate) fn number<N: Number>(
        &self,
        xml: &Xml<'_>,
        name: &str,
    ) -> Result<Option<N>, TextError> {
        let Some(attribute) = self.attributes.iter().find(|one| one.name == name) else {
            return Ok(None);
        };
        let number = N::parse(attribute.value.as_bytes());
        let number = number.ok_or_else(|| xml.unexpected(attribute.offset, N::EXPECTED))?;
        Ok(Some(number))
    }
}

#[cfg(test)]
mod tests;
