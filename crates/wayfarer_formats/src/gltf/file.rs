//! The glTF container: JSON chunk, binary chunk and buffers.

use std::borrow::Cow;

use super::document::{Buffer, Document};
use super::{GltfError, MAX_JSON_VALUES};
use crate::base64;
use crate::text::quoted;

/// A file with parsed JSON and buffers of the stated length.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) document: Document<'a>,
    /// The bytes of each buffer, truncated to the stated length.
    pub(super) buffers: Vec<Cow<'a, [u8]>>,
}

impl<'a> File<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, GltfError> {
        let chunks = if bytes.starts_with(b"glTF") {
            read_chunks(bytes)?
        } else {
            Chunks {
                start: 0,
                json: bytes,
                binary: None,
            }
        };
        let document = chunks.document()?;
        check_version(&document)?;
        let mut buffers = Vec::new();
        for (index, buffer) in (0..).zip(&document.buffers) {
            let binary = chunks.binary.filter(|_| index == 0);
            buffers.push(buffer_bytes(index, buffer, binary)?);
        }
        Ok(Self { document, buffers })
    }
}

/// The two chunks of a `.glb` file.
struct Chunks<'a> {
    /// Byte offset of the JSON.
    start: usize,
    json: &'a [u8],
    binary: Option<&'a [u8]>,
}

fn unexpected(offset: usize, expected: &'static str, found: u32) -> GltfError {
    GltfError::Container {
        offset,
        expected,
        found: found.to_string(),
    }
}

/// The little-endian 32-bit number at `offset`.
fn number(bytes: &[u8], offset: usize) -> Result<u32, GltfError> {
    let four = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    four.map(|four| u32::from_le_bytes(*four))
        .ok_or_else(|| GltfError::Container {
            offset: bytes.len(),
            expected: "a 32-bit number",
            found: String::from("the end of the file"),
        })
}

/// Type and content of the chunk at `offset`.
fn chunk(bytes: &[u8], offset: usize) -> Result<(u32, &[u8]), GltfError> {
    let length = number(bytes, offset)?;
    let chunk_type = number(bytes, offset + 4)?;
    let start = offset + 8;
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| start.checked_add(length));
    let body = end.and_then(|end| bytes.get(start..end));
    let body = body.ok_or_else(|| unexpected(offset, "a chunk that ends with the file", length))?;
    Ok((chunk_type, body))
}

fn read_chunks(bytes: &[u8]) -> Result<Chunks<'_>, GltfError> {
    const HEADER: usize = 12;
    const JSON: u32 = u32::from_le_bytes(*b"JSON");
    const BINARY: u32 = u32::from_le_bytes(*b"BIN\0");
    let version = number(bytes, 4)?;
    if version != 2 {
        return Err(unexpected(4, "version 2", version));
    }
    let length = number(bytes, 8)?;
    let bytes = usize::try_from(length)
        .ok()
        .and_then(|length| bytes.get(..length))
        .ok_or_else(|| unexpected(8, "at most the length of the file", length))?;
    let (chunk_type, json) = chunk(bytes, HEADER)?;
    if chunk_type != JSON {
        return Err(unexpected(HEADER + 4, "a JSON chunk first", chunk_type));
    }
    let second = HEADER + 8 + json.len();
    let binary = if second < bytes.len() {
        let (chunk_type, binary) = chunk(bytes, second)?;
        (chunk_type == BINARY).then_some(binary)
    } else {
        None
    };
    Ok(Chunks {
        start: HEADER + 8,
        json,
        binary,
    })
}

impl<'a> Chunks<'a> {
    fn document(&self) -> Result<Document<'a>, GltfError> {
        let is_opening = |byte: &&u8| matches!(byte, b'{' | b'[');
        let found = self.json.iter().filter(is_opening).count() as u64;
        if found > MAX_JSON_VALUES {
            return Err(GltfError::TooLarge {
                what: "arrays and objects in the JSON",
                found,
                limit: MAX_JSON_VALUES,
            });
        }
        serde_json::from_slice(self.json).map_err(|error| {
            let message = error.to_string();
            // Line and column are separate members.
            let message = message.split(" at line ").next().unwrap_or_default();
            GltfError::Json {
                start: self.start,
                line: error.line(),
                column: error.column(),
                message: String::from(message),
            }
        })
    }
}

fn check_version(document: &Document<'_>) -> Result<(), GltfError> {
    if !document.asset.version.starts_with("2.") {
        return Err(GltfError::Unsupported {
            what: "asset",
            index: 0,
            expected: "version 2.x",
            found: quoted(document.asset.version.as_bytes()),
        });
    }
    // Extensions that change appearance only.
    const SUPPORTED: [&str; 4] = [
        "KHR_materials_",
        "KHR_texture_",
        "EXT_texture_",
        "KHR_lights_",
    ];
    let unsupported = document
        .extensions_required
        .iter()
        .find(|name| !SUPPORTED.iter().any(|prefix| name.starts_with(prefix)));
    match unsupported {
        None => Ok(()),
        Some(name) => Err(GltfError::Extension {
            name: quoted(name.as_bytes()),
        }),
    }
}

/// The bytes of a buffer: embedded base64, or the binary chunk of a `.glb` file.
fn buffer_bytes<'a>(
    index: u32,
    buffer: &Buffer<'_>,
    binary: Option<&'a [u8]>,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let unsupported = |expected, found| GltfError::Unsupported {
        what: "buffer",
        index,
        expected,
        found,
    };
    let mut bytes = match (&buffer.uri, binary) {
        (None, Some(binary)) => Cow::Borrowed(binary),
        (None, None) => {
            let missing = String::from("none");
            return Err(unsupported("embedded data", missing));
        }
        (Some(uri), _) => {
            let data = uri
                .strip_prefix("data:")
                .and_then(|data| data.split_once(";base64,"))
                .ok_or_else(|| unsupported("a data URI in base64", quoted(uri.as_bytes())))?;
            let decoded = base64::decode(data.1.as_bytes());
            let invalid = |at: usize| unsupported("base64", format!("another character at {at}"));
            Cow::Owned(decoded.map_err(invalid)?)
        }
    };
    let stated = buffer.byte_length as usize;
    if stated > bytes.len() {
        return Err(GltfError::OutOfBounds {
            what: "buffer",
            index,
            end: buffer.byte_length.into(),
            limit: bytes.len() as u64,
        });
    }
    match &mut bytes {
        Cow::Borrowed(bytes) => *bytes = &bytes[..stated],
        Cow::Owned(bytes) => bytes.truncate(stated),
    }
    Ok(bytes)
}
