//! gzip (RFC 1952) around flate2's deflate.

use super::Sink;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc, Decompress, FlushDecompress, Status};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// The facts in a member's header about the original file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Header {
    pub name: Option<Vec<u8>>,
    pub mtime: u32,
}

/// Compresses one member.
pub(crate) struct Writer<W: Write> {
    inner: DeflateEncoder<W>,
    crc: Crc,
}

impl<W: Write> Writer<W> {
    /// Writes the header and begins.
    pub(crate) fn new(mut output: W, level: u32, header: &Header) -> Result<Self> {
        let extra = match level {
            9 => 2,
            1 => 4,
            _ => 0,
        };
        let mut start = vec![0x1f, 0x8b, 8, if header.name.is_some() { 8 } else { 0 }];
        start.extend(header.mtime.to_le_bytes());
        start.extend([extra, 3]);
        if let Some(name) = &header.name {
            start.extend(name);
            start.push(0);
        }
        output.write_all(&start)?;
        Ok(Self { inner: DeflateEncoder::new(output, Compression::new(level.min(9))), crc: Crc::new() })
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let count = self.inner.write(data)?;
        self.crc.update(&data[..count]);
        Ok(count)
    }
    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

impl<W: Write> Sink for Writer<W> {
    fn finish(self: Box<Self>) -> Result<()> {
        let mut output = self.inner.finish()?;
        output.write_all(&self.crc.sum().to_le_bytes())?;
        output.write_all(&self.crc.amount().to_le_bytes())?;
        output.flush()
    }
}

/// Returns why a stream could not be read, in gzip's words.
pub(crate) fn broken(message: &str) -> Error {
    Error::new(ErrorKind::InvalidData, message)
}

/// Trailing bytes that are not a member: a warning, not an error.
pub(crate) const GARBAGE: &str = "decompression OK, trailing garbage ignored";

/// Reads all members of a stream.
pub(crate) struct Reader<R: BufRead> {
    input: R,
    inflate: Option<Decompress>,
    crc: Crc,
    /// Members that are complete.
    members: u64,
    /// The first member's header.
    pub header: Header,
    ended: bool,
    /// Whether trailing bytes followed that are not a member.
    garbage: bool,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader; the header is read with the first bytes.
    pub(crate) fn new(input: R) -> Self {
        Self { input, inflate: None, crc: Crc::new(), members: 0, header: Header::default(), ended: false, garbage: false }
    }

    /// Returns whether trailing bytes followed that are not a member.
    pub(crate) fn garbage(&self) -> bool {
        self.garbage
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// Begins the next member, if there is one.
    fn begin(&mut self) -> Result<bool> {
        if super::at_end(&mut self.input)? {
            return if self.members == 0 { Err(Error::from(ErrorKind::UnexpectedEof)) } else { Ok(false) };
        }
        let magic = [self.byte()?, if super::at_end(&mut self.input)? { 0 } else { self.byte()? }];
        if magic != [0x1f, 0x8b] {
            if self.members == 0 {
                return Err(broken("not in gzip format"));
            }
            self.skip_rest(magic == [0, 0])?;
            return Ok(false);
        }
        let method = self.byte()?;
        if method != 8 {
            return Err(broken(&format!("unknown method {method} -- not supported")));
        }
        let flags = self.byte()?;
        let mut fixed = [0; 6];
        self.input.read_exact(&mut fixed)?;
        let mtime = u32::from_le_bytes([fixed[0], fixed[1], fixed[2], fixed[3]]);
        if flags & 4 != 0 {
            let length = u16::from_le_bytes([self.byte()?, self.byte()?]);
            for _ in 0..length {
                self.byte()?;
            }
        }
        let name = if flags & 8 != 0 { Some(self.text()?) } else { None };
        if flags & 16 != 0 {
            self.text()?;
        }
        if flags & 2 != 0 {
            self.byte()?;
            self.byte()?;
        }
        if self.members == 0 {
            self.header = Header { name, mtime };
        }
        self.inflate = Some(Decompress::new(false));
        self.crc.reset();
        Ok(true)
    }

    fn text(&mut self) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        // The format does not bound the length of a name; one beyond every filesystem's limit is dropped.
        self.input.by_ref().take(64 * 1024).read_until(0, &mut text)?;
        if text.pop() != Some(0) {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
        Ok(text)
    }

    /// Reads to the end; anything but zeros is garbage.
    fn skip_rest(&mut self, zeros: bool) -> Result<()> {
        let mut garbage = !zeros;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            garbage |= buffer.iter().any(|b| *b != 0);
            let count = buffer.len();
            self.input.consume(count);
        }
        self.garbage = garbage;
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        let mut tail = [0; 8];
        self.input.read_exact(&mut tail)?;
        let number = |at: usize| u32::from_le_bytes([tail[at], tail[at + 1], tail[at + 2], tail[at + 3]]);
        if number(0) != self.crc.sum() {
            return Err(broken("invalid compressed data--crc error"));
        }
        if number(4) != self.crc.amount() {
            return Err(broken("invalid compressed data--length error"));
        }
        self.members += 1;
        self.inflate = None;
        Ok(())
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        loop {
            if self.ended || out.is_empty() {
                return Ok(0);
            }
            if self.inflate.is_none() && !self.begin()? {
                self.ended = true;
                return Ok(0);
            }
            let Some(inflate) = &mut self.inflate else { continue };
            let input = self.input.fill_buf()?;
            let eof = input.is_empty();
            let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(input, out, FlushDecompress::None);
            let status = status.map_err(|_| broken("invalid compressed data--format violated"))?;
            let used = (inflate.total_in() - before_in) as usize;
            let made = (inflate.total_out() - before_out) as usize;
            self.input.consume(used);
            self.crc.update(&out[..made]);
            if status == Status::StreamEnd {
                self.end()?;
            } else if made == 0 && eof {
                return Err(Error::from(ErrorKind::UnexpectedEof));
            }
            if made > 0 {
                return Ok(made);
            }
        }
    }
}
