//! Decodes compressed bodies as they arrive, up to a plausible size.

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{Error, ErrorKind, Result, Write};

/// A body may always grow to this many bytes.
const UNSUSPECTED: u64 = 16 << 20;
/// Above that, it may grow to this many times what arrived: text shrinks to a twentieth, a bomb to a thousandth.
const MOST_FOLD: u64 = 200;

/// A stage between what arrives and what is written.
pub(crate) enum Decoder<W: Write> {
    Plain(W),
    Gzip(Box<MultiGzDecoder<Bounded<W>>>),
    /// The first bytes tell whether it has zlib's header, as it should.
    Deflate(Option<Bounded<W>>, Vec<u8>),
    Zlib(Box<ZlibDecoder<Bounded<W>>>),
    Raw(Box<DeflateDecoder<Bounded<W>>>),
}

/// Counts the decoded bytes and stops a bomb.
pub(crate) struct Bounded<W> {
    inner: W,
    arrived: u64,
    written: u64,
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.written += data.len() as u64;
        if self.written > UNSUSPECTED && self.written / MOST_FOLD > self.arrived {
            let text = format!("{} bytes became more than {} MiB: this is a decompression bomb", self.arrived, self.written >> 20);
            return Err(Error::new(ErrorKind::QuotaExceeded, text));
        }
        self.inner.write_all(data)?;
        Ok(data.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

/// Returns whether a `Content-Encoding` is one that is decoded here.
pub(crate) fn is_known(encoding: &str) -> bool {
    ["gzip", "x-gzip", "deflate", "identity", ""].contains(&encoding.trim().to_ascii_lowercase().as_str())
}

impl<W: Write> Decoder<W> {
    /// Creates a decoder for a `Content-Encoding`.
    pub(crate) fn new(encoding: &str, out: W) -> Self {
        let bounded = |inner| Bounded { inner, arrived: 0, written: 0 };
        match encoding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Self::Gzip(Box::new(MultiGzDecoder::new(bounded(out)))),
            "deflate" => Self::Deflate(Some(bounded(out)), Vec::new()),
            _ => Self::Plain(out),
        }
    }

    /// Decodes a piece that arrived.
    pub(crate) fn push(&mut self, data: &[u8]) -> Result<()> {
        if let Self::Deflate(out, head) = self {
            head.extend_from_slice(data);
            if head.len() < 2 {
                return Ok(());
            }
            let zlib = head[0] & 15 == 8 && u16::from_be_bytes([head[0], head[1]]) % 31 == 0;
            let (head, Some(out)) = (std::mem::take(head), out.take()) else { return Ok(()) };
            *self = if zlib { Self::Zlib(Box::new(ZlibDecoder::new(out))) } else { Self::Raw(Box::new(DeflateDecoder::new(out))) };
            return self.push(&head);
        }
        match self {
            Self::Plain(out) => out.write_all(data),
            Self::Gzip(decoder) => {
                decoder.get_mut().arrived += data.len() as u64;
                decoder.write_all(data)
            }
            Self::Zlib(decoder) => {
                decoder.get_mut().arrived += data.len() as u64;
                decoder.write_all(data)
            }
            Self::Raw(decoder) => {
                decoder.get_mut().arrived += data.len() as u64;
                decoder.write_all(data)
            }
            Self::Deflate(..) => Ok(()),
        }
    }

    /// Ends the stream: returns what was held back; a truncated stream is an error.
    pub(crate) fn finish(&mut self) -> Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Zlib(decoder) => decoder.try_finish(),
            Self::Raw(decoder) => decoder.try_finish(),
            Self::Deflate(..) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write};

    fn decode(encoding: &str, data: &[u8]) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut decoder = Decoder::new(encoding, &mut out);
        for piece in data.chunks(7000) {
            decoder.push(piece)?;
        }
        decoder.finish()?;
        drop(decoder);
        Ok(out)
    }

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = write::GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes everything")
    }

    #[test]
    fn every_encoding() {
        let text = b"hello hello hello".repeat(100);
        let mut zlib = write::ZlibEncoder::new(Vec::new(), Compression::best());
        let mut raw = write::DeflateEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&text).and_then(|()| raw.write_all(&text)).expect("a vector takes everything");
        assert_eq!(decode("gzip", &gzip(&text)).expect("it is gzip"), text);
        assert_eq!(decode("deflate", &zlib.finish().expect("a vector")).expect("it is zlib"), text);
        assert_eq!(decode("deflate", &raw.finish().expect("a vector")).expect("it is deflate"), text);
        assert_eq!(decode("identity", &text).expect("it is as it is"), text);
        assert!(decode("gzip", b"this is no gzip").is_err());
        assert!(decode("gzip", &gzip(&text)[..20]).is_err());
    }

    #[test]
    fn a_bomb_is_stopped_and_a_large_text_is_not() {
        let error = decode("gzip", &gzip(&vec![0; 40 << 20])).expect_err("a thousandth is a bomb");
        assert_eq!(error.kind(), ErrorKind::QuotaExceeded);
        let mut word = 1u32;
        let text: Vec<u8> = (0..20 << 20)
            .map(|_| {
                word = word.wrapping_mul(1664525).wrapping_add(1013904223);
                b'a' + (word >> 28) as u8
            })
            .collect();
        assert_eq!(decode("gzip", &gzip(&text)).expect("half its size is no bomb").len(), text.len());
    }
}
