//! Compressed streams: every format as a reader and a writer, in pieces of bounded size.

mod bzip2;
pub(crate) mod gzip;
mod xz;
mod zstd;

use std::io::{BufRead, BufReader, Read, Result, Write};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Gzip,
    Bzip2,
    Xz,
    Lzma,
    Zstd,
}

/// A writer that must be told when the data ends.
pub(crate) trait Sink: Write {
    /// Writes the remaining data.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A plain writer as a sink.
pub(crate) struct Plain<W: Write>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.0.write(data)
    }
    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Sink for Plain<W> {
    fn finish(mut self: Box<Self>) -> Result<()> {
        self.0.flush()
    }
}

impl Format {
    /// Returns the format that the first bytes of a stream announce.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        let starts: [(&[u8], Self); 5] = [
            (&[0x1f, 0x8b], Self::Gzip),
            (b"BZh", Self::Bzip2),
            (&[0xfd, b'7', b'z', b'X', b'Z', 0], Self::Xz),
            (&[0x5d, 0, 0], Self::Lzma),
            (&[0x28, 0xb5, 0x2f, 0xfd], Self::Zstd),
        ];
        starts.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, format)| *format)
    }

    /// Returns the level when none is asked for.
    pub(crate) fn usual_level(self) -> u32 {
        match self {
            Self::Gzip | Self::Xz | Self::Lzma => 6,
            Self::Bzip2 => 9,
            Self::Zstd => 3,
        }
    }

    /// Makes a reader that decompresses.
    pub(crate) fn reader<'a>(self, input: Box<dyn Read + 'a>) -> Box<dyn Read + 'a> {
        let input = BufReader::with_capacity(64 * 1024, input);
        match self {
            Self::Gzip => Box::new(gzip::Reader::new(input)),
            Self::Bzip2 => bzip2::reader(input),
            Self::Xz => xz::reader(input),
            Self::Lzma => xz::lzma_reader(input),
            Self::Zstd => Box::new(zstd::Reader::new(input)),
        }
    }

    /// Makes a writer that compresses.
    pub(crate) fn writer<'a>(self, output: Box<dyn Write + 'a>, level: u32) -> Result<Box<dyn Sink + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(gzip::Writer::new(output, level, &gzip::Header::default())?),
            Self::Bzip2 => bzip2::writer(output, level),
            Self::Xz => xz::writer(output, level)?,
            Self::Lzma => xz::lzma_writer(output, level)?,
            Self::Zstd => Box::new(zstd::Writer::new(output, level)),
        })
    }
}

/// Makes a reader for a stream whose first bytes identify its format; unchanged if they do not.
pub(crate) fn detect<'a>(input: Box<dyn Read + 'a>) -> Result<(Option<Format>, Box<dyn Read + 'a>)> {
    let mut start = Vec::new();
    let mut input = input;
    input.by_ref().take(6).read_to_end(&mut start)?;
    let format = Format::of_start(&start).filter(|f| *f != Format::Lzma || start.len() == 6);
    let whole: Box<dyn Read + 'a> = Box::new(std::io::Cursor::new(start).chain(input));
    Ok(match format {
        Some(format) => (Some(format), format.reader(whole)),
        None => (None, whole),
    })
}

/// Returns whether a buffered reader is at its end.
fn at_end(input: &mut impl BufRead) -> Result<bool> {
    Ok(input.fill_buf()?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(len: usize) -> Vec<u8> {
        let mut state = 1u32;
        (0..len)
            .map(|at| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if at % 7 < 5 { (at / 100) as u8 } else { (state >> 24) as u8 }
            })
            .collect()
    }

    fn squeeze(format: Format, data: &[u8], level: u32) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = format.writer(Box::new(&mut out), level).unwrap();
        writer.write_all(data).unwrap();
        writer.finish().unwrap();
        out
    }

    #[test]
    fn every_format_returns_what_it_got() {
        for format in [Format::Gzip, Format::Bzip2, Format::Xz, Format::Lzma, Format::Zstd] {
            for len in [0, 1, 1000, 300_000] {
                let plain = data(len);
                let packed = squeeze(format, &plain, format.usual_level());
                let mut back = Vec::new();
                format.reader(Box::new(&packed[..])).read_to_end(&mut back).unwrap();
                assert!(back == plain, "{format:?} {len}");
                if len > 1000 {
                    assert!(packed.len() < plain.len(), "{format:?}");
                }
            }
        }
    }

    #[test]
    fn members_follow_each_other() {
        for format in [Format::Gzip, Format::Bzip2, Format::Xz, Format::Zstd] {
            let mut packed = squeeze(format, b"one ", 1);
            packed.extend(squeeze(format, b"two", 1));
            let mut back = Vec::new();
            let (found, mut reader) = detect(Box::new(&packed[..])).unwrap();
            reader.read_to_end(&mut back).unwrap();
            assert_eq!((found, back.as_slice()), (Some(format), &b"one two"[..]));
        }
    }

    #[test]
    fn cut_streams_are_errors() {
        for format in [Format::Gzip, Format::Bzip2, Format::Xz, Format::Zstd] {
            let packed = squeeze(format, &data(10_000), 1);
            let mut back = Vec::new();
            let cut = &packed[..packed.len() - 6];
            assert!(format.reader(Box::new(cut)).read_to_end(&mut back).is_err(), "{format:?}");
        }
    }
}
