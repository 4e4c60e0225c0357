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

/// A kind of file: the offset of its mark, the mark, the description, the MIME type.
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

/// Returns the kind of a file of `size` bytes that starts with `bytes`.
pub(super) fn identify(bytes: &[u8], size: u64) -> Found {
    let binary = |text: String, mime: &str| Found { text, mime: mime.into(), charset: "binary".into() };
    if bytes.is_empty() {
        return binary("empty".into(), "inode/x-empty");
    }
    if let Some((text, mime)) = super::magic_binary::detailed(bytes) {
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

/// Returns the encoding of a text, in words and as a charset; `None` if it is not text.
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
    // The last character may be cut in the middle, if there is another: half a character alone shows no encoding.
    let valid = match std::str::from_utf8(b) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !b[..error.valid_up_to()].is_ascii(),
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
    let letters = |line: &[u8]| match std::str::from_utf8(line) {
        Ok(line) if charset == "utf-8" => line.chars().count(),
        Err(error) if charset == "utf-8" => String::from_utf8_lossy(&line[..error.valid_up_to()]).chars().count(),
        _ => line.len(),
    };
    let longest = b.split(|c| *c == b'\n').map(letters).max().unwrap_or(0);
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

/// Returns the kind of a text, its MIME type, and whether that is the whole description.
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
    // A comma between quotes is not a separator.
    let count = |line: &str| line.split('"').step_by(2).map(|part| part.matches(',').count()).sum();
    let commas: Vec<usize> = head.lines().take(10).filter(|l| !l.is_empty()).map(count).collect();
    if commas.len() > 1 && commas[0] > 0 && commas.iter().all(|c| *c == commas[0]) {
        return ("CSV text".into(), "text/csv", true);
    }
    (String::new(), "text/plain", false)
}
