//! Zstandard, through ruzstd. Its compressor needs its input at once, so a stream is split into frames of a few
//! megabytes.

use super::{Sink, at_end};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// Bytes in a frame.
const FRAME: usize = 4 << 20;

/// Compresses frame by frame.
pub(super) struct Writer<W: Write> {
    output: W,
    buffer: Vec<u8>,
    level: CompressionLevel,
    frames: u64,
}

impl<W: Write> Writer<W> {
    /// Creates a writer; ruzstd has only one level that compresses.
    pub(super) fn new(output: W, _level: u32) -> Self {
        Self { output, buffer: Vec::new(), level: CompressionLevel::Fastest, frames: 0 }
    }

    fn frame(&mut self) -> Result<()> {
        let packed = compress_to_vec(self.buffer.as_slice(), self.level);
        self.buffer.clear();
        self.frames += 1;
        self.output.write_all(&packed)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let count = data.len().min(FRAME - self.buffer.len());
        self.buffer.extend_from_slice(&data[..count]);
        if self.buffer.len() == FRAME {
            self.frame()?;
        }
        Ok(count)
    }
    fn flush(&mut self) -> Result<()> {
        self.output.flush()
    }
}

impl<W: Write> Sink for Writer<W> {
    fn finish(mut self: Box<Self>) -> Result<()> {
        if !self.buffer.is_empty() || self.frames == 0 {
            self.frame()?;
        }
        self.output.flush()
    }
}

/// The position of a reader.
enum State<R: BufRead> {
    Between(R),
    Inside(Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Over,
}

/// Decompresses all frames, skipping those without data.
pub(super) struct Reader<R: BufRead> {
    state: State<R>,
    frames: u64,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader.
    pub(super) fn new(input: R) -> Self {
        Self { state: State::Between(input), frames: 0 }
    }

    /// Begins the next frame.
    fn begin(&mut self, mut input: R) -> Result<State<R>> {
        loop {
            if at_end(&mut input)? {
                return if self.frames == 0 { Err(Error::from(ErrorKind::UnexpectedEof)) } else { Ok(State::Over) };
            }
            let start = input.fill_buf()?;
            if !(0x50..=0x5f).contains(&start[0]) || start.get(1..4).is_some_and(|rest| rest != [0x2a, 0x4d, 0x18]) {
                break;
            }
            let mut head = [0; 8];
            input.read_exact(&mut head)?;
            let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
            if std::io::copy(&mut input.by_ref().take(length), &mut std::io::sink())? < length {
                return Err(Error::from(ErrorKind::UnexpectedEof));
            }
            self.frames += 1;
        }
        let decoder = StreamingDecoder::new(input).map_err(|e| {
            let text = e.to_string();
            let unknown = text.contains("magic") || text.contains("Magic");
            Error::new(ErrorKind::InvalidData, if unknown { "unsupported format".to_owned() } else { text })
        })?;
        self.frames += 1;
        Ok(State::Inside(Box::new(decoder)))
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            self.state = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Ok(0),
                State::Between(input) => self.begin(input)?,
                State::Inside(mut decoder) => {
                    let count = decoder.read(out).map_err(|e| Error::new(e.kind(), e.to_string()))?;
                    if count > 0 {
                        self.state = State::Inside(decoder);
                        return Ok(count);
                    }
                    State::Between(decoder.into_inner())
                }
            };
        }
    }
}
