//! Binary kinds of which `file` says more than their name: sizes, versions, parameters.

/// A kind in words, and its MIME type.
type Kind = (String, &'static str);

/// Returns the number of `length` bytes at `at`.
pub(super) fn number(bytes: &[u8], at: usize, length: usize, big: bool) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(length)?)?;
    Some(if big { part.iter().fold(0, |n, b| n << 8 | u64::from(*b)) } else { part.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)) })
}

/// Returns the kind of a file that starts with `b`, if it is one with details.
pub(super) fn detailed(b: &[u8]) -> Option<Kind> {
    match b {
        _ if b.starts_with(b"\x89PNG\r\n\x1a\n") => png(b),
        _ if b.starts_with(b"GIF8") && b.len() >= 10 => gif(b),
        _ if b.starts_with(b"\xff\xd8\xff") => Some((jpeg(b), "image/jpeg")),
        _ if b.starts_with(b"RIFF") && b.len() >= 12 => Some(riff(b)),
        _ if b.starts_with(b"BM") && b.len() >= 26 && number(b, 14, 4, false).is_some_and(|size| size <= 124) => bitmap(b),
        [b'B', b'Z', b'h', size @ b'0'..=b'9', ..] => {
            Some((format!("bzip2 compressed data, block size = {}00k", char::from(*size)), "application/x-bzip2"))
        }
        _ if b.starts_with(b"\x1f\x8b") => Some((gzip(b), "application/gzip")),
        _ if b.starts_with(b"PK\x03\x04") && b.len() >= 30 => Some(zip(b)),
        _ if b.get(257..262) == Some(b"ustar") => Some(tar(b)),
        _ if b.starts_with(b"SQLite format 3\0") && b.len() >= 100 => sqlite(b),
        _ if b.starts_with(b"\x7fELF") => super::magic_elf::elf(b),
        _ if b.starts_with(b"\xca\xfe\xba\xbe") && b.get(7).is_some_and(|v| *v >= 45) => java_class(b),
        _ if b.get(1..4) == Some(b"\r\r\n") && b.len() >= 16 => python_bytecode(b),
        _ if b.starts_with(b"\x93NUMPY") && b.len() >= 10 => numpy(b),
        _ if b.starts_with(b"]\0\0") && b.len() >= 13 && matches!(b[12], 0 | 0xff) => lzma(b),
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => Some(("zlib compressed data".into(), "application/zlib")),
        _ => None,
    }
}

fn png(b: &[u8]) -> Option<Kind> {
    let (width, height) = (number(b, 16, 4, true)?, number(b, 20, 4, true)?);
    let color = match b.get(25)? {
        0 => " grayscale",
        2 => "/color RGB",
        3 => " colormap",
        4 => " gray+alpha",
        6 => "/color RGBA",
        _ => " unknown",
    };
    let depth = b.get(24)?;
    let interlace = if b.get(28).copied().unwrap_or(0) == 0 { "non-interlaced" } else { "interlaced" };
    Some((format!("PNG image data, {width} x {height}, {depth}-bit{color}, {interlace}"), "image/png"))
}

fn gif(b: &[u8]) -> Option<Kind> {
    let version = String::from_utf8_lossy(&b[3..6]);
    let (width, height) = (number(b, 6, 2, false)?, number(b, 8, 2, false)?);
    Some((format!("GIF image data, version {version}, {width} x {height}"), "image/gif"))
}

fn riff(b: &[u8]) -> Kind {
    match &b[8..12] {
        b"WAVE" => (wave(b), "audio/x-wav"),
        b"WEBP" => ("RIFF (little-endian) data, Web/P image".into(), "image/webp"),
        b"AVI " => ("RIFF (little-endian) data, AVI".into(), "video/x-msvideo"),
        _ => ("RIFF (little-endian) data".into(), "application/octet-stream"),
    }
}

