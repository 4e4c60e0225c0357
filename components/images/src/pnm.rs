//! The formats of netpbm: PGM and PPM as numbers or as bytes (P2, P3, P5, P6), and PAM (P7), which has more colours.

use crate::command::beginning;
use crate::picture::{Picture, Space, pixels};

/// Reads a picture. Samples of another range are scaled to 0..255.
pub(crate) fn read(bytes: Vec<u8>) -> Result<Picture, String> {
    match (bytes.first(), bytes.get(1)) {
        (Some(b'P'), Some(b'2')) => netpbm(bytes, Space::Gray, true),
        (Some(b'P'), Some(b'3')) => netpbm(bytes, Space::Rgb, true),
        (Some(b'P'), Some(b'5')) => netpbm(bytes, Space::Gray, false),
        (Some(b'P'), Some(b'6')) => netpbm(bytes, Space::Rgb, false),
        (Some(b'P'), Some(b'7')) => pam(bytes),
        (Some(b'P'), Some(b'1' | b'4')) => Err("a bitmap of black and white (PBM) is not read: PGM, PPM and PAM are".into()),
        _ => Err(format!("not a PGM, PPM or PAM file: {}", beginning(&bytes))),
    }
}

/// Returns the header of a picture as PAM, or as PGM or PPM: then it must be gray or RGB.
pub(crate) fn header(picture: &Picture, pam: bool) -> String {
    let (width, height, space) = (picture.width, picture.height, picture.space);
    if pam {
        let (depth, kind) = (space.channels(), space.tuple_type());
        return format!("P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL 255\nTUPLTYPE {kind}\nENDHDR\n");
    }
    let kind = if space == Space::Gray { "P5" } else { "P6" };
    format!("{kind}\n{width} {height}\n255\n")
}

fn netpbm(bytes: Vec<u8>, space: Space, plain: bool) -> Result<Picture, String> {
    let mut words = Words { bytes: &bytes, at: 2 };
    let width = words.number("width")?;
    let height = words.number("height")?;
    let maxval = checked_maxval(words.number("largest value")?)?;
    let samples = pixels(width, height)? * space.channels();
    let data = if plain {
        words.samples(samples, maxval)?
    } else {
        let start = words.at + 1;
        raster(bytes, start, samples, maxval)?
    };
    Ok(Picture { width, height, space, data })
}

fn pam(bytes: Vec<u8>) -> Result<Picture, String> {
    let (mut width, mut height, mut depth, mut maxval, mut kind) = (0, 0, 0, 0, String::new());
    let mut at = 0;
    loop {
        let length = bytes[at..].iter().position(|byte| *byte == b'\n').ok_or("the header has no end (ENDHDR)")?;
        let line = String::from_utf8_lossy(&bytes[at..at + length]).trim().to_owned();
        at += length + 1;
        let (key, value) = line.split_once(char::is_whitespace).map_or((line.as_str(), ""), |(key, value)| (key, value.trim()));
        let number = || value.parse::<u32>().map_err(|_| format!("the header has no {}", key.to_ascii_lowercase()));
        match key {
            "WIDTH" => width = number()?,
            "HEIGHT" => height = number()?,
            "DEPTH" => depth = number()?,
            "MAXVAL" => maxval = number()?,
            "TUPLTYPE" => value.clone_into(&mut kind),
            "ENDHDR" => break,
            "P7" | "" => {}
            other if other.starts_with('#') => {}
            other => return Err(format!("the header has an unknown line: {other}")),
        }
    }
    let space = match (depth, kind.as_str()) {
        (1, _) => Space::Gray,
        (3, "YCbCr") => Space::Ycbcr,
        (3, _) => Space::Rgb,
        (4, "CMYK") => Space::Cmyk,
        _ => return Err(format!("a PAM file of depth {depth} and type {kind}: JPEG holds GRAYSCALE, RGB and CMYK, nothing transparent")),
    };
    let samples = pixels(width, height)? * space.channels();
    let data = raster(bytes, at, samples, checked_maxval(maxval)?)?;
    Ok(Picture { width, height, space, data })
}

fn checked_maxval(maxval: u32) -> Result<u32, String> {
    if (1..=0xffff).contains(&maxval) { Ok(maxval) } else { Err(format!("the largest value is {maxval}, not of 1 to 65535")) }
}

