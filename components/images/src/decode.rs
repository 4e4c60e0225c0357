//! `djpeg`: a JPEG to PGM, PPM or PAM.

use crate::command::{Made, Program};
use crate::cut;
use crate::header::{Header, Stored};
use crate::options::{Line, Opt, flag, value};
use crate::picture::{Picture, Space, pixels};
use crate::pnm;
use jpeg_decoder::{CodingProcess, ColorTransform, Decoder, Error};
use std::ffi::OsString;
use std::io::ErrorKind;

const OPTIONS: &[Opt] = &[
    flag("pnm", "write PGM (gray) or PPM (colours); the default"),
    flag("grayscale", "write brightness only"),
    flag("greyscale", ""),
    flag("pam", "write PAM, which holds CMYK too: 0 is no ink"),
    flag("rgb", "write RGB, of a gray picture too"),
    flag("ycbcr", "write Y, Cb and Cr as the file has them (PAM)"),
    value("scale", "M/N", "make it smaller while reading: 1/2, 1/4, 1/8"),
    value("outfile", "FILE", "write to FILE, not to standard output"),
    value("colorspace", "NAME", "take the file's samples as gray, rgb, ycbcr, cmyk or ycck, whatever its markers say"),
    // What these choose between is not here, or is always so.
    value("dct", "METHOD", ""),
    value("maxmemory", "N", ""),
    flag("fast", ""),
    flag("nosmooth", ""),
    flag("onepass", ""),
    // Refused by name.
    flag("bmp", ""),
    flag("gif", ""),
    flag("os2", ""),
    flag("rle", ""),
    flag("targa", ""),
    value("colors", "N", ""),
    value("crop", "WxH+X+Y", ""),
];

const PROGRAM: Program = Program {
    name: "djpeg",
    about: "Decompress a JPEG file (baseline or progressive) to PGM, PPM or PAM, on standard output.",
    options: OPTIONS,
};

/// How to decode.
struct How {
    /// What to write; none for what the file has.
    space: Option<Space>,
    pam: bool,
    /// The size, in eighths: 8, 4, 2 or 1.
    eighths: u32,
    /// What the samples are taken for.
    stored: Option<Stored>,
}

/// Runs the program.
pub(crate) fn main(args: &[OsString]) -> u8 {
    PROGRAM.run(args, how, |bytes, how| {
        let (picture, warning) = decode(&bytes, how)?;
        Ok(Made { head: pnm::header(&picture, how.pam).into_bytes(), body: picture.data, warning })
    })
}

fn how(line: &Line) -> Result<How, String> {
    if let Some(name) = line.last_of(&["bmp", "gif", "os2", "rle", "targa", "colors", "crop"]) {
        return Err(format!("'-{name}' is not supported: djpeg writes PGM, PPM and PAM, of the whole picture"));
    }
    let space = match line.last_of(&["grayscale", "greyscale", "rgb", "ycbcr"]) {
        Some("rgb") => Some(Space::Rgb),
        Some("ycbcr") => Some(Space::Ycbcr),
        Some(_) => Some(Space::Gray),
        None => None,
    };
    let pam = space == Some(Space::Ycbcr) || line.last_of(&["pnm", "pam"]) == Some("pam");
    let eighths = line.text("scale").map_or(Ok(8), |text| eighths(&text))?;
    let stored = line.text("colorspace").map(|text| stored(&text)).transpose()?;
    Ok(How { space, pam, eighths, stored })
}

fn eighths(text: &str) -> Result<u32, String> {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let ratio = over.parse::<u32>().ok().zip(under.parse::<u32>().ok()).filter(|(over, _)| *over > 0);
    let same = |eighths: &u32, over: u32, under: u32| u64::from(over) * 8 == u64::from(*eighths) * u64::from(under);
    let found = ratio.and_then(|(over, under)| [8, 4, 2, 1].into_iter().find(|eighths| same(eighths, over, under)));
    found.ok_or_else(|| format!("'{text}' is no size: there are 1/1, 1/2, 1/4 and 1/8"))
}

fn stored(text: &str) -> Result<Stored, String> {
    Ok(match text.to_ascii_lowercase().as_str() {
        "gray" | "grayscale" | "l" => Stored::Gray,
        "rgb" => Stored::Rgb,
        "ycbcr" | "ycc" => Stored::Ycbcr,
        "cmyk" => Stored::Cmyk,
        "ycck" | "ycbcrk" => Stored::Ycck,
        _ => return Err(format!("'{text}' is no space of colours: there are gray, rgb, ycbcr, cmyk and ycck")),
    })
}

