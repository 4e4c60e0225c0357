//! `dd`. The version of uutils needs a thread, and WASI has none.

mod convert;
mod operands;

use crate::sys;
use crate::text;
use convert::Converter;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::time::Instant;

const HELP: &str = "Usage: dd [OPERAND]...
  or:  dd OPTION
Copy a file, converting as the operands say.

Operands:
  if=FILE of=FILE        read and write FILE instead of the standard streams
  bs=N ibs=N obs=N       bytes in a block (512)
  cbs=N                  bytes in a record of conv=block and conv=unblock
  count=N skip=N seek=N  blocks to copy, to leave out of the input, of the output
  conv=LIST              ascii ebcdic ibm, block unblock, ucase lcase, swab sync,
                         notrunc noerror excl nocreat sparse fsync fdatasync
  iflag=LIST             fullblock count_bytes skip_bytes directory nofollow
  oflag=LIST             append seek_bytes directory nofollow
  status=LEVEL           none, noxfer, progress

N may end in c (1), w (2), b (512), kB, K, MB, M, ...; 2x3 is 6; with a B at the end
of a number count, skip and seek count bytes.

      --help             print this help
      --version          print the version
";

#[allow(clippy::struct_excessive_bools)]
struct Dd {
    input: Option<OsString>,
    output: Option<OsString>,
    ibs: usize,
    obs: usize,
    direct: bool,
    count: Option<u64>,
    skip: u64,
    seek: u64,
    cbs: usize,
    conv: Vec<String>,
    iflags: Vec<String>,
    oflags: Vec<String>,
    /// The numbers that count bytes because of a `B`: `count_bytes`, `skip_bytes`, `seek_bytes`.
    by_bytes: Vec<&'static str>,
    status: String,
}

#[derive(Default)]
struct Counts {
    full_in: u64,
    part_in: u64,
    full_out: u64,
    part_out: u64,
    truncated: u64,
    bytes: u64,
}

/// Runs `dd`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let mut dd = Dd {
        input: None,
        output: None,
        ibs: 512,
        obs: 512,
        direct: false,
        count: None,
        skip: 0,
        seek: 0,
        cbs: 0,
        conv: Vec::new(),
        iflags: Vec::new(),
        oflags: Vec::new(),
        by_bytes: Vec::new(),
        status: String::new(),
    };
    for arg in args.iter().skip(1) {
        let arg = text::show(arg);
        match arg.as_str() {
            "--help" => {
                print!("{HELP}");
                return 0;
            }
            "--version" => {
                println!("dd (wisp coreutils) {}", env!("CARGO_PKG_VERSION"));
                return 0;
            }
            "--" => continue,
            _ => {}
        }
        if let Err((message, hint)) = dd.operand(&arg) {
            return refuse(&message, hint);
        }
    }
    if let Err((message, hint)) = dd.check() {
        return refuse(&message, hint);
    }
    let start = Instant::now();
    let mut counts = Counts::default();
    let result = dd.run(&mut counts);
    let status = match &result {
        Ok(()) => 0,
        Err(Ended::Before(message)) => {
            text::complain("dd", message);
            return 1;
        }
        Err(Ended::Later(message)) => {
            text::complain("dd", message);
            1
        }
    };
    if dd.status != "none" {
        counts.report(start.elapsed().as_secs_f64(), dd.status == "noxfer");
    }
    status
}

fn refuse(message: &str, hint: bool) -> u8 {
    text::complain("dd", message);
    if hint {
        eprintln!("Try 'dd --help' for more information.");
    }
    1
}

/// Why a run ended: before a file was opened, when there are no statistics to report, or later.
enum Ended {
    Before(String),
    Later(String),
}

impl Dd {
    fn conv(&self, word: &str) -> bool {
        self.conv.iter().any(|c| c == word)
    }

    fn flag(&self, word: &str) -> bool {
        let given = |flags: &[String]| flags.iter().any(|f| f == word);
        given(&self.iflags) || given(&self.oflags) || self.by_bytes.contains(&word)
    }

    /// Checks what `flags` require of a file: to be a directory, or not to be a link.
    fn may_open(flags: &[String], name: &OsStr) -> Result<()> {
        let asks = |word: &str| flags.iter().any(|f| f == word);
        if asks("nofollow") && sys::stat(name.as_ref(), false).is_ok_and(|s| s.is_link()) {
            return Err(std::io::Error::from_raw_os_error(libc::ELOOP));
        }
        if asks("directory") && sys::stat(name.as_ref(), true).is_ok_and(|s| !s.is_dir()) {
            return Err(std::io::Error::from_raw_os_error(libc::ENOTDIR));
        }
        if name.is_empty() { Err(std::io::Error::from_raw_os_error(libc::ENOENT)) } else { Ok(()) }
    }

