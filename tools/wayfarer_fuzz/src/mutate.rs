//! File mutations: flipped bits, truncation, extreme numbers, removed, duplicated and swapped
//! lines.

use wayfarer_engine::base::Rng;

const EXTREME: [&str; 14] = [
    "4294967295",
    "4294967296",
    "2147483647",
    "2147483648",
    "-2147483649",
    "18446744073709551615",
    "99999999999999999999999",
    "1073741824",
    "-1",
    "0",
    "1e309",
    "1e308",
    "nan",
    "0.0000000001",
];

fn index(rng: &mut Rng, length: usize) -> usize {
    rng.below(u32::try_from(length).unwrap()) as usize
}

/// A random byte range.
fn range(rng: &mut Rng, length: usize) -> (usize, usize) {
    let (a, b) = (index(rng, length + 1), index(rng, length + 1));
    (a.min(b), a.max(b))
}

/// Applies one to three mutations to `bytes`; `other` is a file of the same format to splice from.
pub fn mutate(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        if bytes.is_empty() {
            return bytes;
        }
        match rng.below(12) {
            0..3 => flip_bits(&mut bytes, rng),
            3 => bytes.truncate(index(rng, bytes.len() + 1)),
            4 | 5 => extreme_number(&mut bytes, rng),
            6 => extreme_word(&mut bytes, rng),
            7 | 8 => edit_lines(&mut bytes, rng),
            9 => {
                let at = index(rng, bytes.len() + 1);
                let noise = (0..1 + rng.below(9)).map(|_| rng.next_u64().to_le_bytes()[0]);
                let noise: Vec<u8> = noise.collect();
                bytes.splice(at..at, noise);
            }
            10 => {
                let (from, to) = range(rng, bytes.len());
                bytes.drain(from..to.min(from + 40));
            }
            _ => {
                let (from, to) = range(rng, other.len());
                let at = index(rng, bytes.len() + 1);
                let taken = other[from..to.min(from + 200)].to_vec();
                bytes.splice(at..at, taken);
            }
        }
    }
    bytes
}

fn flip_bits(bytes: &mut [u8], rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        let at = index(rng, bytes.len());
        bytes[at] ^= 1 << rng.below(8);
    }
}

/// Replaces a number in the text by an extreme one.
fn extreme_number(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let start = index(rng, bytes.len());
    let Some(from) = bytes[start..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let from = start + from;
    let length = bytes[from..].iter().position(|byte| !byte.is_ascii_digit());
    let to = length.map_or(bytes.len(), |length| from + length);
    let extreme = rng.pick(&EXTREME).unwrap();
    bytes.splice(from..to, extreme.bytes());
}

/// Overwrites four bytes with an extreme number, little- or big-endian.
fn extreme_word(bytes: &mut [u8], rng: &mut Rng) {
    let words = [u32::MAX, u32::MAX - 3, 1 << 31, (1 << 31) - 1, 1 << 24, 0];
    let word = *rng.pick(&words).unwrap();
    let word = if rng.chance(1, 2) {
        word.to_le_bytes()
    } else {
        word.to_be_bytes()
    };
    let at = index(rng, bytes.len()) & !3;
    for (byte, new) in bytes[at..].iter_mut().zip(word) {
        *byte = new;
    }
}

/// Duplicates, removes or swaps lines.
fn edit_lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(Vec::from)
        .collect();
    let (a, b) = (index(rng, lines.len()), index(rng, lines.len()));
    match rng.below(4) {
        0 => lines.insert(b, lines[a].clone()),
        1 => {
            lines.remove(a);
        }
        2 => lines.swap(a, b),
        _ => {
            let many = vec![lines[a].clone(); 20];
            lines.splice(b..b, many);
        }
    }
    *bytes = lines.concat();
}

/// Recomputes the checksums of PNG chunks as far as their lengths are valid.
pub fn fix_checksums(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let end = at.saturating_add(8).saturating_add(length);
        let Some(covered) = bytes.get(at + 4..end) else {
            return;
        };
        let sum = crc32(covered);
        let Some(stored) = bytes.get_mut(end..end + 4) else {
            return;
        };
        stored.copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// CRC-32, bit by bit.
pub fn crc32(bytes: &[u8]) -> u32 {
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
