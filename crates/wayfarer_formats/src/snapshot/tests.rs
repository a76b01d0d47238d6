use super::*;

fn example() -> Vec<u8> {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |sink| {
        sink.u8(1);
        sink.i32(-2);
        sink.count(3);
        sink.raw(&[7, 8, 9]);
    });
    writer.section(Tag(*b"spar"), |sink| sink.u16(5));
    writer.finish()
}

#[test]
fn numbers_come_back_in_order() {
    let bytes = example();
    let snapshot = Snapshot::read(&bytes).unwrap();
    let mut source = snapshot.section(Tag(*b"ABCD")).unwrap();
    assert_eq!(source.u8(), Ok(1));
    assert_eq!(source.i32(), Ok(-2));
    assert_eq!(source.count("things", 1), Ok(3));
    assert_eq!(source.take(3), Ok(&[7, 8, 9][..]));
    assert_eq!(source.end(), Ok(()));
    let lengths: Vec<usize> = snapshot.sections().map(|(_, length)| length).collect();
    assert_eq!(lengths, [16, 2]);
}

#[test]
fn every_flipped_bit_and_every_lost_end_is_noticed() {
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
fn a_section_may_be_passed_over_only_if_its_name_begins_small() {
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
fn a_name_may_stand_only_once() {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |sink| sink.u8(1));
    writer.section(Tag(*b"ABCD"), |sink| sink.u8(1));
    let bytes = writer.finish();
    let twice = SnapshotError::Twice {
        at: 57,
        tag: Tag(*b"ABCD"),
    };
    assert_eq!(Snapshot::read(&bytes).unwrap_err(), twice);
}

#[test]
fn more_things_than_bytes_are_refused_before_room_is_made_for_them() {
    let mut writer = SnapshotWriter::default();
    writer.section(Tag(*b"ABCD"), |sink| {
        sink.count(1 << 40);
        sink.u64(0);
    });
    let bytes = writer.finish();
    let snapshot = Snapshot::read(&bytes).unwrap();
    let mut source = snapshot.section(Tag(*b"ABCD")).unwrap();
    let error = source.count("things", 4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 56: things is 1099511627776, expected at most 2"
    );
}