    fn run(&self, counts: &mut Counts) -> std::result::Result<(), Ended> {
        let unopened =
            |name: &OsStr, error: &std::io::Error| Ended::Before(format!("failed to open {}: {}", text::quote(name), text::reason(error)));
        let mut input = match &self.input {
            None => {
                if self.iflags.iter().any(|f| f == "directory") && !sys::input_is_directory() {
                    return Err(Ended::Before("setting flags for 'standard input': Not a directory".into()));
                }
                Source { file: sys::input(), is_file: false, whole: !sys::input_is_stream() }
            }
            Some(name) => {
                let file = Self::may_open(&self.iflags, name).and_then(|()| File::open(name)).map_err(|e| unopened(name, &e))?;
                let kind = sys::stat(name.as_ref(), true).map_or(sys::Kind::File, |s| s.kind);
                if kind == sys::Kind::Dir {
                    return Err(Ended::Later(format!("error reading {}: Is a directory", text::quote(name))));
                }
                let is_file = kind == sys::Kind::File;
                Source { file: std::mem::ManuallyDrop::new(file), is_file, whole: kind != sys::Kind::Fifo }
            }
        };
        let seek = self.offset(self.seek, "seek_bytes", self.obs);
        let mut output = match &self.output {
            None => sys::descriptor(1),
            Some(name) => std::mem::ManuallyDrop::new(self.create(name, seek == Some(0)).map_err(|e| unopened(name, &e))?),
        };
        let quote = |name: &Option<OsString>, standard: &str| name.as_ref().map_or_else(|| text::quote(standard), text::quote_if_needed);
        let large = "Value too large for defined data type";
        match self.offset(self.skip, "skip_bytes", self.ibs) {
            None => return Err(Ended::Later(format!("{}: cannot skip: {large}", quote(&self.input, "standard input")))),
            Some(skip) => {
                let there = input.skip(skip).map_err(|e| Ended::Later(format!("cannot skip: {}", text::reason(&e))))?;
                if !there && self.status != "none" {
                    text::complain(
                        "dd",
                        format!(
                            "{}: cannot skip to specified offset",
                            text::quote(self.input.as_deref().unwrap_or(OsStr::new("standard input")))
                        ),
                    );
                }
            }
        }
        let sought =
            |e: &std::io::Error| Ended::Later(format!("{}: cannot seek: {}", quote(&self.output, "standard output"), text::reason(e)));
        match seek {
            None => return Err(Ended::Later(format!("{}: cannot seek: {large}", quote(&self.output, "standard output")))),
            Some(0) => {}
            Some(seek) => self.seek_output(&mut output, seek).map_err(|e| sought(&e))?,
        }
        self.copy(&mut input, &mut output, counts).map_err(Ended::Later)
    }

    /// Parses a number of blocks or bytes, in bytes; `None` if that is more than a file can have.
    fn offset(&self, number: u64, flag: &str, block: usize) -> Option<u64> {
        let bytes = if self.flag(flag) { Some(number) } else { number.checked_mul(block as u64) };
        bytes.filter(|bytes| *bytes <= i64::MAX as u64)
    }

    fn create(&self, name: &OsStr, truncate: bool) -> Result<File> {
        Self::may_open(&self.oflags, name)?;
        let mut how = OpenOptions::new();
        how.create(!self.conv("nocreat")).create_new(self.conv("excl"));
        if self.flag("append") {
            how.append(true)
        } else {
            how.write(true).truncate(!self.conv("notrunc") && truncate)
        };
        how.open(name)
    }

    /// Moves to the start of the output, and truncates a file there.
    fn seek_output(&self, output: &mut File, seek: u64) -> Result<()> {
        let Some(name) = self.output.as_ref() else {
            // Standard output begins at its current position. A gap after its end is filled with zeros.
            return sys::seek_output(seek, true);
        };
        if self.flag("append") {
            return Ok(());
        }
        let special = sys::stat(name.as_ref(), true).is_ok_and(|s| !s.is_file());
        if !special && !self.conv("notrunc") {
            output.set_len(seek)?;
        }
        output.seek(SeekFrom::Start(seek)).map(drop)
    }

    fn copy(&self, input: &mut Source, output: &mut File, counts: &mut Counts) -> std::result::Result<(), String> {
        let mut buffer = vec![0; self.ibs];
        let mut pending: Vec<u8> = Vec::new();
        let mut converter = Converter::new(&self.conv, self.cbs);
        let reading = |e: &std::io::Error| {
            format!("error reading {}: {}", text::quote(self.input.as_deref().unwrap_or(OsStr::new("standard input"))), text::reason(e))
        };
        let writing = |e: std::io::Error| {
            format!("error writing {}: {}", text::quote(self.output.as_deref().unwrap_or(OsStr::new("standard output"))), text::reason(&e))
        };
        let mut left = self.count;
        // A read from a file may return fewer bytes than requested here, so only a short read from a pipe counts as one.
        let whole = self.flag("fullblock") || input.whole;
        // Blocks are written with the size in which they were read, unless an option changes it.
        let direct = self.direct && (self.cbs == 0 || !["block", "unblock", "ascii", "ebcdic", "ibm"].iter().any(|w| self.conv(w)));
        let mut failed = None;
        loop {
            let want = match (left, self.flag("count_bytes")) {
                (Some(0), _) => break,
                (Some(n), true) => n.min(self.ibs as u64) as usize,
                _ => self.ibs,
            };
            let mut got = match fill(&mut *input.file, &mut buffer[..want], whole) {
                Ok(got) => got,
                Err(error) => {
                    failed = Some(reading(&error));
                    break;
                }
            };
            if got == 0 {
                break;
            }
            if got == self.ibs {
                counts.full_in += 1;
            } else {
                counts.part_in += 1;
            }
            left = left.map(|n| if self.flag("count_bytes") { n - got as u64 } else { n - 1 });
            if self.conv("sync") && got < self.ibs {
                buffer[got..].fill(Converter::filler(&self.conv));
                got = self.ibs;
            }
            converter.push(&mut buffer[..got], &mut pending);
            counts.truncated = converter.truncated;
            let whole = if direct { pending.len() } else { pending.len() / self.obs * self.obs };
            for block in pending[..whole].chunks(self.obs) {
                counts.write(output, block, self.obs).map_err(writing)?;
            }
            pending.drain(..whole);
        }
        converter.finish(&mut pending);
        for block in pending.chunks(self.obs) {
            counts.write(output, block, self.obs).map_err(writing)?;
        }
        failed.map_or(Ok(()), Err)
    }
}

