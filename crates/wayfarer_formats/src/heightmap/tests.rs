use wayfarer_base::{Raster, Rng};

use super::*;

fn any_map(width: u32, height: u32, low: i32, high: i32) -> Heightmap {
    let mut rng = Rng::new(u64::from(width));
    let heights = (0..width * height).map(|_| rng.between(low, high));
    Heightmap::new(width, height, heights.collect()).unwrap()
}

#[test]
fn pictures_are_read_back_as_they_were_written() {
    for (width, height) in [(1, 1), (33, 7), (5, 200)] {
        let map = any_map(width, height, 0, 65_535);
        assert_eq!(read_png(&write_png(&map).unwrap()), Ok(map));
    }
    assert!(write_png(&Heightmap::default()).is_err());
}

#[test]
fn heights_that_do_not_fit_a_picture_are_named() {
    let map = Heightmap::new(2, 2, vec![0, 65_535, 1, -1]).unwrap();
    assert_eq!(
        write_png(&map).unwrap_err().to_string(),
        "column (1, 1): height -1 does not fit, expected 0 to 65535"
    );
}

#[test]
fn grey_of_8_bits_is_read_and_colour_is_not() {
    let pixels = [3, 250];
    let grey = write_pixels((2, 1), (ColorType::Grayscale, BitDepth::Eight), &pixels).unwrap();
    assert_eq!(read_png(&grey).unwrap().heights(), [3, 250]);
    let swamp = Raster::from_bytes(1, 1, vec![1]).unwrap();
    let color = crate::png_raster::write(&swamp).unwrap();
    assert_eq!(
        read_png(&color).unwrap_err().to_string(),
        "byte 24: expected a grey picture of 16 or 8 bits without transparency, found Rgb of 8 \
         bits"
    );
}

#[test]
fn raw_samples_of_every_kind_are_read_back_as_they_were_written() {
    let cases = [
        (Sample::U8, 0, 255),
        (Sample::U16Le, 0, 65_535),
        (Sample::U16Be, 0, 65_535),
        (Sample::I16Le, -32_768, 32_767),
        (Sample::I16Be, -32_768, 32_767),
    ];
    for (sample, low, high) in cases {
        let map = any_map(31, 9, low, high);
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
fn layouts_that_do_not_fit_are_named() {
    let read = |bytes: &[u8], layout: &str| {
        let error = read_raw(bytes, &layout.parse().unwrap()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        read(&[0; 5], "3x1:u16le"),
        "the file has 5 bytes, the layout 3x1:u16le wants 6"
    );
    assert_eq!(
        read(&[], "4294967295x4294967295:u8"),
        "the layout 4294967295x4294967295:u8 has 18446744065119617025 columns, the limit is \
         268435456"
    );
}

#[test]
fn layouts_that_make_no_sense_are_named() {
    let check = |text: &str, column, expected: &str| {
        let error = text.parse::<RawLayout>().unwrap_err();
        assert_eq!((error.column, error.expected), (column, expected), "{text}");
    };
    check("", 1, "a size, `:` and a kind of sample");
    check("3:u8", 1, "columns, `x` and rows");
    check("0x4:u8", 1, "a whole number from 1 to 4294967295");
    check("10x-4:u8", 4, "a whole number from 1 to 4294967295");
    check("10x4:f32", 6, "a kind of sample");
}