fn bitmap(b: &[u8]) -> Option<Kind> {
    let four = |at| number(b, at, 4, false);
    let or_none = |at| four(at).unwrap_or(0);
    let text = format!(
        "PC bitmap, Windows 3.x format, {} x {} x {}, image size {}, resolution {} x {} px/m, cbSize {}, bits offset {}",
        four(18)?,
        four(22)?,
        number(b, 28, 2, false).unwrap_or(0),
        or_none(34),
        or_none(38),
        or_none(42),
        or_none(2),
        or_none(10)
    );
    Some((text, "image/bmp"))
}

fn tar(b: &[u8]) -> Kind {
    let gnu = b.get(262..264) == Some(b" \0") || b.get(262..264) == Some(b"  ");
    (if gnu { "POSIX tar archive (GNU)" } else { "POSIX tar archive" }.into(), "application/x-tar")
}

fn sqlite(b: &[u8]) -> Option<Kind> {
    let four = |at| number(b, at, 4, true);
    let encodings = ["unknown 0 encoding", "UTF-8", "UTF-16 little endian", "UTF-16 big endian"];
    let text = format!(
        "SQLite 3.x database, last written using SQLite version {}, file counter {}, database pages {}, cookie {:#x}, schema {}, {}, version-valid-for {}",
        four(96)?,
        four(24)?,
        four(28)?,
        four(40)?,
        four(44)?,
        encodings.get(usize::from(b[59])).unwrap_or(&"unknown encoding"),
        four(92)?
    );
    Some((text, "application/vnd.sqlite3"))
}

fn java_class(b: &[u8]) -> Option<Kind> {
    let java = match b[7] {
        52 => "Java 1.8".to_owned(),
        version @ 49.. => format!("Java SE {}.0", version - 44),
        version => format!("Java 1.{}", version - 44),
    };
    let minor = number(b, 4, 2, true)?;
    Some((format!("compiled Java class data, version {}.{minor} ({java})", b[7]), "application/x-java-applet"))
}

fn python_bytecode(b: &[u8]) -> Option<Kind> {
    let python = match number(b, 0, 2, false)? {
        3420..=3429 => "3.9",
        3430..=3449 => "3.10",
        3450..=3499 => "3.11",
        3500..=3549 => "3.12",
        3550..=3599 => "3.13",
        _ => return Some(("Byte-compiled Python module".into(), "application/x-bytecode.python")),
    };
    Some((format!("Byte-compiled Python module for CPython {python}"), "application/x-bytecode.python"))
}

fn numpy(b: &[u8]) -> Option<Kind> {
    let header = number(b, 8, 2, false)?;
    Some((format!("NumPy array, version {}.{}, header length {header}", b[6], b[7]), "application/octet-stream"))
}

fn lzma(b: &[u8]) -> Option<Kind> {
    let size = match number(b, 5, 8, false)? {
        u64::MAX => "streamed".to_owned(),
        size => format!("non-streamed, size {size}"),
    };
    Some((format!("LZMA compressed data, {size}"), "application/x-lzma"))
}

fn wave(b: &[u8]) -> String {
    let text = String::from("RIFF (little-endian) data, WAVE audio");
    let (Some(b"fmt "), Some(1)) = (b.get(12..16), number(b, 20, 2, false)) else { return text };
    let two = |at| number(b, at, 2, false).unwrap_or(0);
    let channels = match two(22) {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        n => format!("{n} channels"),
    };
    format!("{text}, Microsoft PCM, {} bit, {channels} {} Hz", two(34), number(b, 24, 4, false).unwrap_or(0))
}

