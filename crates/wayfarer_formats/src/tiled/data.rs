//! Tile data of a layer: a list of ids, CSV, or base64 with or without compression.

use std::io::Read;

use super::document::{Data, Layer};
use crate::base64;
use crate::text::{Number, push, quoted};

/// The bits of a tile id that flip or rotate the tile.
const FLIPS: u32 = 0xf000_0000;

/// What was expected and what was found.
type Mismatch = (&'static str, String);

/// The tile ids of a layer, `n_cells` of them, without flip bits.
pub(super) fn decode(layer: &Layer<'_>, n_cells: usize) -> Result<Vec<u32>, Mismatch> {
    let encoding = layer.encoding.as_deref().unwrap_or_default();
    let mut ids = match (&layer.data, encoding) {
        (None, _) => return Err(("tile data", String::from("none"))),
        (Some(Data::Ids(ids)), "" | "csv") => ids.clone(),
        (Some(Data::Text(text)), "csv") => csv(text, n_cells)?,
        (Some(Data::Text(text)), "base64") => {
            let compression = layer.compression.as_deref().unwrap_or_default();
            from_bytes(&inflate(text, compression, n_cells)?)?
        }
        (_, other) => {
            let expected = "tile data as `csv`, `base64` or elements";
            return Err((expected, quoted(other.as_bytes())));
        }
    };
    if ids.len() != n_cells {
        let found = format!("{} for {n_cells} cells", ids.len());
        return Err(("a tile for every cell", found));
    }
    for id in &mut ids {
        *id &= !FLIPS;
    }
    Ok(ids)
}

fn csv(text: &str, n_cells: usize) -> Result<Vec<u32>, Mismatch> {
    let mut ids = Vec::new();
    if text.trim_ascii().is_empty() {
        return Ok(ids);
    }
    for (index, word) in text.split(',').enumerate() {
        let word = word.trim_ascii().as_bytes();
        let id = u32::parse(word).filter(|_| index < n_cells);
        let id = id.ok_or_else(|| {
            let found = format!("{} at index {index}", quoted(word));
            ("a tile id for every cell, separated by commas", found)
        })?;
        push(&mut ids, id);
    }
    Ok(ids)
}

/// The bytes of base64 `text` after decompression; at most one more than `n_cells` ids need.
fn inflate(text: &str, compression: &str, n_cells: usize) -> Result<Vec<u8>, Mismatch> {
    let decoded = base64::decode(text.trim_ascii().as_bytes());
    let packed = decoded.map_err(|at| ("base64", format!("another character at {at}")))?;
    let limit = n_cells as u64 * 4 + 1;
    let mut bytes = Vec::new();
    let result = match compression {
        "" => return Ok(packed),
        "zlib" => flate2::read::ZlibDecoder::new(&*packed)
            .take(limit)
            .read_to_end(&mut bytes),
        "gzip" => flate2::read::GzDecoder::new(&*packed)
            .take(limit)
            .read_to_end(&mut bytes),
        other => {
            let expected = "no compression, `zlib` or `gzip`";
            return Err((expected, quoted(other.as_bytes())));
        }
    };
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(("compressed tile data", format!("damaged data: {error}"))),
    }
}

/// Little-endian ids.
fn from_bytes(bytes: &[u8]) -> Result<Vec<u32>, Mismatch> {
    let (ids, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        let found = format!("{} bytes or more", bytes.len());
        return Err(("4 bytes for every cell", found));
    }
    Ok(ids.iter().map(|id| u32::from_le_bytes(*id)).collect())
}
