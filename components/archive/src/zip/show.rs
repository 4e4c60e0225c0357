//! unzip's lists: `-l`, `-v`, `-Z`.

use super::create::percent;
use super::format::Entry;
use wisp_tool::calendar::Civil;

/// Date and time of a list.
fn when(entry: &Entry) -> String {
    let Civil { year, month, day, hour, minute, .. } = Civil::at(entry.mtime);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".into() } else { format!("{count} files") }
}

fn name(entry: &Entry) -> String {
    String::from_utf8_lossy(&entry.name).into_owned()
}

/// `-l`; `quiet` leaves out the frame.
pub fn short(entries: &[&Entry], quiet: bool) {
    if !quiet {
        println!("  Length      Date    Time    Name\n---------  ---------- -----   ----");
    }
    for entry in entries {
        println!("{:>9}  {}   {}", entry.size, when(entry), name(entry));
    }
    if !quiet {
        let total: u64 = entries.iter().map(|e| e.size).sum();
        println!("---------                     -------\n{total:>9}                     {}", files(entries.len()));
    }
}

/// `-v`.
pub fn long(entries: &[&Entry], quiet: bool) {
    if !quiet {
        println!(" Length   Method    Size  Cmpr    Date    Time   CRC-32   Name");
        println!("--------  ------  ------- ---- ---------- ----- --------  ----");
    }
    for entry in entries {
        let method = match entry.method {
            0 => "Stored",
            8 => "Defl:N",
            12 => "BZip2 ",
            93 => "Zstd  ",
            _ => "Unk   ",
        };
        let ratio = percent(entry.size, entry.packed);
        println!("{:>8}  {method} {:>8} {ratio:>3}% {} {:08x}  {}", entry.size, entry.packed, when(entry), entry.crc, name(entry));
    }
    if !quiet {
        let (size, packed) = entries.iter().fold((0, 0), |(s, p), e| (s + e.size, p + e.packed));
        println!("--------          -------  ---                            -------");
        println!("{size:>8}         {packed:>8} {:>3}%                            {}", percent(size, packed), files(entries.len()));
    }
}
