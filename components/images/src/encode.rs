//! `cjpeg`: PGM, PPM or PAM to a JPEG.

use crate::command::{Made, Program};
use crate::options::{Line, Opt, flag, value};
use crate::picture::{Picture, Space};
use crate::pnm;
use crate::tables::{self, Table};
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, QuantizationTableType, SamplingFactor};
use std::ffi::OsString;
use wisp_tool::text;

const OPTIONS: &[Opt] = &[
    value("quality", "N", "from 0 (worst) to 100 (best); 75 without it"),
    flag("grayscale", "write brightness only"),
    flag("greyscale", ""),
    flag("progressive", "write a progressive JPEG"),
    flag("optimize", "make smaller files, with more memory"),
    flag("optimise", ""),
    value("outfile", "FILE", "write to FILE, not to standard output"),
    value("sample", "HxV", "how many pixels of brightness share a colour: 1x1, 2x1, 1x2; 2x2 without it"),
    value("restart", "N", "write a restart marker after N rows of blocks, or with B after the number after N blocks"),
    flag("rgb", "write RGB as it is; the files are larger"),
    value("qtables", "FILE", "take the tables of quantization from FILE, or the numbers themselves"),
    // What these ask for is always so, or changes little.
    flag("baseline", ""),
    value("dct", "METHOD", ""),
    value("maxmemory", "N", ""),
    // Refused by name.
    flag("arithmetic", ""),
    flag("targa", ""),
    value("icc", "FILE", ""),
    value("lossless", "PSV", ""),
    value("precision", "N", ""),
    value("qslots", "N", ""),
    value("scans", "FILE", ""),
    value("smooth", "N", ""),
];

const PROGRAM: Program =
    Program { name: "cjpeg", about: "Compress a PGM, PPM or PAM file to a JPEG, on standard output.", options: OPTIONS };

/// The most pixels of a side.
const LONGEST: u32 = 0xffff;

/// Where restart markers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Restart {
    Never,
    Rows(u16),
    Blocks(u16),
}

/// How to encode.
struct How {
    quality: u8,
    gray: bool,
    rgb: bool,
    progressive: bool,
    optimize: bool,
    /// Pixels of brightness to one of colour, across and down.
    sampling: (u8, u8),
    restart: Restart,
    /// For brightness and for colours.
    tables: Option<[Table; 2]>,
}

/// Runs the program.
pub(crate) fn main(args: &[OsString]) -> u8 {
    PROGRAM.run(args, how, |bytes, how| Ok(Made { head: Vec::new(), body: encode(pnm::read(bytes)?, how)?, warning: None }))
}

fn how(line: &Line) -> Result<How, String> {
    if let Some(name) = line.last_of(&["arithmetic", "targa", "icc", "lossless", "precision", "qslots", "scans", "smooth"]) {
        return Err(format!("'-{name}' is not supported"));
    }
    let quality = line.text("quality").map(|text| quality(&text)).transpose()?;
    let percent = quality.map_or(100, tables::percent);
    let tables = line.text("qtables").map(|text| table_file(&text)).transpose()?.map(|found| {
        let luma = found.first().unwrap_or(&tables::LUMA);
        [tables::scaled(luma, percent), tables::scaled(found.get(1).unwrap_or(luma), percent)]
    });
    Ok(How {
        quality: quality.unwrap_or(75),
        gray: line.has("grayscale") || line.has("greyscale"),
        rgb: line.has("rgb"),
        progressive: line.has("progressive"),
        optimize: line.has("optimize") || line.has("optimise"),
        sampling: line.text("sample").map_or(Ok((2, 2)), |text| sampling(&text))?,
        restart: line.text("restart").map_or(Ok(Restart::Never), |text| restart(&text))?,
        tables,
    })
}

/// Parses a quality; of several, one for each table, the first counts.
fn quality(text: &str) -> Result<u8, String> {
    let first = text.split(',').next().unwrap_or_default();
    match first.parse() {
        Ok(quality @ 0..=100) => Ok(quality),
        _ => Err(format!("'{text}' is no quality: it is a number from 0 to 100")),
    }
}

/// Parses the factors of sampling; those of the colours, after a comma, can only be 1.
fn sampling(text: &str) -> Result<(u8, u8), String> {
    let mut parts = text.split(',');
    let first = parts.next().unwrap_or_default().to_ascii_lowercase();
    let factors = first.split_once('x').and_then(|(across, down)| Some((across.parse().ok()?, down.parse().ok()?)));
    let ones = parts.all(|part| part.eq_ignore_ascii_case("1x1"));
    match factors {
        Some((across, down)) if ones && SamplingFactor::from_factors(across, down).is_some() => Ok((across, down)),
        _ => Err(format!("'{text}' cannot be sampled: there are 1x1, 2x1, 1x2, 2x2, 4x1, 4x2, 1x4 and 2x4")),
    }
}

fn restart(text: &str) -> Result<Restart, String> {
    let (digits, blocks) = text.strip_suffix(['b', 'B']).map_or((text, false), |digits| (digits, true));
    match digits.parse() {
        Ok(0) => Ok(Restart::Never),
        Ok(count) if blocks => Ok(Restart::Blocks(count)),
        Ok(count) => Ok(Restart::Rows(count)),
        Err(_) => Err(format!("'{text}' is no interval: it is a number from 0 to 65535, with B after it for blocks")),
    }
}

