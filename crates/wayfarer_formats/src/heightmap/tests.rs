//! Round trips and errors of heightmap files.

use png::{BitDepth, ColorType};
use wayfarer_base::{Heightmap, Raster, Rng};

use super::*;
use crate::png_image::write_pixels;

fn random_map(width: u32, height: u32, low: i32, high: i32) -> Heightmap {
    let mut rng = Rng::new(u64::from(width));
    let heights = (0..width * height).map(|_| rng.between(low, high));
    Heightmap::new(width, height, heights.collect()).unwrap()
}

#[test]
fn a_written_image_reads_back_unchanged() {
    for (width, height) in [(1, 1), (33, 7), (5, 200)] {
        let map = random_map(width, height, 0, 65_535);
        assert_eq!(read_png(&write_png(&map).unwrap()), Ok(map));
    }
    assert!(write_png(&Heightmap::default()).is_err());
}

#[test]
fn a_height_out_of_range_of_the_image_is_reported() {
    let map = Heightmap::new(2, 2, vec![0, 65_535, 1, -1]).unwrap();
    assert_eq!(
        write_png(&map).unwrap_err().to_string(),
        "column (1, 1): height -1 does not fit, expected 0 to 65535"
    );
}

#[test]
fn gray_images_of_8_bits_are_read_and_color_is_rejected() {
    let pixels = [3, 250];
    let gray = write_pixels((2, 1), (ColorType::Grayscale, BitDepth::Eight), &pixels).unwrap();
    assert_eq!(read_png(&gray).unwrap().heights(), [3, 250]);
    let swamp = Raster::from_bytes(1, 1, vec![1]).unwrap();
    let color = crate::png_raster::write(&swamp).unwrap();
    assert_eq!(
        read_png(&color).unwrap_err().to_string(),
        "byte 24: expected a gray image of 16 or 8 bits without transparency, found Rgb of 8 \
         bits"
    );
}

#[test]
fn raw_samples_of_every_type_read_back_unchanged() {
    let cases = [
        (Sample::U8, 0, 255),
        (Sample::U16Le, 0, 65_535),
        (Sample::U16Be, 0, 65_535),
        (Sample::I16Le, -32_768, 32_767),
        (Sample::I16Be, -32_768, 32_767),
    ];
    for (sample, low, high) in cases {
        let map = random_map(31, 9, low, high);
        let layout: RawLayout = format!("31x9:{}", sample.name()).parse().unwrap();
        assert_eq!(layout.to_string().parse(), Ok(layout));
        let bytes = write_raw(&map, sample).unwrap();
        assert_eq!(bytes.len(), 31 * 9 * sample.n_bytes());
        assert_eq!(read_raw(&bytes, &layout), Ok(map));
        for beyond in [low - 1, high + 1] {
            let map = Heightmap::new(1, 1, vec![beyond]).unwrap();
            assert!(write_raw(&map, sample).is_err(), "{beyond}");
        }
    }
}

#[test]
fn a_layout_that_does_not_match_the_file_is_reported() {
    let read = |bytes: &[u8], layout: &str| {
        let error = read_raw(bytes, &layout.parse().unwrap()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        read(&[0; 5], "3x1:u16le"),
        "the file has 5 bytes, the layout 3x1:u16le requires 6"
    );
    assert_eq!(
        read(&[], "4294967295x4294967295:u8"),
        "the layout 4294967295x4294967295:u8 has 18446744065119617025 columns, the limit is \
         268435456"
    );
}

#[test]
fn an_invalid_layout_is_reported_with_its_column() {
    let check = |text: &str, column, expected: &str| {
        let error = text.parse::<RawLayout>().unwrap_err();
        assert_eq!((error.column, error.expected), (column, expected), "{text}");
    };
    check("", 1, "a size, `:` and a sample type");
    check("3:u8", 1, "columns, `x` and rows");
    check("0x4:u8", 1, "a whole number from 1 to 4294967295");
    check("10x-4:u8", 4, "a whole number from 1 to 4294967295");
    check("10x4:f32", 6, "a sample type");
}
