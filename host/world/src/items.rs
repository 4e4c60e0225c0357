//! Scans WIT for the names that interfaces define.
//!
//! Parsing all of `wit/` takes milliseconds, which every start of the program would pay. Only names are needed, and
//! the texts are our own: a test compares the scanner with a parser. Items marked `@unstable` are left out, because
//! nothing links them.

use std::collections::{BTreeMap, BTreeSet};

/// The tokens of a text, without comments and annotations; `@unstable` is one token, whatever its arguments.
#[derive(Clone)]
struct Tokens<'a>(&'a str);

/// Precedes items that the host does not provide: wasmtime links nothing that is unstable.
const UNSTABLE: &str = "@unstable";

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            if self.0.starts_with("//") {
                self.skip_past("\n");
            } else if self.0.starts_with("/*") {
                self.skip_past("*/");
            } else if self.0.starts_with(UNSTABLE) {
                self.skip_past(")");
                return Some(UNSTABLE);
            } else if self.0.starts_with('@') {
                self.skip_past(")");
            } else {
                break;
            }
        }
        let end = self.0.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-%:/@.".contains(letter)));
        // A colon is part of a package's name, and ends the name of a function.
        let word = &self.0[..end.unwrap_or(self.0.len())];
        let length = word.strip_suffix(':').unwrap_or(word).len();
        let first = self.0.chars().next()?.len_utf8();
        let (token, rest) = self.0.split_at(length.max(first));
        self.0 = rest;
        Some(token)
    }
}

impl<'a> Tokens<'a> {
    fn skip_past(&mut self, end: &str) {
        self.0 = self.0.find(end).map_or("", |at| &self.0[at + end.len()..]);
    }

    /// Skips to the end of a statement, including its block. Returns the tokens at its top level.
    fn statement(&mut self) -> Vec<&'a str> {
        let (mut words, mut depth) = (Vec::new(), 0_u32);
        for token in self.by_ref() {
            match token {
                "{" | "(" | "<" => depth += 1,
                "}" | ")" | ">" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && token == "}" {
                        break;
                    }
                }
                ";" if depth == 0 => break,
                _ if depth == 0 => words.push(token),
                _ => {}
            }
        }
        words
    }

    /// Skips the item that an annotation belongs to.
    fn skip_item(&mut self) {
        if self.clone().next() == Some("use") {
            self.used();
        }
        self.statement();
    }

    /// The names that a `use …` imports.
    fn used(&mut self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        let inside = self.by_ref().skip_while(|token| *token != "{").skip(1).take_while(|token| *token != "}");
        let mut renamed = false;
        for token in inside {
            match token {
                "," => {}
                "as" => renamed = true,
                name => {
                    if std::mem::take(&mut renamed) {
                        names.pop();
                    }
                    names.push(name);
                }
            }
        }
        names
    }
}

/// Maps each interface (`wasi:io/poll@0.2.12`) in the files of one package to its functions and types.
pub(super) fn of<'a>(files: impl Iterator<Item = &'a str> + Clone) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    let package = files.clone().find_map(|text| Tokens(text).skip_while(|token| *token != "package").nth(1)).unwrap_or_default();
    let (package, version) = package.split_once('@').unwrap_or((package, ""));
    for text in files {
        let mut tokens = Tokens(text);
        while let Some(token) = tokens.next() {
            if token != "interface" {
                tokens.statement();
                continue;
            }
            let name = tokens.next().unwrap_or_default();
            tokens.next();
            found.insert(format!("{package}/{name}@{version}"), interface(&mut tokens));
        }
    }
    found
}

/// What an interface defines, up to its closing brace.
fn interface(tokens: &mut Tokens<'_>) -> BTreeSet<String> {
    let mut items = BTreeSet::new();
    while let Some(token) = tokens.next().filter(|token| *token != "}") {
        match token {
            UNSTABLE => tokens.skip_item(),
            "use" => {
                items.extend(tokens.used().into_iter().map(str::to_owned));
                tokens.statement();
            }
            "type" | "record" | "variant" | "enum" | "flags" => {
                items.insert(tokens.next().unwrap_or_default().to_owned());
                tokens.statement();
            }
            "resource" => {
                let name = tokens.next().unwrap_or_default();
                items.insert(name.to_owned());
                if tokens.next() == Some("{") {
                    resource(tokens, name, &mut items);
                }
            }
            function => {
                items.insert(function.trim_start_matches('%').to_owned());
                tokens.statement();
            }
        }
    }
    items
}

/// The functions of a resource, up to its closing brace.
fn resource(tokens: &mut Tokens<'_>, name: &str, items: &mut BTreeSet<String>) {
    while let Some(token) = tokens.next().filter(|token| *token != "}") {
        let words = tokens.statement();
        if token == UNSTABLE {
            // The skipped statement was the unstable function.
            continue;
        }
        let token = token.trim_start_matches('%');
        items.insert(match token {
            "constructor" => format!("[constructor]{name}"),
            _ if words.contains(&"static") => format!("[static]{name}.{token}"),
            _ => format!("[method]{name}.{token}"),
        });
    }
}
