//! What there is of a file that was cut off.

use crate::header::{Header, scans};
use crate::picture::Picture;
use jpeg_decoder::Error;

/// The marker of the end, which such a file lacks.
const END: [u8; 2] = [0xff, 0xd9];

/// What stands for the pixels that are missing, beside nothing: the library goes on with zeros, so what differs is not of the file.
const FILLER: [u8; 64] = [0x55; 64];

/// Decodes a file without its end; says what is missing. `eighths` is the size that `decode` makes.
pub(crate) fn decoded(
    bytes: &[u8],
    header: &Header,
    eighths: u32,
    decode: impl Fn(&[u8]) -> Result<Picture, Error>,
) -> Result<(Picture, &'static str), Error> {
    let bytes = bytes.strip_suffix(&[0xff]).unwrap_or(bytes);
    let ended = |bytes: &[u8], filler: &[u8]| decode(&[bytes, filler, &END].concat());
    if header.progressive
        && let [_, .., last] = scans(bytes).as_slice()
    {
        return Ok((ended(&bytes[..*last], &[])?, "the file ends early: the picture lacks details"));
    }
    let mut picture = ended(bytes, &[])?;
    if let Ok(other) = ended(bytes, &FILLER) {
        let (across, down) = header.unit();
        let scaled = |pixels: usize| (pixels * eighths as usize / 8).max(1);
        gray_from_difference(&mut picture, &other, scaled(across), scaled(down));
    }
    Ok((picture, "the file ends early: the rest of the picture is gray"))
}

/// Makes a picture gray from the block on in which it differs from another. Blocks come in rows, each of `across` by `down` pixels.
fn gray_from_difference(picture: &mut Picture, other: &Picture, across: usize, down: usize) {
    let channels = picture.space.channels();
    let row = picture.width as usize * channels;
    let rows: Vec<Option<usize>> = picture
        .data
        .chunks_exact(row)
        .zip(other.data.chunks_exact(row))
        .map(|(one, other)| one.iter().zip(other).position(|(one, other)| one != other).map(|at| at / channels))
        .collect();
    let Some(first) = rows.iter().position(Option::is_some) else { return };
    // Where colours have fewer pixels, those of a block reach one pixel into the blocks before it.
    let top = (first + 1) / down * down;
    let bottom = (top + down).min(rows.len());
    let left = rows.get(top..bottom).unwrap_or_default().iter().flatten().min().map_or(0, |column| (column + 1) / across * across);
    for (at, pixels) in picture.data.chunks_exact_mut(row).enumerate().skip(top) {
        let from = if at < bottom { left * channels } else { 0 };
        pixels.iter_mut().skip(from).for_each(|sample| *sample = 128);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Space;

    fn picture(data: &[u8]) -> Picture {
        Picture { width: 6, height: 6, space: Space::Gray, data: data.to_vec() }
    }

    #[test]
    fn the_rest_is_gray() {
        let other = picture(&[1; 36]);
        let grayed = |different: &[usize]| {
            let mut data = [1; 36];
            for at in different {
                data[*at] = 2;
            }
            let mut one = picture(&data);
            gray_from_difference(&mut one, &other, 2, 2);
            one.data.iter().map(|sample| if *sample == 128 { '#' } else { '.' }).collect::<String>()
        };
        assert_eq!(grayed(&[]), ".".repeat(36));
        assert_eq!(grayed(&[0]), "#".repeat(36));
        // The third block of the second row; and the same where it reaches over its edges.
        let rest = ".".repeat(12) + "....##....##" + &"#".repeat(12);
        assert_eq!(grayed(&[2 * 6 + 4]), rest);
        assert_eq!(grayed(&[6 + 3, 2 * 6 + 3, 3 * 6 + 4]), rest);
        assert_eq!(grayed(&[35]), ".".repeat(36));
    }
}
