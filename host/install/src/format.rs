//! One interface to the two kinds of text: what stands there, and edits that leave everything else.

use std::path::Path;

use serde_json::Value;

use crate::{Client, InstallError, json, toml};

/// How a configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON as the standard has it.
    Json,
    /// JSON with comments and a comma after the last member.
    Jsonc,
    /// TOML.
    Toml,
}

/// Why a text cannot be read or edited.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It is not valid.
    Syntax { line: usize, column: usize, what: String },
    /// It is valid, but a part of it is not what it must be.
    Shape { line: usize, what: String },
}

impl Trouble {
    /// Returns the error of a file that `client` reads.
    pub(crate) fn of(self, client: Client, format: Format, path: &Path) -> InstallError {
        let path = path.to_owned();
        match self {
            Self::Syntax { line, column, what } => InstallError::Syntax { client, path, kind: format.as_str(), line, column, what },
            Self::Shape { line, what } => InstallError::Shape { path, line, what },
        }
    }
}

/// Where an entry is: the keys that lead to the servers, and the server's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) section: &'a [&'a str],
    pub(crate) name: &'a str,
}

impl Place<'_> {
    /// Returns the whole path.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.section.iter().copied().chain([self.name]).collect()
    }
}

impl Format {
    /// Returns the name of the format.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Json | Self::Jsonc => "JSON",
            Self::Toml => "TOML",
        }
    }

    /// Returns whether it may have comments, and a comma after the last member.
    pub(crate) fn comments(self) -> bool {
        self == Self::Jsonc
    }

    /// Reads the whole text.
    pub(crate) fn value(self, text: &str) -> Result<Value, Trouble> {
        match self {
            Self::Json | Self::Jsonc => json::value(text, self.comments()),
            Self::Toml => toml::value(text),
        }
    }

    /// Adds an entry that is not there, after all others.
    pub(crate) fn add(self, text: &str, place: Place<'_>, members: &[(&str, &Value)]) -> Result<String, Trouble> {
        match self {
            Self::Json | Self::Jsonc => json::add(text, self.comments(), &place.path(), members),
            Self::Toml => toml::add(text, place, members),
        }
    }

    /// Sets one member of an entry that is there.
    pub(crate) fn set(self, text: &str, place: Place<'_>, key: &str, value: &Value) -> Result<String, Trouble> {
        match self {
            Self::Json | Self::Jsonc => json::set(text, self.comments(), &place.path(), key, value),
            Self::Toml => toml::set(text, place, key, value),
        }
    }

    /// Takes an entry out, and a section at the end of the text that holds nothing then.
    pub(crate) fn take_out(self, text: &str, place: Place<'_>) -> Result<String, Trouble> {
        match self {
            Self::Json | Self::Jsonc => json::take_out(text, self.comments(), place),
            Self::Toml => toml::take_out(text, place),
        }
    }
}

/// Returns the line of a position, from 1.
pub(crate) fn line_of(text: &str, position: usize) -> usize {
    text.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
}

/// Returns the column of a position, in characters, from 1.
pub(crate) fn column_of(text: &str, position: usize) -> usize {
    let before = text.get(..position).unwrap_or(text);
    before.chars().rev().take_while(|c| *c != '\n').count() + 1
}

/// Returns how the lines of a text end.
pub(crate) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}
