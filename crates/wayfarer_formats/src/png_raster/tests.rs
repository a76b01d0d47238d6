//! Round trips and pixel formats of PNG maps.

use wayfarer_base::Rng;

use super::*;

#[test]
fn a_written_map_reads_back_unchanged() {
    let mut rng = Rng::new(5);
    for (width, height, n_kinds) in [(1, 1, 1), (40, 30, 2), (7, 90, 64), (300, 2, 65)] {
        let cells = (0..width * height).map(|_| match rng.below(n_kinds) {
            0 => letters::EMPTY,
            chunk_type => u8::try_from(chunk_type - 1).unwrap(),
        });
        let map = Raster::from_bytes(width, height, cells.collect()).unwrap();
        assert_eq!(read(&write(&map).unwrap()), Ok(map));
    }
}

#[test]
fn every_terrain_has_its_own_color() {
    for number in 0..Terrain::COUNT {
        assert_eq!(
            cell_from_pixel(terrain_pixel(Terrain::new(number)), 255),
            number
        );
        assert_eq!(
            cell_from_pixel(terrain_pixel(Terrain::new(number)), 127),
            letters::EMPTY
        );
    }
    assert_eq!(cell_from_pixel(terrain_pixel(None), 255), letters::EMPTY);
}

#[track_caller]
fn check(color: ColorType, depth: BitDepth, width: u32, pixels: &[u8], expected: &[Option<u8>]) {
    let bytes = write_pixels((width, 1), (color, depth), pixels).unwrap();
    let map = read(&bytes).unwrap();
    let cells: Vec<_> = map
        .bytes()
        .iter()
        .map(|&c| (c != letters::EMPTY).then_some(c))
        .collect();
    assert_eq!(cells, expected);
}

#[test]
fn light_is_ground_and_dark_is_empty_at_every_depth() {
    check(
        ColorType::Grayscale,
        BitDepth::One,
        4,
        &[0b1010_0000],
        &[Some(0), None, Some(0), None],
    );
    check(
        ColorType::Grayscale,
        BitDepth::Eight,
        2,
        &[127, 128],
        &[None, Some(0)],
    );
    check(
        ColorType::Grayscale,
        BitDepth::Sixteen,
        2,
        &[0x7f, 0xff, 0x80, 0x00],
        &[None, Some(0)],
    );
    check(
        ColorType::GrayscaleAlpha,
        BitDepth::Eight,
        2,
        &[255, 255, 255, 0],
        &[Some(0), None],
    );
    check(
        ColorType::Rgba,
        BitDepth::Eight,
        3,
        &[64, 120, 200, 255, 64, 120, 201, 255, 250, 250, 250, 127],
        &[Some(2), None, None],
    );
}

#[test]
fn a_map_without_cells_is_rejected() {
    assert!(write(&Raster::default()).is_err());
}

#[test]
fn a_damaged_file_is_reported_with_its_offset() {
    let map = Raster::from_bytes(64, 64, vec![0; 64 * 64]).unwrap();
    let bytes = write(&map).unwrap();
    let cut = read(&bytes[..bytes.len() - 20]).unwrap_err();
    assert!(matches!(cut, PngError::Damaged { .. }), "{cut}");
    let mut flipped = bytes.clone();
    flipped[50] ^= 1;
    let flipped = read(&flipped).unwrap_err().to_string();
    assert!(flipped.starts_with("before byte "), "{flipped}");
}

/// An interlaced gray image of 8 x 8 in seven passes of uncompressed blocks.
#[test]
fn interlaced_images_are_read() {
    let is_light = |x: usize, y: usize| (x * 3 + y * 5) % 7 < 3;
    let passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ];
    let mut raw = Vec::new();
    for (x0, y0, dx, dy) in passes {
        for y in (y0..8).step_by(dy) {
            raw.push(0);
            raw.extend(
                (x0..8)
                    .step_by(dx)
                    .map(|x| if is_light(x, y) { 255 } else { 0 }),
            );
        }
    }
    let bytes = stored_png(8, 8, 1, &raw);
    let map = read(&bytes).unwrap();
    for at in map.rect().columns() {
        let (x, y) = (
            usize::try_from(at.x).unwrap(),
            usize::try_from(at.y).unwrap(),
        );
        assert_eq!(map.get(at.x, at.y).is_some(), is_light(x, y), "{at}");
    }
}

/// A gray 8-bit PNG file of raw scan lines, uncompressed.
fn stored_png(width: u32, height: u32, interlace: u8, raw: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 0, 0, 0, interlace]);
    let length = u16::try_from(raw.len()).unwrap();
    let mut data = vec![0x78, 0x01, 1];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(raw);
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in raw {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    data.extend((b << 16 | a).to_be_bytes());
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (chunk_type, body) in [(b"IHDR", &header), (b"IDAT", &data), (b"IEND", &Vec::new())] {
        bytes.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
        let start = bytes.len();
        bytes.extend(chunk_type);
        bytes.extend(body);
        let sum = crc32(&bytes[start..]);
        bytes.extend(sum.to_be_bytes());
    }
    bytes
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 {
                sum >> 1 ^ 0xEDB8_8320
            } else {
                sum >> 1
            }
        })
    })
}