fn table_file(text: &str) -> Result<Vec<Table>, String> {
    if text.contains(|char: char| !char.is_ascii_digit() && !char.is_whitespace() && char != ',') {
        let content = std::fs::read(text).map_err(|error| format!("{text}: {}", text::reason(&error)))?;
        return tables::parse(&String::from_utf8_lossy(&content)).map_err(|message| format!("{text}: {message}"));
    }
    tables::parse(text)
}

/// Encodes a picture.
fn encode(picture: Picture, how: &How) -> Result<Vec<u8>, String> {
    let (Ok(width @ 1..), Ok(height @ 1..)) = (u16::try_from(picture.width), u16::try_from(picture.height)) else {
        return Err(format!("a JPEG holds {LONGEST} by {LONGEST} pixels at most, this is {} by {}", picture.width, picture.height));
    };
    let picture = match picture.space {
        _ if how.gray => picture.into_space(Space::Gray),
        Space::Ycbcr if how.rgb => picture.into_space(Space::Rgb),
        _ => picture,
    };
    // RGB stays as it is: the library takes the samples for Y, Cb and Cr, and a marker in the file says that they are RGB.
    let (kind, marker) = match picture.space {
        Space::Gray => (ColorType::Luma, Marker::Library),
        Space::Rgb if how.rgb => (ColorType::Ycbcr, Marker::Adobe),
        Space::Rgb => (ColorType::Rgb, Marker::Library),
        Space::Ycbcr => (ColorType::Ycbcr, Marker::Library),
        Space::Cmyk => (ColorType::Cmyk, Marker::Adobe),
    };
    let sampling = if marker == Marker::Adobe || kind == ColorType::Luma { (1, 1) } else { how.sampling };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, how.quality.max(1));
    encoder.set_sampling_factor(SamplingFactor::from_factors(sampling.0, sampling.1).unwrap_or(SamplingFactor::F_1_1));
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.set_progressive(how.progressive);
    let interval = interval(how.restart, width, sampling);
    encoder.set_restart_interval(interval);
    // The library counts no restarts when it makes tables for a picture, so a code might be missing.
    encoder.set_optimized_huffman_tables((how.optimize || how.progressive) && interval == 0);
    // Where no component is one of brightness, all are treated as if they were.
    let luma = || [tables::scaled(&tables::LUMA, tables::percent(how.quality)); 2];
    let tables = how.tables.map(|[luma, chroma]| if marker == Marker::Adobe { [luma; 2] } else { [luma, chroma] });
    if let Some(tables) = tables.or_else(|| (marker == Marker::Adobe).then(luma)) {
        let [luma, chroma] = tables.map(|table| QuantizationTableType::Custom(Box::new(table)));
        encoder.set_quantization_tables(luma, chroma);
    }
    encoder.encode(&picture.data, width, height, kind).map_err(|error| error.to_string())?;
    Ok(if marker == Marker::Adobe { with_adobe_marker(&bytes) } else { bytes })
}

/// Which markers say what the samples mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    /// That of JFIF, which the library writes.
    Library,
    /// Adobe's, for samples that are stored as they are; libjpeg writes JFIF's for none of these.
    Adobe,
}

fn interval(restart: Restart, width: u16, sampling: (u8, u8)) -> u16 {
    match restart {
        Restart::Never => 0,
        Restart::Blocks(blocks) => blocks,
        Restart::Rows(rows) => width.div_ceil(8 * u16::from(sampling.0)).saturating_mul(rows),
    }
}

/// Returns the file with Adobe's marker in place of the application segments that it begins with.
fn with_adobe_marker(bytes: &[u8]) -> Vec<u8> {
    let mut at = 2;
    while let Some(&[0xff, 0xe0..=0xef, high, low]) = bytes.get(at..at + 4) {
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    [b"\xff\xd8\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0".as_slice(), bytes.get(at..).unwrap_or_default()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        assert_eq!((quality("0"), quality("90,50")), (Ok(0), Ok(90)));
        assert_eq!(quality("101"), Err("'101' is no quality: it is a number from 0 to 100".into()));
        assert_eq!(["2x1", "1X1", "2x2,1x1,1x1"].map(sampling), [Ok((2, 1)), Ok((1, 1)), Ok((2, 2))]);
        assert!(["", "2", "3x1", "2x2,2x1", "0x0"].map(sampling).iter().all(Result::is_err));
        assert_eq!(["0", "3", "4B"].map(restart), [Ok(Restart::Never), Ok(Restart::Rows(3)), Ok(Restart::Blocks(4))]);
        assert!(["", "b", "-1", "70000"].map(restart).iter().all(Result::is_err));
        assert_eq!((interval(Restart::Rows(2), 17, (2, 2)), interval(Restart::Rows(9), 65535, (1, 1))), (4, 65535));
    }

    #[test]
    fn adobe_replaces_what_the_library_wrote() {
        let bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xee\0\x03c\xff\xdbrest";
        assert_eq!(with_adobe_marker(bytes), b"\xff\xd8\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0\xff\xdbrest");
    }
}
