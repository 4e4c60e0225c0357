//! gzip, bzip2, xz, zstd and their other names: files in, files out, or a stream through.

mod list;
mod options;
mod words;

use crate::codec::{Format, Sink, gzip};
use crate::sys::{self, Kind, Stat};
use crate::text;
use options::{Mode, Options};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, BufWriter, Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};

/// A tool of this family under one of its names.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    /// What it calls itself.
    pub name: &'static str,
    pub format: Format,
    /// What it does when not told.
    pub mode: Mode,
    /// To standard output.
    pub stdout: bool,
}

const TOOLS: &[(&str, Tool)] = &[
    ("gzip", tool("gzip", Format::Gzip, Mode::Compress, false)),
    ("gunzip", tool("gzip", Format::Gzip, Mode::Decompress, false)),
    ("zcat", tool("gzip", Format::Gzip, Mode::Decompress, true)),
    ("bzip2", tool("bzip2", Format::Bzip2, Mode::Compress, false)),
    ("bunzip2", tool("bunzip2", Format::Bzip2, Mode::Decompress, false)),
    ("bzcat", tool("bzcat", Format::Bzip2, Mode::Decompress, true)),
    ("xz", tool("xz", Format::Xz, Mode::Compress, false)),
    ("unxz", tool("unxz", Format::Xz, Mode::Decompress, false)),
    ("xzcat", tool("xzcat", Format::Xz, Mode::Decompress, true)),
    ("lzma", tool("lzma", Format::Lzma, Mode::Compress, false)),
    ("unlzma", tool("unlzma", Format::Lzma, Mode::Decompress, false)),
    ("lzcat", tool("lzcat", Format::Lzma, Mode::Decompress, true)),
    ("zstd", tool("zstd", Format::Zstd, Mode::Compress, false)),
    ("unzstd", tool("unzstd", Format::Zstd, Mode::Decompress, false)),
    ("zstdcat", tool("zstdcat", Format::Zstd, Mode::Decompress, true)),
];

const fn tool(name: &'static str, format: Format, mode: Mode, stdout: bool) -> Tool {
    Tool { name, format, mode, stdout }
}

/// Runs the tool of a name, if there is one.
pub(crate) fn main(name: &str, args: Vec<OsString>) -> Option<u8> {
    let tool = TOOLS.iter().find(|(n, _)| *n == name)?.1;
    Some(match options::parse(tool, &args[1..]) {
        Ok(options) => Run { tool: Tool { format: options.format, ..tool }, options, status: 0, header: 18, totals: (0, 0, 0) }.all(),
        Err(status) => status,
    })
}

/// One run of a tool.
pub(crate) struct Run {
    pub tool: Tool,
    pub options: Options,
    /// The status so far.
    pub status: u8,
    /// Bytes of gzip's header and checksums, which do not count as packed.
    pub header: u64,
    /// Files, packed and plain bytes, for the totals of a list.
    pub totals: (u64, u64, u64),
}

impl Run {
    fn all(&mut self) -> u8 {
        if self.options.files.is_empty() {
            self.options.files.push("-".into());
        }
        for file in std::mem::take(&mut self.options.files) {
            if file == "-" {
                self.stream();
            } else {
                self.path(&PathBuf::from(file));
            }
        }
        if self.options.mode == Mode::List {
            self.list_totals();
        }
        self.status
    }

    /// Prints a message and remembers the status.
    pub(crate) fn complain(&mut self, status: u8, message: &str) {
        // A warning (2) of gzip does not hide an error (1); with bzip2 it is the reverse.
        let worse = if self.tool.format == Format::Bzip2 {
            self.status.max(status)
        } else if self.status == 1 {
            1
        } else {
            status
        };
        self.status = worse;
        if !(self.options.quiet && status == 2 && self.tool.format != Format::Bzip2) {
            eprintln!("{message}");
        }
    }

    /// Prints standard input to standard output.
    fn stream(&mut self) {
        let compress = self.options.mode == Mode::Compress;
        if compress && sys::is_terminal(1) && !self.options.force {
            let message = words::terminal(self.tool);
            return self.complain(1, &message);
        }
        let input = Box::new(std::io::stdin());
        if self.options.mode == Mode::List {
            return self.list(Path::new("stdout"), input, None);
        }
        let result = self.convert(input, Box::new(std::io::stdout().lock()), None);
        if let Err(error) = result {
            self.failed(Path::new(words::standard_input(self.tool.format)), &error);
        }
    }

