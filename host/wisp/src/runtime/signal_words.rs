//! The words of its memory by which the program of a component notices signals, which the component names in a custom section.

use std::ops::Range;

use wasmparser::Payload;

use super::sections::{ExtractError, sections};

/// The section's name. Its contents are pairs of an address and bits, 32 bits each, little-endian (`components/python/signal_flags.py`).
const SECTION: &str = "wisp:signal-flags";

/// Maximum words.
const MOST: usize = 8;

/// Returns the words that the program at `program` names, as address and bits. What it was composed with names none. There are none
/// if the section is malformed: then the program notices signals where it asks for them, as others do.
///
/// # Errors
/// When the component cannot be read.
pub(super) fn signal_words(component: &[u8], program: &Range<usize>) -> Result<Vec<(u32, u32)>, ExtractError> {
    let mut found = Vec::new();
    let mut pending = vec![program.clone()];
    while let Some(range) = pending.pop() {
        for payload in sections(component, range)? {
            match payload? {
                Payload::ComponentSection { unchecked_range, .. } => pending.push(unchecked_range),
                Payload::CustomSection(section) if section.name() == SECTION => found.push(section.data()),
                _ => {}
            }
        }
    }
    Ok(match found[..] {
        [data] if data.len().is_multiple_of(8) && data.len() <= 8 * MOST => data.chunks_exact(8).map(word).collect(),
        _ => Vec::new(),
    })
}

/// Returns one address and its bits.
fn word(bytes: &[u8]) -> (u32, u32) {
    let (address, bits) = bytes.split_at(4);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| (number << 8) | u32::from(*byte));
    (number(address), number(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component with this section in it, of these bytes.
    fn words(around: [&str; 2], name: &str, data: &[u8]) -> Vec<(u32, u32)> {
        let data: String = data.iter().map(|byte| format!("\\{byte:02x}")).collect();
        let [before, after] = around;
        let text = format!("(component {before} (@custom \"{name}\" \"{data}\") {after})");
        let bytes = wat::parse_str(text).unwrap();
        signal_words(&bytes, &(0..bytes.len())).unwrap()
    }

    const TWO: [u8; 16] = [4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 1];

    #[test]
    fn the_section_names_addresses_and_bits() {
        let expected = [(0x104, 1), (0x8000_0000, 0x0100_0002)];
        assert_eq!(words(["", ""], SECTION, &TWO), expected);
        assert_eq!(words(["(core module (memory 1))", ""], SECTION, &TWO), expected);
        assert_eq!(words(["(component", ")"], SECTION, &TWO), expected, "in a component that was composed");
        assert_eq!(words(["", ""], SECTION, &[7; 8 * MOST]).len(), MOST);
    }

    #[test]
    fn what_is_malformed_names_none() {
        assert_eq!(words(["", ""], "wisp:signal-flag", &TWO), []);
        assert_eq!(words(["", ""], SECTION, &TWO[..15]), []);
        assert_eq!(words(["", ""], SECTION, &[7; 8 * MOST + 8]), []);
        let twice = format!("(@custom \"{SECTION}\" \"\\04\\01\\00\\00\\01\\00\\00\\00\")");
        assert_eq!(words([&twice, ""], SECTION, &TWO), [], "which of the two is meant?");
    }
}
