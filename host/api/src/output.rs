//! Output and displays that are read piece by piece.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Display, content};

/// A piece of the output of a command or an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputChunk {
    /// The offset of the first byte. Greater than the offset asked for if the bytes before are not kept any more.
    pub offset: u64,
    /// The bytes: in JSON `text`, or `base64` if they are not UTF-8, for example because the piece ends within a character.
    #[serde(flatten, with = "content")]
    #[schemars(with = "content::Content")]
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

/// A part of what an evaluation shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisplayChunk {
    /// What was shown, in order.
    pub displays: Vec<Display>,
    /// The number of the display that comes after these: where to go on.
    pub next: usize,
    /// Whether nothing will follow: the evaluation has ended.
    pub end: bool,
}
