//! The structure of a snapshot file: a magic number, the format's number, and frames.
//!
//! A frame is its part's number (1 byte, with a bit for the last frame of a part), its length (4 bytes), that many
//! bytes, and the BLAKE3 checksum of everything in the file so far except the checksums (32 bytes). So each frame is
//! known to be intact, and in its place, before it is used, however long the file is; the last frame, which is empty,
//! covers the whole. The frames of a part together contain one zstd frame.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use super::error::SnapshotFileError;

/// The compression level of zstd: level 1 already shrinks Python's memory to a fifth, and higher levels gain little
/// more.
const LEVEL: i32 = 1;

/// The first bytes of every snapshot file.
const MAGIC: &[u8; 8] = b"wispsnap";

/// Changes with every change of format that [`super::Facts`] cannot express.
const FORMAT: u32 = 1;

/// Maximum bytes of a frame.
const MAX_FRAME: usize = 256 << 10;

/// Bytes of a checksum.
const SUM: usize = blake3::OUT_LEN;

/// Set in the kind of a part's last frame.
const LAST: u8 = 0x80;

/// The window that a reader allows zstd, as a power of two: 8 MiB, more than our writer asks for.
const WINDOW: u32 = 23;

/// The part that a frame belongs to, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Facts = 1,
    Memory = 2,
    Files = 3,
    End = 4,
    /// Replaces facts and memory in the snapshot of a shell.
    ShellFacts = 5,
    Shell = 6,
}

pub(crate) struct FrameWriter<W> {
    to: W,
    sum: blake3::Hasher,
}

impl<W: Write> FrameWriter<W> {
    pub(crate) fn new(mut to: W) -> Result<Self, SnapshotFileError> {
        let mut sum = blake3::Hasher::new();
        let head = [&MAGIC[..], &FORMAT.to_le_bytes()].concat();
        to.write_all(&head)?;
        sum.update(&head);
        Ok(Self { to, sum })
    }

    /// Writes a part, compressed.
    pub(crate) fn part(
        &mut self,
        part: Part,
        write: impl FnOnce(&mut dyn Write) -> Result<(), SnapshotFileError>,
    ) -> Result<(), SnapshotFileError> {
        let frames = PartWriter { frames: self, part, pending: Vec::with_capacity(MAX_FRAME) };
        let mut packed = io::BufWriter::with_capacity(MAX_FRAME, zstd::stream::write::Encoder::new(frames, LEVEL)?);
        write(&mut packed)?;
        let PartWriter { pending, .. } = packed.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        Ok(self.frame(part_byte(part) | LAST, &pending)?)
    }

    /// Writes the last frame, whose checksum covers the whole file.
    pub(crate) fn end(mut self) -> Result<(), SnapshotFileError> {
        self.frame(part_byte(Part::End) | LAST, &[])?;
        Ok(self.to.flush()?)
    }

    fn frame(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let head = [&[kind][..], &len.to_le_bytes()].concat();
        self.sum.update(&head).update(bytes);
        self.to.write_all(&head)?;
        self.to.write_all(bytes)?;
        self.to.write_all(self.sum.finalize().as_bytes())
    }
}

fn part_byte(part: Part) -> u8 {
    part as u8
}

struct PartWriter<'w, W> {
    frames: &'w mut FrameWriter<W>,
    part: Part,
    pending: Vec<u8>,
}

impl<W: Write> Write for PartWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.len() == MAX_FRAME {
            self.frames.frame(part_byte(self.part), &self.pending)?;
            self.pending.clear();
        }
        let count = bytes.len().min(MAX_FRAME - self.pending.len());
        self.pending.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) struct FrameReader<R> {
    from: R,
    /// Bytes read.
    at: u64,
    sum: blake3::Hasher,
}