    fn path(&mut self, path: &Path) {
        let linked = sys::stat(path, false).is_ok_and(|s| s.kind == Kind::Link);
        if linked && !self.options.stdout && !self.options.force && matches!(self.options.mode, Mode::Compress | Mode::Decompress) {
            let (status, message) = words::link(self.tool, &text::show(path));
            return self.complain(status, &message);
        }
        let stat = match sys::stat(path, true) {
            Ok(stat) => stat,
            Err(error) if self.options.mode != Mode::Compress && error.kind() == ErrorKind::NotFound => match self.suffixed(path) {
                Some((path, stat)) => return self.file(&path, &stat),
                // gzip names the last file that it tried.
                None if self.tool.format == Format::Gzip && path.extension().is_none() => {
                    let longer = format!("{}{}", text::show(path), text::show(Path::new(&self.options.suffix)));
                    return self.missing(Path::new(&longer), &error);
                }
                None => return self.missing(path, &error),
            },
            Err(error) => return self.missing(path, &error),
        };
        match stat.kind {
            Kind::Dir if self.options.recursive => self.folder(path),
            Kind::Dir => {
                let (status, message) = words::directory(self.tool, &text::show(path));
                self.complain(status, &message);
            }
            Kind::Fifo if self.tool.format == Format::Xz && !self.options.stdout && !self.options.force => {
                self.complain(2, &format!("{}: {}: Not a regular file, skipping", self.tool.name, text::show(path)));
            }
            // bzip2 and zstd read it.
            Kind::Fifo if self.tool.format != Format::Gzip => self.file(path, &stat),
            Kind::Char | Kind::Block | Kind::Fifo | Kind::Socket if !self.options.stdout && !self.options.force => {
                let message = format!("{}: {} is not a directory or a regular file - ignored", self.tool.name, text::show(path));
                self.complain(2, &message);
            }
            _ => self.file(path, &stat),
        }
    }

    /// Returns the file of a name that was given without its ending, as gzip allows.
    fn suffixed(&self, path: &Path) -> Option<(PathBuf, Stat)> {
        if self.tool.format != Format::Gzip {
            return None;
        }
        let mut longer = path.as_os_str().to_owned();
        longer.push(&self.options.suffix);
        let longer = PathBuf::from(longer);
        let stat = sys::stat(&longer, true).ok()?;
        Some((longer, stat))
    }

    fn missing(&mut self, path: &Path, error: &Error) {
        let message = words::missing(self.tool, &text::show(path), &text::reason(error));
        self.complain(1, &message);
    }

    fn folder(&mut self, path: &Path) {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        paths.sort();
        for path in paths {
            self.path(&path);
        }
    }

    fn file(&mut self, path: &Path, stat: &Stat) {
        let shown = text::show(path);
        let writes = !self.options.stdout && matches!(self.options.mode, Mode::Compress | Mode::Decompress);
        let target = match (&self.options.output, writes) {
            (Some(output), _) => Some(PathBuf::from(output)),
            (None, true) => match words::target(self.tool, path, &self.options) {
                Ok(target) => Some(target),
                Err((status, message)) => {
                    if !(message.is_empty() && status == 0) {
                        self.complain(status, &message);
                    }
                    return;
                }
            },
            _ => None,
        };
        let target = if self.options.restore && self.options.mode == Mode::Decompress { self.original(path, target) } else { target };
        if let Some(target) = &target
            && sys::stat(target, false).is_ok()
            && !self.options.force
        {
            let (status, message) = words::exists(self.tool, &text::show(target));
            return self.complain(status, &message);
        }
        let input = match File::open(path) {
            Ok(file) => Box::new(file),
            Err(error) => return self.missing(path, &error),
        };
        if self.options.mode == Mode::List {
            return self.list(path, input, Some(stat));
        }
        let Some(target) = target else {
            let out: Box<dyn Write> =
                if self.options.mode == Mode::Test { Box::new(std::io::sink()) } else { Box::new(std::io::stdout().lock()) };
            match self.convert(input, out, Some((path, stat))) {
                Ok((packed, plain)) => self.tell(&shown, None, packed, plain),
                Err(error) => self.failed(path, &error),
            }
            return;
        };
        if self.options.force {
            // A link is replaced, not followed.
            let _ = std::fs::remove_file(&target);
        }
        let out = match File::create(&target) {
            Ok(file) => file,
            Err(error) => return self.missing(&target, &error),
        };
        match self.convert(input, Box::new(out), Some((path, stat))) {
            Ok((packed, plain)) => {
                // The result has the file's mode and times where it can.
                let _ = sys::set_mode(&target, stat.mode);
                let _ = sys::set_times(&target, stat.atime, stat.mtime, true);
                if !self.options.keep
                    && let Err(error) = std::fs::remove_file(path)
                {
                    self.missing(path, &error);
                }
                self.tell(&shown, Some(&text::show(&target)), packed, plain);
            }
            Err(error) => {
                let _ = std::fs::remove_file(&target);
                self.failed(path, &error);
            }
        }
    }

    /// Returns, for `gunzip -N`, the name that the file had, in the folder it is in.
    fn original(&self, path: &Path, target: Option<PathBuf>) -> Option<PathBuf> {
        let target = target?;
        let mut reader = gzip::Reader::new(BufReader::new(Box::new(File::open(path).ok()?) as Box<dyn Read>));
        // Damage shows when the data is read.
        let _ = reader.read(&mut [0]);
        let name = reader.header.name.take().unwrap_or_default();
        let last = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
        if last.is_empty() || last == b".." { Some(target) } else { Some(path.with_file_name(sys::path_from_bytes(last))) }
    }

