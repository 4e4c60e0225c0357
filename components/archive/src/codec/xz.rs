//! xz and lzma, through lzma-rust2.

use super::Sink;
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter, XzOptions, XzReader, XzWriter};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// Maximum size of the dictionary that a stream may request, in KiB.
const MEMORY: u32 = 1 << 20;

/// The largest dictionary for compression: that of level 6. Larger ones need ten times as much memory for their tables,
/// which a session may not have.
const DICTIONARY: u32 = 8 << 20;

/// Decompresses .xz, all streams.
pub(super) fn reader<'a>(input: impl BufRead + 'a) -> Box<dyn Read + 'a> {
    Box::new(XzReader::new_mem_limit(input, true, MEMORY))
}

struct Lzma<R: BufRead> {
    input: Option<R>,
    inner: Option<LzmaReader<R>>,
}

impl<R: BufRead> Read for Lzma<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        // The header is read with the first bytes, so that its errors are errors of reading.
        if let Some(input) = self.input.take() {
            self.inner = Some(LzmaReader::new_mem_limit(input, MEMORY, None)?);
        }
        match &mut self.inner {
            Some(inner) => inner.read(out),
            None => Err(Error::from(ErrorKind::InvalidData)),
        }
    }
}

/// Decompresses .lzma.
pub(super) fn lzma_reader<'a>(input: impl BufRead + 'a) -> Box<dyn Read + 'a> {
    Box::new(Lzma { input: Some(input), inner: None })
}

struct Xz<W: Write>(XzWriter<W>);

impl<W: Write> Write for Xz<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.0.write(data)
    }
    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Sink for Xz<W> {
    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()?.flush()
    }
}

/// Compresses to .xz.
pub(super) fn writer<'a>(output: impl Write + 'a, level: u32) -> Result<Box<dyn Sink + 'a>> {
    let mut options = XzOptions::with_preset(level.min(9));
    options.lzma_options.dict_size = options.lzma_options.dict_size.min(DICTIONARY);
    Ok(Box::new(Xz(XzWriter::new(output, options)?)))
}

struct LzmaSink<W: Write>(LzmaWriter<W>);

impl<W: Write> Write for LzmaSink<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.0.write(data)
    }
    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Sink for LzmaSink<W> {
    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()?.flush()
    }
}

/// Compresses to .lzma.
pub(super) fn lzma_writer<'a>(output: impl Write + 'a, level: u32) -> Result<Box<dyn Sink + 'a>> {
    let mut options = LzmaOptions::with_preset(level.min(9));
    options.dict_size = options.dict_size.min(DICTIONARY);
    Ok(Box::new(LzmaSink(LzmaWriter::new_use_header(output, &options, None)?)))
}
