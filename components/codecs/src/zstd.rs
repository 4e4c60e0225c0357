//! Zstandard, through ruzstd.
//!
//! ruzstd compresses a frame at a time, of which it must have all data. So the data are compressed in pieces, and the blocks of
//! their frames become blocks of one frame. This is correct because no block of ruzstd refers to what came before its
//! frame: not to the data, nor to tables, nor to earlier offsets (it writes every offset in full).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hasher;

use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use twox_hash::XxHash64;

use crate::{CHUNK, Codec, Failure, Flush, NO_MEMORY, Step, append};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Data that are compressed at a time. More is not better: ruzstd's window is smaller.
const PIECE: usize = 1 << 20;

/// The header of a block: three bytes, the lowest bit of which is set in the last block of a frame.
const BLOCK: usize = 3;

const DAMAGED: Failure = "Data corruption detected";

#[derive(Default)]
pub(crate) struct Compressor {
    pending: Vec<u8>,
    checksum: Option<XxHash64>,
    size_known: bool,
    begun: bool,
}

impl Compressor {
    /// Opens a compressor; `parameters`: whether to add a checksum, and whether to write the size of the content when it is known.
    pub(crate) fn open(parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
        let &[checksum, size_known] = parameters else { return Err("two parameters are needed") };
        let checksum = (checksum != 0).then(|| XxHash64::with_seed(0));
        Ok(Box::new(Self { checksum, size_known: size_known != 0, ..Self::default() }))
    }

    /// Writes the blocks of the data so far.
    fn blocks(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Failure> {
        let frame = compress_to_vec(self.pending.as_slice(), CompressionLevel::Fastest);
        let head = header_size(&frame).filter(|head| frame.len() >= head + BLOCK).ok_or("ruzstd wrote no frame")?;
        if !self.begun {
            self.header(&frame, last, out);
        }
        if let Some(hasher) = &mut self.checksum {
            hasher.write(&self.pending);
        }
        let mut at = head;
        loop {
            let (size, is_last) = block(&frame[at..]).ok_or("ruzstd wrote half a block")?;
            let bytes = frame.get(at..at + size).ok_or("ruzstd wrote half a block")?;
            out.try_reserve(size).map_err(|_| NO_MEMORY)?;
            out.push((bytes[0] & !1) | u8::from(last && is_last));
            out.extend_from_slice(&bytes[1..]);
            at += size;
            if is_last {
                break;
            }
        }
        self.pending.clear();
        Ok(())
    }

    /// Writes the header of the frame: as that of the first piece, with a checksum if it was asked for.
    fn header(&mut self, frame: &[u8], all: bool, out: &mut Vec<u8>) {
        self.begun = true;
        out.extend_from_slice(&MAGIC);
        let known = all && self.size_known;
        out.push((u8::from(self.checksum.is_some()) << 2) | (u8::from(known) << 7));
        out.push(frame[5]); // the window
        if known {
            out.extend_from_slice(&(self.pending.len() as u32).to_le_bytes());
        }
    }
}

impl Codec for Compressor {
    fn step(&mut self, input: &[u8], flush: Flush, _room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        let mut consumed = 0;
        while consumed < input.len() {
            let count = (input.len() - consumed).min(PIECE - self.pending.len());
            self.pending.try_reserve(count).map_err(|_| NO_MEMORY)?;
            self.pending.extend_from_slice(&input[consumed..consumed + count]);
            consumed += count;
            if self.pending.len() == PIECE && consumed < input.len() {
                self.blocks(false, out)?;
            }
        }
        if (self.pending.len() == PIECE && flush == Flush::No) || (flush == Flush::Block && !self.pending.is_empty()) {
            self.blocks(false, out)?;
        }
        if flush == Flush::End {
            self.blocks(true, out)?;
            if let Some(hasher) = &mut self.checksum {
                out.extend_from_slice(&(hasher.finish() as u32).to_le_bytes());
                *hasher = XxHash64::with_seed(0);
            }
            self.begun = false; // another frame may follow
        }
        Ok(Step { consumed, ended: flush == Flush::End, ..Step::default() })
    }
}

/// Returns the size of the header at the start of a frame, if enough of it is there to tell.
fn header_size(frame: &[u8]) -> Option<usize> {
    let descriptor = *frame.get(4)?;
    let single = descriptor & 0x20 != 0;
    let content = [usize::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
    Some(5 + usize::from(!single) + [0, 1, 2, 4][usize::from(descriptor & 3)] + content)
}

/// Returns the size of the block at the start, with its header, and whether it is the last.
fn block(bytes: &[u8]) -> Option<(usize, bool)> {
    let &[a, b, c] = bytes.get(..BLOCK)? else { return None };
    let header = u32::from_le_bytes([a, b, c, 0]);
    let size = if (header >> 1) & 3 == 1 { 1 } else { (header >> 3) as usize };
    Some((BLOCK + size, header & 1 != 0))
}

/// Where in a frame the decompressor is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    /// In a frame that is passed over: bytes left.
    Skipping(usize),
    Blocks {
        checksum: bool,
    },
    /// All is decoded, but not all is written.
    Rest,
}

pub(crate) struct Decompressor {
    decoder: FrameDecoder,
    pending: Vec<u8>,
    /// How many of the pending bytes have been used.
    at: usize,
    place: Place,
}

fn text(error: FrameDecoderError) -> Failure {
    match error {
        FrameDecoderError::WindowSizeTooBig { .. } => "Frame requires too much memory for decoding",
        FrameDecoderError::DictNotProvided { .. } => "Dictionary mismatch",
        FrameDecoderError::ReadFrameHeaderError(_) | FrameDecoderError::FailedToInitialize(_) => "Unknown frame descriptor",
        _ => DAMAGED,
    }
}

impl Decompressor {
    /// Opens a decompressor; `parameters`: the logarithm of the largest window, if there is a limit.
    pub(crate) fn open(parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(1 << parameters.first().copied().filter(|log| (10..=31).contains(log)).unwrap_or(27));
        Ok(Box::new(Self { decoder, pending: Vec::new(), at: 0, place: Place::Start }))
    }

