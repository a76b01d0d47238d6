//! Round trips and damage detection of snapshots.

use super::*;

fn example() -> Vec<u8> {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |section| {
        section.u8(1);
        section.i32(-2);
        section.count(3);
        section.raw(&[7, 8, 9]);
    });
    writer.section(Tag(*b"spar"), |section| section.u16(5));
    writer.finish()
}

#[test]
fn numbers_read_back_in_order() {
    let bytes = example();
    let snapshot = Snapshot::read(&bytes).unwrap();
    let mut reader = snapshot.section(Tag(*b"ABCD")).unwrap();
    assert_eq!(reader.u8(), Ok(1));
    assert_eq!(reader.i32(), Ok(-2));
    assert_eq!(reader.count("entries", 1), Ok(3));
    assert_eq!(reader.take(3), Ok(&[7, 8, 9][..]));
    assert_eq!(reader.end(), Ok(()));
    let lengths: Vec<usize> = snapshot.sections().map(|(_, length)| length).collect();
    assert_eq!(lengths, [16, 2]);
}

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    let bytes = example();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(Snapshot::read(&damaged).is_err(), "byte {at}, bit {bit}");
        }
        assert!(Snapshot::read(&bytes[..at]).is_err(), "first {at} bytes");
    }
    let mut longer = bytes;
    longer.push(0);
    let error = Snapshot::read(&longer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 16: 91 bytes, expected 90"
            .replace("91", &longer.len().to_string())
            .replace("90", &(longer.len() - 1).to_string())
    );
}

#[test]
fn only_lowercase_sections_may_be_skipped() {
    let bytes = example();
    let snapshot = Snapshot::read(&bytes).unwrap();
    assert_eq!(snapshot.check_known(&[Tag(*b"ABCD")]), Ok(()));
    let error = snapshot.check_known(&[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 32: a section `ABCD`, which this version does not know"
    );
    let missing = snapshot.section(Tag(*b"GRND")).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "no section `GRND`, which every saved world has"
    );
}

#[test]
fn a_duplicate_section_is_rejected() {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |section| section.u8(1));
    writer.section(Tag(*b"ABCD"), |section| section.u8(1));
    let bytes = writer.finish();
    let duplicate = SnapshotError::Duplicate {
        at: 57,
        tag: Tag(*b"ABCD"),
    };
    assert_eq!(Snapshot::read(&bytes).unwrap_err(), duplicate);
}

#[test]
fn a_count_above_the_remaining_bytes_is_rejected_before_allocation() {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |section| {
        section.count(1 << 40);
        section.u64(0);
    });
    let bytes = writer.finish();
    let snapshot = Snapshot::read(&bytes).unwrap();
    let mut reader = snapshot.section(Tag(*b"ABCD")).unwrap();
    let error = reader.count("entries", 4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 56: entries is 1099511627776, expected at most 2"
    );
}
