use super::*;

/// A header that claims this size, with nothing behind it.
pub(crate) fn claim(width: u32, height: u32, interlace: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 0, 0, 0, interlace]);
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn sizes_beyond_the_limits_are_refused_from_the_header() {
    let check = |width, height, interlace, expected: &str| {
        let error = header(&claim(width, height, interlace)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        u32::MAX,
        u32::MAX,
        0,
        "byte 16: the picture has 4294967295 x 4294967295 pixels, the limit is 67108864 and 65536 \
         along a side, and it must have some",
    );
    check(
        4097,
        4096,
        1,
        "byte 16: the picture has 4097 x 4096 pixels, the limit is 16777216 and 65536 along a \
         side, and it must have some",
    );
    for (width, height) in [(0, 1), (1, 0), (65_537, 1), (1, 65_537), (8193, 8192)] {
        assert!(header(&claim(width, height, 0)).is_err());
    }
    for (width, height) in [(1, 1), (65_536, 1024), (8192, 8192)] {
        let mut bytes = claim(width, height, 0);
        bytes.resize(100_000, 0);
        assert!(header(&bytes).is_ok());
    }
}

#[test]
fn more_pixels_than_the_file_can_hold_are_refused() {
    assert!(header(&claim(184, 184, 0)).is_ok());
    assert_eq!(
        header(&claim(8192, 8192, 0)).unwrap_err().to_string(),
        "byte 16: 8192 x 8192 pixels cannot be packed into 33 bytes"
    );
}

#[test]
fn what_is_no_png_is_named() {
    assert_eq!(
        header(b"GIF89a").unwrap_err().to_string(),
        "byte 0: expected the eight bytes that begin every PNG file"
    );
    assert_eq!(
        header(&claim(1, 1, 0)[..20]).unwrap_err().to_string(),
        "byte 20: expected a header of 25 bytes, the file ends"
    );
    let mut other = claim(1, 1, 0);
    other[12] = b'X';
    assert_eq!(
        header(&other).unwrap_err().to_string(),
        "byte 8: expected a header chunk of 13 bytes"
    );
}
