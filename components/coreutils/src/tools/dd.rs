//! `dd`: uutils' needs a thread, and WASI has none.

use crate::text;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::time::Instant;

const HELP: &str = "Usage: dd [OPERAND]...
Copy a file, converting as the operands say.

  if=FILE of=FILE        read and write FILE instead of the standard streams
  bs=N ibs=N obs=N       bytes in a block (512)
  count=N skip=N seek=N  blocks to copy, to leave out of the input, of the output
  conv=LIST              notrunc ucase lcase swab sync noerror excl nocreat fsync fdatasync
  iflag=LIST oflag=LIST  fullblock count_bytes skip_bytes, append seek_bytes
  status=LEVEL           none, noxfer, progress
";

/// The largest block: a buffer of it must fit into memory.
const LARGEST_BLOCK: u64 = 256 << 20;

#[allow(clippy::struct_excessive_bools)]
struct Dd {
    input: Option<String>,
    output: Option<String>,
    ibs: usize,
    obs: usize,
    direct: bool,
    count: Option<u64>,
    skip: u64,
    seek: u64,
    conv: Vec<String>,
    flags: Vec<String>,
    status: String,
}

#[derive(Default)]
struct Counts {
    full_in: u64,
    part_in: u64,
    full_out: u64,
    part_out: u64,
    bytes: u64,
}

