//! Lines, words and numbers of text files.

use super::*;

#[test]
fn lines_end_with_lf_or_cr_lf() {
    let lines: Vec<_> = Lines::new(b"a\r\n\nb\rc\nd")
        .map(|line| (line.number, line.bytes))
        .collect();
    let expected: [(usize, &[u8]); 4] = [(1, b"a"), (2, b""), (3, b"b\rc"), (4, b"d")];
    assert_eq!(lines, expected);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let line = Lines::new(b"\xef\xbb\xbfmap").next().unwrap();
    assert_eq!(line.bytes, b"map");
}

#[test]
fn words_carry_their_column() {
    let line = Lines::new(b" ab\t c ").next().unwrap();
    let words: Vec<_> = line.words().map(|word| (word.column, word.text)).collect();
    let expected: [(usize, &[u8]); 2] = [(2, b"ab"), (6, b"c")];
    assert_eq!(words, expected);
}

#[test]
fn an_invalid_number_is_reported_with_its_position() {
    let line = Lines::new(b"7 99999999999 nan").next().unwrap();
    let mut words = line.words();
    assert_eq!(words.number::<u32>(), Ok(7));
    assert_eq!(
        words.number::<u32>().unwrap_err().to_string(),
        "line 1, column 3: expected a whole number from 0 to 4294967295, found `99999999999`"
    );
    assert_eq!(
        words.number::<f64>().unwrap_err().to_string(),
        "line 1, column 15: expected a number, found `nan`"
    );
    assert_eq!(
        words.number::<f64>().unwrap_err().to_string(),
        "line 1, column 18: expected a number, found the end of the line"
    );
}

#[test]
fn quoted_text_is_short_and_printable() {
    assert_eq!(quoted(b"a\x00\xff"), "`a\\x00\\xff`");
    assert_eq!(quoted(&[b'x'; 99]), format!("`{}...`", "x".repeat(24)));
}

#[test]
fn the_capacity_of_a_list_stays_close_to_its_length() {
    let mut list = Vec::new();
    for n in 0..1000_usize {
        push(&mut list, n);
        assert!(list.capacity() <= list.len() + list.len() / 4 + 1);
    }
}
