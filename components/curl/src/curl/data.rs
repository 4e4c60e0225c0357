//! `-d` and similar options.

use crate::http::payload::{Part, Payload};
use crate::url::encode;
use std::io::{Read, Result};

/// The data of all of them together.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    pub payload: Payload,
    pub json: bool,
}

impl Data {
    /// Adds a piece: with `&` before it when it is not the first.
    pub(super) fn add(data: &mut Option<Self>, piece: Payload) {
        let first = data.is_none();
        let data = data.get_or_insert_default();
        if !first {
            data.payload.push(b"&");
        }
        data.append(piece);
    }

    /// Adds a piece of JSON, with nothing between.
    pub(super) fn add_json(data: &mut Option<Self>, piece: Payload) {
        let data = data.get_or_insert_default();
        data.json = true;
        data.append(piece);
    }

    fn append(&mut self, piece: Payload) {
        for part in piece.0 {
            match part {
                Part::Bytes(bytes) => self.payload.push(bytes),
                other => self.payload.0.push(other),
            }
        }
    }

    /// Returns all of it as text for a URL.
    pub(super) fn query(&self) -> Result<String> {
        let mut bytes = Vec::new();
        self.payload.open().read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Reads a whole file; `-` is standard input.
pub(super) fn read(path: &str) -> Result<Vec<u8>> {
    if path != "-" {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the text unchanged.
pub(super) fn raw(text: &str) -> Payload {
    let mut payload = Payload::default();
    payload.push(text);
    payload
}

/// Returns the text, or a file without line ends and NUL.
pub(super) fn ascii(text: &str) -> Result<Payload> {
    let Some(path) = text.strip_prefix('@') else { return Ok(raw(text)) };
    let mut bytes = read(path)?;
    bytes.retain(|b| !b"\r\n\0".contains(b));
    let mut payload = Payload::default();
    payload.push(bytes);
    Ok(payload)
}

/// Returns the text, or a file unchanged.
pub(super) fn binary(text: &str) -> Result<Payload> {
    let Some(path) = text.strip_prefix('@') else { return Ok(raw(text)) };
    let mut payload = Payload::default();
    if path == "-" {
        payload.push(read(path)?);
    } else {
        payload.push_file(path, 0)?;
    }
    Ok(payload)
}

/// Implements `CONTENT`, `=CONTENT`, `NAME=CONTENT`, `@FILE`, `NAME@FILE`, with the content encoded.
pub(super) fn urlencode(text: &str) -> Result<String> {
    let Some(at) = text.find(['=', '@']) else { return Ok(form_encode(text.as_bytes())) };
    let (name, content) = (&text[..at], &text[at + 1..]);
    let content = if text[at..].starts_with('@') { read(content)? } else { content.as_bytes().to_vec() };
    let equals = if name.is_empty() { "" } else { "=" };
    Ok(format!("{name}{equals}{}", form_encode(&content)))
}

fn form_encode(bytes: &[u8]) -> String {
    encode::encode(bytes).replace("%20", "+")
}