/// Returns the samples that begin at `start`: bytes, or two bytes each where one is not enough for `maxval`.
fn raster(mut bytes: Vec<u8>, start: usize, samples: usize, maxval: u32) -> Result<Vec<u8>, String> {
    let wide = if maxval > 255 { 2 } else { 1 };
    let there = bytes.len().saturating_sub(start);
    let needed = samples * wide;
    if there < needed {
        return Err(format!("the file ends early: it has {there} of {needed} bytes of pixels"));
    }
    bytes.drain(..start);
    bytes.truncate(needed);
    if maxval == 255 {
        return Ok(bytes);
    }
    let value = |sample: &[u8]| sample.iter().fold(0, |sum, byte| sum * 256 + u32::from(*byte));
    Ok(bytes.chunks_exact(wide).map(|sample| scaled(value(sample), maxval)).collect())
}

fn scaled(value: u32, maxval: u32) -> u8 {
    ((value.min(maxval) * 255 + maxval / 2) / maxval) as u8
}

/// The words of a text, without comments.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a [u8]> {
        while let Some(byte) = self.bytes.get(self.at) {
            if *byte == b'#' {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    fn number(&mut self, what: &str) -> Result<u32, String> {
        let word = self.word().ok_or_else(|| format!("the file ends early: it has no {what}"))?;
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.ok_or_else(|| format!("the {what} is no number"))
    }

    fn samples(&mut self, count: usize, maxval: u32) -> Result<Vec<u8>, String> {
        // Each takes two bytes at least: what the file cannot hold is not allocated.
        let mut data = Vec::with_capacity(count.min(self.bytes.len()));
        for _ in 0..count {
            data.push(scaled(self.number("sample")?, maxval));
        }
        Ok(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<(u32, u32, Space, Vec<u8>), String> {
        super::read(text.to_vec()).map(|picture| (picture.width, picture.height, picture.space, picture.data))
    }

    #[test]
    fn pictures_are_read() {
        assert_eq!(read(b"P5\n2 1\n255\n\x07#"), Ok((2, 1, Space::Gray, vec![7, b'#'])));
        assert_eq!(read(b"P6 # a comment\n1\t1 255 abcmore"), Ok((1, 1, Space::Rgb, b"abc".to_vec())));
        assert_eq!(read(b"P3\n1 2\n# c\n1\n0 1 0\n1 1 1"), Ok((1, 2, Space::Rgb, vec![0, 255, 0, 255, 255, 255])));
        assert_eq!(read(b"P2 2 1 3 1 2"), Ok((2, 1, Space::Gray, vec![85, 170])));
        assert_eq!(read(b"P5 1 2 65535 \xff\xff\x80\x00"), Ok((1, 2, Space::Gray, vec![255, 128])));
        let text = b"P7\n# c\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd";
        assert_eq!(read(text), Ok((1, 1, Space::Cmyk, b"abcd".to_vec())));
    }

    #[test]
    fn what_is_written_is_read() {
        for space in [Space::Gray, Space::Rgb, Space::Ycbcr, Space::Cmyk] {
            let picture = Picture { width: 2, height: 3, space, data: (0..6 * space.channels() as u8).collect() };
            for pam in [true, false] {
                if pam || matches!(space, Space::Gray | Space::Rgb) {
                    let bytes = [header(&picture, pam).as_bytes(), &picture.data].concat();
                    assert_eq!(super::read(bytes), Ok(Picture { data: picture.data.clone(), ..picture }));
                }
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            (&b"hello"[..], "not a PGM, PPM or PAM file: it starts with 0x68 0x65"),
            (b"P4 8 1 a", "a bitmap of black and white (PBM) is not read: PGM, PPM and PAM are"),
            (b"P6\n2", "the file ends early: it has no height"),
            (b"P6\n2 x", "the height is no number"),
            (b"P6 1 1 0 abc", "the largest value is 0, not of 1 to 65535"),
            (b"P6 2 1 255 abc", "the file ends early: it has 3 of 6 bytes of pixels"),
            (b"P5 1 1 255", "the file ends early: it has 0 of 1 bytes of pixels"),
            (b"P6 0 1 255 ", "a picture of 0 by 1 pixels has none"),
            (b"P6 4000000000 4000000000 255 ", "4000000000 by 4000000000 pixels are more than the 268435456 that this program takes"),
            (b"P3 1 1 255 1 2", "the file ends early: it has no sample"),
            (b"P7\nWIDTH 1\n", "the header has no end (ENDHDR)"),
            (b"P7\nWIDTH x\n", "the header has no width"),
            (b"P7\nSIZE 1\n", "the header has an unknown line: SIZE"),
        ] {
            assert_eq!(read(text), Err(message.into()));
        }
        let text = b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd";
        assert!(read(text).is_err_and(|message| message.contains("depth 4 and type RGB_ALPHA")));
    }
}
