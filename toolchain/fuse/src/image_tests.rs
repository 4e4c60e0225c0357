use super::{IMMORTAL, Image};

fn image(pieces: &[(usize, &[u8])]) -> Image {
    let mut image = Image::default();
    for (at, data) in pieces {
        image.put(*at, data);
    }
    image
}

#[test]
fn data_is_cut_at_long_zeros_only() {
    let one = image(&[(10, b"abc"), (13 + 63, b"d")]);
    assert_eq!(one.segments().len(), 1);
    assert_eq!(one.segments()[0].0, 10);
    let two = image(&[(10, b"abc"), (13 + 64, b"d")]);
    assert_eq!(two.segments(), [(10, &b"abc"[..]), (77, &b"d"[..])]);
    assert!(image(&[]).segments().is_empty());
    assert!(image(&[(5, &[0; 300])]).segments().is_empty());
}

#[test]
fn later_data_lies_over_earlier_data() {
    let image = image(&[(0, b"abcdef"), (2, b"XY"), (3, &[0])]);
    assert_eq!(image.segments(), [(0, &b"abX\0ef"[..])]);
}

#[test]
fn what_is_cut_together_is_the_image() {
    // a little generator instead of random numbers: every run length up to 200
    let mut pieces = Image::default();
    let mut at = 0;
    for run in 0..200_usize {
        at += run * 7 % 131;
        pieces.put(at, &vec![run as u8; run * 13 % 97]);
        at += run * 13 % 97;
    }
    let mut again = vec![0; pieces.len()];
    let segments = pieces.segments();
    for pair in segments.windows(2) {
        assert!(pair[0].0 as usize + pair[0].1.len() + 64 <= pair[1].0 as usize);
    }
    for (at, data) in segments {
        again[at as usize..at as usize + data.len()].copy_from_slice(data);
    }
    assert!(again == pieces.bytes);
}

#[test]
fn there_are_never_too_many_segments() {
    let mut sparse = Image::default();
    for index in 0..100_500 {
        sparse.put(index * 80, &[1]);
    }
    assert!(sparse.segments().len() <= 100_000);
}

#[test]
fn objects_become_immortal_once() {
    let mut image = image(&[(0, &[3, 0, 0, 0]), (100, &0x4000_0000_u32.to_le_bytes()), (204, &[1])]);
    // 48 lies between data, 204's word runs out of the image
    assert_eq!(image.immortal(&[0, 48, 100]), Ok(2));
    assert_eq!(image.bytes[0..4], IMMORTAL.to_le_bytes());
    assert_eq!(image.bytes[48..52], IMMORTAL.to_le_bytes());
    assert_eq!(image.bytes[100..104], 0x4000_0000_u32.to_le_bytes());
    assert_eq!(image.immortal(&[0, 48]), Ok(0));
    for wrong in [204, 400, 2] {
        assert!(image.immortal(&[wrong]).is_err_and(|error| error.to_string().contains(&wrong.to_string())));
    }
}