    fn failed(&mut self, path: &Path, error: &Error) {
        if error.kind() == ErrorKind::BrokenPipe {
            self.status = 1;
            return;
        }
        let (status, message) = words::failed(self.tool, &text::show(path), error);
        self.complain(status, &message);
    }

    fn tell(&mut self, path: &str, target: Option<&str>, packed: u64, plain: u64) {
        if let Some(line) = words::done(
            self.tool,
            &self.options,
            path,
            target,
            if self.tool.format == Format::Gzip { packed.saturating_sub(self.header) } else { packed },
            plain,
        ) {
            eprintln!("{line}");
        }
    }

    /// Moves the bytes; gives how many packed and plain ones there were.
    fn convert(&mut self, input: Box<dyn Read>, output: Box<dyn Write>, file: Option<(&Path, &Stat)>) -> Result<(u64, u64)> {
        let mut output = Counted { inner: BufWriter::with_capacity(64 * 1024, output), count: 0 };
        let mut input = CountedRead { inner: input, count: 0 };
        if self.options.mode == Mode::Compress {
            let mut sink: Box<dyn Sink + '_> = match (self.tool.format, file) {
                (Format::Gzip, Some((path, stat))) if self.options.names => {
                    let name = path.file_name().map(|n| n.as_encoded_bytes().to_vec());
                    self.header = 18 + name.as_ref().map_or(0, |n| n.len() as u64 + 1);
                    let header = gzip::Header { name, mtime: u32::try_from(stat.seconds()).unwrap_or(0) };
                    Box::new(gzip::Writer::new(&mut output, self.options.level, &header)?)
                }
                _ => self.tool.format.writer(Box::new(&mut output), self.options.level)?,
            };
            std::io::copy(&mut input, &mut sink)?;
            sink.finish()?;
            output.flush()?;
            return Ok((output.count, input.count));
        }
        self.decompress(&mut input, &mut output, file.map(|(path, _)| path))?;
        output.flush()?;
        Ok((input.count, output.count))
    }

    fn decompress(&mut self, input: &mut CountedRead, output: &mut dyn Write, path: Option<&Path>) -> Result<()> {
        if self.tool.format == Format::Gzip {
            let mut start = Vec::new();
            input.by_ref().take(2).read_to_end(&mut start)?;
            let plain = start != [0x1f, 0x8b];
            let mut whole = std::io::Cursor::new(start).chain(input);
            // `zcat -f` and `gzip -dcf` let through what is not compressed.
            if plain && self.options.force && self.options.stdout {
                std::io::copy(&mut whole, output)?;
                return Ok(());
            }
            let mut reader = gzip::Reader::new(BufReader::with_capacity(64 * 1024, whole));
            let copied = copy(&mut reader, output);
            self.header = 18 + reader.header.name.as_ref().map_or(0, |n| n.len() as u64 + 1);
            copied?;
            if reader.garbage() {
                let shown = path.map_or("stdin".to_owned(), text::show);
                output.flush()?;
                let message = format!("\n{}: {shown}: {}", self.tool.name, gzip::GARBAGE);
                self.complain(2, &message);
            }
            return Ok(());
        }
        let mut reader: Box<dyn Read + '_> = if matches!(self.tool.format, Format::Xz | Format::Lzma | Format::Zstd) {
            match crate::codec::detect(Box::new(input))? {
                (Some(format), reader) if accepts(self.tool.format, format) => reader,
                _ => return Err(Error::new(ErrorKind::InvalidData, words::UnknownFormat)),
            }
        } else {
            let mut start = Vec::new();
            input.by_ref().take(3).read_to_end(&mut start)?;
            if start.len() == 3 && start != b"BZh" {
                return Err(Error::new(ErrorKind::InvalidData, words::UnknownFormat));
            }
            self.tool.format.reader(Box::new(std::io::Cursor::new(start).chain(input)))
        };
        copy(&mut reader, output)
    }
}

/// Returns what a tool decompresses beside its own format.
fn accepts(tool: Format, found: Format) -> bool {
    match tool {
        Format::Zstd => true,
        Format::Xz => matches!(found, Format::Xz | Format::Lzma),
        Format::Lzma => found == Format::Lzma,
        other => other == found,
    }
}

/// Copies so that what was read before an error is written.
fn copy(reader: &mut dyn Read, output: &mut dyn Write) -> Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => output.write_all(&buffer[..count])?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                output.flush()?;
                return Err(error);
            }
        }
    }
}

struct Counted<W: Write> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let count = self.inner.write(data)?;
        self.count += count as u64;
        Ok(count)
    }
    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

/// A reader that counts.
pub(crate) struct CountedRead {
    inner: Box<dyn Read>,
    /// Bytes read so far.
    pub count: u64,
}

impl Read for CountedRead {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.count += count as u64;
        Ok(count)
    }
}