/// `dd`.
pub fn main(args: Vec<OsString>) -> u8 {
    let mut dd = Dd {
        input: None,
        output: None,
        ibs: 512,
        obs: 512,
        direct: false,
        count: None,
        skip: 0,
        seek: 0,
        conv: Vec::new(),
        flags: Vec::new(),
        status: String::new(),
    };
    for arg in args.iter().skip(1) {
        let arg = arg.to_string_lossy();
        match arg.as_ref() {
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
        if let Err(message) = dd.operand(&arg) {
            eprintln!("dd: {message}\nTry 'dd --help' for more information.");
            return 1;
        }
    }
    let start = Instant::now();
    let mut counts = Counts::default();
    let result = dd.run(&mut counts);
    if dd.status != "none" {
        counts.report(start.elapsed().as_secs_f64(), dd.status == "noxfer");
    }
    match result {
        Ok(()) => 0,
        Err(message) => {
            text::complain("dd", message);
            1
        }
    }
}

/// `2x80`, `1K`, `4MB`, `10b`, `3w`.
fn number(text: &str) -> Option<u64> {
    text.split('x').try_fold(1u64, |product, part| {
        let factor = match part.strip_suffix('w') {
            Some(words) => words.parse::<u64>().ok()?.checked_mul(2)?,
            None => match part.strip_suffix('c') {
                Some(bytes) => bytes.parse().ok()?,
                None => text::size(part)?,
            },
        };
        product.checked_mul(factor)
    })
}

impl Dd {
    fn operand(&mut self, arg: &str) -> std::result::Result<(), String> {
        let Some((key, value)) = arg.split_once('=') else {
            return Err(format!("unrecognized operand {}", text::quote(arg)));
        };
        let amount = || {
            // A trailing B counts bytes instead of blocks.
            let (digits, bytes) = match value.strip_suffix('B') {
                Some(rest) if rest.ends_with(|c: char| c.is_ascii_digit()) => (rest, true),
                _ => (value, false),
            };
            number(digits).map(|n| (n, bytes)).ok_or_else(|| format!("invalid number: {}", text::quote(value)))
        };
        let block = || match amount()?.0 {
            0 => Err(format!("invalid number: {}", text::quote(value))),
            n if n > LARGEST_BLOCK => Err(format!("a block of {} is more than the 256 MiB there may be", text::quote(value))),
            n => Ok(n as usize),
        };
        match key {
            "if" => self.input = Some(value.to_owned()),
            "of" => self.output = Some(value.to_owned()),
            "bs" => (self.ibs, self.obs, self.direct) = (block()?, block()?, true),
            "ibs" if !self.direct => self.ibs = block()?,
            "obs" if !self.direct => self.obs = block()?,
            "ibs" | "obs" => drop(block()?),
            "cbs" => return Err("conv=block and unblock are not here, so cbs has no use".into()),
            "count" => {
                let (n, bytes) = amount()?;
                self.count = Some(n);
                self.flag_if(bytes, "count_bytes");
            }
            "skip" | "iseek" => {
                let (n, bytes) = amount()?;
                self.skip = n;
                self.flag_if(bytes, "skip_bytes");
            }
            "seek" | "oseek" => {
                let (n, bytes) = amount()?;
                self.seek = n;
                self.flag_if(bytes, "seek_bytes");
            }
            "conv" => {
                const KNOWN: [&str; 11] =
                    ["notrunc", "ucase", "lcase", "swab", "sync", "noerror", "excl", "nocreat", "fsync", "fdatasync", "sparse"];
                for word in value.split(',') {
                    if !KNOWN.contains(&word) {
                        return Err(format!("invalid conversion: {}", text::quote(word)));
                    }
                    self.conv.push(word.to_owned());
                }
            }
            "iflag" | "oflag" => {
                const KNOWN: [&str; 12] = [
                    "fullblock",
                    "count_bytes",
                    "skip_bytes",
                    "seek_bytes",
                    "append",
                    "direct",
                    "dsync",
                    "sync",
                    "nonblock",
                    "noatime",
                    "nocache",
                    "nofollow",
                ];
                for word in value.split(',') {
                    if !KNOWN.contains(&word) {
                        return Err(format!("invalid {} flag: {}", if key == "iflag" { "input" } else { "output" }, text::quote(word)));
                    }
                    self.flags.push(word.to_owned());
                }
            }
            "status" if ["none", "noxfer", "progress"].contains(&value) => value.clone_into(&mut self.status),
            "status" => return Err(format!("invalid status level: {}", text::quote(value))),
            _ => return Err(format!("unrecognized operand {}", text::quote(arg))),
        }
        Ok(())
    }

    fn flag_if(&mut self, given: bool, flag: &str) {
        if given {
            self.flags.push(flag.to_owned());
        }
    }

    fn conv(&self, word: &str) -> bool {
        self.conv.iter().any(|c| c == word)
    }

    fn flag(&self, word: &str) -> bool {
        self.flags.iter().any(|f| f == word)
    }

    fn run(&self, counts: &mut Counts) -> std::result::Result<(), String> {
        let open = |name: &str, error: &std::io::Error| format!("failed to open {}: {}", text::quote(name), text::reason(error));
        let skip = if self.flag("skip_bytes") { self.skip } else { self.skip.saturating_mul(self.ibs as u64) };
        let seek = if self.flag("seek_bytes") { self.seek } else { self.seek.saturating_mul(self.obs as u64) };
        let standard = crate::sys::input();
        let mut input: Box<dyn Read + '_> = match &self.input {
            None => Box::new(&*standard),
            Some(name) => {
                let mut file = File::open(name).map_err(|e| open(name, &e))?;
                if skip > 0 && crate::sys::stat(name.as_ref(), true).is_ok_and(|s| s.is_file()) {
                    file.seek(SeekFrom::Start(skip)).map_err(|e| format!("{}: cannot skip: {}", text::quote(name), text::reason(&e)))?;
                } else {
                    discard(&mut file, skip).map_err(|e| open(name, &e))?;
                }
                Box::new(file)
            }
        };
        if self.input.is_none() {
            discard(&mut input, skip).map_err(|e| format!("cannot skip: {}", text::reason(&e)))?;
        }
        let mut output: Box<dyn Write> = match &self.output {
            None => Box::new(std::io::stdout().lock()),
            Some(name) => {
                let mut how = OpenOptions::new();
                how.create(!self.conv("nocreat")).create_new(self.conv("excl"));
                if self.flag("append") {
                    how.append(true)
                } else {
                    how.write(true).truncate(!self.conv("notrunc") && seek == 0)
                };
                let mut file = how.open(name).map_err(|e| open(name, &e))?;
                if seek > 0 && !self.flag("append") {
                    let special = crate::sys::stat(name.as_ref(), true).is_ok_and(|s| !s.is_file());
                    if !special && !self.conv("notrunc") {
                        file.set_len(seek).map_err(|e| format!("failed to truncate {}: {}", text::quote(name), text::reason(&e)))?;
                    }
                    file.seek(SeekFrom::Start(seek)).map_err(|e| format!("{}: cannot seek: {}", text::quote(name), text::reason(&e)))?;
                }
                Box::new(file)
            }
        };
        self.copy(&mut input, &mut output, counts)
    }

    fn copy(&self, input: &mut dyn Read, output: &mut dyn Write, counts: &mut Counts) -> std::result::Result<(), String> {
        let mut buffer = vec![0; self.ibs];
        let mut pending: Vec<u8> = Vec::new();
        let reading = |e: &std::io::Error| {
            format!("error reading {}: {}", text::quote(self.input.as_deref().unwrap_or("standard input")), text::reason(e))
        };
        let writing = |e: std::io::Error| {
            format!("error writing {}: {}", text::quote(self.output.as_deref().unwrap_or("standard output")), text::reason(&e))
        };
        let mut left = self.count;
        // Files give what is asked for; here a read may be shorter all the same, and only a pipe's short read counts.
        let stream = match &self.input {
            None => crate::sys::input_is_stream(),
            Some(name) => crate::sys::stat(name.as_ref(), true).is_ok_and(|s| s.kind == crate::sys::Kind::Fifo),
        };
        let whole = self.flag("fullblock") || !stream;
        loop {
            let want = match (left, self.flag("count_bytes")) {
                (Some(0), _) => break,
                (Some(n), true) => n.min(self.ibs as u64) as usize,
                _ => self.ibs,
            };
            let mut got = fill(input, &mut buffer[..want], whole).map_err(|e| reading(&e))?;
            if got == 0 {
                break;
            }
            if got == self.ibs {
                counts.full_in += 1
            } else {
                counts.part_in += 1
            }
            left = left.map(|n| if self.flag("count_bytes") { n - got as u64 } else { n - 1 });
            if self.conv("sync") && got < self.ibs {
                buffer[got..].fill(0);
                got = self.ibs;
            }
            self.convert(&mut buffer[..got]);
            if self.direct {
                output.write_all(&buffer[..got]).map_err(writing)?;
                counts.wrote(got, self.obs);
                continue;
            }
            pending.extend_from_slice(&buffer[..got]);
            let whole = pending.len() / self.obs * self.obs;
            for block in pending[..whole].chunks(self.obs) {
                output.write_all(block).map_err(writing)?;
                counts.wrote(block.len(), self.obs);
            }
            pending.drain(..whole);
        }
        if !pending.is_empty() {
            output.write_all(&pending).map_err(writing)?;
            counts.wrote(pending.len(), self.obs);
        }
        output.flush().map_err(writing)
    }

    fn convert(&self, block: &mut [u8]) {
        if self.conv("ucase") {
            block.make_ascii_uppercase();
        }
        if self.conv("lcase") {
            block.make_ascii_lowercase();
        }
        if self.conv("swab") {
            block.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
        }
    }
}

impl Counts {
    fn wrote(&mut self, bytes: usize, block: usize) {
        if bytes == block {
            self.full_out += 1
        } else {
            self.part_out += 1
        }
        self.bytes += bytes as u64;
    }

    fn report(&self, seconds: f64, brief: bool) {
        eprintln!("{}+{} records in\n{}+{} records out", self.full_in, self.part_in, self.full_out, self.part_out);
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
        let rate = scaled(self.bytes as f64 / seconds.max(1e-9), 1000.0, ["B", "kB", "MB", "GB", "TB"]);
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

/// One read, or reads until the block is full.
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

fn discard(input: &mut dyn Read, mut bytes: u64) -> Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    while bytes > 0 {
        let want = bytes.min(buffer.len() as u64) as usize;
        match input.read(&mut buffer[..want])? {
            0 => break,
            got => bytes -= got as u64,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        assert_eq!(number("2x80"), Some(160));
        assert_eq!(number("1K"), Some(1024));
        assert_eq!(number("3w"), Some(6));
        assert_eq!(number("2b"), Some(1024));
        assert_eq!(number("q"), None);
        assert_eq!(scaled(3072.0, 1024.0, ["B", "KiB", "MiB", "GiB", "TiB"]), "3.0 KiB");
    }
}