/// The input of `dd`.
struct Source {
    file: std::mem::ManuallyDrop<File>,
    is_file: bool,
    whole: bool,
}

impl Source {
    /// Skips bytes. Returns whether there were that many.
    fn skip(&mut self, bytes: u64) -> Result<bool> {
        if !self.is_file || bytes == 0 {
            return discard(&mut *self.file, bytes);
        }
        let at = self.file.stream_position()?;
        let end = self.file.seek(SeekFrom::End(0))?;
        self.file.seek(SeekFrom::Start(at.saturating_add(bytes).min(i64::MAX as u64)))?;
        Ok(at.saturating_add(bytes) <= end.max(at))
    }
}

impl Counts {
    /// Writes a block. Bytes written before an error count.
    fn write(&mut self, output: &mut File, block: &[u8], size: usize) -> Result<()> {
        let mut done = 0;
        let result = loop {
            match output.write(&block[done..]) {
                Ok(0) if done < block.len() => break Err(std::io::Error::from_raw_os_error(libc::ENOSPC)),
                Ok(more) => done += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
            if done == block.len() {
                break Ok(());
            }
        };
        match done {
            0 => {}
            _ if done == size => self.full_out += 1,
            _ => self.part_out += 1,
        }
        self.bytes += done as u64;
        result
    }

    fn report(&self, seconds: f64, brief: bool) {
        eprintln!("{}+{} records in\n{}+{} records out", self.full_in, self.part_in, self.full_out, self.part_out);
        if self.truncated > 0 {
            eprintln!("{} truncated record{}", self.truncated, if self.truncated == 1 { "" } else { "s" });
        }
        if brief {
            return;
        }
        let plural = if self.bytes == 1 { "" } else { "s" };
        let mut line = format!("{} byte{plural}", self.bytes);
        if self.bytes >= 1000 {
            line += &format!(" ({}", scaled(self.bytes as f64, 1000.0, ["B", "kB", "MB", "GB", "TB"]));
            if self.bytes >= 1024 {
                line += &format!(", {}", scaled(self.bytes as f64, 1024.0, ["B", "KiB", "MiB", "GiB", "TiB"]));
            }
            line += ")";
        }
        let rate = scaled((self.bytes as f64 / seconds.max(1e-9)).max(0.0), 1000.0, ["B", "kB", "MB", "GB", "TB"]);
        // GNU's smallest unit for a rate is the kilobyte.
        let rate = if rate.ends_with(" B") { format!("{:.1} kB", self.bytes as f64 / seconds.max(1e-9) / 1000.0) } else { rate };
        eprintln!("{line} copied, {seconds:.6} s, {rate}/s");
    }
}

fn scaled(mut value: f64, base: f64, units: [&str; 5]) -> String {
    let mut unit = 0;
    while value >= base && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    if value < 10.0 { format!("{value:.1} {}", units[unit]) } else { format!("{value:.0} {}", units[unit]) }
}

/// Reads once, or until the block is full.
fn fill(input: &mut dyn Read, block: &mut [u8], whole: bool) -> Result<usize> {
    let mut got = 0;
    while got < block.len() {
        match input.read(&mut block[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if !whole {
            break;
        }
    }
    Ok(got)
}

/// Reads and discards bytes. Returns whether there were that many.
fn discard(input: &mut dyn Read, mut bytes: u64) -> Result<bool> {
    let mut buffer = vec![0; 64 * 1024];
    while bytes > 0 {
        let want = bytes.min(buffer.len() as u64) as usize;
        match input.read(&mut buffer[..want])? {
            0 => return Ok(false),
            got => bytes -= got as u64,
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_scaled() {
        assert_eq!(scaled(3072.0, 1024.0, ["B", "KiB", "MiB", "GiB", "TiB"]), "3.0 KiB");
        assert_eq!(scaled(14_200_000.0, 1000.0, ["B", "kB", "MB", "GB", "TB"]), "14 MB");
    }
}