fn jpeg(b: &[u8]) -> String {
    let mut text = String::from("JPEG image data");
    if b.get(6..11) == Some(b"JFIF\0") && b.len() >= 18 {
        let unit = match b[13] {
            1 => "resolution (DPI)",
            2 => "resolution (DPCM)",
            _ => "aspect ratio",
        };
        let pair = |at: usize| number(b, at, 2, true).unwrap_or(0);
        text += &format!(", JFIF standard {}.{:02}, {unit}, density {}x{}, segment length {}", b[11], b[12], pair(14), pair(16), pair(4));
    }
    let mut at = 2;
    while let (Some(0xff), Some(marker)) = (b.get(at), b.get(at + 1)) {
        if matches!(marker, 0xc0..=0xc3) && b.len() > at + 9 {
            let mode = if *marker == 0xc2 { "progressive" } else { "baseline" };
            let two = |n: usize| number(b, at + n, 2, true).unwrap_or(0);
            text += &format!(", {mode}, precision {}, {}x{}, components {}", b[at + 4], two(7), two(5), b[at + 9]);
            break;
        }
        at += 2 + number(b, at + 2, 2, true).unwrap_or(usize::MAX as u64 / 4) as usize;
    }
    text
}

fn gzip(b: &[u8]) -> String {
    let mut text = String::from("gzip compressed data");
    let flags = b.get(3).copied().unwrap_or(0);
    if flags & 8 != 0 && flags & 4 == 0 {
        let name: Vec<u8> = b.get(10..).unwrap_or_default().iter().copied().take_while(|c| *c != 0).collect();
        text += &format!(", was \"{}\"", String::from_utf8_lossy(&name));
    }
    if let Some(time) = number(b, 4, 4, false).filter(|t| *t > 0) {
        let stamp = jiff::Timestamp::from_second(time as i64).unwrap_or_default().to_zoned(crate::awk::zone());
        text += &format!(", last modified: {}", stamp.strftime("%a %b %e %H:%M:%S %Y"));
    }
    match b.get(8) {
        Some(2) => text += ", max compression",
        Some(4) => text += ", max speed",
        _ => {}
    }
    if b.get(9) == Some(&3) {
        text += ", from Unix";
    }
    if let (true, Some(size)) = (b.len() >= 18 && b.len() < 1 << 20, number(b, b.len() - 4, 4, false)) {
        text += &format!(", original size modulo 2^32 {size}");
    }
    text
}

fn zip(b: &[u8]) -> Kind {
    let name_length = number(b, 26, 2, false).unwrap_or(0) as usize;
    let name = b.get(30..30 + name_length).unwrap_or_default();
    if name == b"mimetype" {
        let start = 30 + name_length + number(b, 28, 2, false).unwrap_or(0) as usize;
        let kind = String::from_utf8_lossy(b.get(start..(start + 60).min(b.len())).unwrap_or_default()).into_owned();
        if kind.starts_with("application/epub") {
            return ("EPUB document".into(), "application/epub+zip");
        }
        if kind.starts_with("application/vnd.oasis.opendocument.text") {
            return ("OpenDocument Text".into(), "application/vnd.oasis.opendocument.text");
        }
        if kind.starts_with("application/vnd.oasis.opendocument.spreadsheet") {
            return ("OpenDocument Spreadsheet".into(), "application/vnd.oasis.opendocument.spreadsheet");
        }
    }
    if name.starts_with(b"[Content_Types].xml") || name.starts_with(b"_rels/") {
        let has = |what: &[u8]| memchr::memmem::find(b, what).is_some();
        if has(b"word/") {
            return ("Microsoft Word 2007+".into(), "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
        }
        if has(b"xl/") {
            return ("Microsoft Excel 2007+".into(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
        }
        if has(b"ppt/") {
            return ("Microsoft PowerPoint 2007+".into(), "application/vnd.openxmlformats-officedocument.presentationml.presentation");
        }
        return ("Microsoft OOXML".into(), "application/octet-stream");
    }
    if name.starts_with(b"META-INF/") {
        return ("Java archive data (JAR)".into(), "application/java-archive");
    }
    let version = b[4];
    let method = if number(b, 8, 2, false) == Some(8) { "deflate" } else { "store" };
    (format!("Zip archive data, at least v{}.{} to extract, compression method={method}", version / 10, version % 10), "application/zip")
}
