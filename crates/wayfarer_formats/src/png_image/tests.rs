//! Size limits of PNG headers.

use super::*;

/// A PNG header of this size without image data.
pub(crate) fn header_only(width: u32, height: u32, interlace: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 0, 0, 0, interlace]);
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn sizes_above_the_limits_are_rejected_by_the_header() {
    let check = |width, height, interlace, expected: &str| {
        let error = header(&header_only(width, height, interlace)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        u32::MAX,
        u32::MAX,
        0,
        "byte 16: the image has 4294967295 x 4294967295 pixels, expected 1 to 67108864, at most \
         65536 per side",
    );
    check(
        4097,
        4096,
        1,
        "byte 16: the image has 4097 x 4096 pixels, expected 1 to 16777216, at most 65536 per \
         side",
    );
    for (width, height) in [(0, 1), (1, 0), (65_537, 1), (1, 65_537), (8193, 8192)] {
        assert!(header(&header_only(width, height, 0)).is_err());
    }
    for (width, height) in [(1, 1), (65_536, 1024), (8192, 8192)] {
        let mut bytes = header_only(width, height, 0);
        bytes.resize(100_000, 0);
        assert!(header(&bytes).is_ok());
    }
}

#[test]
fn more_pixels_than_the_file_can_encode_are_rejected() {
    assert!(header(&header_only(184, 184, 0)).is_ok());
    assert_eq!(
        header(&header_only(8192, 8192, 0)).unwrap_err().to_string(),
        "byte 16: 8192 x 8192 pixels cannot be encoded in 33 bytes"
    );
}

#[test]
fn a_file_that_is_no_png_is_rejected() {
    assert_eq!(
        header(b"GIF89a").unwrap_err().to_string(),
        "byte 0: expected the PNG signature"
    );
    assert_eq!(
        header(&header_only(1, 1, 0)[..20]).unwrap_err().to_string(),
        "byte 20: expected a header of 25 bytes, the file ends"
    );
    let mut other = header_only(1, 1, 0);
    other[12] = b'X';
    assert_eq!(
        header(&other).unwrap_err().to_string(),
        "byte 8: expected a header chunk of 13 bytes"
    );
}
