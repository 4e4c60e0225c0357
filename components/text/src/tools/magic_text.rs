//! Kinds of text by their first lines.

/// The kind of a text, its MIME type, and whether that is the whole description.
type Kind = (String, &'static str, bool);

/// The start of a text, its kind, its MIME type, and whether that is the whole description.
const BEGINNINGS: &[(&str, &str, &str, bool)] = &[
    ("-----BEGIN RSA PRIVATE KEY-----", "PEM RSA private key", "text/plain", true),
    ("-----BEGIN DSA PRIVATE KEY-----", "PEM DSA private key", "text/plain", true),
    ("-----BEGIN EC PRIVATE KEY-----", "PEM EC private key", "text/plain", true),
    ("-----BEGIN OPENSSH PRIVATE KEY-----", "OpenSSH private key", "text/plain", true),
    ("-----BEGIN PGP MESSAGE-----", "PGP message", "application/pgp", true),
    ("-----BEGIN PGP PUBLIC KEY BLOCK-----", "PGP public key block", "application/pgp-keys", true),
    ("-----BEGIN CERTIFICATE REQUEST-----", "PEM certificate request", "text/plain", true),
    ("ssh-rsa ", "OpenSSH RSA public key", "text/plain", true),
    ("ssh-ed25519 ", "OpenSSH ED25519 public key", "text/plain", true),
    ("ecdsa-sha2-", "OpenSSH ECDSA public key", "text/plain", true),
    ("BEGIN:VCALENDAR", "vCalendar calendar file", "text/calendar", true),
    ("BEGIN:VCARD", "vCard visiting card", "text/vcard", true),
];

/// Returns the kind, if the first lines show it.
pub(super) fn language(b: &[u8]) -> Option<Kind> {
    let head = String::from_utf8_lossy(&b[..b.len().min(4096)]).into_owned();
    if let Some((_, kind, mime, complete)) = BEGINNINGS.iter().find(|(begins, ..)| head.starts_with(begins)) {
        return Some(((*kind).to_owned(), mime, *complete));
    }
    if let Some(level) = head.strip_prefix("%!PS-Adobe-") {
        let level: String = level.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        return Some((format!("PostScript document text conforming DSC level {level}"), "application/postscript", true));
    }
    if head.starts_with("%!") {
        return Some(("PostScript document text".into(), "application/postscript", true));
    }
    if objects(b) {
        return Some(("New Line Delimited JSON text data".into(), "application/x-ndjson", true));
    }
    let line = |what: &str| head.lines().any(|l| l.starts_with(what));
    let java = line("import java.") || line("import javax.") || (line("package ") && line("public class "));
    if java && head.lines().any(|l| l.trim_end().ends_with([';', '{'])) {
        return Some(("Java source".into(), "text/x-java", false));
    }
    let target = |l: &str| l.split_once(':').is_some_and(|(name, _)| matches!(name, "all" | "clean" | "install" | ".PHONY" | ".SUFFIXES"));
    if head.lines().any(target) && (head.contains("\n\t") || line(".PHONY")) {
        return Some(("makefile script".into(), "text/x-makefile", false));
    }
    None
}

/// Returns whether a text is two lines or more, each an object of JSON.
fn objects(b: &[u8]) -> bool {
    let mut lines = b.split(|c| *c == b'\n').filter(|l| !l.trim_ascii().is_empty());
    let object = |line: &[u8]| line.trim_ascii().starts_with(b"{") && super::file_json(line.trim_ascii());
    lines.next().is_some_and(object) && lines.next().is_some_and(object)
}
