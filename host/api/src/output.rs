//! Output and displays that are read piece by piece.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Display, content};

/// A piece of the output of a command or an evaluation. In JSON, `next_offset` follows from the others, and a reader ignores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Told", into = "Told")]
pub struct OutputChunk {
    /// The offset of the first byte. Greater than the offset asked for if the bytes before are not kept any more.
    pub offset: u64,
    /// The bytes: in JSON `text`, or `base64` if they are not UTF-8, for example because the piece ends within a character.
    pub bytes: Bytes,
    /// Whether nothing will follow: every descriptor of this output is closed, or the evaluation has ended.
    pub end: bool,
}

impl OutputChunk {
    /// Returns the offset of the first byte after these.
    pub fn next_offset(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

/// A piece of output as JSON has it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OutputChunk")]
struct Told {
    /// The offset of the first byte. Greater than the offset asked for if the bytes before are not kept any more.
    offset: u64,
    /// The bytes: `text`, or `base64` if they are not UTF-8, for example because the piece ends within a character.
    #[serde(flatten, with = "content")]
    #[schemars(with = "content::Content")]
    bytes: Bytes,
    /// The offset of the first byte after these: where to go on. Ignored by readers.
    #[serde(default)]
    next_offset: u64,
    /// Whether nothing will follow: every descriptor of this output is closed, or the evaluation has ended.
    end: bool,
}

impl From<OutputChunk> for Told {
    fn from(chunk: OutputChunk) -> Self {
        Self { offset: chunk.offset, next_offset: chunk.next_offset(), bytes: chunk.bytes, end: chunk.end }
    }
}

impl From<Told> for OutputChunk {
    fn from(told: Told) -> Self {
        Self { offset: told.offset, bytes: told.bytes, end: told.end }
    }
}

/// What both outputs of a command or an evaluation have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outputs {
    /// Standard output.
    pub stdout: OutputChunk,
    /// Standard error.
    pub stderr: OutputChunk,
}

/// A part of what an evaluation shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisplayChunk {
    /// What was shown, in order.
    pub displays: Vec<Display>,
    /// The number of the display that comes after these, where to go on; the first is number 0.
    pub next: usize,
    /// Whether nothing will follow: the evaluation has ended.
    pub end: bool,
}
