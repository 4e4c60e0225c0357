//! bzip2, through libbz2-rs.

use super::Sink;
use bzip2::Compression;
use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

struct Reader<R: BufRead> {
    inner: MultiBzDecoder<R>,
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.inner.read(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => error,
            _ => Error::new(ErrorKind::InvalidData, error.to_string()),
        })
    }
}

/// Decompresses.
pub(super) fn reader<'a>(input: impl BufRead + 'a) -> Box<dyn Read + 'a> {
    Box::new(Reader { inner: MultiBzDecoder::new(input) })
}

struct Writer<W: Write>(BzEncoder<W>);

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.0.write(data)
    }
    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Sink for Writer<W> {
    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()?.flush()
    }
}

/// Compresses.
pub(super) fn writer<'a>(output: impl Write + 'a, level: u32) -> Box<dyn Sink + 'a> {
    Box::new(Writer(BzEncoder::new(output, Compression::new(level.clamp(1, 9)))))
}
