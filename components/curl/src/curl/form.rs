//! `-F`: multipart/form-data.

use crate::http::headers::{parameter, split_quoted};
use crate::http::payload::Payload;
use std::io::Result;

/// The value of a field.
#[derive(Debug, Clone)]
enum Value {
    Text(String),
    /// The files of `@`, each with the name that is sent.
    Files(Vec<String>),
    /// The content of a file as a value: `<`.
    Content(String),
}

#[derive(Debug, Clone)]
struct Field {
    name: String,
    value: Value,
    kind: Option<String>,
    file_name: Option<String>,
}

/// The fields, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Form(Vec<Field>);

impl Form {
    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `NAME=VALUE`; a literal one has no `@`, `<` and `;type=`.
    pub(super) fn add(&mut self, text: &str, literal: bool) -> std::result::Result<(), &'static str> {
        let (name, value) = text.split_once('=').ok_or("is badly used here")?;
        let name = name.to_owned();
        if literal {
            self.0.push(Field { name, value: Value::Text(value.to_owned()), kind: None, file_name: None });
            return Ok(());
        }
        let parts = split_quoted(value, ';');
        // Only known parameters belong to the field: other text with a `;` is part of the value.
        let known = |part: &&String| ["type=", "filename=", "encoder=", "headers="].iter().any(|key| part.trim_start().starts_with(key));
        let parameters = parts.iter().skip(1).rev().take_while(known).count();
        let plain = parts[..parts.len() - parameters].join(";");
        let rest = format!(";{}", parts[parts.len() - parameters..].join(";"));
        if parameter(&rest, "headers").is_some() || parameter(&rest, "encoder").is_some() {
            return Err("headers= and encoder= are not supported here");
        }
        let value = match plain.strip_prefix('@') {
            Some(files) => Value::Files(split_quoted(files, ',').iter().map(|file| unquoted(file)).collect()),
            None => match plain.strip_prefix('<') {
                Some(file) => Value::Content(unquoted(file)),
                None => Value::Text(unquoted(&plain)),
            },
        };
        // A type may have its own parameters: they extend to the next of ours.
        let kind = parts[parts.len() - parameters..].iter().find_map(|part| part.trim_start().strip_prefix("type=")).map(str::to_owned);
        self.0.push(Field { name, value, kind, file_name: parameter(&rest, "filename") });
        Ok(())
    }

    /// Returns the body, with its parts separated by `boundary`.
    pub(super) fn payload(&self, boundary: &str) -> Result<Payload> {
        let mut out = Payload::default();
        for field in &self.0 {
            match &field.value {
                Value::Text(text) => {
                    out.push(field.head(boundary, None));
                    out.push(text);
                }
                Value::Content(path) => {
                    out.push(field.head(boundary, None));
                    push(&mut out, path)?;
                }
                Value::Files(paths) => {
                    for path in paths {
                        out.push(field.head(boundary, Some(path)));
                        push(&mut out, path)?;
                        if paths.len() > 1 {
                            out.push("\r\n");
                        }
                    }
                    if paths.len() > 1 {
                        continue;
                    }
                }
            }
            out.push("\r\n");
        }
        out.push(format!("--{boundary}--\r\n"));
        Ok(out)
    }
}

fn push(out: &mut Payload, path: &str) -> Result<()> {
    if path == "-" {
        out.push(super::data::read(path)?);
        return Ok(());
    }
    out.push_file(path, 0)
}

impl Field {
    fn head(&self, boundary: &str, path: Option<&str>) -> String {
        let mut head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", escaped(&self.name));
        let shown = path.map(|path| path.rsplit('/').next().unwrap_or(path).to_owned()).filter(|path| path != "-");
        if let Some(name) = self.file_name.clone().or(shown) {
            head += &format!("; filename=\"{}\"", escaped(&name));
        }
        if let Some(kind) = self.kind.clone().or(path.map(|path| guess(self.file_name.as_deref().unwrap_or(path)).to_owned())) {
            head += &format!("\r\nContent-Type: {kind}");
        }
        head + "\r\n\r\n"
    }
}

fn escaped(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

fn unquoted(text: &str) -> String {
    match text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inside) => inside.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => text.to_owned(),
    }
}

/// Returns the type of a file by its name.
fn guess(name: &str) -> &'static str {
    const KINDS: &[(&str, &str)] = &[
        (".gif", "image/gif"),
        (".jpg", "image/jpeg"),
        (".jpeg", "image/jpeg"),
        (".png", "image/png"),
        (".svg", "image/svg+xml"),
        (".txt", "text/plain"),
        (".htm", "text/html"),
        (".html", "text/html"),
        (".pdf", "application/pdf"),
        (".xml", "application/xml"),
    ];
    let lower = name.to_ascii_lowercase();
    KINDS.iter().find(|(ending, _)| lower.ends_with(ending)).map_or("application/octet-stream", |(_, kind)| kind)
}

/// Returns a boundary that occurs in no part.
pub(super) fn boundary() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    format!("------------------------{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn fields_and_types() {
        let mut form = Form::default();
        for text in ["a=b;c", "t={\"x\":1};type=application/json", "q=\"x;y\";filename=\"n \\\"m\\\"\""] {
            form.add(text, false).expect("it is a field");
        }
        form.add("l=@x;type=y", true).expect("it is a field");
        assert!(form.add("none", false).is_err());
        let mut body = String::new();
        form.payload("B").expect("no file is read").open().read_to_string(&mut body).expect("it is text");
        let expected = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb;c\r\n\
            --B\r\nContent-Disposition: form-data; name=\"t\"\r\nContent-Type: application/json\r\n\r\n{\"x\":1}\r\n\
            --B\r\nContent-Disposition: form-data; name=\"q\"; filename=\"n %22m%22\"\r\n\r\nx;y\r\n\
            --B\r\nContent-Disposition: form-data; name=\"l\"\r\n\r\n@x;type=y\r\n--B--\r\n";
        assert_eq!(body, expected);
    }
}