impl<R: Read> FrameReader<R> {
    pub(crate) fn new(from: R) -> Result<Self, SnapshotFileError> {
        let mut reader = Self { from, at: 0, sum: blake3::Hasher::new() };
        let mut head = [0; MAGIC.len() + size_of_val(&FORMAT)];
        let read = reader.fill(&mut head);
        let begun = usize::try_from(reader.at).unwrap_or(MAGIC.len()).min(MAGIC.len());
        if head[..begun] != MAGIC[..begun] || begun == 0 {
            return Err(SnapshotFileError::NotSnapshot);
        }
        read?;
        let mut format = [0; size_of_val(&FORMAT)];
        format.copy_from_slice(&head[MAGIC.len()..]);
        let format = u32::from_le_bytes(format);
        if format != FORMAT {
            return Err(SnapshotFileError::OtherFormat { found: format, expected: FORMAT });
        }
        reader.sum.update(&head);
        Ok(reader)
    }

    /// Reads the next part, which must be `part`: `read` gets the decompressed data and must consume all of it.
    pub(crate) fn part<T>(
        &mut self,
        part: Part,
        read: impl FnOnce(&mut dyn Read) -> Result<T, SnapshotFileError>,
    ) -> Result<T, SnapshotFileError> {
        let frames = PartReader { frames: self, part, frame: Vec::new(), taken: 0, last: false };
        let mut unpacked = zstd::stream::read::Decoder::with_buffer(frames)?.single_frame();
        unpacked.window_log_max(WINDOW)?;
        let mut unpacked = io::BufReader::with_capacity(MAX_FRAME, unpacked);
        let answer = read(&mut unpacked)?;
        let left = |error| SnapshotFileError::malformed(format!("there is more in the part {part:?} than belongs to it{error}"));
        if !unpacked.fill_buf().map_err(SnapshotFileError::of_part)?.is_empty() {
            return Err(left(String::new()));
        }
        let mut frames = unpacked.into_inner().finish();
        let rest = frames.fill_buf().map_err(SnapshotFileError::of_part)?;
        if rest.is_empty() { Ok(answer) } else { Err(left(", after its end".to_owned())) }
    }

    /// Checks that the file ends here.
    pub(crate) fn end(&mut self) -> Result<(), SnapshotFileError> {
        let mut frame = Vec::new();
        if self.frame(Part::End, &mut frame)? && frame.is_empty() {
            return Ok(());
        }
        Err(SnapshotFileError::malformed("it does not end at its end"))
    }

    /// Reads the next frame, which must belong to `part`. Returns whether it is the part's last.
    fn frame(&mut self, part: Part, frame: &mut Vec<u8>) -> Result<bool, SnapshotFileError> {
        let mut head = [0; 5];
        self.fill(&mut head)?;
        let [kind, len @ ..] = head;
        let len = u32::from_le_bytes(len) as usize;
        if len > MAX_FRAME {
            // No frame is that long, so it is refused unread.
            return Err(SnapshotFileError::Damaged { at: self.at });
        }
        frame.resize(len, 0);
        self.fill(frame)?;
        let at = self.at;
        let mut sum = [0; SUM];
        self.fill(&mut sum)?;
        if *self.sum.update(&head).update(frame).finalize().as_bytes() != sum {
            return Err(SnapshotFileError::Damaged { at });
        }
        if kind & !LAST != part_byte(part) {
            return Err(SnapshotFileError::malformed(format!("something else is where the part {part:?} should be")));
        }
        Ok(kind & LAST != 0)
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), SnapshotFileError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.from.read(&mut buffer[filled..]) {
                Ok(0) => return Err(SnapshotFileError::Truncated { at: self.at }),
                Ok(count) => {
                    filled += count;
                    self.at += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SnapshotFileError::Io(error)),
            }
        }
        Ok(())
    }
}

/// The bytes of a part, one frame after the other.
struct PartReader<'r, R> {
    frames: &'r mut FrameReader<R>,
    part: Part,
    frame: Vec<u8>,
    taken: usize,
    last: bool,
}

impl<R: Read> BufRead for PartReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.taken == self.frame.len() && !self.last {
            self.taken = 0;
            self.frame.clear();
            self.last = self.frames.frame(self.part, &mut self.frame).map_err(io::Error::other)?;
            if self.frame.is_empty() && !self.last {
                return Err(io::Error::other(SnapshotFileError::malformed("an empty frame")));
            }
        }
        Ok(&self.frame[self.taken..])
    }

    fn consume(&mut self, count: usize) {
        self.taken = (self.taken + count).min(self.frame.len());
    }
}

impl<R: Read> Read for PartReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