/// Decodes a file; says what is missing.
fn decode(bytes: &[u8], how: &How) -> Result<(Picture, Option<&'static str>), String> {
    let header = Header::read(bytes)?;
    pixels(header.width.into(), header.height.into())?;
    let found = header.stored().ok_or_else(|| format!("a picture of {} components is not supported", header.components.len()))?;
    let stored = how.stored.unwrap_or(found);
    if stored.channels() != found.channels() {
        return Err(format!("the file has {} components, not {}", found.channels(), stored.channels()));
    }
    let attempt = |bytes: &[u8]| attempt(bytes, &header, stored, how);
    let (picture, missing) = match attempt(bytes) {
        Err(Error::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            let found = cut::decoded(bytes, &header, how.eighths, attempt);
            found.map(|(picture, missing)| (picture, Some(missing))).map_err(|_| "the file ends before there is a picture")?
        }
        Err(error) => return Err(reason(&error)),
        Ok(picture) => (picture, None),
    };
    let space = match (how.space, picture.space) {
        (Some(space), _) => space,
        (None, Space::Cmyk) if how.pam => Space::Cmyk,
        (None, Space::Gray) => Space::Gray,
        (None, _) => Space::Rgb,
    };
    Ok((picture.into_space(space), missing))
}

/// Decodes to RGB, or to what the file has where something else is wanted, or nothing else is possible.
fn attempt(bytes: &[u8], header: &Header, stored: Stored, how: &How) -> Result<Picture, Error> {
    let raw = matches!(how.space, Some(Space::Gray | Space::Ycbcr));
    // The library's names say what the samples are; `RGB` changes nothing, and the last two give ink.
    let (transform, space) = match stored {
        Stored::Gray => (ColorTransform::Grayscale, Space::Gray),
        Stored::Ycbcr if raw => (ColorTransform::RGB, Space::Ycbcr),
        Stored::Ycbcr => (ColorTransform::YCbCr, Space::Rgb),
        Stored::Rgb => (ColorTransform::RGB, Space::Rgb),
        Stored::Cmyk => (ColorTransform::CMYK, Space::Cmyk),
        Stored::Ycck => (ColorTransform::YCCK, Space::Cmyk),
    };
    let mut decoder = Decoder::new(bytes);
    decoder.set_color_transform(transform);
    decoder.read_info()?;
    if decoder.info().is_some_and(|info| info.coding_process == CodingProcess::Lossless) {
        return Err(Error::Format("lossless JPEG is not supported".into()));
    }
    if how.eighths < 8 {
        shrink(&mut decoder, header, how.eighths)?;
    }
    let data = decoder.decode()?;
    let size = decoder.info().map(|info| (u32::from(info.width), u32::from(info.height)));
    match size {
        Some((width, height)) if data.len() as u64 == u64::from(width) * u64::from(height) * space.channels() as u64 => {
            Ok(Picture { width, height, space, data })
        }
        _ => Err(Error::Format("its parts contradict each other".into())),
    }
}

/// Asks for a size. The library takes the smallest that reaches one of two sides: the longer is asked for, because a short
/// one may be equally long at several sizes.
fn shrink(decoder: &mut Decoder<&[u8]>, header: &Header, eighths: u32) -> Result<(), Error> {
    let side = |pixels: u16| (u32::from(pixels) * eighths).div_ceil(8) as u16;
    let (width, height) = (header.width, header.height);
    let (width, height) = if width >= height { (side(width), u16::MAX) } else { (u16::MAX, side(height)) };
    decoder.scale(width, height).map(|_| ())
}

fn reason(error: &Error) -> String {
    match error {
        Error::Format(text) => format!("a damaged JPEG file: {text}"),
        Error::Unsupported(feature) => format!("a JPEG file of a kind that is not supported: {feature:?}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(["1/1", "1/2", "1/4", "2/8", "1/8", "1"].map(eighths), [Ok(8), Ok(4), Ok(2), Ok(2), Ok(1), Ok(8)]);
        for text in ["", "1/3", "3/8", "2/1", "0/1", "1/0", "0/0", "x/8"] {
            assert_eq!(eighths(text), Err(format!("'{text}' is no size: there are 1/1, 1/2, 1/4 and 1/8")));
        }
    }
}
