//! `-l`: lists compressed files. The sizes are counted, not taken from the headers.

use super::{CountedRead, Run};
use crate::codec::{Format, gzip};
use crate::sys::Stat;
use crate::text;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use wisp_tool::calendar::{Civil, MONTHS, TimeZone};

/// Counts bytes and their checksum, and drops them.
#[derive(Default)]
struct Nothing {
    count: u64,
    crc: flate2::Crc,
}

impl Write for Nothing {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.count += data.len() as u64;
        self.crc.update(data);
        Ok(data.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Run {
    /// Lists one file.
    pub(super) fn list(&mut self, path: &Path, input: Box<dyn Read>, stat: Option<&Stat>) {
        let mut input = CountedRead { inner: input, count: 0 };
        let mut out = Nothing::default();
        let mut mtime = stat.map_or(0, Stat::seconds);
        let result = if self.tool.format == Format::Gzip {
            let mut reader = gzip::Reader::new(BufReader::new(&mut input));
            let result = std::io::copy(&mut reader, &mut out);
            if reader.header.mtime != 0 {
                mtime = i64::from(reader.header.mtime);
            }
            result.map(drop)
        } else {
            self.decompress(&mut input, &mut out, Some(path))
        };
        if let Err(error) = result {
            return self.failed(path, &error);
        }
        let (packed, plain) = (input.count, out.count);
        let first = self.totals.0 == 0;
        self.totals = (self.totals.0 + 1, self.totals.1 + packed, self.totals.2 + plain);
        let name = text::show(path);
        match self.tool.format {
            Format::Gzip => {
                let name = [".gz", ".tgz", ".z"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned();
                if first && !self.options.quiet {
                    self.head();
                }
                if self.options.verbose > 0 {
                    let (Civil { month, day, hour, minute, .. }, _) = TimeZone::local().civil(mtime);
                    let month = &MONTHS[(month - 1) as usize][..3];
                    print!("defla {:08x} {month} {day:>2} {hour:02}:{minute:02} ", out.crc.sum());
                }
                // gzip's ratio leaves out the header and the checksums.
                let header = 18 + if stat.is_some() { path.file_stem().map_or(0, |n| n.len() as u64 + 1) } else { 0 };
                println!("{packed:>19} {plain:>19} {} {name}", ratio(packed.saturating_sub(header), plain));
            }
            _ if self.options.robot => {
                let share = packed as f64 / (plain as f64).max(1.0);
                println!("name\t{name}\nfile\t1\t1\t{packed}\t{plain}\t{share:.3}\tCRC64\t0");
            }
            _ => {
                let check = if self.tool.format == Format::Zstd { "XXH64" } else { "CRC64" };
                let share = packed as f64 / (plain as f64).max(1.0);
                if first && self.tool.format == Format::Zstd {
                    println!("Frames  Skips  Compressed  Uncompressed  Ratio  Check  Filename");
                } else if first {
                    println!("Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename");
                }
                if self.tool.format == Format::Zstd {
                    println!("{:>6} {:>6} {:>9} B {:>11} B {:>6.3}  {check}  {name}", 1, 0, packed, plain, 1.0 / share);
                } else {
                    let (packed, plain) = (format!("{packed} B"), format!("{plain} B"));
                    println!("{:>5} {:>7} {packed:>12} {plain:>12}  {share:.3}  {check:<7} {name}", 1, 1);
                }
            }
        }
    }

    fn head(&self) {
        let more = if self.options.verbose > 0 { "method  crc     date  time  " } else { "" };
        println!("{more}{:>19} {:>19}  ratio uncompressed_name", "compressed", "uncompressed");
    }

    /// Prints the last line of a list of several files.
    pub(super) fn list_totals(&mut self) {
        let (files, packed, plain) = self.totals;
        if self.options.robot {
            let share = packed as f64 / (plain as f64).max(1.0);
            let (share, check) = if files > 0 { (format!("{share:.3}"), "CRC64") } else { ("---".into(), "None") };
            println!("totals\t{files}\t{files}\t{packed}\t{plain}\t{share}\t{check}\t0\t{files}");
        }
        if files > 1 && self.tool.format == Format::Gzip {
            let more = if self.options.verbose > 0 { " ".repeat(28) } else { String::new() };
            println!("{more}{packed:>19} {plain:>19} {} (totals)", ratio(packed.saturating_sub(18 * files), plain));
        }
    }
}

fn ratio(packed: u64, plain: u64) -> String {
    let value = if plain == 0 { 0.0 } else { 100.0 * (plain as f64 - packed as f64) / plain as f64 };
    format!("{value:5.1}%")
}