    /// Advances by one part of the frame, if all of it has arrived. Returns whether it did.
    fn advance(&mut self) -> Result<bool, Failure> {
        let pending = &self.pending[self.at..];
        let used = match self.place {
            Place::Start if pending.len() < 8 && !pending.starts_with(&MAGIC) => {
                let known = pending.iter().zip(MAGIC).all(|(a, b)| *a == b) || is_skipped(pending);
                return if known { Ok(false) } else { Err("Unknown frame descriptor") };
            }
            Place::Start if is_skipped(pending) => {
                let size = u32::from_le_bytes([pending[4], pending[5], pending[6], pending[7]]);
                self.place = Place::Skipping(size as usize);
                8
            }
            Place::Start => {
                if !pending.starts_with(&MAGIC) {
                    return Err("Unknown frame descriptor");
                }
                let Some(size) = header_size(pending).filter(|size| *size <= pending.len()) else { return Ok(false) };
                let checksum = pending[4] & 4 != 0;
                self.decoder.decode_from_to(&pending[..size], &mut []).map_err(text)?;
                self.place = Place::Blocks { checksum };
                size
            }
            Place::Skipping(0) | Place::Rest => return Ok(false),
            Place::Skipping(left) => {
                let used = left.min(pending.len());
                self.place = Place::Skipping(left - used);
                used
            }
            Place::Blocks { checksum } => {
                let Some((size, last)) = block(pending) else { return Ok(false) };
                if size > BLOCK + (128 << 10) {
                    return Err(DAMAGED);
                }
                let size = size + if last && checksum { 4 } else { 0 };
                let Some(part) = pending.get(..size) else { return Ok(false) };
                self.decoder.decode_from_to(part, &mut []).map_err(text)?;
                if last {
                    self.place = Place::Rest;
                }
                size
            }
        };
        self.at += used;
        Ok(used > 0)
    }
}

fn is_skipped(frame: &[u8]) -> bool {
    frame.first().is_some_and(|first| first & 0xf0 == 0x50) && frame.iter().zip([0, 0x2a, 0x4d, 0x18]).skip(1).all(|(a, b)| *a == b)
}

impl Codec for Decompressor {
    fn step(&mut self, input: &[u8], _flush: Flush, room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        if self.at > self.pending.len() / 2 {
            self.pending.drain(..self.at);
            self.at = 0;
        }
        self.pending.try_reserve(input.len()).map_err(|_| NO_MEMORY)?;
        self.pending.extend_from_slice(input);
        let mut produced = 0;
        let mut step = Step { consumed: input.len(), ..Step::default() };
        loop {
            while produced < room && self.decoder.can_collect() > 0 {
                let limit = CHUNK.min(room - produced).min(self.decoder.can_collect());
                let decode = |space: &mut [u8]| self.decoder.decode_from_to(&[], space).map(|(_, made)| (made, ())).map_err(text);
                let (made, ()) = append(out, limit, decode)?;
                produced += made;
            }
            let drained = self.decoder.can_collect() == 0;
            step.ended = drained && matches!(self.place, Place::Rest | Place::Skipping(0));
            if step.ended || !drained || !self.advance()? {
                break;
            }
        }
        if step.ended {
            let (given, found) = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
            if self.place == Place::Rest && given.is_some() && given != found {
                return Err("Restored data doesn't match checksum");
            }
            step.behind = self.pending.split_off(self.at);
        }
        Ok(step)
    }
}
