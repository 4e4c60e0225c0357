//! xz, the older .lzma, and both without headers, through lzma-rust2.

use alloc::boxed::Box;
use alloc::vec::Vec;

use lzma_rust2::filter::{FilterConfig, FilterType};
use lzma_rust2::{
    Action, CheckType, EncodeMode, Error, Lzma2Options, Lzma2Stream, Lzma2Writer, LzmaOptions, LzmaStream, LzmaWriter, MfType,
    Result as Done, Status, StreamResult, Write, XzOptions, XzStream, XzWriter,
};

use crate::{CHUNK, Codec, Failure, Flush, NO_MEMORY, Step, append};

/// The containers, as Python numbers them; `RAW` has none.
const XZ: u32 = 1;
const ALONE: u32 = 2;
const RAW: u32 = 3;

/// A parameter that keeps the preset's value.
const UNSET: u32 = u32::MAX;

/// The bit of a preset that asks for more time.
const EXTREME: u32 = 1 << 31;

/// The id of the older LZMA among the filters, truncated to 32 bits, and that of LZMA2.
const LZMA1: u32 = 1;

fn text(error: Error) -> Failure {
    match error {
        Error::OutOfMemory("TryReserveError") => NO_MEMORY,
        Error::OutOfMemory(_) => "Memory usage limit exceeded",
        Error::InvalidInput(_) | Error::Unsupported(_) => "Invalid or unsupported options",
        _ => "Corrupt input data",
    }
}

/// Works like [`text`], about data that are read: what they ask for is wrong because they are damaged.
fn damage(error: Error) -> Failure {
    match text(error) {
        "Invalid or unsupported options" => "Corrupt input data",
        other => other,
    }
}

/// Keeps what a writer writes until the step is over.
struct Sink(Vec<u8>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> Done<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Done<()> {
        Ok(())
    }
}

enum Writer {
    Xz(Box<XzWriter<Sink>>),
    Alone(Box<LzmaWriter<Sink>>),
    Raw2(Box<Lzma2Writer<Sink>>),
    Over,
}

struct Compressor(Writer);

/// Returns the settings that follow the first numbers of `parameters`: preset, dictionary, lc, lp, pb, mode, nice length, match finder,
/// depth.
fn options(parameters: &[u32]) -> Result<LzmaOptions, Failure> {
    let get = |index: usize| parameters.get(index).copied().unwrap_or(UNSET);
    let (preset, extreme) = (get(0) & !EXTREME, get(0) & EXTREME != 0);
    let mut options = LzmaOptions::with_preset(if get(0) == UNSET { 6 } else { preset.min(9) });
    if extreme && get(0) != UNSET {
        (options.mode, options.mf) = (EncodeMode::Normal, MfType::Bt4);
        (options.nice_len, options.depth_limit) = if preset == 3 || preset == 5 { (192, 0) } else { (273, 512) };
    }
    let set = |field: &mut u32, value: u32| *field = if value == UNSET { *field } else { value };
    set(&mut options.dict_size, get(1));
    set(&mut options.lc, get(2));
    set(&mut options.lp, get(3));
    set(&mut options.pb, get(4));
    set(&mut options.nice_len, get(6));
    match get(5) {
        1 => options.mode = EncodeMode::Fast,
        2 => options.mode = EncodeMode::Normal,
        _ => {}
    }
    match get(7) {
        0x03 | 0x04 => options.mf = MfType::Hc4,
        0x12..=0x14 => options.mf = MfType::Bt4,
        _ => {}
    }
    if get(8) != UNSET {
        options.depth_limit = get(8) as i32;
    }
    let sane = options.lc + options.lp <= 4
        && options.pb <= 4
        && (2..=273).contains(&options.nice_len)
        && (4096..=3 << 29).contains(&options.dict_size);
    if sane { Ok(options) } else { Err("Invalid or unsupported options") }
}

fn filter(id: u32, property: u32) -> Result<FilterConfig, Failure> {
    let filter_type = match id {
        0x03 => FilterType::Delta,
        0x04 => FilterType::BcjX86,
        0x05 => FilterType::BcjPpc,
        0x06 => FilterType::BcjIa64,
        0x07 => FilterType::BcjArm,
        0x08 => FilterType::BcjArmThumb,
        0x09 => FilterType::BcjSparc,
        0x0a => FilterType::BcjArm64,
        0x0b => FilterType::BcjRiscv,
        _ => return Err("Invalid or unsupported options"),
    };
    Ok(FilterConfig { filter_type, property })
}

/// Reads pairs of filter and property, from the tenth number behind the first two on.
fn filters(parameters: &[u32]) -> Result<Vec<FilterConfig>, Failure> {
    parameters.chunks_exact(2).map(|pair| filter(pair[0], pair[1])).collect()
}

