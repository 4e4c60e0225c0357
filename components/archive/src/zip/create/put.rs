//! Writing members: their headers and their data, deflated or stored, and those an archive had already.

use super::{Found, Zip, percent};
use crate::codec::Format;
use crate::sys::{self, Kind};
use crate::text;
use crate::zip::crypt::{Encrypter, HEADER};
use crate::zip::format::{DIR, Entry, FILE, LINK, data_start, dos_time, time_field};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Result, Seek, SeekFrom, Write};
use std::path::Path;

/// A writer that counts, over a file or a stream.
pub(super) struct Out<'a> {
    pub(super) file: Option<BufWriter<File>>,
    pub(super) stream: Option<Box<dyn Write + 'a>>,
    pub(super) at: u64,
}

impl Write for Out<'_> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let count = match (&mut self.file, &mut self.stream) {
            (Some(file), _) => file.write(data)?,
            (None, Some(stream)) => stream.write(data)?,
            (None, None) => data.len(),
        };
        self.at += count as u64;
        Ok(count)
    }
    fn flush(&mut self) -> Result<()> {
        match (&mut self.file, &mut self.stream) {
            (Some(file), _) => file.flush(),
            (None, Some(stream)) => stream.flush(),
            (None, None) => Ok(()),
        }
    }
}

impl Zip {
    /// Writes one file and reports it.
    pub(super) fn add(&self, out: &mut Out<'_>, found: &Found, verb: &str) -> Result<Entry> {
        let stat = &found.stat;
        let kind = match stat.kind {
            Kind::Dir => DIR,
            Kind::Link => LINK,
            _ => FILE,
        };
        let utf8 = !found.name.is_ascii() && std::str::from_utf8(&found.name).is_ok();
        let mut entry = Entry {
            name: found.name.clone(),
            flags: if utf8 { 0x800 } else { 0 },
            offset: out.at,
            mtime: stat.seconds(),
            mode: kind | stat.mode,
            made_by: 0x031e,
            extra: if self.line.has('X') { Vec::new() } else { time_field(stat.seconds()) },
            dos: dos_time(stat.seconds()),
            ..Entry::default()
        };
        let mut input: Box<dyn Read> = match stat.kind {
            Kind::Dir => Box::new(std::io::empty()),
            Kind::Link => Box::new(std::io::Cursor::new(sys::bytes(&std::fs::read_link(&found.path)?).to_vec())),
            _ if found.path == Path::new("-") => Box::new(std::io::stdin()),
            _ => Box::new(File::open(&found.path)?),
        };
        let suffixes = self.line.value('n').unwrap_or_default().split(|b| matches!(b, b':' | b';')).filter(|s| !s.is_empty());
        let plain = suffixes.into_iter().any(|s| found.name.ends_with(s));
        let store = plain || self.level == 0 || self.method == 0 || stat.kind != Kind::File && stat.kind != Kind::Fifo;
        let streamed = out.file.is_none();
        if streamed && stat.kind != Kind::Dir {
            entry.flags |= 8;
        }
        if self.line.has('P') && stat.kind != Kind::Dir {
            // The checksum is not known when the header of encryption is written, so that it has the time instead.
            entry.flags |= 9;
        }
        entry.method = if store { 0 } else { self.method };
        out.write_all(&entry.local())?;
        let start = out.at;
        self.pack(out, &mut input, &mut entry)?;
        if !store && !streamed && entry.data() >= entry.size && stat.kind == Kind::File {
            // It did not get smaller: store it.
            entry.method = 0;
            rewind(out, start)?;
            self.pack(out, &mut File::open(&found.path)?, &mut entry)?;
        }
        if entry.flags & 8 != 0 {
            out.write_all(&entry.descriptor())?;
        }
        if !streamed {
            let end = out.at;
            rewind(out, entry.offset)?;
            out.write_all(&entry.local())?;
            rewind(out, end)?;
        }
        let how = match entry.method {
            0 => "stored 0%".to_owned(),
            12 => format!("bzipped {}%", percent(entry.size, entry.data())),
            _ => format!("deflated {}%", percent(entry.size, entry.data())),
        };
        let sizes = if self.line.has('v') { format!("\t(in={}) (out={})", entry.size, entry.packed) } else { String::new() };
        self.say(&format!("{verb}: {}{sizes} ({how})", text::shown(&entry.name)));
        Ok(entry)
    }

    fn pack(&self, out: &mut Out<'_>, input: &mut dyn Read, entry: &mut Entry) -> Result<()> {
        let start = out.at;
        let mut counted = Counted { inner: input, crc: flate2::Crc::new(), size: 0 };
        let mut target: Box<dyn Write> = if entry.encrypted() {
            let mut random = [0; HEADER - 1];
            File::open("/dev/urandom")?.read_exact(&mut random)?;
            Box::new(Encrypter::new(&mut *out, self.line.value('P').unwrap_or_default(), random, entry.check())?)
        } else {
            Box::new(&mut *out)
        };
        if entry.method == 8 {
            let mut encoder = DeflateEncoder::new(&mut target, Compression::new(self.level));
            std::io::copy(&mut counted, &mut encoder)?;
            encoder.finish()?;
        } else if entry.method == 12 {
            let mut encoder = Format::Bzip2.writer(Box::new(&mut target), 9)?;
            std::io::copy(&mut counted, &mut encoder)?;
            encoder.finish()?;
        } else {
            std::io::copy(&mut counted, &mut target)?;
        }
        drop(target);
        (entry.crc, entry.packed) = (counted.crc.sum(), out.at - start);
        entry.size = counted.size;
        Ok(())
    }
}

/// A reader that sums up what it gives.
struct Counted<'a> {
    inner: &'a mut dyn Read,
    crc: flate2::Crc,
    size: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.crc.update(&out[..count]);
        self.size += count as u64;
        Ok(count)
    }
}

pub(super) fn now() -> i128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128)
}

fn rewind(out: &mut Out<'_>, to: u64) -> Result<()> {
    if let Some(file) = &mut out.file {
        file.seek(SeekFrom::Start(to))?;
    }
    out.at = to;
    Ok(())
}

/// Copies an entry as it is.
pub(super) fn copy_entry(file: &mut File, mut entry: Entry, shift: u64, out: &mut Out<'_>) -> Result<Entry> {
    let start = data_start(file, &entry, shift)?;
    file.seek(SeekFrom::Start(start))?;
    entry.offset = out.at;
    // The sizes are known now, whatever the old local header said. Of an encrypted entry, the flag says how its password is checked.
    if !entry.encrypted() {
        entry.flags &= !8;
    }
    out.write_all(&entry.local())?;
    let copied = std::io::copy(&mut BufReader::new(file.take(entry.packed)), out)?;
    if copied < entry.packed {
        return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
    }
    if entry.flags & 8 != 0 {
        out.write_all(&entry.descriptor())?;
    }
    Ok(entry)
}
