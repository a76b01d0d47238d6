//! The frame of a glTF file: where the JSON is, and the bytes of each buffer.

use std::borrow::Cow;

use super::document::{Buffer, Document};
use super::{GltfError, MAX_JSON_VALUES, base64};
use crate::text::quoted;

/// A file whose JSON has been read and whose buffers have at least the length that they state.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) document: Document<'a>,
    /// For each buffer its bytes, cut to the stated length.
    pub(super) buffers: Vec<Cow<'a, [u8]>>,
}

impl<'a> File<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, GltfError> {
        let parts = if bytes.starts_with(b"glTF") {
            parts(bytes)?
        } else {
            Parts {
                start: 0,
                json: bytes,
                binary: None,
            }
        };
        let document = parts.document()?;
        check_version(&document)?;
        let mut buffers = Vec::new();
        for (index, buffer) in (0..).zip(&document.buffers) {
            let binary = parts.binary.filter(|_| index == 0);
            buffers.push(buffer_bytes(index, buffer, binary)?);
        }
        Ok(Self { document, buffers })
    }
}

/// The two parts of a `.glb` file.
struct Parts<'a> {
    /// Where the JSON begins.
    start: usize,
    json: &'a [u8],
    binary: Option<&'a [u8]>,
}

fn wrong(offset: usize, expected: &'static str, found: u32) -> GltfError {
    GltfError::Frame {
        offset,
        expected,
        found: found.to_string(),
    }
}

/// The 32-bit number at `offset`.
fn number(bytes: &[u8], offset: usize) -> Result<u32, GltfError> {
    let four = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    four.map(|four| u32::from_le_bytes(*four))
        .ok_or_else(|| GltfError::Frame {
            offset: bytes.len(),
            expected: "a 32-bit number",
            found: String::from("the end of the file"),
        })
}

/// Reads the chunk whose head is at `offset`: its kind and its bytes.
fn chunk(bytes: &[u8], offset: usize) -> Result<(u32, &[u8]), GltfError> {
    let length = number(bytes, offset)?;
    let kind = number(bytes, offset + 4)?;
    let start = offset + 8;
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| start.checked_add(length));
    let body = end.and_then(|end| bytes.get(start..end));
    let body = body.ok_or_else(|| wrong(offset, "a chunk that ends with the file", length))?;
    Ok((kind, body))
}

fn parts(bytes: &[u8]) -> Result<Parts<'_>, GltfError> {
    const HEADER: usize = 12;
    const JSON: u32 = u32::from_le_bytes(*b"JSON");
    const BINARY: u32 = u32::from_le_bytes(*b"BIN\0");
    let version = number(bytes, 4)?;
    if version != 2 {
        return Err(wrong(4, "version 2", version));
    }
    let length = number(bytes, 8)?;
    let bytes = usize::try_from(length)
        .ok()
        .and_then(|length| bytes.get(..length))
        .ok_or_else(|| wrong(8, "at most the length of the file", length))?;
    let (kind, json) = chunk(bytes, HEADER)?;
    if kind != JSON {
        return Err(wrong(HEADER + 4, "a JSON chunk first", kind));
    }
    let second = HEADER + 8 + json.len();
    let binary = if second < bytes.len() {
        let (kind, binary) = chunk(bytes, second)?;
        (kind == BINARY).then_some(binary)
    } else {
        None
    };
    Ok(Parts {
        start: HEADER + 8,
        json,
        binary,
    })
}

impl<'a> Parts<'a> {
    fn document(&self) -> Result<Document<'a>, GltfError> {
        let opens = |byte: &&u8| matches!(byte, b'{' | b'[');
        let found = self.json.iter().filter(opens).count() as u64;
        if found > MAX_JSON_VALUES {
            return Err(GltfError::TooLarge {
                what: "lists and objects in the JSON",
                found,
                limit: MAX_JSON_VALUES,
            });
        }
        serde_json::from_slice(self.json).map_err(|error| {
            let message = error.to_string();
            // The place is named by fields of its own.
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
        return Err(GltfError::Unfit {
            what: "asset",
            index: 0,
            expected: "version 2.x",
            found: quoted(document.asset.version.as_bytes()),
        });
    }
    // These change how surfaces look, not where they are.
    const HARMLESS: [&str; 4] = [
        "KHR_materials_",
        "KHR_texture_",
        "EXT_texture_",
        "KHR_lights_",
    ];
    let unknown = document
        .extensions_required
        .iter()
        .find(|name| !HARMLESS.iter().any(|prefix| name.starts_with(prefix)));
    match unknown {
        None => Ok(()),
        Some(name) => Err(GltfError::Extension {
            name: quoted(name.as_bytes()),
        }),
    }
}

/// The bytes of a buffer: embedded as base64, or the second part of a `.glb` file.
fn buffer_bytes<'a>(
    index: u32,
    buffer: &Buffer<'_>,
    binary: Option<&'a [u8]>,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let unfit = |expected, found| GltfError::Unfit {
        what: "buffer",
        index,
        expected,
        found,
    };
    let mut bytes = match (&buffer.uri, binary) {
        (None, Some(binary)) => Cow::Borrowed(binary),
        (None, None) => {
            let missing = String::from("none");
            return Err(unfit("embedded data", missing));
        }
        (Some(uri), _) => {
            let data = uri
                .strip_prefix("data:")
                .and_then(|data| data.split_once(";base64,"))
                .ok_or_else(|| unfit("a data URI in base64", quoted(uri.as_bytes())))?;
            let decoded = base64::decode(data.1.as_bytes());
            let wrong = |at: usize| unfit("base64 letters", format!("another at letter {at}"));
            Cow::Owned(decoded.map_err(wrong)?)
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
