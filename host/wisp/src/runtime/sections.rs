//! Reads the sections of a component or of a core module.

use std::ops::Range;

use wasmparser::{Parser, Payload};

/// Why a component cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExtractError {
    /// It is not a readable component.
    #[error("not a component: {0}")]
    Broken(#[from] wasmparser::BinaryReaderError),
    /// Its instances would cost the host too much.
    #[error("a component of {0}; at most {1} are accepted")]
    TooLarge(String, String),
    /// It ends before it is complete.
    #[error("the component is cut off: {0} bytes are missing")]
    CutOff(usize),
}

/// Returns a part of the component, from its section header.
fn part(bytes: &[u8], range: Range<usize>) -> Result<&[u8], ExtractError> {
    let end = range.end;
    bytes.get(range).ok_or(ExtractError::CutOff(end.saturating_sub(bytes.len())))
}

/// Returns the sections of the component or module at `range`, without those of nested ones.
pub(super) fn sections(bytes: &[u8], range: Range<usize>) -> Result<impl Iterator<Item = wasmparser::Result<Payload<'_>>>, ExtractError> {
    let (mut parser, mut at, mut done) = (Parser::new(range.start as u64), 0, false);
    let bytes = part(bytes, range)?;
    Ok(std::iter::from_fn(move || {
        if done {
            return None;
        }
        // Past its end the data is cut off: the parser reports that.
        let payload = match parser.parse(bytes.get(at..).unwrap_or_default(), true) {
            Ok(wasmparser::Chunk::Parsed { consumed, payload }) => {
                at += consumed;
                payload
            }
            Ok(wasmparser::Chunk::NeedMoreData(_)) => return None,
            Err(error) => {
                done = true;
                return Some(Err(error));
            }
        };
        match &payload {
            Payload::ModuleSection { unchecked_range, .. } | Payload::ComponentSection { unchecked_range, .. } => {
                at += unchecked_range.len();
            }
            Payload::CodeSectionStart { size, .. } => {
                at += *size as usize;
                parser.skip_section();
            }
            Payload::End(_) => done = true,
            _ => {}
        }
        Some(Ok(payload))
    }))
}
