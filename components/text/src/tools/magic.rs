//! Kinds of files by their first bytes, and kinds of text.

/// What a file is.
pub(super) struct Found {
    /// In words.
    pub text: String,
    /// Its MIME type.
    pub mime: String,
    /// Its encoding.
    pub charset: String,
}

/// A kind of file: where its mark is, the mark, the words, the MIME type.
type Mark = (usize, &'static [u8], &'static str, &'static str);

const MARKS: &[Mark] = &[
    (0, b"%PDF-", "PDF document", "application/pdf"),
    (0, b"PK\x05\x06", "Zip archive data (empty)", "application/zip"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+), Dictionary ID: None", "application/zstd"),
    (0, b"\xfd7zXZ\0", "XZ compressed data, checksum CRC64", "application/x-xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "7-zip archive data, version 0.4", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07\x01\0", "RAR archive data, v5", "application/x-rar"),
    (0, b"Rar!\x1a\x07", "RAR archive data, v4", "application/x-rar"),
    (0, b"PAR1", "Apache Parquet", "application/octet-stream"),
    (0, b"\x04\x22\x4d\x18", "LZ4 compressed data (v1.4+)", "application/x-lz4"),
    (0, b"!<arch>\ndebian", "Debian binary package (format 2.0)", "application/vnd.debian.binary-package"),
    (0, b"!<arch>\n", "current ar archive", "application/x-archive"),
    (0, b"\0asm\x01\0\0\0", "WebAssembly (wasm) binary module version 0x1 (MVP)", "application/wasm"),
    (0, b"\0asm\x0d\0\x01\0", "WebAssembly (wasm) component", "application/wasm"),
    (0, b"\xca\xfe\xba\xbe", "compiled Java class data", "application/x-java-applet"),
    (0, b"OggS", "Ogg data", "application/ogg"),
    (0, b"fLaC", "FLAC audio bitstream data", "audio/flac"),
    (0, b"ID3", "Audio file with ID3", "audio/mpeg"),
    (4, b"ftypisom", "ISO Media, MP4 Base Media v1 [ISO 14496-12:2003]", "video/mp4"),
    (4, b"ftypmp42", "ISO Media, MP4 v2 [ISO 14496-14]", "video/mp4"),
    (4, b"ftypqt", "ISO Media, Apple QuickTime movie, Apple QuickTime (.MOV/QT)", "video/quicktime"),
    (0, b"\x1aE\xdf\xa3", "Matroska data", "video/x-matroska"),
    (0, b"II*\0", "TIFF image data, little-endian", "image/tiff"),
    (0, b"MM\0*", "TIFF image data, big-endian", "image/tiff"),
    (0, b"\0\0\x01\0", "MS Windows icon resource", "image/vnd.microsoft.icon"),
    (0, b"wOFF", "Web Open Font Format", "font/woff"),
    (0, b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
    (0, b"OTTO", "OpenType font data", "application/vnd.ms-opentype"),
    (0, b"MZ", "MS-DOS executable", "application/x-dosexec"),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O 64-bit x86_64 executable", "application/x-mach-binary"),
    (0, b"\x80\x02", "Python pickle", "application/octet-stream"),
    (0, b"xar!", "xar archive", "application/x-xar"),
    (0, b"\x1f\x9d", "compress'd data 16 bits", "application/x-compress"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Composite Document File V2 Document", "application/x-ole-storage"),
    (0, b"{\\rtf1\\ansi", "Rich Text Format data, version 1, ANSI", "text/rtf"),
];

/// What `bytes`, the start of a file of `size` bytes, are.
pub(super) fn identify(bytes: &[u8], size: u64) -> Found {
    let binary = |text: String, mime: &str| Found { text, mime: mime.into(), charset: "binary".into() };
    if bytes.is_empty() {
        return binary("empty".into(), "inode/x-empty");
    }
    if let Some((text, mime)) = detailed(bytes) {
        return binary(text, mime);
    }
    if let Some((_, _, text, mime)) = MARKS.iter().find(|(at, mark, ..)| bytes.get(*at..).is_some_and(|b| b.starts_with(mark))) {
        let version = bytes.get(5..8).and_then(|v| std::str::from_utf8(v).ok()).filter(|_| *mime == "application/pdf");
        let text = version.map_or((*text).to_owned(), |v| format!("PDF document, version {v}"));
        return binary(text, mime);
    }
    if size == 1 {
        return Found { text: "very short file (no magic)".into(), mime: "application/octet-stream".into(), charset: "binary".into() };
    }
    match encoding(bytes) {
        Some((words, charset)) => of_text(bytes, words, charset),
        None => binary("data".into(), "application/octet-stream"),
    }
}

pub(super) fn number(bytes: &[u8], at: usize, length: usize, big: bool) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(length)?)?;
    Some(if big { part.iter().fold(0, |n, b| n << 8 | u64::from(*b)) } else { part.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)) })
}

