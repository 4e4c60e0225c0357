//! Round trips and streams in small pieces; what other programs wrote is read in `tests/guests/python/bz2_and_lzma.py`.

use super::{Codec, Flush, mix, open};

const UNSET: u32 = u32::MAX;

fn sample() -> Vec<u8> {
    (0..300_000_u32).flat_map(|n| ((n / 7).wrapping_mul(2_654_435_761) >> 20).to_le_bytes()[..2].to_vec()).collect()
}

fn all(kind: u32, parameters: &[u32], data: &[u8], piece: usize, room: usize) -> (Vec<u8>, bool, Vec<u8>) {
    let mut codec: Box<dyn Codec> = open(kind, parameters).expect("the codec");
    let (mut out, mut at) = (Vec::new(), 0);
    loop {
        let end = data.len().min(at + piece);
        let flush = if end == data.len() { Flush::End } else { Flush::No };
        let (before, step) = (out.len(), codec.step(&data[at..end], flush, room, &mut out).expect("good data"));
        at += step.consumed;
        assert!(kind.is_multiple_of(2) || out.len() - before <= room);
        if step.ended || (at == data.len() && out.len() == before) {
            return (out, step.ended, [&step.behind[..], &data[at..]].concat());
        }
    }
}

#[test]
fn round_trips() {
    let data = sample();
    let xz = [&[1, 4, 1][..], &[UNSET; 8]].concat();
    let alone = [&[2, 0, 1][..], &[UNSET; 8]].concat();
    let raw = [&[3, 33, 1][..], &[UNSET; 8]].concat();
    let unraw = [&[3, UNSET, 33, 1][..], &[UNSET; 8]].concat();
    let cases: [(u32, &[u32], u32, &[u32]); 6] = [
        (0, &[9], 1, &[]),
        (2, &xz, 3, &[1, UNSET]),
        (2, &alone, 3, &[2, UNSET]),
        (2, &raw, 3, &unraw),
        (4, &[1, 1], 5, &[]),
        (4, &[0, 0], 5, &[]),
    ];
    for (pack, with, unpack, reading) in cases {
        for data in [&data[..], b"", b"x"] {
            let (mut packed, ended, _) = all(pack, with, data, 10_000, usize::MAX);
            assert!(ended, "{pack}");
            packed.extend_from_slice(b"more");
            for (piece, room) in [(usize::MAX / 2, usize::MAX), (7, 1000)] {
                let (found, ended, behind) = all(unpack, reading, &packed, piece, room);
                assert!(found == data && ended, "{pack} {with:?} {piece}: {} of {}", found.len(), data.len());
                assert_eq!(behind.get(..4.min(behind.len())), Some(&b"more"[..behind.len().min(4)]));
            }
        }
    }
}

#[test]
fn damaged_data_are_refused() {
    let xz = [&[1, 4, 1][..], &[UNSET; 8]].concat();
    for (pack, with, unpack, reading) in [(0, &[9][..], 1, &[][..]), (2, &xz, 3, &[1, UNSET]), (4, &[1, 1], 5, &[])] {
        let (mut packed, _, _) = all(pack, with, &sample(), usize::MAX / 2, usize::MAX);
        let middle = packed.len() / 2;
        packed[middle] ^= 0x55;
        let done = open(unpack, reading).expect("the codec").step(&packed, Flush::No, usize::MAX, &mut Vec::new());
        assert!(done.map_or(true, |step| !step.ended), "{pack}");
        assert!(
            open(unpack, reading).expect("the codec").step(b"not compressed at all", Flush::No, usize::MAX, &mut Vec::new()).is_err(),
            "{pack}"
        );
    }
}

#[test]
fn scrypt_mixes_as_the_standard_says() {
    // RFC 7914, section 10.
    let mut data = hex(
        "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad89f68f4811d1e87bcc3bd7400a9ffd29094f0184639574f39ae5a1315217bcd7\
                        894991447213bb226c25b54da86370fbcd984380374666bb8ffcb5bf40c254b067d27c51ce4ad5fed829c90b505a571b7f4d1cad6a523cda770e67bceaaf7e89",
    );
    mix(&mut data, 16, 1).expect("memory");
    let expected = hex(
        "79ccc193629debca047f0b70604bf6b62ce3dd4a9626e355fafc6198e6ea2b46d58413673b99b029d665c357601fb426a0b2f4bba200ee9f0a43d19b571a9c71\
                        ef1142e65d5a266fddca832ce59faa7cac0b9cf1be2bffca300d01ee387619c4ae12fd4438f203a0e4e1c47ec314861f4e9087cb33396a6873e8f9d2539a4b8e",
    );
    assert_eq!(data, expected);
    assert!(mix(&mut data, 15, 1).is_err() && mix(&mut data, 16, 3).is_err());
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|index| u8::from_str_radix(&text[2 * index..2 * index + 2], 16).expect("hex")).collect()
}