/// Opens a compressor; `parameters`: the container; the check (xz) or the last filter (raw); the nine of [`options`]; filters before it.
pub(crate) fn compressor(parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
    let (&[container, second], rest) = parameters.split_first_chunk().ok_or("too few parameters")?;
    let (settings, before) = rest.split_at_checked(9).ok_or("too few parameters")?;
    let (settings, before) = (options(settings)?, filters(before)?);
    // The library's allocations cannot fail: see whether what it needs is there.
    let needed = settings.get_memory_usage() as usize;
    Vec::<u8>::new().try_reserve_exact(needed.saturating_mul(1024)).map_err(|_| NO_MEMORY)?;
    let sink = Sink(Vec::new());
    let writer = match (container, second) {
        (XZ, check) => {
            let check_type = match check {
                0 => CheckType::None,
                1 => CheckType::Crc32,
                10 => CheckType::Sha256,
                _ => CheckType::Crc64,
            };
            let settings = XzOptions { lzma_options: settings, check_type, block_size: None, filters: before };
            Writer::Xz(Box::new(XzWriter::new(sink, settings).map_err(text)?))
        }
        _ if !before.is_empty() => return Err("Invalid or unsupported options"),
        (ALONE, _) => Writer::Alone(Box::new(LzmaWriter::new_use_header(sink, &settings, None).map_err(text)?)),
        (RAW, LZMA1) => Writer::Alone(Box::new(LzmaWriter::new_no_header(sink, &settings, true).map_err(text)?)),
        (RAW, _) => Writer::Raw2(Box::new(Lzma2Writer::new(sink, Lzma2Options { lzma_options: settings, chunk_size: None }))),
        _ => return Err("Invalid or unsupported options"),
    };
    Ok(Box::new(Compressor(writer)))
}

impl Codec for Compressor {
    fn step(&mut self, input: &[u8], flush: Flush, _room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        let made = match &mut self.0 {
            Writer::Xz(writer) => writer.write_all(input).map(|()| core::mem::take(&mut writer.inner_mut().0)),
            Writer::Alone(writer) => writer.write_all(input).map(|()| core::mem::take(&mut writer.inner_mut().0)),
            Writer::Raw2(writer) => writer.write_all(input).map(|()| core::mem::take(&mut writer.inner_mut().0)),
            Writer::Over => return Err("the stream has ended"),
        };
        out.extend_from_slice(&made.map_err(text)?);
        let ended = flush == Flush::End;
        if ended {
            let made = match core::mem::replace(&mut self.0, Writer::Over) {
                Writer::Xz(writer) => writer.finish(),
                Writer::Alone(writer) => writer.finish(),
                Writer::Raw2(writer) => writer.finish(),
                Writer::Over => return Err("the stream has ended"),
            };
            out.extend_from_slice(&made.map_err(text)?.0);
        }
        Ok(Step { consumed: input.len(), ended, ..Step::default() })
    }
}

enum Reader {
    Xz(Box<XzStream>),
    Alone(Box<LzmaStream>),
    Raw2(Box<Lzma2Stream>),
}

struct Decompressor(Reader);

/// Opens a decompressor; `parameters`: the container; the limit of memory in KiB; for raw streams the last filter and the nine of
/// [`options`], then filters before it.
pub(crate) fn decompressor(parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
    let (&[container, limit], rest) = parameters.split_first_chunk().ok_or("too few parameters")?;
    let reader = match container {
        XZ => Reader::Xz(Box::new(XzStream::new_mem_limit(false, limit))),
        ALONE => Reader::Alone(Box::new(LzmaStream::new_mem_limit(limit, None))),
        RAW => {
            let (&last, rest) = rest.split_first().ok_or("too few parameters")?;
            let (settings, before) = rest.split_at_checked(9).ok_or("too few parameters")?;
            let (settings, before) = (options(settings)?, filters(before)?);
            if last == LZMA1 {
                let mut stream =
                    LzmaStream::new(u64::MAX, settings.lc, settings.lp, settings.pb, settings.dict_size, None).map_err(text)?;
                stream.set_filters(&before).map_err(text)?;
                Reader::Alone(Box::new(stream))
            } else {
                let mut stream = Lzma2Stream::new(settings.dict_size);
                stream.set_filters(&before).map_err(text)?;
                Reader::Raw2(Box::new(stream))
            }
        }
        _ => return Err("Invalid or unsupported options"),
    };
    Ok(Box::new(Decompressor(reader)))
}

impl Reader {
    fn process(&mut self, input: &[u8], space: &mut [u8]) -> Done<StreamResult> {
        match self {
            Self::Xz(stream) => stream.process(input, space, Action::Run),
            Self::Alone(stream) => stream.process(input, space, Action::Run),
            Self::Raw2(stream) => stream.process(input, space, Action::Run),
        }
    }
}

impl Codec for Decompressor {
    fn step(&mut self, input: &[u8], _flush: Flush, room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        let (mut consumed, mut produced, mut ended) = (0, 0, false);
        while produced < room && !ended {
            let limit = CHUNK.min(room - produced);
            let (made, result) = append(out, limit, |space| {
                let result = self.0.process(&input[consumed..], space).map_err(damage)?;
                Ok((result.bytes_produced, result))
            })?;
            (consumed, produced, ended) = (consumed + result.bytes_consumed, produced + made, result.status == Status::StreamEnd);
            if result.bytes_consumed == 0 && made == 0 {
                break;
            }
        }
        let behind = match &self.0 {
            Reader::Alone(stream) if ended => stream.unused_input().to_vec(),
            _ => Vec::new(),
        };
        Ok(Step { consumed, ended, behind })
    }
}