/// Kinds of which more is said than their name.
fn detailed(b: &[u8]) -> Option<(String, &'static str)> {
    if b.starts_with(b"\x89PNG\r\n\x1a\n") {
        let (width, height) = (number(b, 16, 4, true)?, number(b, 20, 4, true)?);
        let color = match b.get(25)? {
            0 => "grayscale",
            2 => "color RGB",
            3 => "colormap",
            4 => "gray+alpha",
            6 => "color RGBA",
            _ => "unknown",
        };
        let color = color.replacen("color ", "/color ", 1);
        let depth = b.get(24)?;
        let kind = color.strip_prefix('/').map_or_else(|| format!("{depth}-bit {color}"), |c| format!("{depth}-bit/{c}"));
        let interlace = if b.get(28).copied().unwrap_or(0) == 0 { "non-interlaced" } else { "interlaced" };
        return Some((format!("PNG image data, {width} x {height}, {kind}, {interlace}"), "image/png"));
    }
    if b.starts_with(b"GIF8") && b.len() >= 10 {
        let version = String::from_utf8_lossy(&b[3..6]).into_owned();
        return Some((
            format!("GIF image data, version {version}, {} x {}", number(b, 6, 2, false)?, number(b, 8, 2, false)?),
            "image/gif",
        ));
    }
    if b.starts_with(b"\xff\xd8\xff") {
        return Some((jpeg(b), "image/jpeg"));
    }
    if b.starts_with(b"RIFF") && b.len() >= 12 {
        return match &b[8..12] {
            b"WAVE" => Some((wave(b), "audio/x-wav")),
            b"WEBP" => Some(("RIFF (little-endian) data, Web/P image".into(), "image/webp")),
            b"AVI " => Some(("RIFF (little-endian) data, AVI".into(), "video/x-msvideo")),
            _ => Some(("RIFF (little-endian) data".into(), "application/octet-stream")),
        };
    }
    if b.starts_with(b"BM") && b.len() >= 26 && number(b, 14, 4, false)? <= 124 {
        return Some((
            format!(
                "PC bitmap, Windows 3.x format, {} x {} x {}, image size {}, resolution {} x {} px/m, cbSize {}, bits offset {}",
                number(b, 18, 4, false)?,
                number(b, 22, 4, false)?,
                number(b, 28, 2, false).unwrap_or(0),
                number(b, 34, 4, false).unwrap_or(0),
                number(b, 38, 4, false).unwrap_or(0),
                number(b, 42, 4, false).unwrap_or(0),
                number(b, 2, 4, false).unwrap_or(0),
                number(b, 10, 4, false).unwrap_or(0)
            ),
            "image/bmp",
        ));
    }
    if b.starts_with(b"BZh") && b.get(3).is_some_and(u8::is_ascii_digit) {
        return Some((format!("bzip2 compressed data, block size = {}00k", char::from(b[3])), "application/x-bzip2"));
    }
    if b.starts_with(b"\x1f\x8b") {
        return Some((gzip(b), "application/gzip"));
    }
    if b.starts_with(b"PK\x03\x04") && b.len() >= 30 {
        return Some(zip(b));
    }
    if b.get(257..262) == Some(b"ustar") {
        let gnu = b.get(262..264) == Some(b" \0") || b.get(262..264) == Some(b"  ");
        return Some((if gnu { "POSIX tar archive (GNU)" } else { "POSIX tar archive" }.into(), "application/x-tar"));
    }
    if b.starts_with(b"SQLite format 3\0") && b.len() >= 100 {
        return Some((
            format!(
                "SQLite 3.x database, last written using SQLite version {}, file counter {}, database pages {}, cookie {:#x}, schema {}, {}, version-valid-for {}",
                number(b, 96, 4, true)?,
                number(b, 24, 4, true)?,
                number(b, 28, 4, true)?,
                number(b, 40, 4, true)?,
                number(b, 44, 4, true)?,
                ["unknown 0 encoding", "UTF-8", "UTF-16 little endian", "UTF-16 big endian"]
                    .get(b[59] as usize)
                    .unwrap_or(&"unknown encoding"),
                number(b, 92, 4, true)?
            ),
            "application/vnd.sqlite3",
        ));
    }
    if b.starts_with(b"\x7fELF") {
        return super::magic_elf::elf(b);
    }
    if b.starts_with(b"\xca\xfe\xba\xbe") && b.get(7).is_some_and(|v| *v >= 45) {
        let version = b[7];
        let java = if version >= 49 { format!("Java SE {}.0", version - 44) } else { format!("Java 1.{}", version - 44) };
        let java = if version == 52 { "Java 1.8".to_owned() } else { java };
        return Some((
            format!("compiled Java class data, version {version}.{} ({java})", number(b, 4, 2, true)?),
            "application/x-java-applet",
        ));
    }
    if b.get(1..4) == Some(b"\r\r\n") && b.len() >= 16 {
        let version = number(b, 0, 2, false)?;
        let python = match version {
            3420..=3429 => "3.9",
            3430..=3449 => "3.10",
            3450..=3499 => "3.11",
            3500..=3549 => "3.12",
            3550..=3599 => "3.13",
            _ => return Some(("Byte-compiled Python module".into(), "application/x-bytecode.python")),
        };
        return Some((format!("Byte-compiled Python module for CPython {python}"), "application/x-bytecode.python"));
    }
    if b.starts_with(b"\x93NUMPY") && b.len() >= 10 {
        return Some((
            format!("NumPy array, version {}.{}, header length {}", b[6], b[7], number(b, 8, 2, false)?),
            "application/octet-stream",
        ));
    }
    if b.starts_with(b"]\0\0") && b.len() >= 13 && matches!(b.get(12), Some(0 | 0xff)) {
        let size = number(b, 5, 8, false)?;
        let size = if size == u64::MAX { "streamed".to_owned() } else { format!("non-streamed, size {size}") };
        return Some((format!("LZMA compressed data, {size}"), "application/x-lzma"));
    }
    if b[0] == 0x78 && matches!(b.get(1), Some(0x01 | 0x5e | 0x9c | 0xda)) {
        return Some(("zlib compressed data".into(), "application/zlib"));
    }
    None
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

fn zip(b: &[u8]) -> (String, &'static str) {
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

/// The encoding of a text, in words and as a charset; nothing if it is no text.
fn encoding(b: &[u8]) -> Option<(&'static str, &'static str)> {
    let printable = |c: u8| matches!(c, 7..=13 | 27 | 0x20..=0x7e | 0x80..=0xff);
    if b.starts_with(b"\xff\xfe") && b.len().is_multiple_of(2) {
        return Some(("Unicode text, UTF-16, little-endian text", "utf-16le"));
    }
    if b.starts_with(b"\xfe\xff") && b.len().is_multiple_of(2) {
        return Some(("Unicode text, UTF-16, big-endian text", "utf-16be"));
    }
    if !b.iter().all(|c| printable(*c)) {
        return None;
    }
    if b.is_ascii() {
        return Some(("ASCII text", "us-ascii"));
    }
    if b.starts_with(b"\xef\xbb\xbf") {
        return Some(("Unicode text, UTF-8 (with BOM) text", "utf-8"));
    }
    // The end may be cut in the middle of a character.
    let valid = match std::str::from_utf8(b) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if valid {
        return Some(("Unicode text, UTF-8 text", "utf-8"));
    }
    if b.iter().any(|c| (0x80..0xa0).contains(c)) {
        return Some(("Non-ISO extended-ASCII text", "unknown-8bit"));
    }
    Some(("ISO-8859 text", "iso-8859-1"))
}

fn of_text(b: &[u8], words: &str, charset: &str) -> Found {
    let (kind, mime, complete) = match super::magic_text::language(b) {
        Some(found) => found,
        None => language(b),
    };
    if complete {
        return Found { text: kind, mime: mime.into(), charset: charset.into() };
    }
    let b = &b[..b.len().min(65536)];
    let mut text = if kind.is_empty() { words.to_owned() } else { format!("{kind}, {words}") };
    if kind == "Perl script" {
        text = "Perl script text".into();
    }
    if kind == "Node.js script" {
        text = format!("Node.js script executable, {words}");
    } else if b.starts_with(b"#!") || kind == "Python script" {
        text += " executable";
    }
    let longest = b.split(|c| *c == b'\n').map(<[u8]>::len).max().unwrap_or(0);
    if longest > 300 {
        text += &format!(", with very long lines ({})", longest.min(65536));
    }
    let crlf = memchr::memmem::find_iter(b, b"\r\n").count();
    let lf = b.iter().filter(|c| **c == b'\n').count() - crlf;
    let cr = b.iter().filter(|c| **c == b'\r').count() - crlf;
    let ends: Vec<&str> = [(crlf, "CRLF"), (cr, "CR"), (lf, "LF")].iter().filter(|(n, _)| *n > 0).map(|(_, name)| *name).collect();
    match &ends[..] {
        [] => text += ", with no line terminators",
        ["LF"] => {}
        ends => text += &format!(", with {} line terminators", ends.join(", ")),
    }
    if b.contains(&27) {
        text += ", with escape sequences";
    }
    if b.contains(&8) {
        text += ", with overstriking";
    }
    Found { text, mime: mime.into(), charset: charset.into() }
}

/// What kind of text it is, its MIME type, and whether nothing more is said.
fn language(b: &[u8]) -> (String, &'static str, bool) {
    let body = b.strip_prefix(b"\xef\xbb\xbf").unwrap_or(b);
    let trimmed = body.trim_ascii_start();
    if let Some(rest) = body.strip_prefix(b"#!") {
        let line = rest.split(|c| *c == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line).into_owned();
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let program = if first.ends_with("/env") { words.find(|w| !w.starts_with('-') && !w.contains('=')).unwrap_or("") } else { first };
        let program = program.rsplit('/').next().unwrap_or_default();
        let (name, mime) = match program {
            "sh" | "dash" => ("POSIX shell script", "text/x-shellscript"),
            "bash" => ("Bourne-Again shell script", "text/x-shellscript"),
            "zsh" => ("Paul Falstad's zsh script", "text/x-shellscript"),
            "ksh" => ("Korn shell script", "text/x-shellscript"),
            "perl" => ("Perl script", "text/x-perl"),
            "ruby" => ("Ruby script", "text/x-ruby"),
            "node" => ("Node.js script", "application/javascript"),
            "awk" | "gawk" => ("awk script", "text/x-awk"),
            "php" => ("PHP script", "text/x-php"),
            p if p.starts_with("python") => ("Python script", "text/x-script.python"),
            _ => return (format!("a {} script", if line.trim().is_empty() { "" } else { line.trim() }), "text/plain", false),
        };
        return (name.to_owned(), mime, false);
    }
    let head = String::from_utf8_lossy(&trimmed[..trimmed.len().min(4096)]).into_owned();
    let lower = head.to_ascii_lowercase();
    let starts = |what: &str| lower.starts_with(what);
    if (starts("{") || starts("[")) && super::file_json(trimmed) {
        return ("JSON text data".into(), "application/json", true);
    }
    if starts("<?xml") {
        if lower.contains("<svg") {
            return ("SVG Scalable Vector Graphics image".into(), "image/svg+xml", true);
        }
        let version = head.split(['"', '\'']).nth(1).unwrap_or("1.0");
        return (format!("XML {version} document"), "text/xml", false);
    }
    if starts("<!doctype html") || starts("<html") || starts("<head") || starts("<body") {
        return ("HTML document".into(), "text/html", false);
    }
    if starts("<svg") {
        return ("SVG Scalable Vector Graphics image".into(), "image/svg+xml", true);
    }
    if starts("<?php") {
        return ("PHP script".into(), "text/x-php", false);
    }
    if starts("-----begin certificate-----") {
        return ("PEM certificate".into(), "text/plain", true);
    }
    let has_line = |what: &str| head.lines().any(|l| l.starts_with(what));
    if (has_line("diff ") || has_line("--- ")) && has_line("@@ ") && has_line("+++ ") {
        return ("unified diff output".into(), "text/x-diff", false);
    }
    if has_line("#include ") || has_line("#include<") {
        let cpp =
            head.contains("std::") || has_line("class ") || has_line("template") || has_line("namespace") || head.contains("<iostream>");
        return (if cpp { "C++ source" } else { "C source" }.into(), if cpp { "text/x-c++" } else { "text/x-c" }, false);
    }
    if (has_line("def ") || has_line("class "))
        && (has_line("import ") || has_line("from ") || head.lines().any(|l| l.trim_end().ends_with("):")))
    {
        return ("Python script".into(), "text/x-script.python", false);
    }
    if head.starts_with("\\documentclass") {
        return ("LaTeX 2e document".into(), "text/x-tex", false);
    }
    if ["From: ", "Received: ", "Return-Path: ", "Subject: "].iter().any(|h| head.starts_with(h)) {
        return ("news or mail".into(), "message/rfc822", false);
    }
    // Between quotes a comma separates nothing.
    let count = |line: &str| line.split('"').step_by(2).map(|part| part.matches(',').count()).sum();
    let commas: Vec<usize> = head.lines().take(10).filter(|l| !l.is_empty()).map(count).collect();
    if commas.len() > 1 && commas[0] > 0 && commas.iter().all(|c| *c == commas[0]) {
        return ("CSV text".into(), "text/csv", true);
    }
    (String::new(), "text/plain", false)
}
